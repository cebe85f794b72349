"""The candidate rules, each tripped alone, and the order they are tried in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.candidates import RULE_CODES, first_failure
from curation.model import Dialogue, Message
from curation.settings import Settings


def dialogue(spec: str, self_speaker: str | None = "我", text: str = "好的") -> Dialogue:
    """`我他我`: one message each; a blank stands for a message of the speaker before with nothing to see."""
    messages: list[Message] = []
    for char in spec:
        messages.append(Message("我", "\u200b ") if char == " " else Message(char, text))
    return Dialogue("1", tuple(messages), self_speaker)


def test_six_turns_that_end_with_the_other_party_are_a_candidate() -> None:
    assert first_failure(dialogue("我他我他我他"), Settings()) is None


@pytest.mark.parametrize(
    ("spec", "self_speaker", "settings", "code"),
    [
        ("", "我", Settings(), "not_two_party"),
        ("我我我我我我", "我", Settings(), "not_two_party"),
        ("我他我她我他", "我", Settings(), "not_two_party"),
        ("我他我他我他", None, Settings(), "self_unknown"),
        ("我他我他我他", "张", Settings(), "self_unknown"),
        ("他我他我他我", "我", Settings(), "ends_with_self"),
        ("我他我他他他他", "我", Settings(), "too_few_turns"),
        ("我他我他我他我他", "我", Settings(max_turns=7), "too_many_turns"),
        ("我他我他我他", "我", Settings(max_characters=11), "too_long"),
        ("我我我他他", "我", Settings(turn_unit="message"), "too_few_turns"),
    ],
)
def test_each_rule_has_its_code(spec: str, self_speaker: str | None, settings: Settings, code: str) -> None:
    assert first_failure(dialogue(spec, self_speaker), settings) == code
    assert code in RULE_CODES


def test_limits_are_inclusive() -> None:
    limits = Settings(max_turns=6, max_characters=12)
    assert first_failure(dialogue("我他我他我他"), limits) is None


def test_the_unit_may_be_the_message() -> None:
    assert first_failure(dialogue("我我我他他他"), Settings()) == "too_few_turns"
    assert first_failure(dialogue("我我我他他他"), Settings(turn_unit="message")) is None


def test_messages_with_nothing_to_see_neither_speak_nor_end() -> None:
    assert first_failure(dialogue("我他我他我他 "), Settings()) is None
    assert first_failure(dialogue("  他他他"), Settings()) == "not_two_party"
    # An unseen message between two by one speaker makes no turn of its own.
    assert first_failure(dialogue("我他我他 他"), Settings(min_turns=4)) is None
    assert first_failure(dialogue("我他我他 他"), Settings(min_turns=5)) == "too_few_turns"


def test_the_first_of_several_failures_is_named() -> None:
    assert first_failure(dialogue("他我", None), Settings()) == "self_unknown"
    assert first_failure(dialogue("他我"), Settings()) == "ends_with_self"
    assert list(RULE_CODES) == [
        "not_two_party",
        "self_unknown",
        "ends_with_self",
        "too_few_turns",
        "too_many_turns",
        "too_long",
        "near_duplicate",
    ]


@given(st.text("我他 ", max_size=20), st.integers(1, 9))
def test_turns_are_counted_as_the_model_counts_them(spec: str, least: int) -> None:
    one = dialogue(spec)
    code = first_failure(one, Settings(min_turns=least))
    if code in (None, "too_few_turns"):
        assert (code is None) == (len(one.turns) >= least)
