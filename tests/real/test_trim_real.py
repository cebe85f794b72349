"""Trimming the long dialogues of the release: what their last turns refer to is kept.

`trim_labels.tsv` holds, for 75 of them, the turns without which the last one cannot be understood; the weights were fitted
on the first 50 alone.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.model import Dialogue
from curation.readers import read
from curation.trim import kept_messages, problems, propose
from curation.trim.words import tokenizer

pytestmark = pytest.mark.real

Labels = dict[str, frozenset[int]]


@pytest.fixture(scope="module")
def dialogues(shared: Path) -> dict[str, Dialogue]:
    found = (one for one in read(shared / "data/si-bench/SI-Bench.json") if isinstance(one, Dialogue))
    return {one.external_id: one for one in found if len(one.turns) > 30}


FITTED = 50


def _labels() -> list[tuple[str, frozenset[int]]]:
    rows = Path(__file__).with_name("trim_labels.tsv").read_text("utf-8").splitlines()
    pairs = [row.split("\t") for row in rows if not row.startswith("#")]
    return [(name, frozenset(int(n) for n in needed.split(","))) for name, needed in pairs]


@pytest.fixture(scope="module")
def labels() -> Labels:
    """Those that the weights were fitted on."""
    return dict(_labels()[:FITTED])


@pytest.fixture(scope="module")
def aside() -> Labels:
    """Those that nothing was fitted on."""
    return dict(_labels()[FITTED:])


def kept_whole(dialogues: dict[str, Dialogue], labels: Labels, most: int) -> int:
    """For how many of the labelled dialogues every needed turn is among the proposed ones."""
    kept = {name: propose(dialogues[name].messages, self_speaker="用户", max_turns=most).kept_turns for name in labels}
    return sum(needed <= set(kept[name]) for name, needed in labels.items())


def test_the_labels_fit_the_dialogues(dialogues: dict[str, Dialogue], labels: Labels, aside: Labels) -> None:
    assert len(dialogues) == 104
    assert (len(labels), len(aside)) == (50, 25)
    assert labels.keys().isdisjoint(aside)
    for name, needed in (labels | aside).items():
        assert needed <= set(range(1, len(dialogues[name].turns)))


@pytest.mark.parametrize(("most", "least"), [(6, 40), (8, 46), (20, 47)])
@pytest.mark.parametrize("with_jieba", [True, False])
def test_what_the_last_turn_refers_to_is_kept(
    dialogues: dict[str, Dialogue],
    labels: Labels,
    most: int,
    least: int,
    with_jieba: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not with_jieba:
        monkeypatch.setattr("curation.trim.words.tokenizer", lambda: None)
    elif tokenizer() is None:
        pytest.skip("jieba is not installed")
    assert kept_whole(dialogues, labels, most) >= least


@pytest.mark.parametrize(("most", "least"), [(6, 20), (8, 23), (20, 24)])
def test_and_so_it_is_where_nothing_was_fitted(
    dialogues: dict[str, Dialogue], aside: Labels, most: int, least: int
) -> None:
    assert kept_whole(dialogues, aside, most) >= least


def test_the_last_turns_alone_would_not_do(dialogues: dict[str, Dialogue], labels: Labels) -> None:
    for most, found in ((6, 30), (8, 37)):
        assert sum(min(needed) > len(dialogues[name].turns) - most for name, needed in labels.items()) == found


@pytest.mark.parametrize("most", [6, 8, 20])
def test_every_long_dialogue_is_brought_down_by_the_rules(dialogues: dict[str, Dialogue], most: int) -> None:
    for one in dialogues.values():
        found = propose(one.messages, self_speaker="用户", max_turns=most)
        kept = kept_messages(one.messages, found.first_turn, found.removed_turns)
        assert 6 <= found.turns_after <= most
        assert problems(one.messages, kept, 6, self_speaker="用户") == []
        assert len(one.turns) - 1 in found.kept_turns
