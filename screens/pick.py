"""Windows to say one of many in, by letter or by digit: a dialect, the type of an identifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from screens.locale import _, told
from screens.names import DIALECT_NAMES
from screens.page import Window

_LETTERS = "abcdefghijklmnop"
_DIGITS = "1234567890"


class LetterChoice(Window):
    """Returns one of `options`, at most sixteen, or None. The first ten have a digit as well as a letter.

    An option is what is returned and its words; the `chosen` one is marked.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(letter, f"choose({n})", show=False) for n, letter in enumerate(_LETTERS)),
        *(Binding(digit, f"choose({n})", show=False) for n, digit in enumerate(_DIGITS)),
        Binding("q", "close", show=False),
    ]

    def __init__(self, title: str, options: Sequence[tuple[str, str]], chosen: str) -> None:
        super().__init__(title, _("a letter or a digit chooses  Esc goes back"))
        self._options = options
        self._chosen = chosen

    def words(self) -> str:
        """The options with their keys."""
        lines = []
        for n, (value, said) in enumerate(self._options):
            keys = f"{_LETTERS[n]} {_DIGITS[n] if n < len(_DIGITS) else ' '}"
            lines.append(f"{'>' if value == self._chosen else ' '} {keys}  {said}".rstrip())
        return "\n".join(lines)

    def action_choose(self, number: int) -> None:
        """Take the one of that place."""
        if number < len(self._options):
            self.dismiss(self._options[number][0])


def dialect_choice(title: str, chosen: str) -> LetterChoice:
    """The window to say the dialect in."""
    return LetterChoice(title, [(tag, told(words)) for tag, words in DIALECT_NAMES.items()], chosen)


_COMMON = ("PERSON", "PHONE", "WECHAT", "QQ", "ADDRESS", "ORG", "BIRTHDATE", "HANDLE", "SECRET")


def type_choice(title: str, chosen: str) -> LetterChoice:
    """The window to say the type of an identifier in; the commonest come first."""
    from screens.reviewwords import TYPE_NAMES, type_name

    order = (*_COMMON, *(kind for kind in TYPE_NAMES if kind not in _COMMON))
    return LetterChoice(title, [(kind, type_name(kind)) for kind in order], chosen)
