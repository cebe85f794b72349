"""What every area shares: dialogues as stored, people, screening's desk, quality reports, the log and status."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from curation.model import Dialogue, Party
from curation.stages import Stage


@dataclass(frozen=True)
class Terms:
    """What a source batch came with: its approval number, what it may be used for, and until when (a date, inclusive)."""

    approval: str = ""
    purpose: str = ""
    until: str = ""

    def as_dict(self) -> dict[str, str]:
        """The terms that were given, by name."""
        pairs = {"approval": self.approval, "purpose": self.purpose, "until": self.until}
        return {name: value for name, value in pairs.items() if value}


@dataclass(frozen=True)
class Source:
    """Where dialogues came from: with the external id, a dialogue's identity."""

    name: str
    terms: Terms = field(default_factory=Terms)


@dataclass(frozen=True)
class StoredDialogue:
    """A dialogue of a project. `uid` names it in the log; `name` is what people type (`source:id` where ids clash).

    Of one that is `purged` the originals are gone: `dialogue` is then its approved text, its speakers self and other, and
    empty where no text of it was approved (another version).
    """

    uid: str
    external_id: str
    source: str
    version: int
    stage: Stage
    dialogue: Dialogue
    code: str = ""
    twin: str = ""
    purged: bool = False


@dataclass(frozen=True)
class ImportReport:
    """Counts of one import. `refused` and `warnings` count records and odd things; `messages` counts what is new."""

    new: int
    known: int
    changed: int
    refused: int
    warnings: int
    messages: int


@dataclass(frozen=True)
class CandidateReport:
    """The funnel: how many pass the candidate rules, and how many fail by which code."""

    candidates: int
    rejected: Mapping[str, int]


@dataclass(frozen=True)
class Person:
    """Someone who works on the project. `role` is curator, annotator or expert; `reads` are the dialects they read."""

    name: str
    role: str
    retired: bool = False
    reads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pair:
    """Two annotators; the first is A."""

    id: int
    a: str
    b: str


@dataclass(frozen=True)
class Answer:
    """What a person says of a dialogue in screening.

    `second` is an optional second choice of situation, `reason` a code of why it was dropped ("" for none).
    """

    keep: bool
    situation: str = ""
    rationale: str = ""
    second: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Draft:
    """An answer not yet given: every part may still be missing."""

    keep: bool | None = None
    situation: str = ""
    rationale: str = ""
    second: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Progress:
    """One person's screening, in counts with words to them.

    `assigned` is the denominator; `decided` of them are done, `skipped` put off; `waiting` are decided by this person
    and not yet by the other.
    """

    assigned: int
    decided: int
    skipped: int
    waiting: int

    @property
    def left(self) -> int:
        """Still to decide, those put off included."""
        return self.assigned - self.decided


@dataclass(frozen=True)
class Task:
    """One dialogue on one person's desk. Holds nothing of what the other person decided before both have committed.

    `place` counts from 1 in the person's list. `spans` are the proposed identifiers as (message, start, end, type), to
    be masked. `open` says whether the person may still undo (the other has not committed); `other` is the other's answer,
    once both have committed and not before. `aside` says why it does not lie on the desk now (see
    `curation.work.screening.ASIDE_WORDS`), "" where it does; what was raised as harmful comes without its messages.
    """

    place: int
    stored: StoredDialogue
    slot: str
    answer: Answer | None
    draft: Draft
    skipped: str
    spans: tuple[tuple[int, int, int, str], ...]
    open: bool
    other: Answer | None = None
    aside: str = ""


@dataclass(frozen=True)
class FinalMessage:
    """A message of a text as it stands now: its index in the raw dialogue, its turn in the raw one, whose it is."""

    index: int
    turn: int
    party: str
    text: str


@dataclass(frozen=True)
class QualityReport:
    """What a quality step did: how many dialogues it looked at and changed, and counts by what."""

    dialogues: int
    changed: int
    counts: Mapping[str, int] = field(default_factory=dict)
    waiting: int = 0


@dataclass(frozen=True)
class ApprovalReport:
    """How many were approved, how many stay open by reason, and the reasons of each by external id."""

    approved: int
    open: Mapping[str, int]
    dialogues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class DialectWord:
    """A word that says something of the dialect: where it stands in the scrubbed text, and what it means."""

    message: int
    start: int
    end: int
    word: str
    dialect: str
    gloss: str


@dataclass(frozen=True)
class DialectTag:
    """The dialect of a dialogue. `machine` is what the words amount to, `confidence` how surely, 0 to 1.

    `by` is the person who confirmed or changed it; "" when nobody did, and then `tag` is the machine's.
    """

    tag: str
    machine: str
    confidence: float
    evidence: tuple[DialectWord, ...] = ()
    by: str = ""


@dataclass(frozen=True)
class TextEdit:
    """An edit of the normalised layer. `start` and `end` are offsets in the scrubbed text of its message, `anchor` the
    range of the raw text it is kept by. `why_not` says why it does not stand (`edit`, `rule`, `project`), or is "".
    """

    message: int
    start: int
    end: int
    before: str
    after: str
    rule: str
    anchor: tuple[int, int]
    why_not: str = ""


@dataclass(frozen=True)
class TextMessage:
    """A message as it was (scrubbed) and as it is (normalised). `misfits` counts edits that no longer fit the text."""

    turn: int
    party: Party
    speaker: str
    was: str
    now: str
    edits: tuple[TextEdit, ...]
    kept: bool
    misfits: int = 0


@dataclass(frozen=True)
class TextPage:
    """One dialogue for looking at its text. `normalised`: normalising has been done. `place` of `count` agreed ones; 0
    when it is none of them now.
    """

    stored: StoredDialogue
    messages: tuple[TextMessage, ...]
    normalised: bool
    place: int
    count: int

    @property
    def edits(self) -> tuple[TextEdit, ...]:
        """All edits, in order."""
        return tuple(edit for message in self.messages for edit in message.edits)


@dataclass(frozen=True)
class Problem:
    """Something `check` found. `where` names table, event or dialogue; `what` is an English template for the catalogue."""

    code: str
    where: str
    what: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class LogLine:
    """One event for people to read. `sealed` lines hide what the blind still hides; `undone` ones no longer stand."""

    ref: str
    at: str
    by: str
    kind: str
    dialogue: str
    facts: Mapping[str, Any]
    sealed: bool
    undone: bool


@dataclass(frozen=True)
class Status:
    """The project in numbers. `dialects` counts the dialogues agreed on by their tags, as far as they were looked at."""

    stages: Mapping[str, int]
    rejected: Mapping[str, int]
    people: Mapping[str, Mapping[str, Any]]
    work: Mapping[str, int]
    sources: Mapping[str, Mapping[str, Any]]
    dialects: Mapping[str, int] = field(default_factory=dict)
