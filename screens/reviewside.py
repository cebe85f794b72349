"""What the review has done beside the keys: identifiers looked for, the output scanned, equal values counted.

Each piece of work opens the project for itself in a thread and posts what came of it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message
from textual.widget import Widget

from curation.errors import WorkbenchError
from curation.work.review import Outcome, Place

if TYPE_CHECKING:
    from db.project import Project


class Scanned(Message):
    """The identifiers of a dialogue were looked for."""

    def __init__(self, uid: str) -> None:
        super().__init__()
        self.uid = uid


class Counted(Message):
    """How many equal values there are in how many dialogues."""

    def __init__(self, uid: str, place: Place, text: str, found: tuple[int, int]) -> None:
        super().__init__()
        self.uid, self.place, self.text, self.found = uid, place, text, found


class Ended(Message):
    """What came of saying that a review is done (`what` is `done`) or of signing it (`sign`)."""

    def __init__(self, uid: str, what: str, outcome: Outcome) -> None:
        super().__init__()
        self.uid, self.what, self.outcome = uid, what, outcome


class Side:
    """Starts work for a screen; of each sort one at a time, the last one asked for."""

    def __init__(self, owner: Widget, path: Path) -> None:
        self._owner = owner
        self._path = path

    def scan(self, uid: str, *, known: bool) -> None:
        """Look for the identifiers of a dialogue, unless they are known, then for those of the next one."""

        def look(project: Project) -> Message:
            if not known:
                project.reviews.look(uid)
                self._owner.post_message(Scanned(uid))
            for waiting in (True, False):
                with suppress(WorkbenchError):
                    following = project.reviews.pages.step(uid, 1, waiting=waiting)
                    if following is not None:
                        project.reviews.look(following)
            return Scanned(uid)

        self._begin("scan", look)

    def count(self, uid: str, place: Place, text: str) -> None:
        """Count equal values in the project."""
        self._begin("count", lambda p: Counted(uid, place, text, p.reviews.equal_in_project(uid, place)))

    def end(self, uid: str, person: str, what: str) -> None:
        """Scan the output, and say that the review is done or signed."""

        def finish(project: Project) -> Message:
            step = project.reviews.sign if what == "sign" else project.reviews.finish
            try:
                return Ended(uid, what, step(uid, person))
            except WorkbenchError as error:
                return Ended(uid, what, Outcome(False, (error.code,)))

        self._begin("end", finish)

    def _begin(self, group: str, work: Callable[[Project], Message]) -> None:
        def run() -> None:
            from db.project import Project

            # What cannot be looked at now is looked at when it is asked for again, and said there.
            with suppress(WorkbenchError), Project.open(self._path) as project:
                self._owner.post_message(work(project))

        self._owner.run_worker(run, thread=True, group=group, exclusive=True)
