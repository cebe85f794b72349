"""Texts as changes over the raw one: edits, the map between offsets, and the stack of layers.

Raw text never changes. Every later text is a list of edits over the layer below. Edits are *kept* by where they stand in
the raw text (`Anchored`), because a person may take back a lower change at any time: the upper ones are then re-anchored
through the map of what is left, and where the text they were made on is no longer the same they are reported as
conflicts, to be opened again, never applied to something their author did not see.

Offsets are indices into Python strings (code points). Ranges are half-open.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Layer(StrEnum):
    """The layers, from the bottom up. `RAW` has no edits; `TRIMMED` removes messages and edits none."""

    RAW = "raw"
    SCRUBBED = "scrubbed"
    NORMALISED = "normalised"
    TRIMMED = "trimmed"
    EDITED = "edited"


TEXT_LAYERS = (Layer.SCRUBBED, Layer.NORMALISED, Layer.EDITED)


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace `text[start:end]` of the layer below by `replacement`; `rule` says why."""

    start: int
    end: int
    replacement: str
    rule: str

    @property
    def shift(self) -> int:
        """How much longer the text becomes."""
        return len(self.replacement) - (self.end - self.start)


@dataclass(frozen=True, slots=True, order=True)
class Anchored:
    """An edit kept by raw offsets. `below` is the text of the layer below that its author saw in that range."""

    start: int
    end: int
    replacement: str
    rule: str
    below: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """An edit that no longer fits: the text it was made on has changed since."""

    layer: Layer
    edit: Anchored
    found: str


def check_edits(text: str, edits: Sequence[Edit]) -> None:
    """Raise ValueError unless `edits` are inside `text`, sorted and disjoint."""
    last = 0
    for number, edit in enumerate(edits):
        if not 0 <= edit.start <= edit.end <= len(text):
            raise ValueError(f"edit {number} lies outside the text: {edit.start}..{edit.end} of {len(text)}")
        if number and edit.start < last:
            raise ValueError(f"edit {number} overlaps or precedes the one before: {edit.start} < {last}")
        last = edit.end


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """The text above: `text` with sorted, disjoint `edits` applied."""
    check_edits(text, edits)
    parts: list[str] = []
    last = 0
    for edit in edits:
        parts += (text[last : edit.start], edit.replacement)
        last = edit.end
    parts.append(text[last:])
    return "".join(parts)


def reverse_edits(text: str, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Edits that turn `apply_edits(text, edits)` back into `text`."""
    shift = 0
    result = []
    for edit in edits:
        start = edit.start + shift
        result.append(Edit(start, start + len(edit.replacement), text[edit.start : edit.end], edit.rule))
        shift += edit.shift
    return tuple(result)


class OffsetMap:
    """Maps positions between a text and the text above it, both ways.

    Inside an unchanged stretch positions map exactly. A position inside a replaced stretch maps to the whole of what
    stands in its place: its start when asked as a start, its end when asked as an end, so that a mapped range always
    covers what the original range covered.
    """

    __slots__ = ("_above", "_below", "_edits", "_ends_above", "_ends_below")

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = tuple(edits)
        shift = 0
        self._below = [e.start for e in edits]
        self._ends_below = [e.end for e in edits]
        self._above: list[int] = []
        self._ends_above: list[int] = []
        for edit in edits:
            self._above.append(edit.start + shift)
            shift += edit.shift
            self._ends_above.append(edit.end + shift)

    def up(self, start: int, end: int) -> tuple[int, int]:
        """The range of the text above that covers `start..end` of the text below."""
        return self._range(start, end, self._below, self._ends_below, self._above, self._ends_above)

    def down(self, start: int, end: int) -> tuple[int, int]:
        """The range of the text below that covers `start..end` of the text above."""
        return self._range(start, end, self._above, self._ends_above, self._below, self._ends_below)

    @staticmethod
    def _range(
        start: int,
        end: int,
        starts: list[int],
        ends: list[int],
        other_starts: list[int],
        other_ends: list[int],
    ) -> tuple[int, int]:
        first = bisect_right(starts, start) - 1
        if first >= 0 and start < ends[first]:
            new_start = other_starts[first]
        elif first >= 0:
            new_start = start - ends[first] + other_ends[first]
        else:
            new_start = start
        if start == end:
            inside = first >= 0 and starts[first] < start < ends[first]
            return new_start, other_ends[first] if inside else new_start
        last = bisect_right(starts, end - 1) - 1
        if last >= 0 and end <= ends[last]:
            new_end = other_ends[last]
        elif last >= 0:
            new_end = end - ends[last] + other_ends[last]
        else:
            new_end = end
        return new_start, max(new_start, new_end)


def anchor(text: str, edits: Iterable[Edit], base: OffsetMap) -> tuple[Anchored, ...]:
    """Keep `edits`, made on `text` (a layer that stands over raw by `base`), by raw offsets.

    An edit that cuts into a stretch replaced below is widened to the whole of it, its replacement with it, so that its
    raw range is exact.
    """
    # Two edits that cut into one replaced stretch become one: their widened ranges would overlap.
    groups: list[tuple[int, int, list[Edit]]] = []
    for edit in edits:
        start, end = base.up(*base.down(edit.start, edit.end))
        start, end = min(start, edit.start), max(end, edit.end)
        if groups and start < groups[-1][1]:
            first, last, members = groups.pop()
            groups.append((first, max(last, end), [*members, edit]))
        else:
            groups.append((start, end, [edit]))
    result = []
    for start, end, members in groups:
        below = text[start:end]
        inside = [Edit(e.start - start, e.end - start, e.replacement, e.rule) for e in members]
        rule = "+".join(dict.fromkeys(e.rule for e in members))
        result.append(Anchored(*base.down(start, end), apply_edits(below, inside), rule, below))
    return tuple(result)


@dataclass(frozen=True, slots=True)
class Round:
    """One set of edits put on a text: `edits` are in the coordinates of `below`, `text` is what they make of it."""

    layer: Layer
    below: str
    edits: tuple[Edit, ...]
    text: str
    conflicts: tuple[Conflict, ...]


@dataclass(frozen=True, slots=True)
class Stacked:
    """One message through the layers: its text at each, and what no longer fits.

    `maps` holds, for each text layer, the map from raw to that layer's text; `edits` the edits of each layer in the
    coordinates of the layer below it. `rounds` has every set of edits in the order they were put on: of a layer that was
    put on in several, `edits` has the last.
    """

    texts: dict[Layer, str]
    edits: dict[Layer, tuple[Edit, ...]]
    maps: dict[Layer, OffsetMap]
    conflicts: tuple[Conflict, ...]
    rounds: tuple[Round, ...] = ()


def _place(edit: Edit | Anchored) -> tuple[int, int]:
    """Where an edit stands. Two insertions at one place stay in the order they were made in."""
    return edit.start, edit.end


def stack(raw: str, layers: Sequence[tuple[Layer, Sequence[Anchored]]]) -> Stacked:
    """Put the layers of one message on its raw text, lowest first.

    What an upper edit covers of a lower one is subsumed by it. An upper edit applies only where the layer below still
    reads as its author saw it (`Anchored.below`); otherwise it is left out and reported. A layer may come several times
    in a row: each time stands over the one before.
    """
    texts = {Layer.RAW: raw}
    all_edits: dict[Layer, tuple[Edit, ...]] = {}
    maps: dict[Layer, OffsetMap] = {Layer.RAW: OffsetMap(())}
    rounds: list[Round] = []
    merged: list[Edit] = []  # everything so far, in raw offsets, disjoint and sorted
    text = raw
    base = OffsetMap(())
    for layer, anchored in layers:
        edits: list[Edit] = []
        kept: list[Anchored] = []
        conflicts: list[Conflict] = []
        for one in sorted(anchored, key=_place):
            start, end = base.up(one.start, one.end)
            if (
                text[start:end] != one.below
                or base.down(start, end) != (one.start, one.end)
                or (edits and start < edits[-1].end)
            ):
                conflicts.append(Conflict(layer, one, text[start:end]))
            else:
                edits.append(Edit(start, end, one.replacement, one.rule))
                kept.append(one)
        covered = [(k.start, k.end) for k in kept]
        merged = [e for e in merged if not any(s <= e.start and e.end <= t and s < t for s, t in covered)]
        merged = sorted([*merged, *(Edit(k.start, k.end, k.replacement, k.rule) for k in kept)], key=_place)
        below, text = text, apply_edits(text, edits)
        rounds.append(Round(layer, below, tuple(edits), text, tuple(conflicts)))
        base = OffsetMap(merged)
        texts[layer], all_edits[layer], maps[layer] = text, tuple(edits), base
    return Stacked(texts, all_edits, maps, tuple(c for one in rounds for c in one.conflicts), tuple(rounds))
