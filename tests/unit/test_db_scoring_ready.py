"""Only what may be scored is handed out: systems that are complete or let pass, and no reply with an open flag."""

from __future__ import annotations

import json

import pytest

from db.project import Project
from tests.asked import sampled, take, written
from tests.conftest import Make
from tests.scoring import SCORERS
from tests.unit.test_cli_commands import Cli
from tests.unit.test_cli_commands import cli as cli

TOO_LONG = "这一句回复长得谁也读不完" * 8


@pytest.fixture
def study(project: Make) -> Project:
    """Three dialogues; `good` answered all, of `short` one direct reply is missing, of `long` one CoT reply is flagged."""
    made = project()
    sampled(made, 3, ("good", "short", "long"))
    cot, direct = written(made, "cot", reply="先想"), written(made, "direct", reply="直接")
    for system in ("good", "short", "long"):
        first, *rest = cot
        lines = [first.__class__(1, first.id, {**dict(first.content), "reply": TOO_LONG}), *rest]  # type: ignore[arg-type]
        take(made, lines if system == "long" else cot, system)
        take(made, direct[1:] if system == "short" else direct, system)
    for name in SCORERS:
        made.people.add(name, "annotator", "curator")
    return made


def handed(study: Project) -> dict[str, int]:
    """System -> how many items of it are handed out."""
    return dict(study._db.execute("SELECT system, count(DISTINCT dialogue) FROM score_key GROUP BY system").fetchall())


def out(study: Project) -> list[tuple[str, str, int, int]]:
    return [(one.system, one.mode, one.missing, one.flagged) for one in study.scoring.left_out()]


def test_only_ready_systems_are_handed_out_and_the_others_are_told(study: Project) -> None:
    study.scoring.assign("curator", SCORERS)
    assert handed(study) == {"good": 3}
    assert out(study) == [("long", "cot", 0, 1), ("short", "direct", 1, 0)]


def test_what_a_curator_lets_pass_is_handed_out(study: Project) -> None:
    study.replies.waive("curator", "long", "cot", "看过了")
    study.replies.waive("curator", "short", "direct", "来不了了", flags=["missing"])
    assert out(study) == []
    study.scoring.assign("curator", SCORERS)
    assert handed(study) == {"good": 3, "long": 3, "short": 2}, "without its direct reply a CoT reply is no item"


def test_a_reply_to_a_text_that_is_another_now_is_not_handed_out(study: Project) -> None:
    from tests.conftest import tampering

    with tampering(study.path) as db:
        db.execute("UPDATE reply SET text_hash = 'before' WHERE system = 'good' AND mode = 'cot' AND dialogue = 1")
    assert out(study)[0] == ("good", "cot", 0, 1)
    assert set(study.scoring.assign("curator", SCORERS).values()) == {0}
    study.replies.waive("curator", "good", "cot", "改动不大", flags=["stale"])
    study.scoring.assign("curator", SCORERS)
    assert handed(study) == {"good": 3}


def test_an_ablation_is_ready_or_not_by_itself(study: Project) -> None:
    take(study, written(study, "cot-cause", reply="没有原因"), "good")
    take(study, written(study, "cot-emotion", reply="没有情绪")[1:], "good")
    study.scoring.assign("curator", SCORERS)
    modes = dict(study._db.execute("SELECT mode, count(DISTINCT dialogue) FROM score_key GROUP BY mode").fetchall())
    assert modes == {"pair": 3, "cot-cause": 3}
    assert ("good", "cot-emotion", 1, 0) in out(study)


def test_the_command_hands_out_the_good_part_and_says_what_it_left(study: Project, cli: Cli) -> None:
    study.close()
    words = ["assign", study.path, "scoring", "--to", ",".join(SCORERS), "--lang", "en"]
    done = cli(*words)
    assert done.status == 1
    assert "short is left out of scoring: in direct, missing 1, flagged 0" in done.err
    assert "long is left out of scoring: in cot, missing 0, flagged 1" in done.err
    assert "good" not in done.err
    with Project.open(study.path) as again:
        assert handed(again) == {"good": 3}
        again.replies.waive("curator", "long", "cot", "看过了")
        again.replies.waive("curator", "short", "direct", "来不了了", flags=["missing"])
    done = cli(*words, "--json")
    assert done.status == 0
    assert json.loads(done.out)["left_out"] == []
