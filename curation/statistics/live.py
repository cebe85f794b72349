"""Agreement that follows every keystroke: adding, changing or removing one rating costs the same however many there are.

What every coefficient rests on are a few whole numbers: how many items have m ratings, how often each label occurs on them,
how often each pair of labels does, and what each rater gave. A rating that changes withdraws its item's old row from these
and enters the new one. Whole numbers do not drift, so the figures equal a recomputation after any number of changes, and
taking a change back is the opposite change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cached_property

from curation.statistics import coefficients, patterns
from curation.statistics.figures import Level, Statistic, Status, Weights
from curation.statistics.histogram import MISSING, Histogram, Row, of_counts
from curation.statistics.scales import Label, Scale

_Steps = tuple[tuple[int, int], ...]


class Live:
    """The ratings of `raters` on any number of items, on a `scale` that is fixed from the start (declare the domain).

    Figures have no interval; `histogram` gives what `agreement.of_histogram` needs for one.
    """

    def __init__(self, raters: Sequence[str], scale: Scale) -> None:
        self.raters = tuple(raters)
        self.scale = scale
        self._place = {rater: place for place, rater in enumerate(self.raters)}
        self._blank: Row = (MISSING,) * len(self.raters)
        self._rows: dict[Hashable, Row] = {}
        self._counts: Counter[Row] = Counter()
        self._steps: dict[Row, _Steps] = {}
        # The slots of one list: for each m a block of 4 + q + q² numbers (items, patterns, labels, pairs of labels), then
        # for each rater the labels, then, for two raters, the first's label by the second's.
        q, most = len(scale), len(self.raters)
        self._block = 4 + q + q * q
        self._rater_at = (most + 1) * self._block
        self._both_at = self._rater_at + most * q
        self._sums = [0] * (self._both_at + (q * q if most == 2 else 0))

    def rate(self, item: Hashable, rater: str, label: Label) -> None:
        """Enter the rating of `item` by `rater`, in place of an earlier one. Raises BadInput, KeyError for no rater."""
        self._put(item, self._place[rater], self.scale.place(label))

    def remove(self, item: Hashable, rater: str) -> None:
        """Take the rating of `item` by `rater` back, if there is one."""
        self._put(item, self._place[rater], MISSING)

    def histogram(self) -> Histogram:
        """The ratings as they stand."""
        return of_counts(Counter(self._counts), self.scale, self.raters)

    def _put(self, item: Hashable, rater: int, place: int) -> None:
        old = self._rows.get(item, self._blank)
        if old[rater] == place:
            return
        new = (*old[:rater], place, *old[rater + 1 :])
        sums, steps = self._sums, self._steps
        for slot, amount in steps[old] if old in steps else self._steps_of(old):
            sums[slot] -= amount
        for slot, amount in steps[new] if new in steps else self._steps_of(new):
            sums[slot] += amount
        if old != self._blank:
            self._counts[old] -= 1
            if not self._counts[old]:
                del self._counts[old]
        if new == self._blank:  # an item without a rating is no item
            del self._rows[item]
        else:
            self._rows[item] = new
            self._counts[new] += 1

    def _steps_of(self, row: Row) -> _Steps:
        """What one item with this row adds to which slots."""
        q = len(self.scale)
        labels = [place for place in row if place >= 0]
        start = len(labels) * self._block
        found: Counter[int] = Counter()
        if labels:
            found[start] += 1
            found[start + 1 + patterns.kind(labels)] += 1
        for n, one in enumerate(labels):
            found[start + 4 + one] += 1
            for other in labels[:n]:
                found[start + 4 + q + min(one, other) * q + max(one, other)] += 1
        for rater, place in enumerate(row):
            if place >= 0:
                found[self._rater_at + rater * q + place] += 1
        if len(row) == 2 == len(labels):
            found[self._both_at + row[0] * q + row[1]] += 1
        if len(self._steps) > 100_000:  # many raters: rows hardly repeat
            self._steps.clear()
        steps = self._steps[row] = tuple(found.items())
        return steps

    @property
    def _sizes(self) -> list[tuple[int, int, int]]:
        """(m, how many items have m ratings, where the block of m begins), where there are any."""
        block, sums = self._block, self._sums
        return [(m, n, m * block) for m in range(1, len(self.raters) + 1) if (n := sums[m * block])]

    def alpha(self, level: Level | None = None) -> Statistic:
        """Krippendorff's alpha, at the scale's level unless another is given."""
        level = level or self.scale.level
        q, sums = len(self.scale), self._sums
        margins = [0] * q
        together = [0.0] * (q * q)
        items = 0
        for m, n, start in self._sizes:
            if m < 2:
                continue
            items += n
            for c in range(q):
                margins[c] += sums[start + 4 + c]
            pairs = start + 4 + q
            for c in range(q):
                for k in range(c * q + c + 1, (c + 1) * q):
                    together[k] += sums[pairs + k] / (m - 1)
        total = sum(margins)
        if not items:
            return Statistic(None, Status.NO_PAIRS)
        used = [c for c in range(q) if margins[c]]
        apart = self._ordinal(margins) if level is Level.ORDINAL else self._distances[level]
        observed = expected = 0.0
        for n, c in enumerate(used):
            for k in used[n + 1 :]:
                observed += together[c * q + k] * apart[c * q + k]
                expected += margins[c] * margins[k] * apart[c * q + k]
        if not expected:
            return Statistic(None, Status.NO_VARIATION, None, None, items, total)
        return Statistic(1.0 - (total - 1) * observed / expected, Status.OK, None, None, items, total)

    def _ordinal(self, margins: Sequence[int]) -> list[float]:
        ranks, below = [], 0
        for n in margins:
            ranks.append(below + n / 2)
            below += n
        return [(one - other) ** 2 for one in ranks for other in ranks]

    @cached_property
    def _distances(self) -> dict[Level, list[float]]:
        import numpy as np

        at = np.arange(len(self.scale))
        levels = (Level.NOMINAL, Level.INTERVAL, Level.RATIO)
        return {one: self.scale.distances(one, at[:, None], at[None, :]).ravel().tolist() for one in levels}

    @cached_property
    def _weighted(self) -> dict[Weights, list[float]]:
        import numpy as np

        at = np.arange(len(self.scale))
        return {one: self.scale.disagreement(one, at[:, None], at[None, :]).ravel().tolist() for one in Weights}

    def figures(self, weights: Weights | None = None) -> dict[str, Statistic]:
        """Every coefficient and pattern by name, as `agreement.of_histogram` has them."""
        kappa = weights or Weights.IDENTITY
        ac2 = weights or self.scale.default_ac2()
        q = len(self.scale)
        items = total = everything = 0
        shares = [0.0] * q
        for m, n, start in self._sizes:
            everything += n
            if m >= 2:
                items, total = items + n, total + n * m
            for c in range(q):
                shares[c] += self._sums[start + 4 + c] / m
        shares = [share / everything for share in shares] if everything else shares
        varied = sum(share > 0 for share in shares) > 1
        plain, weighted = self._observed(Weights.IDENTITY, items), self._observed(kappa, items)

        def stat(observed: float, expected: float, defined: bool) -> Statistic:
            if not items:
                return Statistic(None, Status.NO_PAIRS)
            if not defined:
                return Statistic(None, Status.NO_VARIATION, None, None, items, total)
            return Statistic(1.0 - observed / expected, Status.OK, None, None, items, total)

        apart = self._weighted[kappa]
        found = {
            coefficients.ALPHA: self.alpha(),
            coefficients.AC1: stat(plain, self._gwet(shares, Weights.IDENTITY), q > 1),
            coefficients.AC2: stat(self._observed(ac2, items), self._gwet(shares, ac2), q > 1),
            coefficients.FLEISS: stat(weighted, _expected(shares, shares, apart), varied),
            coefficients.CONGER: stat(weighted, *self._conger(apart)),
            coefficients.BRENNAN_PREDIGER: stat(weighted, sum(apart) / (q * q) if q else 0.0, q > 1),
            coefficients.PERCENT: stat(plain, 1.0, True),
        }
        return {**found, **self._two(apart), **self._patterns()}

    def _observed(self, weights: Weights, items: int) -> float:
        """The mean over items with pairs of the mean disagreement within them."""
        q, apart, observed = len(self.scale), self._weighted[weights], 0.0
        for m, _, start in self._sizes:
            if m >= 2:
                pairs = start + 4 + q
                unlike = sum(self._sums[pairs + k] * apart[k] for k in range(q * q) if self._sums[pairs + k])
                observed += 2.0 * unlike / (m * (m - 1))
        return observed / items if items else 0.0

    def _gwet(self, shares: Sequence[float], weights: Weights) -> float:
        q = len(shares)
        if q < 2:
            return 0.0
        agreeing = q * q - sum(self._weighted[weights])
        return 1.0 - agreeing * sum(share * (1.0 - share) for share in shares) / (q * (q - 1))

    def _conger(self, apart: Sequence[float]) -> tuple[float, bool]:
        q = len(self.scale)
        given = [self._sums[self._rater_at + g * q : self._rater_at + (g + 1) * q] for g in range(len(self.raters))]
        given = [labels for labels in given if any(labels)]
        if len(given) < 2 or sum(map(any, zip(*given, strict=True))) < 2:
            return 0.0, False
        shares = [[n / sum(labels) for n in labels] for labels in given]
        together = [sum(column) for column in zip(*shares, strict=True)]
        alone = sum(_expected(one, one, apart) for one in shares)
        return (_expected(together, together, apart) - alone) / (len(given) * (len(given) - 1)), True

    def _two(self, apart: Sequence[float]) -> dict[str, Statistic]:
        """Cohen's kappa and Scott's pi, where there are two raters."""
        if len(self.raters) != 2:
            return {}
        q = len(self.scale)
        table = self._sums[self._both_at :]
        n = sum(table)
        names = (coefficients.COHEN, coefficients.SCOTT)
        if not n:
            return dict.fromkeys(names, Statistic(None, Status.NO_PAIRS))
        left = [sum(table[c * q : (c + 1) * q]) / n for c in range(q)]
        right = [sum(table[c::q]) / n for c in range(q)]
        middle = [(one + other) / 2 for one, other in zip(left, right, strict=True)]
        if sum(share > 0 for share in middle) < 2:
            return dict.fromkeys(names, Statistic(None, Status.NO_VARIATION, None, None, n, 2 * n))
        observed = sum(count * one for count, one in zip(table, apart, strict=True)) / n
        expected = (_expected(left, right, apart), _expected(middle, middle, apart))
        return {
            name: Statistic(1.0 - observed / one, Status.OK, None, None, n, 2 * n)
            for name, one in zip(names, expected, strict=True)
        }

    def _patterns(self) -> dict[str, Statistic]:
        most, n, start = max(self._sizes, default=(0, 0, 0))
        if most < 2:
            return dict.fromkeys(patterns.NAMES, Statistic(None, Status.NO_PAIRS))
        return {
            name: Statistic(self._sums[start + 1 + place] / n, Status.OK, None, None, n, n * most)
            for place, name in enumerate(patterns.NAMES)
        }


def _expected(one: Sequence[float], other: Sequence[float], apart: Sequence[float]) -> float:
    q = len(one)
    return sum(one[c] * other[k] * apart[c * q + k] for c in range(q) for k in range(q))
