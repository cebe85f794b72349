"""Reading CSV tables and plain text."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.errors import BadInput, UsageError
from curation.model import Dialogue, Message, Reading, ReadWarning, Refusal
from curation.readers import read

HEAD = "dialogue_id,speaker,text\n"


def readings(tmp_path: Path, data: str, name: str = "chat.csv", **options: Any) -> list[Reading]:
    path = tmp_path / name
    path.write_bytes(data.encode())
    return list(read(path, **options))


def texts(found: list[Reading]) -> dict[str, list[str]]:
    return {r.external_id: [m.text for m in r.messages] for r in found if isinstance(r, Dialogue)}


def refusals(found: list[Reading]) -> list[tuple[int, str]]:
    return [(r.line, r.code) for r in found if isinstance(r, Refusal)]


def code_of(tmp_path: Path, data: str, name: str = "chat.csv", **options: Any) -> str:
    with pytest.raises(BadInput) as caught:
        readings(tmp_path, data, name, **options)
    return caught.value.code


def test_rows_become_dialogues_and_nothing_is_converted(tmp_path: Path) -> None:
    data = (
        "\ufeff"
        + HEAD.replace("\n", ",time,mood\n")
        + '00123,我,"a,\r\n""b""",10:30,1e5\n00123,她,=1+1,,2\n1e5,我,x,,\n'
    )
    found = readings(tmp_path, data)
    first, second = (r for r in found if isinstance(r, Dialogue))
    assert (first.external_id, second.external_id) == ("00123", "1e5")
    assert first.messages == (Message("我", 'a,\r\n"b"', "10:30"), Message("她", "=1+1"))
    assert first.self_speaker == "我"
    assert first.metadata == {"messages": {"0": {"mood": "1e5"}, "1": {"mood": "2"}}}


def test_rows_that_do_not_stand_together_are_put_together(tmp_path: Path) -> None:
    found = readings(tmp_path, HEAD + "a,A,1\nb,A,2\na,B,3\nb,B,4\n")
    assert texts(found) == {"a": ["1", "3"], "b": ["2", "4"]}
    assert {r.code for r in found if isinstance(r, ReadWarning)} == {"not_grouped"}


def test_columns_can_be_mapped_and_are_known_in_chinese(tmp_path: Path) -> None:
    assert texts(readings(tmp_path, "会话,发送人,内容,时间\nd,A,x,10:30\n")) == {"d": ["x"]}
    columns = {"id": "k", "speaker": "who", "text": "what"}
    assert texts(readings(tmp_path, "k,who,what,text\nd,A,x,y\n", columns=columns)) == {"d": ["x"]}
    assert code_of(tmp_path, HEAD + "d,A,x\n", columns={"text": "none"}) == "csv_header"
    with pytest.raises(UsageError):
        readings(tmp_path, HEAD + "d,A,x\n", columns={"wer": "speaker"})


def test_tabs_are_told_from_commas_and_semicolons_are_refused(tmp_path: Path) -> None:
    assert texts(readings(tmp_path, HEAD.replace(",", "\t") + "d\tA\tx,y\n")) == {"d": ["x,y"]}
    assert code_of(tmp_path, HEAD.replace(",", ";") + "d;A;x\n") == "csv_header"


def test_without_an_id_column_the_file_is_one_dialogue(tmp_path: Path) -> None:
    found = readings(tmp_path, "speaker,text\nA,x\nB,y\n")
    assert texts(found) == {"chat": ["x", "y"]}
    assert {r.code for r in found if isinstance(r, ReadWarning)} == {"no_id_column"}


def test_a_refused_row_takes_its_dialogue_with_it_and_no_other(tmp_path: Path) -> None:
    found = readings(tmp_path, HEAD + "a,A,1\na,B\na,A,3\nb,A,4\nc,A,5\0\nd,A," + "长" * 140_000 + "\n")
    assert texts(found) == {"b": ["4"]}
    assert refusals(found) == [(3, "csv_columns"), (2, "incomplete_dialogue"), (6, "nul_char"), (7, "field_too_long")]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (HEAD, "empty_file"),
        ("text,text\na,b\n", "csv_header"),
        ("a,b\n1,2\n", "csv_header"),
        (HEAD + 'd,A,"open\nd,B,x\n', "csv_quote"),
        (HEAD + 'd,A,"a"b\n', "csv_quote"),
        (HEAD + "d,A,x\n" + 'd,B,"' + "y\n" * 1_200_000, "csv_quote"),
    ],
)
def test_a_table_that_cannot_be_trusted_is_refused_whole(tmp_path: Path, data: str, code: str) -> None:
    assert code_of(tmp_path, data) == code


def test_line_numbers_count_lines_inside_quotes(tmp_path: Path) -> None:
    assert refusals(readings(tmp_path, HEAD + 'd,A,"1\n2\n3"\n\ne,B\n')) == [(6, "csv_columns")]


CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=8)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rows=st.lists(st.tuples(st.sampled_from("abc"), CELL, CELL), min_size=1, max_size=8))
def test_any_table_written_by_the_csv_module_reads_back(tmp_path: Path, rows: list[tuple[str, str, str]]) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([("id", "speaker", "text"), *rows])
    expected: dict[str, list[tuple[str, str]]] = {}
    for key, speaker, text in rows:
        expected.setdefault(key, []).append((speaker, text))
    found = readings(tmp_path, out.getvalue())
    got = {r.external_id: [(m.speaker, m.text) for m in r.messages] for r in found if isinstance(r, Dialogue)}
    assert got == expected


def test_blank_lines_before_a_label_separate_dialogues(tmp_path: Path) -> None:
    data = "\n用户: a\n对方：b\r\nc\n\nd\n\n\n用户:  e\n对方:f\n\n"
    found = readings(tmp_path, data, "chat.txt")
    assert texts(found) == {"chat-1": ["a", "b\nc\n\nd"], "chat-2": [" e", "f"]}
    assert next(r for r in found if isinstance(r, Dialogue)).self_speaker == "用户"


def test_where_there_are_rules_they_alone_separate(tmp_path: Path) -> None:
    data = "用户: a\n\n对方: b\n---\n\n用户: c\n对方: d\n---\nno label\n=====\n用户: e\n"
    found = readings(tmp_path, data, "chat.txt")
    assert texts(found) == {"chat-1": ["a", "b"], "chat-2": ["c", "d\n---\nno label"], "chat-3": ["e"]}


def test_a_blank_line_after_every_message_is_spacing(tmp_path: Path) -> None:
    found = readings(tmp_path, "用户: a\n\n对方: b\n\n用户: c\n", "chat.txt")
    assert texts(found) == {"chat-1": ["a", "b", "c"]}
    assert {r.code for r in found if isinstance(r, ReadWarning)} == {"blank_lines_ignored"}


def test_other_labels_count_when_ours_is_named(tmp_path: Path) -> None:
    data = "小满：晚上吃啥\n阿谦： 火锅？\n小满:太辣\n\n阿谦：那就\n粥\n小满：时间：七点\nhttp://x\n12:30 见\n"
    found = readings(tmp_path, data, "chat.txt", self_speaker="阿谦", format="text")
    assert texts(found) == {"chat-1": ["晚上吃啥", "火锅？", "太辣", "那就\n粥", "时间：七点\nhttp://x\n12:30 见"]}
    assert next(r for r in found if isinstance(r, Dialogue)).self_speaker == "阿谦"
    assert code_of(tmp_path, data, "chat.txt", format="text") == "no_speakers"


def test_text_without_a_speaker_is_refused_with_its_line(tmp_path: Path) -> None:
    found = readings(tmp_path, "标题\n用户: a\n对方: b\n", "chat.txt", format="text")
    assert refusals(found) == [(1, "text_before_header")]
    assert texts(found) == {"chat-1": ["a", "b"]}


LINES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8).filter(
    lambda t: t.strip() == t and not t.startswith(("用户", "对方")) and set(t) - set("-=*—")
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    dialogues=st.lists(
        st.lists(st.tuples(st.sampled_from(["用户", "对方"]), LINES), min_size=2, max_size=5), min_size=1
    )
)
def test_any_dialogues_written_as_text_read_back(tmp_path: Path, dialogues: list[list[tuple[str, str]]]) -> None:
    data = "\n\n".join("\n".join(f"{s}: {t}" for s, t in d) for d in dialogues)
    found = readings(tmp_path, data, "chat.txt")
    assert [[(m.speaker, m.text) for m in r.messages] for r in found if isinstance(r, Dialogue)] == dialogues
