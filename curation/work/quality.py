"""Rows of quality control: a dialogue's turns, trims and rewritings, what keeps it from approval, and the list of all."""

from __future__ import annotations

from dataclasses import dataclass

from curation.layers import Anchored
from curation.model import Party
from curation.stages import Stage
from curation.work.core import StoredDialogue


@dataclass(frozen=True, slots=True)
class Rewritten:
    """One rewriting of one message that stands. `ref` names its event; `share` is how much of the message, with those
    before it, is another text than the layer below (0 to 1); `found` are kinds of identifiers that it brought in."""

    ref: str
    message: int
    reason: str
    share: float
    found: tuple[str, ...]
    person: str
    at: str
    edits: tuple[Anchored, ...]


@dataclass(frozen=True, slots=True)
class Signed:
    """Who stands by the text of a rewritten message as it was then."""

    message: int
    person: str
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class QualityMessage:
    """A message for quality control.

    `below` is its text before any rewriting, `now` with them. `share` is how much rewriting changed, `unsigned` that a
    second person has to sign it, `misfits` that a rewriting of it no longer fits. `draft` is the text in the box, half
    written (None: there is none).
    """

    index: int
    turn: int
    party: Party
    speaker: str
    raw: str
    below: str
    now: str
    rewritings: tuple[Rewritten, ...] = ()
    misfits: tuple[str, ...] = ()
    share: float = 0.0
    unsigned: bool = False
    signed_by: str = ""
    draft: str | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """A trim: the turn it begins with and those taken out after that, numbered from 1. `Cut()` keeps everything."""

    first_turn: int = 1
    removed: tuple[int, ...] = ()

    def keeps(self, turn: int) -> bool:
        """Whether a turn stays."""
        return turn >= self.first_turn and turn not in self.removed


@dataclass(frozen=True, slots=True)
class Counted:
    """Turns (as a reader will see them) and characters of a text."""

    turns: int
    characters: int


@dataclass(frozen=True, slots=True)
class QualityPage:
    """One dialogue in quality control, as one person sees it.

    `cut` is the decided trim, `draft` the one being made by this person (None: there is none). `matters` are the codes of
    `curation.checks` that keep it from approval, None where nobody has looked since it changed. `place` of `count` agreed
    ones, 0 when it is none of them now.
    `sent_back` is the note with which it once went back.
    """

    stored: StoredDialogue
    messages: tuple[QualityMessage, ...]
    cut: Cut
    decided: bool
    draft: Cut | None
    matters: tuple[str, ...] | None
    place: int
    count: int
    situation: str
    sent_back: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list of all agreed and approved dialogues. `matters` is None where nobody has looked yet."""

    key: int
    uid: str
    name: str
    stage: Stage
    situation: str
    dialect: str
    messages: int
    matters: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Filter:
    """What of the list is shown. `matter` is a code, `open` for any, `clean` for none; "" everywhere means all."""

    stage: str = ""
    matter: str = ""
    situation: str = ""
    dialect: str = ""
    longer_than: int = 0
