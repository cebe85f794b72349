"""Live agreement: after any changes it says what a recomputation says."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from curation.errors import BadInput
from curation.statistics.agreement import of_histogram
from curation.statistics.coefficients import ALPHA
from curation.statistics.figures import Level, Statistic, Status, Weights
from curation.statistics.histogram import of_items
from curation.statistics.live import Live
from curation.statistics.patterns import NAMES
from curation.statistics.scales import scale_of

DOMAIN = (0, 1, 5, 10)


def equal(one: Statistic, other: Statistic) -> bool:
    near = one.value == pytest.approx(other.value, abs=1e-12)
    return bool(near and (one.status, one.n_items, one.n_ratings) == (other.status, other.n_items, other.n_ratings))


class Keystrokes(RuleBasedStateMachine):
    """Ratings come, change and go; a dictionary remembers them too."""

    @initialize(raters=st.integers(1, 4), level=st.sampled_from(tuple(Level)))
    def begin(self, raters: int, level: Level) -> None:
        self.raters = [f"r{n}" for n in range(raters)]
        self.level = level
        self.held: dict[int, dict[str, int]] = {}
        self.live = Live(self.raters, scale_of((), level, DOMAIN))

    @rule(item=st.integers(0, 6), rater=st.integers(0, 3), label=st.sampled_from(DOMAIN))
    def rate(self, item: int, rater: int, label: int) -> None:
        name = self.raters[rater % len(self.raters)]
        self.live.rate(item, name, label)
        self.held.setdefault(item, {})[name] = label

    @rule(item=st.integers(0, 6), rater=st.integers(0, 3))
    def remove(self, item: int, rater: int) -> None:
        name = self.raters[rater % len(self.raters)]
        self.live.remove(item, name)
        self.held.get(item, {}).pop(name, None)

    @invariant()
    def says_what_a_recomputation_says(self) -> None:
        items = [[row.get(name) for name in self.raters] for row in self.held.values()]
        again = of_items(items, level=self.level, domain=DOMAIN, raters=self.raters)
        for weights in (None, Weights.LINEAR):
            report = of_histogram(again, weights=weights, resamples=0)
            found = self.live.figures(weights)
            wanted: dict[str, Any] = dict(report.figures) | {n: getattr(report.patterns, n) for n in NAMES}
            for name in found.keys() | (wanted.keys() if len(self.raters) == 2 else set()):
                assert equal(found[name], wanted[name]), name
        assert self.live.histogram().rows == again.rows
        assert self.live.histogram().counts == again.counts


TestKeystrokes = Keystrokes.TestCase
TestKeystrokes.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20), st.sampled_from("abc"), st.sampled_from(DOMAIN)), max_size=60))
def test_taking_everything_back_leaves_nothing(changes: list[tuple[int, str, int]]) -> None:
    live = Live("abc", scale_of((), Level.ORDINAL, DOMAIN))
    for item, rater, label in changes:
        live.rate(item, rater, label)
    for item, rater, _ in changes:
        live.remove(item, rater)
    assert live.alpha().status is Status.NO_PAIRS
    assert not any(live._sums)
    assert not live.histogram().rows


def test_every_level_can_be_read_from_the_same_ratings() -> None:
    live = Live("ab", scale_of((), Level.ORDINAL, (0, 5, 10)))
    items = [(0, 5), (5, 5), (10, 10), (10, 0)]
    for number, row in enumerate(items):
        for rater, label in zip("ab", row, strict=True):
            live.rate(number, rater, label)
    for level in Level:
        wanted = of_histogram(of_items(items, level=level), resamples=0).figures[ALPHA]
        assert live.alpha(level).value == pytest.approx(wanted.value, abs=1e-12)
    assert of_histogram(live.histogram()).figures[ALPHA].low is not None


def test_what_is_no_rating_is_refused_and_changes_nothing() -> None:
    live = Live("ab", scale_of((), Level.ORDINAL, (0, 5, 10)))
    live.rate(1, "a", 5)
    with pytest.raises(BadInput):
        live.rate(1, "b", 7)
    with pytest.raises(KeyError):
        live.rate(1, "c", 5)
    live.remove(2, "a")
    assert live.histogram().n_items == 1


def test_a_change_costs_the_same_however_many_ratings_there_are() -> None:
    def cost(items: int) -> float:
        live = Live("abc", scale_of((), Level.ORDINAL, (0, 5, 10)))
        for item in range(items):
            for place, rater in enumerate("abc"):
                live.rate(item, rater, (0, 5, 10)[(item + place) % 3])
        best = float("inf")
        for turn in range(20):
            start = time.perf_counter()
            for item in range(100):
                live.rate(item, "b", (0, 5, 10)[(item + turn) % 3])
                live.alpha()
            best = min(best, time.perf_counter() - start)
        return best

    assert cost(20_000) < 4 * cost(200)
