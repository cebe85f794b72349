"""How much work a quota will still take, at the yield so far, and how unsure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from curation.statistics.tests import wilson


@dataclass(frozen=True)
class Gained:
    """What there is to go by: dialogues answered by both, how many stand with each situation, seconds a decision, and
    candidates that wait."""

    screened: int
    kept: Mapping[str, int]
    seconds: float | None
    waiting: int


@dataclass(frozen=True)
class Line:
    """One situation. `need` is what the quota lacks (0 without one).

    `rate` is the share of screened dialogues that end with it, `low` and `high` its 95 % interval (Wilson). `candidates`
    is how many more to screen at that rate, `least` and `most` at the ends of the interval; None where nothing was found
    to go by. `disputed` ones may still come to it.
    """

    situation: str
    have: int
    target: int | None
    need: int
    disputed: int
    rate: float | None
    low: float | None
    high: float | None
    candidates: int | None
    least: int | None
    most: int | None

    @property
    def full(self) -> bool:
        """Has a quota, and it is reached."""
        return self.target is not None and not self.need


def forecast(situation: str, target: int | None, gained: Gained, disputed: int = 0) -> Line:
    """The line of one situation.

    The yield is taken as it is: candidates ahead are thought to be like those behind. Where they are handed out by label,
    the rare ones first, that overstates what is left to do afterwards; the interval says nothing of that.
    """
    have = gained.kept.get(situation, 0)
    need = max((target or 0) - have, 0)
    rate = low = high = None
    candidates = least = most = None
    if gained.screened:
        found = min(have, gained.screened)
        rate = found / gained.screened
        low, high = wilson(found, gained.screened)
        candidates = ceil(need / rate) if rate else None
        least = ceil(need / high) if high else None
        most = ceil(need / low) if low > 1e-9 else None
    if not need:
        candidates = least = most = 0
    return Line(situation, have, target, need, disputed, rate, low, high, candidates, least, most)
