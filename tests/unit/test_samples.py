"""The samples hold what their README says they hold. Read with the standard library alone."""

from __future__ import annotations

import csv
import difflib
import itertools
import json
import re
import unicodedata
from collections import Counter
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from curation.model import Message, turns_of

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
SITUATIONS = {
    "euphemism",
    "irony",
    "humor",
    "hint",
    "ambiguity",
    "vagueness",
    "rejection",
    "push_pull",
    "value_test",
    "authenticity_test",
    "commitment_test",
    "counter_test",
}
NOT_CANDIDATES = {"chat-037", "chat-038", "chat-039", "chat-040", "chat-042"}
LONG = {"chat-034", "chat-035", "chat-036"}

Record = dict[str, Any]


def lines_of(name: str) -> list[Record]:
    text = (SAMPLES / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


CHATS: dict[str, Record] = {record["id"]: record for record in lines_of("chats.jsonl")}
ANSWERS = lines_of("answers.jsonl")


def texts(dialogue: str) -> list[str]:
    return [m["text"] for m in CHATS[dialogue]["messages"]]


def speakers(dialogue: str) -> list[str]:
    return [m["speaker"] for m in CHATS[dialogue]["messages"]]


def turn_count(labels: list[str]) -> int:
    return len(list(itertools.groupby(labels)))


def verdicts(dialogue: str) -> dict[str, str | None]:
    """Who said what: the situation, or None for not keeping."""
    return {
        a["by"]: a["situation"] if a["keep"] else None
        for a in ANSWERS
        if a["kind"] == "screening" and a["dialogue"] == dialogue
    }


def outcomes() -> dict[str, str | None]:
    """Dialogue to `agreed:SITUATION`, `dropped` or `disputed`, for what was screened."""
    found: dict[str, str | None] = {}
    for dialogue in CHATS:
        said = list(verdicts(dialogue).values())
        if said:
            same = said[0] == said[1]
            found[dialogue] = ("dropped" if said[0] is None else f"agreed:{said[0]}") if same else "disputed"
    return found


def check_digit(first17: str) -> str:
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return "10X98765432"[sum(int(d) * w for d, w in zip(first17, weights, strict=True)) % 11]


def luhn(number: str) -> bool:
    doubled = (int(d) * (1 + i % 2) for i, d in enumerate(reversed(number)))
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def plain_digits(text: str) -> str:
    """The digits of `text` as ASCII, whatever form they have, spaces left out."""
    values = ((c, unicodedata.digit(c, None)) for c in text if not c.isspace())
    return "".join(c if v is None else str(v) for c, v in values)


def test_ids_are_unique_and_records_have_one_shape() -> None:
    records = lines_of("chats.jsonl")
    assert len(records) == len(CHATS) == 45
    for record in records:
        assert set(record) == {"id", "app", "messages"}
        assert record["app"] == "invented"
        for message in record["messages"]:
            assert {"speaker", "text"} <= set(message) <= {"speaker", "text", "time"}
            assert message["text"].strip()


def test_no_dialogue_is_there_twice() -> None:
    assert len({tuple(texts(d)) for d in CHATS}) == len(CHATS)


@pytest.mark.parametrize("dialogue", sorted(set(CHATS) - NOT_CANDIDATES))
def test_candidates_pass_the_rules(dialogue: str) -> None:
    labels = speakers(dialogue)
    assert set(labels) == {"我", "对方"}
    assert labels[-1] == "对方"
    turns = turn_count(labels)
    assert (34 <= turns <= 48) if dialogue in LONG else (6 <= turns <= 20)


@pytest.mark.parametrize("dialogue", sorted(CHATS))
def test_turns_are_counted_as_the_model_counts_them(dialogue: str) -> None:
    messages = [Message(m["speaker"], m["text"]) for m in CHATS[dialogue]["messages"]]
    assert len(turns_of(messages)) == turn_count(speakers(dialogue))


def test_those_that_fail_fail_for_one_reason() -> None:
    for short, turns in (("chat-037", 3), ("chat-038", 4)):
        assert turn_count(speakers(short)) == turns
        assert speakers(short)[-1] == "对方"
    assert speakers("chat-039")[-1] == "我"
    assert set(speakers("chat-039")) == {"我", "对方"}
    assert turn_count(speakers("chat-039")) >= 6
    assert set(speakers("chat-040")) == {"我", "对方", "小雨"}
    assert speakers("chat-040")[-1] == "对方"
    assert turn_count(speakers("chat-040")) >= 6


def test_the_near_duplicate_is_the_other_with_its_head_gone_and_two_words_changed() -> None:
    whole, part = texts("chat-041"), texts("chat-042")
    head = len(whole) - len(part)
    assert turn_count(speakers("chat-041")) - turn_count(speakers("chat-042")) == 2
    assert speakers("chat-041")[head:] == speakers("chat-042")
    assert turn_count(speakers("chat-042")) >= 6
    assert speakers("chat-042")[-1] == "对方"
    assert sum(a != b for a, b in zip(whole[head:], part, strict=True)) == 2


def test_no_other_pair_is_alike() -> None:
    joined = {d: "\n".join(texts(d)) for d in CHATS if d != "chat-042"}
    for one, two in itertools.combinations(joined.values(), 2):
        matcher = difflib.SequenceMatcher(None, one, two, autojunk=False)
        assert matcher.quick_ratio() < 0.69 or matcher.ratio() < 0.5


def test_many_end_with_a_last_turn_of_several_messages() -> None:
    lasts = [len([list(g) for _, g in itertools.groupby(speakers(d))][-1]) for d in outcomes()]
    assert sum(n >= 2 for n in lasts) >= 30
    assert max(lasts) <= 4


def test_messages_are_short() -> None:
    lengths = [len(t) for d in CHATS for t in texts(d)]
    assert sum(n <= 15 for n in lengths) / len(lengths) > 0.85
    assert max(lengths) < 60


def test_some_have_times_that_never_go_back() -> None:
    timed = [d for d, r in CHATS.items() if "time" in r["messages"][0]]
    assert 10 <= len(timed) < len(CHATS)
    for dialogue, record in CHATS.items():
        times = [m["time"] for m in record["messages"] if "time" in m]
        assert len(times) in (0, len(record["messages"])), dialogue
        parsed = [datetime.fromisoformat(t) for t in times]
        assert parsed == sorted(parsed)
        assert all(t.tzinfo is None and t.isoformat() == s for t, s in zip(parsed, times, strict=True))


@pytest.mark.parametrize(
    ("dialogues", "words", "traditional"),
    [
        ("006", "系 喺 冇 遮 俾 屋企", False),
        ("025", "咩 係 喺 咗 嘅 瞓覺 而家", True),
        ("038", "食咗 饮 啲", False),
        ("003 028", "啥子 噻 晓得", False),
        ("002 014 035", "咋整", False),
        ("002 035", "嘎哈 寻思", False),
        ("035", "唠嗑 搁家 造了", False),
        ("008 043", "侬 伐 阿拉 老 额", False),
        ("017", "睏未 阮 毋過 歹勢 齁", True),
        ("023", "毋通 按怎 這馬 免 矣", True),
        ("012 036", "俺 恁 中 咋", False),
        ("030", "咥 额 咧 嫽得很", False),
    ],
)
def test_dialects(dialogues: str, words: str, traditional: bool) -> None:
    for number in dialogues.split():
        everything = "".join(texts(f"chat-{number}"))
        assert [w for w in words.split() if w not in everything] == [], number
        # Characters that simplified script writes otherwise.
        assert bool(re.search("[這裡還對來沒說過會們點無試邊]", everything)) is traditional


def test_resident_numbers_and_cards_have_valid_check_digits_and_belong_to_no_one() -> None:
    numbers = {d: re.findall(r"\d{17}[\dX]", "\n".join(texts(d))) for d in ("chat-020", "chat-021")}
    for found in numbers.values():
        assert len(found) == 1
        assert found[0].startswith("990000")
        assert check_digit(found[0][:17]) == found[0][17]
        assert date.fromisoformat(found[0][6:14]).year in (1988, 1990)
    for dialogue, length in (("chat-014", 16), ("chat-028", 19)):
        [card] = re.findall(r"62220{8}\d+", plain_digits("\n".join(texts(dialogue))))
        assert len(card) == length
        assert luhn(card)


def test_mobiles_in_every_form() -> None:
    found = {
        dialogue: re.findall(r"1(?:380000|999900)\d{4}", plain_digits("\n".join(texts(dialogue))))
        for dialogue in ("chat-015", "chat-028", "chat-029", "chat-031", "chat-032")
    }
    assert found == {
        "chat-015": ["13800001234"],
        "chat-028": ["13800005678"],
        "chat-029": ["19999000417"],
        "chat-031": ["19999004567"],
        "chat-032": ["13800004321"],
    }
    assert "１３８００００５６７８" in "".join(texts("chat-028"))
    assert "199 9900 0417" in "".join(texts("chat-029"))
    place = texts("chat-031").index("1999900")
    assert texts("chat-031")[place + 1] == "4567"
    assert speakers("chat-031")[place : place + 2] == ["我", "我"]
    assert "①③⑧⓪⓪⓪⓪④③②①" in "".join(texts("chat-032"))


def test_no_long_number_but_the_invented_ones() -> None:
    invented = re.compile(r"1380000\d{4}|199990?0?\d{0,5}|990000\d{11}[\dX]|62220{8}\d+|9990000012|0{9}1234")
    for dialogue in CHATS:
        for text in texts(dialogue):
            for number in re.findall(r"\d{6,}[X]?", plain_digits(text)):
                assert invented.fullmatch(number), (dialogue, number)


def test_addresses_are_at_example_domains() -> None:
    everything = "\n".join(t for d in CHATS for t in texts(d))
    assert re.findall(r"\w+@([\w.]+)", everything) == ["example.org", "example.com"]
    assert re.findall(r"https?://([\w.]+)", everything) == ["example.com"]
    assert "微信号 example_awei88" in everything
    assert "qq 9990000012" in everything
    assert "SF0000000001234" in everything
    assert "川A00000" in everything


def test_hostile_and_odd_text() -> None:
    controls = {d for d in CHATS for t in texts(d) if any(ord(c) < 32 and c != "\n" for c in t)}
    assert controls == {"chat-026"}
    assert any("\x1b[31m" in t for t in texts("chat-026"))
    assert any("[doge]" in t for t in texts("chat-026"))
    assert "[/" in texts("chat-026")
    assert {d for d in CHATS for t in texts(d) if "\n" in t} == {"chat-027"}
    odd = "\n".join(texts("chat-033"))
    assert all(mark in odd for mark in ("\u00a0", "\u200b", "\u3000", "ＰＰＴ", "  ", " \n"))
    assert {d for d in CHATS for t in texts(d) if "\u00a0" in t or "\u200b" in t} == {"chat-033"}


def test_every_candidate_has_one_answer_of_each_and_nothing_else_has_any() -> None:
    screening = Counter((a["dialogue"], a["by"]) for a in ANSWERS if a["kind"] == "screening")
    assert set(screening.values()) == {1}
    expected = {(d, by) for d in set(CHATS) - NOT_CANDIDATES for by in ("小林", "阿哲")}
    assert set(screening) == expected


def test_answers_have_the_shape_of_decisions() -> None:
    for answer in ANSWERS:
        assert answer["kind"] in ("screening", "ruling")
        assert type(answer["keep"]) is bool
        if answer["keep"]:
            assert answer["situation"] in SITUATIONS
        else:
            assert "situation" not in answer
        if answer["kind"] == "screening":
            assert answer["rationale"].endswith("。")
            assert answer["rationale"].count("。") == 1
            assert len(answer["rationale"]) >= 15
    rationales = [a["rationale"] for a in ANSWERS if a["kind"] == "screening"]
    assert len(set(rationales)) == len(rationales)


def test_what_the_two_made_of_them() -> None:
    found = outcomes()
    assert Counter(str(o).split(":")[0] for o in found.values()) == {
        "agreed": 35,
        "disputed": 3,
        "dropped": 2,
    }
    assert {d for d, o in found.items() if o == "disputed"} == {"chat-033", "chat-041", "chat-043"}
    assert verdicts("chat-043") == {"小林": "hint", "阿哲": None}
    assert {d for d, o in found.items() if o == "dropped"} == {"chat-044", "chat-045"}


def test_each_situation_is_agreed_at_least_twice_in_six_to_twenty_turns() -> None:
    agreed = Counter(
        str(o).removeprefix("agreed:")
        for d, o in outcomes().items()
        if str(o).startswith("agreed:") and 6 <= turn_count(speakers(d)) <= 20
    )
    assert set(agreed) == SITUATIONS
    assert min(agreed.values()) >= 2


def test_one_dispute_is_ruled_on() -> None:
    [ruling] = [a for a in ANSWERS if a["kind"] == "ruling"]
    assert ruling["by"] == "curator"
    assert outcomes()[ruling["dialogue"]] == "disputed"
    assert ruling["situation"] in verdicts(ruling["dialogue"]).values()


def test_readme_lists_each_dialogue_with_its_turns_and_outcome() -> None:
    rows = re.findall(r"^\| (chat-\d{3}) \| (\d+) \| ([^|]+) \|", (SAMPLES / "README.md").read_text("utf-8"), re.M)
    assert [r[0] for r in rows] == list(CHATS)
    for dialogue, turns, said in rows:
        assert int(turns) == turn_count(speakers(dialogue))
        outcome = outcomes().get(dialogue) or "not a candidate"
        assert said.startswith(outcome.removeprefix("agreed:"))


def test_plain_lines() -> None:
    blocks = (SAMPLES / "chats_line.txt").read_text(encoding="utf-8").strip("\n").split("\n\n")
    assert len(blocks) == 3
    for block in blocks:
        heads = [re.match(r"(用户|对方): \S", line) for line in block.split("\n")]
        labels = [h.group(1) for h in heads if h]
        assert len(labels) == len(heads)
        assert labels[-1] == "对方"
        assert turn_count(labels) >= 6


def test_table() -> None:
    with (SAMPLES / "table.csv").open(encoding="utf-8", newline="") as source:
        rows = list(csv.DictReader(source, strict=True))
    assert list(rows[0]) == ["dialogue_id", "speaker", "text", "time"]
    groups = {k: list(g) for k, g in itertools.groupby(rows, key=lambda r: r["dialogue_id"])}
    assert list(groups) == ["table-1", "table-2"]
    for group in groups.values():
        labels = [r["speaker"] for r in group]
        assert set(labels) == {"我", "对方"}
        assert labels[-1] == "对方"
        assert turn_count(labels) >= 6
    assert all(datetime.fromisoformat(r["time"]) for r in groups["table-1"])
    # A comma and quotes inside a cell: what a table reader gets wrong first.
    assert any("," in r["text"] for r in rows)
    assert any('"' in r["text"] for r in rows)
