"""The scorer's desk: each key kept, steps closed, what is missing said, and keys taken back."""

from __future__ import annotations

import random
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.errors import RefusedStep
from curation.settings import Settings
from curation.work.scoring import PROCESS, SIDES, ScoreTask
from db.project import Project
from tests.conftest import Make, fresh, projected_rows, refusal
from tests.scoring import SCORERS, answered, done, filled, handed

SHEET = Settings(scoring_mode="sheet")


def first(study: Project, person: str = "ann") -> ScoreTask:
    task = study.scoring.task(person, 1)
    assert task is not None
    return task


def test_the_replies_are_closed_before_the_process_is_shown(project: Make) -> None:
    study = project()
    handed(study)
    task = first(study)
    assert (task.step, task.process, task.dimensions) == ("replies", None, SIDES)
    assert refusal(lambda: study.scoring.score("ann", task.code, "cause", 5)) == "not_yet"
    study.scoring.score("ann", task.code, "reply_1", 10)
    study.scoring.score("ann", task.code, "reply_2", 0)
    after = study.scoring.close("ann", task.code)
    assert after is not None
    assert (after.code, after.step, after.dimensions) == (task.code, "process", PROCESS)
    assert after.process is not None
    assert set(after.process) == set(PROCESS)


def test_a_zero_is_a_score_and_an_empty_one_is_missing(project: Make) -> None:
    study = project(settings=SHEET)
    handed(study)
    task = first(study)
    task = study.scoring.score("ann", task.code, "motivation", 0)
    assert task.marks.scores == {"motivation": 0}
    assert task.marks.missing == ("cause", "emotion", "intention", "strategy", *SIDES)
    with pytest.raises(RefusedStep) as refused:
        study.scoring.close("ann", task.code)
    assert refused.value.code == "missing"
    assert refused.value.params["missing"] == "cause, emotion, intention, strategy, reply_1, reply_2"


def test_only_0_5_and_10_are_scores(project: Make) -> None:
    study = project()
    handed(study)
    task = first(study)
    for value in (1, -5, 15, True, "5", 5.0, None):
        assert refusal(partial(study.scoring.score, "ann", task.code, "reply_1", value)) == "bad_score"  # type: ignore[arg-type]
    assert refusal(lambda: study.scoring.score("ann", task.code, "charm", 5))
    assert refusal(lambda: study.scoring.score("bo", task.code, "reply_1", 5)) == "not_assigned"
    assert first(study).marks.scores == {}


def test_equal_replies_need_a_better_one_and_it_may_not_contradict(project: Make) -> None:
    study = project()
    handed(study)
    code = first(study).code
    assert refusal(lambda: study.scoring.better("ann", code, "1")) == "not_yet"
    study.scoring.score("ann", code, "reply_1", 5)
    assert study.scoring.score("ann", code, "reply_2", 5).marks.missing == ("better",)
    assert study.scoring.better("ann", code, "2").marks.missing == ()
    assert study.scoring.score("ann", code, "reply_1", 10).marks.better == "", (
        "what was said of other scores is asked anew"
    )
    assert refusal(lambda: study.scoring.better("ann", code, "2")) == "contradicts"
    assert study.scoring.better("ann", code, "1").marks.better == "1"


def test_replies_with_the_same_text_need_no_preference(project: Make) -> None:
    study = project()
    uids = answered(study, 1, ("one",))
    from tests.asked import take, written

    take(study, written(study, "direct", reply="先想1-"), "one", replace=True)
    study.scoring.assign("curator", SCORERS)
    task = first(study)
    assert task.same_text
    for side in SIDES:
        task = study.scoring.score("ann", task.code, side, 5)
    assert (task.marks.missing, task.ask_better) == ((), False)
    assert refusal(lambda: study.scoring.better("ann", task.code, "1")) == "same_text"
    assert len(uids) == 1


def test_a_guess_is_asked_for_where_the_project_asks(project: Make) -> None:
    study = project(settings=Settings(guess=True))
    handed(study)
    code = first(study).code
    study.scoring.score("ann", code, "reply_1", 10)
    assert study.scoring.score("ann", code, "reply_2", 0).marks.missing == ("guess",)
    study.scoring.guess("ann", code, "2")
    study.scoring.close("ann", code)
    assert refusal(lambda: study.scoring.guess("ann", code, "1")) == "no_guess", "the process would tell"


def test_what_is_changed_after_closing_is_kept_and_not_counted(project: Make) -> None:
    study = project(settings=SHEET)
    handed(study)
    done(study, "ann", 1)
    task = first(study)
    assert task.closed
    other = 5 if task.marks.scores["cause"] != 5 else 10
    changed = study.scoring.score("ann", task.code, "cause", other)
    assert changed.marks.scores["cause"] == other
    assert changed.marks.counted["cause"] == task.marks.scores["cause"]
    assert study.scoring.past("ann")[0].changed
    one = study.judged.judgements()[0]
    assert (one.scores["cause"], one.late) == (task.marks.scores["cause"], 1)


def test_one_comes_back_to_where_one_left_off_with_a_half_written_note(project: Make) -> None:
    study = project()
    handed(study)
    done(study, "ann", 2)
    task = study.scoring.next("ann", 2)
    assert task is not None
    study.scoring.score("ann", task.code, "reply_1", 10)
    study.scoring.save_draft("ann", task.code, "半句")
    with Project.open(study.path) as other:
        back = other.scoring.task("ann")
        assert back is not None
        assert (back.place, dict(back.marks.scores), back.marks.draft) == (3, {"reply_1": 10}, "半句")


def test_a_task_put_off_comes_back_at_the_end(project: Make) -> None:
    study = project(settings=SHEET)
    handed(study, 1)
    task = first(study)
    following = study.scoring.skip("ann", task.code, "unclear", "看不懂")
    assert following is not None
    assert following.place == 2
    assert refusal(lambda: study.scoring.skip("ann", task.code, "bored"))
    assert study.scoring.progress("ann").skipped == 1
    assert done(study, "ann", 2) == 2
    last = study.scoring.next("ann", 0)
    assert last is not None
    assert (last.place, last.marks.skipped) == (1, "unclear")
    assert done(study, "ann") == 1
    assert study.scoring.progress("ann").left == 0
    assert study.check() == []


def test_notes_and_flags_are_kept_and_taken_back(project: Make) -> None:
    study = project()
    handed(study)
    code = first(study).code
    study.scoring.note("ann", code, "甲")
    study.scoring.note("ann", code, "乙")
    study.scoring.flag("ann", code, True)
    assert (first(study).marks.note, first(study).marks.flag) == ("乙", True)
    study.scoring.undo("ann")
    study.scoring.undo("ann")
    assert (first(study).marks.note, first(study).marks.flag, first(study).marks.draft) == ("甲", False, "乙")
    study.scoring.undo("ann")
    assert first(study).marks.note == ""
    assert study.check() == []


def test_undo_goes_back_across_tasks_and_stops_where_the_process_was_shown(project: Make) -> None:
    study = project()
    handed(study)
    done(study, "ann", 2)
    back = study.scoring.undo("ann")
    assert back is not None
    assert (back.place, back.step) == (2, "process")
    for _ in PROCESS:
        back = study.scoring.undo("ann")
    assert back is not None
    assert set(back.marks.scores) == set(SIDES)
    assert refusal(lambda: study.scoring.undo("ann")) == "shown"
    assert study.check() == []


def test_undo_in_one_sheet_goes_back_through_everything(project: Make) -> None:
    study = project(settings=SHEET)
    handed(study, 2)
    before = projected_rows(study)
    done(study, "ann", 3)
    steps = 0
    while study.scoring.undo("ann") is not None:
        steps += 1
    assert steps >= 3 * 8
    after = projected_rows(study)
    assert {k: v for k, v in after.items() if v != before[k]} == {}
    assert study.check() == []


def test_undo_reaches_twenty_closed_tasks_and_no_further(project: Make) -> None:
    study = project(settings=SHEET)
    handed(study, 4, [f"s{n}" for n in range(6)])
    done(study, "ann", 23)
    while study.scoring.undo("ann") is not None:
        pass
    assert study.scoring.progress("ann").closed == 3


def test_those_who_left_and_scoring_that_ended_take_no_score(project: Make) -> None:
    study = project()
    handed(study)
    code = first(study).code
    study.people.retire("ann", "curator")
    assert refusal(lambda: study.scoring.score("ann", code, "reply_1", 5)) == "retired"
    other = first(study, "bo").code
    assert study.scoring.end("curator")
    assert not study.scoring.end("curator")
    assert refusal(lambda: study.scoring.score("bo", other, "reply_1", 5)) == "ended"
    assert refusal(lambda: study.scoring.assign("curator")) == "ended"


def test_the_plan_hands_out_overlap_calibration_and_repeats(project: Make) -> None:
    study = project()
    answered(study, 6)
    study.people.add("dan", "annotator", "curator")
    people = [*SCORERS, "dan"]
    given_ = study.scoring.assign("curator", people, overlap=2, repeats=0.25, calibration=2)
    roles = dict(study._db.execute("SELECT role, count(*) FROM score_key GROUP BY role").fetchall())
    assert roles["calibration"] == 2 * 4
    assert roles["plan"] == (18 - 2) * 2
    assert roles["repeat"] == sum(round((n - 2) / 1.25 * 0.25) for n in given_.values())
    assert [t.calibration for n in (1, 2, 3) if (t := study.scoring.task("ann", n))] == [True, True, False]
    assert set(study.scoring.assign("curator", people, overlap=2).values()) == {0}, "nothing is handed out twice"
    assert sum(study.scoring.assign("curator", people, overlap=3).values()) == 16, "a higher overlap adds one each"
    assert study.check() == []


def test_who_wrote_replies_does_not_score_them(project: Make) -> None:
    study = project()
    answered(study)
    study.people.add("周", "expert", "curator")
    from curation.work.asking import System

    study.systems.add(System("human", "expert", person="周"), "curator")
    assert refusal(lambda: study.scoring.assign("curator", ["ann", "bo", "周"])) == "wrote_replies"
    assert refusal(lambda: study.scoring.assign("curator", ["ann"], overlap=2)) == "too_few_people"


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["separate", "sheet"]))
def test_any_schedule_of_three_people_loses_doubles_and_shows_nothing(seed: int, mode: str) -> None:
    """Three people score, change their minds, take back, put off and crash in any order; a model keeps the score."""
    chance = random.Random(seed)
    with fresh(settings=Settings(scoring_mode=mode)) as study:  # type: ignore[arg-type]
        handed(study, 2, ("s1", "s2"))
        model: dict[str, dict[str, int]] = {}
        history: dict[str, list[dict[str, dict[str, int]]]] = {name: [] for name in SCORERS}
        held = study
        for _ in range(50):
            person = chance.choice(SCORERS)
            task = held.scoring.next(person, chance.randrange(3))
            if task is None:
                continue
            move = chance.random()
            mine = model.setdefault(task.code, {})
            assert dict(task.marks.scores) == mine, "what is shown is what this person gave"
            if move < 0.6:
                name, value = chance.choice(task.dimensions), chance.choice((0, 5, 10))
                if mine.get(name) != value:
                    history[person].append({c: dict(s) for c, s in model.items() if c in _codes(held, person)})
                held.scoring.score(person, task.code, name, value)
                mine[name] = value
            elif move < 0.8:
                full = filled(held, person, task, chance)
                mine.update(full.marks.scores)
                held.scoring.close(person, task.code)
                history[person].clear()
            elif move < 0.95 and history[person]:
                held.scoring.undo(person)
                for code in _codes(held, person):
                    model[code] = {}
                model.update(history[person].pop())
            elif move >= 0.95:  # killed: what is open is dropped, and opened again
                if held is not study:
                    held.close()
                held = Project.open(study.path)
        for person in SCORERS:
            for place in range(1, 5):
                found = held.scoring.task(person, place)
                assert found is not None
                assert dict(found.marks.scores) == model.get(found.code, {})
        assert held.check() == []
        if held is not study:
            held.close()


def _codes(study: Project, person: str) -> set[str]:
    return {code for (code,) in study._db.execute("SELECT code FROM score_task WHERE person = ?", (person,))}


def test_what_someone_who_left_did_not_close_goes_to_others(project: Make) -> None:
    study = project(settings=SHEET)
    handed(study, 2)
    done(study, "cy", 2)
    study.people.retire("cy", "curator")
    study.people.add("dan", "annotator", "curator")
    given_ = study.scoring.assign("curator", overlap=3)
    assert given_ == {"ann": 0, "bo": 0, "dan": 4}
    assert study.check() == []


def test_new_systems_go_to_those_who_read_the_dialogue_already(project: Make) -> None:
    study = project()
    answered(study, 3, ("s1",))
    for name in ("dan", "eve"):
        study.people.add(name, "annotator", "curator")
    people = ["ann", "bo", "cy", "dan", "eve"]
    study.scoring.assign("curator", people, overlap=2)
    before = _readers(study)
    from curation.work.asking import System
    from tests.asked import take, written

    study.systems.add(System("s2"), "curator")
    for mode, reply in (("cot", "又想"), ("direct", "又直")):
        take(study, written(study, mode, reply=reply), "s2")
    assert sum(study.scoring.assign("curator", people, overlap=2).values()) == 6
    assert _readers(study) == before


def _readers(study: Project) -> set[tuple[int, str]]:
    return set(study._db.execute("SELECT DISTINCT dialogue, person FROM score_task").fetchall())
