"""The commands that tag dialects and tell of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from db.project import Project
from tests.conftest import agree, bring, dialogue, staff
from tests.unit.test_db_dialects import CANTON, PLAIN, SICHUAN
from workbench.cli import main


@pytest.fixture
def agreed(tmp_path: Path) -> Path:
    path = tmp_path / "study.workbench"
    with Project.create(path) as made:
        bring(made, [dialogue("d1", SICHUAN), dialogue("d2", CANTON), dialogue("d3", PLAIN)])
        staff(made, 0)
        agree(made, [made.dialogues.find(f"d{n}").uid for n in (1, 2, 3)])
    return path


def said(capfd: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main([*argv, "--lang", "en"]) == 0
    return capfd.readouterr().out


def test_normalize_counts_dialects(agreed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    figures = json.loads(said(capfd, "normalize", str(agreed), "--json"))
    assert figures["dialects"] == {"mandarin": 1, "cantonese": 1, "southwestern": 1}
    assert figures["dialogues"] == 3
    words = said(capfd, "normalize", str(agreed))
    assert "Cantonese" in words
    assert "Southwestern" in words


def test_status_and_explain_show_dialects(agreed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert json.loads(said(capfd, "explain", str(agreed), "d1", "--json"))["dialect"] is None
    assert "not looked at yet" in said(capfd, "explain", str(agreed), "d1")
    said(capfd, "normalize", str(agreed))
    assert json.loads(said(capfd, "status", str(agreed), "--json"))["dialects"]["cantonese"] == 1
    assert "Cantonese" in said(capfd, "status", str(agreed))
    told = json.loads(said(capfd, "explain", str(agreed), "d1", "--json"))["dialect"]
    assert (told["tag"], told["by"]) == ("southwestern", None)
    assert told["evidence"][0]["gloss"]
    assert "巴适得板 = " in said(capfd, "explain", str(agreed), "d1")
    masked = json.loads(said(capfd, "explain", str(agreed), "d1", "--json", "--as", "ann"))["dialect"]
    assert "evidence" not in masked, "the words are the dialogue's, and ann sees that masked"
