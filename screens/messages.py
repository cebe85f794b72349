"""What screens tell the app."""

from __future__ import annotations

from pathlib import Path

from textual.message import Message


class Wanted(Message):
    """Another screen is wanted, by its name; another project at `path`; another `person`; there, one `dialogue` (its uid)."""

    def __init__(
        self, screen: str, *, path: Path | None = None, person: str | None = None, dialogue: str | None = None
    ) -> None:
        super().__init__()
        self.screen = screen
        self.path = path
        self.person = person
        self.dialogue = dialogue
