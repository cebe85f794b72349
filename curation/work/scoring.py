"""Rows of scoring: what lies on an annotator's desk, what was given there, and the figures that follow it.

Nothing that an annotator is shown names a system, or says which of two replies came with a process: a task is known by an
opaque code, its replies by the side on which they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from curation.statistics.figures import Statistic
from curation.work.told import FinalMessage

# What is scored, in the order in which it is asked: the sides of two replies, the reply of an ablation, the process.
PROCESS = ("motivation", "cause", "emotion", "intention", "strategy")
SIDES = ("reply_1", "reply_2")
ALONE = "reply"
# What is said of two replies besides their scores; the value is the side, 1 or 2.
BETTER, GUESS = "better", "guess"
SCORES = (0, 5, 10)
# The dimensions that figures are of, once it is known which side was which.
DIMENSIONS = (*PROCESS, "reply_cot", "reply_direct")

REPLIES, PROCESS_STEP, SHEET, ABLATION, CLOSED = "replies", "process", "sheet", "ablation", "closed"
STEPS = (REPLIES, PROCESS_STEP, SHEET, ABLATION)


@dataclass(frozen=True)
class Marks:
    """What one annotator has given on one task so far. Everything in it is on disk.

    `scores` holds 0, 5 or 10 by dimension; a dimension that is not in it has none (0 is a score). `better` and `guess`
    are "1", "2" or "". `missing` names what the step still needs before it can be closed, in the order of asking:
    dimensions, `better`, `guess`. `counted` are the scores as they stood when they were closed; where `scores` differ
    from them, the change is kept and not counted. `at` is when the last of it was saved (ISO 8601, UTC; "" for nothing).
    """

    scores: Mapping[str, int] = field(default_factory=dict)
    better: str = ""
    guess: str = ""
    missing: tuple[str, ...] = ()
    note: str = ""
    draft: str = ""
    flag: bool = False
    skipped: str = ""
    counted: Mapping[str, int] = field(default_factory=dict)
    at: str = ""


@dataclass(frozen=True)
class ScoreTask:
    """One task of one annotator.

    `code` is opaque; `place` of `count` in the person's list, from 1. `step` is `replies`, `process`, `sheet`, `ablation`
    or, when everything is closed, `closed`. `dimensions` are those to score in this step, in order (all of them when
    closed); `replies` the texts by side (two, or one for an ablation); `process` the five fields by name, or None while
    they may not be seen. `ask_better`: the step asks which reply is better where the scores are equal (never for replies
    with the `same_text`); `ask_guess`: it asks which one was written after thinking. `calibration` tasks may be talked
    over. `read_before`: the task before it in the list was about the same dialogue. `spans` are proposed identifiers
    (message, start, end, type) to mask, where the text is not approved yet.
    """

    code: str
    place: int
    count: int
    messages: tuple[FinalMessage, ...]
    step: str
    replies: tuple[str, ...]
    process: Mapping[str, str] | None
    dimensions: tuple[str, ...]
    marks: Marks
    ask_better: bool = False
    ask_guess: bool = False
    same_text: bool = False
    calibration: bool = False
    read_before: bool = False
    spans: tuple[tuple[int, int, int, str], ...] = ()

    @property
    def closed(self) -> bool:
        """All of it is closed: a change is kept and not counted."""
        return self.step == CLOSED


@dataclass(frozen=True)
class ScoringProgress:
    """One person's scoring in counts. `closed` of `assigned` tasks are done, `started` have a score, `skipped` are put off.

    `seconds` is the person's own median time for a task, None before there are enough.
    """

    assigned: int
    closed: int
    started: int
    skipped: int
    seconds: float | None = None

    @property
    def left(self) -> int:
        """Still to close, those put off included."""
        return self.assigned - self.closed


@dataclass(frozen=True)
class PastScore:
    """One of a person's own tasks in the list of past scores. `changed`: a score was changed after closing."""

    place: int
    code: str
    scores: Mapping[str, int]
    better: str
    flag: bool
    note: str
    skipped: str
    closed: bool
    changed: bool
    at: str


@dataclass(frozen=True)
class PanelRow:
    """The live agreement of one dimension.

    The figures have an interval as of `Panel.intervals_of` closed tasks, none before there is one. `course` are alphas as
    tasks were closed, oldest first, at most 40, None where undefined.
    """

    dimension: str
    alpha: Statistic
    percent: Statistic
    ac1: Statistic
    course: tuple[float | None, ...]


@dataclass(frozen=True)
class Advice:
    """What would raise agreement most: the `dimension`, the two scores that are mixed up most often in it (`low`, `high`;
    `times` pairs of ratings), the person without whom alpha would be highest (`person`, "" for nobody; `without` is that
    alpha), and the `places` of calibration tasks to talk over, as (dialogue's external id, spread of the scores).
    """

    dimension: str
    low: int
    high: int
    times: int
    person: str = ""
    without: float | None = None
    talk_over: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Panel:
    """Live agreement as `viewer` may see it. `hidden` says why there are no rows ("" where there are): `project` when the
    project shows annotators none. `closed` of `assigned` tasks are closed, `compared` items are closed by two or more.
    """

    rows: tuple[PanelRow, ...] = ()
    hidden: str = ""
    closed: int = 0
    assigned: int = 0
    compared: int = 0
    intervals_of: int = 0
    advice: Advice | None = None
