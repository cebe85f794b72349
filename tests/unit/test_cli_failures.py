"""What is said when something fails that nobody planned for: one line, no value, the right exit status."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curation.errors import BadInput, UsageError, WorkbenchError
from screens.locale import use
from workbench import diagnostics, filters
from workbench.cli import main

Failing = Callable[[BaseException], tuple[int, str]]


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Failing]:
    """Runs a command that raises; gives back the exit status and what was said."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    mask = os.umask(0o022)

    def run(error: BaseException) -> tuple[int, str]:
        def fail(_: object) -> int:
            raise error

        monkeypatch.setattr(filters, "run", fail)
        status = main(["text", "pii"])
        out, err = capsys.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1
        return status, err

    yield run
    os.umask(mask)
    use("en")


def test_an_unexpected_failure_shows_no_value(failing: Failing) -> None:
    error = ValueError("secret 13912345678")
    error.__cause__ = KeyError("secret")
    status, said = failing(error)
    assert status == 1
    assert "ValueError" in said
    assert "secret" not in said
    crash = Path(said.rsplit(" ", 1)[1].strip())
    assert stat.S_IMODE(crash.stat().st_mode) == 0o600
    kept = crash.read_text(encoding="utf-8")
    assert "secret" not in kept
    assert "KeyError" in kept
    assert "text.py" in kept


def test_a_crash_file_that_cannot_be_written_is_no_second_failure(
    failing: Failing, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    status, said = failing(RuntimeError("secret"))
    assert status == 1
    assert "RuntimeError" in said
    assert "crash.txt" not in said


@pytest.mark.parametrize(
    "error",
    [OSError(28, "No space left on device", "/secret"), sqlite3.OperationalError("database or disk is full: secret")],
)
def test_a_full_disk_is_told_as_such(failing: Failing, error: Exception, tmp_path: Path) -> None:
    if isinstance(error, sqlite3.Error):
        error.sqlite_errorname = "SQLITE_FULL"
    status, said = failing(error)
    assert status == 1
    assert "disk" in said
    assert "secret" not in said
    assert not list(tmp_path.rglob("crash.txt"))


@pytest.mark.parametrize(
    ("error", "status"),
    [(BadInput("bad {what}", what="\x1b[31m\n"), 1), (UsageError("wrong"), 2), (WorkbenchError("x"), 1)],
)
def test_a_refusal_is_one_line_with_its_status(failing: Failing, error: WorkbenchError, status: int) -> None:
    found, said = failing(error)
    assert found == status
    assert "\x1b" not in said


def test_an_interrupt_exits_with_130(failing: Failing) -> None:
    assert failing(KeyboardInterrupt())[0] == 130


def test_progress_shows_on_a_terminal_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnostics, "_SECONDS_BETWEEN", 0)
    assert list(diagnostics.counted(range(3), "x")) == [0, 1, 2]
    with diagnostics.busy("y"):
        pass
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert list(diagnostics.counted(range(3), "x")) == [0, 1, 2]
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.endswith("\r\x1b[K")
    assert "x 3" in shown.err
