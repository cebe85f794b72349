"""How unanimous the raters of an item are: all the same, a majority, or neither; and what chance alone would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

from curation.statistics.figures import Statistic
from curation.statistics.histogram import Histogram, Row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAMES = ("full", "majority", "none")


@dataclass(frozen=True, slots=True)
class Patterns:
    """Shares of the items whose raters all agree, of which more than half (not all) do, and of the rest.

    Only items with `raters` ratings enter, the most that any item has; `left_out` counts those with fewer. `uniform` and
    `marginal` are the shares (full, majority, none) that independent raters would give who pick labels equally often,
    or as often as these did; None where no item enters.
    """

    full: Statistic
    majority: Statistic
    none: Statistic
    raters: int
    left_out: int
    uniform: tuple[float, float, float] | None
    marginal: tuple[float, float, float] | None


def kind(labels: Sequence[int]) -> int:
    """0 when all `labels` are the same, 1 when more than half are, else 2."""
    most = Counter(labels).most_common(1)[0][1]
    return 0 if most == len(labels) else 1 if 2 * most > len(labels) else 2


def by_chance(shares: Sequence[float], raters: int) -> tuple[float, float, float]:
    """The chances of full, majority and none when `raters` pick independently, label c with probability `shares[c]`.

    Majorities of different labels exclude each other, so their chances, each binomial, add up.
    """
    full = sum(share**raters for share in shares)
    majority = sum(
        comb(raters, k) * share**k * (1.0 - share) ** (raters - k)
        for share in shares
        for k in range(raters // 2 + 1, raters)
    )
    return full, majority, max(0.0, 1.0 - full - majority)


def ratings_of(row: Row) -> tuple[int, ...]:
    """The labels of a row, without the missing ones."""
    return tuple(place for place in row if place >= 0)


def most_ratings(histogram: Histogram) -> int:
    """The largest number of ratings that an item has."""
    return max((len(ratings_of(row)) for row in histogram.rows), default=0)


def kinds_of(histogram: Histogram) -> NDArray[np.intp]:
    """For each row 0, 1 or 2 as `kind`, -1 for rows with fewer ratings than the most."""
    import numpy as np

    most = most_ratings(histogram)
    kinds = [kind(labels) if len(labels := ratings_of(row)) == most else -1 for row in histogram.rows]
    return np.asarray(kinds, dtype=np.intp)


def marginal_shares(histogram: Histogram) -> tuple[float, ...]:
    """How often each label of the scale was given on the items that enter."""
    most = most_ratings(histogram)
    given = [0] * len(histogram.scale)
    for row, count in zip(histogram.rows, histogram.counts, strict=True):
        if len(labels := ratings_of(row)) == most:
            for label in labels:
                given[label] += count
    return tuple(count / sum(given) for count in given)
