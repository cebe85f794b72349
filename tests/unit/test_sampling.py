"""The sample is a function of dialogues, seed and n: balanced, extendable, and no cluster is split."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.errors import UsageError
from curation.sampling import Choice, check_strata, clusters, draw, length_stratum, rank

SITUATIONS = ("irony", "hint", "humor", "rejection")


@st.composite
def pools(draw_: st.DrawFn) -> list[Choice]:
    """Some dialogues of several situations and dialects, some of them near duplicates of each other."""
    count = draw_(st.integers(1, 40))
    return [
        Choice(
            draw_(st.sampled_from(["a", "b"])) + str(n % 3),
            f"d{n}",
            draw_(st.sampled_from(SITUATIONS)),
            (draw_(st.sampled_from(["wu", "mandarin"])), draw_(st.sampled_from(["short", "long"]))),
            draw_(st.sampled_from(["", "", "", "x", "y", "z"])),
        )
        for n in range(count)
    ]


@settings(max_examples=60, deadline=None)
@given(pools(), st.integers(1, 40), st.integers(-5, 10**12), st.randoms(use_true_random=False))
def test_the_same_seed_gives_the_same_sample_whatever_the_order(
    pool: list[Choice], n: int, seed: int, chance: random.Random
) -> None:
    first = draw(pool, n, seed)
    shuffled = pool[:]
    chance.shuffle(shuffled)
    assert draw(shuffled, n, seed) == first
    assert len(set(first)) == len(first) <= n


@settings(max_examples=60, deadline=None)
@given(pools(), st.integers(1, 25), st.integers(1, 25), st.integers(0, 99))
def test_a_larger_sample_begins_with_the_smaller_one_and_so_does_an_extended_one(
    pool: list[Choice], n: int, more: int, seed: int
) -> None:
    plain = [Choice(c.source, c.external_id, c.situation, c.strata) for c in pool]
    small = draw(plain, n, seed)
    assert draw(plain, n + more, seed)[: len(small)] == small
    assert small + draw(plain, more, seed, small) == draw(plain, len(small) + more, seed)


@settings(max_examples=60, deadline=None)
@given(pools(), st.integers(1, 40), st.integers(1, 10), st.integers(0, 99))
def test_clusters_are_drawn_whole_or_not_at_all(pool: list[Choice], n: int, more: int, seed: int) -> None:
    drawn = draw(pool, n, seed)
    for taken in (drawn, drawn + draw(pool, more, seed, drawn)):
        for name in "xyz":
            inside = {c for c in pool if c.cluster == name}
            assert inside & set(taken) in (set(), inside)


@settings(max_examples=60, deadline=None)
@given(pools(), st.integers(1, 40), st.integers(0, 99))
def test_shares_are_equal_and_a_rare_situation_gives_all_it_has(pool: list[Choice], n: int, seed: int) -> None:
    plain = [Choice(c.source, c.external_id, c.situation) for c in pool]
    drawn = draw(plain, n, seed)
    assert len(drawn) == min(n, len(plain))
    there = Counter(c.situation for c in plain)
    counts = Counter(c.situation for c in drawn)
    most = max(counts.values())
    for situation, count in there.items():
        assert counts[situation] == count or counts[situation] >= most - 1


@settings(max_examples=40, deadline=None)
@given(pools(), st.integers(1, 40), st.integers(0, 99))
def test_strata_are_balanced_within_a_situation(pool: list[Choice], n: int, seed: int) -> None:
    plain = [Choice(c.source, c.external_id, c.situation, c.strata[:1]) for c in pool]
    drawn = draw(plain, n, seed)
    for situation in SITUATIONS:
        there = Counter(c.strata for c in plain if c.situation == situation)
        counts = Counter(c.strata for c in drawn if c.situation == situation)
        most = max(counts.values(), default=0)
        assert all(counts[s] == m or counts[s] >= most - 1 for s, m in there.items())


def test_another_seed_draws_others() -> None:
    pool = [Choice("s", f"d{n}", SITUATIONS[n % 4]) for n in range(400)]
    one, other = (set(draw(pool, 100, seed)) for seed in (1, 2))
    assert 5 < len(one & other) < 60


def test_a_newcomer_that_resembles_what_was_drawn_comes_first() -> None:
    pool = [Choice("s", f"d{n}", SITUATIONS[n % 4]) for n in range(40)]
    drawn = draw(pool, 4, 7)
    twin = Choice("s", "new", "irony", (), "c")
    before = [Choice(c.source, c.external_id, c.situation, (), "c") if c is drawn[0] else c for c in drawn]
    assert draw([*pool, twin], 3, 7, before)[0] == twin


def test_seed_seven_gives_these_on_every_machine() -> None:
    pool = [Choice("s", f"d{n}", SITUATIONS[n % 4]) for n in range(60)]
    assert [c.external_id for c in draw(pool, 12, 7)] == GOLDEN
    assert rank(7, "dialogue", "对话一").hex()[:16] == "68187ebd1e77df0c"


def test_the_hash_of_a_run_does_not_matter() -> None:
    code = (
        "from curation.sampling import Choice, draw;"
        "print([c.external_id for c in draw([Choice('s', f'd{n}', 'abcd'[n % 4]) for n in range(60)], 12, 7)])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(said) == 1


def test_clusters_do_not_depend_on_order() -> None:
    long = "今天下班早一起去河边走走好不好我请你喝奶茶顺便把上次借的书还给你"
    texts = {
        ("s", "a"): [long],
        ("s", "b"): [long + "对了带伞"],
        ("s", "c"): ["完全不同的另一段话说的是周末要加班没有空出来见面只好改天再约时间"],
    }
    found = clusters(texts, 0.69)
    assert set(found) == {("s", "a"), ("s", "b")}
    assert len(set(found.values())) == 1
    assert clusters(dict(reversed(texts.items())), 0.69) == found


def test_strata_that_there_are_none_of_are_refused() -> None:
    assert check_strata(["dialect", "length"]) == ("dialect", "length")
    for names in (["mood"], ["length", "length"]):
        with pytest.raises(UsageError):
            check_strata(names)
    assert [length_stratum(n) for n in (6, 10, 11, 20, 21)] == ["short", "short", "medium", "medium", "long"]


GOLDEN = ["d11", "d36", "d25", "d58", "d15", "d16", "d13", "d34", "d23", "d0", "d49", "d54"]
