"""The interface in a real pseudo-terminal: bytes, signals, crashes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.work import Answer, Draft
from db.project import Project
from tests.terminal.ptydriver import START, Terminal, foreign

pytestmark = pytest.mark.terminal
Make = Callable[..., Path]

LEAVES_ALT_SCREEN = b"\x1b[?1049l"
SHOWS_CURSOR = b"\x1b[?25h"


def restored(output: bytes) -> bool:
    """The terminal was given back: main screen, cursor shown, after everything else."""
    return output.rfind(LEAVES_ALT_SCREEN) > output.rfind(b"\x1b[?1049h") and output.rfind(SHOWS_CURSOR) > 0


def test_hostile_text_sends_nothing_of_its_own_to_the_terminal(make: Make, tmp_path: Path) -> None:
    path = make(hostile=True)
    with Terminal(path, home=tmp_path, rows=40, columns=120) as terminal:
        terminal.wait_for("last turn")
        terminal.send("r")
        terminal.read(0.3)
        terminal.send(b"\x1b[200~\xe4\xbd\xa0\x1b[31m\x1b]52;c;aGk=\x07\xc2\x9b\xe2\x80\xae\x1b[201~")
        terminal.read(0.5)
        terminal.send(b"\x1b")
        terminal.read(0.4)
        for key in ("k", "?", "\x1b", "v", "\x1b", "s", "\x1b", "q"):
            terminal.send(key)
            got = terminal.read(0.4)
        assert b"candidate" in got
        terminal.send(b"\x11")
        assert terminal.end() == 0
        assert foreign(terminal.output) == []
        assert restored(terminal.output)


def test_gbk_bytes_neither_kill_nor_decide(make: Make, tmp_path: Path) -> None:
    path = make()
    with Terminal(path, home=tmp_path) as terminal:
        terminal.wait_for("not answered yet")
        got = b""
        for data in ("你好".encode("gbk"), b"\xff", b"\x81k", b"\xe4\xbd", "一丁".encode("gbk")):
            terminal.send(data)
            got += terminal.read(0.3)
        assert b"does not send UTF-8" in got
        terminal.send("d")
        terminal.wait_for("Answer: drop")
        terminal.send(b"\x11")
        assert terminal.end() == 0
    with Project.open(path) as project:
        assert project.screening.progress("ann").decided == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_restores_the_terminal_saves_and_says_which(
    make: Make, tmp_path: Path, number: signal.Signals
) -> None:
    path = make()
    with Terminal(path, home=tmp_path) as terminal:
        terminal.wait_for("not answered yet")
        terminal.send("12r")
        terminal.wait_for("writing")
        terminal.send("半句")
        terminal.read(0.3)
        terminal.signal(number)
        assert terminal.end() == 128 + number
        assert restored(terminal.output)
    with Project.open(path) as project:
        task = project.screening.task("ann")
        assert task is not None
        assert task.draft == Draft(True, "irony", "半句")


def test_a_closed_terminal_ends_the_program(make: Make, tmp_path: Path) -> None:
    path = make()
    with Terminal(path, home=tmp_path) as terminal:
        terminal.wait_for("not answered yet")
        terminal.send("d")
        terminal.wait_for("Answer: drop")
        terminal.hang_up()
        assert terminal.end() == 128 + signal.SIGHUP
    with Project.open(path) as project:
        task = project.screening.task("ann")
        assert task is not None
        assert task.draft == Draft(False, "", "")


def test_killed_while_writing_it_comes_back_to_the_same_words(make: Make, tmp_path: Path) -> None:
    path = make()
    with Terminal(path, home=tmp_path) as terminal:
        terminal.wait_for("not answered yet")
        terminal.send("d\r")
        terminal.wait_for("1 of 6")
        time.sleep(0.3)
        terminal.send("n")
        terminal.read(0.3)
        terminal.send("41r")
        terminal.wait_for("writing")
        for character in "写到一":
            terminal.send(character)
            terminal.read(0.05)
        terminal.read(0.25)
        os.kill(terminal.pid, signal.SIGKILL)
        assert terminal.end() == -signal.SIGKILL
    with Terminal(path, home=tmp_path) as terminal:
        got = terminal.wait_for("写到一")
        assert b"Value Test" in got
        terminal.send("\x1b")
        terminal.read(0.4)
        terminal.send("e")
        terminal.read(0.2)
        terminal.send("\x11")
        assert terminal.end() == 0
    with Project.open(path) as project:
        assert project.screening.progress("ann").decided == 1
        task = project.screening.task("ann")
        assert task is not None
        assert task.draft == Draft(True, "value_test", "写到一")


def test_a_crash_shows_no_text_and_ends_with_one(make: Make, tmp_path: Path) -> None:
    path = make()
    code = (
        "import screens.screening as s\n"
        "def boom(self):\n"
        "    secret = self.desk.task.stored.dialogue.messages[0].text\n"
        "    raise ValueError('SECRET ' + secret)\n"
        "s.ScreeningScreen.action_guideline = boom\n" + START
    )
    with Terminal(path, home=tmp_path, code=code) as terminal:
        terminal.wait_for("not answered yet")
        terminal.send("12")
        terminal.wait_for("Irony")
        before = len(terminal.output)
        terminal.send("v")
        assert terminal.end() == 1
        told = terminal.output[before:]
        told = told[told.rfind(LEAVES_ALT_SCREEN) :]
        assert b"ValueError" in told
        assert b"SECRET" not in told
        assert "第0段".encode() not in told
        assert restored(terminal.output)
    with Project.open(path) as project:
        task = project.screening.task("ann")
        assert task is not None
        assert task.draft == Draft(True, "irony", "")


def test_stopped_and_continued_it_paints_again(make: Make, tmp_path: Path) -> None:
    path = make()
    with Terminal(path, home=tmp_path) as terminal:
        terminal.wait_for("not answered yet")
        terminal.send(b"\x1a")
        terminal.read(0.8)
        terminal.signal(signal.SIGCONT)
        terminal.wait_for("not answered yet")
        terminal.send("d")
        terminal.wait_for("drop")
        terminal.send(b"\x11")
        assert terminal.end() == 0


def test_a_held_key_and_a_raw_paste_decide_one_dialogue_at_most(make: Make, tmp_path: Path) -> None:
    path = make()
    with Terminal(path, home=tmp_path) as terminal:
        terminal.wait_for("not answered yet")
        terminal.send("d\rd\rd\rd\rd\rd\r")
        terminal.wait_for("Pasted text was ignored")
        terminal.send("d")
        terminal.read(0.3)
        for _n in range(30):
            terminal.send("\r")
            terminal.read(0.033)
        terminal.send("\x11")
        assert terminal.end() == 0
    with Project.open(path) as project:
        assert project.screening.progress("ann").decided == 1
        task = project.screening.task("ann", 1)
        assert task is not None
        assert task.answer == Answer(False, "", "")


def test_iterm_gets_no_kitty_keys(make: Make, tmp_path: Path) -> None:
    path = make()
    for environ, asked in (({"TERM_PROGRAM": "iTerm.app"}, False), ({}, True)):
        with Terminal(path, home=tmp_path, env=environ) as terminal:
            terminal.wait_for("not answered yet")
            assert (b"\x1b[>25u" in terminal.output) is asked
            terminal.send("\x11")
            assert terminal.end() == 0


def test_no_colour_is_sent_where_none_is_wanted(make: Make, tmp_path: Path) -> None:
    import re

    path = make()
    with Terminal(path, home=tmp_path, env={"NO_COLOR": "1"}) as terminal:
        terminal.wait_for("not answered yet")
        terminal.send("12")
        terminal.wait_for("Irony")
        terminal.send("\x11")
        assert terminal.end() == 0
        colours = re.findall(rb"\x1b\[[0-9;]*\b(?:3[0-7]|4[0-7]|[34]8;[25][0-9;]*)m", terminal.output)
        assert colours == []


def test_the_first_picture_holds_the_dialogue(make: Make, tmp_path: Path) -> None:
    with Terminal(make(), home=tmp_path) as terminal:
        terminal.wait_for("last turn")
        if b"? help" not in terminal.output:  # most often it came with the rest
            terminal.wait_for("? help")
        # Painted from top to bottom: a dialogue that came in a second picture would come after the key bar.
        assert 0 < terminal.output.index("第0段第0句".encode()) < terminal.output.index(b"? help")
