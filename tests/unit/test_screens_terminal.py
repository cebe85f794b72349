"""What is checked and set before the interface starts."""

from __future__ import annotations

import io

import pytest

from curation.errors import UsageError
from workbench.terminal import check, prepare


class Tty(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def tty(encoding: str = "utf-8") -> Tty:
    return Tty(io.BytesIO(), encoding=encoding)


def test_a_good_terminal_passes() -> None:
    check(tty(), tty(), {"TERM": "xterm"})


@pytest.mark.parametrize(
    ("stdin", "stderr", "term", "code"),
    [
        (io.StringIO(), tty(), "xterm", "no_terminal"),
        (tty(), io.StringIO(), "xterm", "no_terminal"),
        (None, None, "xterm", "no_terminal"),
        (tty(), tty(), "dumb", "dumb_terminal"),
        (tty(), tty(), "", "dumb_terminal"),
        (tty(), tty("gbk"), "xterm", "not_utf8"),
        (tty(), tty("ascii"), "xterm", "not_utf8"),
    ],
)
def test_what_cannot_work_is_refused(stdin: io.TextIOBase, stderr: io.TextIOBase, term: str, code: str) -> None:
    with pytest.raises(UsageError) as refused:
        check(stdin, stderr, {"TERM": term})  # type: ignore[arg-type]
    assert refused.value.code == code
    assert refused.value.exit_status == 2


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({"TERM_PROGRAM": "iTerm.app"}, "1"),
        ({"TERM_PROGRAM": "iTerm.app", "TEXTUAL_DISABLE_KITTY_KEY": "0"}, "0"),
        ({"TERM_PROGRAM": "iTerm.app", "TMUX": "x"}, None),
        ({"TERM_PROGRAM": "WezTerm"}, None),
    ],
)
def test_kitty_keys_are_off_in_iterm_alone(environ: dict[str, str], wanted: str | None) -> None:
    prepare(environ)
    assert environ.get("TEXTUAL_DISABLE_KITTY_KEY") == wanted
