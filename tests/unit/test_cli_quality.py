"""`workbench rewrite`, `send-back`, `trim --json` and what `explain` tells of them, in both languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from db.project import Project
from tests.conftest import agree, bring, dialogue, staff
from workbench.cli import main

TEXTS = ["在嗎１２", "你說ＡＢ", "我的电话13812345678記下了", "嗯\u3000嗯", "這裡見", "行３"]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Project.create(tmp_path / "p.workbench") as made:
        bring(made, [dialogue("d1", TEXTS), dialogue("d2", turns=12)])
        staff(made, 0)
        uids = [made.dialogues.find(n).uid for n in ("d1", "d2")]
        agree(made, uids)
        made.findings.scrub([made.dialogues.key(u) for u in uids], "curator", 0.0)
        made.quality.normalise("curator")
        made.people.add("eve", "curator", "curator")
    return tmp_path / "p.workbench"


@pytest.fixture
def run(path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def run(*words: str) -> tuple[int, str, str]:
        status = main([words[0], str(path), *words[1:]])
        out = capfd.readouterr()
        return status, out.out, out.err

    return run


def told(run: Run, *words: str) -> dict[str, Any]:
    status, out, _ = run(*words, "--json")
    assert status == 0
    found = json.loads(out)
    assert isinstance(found, dict)
    return found


def test_a_message_is_rewritten_and_signed(run: Run) -> None:
    made = told(run, "rewrite", "d1", "--message", "2", "--text", "你说的对", "--reason", "garbled")
    assert (made["changed"], made["unsigned"], made["share"]) == (True, True, 0.5)
    assert told(run, "approve", "--clean")["open"] == {"unsigned_rewriting": 1}
    status, _, err = run("rewrite", "d1", "--message", "2", "--sign", "--lang", "en")
    assert (status, "someone else has to sign it" in err) == (1, True)
    assert told(run, "rewrite", "d1", "--message", "2", "--sign", "--as", "eve")["signed_by"] == "eve"
    assert told(run, "approve", "--clean") == {"approved": 1, "open": {}, "dialogues": {}, "not_normalised": 0}
    assert not told(run, "rewrite", "d1", "--message", "2", "--text", "你说的对", "--reason", "other")["changed"]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--message", "2"], 2),
        (["--message", "2", "--text", "好"], 2),
        (["--message", "2", "--text", "好", "--reason", "because"], 2),
        (["--message", "2", "--text", "好", "--reason", "other", "--sign"], 2),
        (["--message", "0", "--text", "好", "--reason", "other"], 2),
        (["--message", "7", "--text", "好", "--reason", "other"], 1),
        (["--message", "2", "--text", "打13912345678", "--reason", "other"], 1),
        (["--message", "2", "--text", "好", "--reason", "other", "--as", "ann"], 1),
    ],
)
def test_what_cannot_be_is_refused(run: Run, words: list[str], status: int) -> None:
    found, out, err = run("rewrite", "d1", *words)
    assert (found, out) == (status, "")
    assert err


def test_a_dialogue_is_sent_back_with_a_note(run: Run) -> None:
    assert run("send-back", "d1", "--note", "  ")[0] == 2
    assert told(run, "send-back", "d1", "--note", "看不出反话") == {"id": "d1", "stage": "disputed"}
    assert run("send-back", "d1", "--note", "又")[0] == 1
    assert "看不出反话" in run("explain", "d1")[1]
    assert run("explain", "d1")[1].count("看不出反话") == 1, "told once"
    assert "看不出反话" in run("explain", "d1", "--as", "ann")[1], "and who decides again reads it"
    note = told(run, "explain", "d1", "--as", "ann")["sent_back"]
    assert note["text"] == "看不出反话"
    assert note["person"]
    assert told(run, "explain", "d2")["sent_back"] is None


def test_proposals_have_a_score_and_a_reason_for_each_kept_turn(run: Run) -> None:
    (one,) = told(run, "trim", "--max-turns", "8")["proposals"]
    assert (one["id"], one["turns_before"], one["turns_after"], one["last_turn_whole"]) == ("d2", 12, 8, True)
    assert one["kept"][-1] == 12
    assert set(one["scores"]) == set(one["reasons"]) == {str(turn) for turn in one["kept"]}
    assert told(run, "status")["stages"]["agreed"] == 2
    assert told(run, "explain", "d2")["story"]["cuts"] == []


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_explain_tells_the_story_of_a_text(run: Run, path: Path, lang: str) -> None:
    told(run, "trim", "--max-turns", "8", "--accept")
    ref = told(run, "rewrite", "d1", "--message", "1", "--text", "在么12", "--reason", "garbled")["entry"]
    told(run, "rewrite", "d1", "--message", "2", "--text", "你说AC", "--reason", "readable")
    assert run("log", "--undo", ref)[0] == 0
    told(run, "approve", "--clean")
    _, out, _ = run("explain", "d1", "--lang", lang)
    lines = out.splitlines()
    words = {
        "en": ("identifier out (phone): 13812345678 >", "normalised (width): １２ > 12 – curator", "taken back by curator",
               "rewritten (cannot be read as it stands", "approved by curator"),
        "zh": ("去个人信息（电话）：13812345678 >", "规范化", "撤回", "改写（读不懂", "通过质检"),
    }[lang]  # fmt: skip
    for wanted in words:
        assert any(wanted in line for line in lines), wanted
    at = next(n for n, line in enumerate(lines) if line.endswith(": 在嗎１２"))
    assert lines[at + 1].startswith("      "), "what became of a message stands below it"
    _, out, _ = run("explain", "d2", "--lang", lang)
    assert ("as proposed" in out) == (lang == "en")
    assert ("照建议" in out) == (lang == "zh")


def test_others_are_told_no_story(run: Run) -> None:
    assert told(run, "explain", "d1", "--as", "ann")["story"] is None
    _, out, _ = run("explain", "d1", "--as", "ann")
    assert "13812345678" not in out
