"""The reject file of an import: every refused record with its line, its code, the reason and its own bytes.

It lies beside the project, not beside the source, which may be on a medium that cannot be written. It holds raw text, so
only its owner can read it. What an earlier import wrote is never overwritten by something else.
"""

from __future__ import annotations

import contextlib
import filecmp
import os
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from curation.model import Refusal
from workbench.output import encoded

_LONGEST = 200


class Rejects:
    """Collects refusals; `keep` gives them their name. What was not kept is gone when the block is left."""

    def __init__(self, project: Path, source: Path) -> None:
        self._folder = project.resolve().parent
        self._stem = _short(f"{project.stem}.{source.name}")
        self._draft: Path | None = None
        self._handle: BinaryIO | None = None

    def __enter__(self) -> Rejects:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handle is not None:
            self._handle.close()
        if self._draft is not None:
            with contextlib.suppress(OSError):
                self._draft.unlink()

    def add(self, refusal: Refusal) -> None:
        """Write one refusal."""
        if self._handle is None:
            self._draft = self._folder / f".{self._stem}.{os.getpid()}.rejects"
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            self._handle = open(os.open(self._draft, flags, 0o600), "wb")  # noqa: SIM115 - closed on leaving
        self._handle.write(
            encoded(
                {
                    "file": refusal.file,
                    "line": refusal.line,
                    "code": refusal.code,
                    "reason": refusal.reason,
                    "raw": refusal.raw,
                }
            )
        )

    def keep(self) -> Path | None:
        """Finish the file and return its path; None when nothing was refused."""
        if self._handle is None or self._draft is None:
            return None
        self._handle.close()
        number = 1
        while True:
            counter = "" if number == 1 else f".{number}"
            place = self._folder / f"{self._stem}{counter}.rejects.jsonl"
            if not place.exists():
                os.replace(self._draft, place)
                self._draft = None
                return place
            if place.is_file() and filecmp.cmp(self._draft, place, shallow=False):
                return place
            number += 1


def _short(name: str) -> str:
    """`name` without what a terminal would act on, short enough to get an ending (file systems take 255 bytes)."""
    printable = "".join(c if c.isprintable() else "_" for c in name)
    return printable.encode("utf-8")[:_LONGEST].decode("utf-8", "ignore")
