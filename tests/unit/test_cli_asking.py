"""`sample`, `prompts`, `systems` and `replies`: figures, exit statuses, and what goes where."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from db.project import Project
from tests.asked import approved
from tests.unit.test_cli_commands import Cli, Done
from tests.unit.test_cli_commands import cli as cli


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A project with five approved dialogues."""
    made = tmp_path / "s.workbench"
    with Project.create(made) as study:
        approved(study, 5)
    return made


class Ran:
    """What a command did, under the names that the tests here use."""

    def __init__(self, done: Done) -> None:
        self.exit_code, self.stdout, self.output = done.status, done.out, done.out + done.err


@pytest.fixture
def run(cli: Cli) -> Callable[..., Ran]:
    return lambda *words: Ran(cli(*words))


@pytest.fixture
def figures(run: Callable[..., Ran]) -> Callable[..., Any]:
    def printed(*words: object, status: int = 0) -> Any:
        done = run(*words, "--json")
        assert done.exit_code == status, done.output
        return json.loads(done.stdout)

    return printed


def test_a_sample_is_drawn_shown_and_extended(path: Path, run: Callable[..., Ran], figures: Callable[..., Any]) -> None:
    dry = figures("sample", path, "--n", 3, "--seed", 7, "--dry-run")
    assert run("sample", path, "--json").exit_code == 1
    drawn = figures("sample", path, "--n", 3, "--seed", 7)
    assert (drawn["seed"], drawn["n"], sum(drawn["by_situation"].values())) == (7, 3, 3)
    assert drawn["ids"] == dry["ids"]
    assert figures("sample", path)["ids"] == drawn["ids"]
    assert run("sample", path, "--n", 4, "--seed", 7).exit_code == 1
    assert figures("sample", path, "--extend", 9)["ids"][:3] == drawn["ids"]
    shown = run("sample", path, "--lang", "en").stdout
    assert "█" in shown
    assert "Irony/Sarcasm" in shown


@pytest.mark.parametrize(
    "words", [["--n", 3], ["--seed", 3], ["--extend", 1, "--n", 2, "--seed", 1], ["--by", "length"]]
)
def test_a_sample_that_cannot_be_meant_is_wrong_usage(
    path: Path, words: list[object], run: Callable[..., Ran], figures: Callable[..., Any]
) -> None:
    assert run("sample", path, *words).exit_code == 2


def test_exclusions_come_from_a_file_or_by_name(
    path: Path, tmp_path: Path, run: Callable[..., Ran], figures: Callable[..., Any]
) -> None:
    (tmp_path / "out.txt").write_text("d1\nd2\n", "utf-8")
    found = figures(
        "sample", path, "--n", 9, "--seed", 7, "--exclude", tmp_path / "out.txt", "--exclude", "d3", "--dry-run"
    )
    assert set(found["ids"]) == {"d4", "d5"}


def test_the_whole_way_from_prompts_to_ready(
    path: Path, tmp_path: Path, run: Callable[..., Ran], figures: Callable[..., Any]
) -> None:
    run("sample", path, "--n", 5, "--seed", 7)
    assert run("systems", path, "add", "m1", "--model", "m-1", "--temperature", "0.5").exit_code == 0
    for mode in ("cot", "direct"):
        out = tmp_path / f"{mode}.jsonl"
        assert figures("prompts", path, "--mode", mode, "--out", out)["prompts"] == 5
        assert run("prompts", path, "--mode", mode, "--out", out).exit_code == 1
        rows = []
        for n, line in enumerate(out.read_text("utf-8").splitlines()):
            prompt = json.loads(line)
            keys = json.loads(prompt["messages"][0]["content"].rpartition("\n")[2])
            said = {key: f"想到{n}{at}" for at, key in enumerate(keys)}
            rows.append({"id": prompt["id"], "output": json.dumps(said, ensure_ascii=False)})
        if mode == "direct":
            rows[0]["output"] = "抱歉，我无法回答这个问题"
            rows[1]["output"] = '{"你的回复": "好'
        (tmp_path / "back.jsonl").write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), "utf-8")
        taken = figures("replies", path, tmp_path / "back.jsonl", "--system", "m1", status=int(mode == "direct"))
        assert taken["refused"] == (mode == "direct")
    assert taken["flags"] == {"refusal": 1}
    assert taken["files"][0]["lines"] == [
        {"line": 2, "code": "truncated", "reason": "it is cut off in the middle of a value"}
    ]
    assert Path(taken["files"][0]["rejects"]).exists()
    covered = figures("systems", path, "coverage", status=1)
    assert covered["ready"] == {"m1": False}
    direct = next(one for one in covered["coverage"] if one["mode"] == "direct")
    assert (direct["of"], direct["complete"], direct["flagged"], direct["missing"]) == (5, 3, 1, 1)
    left = run("prompts", path, "--mode", "direct", "--missing", "m1")
    assert len(left.stdout.splitlines()) == 2
    assert run("replies", path, "--system", "m1", "--waive", "all").exit_code == 2
    assert figures("replies", path, "--system", "m1", "--waive", "refusal,missing", "--reason", "看过")["ready"]
    assert figures("systems", path, "coverage")["ready"] == {"m1": True}
    found = figures("replies", path, "--measures")
    assert {one["part"] for one in found["texts"]} == {"process", "cot", "direct"}
    assert [one["method"] for one in found["similarity"]] == ["tfidf-char-1-2"] * 2
    assert run("replies", path, "--measures", "--lang", "en").exit_code == 0


def test_the_batch_form_names_its_model(path: Path, run: Callable[..., Ran], figures: Callable[..., Any]) -> None:
    run("sample", path, "--n", 2, "--seed", 7)
    done = run("prompts", path, "--mode", "cot-cause", "--form", "batch", "--model", "m", "--lang", "en")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["body"]["model"] for line in lines] == ["m", "m"]
    assert run("prompts", path, "--mode", "cot", "--form", "batch").exit_code == 2
    assert run("prompts", path, "--mode", "cot", "--json").exit_code == 2


@pytest.mark.parametrize(
    "words",
    [["prompts", "--mode", "cot"], ["systems", "list"], ["systems", "coverage"], ["replies", "--measures"], ["sample"]],
)
def test_names_of_systems_are_for_curators(
    path: Path, words: list[str], run: Callable[..., Ran], figures: Callable[..., Any]
) -> None:
    run("sample", path, "--n", 2, "--seed", 7)
    done = run(words[0], path, *words[1:], "--as", "ann")
    assert done.exit_code == 1
    assert done.stdout == ""
