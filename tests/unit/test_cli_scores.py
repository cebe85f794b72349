"""Scoring by command: handed out, brought in, printed, ended, and its blind looked at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from db.project import Project
from tests.conftest import Make, fresh
from tests.scoring import SCORERS, SYSTEMS, answered, lines
from workbench.front import front


@pytest.fixture
def path(project: Make) -> Path:
    """A project with replies that nobody has to score yet."""
    study = project()
    answered(study)
    study.close()
    return study.path


def run(*words: object) -> Result:
    return CliRunner().invoke(front, [*map(str, words), "--lang", "en"])


def figures(*words: object) -> dict[str, Any]:
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def brought(path: Path, tmp_path: Path) -> None:
    """Bring the scores of three people."""
    file = tmp_path / "scores.jsonl"
    given = lines(("d1", "d2", "d3"), SYSTEMS, SCORERS)
    file.write_text("".join(json.dumps(one) + "\n" for one in given), encoding="utf-8")
    assert figures("decisions", path, "import", file)["taken"] == 27


def test_status_says_how_far_each_person_is_with_scoring(path: Path, tmp_path: Path) -> None:
    assert figures("status", path)["scoring"] == {}
    brought(path, tmp_path)
    assert figures("status", path)["scoring"]["bo"] == {"assigned": 9, "closed": 9, "left": 0, "skipped": 0}
    assert "closed" in run("status", path).stdout


def test_scoring_is_handed_out_by_command(path: Path) -> None:
    plan = ("--to", "ann,bo,cy", "--overlap", "2", "--repeats", "0.2", "--calibration", "1")
    given = figures("assign", path, "scoring", *plan)
    assert given["work"] == "scoring"
    assert sum(given["assigned"].values()) >= 3 + 16
    assert sum(figures("assign", path, "scoring", *plan)["assigned"].values()) == 0
    assert run("assign", path, "scoring", "--limit", 3).exit_code == 2
    assert run("assign", path, "screening", "--overlap", 3).exit_code == 2
    assert run("assign", path, "scoring", "--as", "ann").exit_code == 1


def test_agreement_has_every_dimension_and_the_pooled_one_apart(path: Path, tmp_path: Path) -> None:
    assert figures("agreement", path)["scoring"] == {}
    brought(path, tmp_path)
    found = figures("agreement", path, "--explain")
    assert list(found["scoring"]) == [
        "motivation",
        "cause",
        "emotion",
        "intention",
        "strategy",
        "reply_cot",
        "reply_direct",
    ]
    one = found["scoring"]["cause"]
    for name in ("alpha_ordinal", "alpha_interval", "percent_agreement", "gwet_ac1"):
        assert set(one[name]) == {"value", "status", "low", "high", "n_items", "n_ratings"}
    assert one["engine"].startswith("krippendorff")
    assert set(one["parts"]["system"]) == set(SYSTEMS)
    assert "comparable" in found["scoring_pooled"]["note"]
    words = run("agreement", path, "--explain")
    assert words.exit_code == 0
    assert "coincidences" in words.output


def test_the_table_the_comparison_and_the_signs_are_printed(path: Path, tmp_path: Path) -> None:
    for action in ("table", "compare", "signs"):
        assert run("scores", path, action).exit_code == 0, "nothing is scored yet"
    brought(path, tmp_path)
    table = figures("scores", path, "table")
    assert set(table["systems"]) == set(SYSTEMS)
    assert {"value", "low", "high", "n_items", "balanced", "prevalence"} <= set(
        table["systems"][SYSTEMS[0]]["motivation"]
    )
    assert table["systems"][SYSTEMS[0]]["cot_win_rate"]["n_ratings"] == 9
    compared = figures("scores", path, "compare")
    assert {one["dimension"] for one in compared["differences"]} == {"process", "reply_cot", "reply_direct"}
    assert [one["person"] for one in figures("scores", path, "signs")["signs"]] == ["ann", "bo", "cy"]
    for action in ("table", "compare", "signs"):
        assert run("scores", path, action).exit_code == 0


def test_what_the_codes_stand_for_is_opened_by_the_end_alone(path: Path, tmp_path: Path) -> None:
    brought(path, tmp_path)
    assert run("scores", path, "table", "--as", "ann").exit_code == 1
    assert run("scores", path, "end", "--as", "ann").exit_code == 1
    assert figures("scores", path, "end") == {"ended": True}
    assert figures("scores", path, "end") == {"ended": False}
    assert run("scores", path, "table", "--as", "ann").exit_code == 0


def test_the_blind_is_looked_at(path: Path) -> None:
    assert "no scoring" in run("check", path, "--blind").output
    run("assign", path, "scoring", "--to", "ann,bo,cy")
    found = figures("check", path, "--blind")["blind"]
    assert (found["holds"], found["same"], found["same_anew"], found["leaks"]) == (True, True, True, [])
    assert set(found["sides"]["system"]) == set(SYSTEMS)


def test_no_command_tells_an_annotator_who_answered(path: Path, tmp_path: Path) -> None:
    run("assign", path, "scoring", "--to", "ann,bo,cy")
    with Project.open(path) as study:
        task = study.scoring.task("ann", 1)
        assert task is not None
        study.scoring.score("ann", task.code, "reply_1", 5)
    out = tmp_path / "out.jsonl"
    for words in (
        ("log", path),
        ("explain", path, "d1"),
        ("status", path),
        ("search", path, SYSTEMS[0]),
        ("agreement", path),
        ("scores", path, "table"),
        ("systems", path, "list"),
        ("replies", path, "--measures"),
        ("decisions", path, "export", out),
    ):
        told = run(*words, "--as", "bo").output.replace(f"search {SYSTEMS[0]}", "")
        told = told.replace(f"“{SYSTEMS[0]}”", "").replace(f"{SYSTEMS[0]}: ", "") if words[0] == "search" else told
        assert not any(name in told for name in SYSTEMS), words
    assert not any(name in out.read_text(encoding="utf-8") for name in SYSTEMS)


def test_the_demonstrations_scoring_is_the_same_every_time() -> None:
    from workbench.demo_scoring import scored

    told = []
    for _ in range(2):
        with fresh() as study:
            answered(study)
            told.append([(step.command, step.counts) for step in scored(study, SCORERS)])
            assert study.check() == []
    assert told[0] == told[1]
    assert [command for command, _ in told[0]] == ["assign", "decisions", "agreement", "scores", "check"]
