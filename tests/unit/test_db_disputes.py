"""Disputes, modes, versions, people in two roles, times and words: what the store says and refuses."""

from __future__ import annotations

from functools import partial

import pytest

from curation.guidelines import guidelines
from curation.stages import Stage
from curation.versions import GUIDELINES_VERSION
from curation.work import Answer, Draft
from curation.work.screening import Spent
from db.project import Project
from tests.conftest import Make, agree, bring, dialogue, projected_rows, refusal, staff

IRONY = Answer(True, "irony", "甲")
HUMOR = Answer(True, "humor", "乙")


@pytest.fixture
def study(project: Make) -> Project:
    """d1 disputed, d2 agreed, d3 decided by ann alone, d4 and d5 by nobody."""
    made = project()
    uids = staff(made, 5)
    made.screening.decide("ann", uids[0], IRONY)
    made.screening.decide("bo", uids[0], HUMOR)
    agree(made, [uids[1]])
    made.screening.decide("ann", uids[2], IRONY)
    return made


def uid(study: Project, name: str = "d1") -> str:
    return study.dialogues.find(name).uid


# -- disputes


def test_a_second_word_settles_and_the_blind_answers_stay(study: Project) -> None:
    assert study.disputes.counts("bo").mine == 1
    assert study.disputes.decide("bo", uid(study), Answer(True, "irony", "服了")) is Stage.AGREED
    assert study.screening.given("bo", uid(study)) == HUMOR
    assert [s.answer.situation for s in study.history.statements(uid(study), "carol")] == ["irony", "humor", "irony"]
    assert study.disputes.counts("bo").all == 0
    assert refusal(lambda: study.disputes.decide("ann", uid(study), HUMOR)) == "not_disputed"
    assert study.check() == []


def test_a_second_word_is_said_once_with_a_reason_by_one_of_the_two(study: Project) -> None:
    decide = study.disputes.decide
    assert refusal(lambda: decide("bo", uid(study), Answer(True, "hint"))) == "no_reason"
    assert decide("bo", uid(study), Answer(True, "hint", "想过了")) is Stage.DISPUTED
    assert refusal(lambda: decide("bo", uid(study), Answer(True, "irony", "又想"))) == "decided"
    assert refusal(lambda: decide("curator", uid(study), IRONY)) == "not_assigned"
    assert refusal(lambda: decide("ann", uid(study, "d2"), HUMOR)) == "not_disputed"
    assert refusal(lambda: decide("ann", uid(study, "d3"), HUMOR)) == "not_disputed"
    assert study.screening.undo("bo") is None, "from here on it is deciding anew, not undo"
    assert study.disputes.page("ann", uid(study)).may == "decide"
    assert study.disputes.page("bo", uid(study)).may == ""
    assert study.disputes.page("curator", uid(study)).may == "rule"


def test_a_ruling_can_be_taken_back_by_who_made_it_and_its_words_come_back(study: Project) -> None:
    study.people.add("lin", "curator", "curator")
    before = projected_rows(study)
    assert study.disputes.rule("curator", uid(study), Answer(False, "", "都不像"))
    assert study.disputes.take_back("lin") is None
    assert study.disputes.take_back("curator") == uid(study)
    assert projected_rows(study) == before
    assert study.disputes.page("curator", uid(study)).draft == Draft(False, "", "都不像")


def test_quality_control_sending_back_opens_the_word_again(study: Project) -> None:
    study.disputes.decide("bo", uid(study), Answer(True, "irony", "服了"))
    study.rewriting.send_back(uid(study), "curator", "不成立了")
    page = study.disputes.page("bo", uid(study))
    assert (page.sent_back, page.may) == (True, "decide")
    study.disputes.decide("bo", uid(study), Answer(False, "", "是的"))
    assert study.disputes.page("bo", uid(study)).may == ""
    study.disputes.decide("ann", uid(study), Answer(False, "", "是的"))
    assert study.dialogues.find("d1").stage is Stage.DROPPED
    assert study.check() == []


def test_who_decides_again_reads_why_it_was_sent_back_and_by_whom(study: Project) -> None:
    name = uid(study, "d2")
    assert study.disputes.note(name, "ann") is None
    study.rewriting.send_back(name, "curator", "截短后看不出反话")
    page = study.disputes.page("ann", name)
    assert page.note is not None
    assert (page.note.person, page.note.text) == ("curator", "截短后看不出反话")
    assert study.disputes.note(name, "ann") == page.note
    sent = [line.ref for line in study.history.lines("curator", "d2") if line.kind == "sent_back"]
    study.history.undo(sent[0], "curator")
    assert study.disputes.note(name, "ann") is None, "what was taken back is said no more"


def test_a_note_is_masked_as_the_dialogue_is_for_who_may_not_see_it(study: Project) -> None:
    bring(study, [dialogue("d9", ["在吗", "在的", "我叫王晓梅", "知道了", "改天吃饭", "你真行"])])
    study.screening.assign("curator")
    name = uid(study, "d9")
    for person in ("ann", "bo"):
        study.screening.decide(person, name, IRONY)
    key = study.dialogues.key(name)
    study.findings.decide(name, "curator", 2, 2, 5, "PERSON", True)
    study.rewriting.send_back(name, "curator", "王晓梅的电话 13912345678 没有了，看不出反话")
    assert study.findings.spans(key)
    masked = study.disputes.note(name, "ann")
    assert masked is not None
    assert masked.text is not None
    assert "王晓梅" not in masked.text
    assert "13912345678" not in masked.text
    assert "看不出反话" in masked.text
    whole = study.disputes.note(name, "curator")
    assert whole is not None
    assert "王晓梅的电话 13912345678" in (whole.text or "")
    for mask in (True, False):
        study.change_settings("curator", mask=mask)
        shown = study.disputes.page("ann", name).note
        assert shown is not None
        assert ("13912345678" in (shown.text or "")) is not mask, "as the dialogue beside it"


def test_the_note_goes_with_the_originals(study: Project) -> None:
    name = uid(study, "d2")
    study.rewriting.send_back(name, "curator", "看不出反话")
    for person in ("ann", "bo"):
        study.disputes.decide(person, name, IRONY)
    assert study.dialogues.find("d2").stage is Stage.AGREED
    study.findings.scrub([study.dialogues.key(name)], "curator", 0.0)
    assert study.quality.approve("curator", [name]).open == {}
    study.purging.purge(study.purging.plan([name]), "curator")
    note = study.disputes.note(name, "ann")
    assert note is not None
    assert (note.person, note.text) == ("curator", "")


def test_nobody_but_the_two_and_a_lead_sees_a_dispute(study: Project) -> None:
    study.people.add("eve", "annotator", "curator")
    assert study.disputes.uids("eve") == []
    assert refusal(lambda: study.disputes.page("eve", uid(study))) == "not_disputed"
    assert refusal(lambda: study.disputes.page("curator", uid(study, "d3"))) == "not_disputed", "the blind holds"


def test_second_words_go_out_and_come_in_as_lines(study: Project, project: Make) -> None:
    study.disputes.decide("bo", uid(study), Answer(False, "", "算了", "", "third_party"))
    lines = [x for x in study.decisions.give("curator") if x["dialogue"] in ("d1", "d2")]
    assert [x["kind"] for x in lines] == ["screening", "screening", "redecision", "screening", "screening"]
    assert lines[2] == {
        "kind": "redecision",
        "dialogue": "d1",
        "by": "bo",
        "keep": False,
        "rationale": "算了",
        "reason": "third_party",
    }
    other = project("other.workbench")
    staff(other, 5)
    report = other.decisions.take(enumerate(lines, 1), "f")
    assert (report.taken, report.refused) == (5, ())
    assert other.decisions.take(enumerate(lines, 1), "f").known == 5
    assert list(other.decisions.give("curator")) == lines


# -- one person in two roles


def test_a_lead_who_is_one_of_the_pair_has_the_stricter_view(project: Make) -> None:
    study = project()
    bring(study, [dialogue("d1"), dialogue("d2")])
    study.people.add("ann", "annotator", "curator")
    study.people.pair("ann", "curator", "curator")
    study.screening.assign("curator")
    one = uid(study)
    study.screening.decide("ann", one, IRONY)
    study.raising.put("ann", one, "guideline", "是讽刺还是委婉？")
    assert [r.note for r in study.raising.open("curator")] == [None], "what the other writes waits for one's own answer"
    assert study.history.statements(one, "curator") == []
    assert [x for x in study.decisions.give("curator") if x["kind"] == "screening"] == []
    assert [line.sealed for line in study.history.lines("curator", "d1")][-2:] == [True, True]
    study.screening.decide("curator", one, HUMOR)
    assert [r.note for r in study.raising.open("curator")] == ["是讽刺还是委婉？"]
    study.people.add("lin", "curator", "curator")
    assert refusal(lambda: study.disputes.rule("curator", one, HUMOR)) == "own_dispute"
    study.people.retire("lin", "curator")
    assert study.disputes.rule("curator", one, HUMOR), "with no other lead, somebody has to"


# -- modes and versions


def test_a_change_of_mode_reveals_nothing_and_stands_on_what_is_decided_under_it(study: Project) -> None:
    seen = [study.screening.task("bo", n) for n in (1, 2, 3)]
    for mode in ("review", "relabel", "independent"):
        study.change_settings("curator", screening_mode=mode)
        assert [study.screening.task("bo", n) for n in (1, 2, 3)] == seen
    study.change_settings("curator", screening_mode="review")
    study.screening.decide("bo", uid(study, "d3"), IRONY)
    modes = [e.body["mode"] for e in study.log.events() if e.kind == "screened"]
    assert modes == ["independent"] * 5 + ["review"]


def test_what_is_opened_again_is_decided_anew_and_blind_with_the_first_answers_kept(study: Project) -> None:
    before = projected_rows(study)
    blind = study._db.execute("SELECT dialogue, slot, situation FROM blind ORDER BY dialogue, slot").fetchall()
    assert study.screening.reopen("curator", "1999.1") == 0
    assert study.screening.reopen("curator") == 0, "all was decided under what holds today"
    assert study.screening.reopen("curator", GUIDELINES_VERSION) == 3
    assert [study.dialogues.find(f"d{n}").stage for n in (1, 2, 3)] == [Stage.CANDIDATE] * 3
    assert study.screening.progress("ann").decided == 0
    assert study.history.statements(uid(study), "bo") == []
    study.screening.decide("ann", uid(study), Answer(True, "hint", "新指南"))
    assert study.screening.task("bo", 1).other is None  # type: ignore[union-attr]
    now = study._db.execute("SELECT dialogue, slot, situation FROM blind ORDER BY dialogue, slot").fetchall()
    assert now == [row for row in blind if row[0] != study.dialogues.key(uid(study, "d3"))], "agreement stays as it was"
    reopened = next(e for e in study.log.events() if e.kind == "reopened")
    assert refusal(lambda: study.history.undo(reopened.ref, "curator")) == "decided"
    study.screening.undo("ann")
    study.history.undo(reopened.ref, "curator")
    assert projected_rows(study) == before
    assert study.check() == []


def test_what_someone_who_left_had_decided_is_handed_on_when_it_is_opened_again(study: Project) -> None:
    for name in ("cai", "dan"):
        study.people.add(name, "annotator", "curator")
    study.people.pair("cai", "dan", "curator")
    study.assigning.retire("bo", "curator")
    study.screening.reopen("curator", GUIDELINES_VERSION)
    study.screening.assign("curator")
    for name in ("d1", "d2", "d3"):
        holders = [
            p
            for p in ("ann", "bo", "cai", "dan")
            if any(
                t is not None and t.stored.external_id == name
                for t in (study.screening.task(p, n) for n in range(1, 9))
            )
        ]
        assert len(holders) == 2
        assert "bo" not in holders
        for holder in holders:
            study.screening.decide(holder, uid(study, name), IRONY)
        assert study.dialogues.find(name).stage is Stage.AGREED
    assert study.check() == []


def test_the_guidelines_have_a_page_for_every_situation_and_say_their_version() -> None:
    known = guidelines()
    assert known.version == GUIDELINES_VERSION
    for page in known.pages.values():
        others = {one.other for one in page.precedence}
        assert len(others) == len(page.precedence) >= 2
        for lang in ("zh", "en"):
            assert 2 <= len(page.examples[lang]) <= 3
    assert {"euphemism"} <= {one.other for one in known.pages["rejection"].precedence}


# -- things raised


def test_what_was_raised_goes_to_the_lead_and_costs_nobody_anything(study: Project) -> None:
    raised = uid(study, "d4")
    study.raising.put("bo", raised, "distressing", "太难受")
    assert [study.screening.progress(name).assigned for name in ("ann", "bo")] == [4, 4]
    assert study.screening.task("ann", 4).stored.dialogue.messages == ()  # type: ignore[union-attr]
    assert refusal(lambda: study.screening.decide("ann", raised, IRONY)) == "aside"
    assert refusal(lambda: study.raising.put("ann", raised, "minor")) == "raised"
    ref = study.raising.open("curator")[0].ref
    resolve = study.raising.resolve
    assert refusal(lambda: resolve("ann", ref, "dropped")) == "not_a_curator"
    assert refusal(lambda: resolve("curator", ref, "answered")) == "UsageError"
    resolve("curator", ref, "withdrawn", "撤")
    assert study.dialogues.find("d4").stage is Stage.WITHDRAWN
    assert refusal(lambda: resolve("curator", ref, "returned")) == "settled"
    assert study.raising.take_back("curator") == raised
    assert study.screening.undo("bo") is not None
    assert study.screening.progress("bo").assigned == 5
    assert study.check() == []


def test_turned_sides_are_read_the_other_way_everywhere_and_the_raw_text_stays(study: Project) -> None:
    raw = study._db.execute("SELECT text FROM payload p JOIN dialogue d ON d.payload = p.id").fetchall()
    before = projected_rows(study)
    name = uid(study, "d3")
    assert study.raising.swap("bo", name) == "ends_with_self"
    assert study.dialogues.find("d3").dialogue.self_speaker == "对方"
    assert study.dialogues.find("d3").stage is Stage.REJECTED
    assert study.screening.given("ann", name) is None, "what was decided before counts no more"
    study.dialogues.apply_rules("curator")
    assert study.dialogues.find("d3").code == "ends_with_self", "the rules read it so, too"
    assert study.screening.undo("bo") is not None
    assert projected_rows(study) == before
    assert study.screening.given("ann", name) == IRONY
    assert study._db.execute("SELECT text FROM payload p JOIN dialogue d ON d.payload = p.id").fetchall() == raw
    assert refusal(lambda: study.raising.swap("ann", uid(study))) == "closed"


# -- times and words


def test_times_tell_who_was_faster_than_reading_to_the_lead_and_to_them_alone(study: Project) -> None:
    study.screening.decide("ann", uid(study, "d4"), IRONY, spent=Spent(900, 50_000))
    study.screening.decide("ann", uid(study, "d5"), IRONY, spent=Spent(20_000, 0))
    pace = study.pacing.pace("ann")
    assert (pace.decisions, pace.median_seconds) == (2, 10.45)
    assert [row.dialogue for row in pace.hasty] == ["d4"]
    study.screening.decide("bo", uid(study, "d4"), IRONY)
    facts = {v: next(x.facts for x in study.history.lines(v, "d4") if x.by == "ann") for v in ("ann", "bo", "curator")}
    assert ["active" in facts[v] for v in ("ann", "bo", "curator")] == [True, False, True]


def test_words_come_newest_first_those_of_the_same_answer_before_the_others(study: Project) -> None:
    study.screening.decide("ann", uid(study, "d4"), Answer(False, "", "不像"))
    study.screening.decide("ann", uid(study, "d5"), Answer(True, "irony", "反话"))
    phrases = partial(study.pacing.phrases, "ann")
    assert phrases(True, "irony") == ["反话", "甲", "ann的理由", "不像"]
    assert phrases(False, "") == ["不像", "反话", "甲", "ann的理由"]
    assert study.pacing.phrases("bo", None, "")[0] == "bo的理由"
