"""Trimming, rewriting, scrubbing, normalising, signing, approving, sending back and taking back, in any order.

Whatever was done, the rules hold of what is approved, its text is the raw one with the listed edits, and the tables are
what the log says; what would break a rule is refused and changes nothing.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from curation.errors import WorkbenchError
from curation.layers import Layer, apply_edits
from curation.normalise import RULES
from curation.rewriting import REASONS
from curation.stages import Stage
from curation.work import Answer
from curation.work.quality import Cut
from db.project import Project
from tests.conftest import Repeating, Ticking, agree, bring, dialogue, projected_rows, staff

LINES = [
    "在嗎１２",
    "你說ＡＢ\u3000好",
    "电话13812345678",
    "嗯\u200b嗯\ufe0f",
    "加微信 lin_2031 吧",
    "这里\r\n见",
    "行３",
    "走",
]
WORDS = ("好", "不", "１", "13912345678", "\u3000", "", "王小明", "嗯嗯嗯嗯嗯")
people = st.sampled_from(("curator", "eve"))
which = st.integers(0, 1)
messages = st.integers(0, 9)


class QualityDay(RuleBasedStateMachine):
    """Two curators on two agreed dialogues of ten and eight messages."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.study = Project.create(Path(self.folder.name) / "q.workbench", clock=Ticking(), entropy=Repeating())
        self.uids: list[str] = []
        self.refs: list[str] = []

    def teardown(self) -> None:
        try:
            assert self.study.check() == []
        finally:
            self.study.close()
            self.folder.cleanup()

    @initialize()
    def begins(self) -> None:
        texts = [*LINES, "末二", "末一句话说完"]
        bring(self.study, [dialogue("d1", texts), dialogue("d2", [f"{t}呀" for t in reversed(LINES)])])
        staff(self.study, 0)
        self.uids = [self.study.dialogues.find(name).uid for name in ("d1", "d2")]
        agree(self.study, self.uids)
        self.study.people.add("eve", "curator", "curator")

    # -- steps

    def _try(self, step: object) -> None:
        """Do a step; a refused one has changed nothing."""
        before = projected_rows(self.study)
        head = self.study.log.head()
        try:
            step()  # type: ignore[operator]
        except WorkbenchError:
            assert projected_rows(self.study) == before
            assert self.study.log.head() == head

    @rule(n=which, accept=st.sampled_from([0.0, 0.85]))
    def scrubs(self, n: int, accept: float) -> None:
        key = self.study.dialogues.key(self.uids[n])
        self._try(lambda: self.study.findings.scrub([key], "curator", accept))

    @rule(n=which, by=people, accept=st.booleans(), at=st.integers(0, 5))
    def decides_on_a_finding(self, n: int, by: str, accept: bool, at: int) -> None:
        uid = self.uids[n]
        key = self.study.dialogues.key(uid)
        found = [(f.message, f.start, f.end, f.type) for f in self.study.findings.scan(key)]
        if found:
            m, s, e, kind = found[at % len(found)]
            self._try(lambda: self.study.findings.decide(uid, by, m, s, e, kind, accept))

    @rule(by=people)
    def normalises(self, by: str) -> None:
        self._try(lambda: self.study.quality.normalise(by))

    @rule(n=which, by=people, at=st.integers(0, 9))
    def takes_an_edit_back(self, n: int, by: str, at: int) -> None:
        edits = [e for e in self.study.texts.page(self.uids[n]).edits if not e.why_not]
        if edits:
            edit = edits[at % len(edits)]
            self._try(lambda: self.study.texts.take_back(self.uids[n], by, edit.message, *edit.anchor))

    @rule(n=which, by=people, name=st.sampled_from(sorted(RULES)))
    def takes_a_rule_back(self, n: int, by: str, name: str) -> None:
        self._try(lambda: self.study.texts.take_back_rule(self.uids[n], by, name))

    @rule(n=which, by=people, first=st.integers(1, 4), removed=st.sets(st.integers(1, 10), max_size=3))
    def cuts(self, n: int, by: str, first: int, removed: set[int]) -> None:
        cut = Cut(first, tuple(sorted(t for t in removed if t > first)))
        self._try(lambda: self.study.control.decide(self.uids[n], by, cut))

    @rule(
        n=which,
        by=people,
        message=messages,
        at=st.integers(0, 12),
        length=st.integers(0, 4),
        word=st.sampled_from(WORDS),
        reason=st.sampled_from(sorted(REASONS)),
        allow=st.booleans(),
    )
    def rewrites(
        self, n: int, by: str, message: int, at: int, length: int, word: str, reason: str, allow: bool
    ) -> None:
        page = self.study.control.page(self.uids[n], by)
        now = page.messages[message].now if message < len(page.messages) else ""
        text = now[:at] + word + now[at + length :]
        self._try(lambda: self._rewrite(n, by, message, text, reason, allow))

    def _rewrite(self, n: int, by: str, message: int, text: str, reason: str, allow: bool) -> None:
        done = self.study.rewriting.rewrite(self.uids[n], by, message, text, reason, allow=allow)
        if done is not None:
            self.refs.append(done.ref)
            assert self.study.control.page(self.uids[n], by).messages[message].now == text

    @rule(n=which, by=people, message=messages)
    def signs(self, n: int, by: str, message: int) -> None:
        self._try(lambda: self.study.rewriting.sign(self.uids[n], by, message))

    @rule(by=people, at=st.integers(0, 40))
    def takes_back(self, by: str, at: int) -> None:
        """Any event at all, old or new."""
        refs = [line.ref for line in self.study.history.lines("curator") if not line.undone]
        self._try(lambda: self.study.history.undo(refs[-1 - at % len(refs)], by))

    @rule(by=people)
    def takes_a_rewriting_back(self, by: str) -> None:
        if self.refs:
            self._try(lambda: self.study.history.undo(self.refs[len(self.refs) // 2], by))

    @rule(n=which, by=people)
    def approves(self, n: int, by: str) -> None:
        matters = self.study.control.look(self.uids[n])
        report = self.study.quality.approve(by, [self.uids[n]])
        if self.study.dialogues.find(self.uids[n]).stage is Stage.APPROVED:
            assert not report.open
        else:
            assert set(report.open) == set(matters), "what was said to be open is what keeps it open"
            assert matters

    @rule(n=which, by=people)
    def sends_back_and_rules(self, n: int, by: str) -> None:
        self._try(lambda: self.study.rewriting.send_back(self.uids[n], by, "不成立"))
        with suppress(WorkbenchError):
            self.study.disputes.rule("curator", self.uids[n], Answer(True, "hint", ""))

    # -- what always holds

    @invariant()
    def what_is_approved_is_the_raw_text_with_the_listed_edits_and_keeps_the_rules(self) -> None:
        for uid in self.uids:
            sheet = self.study.quality.sheet(self.study.dialogues.key(uid))
            replayed = []
            for index, message in enumerate(sheet.stored.dialogue.messages):
                text = message.text
                for one in sheet.layers[index].rounds:
                    assert one.below == text
                    text = apply_edits(text, one.edits)
                assert text == sheet.layers[index].texts[Layer.EDITED]
                replayed.append(text)
            assert [m.text for m in sheet.final] == [replayed[m.index] for m in sheet.final]
            if sheet.stored.stage is Stage.APPROVED:
                assert self.study.quality.open_on(sheet) == ()
                assert self.study.quality.approved_text(sheet) == sheet.final
                assert sheet.final[-1].party == "other"
                assert len({m.turn for m in sheet.final}) >= 6

    @invariant()
    def what_is_known_to_be_open_is_so(self) -> None:
        for uid in self.uids:
            known = self.study.control.known(self.study.dialogues.key(uid))
            if known is not None:
                assert known == self.study.quality.open_on(self.study.quality.sheet(self.study.dialogues.key(uid)))


TestQualityDay = QualityDay.TestCase
TestQualityDay.settings = settings(
    max_examples=12,
    stateful_step_count=18,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
