"""Which commands are a curator's, asked of every command; and what leaves a project by a command is remembered."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from curation.identifiers import scan as scanning
from curation.work.scoring import PROCESS
from tests.unit.test_cli_commands import Cli, agreed, cli, jsonl, project
from workbench.commands import COMMANDS

__all__ = ["agreed", "cli", "project"]
# Who is no curator -> the exit status and a part of the reason.
NOBODIES = {
    "ann": (1, "curator's step"),
    "old": (1, "has left the project"),
    "": (2, "visible characters"),
    "nobody": (1, "no one called nobody"),
}
# Curators' commands: what is said after the project.
CURATORS = {
    "import": ["raw.jsonl"],
    "candidates": [],
    "assign": ["screening"],
    "assign relabel": ["relabel", "--share", "0.5", "--to", "bo"],
    "assign scoring": ["scoring"],
    "assign calibration": ["screening", "--calibration", "2"],
    "reopen": [],
    "scrub": ["--accept", "0"],
    "normalize": [],
    "trim": ["--max-turns", "6", "--accept"],
    "rewrite": ["甲", "--message", "1", "--text", "在么", "--reason", "garbled"],
    "approve": ["--clean"],
    "send-back": ["甲", "--note", "不对"],
    "sample": ["--n", "2", "--seed", "7"],
    "prompts": ["--mode", "cot"],
    "systems": ["add", "m1"],
    "systems list": ["list"],
    "replies": ["raw.jsonl", "--system", "m1"],
    "scores signs": ["signs"],
    "scores end": ["end"],
    "export": ["--out", "out"],
    "export raw": ["--out", "raw", "--layer", "raw"],
    "export disputed": ["--out", "apart", "--disputed"],
    "training": ["list"],
    "quota": ["irony=9"],
    "settings": ["min_turns=4"],
    "people": ["add", "eve", "--role", "curator"],
    "people pair": ["pair", "ann", "bo"],
    "people retire": ["retire", "bo"],
    "purge": ["--yes"],
    "log": ["--undo", "3"],
    "check": ["--leaks"],
    "check blind": ["--blind"],
}
# Commands for everyone; what of them is a curator's to see is the store's to refuse (see test_db_rights).
EVERYONE = {
    *(
        "agreement",
        "backup",
        "decisions",
        "expert",
        "explain",
        "inbox",
        "review",
        "score",
        "screen",
        "search",
        "status",
    ),
    *("demo", "init", "stats", "text"),  # without a project, or before there is one
}


@pytest.fixture
def staffed(cli: Cli, agreed: Path) -> Path:
    """The same, with a curator who has left."""
    cli("people", agreed, "add", "old", "--role", "curator")
    cli("people", agreed, "retire", "old")
    return agreed


def events(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("SELECT count(*) FROM event").fetchone()[0])
    finally:
        connection.close()


def test_every_command_is_a_curators_or_everyones() -> None:
    curators = {words.split()[0] for words in CURATORS}
    assert curators | EVERYONE == COMMANDS.keys()
    assert not curators & EVERYONE


@pytest.mark.parametrize("words", CURATORS)
def test_a_curators_command_is_refused_to_everyone_else_with_the_reason(cli: Cli, staffed: Path, words: str) -> None:
    before, files = events(staffed), set(staffed.parent.iterdir())
    for name, (status, reason) in NOBODIES.items():
        done = cli(words.split()[0], staffed, *CURATORS[words], "--as", name)
        assert (done.status, done.out) == (status, ""), (words, name, done)
        assert reason in done.err, (words, name)
    assert events(staffed) == before
    assert set(staffed.parent.iterdir()) - files <= {staffed.with_name(staffed.name + end) for end in ("-wal", "-shm")}


def test_the_default_name_is_refused_too_where_whoever_bears_it_has_left(cli: Cli, agreed: Path) -> None:
    cli("people", agreed, "add", "eve", "--role", "curator")
    assert cli("people", agreed, "retire", "curator").status == 0
    done = cli("approve", agreed, "--clean")
    assert (done.status, done.out) == (1, "")
    assert "curator has left the project" in done.err
    assert cli("people", agreed, "retire", "eve", "--as", "eve").status == 1, "someone has to stay"
    assert cli("approve", agreed, "--clean", "--as", "eve").status == 0


def test_who_left_reads_what_a_stranger_reads(cli: Cli, project: Path) -> None:
    cli("people", project, "add", "old", "--role", "curator")
    words = "我的手机号是13912345678，你记一下"
    messages = [{"speaker": "我", "text": words}, {"speaker": "她", "text": "好的"}]
    assert cli("import", project, jsonl(project.with_name("n.jsonl"), {"id": "己", "messages": messages})).status == 0
    asked = (("explain", project, "己"), ("search", project, "记一下", "--show-text"))
    for argv in asked:
        assert "13912345678" in cli(*argv, "--as", "old").out, argv
    cli("people", project, "retire", "old")
    for argv in asked:
        told = cli(*argv, "--as", "old")
        assert (told.status, told.out) == (0, cli(*argv, "--as", "ann").out)
        assert "13912345678" not in told.out, argv
    assert "13912345678" not in cli(*asked[0], "--json", "--as", "old").out


def test_what_could_not_be_looked_through_is_not_shown_to_who_cannot_see_all(
    cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(page: object, index: int) -> list[object]:
        raise ValueError

    monkeypatch.setitem(scanning.FAMILIES, "names", (("PERSON",), broken))
    cli("people", project, "add", "old", "--role", "curator")
    cli("people", project, "retire", "old")
    words = cli("explain", project, "甲", "--json").json["messages"][0]["texts"]["raw"]
    for name in ("old", "ann"):
        told = cli("explain", project, "甲", "--as", name)
        assert (told.status, words in told.out) == (0, False)
        assert "could not be looked through" in told.out
        assert words not in cli("explain", project, "甲", "--json", "--as", name).out
    assert words in cli("explain", project, "甲").out


def test_who_left_carries_nothing_out(cli: Cli, staffed: Path) -> None:
    cli("people", staffed, "add", "eve", "--role", "annotator")
    cli("people", staffed, "retire", "eve")
    before, files = events(staffed), set(staffed.parent.iterdir())
    for name in ("old", "eve"):
        for argv in (("backup", staffed, "copy.workbench"), ("decisions", staffed, "export", "all.jsonl")):
            done = cli(*argv, "--as", name)
            assert (done.status, done.out) == (1, ""), (argv, name)
            assert f"{name} has left the project" in done.err
        assert cli("decisions", staffed, "export", "-", "--as", name).out == ""
    assert events(staffed) == before
    assert {one.name for one in set(staffed.parent.iterdir()) - files} & {"copy.workbench", "all.jsonl"} == set()


def test_everything_that_a_command_writes_out_of_the_project_is_listed_at_a_purge(
    cli: Cli, agreed: Path, tmp_path: Path
) -> None:
    cli("settings", agreed, "prompt_stage=agreed")
    assert cli("sample", agreed, "--n", "2", "--seed", "7", "--stage", "agreed").status == 0
    for argv in (
        ("backup", agreed, "copy.workbench"),
        ("prompts", agreed, "--mode", "cot", "--out", "cot.jsonl"),
        ("prompts", agreed, "--mode", "direct"),
        ("decisions", agreed, "export", "all.jsonl"),
        ("decisions", agreed, "export", "-", "--as", "ann"),
        ("export", agreed, "--out", "raw", "--layer", "raw"),
    ):
        assert cli(*argv).status == 0, argv
    assert cli("scrub", agreed, "--accept", "0").status == 0
    assert cli("approve", agreed, "--clean").status == 0
    assert cli("export", agreed, "--out", "release").status == 0
    copies = cli("purge", agreed, "--dry-run", "--json").json["copies"]
    assert {(one["kind"], one["name"], one["originals"]) for one in copies if one["kind"] != "release"} == {
        ("backup", "copy.workbench", 2),
        ("prompts", "cot.jsonl", 2),
        ("prompts", "-", 2),
        ("decisions", "all.jsonl", 2),
        ("decisions", "-", 2),
        ("raw", "raw", 2),
    }
    assert [one["originals"] for one in copies if one["kind"] == "release"] == [0]
    told = cli("purge", agreed, "--dry-run").out
    assert all(word in told for word in ("backup", "prompts", "decision lines", "raw copy", "release"))


def test_a_purge_that_finishes_an_earlier_one_does_not_claim_to_have_looked(cli: Cli, agreed: Path) -> None:
    cli("scrub", agreed, "--accept", "0")
    cli("approve", agreed, "--clean")
    other = sqlite3.connect(agreed, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM payload").fetchone()
    begun = cli("purge", agreed, "甲", "--yes", "--json")
    assert (begun.status, begun.json["wiped"], begun.json["looked_for"], begun.json["found_after"]) == (
        1,
        False,
        0,
        None,
    )
    other.close()
    told = cli("purge", agreed, "甲", "--dry-run", "--json").json
    assert (told["unfinished"], told["looked_for"]) == (1, 0)
    done = cli("purge", agreed, "甲")
    assert done.status == 0
    assert "purge of 1 dialogue is finished" in done.err
    assert "--against FILE" in done.err
    assert "looked for" not in done.out
    both = cli("purge", agreed, "--yes", "--json").json
    assert (both["purged"], both["unfinished"], both["found_after"]) == (1, 0, 0)


def test_what_was_never_normalised_is_approved_and_said(cli: Cli, agreed: Path) -> None:
    cli("scrub", agreed, "--accept", "0")
    done = cli("approve", agreed, "甲")
    assert (done.status, done.out) == (0, "approved: 1\n")
    ref = done.err.partition("--undo ")[2].partition("`")[0]
    assert cli("log", agreed, "--undo", ref).status == 0
    assert cli("normalize", agreed).status == 0
    again = cli("approve", agreed, "--clean", "--json")
    assert (again.json["approved"], again.json["not_normalised"], again.err) == (2, 0, "")


def test_explain_says_of_the_candidate_rules_the_settings_that_they_have(cli: Cli, agreed: Path) -> None:
    line = next(x for x in cli("explain", agreed, "甲", "--json").json["log"] if x["kind"] == "candidates")
    assert set(line["facts"]["settings"]) == {
        *("turn_unit", "min_turns", "max_turns", "max_characters", "near_duplicate"),
    }


def test_a_batch_is_taken_back_for_all_but_what_was_purged_and_that_is_said(cli: Cli, agreed: Path) -> None:
    for argv in (("scrub", "--accept", "0"), ("normalize",), ("approve", "--clean"), ("purge", "甲", "--yes")):
        assert cli(argv[0], agreed, *argv[1:]).status == 0
    ref = next(x["ref"] for x in cli("log", agreed, "--json").json["entries"] if x["kind"] == "normalised")
    done = cli("log", agreed, "--undo", ref)
    assert done.status == 1, "in part refused"
    assert "taken back" in done.out
    assert "甲" in done.err
    assert "but for 1" in cli("log", agreed).out
    assert cli("check", agreed).status == 0
    assert cli("status", agreed, "--json").json["stages"]["approved"] == 1


def test_calibration_and_more_of_a_sample_say_what_came_of_the_number(cli: Cli, agreed: Path) -> None:
    for name in ("cy", "dan"):
        cli("people", agreed, "add", name, "--role", "annotator")
    cli("people", agreed, "pair", "cy", "dan")
    assert "newly assigned" in cli("assign", agreed, "screening", "--calibration", "9").out
    again = cli("assign", agreed, "screening", "--calibration", "9")
    assert (again.status, again.out) == (0, "")
    assert "nothing new to calibrate by" in again.err
    assert "N more dialogues" in cli("assign", "--help").out.replace("\n", " ").replace("  ", " ")
    cli("scrub", agreed, "--accept", "0")
    cli("normalize", agreed)
    cli("approve", agreed, "--clean")
    assert "drawn now: 1\n" in cli("sample", agreed, "--n", "1", "--seed", "7").out
    assert "drawn before" in cli("sample", agreed, "--n", "1", "--seed", "7").err
    more = cli("sample", agreed, "--extend", "3")
    assert "drawn now: 1 more, 2 in all" in more.out
    assert "only 1 could be drawn" in more.err
    none = cli("sample", agreed, "--extend", "3")
    assert "only 0 could be drawn" in none.err
    assert "N more" in cli("sample", "--help").out


def test_calibration_items_of_scoring_are_so_many_in_all(cli: Cli, agreed: Path, tmp_path: Path) -> None:
    for argv in (("scrub", "--accept", "0"), ("approve", "--clean"), ("sample", "--n", "2", "--seed", "7")):
        assert cli(argv[0], agreed, *argv[1:]).status == 0
    cli("systems", agreed, "add", "m1")
    for mode in ("cot", "direct"):
        cli("prompts", agreed, "--mode", mode, "--out", f"{mode}.jsonl")
        names = [json.loads(line)["id"] for line in (tmp_path / f"{mode}.jsonl").read_text("utf-8").splitlines()]
        process = {} if mode == "direct" else {name: f"he thinks of point {n}" for n, name in enumerate(PROCESS)}
        rows = [{"id": name, "output": {**process, "reply": f"fine {mode[0]} {n}"}} for n, name in enumerate(names)]
        assert cli("replies", agreed, jsonl(tmp_path / f"{mode}-out.jsonl", *rows), "--system", "m1").status == 0
    first = cli("assign", agreed, "scoring", "--calibration", "1")
    assert "1 in all, 1 of them new" in first.out
    again = cli("assign", agreed, "scoring", "--calibration", "1")
    assert "1 in all, 0 of them new" in again.out
    none = cli("assign", agreed, "scoring", "--calibration", "2", "--json")
    assert none.json["calibration"] == {"items": 1, "new": 0}
    assert "no more than 1 could be found" in none.err
