"""`workbench assign`: work to people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.errors import N_
from workbench import output
from workbench.options import argument, as_option, command, json_option, misused, opened, option, project_argument

if TYPE_CHECKING:
    from curation.work.assigning import Handed

_RULES = ("even", "situation", "dialect", "date")


def _names(_: click.Context, __: click.Parameter, value: str | None) -> list[str] | None:
    if value is None:
        return None
    names = [name.strip() for name in value.replace("，", ",").split(",")]
    if not all(names):
        raise misused(N_("--to takes names with commas between them"))
    return names


@command(
    "assign",
    "workbench assign chats.workbench screening --to 小林,阿哲 --rule date --limit 200",
    N_(
        "Every candidate that no pair has yet goes to a pair; both of the pair get it. By rule: even, in the order they "
        "came; date, the oldest first; situation, as many of each label the file came with to each pair; dialect, to "
        "pairs that read it. Where there are quotas, labels that are full go last, those still short first."
    ),
)
@project_argument
@argument("work", metavar="screening", type=click.Choice(["screening"]), help=N_("Which work."))
@option("--rule", type=click.Choice(_RULES), default="even", help=N_("By what it is shared out."))
@option("--limit", type=click.IntRange(min=1), metavar="N", help=N_("The most dialogues to hand out now."))
@option("--to", metavar="A,B,…", callback=_names, help=N_("Only to the pairs of these people; to all pairs otherwise."))
@as_option
@json_option
def assign(path: Path, work: str, rule: str, limit: int | None, to: list[str] | None, by: str, as_json: bool) -> int:
    """Hand out what is not handed out yet."""
    from screens.names import dialect
    from workbench.words import gettext

    with opened(path, by, curator=True) as project:
        done = project.assigning.assign(by, to, rule=rule, limit=limit or 0)
        if as_json:
            output.json({"work": work, "assigned": done.people, "dialogues": done.dialogues, **_more(done)})
        elif any(done.people.values()):
            output.table([gettext(N_("name")), gettext(N_("newly assigned"))], done.people.items())
        elif not done.unread:
            output.say(N_("nothing to assign: every candidate has its pair"))
        for tag, count in done.unread.items() if not as_json else ():
            output.say(N_("{count} in {dialect} stay with nobody: no pair reads it"), count=count, dialect=dialect(tag))
    return 0


def _more(done: Handed) -> dict[str, object]:
    return {"filled": done.filled, "unread": done.unread}


command = assign
