"""The score sheet laid out: what is scored, each with its score before it. Pure: lines of the sheet in, rows of runs out.

    >[10] Motivation  she wants to be taken seriously      the line whose turn it is
     [ 0] Cause       it rains                             0 is a score
     [__] Emotion     glad, a little hurt                  nothing was given yet

Every text of a dialogue or a reply passes the display boundary here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from screens.display import visible
from screens.lines import fitted
from screens.marked import Row, Run, beside, folded

LABEL_ROOM = 16
EMPTY = "[__]"


@dataclass(frozen=True, slots=True)
class Scored:
    """One line of the sheet. `label` and `mark` are words of the program, `text` is what is scored, `box` its score as
    `box_of` has it. `here`: it is its turn. `beside`: it may stand next to the one after it where there is room."""

    label: str
    text: str
    box: str
    here: bool = False
    mark: str = ""
    beside: bool = False


def box_of(score: int | str | None) -> str:
    """A score, or the side of a reply, as the sheet shows it; an empty one looks like no number."""
    return EMPTY if score is None or score == "" else f"[{score:>2}]"


def laid_out(lines: Sequence[Scored], width: int, *, plain_emoji: bool = False, wide: bool = False) -> list[Row]:
    """The sheet in `width` cells. Where it is `wide`, two lines that may stand side by side do."""
    room = min(max((cell_len(one.label) for one in lines), default=0), LABEL_ROOM)
    rows: list[Row] = []
    at = 0
    while at < len(lines):
        pair = lines[at : at + 2]
        if wide and len(pair) == 2 and all(one.beside for one in pair):
            rows += _beside(pair, width, at + 1, plain_emoji)
            at += 2
        else:
            rows += _below(lines[at], width, at + 1, room, plain_emoji)
            at += 1
    return rows


def _head(one: Scored, number: int, room: int) -> Row:
    lead = Run(">" if one.here else " ", "gutter", number)
    return [lead, Run(f"{one.box} {fitted(one.label, room)}", "here" if one.here else "gutter", number)]


def _below(one: Scored, width: int, number: int, room: int, plain_emoji: bool) -> list[Row]:
    head = [*_head(one, number, room), Run("  ")]
    indent = sum(cell_len(run.text) for run in head)
    body = [Run(visible(one.text, plain_emoji=plain_emoji), "", number)]
    if one.mark:
        body.append(Run(f"  {one.mark}", "edit", number))
    lines = folded(body, max(width - indent, 10))
    return [[*head, *lines[0]], *([Run(" " * indent, "", number), *line] for line in lines[1:])]


def _beside(pair: Sequence[Scored], width: int, first: int, plain_emoji: bool) -> list[Row]:
    half = max((width - 3) // 2, 12)
    heads, texts = [], []
    for number, one in enumerate(pair, first):
        mark = [Run(f"  {one.mark}", "edit", number)] if one.mark else []
        heads.append([*_head(one, number, cell_len(one.label)), *mark])
        texts.append([Run(visible(one.text, plain_emoji=plain_emoji), "", number)])
    rows = beside(heads[0], heads[1], half, " │ ")
    return rows + [[Run("  "), *row] for row in beside(texts[0], texts[1], half - 2, " │   ")]
