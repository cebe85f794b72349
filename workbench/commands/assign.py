"""`workbench assign`: work to people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.errors import N_
from workbench import diagnostics, output
from workbench.options import argument, as_option, command, json_option, misused, opened, option, project_argument

if TYPE_CHECKING:
    from collections.abc import Callable

    from curation.work.assigning import Handed
    from db.project import Project

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
    "workbench assign chats.workbench screening --to 小林,阿哲 --rule date --limit 200\n"
    "workbench assign chats.workbench screening --calibration 20\n"
    "workbench assign chats.workbench relabel --share 0.1 --to 小周\n"
    "workbench assign chats.workbench scoring --to 小林,阿哲,小周 --overlap 3 --repeats 0.05 --calibration 10",
    N_(
        "Every candidate that no pair has yet goes to a pair; both of the pair get it. By rule: even, in the order they "
        "came; date, the oldest first; situation, as many of each label the file came with to each pair; dialect, to "
        "pairs that read it. Where there are quotas, labels that are full go last, those still short first; what nobody "
        "has begun of those that are full goes to the end of the lists it lies on. "
        "With --calibration so many dialogues go to every pair, apart from the real work. Relabel: a share of the approved "
        "texts is labelled again, blind, by people who had no say in them; nothing changes by it. "
        "Scoring: of every system that is ready, each pair of replies goes to as many people as the overlap says, blind; "
        "calibration items to everyone, first, and into no figure; a share of each person's items comes again later, hidden."
    ),
)
@project_argument
@argument(
    "work",
    metavar="screening|relabel|scoring",
    type=click.Choice(["screening", "relabel", "scoring"]),
    help=N_("Which work."),
)
@option("--rule", type=click.Choice(_RULES), default="even", help=N_("By what it is shared out."))
@option("--limit", type=click.IntRange(min=1), metavar="N", help=N_("The most dialogues to hand out now."))
@option("--to", metavar="A,B,…", callback=_names, help=N_("Only to the pairs of these people; to all pairs otherwise."))
@option("--overlap", type=click.IntRange(min=1), metavar="N", help=N_("Scoring: people for each item (3)."))
@option("--share", type=click.FloatRange(0, 1, min_open=True), help=N_("Relabel: the share of approved ones."))
@option("--seed", type=int, default=0, help=N_("Relabel: which ones follows from it."))
@option("--repeats", type=click.FloatRange(0, 1), metavar="SHARE", help=N_("Scoring: the share that comes again (0)."))
@option(
    "--calibration",
    type=click.IntRange(min=0),
    metavar="N",
    help=N_("Screening: N more dialogues for every pair. Scoring: N items in all for everyone (0)."),
)
@as_option
@json_option
def assign(
    path: Path,
    work: str,
    rule: str,
    limit: int | None,
    to: list[str] | None,
    share: float | None,
    seed: int,
    by: str,
    as_json: bool,
    **scoring: Any,
) -> int:
    """Hand out what is not handed out yet."""
    if (work == "relabel") != (share is not None) or (work == "relabel" and not to):
        raise misused(N_("relabel takes --share and --to, and --share goes with nothing else"))
    given = {name: value for name, value in scoring.items() if value is not None}
    if work == "scoring":
        if limit is not None:
            raise misused(N_("--limit goes with screening"))
        return _scoring(path, to, by, as_json, given)
    if work == "relabel" and share is not None and to:
        return _round(path, by, as_json, work, lambda project: project.rounds.relabel(by, share, to, seed))
    if given.keys() - {"calibration"}:
        raise misused(N_("--overlap and --repeats go with scoring"))
    if given.get("calibration"):
        return _round(
            path, by, as_json, "calibration", lambda project: project.rounds.calibrate(by, given["calibration"])
        )
    from screens.names import dialect
    from workbench.words import gettext

    with opened(path, by, curator=True) as project:
        done = project.assigning.assign(by, to, rule=rule, limit=limit or 0)
        if as_json:
            output.json({"work": work, "assigned": done.people, "dialogues": done.dialogues, **_more(done)})
        elif any(done.people.values()):
            output.table([gettext(N_("name")), gettext(N_("newly assigned"))], done.people.items())
        elif not done.unread and not done.later:
            output.say(N_("nothing to assign: every candidate has its pair"))
        for tag, count in done.unread.items() if not as_json else ():
            output.say(
                N_("{count} in {dialect} {count:stays|stay} with nobody: no pair reads it"),
                count=count,
                dialect=dialect(tag),
            )
        if done.later and not as_json:
            output.say(N_("at the end of their lists now, since their label is full: {count}"), count=done.later)
    return 0


def _round(path: Path, by: str, as_json: bool, work: str, give: Callable[[Project], dict[str, int]]) -> int:
    """Hand out a round beside the real work."""
    from workbench.words import gettext

    with opened(path, by, curator=True) as project:
        done = give(project)
        if work == "calibration" and not any(done.values()):
            diagnostics.note(
                N_(
                    "nothing new to calibrate by: every dialogue that a pair has and that may be shared goes to all pairs"
                )
            )
        if as_json:
            output.json({"work": work, "assigned": done})
        elif any(done.values()):
            output.table([gettext(N_("name")), gettext(N_("newly assigned"))], done.items())
        elif work != "calibration":
            output.say(N_("nothing to assign for this round"))
    return 0


def _scoring(path: Path, to: list[str] | None, by: str, as_json: bool, plan: dict[str, Any]) -> int:
    """Hand out what is ready. Status 1 when a system had to be left out."""
    from workbench.words import gettext

    with opened(path, by, curator=True) as project:
        before = project.scoring.calibrating()
        done = project.scoring.assign(by, to, **plan)
        there = project.scoring.calibrating()
        out = project.scoring.left_out()
    if as_json:
        rows = [{"system": o.system, "mode": o.mode, "missing": o.missing, "flagged": o.flagged} for o in out]
        talked = {"items": there, "new": there - before}
        output.json({"work": "scoring", "assigned": done, "calibration": talked, "left_out": rows})
    elif any(done.values()):
        output.table([gettext(N_("name")), gettext(N_("newly assigned"))], done.items())
    elif not out:
        output.say(N_("nothing to assign: every item with both replies has its people"))
    if wanted := plan.get("calibration"):
        _tell_calibration(wanted, there, there - before, as_json)
    for one in out:
        diagnostics.note(
            N_("{system} is left out of scoring: in {mode}, missing {missing}, flagged {flagged}"),
            system=one.system,
            mode=one.mode,
            missing=one.missing,
            flagged=one.flagged,
        )
    if out:
        diagnostics.note(
            N_(
                "what is missing comes by `workbench replies PROJECT FILE --system NAME`; what may pass as it is, by"
                " `workbench replies PROJECT --system NAME --waive FLAG,… --reason TEXT`"
            )
        )
    return int(bool(out))


def _tell_calibration(wanted: int, there: int, new: int, as_json: bool) -> None:
    """How many items go to everyone: what was asked for is how many there are in all."""
    if not as_json:
        output.say(N_("items for everyone, to calibrate by: {count} in all, {new} of them new"), count=there, new=new)
    if there < wanted:
        diagnostics.note(
            N_("no more than {count} could be found: items that someone has already are not taken"), count=there
        )


def _more(done: Handed) -> dict[str, object]:
    return {"filled": done.filled, "unread": done.unread, "later": done.later}


command = assign
