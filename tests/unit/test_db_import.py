"""Imports: what is new, known and changed; text kept to the byte; all of a file or nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import db.dialogues
from curation.errors import BadInput
from curation.model import Dialogue, Message, Reading, ReadWarning, Refusal
from curation.work import Answer, ImportReport, Source, Terms
from db.project import Project
from tests.conftest import Make, bring, dialogue, fresh, refusal, staff, tampering

CHATS = Source("chats")


def take(study: Project, readings: Iterable[Reading], source: Source = CHATS) -> ImportReport:
    return study.dialogues.take(readings, source, "curator")


def counts(path: Path) -> dict[str, int]:
    with tampering(path) as db:
        return {
            table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("dialogue", "payload", "staging", "event", "state", "source")
        }


# -- new, known, changed


def test_an_import_counts_what_is_new(project: Make) -> None:
    readings: list[Reading] = [
        dialogue("a"),
        Refusal("f", 2, "x", "y"),
        dialogue("b", turns=8),
        ReadWarning("f", 3, "x", "y"),
    ]
    assert take(project(), readings) == ImportReport(2, 0, 0, 1, 1, 14)


def test_the_same_file_again_brings_nothing_new(project: Make) -> None:
    study = project()
    readings = [dialogue(f"d{n}", metadata={"b": 1, "a": [None, {"x": "\u2028"}]}) for n in range(5)]
    take(study, readings)
    before = counts(study.path)
    assert take(study, readings) == ImportReport(0, 5, 0, 0, 0, 0)
    assert counts(study.path) == before
    assert take(study, reversed(readings)).known == 5


def test_the_same_id_in_another_source_is_another_dialogue(project: Make) -> None:
    study = project()
    take(study, [dialogue("a")])
    assert take(study, [dialogue("a")], Source("other")).new == 1
    assert refusal(lambda: study.dialogues.find("a")) == "ambiguous"
    assert study.dialogues.find("other:a").source == "other"


def test_changed_content_is_a_new_version_and_the_old_text_stays(project: Make) -> None:
    study = project()
    take(study, [dialogue("a")])
    old = study.dialogues.find("a")
    assert take(study, [dialogue("a", turns=8)]) == ImportReport(0, 0, 1, 0, 0, 8)
    new = study.dialogues.find("a")
    assert (old.version, new.version, len(new.dialogue.messages)) == (1, 2, 8)
    assert study.dialogues.find(old.uid).dialogue == old.dialogue
    assert sum(study.dialogues.stages().values()) == 1
    assert study.check() == []


def test_every_version_is_known_once_it_came(project: Make) -> None:
    study = project()
    one, two, three = dialogue("a"), dialogue("a", turns=7), dialogue("a", turns=8)
    take(study, [one])
    assert take(study, [two]).changed == 1
    assert take(study, [one]).known == 1
    assert take(study, [three]).changed == 1
    assert take(study, [two]).known == 1
    assert study.dialogues.find("a").version == 3
    assert study.check() == []


def test_a_changed_time_speaker_or_label_is_a_change(project: Make) -> None:
    study = project()
    plain = dialogue("a")
    take(study, [plain])
    first, *rest = plain.messages
    for changed in (
        Dialogue("a", (Message(first.speaker, first.text, "2031"), *rest), plain.self_speaker),
        Dialogue("a", (Message("她", first.text), *rest), plain.self_speaker),
        Dialogue("a", plain.messages, None),
        Dialogue("a", plain.messages, plain.self_speaker, {"label": 1}),
        Dialogue("a", (*plain.messages, Message("我", "")), plain.self_speaker),
    ):
        assert take(study, [changed]).changed == 1


def test_decisions_stay_with_the_version_they_were_made_on(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    study.screening.decide("ann", uids[0], Answer(True, "irony"))
    take(study, [dialogue("d1", turns=9)])
    assert study.dialogues.find("d1").uid == uids[0]
    study.screening.decide("bo", uids[0], Answer(True, "irony"))
    assert study.dialogues.stages()["agreed"] == 1
    assert study.check() == []


def test_terms_stay_with_the_batch_that_came_under_them(project: Make) -> None:
    study = project()
    take(study, [dialogue("a")], Source("chats", Terms("IRB-1", "research", "2035-01-01")))
    take(study, [dialogue("b")], Source("chats", Terms("IRB-2")))
    take(study, [dialogue("c")], Source("chats"))
    terms = {n: study.dialogues.terms_of(study.dialogues.key(study.dialogues.find(n).uid)) for n in "abc"}
    assert terms == {"a": Terms("IRB-1", "research", "2035-01-01"), "b": Terms("IRB-2"), "c": Terms()}
    source = study.dialogues.sources()["chats"]
    assert [batch["terms"] for batch in source["batches"]] == [t.as_dict() for t in terms.values()]
    assert source["terms"] == {"approval": "IRB-1 / IRB-2 / -", "purpose": "research / -", "until": "2035-01-01 / -"}
    assert study.check() == []


def test_importing_known_dialogues_again_changes_no_terms(project: Make) -> None:
    study = project()
    take(study, [dialogue("a")], Source("chats", Terms("IRB-1", "research")))
    take(study, [dialogue("a")], Source("chats", Terms("IRB-9")))
    assert study.dialogues.sources()["chats"]["terms"] == {"approval": "IRB-1", "purpose": "research"}


# -- to the byte


def _lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "raw.jsonl").read_bytes().decode("utf-8").split("\n")[:-1]]


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
odd = st.sampled_from(["", "\u2028\u2029\x85", "\r\n", "\x00", "é", "e\u0301", "\ufeff", "\U0001f469\u200d\U0001f4bb"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
messages = st.builds(Message, texts | odd, texts | odd, st.none() | texts)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.builds(
            Dialogue,
            texts.filter(bool),
            st.lists(messages, max_size=5).map(tuple),
            st.none() | texts,
            st.dictionaries(texts, values, max_size=3),
        ),
        max_size=4,
        unique_by=lambda one: one.external_id,
    )
)
def test_any_text_comes_out_as_it_went_in(given_: list[Dialogue]) -> None:
    with fresh() as study:
        take(study, given_)
        assert [one.dialogue for one in study.dialogues.at()] == given_
        assert take(study, given_).known == len(given_), "the same content is the same text"
        out = study.path.parent / "out"
        study.releases.raw(out, "curator")
        came = [
            Dialogue(
                line["id"],
                tuple(Message(m["speaker"], m["text"], m.get("time")) for m in line["messages"]),
                one.self_speaker,
                line["metadata"],
            )
            for line, one in zip(_lines(out), given_, strict=True)
        ]
        assert came == given_
        assert study.check() == []


def test_half_a_character_is_refused_and_nothing_is_left(project: Make) -> None:
    study = project()
    before = counts(study.path)
    with pytest.raises(ValueError, match="surrogate"):
        take(study, [dialogue("a"), dialogue("b", ["\ud83d", "x"])])
    assert counts(study.path) == before


# -- all or nothing


@pytest.fixture
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db.dialogues, "CHUNK", 3)


def failing(count: int, error: BaseException) -> Iterator[Reading]:
    yield from (dialogue(f"f{n}") for n in range(count))
    raise error


@pytest.mark.usefixtures("_small_chunks")
@pytest.mark.parametrize("count", [0, 1, 3, 10])
@pytest.mark.parametrize("error", [BadInput("gone", code="gone"), OSError("disk"), KeyboardInterrupt()])
def test_a_file_that_fails_on_the_way_leaves_nothing(project: Make, count: int, error: BaseException) -> None:
    study = project()
    take(study, [dialogue("there")])
    before = counts(study.path)
    with pytest.raises(type(error)):
        take(study, failing(count, error))
    assert counts(study.path) == before
    assert study.check() == []
    assert take(study, [dialogue("f1")]).new == 1, "and it can be imported again"


@pytest.mark.usefixtures("_small_chunks")
def test_one_id_twice_is_refused_whole(project: Make) -> None:
    study = project()
    before = counts(study.path)
    twice = [*(dialogue(f"d{n}") for n in range(7)), dialogue("d2")]
    assert refusal(lambda: take(study, twice)) == "id_conflict"
    assert counts(study.path) == before


# -- beside others


@pytest.mark.usefixtures("_small_chunks")
def test_another_window_decides_and_reads_while_an_import_runs(project: Make) -> None:
    study = project()
    uids = staff(study, 5)

    def slowly() -> Iterator[Reading]:
        with Project.open(study.path) as other:
            for number, uid in enumerate(uids):
                yield from (dialogue(f"n{number}-{k}") for k in range(4))
                other.screening.decide("ann", uid, Answer(True, "hint", "边导入边做"))
                assert sum(other.dialogues.stages().values()) == 5, "nothing of the import shows before its end"
                assert other.check() == []

    assert take(study, slowly()).new == 20
    assert study.screening.progress("ann").decided == 5
    assert sum(study.dialogues.stages().values()) == 25
    assert study.check() == []


@pytest.mark.usefixtures("_small_chunks")
@pytest.mark.parametrize("fails", [True, False])
def test_two_imports_at_once_do_not_touch_each_others_texts(project: Make, fails: bool) -> None:
    study = project()
    uids = staff(study, 2)

    def inner() -> Iterator[Reading]:
        for number in range(9):
            yield dialogue(f"in{number}")
        if fails:
            raise BadInput("gone", code="gone")

    def outer() -> Iterator[Reading]:
        yield from (dialogue(f"out{n}") for n in range(7))
        with Project.open(study.path) as other:
            if fails:
                with pytest.raises(BadInput):
                    take(other, inner(), Source("inner"))
            else:
                take(other, inner(), Source("inner"))
            # Takes the numbers that a sweep has freed.
            other.screening.decide("ann", uids[0], Answer(True, "hint", "中间"))
        yield from (dialogue(f"late{n}") for n in range(7))

    assert take(study, outer()).new == 14
    assert study.check() == []
    assert study.dialogues.find("out3").dialogue == dialogue("out3")
    assert sum(study.dialogues.stages().values()) == 2 + 14 + (0 if fails else 9)


@pytest.mark.usefixtures("_small_chunks")
def test_an_import_whose_outer_one_fails_keeps_its_texts(project: Make) -> None:
    study = project()

    def outer() -> Iterator[Reading]:
        yield from (dialogue(f"out{n}") for n in range(7))
        with Project.open(study.path) as other:
            take(other, [dialogue(f"in{n}") for n in range(7)], Source("inner"))
        raise BadInput("gone", code="gone")

    assert refusal(lambda: take(study, outer())) == "gone"
    assert study.dialogues.stages()["imported"] == 7
    assert counts(study.path)["payload"] == 7
    assert study.check() == []


def test_two_imports_into_one_source_at_once_do_not_double_a_dialogue(project: Make) -> None:
    study = project()

    def outer() -> Iterator[Reading]:
        yield dialogue("a")
        with Project.open(study.path) as other:
            assert take(other, [dialogue("a")]).new == 1
        yield dialogue("b")

    assert refusal(lambda: take(study, outer())) == "import_raced"
    assert counts(study.path)["payload"] == 1
    assert take(study, [dialogue("a"), dialogue("b")]) == ImportReport(1, 1, 0, 0, 0, 6)
    assert study.check() == []


@pytest.mark.usefixtures("_small_chunks")
def test_an_import_that_was_taken_for_dead_is_refused(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    study = project()

    def asleep() -> Iterator[Reading]:
        yield from (dialogue(f"a{n}") for n in range(4))
        monkeypatch.setattr(db.dialogues, "STALE_SECONDS", -1.0)
        with Project.open(study.path) as other:
            take(other, [dialogue("b")], Source("other"))
        monkeypatch.undo()
        yield from (dialogue(f"c{n}") for n in range(4))

    assert refusal(lambda: take(study, asleep())) == "import_swept"
    assert [one.external_id for one in study.dialogues.at()] == ["b"]
    assert counts(study.path)["payload"] == 1
    assert study.check() == []


def test_candidates_are_counted_with_the_reason_of_each_that_is_none(project: Make) -> None:
    study = project()
    bring(study, [dialogue("a"), dialogue("b", turns=4), dialogue("c", self_speaker=None)])
    assert study.dialogues.funnel().rejected == {"too_few_turns": 1, "self_unknown": 1}
    assert study.dialogues.find("b").code == "too_few_turns"


def test_what_is_screened_while_the_rules_are_applied_is_left_as_it_is(project: Make) -> None:
    study = project()
    uids = staff(study, 2)
    for number in (1, 2):
        longer = [*(m.text for m in dialogue(f"d{number}").messages), "再说一句", "好"]
        take(study, [dialogue(f"copy{number}", longer)])

    def decide_when_the_lock_is_wanted(statement: str) -> None:
        if statement == "BEGIN IMMEDIATE":
            study._db.set_trace_callback(None)
            with Project.open(study.path) as other:
                other.screening.decide("ann", uids[0], Answer(True, "irony"))

    study._db.set_trace_callback(decide_when_the_lock_is_wanted)
    study.dialogues.apply_rules("curator")
    assert study.screening.progress("ann").decided == 1, "the lock was free while the rules were applied"
    assert (study.dialogues.find("d1").code, study.dialogues.find("d2").code) == ("", "near_duplicate")
    assert study.check() == []
