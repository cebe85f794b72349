"""Ratings as a histogram: the distinct rows of ratings, and how many items have each.

A row is a tuple with the place of one label on the scale for each rater, -1 where there is none. With few labels and raters
there are few distinct rows however many items there are (three raters of three labels: at most 63), and every coefficient,
and every resample of it, is a function of their counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from curation.statistics.figures import Level
from curation.statistics.scales import Label, Scale, label_text, scale_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MISSING = -1
Row = tuple[int, ...]


@dataclass(frozen=True)
class Histogram:
    """Distinct rows of ratings, sorted, with their counts; rows without a rating are not among them.

    `raters` are as many as a row is long. `clusters`, where items belong together (the replies to one dialogue), are the
    distinct bundles of rows that are drawn together, each as ((index of row, times), …), and how often each occurs.
    """

    scale: Scale
    raters: tuple[str, ...]
    rows: tuple[Row, ...]
    counts: tuple[int, ...]
    empty: int = 0
    clusters: tuple[tuple[tuple[tuple[int, int], ...], int], ...] | None = None

    @property
    def n_items(self) -> int:
        """Items with a rating."""
        return sum(self.counts)

    @cached_property
    def table(self) -> NDArray[np.intp]:
        """The rows as an array, distinct rows by raters."""
        import numpy as np

        return np.asarray(self.rows, dtype=np.intp).reshape(len(self.rows), len(self.raters))

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """How many ratings each row has, 1 to the number of raters."""
        import numpy as np

        sizes: NDArray[np.intp] = np.asarray((self.table >= 0).sum(axis=1), dtype=np.intp)
        return sizes

    @property
    def present(self) -> tuple[int, ...]:
        """The raters, by index, who rated anything."""
        return tuple(g for g in range(len(self.raters)) if any(row[g] >= 0 for row in self.rows))

    def only(self, raters: Sequence[int]) -> Histogram:
        """The same items with the ratings of `raters` (indices) alone. Items that lose every rating are gone."""
        counts: Counter[Row] = Counter()
        for row, count in zip(self.rows, self.counts, strict=True):
            counts[tuple(row[g] for g in raters)] += count
        names = tuple(self.raters[g] for g in raters)
        if self.clusters is None:
            return of_counts(counts, self.scale, names)
        bundles: Counter[tuple[tuple[Row, int], ...]] = Counter()
        for bundle, times in self.clusters:
            inner: Counter[Row] = Counter()
            for index, n in bundle:
                inner[tuple(self.rows[index][g] for g in raters)] += n
            bundles[tuple(sorted(inner.items()))] += times
        return of_counts(counts, self.scale, names, bundles)


def of_counts(
    counts: Counter[Row],
    scale: Scale,
    raters: Sequence[str],
    bundles: Counter[tuple[tuple[Row, int], ...]] | None = None,
) -> Histogram:
    """The histogram of rows already counted; `bundles` are the rows of each cluster, counted likewise."""
    rows = tuple(sorted(row for row, count in counts.items() if count > 0 and max(row, default=MISSING) >= 0))
    empty = sum(count for row, count in counts.items() if max(row, default=MISSING) < 0)
    clusters = None
    if bundles is not None:
        index = {row: i for i, row in enumerate(rows)}
        found: Counter[tuple[tuple[int, int], ...]] = Counter()
        for bundle, times in bundles.items():
            inner = tuple(sorted((index[row], n) for row, n in bundle if row in index))
            if inner:
                found[inner] += times
        clusters = tuple(sorted(found.items()))
    return Histogram(scale, tuple(raters), rows, tuple(counts[row] for row in rows), empty, clusters)


def of_items(
    items: Iterable[Sequence[Label | None]],
    *,
    level: Level = Level.NOMINAL,
    domain: Sequence[Label] | None = None,
    raters: Sequence[str] | None = None,
    clusters: Iterable[Hashable] | None = None,
) -> Histogram:
    """The histogram of `items`: for each item the labels of all raters, in the same order, None or "" where missing.

    `domain` declares the labels; without it they are those that occur. `clusters` names, for each item, what it belongs
    to. Raises BadInput for a label that has no place on the scale, UsageError as `scale_of`, ValueError when an item
    has another number of raters than the first.
    """
    held = [tuple(label_text(label) for label in item) for item in items]
    width = len(raters) if raters is not None else len(held[0]) if held else 0
    if any(len(item) != width for item in held):
        raise ValueError(f"every item needs one label, or None, for each of {width} raters")
    names = tuple(raters) if raters is not None else tuple(str(n) for n in range(1, width + 1))
    distinct = {label for item in held for label in item if label}
    scale = scale_of(sorted(distinct), level, domain)
    places = {label: scale.place(label) for label in distinct}
    places[""] = MISSING
    rows = [tuple(places[label] for label in item) for item in held]
    if clusters is None:
        return of_counts(Counter(rows), scale, names)
    together: dict[Hashable, Counter[Row]] = {}
    for key, row in zip(clusters, rows, strict=True):
        together.setdefault(key, Counter())[row] += 1
    bundles = Counter(tuple(sorted(inner.items())) for inner in together.values())
    return of_counts(Counter(rows), scale, names, bundles)
