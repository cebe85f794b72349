"""The three live figures are those of a recomputation, after any changes at all."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.statistics.agreement import agreement
from curation.statistics.figures import Level
from curation.statistics.pulse import Pulse
from curation.statistics.scales import scale_of

SCALE = scale_of((), Level.ORDINAL, (0, 5, 10))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000), st.integers(1, 5), st.integers(1, 12))
def test_live_equals_recomputed_after_any_scores_changes_and_taking_back(seed: int, people: int, items: int) -> None:
    chance = random.Random(seed)
    raters = "abcde"[:people]
    pulse = Pulse(raters, SCALE)
    held: dict[int, dict[str, int]] = {}
    for _ in range(chance.randrange(1, 60)):
        item, rater = chance.randrange(items), chance.choice(raters)
        if chance.random() < 0.25:
            pulse.remove(item, rater)
            held.get(item, {}).pop(rater, None)
        else:
            value = chance.choice((0, 5, 10))
            pulse.rate(item, rater, value)
            held.setdefault(item, {})[rater] = value
    rows = [[given_.get(rater) for rater in raters] for given_ in held.values() if given_]
    whole = agreement(rows, level=Level.ORDINAL, domain=(0, 5, 10), raters=raters, resamples=0).figures
    beat = pulse.read()
    for one, name in ((beat.alpha, "krippendorff_alpha"), (beat.percent, "percent_agreement"), (beat.ac1, "gwet_ac1")):
        other = whole[name]
        assert (one.status, one.n_items, one.n_ratings) == (other.status, other.n_items, other.n_ratings)
        assert one.value == pytest.approx(other.value, abs=1e-12)


def test_nothing_is_undefined_with_its_reason() -> None:
    pulse = Pulse("ab", SCALE)
    assert {one.status for one in pulse.read()} == {"no_pairs"}
    pulse.rate(1, "a", 0)
    pulse.rate(1, "b", 0)
    assert (pulse.read().alpha.status, pulse.read().percent.value, pulse.read().ac1.value) == ("no_variation", 1.0, 1.0)


def test_pairs_that_are_mixed_up_are_counted() -> None:
    pulse = Pulse("abc", SCALE)
    for rater, value in zip("abc", (0, 5, 5), strict=True):
        pulse.rate(1, rater, value)
    assert pulse.mixed_up() == {(0, 1): 1.0, (0, 2): 0.0, (1, 2): 0.0}
