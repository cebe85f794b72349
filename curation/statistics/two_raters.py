"""Two raters against each other, as in screening: keep or drop, and the situation where both kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curation.statistics import coefficients
from curation.statistics.agreement import statistics_of
from curation.statistics.coefficients import Coefficient
from curation.statistics.figures import RESAMPLES, SEED, Level, Statistic
from curation.statistics.histogram import MISSING, Row, of_counts
from curation.statistics.scales import Label, label_text, scale_of


@dataclass(frozen=True)
class TwoRaters:
    """Percent agreement, Cohen's kappa, alpha (nominal) and AC1 of two raters, with the table they rest on.

    `confusion[i][j]` counts the items that the first called `labels[i]` and the second `labels[j]`; `n` is their sum.
    """

    percent_agreement: Statistic
    cohen_kappa: Statistic
    alpha_nominal: Statistic
    gwet_ac1: Statistic
    n: int
    labels: tuple[str, ...]
    confusion: tuple[tuple[int, ...], ...]

    @property
    def figures(self) -> dict[str, Statistic]:
        """The coefficients by name."""
        names = ("percent_agreement", "cohen_kappa", "alpha_nominal", "gwet_ac1")
        return {name: getattr(self, name) for name in names}


def two_raters(
    pairs: Iterable[tuple[Label | None, Label | None]],
    *,
    domain: Sequence[Label] | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> TwoRaters:
    """Compare two raters on `pairs` of labels, one for each item; a pair with a None in it is left out.

    `domain` declares the labels, used or not, on which AC1 depends. Raises as `histogram.of_items`.
    """
    return counted(Counter(pairs).items(), domain=domain, resamples=resamples, seed=seed)


def counted(
    counts: Iterable[tuple[tuple[Label | None, Label | None], int]],
    *,
    domain: Sequence[Label] | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> TwoRaters:
    """The same of pairs that are counted already: how many items have which two labels."""
    held: Counter[tuple[str, str]] = Counter()
    for (one, other), count in counts:
        if one is not None and other is not None:
            held[label_text(one), label_text(other)] += count
    scale = scale_of(sorted({label for pair in held for label in pair if label}), Level.NOMINAL, domain)
    rows: Counter[Row] = Counter()
    for pair, count in held.items():
        rows[tuple(scale.place(label) if label else MISSING for label in pair)] += count
    histogram = of_counts(rows, scale, ("first", "second"))
    names = {
        "percent_agreement": coefficients.PERCENT,
        "cohen_kappa": coefficients.COHEN,
        "alpha_nominal": coefficients.ALPHA,
        "gwet_ac1": coefficients.AC1,
    }
    wanted = {key: Coefficient(name) for key, name in names.items()}
    found, _ = statistics_of(histogram, wanted, resamples=resamples, seed=seed)
    size = len(histogram.scale)
    confusion = [[0] * size for _ in range(size)]
    for (left, right), count in zip(histogram.rows, histogram.counts, strict=True):
        confusion[left][right] += count
    return TwoRaters(
        **{name: found[name] for name in names},
        n=histogram.n_items,
        labels=histogram.scale.labels,
        confusion=tuple(map(tuple, confusion)),
    )
