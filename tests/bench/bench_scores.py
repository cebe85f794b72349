"""How quick scoring is, and how honest its intervals: run `python tests/bench/bench_scores.py`.

Prints one line a figure: a change of a score with all live figures after it against one recomputation by the package; the
coverage of the clustered interval of alpha at 3 x 312 dialogues; a key at the desk, in multiples of one empty write.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import median

import krippendorff
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from curation.scoring.panel import Board, Closing
from curation.statistics.agreement import statistics_of
from curation.statistics.coefficients import ALPHA, Coefficient
from curation.statistics.figures import Level
from curation.statistics.histogram import of_items
from curation.statistics.pulse import Pulse
from curation.statistics.scales import scale_of
from curation.work.scoring import DIMENSIONS, SCORES
from tests.conftest import fresh
from tests.scoring import handed

ITEMS, RATERS = 50_000, ("a", "b", "c")


def say(text: str) -> None:
    """Write one line."""
    sys.stdout.write(text + "\n")


def ratings(chance: np.random.Generator, items: int, per: int = 1) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Ratings by three of `items` dialogues with `per` replies each, of which some dialogues are harder than others."""
    hard = np.repeat(chance.choice([0.15, 0.3, 0.6], size=items), per)[:, None]
    truth = chance.choice(3, size=(items * per, 1), p=[0.25, 0.35, 0.4])
    guess = chance.choice(3, size=(items * per, 3), p=[0.25, 0.35, 0.4])
    return np.where(chance.random((items * per, 3)) > hard, truth, guess)


def bench_live(chance: np.random.Generator) -> None:
    """One score and all figures of its line after it, against the package on 3 x 50,000."""
    table = ratings(chance, ITEMS)
    matrix = np.asarray(SCORES, dtype=np.float64)[table].T
    whole = min(
        _timed(lambda: krippendorff.alpha(matrix, value_domain=SCORES, level_of_measurement="ordinal"))
        for _ in range(7)
    )
    pulse = Pulse(RATERS, scale_of((), Level.ORDINAL, SCORES))
    for item, row in enumerate(table):
        for rater, place in zip(RATERS, row, strict=True):
            pulse.rate(item, rater, SCORES[place])
    changes = [
        (int(i), RATERS[g], SCORES[c])
        for i, g, c in zip(
            chance.integers(0, ITEMS, 20_000), chance.integers(0, 3, 20_000), chance.integers(0, 3, 20_000), strict=True
        )
    ]
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        for item, rater, score in changes:
            pulse.rate(item, rater, score)
            pulse.values()
        best = min(best, (time.perf_counter() - start) / len(changes))
    say(f"krippendorff.alpha on 3 x {ITEMS:,}: {whole * 1e3:.1f} ms")
    say(f"one score, alpha, percent and AC1 after it: {best * 1e6:.1f} us, {whole / best:,.0f} times cheaper")
    board = Board(RATERS)
    board.pace(len(table) // 9)
    scores = [
        Closing(str(n), (str(n // 9), str(n % 9)), RATERS[n % 3], dict.fromkeys(DIMENSIONS, SCORES[p]))
        for n, p in enumerate(table[:, 0])
    ]
    start = time.perf_counter()
    for one in scores:
        board.close(one)
    took = (time.perf_counter() - start) / len(scores)
    say(f"one closed task, all seven lines: {took * 1e6:.1f} us")


def _timed(call: object) -> float:
    start = time.perf_counter()
    call()  # type: ignore[operator]
    return time.perf_counter() - start


def bench_coverage(chance: np.random.Generator, replications: int) -> None:
    """How often the interval by drawing dialogues holds the alpha of the population, with 9 replies a dialogue and with 1."""
    wanted = {ALPHA: Coefficient(ALPHA, Level.ORDINAL)}
    for per in (1, 9):
        population = of_items(ratings(chance, 300_000 // per, per).tolist(), level=Level.ORDINAL, domain=range(3))
        true = statistics_of(population, wanted, resamples=0)[0][ALPHA].value
        assert true is not None
        inside = 0
        for seed in range(replications):
            sample = ratings(chance, 312, per).tolist()
            clusters = [n // per for n in range(len(sample))]
            held = of_items(sample, level=Level.ORDINAL, domain=range(3), clusters=clusters)
            found = statistics_of(held, wanted, seed=seed, resamples=1_000)[0][ALPHA]
            assert found.low is not None
            assert found.high is not None
            inside += found.low <= true <= found.high
        say(f"coverage at 3 x 312 dialogues x {per}, alpha {true:.3f}: {inside / replications:.1%} of {replications}")


def bench_desk(keys: int) -> None:
    """A key at the desk, from the call to the task shown again, beside an empty write to the same file."""
    with fresh() as study:
        handed(study, 3)
        task = study.scoring.task("ann", 1)
        assert task is not None
        other = study.scoring.task("bo", 1)
        assert other is not None
        writes, given = [], []
        for n in range(keys):
            start = time.perf_counter()
            study.scoring.save_draft("bo", other.code, str(n))
            writes.append(time.perf_counter() - start)
            start = time.perf_counter()
            study.scoring.score("ann", task.code, "reply_1", SCORES[n % 3])
            given.append(time.perf_counter() - start)
        say(f"a key: {median(given) * 1e3:.2f} ms, {median(given) / median(writes):.2f} times a kept draft")


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replications", type=int, default=400)
    wanted = parser.parse_args()
    chance = np.random.default_rng(21)
    bench_live(chance)
    bench_desk(200)
    bench_coverage(chance, wanted.replications)


if __name__ == "__main__":
    main()
