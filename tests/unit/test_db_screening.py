"""Work on the desk: handing out, deciding, putting off, taking back, ruling; and decisions brought as lines."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.errors import WorkbenchError
from curation.stages import Stage
from curation.work import Answer, Draft, Progress
from db.project import Project
from tests.conftest import Make, agree, bring, dialogue, fresh, refusal, staff

KEEP = Answer(True, "irony", "因为")


def lines(
    study: Project, *given_: dict[str, Any], by: str | None = None, actor: str = "curator"
) -> tuple[int, int, list[tuple[int, str]]]:
    report = study.decisions.take(enumerate(given_, 1), "f", by, actor=actor)
    return report.taken, report.known, [(r.line, r.code) for r in report.refused]


def answer_line(name: str = "d1", by: str = "ann", **more: Any) -> dict[str, Any]:
    return {"kind": "screening", "dialogue": name, "by": by, "keep": True, "situation": "irony", **more}


# -- handing out


def test_candidates_go_to_the_pairs_evenly_and_to_each_pair_whole(project: Make) -> None:
    study = project()
    bring(study, [dialogue(f"d{n}") for n in range(7)])
    for a, b in (("ann", "bo"), ("cai", "dan")):
        for name in (a, b):
            study.people.add(name, "annotator", "curator")
        study.people.pair(a, b, "curator")
    assert study.screening.assign("curator") == {"ann": 4, "bo": 4, "cai": 3, "dan": 3}
    assert study.screening.assign("curator") == {"ann": 0, "bo": 0, "cai": 0, "dan": 0}
    bring(study, [dialogue(f"e{n}") for n in range(3)])
    assert study.screening.assign("curator") == {"ann": 1, "bo": 1, "cai": 2, "dan": 2}
    assert study.check() == []


def test_only_the_pairs_named_get_work(project: Make) -> None:
    study = project()
    staff(study, 2)
    for name in ("cai", "dan", "eve"):
        study.people.add(name, "annotator", "curator")
    study.people.pair("cai", "dan", "curator")
    bring(study, [dialogue(f"e{n}") for n in range(3)])
    assert study.screening.assign("curator", ["dan"]) == {"cai": 3, "dan": 3}
    assert refusal(lambda: study.screening.assign("curator", ["eve"])) == "no_pair"
    assert refusal(lambda: study.screening.assign("curator", ["nobody"])) == "no_person"
    study.assigning.retire("dan", "curator")
    bring(study, [dialogue("f")])
    assert study.screening.assign("curator") == {"ann": 1, "bo": 1}


def test_work_without_a_pair_is_refused(project: Make) -> None:
    study = project()
    bring(study, [dialogue("d1")])
    assert refusal(lambda: study.screening.assign("curator")) == "no_pair"


def test_the_first_of_a_pair_is_a(project: Make) -> None:
    study = project()
    staff(study, 1)
    slots = {name: task.slot for name in ("ann", "bo") if (task := study.screening.task(name)) is not None}
    assert slots == {"ann": "A", "bo": "B"}


# -- deciding


def test_a_decision_is_kept_with_its_reason_and_moves_the_counts(project: Make) -> None:
    study = project()
    uids = staff(study, 3)
    saved = study.screening.decide("ann", uids[0], KEEP)
    assert saved.endswith("Z")
    assert study.screening.given("ann", uids[0]) == KEEP
    assert study.screening.progress("ann") == Progress(3, 1, 0, 1)
    study.screening.decide("bo", uids[0], KEEP)
    assert study.screening.progress("ann") == Progress(3, 1, 0, 0)


def test_what_cannot_be_decided_is_refused_and_changes_nothing(project: Make) -> None:
    study = project()
    uids = staff(study, 2)
    study.people.add("carol", "expert", "curator")
    study.screening.decide("ann", uids[0], KEEP)
    before = len(list(study.history.lines("curator")))
    for person, uid, answer, code in (
        ("ann", uids[0], KEEP, "decided"),
        ("carol", uids[0], KEEP, "not_assigned"),
        ("nobody", uids[0], KEEP, "no_person"),
        ("bo", "nothing", KEEP, "no_dialogue"),
        ("bo", uids[0], Answer(True), "no_situation"),
        ("bo", uids[0], Answer(True, "irony", "\udc80"), "bad_text"),
    ):
        assert refusal(partial(study.screening.decide, person, uid, answer)) == code
    with pytest.raises(WorkbenchError):
        study.screening.decide("bo", uids[0], Answer(True, "sarcasm?"))
    assert len(list(study.history.lines("curator"))) == before


def test_the_situation_of_a_dropped_dialogue_is_not_kept(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    study.screening.decide("ann", uids[0], Answer(False, "irony", "不要"))
    study.screening.decide("bo", uids[0], Answer(False, "hint", "也不要"))
    assert study.screening.given("ann", uids[0]) == Answer(False, "", "不要")
    assert study.dialogues.find("d1").stage is Stage.DROPPED


@settings(max_examples=25, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), st.sampled_from([None, True, False]))
def test_any_words_survive_as_draft_decision_and_line(words: str, keep: bool | None) -> None:
    with fresh() as study:
        uids = staff(study, 1)
        study.screening.save_draft("ann", uids[0], Draft(keep, "hint", words))
        with Project.open(study.path) as other:
            task = other.screening.task("ann", 1)
            assert task is not None
            assert task.draft == Draft(keep, "hint", words)
        study.screening.decide("ann", uids[0], Answer(True, "hint", words))
        assert study.screening.given("ann", uids[0]) == Answer(True, "hint", words)
        assert [line["rationale"] for line in study.decisions.give("ann")] == [words]
        assert study.check() == []


def test_a_draft_goes_with_the_decision_and_comes_back_with_undo(project: Make) -> None:
    study = project()
    uids = staff(study, 2)
    study.screening.save_draft("ann", uids[0], Draft(None, "", "半句"))
    study.screening.decide("ann", uids[0], KEEP)
    task = study.screening.task("ann", 1)
    assert task is not None
    assert (task.draft, task.answer, task.open) == (Draft(), KEEP, True)
    back = study.screening.undo("ann")
    assert back is not None
    assert (back.draft, back.answer) == (Draft(True, "irony", "因为"), None)


# -- moving


def test_the_next_task_is_the_next_undecided_and_those_put_off_come_last(project: Make) -> None:
    study = project()
    uids = staff(study, 4)
    study.screening.skip("ann", uids[1], "later")
    study.screening.decide("ann", uids[2], KEEP)
    places = []
    after = 0
    for _ in range(5):
        task = study.screening.next("ann", after)
        assert task is not None
        places.append(task.place)
        after = task.place
    assert places == [1, 4, 1, 4, 1]
    study.screening.decide("ann", uids[0], KEEP)
    study.screening.decide("ann", uids[3], KEEP)
    task = study.screening.next("ann", 3)
    assert task is not None
    assert (task.place, task.skipped) == (2, "later")
    study.screening.decide("ann", uids[1], KEEP)
    assert study.screening.next("ann", 0) is None


def test_one_comes_back_to_where_one_left_off(project: Make) -> None:
    study = project()
    staff(study, 5)
    study.screening.task("ann", 3)
    study.screening.step("ann", 3, +1)
    with Project.open(study.path) as other:
        task = other.screening.task("ann")
        assert task is not None
        assert task.place == 4
    assert study.screening.step("ann", 5, +1) is None
    assert study.screening.step("ann", 1, -1) is None
    assert study.screening.task("bo", 99) is None


# -- taking back


def test_undo_goes_back_step_by_step_and_stops_where_the_other_has_committed(project: Make) -> None:
    study = project()
    uids = staff(study, 4)
    study.screening.decide("ann", uids[0], KEEP)
    study.screening.skip("ann", uids[1], "unclear")
    study.screening.decide("ann", uids[2], KEEP)
    study.screening.decide("ann", uids[3], KEEP)
    study.screening.decide("bo", uids[3], KEEP)
    undone = [study.screening.undo("ann") for _ in range(4)]
    assert [task.stored.uid if task else None for task in undone] == [uids[2], uids[1], uids[0], None]
    assert study.screening.progress("ann") == Progress(4, 1, 0, 0)
    assert refusal(lambda: study.screening.take_back("ann", uids[3])) == "closed"
    assert study.check() == []


def test_undo_of_a_decision_brings_the_skip_before_it_back(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    study.screening.skip("ann", uids[0], "unclear")
    study.screening.decide("ann", uids[0], KEEP)
    back = study.screening.undo("ann")
    assert back is not None
    assert back.skipped == "unclear"
    back = study.screening.undo("ann")
    assert back is not None
    assert back.skipped == ""
    assert study.screening.undo("ann") is None


def test_nobody_takes_back_what_another_decided(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    study.screening.decide("ann", uids[0], KEEP)
    assert study.screening.undo("bo") is None
    assert refusal(lambda: study.screening.take_back("bo", uids[0])) == "closed"
    assert study.screening.given("ann", uids[0]) == KEEP


# -- ruling


def test_a_ruling_settles_a_dispute_and_another_replaces_it(project: Make) -> None:
    study = project()
    uids = staff(study, 2)
    assert refusal(lambda: study.disputes.rule("curator", uids[0], KEEP)) == "not_disputed"
    study.screening.decide("ann", uids[0], KEEP)
    study.screening.decide("bo", uids[0], Answer(False))
    assert study.disputes.rule("curator", uids[0], KEEP)
    assert study.dialogues.find("d1").stage is Stage.AGREED
    assert not study.disputes.rule("curator", uids[0], KEEP)
    assert study.disputes.rule("curator", uids[0], Answer(False))
    assert study.dialogues.find("d1").stage is Stage.DROPPED
    assert [s.round for s in study.history.statements(uids[0], "carol")] == [1, 1, 0], (
        "the blind answers stay what they were"
    )


# -- lines


def test_lines_are_taken_known_or_refused_each_by_itself(project: Make) -> None:
    study = project()
    staff(study, 3)
    taken = lines(
        study,
        answer_line(),
        answer_line(),
        answer_line("d2", by="nobody"),
        answer_line("d9"),
        answer_line("d2", situation="无此类"),
        answer_line("d2", keep="yes"),
        {"kind": "dance"},
        {"kind": ["screening"]},
        answer_line("d2", rationale=7),
        answer_line("d2", situation=[]),
        answer_line("d2"),
    )
    assert taken[:2] == (2, 1)
    assert [line for line, _ in taken[2]] == [3, 4, 5, 6, 7, 8, 9, 10]
    assert study.screening.progress("ann").decided == 2


@pytest.mark.parametrize("line", [None, 3, "x", [], {}, {"kind": None}, {"kind": "screening"}, {"kind": "finding"}])
def test_what_is_no_decision_is_refused_by_line(project: Make, line: Any) -> None:
    study = project()
    staff(study, 1)
    assert lines(study, line, by="ann")[:2] == (0, 0)
    assert study.check() == []


@pytest.mark.parametrize(
    "change",
    [
        {"rationale": "\ud800"},
        {"dialogue": "\udfff"},
        {"by": "\ud800"},
        {"situation": "\ud800"},
        {"dialogue": "d1\x00"},
        {"kind": "\ud800"},
    ],
)
def test_half_characters_in_a_line_refuse_that_line_alone(project: Make, change: dict[str, str]) -> None:
    study = project()
    staff(study, 2)
    taken, known, refused = lines(study, answer_line() | change, answer_line("d2"))
    assert (taken, known, [line for line, _ in refused]) == (1, 0, [1])


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["d1", "ann", "bo", "irony", "\ud800", ""]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
    max_leaves=4,
)
_fields = [
    "dialogue",
    "by",
    "keep",
    "situation",
    "rationale",
    "message",
    "start",
    "end",
    "type",
    "accept",
    "first_turn",
]


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["screening", "ruling", "finding", "trim", "approval"]),
            st.dictionaries(st.sampled_from([*_fields, "removed"]), _json),
        ),
        max_size=6,
    )
)
def test_no_line_crashes_and_none_harms_the_project(given_: list[tuple[str, dict[str, Any]]]) -> None:
    with fresh() as study:
        uids = staff(study, 2)
        agree(study, uids[:1])
        made = [{"dialogue": "d1", "by": "curator", **fields, "kind": kind} for kind, fields in given_]
        report = study.decisions.take(enumerate(made, 1), "f")
        assert report.taken + report.known + len(report.refused) == len(made)
        assert study.check() == []


def test_a_line_that_says_otherwise_replaces_ones_own_answer_while_the_blind_holds(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    assert lines(study, answer_line(), answer_line(keep=False), actor="ann")[:2] == (2, 0)
    assert study.screening.given("ann", uids[0]) == Answer(False)
    lines(study, answer_line(by="bo"))
    assert lines(study, answer_line())[2] == [(1, "closed")]


def test_a_line_by_another_hand_neither_tells_nor_changes_what_the_blind_covers(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    study.screening.decide("ann", uids[0], Answer(True, "irony", "mine"))
    guesses = [answer_line(), answer_line(keep=False), answer_line(situation="humor"), answer_line(rationale="x")]
    for actor, alike in (("bo", (0, 0, ((1, "not_a_curator"),))), ("curator", (0, 1, ()))):
        told = {
            (*lines(study, guess, actor=actor)[:2], tuple(lines(study, guess, actor=actor)[2])) for guess in guesses
        }
        assert told == {alike}, "every guess is answered alike"
    assert study.screening.given("ann", uids[0]) == Answer(True, "irony", "mine")
    assert all(event.kind != "undone" for event in study.log.events())


def test_nobody_but_a_curator_gives_the_blind_answer_of_another(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    study.people.add("cy", "annotator", "curator")
    for actor in ("bo", "cy"):
        assert lines(study, answer_line(keep=False), actor=actor) == (0, 0, [(1, "not_a_curator")])
    assert study.screening.given("ann", uids[0]) is None
    assert lines(study, answer_line(), actor="ann") == lines(study, answer_line(by="bo")) == (1, 0, [])


def test_another_rationale_for_a_closed_answer_is_refused_and_not_dropped(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    study.screening.decide("ann", uids[0], Answer(True, "irony", "a"))
    study.screening.decide("bo", uids[0], Answer(True, "irony", "b"))
    assert lines(study, answer_line(rationale="a"), answer_line(), answer_line(rationale="c")) == (
        0,
        2,
        [(3, "closed")],
    )


def test_lines_of_quality_control_may_name_no_one(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    agree(study, uids)
    finding = {
        "kind": "finding",
        "dialogue": "d1",
        "message": 0,
        "start": 0,
        "end": 1,
        "type": "PERSON",
        "accept": False,
    }
    trim = {"kind": "trim", "dialogue": "d1", "first_turn": 1, "removed": []}
    assert lines(study, finding, trim, {"kind": "approval", "dialogue": "d1"}) == (3, 0, [])


def test_lines_of_quality_control_are_a_curators_who_is_still_here(project: Make) -> None:
    study = project()
    agree(study, staff(study, 1))
    study.people.add("cy", "curator", "curator")
    study.assigning.retire("cy", "curator")
    place = {"message": 0, "start": 0, "end": 1, "type": "PERSON", "accept": False}
    made: list[dict[str, Any]] = [
        {"kind": "finding", "dialogue": "d1", **place},
        {"kind": "trim", "dialogue": "d1", "first_turn": 1, "removed": []},
        {"kind": "approval", "dialogue": "d1"},
    ]
    refused = [(n, "not_a_curator") for n in (1, 2, 3)]
    assert lines(study, *made, by="ann") == (0, 0, refused)
    assert lines(study, *made, actor="ann") == (0, 0, refused)
    assert lines(study, *made, by="cy") == (0, 0, [(n, "retired") for n in (1, 2, 3)])


def test_decisions_name_the_source_where_ids_clash(project: Make) -> None:
    study = project()
    bring(study, [dialogue("d1", turns=6)])
    bring(
        study, [dialogue("d1", ["早上好呀", "起来了没", "刚醒", "去跑步吗今天", "外面下雨呢", "那就改天吧"])], "other"
    )
    study.dialogues.apply_rules("curator")
    for name in ("ann", "bo"):
        study.people.add(name, "annotator", "curator")
    study.people.pair("ann", "bo", "curator")
    study.screening.assign("curator")
    for task in (study.screening.task("ann", 1), study.screening.task("ann", 2)):
        assert task is not None
        study.screening.decide("ann", task.stored.uid, KEEP)
        study.screening.decide("bo", task.stored.uid, KEEP)
    given_ = list(study.decisions.give("curator"))
    assert sorted({str(line["dialogue"]) for line in given_}) == sorted(
        f"{stored.source}:d1" for stored in study.dialogues.at()
    )
    assert study.decisions.take(enumerate(given_, 1), "f").known == len(given_)


def test_decisions_given_are_taken_elsewhere_as_they_were(project: Make) -> None:
    one, other = project(), project("other.workbench", seed="other")
    uids = staff(one, 3)
    agree(one, uids[:1])
    one.screening.decide("ann", uids[1], KEEP)
    one.screening.decide("bo", uids[1], Answer(False, "", "不"))
    one.disputes.rule("curator", uids[1], KEEP)
    one.findings.decide(uids[0], "curator", 1, 0, 2, "PERSON", True)
    one.quality.trim(uids[0], "curator", 1, [])
    one.quality.approve("curator", ["d1"])
    given_ = list(one.decisions.give("curator"))
    staff(other, 3)
    report = other.decisions.take(enumerate(given_, 1), "f", "curator")
    assert (report.taken, report.refused) == (len(given_), ())
    assert list(other.decisions.give("curator")) == given_
    assert other.dialogues.stages() == one.dialogues.stages()
    again = other.decisions.take(enumerate(given_, 1), "f", "curator")
    assert (again.taken, again.known) == (0, len(given_))


# -- people


@pytest.mark.parametrize("name", ["", " ann", "ann ", "a\nb", "x" * 65, "\u202eann", "\ud800", "a\x00"])
def test_a_name_that_cannot_be_shown_is_refused(project: Make, name: str) -> None:
    with pytest.raises(WorkbenchError):
        project().people.add(name, "annotator", "curator")


def test_a_name_keeps_its_role_and_a_person_their_pair(project: Make) -> None:
    study = project()
    staff(study, 1)
    study.people.add("cai", "annotator", "curator")
    assert refusal(lambda: study.people.add("ann", "expert", "curator")) == "name_taken"
    assert refusal(lambda: study.people.pair("ann", "cai", "curator")) == "paired"
    assert refusal(lambda: study.people.pair("bo", "ann", "curator")) == "paired"
    assert study.people.pair("ann", "bo", "curator") == study.people.pairs()[0]
    study.people.retire("ann", "curator")
    assert study.people.add("ann", "annotator", "curator").retired is False
    assert study.check() == []


@pytest.mark.parametrize("name", ["\ud800", "x:\ud800", "", ":", "nothing:d1", "d1\x00", "%", "d_"])
def test_a_dialogue_that_is_not_there_is_not_found(project: Make, name: str) -> None:
    study = project()
    staff(study, 1)
    assert refusal(lambda: study.dialogues.find(name)) == "no_dialogue"
