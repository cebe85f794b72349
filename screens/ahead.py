"""Looks for the identifiers of the next dialogue, and counts, while the person reads this one: a key waits for neither."""

from __future__ import annotations

import gc
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from curation.errors import WorkbenchError
from curation.work import Progress


class Ahead:
    """A thread with a project of its own. It shares nothing with the interface but the file."""

    def __init__(self, path: Path, person: str, counted: Callable[[int, Progress], object]) -> None:
        self._path = path
        self._person = person
        self._counted = counted
        self._asked: queue.SimpleQueue[tuple[int, int] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def ask(self, after: int, ticket: int) -> None:
        """Have the next task after a place looked at, and the person's progress counted and told with the ticket.

        Returns at once.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="look-ahead", daemon=True)
            self._thread.start()
        self._asked.put((after, ticket))

    def stop(self) -> None:
        """End the thread, once it has finished the dialogue it is at."""
        if self._thread is not None:
            self._asked.put(None)
            self._thread.join()
            self._thread = None

    def _work(self) -> None:
        from db.project import Project

        # What cannot be looked at now is looked at when it is shown, and said there.
        with suppress(WorkbenchError), Project.open(self._path) as project:
            loaded = False
            while (asked := self._latest()) is not None:
                with suppress(WorkbenchError):
                    self._counted(asked[1], project.screening.progress(self._person))
                    project.screening.look_ahead(self._person, asked[0])
                if not loaded:
                    # What was loaded stays for good: the collector need not go through it again in the middle of a key.
                    gc.collect()
                    gc.freeze()
                    loaded = True

    def _latest(self) -> tuple[int, int] | None:
        """The place asked for last, with its ticket; None to stop. What was asked before it is passed by."""
        asked = self._asked.get()
        while asked is not None and not self._asked.empty():
            asked = self._asked.get()
        return asked
