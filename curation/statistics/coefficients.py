"""The coefficients of agreement as functions of how often each distinct row of ratings occurs.

Every one is 1 - observed / expected disagreement. They are computed for many sets of counts at once (`times`, resamples by
rows), so that a point estimate and two thousand resamples of it are the same formula.

Sources: Krippendorff 2011 (alpha), Gwet 2008 and 2014 (AC1, AC2, weights, missing ratings), Fleiss 1971, Conger 1980,
Cohen 1960 and 1968, Scott 1955, Brennan and Prediger 1981. With missing ratings the observed agreement is the mean over
items with two ratings or more, the expected one rests on all ratings, as Gwet has it; alpha rests on pairable ratings
alone; Cohen's kappa and Scott's pi on the items that both rated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from curation.statistics.chance import distant, middle_ranks, weighted
from curation.statistics.figures import Level, Weights
from curation.statistics.histogram import Histogram
from curation.statistics.sums import Linear, chunk_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALPHA = "krippendorff_alpha"
AC1 = "gwet_ac1"
AC2 = "gwet_ac2"
FLEISS = "fleiss_kappa"
CONGER = "conger_kappa"
SCOTT = "scott_pi"
COHEN = "cohen_kappa"
BRENNAN_PREDIGER = "brennan_prediger"
PERCENT = "percent_agreement"
ANY_RATERS = (ALPHA, AC1, AC2, FLEISS, CONGER, BRENNAN_PREDIGER, PERCENT)
TWO_RATERS = (SCOTT, COHEN)
PATTERNS = ("full", "majority", "none")


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One coefficient to compute: its name, the level for alpha, the weights for those that take weights."""

    name: str
    level: Level = Level.NOMINAL
    weights: Weights = Weights.IDENTITY


class Formulas:
    """The coefficients of one histogram, as functions of counts of its rows.

    Methods take `times`, an array of resamples by distinct rows, and return one number for each resample: nan where the
    coefficient is undefined there.
    """

    def __init__(self, histogram: Histogram) -> None:
        self.histogram = histogram
        self.size = len(histogram.scale)

    @cached_property
    def _pairable(self) -> NDArray[np.float64]:
        """1 for the rows with two ratings or more, else 0."""
        import numpy as np

        return (self.histogram.sizes >= 2).astype(np.float64)

    @cached_property
    def _singles(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Every rating: its row, its rater, its label."""
        import numpy as np

        row, rater = np.nonzero(self.histogram.table >= 0)
        return row, rater, self.histogram.table[row, rater]

    @cached_property
    def _pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Every pair of ratings of one row: the row, the lower label, the higher label."""
        import numpy as np

        table = self.histogram.table
        rows, lows, highs = [], [], []
        for g in range(table.shape[1]):
            for h in range(g):
                both = np.nonzero((table[:, g] >= 0) & (table[:, h] >= 0))[0]
                rows.append(both)
                lows.append(np.minimum(table[both, g], table[both, h]))
                highs.append(np.maximum(table[both, g], table[both, h]))
        if not rows:
            nothing = np.zeros(0, dtype=np.intp)
            return nothing, nothing, nothing
        return np.concatenate(rows), np.concatenate(lows), np.concatenate(highs)

    @cached_property
    def _margins(self) -> Linear:
        """How often each label occurs among the pairable ratings: Krippendorff's n_c."""
        row, _, label = self._singles
        keep = self._pairable[row] > 0
        return Linear(row[keep], label[keep], self._pairable[row[keep]], self.size)

    @cached_property
    def _shares(self) -> Linear:
        """The sum over items of each label's share of the item's ratings."""
        row, _, label = self._singles
        return Linear(row, label, 1.0 / self.histogram.sizes[row], self.size)

    @cached_property
    def _by_rater(self) -> Linear:
        """How often each rater who rated anything gave each label, raters one after the other."""
        import numpy as np

        row, rater, label = self._singles
        place = np.full(len(self.histogram.raters), -1, dtype=np.intp)
        place[list(self.histogram.present)] = np.arange(len(self.histogram.present))
        return Linear(row, place[rater] * self.size + label, np.ones(len(row)), self.size * len(self.histogram.present))

    @cached_property
    def _coincidences(self) -> tuple[NDArray[np.intp], NDArray[np.intp], Linear]:
        """The pairs of different labels that occur within an item, and Krippendorff's o_ck of each."""
        import numpy as np

        row, low, high = self._pairs
        apart = low != high
        row, low, high = row[apart], low[apart], high[apart]
        kinds, column = np.unique(low * max(self.size, 1) + high, return_inverse=True)
        linear = Linear(row, column, 1.0 / (self.histogram.sizes[row] - 1), len(kinds))
        return kinds // max(self.size, 1), kinds % max(self.size, 1), linear

    def _within(self, apart: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each row the sum over its pairs of `apart` (one number a pair) times `scale` (one number a row)."""
        import numpy as np

        rows = len(self.histogram.rows)
        summed: NDArray[np.float64] = np.bincount(self._pairs[0], weights=apart, minlength=rows) * scale
        return summed

    def chunk(self) -> int:
        """How many resamples to ask for at once so that memory stays bounded."""
        widest = max(len(self.histogram.rows), self.size * max(len(self.histogram.present), 1))
        return chunk_of(widest)

    def value(self, wanted: Coefficient, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """The coefficient `wanted` for each of the resamples `times`."""
        import numpy as np

        observed, expected, varied = self._parts(wanted, times)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = observed / expected
        result: NDArray[np.float64] = np.where(varied & np.isfinite(observed), 1.0 - ratio, np.nan)
        return result

    def _parts(
        self, wanted: Coefficient, times: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
        """Observed disagreement (nan without pairs), expected disagreement, and whether the latter is above nought."""
        import numpy as np

        if wanted.name == ALPHA:
            return self._alpha(wanted.level, times)
        if wanted.name in TWO_RATERS:
            return self._two(wanted, times)
        weights = Weights.IDENTITY if wanted.name in (AC1, PERCENT) else wanted.weights
        observed = self._observed(weights, times)
        always = np.ones(len(times), dtype=np.bool_)
        if wanted.name == PERCENT:
            return observed, np.ones(len(times)), always
        if self.size < 2:  # with one possible label nobody can disagree
            return observed, np.zeros(len(times)), ~always
        if wanted.name == CONGER:
            return observed, *self._conger(weights, times)
        scale, once = self.histogram.scale, np.ones((1, self.size))
        apart = float(weighted(scale, weights, once, once)[0])  # over all pairs of labels
        if wanted.name == BRENNAN_PREDIGER:
            return observed, np.full(len(times), apart / self.size**2), always
        shares = self._shares(times)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = shares / times.sum(axis=1, keepdims=True)
        if wanted.name == FLEISS:
            return observed, weighted(scale, weights, shares, shares), (shares > 0).sum(axis=1) > 1
        agreeing = (self.size**2 - apart) * (shares * (1.0 - shares)).sum(axis=1)
        return observed, 1.0 - agreeing / (self.size * (self.size - 1)), always

    def _observed(self, weights: Weights, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean over items with pairs of the mean disagreement within them."""
        import numpy as np

        sizes = self.histogram.sizes.astype(np.float64)
        apart = self.histogram.scale.disagreement(weights, self._pairs[1], self._pairs[2])
        within = self._within(apart, 2.0 / np.maximum(sizes * (sizes - 1), 1.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            mean: NDArray[np.float64] = (times @ within) / (times @ self._pairable)
        return mean

    def _alpha(
        self, level: Level, times: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
        """Krippendorff 2011: alpha = 1 - (n - 1) sum o_ck d_ck / sum n_c n_k d_ck over c < k."""
        import numpy as np

        margins = self._margins(times)
        total = margins.sum(axis=1)
        observed: NDArray[np.float64]
        if level is Level.ORDINAL:
            low, high, coincidences = self._coincidences
            ranks, found = middle_ranks(margins), coincidences(times)
            observed = (found * np.square(ranks[:, low] - ranks[:, high])).sum(axis=1)
        else:
            apart = self.histogram.scale.distances(level, self._pairs[1], self._pairs[2])
            observed = times @ self._within(apart, 1.0 / np.maximum(self.histogram.sizes - 1.0, 1.0))
        expected = distant(self.histogram.scale, level, margins) / 2.0
        observed = np.where(total > 1, observed * (total - 1), np.nan)
        return observed, expected, (margins > 0).sum(axis=1) > 1

    def _conger(self, weights: Weights, times: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Expected disagreement of two different raters drawn at random (Conger 1980; Gwet 2014 for missing ratings)."""
        import numpy as np

        raters = len(self.histogram.present)
        if raters < 2:
            return np.full(len(times), np.nan), np.zeros(len(times), dtype=np.bool_)
        given = self._by_rater(times).reshape(len(times), raters, self.size)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = given / given.sum(axis=2, keepdims=True)  # a rater without a rating makes it nan: undefined
        scale, together = self.histogram.scale, shares.sum(axis=1)
        alone = weighted(scale, weights, shares, shares).sum(axis=1)
        expected = (weighted(scale, weights, together, together) - alone) / (raters * (raters - 1))
        return expected, (given.sum(axis=1) > 0).sum(axis=1) > 1

    def _two(
        self, wanted: Coefficient, times: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
        """Cohen 1960 and Scott 1955 for the two raters there are, on the items that both rated."""
        import numpy as np

        first, second = self._two_raters()
        table = self.histogram.table
        both = np.nonzero((table[:, first] >= 0) & (table[:, second] >= 0))[0]
        one, other = table[both, first], table[both, second]
        apart = self.histogram.scale.disagreement(wanted.weights, one, other)
        ones = np.ones(len(both))
        left, right = Linear(both, one, ones, self.size)(times), Linear(both, other, ones, self.size)(times)
        scale = self.histogram.scale
        with np.errstate(divide="ignore", invalid="ignore"):
            n = left.sum(axis=1)
            observed = (times[:, both] @ apart) / n
            if wanted.name == COHEN:
                expected = weighted(scale, wanted.weights, left, right) / np.square(n)
            else:
                expected = weighted(scale, wanted.weights, left + right, left + right) / np.square(2.0 * n)
        return observed, expected, ((left + right) > 0).sum(axis=1) > 1

    def _two_raters(self) -> Sequence[int]:
        present = self.histogram.present
        if len(present) == 2:
            return present
        if len(self.histogram.raters) == 2:
            return (0, 1)
        raise ValueError("Cohen's kappa and Scott's pi compare two raters")
