"""Before the interface starts: is this a terminal it can work in? And what must be set before Textual is imported."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Literal, TextIO

from curation.errors import N_, UsageError

Start = Literal["home", "screening", "scoring", "expert", "review", "dispute", "raised", "live"]


def check(stdin: TextIO | None, stderr: TextIO | None, environ: MutableMapping[str, str]) -> None:
    """Refuse (UsageError) what the interface cannot work in: no terminal, a dumb one, one that does not speak UTF-8."""
    if stdin is None or stderr is None or not stdin.isatty() or not stderr.isatty():
        raise UsageError(
            N_("the interface needs a terminal for input and output; commands with --help work without one"),
            "no_terminal",
        )
    if environ.get("TERM", "") in ("", "dumb") and sys.platform != "win32":
        raise UsageError(
            N_("this terminal (TERM={term}) cannot show the interface; try TERM=xterm"),
            "dumb_terminal",
            term=environ.get("TERM", ""),
        )
    if (stderr.encoding or "").lower().replace("-", "").replace("_", "") not in ("utf8", "utf8sig"):
        raise UsageError(
            N_("this terminal does not speak UTF-8 (终端编码不是 UTF-8) but {encoding}; try LC_ALL=C.UTF-8"),
            "not_utf8",
            encoding=stderr.encoding or "?",
        )


def prepare(environ: MutableMapping[str, str]) -> None:
    """Set what Textual reads once, at its import.

    iTerm2 does not send what a Chinese input method commits when all keys are asked for as escape codes.
    """
    if environ.get("TERM_PROGRAM") == "iTerm.app" and "TMUX" not in environ:
        environ.setdefault("TEXTUAL_DISABLE_KITTY_KEY", "1")


def open_interface(path: Path | None, person: str = "curator", lang: str | None = None, start: Start = "home") -> int:
    """Run the interface until it is left. Returns the exit status. Raises what `check`, the key file or the project refuse."""
    check(sys.__stdin__, sys.__stderr__, os.environ)
    prepare(os.environ)
    # What is loaded at the start stays for good: going through it for garbage would hold the first screen up. The app
    # turns the collector on once that is painted, and keeps it from what was there before.
    gc.disable()
    try:
        from workbench.app import WorkbenchApp

        app = WorkbenchApp(path, person, lang, start)
        app.run(mouse=False)
    finally:
        gc.enable()
    if app.terminal_gone:
        # Nobody reads what Python would flush at its end, and trying would change the exit status.
        sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    return app.return_code or 0
