"""What a statistic is: a number with its interval and its n, or the reason why there is none.

No figure is ever `nan`, and a 1 that only says "nobody ever disagreed because there was nothing to disagree about" is
not given as 1: it is undefined, with the status `no_variation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SEED = 312
"""The seed of every resampling that is given none: the same data give the same intervals."""
RESAMPLES = 2_000
"""Resamples of a bootstrap over items."""
CONFIDENCE = 0.95
"""The coverage that intervals aim at."""


class Level(StrEnum):
    """The level of measurement of a variable (Stevens 1946), which decides how far apart two labels are."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"


class Weights(StrEnum):
    """How much a disagreement weighs in the kappas, in pi, in Brennan-Prediger and in AC2 (Gwet 2014, chapter 3)."""

    IDENTITY = "identity"
    LINEAR = "linear"
    QUADRATIC = "quadratic"
    ORDINAL = "ordinal"


class Status(StrEnum):
    """Whether a statistic is defined, and if not, why.

    `no_pairs`: no item has two ratings. `no_variation`: the chance of disagreement is nought (all ratings are the same),
    so nothing can be said about agreement beyond it.
    """

    OK = "ok"
    NO_PAIRS = "no_pairs"
    NO_VARIATION = "no_variation"


@dataclass(frozen=True, slots=True)
class Statistic:
    """One figure.

    `value` is None exactly when `status` is not ok. `low` and `high` bound the interval (None where none was asked for,
    or where resampling cannot tell: all resamples the same, or most of them undefined). `n_items` counts the items that can be
    compared (two ratings or more; for the patterns, all of them), `n_ratings` the ratings on those items.
    """

    value: float | None
    status: Status
    low: float | None = None
    high: float | None = None
    n_items: int = 0
    n_ratings: int = 0

    def __post_init__(self) -> None:
        if (self.value is None) == (self.status is Status.OK) or self.value != self.value:
            raise ValueError(f"a statistic of status {self.status} cannot have the value {self.value}")
