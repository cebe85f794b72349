"""`workbench text dialect`: one line out for each line in, with tags, words and offsets."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from curation import segment
from workbench.cli import main

Answer = dict[str, Any]
Capture = pytest.CaptureFixture[bytes]


class Stdin:
    """Standard input as far as a filter looks at it."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def filtered(data: bytes, monkeypatch: pytest.MonkeyPatch, capture: Capture) -> tuple[int, list[Answer], bytes]:
    monkeypatch.setattr(sys, "stdin", Stdin(data))
    status = main(["text", "dialect"])
    said = capture.readouterr()
    return status, [json.loads(line) for line in said.out.decode("utf-8").splitlines()], said.err


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(v).encode() + b"\n" for v in values)


def test_text_and_messages(monkeypatch: pytest.MonkeyPatch, capfdbinary: Capture) -> None:
    status, answers, _ = filtered(
        lines(
            {"id": "a", "text": "😀你在爪子嘛", "other": 1},
            {"id": 7, "messages": [{"speaker": "甲", "text": "在吗"}, {"speaker": "乙", "text": "啷个了"}]},
            {"id": 8, "messages": []},
            {"id": 9, "text": "\ud800"},
        ),
        monkeypatch,
        capfdbinary,
    )
    assert status == 0
    assert answers[0] == {
        "id": "a",
        "dialect": "southwestern",
        "confidence": answers[0]["confidence"],
        "evidence": [{"start": 2, "end": 5, "word": "在爪子", "dialect": "southwestern", "gloss": "在干什么"}],
    }
    assert set(answers[1]) == {"id", "dialect", "confidence", "messages"}
    assert answers[1]["dialect"] == "southwestern"
    assert [m["dialect"] for m in answers[1]["messages"]] == ["mandarin", "southwestern"]
    assert all(set(m) == {"dialect", "confidence", "evidence"} for m in answers[1]["messages"])
    assert answers[2] == {"id": 8, "dialect": "mandarin", "confidence": 0.99, "messages": []}
    assert answers[3]["dialect"] == "mandarin"


def test_a_bad_line_is_answered_in_its_place(monkeypatch: pytest.MonkeyPatch, capfdbinary: Capture) -> None:
    status, answers, _ = filtered(b'{"id": 1}\n' + lines({"id": 2, "text": "好"}), monkeypatch, capfdbinary)
    assert status == 1
    assert set(answers[0]) == {"id", "error"}
    assert answers[1]["dialect"] == "mandarin"


def test_without_jieba_it_says_so_once(monkeypatch: pytest.MonkeyPatch, capfdbinary: Capture) -> None:
    monkeypatch.setattr(segment, "available", lambda: False)
    status, answers, said = filtered(lines({"id": 1, "text": "你在爪子嘛"}) * 2, monkeypatch, capfdbinary)
    assert status == 0
    assert [a["dialect"] for a in answers] == ["southwestern"] * 2
    assert said.count(b"jieba") == 1
