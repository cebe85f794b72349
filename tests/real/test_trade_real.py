"""The trade on the real release: candidates, near duplicates, normalising and trimming of all its dialogues."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from curation.candidates import first_failure
from curation.duplicates import near_duplicates
from curation.layers import apply_edits
from curation.model import Dialogue, Message
from curation.normalise import normalise
from curation.settings import Settings
from curation.taxonomy import taxonomy
from curation.trim import kept_messages, problems, propose

pytestmark = pytest.mark.real

# Read here by hand and not by `curation.readers`, so that a fault there does not hide one here.
HEADER = re.compile(r"f?(用户|对方)[:：] ?(.*)", re.DOTALL)
STICKER = re.compile(r"\[/[^\[\]\s]+\]|\[偷笑\]")


def parse(lines: str) -> list[Message]:
    """The messages of one record; a line without a header goes on with the message before."""
    found: list[tuple[str, str]] = []
    for line in lines.split("\n"):
        if match := HEADER.fullmatch(line):
            found.append((match[1], match[2]))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{line}")
    return [Message(speaker, text) for speaker, text in found]


@pytest.fixture(scope="module")
def records(shared: Path) -> list[dict[str, str]]:
    data: list[dict[str, str]] = json.loads((shared / "data/si-bench/SI-Bench.json").read_text("utf-8"))
    return data


@pytest.fixture(scope="module")
def dialogues(records: list[dict[str, str]]) -> list[Dialogue]:
    return [Dialogue(str(r["id"]), tuple(parse(r["chat_messages"])), "用户") for r in records]


def test_all_are_there(dialogues: list[Dialogue]) -> None:
    assert len(dialogues) == 2_221
    assert sum(len(d.messages) for d in dialogues) == 55_294


def test_every_name_in_the_release_is_a_situation_of_ours(records: list[dict[str, str]]) -> None:
    for record in records:
        family, _, name = record["scenario"].partition("-")
        situation = taxonomy().parse(name)
        assert situation.family.zh == family
        assert situation is taxonomy().parse(record["second_level_scenario_en"])
        assert situation.family.en == record["first_level_scenario_en"]


def test_twenty_eight_have_too_few_turns_and_all_end_with_the_other_party(dialogues: list[Dialogue]) -> None:
    assert Counter(first_failure(d, Settings()) for d in dialogues) == {None: 2_193, "too_few_turns": 28}
    by_message = Counter(first_failure(d, Settings(turn_unit="message")) for d in dialogues)
    assert by_message["too_few_turns"] == 2


@pytest.mark.parametrize("threshold", [0.63, Settings().near_duplicate])
def test_two_pairs_are_near_duplicates(dialogues: list[Dialogue], threshold: float) -> None:
    items = [(int(d.external_id), [m.text for m in d.messages]) for d in dialogues]
    found = {(d.loser, d.keeper) for d in near_duplicates(items, threshold)}
    assert found == {(1657, 1658), (2116, 2117)}


@pytest.mark.parametrize(("threshold", "least"), [(0.63, 0.97), (0.69, 0.96)])
def test_labelled_pairs_are_told_apart(shared: Path, threshold: float, least: float) -> None:
    right = wrong = 0
    for line in (shared / "data/neardup/neardup_dev.jsonl").read_text("utf-8").splitlines():
        pair = json.loads(line)
        items = [(n, [m.text for m in parse(pair[side])]) for n, side in enumerate("ab")]
        found = bool(near_duplicates(items, threshold))
        right += found and pair["label"] == 1
        wrong += found != (pair["label"] == 1)
    assert 2 * right / (2 * right + wrong) >= least


def test_normalising_the_release_touches_no_sticker_and_little_else(dialogues: list[Dialogue]) -> None:
    texts = [m.text for d in dialogues for m in d.messages]
    rules: Counter[str] = Counter()
    for text in texts:
        edits = normalise(text)
        rules.update(e.rule for e in edits)
        after = apply_edits(text, edits)
        assert STICKER.findall(after) == STICKER.findall(text)
        assert normalise(after) == ()
        assert after.count("么") >= text.count("么")
        assert "幺" not in after or "幺" in text
    assert rules["space"] >= 1_000
    assert 40 <= rules["script"] <= 60
    assert set(rules) <= {"space", "script", "marks", "interjection"}
    assert sum(rules.values()) < 0.025 * len(texts)


def test_dialect_words_stay_in_samples_of_every_dialect(shared: Path) -> None:
    words = re.compile("[嘅喺咗㗎嘢哋冇噉咁佢嚟畀睇啲瞓攞乜嗰喎毋𠊎儂侬阿咯噻啥咋俺]")
    for line in (shared / "data/dialect/dialect_dev.jsonl").read_text("utf-8").splitlines():
        text = json.loads(line)["text"]
        after = apply_edits(text, normalise(text))
        kept = [c.replace("儂", "侬") for c in words.findall(text)]
        assert words.findall(after) == kept
        assert len(after) <= len(text)
        assert normalise(after) == ()


def test_every_proposed_trim_keeps_the_rules(dialogues: list[Dialogue]) -> None:
    for one in dialogues:
        found = propose(one.messages, self_speaker="用户", max_turns=12)
        kept = kept_messages(one.messages, found.first_turn, found.removed_turns)
        assert found.turns_after <= 12
        allowed = {"too_few_turns"} if len(one.turns) < 6 else set()
        assert set(problems(one.messages, kept, 6, self_speaker="用户")) <= allowed
