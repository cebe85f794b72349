"""Tests of significance and intervals that small, coarse, tied data can bear: exact wherever that is possible.

Only the standard library is used. P values are two-sided.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import comb, gcd, isclose, lcm, sqrt
from statistics import NormalDist
from typing import Literal

from curation.statistics.figures import CONFIDENCE, SEED

_MOST_SUM = 200_000
_FLIPS = 100_000
ZeroMethod = Literal["wilcox", "pratt", "zsplit"]


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of a proportion by Wilson 1927. Raises ValueError unless 0 <= successes <= trials, trials > 0."""
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError("successes must be between 0 and trials, and trials above 0")
    z = NormalDist().inv_cdf((1.0 + confidence) / 2.0)
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == trials else centre + half
    return low, high


def sign_test(successes: int, trials: int) -> float:
    """The exact sign test: the chance of a split at least as uneven when both signs are equally likely; 1 without any.

    Raises ValueError unless 0 <= successes <= trials.
    """
    if not 0 <= successes <= trials:
        raise ValueError("successes must be between 0 and trials")
    tail = sum(comb(trials, k) for k in range(min(successes, trials - successes) + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**trials)))


def mcnemar(table: Sequence[Sequence[int]]) -> float:
    """McNemar's exact test of a paired 2 x 2 table: a sign test of the two cells that disagree."""
    (_, one), (other, _) = table
    return sign_test(one, one + other)


def sign_flip(differences: Sequence[float], *, seed: int = SEED, flips: int = _FLIPS) -> float:
    """The paired permutation test of Fisher 1935: how often flipped signs give a sum at least as far from nought.

    Exact, by counting sums, for whole or common fractions such as means of scores; else by `flips` seeded random flips,
    counting the observed one in (Phipson and Smyth 2010). 1 when every difference is 0. Raises ValueError for nan.
    """
    if any(d - d != 0 for d in differences):
        raise ValueError("a difference must be a number")
    plain = {d: Fraction(d).limit_denominator(10_000) for d in set(differences)}
    held = [plain[d] for d in differences if d != 0]
    faithful = all(isclose(float(f), d, rel_tol=1e-12) for f, d in zip(held, filter(None, differences), strict=True))
    unit = lcm(*(f.denominator for f in held)) if faithful else 0
    steps = [int(f * unit) for f in held]
    if faithful and sum(map(abs, steps)) <= _MOST_SUM:
        return _exact(steps)
    return _drawn([d for d in differences if d != 0], seed, flips)


def _exact(steps: Sequence[int]) -> float:
    """The share of all flips whose sum is at least as far from nought, counted.

    The flips whose turned steps add up to T are the coefficient of z^T in the product of (1 + z^|step|). It is multiplied
    out in one long number, a slot of bits for each T, no further than the tail that is asked for.
    """
    unit = gcd(*steps) or 1
    sizes = [abs(step) // unit for step in steps]
    seen = abs(sum(steps)) // unit
    if not seen:
        return 1.0
    last = (sum(sizes) - seen) // 2
    slot = len(sizes) + 1
    kept = (1 << slot * (last + 1)) - 1
    product = 1
    for size in sizes:
        product = (product + (product << slot * size)) & kept
    # Slots hold no more than 2^n ways in all, so their sum is what remains of them modulo 2^(n + 1) - 1.
    return float(Fraction(2 * (product % ((1 << slot) - 1)), 2 ** len(sizes)))


def _drawn(differences: Sequence[float], seed: int, flips: int) -> float:
    chance = random.Random(seed)
    total = sum(differences)
    least = abs(total) - 1e-12 * sum(map(abs, differences))
    size = len(differences)
    extreme = 0
    for _ in range(flips):
        bits = chance.getrandbits(size)
        flipped = sum(d for place, d in enumerate(differences) if bits >> place & 1)
        extreme += abs(total - 2 * flipped) >= least
    return (extreme + 1) / (flips + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """P values adjusted for a declared family of tests, in the order given (Holm 1979)."""
    adjusted = [0.0] * len(p_values)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        least = max(least, min(1.0, p_values[place] * (len(p_values) - rank)))
        adjusted[place] = least
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """P values adjusted to bound the share of false discoveries, in the order given (Benjamini and Hochberg 1995)."""
    adjusted = [0.0] * len(p_values)
    most = 1.0
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    for rank in range(len(order), 0, -1):
        place = order[rank - 1]
        most = min(most, p_values[place] * len(order) / rank)
        adjusted[place] = most
    return adjusted


def wilcoxon(differences: Sequence[float], zeros: ZeroMethod = "pratt") -> tuple[float, float]:
    """Wilcoxon's signed-rank test, normal approximation corrected for ties: (statistic, p). An extra to `sign_flip`.

    Coarse scores are full of zeros, and p depends on what is done with them: left out (`wilcox`), ranked and then left
    out (`pratt`), or split between the signs (`zsplit`). Say which. Raises ValueError when nothing is left.
    """
    held = [d for d in differences if d != 0] if zeros == "wilcox" else list(differences)
    if not any(held):
        raise ValueError("every difference is 0")
    ranks = _mid_ranks([abs(d) for d in held])
    plus = sum(rank for rank, d in zip(ranks, held, strict=True) if d > 0)
    minus = sum(rank for rank, d in zip(ranks, held, strict=True) if d < 0)
    nought = [rank for rank, d in zip(ranks, held, strict=True) if d == 0]
    n, none = len(held), len(nought)
    mean = n * (n + 1) / 4
    spread = n * (n + 1) * (2 * n + 1)
    tied = ranks
    if zeros == "pratt":
        mean -= none * (none + 1) / 4
        spread -= none * (none + 1) * (2 * none + 1)
        tied = [rank for rank, d in zip(ranks, held, strict=True) if d != 0]
    elif zeros == "zsplit":
        plus += sum(nought) / 2
        minus += sum(nought) / 2
    corrected = spread - sum(times**3 - times for times in Counter(tied).values()) / 2
    statistic = min(plus, minus)
    z = (statistic - mean) / sqrt(corrected / 24)
    return statistic, min(1.0, 2 * NormalDist().cdf(-abs(z)))


def _mid_ranks(values: Sequence[float]) -> list[float]:
    below: dict[float, float] = {}
    seen = 0
    for value, times in sorted(Counter(values).items()):
        below[value] = seen + (times + 1) / 2
        seen += times
    return [below[value] for value in values]
