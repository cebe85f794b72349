"""The dialect lexicons, and where their words stand in a text.

One table for each dialect in `curation/data/dialects/`: word, variants, gloss, strength 1 to 3, guard, script. A word that
several dialects share stands in each of their tables, with what it weighs there. The guard is a regular expression in
which `_` is the word; it is tried at the word's place, so that what stands before and after can rule the word out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from curation.normalise import protected_spans

# The tag that stands for no evidence, and the ten that need some.
MANDARIN = "mandarin"
WITH_LEXICON = (
    "cantonese", "southwestern", "northeastern", "central", "shaanxi", "wu", "minnan", "hakka", "xiang", "gan",
)  # fmt: skip
DIALECTS: tuple[str, ...] = (MANDARIN, *WITH_LEXICON)


@dataclass(frozen=True, slots=True)
class Entry:
    """What one word says for one dialect. `strength` 3 is enough alone, 2 needs company, 1 much of it."""

    dialect: str
    gloss: str
    strength: int
    guard: re.Pattern[str] | None
    script: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A word of the lexicons at `text[start:end]`, and what it says."""

    start: int
    end: int
    word: str
    entries: tuple[Entry, ...]


def _rows(dialect: str) -> Iterator[list[str]]:
    text = (files("curation") / "data" / "dialects" / f"{dialect}.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


class Lexicon:
    """All tables in one, for finding words fast."""

    def __init__(self) -> None:
        words: dict[str, list[Entry]] = {}
        for dialect in WITH_LEXICON:
            for word, variants, gloss, strength, guard, script in _rows(dialect):
                for form in (word, *filter(None, variants.split("/"))):
                    pattern = re.compile(guard.replace("_", re.escape(form))) if guard else None
                    entry = Entry(dialect, gloss, int(strength), pattern, script)
                    words.setdefault(form, []).append(entry)
        # Of the rows of one dialect the strongest whose guard holds counts.
        self.words = {w: tuple(sorted(e, key=lambda x: -x.strength)) for w, e in words.items()}
        lengths: dict[str, set[int]] = {}
        for word in words:
            lengths.setdefault(word[0], set()).add(len(word))
        self._lengths = {c: tuple(sorted(n, reverse=True)) for c, n in lengths.items()}
        self._first = re.compile("[" + "".join(map(re.escape, sorted(lengths))) + "]")

    def candidates(self, text: str) -> list[Hit]:
        """Every place where a word of the lexicons stands and its guard holds; they may overlap."""
        hits = []
        words, lengths = self.words, self._lengths
        traditional: bool | None = None
        for match in self._first.finditer(text):
            start = match.start()
            for length in lengths[match[0]]:
                word = text[start : start + length]
                entries = words.get(word)
                if entries is None or len(word) < length:
                    continue
                holding: dict[str, Entry] = {}
                for entry in entries:
                    if entry.dialect in holding or (entry.guard and not entry.guard.match(text, start)):
                        continue
                    if entry.script:
                        if traditional is None:
                            traditional = not _traditional().isdisjoint(text)
                        if traditional != (entry.script == "traditional"):
                            continue
                    holding[entry.dialect] = entry
                if holding:
                    hits.append(Hit(start, start + length, word, tuple(holding.values())))
        return hits


@cache
def lexicon() -> Lexicon:
    """The lexicons, read once in a process."""
    return Lexicon()


@cache
def _traditional() -> frozenset[str]:
    """Characters that only traditional text has."""
    text = (files("curation") / "data" / "simplified.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    chars = {a for left, _ in rows for a in left}
    return frozenset(c for c in chars if not _in_gb2312(c))


@cache
def _in_gb2312(char: str) -> bool:
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


@cache
def ordinary(word: str) -> bool:
    """Whether jieba can know the word's characters, so that its boundaries mean something here."""
    from curation.segment import simplified

    return all(_in_gb2312(c) for c in simplified(word))


def find(text: str, aligned: bool) -> list[Hit]:
    """The words of the lexicons in `text`, in order and disjoint; from the left, the longest that holds.

    None stands in a sticker, an emoji or a kaomoji. With `aligned`, a word of ordinary characters counts only where
    jieba too sees words begin and end; jieba is not asked where there is nothing to check.
    """
    hits = lexicon().candidates(text)
    if not hits:
        return []
    closed = bytearray(len(text))
    for start, end in protected_spans(text):
        closed[start:end] = b"\x01" * (end - start)
    marks: bytearray | None = None
    result: list[Hit] = []
    last = 0
    for hit in hits:
        if hit.start < last or any(closed[hit.start : hit.end]):
            continue
        if aligned and ordinary(hit.word):
            if marks is None:
                from curation.segment import boundaries

                marks = boundaries(text)
            if not (marks[hit.start] and marks[hit.end]):
                continue
        result.append(hit)
        last = hit.end
    return result
