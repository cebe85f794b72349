"""One way to read disguised text: full-width, circled, keycap and look-alike characters folded to plain ones.

Folding changes lengths (one character may become several, marks vanish), so every folded character
remembers which stretch of the original it came from, and a span found in the folded text is cut from the
*original*.

    fold("我１３８\u200b1️⃣")    folded text "我1381", each character with its place in the original
    digits_read(text)           the same text with Chinese digits read as 0-9, one for one

Nothing here raises on any string, lone surrogates included. Offsets are code points, ranges half-open.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

# What stands in a folded text for a stretch taken out of it (`Folded.collapse`): no letter, no digit, no
# white space.
FILLER = "\ufffc"

# Letters of other scripts that look like Latin ones. Only shapes that are the same in common typefaces.
_LOOK_ALIKE_LETTERS = dict(
    zip(
        "аеорсухіјѕԁһԛԝАВЕКМНОРСТУХІЈЅαορνΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aeopcyxijsdhqwABEKMHOPCTYXIJSaopvABEZHIKMNOPTYX",
        strict=True,
    )
)
# Invisible although Unicode calls them letters or symbols.
_BLANK = {"\u115f": "", "\u1160": "", "\u3164": "", "\uffa0": "", "\u17b4": "", "\u17b5": "", "\u2800": " "}
# Negative circled and squared Latin letters have no compatibility decomposition.
_BOXED = {chr(first + i): chr(65 + i) for first in (0x1F130, 0x1F150, 0x1F170) for i in range(26)}
# Kinds of character that carry no reading of their own: enclosing, non-spacing and format characters.
_MARKS = frozenset({"Mn", "Me"})

CHINESE_DIGITS = dict(
    zip(
        "零〇○一壹弌幺二贰貳弍三叁參叄弎四肆五伍六陆陸七柒八捌九玖",
        "000111122223333344556667788" + "99",
        strict=True,
    )
)
# Digit words of radio speech and the everyday 两: words first, digits only with a digit at their side.
SPOKEN_DIGITS = {"洞": "0", "两": "2", "兩": "2", "拐": "7", "勾": "9"}
# Letters written for digits, to be read so only in a run that has digits.
LOOK_ALIKE_DIGITS = {"l": "1", "I": "1", "|": "1", "O": "0", "o": "0", "B": "8", "З": "3", "з": "3"}


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and where each of its characters comes from.

    `starts[i]`, `ends[i]` are the range of the original that made `text[i]`; both never decrease with `i`.
    `ends` takes in the marks that stood on the character (the keycap's frame, an accent), not the invisible
    ones after it.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original that `text[start:end]` (not empty) was made from."""
        return self.starts[start], self.ends[end - 1]

    def covering(self, start: int, end: int) -> tuple[int, int] | None:
        """The range of the folded text made from `start..end` of the original, or None where nothing was."""
        first, last = bisect_right(self.ends, start), bisect_left(self.starts, end)
        return (first, last) if first < last else None

    def collapse(self, ranges: Sequence[tuple[int, int]]) -> Folded:
        """The same with every one of `ranges` (sorted, disjoint, not empty) made into a single `FILLER`."""
        if not ranges:
            return self
        text: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        last = 0
        for start, end in [*ranges, (len(self.text), len(self.text))]:
            text.append(self.text[last:start])
            starts.extend(self.starts[last:start])
            ends.extend(self.ends[last:start])
            if start < end:
                text.append(FILLER)
                starts.append(self.starts[start])
                ends.append(self.ends[end - 1])
            last = end
        return Folded("".join(text), starts, ends)


@lru_cache(maxsize=65536)
def fold_character(char: str) -> str:
    """What one character reads as: possibly nothing, possibly several characters."""
    if " " <= char <= "~":
        return char
    if char in _BLANK:
        return _BLANK[char]
    if char in _LOOK_ALIKE_LETTERS:
        return _LOOK_ALIKE_LETTERS[char]
    if char in _BOXED:
        return _BOXED[char]
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return ""
    digit = unicodedata.digit(char, None)
    if digit is not None:
        return str(digit)
    plain = unicodedata.normalize("NFKC", char)
    if plain == char:
        return char
    return "".join(_LOOK_ALIKE_LETTERS.get(c, c) for c in plain if unicodedata.category(c) not in ("Mn", "Me", "Cf"))


# Most messages are made of characters that fold to themselves, or punctuation that folds to one character.
_PUNCTUATION = {char: fold_character(char) for char in "，！？：；（）～　"}
_PLAIN = re.compile(f"[ -~\u3400-\u4dbf\u4e00-\u9fff。、“”‘’《》·—{''.join(_PUNCTUATION)}]*")


def fold(text: str) -> Folded:
    """Fold `text`. Case is kept. Never raises."""
    if text.isascii():
        return Folded(text, range(len(text)), range(1, len(text) + 1))
    if _PLAIN.fullmatch(text):
        plain = text
        for char, mark in _PUNCTUATION.items():
            if char in text:
                plain = plain.replace(char, mark)
        return Folded(plain, range(len(text)), range(1, len(text) + 1))
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for index, char in enumerate(text):
        plain = fold_character(char)
        if plain:
            parts.append(plain)
            for _ in plain:
                starts.append(index)
                ends.append(index + 1)
        elif ends and ends[-1] == index and unicodedata.category(char) in _MARKS:
            # One original character may have made several folded ones: all of them end with its marks.
            place, at = starts[-1], len(ends) - 1
            while at >= 0 and starts[at] == place:
                ends[at] = index + 1
                at -= 1
    return Folded("".join(parts), starts, ends)


_ASCII_LOWER = {upper: upper + 32 for upper in range(65, 91)}
_ASCII_UPPER = re.compile("[A-Z]")


def lower_ascii(text: str) -> str:
    """`text` with A-Z in lower case and nothing else changed, so that lengths stay."""
    return text.translate(_ASCII_LOWER) if _ASCII_UPPER.search(text) else text


_CHINESE_TABLE = {ord(k): v for k, v in CHINESE_DIGITS.items()}
_SPOKEN_TABLE = {ord(k): v for k, v in (CHINESE_DIGITS | SPOKEN_DIGITS).items()}
_ANY_DIGITS = "".join(CHINESE_DIGITS) + "".join(SPOKEN_DIGITS) + "0-9"
# Two digits or more side by side; 洞 拐 勾 also where digits are said one by one: E 拐 零 三.
_SPOKEN_RUN = re.compile(
    f"[{_ANY_DIGITS}]{{2,}}|(?<= )[洞拐勾](?= [{_ANY_DIGITS}])|(?<=[{_ANY_DIGITS}] )[洞拐勾](?![\u3400-\u9fff])"
)
_LOOK_ALIKE_RUN = re.compile(r"(?<![A-Za-z0-9_@.])[0-9lIOoB|Зз]+(?![A-Za-z_@])")
_LOOK_ALIKE_TABLE = {ord(k): v for k, v in LOOK_ALIKE_DIGITS.items()}


def digits_read(text: str, *, look_alikes: bool = False) -> str:
    """`text` (folded) with Chinese digits read as 0-9, character for character: the length stays.

    The spoken 洞 拐 勾 两 are read only beside another digit. With `look_alikes`, so are l I O o B and
    Cyrillic Ze in an unbroken run that holds a digit besides.
    """
    read = _SPOKEN_RUN.sub(lambda m: m.group().translate(_SPOKEN_TABLE), text).translate(_CHINESE_TABLE)
    if look_alikes:
        read = _LOOK_ALIKE_RUN.sub(_as_digits, read)
    return read


def _as_digits(match: re.Match[str]) -> str:
    run = match.group()
    return run.translate(_LOOK_ALIKE_TABLE) if any("0" <= c <= "9" for c in run) else run
