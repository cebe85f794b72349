"""Figures computed beside the keys: a thread with a project of its own that hands each new panel over."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from curation.errors import WorkbenchError
from curation.work.scoring import Panel


class PanelFeed:
    """Asked for the live panel as one person may see it; `hand_over` is called in the thread with what was found."""

    def __init__(self, path: Path, person: str, hand_over: Callable[[Panel], object]) -> None:
        self._path = path
        self._person = person
        self._hand_over = hand_over
        self._asked: queue.SimpleQueue[bool | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def ask(self, *, intervals: bool = False) -> None:
        """Have the figures looked at; with `intervals` these too, which takes longer. Returns at once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="panel", daemon=True)
            self._thread.start()
        self._asked.put(intervals)

    def stop(self) -> None:
        """End the thread, once it has finished what it is at."""
        if self._thread is not None:
            self._asked.put(None)
            self._thread.join()
            self._thread = None

    def _work(self) -> None:
        from db.project import Project

        # Figures that cannot be had now are had the next time they are asked for.
        with suppress(WorkbenchError), Project.open(self._path) as project:
            while (intervals := self._latest()) is not None:
                with suppress(WorkbenchError):
                    self._hand_over(project.scoring.panel(self._person, intervals=intervals))

    def _latest(self) -> bool | None:
        """What was asked for last; None to stop. What was asked before it is passed by."""
        asked = self._asked.get()
        while asked is not None and not self._asked.empty():
            later = self._asked.get()
            asked = later if later is None else asked or later
        return asked
