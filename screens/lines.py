"""Folding text to a width in cells, with the rules of Chinese typesetting for where a line may begin and end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from rich.cells import cell_len, set_cell_size, split_graphemes

NEVER_FIRST = frozenset("，。、；：？！）】》〉」』〕〗｝”’…—～·％℃‰,.;:?!)]}>%ー々")
NEVER_LAST = frozenset("（【《〈「『〔〖｛“‘([{<￥＄$#@")
_TOGETHER = frozenset("…—")


CUT = "…"


def fitted(text: str, width: int) -> str:
    """`text` in exactly `width` cells; where it is too long for them, a sign at its end says so."""
    if cell_len(text) > width > 0:
        text = set_cell_size(text, width - 1).rstrip() + CUT
    return set_cell_size(text, width)


def named(name: str, width: int) -> str:
    """A name in exactly `width` cells; where it is too long, the sign stands in its middle, since names differ at the end."""
    if cell_len(name) > width > 4:
        end = name
        while cell_len(end) > (width - 1) // 2:
            end = end[1:]
        name = set_cell_size(name, width - 1 - cell_len(end)).rstrip() + CUT + end
    return fitted(name, width)


def at_most(lines: Sequence[str], room: int, sign: str = CUT) -> list[str]:
    """`lines`, as many as there is room for; where some are left out, `sign` stands in the last one."""
    return [*lines] if len(lines) <= room else [*lines[: max(room - 1, 0)], sign]


def packed(parts: Iterable[str], width: int, gap: str = "  ") -> list[str]:
    """`parts` side by side on lines of at most `width` cells, each whole on one line; one wider than `width` is cut."""
    lines: list[str] = []
    for part in parts:
        if lines and cell_len(lines[-1]) + len(gap) + cell_len(part) <= width:
            lines[-1] += gap + part
        else:
            lines.append(part if cell_len(part) <= width else fitted(part, width))
    return lines


def fold(text: str, width: int) -> list[str]:
    """`text` as lines of at most `width` cells, at least one line. Joined, paragraph by paragraph, they are the text.

    No line begins with closing punctuation or ends with an opening mark, and Latin words and numbers stay whole, as far
    as `width` allows. A character wider than `width` gets a line of its own.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        if paragraph.isascii() and len(paragraph) <= width:
            lines.append(paragraph)
        else:
            lines.extend(_fold(paragraph, max(width, 1)))
    return lines


@lru_cache(4096)
def _fold(paragraph: str, width: int) -> tuple[str, ...]:
    if cell_len(paragraph) <= width:
        return (paragraph,)
    pieces = [(paragraph[start:end], cells) for start, end, cells in split_graphemes(paragraph)[0]]
    lines: list[str] = []
    first = at = used = 0
    while at < len(pieces):
        cells = pieces[at][1]
        if used + cells > width and at > first:
            at = _break_before(pieces, first, at)
            lines.append("".join(piece for piece, _ in pieces[first:at]))
            first, used = at, 0
            continue
        used += cells
        at += 1
    lines.append("".join(piece for piece, _ in pieces[first:]))
    return tuple(lines)


def _break_before(pieces: list[tuple[str, int]], first: int, over: int) -> int:
    """Where to break so that the line fits: the last allowed place, or `over` when there is none."""
    for at in range(over, first, -1):
        if _may_break(pieces[at - 1][0], pieces[at][0]):
            return at
    return over


def _may_break(before: str, after: str) -> bool:
    if after[0] in NEVER_FIRST or before[0] in NEVER_LAST:
        return False
    if before == after and before in _TOGETHER:
        return False
    if before.isspace():
        return True
    return not (_in_word(before) and _in_word(after)) and not after.isspace()


def _in_word(piece: str) -> bool:
    return piece.isascii() and not piece.isspace()
