"""The blind of scoring holds, and a blind that does not hold is found out."""

from __future__ import annotations

import json

import pytest

from db.project import Project
from tests.conftest import Make, tampering
from tests.scoring import SCORERS, SYSTEMS, done, handed


@pytest.fixture
def study(project: Make) -> Project:
    made = project()
    handed(made, repeats=0.2, calibration=1)
    done(made, "ann", 4)
    made.scoring.note("ann", made.scoring.task("ann", 1).code, "这句像机器")  # type: ignore[union-attr]
    return made


def test_other_names_and_another_order_change_no_byte_of_what_is_seen(study: Project) -> None:
    found = study.blindness()
    assert found.holds
    assert (found.same, found.same_anew, found.leaks, found.differing) == (True, True, (), ())
    assert found.bytes > 10_000
    assert found.tasks == study._db.execute("SELECT count(*) FROM score_task").fetchone()[0]
    assert study.check() == [], "looking changes nothing"
    assert found.named_in_texts == 0


def test_an_expert_and_their_system_may_have_one_name(project: Make) -> None:
    made = project()
    made.people.add("老钱", "expert", "curator")
    handed(made, 2, (*SYSTEMS[:2], "老钱"))
    assert made.blindness().holds


def test_the_sides_are_balanced_by_annotator_and_by_system(study: Project) -> None:
    sides = study.blindness().sides
    assert set(sides["annotator"]) == set(SCORERS)
    assert set(sides["system"]) == set(SYSTEMS)
    for one in sides["annotator"].values():
        assert abs(one["first"] - one["second"]) <= 3


def test_a_name_in_what_is_seen_is_found(study: Project) -> None:
    with tampering(study.path) as db:
        db.execute("UPDATE score_skip SET reason = ?", (SYSTEMS[0],))
        code = db.execute("SELECT code FROM score_task WHERE person = 'bo' LIMIT 1").fetchone()[0]
        row = db.execute("SELECT min(id) FROM payload").fetchone()[0]
        db.execute("INSERT INTO score_skip VALUES (?, ?, ?, 'o', 1)", (code, SYSTEMS[1], row))
    found = study.blindness()
    assert not found.holds
    assert any(part.startswith("bo") for part in found.leaks)


def test_an_order_by_name_is_found(study: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    from curation import blinding

    def by_name(secret: bytes, items: list[blinding.Item]) -> list[bytes]:
        return [blinding.keyed(secret, one.uid, one.system) for one in items]

    monkeypatch.setattr("db.handing.tokens", by_name)
    found = study.blindness()
    assert not found.same_anew


def test_sides_that_are_not_balanced_are_found(study: Project) -> None:
    with tampering(study.path) as db:
        db.execute("UPDATE score_key SET first = 'cot' WHERE first <> ''")
    assert study.blindness().lopsided


def test_scores_of_an_item_are_sealed_in_the_log_for_curators_too_while_someone_has_it_to_score(study: Project) -> None:
    def item_of(code: str) -> tuple[object, ...]:
        row = study._db.execute("SELECT dialogue, system, mode FROM score_key WHERE code = ?", (code,)).fetchone()
        return tuple(row)

    def open_items() -> set[tuple[object, ...]]:
        tasks = study._db.execute(
            "SELECT k.dialogue, k.system, k.mode FROM score_task t JOIN score_key k USING (code) WHERE k.role <> 'repeat'"
            " AND t.person IN (SELECT name FROM person WHERE retired = 0)"
            " AND NOT EXISTS (SELECT 1 FROM score_closing c WHERE c.code = t.code AND c.step <> 'replies')"
        )
        return {tuple(row) for row in tasks}

    def told() -> list[tuple[bool, bool]]:
        """Of every score in the log: whether it is sealed for a curator, and whether its item is open to someone."""
        events = {event.ref: event for event in study.log.events()}
        waiting = open_items()
        return [
            (line.sealed, item_of(events[line.ref].body["task"]) in waiting)
            for line in study.history.lines("curator")
            if line.kind in ("scored", "scoring_closed", "scoring_noted")
        ]

    before = told()
    assert len(before) > 4
    assert all(sealed and waits for sealed, waits in before), "nobody else has scored anything yet"
    done(study, "bo", 5)
    done(study, "cy", 5)
    half = told()
    assert all(sealed == waits for sealed, waits in half)
    study.people.retire("cy", "curator")
    done(study, "ann")
    done(study, "bo")
    assert not any(sealed for sealed, _ in told()), "all who are here have scored all"
    assert study.check() == []


def test_what_stays_open_is_told_when_the_scoring_ends(study: Project) -> None:
    assert any(line.sealed for line in study.history.lines("curator") if line.kind == "scored")
    study.scoring.end("curator")
    assert not any(line.sealed for line in study.history.lines("curator"))


def test_what_others_gave_and_what_names_a_system_is_sealed_in_the_log(study: Project) -> None:
    for viewer in ("bo", "ann"):
        for one in study.history.lines(viewer):
            words = json.dumps(dict(one.facts), ensure_ascii=False)
            assert not any(name in words for name in SYSTEMS), one
            if one.kind in ("scored", "scoring_closed", "scoring_noted") and viewer != one.by:
                assert one.sealed
                assert one.facts == {}
    own = [one for one in study.history.lines("ann") if one.kind == "scored"]
    assert own
    assert not any(one.sealed for one in own)
    study.scoring.end("curator")
    assert not any(one.sealed for one in study.history.lines("bo") if one.kind in ("scored", "answered"))


def test_a_task_says_nothing_that_tells(study: Project) -> None:
    for name in SCORERS:
        place = 1
        while (task := study.scoring.task(name, place)) is not None:
            words = repr(task)
            assert not any(system in words for system in SYSTEMS)
            assert "cot" not in words
            assert "direct" not in words
            place += 1


def test_the_mapping_is_read_by_no_method_that_serves_annotators(study: Project) -> None:
    with tampering(study.path) as db:
        kept = db.execute("SELECT * FROM score_key").fetchall()
        db.execute("DELETE FROM score_key")
    with Project.open(study.path) as other:
        assert done(other, "bo", 2) == 2
        assert other.scoring.past("bo")
        assert other.scoring.undo("bo") is not None
    assert kept
