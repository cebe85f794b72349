"""The released line: the same keys in the same order whatever is known, one line whatever is in the text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.errors import NotFound, RefusedStep
from curation.release import IDENTIFIER_TYPES, RELEASE_FORMAT, data_card, release_record, to_line

MESSAGES = [
    ("self", "在吗"),
    ("other", "\u200b"),
    ("other", "在"),
    ("other", "咋了"),
    ("self", "没事"),
    ("other", "哦"),
]


def shape(value: Any) -> Any:
    """The keys of a record, nested, in order."""
    return [(k, shape(v)) for k, v in value.items()] if isinstance(value, dict) else None


def test_a_record_numbers_turns_and_names_the_situation_in_both_languages() -> None:
    record = release_record("r1", MESSAGES, "hint", dialects=["southwestern"], turns_before=9)
    assert list(record) == [
        "id",
        "messages",
        "turns",
        "situation",
        "situation_zh",
        "situation_en",
        "family",
        "family_zh",
        "family_en",
        "dialects",
        "provenance",
    ]
    assert record["messages"][:3] == [
        {"turn": 1, "speaker": "self", "text": "在吗"},
        {"turn": 2, "speaker": "other", "text": "在"},
        {"turn": 2, "speaker": "other", "text": "咋了"},
    ]
    assert record["turns"] == 4
    assert (record["situation_zh"], record["family_zh"], record["family_en"]) == ("暗示", "言外之意", "Implied Meaning")
    assert record["provenance"]["turns_before"] == 9
    assert record["provenance"]["format"] == RELEASE_FORMAT


def test_two_records_have_the_same_keys_and_no_nulls() -> None:
    bare = release_record("r1", MESSAGES, "hint")
    full = release_record(
        "r2",
        MESSAGES,
        "irony",
        source="a.jsonl",
        rules_version="1",
        identifiers_replaced={"PHONE": 2},
        edits={"space": 1},
        terms="t1",
    )
    assert shape(bare) == shape(full)
    assert "null" not in to_line(bare)
    assert full["provenance"]["identifiers_replaced"]["PHONE"] == 2
    assert list(full["provenance"]["identifiers_replaced"]) == list(IDENTIFIER_TYPES)
    assert bare["provenance"]["turns_before"] == 4


def test_a_kind_not_known_here_is_still_counted() -> None:
    record = release_record("r1", MESSAGES, "hint", edits={"zz": 1, "by_hand": 2})
    assert list(record["provenance"]["edits"])[-2:] == ["by_hand", "zz"]


def test_what_cannot_be_released_is_refused() -> None:
    with pytest.raises(RefusedStep):
        release_record("r1", [("用户", "在吗")], "hint")
    with pytest.raises(RefusedStep, match="r1 has nothing left"):
        release_record("r1", [("self", " ")], "hint")
    with pytest.raises(NotFound):
        release_record("r1", MESSAGES, "暗示")


@given(st.lists(st.tuples(st.sampled_from(["self", "other"]), st.text(st.characters())), min_size=1))
def test_any_text_makes_one_line_of_utf8_that_reads_back(messages: list[tuple[str, str]]) -> None:
    record = release_record("r", [("self", "x"), *messages], "humor")
    line = to_line(record)
    assert line.encode("utf-8").decode("utf-8") == line
    assert line.splitlines(keepends=True) == [line]
    assert json.loads(line) == record


def test_line_breaks_within_a_message_and_lone_surrogates_are_escaped() -> None:
    line = to_line({"text": "一\n二\u2028三\ud800"})
    assert line == '{"text": "一\\n二\\u2028三\\ud800"}\n'


MANIFEST: dict[str, Any] = {
    "title": "Chats: a | sample",
    "version": "1",
    "license": "cc-by-4.0",
    "counts": {"dialogues": 1_200, "messages": 9_000, "turns": 7_000},
    "situations": {"irony": 1_200},
    "dialects": {"wu": 3, "cantonese": 1},
    "versions": {"taxonomy": "2025.1"},
    "limits": ["Names were not looked for."],
    "terms": "For research.\n",
}


def test_the_card_says_what_is_in_the_folder() -> None:
    card = data_card(MANIFEST)
    assert card.startswith('---\nlanguage:\n- zh\npretty_name: "Chats: a | sample"\nlicense: "cc-by-4.0"\n')
    assert '- "1K<n<10K"' in card
    assert "| 言外之意 Implied Meaning | 讽刺 Irony/Sarcasm | `irony` | 1200 |" in card
    assert "| 言外之意 Implied Meaning | 暗示 Hint | `hint` | 0 |" in card
    assert card.index("| cantonese | 1 |") < card.index("| wu | 3 |")
    assert "Names were not looked for." in card
    assert card.endswith("For research.\n")
    assert "None" not in card


def test_the_card_is_the_same_for_the_same_manifest() -> None:
    turned = dict(reversed(MANIFEST.items())) | {"dialects": {"cantonese": 1, "wu": 3}}
    assert data_card(turned) == data_card(MANIFEST)


def test_a_card_can_be_made_of_nothing() -> None:
    card = data_card({})
    assert "# Dialogues" in card
    assert "## 方言" not in card
