"""`workbench reopen`: have decided anew what was decided under an older taxonomy or guideline."""

from __future__ import annotations

from pathlib import Path

from curation.errors import N_
from workbench import output
from workbench.options import as_option, command, json_option, opened, option, project_argument


@command(
    "reopen",
    "workbench reopen chats.workbench\nworkbench reopen chats.workbench --under 2025.1",
    N_("Both decide anew. What they decided first is kept, and agreement goes on being computed from it."),
)
@project_argument
@option(
    "--under",
    metavar="VERSION",
    default=None,
    help=N_("Only what was decided under this version; without it, under any but today's."),
)
@as_option
@json_option
def reopen(path: Path, under: str | None, by: str, as_json: bool) -> int:
    """Open it again."""
    with opened(path, by, curator=True) as project:
        count = project.screening.reopen(by, under)
    if as_json:
        output.json({"reopened": count})
    else:
        output.say(N_("opened again: {count} {count:dialogue|dialogues}"), count=count)
    return 0


command = reopen
