"""`workbench search`: its filters, its refusals, and the index that it leaves behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from db import index
from db.project import Project
from tests.unit.test_cli_commands import Cli, chat, jsonl, screening
from tests.unit.test_cli_commands import cli as cli
from workbench.commands import search


@pytest.fixture
def project(cli: Cli, tmp_path: Path) -> Path:
    """甲 and 乙 agreed on irony and on humor, 丙 decided by one of the pair alone, 丁 by nobody."""
    path = tmp_path / "p.workbench"
    cli("init", path, "--lang", "en")
    cli("import", path, jsonl(tmp_path / "raw.jsonl", *(chat(c) for c in "甲乙丙丁")))
    cli("candidates", path)
    cli("people", path, "add", "ann", "bo", "cy", "--role", "annotator")
    cli("people", path, "pair", "ann", "bo")
    cli("assign", path, "screening")
    lines = [screening(d, by, situation=s) for d, s in (("甲", "irony"), ("乙", "humor")) for by in ("ann", "bo")]
    lines.append(screening("丙", "ann", situation="irony"))
    assert cli("decisions", path, "import", jsonl(tmp_path / "a.jsonl", *lines)).status == 0
    return path


def ids(cli: Cli, *argv: object) -> list[str]:
    done = cli("search", *argv, "--limit", "0", "--json")
    assert done.status == 0, done.err
    return sorted({hit["id"] for hit in done.json["hits"]})


def test_filters_narrow_and_the_blind_holds(cli: Cli, project: Path) -> None:
    assert ids(cli, project, "说到第3件") == sorted("甲乙丙丁")
    assert ids(cli, project, "說到第3件", "--stage", "agreed") == sorted("甲乙")
    for viewer in ("curator", "bo", "ann"):
        assert ids(cli, project, "说到第3件", "--situation", "irony", "--as", viewer) == ["甲"]
    assert ids(cli, project, "说到第3件", "--stage", "agreed", "--situation", "humor") == ["乙"]
    assert ids(cli, project, "说到第3件", "--person", "bo") == sorted("甲乙丙丁")
    assert ids(cli, project, "说到第3件", "--person", "cy") == []
    assert ids(cli, project, "说到第3件", "--dialect", "wu") == []
    assert ids(cli, project, "说到第3件", "--since", "2001-01-01") == sorted("甲乙丙丁")
    assert ids(cli, project, "说到第3件", "--until", "2001-01-01") == []


@pytest.mark.parametrize(
    ("argv", "status"),
    [
        (["--situation", "sarcasm"], 2),
        (["--dialect", "klingon"], 2),
        (["--stage", "nowhere"], 2),
        (["--since", "yesterday"], 2),
        (["--until", "2024-02-30"], 2),
        (["--person", "nobody"], 1),
        (["--layer", "edited", "--as", "ann"], 1),
    ],
)
def test_a_filter_that_cannot_be_meant_is_refused(cli: Cli, project: Path, argv: list[str], status: int) -> None:
    done = cli("search", project, "件", *argv)
    assert (done.status, done.out) == (status, "")
    assert done.err


def test_the_index_is_made_after_the_answer_and_changes_nothing(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cli("search", project, "件事", "--json").out
    monkeypatch.setattr(index.Index.build, "__defaults__", (1,))
    assert cli("search", project, "件事", "--json").out == before
    with Project.open(project) as study:
        assert study.search.index.covered() == {0: 4}
    done = cli("search", project, "件事", "--json")
    assert (done.out, done.err) == (before, "")
    assert cli("check", project).status == 0


def test_stopping_the_index_is_no_failure(cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(self: index.Index, least: int = 1) -> Iterator[int]:
        yield 1
        raise KeyboardInterrupt

    monkeypatch.setattr(index.Index, "build", stopped)
    done = cli("search", project, "件事", "--json")
    assert done.status == 0
    assert done.json["hits"]
    monkeypatch.setattr(search, "INDEX_SECONDS", -1.0)
    assert cli("search", project, "件事").status == 0


@pytest.mark.parametrize("text", ["%", "_", "'", '"', "\\", "[", "(?:", "件%", "😀"])
def test_signs_stand_for_themselves(cli: Cli, project: Path, tmp_path: Path, text: str) -> None:
    row = chat("己")
    row["messages"][3]["text"] = f"这里{text}有"
    cli("import", project, jsonl(tmp_path / "own.jsonl", row))
    hits = cli("search", project, text, "--json", "--show-text").json["hits"]
    assert [(h["id"], h["message"], h["start"], h["end"]) for h in hits] == [("己", 3, 2, 2 + len(text))]
