"""`text pii --eval` says what the scorer of the labelled data says of the same findings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.evaluation import evaluated
from workbench.filters import identifiers

pytestmark = pytest.mark.real


def test_it_says_what_the_scorer_says(shared: Path, tmp_path: Path) -> None:
    gold = shared / "data" / "pii" / "pii_dev.jsonl"
    scorer = shared / "tools" / "score_pii.py"
    if not gold.exists() or not scorer.exists():
        pytest.skip("the labelled data is not there")
    predicted = tmp_path / "predicted.jsonl"
    with predicted.open("w", encoding="utf-8") as out:
        for line in gold.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            messages = [(m["speaker"], m["text"]) for m in record["messages"]]
            out.write(json.dumps({"id": record["id"], **identifiers(messages, True)}, ensure_ascii=False) + "\n")
    told = json.loads(
        subprocess.run(
            [sys.executable, str(scorer), str(gold), str(predicted), "--json"], capture_output=True, check=True
        ).stdout
    )
    ours, bad = evaluated(gold)
    assert bad == 0
    assert ours["recall"] == told["recall"]
    assert {key: share or 0.0 for key, share in ours["right_type"].items()} == told["typed"]
    assert ours["precision"] == told["precision"]
    assert f"{ours['leaking']}/{ours['with_direct']}" == told["leaking_dialogues"]
    assert f"{ours['clean_flagged']}/{ours['clean']}" == told["clean_dialogues_flagged"]
    assert ours["labelled"] == told["spans"]
