"""Where a text may be cut so that no sign that people see as one falls apart: keycaps, joined emoji, flags, accents."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"


def boundaries(text: str) -> list[int]:
    """The offsets at which `text` may be cut, 0 and its length among them."""
    cuts = [0]
    flags = 0
    for at in range(1, len(text)):
        flags = flags + 1 if _is_flag(text[at - 1]) else 0
        if _continues(text[at]) or text[at - 1] == _JOINER or (_is_flag(text[at]) and flags % 2):
            continue
        cuts.append(at)
    if text:
        cuts.append(len(text))
    return cuts


def step(text: str, at: int, direction: int) -> int:
    """The boundary after `at` (`direction` 1) or before it (-1); the end of the text where there is none."""
    cuts = boundaries(text)
    if direction > 0:
        return next((cut for cut in cuts if cut > at), len(text))
    return next((cut for cut in reversed(cuts) if cut < at), 0)


def stride(text: str, at: int, direction: int) -> int:
    """As `step`, but over a whole run of signs of one sort: digits, Latin letters, Chinese characters, the rest."""
    there = step(text, at, direction)
    if there == at:
        return there
    sort = _sort(text, at, there)
    while 0 < there < len(text):
        more = step(text, there, direction)
        if _sort(text, there, more) != sort:
            break
        there = more
    return there


def _sort(text: str, one: int, other: int) -> str:
    character = text[min(one, other)]
    if character.isdigit():
        return "digit"
    if character.isascii() and character.isalnum():
        return "letter"
    return "word" if character.isalnum() else "sign"


def _continues(character: str) -> bool:
    """Marks, what joins, skin tones and everything invisible belong to the sign before them."""
    return unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf") or "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
