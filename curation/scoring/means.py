"""Means of scores: over an item's annotators, then over a system's items; plain, balanced, and by prevalence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curation.scoring.grid import Grid, mean_of
from curation.scoring.judgements import COMPOSITES, Setting
from curation.statistics.figures import CONFIDENCE, RESAMPLES, SEED, Statistic, Status
from curation.work.scoring import DIMENSIONS, SCORES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

ROWS = (*DIMENSIONS, *COMPOSITES)


@dataclass(frozen=True)
class Mean:
    """The mean of one dimension of one system.

    `plain` is over its items, each the mean of its annotators, with an interval by drawing dialogues again (speakers,
    where these are known). `balanced` gives every situation the same weight, `prevalence` the weight it has in the
    project. `shares` says how often 0, 5 and 10 were given (of a composite there are none).
    """

    plain: Statistic
    balanced: float | None
    prevalence: float | None
    shares: Mapping[int, float]


def clusters_of(dialogues: Sequence[str], settings: Mapping[str, Setting]) -> list[str]:
    """What is drawn together when dialogues are drawn again: those of one speaker where that is known, else each alone."""
    return [
        f"speaker {settings[uid].speaker}" if uid in settings and settings[uid].speaker else uid for uid in dialogues
    ]


def weights_of(clusters: Sequence[str], resamples: int = RESAMPLES, seed: int = SEED) -> Floats:
    """How often each dialogue is drawn: resamples x dialogues. A function of clusters and seed alone."""
    import numpy as np

    names, index = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(len(names), np.full(len(names), 1.0 / max(len(names), 1)), size=resamples)
    times: Floats = drawn[:, index].astype(np.float64)
    return times


def bounds(values: Floats) -> tuple[float | None, float | None]:
    """The percentile interval of resampled values; none when more than half are undefined or all are the same."""
    import numpy as np

    held = values[np.isfinite(values)]
    if len(held) * 2 < len(values) or not len(held):
        return None, None
    low, high = np.quantile(held, [(1.0 - CONFIDENCE) / 2.0, (1.0 + CONFIDENCE) / 2.0])
    return (float(low), float(high)) if low < high else (None, None)


def drawn_mean(items: Floats, times: Floats) -> Floats:
    """The mean of `items` (nan: not there) in each of the resamples `times`."""
    import numpy as np

    there = np.isfinite(items)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean: Floats = (times @ np.where(there, items, 0.0)) / (times @ there.astype(np.float64))
    return mean


def means(
    held: Grid,
    settings: Mapping[str, Setting],
    prevalence: Mapping[str, float] | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[str, dict[str, Mean]]:
    """System -> dimension or composite -> mean. `prevalence` is the share of each situation in the project."""
    import numpy as np

    times = weights_of(clusters_of(held.dialogues, settings), resamples, seed) if held.dialogues else None
    found: dict[str, dict[str, Mean]] = {name: {} for name in held.systems}
    for dimension in ROWS:
        ratings, items = held.ratings(dimension), held.items(dimension)
        drawn = drawn_mean(items, times) if times is not None and resamples else None
        for column, system in enumerate(held.systems):
            given = ratings[:, column, :]
            count = int(np.isfinite(items[:, column]).sum())
            low, high = bounds(drawn[:, column]) if drawn is not None and count > 1 else (None, None)
            value = float(mean_of(items[:, column])) if count else None
            status = Status.NO_PAIRS if value is None else Status.OK
            n = int(np.isfinite(given).sum())
            of_situation = _by_situation(held, items[:, column], settings)
            found[system][dimension] = Mean(
                Statistic(value, status, low, high, count, n),
                _even(of_situation),
                _weighted(of_situation, prevalence or {}),
                {score: float((given == score).sum() / n) for score in SCORES} if n and dimension in DIMENSIONS else {},
            )
    return found


def _by_situation(held: Grid, items: Floats, settings: Mapping[str, Setting]) -> dict[str, float]:
    import numpy as np

    groups: dict[str, list[float]] = {}
    for uid, value in zip(held.dialogues, items, strict=True):
        if np.isfinite(value) and uid in settings and settings[uid].situation:
            groups.setdefault(settings[uid].situation, []).append(float(value))
    return {name: sum(values) / len(values) for name, values in groups.items()}


def _even(of_situation: Mapping[str, float]) -> float | None:
    return sum(of_situation.values()) / len(of_situation) if of_situation else None


def _weighted(of_situation: Mapping[str, float], prevalence: Mapping[str, float]) -> float | None:
    """None where a situation that the project has was never scored: its weight would go to the others unseen."""
    if not of_situation or any(share > 0 and name not in of_situation for name, share in prevalence.items()):
        return None
    total = sum(prevalence.get(name, 0.0) for name in of_situation)
    if not total:
        return None
    return sum(value * prevalence.get(name, 0.0) for name, value in of_situation.items()) / total


def cells(
    held: Grid, settings: Mapping[str, Setting], dimension: str, *, resamples: int = RESAMPLES, seed: int = SEED
) -> dict[tuple[str, str], Statistic]:
    """(system, situation) -> mean of a dimension or composite, with an interval: cells are small."""
    import numpy as np

    items = held.items(dimension)
    counts = np.isfinite(held.ratings(dimension)).sum(axis=2)
    clusters = clusters_of(held.dialogues, settings)
    found: dict[tuple[str, str], Statistic] = {}
    for situation in sorted({s.situation for s in settings.values() if s.situation}):
        rows = [n for n, uid in enumerate(held.dialogues) if uid in settings and settings[uid].situation == situation]
        if not rows:
            continue
        times = weights_of([clusters[n] for n in rows], resamples, seed)
        drawn = drawn_mean(items[rows], times)
        for column, system in enumerate(held.systems):
            count = int(np.isfinite(items[rows, column]).sum())
            if not count:
                found[system, situation] = Statistic(None, Status.NO_PAIRS)
                continue
            low, high = bounds(drawn[:, column]) if count > 1 else (None, None)
            value = float(mean_of(items[rows, column]))
            n = int(counts[rows, column].sum())
            found[system, situation] = Statistic(value, Status.OK, low, high, count, n)
    return found
