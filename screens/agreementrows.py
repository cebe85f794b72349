"""Rows of the lead's view: lists of dialogues, and the confusion matrix, of which as many columns are shown as fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from curation.taxonomy import taxonomy
from screens.desk import name_of
from screens.lines import fitted
from screens.locale import _

CELL = 4  # cells of a column
NAME = 20  # cells of a row's name, where there is room


@dataclass
class Row:
    """A row: its text, the dialogue behind it; in the matrix its name and its counts."""

    text: str
    uid: str = ""
    name: str = ""
    counts: Sequence[int] = field(default_factory=tuple)


def window(width: int, count: int, column: int) -> tuple[int, range]:
    """Cells for the names, and which of `count` columns there is room for, `column` among them."""
    name = max(min(NAME, width - CELL * count), 8)
    room = max((width - name) // CELL, 1)
    first = max(min(column - room + 1, count - room), 0)
    return name, range(first, min(first + room, count))


def matrix_heads(labels: Sequence[str], width: int, column: int) -> str:
    """The line above the matrix."""
    name, columns = window(width, len(labels), column)
    return "  " + fitted(_("A ↓   B →"), name) + "".join(f"{code(labels[n]):>{CELL}}" for n in columns)


def painted(row: Row, width: int, count: int, column: int, *, here: bool) -> list[tuple[str, bool]]:
    """A row in pieces; in the matrix the cell under the cursor stands between brackets and is marked."""
    if not row.counts:
        return [(row.text, False)]
    name, columns = window(width, count, column)
    pieces = [(fitted(row.text, name), False)]
    for n in columns:
        text = str(row.counts[n] or "·")
        mark = here and n == column
        pieces.append(((f"[{text}]" if mark else text).rjust(CELL), mark))
    return pieces


def code(label: str) -> str:
    """A label as a column's head: the two digits by which it is chosen."""
    return next((f"{s.family.number}{s.place}" for s in taxonomy().situations if s.id == label), label[:3] or "--")


def label_words(label: str) -> str:
    """A label as a row's name, after its digits."""
    return f"{code(label)} {said(label)}"


def said(label: str) -> str:
    """A label in words."""
    return name_of(label) if label else _("drop")
