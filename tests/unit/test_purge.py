"""Purging: the originals of approved dialogues go, their approved text stays, and nothing of them is left in the bytes."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from curation.errors import RefusedStep
from curation.layers import Layer
from curation.model import Dialogue
from curation.settings import Settings
from curation.stages import Stage
from curation.work import Answer, Draft, Source
from db.following import AREAS
from db.project import Project
from db.purging import GOES
from db.rawbytes import Needles, chunks, companions
from db.schema import PROJECTED
from tests.conftest import Make, agree, bring, codes, dialogue, projected_rows, refusal, staff, tampering

PHONE, NAME = "13812345678", "欧阳若兰"
TEXTS = ["在吗", "你说", f"我的电话{PHONE}记一下", "晚上打給你 好不好呀小笼包", "我叫" + NAME, "行"]
NOTE = "这一条我看了三遍才敢下判断"


@pytest.fixture
def study(project: Make) -> Project:
    """d1 with identifiers and with another version, d2 and d3, all approved; d4 still with the pair."""
    made = project()
    made.dialogues.take([dialogue("d1", TEXTS, metadata={"label": "原始标签甲乙丙丁"})], Source("chats"), "curator")
    staff(made, 0)
    bring(made, [dialogue("d2", turns=8), dialogue("d3"), dialogue("d4")])
    made.screening.assign("curator")
    uids = [uid_of(made, f"d{n}") for n in range(1, 4)]
    made.screening.save_draft("bo", uids[0], Draft(None, "", NOTE))
    agree(made, uids)
    made.screening.skip("ann", uid_of(made, "d4"), "later", NOTE)
    made.findings.scrub([made.dialogues.key(uid) for uid in uids], "curator", 0.0)
    made.quality.normalise("curator")
    made.quality.trim(uids[1], "curator", 3, [])
    made.dialects.tell(uids[1], "curator", "wu")
    made.dialogues.take([dialogue("d1", [*TEXTS[:5], "行吧就这样定了"])], Source("chats"), "curator")
    assert made.quality.approve("curator").approved == 3
    list(made.search.index.build(1))
    return made


def uid_of(study: Project, name: str) -> str:
    return study.dialogues.find(name).uid


def purge(study: Project, *names: str) -> Needles:
    _, needles = study.purging.purge(study.purging.plan(names or None), "curator")
    assert study.purging.wipe()
    return needles


def grep(path: Path, *texts: str) -> dict[str, int]:
    """How often each text stands in the bytes of a project's files, counted by another process."""
    program = (
        "import sys, glob, json; data = b''.join(open(f, 'rb').read() for f in glob.glob(sys.argv[1] + '*'));"
        "print(json.dumps([data.count(t.encode()) for t in sys.argv[2:]]))"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path), *texts], capture_output=True, check=True)
    return dict(zip(texts, json.loads(done.stdout), strict=True))


def test_nothing_of_the_originals_is_left_in_the_bytes_of_the_file(study: Project) -> None:
    secrets = (PHONE, NAME, "打給你", "原始标签甲乙丙丁", "行吧就这样定了", "ann的理由")
    assert all(grep(study.path, *secrets).values()), "they stand there before"
    purge(study)
    assert not any(grep(study.path, *secrets).values())
    study.close()
    assert not any(grep(study.path, *secrets).values())
    assert all(grep(study.path, "晚上打给你", "你说").values()), "what was approved stays"


def test_what_the_purge_itself_looks_for_is_found_before_and_not_after(project: Make, study: Project) -> None:
    plan = study.purging.plan()
    before = b"".join(file.read_bytes() for file in [study.path, study.path.with_name(study.path.name + "-wal")])
    _, needles = study.purging.purge(plan, "curator")
    assert len(needles) > 5
    assert len(needles.found_in([before])) == len([n for n in needles if n in before]) > 5
    study.purging.wipe()
    study.close()
    assert not {one for file in companions(study.path) for one in needles.found_in(chunks(file))}


def test_the_release_is_the_same_to_the_byte(study: Project, tmp_path: Path) -> None:
    study.releases.export(tmp_path / "before", "curator")
    purge(study)
    study.releases.export(tmp_path / "after", "curator")
    assert {one.name: one.read_bytes() for one in (tmp_path / "before").iterdir()} == {
        one.name: one.read_bytes() for one in (tmp_path / "after").iterdir()
    }
    assert study.releases.gate() == {}


def test_the_log_verifies_the_tables_are_what_it_says_and_it_names_what_went(study: Project) -> None:
    plan = study.purging.plan()
    assert (len(plan.uids), plan.versions) == (3, 1)
    assert plan.payloads["imported"] == 4
    purge(study)
    assert study.check() == []
    told = next(line for line in study.history.lines("curator") if line.kind == "purged")
    assert told.facts["texts"] == dict(plan.payloads)
    assert (told.facts["dialogues"], told.facts["versions"]) == (3, 1)
    assert len(told.facts["gone"]) == 64
    assert {row[0] for row in projected_rows(study)["finding"]} == set()
    with Project.open(study.path) as other:
        assert other.check() == []


def test_a_purged_dialogue_reads_as_its_approved_text_everywhere(study: Project) -> None:
    uid = uid_of(study, "d1")
    final = study.quality.final(uid)
    purge(study)
    stored = study.dialogues.find("d1")
    assert stored.purged
    assert stored.stage is Stage.APPROVED
    assert [m.text for m in stored.dialogue.messages] == [m.text for m in final]
    assert study.quality.final(uid) == final
    assert study.search.read(uid, Layer.RAW, "ann").texts == tuple(m.text for m in final)
    life = study.history.explain("d1", "curator")
    assert [m.texts for m in life.messages] == [{"approved": m.text} for m in final]
    assert study.findings.spans(study.dialogues.key(uid)) == ()
    assert study.dialects.of(uid_of(study, "d2")).tag == "wu"
    assert study.dialogues.dialects()["wu"] == 1
    assert not study.dialogues.find("d4").purged


@pytest.mark.parametrize("indexed", [False, True])
def test_search_finds_the_approved_text_and_nothing_of_the_raw_one(study: Project, indexed: bool) -> None:
    purge(study, "d1")
    if indexed:
        list(study.search.index.build(1))
    assert [hit.external_id for hit in study.search.find("晚上打给你", layer=Layer.EDITED)] == ["d1"]
    assert [hit.external_id for hit in study.search.find("[电话1]", layer=Layer.SCRUBBED)] == ["d1"]
    for layer in (Layer.RAW, Layer.EDITED):
        assert not list(study.search.find(PHONE, layer=layer))
        assert not list(study.search.find(NAME, layer=layer))
    word = study.dialogues.find("d2").dialogue.messages[0].text[:4]
    assert [hit.external_id for hit in study.search.find(word)] == ["d2"], "the others are found as before"


def test_undo_ends_at_a_purge(study: Project) -> None:
    before = {line.kind: line.ref for line in study.history.lines("curator")}
    purge(study, "d1")
    assert refusal(lambda: study.history.undo(before["scrubbed"], "curator")) == "purged", "it is about d1 alone"
    assert study.history.undo(before["trimmed"], "curator") == (), "it is about d2 alone"
    study.dialects.tell(uid_of(study, "d1"), "curator", "wu")
    told = [line for line in study.history.lines("curator") if line.kind == "dialect_told"][-1]
    study.history.undo(told.ref, "curator")
    assert study.dialects.of(uid_of(study, "d1")).by == ""
    assert refusal(lambda: study.history.undo(_last(study, "purged"), "curator")) == "not_undoable"
    assert study.check() == []


def _with_a_number(name: str) -> Dialogue:
    """Words of its own, something to normalise, and a number that others hold too."""
    texts = [m.text for m in dialogue(name, turns=8).messages]
    return dialogue(name, [*texts[:2], f"{texts[2]}１２", f"打{PHONE}找我", *texts[4:]])


@pytest.mark.parametrize("kind", ["scrubbed", "finding", "normalised", "trimmed", "approved"])
def test_what_was_done_to_many_is_taken_back_for_all_but_those_purged(project: Make, kind: str) -> None:
    study = project()
    names = ("d1", "d2", "d3")
    staff(study, 0)
    bring(study, [_with_a_number(n) for n in names])
    study.screening.assign("curator")
    agree(study, [uid_of(study, n) for n in names])
    if kind == "finding":
        key = study.dialogues.key(uid_of(study, "d1"))
        place = next((f.message, f.start, f.end) for f in study.findings.scan(key))
        assert study.reviews.decide_equal(uid_of(study, "d1"), "curator", place, True, everywhere=True)[1] == 3
    study.findings.scrub([study.dialogues.key(uid_of(study, n)) for n in names], "curator", 0.0)
    study.quality.normalise("curator")
    study.quality.accept_trims(study.quality.propose_trims(6), "curator")
    assert study.quality.approve("curator").open == {}
    finals = {n: study.quality.final(uid_of(study, n)) for n in names}
    purge(study, "d2")
    ref = _last(study, kind)
    assert study.history.undo(ref, "curator") == ("d2",)
    stages = {n: study.dialogues.find(n).stage for n in names}
    assert stages == {"d1": Stage.AGREED, "d2": Stage.APPROVED, "d3": Stage.AGREED}
    assert study.quality.final(uid_of(study, "d2")) == finals["d2"]
    if kind != "approved":
        assert study.quality.final(uid_of(study, "d1")) != finals["d1"]
    lines = {n: next(x for x in study.history.lines("curator", n) if x.ref == ref) for n in names}
    assert {n: line.undone for n, line in lines.items()} == {"d1": True, "d2": False, "d3": True}
    assert [x.facts["left"] for x in study.history.lines("curator") if x.kind == "undone"] == [1]
    assert refusal(lambda: study.history.undo(ref, "curator")) == "undone"
    assert study.check() == [], "a replay gives the same tables"
    assert study.quality.normalise("curator").dialogues == 2


def test_a_sample_is_taken_back_whole_for_nothing_of_it_was_destroyed(study: Project) -> None:
    study.samples.fix(3, 7, "curator")
    purge(study, "d1")
    assert study.history.undo(_last(study, "sampled"), "curator") == ()
    assert study.samples.current() is None
    assert study.dialogues.find("d1").stage is Stage.APPROVED
    assert study.check() == []


def _last(study: Project, kind: str) -> str:
    return [line for line in study.history.lines("curator") if line.kind == kind][-1].ref


def test_the_text_of_a_purged_dialogue_changes_no_more(study: Project) -> None:
    uid = uid_of(study, "d1")
    purge(study)
    assert refusal(lambda: study.findings.decide(uid, "curator", 0, 0, 1, "PERSON", True)) == "purged"
    assert refusal(lambda: study.quality.trim(uid, "curator", 1, [1])) in ("purged", "too_few_turns")
    with pytest.raises(RefusedStep):
        study.disputes.rule("curator", uid, Answer(False))
    study.change_settings("curator", rules_off=("script", "space"))
    study.history.undo(_last(study, "settings_changed"), "curator")
    assert study.dialogues.find("d1").stage is Stage.APPROVED
    assert study.check() == []


def _said_of(study: Project, name: str) -> dict[int, tuple[bytes | None, str | None]]:
    """Payload id -> salt and text of all that was ever said of a dialogue, and of its own text."""
    key = study.dialogues.key(uid_of(study, name))
    with tampering(study.path) as db:
        rows = db.execute(
            "SELECT id, salt, text FROM payload WHERE id IN (SELECT payload FROM entry WHERE dialogue = ?1"
            " UNION SELECT payload FROM dialogue WHERE id = ?1)",
            (key,),
        ).fetchall()
    return {number: (salt, text) for number, salt, text in rows}


def test_what_is_said_after_a_purge_cannot_be_emptied_unseen(study: Project) -> None:
    purge(study, "d1")
    before = _said_of(study, "d1")
    study.inbox.say("curator", uid_of(study, "d1"), "ann", "已经放进去了")
    (fresh,) = _said_of(study, "d1").keys() - before.keys()
    assert study.check() == []
    with tampering(study.path) as db:
        db.execute("UPDATE payload SET text = NULL, salt = NULL WHERE id = ?", (fresh,))
    assert codes(study) == {"content"}


def test_what_was_destroyed_and_put_back_is_found(study: Project) -> None:
    before = _said_of(study, "d1")
    purge(study, "d1")
    gone = [number for number, now in _said_of(study, "d1").items() if now == (None, None)]
    assert len(gone) > 3
    for number in gone:
        with tampering(study.path) as db:
            db.execute("UPDATE payload SET salt = ?, text = ? WHERE id = ?", (*before[number], number))
            assert "content" in codes(study)
            db.execute("UPDATE payload SET salt = NULL, text = NULL WHERE id = ?", (number,))
    assert study.check() == []


def test_importing_and_the_rules_again_bring_nothing_back(study: Project) -> None:
    purge(study)
    report = study.dialogues.take([dialogue("d1", TEXTS)], Source("chats"), "curator")
    assert (report.new, report.changed, report.known) == (0, 0, 1)
    study.dialogues.apply_rules("curator")
    assert not any(grep(study.path, PHONE, NAME).values())
    assert study.check() == []


def test_only_what_is_approved_and_has_nothing_open_goes(study: Project) -> None:
    plan = study.purging.plan(["d1", "d4", "nobody"])
    assert plan.refused == {"d4": ("not_approved",), "nobody": ("no_dialogue",)}
    assert plan.uids == (uid_of(study, "d1"),)
    study.history.undo(_last(study, "approved"), "curator")
    assert refusal(lambda: study.purging.purge(plan, "curator")) == "changed_meanwhile"
    assert grep(study.path, PHONE)[PHONE]


def test_purging_again_has_nothing_to_do(study: Project) -> None:
    purge(study)
    plan = study.purging.plan()
    assert (plan.uids, plan.versions, plan.payloads, plan.due) == ((), 0, {}, False)
    events = len(list(study.history.lines("curator")))
    assert len(purge(study)) == 0
    assert len(list(study.history.lines("curator"))) == events


def test_a_window_that_reads_holds_the_wiping_back_and_that_is_told(study: Project) -> None:
    plan = study.purging.plan()
    other = sqlite3.connect(study.path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM payload").fetchone()
    try:
        study.purging.purge(plan, "curator")
        assert not study.purging.wipe(patience=0.1)
        assert study.purging.due
        assert study.purging.plan().due
        assert study.purging.plan().unfinished == 3
        assert any(leak.code == "due" for leak in study.leaks.inside())
    finally:
        other.close()
    assert study.purging.wipe()
    assert not study.purging.due
    assert not any(grep(study.path, PHONE, NAME).values())


def test_copies_made_before_are_listed_with_what_they_hold(study: Project, tmp_path: Path) -> None:
    study.backup(tmp_path / "copy.workbench")
    bring(study, [dialogue("late", ["早", "早呀", "今天吃什么", "面", "好", "走"])], "later")
    study.releases.raw(tmp_path / "raw", "curator")
    study.releases.export(tmp_path / "out", "curator")
    copies = {(copy.kind, copy.name): copy.originals for copy in study.purging.plan(["d1"]).copies}
    assert copies["backup", "copy.workbench"] == 2, "both versions of d1"
    assert copies["raw", "raw"] == 2
    assert [kind for kind, _ in copies].count("release") == 1
    purge(study)
    assert study.releases.raw(tmp_path / "again", "curator") == 2, "what is purged has no raw text: d4 and the late one"


def test_lines_prompts_and_disputed_ones_that_left_are_remembered_with_what_of_the_originals_they_hold(
    project: Make, tmp_path: Path
) -> None:
    study = project(settings=Settings(prompt_stage="agreed"))
    uids = staff(study, 4)
    list(study.decisions.leave("curator", "early.jsonl"))
    agree(study, uids[:3])
    for name, situation in (("ann", "irony"), ("bo", "hint")):
        study.screening.decide(name, uids[3], Answer(True, situation, "为何"))
    study.quality.approve("curator", ["d1"])
    study.samples.fix(3, 7, "curator", stage="agreed")
    study.prompts.make("cot", "zh", "curator", to="cot.jsonl")
    study.prompts.make("cot", "zh", "curator", to="cot.jsonl")
    study.decisions.leave("ann", "ann.jsonl")
    study.disputed.export(tmp_path / "apart", "curator")
    study.disputes.rule("curator", uids[3], Answer(True, "irony", "这样"))
    assert study.quality.approve("curator").open == {}

    def left(*names: str) -> list[tuple[str, str, int]]:
        return [(copy.kind, copy.name, copy.originals) for copy in study.purging.plan(list(names)).copies]

    assert left("d1") == [("decisions", "ann.jsonl", 1)], "its prompt held the text that stays"
    assert left("d2", "d3") == [("prompts", "cot.jsonl", 2), ("decisions", "ann.jsonl", 2)]
    assert left("d4") == [("decisions", "ann.jsonl", 1), ("disputed", "apart", 1)]
    text = study.quality.final(uids[0])[0].text
    assert study.rewriting.rewrite(uids[0], "curator", 0, text[:-1], "garbled")
    assert study.quality.approve("curator", ["d1"]).approved == 1
    assert ("prompts", "cot.jsonl", 1) in left("d1"), "it held another text than the one that stays"
    assert study.check() == []


def test_decision_lines_count_with_what_they_hold_and_not_with_what_was_sealed_then(project: Make) -> None:
    study = project()
    uids = staff(study, 2)
    study.screening.decide("ann", uids[0], Answer(True, "irony", "甲"))
    for viewer in ("curator", "bo", "ann"):
        lines = list(study.decisions.leave(viewer, f"{viewer}.jsonl"))
        assert len([line for line in lines if line["kind"] == "screening"]) == (viewer == "ann")
    study.screening.decide("bo", uids[0], Answer(True, "irony", "乙"))
    study.screening.decide("bo", uids[1], Answer(True, "irony", "乙"))
    assert study.screening.undo("bo") is not None
    list(study.decisions.leave("bo", "later.jsonl"))
    study.screening.decide("bo", uids[1], Answer(True, "irony", "乙"))
    study.screening.decide("ann", uids[1], Answer(True, "irony", "甲"))
    study.quality.approve("curator")

    def left(name: str) -> list[tuple[str, str, int]]:
        return [(copy.kind, copy.name, copy.originals) for copy in study.purging.plan([name]).copies]

    assert left("d1") == [("decisions", "ann.jsonl", 1), ("decisions", "later.jsonl", 1)]
    assert left("d2") == [], "what was taken back before is in no file"


def test_a_text_that_comes_back_is_seen_and_goes_again(study: Project) -> None:
    purge(study)
    with tampering(study.path) as db:
        db.execute(
            "UPDATE payload SET text = ?, salt = x'00' WHERE id = (SELECT payload FROM dialogue LIMIT 1)",
            ('{"messages":[],"self":null,"metadata":{}}',),
        )
    assert "content" in codes(study)
    assert "not_gone" in {leak.code for leak in study.leaks.inside()}
    purge(study)
    assert study.check() == []
    assert list(study.leaks.inside()) == []


def test_every_kind_of_event_says_what_a_purge_does_to_it() -> None:
    for area in AREAS:
        assert area.originals.isdisjoint(area.outlives), area.name
        assert set(area.apply) == area.originals | area.outlives, area.name
    assert "'screened'" not in GOES
    assert "'purged'" in GOES


def test_every_table_of_unfinished_or_derived_work_on_a_dialogue_is_thought_of(study: Project) -> None:
    # No text of the dialogue in these, or none that a purge leaves there (see `Purging`).
    kept = {
        "dialect",
        "desk",
        "gram_change",
        "approved_print",
        "approved_printed",
        "open_matter",
        "spent",
        "expert_desk",
    }
    forgotten = {table for area in AREAS for table in area.forgotten}
    primary = {"entry", "dialogue", "payload", "event", "source", "meta", "anchor", "staging"}
    with tampering(study.path) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        on_dialogue = {t for t in tables if any(r[1] == "dialogue" for r in db.execute(f"PRAGMA table_info({t})"))}
    assert on_dialogue - set(PROJECTED) - primary - kept - forgotten == set()
