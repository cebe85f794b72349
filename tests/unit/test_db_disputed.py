"""Disputed dialogues go out apart, with both answers, and only with text in which nothing is open."""

from __future__ import annotations

import json
from pathlib import Path

from curation.work import Answer
from db.disputed import LINES, NOTICE
from db.project import Project
from tests.conftest import Make, agree, refusal, staff


def disputed(study: Project, texts: list[str] | None = None) -> list[str]:
    uids = staff(study, 2, texts)
    study.screening.decide("ann", uids[0], Answer(True, "irony", "甲的理由"))
    study.screening.decide("bo", uids[0], Answer(False, "", "乙的理由"))
    return uids


def test_a_disputed_dialogue_goes_out_with_both_answers_and_no_name(project: Make, tmp_path: Path) -> None:
    study = project()
    uids = disputed(study)
    agree(study, uids[1:])
    report = study.disputed.export(tmp_path / "apart", "curator")
    assert report.dialogues == 1
    (line,) = (tmp_path / "apart" / LINES).read_text("utf-8").splitlines()
    record = json.loads(line)
    assert record["disputed"] is True
    assert [(one["annotator"], one["keep"], one["situation_zh"]) for one in record["labels"]] == [
        ("A", True, "讽刺"),
        ("B", False, None),
    ]
    assert "situation" not in record
    for word in ("ann", "理由", "d1"):
        assert word not in line.replace("annotator", "")
    assert "争议" in (tmp_path / "apart" / NOTICE).read_text("utf-8")
    first = (tmp_path / "apart" / LINES).read_bytes()
    study.disputed.export(tmp_path / "apart", "curator")
    assert (tmp_path / "apart" / LINES).read_bytes() == first


def test_what_has_an_open_finding_stays_behind(project: Make, tmp_path: Path) -> None:
    study = project()
    uids = disputed(study, ["在吗", "你说", "好的", "好的呀", "电话13812345678打给我", "行"])
    assert refusal(lambda: study.disputed.export(tmp_path / "apart", "curator")) == "nothing_disputed"
    study.findings.scrub([study.dialogues.key(uids[0])], "curator", 0.0)
    assert study.disputed.export(tmp_path / "apart", "curator").dialogues == 1
    assert "13812345678" not in (tmp_path / "apart" / LINES).read_text("utf-8")


def test_a_folder_of_a_release_is_not_touched(project: Make, tmp_path: Path) -> None:
    study = project()
    disputed(study)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "dialogues.jsonl").write_text("{}")
    assert refusal(lambda: study.disputed.export(tmp_path / "out", "curator")) == "folder_in_use"
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["dialogues.jsonl"]


def test_a_second_word_is_what_goes_out(project: Make, tmp_path: Path) -> None:
    study = project()
    uids = disputed(study)
    study.disputes.decide("bo", uids[0], Answer(True, "hint", "再看是暗示"))
    study.disputed.export(tmp_path / "apart", "curator")
    record = json.loads((tmp_path / "apart" / LINES).read_text("utf-8"))
    assert [one["situation_zh"] for one in record["labels"]] == ["讽刺", "暗示"]
