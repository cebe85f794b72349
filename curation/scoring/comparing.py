"""Comparing systems: differences of means and of preferences, tested so that coarse, tied scores can bear it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from curation.scoring.grid import Grid, mean_of
from curation.scoring.judgements import Setting
from curation.scoring.means import bounds, clusters_of, drawn_mean, weights_of
from curation.statistics.figures import RESAMPLES, SEED
from curation.statistics.tests import holm, mcnemar, sign_flip

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The declared family: every pair of systems in these.
FAMILY = ("process", "reply_cot", "reply_direct")


@dataclass(frozen=True)
class Difference:
    """One system against another in one dimension: the mean difference over the dialogues that both were scored on.

    `p` is the exact sign-flip permutation test of the dialogues' differences, `adjusted` the same after Holm over the
    family. The interval is by drawing dialogues again, both systems together.
    """

    one: str
    other: str
    dimension: str
    difference: float
    low: float | None
    high: float | None
    n: int
    p: float
    adjusted: float = 1.0


@dataclass(frozen=True)
class Flip:
    """Whether two systems' replies with a process win on the same dialogues: the paired table and exact McNemar.

    `table` is ((both, only one), (only other, neither)), by majority of the annotators; even dialogues are in no cell.
    """

    one: str
    other: str
    table: tuple[tuple[int, int], tuple[int, int]]
    p: float
    adjusted: float = 1.0


@dataclass(frozen=True)
class Ranks:
    """The systems in order, best first, by all annotators and with each of them left out. `moved`: an order differs."""

    dimension: str
    order: tuple[str, ...]
    without: Mapping[str, tuple[str, ...]]

    @property
    def moved(self) -> bool:
        """Leaving someone out changes the order."""
        return any(order != self.order for order in self.without.values())


def differences(
    held: Grid,
    settings: Mapping[str, Setting],
    dimensions: Sequence[str] = FAMILY,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Difference]:
    """Every pair of systems in every dimension, Holm-adjusted together."""
    import numpy as np

    times = weights_of(clusters_of(held.dialogues, settings), resamples, seed) if held.dialogues and resamples else None
    found: list[Difference] = []
    for dimension in dimensions:
        items = held.items(dimension)
        for one, other in combinations(range(len(held.systems)), 2):
            apart = items[:, one] - items[:, other]
            there = np.isfinite(apart)
            n = int(there.sum())
            if not n:
                continue
            low, high = bounds(drawn_mean(apart, times)) if times is not None and n > 1 else (None, None)
            p = sign_flip([float(d) for d in apart[there]], seed=seed)
            found.append(
                Difference(held.systems[one], held.systems[other], dimension, float(mean_of(apart)), low, high, n, p)
            )
    return [
        Difference(d.one, d.other, d.dimension, d.difference, d.low, d.high, d.n, d.p, adjusted)
        for d, adjusted in zip(found, holm([d.p for d in found]), strict=True)
    ]


def flips(held: Grid) -> list[Flip]:
    """Every pair of systems, by who wins on which dialogue; Holm-adjusted together."""
    majority = [mean_of(held.prefers[:, column, :], axis=1) for column in range(len(held.systems))]
    found = []
    for one, other in combinations(range(len(held.systems)), 2):
        table = _table(majority[one], majority[other])
        found.append(Flip(held.systems[one], held.systems[other], table, mcnemar(table)))
    return [
        Flip(f.one, f.other, f.table, f.p, adjusted)
        for f, adjusted in zip(found, holm([f.p for f in found]), strict=True)
    ]


def _table(one: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[tuple[int, int], tuple[int, int]]:
    def count(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> int:
        return int((first & second).sum())

    return (
        (count(one > 0.5, other > 0.5), count(one > 0.5, other < 0.5)),
        (count(one < 0.5, other > 0.5), count(one < 0.5, other < 0.5)),
    )


def ranks(held: Grid, dimensions: Sequence[str] = FAMILY) -> list[Ranks]:
    """The order of the systems by their mean in each dimension, with all annotators and with each of them left out."""
    return [
        Ranks(name, _order(held, name), {person: _order(held.without(person), name) for person in held.people})
        for name in dimensions
    ]


def _order(held: Grid, dimension: str) -> tuple[str, ...]:
    import numpy as np

    found = mean_of(held.items(dimension), axis=0)
    scored = [n for n in range(len(held.systems)) if np.isfinite(found[n])]
    return tuple(held.systems[n] for n in sorted(scored, key=lambda n: (-round(float(found[n]), 9), held.systems[n])))
