"""`workbench assign`: work to people."""

from __future__ import annotations

from pathlib import Path

import click

from curation.errors import N_
from workbench import output
from workbench.options import argument, as_option, command, json_option, misused, opened, option, project_argument


def _names(_: click.Context, __: click.Parameter, value: str | None) -> list[str] | None:
    if value is None:
        return None
    names = [name.strip() for name in value.replace("，", ",").split(",")]
    if not all(names):
        raise misused(N_("--to takes names with commas between them"))
    return names


@command(
    "assign",
    "workbench assign chats.workbench screening --to 小林,阿哲",
    N_("Every candidate that no pair has yet goes to a pair, evenly; both of the pair get it."),
)
@project_argument
@argument("work", metavar="screening", type=click.Choice(["screening"]), help=N_("Which work."))
@option("--to", metavar="A,B,…", callback=_names, help=N_("Only to the pairs of these people; to all pairs otherwise."))
@as_option
@json_option
def assign(path: Path, work: str, to: list[str] | None, by: str, as_json: bool) -> int:
    """Hand out what is not handed out yet."""
    from workbench.words import gettext

    with opened(path, by, curator=True) as project:
        given = project.screening.assign(by, to)
        if as_json:
            output.json({"work": work, "assigned": given})
        elif given:
            output.table([gettext(N_("name")), gettext(N_("newly assigned"))], given.items())
        else:
            output.say(N_("nothing to assign: every candidate has its pair"))
    return 0


command = assign
