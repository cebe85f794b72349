"""`workbench quota`: how many of each situation are wanted, how many there are, and the work that the rest will take."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from curation.errors import N_
from workbench import output
from workbench.figures import number
from workbench.options import argument, as_option, command, json_option, misused, opened, project_argument

if TYPE_CHECKING:
    from curation.work.quotas import Board


@command(
    "quota",
    "workbench quota chats.workbench irony=30 value_test=30",
    N_(
        "NAME=NUMBER sets a quota, NAME=none takes it away; without one it prints the board. `assign` hands out what is "
        "short first, by the labels that files came with, and what is full last; it also puts what is full at the end of the "
        "lists that people have. Nothing is taken from a list."
    ),
)
@project_argument
@argument("targets", metavar="[NAME=NUMBER…]", nargs=-1, help=N_("A situation, by id or name, and how many of it."))
@as_option
@json_option
def quota(path: Path, targets: tuple[str, ...], by: str, as_json: bool) -> int:
    """Set what is named, then print the board."""
    wanted = dict(_parsed(one) for one in targets)
    with opened(path, by, curator=True) as project:
        if wanted:
            project.quotas.set(by, wanted)
        board = project.quotas.board()
        if as_json:
            output.json(
                {
                    "situations": {line.situation: line for line in board.lines},
                    "hinted": board.hinted,
                    "screened": board.screened,
                    "waiting": board.waiting,
                    "seconds": board.seconds,
                    "timed": board.timed,
                    "candidates": board.candidates,
                    "hours": board.hours,
                }
            )
        else:
            _show(board)
    return 0


def _parsed(text: str) -> tuple[str, int | None]:
    name, equals, value = text.partition("=")
    if not equals or not (value == "none" or (value.isascii() and value.isdigit())):
        raise misused(N_("say NAME=NUMBER or NAME=none, not {text}"), text=text)
    return name, None if value == "none" else int(value)


def _show(board: Board) -> None:
    from workbench.labels import situation
    from workbench.words import gettext

    heads = [N_("situation"), N_("have"), N_("quota"), N_("need"), N_("disputed"), N_("labelled"), N_("yield %")]
    heads += [N_("candidates"), N_("least"), N_("most")]
    output.table(
        [gettext(head) for head in heads],
        [
            (
                situation(line.situation),
                line.have,
                "" if line.target is None else line.target,
                (gettext(N_("full")) if line.full else line.need) if line.target is not None else "",
                line.disputed or "",
                board.hinted.get(line.situation, ""),
                number(None if line.rate is None else line.rate * 100, 1),
                *(
                    ("", "", "")
                    if line.target is None
                    else ("?" if n is None else n for n in (line.candidates, line.least, line.most))
                ),
            )
            for line in board.lines
        ],
    )
    output.line()
    tell_forecast(board)


def tell_forecast(board: Board) -> None:
    """The work that is left, in sentences."""
    output.say(
        N_(
            "by {screened} {screened:dialogue|dialogues} answered by both; {waiting} {waiting:candidate waits|candidates wait}"
        ),
        screened=board.screened,
        waiting=board.waiting,
    )
    if not any(line.target is not None for line in board.lines):
        output.say(N_("no quotas are set; `workbench quota PROJECT irony=30` sets one"))
        return
    found = board.candidates
    if found is None:
        output.say(N_("how much more it takes cannot be told: of some wanted situation none was found yet"))
        return
    likely, most = found
    output.say(
        N_("candidates still to screen at this yield: {likely} (at most {most})"),
        likely=likely,
        most="?" if most is None else most,
    )
    hours = board.hours
    if hours is not None:
        output.say(
            N_("hours of work, two people each: {likely} (at most {most}), at {seconds} s a decision"),
            likely=f"{hours[0]:.1f}",
            most="?" if hours[1] is None else f"{hours[1]:.1f}",
            seconds=f"{board.seconds:.0f}",
        )
    else:
        output.say(N_("how long a decision takes is not known: none was timed"))
    if likely > board.waiting:
        output.say(N_("there are fewer candidates than that: more have to be imported"))


command = quota
