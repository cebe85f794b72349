"""Agreement of several raters on the same items: every coefficient, with its interval, its n and its reason.

>>> agreement([("yes", "yes"), ("no", "no"), ("no", "yes")]).figures["percent_agreement"].n_items
3
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from curation.errors import N_, RefusedStep, UsageError
from curation.statistics import coefficients, krippendorff_engine, patterns
from curation.statistics.bootstrap import draws, percentile_interval
from curation.statistics.coefficients import Coefficient, Formulas
from curation.statistics.figures import RESAMPLES, SEED, Level, Statistic, Status, Weights
from curation.statistics.histogram import Histogram, of_items
from curation.statistics.scales import Label
from curation.statistics.tests import wilson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Agreement:
    """The figures of one table of ratings.

    `figures` go by the coefficients' names. `engine` is the package, with its version, whose alpha was found equal, or
    None where it was not asked. `undefined` counts, by name, the resamples (of `resamples`) that had no value and were
    left out of the interval. `ac2_weights` are those of AC2, `weights` those of the kappas, pi and Brennan-Prediger.
    """

    figures: Mapping[str, Statistic]
    patterns: patterns.Patterns
    level: Level
    weights: Weights
    ac2_weights: Weights
    domain: tuple[str, ...]
    raters: tuple[str, ...]
    n_items: int
    engine: str | None
    resamples: int
    seed: int
    undefined: Mapping[str, int]


def agreement(
    items: Iterable[Sequence[Label | None]],
    *,
    level: Level = Level.NOMINAL,
    domain: Sequence[Label] | None = None,
    weights: Weights | None = None,
    raters: Sequence[str] | None = None,
    clusters: Iterable[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Agreement:
    """The figures of `items`: for each item the labels of all raters in the same order, None where missing.

    `clusters` names what each item belongs to (a dialogue, when items are its replies): intervals then draw clusters.
    With `resamples` 0 there are no intervals. Raises as `histogram.of_items` and `of_histogram`.
    """
    held = of_items(items, level=level, domain=domain, raters=raters, clusters=clusters)
    return of_histogram(held, weights=weights, resamples=resamples, seed=seed)


def of_histogram(
    histogram: Histogram, *, weights: Weights | None = None, resamples: int = RESAMPLES, seed: int = SEED
) -> Agreement:
    """The figures of ratings counted already.

    Cohen's kappa and Scott's pi are there for two raters alone. Raises UsageError when `weights` need an order that the
    labels do not have, ArithmeticError when the engine of the reports computes another alpha.
    """
    level, scale = histogram.scale.level, histogram.scale
    if weights not in (None, Weights.IDENTITY) and not scale.numeric and not scale.declared and len(scale):
        raise UsageError(N_("weights need labels in order: give them with --domain, lowest first"), "no_order")
    ac2 = weights if weights is not None else scale.default_ac2()
    kappa = weights if weights is not None else Weights.IDENTITY
    names = [*coefficients.ANY_RATERS]
    if len(histogram.raters) == 2 or len(histogram.present) == 2:
        names += coefficients.TWO_RATERS
    wanted = {n: Coefficient(n, level, ac2 if n == coefficients.AC2 else kappa) for n in names}
    found, undefined = statistics_of(histogram, wanted, resamples=resamples, seed=seed)
    split = {name: found.pop(name) for name in patterns.NAMES}
    return Agreement(
        figures=found,
        patterns=_patterns(histogram, split),
        level=level,
        weights=kappa,
        ac2_weights=ac2,
        domain=scale.labels,
        raters=histogram.raters,
        n_items=histogram.n_items + histogram.empty,
        engine=confirmed(histogram, found[coefficients.ALPHA], level),
        resamples=resamples,
        seed=seed,
        undefined=undefined,
    )


def statistics_of(
    histogram: Histogram,
    wanted: Mapping[str, Coefficient],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[dict[str, Statistic], dict[str, int]]:
    """The coefficients `wanted`, under their keys, and the three patterns; and how many resamples of each had no value.

    All are computed on the same resamples, but for the shares of patterns among items that are not clustered: these have
    Wilson's interval. Where every resample comes out the same (a single item, perfect agreement), resampling cannot tell
    how sure the value is, and there is no interval.
    """
    import numpy as np

    formulas = Formulas(histogram)
    if not histogram.rows:
        return {name: Statistic(None, Status.NO_PAIRS) for name in (*wanted, *patterns.NAMES)}, {}
    kinds = patterns.kinds_of(histogram)

    def every(times: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        values = {name: formulas.value(one, times) for name, one in wanted.items()}
        entering = times @ (kinds >= 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            for place, name in enumerate(patterns.NAMES):
                values[name] = (times @ (kinds == place)) / entering
        return values

    point = {name: float(values[0]) for name, values in every(np.asarray([histogram.counts], dtype=np.float64)).items()}
    drawn: dict[str, list[NDArray[np.float64]]] = {name: [] for name in point}
    if resamples:
        for times in draws(histogram, resamples, seed, formulas.chunk()):
            for name, values in every(times).items():
                drawn[name].append(values)
    statistics, undefined = {}, {}
    for name, value in point.items():
        n_items, n_ratings = _basis(histogram, name, kinds)
        low = high = None
        status = Status.NO_PAIRS if n_items == 0 else Status.OK if np.isfinite(value) else Status.NO_VARIATION
        if resamples and status is Status.OK:
            low, high, undefined[name] = percentile_interval(np.concatenate(drawn[name]))
            if name in patterns.NAMES and histogram.clusters is None:
                # A share of items has an interval of its own, which does not shrink to nothing at none and at all.
                (low, high), undefined[name] = wilson(round(value * n_items), n_items), 0
            elif low == high:
                low = high = None
        statistics[name] = Statistic(value if status is Status.OK else None, status, low, high, n_items, n_ratings)
    return statistics, undefined


def _paired(row: Sequence[int]) -> bool:
    return len(row) - row.count(-1) >= 2


def _basis(histogram: Histogram, name: str, kinds: NDArray[np.intp]) -> tuple[int, int]:
    """The items a figure rests on, and their ratings."""
    items = ratings = 0
    most = patterns.most_ratings(histogram)
    both = histogram.present if len(histogram.present) == 2 else (0, 1)
    for place, (row, count) in enumerate(zip(histogram.rows, histogram.counts, strict=True)):
        if name in patterns.NAMES:
            enters = most >= 2 and kinds[place] >= 0
        elif name in coefficients.TWO_RATERS:
            enters = all(row[g] >= 0 for g in both)
        else:
            enters = _paired(row)
        if enters:
            items += count
            ratings += count * len(patterns.ratings_of(row))
    return items, ratings


def _patterns(histogram: Histogram, split: Mapping[str, Statistic]) -> patterns.Patterns:
    most, entering = patterns.most_ratings(histogram), split["full"].n_items
    size = len(histogram.scale)
    return patterns.Patterns(
        **{name: split[name] for name in patterns.NAMES},
        raters=most,
        left_out=histogram.n_items - entering,
        uniform=patterns.by_chance([1.0 / size] * size, most) if entering else None,
        marginal=patterns.by_chance(patterns.marginal_shares(histogram), most) if entering else None,
    )


def confirmed(histogram: Histogram, alpha: Statistic, level: Level) -> str | None:
    """The engine, with its version, that computes the same `alpha`; None where the table is too large for it.

    Raises ArithmeticError when it computes another: then neither is to be believed.
    """
    try:
        value, status = krippendorff_engine.alpha(histogram, level)
    except RefusedStep:
        return None
    same = status is alpha.status and (
        value is None or alpha.value is None or abs(value - alpha.value) <= krippendorff_engine.AGREES_TO
    )
    if not same:
        raise ArithmeticError(f"alpha is {alpha.value} here and {value} by {krippendorff_engine.NAME}")
    return f"{krippendorff_engine.NAME} {krippendorff_engine.version()}"


def alphas(
    histogram: Histogram, levels: Iterable[Level], *, resamples: int = RESAMPLES, seed: int = SEED
) -> dict[Level, Statistic]:
    """Alpha at several levels of the same ratings, on the same resamples."""
    wanted = {str(level): Coefficient(coefficients.ALPHA, level) for level in levels}
    found, _ = statistics_of(histogram, wanted, resamples=resamples, seed=seed)
    return {Level(name): found[name] for name in wanted}


def leave_one_out(
    histogram: Histogram, *, resamples: int = 0, seed: int = SEED, level: Level | None = None
) -> dict[str, Statistic]:
    """For each rater who rated anything, alpha of the others (at the scale's level unless another is given).

    A rater whose absence raises alpha much is the one who judges differently.
    """
    wanted = {coefficients.ALPHA: Coefficient(coefficients.ALPHA, level or histogram.scale.level)}
    left: dict[str, Statistic] = {}
    for rater in histogram.present:
        others = histogram.only([g for g in range(len(histogram.raters)) if g != rater])
        left[histogram.raters[rater]] = statistics_of(others, wanted, resamples=resamples, seed=seed)[0][
            coefficients.ALPHA
        ]
    return left


def figures_of(report: Agreement) -> dict[str, Any]:
    """The report as the commands print it: coefficients by name, then the patterns with their baselines, then the terms."""
    split = report.patterns
    return {
        **report.figures,
        "patterns": {
            **{name: getattr(split, name) for name in patterns.NAMES},
            "raters": split.raters,
            "left_out": split.left_out,
            "uniform": _named(split.uniform),
            "marginal": _named(split.marginal),
        },
        "level": report.level,
        "weights": report.weights,
        "ac2_weights": report.ac2_weights,
        "domain": report.domain,
        "raters": report.raters,
        "n_items": report.n_items,
        "engine": report.engine,
        "interval": {
            "method": "bootstrap over items (patterns: Wilson)",
            "resamples": report.resamples,
            "seed": report.seed,
        },
    }


def _named(shares: tuple[float, float, float] | None) -> dict[str, float] | None:
    return None if shares is None else dict(zip(patterns.NAMES, shares, strict=True))
