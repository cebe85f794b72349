"""Scoring and the expert's desk in a real pseudo-terminal: killed at any moment, nothing is lost; the title tells nothing."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from db.project import Project
from tests.terminal.ptydriver import Terminal
from tests.tui.scored import EXPERT, SYSTEMS, expert_project, scoring_project

pytestmark = pytest.mark.terminal


def test_killed_in_the_middle_of_an_item_one_comes_back_to_the_same_line(tmp_path: Path) -> None:
    path = scoring_project(tmp_path / "p.wb", 2)
    with Terminal(path, home=tmp_path, start="scoring") as terminal:
        terminal.wait_for("Reply 1: 1 = 0")
        terminal.send("2")
        terminal.wait_for("Reply 2: 1 = 0")
        terminal.send("3")
        terminal.wait_for("Complete")
        terminal.send("\r")
        terminal.wait_for("Motivation: 1 = 0")
        terminal.send("1")
        terminal.wait_for("Cause: 1 = 0")
        terminal.signal(signal.SIGKILL)
        assert terminal.end() == -signal.SIGKILL
        titles = re.findall(rb"\x1b\][012];([^\x07\x1b]*)", terminal.output)
        assert not any(name.encode() in title for name in SYSTEMS for title in titles)
        assert not any(name.encode() in terminal.output for name in SYSTEMS[:2])
    with Project.open(path) as project:
        task = project.scoring.task("ann")
        assert task is not None
        assert dict(task.marks.scores) == {"reply_1": 5, "reply_2": 10, "motivation": 0}
        assert not project.check()
    with Terminal(path, home=tmp_path, start="scoring") as terminal:
        terminal.wait_for("Cause: 1 = 0")
        # The same again by full-width digits, as an input method sends them.
        terminal.send("３")
        terminal.wait_for("Emotion: 1 = 0")
        terminal.send(b"\x11")
        assert terminal.end() == 0


def test_an_expert_killed_while_writing_finds_every_character(tmp_path: Path) -> None:
    path = expert_project(tmp_path / "p.wb")
    with Terminal(path, EXPERT, home=tmp_path, start="expert") as terminal:
        terminal.wait_for("Enter writes")
        terminal.send("\r")
        terminal.wait_for("Esc leaves")
        terminal.send("我也在等你一起走")  # committed at once by an input method
        terminal.wait_for("8 of 15 characters")
        terminal.signal(signal.SIGKILL)
        terminal.end()
    with Terminal(path, EXPERT, home=tmp_path, start="expert") as terminal:
        terminal.wait_for("我也在等你一起走")
        terminal.send("r")
        terminal.wait_for("Esc leaves")
        terminal.send("\x1b[200~贴\x1b[201~")
        terminal.wait_for("(pasted)")
        terminal.send(b"\x11")
        assert terminal.end() == 0
    with Project.open(path) as project:
        task = project.expert.task(EXPERT)
        assert task is not None
        assert task.part("direct").texts == {"reply": "我也在等你一起走贴"}
        assert task.part("direct").pasted == {"reply"}
