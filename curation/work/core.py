"""What every area shares from the first screen on: dialogues as stored, people, and the desk of screening."""

from __future__ import annotations

from dataclasses import dataclass, field

from curation.model import Dialogue
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
class Person:
    """Someone who works on the project. `role` is curator, annotator or expert; `reads` are the dialects they read."""

    name: str
    role: str
    retired: bool = False
    reads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Leave:
    """That someone has left the project: who retired them, and when (ISO 8601, UTC)."""

    name: str
    by: str
    at: str


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
