"""`workbench init`: a new project."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from curation.errors import N_
from curation.settings import Settings
from workbench import output
from workbench.options import as_option, command, json_option, option, project_argument

_DEFAULT = Settings()


@command("init", "workbench init chats.workbench --lang zh --min-turns 6", N_("An existing file is never touched."))
@project_argument
@option("--min-turns", type=click.IntRange(1), default=_DEFAULT.min_turns, help=N_("Fewest turns of a candidate (6)."))
@option("--max-turns", type=click.IntRange(0), default=_DEFAULT.max_turns, help=N_("Most turns; 0: no limit."))
@option(
    "--max-characters",
    type=click.IntRange(0),
    default=_DEFAULT.max_characters,
    help=N_("Most characters; 0: no limit."),
)
@option(
    "--turn-unit",
    type=click.Choice(["turn", "message"]),
    default=_DEFAULT.turn_unit,
    help=N_("Whether limits count turns or messages."),
)
@option(
    "--near-duplicate",
    type=click.FloatRange(0, 1, min_open=True),
    default=_DEFAULT.near_duplicate,
    help=N_("Similarity from which two dialogues count as the same (0.69)."),
)
@option(
    "--script",
    type=click.Choice(["simplified", "traditional", "keep"]),
    default=_DEFAULT.script,
    help=N_("Which script normalised text is in."),
)
@as_option
@json_option
def init(path: Path, by: str, as_json: bool, **limits: object) -> int:
    """Make a project with these settings."""
    from db.project import Project
    from workbench import words

    lang = words.forced()
    settings = Settings.from_dict({**limits, **({"lang": lang} if lang else {})})
    with Project.create(path, settings, by=by) as project:
        words.settle(project.settings.lang)
        if as_json:
            output.json({"project": str(path), "settings": settings.as_dict()})
        else:
            output.say(N_("made the project {path}"), path=path)
            output.say(N_("next: workbench import {path} FILE"), path=shlex.quote(str(path)))
    return 0


command = init
