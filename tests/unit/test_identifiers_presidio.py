"""The same recognisers inside Presidio's engine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curation.errors import MissingExtra
from curation.identifiers import NotScanned, detect, presidio, scan
from curation.identifiers.page import Candidate, Page

ROOT = Path(__file__).resolve().parents[2]
VALUES = [
    "电话13800001234", "v多少", "abc_1234", "扣扣给我", "2847105936", "卡号6217004430552177890 打",
    "身份证11010519491231002X",
    "邮箱a.b@example.com", "https://example.com/a，好", "嗯嗯\n座机010-55501234", "😀加❤️tudou_7719", "尾号7719", "",
    "[电话1][/微笑]",
    "13800001234 13900001234", "someone艾特163点com", "①③⑧⓪⓪⓪⓪①②③④", "K305719(4)係我身份證", "\ud83d",
    "订单20310709000123456",
]  # fmt: skip


@pytest.fixture(scope="module")
def engine() -> Any:
    pytest.importorskip("presidio_analyzer")
    return presidio.analyzer()


def test_same_answer_as_detect(engine: Any) -> None:
    count = 0
    for step in range(1, 12):
        for first in range(len(VALUES)):
            messages = [("ab"[i % 2], VALUES[(first + i * step) % len(VALUES)]) for i in range(1 + step % 6)]
            found = presidio.detect_with_presidio(messages, engine)
            assert found == detect(messages)
            count += len(found)
    assert count > 300
    assert presidio.detect_with_presidio([], engine) == ()


def test_only_our_recognisers_are_loaded(engine: Any) -> None:
    names = sorted(r.name for r in engine.get_recognizers())
    assert names == sorted(f"curation {family}" for family in (*scan.FAMILIES, "context"))
    assert set(engine.get_supported_entities()) == {k for kinds, _ in scan.FAMILIES.values() for k in kinds}


def test_a_text_alone_is_a_dialogue_of_one(engine: Any) -> None:
    results = engine.analyze("我电话13800001234", language="zh")
    assert [(r.entity_type, r.start, r.end, r.score) for r in results] == [("PHONE", 3, 14, 0.95)]
    assert engine.analyze("我电话13800001234", language="zh", entities=["QQ"]) == []


def test_a_failing_recogniser_fails_the_call(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(page: Page, index: int) -> Iterator[Candidate]:
        raise TimeoutError

    monkeypatch.setitem(scan.FAMILIES, "cards", (("BANK_CARD",), broken))
    with pytest.raises(NotScanned):
        presidio.detect_with_presidio([("a", "13800001234")], engine)
    with pytest.raises(NotScanned):
        engine.analyze("13800001234", language="zh")


def test_every_rule_belongs_to_a_family() -> None:
    assert set(presidio._FAMILY_BY_RULE.values()) == {*scan.FAMILIES, "context"}


def test_without_presidio_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    presidio._classes.cache_clear()
    try:
        with pytest.raises(MissingExtra, match=r"\[curator\]"):
            presidio.analyzer()
    finally:
        presidio._classes.cache_clear()


def test_detect_does_not_import_it() -> None:
    code = "import sys, curation.identifiers as i; i.detect([('a','13800001234')]); print('presidio_analyzer' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_no_socket_is_opened() -> None:
    pytest.importorskip("presidio_analyzer")
    # While spaCy is imported, urllib3 looks whether ::1 can be bound; it is told that it cannot. Nothing else may ask.
    code = (
        "import socket\n"
        "def probe(*a, **k): raise OSError('no sockets here')\n"
        "def refuse(*a, **k): raise SystemExit('a socket was opened')\n"
        "socket.create_connection = socket.getaddrinfo = refuse\n"
        "socket.socket.__init__ = probe\n"
        "import presidio_analyzer\n"
        "socket.socket.__init__ = refuse\n"
        "from curation.identifiers.presidio import detect_with_presidio\n"
        "print(len(detect_with_presidio([('a', '邮箱a@example.com 电话13800001234 https://example.com/a')])))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "3"), done.stderr
