"""What a file is: its kind, its encoding, its format; any bytes at all give readings or BadInput."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from curation.errors import BadInput, UsageError
from curation.model import Dialogue, ReadWarning
from curation.readers import FORMATS, rank, read, sniff

LINE = '{"id":"d","messages":[{"speaker":"用户","text":"你明天有空吗"},{"speaker":"对方","text":"有啊，怎么了😀"}]}\n'


def write(tmp_path: Path, data: bytes, name: str = "a.jsonl") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def code_of(path: Path, encoding: str | None = None, format: str | None = None) -> str:  # noqa: A002
    with pytest.raises(BadInput) as caught:
        next(read(path, encoding=encoding, format=format))
    assert str(path) in str(caught.value)
    return caught.value.code


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (LINE.encode("utf-8-sig"), []),
        (codecs.BOM_UTF16_LE + LINE.encode("utf-16-le"), ["transcoded_utf16"]),
        (codecs.BOM_UTF16_BE + LINE.encode("utf-16-be"), ["transcoded_utf16"]),
        (LINE.encode("gb18030"), ["transcoded_gb18030"]),
    ],
)
def test_a_known_encoding_is_read_and_said(tmp_path: Path, data: bytes, codes: list[str]) -> None:
    found = list(read(write(tmp_path, data)))
    (dialogue,) = [r for r in found if isinstance(r, Dialogue)]
    assert dialogue == next(read(write(tmp_path, LINE.encode(), "plain.jsonl")))
    assert [r.code for r in found if isinstance(r, ReadWarning)] == codes


@pytest.mark.parametrize("end", [b"", b"x", LINE.encode()])
def test_a_mark_inside_the_file_is_dropped_and_said(tmp_path: Path, end: bytes) -> None:
    data = LINE.encode() + codecs.BOM_UTF8 + LINE.replace('"d"', '"e"').encode()
    found = list(read(write(tmp_path, data)))
    assert [r.external_id for r in found if isinstance(r, Dialogue)] == ["d", "e"]
    assert [(r.code, r.line) for r in found if isinstance(r, ReadWarning)] == [("bom_mid_file", 2)]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty_file"),
        (b"\n \r\n\t\n", "empty_file"),
        (codecs.BOM_UTF8, "empty_file"),
        (LINE.encode("utf-16-le"), "encoding_unknown"),
        (LINE.encode("utf-16-be"), "encoding_unknown"),
        (LINE.encode("utf-32"), "encoding_unsupported"),
        ("你好嗎我很好多謝唔該食咗飯未".encode("big5hkscs"), "encoding_not_utf8"),
        (b'{"id":"d"}\n\xed\xa0\xbd\xed\xb8\x80', "encoding_not_utf8"),
        (LINE.encode() + LINE.encode("gb18030"), "encoding_not_utf8"),
        (LINE.encode("gb18030") + LINE.encode(), "encoding_not_utf8"),
        (LINE.encode() + LINE.encode()[:44], "truncated_file"),
        (codecs.BOM_UTF16_LE + LINE.encode("utf-16-le")[:-1], "truncated_file"),
        (b"PK\x03\x04" + LINE.encode(), "not_text"),
        (b"SQLite format 3\0" + bytes(100), "not_text"),
        (bytes(5000), "not_text"),
        (bytes(range(256)) * 9, "not_text"),
    ],
)
def test_a_file_that_cannot_be_trusted_is_refused_whole(tmp_path: Path, data: bytes, code: str) -> None:
    assert code_of(write(tmp_path, data), format="jsonl") == code


def test_a_fault_far_into_the_file_is_found_before_the_first_dialogue(tmp_path: Path) -> None:
    lines = "".join(LINE.replace('"d"', f'"{n}"') for n in range(3000)).encode()
    path = write(tmp_path, lines + b"\xff\xfe\n")
    with pytest.raises(BadInput) as caught:
        next(read(path))
    assert caught.value.params["line"] == 3001
    assert caught.value.params["offset"] == len(lines)


def test_a_forced_encoding_is_strict_and_unknown_ones_are_wrong_usage(tmp_path: Path) -> None:
    big5 = LINE.replace("吗", "嗎").replace("么", "麼").replace("😀", "").encode("big5hkscs", "replace")
    assert isinstance(next(read(write(tmp_path, big5), encoding="big5hkscs")), Dialogue)
    assert isinstance(next(read(write(tmp_path, LINE.encode("utf-16-le")), encoding="utf-16-le")), Dialogue)
    assert code_of(write(tmp_path, LINE.encode("gb18030")), encoding="utf-8") == "encoding_not_utf8"
    for name in ("no-such", "base64", "utf-8\0"):
        with pytest.raises(UsageError):
            next(read(write(tmp_path, LINE.encode()), encoding=name))


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert code_of(tmp_path / "none.jsonl") == "no_such_file"
    assert code_of(tmp_path) == "not_regular_file"
    assert code_of(tmp_path / "nul\0.jsonl") == "unreadable"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_does_not_block_and_a_link_is_not_followed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert code_of(tmp_path / "pipe.jsonl") == "not_regular_file"
    (tmp_path / "link.jsonl").symlink_to(write(tmp_path, LINE.encode()))
    assert code_of(tmp_path / "link.jsonl") == "not_regular_file"
    (tmp_path / "zero.jsonl").symlink_to("/dev/zero")
    assert code_of(tmp_path / "zero.jsonl") == "not_regular_file"


@pytest.mark.parametrize(
    ("data", "name", "format_"),
    [
        (LINE, "a.txt", "jsonl"),
        ("用户: a\n对方: b\n", "a.jsonl", "text"),
        ("[" + LINE + "]", "a.jsonl", "json"),
        ('[{"id":1,"chat_messages":"用户: a"}]', "a.json", "sibench_json"),
        ("id,speaker,text\nd,A,x\n", "a.txt", "csv"),
        ("会话,发送人,内容\nd,A,x\n", "a.txt", "csv"),
    ],
)
def test_the_content_tells_the_format_not_the_name(tmp_path: Path, data: str, name: str, format_: str) -> None:
    path = write(tmp_path, data.encode(), name)
    assert sniff(path).name == format_
    best = rank(path)[0]
    assert best.reasons
    assert 0.4 <= best.score <= 1


def test_prose_is_in_no_format(tmp_path: Path) -> None:
    assert code_of(write(tmp_path, "从前有座山，山里有座庙。\n".encode(), "story.md")) == "unknown_format"


def test_an_unknown_format_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read(write(tmp_path, LINE.encode()), format="xml")


def test_giving_up_early_closes_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, (LINE + LINE.replace('"d"', '"e"')).encode())
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    readings = read(path)
    next(readings)
    readings.close()  # type: ignore[attr-defined]
    after = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    assert before == after


PIECES = st.lists(
    st.one_of(
        st.binary(max_size=20),
        st.sampled_from(
            [
                *(b"\n", b"\r\n", b'"', b",", b"{", b"[", b"]", b"}", b"---\n", b"\0", b"\xff\xfe", b"\xef\xbb\xbf"),
                *(b"id,speaker,text\n", b"d,A,x\n", LINE.encode(), LINE.encode("gb18030"), LINE.encode("utf-16")),
                *("用户: a\n".encode(), "对方：b\n\n".encode(), b'[{"chat_messages":"', b'"id":', b"1e999", b"\\ud800"),
            ]
        ),
    ),
    max_size=8,
).map(b"".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(
    data=PIECES, format_=st.sampled_from([None, *FORMATS]), encoding=st.sampled_from([None, None, "gb18030", "utf-16"])
)
@example(data=b"[" * 100_000, format_="json", encoding=None)
@example(data=b'"', format_="csv", encoding=None)
def test_any_bytes_give_readings_or_bad_input(
    tmp_path: Path, data: bytes, format_: str | None, encoding: str | None
) -> None:
    path = write(tmp_path, data)
    try:
        found = list(read(path, format=format_, encoding=encoding, self_speaker="A"))
    except BadInput as refused:
        assert refused.code  # noqa: PT017 - either outcome is right, the code is not optional
        return
    for reading in found:
        if isinstance(reading, Dialogue):
            assert reading.messages
