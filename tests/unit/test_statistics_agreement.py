"""Coefficients of agreement: against hand calculation, against the package, against their definitions, and under changes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.errors import BadInput, UsageError
from curation.statistics import krippendorff_engine
from curation.statistics.agreement import Agreement, agreement, alphas, leave_one_out, of_histogram
from curation.statistics.explanation import coincidence_table, explanation
from curation.statistics.figures import Level, Statistic, Status, Weights
from curation.statistics.histogram import of_items
from curation.statistics.patterns import by_chance
from curation.statistics.two_raters import two_raters

Items = Sequence[Sequence[int | None]]
LEVELS = tuple(Level)
CELL = st.one_of(st.none(), st.sampled_from((0, 1, 5, 10)))
TABLES = st.integers(1, 4).flatmap(
    lambda raters: st.lists(st.lists(CELL, min_size=raters, max_size=raters), min_size=0, max_size=12)
)


def plain(items: Items, **terms: object) -> Agreement:
    return agreement(items, resamples=0, **terms)  # type: ignore[arg-type]


def value(items: Items, name: str, **terms: object) -> float | None:
    return plain(items, **terms).figures[name].value


def alpha_by_pairs(items: Items, level: Level) -> float | None:
    """Alpha from its definition, over all pairs of ratings, one by one: None where it is undefined."""
    units = [[r for r in item if r is not None] for item in items]
    units = [unit for unit in units if len(unit) > 1]
    every = [r for unit in units for r in unit]
    margins = {label: every.count(label) for label in set(every)}

    def apart(c: int, k: int) -> float:
        if c == k:
            return 0.0
        if level is Level.NOMINAL:
            return 1.0
        if level is Level.INTERVAL:
            return float((c - k) ** 2)
        if level is Level.RATIO:
            return ((c - k) / (c + k)) ** 2
        between = sum(n for label, n in margins.items() if min(c, k) <= label <= max(c, k))
        return (between - (margins[c] + margins[k]) / 2) ** 2

    expected = sum(apart(c, k) for c in every for k in every)
    if not expected:
        return None
    observed = sum(apart(c, k) / (len(unit) - 1) for unit in units for c in unit for k in unit)
    return 1 - (len(every) - 1) * observed / expected


@settings(max_examples=150, deadline=None)
@given(TABLES, st.sampled_from(LEVELS))
def test_alpha_is_its_definition_over_all_pairs(items: Items, level: Level) -> None:
    found = plain(items, level=level).figures["krippendorff_alpha"]
    wanted = alpha_by_pairs(items, level)
    assert (found.value is None) == (wanted is None)
    if found.value is not None and wanted is not None:
        assert found.value == pytest.approx(wanted, abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(TABLES, st.sampled_from(LEVELS))
def test_the_engine_of_the_reports_says_the_same(items: Items, level: Level) -> None:
    report = plain(items, level=level, domain=(0, 1, 5, 7, 10))  # raises where they differ
    assert report.engine is not None
    assert report.engine.startswith("krippendorff ")
    found, status = krippendorff_engine.alpha(of_items(items, level=level, domain=(0, 1, 5, 7, 10)), level)
    assert status is report.figures["krippendorff_alpha"].status
    assert (found is None) == (status is not Status.OK)


def test_the_engine_is_not_asked_what_would_fill_the_memory() -> None:
    items = [(n, n + 1) for n in range(400)]
    assert plain(items, level=Level.INTERVAL).engine is None


def test_the_coefficients_of_a_table_done_by_hand() -> None:
    # Two raters, ten items: both yes 4, both no 3, yes-no 2, no-yes 1.
    items = [("y", "y")] * 4 + [("n", "n")] * 3 + [("y", "n")] * 2 + [("n", "y")]
    figures = agreement(items, resamples=0).figures
    share = 11 / 20  # of yes
    chance = share**2 + (1 - share) ** 2
    assert figures["percent_agreement"].value == pytest.approx(0.7)
    assert figures["cohen_kappa"].value == pytest.approx((0.7 - (0.6 * 0.5 + 0.4 * 0.5)) / (1 - 0.5))
    assert figures["conger_kappa"].value == pytest.approx((0.7 - 0.5) / 0.5)
    assert figures["scott_pi"].value == pytest.approx((0.7 - chance) / (1 - chance))
    assert figures["fleiss_kappa"].value == pytest.approx((0.7 - chance) / (1 - chance))
    assert figures["brennan_prediger"].value == pytest.approx((0.7 - 0.5) / 0.5)
    assert figures["gwet_ac1"].value == pytest.approx((0.7 - 2 * share * (1 - share)) / (1 - 2 * share * (1 - share)))
    assert figures["krippendorff_alpha"].value == pytest.approx(1 - 19 * 6 / (2 * 11 * 9))
    assert {s.n_items for s in figures.values()} == {10}
    assert {s.n_ratings for s in figures.values()} == {20}


def test_weighted_coefficients_done_by_hand() -> None:
    # Three labels in order; one pair apart by one step, one by two, two the same.
    items = [(0, 0), (10, 10), (0, 5), (0, 10)]
    report = plain(items, domain=(0, 5, 10), weights=Weights.LINEAR)
    observed = (0.5 + 1.0) / 4
    left, right = (3 / 4, 0.0, 1 / 4), (1 / 4, 1 / 4, 2 / 4)
    expected = sum(left[c] * right[k] * abs(c - k) / 2 for c in range(3) for k in range(3))
    assert report.figures["cohen_kappa"].value == pytest.approx(1 - observed / expected)
    assert report.figures["brennan_prediger"].value == pytest.approx(1 - observed / (8 / 2 / 9))
    # AC2 is quadratic unless weights are given: 9 - 2 * (2 / 4 + 1) = 6.
    shares = (0.5, 0.125, 0.375)
    chance = 6 * sum(s * (1 - s) for s in shares) / 6
    assert value(items, "gwet_ac2", domain=(0, 5, 10)) == pytest.approx(1 - ((0.25 + 1.0) / 4) / (1 - chance))
    assert value(items, "gwet_ac1", domain=(0, 5, 10)) == value(items, "gwet_ac2", weights=Weights.IDENTITY)
    # Ordinal weights of three labels: one step costs 1/3, two cost 1.
    assert value(items, "brennan_prediger", weights=Weights.ORDINAL) == pytest.approx(
        1 - ((1 / 3 + 1) / 4) / ((4 / 3 + 2) / 9)
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from((0, 5, 10)), st.sampled_from((0, 5, 10))), min_size=1, max_size=15))
def test_on_complete_pairs_conger_is_cohen_and_fleiss_is_scott(items: Items) -> None:
    for weights in Weights:
        figures = plain(items, weights=weights).figures
        for one, other in (("conger_kappa", "cohen_kappa"), ("fleiss_kappa", "scott_pi")):
            assert figures[one].status is figures[other].status
            assert figures[one].value == pytest.approx(figures[other].value, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(TABLES, st.randoms())
def test_who_rated_in_which_order_changes_nothing(items: Items, chance: object) -> None:
    turned = [list(reversed(item)) for item in items]
    chance.shuffle(turned)  # type: ignore[attr-defined]
    before, after = plain(items, level=Level.ORDINAL).figures, plain(turned, level=Level.ORDINAL).figures
    same(before, after)


def same(before: dict[str, Statistic] | object, after: dict[str, Statistic] | object) -> None:
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert before.keys() == after.keys()
    for name, one in before.items():
        assert one.status is after[name].status, name
        assert one.value == pytest.approx(after[name].value, abs=1e-12), name


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_levels_see_what_they_should_and_no_more(items: Items) -> None:
    names: dict[int | None, str | None] = {0: "x", 1: "a", 5: "m", 10: "b", None: None}
    renamed = [[names[r] for r in item] for item in items]
    assert value(items, "krippendorff_alpha") == pytest.approx(
        agreement(renamed, resamples=0).figures["krippendorff_alpha"].value
    )
    stretched = [[None if r is None else r**3 - 7 for r in item] for item in items]
    assert value(items, "krippendorff_alpha", level=Level.ORDINAL) == pytest.approx(
        value(stretched, "krippendorff_alpha", level=Level.ORDINAL), abs=1e-12
    )
    shifted = [[None if r is None else 3 * r - 1000 for r in item] for item in items]
    assert value(items, "krippendorff_alpha", level=Level.INTERVAL) == pytest.approx(
        value(shifted, "krippendorff_alpha", level=Level.INTERVAL), abs=1e-9
    )


@settings(max_examples=40, deadline=None)
@given(TABLES)
def test_what_cannot_be_compared_does_not_change_alpha(items: Items) -> None:
    if not items:
        return
    width = len(items[0])
    more = [*items, [10] + [None] * (width - 1), [None] * width]
    absent = [[*item, None] for item in items]
    for level in (Level.NOMINAL, Level.ORDINAL, Level.INTERVAL):
        alpha = value(items, "krippendorff_alpha", level=level, domain=(0, 1, 5, 10))
        assert value(more, "krippendorff_alpha", level=level, domain=(0, 1, 5, 10)) == pytest.approx(alpha)
        before, after = plain(items, level=level), plain(absent, level=level)
        for name in before.figures.keys() & after.figures.keys():  # an absent rater is no rater
            assert before.figures[name].value == pytest.approx(after.figures[name].value), name


@pytest.mark.parametrize(
    ("items", "status"),
    [
        ([], Status.NO_PAIRS),
        ([(1,), (2,)], Status.NO_PAIRS),
        ([(1, None), (None, 2)], Status.NO_PAIRS),
        ([(None, None)], Status.NO_PAIRS),
        ([(5, 5, 5)], Status.NO_VARIATION),
        ([(5, 5), (5, 5), (5, 5)], Status.NO_VARIATION),
        ([(5, 5), (10, None)], Status.NO_VARIATION),  # the pairs do not vary, whatever else there is
    ],
)
def test_what_is_undefined_says_why(items: Items, status: Status) -> None:
    for level in (Level.NOMINAL, Level.ORDINAL, Level.INTERVAL, Level.RATIO):
        found = agreement(items, level=level).figures["krippendorff_alpha"]
        assert (found.value, found.low, found.high, found.status) == (None, None, None, status)


def test_without_variation_the_declared_domain_makes_ac1_and_brennan_prediger_defined() -> None:
    items = [(10, 10, 10)] * 4
    declared, bare = plain(items, domain=(0, 5, 10)).figures, plain(items).figures
    for name in ("gwet_ac1", "gwet_ac2", "brennan_prediger"):
        assert declared[name].value == 1.0
        assert bare[name].status is Status.NO_VARIATION
    for name in ("fleiss_kappa", "conger_kappa", "krippendorff_alpha"):
        assert declared[name].status is Status.NO_VARIATION
    assert bare["percent_agreement"].value == 1.0


def test_a_statistic_cannot_be_nan_or_a_number_without_reason() -> None:
    for wrong in ((math.nan, Status.OK), (None, Status.OK), (1.0, Status.NO_VARIATION)):
        with pytest.raises(ValueError, match="status"):
            Statistic(*wrong)


def test_a_label_nobody_used_counts_when_it_is_declared() -> None:
    items = [("A", "A"), ("B", "A"), ("T", "T")]
    assert agreement(items, domain=("A", "B", "T", "G")).figures["brennan_prediger"].value == pytest.approx(
        1 - (1 / 3) / (3 / 4)
    )
    assert agreement(items).figures["brennan_prediger"].value == pytest.approx(1 - (1 / 3) / (2 / 3))


def test_items_and_raters_cannot_be_taken_for_each_other_without_a_word() -> None:
    with pytest.raises(ValueError, match="2 raters"):
        agreement([(1, 2, 3), (1, 2, 3)], raters=("a", "b"))


def test_weights_need_an_order() -> None:
    items = [("bad", "good"), ("good", "good")]
    with pytest.raises(UsageError, match="--domain"):
        agreement(items, weights=Weights.QUADRATIC)
    assert agreement(items, domain=("bad", "good"), weights=Weights.QUADRATIC).ac2_weights is Weights.QUADRATIC
    bare = agreement(items, resamples=0)  # text without an order: AC2 has nothing to weigh
    assert bare.ac2_weights is Weights.IDENTITY
    assert bare.figures["gwet_ac2"].value == bare.figures["gwet_ac1"].value


def test_patterns_and_what_chance_would_give() -> None:
    items = [("A", "A", "A"), ("A", "B", "A"), ("A", "B", "T"), ("A", "A", None)]
    split = plain(items, domain=("A", "B", "T", "G")).patterns  # type: ignore[arg-type]
    assert (split.full.value, split.majority.value, split.none.value) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert (split.raters, split.left_out, split.full.n_items, split.full.n_ratings) == (3, 1, 3, 9)
    assert split.uniform == pytest.approx((0.0625, 0.5625, 0.375))
    p = (6 / 9, 2 / 9, 1 / 9)
    assert split.marginal is not None
    assert split.marginal[:2] == pytest.approx((sum(x**3 for x in p), sum(3 * x * x * (1 - x) for x in p)))


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=6), st.integers(2, 7))
def test_the_chances_of_the_patterns_add_up(shares: list[float], raters: int) -> None:
    shares = [share / sum(shares) for share in shares]
    chances = by_chance(shares, raters)
    assert sum(chances) == pytest.approx(1.0)
    assert min(chances) >= 0


def test_two_of_four_is_no_majority() -> None:
    split = plain([(1, 1, 2, 2), (1, 1, 1, 2)]).patterns
    assert (split.none.value, split.majority.value) == (0.5, 0.5)


def test_leaving_one_out_finds_who_judges_differently() -> None:
    items = [(0, 0, 10), (5, 5, 0), (10, 10, 5), (0, 0, 5), (10, 10, 0)]
    left = leave_one_out(of_items(items, level=Level.ORDINAL, raters=("ann", "bo", "cy")))
    assert max(left, key=lambda rater: left[rater].value or 0) == "cy"
    assert left["cy"].value == 1.0
    assert left["ann"].value == pytest.approx(alpha_by_pairs([item[1:] for item in items], Level.ORDINAL))


def test_alphas_at_several_levels_are_those_of_each() -> None:
    items = [(0, 5), (5, 5), (10, 10), (10, 0)]
    found = alphas(of_items(items, level=Level.ORDINAL), (Level.ORDINAL, Level.INTERVAL))
    assert found[Level.INTERVAL].value == pytest.approx(alpha_by_pairs(items, Level.INTERVAL))
    assert found[Level.ORDINAL].low is not None


def test_two_raters_and_their_table() -> None:
    pairs = [("keep", "keep")] * 8 + [("keep", "drop")] * 2 + [("drop", "drop")] * 5 + [("keep", None), (None, None)]
    found = two_raters(pairs, domain=("keep", "drop"))
    assert found.labels == ("keep", "drop")
    assert found.confusion == ((8, 2), (0, 5))
    assert found.n == 15
    kappa = found.cohen_kappa
    assert kappa.value == pytest.approx((13 / 15 - (80 + 35) / 225) / (1 - (80 + 35) / 225))
    assert kappa.low is not None
    assert kappa.high is not None
    assert kappa.low < 0.72 < kappa.high
    assert set(found.figures) == {"percent_agreement", "cohen_kappa", "alpha_nominal", "gwet_ac1"}
    assert two_raters([(True, True), (False, True)]).confusion == ((0, 1), (0, 1))
    assert two_raters([]).cohen_kappa.status is Status.NO_PAIRS
    assert two_raters([(True, True)]).gwet_ac1.status is Status.NO_VARIATION


def test_the_explanation_shows_what_alpha_rests_on() -> None:
    histogram = of_items([(0, 0, 5), (5, None, None), (None, None, None)], level=Level.ORDINAL, domain=(0, 5, 10))
    detail = explanation(histogram, of_histogram(histogram), refused=2)
    assert coincidence_table(histogram) == [[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert detail.totals == (2, 1, 0)
    assert (detail.paired, detail.single, detail.empty, detail.refused) == (1, 1, 1, 2)
    assert set(detail.without) == {"1", "2", "3"}


def test_more_labels_than_a_scale_has_are_refused() -> None:
    with pytest.raises(BadInput, match="no scale"):
        agreement([(n, n + 0.5) for n in range(2_500)], level=Level.INTERVAL)
