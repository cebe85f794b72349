"""Search: the same is found with an index, with half of one and without; filters tell nothing that the blind hides."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.errors import UsageError, WorkbenchError
from curation.identifiers import detect
from curation.layers import Layer
from curation.model import Dialogue, Message
from curation.settings import Settings
from curation.stages import Stage
from curation.work import Answer, Source
from db import index as indexing
from db import search as searching
from db.findings import Findings
from db.index import folded, spellings
from db.project import Project
from db.search import Filters, Hit, day_of
from tests.conftest import Make, agree, bring, dialogue, fresh, refusal, staff

LETTERS = st.sampled_from("愛爱愛發髮发后後a%_\"'\\[]*?\n\t aAａＡé中😀‍\u2028\u0000")
TEXTS = st.text(LETTERS, max_size=10)
WANTED = st.one_of(st.text(LETTERS, min_size=1, max_size=4), st.text(min_size=1, max_size=3))


def naive(texts: list[list[str]], wanted: str) -> list[tuple[int, int, int, int]]:
    """(dialogue, message, start, end) of every place, by the plainest means."""
    plain = folded(wanted)
    found = []
    for number, messages in enumerate(texts):
        for n, text in enumerate(messages):
            at = folded(text).find(plain)
            while at >= 0:
                found.append((number, n, at, at + len(plain)))
                at = folded(text).find(plain, at + len(plain))
    return found


def build(study: Project) -> None:
    for _ in study.search.index.build(least=1):
        pass


@contextmanager
def small_blocks(size: int = 4) -> Iterator[None]:
    """Blocks of a few dialogues, so that a small project has several."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (indexing, searching):
            patch.setattr(module, "BLOCK", size)
        yield


def places(hits: Iterator[Hit]) -> list[tuple[str, int, int]]:
    return [(hit.external_id, hit.message, hit.start) for hit in hits]


# -- the fold


@given(st.text())
def test_the_fold_keeps_offsets_and_folds_once(text: str) -> None:
    assert len(folded(text)) == len(text)
    assert folded(folded(text)) == folded(text)


@given(st.characters(), st.characters())
def test_spellings_are_exactly_what_folds_to_the_same(one: str, other: str) -> None:
    assert one in spellings(one)
    assert (other in spellings(one)) == (folded(one) == folded(other))


# -- finding


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(TEXTS, min_size=1, max_size=4), min_size=1, max_size=6), WANTED, st.integers(0, 6))
def test_a_search_is_a_scan_of_the_folded_texts_however_much_is_indexed(
    texts: list[list[str]], wanted: str, early: int
) -> None:
    with small_blocks(), fresh() as study:
        made = [dialogue(f"d{n}", one) for n, one in enumerate(texts)]
        expected = naive(texts, wanted) if not any("\ud800" <= c <= "\udfff" for c in wanted) else []

        def found() -> list[tuple[int, int, int, int]]:
            hits = study.search.find(wanted)
            return [(int(h.external_id[1:]), h.message, h.start, h.end) for h in hits]

        study.dialogues.take(made[:early], Source("one"), "curator")
        build(study)
        study.dialogues.take(made[early:], Source("two"), "curator")
        assert found() == expected  # a part is indexed
        build(study)
        assert found() == expected
        study.search.index.clear()
        assert found() == expected
        assert len(list(study.search.find(wanted, limit=1))) == min(1, len(expected))


def test_either_script_finds_the_other_and_width_and_case_do_not_matter(project: Make) -> None:
    study = project()
    bring(study, [dialogue("d1", ["我愛你", "我爱你", "头髮", "ＯＫ啦", "ok", "好的"])])
    for _ in range(2):
        assert places(study.search.find("爱你")) == places(study.search.find("愛你")) == [("d1", 0, 1), ("d1", 1, 1)]
        assert places(study.search.find("头发")) == places(study.search.find("頭髮")) == [("d1", 2, 0)]
        assert places(study.search.find("Ok")) == [("d1", 3, 0), ("d1", 4, 0)]
        assert places(study.search.find("愛")) == [("d1", 0, 1), ("d1", 1, 1)]
        assert places(study.search.find("\ud800")) == places(study.search.find("")) == []
        build(study)


def test_candidates_of_the_index_are_confirmed(project: Make) -> None:
    study = project()
    bring(study, [dialogue("d1", ["甲乙", "乙丙", "", "", "", "对"]), dialogue("d2", ["甲乙丙", "", "", "", "", "对"])])
    build(study)
    assert places(study.search.find("甲乙丙")) == [("d2", 0, 0)]


def test_what_the_index_does_not_name_is_not_read(project: Make) -> None:
    study = project()
    bring(study, [dialogue(f"d{n}", ["甲乙", "", "", "", "", "对"]) for n in range(3)])
    build(study)
    with sqlite3.connect(study.path) as other:
        other.execute("DELETE FROM gram")
    other.close()
    assert not list(study.search.find("甲乙"))
    study.search.index.clear()
    assert len(list(study.search.find("甲乙"))) == 3


def test_an_index_of_another_fold_is_not_used_and_is_made_anew(project: Make) -> None:
    study = project()
    bring(study, [dialogue("d1", ["甲乙", "", "", "", "", "对"])])
    build(study)
    with sqlite3.connect(study.path) as other:
        other.execute("UPDATE gram_block SET version = 'grams-0'")
        other.execute("UPDATE gram SET dialogues = x'00'")
    other.close()
    assert len(list(study.search.find("甲乙"))) == 1
    build(study)
    assert study.search.index.covered() == {0: 1}
    assert len(list(study.search.find("甲乙"))) == 1


def test_few_new_dialogues_wait_to_be_indexed(project: Make) -> None:
    study = project()
    bring(study, [dialogue("d1")])
    assert list(study.search.index.build()) == []
    assert study.search.index.size() == 0
    assert list(study.search.index.progress()) == [1.0]


# -- layers


def secret_study(study: Project) -> str:
    """Agreed dialogues, the first with a telephone number and an interjection to shorten."""
    texts = ["我电话13812345678", "哈哈哈哈哈哈哈哈", "我愛你啊", "嗯嗯", "好吧", "再见"]
    bring(study, [dialogue("d1", texts), dialogue("d2"), dialogue("d3")])
    for name in ("ann", "bo"):
        study.people.add(name, "annotator", "curator")
    study.people.pair("ann", "bo", "curator")
    study.screening.assign("curator")
    uids = [study.dialogues.find(f"d{n}").uid for n in (1, 2)]
    agree(study, uids)
    return uids[0]


def test_every_step_on_the_layers_is_found_at_once_and_after_building(project: Make) -> None:
    study = project()
    uid = secret_study(study)
    build(study)

    def look() -> dict[tuple[str, str], int]:
        asked = ("13812", "[电话1]", "愛你", "哈哈哈哈哈哈哈哈")
        seen = {(w, layer.value): len(list(study.search.find(w, layer=layer))) for w in asked for layer in Layer}
        for (wanted, layer), count in seen.items():
            texts = study.quality.texts(study.dialogues.key(uid), Layer(layer))
            assert count == len(naive([texts], wanted)), (wanted, layer)
        return seen

    plain = look()
    study.findings.scrub([study.dialogues.key(uid)], "curator", 0.0)
    scrubbed = look()
    assert scrubbed["13812", "raw"] == 1
    assert scrubbed["13812", "scrubbed"] == 0
    assert scrubbed["[电话1]", "edited"] == 1
    build(study)
    assert look() == scrubbed
    study.quality.normalise("curator")
    normalised = look()
    build(study)
    assert look() == normalised
    for line in reversed(list(study.history.lines("curator"))):
        if line.kind in ("normalised", "scrubbed"):
            study.history.undo(line.ref, "curator")
            look()
    assert look() == plain
    build(study)
    assert look() == plain


def test_fresh_changes_are_known_by_the_index_and_stale_ones_are_read(project: Make) -> None:
    study = project()
    uid = secret_study(study)
    study.findings.scrub([study.dialogues.key(uid)], "curator", 0.0)
    wanted = indexing.buckets("[电话1]")
    assert study.search.index.changes(wanted).stale
    build(study)
    changes = study.search.index.changes(wanted)
    assert not changes.stale
    assert study.search.index.holders(0, wanted, changes) == [study.dialogues.key(uid)]
    study.quality.normalise("curator")
    assert study.search.index.changes(wanted).stale


# -- forgetting


def test_what_is_forgotten_leaves_nothing_in_the_file_and_is_still_found_while_it_is_there(tmp_path: Path) -> None:
    path = tmp_path / "p.workbench"
    with Project.create(path, Settings()) as study:
        uid = secret_study(study)
        key = study.dialogues.key(uid)
        study.findings.scrub([key], "curator", 0.0)
        build(study)
        gram = next(iter(indexing.buckets("13")))
        assert key in study.search.index.holders(0, [gram], indexing.Changes())
        study.search.index.forget([key])
        assert study.search.index.covered() == {}
        assert len(list(study.search.find("13812"))) == 1
        # As a purge would: the text goes, and the index built again knows nothing of it.
        study._db.execute(
            "UPDATE payload SET text = NULL WHERE id = (SELECT payload FROM dialogue WHERE id = ?)", (key,)
        )
        build(study)
        assert key not in study.search.index.holders(0, [gram], indexing.Changes())
        rows = study._db.execute("SELECT dialogue FROM gram_change").fetchall()
        assert (key,) not in rows
        assert not list(study.search.find("13812"))


def test_a_text_purged_while_its_block_is_read_does_not_come_back(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = project()
    bring(study, [dialogue("d1"), dialogue("d2")])
    index = study.search.index
    take = indexing._Grams.take

    def purge(self: indexing._Grams, offset: int, messages: list[str]) -> None:
        take(self, offset, messages)
        study._db.execute("UPDATE payload SET text = NULL WHERE id = (SELECT payload FROM dialogue WHERE id = 1)")

    monkeypatch.setattr(indexing._Grams, "take", purge)
    assert [*index.build(least=1)] == [0]
    assert index.covered() == {}
    assert index.size() == 0


def test_no_text_stands_in_the_index(tmp_path: Path) -> None:
    path = tmp_path / "p.workbench"
    with Project.create(path) as study:
        bring(study, [dialogue("d1", ["绝密暗号", "", "", "", "", "对"])])
        build(study)
        blobs = [blob for (blob,) in study._db.execute("SELECT dialogues FROM gram")]
    assert blobs
    assert not any("绝密".encode(form) in blob for blob in blobs for form in ("utf-8", "utf-16-le", "utf-32-le"))


# -- filters and the blind


def found(study: Project, wanted: str = "的", **filters: object) -> set[str]:
    return {hit.external_id for hit in study.search.find(wanted, filters=Filters(**filters))}  # type: ignore[arg-type]


def test_filters_narrow_by_stage_person_and_dialect(project: Make) -> None:
    study = project()
    uids = staff(study, 3, ["的的", "是", "在", "有", "我", "的的"])
    study.people.add("cy", "annotator", "curator")
    agree(study, uids[:1])
    everyone = {"d1", "d2", "d3"} & found(study)
    assert "d1" in everyone
    assert found(study, stage=Stage.AGREED) == {"d1"}
    assert found(study, person="ann") == {h.external_id for h in study.search.find("的")} & assigned(study, "ann")
    assert found(study, person="cy") == set()
    study._db.execute(
        "INSERT INTO dialect (dialogue, version, tag, confidence, evidence) VALUES (1, 'v', 'wu', 1, '[]')"
    )
    assert found(study, dialect="wu") == {"d1"}
    assert found(study, dialect="xiang") == set()
    for person in ("nobody", "\ud800"):
        with pytest.raises(WorkbenchError):
            study.search.find("的", filters=Filters(person=person))


def assigned(study: Project, person: str) -> set[str]:
    count = study.screening.progress(person).assigned
    tasks = [study.screening.task(person, place) for place in range(1, count + 1)]
    return {task.stored.external_id for task in tasks if task is not None}


def test_a_situation_is_told_when_both_have_committed_and_not_before(project: Make) -> None:
    study = project()
    uids = staff(study, 4)

    def shown(situation: str) -> list[set[str]]:
        return [found(study, w, situation=situation) for w in "的了是在不有我你这那就也"]

    empty = [set[str]()] * 12
    study.screening.decide("ann", uids[0], Answer(True, "irony", "x"))
    assert shown("irony") == empty
    study.screening.decide("bo", uids[0], Answer(True, "irony", "y"))
    assert {"d1"} in shown("irony")
    assert shown("humor") == empty
    # A dispute has no outcome until it is ruled on.
    study.screening.decide("ann", uids[1], Answer(True, "hint", "x"))
    study.screening.decide("bo", uids[1], Answer(True, "humor", "y"))
    assert shown("hint") == shown("humor") == empty
    study.disputes.rule("curator", uids[1], Answer(True, "humor", ""))
    assert {"d2"} in shown("humor")
    # Dropped by both: whatever was named tells nothing.
    for name in ("ann", "bo"):
        study.screening.decide(name, uids[2], Answer(False, "", ""))
    assert not any("d3" in one for situation in ("irony", "humor", "hint") for one in shown(situation))


def test_days_are_those_of_the_message_then_of_its_neighbours_then_of_the_import(project: Make) -> None:
    study = project()
    times = [None, "2024-05-01 10:00", None, "2024/6/2", "昨天", "2024年7月3日"]
    messages = tuple(Message("我" if n % 2 else "对方", "喂喂", time) for n, time in enumerate(times))
    study.dialogues.take([Dialogue("timed", messages, "我"), dialogue("plain", ["喂喂"] * 6)], Source("s"), "curator")

    def at(since: str = "", until: str = "") -> list[tuple[str, int]]:
        hits = study.search.find("喂喂", filters=Filters(since=since, until=until))
        return [(hit.external_id, hit.message) for hit in hits]

    assert at("2024-05-01", "2024-05-01") == [("timed", 0), ("timed", 1), ("timed", 2)]
    assert at("2024-06-02", "2024-06-30") == [("timed", 3), ("timed", 4)]
    assert at("2024-07-03") == [("timed", 5), *[("plain", n) for n in range(6)]]  # the clock of tests stands in 2031
    assert at("2031-02-03", "2031-02-03") == [("plain", n) for n in range(6)]
    for bad in ("2024", "20240501", "2024-02-30", "x"):
        with pytest.raises(UsageError):
            Filters(since=bad)


@pytest.mark.parametrize(
    ("time", "day"),
    [
        ("2024-05-01T10:00:00Z", "2024-05-01"),
        (" 2024.5.1", "2024-05-01"),
        ("20240501", "2024-05-01"),
        ("2024-02-30", ""),
        ("1714521600", ""),
        ("1714521600000", ""),
        ("05/01/2024", ""),
        ("", ""),
    ],
)
def test_a_day_is_read_where_the_year_comes_first(time: str, day: str) -> None:
    assert day_of(time) == day


# -- masks


def test_who_is_no_curator_finds_beside_the_masks_and_not_in_them(project: Make) -> None:
    study = project()
    uid = secret_study(study)
    texts = [m.text for m in study.dialogues.find("d1").dialogue.messages]
    assert detect([("我", texts[0])])
    for viewer, count in (("curator", 1), (None, 1), ("ann", 0), ("someone", 0)):
        for wanted in ("13812345678", "3812", "话13", "8", "３８"):
            assert bool(list(study.search.find(wanted, viewer=viewer))) == bool(count), (viewer, wanted)
    (hit,) = study.search.find("电话", viewer="ann")
    assert "138" not in hit.text
    assert hit.text[hit.start : hit.end] == "电话"
    assert "138" not in "".join(study.search.read(uid, Layer.RAW, "ann").texts)
    assert "138" in "".join(study.search.read(uid, Layer.RAW, "curator").texts)
    for layer in (Layer.SCRUBBED, Layer.NORMALISED, Layer.TRIMMED, Layer.EDITED):
        with pytest.raises(WorkbenchError):
            study.search.find("电话", layer=layer, viewer="ann")
        with pytest.raises(WorkbenchError):
            study.search.read(uid, layer, "ann")


def test_offsets_behind_a_mask_are_those_of_the_masked_text(project: Make) -> None:
    study = project()
    bring(study, [dialogue("d1", ["打我13812345678，记一下", "", "", "", "", "对"])])
    (hit,) = study.search.find("记一下", viewer="ann")
    assert hit.text[hit.start : hit.end] == "记一下"
    assert hit.text.startswith("打我〔")


def test_where_looking_for_identifiers_failed_only_a_curator_finds(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = project()
    bring(study, [dialogue("d1", ["打我13812345678", "", "", "", "", "对"])])
    uid = study.dialogues.find("d1").uid
    monkeypatch.setattr(Findings, "failure", lambda self, key: "broken")
    assert not list(study.search.find("打我", viewer="ann"))
    assert refusal(lambda: study.search.read(uid, Layer.RAW, "ann")) == "not_scanned"
    assert list(study.search.find("打我", viewer="curator"))


def test_a_search_can_be_stopped(project: Make) -> None:
    study = project()
    bring(study, [dialogue("d1", ["甲乙", "", "", "", "", "对"])])
    assert not list(study.search.find("甲乙", stop=lambda: True))
