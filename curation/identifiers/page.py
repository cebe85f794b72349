"""A dialogue prepared for the recognisers: every message folded, its cues found, its neighbours at hand."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

from curation.errors import WorkbenchError
from curation.folding import FILLER, Folded, digits_read, fold, lower_ascii
from curation.identifiers.cues import Cue, cues_in, tails_in
from curation.identifiers.kinds import CHINESE_NAMES
from curation.identifiers.namefinder import LOC, NAMED, ORG, RULES_ALONE, WORD, Tagger, Word
from curation.identifiers.patterns import Pattern, lazy, marks
from curation.identifiers.sounds import sounded

T = TypeVar("T")

# Stickers ([/微笑], [裂开]) and placeholders, ours and others' ([电话1], [PHONE_1], <PHONE>): not text to
# be searched.
_SET_ASIDE = lazy(
    r"\[/[\u3400-\u9fffA-Za-z]{1,12}\]|\[[\u3400-\u9fff]{1,8}\]"
    rf"|\[(?:{'|'.join(CHINESE_NAMES.values())})[0-9]{{1,6}}\]"
    r"|[\[<][A-Z]{2,16}(?:_[A-Z]{1,16}){0,3}(?:_[0-9]{1,4})?[\]>]"
)

_DIGIT_WORDS = "零〇○一二三四五六七八九幺两兩洞拐勾壹贰貳叁參肆伍陆陸柒捌玖"
_NUMERIC = lazy(
    rf"[0-9a-z@¥€°]|[{_DIGIT_WORDS}][{_DIGIT_WORDS}]|[{_DIGIT_WORDS}][ ,、.][{_DIGIT_WORDS}]|[{_DIGIT_WORDS}][个個]"
)
_CHINESE = lazy(r"(?:[\u3400-\u9fff] ?){2}")

NEAR_BEFORE = 16  # characters between a cue and the value it names
NEAR_AFTER = 6  # characters between a value and a cue that follows it
LOOK_BACK = 6  # messages


class NotScanned(WorkbenchError):
    """A recogniser failed, so the dialogue must not be taken for one without identifiers."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What one recogniser holds to be an identifier: a range of a line's working text, with its reasons."""

    start: int
    end: int
    type: str
    score: float
    rule: str


class Line:
    """One message. `text` is folded, with what is set aside collapsed to one `FILLER` each; `low` the same
    in lower case. Ranges are of `text` unless `original` was asked."""

    def __init__(self, speaker: str, folded: Folded, tagger: Tagger = RULES_ALONE) -> None:
        self.speaker = speaker
        self.folded = folded
        self.tagger = tagger
        self.text = folded.text
        self.low = lower_ascii(folded.text)
        # Whether it holds a digit, a Latin letter, or Chinese digits in a row; whether two Chinese characters.
        self.numeric = _NUMERIC.search(self.low) is not None
        self.chinese = _CHINESE.search(self.text) is not None
        self.marks = marks(self.text)
        self._words: Sequence[Word] | None = None
        self._names_tagged: Sequence[tuple[int, int]] | None = None
        self._kept: dict[str, object] = {}
        self._found: dict[Pattern, re.Match[str] | None] = {}

    def remember(self, key: str, make: Callable[[], T]) -> T:
        """What `make` gives, made once for this message as it stands."""
        if key not in self._kept:
            self._kept[key] = make()
        return cast(T, self._kept[key])

    def may(self, pattern: Pattern) -> bool:
        """Whether `pattern` is worth trying on this message: on its text, in lower case, or with digits read."""
        return self.marks & pattern.need == pattern.need

    def each(self, pattern: Pattern, text: str | None = None) -> Iterable[re.Match[str]]:
        """The matches of `pattern` in `text` (one form of this message; its text unless given)."""
        if self.marks & pattern.need != pattern.need:
            return ()
        return pattern.finditer(self.text if text is None else text)

    def finds(self, pattern: Pattern) -> re.Match[str] | None:
        """The first match of `pattern` in the text of this message; looked for once."""
        if self.marks & pattern.need != pattern.need:
            return None
        if pattern not in self._found:
            self._found[pattern] = pattern.search(self.text)
        return self._found[pattern]

    @property
    def words(self) -> Sequence[Word]:
        """The words of `text` as the tagger cuts it; nothing without a tagger."""
        if self._words is None:
            read = () if self.tagger is RULES_ALONE else self.tagger.read(self.text)
            # 哈哈哈哈, 丰丰丰丰: one character over and over is nobody's name, whatever the tagger takes it for.
            self._words = [(a, b, WORD if b - a > 2 and len(set(self.text[a:b])) == 1 else tag) for a, b, tag in read]
        return self._words

    @cached_property
    def plain_words(self) -> frozenset[tuple[int, int]]:
        """The words that the tagger takes for no name."""
        return frozenset((start, end) for start, end, tag in self.words if tag not in NAMED)

    @property
    def names_tagged(self) -> Sequence[tuple[int, int]]:
        """The places and organisations of the tagger."""
        if self._names_tagged is None:
            self._names_tagged = tuple((start, end) for start, end, tag in self.words if tag in (LOC, ORG))
        return self._names_tagged

    @cached_property
    def cut(self) -> frozenset[int]:
        """Where words end, as the tagger cuts."""
        return frozenset(end for _, end, _ in self.words)

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """The cues in this message."""
        return cues_in(self.low)

    @cached_property
    def cue_ends(self) -> frozenset[int]:
        """Where cues end."""
        return frozenset(cue.end for cue in self.cues)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that the cues name, each once, the one said last first."""
        return tuple(dict.fromkeys(cue.kind for cue in reversed(self.cues)))

    def cues_over(self, start: int, end: int) -> Iterator[Cue]:
        """The cues that lie in `start..end` or reach into it, in order."""
        cues = self.cues
        for at in range(bisect_right(cues, start, key=lambda cue: cue.end), len(cues)):
            if cues[at].start >= end:
                return
            yield cues[at]

    @cached_property
    def tails(self) -> tuple[tuple[int, int], ...]:
        """Where it speaks of last digits."""
        return tails_in(self.low)

    @cached_property
    def spoken(self) -> str:
        """The text with Chinese digits read, as long as `text`."""
        return digits_read(self.text)

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """The text as is, with Chinese digits read, with look-alikes read besides, and with digits by
        their sound; equal ones once."""
        spoken = self.spoken
        return tuple(dict.fromkeys((self.text, spoken, digits_read(self.text, look_alikes=True), sounded(spoken))))

    def without(self, ranges: Sequence[tuple[int, int]]) -> Line:
        """The same message with `ranges` collapsed."""
        return Line(self.speaker, self.folded.collapse(ranges), self.tagger)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The range of the message as it was given."""
        return self.folded.span(start, end)

    def share(self, start: int, end: int) -> float:
        """How much of what is said in this message `start..end` is, 0 to 1, by letters and digits."""
        said = sum(c.isalnum() for c in self.text[start:end])
        return said / self._said if self._said else 0.0

    @cached_property
    def _said(self) -> int:
        return sum(c.isalnum() for c in self.text)


def prepare(speaker: str, text: str, tagger: Tagger = RULES_ALONE, ours: Sequence[tuple[int, int]] = ()) -> Line:
    """Fold a message and set aside its stickers and placeholders, and `ours`: ranges of `text` not to be searched."""
    folded = fold(text)
    aside: list[tuple[int, int]] = []
    if "[" in folded.text or "<" in folded.text:
        aside = [m.span() for m in _SET_ASIDE.finditer(folded.text)]
    if ours:
        aside = _united([*aside, *(span for one in ours if (span := folded.covering(*one)))])
    return Line(speaker, folded.collapse(aside) if aside else folded, tagger)


def _united(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same ranges sorted, those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


class Page:
    """The lines of a dialogue, in order."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self._kept: dict[str, object] = {}

    def remember(self, key: str, make: Callable[[Page], T]) -> T:
        """What `make` gives for this page, made once."""
        if key not in self._kept:
            self._kept[key] = make(self)
        return cast(T, self._kept[key])

    def known_word(self, index: int, start: int, end: int) -> bool:
        """Whether the tagger takes `start..end` of line `index` for one word that is no name."""
        return (start, end) in self.lines[index].plain_words

    @cached_property
    def kinds(self) -> list[frozenset[str]]:
        """What kinds are spoken of in each line."""
        return [frozenset(line.kinds) for line in self.lines]

    def named(self, index: int, start: int, end: int) -> str | None:
        """The kind that the nearest cue around `start..end` of line `index` gives it, or None."""
        cues = self.lines[index].cues
        before = bisect_right(cues, start, key=lambda cue: cue.end) - 1
        if before >= 0 and start - cues[before].end <= NEAR_BEFORE:
            return cues[before].kind
        after = bisect_left(cues, end, key=lambda cue: cue.start)
        if after < len(cues) and cues[after].start - end <= NEAR_AFTER:
            return cues[after].kind
        return None

    def distance(self, index: int, kind: str) -> int | None:
        """How many messages back `kind` was last spoken of (0: in this one), or None within `LOOK_BACK`."""
        for back in range(min(index, LOOK_BACK) + 1):
            if kind in self.kinds[index - back]:
                return back
        return None

    def said_next(self, index: int, kind: str) -> bool:
        """Whether the next message speaks of `kind`: what was sent without a word is named in the answer."""
        return index + 1 < len(self.kinds) and kind in self.kinds[index + 1]

    def claim(self, index: int, start: int, end: int, kind: str) -> float:
        """How strongly the words around say that `start..end` is a `kind`.

        1 a cue beside it; .8 the cue stands elsewhere in the message or up to two messages back; .5 farther
        back; 0 nobody said so; -1 the cue beside it says that it is something else.
        """
        named = self.named(index, start, end)
        if named is not None:
            return 1.0 if named == kind else -1.0
        back = self.distance(index, kind)
        if back is None:
            return 0.0
        return 0.8 if back <= 2 else 0.5


__all__ = ["FILLER", "Candidate", "Line", "NotScanned", "Page", "prepare"]
