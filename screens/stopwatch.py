"""How long someone has been at a dialogue: busy between keys, idle in pauses too long for reading."""

from __future__ import annotations

import time
from collections.abc import Callable

from curation.work.screening import Spent

IDLE_AFTER = 60.0  # seconds without a key; what a pause lasts beyond them is idle


class Stopwatch:
    """Counts on from what was spent before. A pause is busy up to IDLE_AFTER seconds and idle beyond."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._before = Spent()
        self._active = self._idle = 0.0
        self._last = clock()

    def begin(self, before: Spent) -> None:
        """Another dialogue comes to lie in front, with which so much was spent before."""
        self._before = before
        self._active = self._idle = 0.0
        self._last = self._clock()

    def touch(self) -> None:
        """A key came in."""
        now = self._clock()
        pause, self._last = max(now - self._last, 0.0), now
        self._active += min(pause, IDLE_AFTER)
        self._idle += max(pause - IDLE_AFTER, 0.0)

    @property
    def moved(self) -> bool:
        """Whether there is more to keep than was kept before."""
        return self._active > 0 or self._idle > 0

    def spent(self) -> Spent:
        """All that was spent with this dialogue, up to now."""
        self.touch()
        return self._before + Spent(round(self._active * 1000), round(self._idle * 1000))
