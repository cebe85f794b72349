"""The lead's commands: agreement, quotas, the inbox, training, who leaves and who reads what."""

from __future__ import annotations

from pathlib import Path

from tests.unit.test_cli_commands import Cli, cli, jsonl, project, screening

__all__ = ["cli", "project"]
COEFFICIENTS = {"percent_agreement", "cohen_kappa", "krippendorff_alpha", "gwet_ac1"}


def answered(run: Cli, path: Path, tmp_path: Path) -> None:
    """甲 agreed on, 乙 disputed on the situation, 丙 on keeping, 丁 answered by ann alone."""
    file = jsonl(
        tmp_path / "answers.jsonl",
        screening("甲", "ann"),
        screening("甲", "bo"),
        screening("乙", "ann", situation="hint"),
        screening("乙", "bo", situation="irony"),
        {"kind": "screening", "dialogue": "丙", "by": "ann", "keep": False, "rationale": ""},
        screening("丙", "bo"),
        screening("丁", "ann"),
    )
    assert run("decisions", path, "import", file).status == 0


def test_agreement_has_every_coefficient_of_every_pair_twice(cli: Cli, project: Path, tmp_path: Path) -> None:
    answered(cli, project, tmp_path)
    found = cli("agreement", project, "--json").json
    assert {"screening", "scoring", "arena"} <= found.keys()
    for part, items in (("keep", 3), ("situation", 2)):
        figures = found["screening"]["ann+bo"][part]
        assert figures.keys() >= COEFFICIENTS
        for one in figures.values():
            assert one.keys() == {"value", "status", "low", "high", "n_items", "n_ratings"}
            assert one["n_items"] == items
    assert found["screening"]["ann+bo"]["situation"]["percent_agreement"]["value"] == 0.5
    text = cli("agreement", project, "--explain").out
    assert "ann+bo: both answered 3" in text
    assert "Irony/Sarcasm" in text
    assert "1 dialogue has one answer of two and enters nothing" in text


def test_a_project_without_pairs_answers_too(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "empty.workbench"
    cli("init", path, "--lang", "en")
    assert cli("agreement", path, "--json").json["screening"] == {}
    assert "there is no pair yet" in cli("agreement", path).out


def test_agreement_is_not_for_annotators_unless_the_project_says_so(cli: Cli, project: Path, tmp_path: Path) -> None:
    answered(cli, project, tmp_path)
    refused = cli("agreement", project, "--as", "ann")
    assert refused.status == 1
    assert "show_agreement" in refused.err
    cli("settings", project, "show_agreement=yes")
    assert cli("agreement", project, "--as", "ann", "--json").json["screening"].keys() == {"ann+bo"}


def test_the_yield_says_what_stands_and_what_was_dropped(cli: Cli, project: Path, tmp_path: Path) -> None:
    answered(cli, project, tmp_path)
    found = cli("agreement", project, "--yield", "--json").json
    assert found["pairs"] == [{"pair": "ann+bo", "answered": 3, "agreed": 1, "settled": 0, "dropped": 0, "disputed": 2}]
    assert found["situations"]["irony"] == {"either": 3, "both": 1, "standing": 1, "retention": 1 / 3}
    assert found["rejected"] == {"too_few_turns": 1}
    assert "favours situations that are easy to tell" in cli("agreement", project, "--yield").out


def test_quotas_are_set_and_shown(cli: Cli, project: Path, tmp_path: Path) -> None:
    answered(cli, project, tmp_path)
    found = cli("quota", project, "irony=4", "委婉=none", "--json").json
    assert found["situations"]["irony"]["need"] == 3
    assert found["candidates"][0] == 9
    assert "candidates still to screen" in cli("quota", project).out
    assert cli("quota", project, "irony").status == 2
    assert cli("quota", project, "weather=3").status == 1
    assert cli("quota", project, "irony=1", "--as", "ann").status == 1


def test_a_comment_is_said_read_and_answered(cli: Cli, project: Path, tmp_path: Path) -> None:
    answered(cli, project, tmp_path)
    ref = cli("inbox", project, "say", "乙", "再看一遍", "--to", "ann", "--json").json["said"]
    assert cli("inbox", project, "--as", "ann", "--json").json["unread"] == 1
    assert cli("inbox", project, "--as", "bo", "--json").json == {"unread": 0, "letters": []}
    assert cli("inbox", project, "reply", ref, "好", "--as", "ann").status == 0
    assert "好" in cli("inbox", project).out
    assert cli("inbox", project, "read", "--json").json == {"read": 1}
    assert "nothing new" in cli("inbox", project).out
    assert cli("inbox", project, "say", "乙", "x").status == 2
    assert cli("inbox", project, "say", "丁", "x", "--to", "nobody").status == 1


def test_training_is_set_and_listed(cli: Cli, project: Path, tmp_path: Path) -> None:
    gold = jsonl(
        tmp_path / "gold.jsonl",
        {"dialogue": "甲", "keep": True, "situation": "讽刺", "feedback": "反话"},
        {"dialogue": "乙", "keep": "yes"},
        {"dialogue": "没有", "keep": False},
    )
    done = cli("training", project, "import", gold, "--json")
    assert (done.status, done.json["changed"], done.json["refused"]) == (1, 1, 2)
    assert cli("training", project, "add", "丙", "--drop", "--feedback", "没有").status == 0
    found = cli("training", project, "list", "--json").json
    assert [(g["dialogue"], g["keep"], g["situation"]) for g in found["gold"]] == [
        ("甲", True, "irony"),
        ("丙", False, ""),
    ]
    assert {p["person"]: p["passed"] for p in found["people"]} == {"ann": False, "bo": False}
    assert cli("training", project, "add", "丁").status == 2
    assert cli("training", project, "list", "--as", "ann").status == 1  # the right answers stand there
    assert cli("assign", project, "screening", "--json").json["dialogues"] == 2  # what is gold is not handed out


def test_who_leaves_hands_on_and_who_reads_is_told(cli: Cli, project: Path) -> None:
    cli("assign", project, "screening")
    cli("people", project, "add", "cy", "--role", "annotator", "--reads", "wu，cantonese")
    found = cli("people", project, "retire", "ann", "--to", "cy", "--json").json
    assert found["handed_on"]["ann"] == {"pairs": 0, "people": 4, "nobody": 0}
    assert [pair for pair in found["pairs"] if "cy" in pair.values()] == [{"id": 2, "A": "cy", "B": "bo"}]
    assert next(p for p in found["people"] if p["name"] == "cy")["reads"] == ["cantonese", "wu"]
    assert "waiting" not in cli("people", project, "list").err
    assert cli("people", project, "set", "cy", "--reads", "klingon").status == 2
    assert cli("people", project, "set", "cy").status == 2
    assert cli("people", project, "retire", "cy", "--reads", "wu").status == 2
    assert cli("check", project).status == 0


def test_who_has_left_already_is_not_said_to_retire_again(cli: Cli, project: Path) -> None:
    cli("assign", project, "screening")
    cli("people", project, "add", "cy", "dee", "--role", "annotator")
    assert "retired: ann" in cli("people", project, "retire", "ann").out
    before = cli("people", project, "list", "--json").json
    for words in ([], ["--to", "cy"], ["--to", "ann"]):
        again = cli("people", project, "retire", "ann", *words)
        assert again.status == 0
        assert "ann had left already" in again.out
        assert "workbench assign" in again.out
        assert "retired:" not in again.out
    both = cli("people", project, "retire", "ann", "dee", "--json").json
    assert both["left_already"] == ["ann"]
    assert list(both["handed_on"]) == ["dee"]
    assert both["pairs"] == before["pairs"]


def test_relabel_and_calibration_are_handed_out_by_assign(cli: Cli, project: Path, tmp_path: Path) -> None:
    answered(cli, project, tmp_path)
    assert cli("assign", project, "relabel").status == 2
    assert cli("assign", project, "screening", "--share", "0.5").status == 2
    assert cli("assign", project, "screening", "--calibration", "2").status == 1  # one pair alone
    for name in ("cy", "dan"):
        cli("people", project, "add", name, "--role", "annotator")
    cli("people", project, "pair", "cy", "dan")
    done = cli("assign", project, "screening", "--calibration", "2", "--json").json
    assert done == {"work": "calibration", "assigned": {"cy": 2, "dan": 2}}
    cli("scrub", project, "--accept", "0")
    cli("normalize", project)
    cli("approve", project, "--clean")
    done = cli("assign", project, "relabel", "--share", "1", "--to", "cy", "--json").json
    assert done["assigned"].keys() == {"cy"}
    assert cli("export", project, "--disputed", "--out", tmp_path / "apart", "--json").json["dialogues"] == 2
