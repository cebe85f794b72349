"""Rows of the review of identifiers: one dialogue with its findings, who has read it, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from curation.identifiers.reviewing import Shown
from curation.model import Party
from curation.work.core import StoredDialogue

Place = tuple[int, int, int]  # message, start, end of the raw text


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A finding with what a reviewer wants to know of it.

    `reading` is its folded form where that differs, `cue` where the word stands that says what it is, `pieces` the numbers
    (from 0, in the page) of the findings that make one value with it. `replacement` stands in its place when it is
    accepted (None: it stays). `equal` counts the findings of the same value in this dialogue, itself among them.
    """

    span: Shown
    text: str
    reading: str
    cue: Place | None
    pieces: tuple[int, ...]
    replacement: str | None
    equal: int


@dataclass(frozen=True, slots=True)
class ReviewMessage:
    """A message: the raw text, and how it reads with everything replaced that is accepted or still open."""

    index: int
    turn: int
    party: Party
    speaker: str
    text: str
    preview: str
    kept: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """What a scan of the output still finds: where it lies in the raw text, and what the output says there. `waived`: a
    person said why it may stay."""

    message: int
    start: int
    end: int
    type: str
    text: str
    rule: str
    waived: bool = False


@dataclass(frozen=True, slots=True)
class Waiver:
    """Why a hit of the output's scan may stay, and who said so."""

    place: Place
    type: str
    person: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """One dialogue under review.

    `scanned`: identifiers were looked for by the rules in force; without that there are no findings yet. `failure` is the
    code of a scan that failed. `seen` maps a turn to the people who have read it. `done_by` and `signed_by` are people,
    or "". `barred` says why it must not be released ("" when it may), `barred_by` who said so. `place` of `count` agreed
    ones, 0 when it is none of them now; `waiting` of them have findings that nobody decided on, as far as was looked.
    `quasi` are the kinds of quasi-identifier that stand together in it (three or more ask for a review). `revealed` are
    the places that the viewer asked to see.
    """

    stored: StoredDialogue
    messages: tuple[ReviewMessage, ...]
    findings: tuple[Reviewed, ...]
    scanned: bool
    failure: str
    seen: Mapping[int, tuple[str, ...]]
    waivers: tuple[Waiver, ...]
    done_by: str
    signed_by: str
    sign_off: bool
    barred: str
    barred_by: str
    place: int
    count: int
    waiting: int
    quasi: tuple[str, ...] = ()
    revealed: tuple[Place, ...] = ()

    @property
    def turns(self) -> tuple[int, ...]:
        """The numbers of the turns, in order."""
        return tuple(dict.fromkeys(m.turn for m in self.messages if m.turn))

    @property
    def open(self) -> tuple[int, ...]:
        """The numbers of the findings that wait for a decision."""
        return tuple(n for n, one in enumerate(self.findings) if one.span.state == "open")

    def unseen(self, person: str) -> tuple[int, ...]:
        """The turns that this person has not read."""
        return tuple(turn for turn in self.turns if person not in self.seen.get(turn, ()))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of saying that a review is done. `missing` are codes of what is in the way; `hits` what the scan of the
    output found and nobody waived."""

    done: bool
    missing: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()
    unseen: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """The review in numbers, over the dialogues agreed on. `waiting` findings as far as was looked for them."""

    agreed: int
    waiting: int
    findings: int
    done: int
    signed: int
    barred: int
    lists: Mapping[str, int] = field(default_factory=dict)
