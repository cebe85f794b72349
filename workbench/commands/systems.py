"""`workbench systems`: who answers, and how far each has come."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.errors import N_
from curation.work.asking import System
from workbench import output
from workbench.options import argument, as_option, command, json_option, misused, opened, option, project_argument

if TYPE_CHECKING:
    from db.project import Project


@command(
    "systems",
    "workbench systems chats.workbench add gpt-4o --model gpt-4o-2024-11-20 --provider OpenAI --date 2025-06-01"
    " --temperature 0.7\n"
    "workbench systems chats.workbench add human --expert 周老师\n"
    "workbench systems chats.workbench list\n"
    "workbench systems chats.workbench coverage",
    N_(
        "A system is ready for scoring when no reply is missing or flagged that a curator did not let pass. Names are for"
        " curators: whoever scores never sees them."
    ),
)
@project_argument
@argument(
    "action",
    metavar="add|change|list|coverage",
    type=click.Choice(["add", "change", "list", "coverage"]),
    help=N_("What to do."),
)
@argument("name", metavar="[NAME]", required=False, help=N_("Which system."))
@option("--model", metavar="ID", help=N_("The model's id, as its provider has it."))
@option("--provider", metavar="NAME", help=N_("Who serves it."))
@option("--date", metavar="DATE", help=N_("Day of the answers (YYYY-MM-DD)."))
@option("--temperature", metavar="T", type=float, help=N_("The temperature it answered at."))
@option("--prompt", metavar="VERSION", help=N_("Version of the prompts, where they are not this program's."))
@option("--notes", metavar="TEXT", help=N_("What else there is to know."))
@option("--expert", "person", metavar="NAME", help=N_("It is an expert of the project, who writes by hand."))
@as_option
@json_option
def systems(path: Path, action: str, name: str | None, by: str, as_json: bool, **record: Any) -> int:
    """Do it."""
    given = {key: value for key, value in record.items() if value is not None}
    if action in ("add", "change") and name is None:
        raise misused(N_("say which system"))
    if action in ("list", "coverage") and given:
        raise misused(N_("a record goes with add or change"))
    if action == "list" and name is not None:
        raise misused(N_("list takes no name"))
    if action == "change" and not given:
        raise misused(N_("say what is to be changed"))
    with opened(path, by, curator=True) as project:
        if action == "coverage":
            return _coverage(project, name, as_json)
        changed = False
        if action == "add" and name is not None:
            kind = "expert" if "person" in given else "llm"
            changed = project.systems.add(System(name, kind, **given), by)
        elif action == "change" and name is not None:
            changed = project.systems.change(replace(project.systems.get(name), **given), by)
        if as_json:
            output.json({"systems": project.systems.all(), "changed": changed})
        elif action == "list":
            _show(project)
        else:
            words = {"add": N_("added: {names}"), "change": N_("changed: {names}")}
            output.say(words[action] if changed else N_("known already: {names}"), names=name)
    return 0


def _show(project: Project) -> None:
    from workbench.words import gettext

    found = project.systems.all()
    if not found:
        output.say(N_("no system answers yet; `workbench systems PROJECT add NAME` adds one"))
        return
    kinds = {"llm": N_("model"), "expert": N_("expert")}
    heads = [
        N_("name"),
        N_("kind"),
        N_("model"),
        N_("provider"),
        N_("date"),
        N_("temperature"),
        N_("prompt"),
        N_("notes"),
    ]
    rows = [
        (
            one.name,
            gettext(kinds[one.kind]),
            one.person or one.model,
            one.provider,
            one.date,
            "" if one.temperature is None else one.temperature,
            one.prompt,
            one.notes,
        )
        for one in found
    ]
    output.table([gettext(head) for head in heads], rows)


def _coverage(project: Project, name: str | None, as_json: bool) -> int:
    """Print how far each system has come. Status 1 when one of them is not ready."""
    if name is not None:
        project.systems.get(name)
    sample = project.samples.current()
    found = [one for one in project.replies.covered() if name in (None, one.system)]
    ready = {one.system: project.replies.ready(one.system) for one in found}
    if as_json:
        rows = [{**output.plain(one), "ready": one.ready} for one in found]
        output.json({"n": 0 if sample is None else sample.n, "coverage": rows, "ready": ready})
    else:
        _show_coverage(found, ready)
    return int(not ready or not all(ready.values()))


def _show_coverage(found: list[Any], ready: dict[str, bool]) -> None:
    from screens.names import flag
    from workbench.words import gettext

    if not found:
        output.say(N_("no system answers yet; `workbench systems PROJECT add NAME` adds one"))
        return
    heads = [
        N_("system"),
        N_("mode"),
        N_("of"),
        N_("complete"),
        N_("absent"),
        N_("flagged"),
        N_("waived"),
        N_("mended"),
        N_("flags"),
    ]
    output.table(
        [gettext(head) for head in heads],
        [
            (
                one.system,
                one.mode,
                one.of,
                one.complete,
                one.missing,
                one.flagged,
                one.waived,
                one.mended,
                ", ".join(f"{flag(code)} {count}" for code, count in one.flags.items()),
            )
            for one in found
        ],
    )
    for name, done in ready.items():
        output.say(N_("{name}: ready for scoring") if done else N_("{name}: not ready for scoring yet"), name=name)


command = systems
