"""The box for the rationale: a text area that keeps what is typed, odd characters included."""

from __future__ import annotations

import re
import unicodedata

from rich.text import Text
from textual import events
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

# Characters that the text area would take for line ends, hand to the terminal, or show like a plain space or not at all.
# While they are in the box each is held as a private character of one cell, and comes back as itself.
_HELD = re.compile(
    "[\x00-\x08\t\x0b-\x1f\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200c\u200e\u200f\u2028-\u202f\u205f-\u206f\u2800\ufeff]"
)
_SPACES = frozenset("\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u2800")
_BACK = re.compile("[\U000f0000-\U000fffff]")
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
    character = out_of_box(match.group())
    if character in _SPACES:
        return "␣"
    return chr(0x2400 + ord(character)) if ord(character) < 0x20 else "\ufffd"


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
        end = self.document.end
        if self.selection != Selection.cursor(end):  # moving it to where it is would paint the box again
            self.move_cursor(end)
        self.history.clear()  # taking back must not bring up what was written about another dialogue

    def get_line(self, line_index: int) -> Text:
        """A line as it is painted: what is held shows as its picture, of the same width."""
        return Text(_BACK.sub(_picture, self.document.get_line(line_index)), end="", no_wrap=True)

    async def take(self, event: events.Key) -> bool:
        """Type a key into the box. False when it is no key that types."""
        if event.key == "enter" or event.is_printable:
            await self._on_key(event)
        elif event.character and unicodedata.category(event.character) == "Zs":
            self._insert(event.character)  # the wide space of an input method, which Python calls unprintable
        else:
            return False
        return True

    async def _on_paste(self, event: events.Paste) -> None:
        """Pasted line ends become those that Enter makes; everything else stays."""
        event.prevent_default()
        event.stop()
        self._insert(event.text.replace("\r\n", "\n").replace("\r", "\n"))

    def _insert(self, text: str) -> None:
        if result := self._replace_via_keyboard(into_box(text), *self.selection):
            self.move_cursor(result.end_location)
