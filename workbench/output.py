"""The only writer to standard output: sentences, tables, JSON. Nothing else is ever said there.

What people read goes through the display boundary; JSON goes out as UTF-8 whatever the terminal's encoding is.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO, TextIO


def prepare() -> None:
    """Make writing Chinese to a terminal or pipe of another encoding show escapes instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def finish() -> None:
    """Flush, and forget what a closed pipe cannot take, so that the interpreter does not complain at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (BrokenPipeError, ValueError):
            _silence(stream)


def _silence(stream: TextIO) -> None:
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def line(text: str = "") -> None:
    """Write one line that is safe already (a translated sentence)."""
    sys.stdout.write(text + "\n")


def flush() -> None:
    """Let what was written so far be seen."""
    sys.stdout.flush()


def say(template: str, /, **params: object) -> None:
    """Write `template` in the reader's language, filled in."""
    from workbench.words import sentence

    line(sentence(template, params))


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table: translated `heads`, then `rows`. Columns of numbers stand to the right."""
    from workbench.words import safe

    cells = [[safe(str(value)) for value in row] for row in rows]
    numeric = [all(_is_number(row[i]) for row in cells) for i in range(len(heads))]
    widths = [max(map(width, column)) for column in zip(heads, *cells, strict=True)]
    for row in [list(heads), *cells]:
        parts = [
            " " * (size - width(text)) + text if right else text + " " * (size - width(text))
            for text, size, right in zip(row, widths, numeric, strict=True)
        ]
        line("  ".join(parts).rstrip())


def _is_number(text: str) -> bool:
    return text in ("", "-") or text.replace(".", "", 1).isdigit()


def width(text: str) -> int:
    """How many terminal cells `text` takes: two for a wide character, none for a combining one."""
    import unicodedata

    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def plain(value: Any) -> Any:
    """`value` as JSON can hold it: reports as objects by field name, paths as strings."""
    import dataclasses  # like the other imports within functions here: `--help` must not pay for them

    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v) for v in value]
    if isinstance(value, str):
        return str(value)
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def encoded(value: object) -> bytes:
    """One JSON object on one line, as UTF-8. A surrogate on its own, which UTF-8 has no form for, is written as its escape."""
    import json

    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def json(value: object) -> None:
    """Write one JSON object."""
    raw(encoded(plain(value)))


def raw(data: bytes) -> None:
    """Write bytes as they are, in order with everything written before."""
    sys.stdout.flush()
    buffer: BinaryIO | None = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode("utf-8"))
    else:
        buffer.write(data)
        buffer.flush()
