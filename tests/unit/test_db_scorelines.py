"""Score lines from elsewhere: the desk's checks, by line; in and out again; and the figures they come to."""

from __future__ import annotations

import json
from statistics import fmean
from typing import Any

import pytest

from curation.work.scoring import PROCESS
from tests.asked import take, written
from tests.conftest import Make, agree, refusal, staff
from tests.scoring import SCORERS, SYSTEMS, answered, done, handed, lines, taken


def line(**more: Any) -> dict[str, Any]:
    scores = {**dict.fromkeys(PROCESS, 5), "reply_cot": 10, "reply_direct": 0}
    return {"kind": "score", "dialogue": "d1", "system": SYSTEMS[0], "by": "ann", **scores, **more}


def test_lines_come_out_as_they_went_in_and_known_ones_change_nothing(project: Make) -> None:
    study = project()
    answered(study)
    wanted = list(lines(("d1", "d2", "d3"), SYSTEMS, SCORERS))
    report = study.decisions.take(enumerate(wanted, 1), "f")
    assert (report.taken, report.known, report.refused) == (27, 0, ())
    again = study.decisions.take(enumerate(wanted, 1), "f")
    assert (again.taken, again.known) == (0, 27)
    given = [one for one in study.decisions.give("curator") if one["kind"] == "score"]
    assert sorted(map(_key, given)) == sorted(map(_key, wanted))
    assert study.check() == []


def _key(one: dict[str, Any]) -> str:
    return json.dumps(one, sort_keys=True)


def test_every_line_is_checked_and_a_bad_one_spoils_no_other(project: Make) -> None:
    study = project()
    answered(study)
    bad: list[tuple[dict[str, Any], str]] = [
        (line(motivation=7), "wrong_type"),
        (line(motivation="5"), "wrong_type"),
        (line(motivation=True), "wrong_type"),
        (line(cause=None), "missing"),
        (line(reply_cot=5, reply_direct=5), "no_better"),
        (line(better="direct"), "contradicts"),
        (line(better="1"), "bad_better"),
        (line(system="Nobody"), "no_system"),
        (line(system=5), "wrong_type"),
        (line(by="nobody"), "no_person"),
        (line(dialogue="d99"), "no_dialogue"),
        (line(mode="cot-charm"), "bad_mode"),
        (line(mode="cot-cause"), "missing"),
        ({"kind": "gold", "dialogue": "d1", "system": SYSTEMS[0], "by": "ann", "cause": 5}, "not_a_curator"),
    ]
    given = [line(), *(one for one, _ in bad), line(by="bo", reply_cot=5, reply_direct=5, better="cot")]
    assert taken(study, *given) == [(n, code) for n, (_, code) in enumerate(bad, 2)]
    assert [(j.by, j.prefers) for j in study.judged.judgements()] == [("ann", "cot"), ("bo", "cot")]
    assert study.check() == []


def test_a_line_on_a_closed_task_is_kept_and_does_not_count(project: Make) -> None:
    study = project()
    answered(study)
    assert taken(study, line(), line(cause=10)) == []
    one = study.judged.judgements()[0]
    assert (one.scores["cause"], one.late) == (5, 1)


def test_lines_and_keys_are_the_same_scores(project: Make) -> None:
    study = project()
    handed(study)
    done(study, "ann")
    other = project("other.workbench")
    answered(other)
    for one in study.decisions.give("curator"):
        if one["kind"] == "score":
            assert taken(other, one) == []
    same = [
        sorted((j.system, j.by, tuple(sorted(j.scores.items())), j.prefers) for j in each.judged.judgements())
        for each in (study, other)
    ]
    assert same[0] == same[1]


def test_a_change_of_what_was_brought_is_taken_back(project: Make) -> None:
    study = project()
    answered(study)
    assert taken(study, line()) == []
    task = study.scoring.task("ann", 1)
    assert task is not None
    before = dict(task.marks.scores)
    study.scoring.score("ann", task.code, "cause", 10)
    study.scoring.score("ann", task.code, "cause", 0)
    assert study.scoring.undo("ann").marks.scores["cause"] == 10  # type: ignore[union-attr]
    assert dict(study.scoring.undo("ann").marks.scores) == before  # type: ignore[union-attr]
    assert study.judged.judgements()[0].late == 0
    assert study.check() == []


def test_a_line_that_its_own_scorer_brought_is_taken_back_whole(project: Make) -> None:
    study = project()
    agree(study, staff(study, 2))
    mine, others = ({**line(system="paper"), "by": name} for name in ("ann", "bo"))
    assert taken(study, mine, others, actor="ann") == [(2, "not_a_curator")]
    assert taken(study, others) == []
    back = study.scoring.undo("ann")
    assert back is not None
    assert dict(back.marks.scores) == {}
    assert study.scoring.undo("bo") is None, "what another brought is not taken back by a key"
    assert study.check() == []


def test_scores_of_replies_that_wait_with_a_flag_are_counted_until_they_are_let_pass(project: Make) -> None:
    study = project()
    answered(study)
    long = "这一句实在是太长太长太长了吧真的"
    assert take(study, written(study, "direct", reply=long), SYSTEMS[0], replace=True).refused == ()
    both = [(1, line()), (2, line(system=SYSTEMS[1]))]
    assert study.decisions.take(both, "f").flagged == 1
    assert study.decisions.take(both, "f").flagged == 0, "known lines bring nothing in"
    study.replies.waive("curator", SYSTEMS[0], "direct", "都可以", flags=["too_long"])
    assert study.decisions.take([(1, line(by="bo"))], "f").flagged == 0


def test_who_scores_learns_nothing_of_a_system_by_bringing_lines_that_guess_at_it(project: Make) -> None:
    study = project()
    handed(study)
    done(study, "ann", 2)
    before = len(list(study.history.lines("curator")))
    guesses = [line(system=name, better=side) for name in (*SYSTEMS, "nobody") for side in ("cot", "direct")]
    assert [code for _, code in taken(study, *guesses, actor="ann")] == ["not_a_curator"] * len(guesses)
    assert len(list(study.history.lines("curator"))) == before, "nothing was handed out or kept that would tell"


def test_ablations_are_scored_alone_and_what_is_not_here_can_be_brought(project: Make) -> None:
    study = project()
    agree(study, staff(study, 2))
    assert taken(study, {**line(system="paper"), "by": "bo"}) == [], "no replies and no systems are here"
    assert taken(
        study, {"kind": "score", "dialogue": 1, "system": "paper", "by": "bo", "mode": "cot-cause", "reply": 10}
    ) == [(1, "no_dialogue")]
    assert (
        taken(
            study, {"kind": "score", "dialogue": "d1", "system": "paper", "by": "bo", "mode": "cot-cause", "reply": 10}
        )
        == []
    )
    assert [(j.mode, dict(j.scores)) for j in study.judged.judgements() if j.mode != "pair"] == [
        ("cot-cause", {"reply": 10})
    ]
    assert [one for one in study.decisions.give("curator") if one.get("mode")] == [
        {"kind": "score", "dialogue": "d1", "system": "paper", "by": "bo", "mode": "cot-cause", "reply": 10}
    ]


def test_gold_lines_are_the_leads_and_are_held_against_everyone(project: Make) -> None:
    from curation.scoring.signs import signs

    study = project()
    answered(study)
    gold = {"kind": "gold", "dialogue": "d1", "system": SYSTEMS[0], "cause": 5, "emotion": 10}
    assert taken(study, gold, line()) == []
    assert signs(study.judged.judgements(), study.judged.gold())[0].gold.value == 0.5


def test_figures_by_system_are_sealed_until_the_scoring_is_ended(project: Make) -> None:
    study = project()
    answered(study)
    taken(study, line())
    assert refusal(lambda: study.judged.check("ann")) == "sealed"
    assert [one for one in study.decisions.give("ann") if one["kind"] == "score"] == []
    study.scoring.end("curator")
    study.judged.check("ann")
    assert len([one for one in study.decisions.give("ann") if one["kind"] == "score"]) == 1


@pytest.mark.parametrize("intervals", [False, True])
def test_the_panel_follows_closings_and_taking_back_and_equals_one_read_anew(project: Make, intervals: bool) -> None:
    from db.project import Project

    study = project()
    handed(study)
    for name in SCORERS:
        done(study, name, 4)
        study.scoring.panel("curator")
    study.scoring.undo("ann")
    kept = study.scoring.panel("curator", intervals=intervals)
    with Project.open(study.path) as other:
        fresh = other.scoring.panel("curator", intervals=intervals)
    assert [(r.dimension, r.alpha, r.percent, r.ac1) for r in kept.rows] == [
        (r.dimension, r.alpha, r.percent, r.ac1) for r in fresh.rows
    ]
    assert (kept.closed, kept.assigned) == (11, 27)
    assert (kept.intervals_of == 11) is intervals


def test_annotators_see_agreement_only_where_the_project_says_so(project: Make) -> None:
    study = project()
    handed(study)
    done(study, "ann")
    assert study.scoring.panel("ann").hidden == "project"
    study.change_settings("curator", show_agreement=True)
    panel = study.scoring.panel("ann")
    assert [row.dimension for row in panel.rows] == [*PROCESS, "reply"]
    assert panel.compared == 0, "nothing counts that could still be taken back"


def test_means_in_the_store_are_those_of_the_lines(project: Make) -> None:
    from curation.scoring.table import table

    study = project()
    answered(study)
    wanted = list(lines(("d1", "d2", "d3"), SYSTEMS, SCORERS, seed=5))
    assert taken(study, *wanted) == []
    found = table(study.judged.judgements(), study.judged.settings(), study.judged.prevalence(), resamples=20)
    for row in found.rows:
        mine = [one for one in wanted if one["system"] == row.system]
        for name in ("cause", "reply_cot", "reply_direct"):
            assert row.means[name].plain.value == pytest.approx(fmean(one[name] for one in mine))
        won = [one["reply_cot"] > one["reply_direct"] or one.get("better") == "cot" for one in mine]
        assert row.wins.by_judgement.value == pytest.approx(fmean(won))
