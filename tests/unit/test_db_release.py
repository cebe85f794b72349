"""What goes out: the release behind its gate, the curator's raw copy, and backups."""

from __future__ import annotations

import hashlib
import json
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from curation.identifiers import detector_version
from curation.stages import Stage
from curation.work import Answer, Source, Terms
from db.project import Project
from tests.conftest import Make, agree, bring, codes, dialogue, projected_rows, refusal, staff, tampering

PHONE = "13812345678"


@pytest.fixture
def study(project: Make) -> Project:
    """d1 to d4 agreed and approved, d1 with a phone number taken out; d5 disputed, d6 still with the pair."""
    made = project()
    texts = ["在吗", "你说", f"我的电话{PHONE}记一下", "好的呀", "晚上打給你", "行"]
    made.dialogues.take([dialogue("d1", texts)], Source("phones", Terms(approval="IRB-7")), "curator")
    uids = staff(made, 0)
    bring(made, [dialogue(f"d{n}") for n in range(2, 7)])
    made.screening.assign("curator")
    uids = [made.dialogues.find(f"d{n}").uid for n in range(1, 7)]
    agree(made, uids[:4])
    made.screening.decide("ann", uids[4], Answer(True, "hint"))
    made.screening.decide("bo", uids[4], Answer(False))
    made.findings.scrub([made.dialogues.key(u) for u in uids[:4]], "curator", 0.0)
    made.quality.normalise("curator")
    assert made.quality.approve("curator").approved == 4
    return made


def files(out: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in out.iterdir()}


def lines(out: Path, name: str = "dialogues.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / name).read_text(encoding="utf-8").split("\n")[:-1]]


def test_a_release_holds_what_is_approved_and_says_what_it_left_out(study: Project, tmp_path: Path) -> None:
    report = study.releases.export(tmp_path / "out", "curator")
    assert (report.dialogues, report.left_out) == (4, {"candidate": 1, "disputed": 1})
    assert len(lines(tmp_path / "out")) == 4
    assert study.dialogues.stages()["released"] == 4
    assert {line["situation"] for line in lines(tmp_path / "out")} == {"irony"}
    assert study.check() == []


def test_nothing_personal_or_internal_stands_in_a_release(study: Project, tmp_path: Path) -> None:
    study.releases.export(tmp_path / "out", "curator")
    everything = b"".join(files(tmp_path / "out").values()).decode("utf-8")
    for secret in (PHONE, "ann的理由", "13812345678", '"d1"', *(s.uid for s in study.dialogues.at())):
        assert secret not in everything
    assert "[电话1]" in everything
    assert "打给你" in everything, "normalised"


def test_two_exports_are_the_same_to_the_byte(study: Project, tmp_path: Path) -> None:
    first = study.releases.export(tmp_path / "a", "curator")
    study.people.add("eve", "curator", "curator")
    events = len(list(study.history.lines("curator")))
    again = study.releases.export(tmp_path / "b", "eve")
    study.releases.export(tmp_path / "b", "curator")
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert first == again
    assert len(list(study.history.lines("curator"))) == events, "the same release again is no event"
    with Project.open(study.path) as other:
        other.releases.export(tmp_path / "c", "curator")
    assert files(tmp_path / "c") == files(tmp_path / "a")


def test_the_sums_are_those_of_the_files_and_only_the_owner_may_read_them(study: Project, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    report = study.releases.export(out, "curator")
    sums = {line[66:]: line[:64] for line in (out / "SHA256SUMS").read_text().splitlines()}
    assert set(sums) == set(report.files) - {"SHA256SUMS"}
    assert all(hashlib.sha256((out / name).read_bytes()).hexdigest() == total for name, total in sums.items())
    assert {one.name for one in out.iterdir()} == set(report.files)
    assert {stat.S_IMODE(one.stat().st_mode) for one in out.iterdir()} == {0o600}


def test_taking_back_a_decision_on_a_finding_opens_the_approval_again(study: Project, tmp_path: Path) -> None:
    study.releases.export(tmp_path / "first", "curator")
    scrubbed = next(line for line in study.history.lines("curator") if line.kind == "scrubbed")
    study.history.undo(scrubbed.ref, "curator")
    one = study.dialogues.find("d1")
    assert one.stage is Stage.AGREED
    assert "undecided_findings" in study.quality.open_matters(one.uid)
    assert study.releases.export(tmp_path / "second", "curator").dialogues == 3
    assert study.quality.approve("curator").open
    assert study.check() == []


def _proposed(study: Project, name: str, start: int, end: int) -> None:
    """A detector that finds more than the one before, as after an update of the program."""
    with tampering(study.path) as db:
        key = study.dialogues.key(study.dialogues.find(name).uid)
        db.execute("INSERT OR REPLACE INTO scan VALUES (?, ?, '')", (key, detector_version()))
        db.execute("INSERT INTO proposal VALUES (?, 0, ?, ?, 'PERSON', 0.9, 'new')", (key, start, end))


def test_the_gate_refuses_while_a_finding_in_an_approved_dialogue_is_undecided(study: Project, tmp_path: Path) -> None:
    _proposed(study, "d3", 0, 2)
    before = projected_rows(study)
    assert study.releases.gate() == {"d3": ("undecided_findings",)}
    assert refusal(lambda: study.releases.export(tmp_path / "out", "curator")) == "unresolved"
    assert not (tmp_path / "out").exists()
    assert projected_rows(study) == before
    study.findings.decide(study.dialogues.find("d3").uid, "curator", 0, 0, 2, "PERSON", False)
    assert study.dialogues.find("d3").stage is Stage.AGREED
    assert study.quality.approve("curator").approved == 1
    assert study.releases.export(tmp_path / "out", "curator").dialogues == 4


def test_the_gate_refuses_a_dialogue_that_could_not_be_scanned(study: Project, tmp_path: Path) -> None:
    with tampering(study.path) as db:
        db.execute("UPDATE scan SET failure = 'too_long', detector = ?", (detector_version(),))
    # A failed scan is tried again whenever it is asked for, so what can be scanned now goes through.
    assert study.releases.gate() == {}


def test_the_gate_refuses_an_approved_text_that_its_layers_no_longer_amount_to(study: Project, tmp_path: Path) -> None:
    for change in ("DELETE FROM layer WHERE dialogue = ?", "UPDATE finding SET type = 'QQ' WHERE dialogue = ?"):
        key = study.dialogues.key(study.dialogues.find("d1").uid)
        with tampering(study.path) as db:
            db.execute("SAVEPOINT s")
            db.execute(change, (key,))
            db.execute("RELEASE s")
        assert "approval_differs" in study.releases.gate()["d1"]
        assert refusal(lambda: study.releases.export(tmp_path / "out", "curator")) == "unresolved"
        assert not (tmp_path / "out").exists()


def test_nothing_approved_is_refused_with_how_many_wait(project: Make, tmp_path: Path) -> None:
    study = project()
    agree(study, staff(study, 2))
    assert refusal(lambda: study.releases.export(tmp_path / "out", "curator")) == "nothing_approved"
    assert not (tmp_path / "out").exists()


def test_a_place_that_cannot_be_written_is_refused_and_nothing_is_told(study: Project, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "out" / "dialogues.jsonl" / "x").mkdir(parents=True)
    before = projected_rows(study)
    assert refusal(lambda: study.releases.export(tmp_path / "file", "curator")) == "not_a_folder"
    assert refusal(lambda: study.releases.export(tmp_path / "file" / "x", "curator")) in (
        "cannot_write",
        "not_a_folder",
    )
    assert refusal(lambda: study.releases.export(tmp_path / "out", "curator")) == "folder_in_use"
    assert projected_rows(study) == before
    assert study.check() == []


def test_the_raw_copy_holds_everything_and_says_that_it_is_no_release(study: Project, tmp_path: Path) -> None:
    before = len(list(study.history.lines("curator")))
    assert study.releases.raw(tmp_path / "raw", "curator") == 6
    assert {one.name for one in (tmp_path / "raw").iterdir()} == {"NOT-A-RELEASE.txt", "raw.jsonl"}
    found = lines(tmp_path / "raw", "raw.jsonl")
    assert [line["id"] for line in found] == [f"d{n}" for n in range(1, 7)]
    assert all(line["release"] is False for line in found)
    assert PHONE in json.dumps(found, ensure_ascii=False)
    assert len(list(study.history.lines("curator"))) == before
    assert study.dialogues.stages()["released"] == 0
    assert {stat.S_IMODE(one.stat().st_mode) for one in (tmp_path / "raw").iterdir()} == {0o600}


# -- backups


def test_a_backup_is_whole_and_opens_by_itself(study: Project, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "copy.workbench"
    copy.parent.mkdir()
    study.backup(copy)
    assert [one.name for one in copy.parent.iterdir()] == ["copy.workbench"]
    study.close()
    with Project.open(copy) as opened:
        assert opened.check() == []
        assert projected_rows(opened) == projected_rows(study)
        assert [opened.dialogues.find(f"d{n}").dialogue for n in range(2, 7)] == [
            dialogue(f"d{n}") for n in range(2, 7)
        ]
        opened.releases.export(tmp_path / "out", "curator")


def test_a_backup_is_the_same_project_and_goes_on_from_there(study: Project, tmp_path: Path) -> None:
    study.backup(tmp_path / "copy")
    with Project.open(tmp_path / "copy") as copy:
        assert (copy.id, copy.settings) == (study.id, study.settings)
        copy.people.add("carol", "expert", "curator")
        assert copy.check() == []


def test_a_check_against_a_backup_sees_a_log_that_went_another_way(study: Project, tmp_path: Path) -> None:
    study.backup(tmp_path / "copy")
    with Project.open(tmp_path / "copy") as copy:
        copy.people.add("carol", "expert", "curator")
    assert codes(study, tmp_path / "copy") == {"head"}
    study.people.add("dora", "expert", "curator")
    assert codes(study, tmp_path / "copy") == {"head"}


def test_a_check_against_what_is_no_backup_is_refused(study: Project, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("x" * 5000)
    assert refusal(lambda: study.check(tmp_path / "text")) == "db_not_ours"
    assert refusal(lambda: study.check(tmp_path / "missing")) == "no_project"
    study.backup(tmp_path / "copy")
    data = bytearray((tmp_path / "copy").read_bytes())
    data[100:3000] = b"\xa5" * 2900
    (tmp_path / "hurt").write_bytes(data)
    assert refusal(lambda: study.check(tmp_path / "hurt")) == "db_corrupt"


def test_a_backup_is_made_while_others_write(study: Project, tmp_path: Path) -> None:
    bring(study, [dialogue(f"x{n}", ["话" * 3000] * 6) for n in range(300)], "big")
    stop = threading.Event()
    written: list[int] = []

    def write() -> None:
        with Project.open(study.path) as other:
            while not stop.is_set():
                other.people.add(f"p{len(written)}", "expert", "curator")
                written.append(1)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        while not written:
            pass
        steps: list[int] = []
        study.backup(tmp_path / "copy", lambda left, total: steps.append(left))
    finally:
        stop.set()
        thread.join()
    assert steps == sorted(steps, reverse=True), "it does not begin anew at every write"
    assert steps[-1] == 0
    with Project.open(tmp_path / "copy") as copy:
        assert copy.check() == []
    assert study.check(tmp_path / "copy") == []


def test_an_export_replaces_an_earlier_one_of_its_kind_and_nothing_else(study: Project, tmp_path: Path) -> None:
    out, raw, strange = tmp_path / "out", tmp_path / "raw", tmp_path / "strange"
    study.releases.export(out, "curator")
    study.releases.export(out, "curator")
    study.releases.raw(raw, "curator")
    study.releases.raw(raw, "curator")
    assert refusal(lambda: study.releases.raw(out, "curator")) == "folder_in_use"
    assert refusal(lambda: study.releases.export(raw, "curator")) == "folder_in_use"
    strange.mkdir()
    for name in ("README.md", "dialogues.jsonl"):
        (strange / name).write_text("mine")
    assert refusal(lambda: study.releases.export(strange, "curator")) == "folder_in_use"
    assert (strange / "README.md").read_text() == "mine"
    (out / "README.md").write_text("changed by hand")
    assert refusal(lambda: study.releases.export(out, "curator")) == "folder_in_use"
    assert [p.parent.name for p in tmp_path.glob("*/raw.jsonl")] == ["raw"]


def test_a_release_says_which_dialogues_were_never_normalised(project: Make, tmp_path: Path) -> None:
    study = project()
    uids = staff(study, 2)
    agree(study, uids[:1])
    study.quality.normalise("curator")
    agree(study, uids[1:])
    study.quality.approve("curator")
    study.releases.export(tmp_path / "out", "curator")
    lines = [json.loads(x) for x in (tmp_path / "out" / "dialogues.jsonl").read_text("utf-8").split("\n") if x]
    assert sorted(bool(line["provenance"]["normaliser"]) for line in lines) == [False, True]
    assert json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["not_normalised"] == 1
    assert "1 of 2 dialogues were not normalised" in (tmp_path / "out" / "README.md").read_text("utf-8")
