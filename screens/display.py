"""The one display boundary: chat text passes here before it reaches a screen or a table for people.

What is stored stays as it was; only the view changes. What cannot be seen is made visible, because it may be the very
thing a curator has to find: an escape sequence, a direction override, a zero-width space inside a telephone number, a
space that is no plain one. Nothing here parses markup, and nothing but `to_content` needs Textual.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.content import Content

TAB = "    "
NEW_LINE = "↵"
MOST_MARKS = 4  # combining marks shown on one character; the rest are counted

# Everything that may need a second look. A text without any of these is shown as it is. Of the spaces only the plain one
# and the Chinese one (U+3000, as wide as it looks) are what they seem.
_ODD = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u2800\u3164\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    + "".join(chr(plane << 16 | low) for plane in range(1, 17) for low in (0xFFFE, 0xFFFF))
    + "]|[\U000e0000-\U000e007f]+"
)
_NEW_LINE = re.compile("\n")
_MARKS = re.compile(
    "[\u0300-\u1fff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ua66f-\uabff\ufb1e\ufe00-\ufe2f"
    "\U00010000-\U0001efff\U000e0100-\U000e01ef]{5,}"
)
_LOOKS = re.compile("[\ufe0f\U0001f3fb-\U0001f3ff]")


def visible(text: str, *, plain_emoji: bool = False, one_line: bool = False) -> str:
    """`text` as it may be shown: nothing in it acts on a terminal, and nothing in it hides.

    Control characters become control pictures (␛), tabs four spaces, what has no picture its code (‹U+202E›, ‹U+00A0›); new lines
    stay, or become ↵ where `one_line`. `plain_emoji` drops emoji presentation and skin tones, whose width terminals
    disagree about. Idempotent.
    """
    shown = _ODD.sub(_named, text)
    if not shown.isascii():
        shown = _MARKS.sub(_capped, shown)
        if plain_emoji:
            shown = _LOOKS.sub("", shown)
    return _NEW_LINE.sub(NEW_LINE, shown) if one_line else shown


def to_content(text: str, *, plain_emoji: bool = False, one_line: bool = False) -> Content:
    """`visible` text as Textual content, in which brackets are brackets."""
    from textual.content import Content

    return Content(visible(text, plain_emoji=plain_emoji, one_line=one_line))


def _named(match: re.Match[str]) -> str:
    found = match.group()
    code = ord(found[0])
    if found == "\t":
        return TAB
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if found == "\u200d" and _joins(match):
        return found
    if 0xE0000 <= code <= 0xE007F:
        hidden = "".join(chr(ord(c) - 0xE0000) if 0x20 <= ord(c) - 0xE0000 < 0x7F else "·" for c in found)
        return f"‹tag {hidden}›"
    return f"‹U+{code:04X}›"


def _joins(match: re.Match[str]) -> bool:
    """A joiner between two pictographs holds an emoji together; anywhere else it only hides."""
    before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
    return bool(before and after) and _pictorial(before) and _pictorial(after)


def _pictorial(character: str) -> bool:
    return character == "\ufe0f" or unicodedata.category(character) in ("So", "Sk")


def _capped(match: re.Match[str]) -> str:
    kept: list[str] = []
    marks = dropped = 0
    for character in match.group():
        if unicodedata.category(character)[0] == "M":
            marks += 1
            if marks > MOST_MARKS:
                dropped += 1
                continue
        else:
            if dropped:
                kept.append(f"‹+{dropped}›")
            marks = dropped = 0
        kept.append(character)
    if dropped:
        kept.append(f"‹+{dropped}›")
    return "".join(kept)
