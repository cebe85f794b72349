"""What becomes of a key before any action sees it: full-width forms, Chinese input left on, pastes and held keys."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable
from enum import Enum

from curation.errors import N_

MOST_AT_ONCE = 8  # keys that one read may bring before it is taken for a paste
TOO_CLOSE = 0.012  # seconds between two keys; nobody types a row of keys closer than this
PACE = 0.25  # seconds between two decisions; a second one sooner is a held key

NOT_UTF8 = "\ufffd"
NOT_PAINTED = N_("This dialogue is not on the screen yet")


class Verdict(Enum):
    """What to do with a key that no text box takes."""

    PASS = "pass"
    CHINESE_INPUT = "chinese input"
    PASTED = "pasted"
    NOT_UTF8 = "not utf-8"


def folded(character: str | None) -> str | None:
    """The ASCII character that a full-width one stands for (５ → 5, ａ → a, ？ → ?), else the same one."""
    if character is None or len(character) != 1 or character.isascii():
        return character
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 and plain.isascii() else character


def is_foreign(character: str | None) -> bool:
    """A character that no key of ours is: a hanzi or Chinese mark that an input method sent."""
    return bool(character) and not str(character).isascii() and str(character).isprintable()


class Gate:
    """Tells typed keys from pasted ones. The driver announces big reads; closeness in time tells the rest."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._announced = 0
        self._spoiled = False
        self._run = 0
        self._last = float("-inf")

    def announce(self, count: int, *, spoiled: bool) -> None:
        """The next `count` keys came in one read. `spoiled`: that read was not UTF-8."""
        self._announced = count
        self._spoiled = spoiled

    def judge(self, character: str | None, read_at: float | None = None) -> Verdict:
        """What to do with the next key, whose character (already folded) is given.

        `read_at` is when it was read (by the same clock): a busy machine looks at a burst one by one, and late.
        """
        now = self._clock() if read_at is None else read_at
        close = now - self._last < TOO_CLOSE
        self._run = self._run + 1 if close else 1
        self._last = now
        if self._announced:
            self._announced -= 1
            return Verdict.NOT_UTF8 if self._spoiled else Verdict.PASTED
        if character == NOT_UTF8:
            return Verdict.NOT_UTF8
        if self._run > MOST_AT_ONCE:
            return Verdict.PASTED
        return Verdict.CHINESE_INPUT if is_foreign(character) else Verdict.PASS


class Pace:
    """Lets one decision through at a time: not before the item has been painted, nor too soon after the last one.

    A held key keeps it shut, since its repeats follow each other sooner than `seconds`; and a key that decides counts
    only when another one was pressed since the last decision, so that the slow first repeat does not count either.
    """

    def __init__(self, seconds: float = PACE, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._until = float("-inf")
        self._painted = True
        self._touched = True

    def painted(self) -> None:
        """The item is there to be read."""
        self._painted = True

    def touched(self) -> None:
        """The person pressed something else than the key that decides."""
        self._touched = True

    def decided(self) -> None:
        """A decision went through, and another item is on its way to the screen."""
        self._until = self._clock() + self._seconds
        self._touched = self._painted = False

    def may_answer(self) -> bool:
        """Whether a part of an answer may be set."""
        return self._painted

    def refusal(self) -> str:
        """Why no item may be decided now (an English template), or "". A refused try starts the wait anew."""
        now = self._clock()
        if now < self._until:
            self._until = now + self._seconds
            return N_("Too quick after the last one – press it again")
        if not self._painted:
            return NOT_PAINTED
        if not self._touched:
            return N_("This answer was here before – confirm it with another key first, then press Enter")
        return ""
