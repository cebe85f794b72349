"""Whatever is done in whatever order: the tables are what the log says, and undo gives back what was there."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from curation.errors import RefusedStep, WorkbenchError
from curation.model import Dialogue
from curation.stages import Stage
from curation.work import Answer, Draft, Source
from db.project import Project
from tests.conftest import Make, Repeating, Ticking, agree, bring, codes, dialogue, projected_rows, refusal, staff

PEOPLE = ("ann", "bo", "cai", "dan")
LINES = (
    "電話是13812345678",
    "加微信 lin_2031",
    "這裡  見",
    "我的ＱＱ是１２３４５６７８９",
    "邮箱lin@example.com",
    "嗯嗯",
)
answers = st.sampled_from([Answer(True, "irony", "一"), Answer(True, "hint", ""), Answer(False, "", "三")])
people = st.sampled_from(PEOPLE)
places = st.integers(0, 30)
APPROVED = (Stage.APPROVED, Stage.RELEASED)


def talk(name: str, turns: int, seasoned: bool) -> Dialogue:
    plain = dialogue(name, turns=turns)
    if not seasoned:
        return plain
    texts = [m.text for m in plain.messages]
    chosen = sum(map(ord, name))
    texts[1] = texts[1][:4] + LINES[chosen % len(LINES)]
    texts[-1] = LINES[(chosen + 1) % len(LINES)] + texts[-1][:5]
    return dialogue(name, texts)


class Workday(RuleBasedStateMachine):
    """Any steps by anyone in any order on one project."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.study = Project.create(Path(self.folder.name) / "s.workbench", clock=Ticking(), entropy=Repeating())
        self.names: list[str] = []
        self.written = 0

    def teardown(self) -> None:
        self.study.close()
        self.folder.cleanup()

    # -- steps

    @initialize(agreed=st.integers(0, 4))
    def begins(self, agreed: int) -> None:
        for name in PEOPLE:
            self.study.people.add(name, "annotator", "curator")
        self.study.people.pair("ann", "bo", "curator")
        self.study.people.pair("cai", "dan", "curator")
        for seasoned in (True, False):
            self.imports(4, 8, seasoned)
        self.assigns(None)
        for name in self.names[:agreed]:
            for by in PEOPLE:
                line = {"kind": "screening", "dialogue": name, "by": by, "keep": True, "situation": "irony"}
                self.study.decisions.take([(1, line)], "lines")

    @rule(count=st.integers(1, 4), turns=st.integers(5, 9), seasoned=st.booleans())
    def imports(self, count: int, turns: int, seasoned: bool) -> None:
        new = [f"d{len(self.names) + n}" for n in range(count)]
        self.names += new
        self.study.dialogues.take([talk(n, turns, seasoned) for n in new], Source("chats"), "curator")

    @precondition(lambda self: self.names)
    @rule(which=places, turns=st.integers(6, 8))
    def imports_a_changed_one(self, which: int, turns: int) -> None:
        name = self.names[which % len(self.names)]
        self.study.dialogues.take([talk(name, turns, True)], Source("chats"), "curator")

    @rule()
    def applies_the_rules(self) -> None:
        report = self.study.dialogues.apply_rules("curator")
        assert report.candidates + sum(report.rejected.values()) == len(self.names)
        assert self.study.dialogues.apply_rules("curator") == report

    @rule(to=st.sampled_from([None, ["ann"], ["cai", "dan"]]))
    def assigns(self, to: list[str] | None) -> None:
        self.study.dialogues.apply_rules("curator")
        self.study.screening.assign("curator", to)
        assert set(self.study.screening.assign("curator").values()) == {0}

    @rule(person=people, place=places, answer=answers)
    def decides(self, person: str, place: int, answer: Answer) -> None:
        task = self.study.screening.next(person, place)
        if task is not None:
            self.study.screening.decide(person, task.stored.uid, answer)

    @rule(answer=answers)
    def decide_all_that_is_left(self, answer: Answer) -> None:
        for person in PEOPLE:
            while (task := self.study.screening.next(person, 0)) is not None:
                self.study.screening.decide(person, task.stored.uid, answer)

    @rule(person=people, place=places, answer=answers)
    def decides_and_takes_it_back(self, person: str, place: int, answer: Answer) -> None:
        task = self.study.screening.next(person, place)
        if task is None:
            return
        before = projected_rows(self.study)
        self.study.screening.decide(person, task.stored.uid, answer)
        if not self._closed(task.stored.uid):
            back = self.study.screening.undo(person)
            assert back is not None
            assert back.stored.uid == task.stored.uid
            assert back.draft == Draft(answer.keep, answer.situation, answer.rationale)
            assert projected_rows(self.study) == before

    @rule(person=people, place=places)
    def puts_off(self, person: str, place: int) -> None:
        task = self.study.screening.next(person, place)
        if task is not None:
            self.study.screening.skip(person, task.stored.uid, "later", "再说")

    @rule(person=people)
    def undoes(self, person: str) -> None:
        before = self.study.screening.progress(person)
        task = self.study.screening.undo(person)
        after = self.study.screening.progress(person)
        if task is None:
            assert after == before
            assert before.waiting == 0, "what waits for the other can be taken back"
        else:
            assert (after.decided, after.skipped) != (before.decided, before.skipped) or task.skipped

    @rule(which=places, person=people, answer=answers)
    def brings_a_line(self, which: int, person: str, answer: Answer) -> None:
        if self.names:
            line: dict[str, object] = {
                "kind": "screening",
                "dialogue": self.names[which % len(self.names)],
                "by": person,
            }
            line |= {"keep": answer.keep, "situation": answer.situation, "rationale": answer.rationale}
            report = self.study.decisions.take([(1, line)], "lines")
            again = self.study.decisions.take([(1, line)], "lines")
            assert again.taken == 0
            assert again.known == report.taken + report.known

    @rule(which=places, answer=answers)
    def rules_on_a_dispute(self, which: int, answer: Answer) -> None:
        disputed = list(self.study.dialogues.at(Stage.DISPUTED))
        if disputed:
            self._undoable(lambda: self.study.disputes.rule("curator", disputed[which % len(disputed)].uid, answer))

    @rule(which=places, accept=st.booleans(), start=st.integers(0, 5), length=st.integers(1, 4))
    def decides_a_finding(self, which: int, accept: bool, start: int, length: int) -> None:
        one = self._one(which, Stage.AGREED, *APPROVED)
        if one is not None:
            place = (which % len(one.dialogue.messages), start, start + length, "PERSON", accept)
            self._undoable(lambda: self.study.findings.decide(one.uid, "curator", *place))

    @rule(which=places)
    def rejects_what_was_proposed(self, which: int) -> None:
        one = self._one(which, Stage.AGREED)
        if one is not None:
            for f in self.study.findings.undecided(self.study.dialogues.key(one.uid)):
                self.study.findings.decide(one.uid, "curator", f.message, f.start, f.end, f.type, False)

    @rule(accept=st.sampled_from([None, 0.0, 0.9]))
    def scrubs(self, accept: float | None) -> None:
        keys = [self.study.dialogues.key(s.uid) for s in self.study.dialogues.at(Stage.AGREED, *APPROVED)]
        self._undoable(lambda: self.study.findings.scrub(keys, "curator", accept))

    @rule()
    def normalises(self) -> None:
        self._undoable(lambda: self.study.quality.normalise("curator"))
        before = projected_rows(self.study)
        self.study.quality.normalise("curator")
        assert projected_rows(self.study) == before

    @rule(limit=st.integers(6, 7))
    def trims(self, limit: int) -> None:
        self._undoable(lambda: self.study.quality.accept_trims(self.study.quality.propose_trims(limit), "curator"))

    @rule(which=places, first=st.integers(1, 3), gone=st.lists(st.integers(2, 5), max_size=2))
    def trims_by_hand(self, which: int, first: int, gone: list[int]) -> None:
        one = self._one(which, Stage.AGREED, *APPROVED)
        if one is not None:
            self._undoable(lambda: self.study.quality.trim(one.uid, "curator", first, gone))

    @rule()
    def approves(self) -> None:
        report = self._undoable(lambda: self.study.quality.approve("curator"))
        waiting = self.study.dialogues.stages()["agreed"]
        assert report is None or waiting >= len(report.dialogues)

    @rule(which=places)
    def takes_an_event_back(self, which: int) -> None:
        refs = [line.ref for line in self.study.history.lines("curator")]
        with suppress(RefusedStep):
            self.study.history.undo(refs[-1 - which % len(refs)], "curator")

    @rule()
    def exports(self) -> None:
        self.written += 1
        out = Path(self.folder.name) / f"out{self.written}"
        try:
            report = self.study.releases.export(out, "curator")
        except RefusedStep:
            assert not out.exists()
            return
        stages = self.study.dialogues.stages()
        assert (stages["released"], stages["approved"]) == (report.dialogues, 0)

    # -- what always holds

    @invariant()
    def the_tables_are_what_the_log_says(self) -> None:
        assert self.study.check() == []

    @invariant()
    def the_counts_add_up(self) -> None:
        assert sum(self.study.dialogues.stages().values()) == len(self.names)
        assert sum(1 for _ in self.study.dialogues.at()) == len(self.names)

    @invariant()
    def what_is_approved_has_nothing_open(self) -> None:
        for one in self.study.dialogues.at(*APPROVED):
            assert self.study.quality.open_matters(one.uid) == ()
            self.study.quality.approved_text(self.study.quality.sheet(self.study.dialogues.key(one.uid)))

    @invariant()
    def every_list_counts_its_places_from_one(self) -> None:
        for person in PEOPLE if self.names else ():
            assigned = self.study.screening.progress(person).assigned
            places = [self.study.screening.task(person, n) for n in range(assigned + 2)]
            assert [p is not None for p in places] == [False, *[True] * assigned, False]

    # -- words

    def _closed(self, uid: str) -> bool:
        return len([s for s in self.study.history.statements(uid, "nobody") if s.round]) == 2

    def _one(self, which: int, *stages: Stage) -> Any:
        found = list(self.study.dialogues.at(*stages))
        return found[which % len(found)] if found else None

    def _undoable(self, step: Any) -> Any:
        """Do it, take its event back, see that all is as before, and do it again."""
        before = projected_rows(self.study)
        count = self._events()
        try:
            step()
        except WorkbenchError:
            assert projected_rows(self.study) == before, "a refused step changes nothing"
            assert self._events() == count
            return None
        if self._events() == count:
            assert projected_rows(self.study) == before
            return None
        done = projected_rows(self.study)
        reference = list(self.study.history.lines("curator"))[-1].ref
        self.study.history.undo(reference, "curator")
        assert self.study.check() == []
        touched = {row[0] for row in before["approval"]} - {row[0] for row in done["approval"]}
        assert _without(projected_rows(self.study), touched) == _without(before, touched)
        return step()

    def _events(self) -> int:
        return sum(1 for _ in self.study.history.lines("curator"))


def _without(rows: dict[str, list[tuple[Any, ...]]], reopened: set[int]) -> dict[str, list[tuple[Any, ...]]]:
    """Rows without the approvals that a change opened again: undoing the change does not approve by itself."""
    of_approval = ("approval", "release_item", "state")
    return {t: [r for r in found if t not in of_approval or r[0] not in reopened] for t, found in rows.items()}


TestWorkday = Workday.TestCase
TestWorkday.settings = settings(
    max_examples=30, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_the_log_verifies_and_replays_after_a_whole_life(project: Make, tmp_path: Path) -> None:
    study = project()
    uids = staff(study, 4)
    agree(study, uids[:3])
    study.quality.normalise("curator")
    study.quality.approve("curator")
    study.releases.export(tmp_path / "out", "curator")
    assert study.check() == []
    kinds = [line.kind for line in study.history.lines("curator")]
    assert kinds[:2] == ["created", "person_added"]
    assert kinds[-1] == "exported"
    numbers = [int(line.ref.rpartition(":")[2]) for line in study.history.lines("curator")]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_batch_step_is_one_event(project: Make) -> None:
    study = project()
    staff(study, 20)
    kinds = [line.kind for line in study.history.lines("curator")]
    assert (kinds.count("imported"), kinds.count("candidates"), kinds.count("assigned")) == (1, 1, 1)


def test_steps_that_change_nothing_are_no_events(project: Make) -> None:
    study = project()
    uids = staff(study, 3)
    agree(study, uids)
    study.quality.normalise("curator")
    study.quality.approve("curator")
    before = len(list(study.history.lines("curator")))
    study.dialogues.apply_rules("curator")
    study.screening.assign("curator")
    study.people.add("ann", "annotator", "curator")
    study.people.pair("ann", "bo", "curator")
    study.quality.normalise("curator")
    study.quality.approve("curator")
    study.findings.scrub([study.dialogues.key(u) for u in uids], "curator", 0.5)
    study.dialogues.take([dialogue("d1")], Source("chats"), "curator")
    assert len(list(study.history.lines("curator"))) == before


@pytest.mark.parametrize("ref", ["", "0", "999", "x:1", ":1:2", "²", "-1", "9" * 40, "a:" + "9" * 40, "\ud800:1"])
def test_an_event_that_is_not_there_cannot_be_taken_back(project: Make, ref: str) -> None:
    assert refusal(lambda: project().history.undo(ref, "curator")) == "no_event"


def test_what_cannot_be_undone_by_reference_is_refused(project: Make) -> None:
    study = project()
    agree(study, staff(study, 1))
    for line in list(study.history.lines("curator")):
        assert refusal(partial(study.history.undo, line.ref, "curator")) == "not_undoable"


def test_taking_back_an_approval_that_was_released_needs_a_new_release(project: Make, tmp_path: Path) -> None:
    study = project()
    agree(study, staff(study, 2))
    study.quality.approve("curator")
    approved = list(study.history.lines("curator"))[-1].ref
    study.releases.export(tmp_path / "out", "curator")
    study.history.undo(approved, "curator")
    assert study.dialogues.stages()["agreed"] == 2
    study.quality.approve("curator")
    assert study.dialogues.stages()["approved"] == 2, "what is not in the last release is not released"
    assert codes(study) == set()


def test_a_changed_dialogue_waits_when_something_was_decided_on_the_old_one(project: Make) -> None:
    study = project()
    uids = staff(study, 2)
    bring(study, [dialogue("d1", turns=8)])
    assert study.dialogues.find("d1").uid == uids[0]
    bring(study, [dialogue("new", turns=6)])
    bring(study, [dialogue("new", turns=8)])
    assert len(study.dialogues.find("new").dialogue.messages) == 8
    assert study.check() == []
