"""The inbox: what the lead says comes to whom it is for, once the blind is over, and can be answered."""

from __future__ import annotations

import pytest

from curation.work import Answer
from db.project import Project
from tests.conftest import Make, agree, refusal, staff


def said(study: Project, person: str, *, unread: bool = True) -> list[str]:
    return [one.text for one in study.inbox.letters(person, unread=unread)]


def test_a_comment_waits_until_both_have_committed(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    study.screening.decide("ann", uids[0], Answer(True, "irony"))
    study.inbox.say("curator", uids[0], "bo", "ann 认为是讽刺")
    study.inbox.say("curator", uids[0], "ann", "想一想")
    assert said(study, "bo") == said(study, "ann") == []
    assert study.inbox.unread("bo") == 0
    assert said(study, "curator", unread=False) == ["想一想", "ann 认为是讽刺"]  # who wrote it sees it
    study.screening.decide("bo", uids[0], Answer(True, "hint"))
    assert said(study, "bo") == ["ann 认为是讽刺"]
    assert said(study, "ann") == ["想一想"]
    assert study.check() == []


def test_a_ruling_comes_to_both_with_what_they_had_said(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    study.screening.decide("ann", uids[0], Answer(True, "irony"))
    study.screening.decide("bo", uids[0], Answer(False))
    study.disputes.rule("curator", uids[0], Answer(True, "hint", "话里有话"))
    (ann,), (bo,) = study.inbox.letters("ann"), study.inbox.letters("bo")
    assert (ann.kind, ann.outcome, ann.mine, ann.text) == ("ruling", "hint", "irony", "话里有话")
    assert (bo.outcome, bo.mine) == ("hint", "")
    assert study.inbox.letters("curator") == []


def test_reading_is_noted_and_a_reply_goes_back(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    agree(study, uids)
    ref = study.inbox.say("curator", uids[0], "ann", "看第三轮")
    assert study.inbox.read("ann", [ref, ref]) == 1
    assert study.inbox.read("ann", [ref]) == 0
    assert said(study, "ann") == []
    back = study.inbox.reply("ann", ref, "明白了")
    (letter,) = study.inbox.letters("curator", unread=True)
    assert (letter.text, letter.answers, letter.writer) == ("明白了", ref, "ann")
    study.inbox.reply("curator", back, "谢谢")
    assert said(study, "ann") == ["谢谢"]
    assert said(study, "bo", unread=False) == []
    assert study.check() == []


def test_a_reply_marks_what_it_answers_as_read(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    agree(study, uids)
    study.inbox.reply("ann", study.inbox.say("curator", uids[0], "ann", "?"), "!")
    assert study.inbox.unread("ann") == 0


def test_what_is_refused(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    agree(study, uids)
    study.people.add("eve", "annotator", "curator")
    ref = study.inbox.say("curator", uids[0], "ann", "看")
    assert refusal(lambda: study.inbox.say("ann", uids[0], "bo", "看")) == "not_a_curator"
    assert refusal(lambda: study.inbox.say("curator", uids[0], "eve", "看")) == "not_theirs"
    assert refusal(lambda: study.inbox.say("curator", uids[0], "ann", " ")) != ""
    assert refusal(lambda: study.inbox.say("curator", uids[0], "ann", "\ud800")) != ""
    assert refusal(lambda: study.inbox.reply("bo", ref, "偷看")) == "no_letter"
    assert refusal(lambda: study.inbox.read("bo", [ref])) == "no_letter"
    assert refusal(lambda: study.inbox.read("ann", ["1:2"])) == "no_letter"


@pytest.mark.parametrize("kind", ["commented", "was_read"])
def test_no_event_holds_what_was_written(project: Make, kind: str) -> None:
    study = project()
    uids = staff(study, 1)
    agree(study, uids)
    study.inbox.read("ann", [study.inbox.say("curator", uids[0], "ann", "秘密的话")])
    event = next(e for e in study.log.events() if e.kind == kind)
    assert "秘密" not in str(event.body)


def test_an_undone_step_of_the_dialogue_keeps_what_was_said(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    agree(study, uids)
    study.inbox.say("curator", uids[0], "ann", "看")
    study.dialects.tell(uids[0], "curator", "wu")
    event = [e for e in study.log.events() if e.kind == "dialect_told"][-1]
    study.history.undo(event.ref, "curator")
    assert said(study, "ann") == ["看"]
    assert study.check() == []
