"""Which dialect each dialogue is in: derived from its words, kept with its version, and told by people."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from curation.dialects import DIALECT_VERSION, DIALECTS, identify
from curation.errors import UsageError
from curation.stages import Stage
from curation.work import DialectTag
from db.project import Project
from tests.conftest import Make, agree, bring, dialogue, projected_rows, refusal, staff

SICHUAN = ["你在爪子嘛", "等哈儿来耍", "我的电话13812345678记一下", "巴适得板", "要得噻", "莫得问题"]
CANTON = ["佢哋喺度做乜嘢呀", "唔知喎，你返嚟未", "我而家返緊嚟", "咁夜先返", "係啊，塞車囉", "得啦，快啲啦"]
PLAIN = ["今天吃什么", "都可以", "那吃面", "行啊", "几点见", "六点吧"]


@pytest.fixture
def study(project: Make) -> Project:
    """Three agreed dialogues, one of each kind, and one that nobody has screened."""
    made = project()
    bring(made, [dialogue("d1", SICHUAN), dialogue("d2", CANTON), dialogue("d3", PLAIN), dialogue("d4")])
    staff(made, 0)
    agree(made, [made.dialogues.find(f"d{n}").uid for n in (1, 2, 3)])
    keys = [made.dialogues.key(s.uid) for s in made.dialogues.at(Stage.AGREED)]
    made.findings.scrub(keys, "curator", 0.9)
    for key in keys:  # dialect words that look like a name are none
        for f in made.findings.undecided(key):
            made.findings.decide(made.dialogues.by_key(key).uid, "curator", f.message, f.start, f.end, f.type, False)
    return made


def uid(study: Project, name: str) -> str:
    return study.dialogues.find(name).uid


def rows(study: Project) -> list[dict[str, Any]]:
    with sqlite3.connect(study.path) as connection:
        connection.row_factory = sqlite3.Row
        found = [dict(row) for row in connection.execute("SELECT * FROM dialect ORDER BY dialogue")]
    connection.close()
    return found


def test_all_agreed_dialogues_are_tagged_and_counted(study: Project) -> None:
    assert study.dialects.tag() == {"mandarin": 1, "cantonese": 1, "southwestern": 1}
    assert [row["version"] for row in rows(study)] == [DIALECT_VERSION] * 3
    assert study.status().dialects == {"cantonese": 1, "mandarin": 1, "southwestern": 1}
    assert study.dialects.known(uid(study, "d4")) is None


def test_evidence_has_offsets_of_the_scrubbed_text(study: Project) -> None:
    study.dialects.tag()
    texts = [m.was for m in study.texts.page(uid(study, "d1")).messages]
    assert "13812345678" not in texts[2]
    evidence = json.loads(rows(study)[0]["evidence"])
    assert {e["word"] for e in evidence} >= {"巴适得板", "莫得问题"}
    for one in evidence:
        assert set(one) == {"message", "start", "end", "word", "dialect", "gloss"}
        assert texts[one["message"]][one["start"] : one["end"]] == one["word"]
        assert one["dialect"] in DIALECTS
    assert study.dialects.of(uid(study, "d1")).evidence[0].word == evidence[0]["word"]


def test_tagging_is_no_event_and_is_done_once_a_version(study: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(texts: list[str]) -> Any:
        asked.append(len(texts))
        return identify(texts)

    monkeypatch.setattr("db.dialects.identify", counted)
    before, events = projected_rows(study), len(list(study.history.lines("curator")))
    study.dialects.tag()
    study.dialects.tag()
    study.dialects.of(uid(study, "d1"))
    assert len(asked) == 3
    assert projected_rows(study) == before
    assert len(list(study.history.lines("curator"))) == events
    monkeypatch.setattr("db.dialects.DIALECT_VERSION", "dialects-999")
    assert study.dialects.known(uid(study, "d1")) is None
    study.dialects.tag()
    assert len(asked) == 6
    assert {row["version"] for row in rows(study)} == {"dialects-999"}


def test_another_scrubbed_text_is_looked_at_anew(study: Project) -> None:
    one = uid(study, "d1")
    assert study.dialects.of(one).tag == "southwestern"
    for message, text in enumerate(SICHUAN):
        study.findings.decide(one, "curator", message, 0, len(text), "PERSON", True)
    assert study.dialects.known(one) is None
    assert study.dialects.of(one) == DialectTag("mandarin", "mandarin", 0.99)


def test_what_a_person_says_wins_and_can_be_undone(study: Project) -> None:
    one = uid(study, "d1")
    study.dialects.tag()
    assert study.dialects.tell(one, "curator", "xiang")
    assert not study.dialects.tell(one, "curator", "xiang")
    found = study.dialects.of(one)
    assert (found.tag, found.machine, found.by) == ("xiang", "southwestern", "curator")
    assert study.dialects.tag() == {"mandarin": 1, "cantonese": 1, "xiang": 1}
    assert study.status().dialects["xiang"] == 1
    assert study.check() == []
    line = list(study.history.lines("curator"))[-1]
    assert (line.kind, line.dialogue, line.facts["tag"]) == ("dialect_told", "d1", "xiang")
    study.dialects.tell(one, "curator", "southwestern")
    study.history.undo(list(study.history.lines("curator"))[-1].ref, "curator")
    assert study.dialects.of(one).tag == "xiang"
    study.history.undo(line.ref, "curator")
    assert study.dialects.of(one).by == ""
    assert study.check() == []


def test_a_told_dialect_is_known_before_anyone_looked(study: Project) -> None:
    study.dialects.tell(uid(study, "d3"), "curator", "gan")
    known = study.dialects.known(uid(study, "d3"))
    assert known == DialectTag("gan", "", 0.0, (), "curator")
    assert study.dialects.of(uid(study, "d3")).machine == "mandarin"


def test_what_is_no_dialect_and_what_is_not_agreed_is_refused(study: Project) -> None:
    for tag in ("", "klingon", "henan_zhongyuan"):
        with pytest.raises(UsageError):
            study.dialects.tell(uid(study, "d1"), "curator", tag)
    assert refusal(lambda: study.dialects.tell(uid(study, "d4"), "curator", "wu")) == "not_agreed"
    assert refusal(lambda: study.dialects.tell("nobody", "curator", "wu")) == "no_dialogue"


def test_the_lines_name_dialects_other_than_mandarin_and_the_manifest_counts_all(
    study: Project, tmp_path: Path
) -> None:
    study.quality.normalise("curator")
    assert study.quality.approve("curator").approved == 3
    study.dialects.tell(uid(study, "d3"), "curator", "gan")
    study.dialects.tell(uid(study, "d2"), "curator", "mandarin")
    study.releases.export(tmp_path / "out", "curator")
    lines = (tmp_path / "out" / "dialogues.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(json.loads(line)["dialects"] for line in lines) == [[], ["gan"], ["southwestern"]]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["dialects"] == {"gan": 1, "mandarin": 1, "southwestern": 1}
    assert manifest["versions"]["dialects"] == DIALECT_VERSION


def test_a_dialect_told_after_the_release_asks_for_another_and_for_no_approval(study: Project, tmp_path: Path) -> None:
    study.quality.normalise("curator")
    study.quality.approve("curator")
    study.releases.export(tmp_path / "out", "curator")
    study.dialects.tell(uid(study, "d1"), "curator", "xiang")
    assert study.dialogues.find("d1").stage is Stage.APPROVED
    assert study.dialogues.find("d2").stage is Stage.RELEASED
    study.releases.export(tmp_path / "again", "curator")
    assert study.dialogues.find("d1").stage is Stage.RELEASED
    told = [line.ref for line in study.history.lines("curator") if line.kind == "dialect_told"]
    study.history.undo(told[0], "curator")
    assert study.dialogues.find("d1").stage is Stage.APPROVED
    assert study.check() == []


def test_the_life_of_a_dialogue_tells_its_dialect_as_far_as_it_is_known(study: Project) -> None:
    assert study.history.explain("d1", "curator").dialect is None
    study.dialects.tag()
    known = study.history.explain("d1", "curator").dialect
    assert known is not None
    assert known.tag == "southwestern"
