"""Names of keys: those that Textual uses, and those that people read and write."""

from __future__ import annotations

_SIGNS = {
    "?": "question_mark",
    "+": "plus",
    "-": "minus",
    "=": "equals_sign",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    "/": "slash",
    ".": "full_stop",
    ",": "comma",
    ";": "semicolon",
    ":": "colon",
    "'": "apostrophe",
    "\\": "backslash",
    "!": "exclamation_mark",
    "#": "number_sign",
    "*": "asterisk",
    "<": "less_than_sign",
    ">": "greater_than_sign",
    "_": "underscore",
    "`": "grave_accent",
    "~": "tilde",
    "@": "at",
    " ": "space",
}
_WORDS = {name: sign for sign, name in _SIGNS.items() if sign.strip()}
_SHOWN = {
    **_WORDS,
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "enter": "Enter",
    "escape": "Esc",
    "backspace": "Backspace",
    "space": "Space",
    "tab": "Tab",
}


def canonical(key: str) -> str:
    """The name of a key as a person wrote it: `?`, `Ctrl+J`, `F10`, `k` (`K` is shift and k)."""
    key = key.strip() or " "
    if key in _SIGNS:
        return _SIGNS[key]
    if len(key) == 1:
        return key
    *held, last = key.split("+")
    return "+".join([*(h.strip().lower() for h in held), _SIGNS.get(last.strip(), last.strip().lower())])


def spoken(key: str) -> str:
    """A key as a key file writes it; `canonical` takes it back. Quotes and backslashes are spelt out."""
    sign = _WORDS.get(key, key)
    return key if sign in ("\\", '"') else sign


def shown(key: str) -> str:
    """A key as the screen shows it: `?`, `Ctrl+J`, `→`."""
    *held, last = key.split("+")
    return "+".join(
        [*(h.capitalize() for h in held), _SHOWN.get(last, last.upper() if held or len(last) > 1 else last)]
    )
