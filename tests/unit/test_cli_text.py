"""The filters of `workbench text`: one line out for each line in, whatever the line is."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.identifiers import TYPES
from workbench import filters
from workbench.cli import main
from workbench.output import encoded

ROOT = Path(__file__).resolve().parents[2]
Answer = dict[str, Any]


class Stdin:
    """Standard input as far as a filter looks at it."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def filtered(
    data: bytes, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], *argv: str
) -> tuple[int, list[Answer]]:
    monkeypatch.setattr(sys, "stdin", Stdin(data))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    status = main(["text", *argv])
    out = capfdbinary.readouterr().out
    out.decode("utf-8")  # strictly
    return status, [json.loads(line) for line in out.splitlines()]


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(v).encode() + b"\n" for v in values)


def test_pii_of_text_and_of_messages(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    number = "13912345678"
    status, answers = filtered(
        lines(
            {"id": "a", "text": f"😀电话{number}", "other": [1]},
            {"id": 7, "messages": [{"speaker": "甲", "text": "在吗"}, {"speaker": "乙", "text": f"打{number}"}]},
        ),
        monkeypatch,
        capfdbinary,
        "pii",
    )
    assert status == 0
    assert [a["id"] for a in answers] == ["a", 7]
    (one,) = answers[0]["spans"]
    assert set(one) == {"start", "end", "type", "text", "score", "rule"}
    assert (one["start"], one["end"], one["type"], one["text"]) == (3, 14, "PHONE", number)
    (two,) = answers[1]["spans"]
    assert (two["message"], two["start"], two["end"]) == (1, 1, 12)
    assert one["type"] in TYPES


def test_normalize_of_text_and_of_messages(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    given_ = [
        {"id": 1, "text": "１２點見\u200b"},
        {"id": 2, "messages": [{"text": "好"}, {"speaker": None, "text": "後面"}]},
    ]
    status, answers = filtered(lines(*given_), monkeypatch, capfdbinary, "normalize")
    assert status == 0
    assert answers[0]["text"] == "12点见"
    assert [m["text"] for m in answers[1]["messages"]] == ["好", "后面"]
    assert answers[1]["messages"][0]["edits"] == []
    _, kept = filtered(lines(*given_), monkeypatch, capfdbinary, "normalize", "--script", "keep")
    assert kept[0]["text"] == "12點見"


@pytest.mark.parametrize("which", ["pii", "normalize"])
def test_a_bad_line_is_answered_in_its_place_and_the_rest_goes_on(
    which: str, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    bad = [
        b"nonsense",
        b"",
        b"[]",
        b"null",
        b'{"id": 1}',
        b'{"text": "x"}',
        b'{"id": 1, "text": 5}',
        b'{"id": 1, "messages": "x"}',
        b'{"id": 1, "messages": [{"speaker": "x"}]}',
        b'{"id": NaN, "text": "x"}',
        b'{"id": {"a": 1}, "text": "x"}',
        b'{"id": 1, "text": "\xff"}',
        b"[" * 100_000,
        b'{"id": ' + b"9" * 5000 + b', "text": "x"}',
    ]
    good = lines({"id": "ok", "text": "好"})
    status, answers = filtered(good + b"".join(b + b"\n" + good for b in bad), monkeypatch, capfdbinary, which)
    assert status == 1
    assert len(answers) == 2 * len(bad) + 1
    assert all(a["id"] == "ok" and "error" not in a for a in answers[::2])
    assert all(set(a) == {"id", "error"} and a["id"] is None and a["error"] for a in answers[1::2])


def test_the_last_line_needs_no_line_break_and_a_mark_at_the_start_is_no_text(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    data = b"\xef\xbb\xbf" + lines({"id": 1, "text": "一"}) + b'{"id": 2, "text": "\xe4\xba\x8c"}'
    assert [a["id"] for a in filtered(data, monkeypatch, capfdbinary, "pii")[1]] == [1, 2]
    assert filtered(b"", monkeypatch, capfdbinary, "pii") == (0, [])


def test_a_line_beyond_all_measure_is_refused_without_being_held(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(filters, "LONGEST_LINE", 64)
    long = lines({"id": 1, "text": "x" * 500})
    exact = lines({"id": 2, "text": "y" * (64 - len(lines({"id": 2, "text": ""})) + 1)})
    status, answers = filtered(long + exact, monkeypatch, capfdbinary, "pii")
    assert status == 1
    assert [a["id"] for a in answers] == [None, 2]


@given(st.text(st.characters(codec=None), max_size=40))
def test_any_text_comes_out_as_edits_that_lead_to_it(text: str) -> None:
    """Lone surrogates included; what goes out is UTF-8 and reads back as the same value."""
    answer = filters.normaliser("simplified")([("", text)], False)
    built, last = [], 0
    for edit in answer["edits"]:
        built += [text[last : edit["start"]], edit["replacement"]]
        last = edit["end"]
    assert "".join([*built, text[last:]]) == answer["text"]
    spans = filters.identifiers([("", text)], False)["spans"]
    assert all(text[s["start"] : s["end"]] == s["text"] for s in spans)
    assert all(a["end"] <= b["start"] for a, b in pairwise(spans))
    line = encoded({"id": text, **answer})
    assert line.count(b"\n") == 1
    # Two halves that come to stand side by side read back as the one character they make.
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert json.loads(line.decode("utf-8"))["id"] == whole


def test_answers_come_line_by_line() -> None:
    """Another program can ask and wait for the answer before it asks again."""
    argv = [sys.executable, "-m", "workbench", "text", "pii"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(lines({"id": number, "text": "好"}))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait() == 0


def test_memory_stays_flat(tmp_path: Path) -> None:
    """Thirty times the lines need no more room."""
    code = (
        "import io, sys, tracemalloc\n"
        "class In: buffer = io.BufferedReader(io.FileIO(sys.argv[1]))\n"
        "sys.stdin = In\n"
        "from workbench.cli import main\n"
        "tracemalloc.start()\n"
        "assert main(['text', 'normalize', '--script', 'keep']) == 0\n"
        "print(tracemalloc.get_traced_memory()[1], file=sys.stderr)\n"
    )
    sizes = []
    for count in (100, 3_000):
        data = lines({"id": 1, "text": "说" * 200}) * count
        path = tmp_path / f"{count}.jsonl"
        path.write_bytes(data)
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=True,
        )
        sizes.append(int(done.stderr.split()[-1]))
    assert sizes[1] < sizes[0] + 100_000  # bytes; the file itself has 4 million
