"""The recognisers on labelled dialogues and on real messages: recall, false alarms, speed, and clean after scrubbing."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from curation.identifiers import DETECTED, detect
from curation.identifiers.presidio import analyzer, detect_with_presidio
from curation.identifiers.replace import replacements
from curation.layers import apply_edits

pytestmark = pytest.mark.real

Messages = list[tuple[str, str]]


def records(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        pytest.skip(f"{path.name} is not there")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def messages_of(record: dict[str, Any]) -> Messages:
    return [(m["speaker"], m["text"]) for m in record["messages"]]


def labelled(shared: Path) -> list[dict[str, Any]]:
    return records(shared / "data" / "pii" / "pii_dev.jsonl")


def covered(text: str, span: dict[str, Any], found: set[int]) -> bool:
    need = {i for i in range(span["start"], span["end"]) if text[i].isalnum()}
    return len(need & found) >= 0.9 * len(need)


def test_recall_of_what_stands_in_one_message(shared: Path) -> None:
    hit: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for record in labelled(shared):
        messages = messages_of(record)
        places: dict[int, set[int]] = {}
        for f in detect(messages):
            places.setdefault(f.message, set()).update(range(f.start, f.end))
        for span in record["spans"]:
            if span["type"] in DETECTED and not span["split"]:
                keys = [span["type"], "obfuscated" if span["obfuscated"] else "plain"]
                total.update(keys)
                if covered(messages[span["message"]][1], span, places.get(span["message"], set())):
                    hit.update(keys)
    recall = {key: hit[key] / total[key] for key in total}
    assert all(value >= 0.85 for value in recall.values()), recall
    assert min(recall["plain"], recall["obfuscated"]) >= 0.95, recall


def test_dialogues_without_identifiers_stay_clean(shared: Path) -> None:
    flagged = [r["id"] for r in labelled(shared) if not r["spans"] and detect(messages_of(r))]
    assert flagged == []


def test_false_alarms_on_real_messages(shared: Path) -> None:
    texts = [r["text"] for r in records(shared / "data" / "pii" / "sms_dev.jsonl")]
    begin = time.perf_counter()
    flagged = sum(bool(detect([("a", text)])) for text in texts)
    assert flagged <= 0.005 * len(texts)
    assert time.perf_counter() - begin < 0.003 * len(texts)


def test_scrubbed_dialogues_are_clean(shared: Path) -> None:
    for record in labelled(shared):
        messages = messages_of(record)
        edits = replacements(messages, detect(messages))
        scrubbed = [(who, apply_edits(text, edits.get(i, ()))) for i, (who, text) in enumerate(messages)]
        assert detect(scrubbed) == (), record["id"]


def test_presidio_finds_the_same(shared: Path) -> None:
    pytest.importorskip("presidio_analyzer")
    engine = analyzer()
    for record in labelled(shared):
        messages = messages_of(record)
        assert detect_with_presidio(messages, engine) == detect(messages)
