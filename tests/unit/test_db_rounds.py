"""Rounds beside the real work: training with gold items, calibration between pairs, approved texts labelled again."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.work import Answer
from db.project import Project
from tests.conftest import Make, agree, bring, dialogue, projected_rows, refusal, staff
from tests.unit.test_db_assigning import people

IRONY, HINT, DROP = Answer(True, "irony"), Answer(True, "hint"), Answer(False)


def golden(study: Project) -> list[str]:
    """Two training items, irony and drop, and two people with nothing to do yet."""
    bring(study, [dialogue("g1"), dialogue("g2")])
    people(study, "ann", "bo")
    uids = [study.dialogues.find(name).uid for name in ("g1", "g2")]
    study.rounds.set_gold("curator", uids[0], IRONY, "说反话")
    study.rounds.set_gold("curator", uids[1], DROP, "没有情形")
    return uids


def run(study: Project, person: str, kind: str, *answers: Answer) -> None:
    for answer in answers:
        task = study.rounds.task(person, kind)
        assert task is not None
        study.rounds.answer(person, kind, task.uid, answer)


def test_training_tells_what_is_right_and_passes_who_knows(project: Make) -> None:
    study = project()
    golden(study)
    assert study.rounds.waiting("ann") == "training"
    task = study.rounds.task("ann", "training")
    assert task is not None
    assert (task.place, task.count, task.done, task.attempt) == (1, 2, 0, 1)
    found = study.rounds.answer("ann", "training", task.uid, HINT)
    assert found is not None
    assert (found.right, found.answer, found.text) == (False, IRONY, "说反话")
    run(study, "ann", "training", DROP)
    assert not study.rounds.trained("ann").passed  # one of two, and 80 % are needed
    again = study.rounds.task("ann", "training")
    assert again is not None
    assert (again.attempt, again.done) == (2, 0)
    run(study, "ann", "training", IRONY, DROP)
    assert study.rounds.trained("ann").passed
    assert study.rounds.waiting("ann") == ""
    assert study.rounds.waiting("bo") == "training"
    assert study.check() == []


def test_training_is_in_no_stage_figure_list_or_export(project: Make) -> None:
    study = project()
    golden(study)
    before = (study.dialogues.stages(), study.screening.progress("ann"), study.agreement.counts())
    run(study, "ann", "training", IRONY, DROP)
    run(study, "bo", "training", HINT, DROP)
    assert (study.dialogues.stages(), study.screening.progress("ann"), study.agreement.counts()) == before
    assert study.agreement.between() == {}
    assert list(study.decisions.give("curator")) == []
    assert projected_rows(study)["decision"] == []


def test_gold_is_handed_to_no_pair_and_what_is_handed_out_becomes_no_gold(project: Make) -> None:
    study = project()
    golden(study)
    bring(study, [dialogue("d1")])
    assert study.screening.work()["to_assign"] == 1
    study.screening.assign("curator")
    assert study.screening.progress("ann").assigned == 1
    assert refusal(lambda: study.rounds.set_gold("curator", study.dialogues.find("d1").uid, DROP, "")) == "assigned"
    assert study.rounds.remove_gold("curator", study.dialogues.find("g1").uid)
    assert not study.rounds.remove_gold("curator", study.dialogues.find("g1").uid)
    assert [name for name, _, _ in study.rounds.gold()] == ["g2"]
    assert study.check() == []


def test_the_right_answer_is_in_no_listing_of_the_log(project: Make) -> None:
    study = project()
    golden(study)
    run(study, "bo", "training", IRONY)
    facts = str([line.facts for line in study.history.lines("ann")])
    assert "irony" not in facts
    assert "说反话" not in facts


def test_gold_that_changes_nothing_is_no_event_and_training_is_not_undone(project: Make) -> None:
    study = project()
    uids = golden(study)
    assert not study.rounds.set_gold("curator", uids[0], IRONY, "说反话")
    run(study, "ann", "training", IRONY)
    assert not study.rounds.undo("ann", "training")
    assert refusal(lambda: study.rounds.answer("ann", "training", uids[0], IRONY)) == "decided"
    assert refusal(lambda: study.rounds.answer("ann", "calibration", uids[0], IRONY)) == "not_in_round"
    assert refusal(lambda: study.rounds.set_gold("curator", uids[0], Answer(True, ""), "")) == "no_situation"


def test_calibration_goes_to_the_other_pairs_and_compares_people_between_pairs(project: Make) -> None:
    study = project()
    uids = staff(study, 3)
    people(study, "cy", "dan")
    assert study.rounds.calibrate("curator", 2) == {"cy": 2, "dan": 2}
    run(study, "cy", "calibration", IRONY, HINT)
    assert study.agreement.between() == {}  # the pair has not answered
    agree(study, uids[:2], "irony")
    assert study.agreement.between() == {
        "ann~cy": {("irony", "irony"): 1, ("irony", "hint"): 1},
        "bo~cy": {("irony", "irony"): 1, ("irony", "hint"): 1},
    }
    run(study, "dan", "calibration", IRONY)
    assert study.agreement.between()["cy~dan"] == {("irony", "irony"): 1}
    found = study.agreement.screening(resamples=0)
    assert found.items == 2  # in the pair's own figures nothing of it
    assert found.between["ann~cy"].situation.percent_agreement.value == 0.5
    assert study.dialogues.stages()["agreed"] == 2
    assert study.rounds.undo("dan", "calibration")
    assert "cy~dan" not in study.agreement.between()
    assert study.check() == []


def test_calibration_needs_two_pairs(project: Make) -> None:
    study = project()
    staff(study, 1)
    assert refusal(lambda: study.rounds.calibrate("curator", 1)) == "no_pair"


@pytest.fixture
def approved(project: Make) -> Project:
    study = project()
    agree(study, staff(study, 4))
    study.findings.scrub([study.dialogues.key(study.dialogues.find(f"d{n}").uid) for n in range(1, 5)], "curator", 0.0)
    study.quality.normalise("curator")
    study.quality.approve("curator")
    people(study, "cy", pairs=False)
    assert study.dialogues.stages()["approved"] == 4
    return study


def test_a_share_of_the_approved_is_labelled_again_by_others_and_changes_nothing(
    approved: Project, tmp_path: Path
) -> None:
    study = approved
    assert study.rounds.relabel("curator", 0.5, ["ann", "cy"], seed=3) == {"cy": 2, "ann": 0}
    before = (study.dialogues.stages(), study.agreement.counts())
    run(study, "cy", "relabel", IRONY, HINT)
    assert (study.dialogues.stages(), study.agreement.counts()) == before
    assert study.agreement.again() == {("irony", "irony"): 1, ("irony", "hint"): 1}
    found = study.agreement.screening(resamples=0).relabel
    assert found is not None
    assert found.situation.percent_agreement.value == 0.5
    assert study.releases.export(tmp_path / "out", "curator").dialogues == 4
    assert study.check() == []


def test_which_are_labelled_again_follows_from_the_seed(approved: Project) -> None:
    study = approved
    study.rounds.relabel("curator", 0.25, ["cy"], seed=1)
    task = study.rounds.task("cy", "relabel")
    assert task is not None
    assert [line.text for line in task.lines] == [m.text for m in study.quality.final(task.uid)]
    assert study.rounds.relabel("curator", 0.25, ["cy"], seed=1) == {"cy": 0}  # it has that one already
    assert refusal(lambda: study.rounds.relabel("curator", 1.5, ["cy"])) != ""


def test_who_has_yet_to_calibrate_reads_nowhere_what_others_said(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    people(study, "cy", "dan")
    study.rounds.calibrate("curator", 1)
    study.screening.decide("ann", uids[0], IRONY)
    study.screening.decide("bo", uids[0], HINT)
    study.disputes.rule("curator", uids[0], IRONY)

    def told(viewer: str) -> str:
        return str([line.facts for line in study.history.lines(viewer)]) + str(list(study.decisions.give(viewer)))

    assert "irony" not in told("cy")
    assert "irony" in told("ann")
    run(study, "cy", "calibration", DROP)
    assert "irony" in told("cy")
