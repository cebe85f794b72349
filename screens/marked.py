"""Text with marks in it: edits and dialect words told by signs and numbers, laid out in lines and columns.

    你說{1:１２}號         an edit, the first of its dialogue        {*1:１２}   the one in front
    你說{1~１２}號         one that was taken back                   <爪子>      a dialect word

Pure: pieces of text in, rows of runs out. Every piece of a dialogue passes the display boundary here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from rich.cells import cell_len

from curation.work import DialectWord, TextEdit, TextMessage
from screens.display import visible
from screens.lines import fold


class Run(NamedTuple):
    """A stretch of one look: "" plain, `edit`, `here` (the edit in front), `gone` (taken back), `word`, `note`, `gutter`.

    `edit` is the number of the edit it belongs to, 0 for none.
    """

    text: str
    look: str = ""
    edit: int = 0


Row = list[Run]


class Marks(NamedTuple):
    """What is marked in one message: its edits with their numbers, and its dialect words. `here` is the edit in front."""

    edits: Sequence[tuple[int, TextEdit]]
    words: Sequence[DialectWord]
    here: int = 0


def was(message: TextMessage, marks: Marks, *, plain_emoji: bool = False) -> Row:
    """The text as it was, edits and dialect words marked."""
    opens: dict[int, list[Run]] = {}
    closes: dict[int, list[Run]] = {}
    for number, edit in marks.edits:
        look = _look(number, edit, marks.here)
        opens.setdefault(edit.start, []).append(Run(_sign(number, edit, marks.here), look, number))
        closes.setdefault(edit.end, []).append(Run("}", look, number))
    for word in marks.words:
        opens.setdefault(word.start, []).append(Run("<", "word"))
        closes.setdefault(word.end, []).insert(0, Run(">", "word"))
    cuts = sorted({0, len(message.was), *opens, *closes})
    row: Row = []
    edits = dict(marks.edits)
    for at, end in zip_longest(cuts, cuts[1:], fillvalue=len(message.was)):
        row += closes.get(at, [])
        row += opens.get(at, [])
        over = next((n for n, e in edits.items() if e.start <= at < e.end), 0)
        in_word = any(w.start <= at < w.end for w in marks.words)
        look = _look(over, edits[over], marks.here) if over else "word" if in_word else ""
        _add(row, message.was[at:end], look, over, plain_emoji)
    return row


def now(message: TextMessage, marks: Marks, *, plain_emoji: bool = False) -> Row:
    """The text as it is, what edits put in marked; where one was taken back, what stands there again."""
    row: Row = []
    last = 0
    for number, edit in marks.edits:
        look = _look(number, edit, marks.here)
        _add(row, message.was[last : edit.start], "", 0, plain_emoji)
        row.append(Run(_sign(number, edit, marks.here), look, number))
        _add(row, edit.before if edit.why_not else edit.after, look, number, plain_emoji)
        row.append(Run("}", look, number))
        last = edit.end
    _add(row, message.was[last:], "", 0, plain_emoji)
    return row


def _sign(number: int, edit: TextEdit, here: int) -> str:
    return "{" + ("*" if number == here else "") + str(number) + ("~" if edit.why_not else ":")


def _look(number: int, edit: TextEdit, here: int) -> str:
    return "here" if number == here else "gone" if edit.why_not else "edit"


def _add(row: Row, text: str, look: str, edit: int, plain_emoji: bool) -> None:
    shown = visible(text, plain_emoji=plain_emoji)
    if shown:
        row.append(Run(shown, look, edit))


def folded(row: Row, width: int) -> list[Row]:
    """A row as rows of at most `width` cells, at least one; runs are cut where lines end."""
    text = "".join(run.text for run in row)
    lines: list[Row] = []
    waiting = [run for run in row if run.text]
    at = 0
    for line in fold(text, width):
        lines.append(_taken(waiting, len(line)))
        at += len(line)
        if text[at : at + 1] == "\n":
            _taken(waiting, 1)
            at += 1
    return lines


def _taken(waiting: Row, count: int) -> Row:
    """The first `count` characters of the runs, taken off them."""
    taken: Row = []
    while count:
        run = waiting.pop(0)
        taken.append(run._replace(text=run.text[:count]))
        if len(run.text) > count:
            waiting.insert(0, run._replace(text=run.text[count:]))
        count -= len(taken[-1].text)
    return taken


def cells(row: Row) -> int:
    """How many terminal cells a row takes."""
    return sum(cell_len(run.text) for run in row)


def beside(left: Row, right: Row, width: int, between: str) -> list[Row]:
    """Two rows in columns of `width` cells each, the sign `between` them on every line."""
    rows: list[Row] = []
    for one, two in zip_longest(folded(left, width), folded(right, width)):
        gap = " " * max(width - cells(one or []), 0)
        rows.append([*(one or []), Run(gap), Run(between, "gutter"), *(two or [])])
    return rows


def hung(head: str, rows: list[Row]) -> list[Row]:
    """Rows with `head` before the first and as much room before the others."""
    room = " " * cell_len(head)
    return [[Run(head if n == 0 else room, "gutter"), *row] for n, row in enumerate(rows)]


def places(rows: Sequence[Row]) -> Mapping[int, tuple[int, int]]:
    """For each edit the first and last row that show any of it."""
    found: dict[int, tuple[int, int]] = {}
    for at, row in enumerate(rows):
        for run in row:
            if run.edit:
                found[run.edit] = (found.get(run.edit, (at, at))[0], at)
    return found
