"""What a figure rests on: the coincidence table, what was left out and why, and each rater's part in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from curation.statistics.agreement import Agreement, leave_one_out
from curation.statistics.figures import Statistic
from curation.statistics.histogram import Histogram
from curation.statistics.patterns import ratings_of


@dataclass(frozen=True)
class Explanation:
    """The parts of Krippendorff's alpha, and what does not enter it.

    `coincidences[c][k]` is o_ck (Krippendorff 2011): the ordered pairs of `labels` c and k within items, each item's
    weighing 1 / (its ratings - 1); `totals` are its margins n_c. `empty` items have no rating, `single` items one, which
    cannot be compared; `refused` cells or rows could not be read. `without` is alpha without each rater, where there are
    three or more. `undefined` counts resamples without a value, by coefficient.
    """

    labels: tuple[str, ...]
    coincidences: tuple[tuple[float, ...], ...]
    totals: tuple[int, ...]
    paired: int
    empty: int
    single: int
    refused: int
    without: Mapping[str, Statistic]
    undefined: Mapping[str, int]


def coincidence_table(histogram: Histogram) -> list[list[float]]:
    """Krippendorff's o_ck, labels by labels, in the order of the scale."""
    size = len(histogram.scale)
    table = [[0.0] * size for _ in range(size)]
    for row, count in zip(histogram.rows, histogram.counts, strict=True):
        labels = ratings_of(row)
        for n, one in enumerate(labels):
            for m, other in enumerate(labels):
                if n != m:
                    table[one][other] += count / (len(labels) - 1)
    return table


def explanation(histogram: Histogram, report: Agreement, refused: int = 0) -> Explanation:
    """Explain the `report` on `histogram`, from whose source `refused` cells or rows were left out."""
    table = coincidence_table(histogram)
    single = sum(n for row, n in zip(histogram.rows, histogram.counts, strict=True) if len(ratings_of(row)) == 1)
    return Explanation(
        labels=histogram.scale.labels,
        coincidences=tuple(map(tuple, table)),
        totals=tuple(round(sum(line)) for line in table),
        paired=histogram.n_items - single,
        empty=histogram.empty,
        single=single,
        refused=refused,
        without=leave_one_out(histogram) if len(histogram.present) > 2 else {},
        undefined={name: n for name, n in report.undefined.items() if n},
    )
