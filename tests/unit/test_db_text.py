"""What normalising changed and taking it back; the settings that turn rules off; and that the log tells all of it."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from curation.errors import RefusedStep, UsageError
from curation.layers import Layer
from curation.normalise import RULES
from curation.settings import Settings
from curation.stages import Stage
from curation.work import TextEdit
from db.project import Project
from tests.conftest import Make, Repeating, Ticking, agree, bring, dialogue, projected_rows, refusal, staff, tampering

TEXTS = ["在嗎１２", "你說ＡＢ", "哈哈哈哈哈哈１", "我的电话13812345678記下了", "這裡\u200b見", "行３"]


@pytest.fixture
def study(project: Make) -> Project:
    """Two agreed dialogues, normalised; d1 has something for most rules, with a phone number taken out."""
    made = project()
    bring(made, [dialogue("d1", TEXTS), dialogue("d2", [f"{t}。" for t in reversed(TEXTS)])])
    staff(made, 0)
    agree(made, _uids(made))
    made.findings.scrub([made.dialogues.key(u) for u in _uids(made)], "curator", 0.0)
    made.quality.normalise("curator")
    return made


def _uids(study: Project) -> list[str]:
    return [study.dialogues.find(name).uid for name in ("d1", "d2")]


def _edits(study: Project, uid: str, why: str | None = "") -> list[TextEdit]:
    return [e for e in study.texts.page(uid).edits if why is None or e.why_not == why]


def _now(study: Project, uid: str) -> list[str]:
    return [m.now for m in study.texts.page(uid).messages]


def _last(study: Project) -> str:
    return list(study.history.lines("curator"))[-1].ref


# -- the page


def test_a_page_shows_each_message_as_it_was_and_as_it_is(study: Project) -> None:
    page = study.texts.page(_uids(study)[0])
    assert (page.normalised, page.place, page.count) == (True, 1, 2)
    assert [m.was for m in page.messages][:3] == TEXTS[:3]
    assert [m.now for m in page.messages][:3] == ["在吗12", "你说AB", "哈哈哈1"]
    assert "13812345678" not in page.messages[3].was
    for number, message in enumerate(page.messages):
        text, shift = message.was, 0
        for edit in message.edits:
            assert edit.message == number
            assert message.was[edit.start : edit.end] == edit.before
            text = text[: edit.start + shift] + edit.after + text[edit.end + shift :]
            shift += len(edit.after) - len(edit.before)
        assert text == message.now


def test_agreed_dialogues_are_gone_through_one_by_one(study: Project) -> None:
    one, two = _uids(study)
    assert study.texts.first() == one
    assert (study.texts.step(one, 1), study.texts.step(two, 1)) == (two, None)
    assert (study.texts.step(two, -1), study.texts.step(one, -1)) == (one, None)
    study.quality.approve("curator", ["d1"])
    assert study.texts.first() == two
    page = study.texts.page(one)
    assert (page.place, page.count) == (0, 1)


def test_others_may_read_what_is_reviewed(study: Project) -> None:
    uid = _uids(study)[0]
    assert study.texts.reviewed(uid)
    for one in study.findings.decided(study.dialogues.key(uid)):
        assert one.accepted
    line = next(line for line in study.history.lines("curator") if line.kind == "scrubbed")
    study.history.undo(line.ref, "curator")
    assert not study.texts.reviewed(uid)


def test_edits_that_no_longer_fit_are_counted(study: Project) -> None:
    uid = _uids(study)[0]
    study.findings.decide(uid, "curator", 0, 1, 3, "PERSON", True)
    page = study.texts.page(uid)
    assert page.messages[0].misfits == 2
    study.quality.normalise("curator")
    assert [m.misfits for m in study.texts.page(uid).messages] == [0] * 6


# -- taking back


def test_an_edit_taken_back_stays_away_until_that_is_undone(study: Project) -> None:
    uid = _uids(study)[0]
    before = _now(study, uid)
    edit = next(e for e in _edits(study, uid) if e.before == "１２")
    study.texts.take_back(uid, "curator", edit.message, *edit.anchor)
    ref = _last(study)
    assert _now(study, uid)[0] == "在吗１２"
    assert [e.before for e in _edits(study, uid, "edit")] == ["１２"]
    assert next(m.text for m in study.quality.final(uid)) == "在吗１２"
    count = len(list(study.history.lines("curator")))
    report = study.quality.normalise("curator")
    assert len(list(study.history.lines("curator"))) == count, "nothing new to store"
    assert report.counts["width"] == 7, "eight were made, and one does not count"
    assert _now(study, uid)[0] == "在吗１２"
    assert refusal(lambda: study.texts.take_back(uid, "curator", edit.message, *edit.anchor)) == "no_edit"
    study.history.undo(ref, "curator")
    assert _now(study, uid) == before
    assert study.check() == []


@pytest.mark.parametrize("place", [(0, 0, 1), (0, 3, 3), (9, 0, 1), (-1, 0, 1), (0, 1, 9)])
def test_where_no_edit_stands_none_is_taken_back(study: Project, place: tuple[int, int, int]) -> None:
    rows = projected_rows(study)
    assert refusal(lambda: study.texts.take_back(_uids(study)[0], "curator", *place)) == "no_edit"
    assert projected_rows(study) == rows


def test_a_rule_taken_back_is_so_in_one_dialogue(study: Project) -> None:
    one, two = _uids(study)
    other = _now(study, two)
    assert study.texts.take_back_rule(one, "curator", "width") == 4
    ref = _last(study)
    assert study.texts.take_back_rule(one, "curator", "width") == 0
    assert {e.rule for e in _edits(study, one, "rule")} == {"width"}
    assert "width" not in {e.rule for e in _edits(study, one)}
    assert _now(study, two) == other
    study.quality.normalise("curator")
    assert "width" not in {e.rule for e in _edits(study, one)}
    study.history.undo(ref, "curator")
    assert "在吗12" in _now(study, one)
    assert study.check() == []


def test_rules_that_are_none_and_dialogues_not_normalised_are_refused(study: Project) -> None:
    bring(study, [dialogue("d3")])
    with pytest.raises(UsageError):
        study.texts.take_back_rule(_uids(study)[0], "curator", "spelling")
    uid = study.dialogues.find("d3").uid
    assert refusal(lambda: study.texts.take_back_rule(uid, "curator", "width")) == "not_normalised"


def test_taking_back_opens_the_approval_again(study: Project, tmp_path: Path) -> None:
    one, two = _uids(study)
    assert study.quality.approve("curator").approved == 2
    study.releases.export(tmp_path / "out", "curator")
    edit = _edits(study, one)[0]
    study.texts.take_back(one, "curator", edit.message, *edit.anchor)
    assert study.dialogues.find("d1").stage is Stage.AGREED
    assert study.dialogues.find("d2").stage is Stage.RELEASED
    study.texts.take_back_rule(two, "curator", "script")
    assert study.dialogues.find("d2").stage is Stage.AGREED
    assert study.quality.approve("curator").approved == 2
    study.history.undo(_ref(study, "edit_taken_back"), "curator")
    assert study.dialogues.find("d1").stage is Stage.AGREED, "undoing changes the text too"
    assert study.check() == []


def _ref(study: Project, kind: str) -> str:
    return next(line.ref for line in study.history.lines("curator") if line.kind == kind and not line.undone)


# -- settings


def test_a_rule_off_for_the_project_is_off_at_once_and_when_normalising(study: Project) -> None:
    assert study.change_settings("curator", rules_off=("width", "script"))
    assert study.settings.rules_off == ("width", "script")
    for uid in _uids(study):
        assert {e.rule for e in _edits(study, uid)}.isdisjoint({"width", "script"})
        assert {e.rule for e in _edits(study, uid, "project")} == {"width", "script"}
    report = study.quality.normalise("curator")
    assert set(report.counts).isdisjoint({"width", "script"})
    assert report.counts["interjection"] == 2
    assert {e.rule for e in _edits(study, _uids(study)[0], None)} == {"interjection", "invisible"}
    assert not study.change_settings("curator", rules_off=["script", "width"])
    assert study.check() == []


def test_settings_are_there_for_whoever_opens_the_project_and_for_other_windows(study: Project) -> None:
    with Project.open(study.path) as other:
        assert other.change_settings("curator", rules_off=("marks",), min_turns=3)
        assert study.settings == other.settings == Settings(min_turns=3, rules_off=("marks",))
    with Project.open(study.path) as again:
        assert again.settings.rules_off == ("marks",)
        assert again.check() == []


def test_of_two_changes_one_can_be_taken_back(study: Project) -> None:
    study.change_settings("curator", rules_off=("width",))
    first = _last(study)
    study.change_settings("curator", rules_off=("width", "marks"), lang="en")
    study.history.undo(first, "curator")
    assert (study.settings.rules_off, study.settings.lang) == (("marks",), "en")
    study.history.undo(_last_settings(study), "curator")
    assert (study.settings.rules_off, study.settings.lang) == ((), "zh")
    assert study.check() == []


def _last_settings(study: Project) -> str:
    lines = [x for x in study.history.lines("curator") if x.kind == "settings_changed" and not x.undone]
    return lines[-1].ref


def test_a_change_that_later_ones_need_is_not_taken_back(project: Make) -> None:
    study = project(settings=Settings(max_turns=8))
    study.change_settings("curator", max_turns=20)
    first = _last(study)
    study.change_settings("curator", min_turns=12)
    assert refusal(lambda: study.history.undo(first, "curator")) == "settings_needed"
    assert (study.settings.min_turns, study.settings.max_turns) == (12, 20)
    assert study.check() == []


@pytest.mark.parametrize(
    "changes",
    [
        {"rules_off": ("spelling",)},
        {"rules_off": "width"},
        {"rules_off": None},
        {"min_turns": 0},
        {"min_turns": "6"},
        {"min_turns": True},
        {"lang": "fr"},
        {"near_duplicate": "x"},
        {"colour": "red"},
    ],
)
def test_settings_that_cannot_be_are_refused(study: Project, changes: dict[str, Any]) -> None:
    before = (study.settings, projected_rows(study))
    with pytest.raises(UsageError):
        study.change_settings("curator", **changes)
    assert (study.settings, projected_rows(study)) == before


def test_approved_texts_that_a_rule_changes_are_open_again_and_no_others(project: Make) -> None:
    study = project()
    bring(study, [dialogue("d1", TEXTS), dialogue("d2")])
    staff(study, 0)
    agree(study, _uids(study))
    study.findings.scrub([study.dialogues.key(u) for u in _uids(study)], "curator", 0.0)
    study.quality.normalise("curator")
    assert study.quality.approve("curator").approved == 2
    study.change_settings("curator", rules_off=("width",))
    ref = _last(study)
    assert (study.dialogues.find("d1").stage, study.dialogues.find("d2").stage) == (Stage.AGREED, Stage.APPROVED)
    assert study.quality.approve("curator").approved == 1
    study.history.undo(ref, "curator")
    assert (study.dialogues.find("d1").stage, study.dialogues.find("d2").stage) == (Stage.AGREED, Stage.APPROVED)
    assert study.check() == []


def test_settings_changed_behind_the_logs_back_are_found(study: Project) -> None:
    study.change_settings("curator", rules_off=("width",))
    with tampering(study.path) as db:
        db.execute("UPDATE meta SET value = replace(value, '\"width\"', '\"marks\"') WHERE key = 'settings'")
    assert {p.code for p in study.check()} == {"settings"}


def test_a_project_made_before_there_were_rules_to_turn_off_opens(study: Project) -> None:
    with tampering(study.path) as db:
        db.execute("UPDATE meta SET value = json_remove(value, '$.rules_off') WHERE key = 'settings'")
    with Project.open(study.path) as opened:
        assert opened.settings == Settings()


# -- the undo key


def test_the_undo_key_takes_back_ones_own_last_step_and_then_the_one_before(study: Project) -> None:
    one, two = _uids(study)
    study.people.add("eve", "curator", "curator")
    rows = projected_rows(study)
    edit = _edits(study, one)[0]
    study.texts.take_back(one, "curator", edit.message, *edit.anchor)
    study.dialects.tell(two, "eve", "wu")
    study.texts.take_back_rule(two, "curator", "width")
    study.change_settings("curator", rules_off=("marks",))
    study.change_settings("curator", lang="en")
    found = []
    while (step := study.history.undo_last("curator")) is not None:
        found.append(step)
    assert found == [("settings_changed", ""), ("rule_taken_back", two), ("edit_taken_back", one)]
    assert study.settings.lang == "en", "no step of the text screen"
    assert study.history.undo_last("eve") == ("dialect_told", two)
    assert projected_rows(study) == rows
    assert study.check() == []


# -- any order


class Corrections(RuleBasedStateMachine):
    """Any steps on texts and settings, in any order, with approvals and undoing between them."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.study = Project.create(Path(self.folder.name) / "s.workbench", clock=Ticking(), entropy=Repeating())

    def teardown(self) -> None:
        self.study.close()
        self.folder.cleanup()

    @initialize()
    def begins(self) -> None:
        bring(self.study, [dialogue("d1", TEXTS), dialogue("d2", [f"{t}。" for t in reversed(TEXTS)])])
        staff(self.study, 0)
        agree(self.study, _uids(self.study))
        self.study.findings.scrub([self.study.dialogues.key(u) for u in _uids(self.study)], "curator", 0.0)
        self.study.quality.normalise("curator")

    @rule()
    def normalises(self) -> None:
        stands = {uid: [(e.message, e.anchor) for e in _edits(self.study, uid, "edit")] for uid in _uids(self.study)}
        self.study.quality.normalise("curator")
        for uid, places in stands.items():
            assert not {(e.message, e.anchor) for e in _edits(self.study, uid)} & set(places)

    @rule(which=st.integers(0, 1), number=st.integers(0, 30))
    def takes_an_edit_back(self, which: int, number: int) -> None:
        uid = _uids(self.study)[which]
        edits = _edits(self.study, uid)
        if edits:
            edit = edits[number % len(edits)]
            self._undoable(lambda: self.study.texts.take_back(uid, "curator", edit.message, *edit.anchor))
            assert edit.anchor not in {e.anchor for e in _edits(self.study, uid) if e.message == edit.message}

    @rule(which=st.integers(0, 1), name=st.sampled_from([*RULES]))
    def takes_a_rule_back(self, which: int, name: str) -> None:
        uid = _uids(self.study)[which]
        if not self.study.texts.page(uid).normalised:
            assert refusal(lambda: self.study.texts.take_back_rule(uid, "curator", name)) == "not_normalised"
            return
        self._undoable(lambda: self.study.texts.take_back_rule(uid, "curator", name))
        assert name not in {e.rule for e in _edits(self.study, uid)}

    @rule(off=st.lists(st.sampled_from([*RULES]), max_size=3))
    def turns_rules_off_and_on(self, off: list[str]) -> None:
        self._undoable(lambda: self.study.change_settings("curator", rules_off=off))
        assert set(self.study.settings.rules_off) == set(off)

    @rule(which=st.integers(0, 1), tag=st.sampled_from(["mandarin", "wu", "gan"]))
    def tells_a_dialect(self, which: int, tag: str) -> None:
        uid = _uids(self.study)[which]
        self._undoable(lambda: self.study.dialects.tell(uid, "curator", tag))
        assert self.study.dialects.of(uid).tag == tag

    @rule(which=st.integers(0, 1), start=st.integers(0, 2), accept=st.booleans())
    def decides_a_finding(self, which: int, start: int, accept: bool) -> None:
        self.study.findings.decide(_uids(self.study)[which], "curator", 1, start, start + 2, "PERSON", accept)

    @rule()
    def approves(self) -> None:
        self.study.quality.approve("curator")

    @rule(number=st.integers(0, 60))
    def exports(self, number: int) -> None:
        with suppress(RefusedStep):
            self.study.releases.export(Path(self.folder.name) / f"out{number}", "curator")

    @rule(number=st.integers(0, 30))
    def takes_an_event_back(self, number: int) -> None:
        refs = [line.ref for line in self.study.history.lines("curator")]
        with suppress(RefusedStep):
            self.study.history.undo(refs[-1 - number % len(refs)], "curator")

    @rule()
    def presses_undo(self) -> None:
        self.study.history.undo_last("curator")

    @invariant()
    def the_tables_are_what_the_log_says(self) -> None:
        assert self.study.check() == []

    @invariant()
    def what_is_approved_is_what_the_layers_amount_to(self) -> None:
        for one in self.study.dialogues.at(Stage.APPROVED, Stage.RELEASED):
            self.study.quality.approved_text(self.study.quality.sheet(self.study.dialogues.key(one.uid)))

    @invariant()
    def a_page_is_the_texts(self) -> None:
        for uid in _uids(self.study):
            assert _now(self.study, uid) == self.study.quality.texts(self.study.dialogues.key(uid), Layer.NORMALISED)

    def _undoable(self, step: Any) -> None:
        """Do it, take it back, see the texts and settings as before, and do it again."""
        before, count = self._seen(), self._events()
        step()
        if self._events() == count:
            assert self._seen() == before
            return
        self.study.history.undo(_last(self.study), "curator")
        assert self._seen() == before
        step()

    def _seen(self) -> list[Any]:
        uids = _uids(self.study)
        return [self.study.settings, *(self.study.texts.page(u).messages for u in uids)] + [
            self.study.dialects.of(u) for u in uids
        ]

    def _events(self) -> int:
        return sum(1 for _ in self.study.history.lines("curator"))


TestCorrections = Corrections.TestCase
TestCorrections.settings = settings(
    max_examples=20, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
