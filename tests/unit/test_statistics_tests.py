"""Tests of significance against enumeration and against numbers that can be checked by hand."""

from __future__ import annotations

import itertools
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.statistics.tests import (
    benjamini_hochberg,
    holm,
    mcnemar,
    sign_flip,
    sign_test,
    wilcoxon,
    wilson,
)


def test_wilson_at_the_ends_and_in_the_middle() -> None:
    z2 = 1.959963984540054**2
    assert wilson(0, 20) == pytest.approx((0.0, z2 / (20 + z2)))
    assert wilson(20, 20) == pytest.approx((20 / (20 + z2), 1.0))
    low, high = wilson(30, 60)
    assert low + high == pytest.approx(1.0)
    for wrong in ((1, 0), (-1, 5), (6, 5)):
        with pytest.raises(ValueError, match="between"):
            wilson(*wrong)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_solves_its_own_equation(split: tuple[int, int]) -> None:
    successes, trials = split
    for bound in wilson(successes, trials):
        if 0 < bound < 1:
            off = successes / trials - bound
            assert off * off == pytest.approx(1.959963984540054**2 * bound * (1 - bound) / trials, abs=1e-12)


@given(st.integers(0, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_sign_test_is_symmetric_and_counts(split: tuple[int, int]) -> None:
    k, n = split
    extreme = sum(comb(n, i) for i in range(n + 1) if abs(2 * i - n) >= abs(2 * k - n))
    assert sign_test(k, n) == sign_test(n - k, n) == pytest.approx(extreme / 2**n)


def test_mcnemar_looks_at_those_who_changed() -> None:
    assert mcnemar([[50, 9], [1, 40]]) == pytest.approx(22 / 1024)
    assert mcnemar([[3, 0], [0, 4]]) == 1.0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from((-10, -5, -1.5, 0, 1 / 3, 5, 10)), max_size=9))
def test_sign_flips_are_all_flips(differences: list[float]) -> None:
    seen = abs(sum(differences))
    flips = list(itertools.product((1, -1), repeat=len(differences)))
    extreme = sum(abs(sum(f * d for f, d in zip(s, differences, strict=True))) >= seen - 1e-9 for s in flips)
    assert sign_flip(differences) == pytest.approx(extreme / len(flips))


def test_sign_flips_of_awkward_numbers_are_drawn_with_a_seed() -> None:
    awkward = [0.1234567 * n + 1e-7 for n in range(-20, 30)]
    p = sign_flip(awkward, flips=4_000)
    assert p == sign_flip(awkward, flips=4_000)
    exact = sign_flip([round(d, 2) for d in awkward])
    assert p == pytest.approx(exact, abs=0.03)
    assert sign_flip([d + 100 for d in awkward], flips=4_000) == pytest.approx(1 / 4_001)
    with pytest.raises(ValueError, match="number"):
        sign_flip([1.0, float("nan")])


def test_families_of_tests() -> None:
    assert holm([0.02, 0.01, 0.5]) == pytest.approx([0.04, 0.03, 0.5])
    assert holm([0.4, 0.5]) == pytest.approx([0.8, 0.8])
    assert benjamini_hochberg([0.02, 0.01, 0.5]) == pytest.approx([0.03, 0.03, 0.5])
    assert holm([]) == benjamini_hochberg([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_adjusting_keeps_the_order_and_only_raises(p_values: list[float]) -> None:
    for adjust in (holm, benjamini_hochberg):
        found = adjust(p_values)
        assert all(p <= a + 1e-12 and a <= 1 for p, a in zip(p_values, found, strict=True))
        ranked = [a for _, a in sorted(zip(p_values, found, strict=True))]
        assert ranked == sorted(ranked)


def test_wilcoxon_depends_on_what_becomes_of_zeros() -> None:
    differences = [0, 0, 0, 1, 2, 3, 4, -1, 5, 6]
    found = {zeros: wilcoxon(differences, zeros) for zeros in ("wilcox", "pratt", "zsplit")}
    assert len({p for _, p in found.values()}) == 3
    assert found["wilcox"][0] == 1.5
    assert wilcoxon([1, -1], "wilcox") == (1.5, 1.0)
    with pytest.raises(ValueError, match="0"):
        wilcoxon([0, 0])
