"""What crosses from the store to whoever shows it: disputes, what people raised, how long decisions took."""

from __future__ import annotations

from dataclasses import dataclass, field

from curation.work.core import Answer, Draft, StoredDialogue


@dataclass(frozen=True)
class Statement:
    """What one of the pair said in a round (1 the blind one, 2 the open one), or the lead (`slot` "" and round 0)."""

    slot: str
    person: str
    round: int
    answer: Answer
    at: str


@dataclass(frozen=True)
class SentBackNote:
    """Why a dialogue was sent back, and who wrote it: `text` is "" once it was destroyed, None where it may not be shown."""

    person: str
    at: str
    text: str | None


@dataclass(frozen=True)
class Dispute:
    """A dialogue on which the two do not agree, both having committed.

    `place` of `count` counts the disputes that this viewer sees. `slot` is the viewer's own, "" for none; `may` says what
    they can do now: "decide" anew, "rule", or "" for neither. `statements` stand in order of slot and round.
    `note` says why it was sent back, where that is what is talked over.
    """

    stored: StoredDialogue
    place: int
    count: int
    slot: str
    may: str
    statements: tuple[Statement, ...]
    draft: Draft
    spans: tuple[tuple[int, int, int, str], ...]
    sent_back: bool = False
    note: SentBackNote | None = None


@dataclass(frozen=True)
class DisputeCounts:
    """Disputes that wait: `mine` for this person to decide anew, `lead` for the lead (0 for who is none); `all` of them."""

    mine: int
    lead: int
    all: int


@dataclass(frozen=True)
class Raised:
    """Something put before the lead. `ref` names its event; `note` is None while the blind covers it for the viewer."""

    ref: str
    stored: StoredDialogue
    person: str
    kind: str
    note: str | None
    at: str
    outcome: str
    resolver: str
    answer: str


@dataclass(frozen=True)
class Timed:
    """How long a decision took: `characters` of the dialogue, `active` and `idle` milliseconds."""

    dialogue: str
    at: str
    characters: int
    active: int
    idle: int

    @property
    def hasty(self) -> bool:
        """Decided faster than the dialogue can be read."""
        return self.active * HASTY < self.characters * 1000


# Characters a second beyond which nobody has read a Chinese text: quick silent readers manage some ten, skimming double.
HASTY = 25


@dataclass(frozen=True)
class PersonalPace:
    """One person's pace: decisions with a time, the median of their active seconds, the idle share, the hasty ones."""

    decisions: int
    median_seconds: float | None
    idle_share: float | None
    hasty: tuple[Timed, ...] = field(default_factory=tuple)
