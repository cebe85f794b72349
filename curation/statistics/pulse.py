"""Three figures that follow every key: alpha, percent agreement and AC1, at a cost that does not grow with the items.

`live.Live` keeps what every coefficient rests on. Here only what these three do, added up over the items as a handful of
whole numbers, so that a change and all three figures after it take microseconds.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import lcm
from typing import NamedTuple

from curation.statistics.figures import Level, Statistic, Status
from curation.statistics.histogram import MISSING, Row
from curation.statistics.scales import Label, Scale

_Change = tuple[tuple[int, int], ...]


class Beat(NamedTuple):
    """The three figures as they stand; without intervals."""

    alpha: Statistic
    percent: Statistic
    ac1: Statistic


class Pulse:
    """Ratings of `raters` on any number of items, on a `scale` fixed from the start; alpha at ordinal level."""

    def __init__(self, raters: Sequence[str], scale: Scale) -> None:
        if scale.level is not Level.ORDINAL:
            raise ValueError("the pulse is taken at ordinal level")
        self.raters = tuple(raters)
        self.scale = scale
        self._place = {rater: place for place, rater in enumerate(self.raters)}
        self._label: dict[Label, int] = {label: scale.place(label) for label in scale.labels} | {
            int(value): place for place, value in enumerate(scale.values) if scale.numeric and value == int(value)
        }
        self._blank: Row = (MISSING,) * len(self.raters)
        self._rows: dict[Hashable, Row] = {}
        self._changes: dict[tuple[Row, Row], _Change] = {}
        self._vectors: dict[Row, tuple[int, ...]] = {}
        most = max(len(self.raters), 2)
        # Everything is kept in whole numbers: a third of an item is two of six.
        self._pair_unit = lcm(*range(1, most))
        self._mean_unit = lcm(*(m * (m - 1) for m in range(2, most + 1)))
        self._share_unit = lcm(*range(1, most + 1))
        q = len(scale)
        self._pairs = [(c, k) for c in range(q) for k in range(c + 1, q)]
        # Slots: items with a pair, their ratings, items, unlike pairs; labels among pairable; shares; pairs of labels.
        self._margins, self._shares, self._together = 4, 4 + q, 4 + 2 * q
        self._sums = [0] * (4 + 2 * q + len(self._pairs))

    def rate(self, item: Hashable, rater: str, label: Label) -> None:
        """Enter the rating of `item` by `rater`, in place of an earlier one. Raises BadInput, KeyError for no rater."""
        place = self._label.get(label)
        self._put(item, self._place[rater], self.scale.place(label) if place is None else place)

    def remove(self, item: Hashable, rater: str) -> None:
        """Take the rating of `item` by `rater` back, if there is one."""
        self._put(item, self._place[rater], MISSING)

    def rows(self) -> dict[Hashable, Row]:
        """The places of the labels given, by item, in the order of `raters`; -1 where there is none."""
        return dict(self._rows)

    def mixed_up(self) -> dict[tuple[int, int], float]:
        """How often two labels (their places) were given to one item, each item's pairs weighing 1 / (ratings - 1)."""
        return {pair: self._sums[self._together + n] / self._pair_unit for n, pair in enumerate(self._pairs)}

    def _put(self, item: Hashable, rater: int, place: int) -> None:
        old = self._rows.get(item, self._blank)
        if old[rater] == place:
            return
        new = (*old[:rater], place, *old[rater + 1 :])
        change = self._changes.get((old, new))
        if change is None:
            change = self._change(old, new)
        sums = self._sums
        for slot, amount in change:
            sums[slot] += amount
        if new == self._blank:  # an item without a rating is no item
            del self._rows[item]
        else:
            self._rows[item] = new

    def _change(self, old: Row, new: Row) -> _Change:
        if len(self._changes) > 100_000:  # many raters: rows hardly repeat
            self._changes.clear()
            self._vectors.clear()
        before, after = self._vector(old), self._vector(new)
        change = tuple((n, b - a) for n, (a, b) in enumerate(zip(before, after, strict=True)) if a != b)
        self._changes[old, new] = change
        return change

    def _vector(self, row: Row) -> tuple[int, ...]:
        """What one item with this row adds to each slot."""
        if row in self._vectors:
            return self._vectors[row]
        labels = [place for place in row if place >= 0]
        m = len(labels)
        vector = [0] * len(self._sums)
        if m:
            vector[2] = 1
            for label in labels:
                vector[self._shares + label] += self._share_unit // m
        if m >= 2:
            vector[0], vector[1] = 1, m
            given = [labels.count(c) for c in range(len(self.scale))]
            for c, n in enumerate(given):
                vector[self._margins + c] = n
            for n, (c, k) in enumerate(self._pairs):
                pairs = given[c] * given[k]
                vector[self._together + n] = pairs * (self._pair_unit // (m - 1))
                vector[3] += 2 * pairs * (self._mean_unit // (m * (m - 1)))
        self._vectors[row] = tuple(vector)
        return self._vectors[row]

    def values(self) -> tuple[float | None, float | None, float | None]:
        """Alpha, percent agreement and AC1 as plain numbers, None where undefined: what is read after every key."""
        sums = self._sums
        items, total, rated, unlike = sums[0], sums[1], sums[2], sums[3]
        if not items:
            return None, None, None
        ranks, below = [], 0
        margins = sums[self._margins : self._shares]
        for n in margins:  # twice the middle rank of each label
            ranks.append(2 * below + n)
            below += n
        observed = expected = 0
        slot = self._together
        for c, k in self._pairs:
            apart = (ranks[c] - ranks[k]) ** 2
            observed += sums[slot] * apart
            expected += margins[c] * margins[k] * apart
            slot += 1
        alpha = 1.0 - (total - 1) * observed / (self._pair_unit * expected) if expected else None
        apart_share = unlike / (items * self._mean_unit)
        q = len(margins)
        if q < 2:
            return alpha, 1.0 - apart_share, None
        whole = self._share_unit * rated
        chance = whole * whole - sum([n * n for n in sums[self._shares : self._together]])
        ac1 = 1.0 - apart_share / (1.0 - chance / (whole * whole * (q - 1)))
        return alpha, 1.0 - apart_share, ac1

    def read(self) -> Beat:
        """The three figures with their n: `agreement` has the same from the same ratings."""
        items, total = self._sums[0], self._sums[1]
        why = Status.NO_VARIATION if items else Status.NO_PAIRS
        return Beat(
            *(
                Statistic(value, why if value is None else Status.OK, None, None, items, total)
                for value in self.values()
            )
        )
