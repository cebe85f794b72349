"""Rows of rounds: training, calibration, labelling again."""

from __future__ import annotations

from dataclasses import dataclass

from curation.errors import N_
from curation.model import Party
from curation.work.core import Answer

ROUNDS = {
    "training": N_("training"),
    "calibration": N_("calibration"),
    "relabel": N_("labelling again"),
}


@dataclass(frozen=True)
class Line:
    """A message as a round shows it: what may identify someone is covered, or the text is the approved one."""

    turn: int
    party: Party
    text: str
    last: bool


@dataclass(frozen=True)
class RoundTask:
    """One dialogue of a round. `place` of `count`; `done` of them are answered in this attempt. `answer` is one's own."""

    kind: str
    uid: str
    place: int
    count: int
    done: int
    attempt: int
    lines: tuple[Line, ...]
    answer: Answer | None


@dataclass(frozen=True)
class Feedback:
    """What a training item comes to: whether the answer was right, the right one, and why."""

    right: bool
    answer: Answer
    text: str


@dataclass(frozen=True)
class Trained:
    """One person's training: attempts begun, and of the last one how many are answered, right, and asked for."""

    person: str
    attempts: int
    answered: int
    right: int
    items: int
    passed: bool
