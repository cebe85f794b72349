"""Rows of the quota board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from curation.forecast import Line


@dataclass(frozen=True)
class Board:
    """The board. `hinted` counts undecided candidates by the label their file gave them.

    `screened` dialogues were answered by both, `waiting` are candidates still; `seconds` is the median of a decision, over
    `timed` of them.
    """

    lines: tuple[Line, ...]
    hinted: Mapping[str, int]
    screened: int
    waiting: int
    seconds: float | None
    timed: int

    @property
    def candidates(self) -> tuple[int, int | None] | None:
        """How many more candidates the hungriest situation will take: the likely number and the most; None: unknown."""
        open_ = [line for line in self.lines if line.need]
        if any(line.candidates is None for line in open_):
            return None
        if not open_:
            return 0, 0
        most = [line.most for line in open_]
        known = [m for m in most if m is not None]
        return max(line.candidates or 0 for line in open_), max(known) if len(known) == len(most) else None

    @property
    def hours(self) -> tuple[float, float | None] | None:
        """The same in hours of work, two people a candidate."""
        found = self.candidates
        if found is None or self.seconds is None:
            return None
        likely, most = found
        rate = 2 * self.seconds / 3600
        return likely * rate, None if most is None else most * rate
