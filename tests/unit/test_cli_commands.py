"""The commands, called in this process on real projects in temporary folders."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from screens.locale import use
from workbench.cli import main


@dataclass(frozen=True)
class Done:
    """What a call came to."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Done]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Cli]:
    """Calls the command in a folder and a home of its own, in English."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    mask = os.umask(0o022)

    def call(*argv: object) -> Done:
        status = main([str(a) for a in argv])
        out, err = capsys.readouterr()
        return Done(status, out, err)

    yield call
    os.umask(mask)
    use("en")


def chat(identity: str, turns: int = 8, words: str = "") -> dict[str, Any]:
    """A dialogue that ends with the other party; `words` make it unlike others."""
    messages = [
        {"speaker": "对方" if n % 2 else "我", "text": f"{identity}{words}说到第{n}件事了{identity * 3}"}
        for n in range(turns)
    ]
    return {"id": identity, "messages": messages}


def jsonl(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def project(cli: Cli, tmp_path: Path) -> Path:
    """A project with four candidates, a short dialogue, and the pair ann + bo."""
    path = tmp_path / "p.workbench"
    raw = jsonl(tmp_path / "raw.jsonl", *(chat(c) for c in "甲乙丙丁"), chat("戊", turns=2))
    assert cli("init", path, "--lang", "en").status == 0
    assert cli("import", path, raw).status == 0
    assert cli("candidates", path).status == 0
    assert cli("people", path, "add", "ann", "bo", "--role", "annotator").status == 0
    assert cli("people", path, "pair", "ann", "bo").status == 0
    return path


def screening(dialogue: str, by: str, keep: bool = True, situation: str = "irony") -> dict[str, Any]:
    line = {"kind": "screening", "dialogue": dialogue, "by": by, "keep": keep, "rationale": "反话"}
    return {**line, "situation": situation} if keep else line


@pytest.fixture
def agreed(cli: Cli, project: Path, tmp_path: Path) -> Path:
    """The same, with 甲 and 乙 agreed, 丙 dropped and 丁 disputed."""
    lines = [screening(d, by) for d in "甲乙" for by in ("ann", "bo")]
    lines += [screening("丙", by, keep=False) for by in ("ann", "bo")]
    lines += [screening("丁", "ann"), screening("丁", "bo", situation="humor")]
    assert cli("decisions", project, "import", jsonl(tmp_path / "answers.jsonl", *lines)).status == 0
    return project


# -- init


def test_init_makes_a_private_project_with_the_settings_given(cli: Cli, tmp_path: Path) -> None:
    done = cli("init", "p.workbench", "--lang", "zh", "--min-turns", "8", "--json")
    assert done.status == 0
    assert done.json["settings"]["min_turns"] == 8
    assert done.json["settings"]["lang"] == "zh"
    assert stat.S_IMODE((tmp_path / "p.workbench").stat().st_mode) == 0o600


def test_init_refuses_an_existing_file_and_leaves_it(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "p.workbench"
    file.write_bytes(b"mine")
    done = cli("init", file)
    assert done.status == 1
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    assert file.read_bytes() == b"mine"


@pytest.mark.parametrize(
    "argv",
    [
        ["import", "typo.workbench", "raw.jsonl"],
        ["candidates", "typo.workbench"],
        ["people", "typo.workbench", "list"],
        ["assign", "typo.workbench", "screening"],
        ["decisions", "typo.workbench", "import", "raw.jsonl"],
        ["decisions", "typo.workbench", "export", "out.jsonl"],
        ["scrub", "typo.workbench"],
        ["normalize", "typo.workbench"],
        ["trim", "typo.workbench", "--max-turns", "8"],
        ["approve", "typo.workbench", "--clean"],
        ["export", "typo.workbench", "--out", "release"],
        ["status", "typo.workbench"],
        ["search", "typo.workbench", "x"],
        ["explain", "typo.workbench", "x"],
        ["log", "typo.workbench"],
        ["check", "typo.workbench"],
        ["backup", "typo.workbench", "copy.workbench"],
    ],
)
def test_a_mistyped_path_makes_no_project(cli: Cli, tmp_path: Path, argv: list[str]) -> None:
    jsonl(tmp_path / "raw.jsonl", chat("甲"))
    done = cli(*argv)
    assert done.status == 1
    assert "typo.workbench" in done.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["raw.jsonl"]


# -- import


def test_importing_again_takes_in_nothing(cli: Cli, project: Path, tmp_path: Path) -> None:
    done = cli("import", project, tmp_path / "raw.jsonl", "--json")
    assert done.status == 0
    assert {k: done.json[k] for k in ("new", "known", "changed", "refused", "warnings")} == {
        "new": 0,
        "known": 5,
        "changed": 0,
        "refused": 0,
        "warnings": 0,
    }


def test_changed_content_under_a_known_id_is_counted(cli: Cli, project: Path, tmp_path: Path) -> None:
    jsonl(tmp_path / "raw.jsonl", chat("甲", words="改"))
    assert cli("import", project, tmp_path / "raw.jsonl", "--json").json["changed"] == 1


def test_refused_records_go_to_a_private_file_beside_the_project(cli: Cli, project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "medium"
    folder.mkdir()
    (folder / "more.jsonl").write_text(json.dumps(chat("己")) + '\n{"id": "庚"\n', encoding="utf-8")
    done = cli("import", project, folder / "more.jsonl", "--json")
    assert done.status == 1
    assert (done.json["new"], done.json["refused"]) == (1, 1)
    place = Path(done.json["files"][0]["rejects"])
    assert place.parent == tmp_path
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert str(place) in done.err
    rows = [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()]
    assert [(row["line"], bool(row["code"]), "庚" in row["raw"]) for row in rows] == [(2, True, True)]


def test_a_reject_file_is_kept_when_another_file_of_that_name_comes(cli: Cli, project: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.jsonl").write_text(json.dumps(chat(name)) + f"\n{{{name}\n", encoding="utf-8")
    places = [
        cli("import", project, tmp_path / n / "x.jsonl", "--json").json["files"][0]["rejects"] for n in ("one", "two")
    ]
    again = cli("import", project, tmp_path / "one" / "x.jsonl", "--json").json["files"][0]["rejects"]
    assert len(set(places)) == 2
    assert again == places[0]
    assert sorted(str(p) for p in tmp_path.glob("*.rejects.jsonl")) == sorted(places)
    assert not list(tmp_path.glob(".*rejects*"))


@pytest.mark.parametrize("name", ["长" * 80 + ".jsonl", "\x1b]0;x\x07.jsonl"])
def test_any_name_of_a_file_makes_a_reject_file(cli: Cli, project: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(json.dumps(chat("己")) + "\n{\n", encoding="utf-8")
    done = cli("import", project, tmp_path / name, "--json")
    assert (done.status, done.json["refused"]) == (1, 1)
    assert Path(done.json["files"][0]["rejects"]).is_file()
    assert "\x1b" not in done.err


def test_a_file_refused_whole_keeps_no_other_out(cli: Cli, project: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    good = jsonl(tmp_path / "good.jsonl", chat("己"))
    done = cli("import", project, empty, tmp_path / "none.jsonl", good, "--json")
    assert done.status == 1
    assert done.json["new"] == 1
    assert done.json["files_refused"] == 2
    assert [bool(f["error"]) for f in done.json["files"]] == [True, True, False]
    assert len(done.err.splitlines()) == 2
    assert "empty.jsonl" in done.err


def test_the_project_is_never_read_as_a_file(cli: Cli, project: Path, tmp_path: Path) -> None:
    (tmp_path / "link").hardlink_to(project)
    for argv in (["import", project, project], ["import", project, "link"], ["decisions", project, "import", "link"]):
        done = cli(*argv)
        assert done.status == 1
        assert "is the project itself" in done.err
    assert cli("check", project).status == 0


def test_sources_are_named_for_the_file_and_keep_their_terms(cli: Cli, project: Path, tmp_path: Path) -> None:
    file = jsonl(tmp_path / "batch.v2.jsonl", chat("己"))
    done = cli(
        "import", project, file, "--approval", "IRB 7", "--purpose", "research", "--until", "2027-12-31", "--self", "我"
    )
    assert done.status == 0
    sources = cli("status", project, "--json").json["sources"]
    assert sources["batch.v2"]["terms"] == {"approval": "IRB 7", "purpose": "research", "until": "2027-12-31"}


def test_columns_of_a_table(cli: Cli, project: Path, tmp_path: Path) -> None:
    rows = [f"d1,{'我' if n % 2 == 0 else '他'},第{n}句" for n in range(8)]
    table = tmp_path / "t.csv"
    table.write_text("no,who,what\n" + "\n".join(rows) + "\n", encoding="utf-8")
    done = cli("import", project, table, "--columns", "id=no,speaker=who,text=what", "--self", "我", "--json")
    assert done.json["new"] == 1, done


# -- candidates, people, assign


def test_candidates_answers_the_funnel(cli: Cli, project: Path) -> None:
    done = cli("candidates", project, "--json")
    assert done.status == 0
    assert done.json == {"candidates": 4, "rejected": {"too_few_turns": 1}}


def test_people_are_listed_with_their_pairs(cli: Cli, project: Path) -> None:
    found = cli("people", project, "list", "--json").json
    assert [(p["name"], p["role"]) for p in found["people"]] == [
        ("ann", "annotator"),
        ("bo", "annotator"),
        ("curator", "curator"),
    ]
    assert [(p["A"], p["B"]) for p in found["pairs"]] == [("ann", "bo")]
    assert cli("people", project, "retire", "bo").status == 0
    assert "retired" in cli("people", project, "list").out


def test_both_of_a_pair_get_every_candidate_and_once(cli: Cli, project: Path) -> None:
    assert cli("assign", project, "screening", "--to", "ann", "--json").json["assigned"] == {"ann": 4, "bo": 4}
    again = cli("assign", project, "screening", "--json")
    assert again.status == 0
    assert sum(again.json["assigned"].values()) == 0


def test_someone_unknown_cannot_act(cli: Cli, project: Path) -> None:
    done = cli("candidates", project, "--as", "nobody")
    assert done.status == 1
    assert "nobody" in done.err


# -- decisions


def test_decisions_keep_the_good_lines_and_name_the_bad(cli: Cli, project: Path, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    jsonl(file, screening("甲", "ann"), screening("不在", "ann"), screening("乙", "ann", situation="joke"))
    with file.open("a", encoding="utf-8") as handle:
        handle.write(
            '{"kind": "screening", \n{"kind": "screening", "dialogue": "丙", "by": "ann", "rationale": "\\ud800"}\n'
        )
    done = cli("decisions", project, "import", file, "--json")
    assert done.status == 1
    assert (done.json["taken"], done.json["known"], done.json["refused"]) == (1, 0, 4)
    assert [line["line"] for line in done.json["lines"]] == [2, 3, 4, 5]
    assert "line 2" in done.err
    again = cli("decisions", project, "import", file, "--json")
    assert (again.json["taken"], again.json["known"]) == (0, 1)


def test_by_stands_for_lines_that_name_no_one(cli: Cli, project: Path, tmp_path: Path) -> None:
    line = screening("甲", "ann")
    del line["by"]
    file = jsonl(tmp_path / "answers.jsonl", line)
    assert cli("decisions", project, "import", file).status == 1
    assert cli("decisions", project, "import", file, "--by", "ann").status == 0
    assert cli("status", project, "--json").json["people"]["ann"]["decided"] == 1


def test_export_hides_what_the_blind_hides(cli: Cli, project: Path, tmp_path: Path) -> None:
    cli("decisions", project, "import", jsonl(tmp_path / "a.jsonl", screening("甲", "ann")))
    assert cli("decisions", project, "export", "for-bo.jsonl", "--as", "bo").status == 0
    assert cli("decisions", project, "export", "for-ann.jsonl", "--as", "ann").status == 0
    assert (tmp_path / "for-bo.jsonl").read_text(encoding="utf-8") == ""
    assert json.loads((tmp_path / "for-ann.jsonl").read_text(encoding="utf-8")) == screening("甲", "ann")
    assert cli("decisions", project, "export", "for-ann.jsonl").status == 1
    log = cli("log", project, "--json", "--as", "bo").json["entries"]
    sealed = [e for e in log if e["kind"] == "screened"]
    assert [(e["sealed"], e["facts"]) for e in sealed] == [(True, {})]
    assert "irony" not in cli("explain", project, "甲", "--as", "bo").out
    assert "irony" not in cli("explain", project, "甲").out


# -- quality control, release


def test_the_whole_way_to_a_release(cli: Cli, agreed: Path, tmp_path: Path) -> None:
    stages = cli("status", agreed, "--json").json["stages"]
    assert {s: n for s, n in stages.items() if n} == {"agreed": 2, "disputed": 1, "dropped": 1, "rejected": 1}
    assert cli("export", agreed, "--out", "release").status == 1
    assert cli("scrub", agreed, "--accept", "0.85", "--json").json["dialogues"] == 2
    assert cli("normalize", agreed, "--json").json["dialogues"] == 2
    proposals = cli("trim", agreed, "--max-turns", "6", "--json").json["proposals"]
    assert [(p["turns_before"], p["turns_after"], p["last_turn_whole"], p["kept"][-1]) for p in proposals] == [
        (8, 6, True, 8)
    ] * 2
    assert {"id", "turns_before", "turns_after", "last_turn_whole", "kept"} <= set(proposals[0])
    assert cli("trim", agreed, "--max-turns", "6", "--accept", "--json").json["accepted"] == 2
    assert cli("approve", agreed, "甲").status == 0
    done = cli("approve", agreed, "--clean", "--json")
    assert done.json == {"approved": 1, "open": {}, "dialogues": {}, "not_normalised": 0}
    done = cli("export", agreed, "--out", "release", "--json")
    assert done.status == 0, done
    assert done.json["dialogues"] == 2
    rows = (tmp_path / "release" / "dialogues.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 2
    assert cli("check", agreed, "--json") == Done(0, '{"problems": []}\n', "")


def test_approving_what_is_not_agreed_is_refused_with_the_reason(cli: Cli, agreed: Path) -> None:
    done = cli("approve", agreed, "丁", "--json")
    assert done.status == 1
    assert done.json["approved"] == 0
    assert sum(done.json["open"].values()) == 1
    assert "丁" in done.err


def test_a_raw_copy_is_marked_as_no_release(cli: Cli, agreed: Path, tmp_path: Path) -> None:
    done = cli("export", agreed, "--out", "raw", "--layer", "raw", "--json")
    assert (done.status, done.json["dialogues"], done.json["release"]) == (0, 5, False)
    rows = [json.loads(x) for p in (tmp_path / "raw").glob("*.jsonl") for x in p.read_text("utf-8").splitlines()]
    assert {row["id"]: row["messages"] for row in rows}["甲"] == chat("甲")["messages"]


def test_backup_and_check_against_it(cli: Cli, agreed: Path, tmp_path: Path) -> None:
    assert cli("backup", agreed, "copy.workbench").status == 0
    assert stat.S_IMODE((tmp_path / "copy.workbench").stat().st_mode) == 0o600
    assert cli("check", agreed, "--backup", "copy.workbench").status == 0
    assert cli("status", "copy.workbench", "--json").json["stages"] == cli("status", agreed, "--json").json["stages"]
    assert cli("backup", agreed, "copy.workbench").status == 1


def test_an_entry_of_the_log_is_taken_back(cli: Cli, agreed: Path) -> None:
    cli("approve", agreed, "--clean")
    entry = cli("log", agreed, "--limit", "1", "--json").json["entries"][0]
    assert entry["kind"] == "approved"
    assert cli("log", agreed, "--undo", entry["ref"]).status == 0
    assert cli("status", agreed, "--json").json["stages"]["approved"] == 0
    assert cli("log", agreed, "--undo", entry["ref"]).status == 1


# -- looking


def test_search_shows_places_and_text_only_when_asked(cli: Cli, agreed: Path) -> None:
    done = cli("search", agreed, "甲说到第3件事", "--json")
    assert [(h["id"], h["message"], h["start"]) for h in done.json["hits"]] == [("甲", 3, 0)]
    assert "件事" not in done.out
    assert "件事" in cli("search", agreed, "甲说到第3件事", "--show-text").out
    assert cli("search", agreed, "没有的话", "--json") == Done(0, '{"hits": []}\n', "")


def test_what_is_masked_for_someone_is_neither_shown_to_nor_found_by_them(
    cli: Cli, project: Path, tmp_path: Path
) -> None:
    rows = chat("己")
    rows["messages"][3]["text"] = "我的手机号是13912345678，记一下"
    cli("import", project, jsonl(tmp_path / "own.jsonl", rows))
    assert len(cli("search", project, "13912345678", "--json").json["hits"]) == 1
    assert cli("search", project, "13912345678", "--as", "ann", "--json").json["hits"] == []
    assert "139" not in cli("search", project, "记一下", "--as", "ann", "--show-text").out
    told = cli("explain", project, "己", "--as", "ann")
    assert "记一下" in told.out
    assert "139" not in told.out
    assert "139" not in cli("explain", project, "己", "--as", "ann", "--json").out
    assert "13912345678" in cli("explain", project, "己").out


def test_explain_tells_the_life_of_a_dialogue(cli: Cli, agreed: Path) -> None:
    told = cli("explain", agreed, "甲", "--json").json
    assert told["stage"] == "agreed"
    assert [a["by"] for a in told["answers"]] == ["ann", "bo"]
    assert [m["texts"]["raw"] for m in told["messages"]] == [m["text"] for m in chat("甲")["messages"]]
    kinds = [e["kind"] for e in told["log"]]
    assert kinds[0] == "imported"
    assert kinds.count("screened") == 2
    assert "甲" in cli("explain", agreed, "甲").out


def test_foreign_text_cannot_act_on_the_terminal(cli: Cli, project: Path, tmp_path: Path) -> None:
    rows = chat("己")
    rows["messages"][2]["text"] = "\x1b]0;owned\x07[red]\u202e反"
    cli("import", project, jsonl(tmp_path / "own.jsonl", rows))
    for argv in (["explain", project, "己"], ["search", project, "反", "--show-text"]):
        out = cli(*argv).out
        assert "[red]" in out
        assert not {"\x1b", "\x07", "\u202e"} & set(out)


# -- calls that are wrong


@pytest.mark.parametrize(
    "argv",
    [
        ["nonsense"],
        ["import"],
        ["import", "p.workbench"],
        ["import", "p.workbench", "raw.jsonl", "--columns", "id"],
        ["import", "p.workbench", "raw.jsonl", "--until", "soon"],
        ["import", "p.workbench", "raw.jsonl", "--format", "nonsense"],
        ["people", "p.workbench", "add", "x"],
        ["people", "p.workbench", "add", "x", "--role", "boss"],
        ["people", "p.workbench", "pair", "x"],
        ["assign", "p.workbench", "nonsense"],
        ["scrub", "p.workbench", "--accept", "2"],
        ["trim", "p.workbench"],
        ["trim", "p.workbench", "--max-turns", "3"],
        ["approve", "p.workbench"],
        ["approve", "p.workbench", "甲", "--clean"],
        ["export", "p.workbench"],
        ["status", "p.workbench", "--nonsense"],
        ["log", "p.workbench", "--undo", "1", "--dialogue", "x"],
        ["decisions", "p.workbench", "export", "x.jsonl", "--by", "ann"],
        ["text"],
        ["text", "nonsense"],
        ["init", "q.workbench", "--min-turns", "0"],
        ["init", "q.workbench", "--min-turns", "9", "--max-turns", "8"],
    ],
)
def test_a_wrong_call_exits_with_2_and_changes_nothing(
    cli: Cli, project: Path, tmp_path: Path, argv: list[str]
) -> None:
    before = cli("log", project, "--json").out
    names = sorted(p.name for p in tmp_path.iterdir())
    done = cli(*argv)
    assert done.status == 2
    assert done.out == ""
    assert done.err
    assert sorted(p.name for p in tmp_path.iterdir()) == names
    assert cli("log", project, "--json").out == before
