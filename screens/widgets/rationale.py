"""The box for the rationale: a text area that keeps what is typed, odd characters included."""

from __future__ import annotations

import re

from rich.text import Text
from textual import events
from textual.widgets import TextArea

# Characters that the text area would take for line ends, or hand to the terminal. While they are in the box each is held
# as a private character of one cell, and comes back as itself.
_HELD = re.compile("[\x00-\x08\t\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_BACK = re.compile("[\U000f0000-\U000f20ff]")
_PRIVATE = 0xF0000


def into_box(text: str) -> str:
    """Text as the box holds it: every line ends with \\n, and nothing in it acts."""
    return _HELD.sub(lambda m: chr(_PRIVATE + ord(m.group())), text)


def out_of_box(held: str) -> str:
    """The text that a person wrote."""
    return _BACK.sub(
        lambda m: c if _HELD.fullmatch(c := chr(ord(m.group()) - _PRIVATE)) else m.group(),
        held,
    )


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group()) - _PRIVATE
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"


class Rationale(TextArea):
    """A text area whose keys are handled in the order they came, before the next key is looked at."""

    def __init__(self, ident: str) -> None:
        super().__init__(id=ident, compact=True, highlight_cursor_line=False, show_line_numbers=False)

    @property
    def written(self) -> str:
        """The text as typed."""
        return out_of_box(self.text)

    def put(self, text: str) -> None:
        """Fill the box; the cursor goes to the end."""
        if self.written != text:
            self.load_text(into_box(text))
        self.move_cursor(self.document.end)

    def get_line(self, line_index: int) -> Text:
        """A line as it is painted: what is held shows as its picture, of the same width."""
        return Text(_BACK.sub(_picture, self.document.get_line(line_index)), end="", no_wrap=True)

    async def take(self, event: events.Key) -> bool:
        """Type a key into the box. False when it is no key that types."""
        if event.key != "enter" and not event.is_printable:
            return False
        await self._on_key(event)
        return True

    async def _on_paste(self, event: events.Paste) -> None:
        """Pasted line ends become those that Enter makes; everything else stays."""
        event.prevent_default()
        event.stop()
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        if result := self._replace_via_keyboard(into_box(text), *self.selection):
            self.move_cursor(result.end_location)
