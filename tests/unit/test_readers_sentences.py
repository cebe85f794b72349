"""What readers say: every sentence is a template of the catalogue and its parameters, never words put together."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import curation.readers
from curation.errors import BadInput, Phrase
from curation.model import ReadWarning, Refusal
from curation.readers import read
from curation.readers.phrases import phrase
from curation.wording import filled
from screens.locale.catalogue import found as sentences

KNOWN = frozenset(sentences())
HEAD = "id,speaker,text,time\n"


def record(**changed: Any) -> str:
    whole = {"id": "a", "messages": [{"speaker": "我", "text": "在吗"}, {"speaker": "她", "text": "在"}]}
    return json.dumps({**whole, **changed}, ensure_ascii=False)


def said(**message: Any) -> str:
    return record(messages=[{"speaker": "我", "text": "在吗"}, message])


LINES = {
    "no value": "",
    "not an object": "[1]",
    "no JSON": '{"id": }',
    "no key": "{1}",
    "no colon": '{"id" 1}',
    "no comma": '{"id": 1 2}',
    "escape": '{"id": "\\q"}',
    "short escape": '{"id": "\\u12"}',
    "raw control": '{"id": "\x01"}',
    "open string": '{"id": "a',
    "extra": record() + " more",
    "NUL outside": '{"id":\0 1}',
    "NUL inside": '{"id": "a", "messages": "\\u0000"}',
    "NUL in a key": '{"\\u0000": 1}',
    "NUL in an inner key": '{"id": {"\\u0000": 1}}',
    "surrogate": '{"id": "\\ud800"}',
    "integer": '{"id": 123456789012345678901234}',
    "real": '{"id": 1e999}',
    "NaN": '{"id": NaN}',
    "twice": '{"id": "a", "id": "b", "messages": []}',
    "deep": record(x=json.loads("[" * 40 + "]" * 40)),
    "too deep to parse": "[" * 100_000,
    "keys": record(x={str(n): n for n in range(1001)}),
    "no id": '{"messages": []}',
    "misspelt": '{"ID{0}": 1, "ID": "a", "messages": []}',
    "no messages": '{"id": "a"}',
    "both": record(turns=[]),
    "empty": record(messages=[]),
    "not a list": record(messages="{x}"),
    "text in the list": record(messages=["x"]),
    "no text": said(speaker="她"),
    "text no text": said(speaker="她", text=1),
    "time no text": said(speaker="她", text="在", time=1),
    "month": said(speaker="她", text="在", time="2025-13-01"),
    "day": said(speaker="她", text="在", time="2025-02-30 10:00"),
    "hour": said(speaker="她", text="在", time="2025-02-03 25:00"),
    "year": record(time="0000-01-01"),
    "score": record(score=True),
    "id no text": record(id=[1]),
    "id empty": record(id=""),
    "id invisible": record(id="a\u200b"),
    "id path": record(id="../{a}"),
    "long": record(x="字" * 700_000),
    "chat no text": '{"id": "a", "chat_messages": 1}',
    "chat before": '{"id": "a", "chat_messages": "嗯{0}\\n用户: 在"}',
    "controls": said(speaker="她", text="\x1b[2J \x9b"),
    "bidi": said(speaker="她", text="\u202e"),
    "invisible": said(speaker="她", text="在\u200b吗"),
    "lost": said(speaker="她", text="\ufffd"),
    "noncharacter": said(speaker="她", text="\ufdd0"),
    "marks": said(speaker="她", text="a" + "\u0301" * 9),
    "mojibake": said(speaker="她", text="今天天气很好啊".encode().decode("latin-1")),
    "blank": said(speaker="她", text=" "),
    "alone": said(speaker="我", text="在"),
    "nobody": said(speaker="", text="在"),
}
FILES: dict[str, tuple[str, str | bytes]] = {
    "conflict": ("x.jsonl", record() + "\n" + record(x=1)),
    "marks": ("x.jsonl", record() + "\n\ufeff" + record(id="b")),
    "columns": ("x.csv", HEAD + "a,我,在,\na,她\n"),
    "field": ("x.csv", HEAD + f"a,我,{'x' * 140_000},\n"),
    "NUL": ("x.csv", HEAD + "a,我,\0,\n"),
    "line": ("x.csv", HEAD + f"a,我,{'x' * 2_100_000},\n"),
    "time": ("x.csv", HEAD + "a,我,在,2025-02-03 10:61\n"),
    "id": ("x.csv", HEAD + ",我,在,\n"),
    "scattered": ("x.csv", HEAD + "a,我,1,\nb,我,2,\na,她,3,\nb,她,4,\n"),
    "no id": ("x.csv", "speaker,text\n我,在\n"),
    "stray": ("x.txt", "嗯{0}\n用户: 在吗\n对方: 在\n"),
    "text NUL": ("x.txt", "用户: 在\0吗\n对方: 在\n"),
    "long text": ("x.txt", f"用户: {'x' * 2_100_000}\n对方: 在\n"),
    "spacing": ("x.txt", "用户: 在吗\n\n对方: 在\n\n用户: 好\n"),
    "gb18030": ("x.txt", "用户: 今天天气很好，我们出去走走吧\n对方: 好的，去哪里\n".encode("gb18030")),
}
WHOLE: dict[str, tuple[str, str | bytes]] = {
    "no comma": ("x.json", '[{"id": 1} {"id": 2}]'),
    "no array": ("x.json", "7"),
    "after": ("x.json", f"[{record()}] x"),
    "no value": ("x.json", '[{"id": 1},]'),
    "key": ("x.json", '[{"id": 1, 2}] '),
    "deep": ("x.json", "[" + "[" * 100_000 + "]"),
    "long": ("x.json", f"[{record(x='x' * 2_100_000)}]"),
    "no column": ("x.csv", "who,text\n1,2\n"),
    "twice": ("x.csv", "text,text\n1,2\n"),
    "semicolons": ("x.csv", "speaker;text\n1;2\n"),
    "quotes": ("x.csv", HEAD + 'a,我,"x" y,\n'),
    "open quotes": ("x.csv", HEAD + 'a,我,"x,\n'),
    "broken header": ("x.csv", '"id"x,speaker,text\n'),
    "carriage return": ("x.csv", HEAD + "a,我,x\ry,\n"),
    "bytes": ("x.txt", "用户: 在\n".encode() + b"\xff\xff\n"),
    "cesu": ("x.txt", b"\xed\xa0\xbd\xed\xb8\x80\n"),
    "odd bytes": ("x.txt", b"\xff\xfa \x80\n"),
}


def readings(path: Path, content: str | bytes, **options: Any) -> list[Refusal | ReadWarning]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return [r for r in read(path, **options) if isinstance(r, Refusal | ReadWarning)]


def check(one: Refusal | ReadWarning) -> None:
    assert one.template in KNOWN, one
    assert filled(one.template, one.params) == one.reason
    for value in one.params.values():
        if isinstance(value, Phrase):
            assert value.template in KNOWN


def hostile(tmp_path: Path) -> Iterator[Refusal | ReadWarning]:
    """What all of the inputs above come to; each must come to something."""
    for text in LINES.values():
        if text:
            found = readings(tmp_path / "x.jsonl", f"{text}\n{record(id='z')}\n", format="jsonl")
            assert found, text
            yield from found
    for name, content in FILES.values():
        found = readings(tmp_path / name, content)
        assert found, content
        yield from found
    yield from readings(tmp_path / "x.jsonl", record() + "\n", self_speaker="谁")
    yield from readings(tmp_path / "x.json", '[{"id": 1}]', format="sibench_json")


def test_every_reason_is_its_template_filled_in(tmp_path: Path) -> None:
    found = list(hostile(tmp_path))
    for one in found:
        check(one)
    reasons = {one.template for one in found}
    wanted = record_sentences() - {"messages: not a list of objects with speaker and text"}
    assert wanted <= reasons, wanted - reasons


@pytest.mark.parametrize("what", LINES)
def test_one_line(tmp_path: Path, what: str) -> None:
    for one in readings(tmp_path / "x.jsonl", f"{LINES[what]}\n{record(id='z')}\n", format="jsonl"):
        check(one)
        assert "times" not in one.reason


@pytest.mark.parametrize("what", WHOLE)
def test_a_file_refused_whole_says_why_in_words_of_the_catalogue(tmp_path: Path, what: str) -> None:
    name, content = WHOLE[what]
    form = {".json": "json", ".csv": "csv", ".txt": "text"}[Path(name).suffix]
    with pytest.raises(BadInput) as caught:
        readings(tmp_path / name, content, format=form)
    error = caught.value
    assert error.template in KNOWN
    assert error.template.format(**error.params) == str(error)
    inner = [error.params[key] for key in ("what", "hint", "reason") if key in error.params]
    assert inner
    for words in inner:
        assert isinstance(words, Phrase), words
        assert words.template in KNOWN


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=12,
    ),
    st.sampled_from(["id", "messages", "turns", "chat_messages", "time", "score"]),
)
def test_any_value_under_any_key(tmp_path: Path, value: Any, key: str) -> None:
    text = json.dumps({**json.loads(record()), key: value})
    for one in readings(tmp_path / "x.jsonl", text + "\n", format="jsonl"):
        check(one)


def test_a_count_reads_right_for_one_and_for_many(tmp_path: Path) -> None:
    lines = [said(speaker="她", text=f"\x07{n}").replace('"a"', f'"{n}"', 1) for n in range(3)]
    for count in (1, 3):
        (one,) = readings(tmp_path / "x.jsonl", "\n".join(lines[:count]) + "\n")
        assert f"dialogues: {count}, first at line 1" in one.reason
        assert one.params == {"count": count, "line": 1}


def test_every_dialogue_with_an_unnamed_speaker_counts(tmp_path: Path) -> None:
    lines = [said(speaker="", text=str(n)).replace('"a"', f'"{n}"', 1) for n in range(4)]
    for ours in (None, "我"):
        (one,) = readings(tmp_path / "x.jsonl", "\n".join(lines) + "\n", self_speaker=ours)
        assert (one.code, one.params) == ("empty_speaker", {"count": 4, "line": 1})


def test_what_a_parser_says_is_a_phrase_where_it_is_known() -> None:
    known = phrase("Expecting value")
    assert isinstance(known, Phrase)
    assert known == "expecting value"
    assert phrase("Unterminated string starting at") == "unterminated string"
    assert phrase("Invalid \\escape: 'q'") == "invalid \\escape"
    other = phrase("Something new: {x}")
    assert not isinstance(other, Phrase)
    assert other == "something new: {x}"


def test_a_phrase_is_its_english_words() -> None:
    words = Phrase("extra data {text}", text="{0}")
    assert words == "extra data {0}"
    assert (words.template, words.params) == ("extra data {text}", {"text": "{0}"})
    assert Phrase("{as it is}") == "{as it is}"


def calls(*names: str) -> Iterator[tuple[str, ast.Call]]:
    folder = Path(curation.readers.__file__).parent
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield f"{path.name}:{node.lineno}", node


def record_sentences() -> set[str]:
    """The templates that the readers give to RecordError by name."""
    return {
        str(node.args[1].args[0].value)
        for _, node in calls("RecordError")
        if isinstance(node.args[1], ast.Call) and isinstance(node.args[1].args[0], ast.Constant)
    }


def test_no_sentence_is_put_together_in_the_source() -> None:
    places = list(calls("RecordError", "ReadWarning", "BadInput", "UsageError", "Phrase"))
    assert len(places) > 50
    for place, node in places:
        for argument in node.args:
            assert not isinstance(argument, ast.JoinedStr | ast.BinOp), place
            assert not (isinstance(argument, ast.Constant) and " " in str(argument.value)), place
