"""Random schedules of a pair, a second pair and the lead: no decision is lost, doubled or seen too early, and states,
counts, desks and export always say the same."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from curation.errors import WorkbenchError
from curation.stages import Stage
from curation.taxonomy import taxonomy
from curation.work import Answer, Draft
from db.project import Project
from tests.conftest import Repeating, Ticking, bring, dialogue, projected_rows

PEOPLE = ("ann", "bo", "cai", "dan")
ANSWERS = st.sampled_from(
    [
        Answer(True, "irony", "甲甲"),
        Answer(True, "irony", "乙乙", "humor"),
        Answer(True, "hint", "丙丙"),
        Answer(False, "", "丁丁"),
        Answer(False, "", "戊戊", "", "third_party"),
    ]
)
WHICH = st.integers(0, 4)
WHO = st.sampled_from(PEOPLE)
KINDS = st.sampled_from(["minor", "distressing", "guideline"])


def agrees(one: Answer, two: Answer) -> bool:
    return one.keep == two.keep and (not one.keep or one.situation == two.situation)


@dataclass
class Known:
    """What must be true of one dialogue: answers by person and round, in the sitting now, and what the lead did."""

    first: dict[str, Answer] = field(default_factory=dict)
    anew: dict[str, Answer] = field(default_factory=dict)
    ruling: Answer | None = None
    hidden: dict[str, str] = field(default_factory=dict)  # kind -> who raised it, while it waits
    closed: str = ""  # what the lead made of it
    rejected: bool = False

    @property
    def both(self) -> bool:
        return len(self.first) == 2

    def stage(self) -> Stage:
        if self.closed == "withdrawn":
            return Stage.WITHDRAWN
        if self.closed == "dropped":
            return Stage.DROPPED
        now = {**self.first, **self.anew}
        outcome = self.ruling
        if outcome is None and self.both:
            one, two = now.values()
            outcome = one if agrees(one, two) else None
        if outcome is not None:
            return Stage.AGREED if outcome.keep else Stage.DROPPED
        if self.both:
            return Stage.DISPUTED
        return Stage.REJECTED if self.rejected else Stage.CANDIDATE


class Schedules(RuleBasedStateMachine):
    """Four annotators and a lead on one file, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "study.workbench"
        self.clock, self.entropy = Ticking(), Repeating()

    @initialize()
    def begin(self) -> None:
        self.study = Project.create(self.path, clock=self.clock, entropy=self.entropy)
        bring(self.study, [dialogue(f"d{n}") for n in range(5)])
        for name in PEOPLE:
            self.study.people.add(name, "annotator", "curator")
        self.study.people.pair("ann", "bo", "curator")
        self.study.screening.assign("curator")
        self.study.people.pair("cai", "dan", "curator")
        self.uids = [self.study.dialogues.find(f"d{n}").uid for n in range(5)]
        self.known = [Known() for _ in self.uids]
        self.events = 0

    def teardown(self) -> None:
        if hasattr(self, "study"):
            assert self.study.check() == []
            self.study.close()
        self.folder.cleanup()

    def _try(self, step: Callable[[], Any]) -> bool:
        """Whether the store does it; what it refuses changes nothing."""
        before = projected_rows(self.study)
        try:
            step()
        except WorkbenchError:
            assert projected_rows(self.study) == before, "what is refused changes nothing"
            return False
        return True

    def _has(self, person: str, which: int) -> bool:
        return any(self._task(person, n) is not None for n in [which])

    def _task(self, person: str, which: int) -> Any:
        place = 0
        while (task := self.study.screening.step(person, place, 1)) is not None:
            if task.stored.uid == self.uids[which]:
                return task
            place = task.place
        return None

    # -- what people do

    @rule(person=WHO, which=WHICH, answer=ANSWERS)
    def decide(self, person: str, which: int, answer: Answer) -> None:
        known = self.known[which]
        task = self._task(person, which)
        free = task is not None and not task.aside and person not in known.first
        assert self._try(lambda: self.study.screening.decide(person, self.uids[which], answer)) == free
        if free:
            known.first[person] = answer

    @rule(person=WHO, which=WHICH, answer=ANSWERS)
    def draft(self, person: str, which: int, answer: Answer) -> None:
        if self._has(person, which) and person not in self.known[which].first:
            draft = Draft(answer.keep, answer.situation, answer.rationale, answer.second, answer.reason)
            self.study.screening.save_draft(person, self.uids[which], draft)
            assert self._task(person, which).draft == draft

    @rule(person=WHO, which=WHICH)
    def skip(self, person: str, which: int) -> None:
        self._try(lambda: self.study.screening.skip(person, self.uids[which], "later", "等等"))

    @rule(person=WHO)
    def undo(self, person: str) -> None:
        """Whatever is undone: an answer comes back as the draft, and nothing of another's is touched."""
        before = [dict(known.first) for known in self.known]
        kind = self._last_kind()
        task = self.study.screening.undo(person)
        if task is None:
            assert self._last_kind() == kind
            return
        which = self.uids.index(task.stored.uid)
        for n, uid in enumerate(self.uids):
            given = {p: a for p in PEOPLE if (a := self.study.screening.given(p, uid)) is not None}
            if n != which:
                assert given == before[n]
        known = self.known[which]
        undone = self._undone_kind()
        if undone == "screened":
            assert not known.both, "what both have committed is not undone"
            answer = known.first.pop(person)
            assert task.draft == Draft(answer.keep, answer.situation, answer.rationale, answer.second, answer.reason), (
                "nothing written is lost"
            )
        elif undone == "raised":
            known.hidden = {kind: who for kind, who in known.hidden.items() if who != person}
        elif undone == "swapped":
            self._read_again(which)

    def _last_kind(self) -> tuple[str, str]:
        lines = list(self.study.history.lines("curator", None, 1))
        return lines[0].ref, lines[0].kind

    def _undone_kind(self) -> str:
        lines = [e for e in self.study.log.events() if e.kind == "undone"]
        return str(lines[-1].body["kind"])

    def _read_again(self, which: int) -> None:
        """After sides were turned back, what stood before stands again: what the log says is taken over."""
        known, uid = self.known[which], self.uids[which]
        known.first = {p: a for p in PEOPLE if (a := self.study.screening.given(p, uid)) is not None}
        known.rejected = self.study.dialogues.find(f"d{which}").code != ""

    @rule(person=WHO, which=WHICH, answer=ANSWERS)
    def second_word(self, person: str, which: int, answer: Answer) -> None:
        known = self.known[which]
        may = person in known.first and known.stage() is Stage.DISPUTED and person not in known.anew
        if self._try(lambda: self.study.disputes.decide(person, self.uids[which], answer)):
            assert may
            known.anew[person] = answer
        else:
            assert not may

    @rule(which=WHICH, answer=ANSWERS)
    def ruling(self, which: int, answer: Answer) -> None:
        known = self.known[which]
        may = known.stage() is Stage.DISPUTED or (known.ruling is not None and not known.closed)
        done = self._try(lambda: self.study.disputes.rule("curator", self.uids[which], answer))
        assert done == may or (known.ruling is not None and known.closed)
        if may:
            known.ruling = Answer(answer.keep, answer.situation)

    @rule()
    def take_ruling_back(self) -> None:
        uid = self.study.disputes.take_back("curator")
        if uid is not None:
            which = self.uids.index(uid)
            rulings = [s for s in self.study.history.statements(uid, "curator") if not s.round]
            self.known[which].ruling = Answer(rulings[0].answer.keep, rulings[0].answer.situation) if rulings else None

    @rule(person=WHO, which=WHICH, kind=KINDS)
    def put_before_the_lead(self, person: str, which: int, kind: str) -> None:
        if self._try(lambda: self.study.raising.put(person, self.uids[which], kind, "看看")) and kind != "guideline":
            self.known[which].hidden[kind] = person
            for name in PEOPLE:
                task = self._task(name, which)
                assert task is None or (task.aside and not task.stored.dialogue.messages), (
                    "hidden at once from everyone"
                )

    @precondition(lambda self: self.study.raising.waiting())
    @rule(outcome=st.sampled_from(["dropped", "withdrawn", "returned", "answered"]))
    def see_to_it(self, outcome: str) -> None:
        row = self.study.raising.open("curator")[0]
        which = self.uids.index(row.stored.uid)
        if self._try(lambda: self.study.raising.resolve("curator", row.ref, outcome, "好")) and row.kind != "guideline":
            self.known[which].hidden.pop(row.kind)
            self.known[which].closed = "" if outcome == "returned" else outcome

    @rule(person=WHO, which=WHICH)
    def swap(self, person: str, which: int) -> None:
        known = self.known[which]
        if self._try(lambda: self.study.raising.swap(person, self.uids[which])):
            known.first, known.anew, known.ruling = {}, {}, None
            known.rejected = self.study.dialogues.find(f"d{which}").code != ""

    @rule(person=WHO, which=WHICH, dialect=st.sampled_from(["", "wu"]))
    def hand_back(self, person: str, which: int, dialect: str) -> None:
        if self._try(lambda: self.study.raising.hand_back(person, self.uids[which], dialect, "吴语")):
            assert not self._has(person, which), "it does not come back"

    @rule()
    def hand_out(self) -> None:
        self._try(lambda: self.study.screening.assign("curator"))

    @rule()
    def open_again(self) -> None:
        self.study.screening.reopen("curator", taxonomy().version)
        for known, uid in zip(self.known, self.uids, strict=True):
            if not any(self.study.screening.given(p, uid) for p in PEOPLE):
                known.first, known.anew, known.ruling = {}, {}, None

    @rule()
    def crash(self) -> None:
        """The window is gone without a word; another one opens."""
        self.study.close()
        self.study = Project.open(self.path, clock=self.clock, entropy=self.entropy)

    @rule(
        person=WHO, which=WHICH, step=st.sampled_from(["decide", "skip", "raise", "swap", "hand_back"]), answer=ANSWERS
    )
    def there_and_back(self, person: str, which: int, step: str, answer: Answer) -> None:
        """A step and its undo leave every table as it was."""
        study, uid = self.study, self.uids[which]
        closes = len(self.known[which].first) == 1 and person not in self.known[which].first
        if step == "decide" and closes:
            return
        before = projected_rows(study)
        steps: dict[str, Callable[[], Any]] = {
            "decide": lambda: study.screening.decide(person, uid, answer),
            "skip": lambda: study.screening.skip(person, uid, "later"),
            "raise": lambda: study.raising.put(person, uid, "minor", "小"),
            "swap": lambda: study.raising.swap(person, uid),
            "hand_back": lambda: study.raising.hand_back(person, uid, "wu"),
        }
        if self._try(steps[step]):
            task = study.screening.undo(person)
            after = projected_rows(study)
            assert {t: rows for t, rows in after.items() if rows != before[t]} == {}
            assert task is not None
            if step == "decide":
                study.screening.save_draft(person, uid, Draft())

    # -- what must hold

    @invariant()
    def stages_counts_and_export_say_the_same(self) -> None:
        if not hasattr(self, "study"):
            return
        found = [self.study.dialogues.find(f"d{n}") for n in range(5)]
        for stored, known in zip(found, self.known, strict=True):
            assert stored.stage is known.stage(), (stored.external_id, stored.stage, known)
        counts = self.study.status().stages
        assert {s.value: [f.stage for f in found].count(s) for s in Stage} == counts
        lines = list(self.study.decisions.give("curator"))
        told = {(x["dialogue"], x["by"]): x["keep"] for x in lines if x["kind"] == "screening"}
        wanted = {
            (f"d{n}", p): a.keep for n, known in enumerate(self.known) if known.both for p, a in known.first.items()
        }
        assert told == wanted, "the export holds what both have committed, once, and nothing else"
        anew = {(x["dialogue"], x["by"]): x["keep"] for x in lines if x["kind"] == "redecision"}
        assert anew == {(f"d{n}", p): a.keep for n, known in enumerate(self.known) for p, a in known.anew.items()}

    @invariant()
    def nobody_sees_the_others_answer_too_early(self) -> None:
        if not hasattr(self, "study"):
            return
        for n, known in enumerate(self.known):
            uid = self.uids[n]
            for viewer in (*PEOPLE, "curator", "nobody"):
                seen = {s.person for s in self.study.history.statements(uid, viewer) if s.round}
                assert seen == (set(known.first) if known.both else set(known.first) & {viewer})
            for person in PEOPLE:
                assert self.study.screening.given(person, uid) == known.first.get(person), (
                    "nothing lost, nothing doubled"
                )
                task = self._task(person, n)
                if task is not None:
                    assert (task.other is not None) == (known.both and person in known.first)

    @invariant()
    def a_disagreement_lies_before_both_and_the_lead(self) -> None:
        if not hasattr(self, "study"):
            return
        open_ = {
            uid for uid, k in zip(self.uids, self.known, strict=True) if k.stage() is Stage.DISPUTED and not k.hidden
        }
        assert set(self.study.disputes.uids("curator")) == open_
        for person in PEOPLE:
            mine = {uid for uid, k in zip(self.uids, self.known, strict=True) if uid in open_ and person in k.first}
            assert set(self.study.disputes.uids(person)) == mine
            waiting = sum(person not in self.known[self.uids.index(uid)].anew for uid in mine)
            assert self.study.screening.second_words(person) == waiting == self.study.disputes.counts(person).mine

    @invariant()
    def the_desk_counts_what_can_be_reached(self) -> None:
        if not hasattr(self, "study"):
            return
        for person in PEOPLE:
            progress = self.study.screening.progress(person)
            reached: set[str] = set()
            place = 0
            while (task := self.study.screening.next(person, place)) is not None and task.stored.uid not in reached:
                reached.add(task.stored.uid)
                assert task.answer is None
                assert not task.aside
                place = task.place
            assert progress.left == len(reached) or self._put_off(person)
            assert progress.decided == sum(person in known.first for known in self.known)

    def _put_off(self, person: str) -> bool:
        """Whether some of the list is put off: those come round only when nothing else is left."""
        return bool(self.study.screening.progress(person).skipped)


def test_no_schedule_loses_doubles_or_shows_a_decision_too_early() -> None:
    run_state_machine_as_test(Schedules, settings=settings(max_examples=12, stateful_step_count=25, deadline=None))
