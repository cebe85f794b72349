"""Looks for the identifiers of the next dialogue while the person reads this one, so that showing it waits for nothing."""

from __future__ import annotations

import gc
import queue
import threading
from contextlib import suppress
from pathlib import Path

from curation.errors import WorkbenchError


class Ahead:
    """A thread with a project of its own. It shares nothing with the interface but the file."""

    def __init__(self, path: Path, person: str) -> None:
        self._path = path
        self._person = person
        self._asked: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def ask(self, after: int) -> None:
        """Have the next task after a place looked at. Returns at once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="look-ahead", daemon=True)
            self._thread.start()
        self._asked.put(after)

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
            while (after := self._latest()) is not None:
                with suppress(WorkbenchError):
                    project.screening.look_ahead(self._person, after)
                if not loaded:
                    # What was loaded stays for good: the collector need not go through it again in the middle of a key.
                    gc.collect()
                    gc.freeze()
                    loaded = True

    def _latest(self) -> int | None:
        """The place asked for last; None to stop. What was asked before it is passed by."""
        after = self._asked.get()
        while after is not None and not self._asked.empty():
            after = self._asked.get()
        return after
