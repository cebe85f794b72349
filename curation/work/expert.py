"""Rows of the expert desk: a dialogue of the sample, and the two answers that one expert writes to it by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from curation.work.asking import COT, DIRECT, fields_of
from curation.work.told import FinalMessage

REPLY = "reply"
ORDERS = {"direct_first": (DIRECT, COT), "cot_first": (COT, DIRECT)}


def boxes_of(mode: str) -> tuple[str, ...]:
    """What is written for an answer of this mode, in order: the process fields, then the reply."""
    return (*fields_of(mode), REPLY)


@dataclass(frozen=True)
class Part:
    """One of the two answers. `texts` by field; `pasted` names the fields into which something was pasted.

    `closed` is when it was closed (ISO 8601, UTC; "" while it is open or open again), `written` whether it was closed
    before. `seconds` of work went into it.
    """

    mode: str
    texts: Mapping[str, str] = field(default_factory=dict)
    pasted: frozenset[str] = frozenset()
    closed: str = ""
    written: bool = False
    seconds: float = 0.0

    def missing(self) -> tuple[str, ...]:
        """The fields with nothing in them."""
        return tuple(name for name in boxes_of(self.mode) if not self.texts.get(name, "").strip())


@dataclass(frozen=True)
class ExpertTask:
    """One dialogue on an expert's desk. Holds nothing that any other system answered.

    `place` of `count` counts from 1. `parts` are the two answers in the order of writing. `now` is the mode to write, ""
    when both are closed or the second may not be begun yet; `waits` says why then: `day` while the second has to wait for
    another day, `text` while the dialogue's text may not be shown to whoever answers (then there are no `messages`). `used`:
    the answers are in scoring, and stay as they are. `limit` is how long a reply may be.
    """

    uid: str
    place: int
    count: int
    messages: tuple[FinalMessage, ...]
    parts: tuple[Part, Part]
    now: str
    waits: str = ""
    used: bool = False
    limit: int = 15

    def part(self, mode: str) -> Part:
        """The answer of this mode."""
        return next(part for part in self.parts if part.mode == mode)


@dataclass(frozen=True)
class ExpertProgress:
    """One expert's work in counts of dialogues: `done` of `assigned` have both answers, `begun` the first, of which
    `waiting` have to wait for another day."""

    assigned: int
    done: int
    begun: int
    waiting: int

    @property
    def left(self) -> int:
        """Dialogues that lack an answer."""
        return self.assigned - self.done
