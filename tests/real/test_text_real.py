"""Chinese text on real data: OpenCC's own cases, labelled sentences of every dialect, and all of SI-Bench."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.dialects import identify
from curation.dialects.opinion import second_opinion
from curation.layers import OffsetMap, apply_edits, reverse_edits
from curation.normalise import RULES, normalise, unguarded
from curation.slang import annotate

pytestmark = pytest.mark.real

HEADER = re.compile(r"f?(用户|对方)[:：] ?(.*)", re.DOTALL)
STICKER = re.compile(r"\[/[^\[\]\s]+\]|\[偷笑\]")
# Least precision and recall on the labelled sentences.
FLOORS = {
    "cantonese": (0.98, 0.90),
    "wu": (0.97, 0.75),
    "hakka": (0.97, 0.65),
    "minnan": (0.95, 0.65),
    "southwestern": (0.95, 0.55),
    "northeastern": (0.93, 0.40),
    "central": (0.95, 0.50),
}


@pytest.fixture(scope="module")
def sibench(shared: Path) -> dict[int, list[str]]:
    """The messages of each dialogue of the release; a line without a header goes on with the message before."""
    release = {}
    for record in json.loads((shared / "data/si-bench/SI-Bench.json").read_text("utf-8")):
        texts: list[str] = []
        for line in record["chat_messages"].split("\n"):
            if match := HEADER.fullmatch(line):
                texts.append(match[2])
            elif texts:
                texts[-1] += f"\n{line}"
        release[int(record["id"])] = texts
    return release


@pytest.fixture(scope="module")
def sentences(shared: Path) -> list[dict[str, str]]:
    lines = (shared / "data/dialect/dialect_dev.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_opencc_passes_what_it_passes(shared: Path) -> None:
    cases = json.loads((shared / "data/dialect/opencc_testcases.json").read_text("utf-8"))["cases"]
    wanted = [(c["input"], config, expected) for c in cases for config, expected in c["expected"].items()]
    wrong = [(text, config) for text, config, expected in wanted if unguarded(text, config) != expected]
    assert (len(wanted), wrong) == (556, [])


def measured(
    sentences: list[dict[str, str]], opinion: Callable[[str, str], float] = second_opinion
) -> tuple[dict[str, tuple[float, float]], float]:
    """Precision and recall of each dialect, and how much Mandarin is called something else."""
    table = Counter((s["dialect"], identify([s["text"]], opinion=opinion).tag) for s in sentences)
    found = {}
    for name in FLOORS:
        said = sum(n for (_, tag), n in table.items() if tag == name)
        real = sum(n for (gold, _), n in table.items() if gold == name)
        found[name] = table[name, name] / max(1, said), table[name, name] / max(1, real)
    mandarin = sum(n for (gold, _), n in table.items() if gold == "mandarin")
    return found, 1 - table["mandarin", "mandarin"] / mandarin


def test_dialects_are_told_apart(sentences: list[dict[str, str]]) -> None:
    found, mandarin = measured(sentences)
    assert mandarin <= 0.005
    for name, (precision, recall) in FLOORS.items():
        assert found[name][0] >= precision, name
        assert found[name][1] >= recall, name


def test_most_of_it_is_the_words_alone(sentences: list[dict[str, str]]) -> None:
    """The trained part has seen some of these sentences: without it nothing but recall may be worse, and that little."""
    found, mandarin = measured(sentences, lambda text, dialect: 0.0)
    assert mandarin <= 0.005
    for name, (precision, recall) in FLOORS.items():
        assert found[name][0] >= precision, name
        assert found[name][1] >= recall - 0.05, name


def test_dialect_survives_normalising(sentences: list[dict[str, str]]) -> None:
    """What the words say before, they say after."""
    before = [identify([s["text"]]).tag for s in sentences]
    after = [identify([apply_edits(s["text"], normalise(s["text"], "keep"))]).tag for s in sentences]
    assert before == after
    simplified = [identify([apply_edits(s["text"], normalise(s["text"]))]).tag for s in sentences]
    kept = Counter(a == b for a, b in zip(before, simplified, strict=True) if a in ("cantonese", "wu", "southwestern"))
    assert kept[True] / sum(kept.values()) >= 0.93
    assert sum(a == "mandarin" != b for a, b in zip(before, simplified, strict=True)) <= 0.005 * len(sentences)


def test_only_hygiene_and_traditional_characters_change_in_the_release(sibench: dict[int, list[str]]) -> None:
    counts: Counter[str] = Counter()
    for text in (t for texts in sibench.values() for t in texts):
        edits = normalise(text)
        after = apply_edits(text, edits)
        counts.update(e.rule for e in edits)
        assert STICKER.findall(after) == STICKER.findall(text)
        assert normalise(after) == ()
        assert after.count("么") >= text.count("么")
        assert after.count("幺") == text.count("幺")
        assert apply_edits(after, reverse_edits(text, edits)) == text
        both = OffsetMap(edits)
        for edit in edits:
            assert both.down(*both.up(edit.start, edit.end + 1))[1] >= edit.end
            old = text[edit.start : edit.end]
            if edit.rule == "space":
                assert (old.strip(), edit.replacement.strip(" \n")) == ("", "")
            elif edit.rule == "script":
                assert len(old) == len(edit.replacement)
                assert unguarded(old, "t2s") == edit.replacement
            else:
                assert edit.replacement == ""
                assert set(old) == {text[edit.start - 1]}
    assert set(counts) <= set(RULES)
    assert 1_000 <= counts["space"] <= 1_030
    assert 40 <= counts["script"] <= 60
    assert 80 <= counts["interjection"] <= 100
    assert 15 <= counts["marks"] <= 35
    assert set(counts) == {"space", "script", "interjection", "marks"}


@pytest.mark.parametrize(
    ("number", "tag", "word"),
    [
        (490, "southwestern", "啥子"),
        (1008, "cantonese", "乜嘢"),
        (1571, "central", "中不中"),
        (1647, "cantonese", "嘅"),
        (154, "southwestern", "咋个会"),
        (1951, "northeastern", "扯犊子"),
        (60, "xiang", "么子事"),
    ],
)
def test_dialogues_of_the_release_known_by_their_words(
    sibench: dict[int, list[str]], number: int, tag: str, word: str
) -> None:
    answer = identify(sibench[number])
    assert answer.tag == tag
    assert word in {e.word for m in answer.messages for e in m.evidence if e.dialect == tag}


def test_most_of_the_release_is_mandarin(sibench: dict[int, list[str]]) -> None:
    tags = Counter(identify(texts).tag for texts in sibench.values())
    assert tags["mandarin"] / tags.total() > 0.9
    assert 80 <= tags["southwestern"] <= 150
    assert 20 <= tags["northeastern"] <= 50
    # Southern speech outside the southwest is all but absent there: a tag too many would show here first.
    assert tags["wu"] + tags["minnan"] + tags["hakka"] + tags["gan"] <= 2


def test_slang_of_the_release(sibench: dict[int, list[str]]) -> None:
    notes = Counter(n.word for texts in sibench.values() for t in texts for n in annotate(t))
    assert notes["🈶"] == 8
    assert notes["㇏"] == 5
    assert notes["布吉岛"] == 1
    assert notes["抠抠"] == 0
