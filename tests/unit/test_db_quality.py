"""Quality control in the store: rewriting, signing, what keeps a dialogue from approval, sending back, the list, the story."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest

from curation.checks import MATTERS, part_of
from curation.errors import UsageError
from curation.layers import Layer
from curation.settings import Settings
from curation.stages import Stage
from curation.work import Answer
from curation.work.quality import Cut, Filter
from db.connection import transaction
from db.project import Project
from tests.conftest import Make, agree, bring, dialogue, projected_rows, refusal, staff

TEXTS = ["在嗎１２", "你說ＡＢ", "我的电话13812345678記下了", "嗯嗯\u3000\u00a0好❤\ufe0f的\t吧", "這裡\u200b見", "行３"]


@pytest.fixture
def study(project: Make) -> Project:
    """d1 has odd characters and a number taken out, d2 has twelve turns; both agreed on. Two curators."""
    made = project()
    bring(made, [dialogue("d1", TEXTS), dialogue("d2", turns=12)])
    staff(made, 0)
    agree(made, [_uid(made), _uid(made, "d2")])
    made.findings.scrub([made.dialogues.key(_uid(made, n)) for n in ("d1", "d2")], "curator", 0.0)
    made.quality.normalise("curator")
    made.people.add("eve", "curator", "curator")
    return made


def _uid(study: Project, name: str = "d1") -> str:
    return study.dialogues.find(name).uid


def _now(study: Project, message: int, name: str = "d1") -> str:
    return study.control.page(_uid(study, name), "curator").messages[message].now


def _put(study: Project, message: int, text: str, by: str = "curator", reason: str = "readable") -> str:
    done = study.rewriting.rewrite(_uid(study), by, message, text, reason)
    assert done is not None
    return done.ref


def _open(study: Project, name: str = "d1") -> tuple[str, ...]:
    return study.control.look(_uid(study, name))


# -- rewriting


def test_what_was_not_touched_stays_character_by_character(study: Project) -> None:
    before = _now(study, 3)
    assert "\ufe0f" in before, "the normaliser leaves the variation selector"
    _put(study, 3, before.replace("吧", "啦"))
    page = study.control.page(_uid(study), "curator")
    assert page.messages[3].now == before.replace("吧", "啦")
    assert page.messages[3].raw == TEXTS[3]
    edits = [edit for one in page.messages[3].rewritings for edit in one.edits]
    assert [(e.below, e.replacement) for e in edits] == [("吧", "啦")]
    assert study.check() == []


def test_a_text_that_stands_there_already_is_no_rewriting(study: Project) -> None:
    rows = projected_rows(study)
    assert study.rewriting.rewrite(_uid(study), "curator", 1, _now(study, 1), "readable") is None
    assert projected_rows(study) == rows


def test_only_the_event_tells_that_it_happened_and_its_body_holds_no_text(study: Project) -> None:
    ref = _put(study, 1, "你说CD")
    event = next(e for e in study.log.events() if e.ref == ref)
    assert "CD" not in str(event.body)
    assert event.body["message"] == 1
    assert event.body["spans"] == [[2, 4, 2]]


@pytest.mark.parametrize(
    ("message", "text", "reason", "code"),
    [
        (9, "好", "readable", "no_message"),
        (-1, "好", "readable", "no_message"),
        (0, "", "readable", "nothing_left"),
        (0, " \u200b ", "readable", "nothing_left"),
        (0, "加我13912345678", "readable", "new_identifier"),
        (0, "加我wx号qwerty_889", "readable", "new_identifier"),
    ],
)
def test_what_breaks_a_rule_is_refused_and_changes_nothing(
    study: Project, message: int, text: str, reason: str, code: str
) -> None:
    rows = projected_rows(study)
    assert refusal(lambda: study.rewriting.rewrite(_uid(study), "curator", message, text, reason)) == code
    assert projected_rows(study) == rows


def test_wrong_calls_are_said_to_be_wrong(study: Project) -> None:
    with pytest.raises(UsageError):
        study.rewriting.rewrite(_uid(study), "curator", 0, "好", "because")
    with pytest.raises(UsageError):
        study.rewriting.rewrite(_uid(study), "curator", 0, "好\ud800", "readable")


def test_a_name_may_be_brought_in_only_with_a_second_person(study: Project) -> None:
    text = "我叫王小明，你呢"

    def put(allow: bool) -> object:
        return study.rewriting.rewrite(_uid(study), "curator", 0, text, "other", allow=allow)

    assert refusal(lambda: put(False)) == "doubtful_identifier"
    assert put(True) is not None
    assert "new_identifiers" in _open(study)
    assert refusal(lambda: study.rewriting.sign(_uid(study), "curator", 0)) == "own_rewriting"
    study.rewriting.sign(_uid(study), "eve", 0)
    assert _open(study) == ()


def test_a_text_changed_meanwhile_is_not_overwritten(study: Project) -> None:
    began = _now(study, 1)
    _put(study, 1, "你说CD", by="eve")
    step = lambda: study.rewriting.rewrite(_uid(study), "curator", 1, "你说EF", "readable", began=began)  # noqa: E731
    assert refusal(step) == "changed_meanwhile"


def test_what_is_cut_away_is_not_rewritten(study: Project) -> None:
    study.quality.trim(_uid(study, "d2"), "curator", 3, [])
    step = lambda: study.rewriting.rewrite(_uid(study, "d2"), "curator", 0, "好", "readable")  # noqa: E731
    assert refusal(step) == "cut_away"


def test_beyond_the_limit_a_second_person_signs(study: Project) -> None:
    _put(study, 1, "你说的是")
    assert _open(study) == ("unsigned_rewriting",)
    assert study.quality.approve("curator", ["d1"]).open == {"unsigned_rewriting": 1}
    assert refusal(lambda: study.rewriting.sign(_uid(study), "ann", 1)) == "not_a_curator"
    assert refusal(lambda: study.rewriting.sign(_uid(study), "eve", 0)) == "not_rewritten"
    assert study.rewriting.sign(_uid(study), "eve", 1)
    assert not study.rewriting.sign(_uid(study), "eve", 1)
    assert _open(study) == ()
    _put(study, 1, "你说的是了")
    assert _open(study) == ("unsigned_rewriting",), "another text is not what was signed"


def test_many_small_rewritings_count_together(study: Project) -> None:
    study.change_settings("curator", edit_limit=0.5)
    for text in ("你讲AB", "你讲AC", "你讲DC"):
        assert "unsigned_rewriting" not in _open(study)
        _put(study, 1, text)
    assert _open(study) == ("unsigned_rewriting",)
    study.change_settings("curator", edit_limit=1)
    assert _open(study) == ()


def test_taking_one_back_opens_what_was_made_on_it(study: Project) -> None:
    first = _put(study, 1, "你说XB")
    second = _put(study, 1, "你说XYB")
    assert study.quality.approve("curator", ["d1"]).approved == 0
    study.rewriting.sign(_uid(study), "eve", 1)
    assert study.quality.approve("curator", ["d1"]).approved == 1
    study.history.undo(first, "curator")
    assert study.dialogues.find("d1").stage is Stage.AGREED
    assert _open(study) == ("conflicting_rewriting",)
    assert study.control.page(_uid(study), "curator").messages[1].misfits == (second,)
    study.history.undo(second, "curator")
    assert _now(study, 1) == "你说AB"
    assert _open(study) == ()
    assert study.check() == []


def test_undo_goes_back_step_by_step_but_not_through_a_step_of_many(study: Project) -> None:
    kinds = ("trimmed", "edited", "approved")
    assert study.quality.approve("curator").approved == 2
    assert study.history.undo_last("curator", kinds) is None
    _put(study, 1, "你说CB")
    study.quality.trim(_uid(study, "d2"), "curator", 3, [])
    assert study.history.undo_last("curator", kinds) == ("trimmed", _uid(study, "d2"))
    assert study.history.undo_last("curator", kinds) == ("edited", _uid(study))
    assert study.check() == []


def test_what_was_written_is_found_in_the_final_text(project: Make) -> None:
    made = project()
    staff(made, 1)
    agree(made, [_uid(made)])
    made.change_settings("curator", edit_limit=1)
    made.rewriting.rewrite(_uid(made), "curator", 0, "稀罕的新词在此", "readable")
    assert [hit.message for hit in made.search.find("稀罕的新词", layer=Layer.EDITED)] == [0]
    (first, *_) = made.history.explain("d1", "curator").messages
    assert first.texts["edited"] == "稀罕的新词在此"


# -- drafts


def test_half_written_texts_are_kept_until_they_are_committed(study: Project) -> None:
    uid, now = _uid(study), _now(study, 1)
    study.rewriting.save_draft("curator", uid, 1, "你说A", now)
    study.control.keep_draft("curator", _uid(study, "d2"), Cut(3, (5, 6)))
    with Project.open(study.path) as other:
        assert other.control.page(uid, "curator").messages[1].draft == "你说A"
        assert other.control.page(uid, "eve").messages[1].draft is None
        assert other.control.page(_uid(study, "d2"), "curator").draft == Cut(3, (5, 6))
    _put(study, 1, "你说AC")
    assert study.rewriting.drafts("curator", uid) == {}
    study.control.decide(_uid(study, "d2"), "curator", Cut(3, (5, 6)))
    assert study.control.page(_uid(study, "d2"), "curator").draft is None
    study.rewriting.save_draft("curator", uid, 1, "x", "x")
    assert study.rewriting.drafts("curator", uid) == {}, "what it began with is no draft"


# -- length


def test_a_message_that_rewriting_or_normalising_empties_counts_for_nothing(project: Make) -> None:
    made = project()
    bring(made, [dialogue("d1", ["在吗", "好", "\u200b", "嗯嗯嗯", "走", "行"])])
    staff(made, 0)
    assert made.dialogues.find("d1").code == "too_few_turns"


def test_limits_of_length_hold_for_what_is_left(study: Project) -> None:
    study.change_settings("curator", max_turns=8, max_characters=60)
    assert set(_open(study, "d2")) == {"too_many_turns", "too_many_characters"}
    study.quality.trim(_uid(study, "d2"), "curator", 7, [])
    assert "too_many_turns" not in _open(study, "d2")
    study.change_settings("curator", max_characters=200)
    assert _open(study, "d2") == ()


def test_a_cut_that_breaks_a_rule_is_refused_in_words(study: Project) -> None:
    uid = _uid(study, "d2")
    assert refusal(lambda: study.control.decide(uid, "curator", Cut(8, ()))) == "too_few_turns"
    assert refusal(lambda: study.control.decide(uid, "curator", Cut(1, (12,)))) == "last_turn_cut"
    page = study.control.page(uid, "curator")
    assert study.control.problems(page, Cut(1, (2, 4, 6))) == [], "neighbours of one speaker count as one: six are left"
    assert study.control.problems(page, Cut(1, (2, 4, 6, 8))) == ["too_few_turns"]


def test_a_cut_keeps_the_reasons_it_was_proposed_with_and_is_taken_back(study: Project) -> None:
    uid = _uid(study, "d2")
    page = study.control.page(uid, "curator")
    proposal = study.control.proposal(page, 8)
    assert study.control.decide(uid, "curator", Cut(proposal.first_turn, proposal.removed_turns), proposal)
    assert study.control.page(uid, "curator").decided
    (cut,) = study.stories.of(uid).cuts
    assert (cut.before, cut.after, cut.proposed) == (12, proposal.turns_after, True)
    assert set(cut.why) == set(proposal.kept_turns)
    assert study.control.decide(uid, "curator", Cut())
    assert not study.control.page(uid, "curator").decided
    assert [c.stands for c in study.stories.of(uid).cuts] == [False, True]
    assert not study.control.decide(uid, "curator", Cut())
    assert study.check() == []


# -- the same text twice


def test_nearly_the_same_text_is_not_approved_under_another_id(study: Project) -> None:
    texts = [m.text for m in study.dialogues.find("d2").dialogue.messages]
    bring(study, [dialogue("d3", [*texts[:-1], "不一样的末句"])], source="later")
    uid = _uid(study, "d3")
    assert study.dialogues.find("d3").code == "near_duplicate", "the rules of the import see it as well"
    study.change_settings("curator", near_duplicate=1.0)
    study.dialogues.apply_rules("curator")
    study.screening.assign("curator")
    agree(study, [uid])
    study.change_settings("curator", near_duplicate=0.69)
    study.findings.scrub([study.dialogues.key(uid)], "curator", 0.0)
    report = study.quality.approve("curator")
    assert report.dialogues == {"d3": ("approved_twice",)}, "of two at once the first stays"
    assert _open(study, "d3") == ("approved_twice",)
    assert study.control.twin(uid) == "d2"
    assert _open(study, "d2") == ()
    assert study.releases.gate() == {}
    line = next(x for x in study.history.lines("curator") if x.kind == "approved")
    study.history.undo(line.ref, "curator")
    study.change_settings("curator", min_turns=5)  # looked at anew: what others are is not kept for ever
    assert _open(study, "d3") == ()


# -- back to screening


def test_sent_back_counts_no_more_until_it_is_decided_anew(study: Project) -> None:
    uid = _uid(study)
    assert study.quality.approve("curator", ["d1"]).approved == 1
    with pytest.raises(UsageError):
        study.rewriting.send_back(uid, "curator", "  ")
    study.rewriting.send_back(uid, "curator", "截短后没有反话了")
    assert study.dialogues.find("d1").stage is Stage.DISPUTED
    assert refusal(lambda: study.rewriting.send_back(uid, "curator", "又")) == "not_agreed"
    assert study.quality.approve("curator", ["d1"]).open == {"not_agreed": 1}
    assert study.control.page(uid, "curator").sent_back == "截短后没有反话了"
    study.disputes.rule("curator", uid, Answer(True, "hint", ""))
    assert study.dialogues.find("d1").stage is Stage.AGREED, "and the old approval does not come back"
    assert study.control.page(uid, "curator").situation == "hint"
    assert study.check() == []


def test_sending_back_is_undone(study: Project) -> None:
    uid = _uid(study)
    study.rewriting.send_back(uid, "curator", "不成立")
    assert study.history.undo_last("curator", ("sent_back",)) == ("sent_back", uid)
    assert study.dialogues.find("d1").stage is Stage.AGREED
    assert study.check() == []


def test_the_same_ruling_again_settles_what_was_sent_back(study: Project) -> None:
    uid = _uid(study)
    study.rewriting.send_back(uid, "curator", "一")
    assert study.disputes.rule("curator", uid, Answer(True, "irony", ""))
    study.rewriting.send_back(uid, "curator", "二")
    assert study.dialogues.find("d1").stage is Stage.DISPUTED
    assert study.disputes.rule("curator", uid, Answer(True, "irony", "")), "it is said anew"
    assert study.dialogues.find("d1").stage is Stage.AGREED
    assert study.check() == []


# -- the list


def test_the_list_filters_and_knows_what_was_looked_at(study: Project) -> None:
    everything = study.batch.listed(Filter())
    assert [row.name for row in everything] == ["d1", "d2"]
    assert [row.matters for row in everything] == [None, None]
    assert list(study.batch.unknown(everything.keys)) == [row.uid for row in everything]
    assert len(study.batch.listed(Filter(matter="open"))) == 2, "what nobody looked at is not clean"
    _put(study, 1, "你说的是")
    for row in everything:
        study.control.look(row.uid)
    everything.forget()
    assert [row.matters for row in everything] == [("unsigned_rewriting",), ()]
    names = {matter: [r.name for r in study.batch.listed(Filter(matter=matter))] for matter in ("clean", "open")}
    assert names == {"clean": ["d2"], "open": ["d1"]}
    assert [r.name for r in study.batch.listed(Filter(matter="unsigned_rewriting"))] == ["d1"]
    assert [r.name for r in study.batch.listed(Filter(longer_than=6))] == ["d2"]
    assert len(study.batch.listed(Filter(situation="irony", dialect=""))) == 2
    assert len(study.batch.listed(Filter(situation="hint"))) == 0
    study.quality.approve("curator", ["d2"])
    assert [r.name for r in study.batch.listed(Filter(stage="approved"))] == ["d2"]
    assert study.batch.listed(Filter())[1].matters is None, "something was said of it since"


# -- the story


def test_the_story_tells_every_change_with_who_and_why(study: Project) -> None:
    uid = _uid(study)
    gone = _put(study, 0, "在么12")
    study.history.undo(gone, "eve")
    kept = _put(study, 1, "你说AC", by="eve", reason="garbled")
    edit = next(e for e in study.texts.page(uid).edits if e.before == "１２")
    study.texts.take_back(uid, "eve", edit.message, *edit.anchor)
    study.quality.approve("curator", ["d1"])
    story = study.stories.of(uid)
    first, second, third = story.messages[0], story.messages[1], story.messages[2]
    assert (first.raw, first.now) == ("在嗎１２", "在吗１２")
    assert {(c.layer, c.before, c.after, c.stands, c.ended_by) for c in first.changes} == {
        ("normalised", "嗎", "吗", "", ""),
        ("normalised", "１２", "12", "edit", "eve"),
        ("edited", "吗", "么", "undone", "eve"),
    }
    written = second.changes[-1]
    assert (written.ref, written.by, written.rule, written.before, written.after) == (
        kept,
        "eve",
        "garbled",
        "AB",
        "AC",
    )
    assert [(c.before, c.rule) for c in third.changes if c.layer == "scrubbed"] == [("13812345678", "PHONE")]
    assert [a.stands for a in story.approvals] == [True]


def test_every_reason_has_a_part_and_words() -> None:
    for code, (part, words) in MATTERS.items():
        assert part_of(code) is part
        assert words
    assert part_of("of another version").value == "approval"


def test_the_store_of_another_place_asks_for_no_file(study: Project, tmp_path: Path) -> None:
    """A backup is a project whose derived tables can be empty or full: the same answers come out."""
    study.quality.approve("curator")
    study.backup(tmp_path / "copy.workbench")
    with Project.open(tmp_path / "copy.workbench") as copy:
        assert copy.check() == []
        assert copy.control.twin(_uid(copy)) == ""


def test_settings_decide_how_much_may_be_rewritten(project: Make) -> None:
    made = project(settings=Settings(edit_limit=0))
    staff(made, 1)
    agree(made, [_uid(made)])
    made.rewriting.rewrite(_uid(made), "curator", 0, _now(made, 0) + "呀", "readable")
    assert made.control.look(_uid(made)) == ("unsigned_rewriting",)


def test_what_was_purged_is_looked_at_and_not_changed(study: Project) -> None:
    uid = _uid(study)
    _put(study, 1, "你说AC")
    study.quality.trim(_uid(study, "d2"), "curator", 3, [])
    assert study.quality.approve("curator").approved == 2
    study.purging.purge(study.purging.plan(["d1", "d2"]), "curator")
    for name in ("d1", "d2"):
        page = study.control.page(_uid(study, name), "curator")
        assert [m.now for m in page.messages] == [m.text for m in study.quality.final(_uid(study, name))]
        assert study.control.look(_uid(study, name)) == ()
        assert study.stories.of(_uid(study, name)).messages == ()
    assert refusal(lambda: study.rewriting.rewrite(uid, "curator", 1, "你", "other")) == "purged"
    assert refusal(lambda: study.rewriting.send_back(uid, "curator", "不成立")) == "purged"
    assert study.check() == []


def test_the_twin_is_found_by_every_window_and_after_a_step_that_was_undone(study: Project) -> None:
    texts = [m.text for m in study.dialogues.find("d2").dialogue.messages]
    prints = study.quality.checks.prints
    with Project.open(study.path) as other:
        assert other.quality.checks.prints.twin(-1, texts, 0.69) is None
        with suppress(ZeroDivisionError), transaction(study._db):
            study.quality.approve("curator", ["d2"])
            assert prints.twin(-1, texts[2:], 0.69) == "d2"
            1 / 0  # noqa: B018
        assert prints.twin(-1, texts[2:], 0.69) is None
        study.quality.approve("curator", ["d1"])
        study.quality.approve("curator", ["d2"])
        for one in (prints, other.quality.checks.prints):
            assert one.twin(-1, texts[2:], 0.69) == "d2"
            assert one.twin(study.dialogues.key(_uid(study, "d2")), texts, 0.69) is None
        study.quality.trim(_uid(study, "d2"), "curator", 5, [])
        study.quality.approve("curator", ["d2"])
        for one in (prints, other.quality.checks.prints):
            assert one.twin(-1, texts[4:], 0.69) == "d2", "the text that is approved now"


def test_a_twin_among_many_is_found_in_the_sorted_part(study: Project) -> None:
    study.quality.approve("curator")
    prints = study.quality.checks.prints
    prints.settle()
    prints._sort_in()
    texts = [m.text for m in study.dialogues.find("d2").dialogue.messages]
    assert prints.twin(-1, texts[:-1], 0.69) == "d2"
    assert prints.twin(-1, ["全然不同的一句话", "再来一句别的什么"], 0.69) is None
    assert prints.twin(-1, [], 0.69) is None


def test_a_release_counts_what_was_rewritten_by_its_reason(study: Project, tmp_path: Path) -> None:
    _put(study, 1, "你说AC", reason="garbled")
    study.quality.approve("curator")
    study.releases.export(tmp_path / "out", "curator")
    rows = [json.loads(line) for line in (tmp_path / "out" / "dialogues.jsonl").read_text("utf-8").splitlines()]
    counts = [row["provenance"]["edits"].get("rewritten_garbled", 0) for row in rows]
    assert sorted(counts) == [0, 1]
    assert "你说AC" in {m["text"] for row in rows for m in row["messages"]}


def test_to_keep_everything_is_decided_once_and_says_nothing_of_what_was_approved(project: Make) -> None:
    study = project()
    uids = staff(study, 2)
    agree(study, uids)
    assert study.quality.trim(uids[0], "curator", 1, [])
    assert not study.quality.trim(uids[0], "curator", 1, []), "known already"
    assert study.quality.approve("curator").approved == 2
    assert not study.quality.trim(uids[1], "curator", 1, [])
    assert study.dialogues.find("d2").stage is Stage.APPROVED
