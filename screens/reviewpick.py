"""The window to say a type in: sixteen of them, by letter."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from screens.locale import _
from screens.page import Window
from screens.reviewwords import TYPE_NAMES, type_name

_TYPES = tuple(TYPE_NAMES)
_LETTERS = "abcdefghijklmnop"


class TypeChoice(Window):
    """Returns a type, or None. The one it has now is marked. The commonest have digits too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(letter, f"choose({n})", show=False) for n, letter in enumerate(_LETTERS)),
        *(Binding(digit, f"choose({n})", show=False) for n, digit in enumerate("123456789")),
        Binding("q", "close", show=False),
    ]

    def __init__(self, title: str, chosen: str) -> None:
        super().__init__(title, _("a letter or a digit chooses  Esc goes back"))
        self._chosen = chosen

    def words(self) -> str:
        """The types with their keys."""
        lines = []
        for n, kind in enumerate(ORDER):
            keys = f"{_LETTERS[n]} {'123456789'[n] if n < 9 else ' '}"
            lines.append(f"{'>' if kind == self._chosen else ' '} {keys}  {type_name(kind)}")
        return "\n".join(lines)

    def action_choose(self, number: int) -> None:
        """Take the one of that place."""
        self.dismiss(ORDER[number])


_COMMON = ("PERSON", "PHONE", "WECHAT", "QQ", "ADDRESS", "ORG", "BIRTHDATE", "HANDLE", "SECRET")
ORDER = (*_COMMON, *(kind for kind in _TYPES if kind not in _COMMON))
