"""The only writer to standard error: what was refused and why, progress, and the word after a crash.

Values never get into a crash report: an exception's message can hold the very text it stumbled over.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

    import click

    from curation.errors import WorkbenchError

T = TypeVar("T")
INTERRUPTED = 130
_SECONDS_BETWEEN = 0.2


def tell(text: str) -> None:
    """Write one line."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text + "\n")
            sys.stderr.flush()


def note(template: str, /, **params: object) -> None:
    """Write `template` in the reader's language, filled in."""
    from workbench.words import sentence

    tell(sentence(template, params))


def report(error: WorkbenchError, about: str = "") -> int:
    """Say what was refused and what to do, in one line, of what it is `about`. Returns the exit status."""
    from workbench.words import safe, sentence

    tell((f"{safe(about)}: " if about else "") + sentence(error.template, error.params))
    return error.exit_status


def misuse(error: click.ClickException) -> int:
    """Say how the command is called, and what was wrong with this call. Returns the exit status."""
    error.show(file=sys.stderr)
    return error.exit_code


def interrupted() -> int:
    """Say that the user stopped it. Returns the exit status."""
    from curation.errors import N_

    if sys.stderr is not None and sys.stderr.isatty():
        tell("")  # the terminal has shown ^C on this line
    note(N_("stopped; what was finished before is kept"))
    return INTERRUPTED


# What SQLite calls the troubles of a disk or of a file, not of a program; their names hold no value.
_TROUBLES = ("FULL", "IOERR", "READONLY", "BUSY", "LOCKED", "CORRUPT", "NOTADB", "CANTOPEN", "PERM")


def trouble(error: BaseException) -> str | None:
    """What the system or the disk refused, when that is what `error` is about; else None."""
    if isinstance(error, OSError):
        return error.strerror
    name = str(getattr(error, "sqlite_errorname", "")).removeprefix("SQLITE_")
    return name if name.startswith(_TROUBLES) else None


def hindered(reason: str) -> int:
    """Say that the system refused something. Returns the exit status."""
    from curation.errors import N_

    note(
        N_("the system refused ({reason}): look at the disk and the permissions; nothing half done was kept"),
        reason=reason,
    )
    return 1


def crashed(error: BaseException) -> int:
    """Say that the program failed, in one line, and keep type and frames in a private file. Returns the exit status."""
    from curation.errors import N_

    kind = type(error).__name__
    place = keep_frames(error)
    if place is None:
        note(N_("a mistake in the program stopped it ({kind}); nothing half done was kept"), kind=kind)
    else:
        note(
            N_("a mistake in the program stopped it ({kind}); nothing half done was kept; where it happened: {place}"),
            kind=kind,
            place=place,
        )
    return 1


def frames(error: BaseException) -> str:
    """The types of `error` and its causes, and where they were raised: no message, no value, no line of source."""
    import traceback

    parts: list[str] = []
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        parts.append(type(one).__qualname__)
        parts += [f"  {f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(one.__traceback__)]
        one = one.__cause__ or one.__context__
    return "\n".join(parts) + "\n"


def crash_files() -> list[Path]:
    """The crash file of this user, where there is one."""
    place = _crash_file()
    return [place] if place.is_file() else []


def _crash_file() -> Path:
    from platformdirs import user_log_path

    return user_log_path("dialogue-workbench", appauthor=False) / "crash.txt"


def keep_frames(error: BaseException) -> Path | None:
    """Append the frames of `error` to the crash file of this user (mode 0600). Returns its path, None without one."""
    try:
        place = _crash_file()
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w", encoding="utf-8") as handle:
            handle.write(time.strftime("%Y-%m-%dT%H:%M:%SZ ", time.gmtime()) + frames(error))
    except Exception:
        return None
    return place


def counted(items: Iterable[T], label: str) -> Iterator[T]:
    """Pass `items` on, showing how many there were on a terminal; says nothing into a pipe."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    shown = time.monotonic()
    count = 0
    try:
        for item in items:
            count += 1
            if time.monotonic() - shown >= _SECONDS_BETWEEN:
                shown = time.monotonic()
                sys.stderr.write(f"\r{label} {count}\x1b[K")
                sys.stderr.flush()
            yield item
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


@contextlib.contextmanager
def busy(label: str) -> Iterator[None]:
    """Show `label` on a terminal while something long runs; says nothing into a pipe."""
    on = sys.stderr is not None and sys.stderr.isatty()
    if on:
        sys.stderr.write(f"\r{label} …")
        sys.stderr.flush()
    try:
        yield
    finally:
        if on:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
