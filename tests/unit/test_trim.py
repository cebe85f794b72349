"""Trimming: what a person asks for is held to the rules."""

from __future__ import annotations

import pytest

from curation.errors import RefusedStep
from curation.model import Message, turns_of
from curation.trim import PROBLEMS, kept_messages, problems


def chat(spec: str) -> list[Message]:
    """One message a character, speaker by character, `.` one with nothing to see."""
    return [Message("我" if c == "." else c, " " if c == "." else f"第{i}句") for i, c in enumerate(spec)]


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
