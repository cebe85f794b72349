"""A search for identifiers that fails or takes too long: the dialogue is not scanned, and goes nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from curation.errors import UsageError
from curation.identifiers import Finding, NotScanned, detect
from curation.identifiers import scan as scanning
from curation.identifiers.page import Candidate, Page
from curation.settings import Settings
from db.findings import deadline
from db.project import Project
from tests.conftest import Make, agree, refusal, staff

TALK = [("a", "我的电话13812345678"), ("b", "好的"), ("a", "叫我张伟就行 住在人民路8号")]


def broken(page: Page, index: int) -> Iterator[Candidate]:
    raise ValueError("13812345678 is what it stumbled over")
    yield


def _fails(texts: Sequence[tuple[str, str]]) -> tuple[Finding, ...]:
    raise ZeroDivisionError("of a recogniser of somebody else's: 13812345678")


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(scanning.FAMILIES, "names", (("PERSON",), broken))


@pytest.mark.usefixtures("failing")
def test_a_recogniser_that_fails_leaves_the_dialogue_not_scanned() -> None:
    with pytest.raises(NotScanned) as told:
        detect(TALK)
    assert "13812345678" not in str(told.value)
    assert "ValueError" in str(told.value)


@pytest.mark.parametrize("asked", [0, 1, 5, 20])
def test_time_that_runs_out_at_any_step_leaves_it_not_scanned(asked: int) -> None:
    left = [asked]

    def late() -> bool:
        left[0] -= 1
        return left[0] < 0

    with pytest.raises(NotScanned) as told:
        detect(TALK, late=late)
    assert told.value.code == "took_too_long"
    assert detect(TALK, late=lambda: False) == detect(TALK)


def test_the_same_holds_by_way_of_presidio(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("presidio_analyzer")
    from curation.identifiers.presidio import analyzer, detect_with_presidio

    engine = analyzer()
    with pytest.raises(NotScanned) as told:
        detect_with_presidio(TALK, engine, lambda: True)
    assert told.value.code == "took_too_long"
    monkeypatch.setitem(scanning.FAMILIES, "names", (("PERSON",), broken))
    with pytest.raises(NotScanned):
        detect_with_presidio(TALK, engine)


def test_a_recogniser_of_somebody_else_in_the_engine_is_not_trusted() -> None:
    presidio = pytest.importorskip("presidio_analyzer")
    from curation.identifiers.presidio import analyzer, detect_with_presidio

    engine = analyzer()
    pattern = presidio.Pattern("words", "好的", 0.9)
    theirs = presidio.PatternRecognizer("PHONE", patterns=[pattern], supported_language="zh")
    engine.registry.add_recognizer(theirs)
    with pytest.raises(NotScanned):
        detect_with_presidio(TALK, engine)


def test_no_limit_is_no_limit() -> None:
    assert not deadline(0.0)()
    assert deadline(1e-9)()
    assert not deadline(60.0)()
    with pytest.raises(UsageError):
        Settings(scan_seconds=-1.0)
    for endless in ("nan", "inf"):
        with pytest.raises(UsageError):
            Settings(scan_seconds=float(endless))


@pytest.fixture
def study(project: Make) -> Project:
    made = project()
    agree(made, staff(made, 3))
    return made


@pytest.mark.parametrize("how", ["fails", "late"])
def test_a_dialogue_not_scanned_is_neither_approved_nor_released_and_is_counted(study: Project, how: str) -> None:
    uids = [study.dialogues.find(f"d{n}").uid for n in (1, 2, 3)]
    keys = [study.dialogues.key(uid) for uid in uids]
    with pytest.MonkeyPatch.context() as patch:
        if how == "late":
            study.change_settings("curator", scan_seconds=1e-9)
        else:
            patch.setitem(scanning.FAMILIES, "names", (("PERSON",), broken))
        assert study.findings.scrub(keys[:1], "curator", 0.5).counts["not_scanned"] == 1
        assert study.findings.failure(keys[0]) == ("took_too_long" if how == "late" else "NotScanned")
        assert study.findings.failed() == keys[:1]
        assert study.status().work["not_scanned"] == 1
        assert study.quality.open_matters(uids[0])[0] == "not_scanned"
        assert study.quality.approve("curator", uids[:1]).dialogues == {"d1": ("not_scanned",)}
        assert study.purging.plan(["d1"]).refused
    study.change_settings("curator", scan_seconds=20.0)
    if how == "late":
        assert study.findings.scan(keys[0]) == ()
        assert study.findings.failure(keys[0]), "what took long is not tried over and over"
    study.findings.scrub(keys, "curator", 0.5)
    assert study.status().work["not_scanned"] == 0
    assert study.quality.approve("curator").approved == 3


def test_a_detector_from_elsewhere_that_fails_is_no_crash(study: Project) -> None:
    key = study.dialogues.key(study.dialogues.find("d1").uid)
    assert study.findings.scrub([key], "curator", 0.5, _fails).counts["not_scanned"] == 1
    assert study.findings.failure(key) == "ZeroDivisionError"


def test_one_approved_before_is_held_back_from_the_release_when_it_cannot_be_scanned_any_more(study: Project) -> None:
    keys = [study.dialogues.key(study.dialogues.find(f"d{n}").uid) for n in (1, 2, 3)]
    study.findings.scrub(keys, "curator", 0.5)
    assert study.quality.approve("curator").approved == 3
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("db.findings.outdated", lambda version: True)
        study.change_settings("curator", scan_seconds=1e-9)
        assert {code for codes in study.releases.gate().values() for code in codes} == {"not_scanned"}
        assert refusal(lambda: study.releases.export(study.path.parent / "out", "curator")) == "unresolved"
