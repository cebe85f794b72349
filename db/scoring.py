"""Scoring at the desk: what lies there, each key committed, closing, and taking back. Blind throughout.

The methods for annotators read the tasks that were handed to them and nothing else: which system and which mode an opaque
code stands for lies in a table of its own (`score_key`), which no method of this module reads.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from curation.work.scoring import Panel, PastScore, ScoreTask, ScoringProgress
from db.dialogues import Dialogues
from db.log import Log
from db.people import People
from db.settings import Current

SKIP_REASONS = ("unclear", "unreadable", "identity", "later", "other")


class Scoring:
    """The scoring of one project."""

    def __init__(
        self, connection: sqlite3.Connection, log: Log, settings: Current, people: People, dialogues: Dialogues
    ) -> None:
        self._db = connection

    # -- handing out (for the curator)

    def assign(
        self, by: str, to: Sequence[str] | None = None, *, overlap: int = 3, repeats: float = 0.0, calibration: int = 0
    ) -> dict[str, int]:
        """Hand out every item that is not handed out yet. Returns how many tasks each person got."""
        raise NotImplementedError

    # -- the desk

    def progress(self, person: str) -> ScoringProgress:
        """Counts of one person's scoring."""
        raise NotImplementedError

    def task(self, person: str, place: int | None = None) -> ScoreTask | None:
        """The task at a place of the person's list; without one, where they left off, else the next open one."""
        raise NotImplementedError

    def next(self, person: str, after: int) -> ScoreTask | None:
        """The next task not closed after a place, round the end of the list; those put off come last."""
        raise NotImplementedError

    def step(self, person: str, place: int, direction: int) -> ScoreTask | None:
        """The neighbour in the person's list, closed or not; None at its ends."""
        raise NotImplementedError

    def past(self, person: str) -> list[PastScore]:
        """A person's own tasks that they gave anything on, last touched first."""
        raise NotImplementedError

    # -- giving; each is one event and on disk when it returns, and returns the task as it is then

    def score(self, person: str, code: str, dimension: str, value: int) -> ScoreTask:
        """Give a score of 0, 5 or 10. On what is closed it is kept and not counted."""
        raise NotImplementedError

    def better(self, person: str, code: str, side: str) -> ScoreTask:
        """Say which reply is better, "1" or "2". Refused where it contradicts the scores, or the texts are the same."""
        raise NotImplementedError

    def guess(self, person: str, code: str, side: str) -> ScoreTask:
        """Guess which reply was written after thinking, "1" or "2"."""
        raise NotImplementedError

    def save_draft(self, person: str, code: str, text: str) -> None:
        """Keep a half-written note (each key); an empty one is forgotten."""
        raise NotImplementedError

    def note(self, person: str, code: str, text: str) -> ScoreTask:
        """Write a note to the lead; "" takes it away."""
        raise NotImplementedError

    def flag(self, person: str, code: str, on: bool) -> ScoreTask:
        """Flag a task for the lead, or take the flag away."""
        raise NotImplementedError

    def skip(self, person: str, code: str, reason: str, note: str = "") -> ScoreTask | None:
        """Put a task off with a reason; it comes back at the end. Returns the next task."""
        raise NotImplementedError

    def close(self, person: str, code: str) -> ScoreTask | None:
        """Close the step. Returns what lies on the desk then: the same task's next step, the next task, or None.

        Refused with code `missing`, and what is missing as `missing`, while anything is.
        """
        raise NotImplementedError

    def undo(self, person: str) -> ScoreTask | None:
        """Take back this person's last key, across tasks and after a restart. None when there is none to take back."""
        raise NotImplementedError

    # -- live figures

    def panel(self, viewer: str, *, intervals: bool = False) -> Panel:
        """Live agreement as this person may see it. With `intervals` the intervals are computed anew (slow: in a worker)."""
        raise NotImplementedError


Reading = Callable[[], None]
