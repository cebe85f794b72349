"""Trimming: what is proposed keeps the rules, what a person asks for is held to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.errors import RefusedStep, UsageError
from curation.model import Message, turns_of
from curation.trim import PROBLEMS, kept_messages, problems, propose


def chat(spec: str, texts: dict[int, str] | None = None) -> list[Message]:
    """One message a character, speaker by character, `.` one with nothing to see."""
    return [
        Message("我" if c == "." else c, " " if c == "." else (texts or {}).get(i, f"第{i}句"))
        for i, c in enumerate(spec)
    ]


SPECS = st.text("我他.", max_size=60)


def test_a_dialogue_within_the_limit_stays_whole() -> None:
    found = propose(chat("我他我他我他"), self_speaker="我", max_turns=6)
    assert (found.first_turn, found.kept_turns, found.changes) == (1, (1, 2, 3, 4, 5, 6), False)


def test_no_limit_takes_nothing_out() -> None:
    assert not propose(chat("我他" * 40), self_speaker="我", max_turns=0).changes


def test_a_greeting_is_preferred_as_the_opening() -> None:
    messages = chat("我他" * 10, {12: "哈喽，在吗"})
    found = propose(messages, self_speaker="我", max_turns=10)
    assert found.first_turn == 13
    assert found.kept_turns == tuple(range(13, 21))


def test_a_mere_reaction_is_no_opening() -> None:
    messages = chat("我他" * 10, {10: "[/偷笑]哈哈", 11: "你周末干嘛？"})
    assert propose(messages, self_speaker="我", max_turns=10).first_turn == 12


def test_a_long_pause_is_the_best_opening() -> None:
    messages = [
        Message("我" if i % 2 else "他", "今天累了", f"2024-05-0{1 + (i >= 13)}T10:{i:02}:00") for i in range(20)
    ]
    assert propose(messages, self_speaker="我", max_turns=10).first_turn == 14


def test_at_least_half_of_what_is_allowed_stays() -> None:
    messages = chat("我他" * 20, {39 - 7: "你好", 38: "你好"})
    found = propose(messages, self_speaker="我", max_turns=20)
    assert 10 <= found.turns_after <= 20


def test_limits_that_exclude_each_other_are_wrong_usage() -> None:
    with pytest.raises(UsageError):
        propose(chat("我他"), self_speaker=None, max_turns=5, min_turns=6)


@given(SPECS, st.integers(6, 30))
def test_every_proposal_keeps_the_rules(spec: str, most: int) -> None:
    messages = chat(spec)
    before = turns_of(messages)
    found = propose(messages, self_speaker="我", max_turns=most)
    assert found.turns_before == len(before)
    assert found.turns_after == min(found.turns_after, most)
    assert found.last_turn_whole
    if before:
        kept = kept_messages(messages, found.first_turn, found.removed_turns)
        assert len(turns_of(messages, kept)) == found.turns_after == len(found.kept_turns)
        assert set(before[-1].messages) <= set(kept)
        assert "last_turn_cut" not in problems(messages, kept, 6)
        if len(before) >= 6:
            assert "too_few_turns" not in problems(messages, kept, 6)


def test_the_last_turn_is_never_cut() -> None:
    messages = chat("我他我他他他")
    with pytest.raises(RefusedStep) as refused:
        kept_messages(messages, 1, [4])
    assert refused.value.code == "last_turn_cut"
    assert kept_messages(messages, 4) == (3, 4, 5)


@pytest.mark.parametrize(("first", "removed"), [(0, []), (7, []), (1, [0]), (1, [9]), (-1, [])])
def test_turns_that_are_not_there_are_refused(first: int, removed: list[int]) -> None:
    with pytest.raises(RefusedStep) as refused:
        kept_messages(chat("我他我他我他"), first, removed)
    assert refused.value.code == "unknown_turn"


def test_turns_taken_out_of_the_middle_take_all_their_messages() -> None:
    messages = chat("我我他他.我他")
    assert kept_messages(messages, 1, [2]) == (0, 1, 5, 6)
    assert kept_messages(messages, 2, []) == (2, 3, 4, 5, 6)


def test_neighbours_that_become_one_turn_count_once() -> None:
    messages = chat("我他我他我他我他")
    kept = kept_messages(messages, 1, [2])
    assert len(turns_of(messages, kept)) == 6
    assert problems(messages, kept, 6) == []
    assert problems(messages, kept, 7) == ["too_few_turns"]


def test_problems_are_named_and_have_words() -> None:
    messages = chat("我他我他我他他")
    assert problems(messages, range(7), 6, self_speaker="我") == []
    assert problems(messages, range(6), 6) == ["last_turn_cut"]
    assert problems(messages, range(5), 6, self_speaker="我") == list(PROBLEMS)
    assert problems(messages, (3, 4, 5, 6), 4, unit="message") == []
    assert problems(messages, (), 1) == ["too_few_turns", "last_turn_cut"]


def test_an_unseen_message_after_the_end_may_go() -> None:
    assert problems(chat("我他我他我他."), range(6), 6) == []
