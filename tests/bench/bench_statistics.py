"""How quick the statistics are, and how honest their intervals: run `python tests/bench/bench_statistics.py`.

Prints one line a figure. `--replications N` sets how many data sets the coverage is measured on.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import krippendorff
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from curation.statistics.agreement import of_histogram, statistics_of
from curation.statistics.coefficients import ALPHA, Coefficient
from curation.statistics.figures import Level
from curation.statistics.histogram import of_items
from curation.statistics.live import Live
from curation.statistics.scales import scale_of

ITEMS, RATERS, DOMAIN = 50_000, ("a", "b", "c"), (0, 5, 10)


def say(text: str) -> None:
    """Write one line."""
    sys.stdout.write(text + "\n")


def seconds(call: Callable[[], object], times: int) -> float:
    """The least time of one call among `times`."""
    least = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        call()
        least = min(least, time.perf_counter() - start)
    return least


def ratings(chance: np.random.Generator, items: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Ratings of three raters who see the same truth, each seven times of ten: items by raters, as places."""
    truth = chance.choice(3, size=(items, 1), p=[0.25, 0.35, 0.4])
    guess = chance.choice(3, size=(items, 3), p=[0.25, 0.35, 0.4])
    return np.where(chance.random((items, 3)) < 0.7, truth, guess)


def bench_live(chance: np.random.Generator) -> None:
    """One change against one recomputation by the package, on 3 x 50,000 ratings with a tenth missing."""
    table = ratings(chance, ITEMS)
    missing = chance.random(table.shape) < 0.1
    matrix = np.where(missing, np.nan, np.asarray(DOMAIN, dtype=np.float64)[table]).T
    whole = seconds(lambda: krippendorff.alpha(matrix, value_domain=DOMAIN, level_of_measurement="ordinal"), 5)
    live = Live(RATERS, scale_of((), Level.ORDINAL, DOMAIN))
    start = time.perf_counter()
    for item, row in enumerate(table):
        for rater, place in enumerate(row):
            if not missing[item, rater]:
                live.rate(item, RATERS[rater], DOMAIN[place])
    loaded = time.perf_counter() - start
    changes = [
        (int(i), RATERS[g], DOMAIN[c])
        for i, g, c in zip(
            chance.integers(0, ITEMS, 20_000), chance.integers(0, 3, 20_000), chance.integers(0, 3, 20_000), strict=True
        )
    ]

    def each(read: Callable[[], object] | None) -> float:
        start = time.perf_counter()
        for item, rater, label in changes:
            live.rate(item, rater, label)
            if read is not None:
                read()
        return (time.perf_counter() - start) / len(changes)

    change, with_alpha, with_all = each(None), each(live.alpha), each(live.figures)
    say(f"krippendorff.alpha on 3 x {ITEMS:,}: {whole * 1e3:.1f} ms; loading as many into live: {loaded:.2f} s")
    say(f"one change:                     {change * 1e6:6.1f} us, {whole / change:8,.0f} times cheaper")
    say(f"one change, and alpha read:     {with_alpha * 1e6:6.1f} us, {whole / with_alpha:8,.0f} times cheaper")
    say(f"one change, every figure read:  {with_all * 1e6:6.1f} us, {whole / with_all:8,.0f} times cheaper")


def bench_intervals(chance: np.random.Generator) -> None:
    """The whole report, intervals included."""
    for items in (312, ITEMS):
        rows = [[DOMAIN[place] for place in row] for row in ratings(chance, items)]
        counted = of_items(rows, level=Level.ORDINAL, domain=DOMAIN)
        counting = seconds(lambda rows=rows: of_items(rows, level=Level.ORDINAL, domain=DOMAIN), 3)  # type: ignore[misc]
        took = seconds(lambda counted=counted: of_histogram(counted), 3)  # type: ignore[misc]
        say(f"3 x {items:,}: counted in {counting * 1e3:.1f} ms, all figures with intervals in {took * 1e3:.1f} ms")


def bench_coverage(chance: np.random.Generator, replications: int) -> None:
    """How often the interval of 312 items holds the alpha of the population."""
    wanted = {ALPHA: Coefficient(ALPHA, Level.ORDINAL)}
    population = of_items(ratings(chance, 1_000_000).tolist(), level=Level.ORDINAL, domain=range(3))
    true = statistics_of(population, wanted, resamples=0)[0][ALPHA].value
    assert true is not None
    inside, width = 0, 0.0
    for seed in range(replications):
        sample = of_items(ratings(chance, 312).tolist(), level=Level.ORDINAL, domain=range(3))
        found = statistics_of(sample, wanted, seed=seed)[0][ALPHA]
        assert found.low is not None
        assert found.high is not None
        inside += found.low <= true <= found.high
        width += (found.high - found.low) / replications
    say(f"coverage at 3 x 312, alpha {true:.3f}: {inside / replications:.1%} of {replications}, mean width {width:.3f}")


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replications", type=int, default=2_000)
    wanted = parser.parse_args()
    chance = np.random.default_rng(20)
    bench_live(chance)
    bench_intervals(chance)
    bench_coverage(chance, wanted.replications)


if __name__ == "__main__":
    main()
