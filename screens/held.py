"""A key that, held down, does its work once."""

from __future__ import annotations

import time
from collections.abc import Callable

from textual.timer import Timer
from textual.widget import Widget

HELD = 0.09  # seconds in which a held key comes again
REPEATS_WITHIN = 1.1  # seconds in which it begins to; a second press this soon is looked at twice


class Once:
    """Lets the first of a row of presses through, and a later one only when no other follows at once."""

    def __init__(self, owner: Widget, work: Callable[[], object]) -> None:
        self._owner = owner
        self._work = work
        self._timer: Timer | None = None
        self._pressed = self._done = float("-inf")

    def press(self) -> None:
        """The key came in."""
        now = time.monotonic()
        held, self._pressed = now - self._pressed < HELD, now
        if held:
            self._forget()
        elif now - self._done < REPEATS_WITHIN:
            self._timer = self._owner.set_timer(HELD, self._run)
        else:
            self._run()

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _run(self) -> None:
        self._forget()
        self._done = time.monotonic()
        self._work()
