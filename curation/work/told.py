"""What is told of a project when it is asked: reports, texts by their layers, problems, the log, status.

Apart from the rows a desk needs at once: making a row's class takes a millisecond, and a screen that opens has none to spare.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from curation.model import Party
from curation.work.core import StoredDialogue


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
    """How many were approved, how many stay open by reason, and the reasons of each by external id.

    `as_typed` of the approved ones nobody ever normalised; `ref` names the approval in the log, "" where there was none.
    """

    approved: int
    open: Mapping[str, int]
    dialogues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    as_typed: int = 0
    ref: str = ""


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
