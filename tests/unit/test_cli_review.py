"""The review on the command line: counts, lists from a file, and what `explain` and `log` tell of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from db.project import Project
from tests.conftest import agree, staff
from tests.unit.test_cli_commands import Cli, cli

__all__ = ["cli"]

TEXTS = ["在吗", "你说", "电话13812345678打我", "我叫王小明", "工号YG123456", "行"]
LISTS = 'allow = ["王小明"]\n[[recogniser]]\nname = "staff"\ntype = "ID_NUMBER"\npattern = "YG[0-9]{6}"\nscore = 0.95\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "p.wb"
    with Project.create(made) as study:
        agree(study, staff(study, 1, TEXTS))
        study.change_settings("curator", lang="en")
    return made


def reviewed(path: Path) -> None:
    """Everything found is accepted, one thing let stand, and the review done."""
    with Project.open(path) as study:
        uid = study.dialogues.find("d1").uid
        study.reviews.look(uid)
        study.reviews.see(uid, "curator", [1, 2, 3, 4, 6])
        study.reviews.see(uid, "curator", [5])
        study.reviews.decide_rest(uid, "curator", True)
        study.reviews.waive(uid, "curator", (0, 0, 2), "PERSON", "public")
        study.reviews.reveal("ann", uid, 2, 2, 13)
        assert study.reviews.finish(uid, "curator").done
        study.reviews.bar(uid, "curator", "太私密")


def test_how_far_the_review_is(cli: Cli, path: Path) -> None:
    assert cli("scrub", path).status == 0
    before = cli("review", path, "--json").json
    assert (before["agreed"], before["waiting"], before["findings"], before["done"]) == (1, 1, 3, 0)
    reviewed(path)
    after = cli("review", path, "--json").json
    assert (after["waiting"], after["done"], after["barred"]) == (0, 1, 1)
    assert "reviews done: 1" in cli("review", path, "--counts").out


def test_a_curator_who_left_takes_no_step_and_sees_what_others_see(cli: Cli, path: Path) -> None:
    with Project.open(path) as study:
        study.people.add("cy", "curator", "curator")
        study.assigning.retire("cy", "curator")
    for step in (("scrub", path), ("normalize", path), ("approve", path, "--clean"), ("purge", path, "--yes")):
        done = cli(*step, "--as", "cy")
        assert (done.status, "has left the project" in done.err) == (1, True), step
    assert "13812345678" in cli("explain", path, "d1").out
    assert "13812345678" not in cli("explain", path, "d1", "--as", "cy").out


def test_an_empty_name_acts_for_nobody(cli: Cli, path: Path) -> None:
    assert cli("scrub", path, "--as", "").status == 2


def test_without_a_terminal_the_screen_is_refused(cli: Cli, path: Path) -> None:
    done = cli("review", path)
    assert done.status == 2
    assert "terminal" in done.err


def test_lists_of_a_file_are_used_and_counted(cli: Cli, path: Path, tmp_path: Path) -> None:
    file = tmp_path / "lists.toml"
    file.write_text(LISTS, encoding="utf-8")
    found = cli("scrub", path, "--lists", file, "--json").json
    assert found["lists"] == {"allow": 1, "deny": 0, "recognisers": 1}
    assert found["found"] == 2, "the telephone and the staff number, not the name"
    assert "王小明" not in cli("log", path).out
    file.write_text("allow = 3", encoding="utf-8")
    assert cli("scrub", path, "--lists", file).status == 1
    assert cli("scrub", path, "--lists", tmp_path / "none.toml").status == 1
    assert cli("review", path, "--json").json["lists"]["recognisers"] == 1, "refused lists change nothing"


def test_explain_tells_the_review_in_words(cli: Cli, path: Path) -> None:
    reviewed(path)
    out = cli("explain", path, "d1").out
    for words in (
        "identifiers reviewed by curator",
        "not releasable, says curator: 太私密",
        "turns read by curator: 1-6",
        "let stand in message 1 by curator: person, a public person, brand or place",
        "11 digits of a mainland mobile",
    ):
        assert words in out, words
    told = cli("explain", path, "d1", "--json").json["review"]
    assert told["done_by"] == "curator"
    assert told["waived"][0]["reason"] == "public"


def test_others_are_told_that_and_not_why(cli: Cli, path: Path) -> None:
    reviewed(path)
    told = cli("explain", path, "d1", "--as", "ann", "--json").json["review"]
    assert (told["not_releasable_by"], told["why"], told["waived"][0]["reason"]) == ("curator", None, None)
    out = cli("explain", path, "d1", "--as", "ann").out
    assert "13812345678" not in out
    assert "太私密" not in out


def test_the_log_says_each_step_in_words(cli: Cli, path: Path) -> None:
    reviewed(path)
    out = cli("log", path).out
    for words in (
        "turns 1-4, 6",
        "accepted: 3, rejected: 0",
        "message 1, characters 1 to 2: person",
        "message 3, characters 3 to 13",
        "identifiers reviewed",
        "said not releasable",
    ):
        assert words in out, words
