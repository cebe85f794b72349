"""Reading JSON: lines and arrays, strictly, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.errors import BadInput
from curation.model import Dialogue, Message, Reading, ReadWarning, Refusal
from curation.readers import FORMATS, read, sniff

SIX = ("你明天有空吗", "有啊，怎么了", "想约你看电影", "好呀", "科幻片", "行，几点")


def record(id: Any = "d1", texts: tuple[str, ...] = SIX, **more: Any) -> str:  # noqa: A002
    messages = [{"speaker": "用户对方"[2 * (n % 2) :][:2], "text": t} for n, t in enumerate(texts)]
    return json.dumps({"id": id, "messages": messages, **more}, ensure_ascii=False)


def readings(tmp_path: Path, data: str | bytes, name: str = "a.jsonl", **options: Any) -> list[Reading]:
    path = tmp_path / name
    path.write_bytes(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
    return list(read(path, **options))


def only(found: list[Reading]) -> Dialogue:
    (dialogue,) = [r for r in found if isinstance(r, Dialogue)]
    return dialogue


def refusals(found: list[Reading]) -> list[tuple[int, str]]:
    return [(r.line, r.code) for r in found if isinstance(r, Refusal)]


def warnings(found: list[Reading]) -> set[str]:
    return {r.code for r in found if isinstance(r, ReadWarning)}


def test_a_record_keeps_its_text_and_every_other_key(tmp_path: Path) -> None:
    found = readings(tmp_path, record(texts=("a\r\nb\n", " c "), source="x", tags=["t", {"k": 1}]) + "\n")
    dialogue = only(found)
    assert [m.text for m in dialogue.messages] == ["a\r\nb\n", " c "]
    assert dialogue.metadata == {"source": "x", "tags": ["t", {"k": 1}]}
    assert dialogue.self_speaker == "用户"
    assert len(found) == 1


def test_what_a_message_says_besides_is_kept_by_its_index(tmp_path: Path) -> None:
    line = '{"id":"d","turns":[{"speaker":"A","text":"x","time":"10:30"},{"speaker":"B","text":"y","mood":{"a":1}}]}\n'
    dialogue = only(readings(tmp_path, line))
    assert dialogue.messages == (Message("A", "x", "10:30"), Message("B", "y"))
    assert dialogue.metadata == {"messages": {"1": {"mood": {"a": 1}}}}


def test_an_integer_id_is_read_as_its_decimal_string(tmp_path: Path) -> None:
    assert only(readings(tmp_path, record(-17) + "\n")).external_id == "-17"


def test_the_same_again_is_passed_over_and_other_content_is_refused(tmp_path: Path) -> None:
    other = record("1", ("x", "y"))
    found = readings(tmp_path, "\n".join([record(1), record("1"), other, record(1), ""]))
    assert only(found).external_id == "1"
    assert refusals(found) == [(3, "id_conflict")]
    assert next(r for r in found if isinstance(r, Refusal)).raw == other


def test_moving_a_letter_to_the_next_message_is_other_content(tmp_path: Path) -> None:
    found = readings(tmp_path, record("d", ("ab", "c")) + "\n" + record("d", ("a", "bc")) + "\n")
    assert refusals(found) == [(2, "id_conflict")]


@pytest.mark.parametrize(
    ("id_", "code"),
    [
        ("", "bad_id"),
        (" a", "bad_id"),
        ("a\u3000", "bad_id"),
        ("a\nb", "bad_id"),
        ("a\u200bb", "bad_id"),
        ("x" * 257, "bad_id"),
        ("../up", "bad_id"),
        ("C:\\x", "bad_id"),
        (1.0, "id_not_string"),
        (True, "id_not_string"),
        (None, "id_not_string"),
    ],
)
def test_an_id_that_cannot_be_one_is_refused(tmp_path: Path, id_: object, code: str) -> None:
    assert refusals(readings(tmp_path, record(id_) + "\n")) == [(1, code)]


@pytest.mark.parametrize("id_", ["对话 1", "dіalog", "a/b", "x" * 256, "00123", "1e5", "a..b"])
def test_any_other_id_is_fine(tmp_path: Path, id_: str) -> None:
    assert only(readings(tmp_path, record(id_) + "\n")).external_id == id_


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"id":"d","id":"d","messages":[{"speaker":"A","text":"x"}]}', "duplicate_key"),
        ('{"id":"d","messages":[{"speaker":"A","text":"x","\\u0074ext":"x"}]}', "duplicate_key"),
        ('{"id":"d","messages":[{"speaker":"A","text" :"x:","text":"x"}]}', "duplicate_key"),
        ('{"id":"d","m":{"a":1,"a":2},"messages":[{"speaker":"A","text":"a: b"}]}', "duplicate_key"),
        ('{"id":"d","messages":[{"speaker":"A","text":"x","e":[{"a":1,"a":1}]}]}', "duplicate_key"),
        ('{"id":"d","n":NaN,"messages":[{"speaker":"A","text":"x"}]}', "non_finite_number"),
        ('{"id":"d","n":-1e999,"messages":[{"speaker":"A","text":"x"}]}', "non_finite_number"),
        ('{"id":"d","n":-9223372036854775809,"messages":[{"speaker":"A","text":"x"}]}', "int_out_of_range"),
        ('{"id":"d","n":' + "1" * 9999 + ',"messages":[{"speaker":"A","text":"x"}]}', "int_out_of_range"),
        ('{"id":"d","n":' + "[" * 40 + "]" * 40 + ',"messages":[{"speaker":"A","text":"x"}]}', "too_deep"),
        ("[" * 100_000 + "]" * 100_000, "too_deep"),
        ('{"id":"d","messages":[{"speaker":"A","text":"x\\u0000"}]}', "nul_char"),
        ('{"id":"d","messages":[{"speaker":"A","text":"x\0"}]}', "nul_char"),
        ('{"id":"d","k\\ud83d":1,"messages":[{"speaker":"A","text":"x"}]}', "lone_surrogate"),
        ('{"id":"d","messages":[{"speaker":"A","text":"\\ude00\\ud83d"}]}', "lone_surrogate"),
        ('{"id":"d","messages":[{"speaker":"A","text":null}]}', "wrong_type"),
        ('{"id":"d","messages":[{"speaker":1,"text":"x"}]}', "wrong_type"),
        ('{"id":"d","messages":[{"speaker":["A"],"text":"x"}]}', "wrong_type"),
        ('{"id":"d","messages":[{"speaker":"A","text":"x","time":1736035200}]}', "wrong_type"),
        ('{"id":"d","messages":[{"speaker":"A","text":"x","time":"2025-02-30 10:00"}]}', "bad_datetime"),
        ('{"id":"d","created_at":"2025/13/1","messages":[{"speaker":"A","text":"x"}]}', "bad_datetime"),
        ('{"id":"d","messages":["A: x"]}', "wrong_type"),
        ('{"id":"d","messages":{"A":"x"}}', "wrong_type"),
        ('{"id":"d","messages":[]}', "no_messages"),
        ('{"id":"d","messages":[{"speaker":"A"}]}', "missing_field"),
        ('{"id":"d"}', "missing_field"),
        ('{"messages":[{"speaker":"A","text":"x"}]}', "missing_field"),
        ('{"id":"d","messages":[],"turns":[]}', "ambiguous_field"),
        ("{'id':'d'}", "json_syntax"),
        ("3", "not_an_object"),
    ],
)
def test_a_record_that_is_not_sound_is_refused_and_the_rest_is_read(tmp_path: Path, line: str, code: str) -> None:
    found = readings(tmp_path, record("before") + "\n" + line + "\n" + record("after") + "\n")
    assert refusals(found) == [(2, code)]
    assert [r.external_id for r in found if isinstance(r, Dialogue)] == ["before", "after"]
    reason = next(r.reason for r in found if isinstance(r, Refusal))
    assert len(reason) < 250
    assert "\0" not in reason


def test_escaped_characters_that_are_whole_are_fine(tmp_path: Path) -> None:
    line = '{"id":"d","messages":[{"speaker":"A","text":"\\ud83d\\ude00 \\\\ud83d \\\\u0000"}]}\n'
    assert only(readings(tmp_path, line)).messages[0].text == "😀 \\ud83d \\u0000"


@pytest.mark.parametrize(
    "time", ["2025-01-05T10:00:00", "2025-01-05T10:00:00+08:00", "05.01.2025", "昨天", "1736035200"]
)
def test_a_time_is_kept_as_written(tmp_path: Path, time: str) -> None:
    line = json.dumps({"id": "d", "messages": [{"speaker": "A", "text": "x", "time": time}]}) + "\n"
    assert only(readings(tmp_path, line)).messages[0].time == time


def test_the_hint_names_a_key_in_other_case(tmp_path: Path) -> None:
    found = readings(tmp_path, '{"ID":"d","messages":[{"speaker":"A","text":"x"}]}\n')
    assert '"ID"' in next(r.reason for r in found if isinstance(r, Refusal))


def test_line_numbers_count_blank_lines_and_newlines_alone(tmp_path: Path) -> None:
    found = readings(tmp_path, "\n" + record(texts=("a\u2028b\x85", "c")) + "\r\n \n{bad}\n")
    assert refusals(found) == [(4, "json_syntax")]
    assert only(found).messages[0].text == "a\u2028b\x85"


def test_a_line_beyond_the_bound_is_refused_and_the_next_is_read(tmp_path: Path) -> None:
    long = record("long", ("啊" * 700_000, "b"))
    found = readings(tmp_path, record("a") + "\n" + long + "\n" + long + "\n" + record("z") + "\n" + long)
    assert refusals(found) == [(2, "line_too_long"), (3, "line_too_long"), (5, "line_too_long")]
    assert [r.external_id for r in found if isinstance(r, Dialogue)] == ["a", "z"]
    assert all(len(r.raw) <= 4096 for r in found if isinstance(r, Refusal))


def test_twenty_thousand_messages_are_one_dialogue(tmp_path: Path) -> None:
    found = readings(tmp_path, record(texts=("晚上吃什么呀",) * 20_000) + "\n")
    assert len(only(found).messages) == 20_000


@pytest.mark.parametrize("keep", range(1, 130, 7))
def test_a_file_cut_short_is_refused_whole(tmp_path: Path, keep: int) -> None:
    whole = record("a") + "\n"
    cut = (whole + record("b", time="2025-01-01", n=[True, 1])).encode()[: len(whole.encode()) + keep]
    with pytest.raises(BadInput) as caught:
        readings(tmp_path, cut)
    assert caught.value.code == "truncated_file"


def test_a_last_line_without_newline_is_read_when_whole(tmp_path: Path) -> None:
    assert len(readings(tmp_path, record("a") + "\n" + record("b"))) == 2


def test_an_array_gives_the_same_as_lines(tmp_path: Path) -> None:
    lines = [record(f"d{n}", time="2025-01-01") for n in range(700)]
    lines[3] = lines[3].replace("}]", ',"n":NaN}]', 1)
    from_lines = readings(tmp_path, "\n".join(lines) + "\n")
    from_array = readings(tmp_path, "[\n" + ",\n".join(lines) + "\n]\n", "a.json")
    assert sniff(tmp_path / "a.json").name == "json"
    assert [r for r in from_array if isinstance(r, Dialogue)] == [r for r in from_lines if isinstance(r, Dialogue)]
    assert refusals(from_lines) == [(4, "non_finite_number")]
    assert refusals(from_array) == [(5, "non_finite_number")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[]", "empty_file"),
        ("[{}", "truncated_file"),
        ("[{},", "truncated_file"),
        ('[{"a":"b', "truncated_file"),
        ("[{} {}]", "json_syntax"),
        ("[{}] x", "json_syntax"),
        ("[{'a':1}]", "json_syntax"),
        ('[{"a":' + "[" * 100_000, "too_deep"),
    ],
)
def test_an_array_that_does_not_hold_together_is_refused_whole(tmp_path: Path, text: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        readings(tmp_path, text, "a.json")
    assert caught.value.code == code


def test_one_object_over_several_lines_is_one_dialogue(tmp_path: Path) -> None:
    data = json.dumps(json.loads(record()), indent=2, ensure_ascii=False)
    assert len(only(readings(tmp_path, data, "a.json")).messages) == 6


def sibench(chat: str, **more: Any) -> str:
    return json.dumps([{"chat_messages": chat, "id": 7, **more}], ensure_ascii=False, indent=4)


@pytest.mark.parametrize(
    ("chat", "messages"),
    [
        ("用户: a\n对方: b", [("用户", "a"), ("对方", "b")]),
        ("\n\n用户:a\n对方：b", [("用户", "a"), ("对方", "b")]),
        ("f用户:  a \n对方: b\n", [("用户", " a "), ("对方", "b\n")]),
        ("用户: a\n1. x\n\n对方: b: c\n 对方: d", [("用户", "a\n1. x\n"), ("对方", "b: c\n 对方: d")]),
        ("用户: \n用户:\t\u3000\n对方:\n\n", [("用户", ""), ("用户", "\t\u3000"), ("对方", "\n\n")]),
        ("用户: a\r\n对方: b\u2028对方: c", [("用户", "a\r"), ("对方", "b\u2028对方: c")]),
    ],
)
def test_sibench_chat_is_split_at_headers_alone(tmp_path: Path, chat: str, messages: list[tuple[str, str]]) -> None:
    dialogue = only(readings(tmp_path, sibench(chat, scenario="言外之意-讽刺"), "s.json"))
    assert [(m.speaker, m.text) for m in dialogue.messages] == messages
    assert dialogue.external_id == "7"
    assert dialogue.self_speaker == "用户"
    assert dialogue.metadata == {"scenario": "言外之意-讽刺"}


def test_sibench_text_before_the_first_header_is_refused(tmp_path: Path) -> None:
    assert refusals(readings(tmp_path, sibench("ff用户: a\n对方: b"), "s.json")) == [(2, "text_before_header")]


def test_a_named_speaker_is_ours_where_it_occurs(tmp_path: Path) -> None:
    found = readings(tmp_path, record(), self_speaker="对方")
    assert only(found).self_speaker == "对方"
    assert warnings(found) == set()
    found = readings(tmp_path, record(), self_speaker="小王")
    assert only(found).self_speaker == "用户"
    assert warnings(found) == {"self_not_found"}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("a\x1b[2J", {"control_chars"}),
        ("a\rb", {"control_chars"}),
        ("a\r\nb\t", set()),
        ("a\u202eb", {"bidi_control"}),
        ("加\u200b微", {"invisible_chars"}),
        ("👨‍👩‍👧🏳️‍🌈❤️", set()),
        ("h" + "\u0301" * 9, {"combining_flood"}),
        ("\ufffd", {"replacement_char"}),
        ("\U0001ffff", {"noncharacters"}),
        ("你好啊朋友".encode().decode("latin-1"), {"control_chars", "mojibake_suspected"}),
        ("café ¡olé! déjà vu", set()),
        ("", {"empty_turn"}),
        (" \u3000", {"empty_turn"}),
    ],
)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_what_is_odd_is_kept_and_said(tmp_path: Path, text: str, codes: set[str], ascii_only: bool) -> None:
    data = json.dumps(json.loads(record(texts=(text, "好"))), ensure_ascii=ascii_only)
    found = readings(tmp_path, data + "\n")
    assert only(found).messages[0].text == text
    assert warnings(found) == codes


def test_one_warning_a_kind_counts_and_names_the_first_line(tmp_path: Path) -> None:
    odd = [record(f"x{n}", ("a\x07", "b")) for n in range(50)]
    found = readings(tmp_path, record() + "\n" + "\n".join(odd) + "\n")
    (warning,) = [r for r in found if isinstance(r, ReadWarning)]
    assert (warning.line, warning.code) == (2, "control_chars")
    assert "50" in warning.reason


def test_the_registry_has_the_five_formats() -> None:
    assert set(FORMATS) == {"sibench_json", "jsonl", "json", "csv", "text"}


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
MESSAGES = st.lists(
    st.builds(Message, TEXT, TEXT, st.one_of(st.none(), st.sampled_from(["10:30", "昨天", "2025-01-05T10:00:00Z"]))),
    min_size=1,
    max_size=6,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    dialogues=st.lists(MESSAGES, min_size=1, max_size=5),
    ascii_only=st.booleans(),
    key=st.sampled_from(["messages", "turns"]),
)
def test_any_dialogues_written_as_lines_read_back_the_same(
    tmp_path: Path, dialogues: list[list[Message]], ascii_only: bool, key: str
) -> None:
    def plain(m: Message) -> dict[str, str]:
        time = {} if m.time is None else {"time": m.time}
        return {"speaker": m.speaker, "text": m.text, **time}

    lines = [
        json.dumps({"id": f"d{n}", key: [plain(m) for m in messages]}, ensure_ascii=ascii_only)
        for n, messages in enumerate(dialogues)
    ]
    found = readings(tmp_path, "\n".join(lines) + "\n")
    assert refusals(found) == []
    assert [list(r.messages) for r in found if isinstance(r, Dialogue)] == dialogues


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    pairs=st.lists(st.tuples(st.sampled_from(["a", "b", "c:", 'd":', " "]), TEXT), max_size=5),
    gap=st.sampled_from(["", " ", "\t"]),
    nested=st.booleans(),
)
def test_a_key_twice_is_found_whatever_the_spacing_and_the_text(
    tmp_path: Path, pairs: list[tuple[str, str]], gap: str, nested: bool
) -> None:
    body = "".join(f",{json.dumps(k)}{gap}:{gap}{json.dumps(v)}" for k, v in pairs)
    inner = body if nested else ""
    outer = "" if nested else body
    line = f'{{"id":"d","messages":[{{"speaker":"A","text":"x:"{inner}}}]{outer}}}\n'
    twice = len({k for k, _ in pairs}) != len(pairs)
    assert refusals(readings(tmp_path, line)) == ([(1, "duplicate_key")] if twice else [])
