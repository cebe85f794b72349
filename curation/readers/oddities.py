"""What is odd about a text and yet kept as it is, gathered into one warning a kind and file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.errors import N_
from curation.model import ReadWarning
from curation.wording import filled

# TAB, LF and the CR of a CRLF are ordinary in chat text; all other controls, C1 included, can drive a terminal.
_PATTERNS = {
    "control_chars": re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]|\r(?!\n)"),
    "bidi_control": re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"),
    # A joiner after an emoji, one selector after a character and the tags of a flag are how emoji are made.
    "invisible_chars": re.compile(
        "[\u00ad\u180e\u200b\u200c\u2060-\u2064\ufeff]"
        "|(?<![\u2190-\u2bff\ufe0f\U0001f000-\U0001faff])\u200d"
        "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
        "|(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0000-\U000e007f]"
    ),
    "replacement_char": re.compile("\ufffd"),
    "noncharacters": re.compile(
        "[\ufdd0-\ufdef\ufffe\uffff"
        + "".join(f"{chr(p << 16 | 0xFFFE)}{chr(p << 16 | 0xFFFF)}" for p in range(1, 17))
        + "]"
    ),
    "combining_flood": re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]{5,}"),
}
_LATIN = re.compile("[\u0080-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2122]")
# One sentence a kind. What is true of the file as a whole is not counted.
_SAID = {
    "control_chars": N_(
        "control characters in the text; kept, shown as pictures (dialogues: {count}, first at line {line})"
    ),
    "bidi_control": N_(
        "characters that turn the reading direction; kept, shown by name (dialogues: {count}, first at line {line})"
    ),
    "invisible_chars": N_(
        "invisible characters in the text; kept, shown by name (dialogues: {count}, first at line {line})"
    ),
    "replacement_char": N_(
        "U+FFFD in the text: characters were lost before this file was made (dialogues: {count}, first at line {line})"
    ),
    "noncharacters": N_(
        "code points that are no characters; kept, shown by number (dialogues: {count}, first at line {line})"
    ),
    "combining_flood": N_(
        "many combining marks on one letter; kept, shown cut (dialogues: {count}, first at line {line})"
    ),
    "mojibake_suspected": N_(
        "text that looks like UTF-8 read as another encoding; kept, "
        "export it again if you can (dialogues: {count}, first at line {line})"
    ),
    "empty_turn": N_(
        "messages that hold nothing visible; kept, not counted as turns (dialogues: {count}, first at line {line})"
    ),
    "speaker_count": N_("not two speakers; kept, fails the candidate rules (dialogues: {count}, first at line {line})"),
    "empty_speaker": N_("messages without a speaker (system lines?); kept (dialogues: {count}, first at line {line})"),
    "self_not_found": N_(
        "the speaker named as ours does not occur; the labels decide, where they can (dialogues: {count}, first at line {line})"
    ),
    "bom_mid_file": N_(
        "a byte order mark inside the file (files joined?); left out (lines: {count}, first at line {line})"
    ),
    "no_id_column": N_("no column for the dialogue's id: the file is read as one dialogue named after it"),
    "not_grouped": N_("rows of one dialogue do not stand together; put together in file order"),
    "blank_lines_ignored": N_(
        "a blank line after each message: read as spacing, the file as one dialogue (first at line {line})"
    ),
}


class Tally:
    """Counts what was odd, by code, for one file."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._found: dict[str, list[int]] = {}

    def note(self, code: str, line: int) -> None:
        """Count one dialogue at `line` that shows `code`, or one line where the code is about lines."""
        found = self._found.setdefault(code, [0, line])
        found[0] += 1

    def warnings(self) -> Iterator[ReadWarning]:
        """One warning a code: how many dialogues, the line of the first, and what it means."""
        for code, (count, line) in self._found.items():
            template, params = _SAID[code], {"count": count, "line": line}
            yield ReadWarning(self._file, line, code, filled(template, params), template, params)

    def look(self, text: str, line: int) -> None:
        """Note what is odd in `text`, the texts of one dialogue joined."""
        for code, pattern in _PATTERNS.items():
            if pattern.search(text):
                self.note(code, line)
        if _mojibake(text):
            self.note("mojibake_suspected", line)


def _mojibake(text: str) -> bool:
    """Whether `text` turns into Chinese when its Latin letters are taken for the bytes of UTF-8 again."""
    if "锟斤拷" in text:
        return True
    latin = _LATIN.findall(text)
    if len(latin) < 6 or 2 * len(latin) < sum(c > "\x7f" for c in text):
        return False
    for codec in ("latin-1", "cp1252"):
        again = text.encode(codec, "ignore").decode("utf-8", "ignore")
        if sum("\u3400" <= c <= "\u9fff" for c in again) * 6 >= len(latin):
            return True
    return False
