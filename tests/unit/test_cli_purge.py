"""`workbench purge` and `workbench check --leaks`: who is asked, what is said, and with which exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.test_cli_commands import Cli, chat, jsonl, screening
from tests.unit.test_cli_commands import cli as cli


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    one = chat("甲")
    one["messages"][1]["text"] = "打这个号 13812345678 找我就行"
    return jsonl(tmp_path / "raw.jsonl", one, chat("乙"), chat("丙"))


@pytest.fixture
def project(cli: Cli, tmp_path: Path, raw: Path) -> Path:
    """甲 (with a phone number) and 乙 approved, 丙 decided by nobody."""
    path = tmp_path / "p.workbench"
    cli("init", path, "--lang", "en")
    cli("import", path, raw, "--self", "我")
    cli("candidates", path)
    cli("people", path, "add", "ann", "bo", "--role", "annotator")
    cli("people", path, "pair", "ann", "bo")
    cli("assign", path, "screening")
    lines = [screening(d, by, situation="irony") for d in "甲乙" for by in ("ann", "bo")]
    assert cli("decisions", path, "import", jsonl(tmp_path / "a.jsonl", *lines)).status == 0
    cli("scrub", path, "--accept", "0")
    assert cli("approve", path, "甲", "乙").status == 0
    return path


def test_with_nobody_to_ask_nothing_is_destroyed_without_yes(cli: Cli, project: Path) -> None:
    done = cli("purge", project)
    assert done.status == 1
    assert "--yes" in done.err
    assert cli("purge", project, "--dry-run", "--json").json["dialogues"] == 2


def test_a_dry_run_says_what_would_go_and_destroys_nothing(cli: Cli, project: Path) -> None:
    done = cli("purge", project, "--dry-run", "--json")
    assert (done.status, done.json["purged"]) == (0, 0)
    assert done.json["texts"]["imported"] == 2
    assert done.json == cli("purge", project, "--dry-run", "--json").json


def test_a_purge_says_what_went_and_again_there_is_nothing_to_do(cli: Cli, project: Path) -> None:
    done = cli("purge", project, "--yes", "--json")
    assert (done.status, done.json["purged"], done.json["wiped"], done.json["found_after"]) == (0, 2, True, 0)
    again = cli("purge", project, "--json")
    assert (again.status, again.json["purged"], again.json["dialogues"]) == (0, 0, 0)
    assert cli("check", project).status == 0
    assert "its originals were destroyed" in cli("explain", project, "甲").out
    assert "13812345678" not in cli("explain", project, "甲", "--json").out


@pytest.mark.parametrize(("lang", "sides"), [("en", {"me", "other"}), ("zh", {"我", "对方"})])
def test_after_a_purge_the_two_sides_are_called_as_everywhere_else(
    cli: Cli, project: Path, lang: str, sides: set[str]
) -> None:
    cli("purge", project, "--yes")
    out = cli("explain", project, "甲", "--lang", lang).out
    rows = [line.split() for line in out.splitlines() if line.split()[:1] and line.split()[0].isdigit()]
    assert {row[1] for row in rows if len(row) > 3} == sides


def test_what_cannot_go_is_refused_and_the_rest_goes(cli: Cli, project: Path) -> None:
    done = cli("purge", project, "乙", "丙", "--yes", "--json")
    assert (done.status, done.json["purged"]) == (1, 1)
    assert done.json["refused"] == {"丙": ["not_approved"]}
    assert "丙 stays as it is: it is not approved" in done.err
    assert cli("purge", project, "--yes", "--as", "ann").status == 1, "a curator's step"


def test_leaks_are_told_in_releases_in_text_and_against_the_raw_file(
    cli: Cli, project: Path, raw: Path, tmp_path: Path
) -> None:
    assert cli("export", project, "--out", tmp_path / "out").status == 0
    clean = cli("check", project, "--leaks", "--release", tmp_path / "out", "--json")
    assert (clean.status, clean.json["leaks"]) == (0, [])
    assert clean.json["looked_for"]["replaced"] == 1
    (tmp_path / "out" / "notes.txt").write_text("call 13812345678", encoding="utf-8")
    told = cli("check", project, "--leaks", "--release", tmp_path / "out", "--json")
    assert told.status == 1
    assert [leak["code"] for leak in told.json["leaks"]] == ["original"]
    assert told.json["leaks"][0]["where"].endswith("notes.txt")
    assert "13812345678" not in told.out, "no leak is told by what it is"
    cli("purge", project, "--yes")
    against = cli("check", project, "--against", raw, "--json")
    assert (against.status, against.json["leaks"]) == (0, [])
    assert against.json["looked_for"]["dialogues"] == 2
    assert against.json["looked_for"]["originals"] > 0
    assert cli("check", project, "--leaks", "--release", raw, "--against", raw).status == 1, "there it stands"
    assert cli("check", project, "--leaks", "--release", project).status == 1, "the project is no release"
