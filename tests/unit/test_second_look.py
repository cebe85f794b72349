"""Three kinds of personal detail or more in one dialogue: somebody has to look before it is approved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curation.work import Source
from db.project import Project
from tests.conftest import Make, agree, bring, dialogue, staff

TEXTS = ["在吗", "我叫欧阳若兰", "哦", "住成都市锦江区红星路二段159号", "嗯 在成都市第七中学上学", "2001年3月5日生的"]


@pytest.fixture
def study(project: Make) -> Project:
    """d1 with four kinds, d2 with one, both agreed on, with everything found accepted."""
    made = project()
    made.dialogues.take([dialogue("d1", TEXTS), dialogue("d2", [*TEXTS[:2], *"一二三四"])], Source("chats"), "curator")
    staff(made, 0)
    bring(made, [])
    made.screening.assign("curator")
    uids = [made.dialogues.find(name).uid for name in ("d1", "d2")]
    agree(made, uids)
    made.findings.scrub([made.dialogues.key(uid) for uid in uids], "curator", 0.0)
    return made


def reviewed(study: Project, uid: str) -> None:
    study.reviews.see(uid, "curator", range(1, 7))
    assert study.reviews.finish(uid, "curator").done


def test_kinds_are_counted_and_three_wait_for_a_review(study: Project, tmp_path: Path) -> None:
    uid = study.dialogues.find("d1").uid
    assert study.history.explain("d1", "curator").quasi == ("address", "birthday", "name", "school")
    assert study.quality.quasi_kinds() == {1: 1, 4: 1}
    assert study.quality.open_matters(uid) == ("second_look",)
    report = study.quality.approve("curator")
    assert (report.approved, report.dialogues) == (1, {"d1": ("second_look",)})
    reviewed(study, uid)
    assert study.quality.approve("curator").approved == 1
    study.releases.export(tmp_path / "out", "curator")
    lines = (tmp_path / "out" / "dialogues.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(json.loads(line)["provenance"]["quasi_kinds"] for line in lines) == [1, 4]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["quasi_kinds"] == {"1": 1, "4": 1}
    study.purging.purge(study.purging.plan(), "curator")
    assert study.quality.quasi_kinds() == {1: 1, 4: 1}, "known without the text"
    assert study.history.explain("d1", "curator").quasi == ("address", "birthday", "name", "school")


def test_what_trimming_takes_away_or_nobody_took_for_one_does_not_count(study: Project) -> None:
    uid = study.dialogues.find("d1").uid
    found = study.findings.decided(study.dialogues.key(uid))
    for one in found:
        if one.type in ("PERSON", "BIRTHDATE"):
            study.findings.decide(uid, "curator", one.message, one.start, one.end, one.type, False)
    assert study.quality.open_matters(uid) == ()
    assert study.history.explain("d1", "curator").quasi == ("address", "school")
