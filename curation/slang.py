"""What is not said in plain words: abbreviations, homophones, net slang, evasions of filters, common slips.

    annotate("xswl，蚌埠住了")     笑死我了 for xswl, 绷不住了 for 蚌埠住了

They are noted beside the text, with what they mean, and never changed in it: whether 在见 is a slip or a joke is for a
person to say. A note is a hint; where a word is also an ordinary one, what stands beside it decides (the table's guard).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from curation.normalise import protected_spans

SLANG_VERSION = "slang-1"

# What a word may be. `emoji` are pictures used as characters; `evasion` what is meant to get past a filter.
KINDS = ("abbreviation", "homophone", "slang", "digits", "emoji", "evasion", "abuse", "typo")


@dataclass(frozen=True, slots=True)
class Note:
    """`text[start:end] == word`, what kind of word it is (see `KINDS`), and what it means."""

    start: int
    end: int
    word: str
    kind: str
    gloss: str


@dataclass(frozen=True, slots=True)
class _Entry:
    kind: str
    gloss: str
    guard: re.Pattern[str] | None


@cache
def _table() -> tuple[re.Pattern[str], dict[str, _Entry]]:
    """A pattern that finds the words, the longest first, and the words with their case folded."""
    entries: dict[str, _Entry] = {}
    for line in (files("curation") / "data" / "slang.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            word, variants, gloss, kind, guard = line.split("\t")
            for form in (word, *filter(None, variants.split("/"))):
                pattern = re.compile(guard.replace("_", re.escape(form)), re.IGNORECASE) if guard else None
                entries[form.lower()] = _Entry(kind, gloss, pattern)
    parts = []
    for word in sorted(entries, key=lambda w: (-len(w), w)):
        before = r"(?<![A-Za-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
        after = r"(?![A-Za-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
        parts.append(before + re.escape(word) + after)
    return re.compile("|".join(parts), re.IGNORECASE), entries


def annotate(text: str) -> tuple[Note, ...]:
    """The notes on `text`, in order and disjoint. Nothing in a sticker or kaomoji is noted. Any string is taken."""
    words, entries = _table()
    notes: list[Note] = []
    closed: bytearray | None = None
    position = 0
    while match := words.search(text, position):
        start, end = match.span()
        position = end
        entry = entries.get(match[0].lower())
        if entry is None or (entry.guard is not None and not entry.guard.match(text, start)):
            position = start + 1
            continue
        if closed is None:
            # A picture used as a character is noted although it is an emoji.
            closed = bytearray(len(text))
            for first, last in protected_spans(text):
                if text[first:last].rstrip("\ufe0f") not in entries:
                    closed[first:last] = b"\x01" * (last - first)
        if not any(closed[start:end]):
            notes.append(Note(start, end, match[0], entry.kind, entry.gloss))
    return tuple(notes)
