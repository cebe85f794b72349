"""Handing work out and on: by rule, from whoever leaves, for a dialect; and nothing lost, doubled or left with no one."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from curation.errors import RefusedStep, UsageError
from curation.hints import day_of, hint_of
from curation.model import Dialogue, Message
from curation.work import Answer
from db.project import Project
from tests.conftest import Make, bring, dialogue, fresh, refusal, staff


def people(study: Project, *names: str, pairs: bool = True) -> None:
    for name in names:
        study.people.add(name, "annotator", "curator")
    if pairs:
        for a, b in zip(names[::2], names[1::2], strict=True):
            study.people.pair(a, b, "curator")


def lists(study: Project) -> dict[str, list[tuple[int, str, str]]]:
    """Everyone's list as (place, dialogue, slot)."""
    db = sqlite3.connect(study.path)
    rows = db.execute(
        "SELECT a.person, a.place, d.external_id, a.slot FROM assignment a JOIN dialogue d ON d.id = a.dialogue ORDER BY 1, 2"
    ).fetchall()
    db.close()
    found: dict[str, list[tuple[int, str, str]]] = {}
    for person, *row in rows:
        found.setdefault(person, []).append(tuple(row))
    return found


def names(study: Project, person: str) -> list[str]:
    return [name for _, name, _ in lists(study).get(person, [])]


def keep(study: Project, person: str, name: str, situation: str = "irony") -> None:
    study.screening.decide(person, study.dialogues.find(name).uid, Answer(True, situation, "因为"))


# -- by rule


def labelled(name: str, label: str, day: str = "") -> Dialogue:
    made = dialogue(name, metadata={"second_level_scenario": label} if label else {})
    if not day:
        return made
    messages = tuple(Message(m.speaker, m.text, f"{day} 10:0{n}") for n, m in enumerate(made.messages))
    return Dialogue(name, messages, made.self_speaker, made.metadata)


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"scenario": "言外之意-讽刺"}, "irony"),
        ({"scenario_en": "Implied meaning - Irony/Sarcasm"}, "irony"),
        ({"second_level_scenario": "关系推拉", "label": "irony"}, "push_pull"),
        ({"label": "counter_test"}, "counter_test"),
        ({"label": "weather"}, ""),
        ({"label": 3}, ""),
        ({}, ""),
    ],
)
def test_a_hint_is_read_from_what_the_file_said(metadata: dict[str, object], expected: str) -> None:
    assert hint_of(metadata) == expected


def test_by_situation_each_pair_gets_as_many_of_each_label(project: Make) -> None:
    study = project()
    labels = ["讽刺"] * 6 + ["暗示"] * 4 + [""] * 3
    bring(study, [labelled(f"d{n}", label) for n, label in enumerate(labels)])
    people(study, "ann", "bo", "cy", "dan")
    study.assigning.assign("curator", rule="situation")
    for person in ("ann", "cy"):
        got = Counter(labels[int(name[1:])] for name in names(study, person))
        assert (got["讽刺"], got["暗示"]) == (3, 2)
    assert study.check() == []


def test_by_date_the_oldest_go_first(project: Make) -> None:
    study = project()
    bring(study, [labelled(f"d{n}", "", f"2024-01-{n:02}") for n in (3, 1, 2)] + [labelled("undated", "")])
    people(study, "ann", "bo")
    done = study.assigning.assign("curator", rule="date", limit=2)
    assert (done.dialogues, names(study, "ann")) == (2, ["d1", "d2"])
    study.assigning.assign("curator", rule="date")
    assert study.check() == []
    assert names(study, "bo") == ["d1", "d2", "d3", "undated"]
    assert day_of(labelled("x", "", "2024-01-09")).startswith("2024-01-09")


CANTONESE = ["你喺边度呀", "我哋喺屋企", "佢哋嚟咗未", "冇嚟，唔知做咩", "系咁样嘅", "咁你哋食咗饭未呀"]


def test_by_dialect_it_goes_to_a_pair_that_reads_it_and_else_to_nobody(project: Make) -> None:
    study = project()
    bring(study, [dialogue("plain"), dialogue("yue", CANTONESE)])
    people(study, "ann", "bo", "cy", "dan")
    done = study.assigning.assign("curator", rule="dialect")
    assert (done.dialogues, dict(done.unread)) == (1, {"cantonese": 1})
    study.people.set_reads("cy", ["cantonese"], "curator")
    assert study.assigning.assign("curator", rule="dialect").unread == {"cantonese": 1}  # one of two is not enough
    study.people.set_reads("dan", ["cantonese", "wu"], "curator")
    assert study.assigning.assign("curator", rule="dialect").people == {"ann": 0, "bo": 0, "cy": 1, "dan": 1}
    assert study.people.get("dan").reads == ("cantonese", "wu")
    assert refusal(lambda: study.people.set_reads("dan", ["klingon"], "curator")) != ""
    assert study.check() == []


def test_short_situations_go_first_and_full_ones_last(project: Make) -> None:
    study = project()
    labels = ["讽刺", "", "暗示", "讽刺", "暗示"]
    bring(study, [labelled(f"d{n}", label) for n, label in enumerate(labels)])
    people(study, "ann", "bo")
    study.quotas.set("curator", {"irony": 0, "hint": 2})
    study.assigning.assign("curator")
    assert names(study, "ann") == ["d2", "d4", "d1", "d0", "d3"]


def test_what_is_no_rule_is_refused(project: Make) -> None:
    study = project()
    staff(study, 1)
    assert refusal(lambda: study.assigning.assign("curator", rule="mood")) != ""


# -- leaving


def test_what_nobody_touched_goes_to_another_pair_whole(project: Make) -> None:
    study = project()
    staff(study, 4)
    keep(study, "ann", "d1")
    keep(study, "bo", "d1")
    keep(study, "bo", "d2")
    people(study, "cy", "dan")
    done = study.assigning.retire("ann", "curator")
    assert (done.pairs, done.people, done.nobody) == (2, 1, 0)
    assert names(study, "ann") == ["d1"]
    assert names(study, "bo") == ["d1", "d2"]  # decided: that stays, though the other slot is someone else's now
    assert sorted(names(study, "cy") + names(study, "dan")) == ["d2", "d3", "d3", "d4", "d4"]
    assert study.screening.progress("bo").assigned == 2
    assert study.check() == []


def test_only_the_slot_of_who_leaves_goes_on_when_the_other_has_decided(project: Make) -> None:
    study = project()
    staff(study, 1)
    people(study, "cy", pairs=False)
    keep(study, "ann", "d1", "hint")
    study.assigning.retire("bo", "curator")
    assert [(slot, name) for _, name, slot in lists(study)["cy"]] == [("B", "d1")]
    task = study.screening.task("cy")
    assert task is not None
    assert task.other is None
    keep(study, "cy", "d1", "hint")
    assert study.dialogues.find("d1").stage == "agreed"
    assert study.check() == []


def test_a_half_written_answer_stays_with_who_wrote_it(project: Make) -> None:
    from curation.work import Draft

    study = project()
    uids = staff(study, 1)
    people(study, "cy", "dan")
    study.screening.save_draft("bo", uids[0], Draft(None, "", "我觉得"))
    study.assigning.retire("ann", "curator")
    assert names(study, "bo") == ["d1"]
    task = study.screening.task("bo")
    assert task is not None
    assert task.draft.rationale == "我觉得"


def test_a_successor_takes_the_place_in_the_pair_too(project: Make) -> None:
    study = project()
    staff(study, 2)
    people(study, "cy", pairs=False)
    study.assigning.retire("ann", "curator", "cy")
    pair = study.people.pair_of("bo")
    assert pair is not None
    assert (pair.a, pair.b) == ("cy", "bo")
    assert names(study, "cy") == ["d1", "d2"]
    bring(study, [dialogue("later")])
    assert study.screening.assign("curator") == {"cy": 1, "bo": 1}
    assert refusal(lambda: study.assigning.retire("bo", "curator", "bo")) != ""


def test_without_anyone_else_the_slot_waits_and_the_other_goes_on(project: Make) -> None:
    study = project()
    staff(study, 2)
    done = study.assigning.retire("ann", "curator")
    assert done.nobody == 2
    assert study.assigning.orphans() == 2
    keep(study, "bo", "d1")
    people(study, "cy", pairs=False)
    study.people.pair("cy", "bo", "curator")
    study.screening.assign("curator")
    assert names(study, "cy") == ["d1", "d2"]
    assert study.assigning.orphans() == 0
    keep(study, "cy", "d1")
    assert study.dialogues.find("d1").stage == "agreed"
    assert study.check() == []


def test_a_dispute_of_someone_who_left_is_the_leads_to_rule(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    keep(study, "ann", "d1", "irony")
    keep(study, "bo", "d1", "hint")
    study.assigning.retire("ann", "curator")
    study.assigning.retire("bo", "curator")
    study.disputes.rule("curator", uids[0], Answer(True, "hint"))
    assert study.dialogues.find("d1").stage == "agreed"
    assert study.check() == []


def test_a_dialogue_handed_back_goes_to_who_reads_it_and_never_back(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    people(study, "cy", "dan", "eve", "fay")
    for name in ("eve", "fay"):
        study.people.set_reads(name, ["wu"], "curator")
    study.raising.hand_back("ann", uids[0], "wu")
    assert {p: names(study, p) for p in ("ann", "bo", "cy", "dan", "eve", "fay")} == {
        "ann": [],
        "bo": [],
        "cy": [],
        "dan": [],
        "eve": ["d1"],
        "fay": ["d1"],
    }
    study.assigning.retire("eve", "curator")
    study.assigning.retire("fay", "curator")
    study.screening.assign("curator")
    assert not any(names(study, p) for p in ("ann", "bo", "cy", "dan"))
    assert study.screening.work()["to_assign"] >= 1  # it is the lead's now
    assert study.check() == []


# -- any schedule


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000))
@example(2331)  # one handed back what the other had decided, and nobody could read it
@example(5311)  # a step taken back gave a dialogue to someone who had handed it back too
def test_no_schedule_loses_doubles_or_strands_a_dialogue(seed: int) -> None:
    chance = random.Random(seed)
    with fresh() as study:
        staff(study, 6)
        people(study, "cy", "dan")
        everyone = ["ann", "bo", "cy", "dan"]
        said: dict[tuple[str, str], str] = {}
        for _ in range(30):
            person = chance.choice(everyone)
            step = chance.choice(("decide", "decide", "decide", "undo", "skip", "leave", "back", "assign", "hand_back"))
            with suppress(RefusedStep, UsageError):
                _step(study, chance, person, step, everyone, said)
            _holds(study, said)
        for name in everyone:
            study.people.add(name, "annotator", "curator")
        people(study, "yan", "zoe")
        for one in study.people.everyone():
            study.people.set_reads(one.name, ["wu"], "curator")
        study.screening.assign("curator")
        for person in [p.name for p in study.people.everyone() if p.role == "annotator"]:
            while (task := study.screening.next(person, 0)) is not None:
                study.screening.decide(person, task.stored.uid, Answer(False))
        assert study.dialogues.stages()["candidate"] == 0
        assert study.check() == []


def _step(
    study: Project, chance: random.Random, person: str, step: str, everyone: list[str], said: dict[tuple[str, str], str]
) -> None:
    task = study.screening.next(person, 0)
    if step == "decide" and task is not None:
        label = chance.choice(("irony", "hint", ""))
        study.screening.decide(person, task.stored.uid, Answer(bool(label), label))
        said[task.stored.external_id, person] = label
    elif step == "skip" and task is not None:
        study.screening.skip(person, task.stored.uid, "later")
    elif step == "undo":
        taken = study.screening.undo(person)
        if taken is not None and taken.answer is None:
            said.pop((taken.stored.external_id, person), None)
    elif step == "leave":
        study.assigning.retire(person, "curator", chance.choice([None, *everyone]))
    elif step == "back":
        study.people.add(person, "annotator", "curator")
    elif step == "assign":
        study.screening.assign("curator")
    elif step == "hand_back" and task is not None:
        study.raising.hand_back(person, task.stored.uid, chance.choice(("", "wu")))


def _holds(study: Project, said: dict[tuple[str, str], str]) -> None:
    db = sqlite3.connect(study.path)
    stands = {
        (name, person): situation
        for name, person, situation in db.execute(
            "SELECT x.external_id, d.person, d.situation FROM decision d JOIN dialogue x ON x.id = d.dialogue WHERE round = 1"
        )
    }
    assert stands == said
    # A slot that is not decided is with someone who is here, or counted as nobody's.
    stranded = db.execute(
        "SELECT count(*) FROM assignment a JOIN person p ON p.name = a.person AND p.retired = 1 JOIN state t"
        " ON t.dialogue = a.dialogue WHERE t.stage = 'candidate' AND NOT EXISTS"
        " (SELECT 1 FROM decision d WHERE d.dialogue = a.dialogue AND d.slot = a.slot)"
    ).fetchone()[0]
    assert stranded <= study.assigning.orphans()
    for name, two in Counter(d for rows in lists(study).values() for _, d, _ in rows).items():
        assert two <= 2, name
    db.close()
    for person in study.people.everyone():
        seen = names(study, person.name)
        assert len(seen) == len(set(seen))
