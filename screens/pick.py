"""A window to say the dialect in: eleven of them, by digit or by letter."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from screens.locale import _, told
from screens.names import DIALECT_NAMES
from screens.page import Window

_TAGS = tuple(DIALECT_NAMES)
_LETTERS = "abcdefghijk"


class DialectChoice(Window):
    """Returns a tag, or None. The first nine have a digit as well as a letter, the tenth 0; the one now is marked."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(letter, f"choose({n})", show=False) for n, letter in enumerate(_LETTERS)),
        *(Binding(digit, f"choose({n})", show=False) for n, digit in enumerate("1234567890")),
        Binding("q", "close", show=False),
    ]

    def __init__(self, title: str, chosen: str) -> None:
        super().__init__(title, _("a letter or a digit chooses  Esc goes back"))
        self._chosen = chosen

    def words(self) -> str:
        """The dialects with their keys."""
        lines = []
        for n, tag in enumerate(_TAGS):
            keys = f"{_LETTERS[n]} {'1234567890 '[n]}"
            lines.append(f"{'>' if tag == self._chosen else ' '} {keys}  {told(DIALECT_NAMES[tag])}".rstrip())
        return "\n".join(lines)

    def action_choose(self, number: int) -> None:
        """Take the one of that place."""
        self.dismiss(_TAGS[number])
