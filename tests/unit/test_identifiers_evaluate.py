"""What `text pii --eval` counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curation.errors import BadInput
from curation.identifiers import Finding
from curation.identifiers.evaluate import Scores, gold_of
from tests.unit.test_cli_commands import Cli, jsonl
from tests.unit.test_cli_commands import cli as cli

TEXT = "我电话 138-1234-5678 叫小王"


def record(*spans: dict[str, Any], text: str = TEXT, name: str = "a") -> dict[str, Any]:
    return {"id": name, "messages": [{"speaker": "x", "text": text}], "spans": list(spans)}


def span(start: int, end: int, kind: str = "PHONE", **more: Any) -> dict[str, Any]:
    whole = {
        "message": 0,
        "start": start,
        "end": end,
        "type": kind,
        "class": "direct",
        "obfuscated": False,
        "split": False,
    }
    return {**whole, **more}


def found(start: int, end: int, kind: str = "PHONE", text: str = TEXT) -> Finding:
    return Finding(0, start, end, kind, text[start:end], 0.9, "rule")


def figures(gold: dict[str, Any], *findings: Finding) -> dict[str, Any]:
    scores = Scores()
    scores.take(gold_of(gold), findings)
    return scores.figures()


def test_nine_tenths_of_the_letters_and_digits_are_enough() -> None:
    gold = record(span(4, 17))
    assert figures(gold, found(4, 17))["recall"]["PHONE"] == 1
    assert figures(gold, found(5, 17))["recall"]["PHONE"] == 1, "ten of eleven digits"
    assert figures(gold, found(6, 17))["recall"]["PHONE"] == 0
    assert figures(gold, found(4, 9), found(9, 17))["recall"]["PHONE"] == 1, "two findings may share it"


def test_another_type_catches_and_is_not_the_right_one() -> None:
    told = figures(record(span(4, 17)), found(4, 17, "QQ"))
    assert (told["recall"]["direct"], told["right_type"]["direct"], told["leaking"]) == (1, 0, 0)


def test_a_dialogue_leaks_by_direct_identifiers_alone() -> None:
    told = figures(record(span(19, 21, "PERSON", **{"class": "quasi"})))
    assert (told["with_direct"], told["leaking"], told["leak_rate"]) == (0, 0, None)
    told = figures(record(span(4, 17, obfuscated=True)))
    assert (told["with_direct"], told["leaking"], told["leak_rate"]) == (1, 1, 1)
    assert told["recall"]["direct obfuscated"] == 0


def test_false_alarms_and_clean_dialogues_are_counted() -> None:
    told = figures(record(), found(19, 21, "PERSON"))
    assert (told["false_alarms"], told["false_alarms_quasi"], told["false_alarms_per_thousand_lines"]) == (1, 1, 1000)
    assert (told["clean"], told["clean_flagged"], told["precision"]) == (1, 1, 0)
    told = figures(record(span(4, 17)), found(3, 18))
    assert (told["false_alarms"], told["precision"]) == (0, 1), "separators are neither right nor wrong"


def test_what_could_not_be_searched_catches_nothing() -> None:
    scores = Scores()
    scores.take(gold_of(record(span(4, 17))), None)
    assert scores.figures()["leaking"] == scores.figures()["not_scanned"] == 1
    assert scores.figures()["right_type"]["PHONE"] is None, "a share of nothing is not zero"


@pytest.mark.parametrize(
    "bad", [None, [], {"id": "a"}, record(span(4, 99)), record(span(4, 4)), record(span(0, 2, "NONE")), record({})]
)
def test_what_is_no_labelled_dialogue_is_refused_without_a_word_of_it(bad: object) -> None:
    with pytest.raises(BadInput) as refused:
        gold_of(bad)
    assert "我电话" not in str(refused.value)


def test_the_command_prints_the_figures_and_says_what_was_not_looked_for(cli: Cli, tmp_path: Path) -> None:
    file = jsonl(tmp_path / "gold.jsonl", record(span(4, 17)), record(text="在吗", name="b"))
    done = cli("text", "pii", "--eval", file, "--json")
    assert done.status == 0
    assert done.json["recall"]["direct"] == 1
    assert done.json["not_looked_for"]
    assert (done.json["clean"], done.json["bad_lines"]) == (1, 0)
    words = cli("text", "pii", "--eval", file, "--lang", "en").out
    assert "could not look for everything" in words
    assert "could not be searched: 0" in words
    with file.open("a", encoding="utf-8") as more:
        more.write("{\n" + json.dumps({"id": 1}) + "\n")
    done = cli("text", "pii", "--eval", file, "--json")
    assert (done.status, done.json["bad_lines"], done.json["dialogues"]) == (1, 2, 2)
    assert cli("text", "pii", "--eval", tmp_path / "none.jsonl").status == 1
