"""Rows of the lead's view: who agreed with whom, and which dialogues the work was hard on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from curation.statistics.screening import Block, Compared, Matrix, Specific
from curation.statistics.two_raters import TwoRaters


@dataclass(frozen=True)
class Blind:
    """One dialogue that both answered: its key, when the second did, and both labels ("" for dropped), A's first."""

    key: int
    at: str
    pair: str
    first: str
    second: str


@dataclass(frozen=True)
class ScreeningAgreement:
    """Agreement of the first, blind decisions, on dialogues that both answered.

    `pairs` go by the names of A and B with a plus between them; people who took over count as a pair of their own.
    `between` compares people who decided on the same dialogue without being its pair (calibration). `open` counts
    dialogues with one answer: they enter nothing. `drift` is over all pairs in the order in which they finished.
    `relabel` compares the labels of approved texts (as A) with those given to them again, blind (as B).
    """

    pairs: Mapping[str, Compared]
    overall: Compared
    situations: Mapping[str, Specific]
    families: Mapping[str, Specific]
    family: TwoRaters
    tension: TwoRaters
    matrix: Matrix
    drift: tuple[Block, ...]
    items: int
    open: int
    between: Mapping[str, Compared] = field(default_factory=dict)
    relabel: Compared | None = None


@dataclass(frozen=True)
class Costly:
    """A dialogue that cost much: seconds of active time of both, and how often it was put off, taken back or decided anew."""

    name: str
    uid: str
    seconds: float
    apart: bool
    put_off: int
    taken_back: int
    anew: int


@dataclass(frozen=True)
class Cell:
    """A dialogue in a cell of the confusion matrix."""

    uid: str
    name: str
    pair: str
    stage: str
    at: str


@dataclass(frozen=True)
class Spoken:
    """What one of the pair said of a dialogue, in its blind round or (`round` 2) anew; `round` 0 is the lead's ruling."""

    slot: str
    person: str
    round: int
    keep: bool
    situation: str
    rationale: str
