"""Ratings from battles: closed forms, the conditions of the maximum, and refusals."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.errors import BadInput
from curation.statistics.connections import components, connected
from curation.statistics.ratings import (
    Battle,
    Ratings,
    RatingStatus,
    battles_of,
    bradley_terry,
    elo,
    outcome,
    tallies,
)

NAMES = "abcde"
BATTLES = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from((0.0, 0.5, 1.0, 1 / 3)))
    .filter(lambda b: b[0] != b[1])
    .map(lambda b: Battle(*b)),
    max_size=25,
)


def by_name(made: Ratings) -> dict[str, float]:
    return {one.name: one.rating for one in made.ratings}


def test_one_pair_has_a_closed_form() -> None:
    battles = [Battle("x", "y", 1.0)] * 12 + [Battle("y", "x", 1.0)] * 4
    made = bradley_terry(battles)
    found = by_name(made)
    assert found["x"] - found["y"] == pytest.approx(400 * math.log10(3))
    assert found["x"] + found["y"] == pytest.approx(2000)
    assert [one.name for one in made.ratings] == ["x", "y"]
    assert {one.n for one in made.ratings} == {16}
    for one in made.ratings:
        assert one.low is not None
        assert one.high is not None
        assert one.low < one.rating < one.high


@settings(max_examples=80, deadline=None)
@given(BATTLES)
def test_at_the_maximum_everyone_scored_what_was_expected(battles: list[Battle]) -> None:
    made = bradley_terry(battles, resamples=0)
    if made.status is not RatingStatus.OK:
        assert made.ratings == ()
        assert (made.status is RatingStatus.NO_PAIRS) == (not battles)
        return
    strength = by_name(made)
    for name in strength:
        scored = sum(b.score if b.left == name else 1 - b.score for b in battles if name in (b.left, b.right))
        other = [b.right if b.left == name else b.left for b in battles if name in (b.left, b.right)]
        expected = sum(1 / (1 + 10 ** ((strength[o] - strength[name]) / 400)) for o in other)
        assert scored == pytest.approx(expected, abs=1e-7)
    assert sum(strength.values()) / len(strength) == pytest.approx(1000)


@settings(max_examples=60, deadline=None)
@given(BATTLES, st.randoms())
def test_sides_and_order_do_not_matter_to_bradley_terry(battles: list[Battle], chance: random.Random) -> None:
    turned = [Battle(b.right, b.left, 1 - b.score) if chance.random() < 0.5 else b for b in battles]
    chance.shuffle(turned)
    one, other = bradley_terry(battles, resamples=0), bradley_terry(turned, resamples=0)
    assert one.components == other.components
    assert by_name(one) == pytest.approx(by_name(other))


@settings(max_examples=60, deadline=None)
@given(BATTLES)
def test_elo_follows_its_rule_and_loses_nothing(battles: list[Battle]) -> None:
    held = {name: 1000.0 for b in battles for name in (b.left, b.right)}
    for b in battles:
        change = 4 * (b.score - 1 / (1 + 10 ** ((held[b.right] - held[b.left]) / 400)))
        held[b.left] += change
        held[b.right] -= change
    found = by_name(elo(battles, resamples=0))
    assert found == pytest.approx(held)
    assert sum(found.values()) == pytest.approx(1000 * len(found))


@pytest.mark.parametrize(
    ("battles", "groups"),
    [
        ([("a", "b", 1), ("b", "c", 1), ("c", "b", 1)], (("a",), ("b", "c"))),  # undefeated
        ([("a", "b", 1), ("b", "a", 1), ("b", "c", 1)], (("a", "b"), ("c",))),  # winless
        ([("a", "b", 0.5), ("c", "d", 0.5)], (("c", "d"), ("a", "b"))),  # never met
        ([("a", "b", 1)], (("a",), ("b",))),
    ],
)
def test_what_cannot_be_rated_is_refused_with_the_groups(
    battles: list[tuple[str, str, float]], groups: tuple[tuple[str, ...], ...]
) -> None:
    held = [Battle(*b) for b in battles]
    made = bradley_terry(held)
    assert made.status is RatingStatus.NOT_CONNECTED
    assert made.ratings == ()
    assert set(made.components) == set(groups)
    if len(groups) == 2 and any(b.score == 1 for b in held):
        assert made.components == groups  # those whom nobody outside beats come first
    running = elo(held)
    assert running.status is RatingStatus.OK
    assert len(running.components) > 1


@settings(max_examples=80, deadline=None)
@given(BATTLES)
def test_two_ways_of_seeing_who_is_connected(battles: list[Battle]) -> None:
    names = sorted({name for b in battles for name in (b.left, b.right)})
    points = np.zeros((1, len(names), len(names)))
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for b in battles:
        for one, other, score in ((b.left, b.right, b.score), (b.right, b.left, 1 - b.score)):
            points[0, names.index(one), names.index(other)] += score
            if score > 0:
                beaten[one].add(other)
    groups = components(names, beaten)
    assert sorted(name for group in groups for name in group) == names
    if names:
        assert bool(connected(points)[0]) == (len(groups) == 1)
    place = {name: n for n, group in enumerate(groups) for name in group}
    assert all(place[one] <= place[other] for one in names for other in beaten[one])


def test_a_long_chain_is_neither_too_deep_nor_too_slow_to_converge() -> None:
    battles = []
    for n in range(1_500):
        battles += [Battle(f"m{n:04}", f"m{n + 1:04}", 1.0), Battle(f"m{n + 1:04}", f"m{n:04}", 1.0)]
    assert len(elo(battles, resamples=0).components) == 1
    short = [b for b in battles if max(b.left, b.right) <= "m0030"]
    short += [Battle(f"m{n:04}", f"m{n + 1:04}", 1.0) for n in range(30)] * 2
    found = by_name(bradley_terry(short, resamples=0))
    assert found["m0000"] - found["m0030"] == pytest.approx(30 * 400 * math.log10(3))


def test_labels_and_what_is_none() -> None:
    assert [outcome(label) for label in "ABTG"] == [1.0, 0.0, 0.5, 0.5]
    for wrong in ("a", "", "tie", "tie (bothbad)", "C"):
        with pytest.raises(BadInput, match="none of A, B, T, G"):
            outcome(wrong)
    with pytest.raises(BadInput, match="itself"):
        Battle("x", "x", 1.0)
    with pytest.raises(ValueError, match="between"):
        Battle("x", "y", 1.5)


def test_votes_on_one_battle_count_once() -> None:
    votes = [("x", "y", 1.0, 1), ("y", "x", 1.0, 1), ("x", "y", 1.0, 1), ("x", "y", 0.0, 2)]
    assert battles_of(votes) == [Battle("x", "y", 2 / 3), Battle("x", "y", 0.0)]
    with pytest.raises(BadInput, match="between x and y"):
        battles_of([*votes, ("x", "z", 1.0, 1)])


def test_three_votes_a_battle_do_not_make_the_interval_narrower() -> None:
    chance = random.Random(4)
    scores = [float(chance.random() < 0.6) for _ in range(60)]
    once = [Battle("x", "y", s) for s in scores]
    thrice = battles_of(("x", "y", s, n) for n, s in enumerate(scores) for _ in range(3))
    assert bradley_terry(thrice) == bradley_terry(once)


def test_draws_alone_are_no_certainty() -> None:
    made = bradley_terry([Battle("x", "y", 0.5)] * 20)
    assert [(one.rating, one.low, one.high) for one in made.ratings] == [(1000.0, None, None)] * 2


def test_intervals_are_the_same_each_time_and_tell_what_was_left_out() -> None:
    battles = [Battle("x", "y", 1.0)] * 5 + [Battle("x", "y", 0.0)] * 2
    made = bradley_terry(battles)
    assert made == bradley_terry(battles)
    assert 0 < made.undefined < made.resamples / 2  # draws in which x won everything
    few = bradley_terry([Battle("x", "y", 1.0), Battle("y", "z", 1.0), Battle("z", "x", 1.0)])
    assert few.undefined > few.resamples / 2
    assert few.ratings[0].low is None


def test_tallies_keep_both_good_and_both_poor_apart() -> None:
    found = tallies([("x", "y", "A"), ("y", "x", "T"), ("x", "y", "G"), ("y", "x", "A")])
    assert found["x"] == {"wins": 1, "losses": 1, "both_good": 1, "both_poor": 1}
    assert found["y"] == {"wins": 1, "losses": 1, "both_good": 1, "both_poor": 1}
