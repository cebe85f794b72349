"""What screens tell the app."""

from __future__ import annotations

from pathlib import Path

from textual.message import Message


class Wanted(Message):
    """Another screen is wanted: `home`, `screening` or `text`; another project at `path`; another `person`."""

    def __init__(self, screen: str, *, path: Path | None = None, person: str | None = None) -> None:
        super().__init__()
        self.screen = screen
        self.path = path
        self.person = person
