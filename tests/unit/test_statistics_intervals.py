"""Intervals: the same for the same data, wide enough, and absent where resampling cannot tell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.statistics.agreement import agreement, statistics_of
from curation.statistics.bootstrap import draws, percentile_interval
from curation.statistics.coefficients import ALPHA, ANY_RATERS, Coefficient
from curation.statistics.figures import Level, Statistic
from curation.statistics.histogram import of_items

ITEMS = [(0, 0, 5), (5, 5, 5), (10, 5, None), (0, 0, 0), (10, 10, 10), (0, 10, 5), (5, None, 5), (10, 10, 0)]


def test_the_same_data_have_the_same_intervals_in_any_order() -> None:
    first = agreement(ITEMS, level=Level.ORDINAL, domain=(0, 5, 10))
    assert agreement(ITEMS, level=Level.ORDINAL, domain=(0, 5, 10)) == first
    assert agreement(ITEMS[::-1], level=Level.ORDINAL, domain=(0, 5, 10)).figures == first.figures
    assert agreement(ITEMS, level=Level.ORDINAL, domain=(0, 5, 10), seed=8).figures != first.figures
    for one in first.figures.values():
        assert one.value is not None
        assert one.low is not None
        assert one.high is not None
        assert one.low <= one.value <= one.high
        assert one.low < one.high


@pytest.mark.parametrize("items", [ITEMS, ITEMS * 9], ids=["drawn one by one", "drawn by kinds"])
def test_draws_do_not_depend_on_how_many_are_held_at_once(items: list[tuple[int | None, ...]]) -> None:
    held = of_items(items, level=Level.ORDINAL)
    whole = np.concatenate(list(draws(held, 50, 3, 50)))
    assert np.array_equal(whole, np.concatenate(list(draws(held, 50, 3, 7))))
    assert (whole.sum(axis=1) == len(items)).all()
    assert np.abs(whole.mean(axis=0) - np.asarray(held.counts)).max() < 0.35 * np.sqrt(len(items))


def test_each_resample_is_computed_as_if_it_were_the_data() -> None:
    held = of_items(ITEMS, level=Level.ORDINAL, domain=(0, 5, 10))
    wanted = {name: Coefficient(name, Level.ORDINAL) for name in ANY_RATERS}
    from curation.statistics.coefficients import Formulas

    times = np.concatenate(list(draws(held, 20, 5, 20)))
    formulas = Formulas(held)
    for line, resample in enumerate(times):
        items = [
            [None if place < 0 else held.scale.labels[place] for place in row]
            for row, count in zip(held.rows, resample, strict=True)
            for _ in range(int(count))
        ]
        again, _ = statistics_of(of_items(items, level=Level.ORDINAL, domain=(0, 5, 10)), wanted, resamples=0)
        for name, one in wanted.items():
            found = formulas.value(one, times)[line]
            assert again[name].value == pytest.approx(None if np.isnan(found) else found, abs=1e-12)


def test_rows_of_one_cluster_are_drawn_together() -> None:
    # Eight replies to each of ten dialogues, all alike within a dialogue: there are ten things to draw, not eighty.
    chance = np.random.default_rng(5)
    each = [tuple(int(x) for x in chance.choice((0, 5, 10), size=3)) for _ in range(10)]
    items = [row for row in each for _ in range(8)]
    clusters = [number for number in range(10) for _ in range(8)]
    apart = agreement(items, level=Level.ORDINAL).figures[ALPHA]
    together = agreement(items, level=Level.ORDINAL, clusters=clusters).figures[ALPHA]
    assert together.value == apart.value
    assert width(together) > 2 * width(apart)


def width(one: Statistic) -> float:
    assert one.low is not None
    assert one.high is not None
    return one.high - one.low


def test_where_resampling_cannot_tell_there_is_no_interval() -> None:
    single = agreement([(0, 5, 5)], level=Level.ORDINAL).figures[ALPHA]
    assert (single.value, single.low, single.high) == (0.0, None, None)
    perfect = agreement([(0, 0), (5, 5), (0, 0), (5, 5)] * 5).figures
    assert perfect[ALPHA].value == 1.0
    assert perfect[ALPHA].low is None
    full = agreement([(0, 0), (5, 5)] * 10).patterns.full
    assert full.value == full.high == 1.0
    assert full.low == pytest.approx(0.838875, abs=1e-5)  # Wilson, 20 of 20


def test_resamples_without_a_value_are_counted_and_left_out() -> None:
    report = agreement([(0, 0), (0, 0), (0, 0), (5, 5), (0, 5)])
    assert 0 < report.undefined[ALPHA] < report.resamples / 2
    assert percentile_interval(np.asarray([np.nan, np.nan, 1.0])) == (None, None, 2)
    assert percentile_interval(np.asarray([])) == (None, None, 0)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(*[st.one_of(st.none(), st.sampled_from((0, 5, 10)))] * 3), max_size=9))
def test_no_figure_is_ever_nan(items: list[tuple[int | None, ...]]) -> None:
    for level in Level:
        report = agreement(items, level=level, resamples=40)
        for one in report.figures.values():
            for number in (one.value, one.low, one.high):
                assert number is None or np.isfinite(number)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    chance = np.random.default_rng(11)

    def sample(size: int) -> list[list[int]]:
        truth = chance.choice(3, size=(size, 1), p=[0.2, 0.3, 0.5])
        guess = chance.choice(3, size=(size, 3), p=[0.2, 0.3, 0.5])
        rows: list[list[int]] = np.where(chance.random((size, 3)) < 0.8, truth, guess).tolist()
        return rows

    wanted = {ALPHA: Coefficient(ALPHA, Level.ORDINAL)}

    def alpha(size: int, resamples: int, seed: int) -> Statistic:
        held = of_items(sample(size), level=Level.ORDINAL, domain=range(3))
        return statistics_of(held, wanted, resamples=resamples, seed=seed)[0][ALPHA]

    true = alpha(300_000, 0, 0).value
    assert true is not None
    replications, inside = 500, 0
    for seed in range(replications):
        found = alpha(312, 600, seed)
        assert found.low is not None
        assert found.high is not None
        inside += found.low <= true <= found.high
    # 95 % +- three standard errors of 500 replications; the interval that keeps expected disagreement gives about 80 %.
    assert 0.92 <= inside / replications <= 0.98
