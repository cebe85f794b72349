"""Whether a reply says again what was said: a message of the dialogue, or its own process."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BARE = re.compile(r"[\W_]+")
# Fewer signs than this are said twice by chance; from so many on a part of a message is an echo, too.
_SHORTEST = 5
_LONG = 12
_ENDS = "。.!！?？~～…，, "


def _bare(text: str) -> str:
    return _BARE.sub("", text).casefold()


class Spoken:
    """The texts of a dialogue, as replies are held against them: made once where many are held against the same."""

    __slots__ = ("_each", "_whole", "texts")

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(texts)
        self._whole: str | None = None
        self._each: tuple[str, ...] | None = None

    @property
    def whole(self) -> str:
        """The bare words of all messages in one."""
        if self._whole is None:
            self._whole = _bare("".join(self.texts))
        return self._whole

    @property
    def each(self) -> tuple[str, ...]:
        """The bare words of each message."""
        if self._each is None:
            self._each = tuple(map(_bare, self.texts))
        return self._each


def echoes(reply: str, dialogue: Spoken) -> bool:
    """Whether the reply is a message of the dialogue again, or long parts of one."""
    bare = _bare(reply)
    if len(bare) < _SHORTEST:
        return False
    # All of it at once first: mostly nothing of the kind is there.
    if len(bare) < _LONG and bare not in dialogue.whole:
        return False
    for message in dialogue.each:
        if bare == message or (len(bare) >= _LONG and bare in message):
            return True
        if len(message) >= _LONG and message in bare:
            return True
    return False


def repeats_itself(reply: str, fields: Sequence[str]) -> bool:
    """Whether a process field is the reply again, or two fields are the same words."""
    said = [part.strip(_ENDS) for part in (reply, *fields) if len(part) >= _SHORTEST]
    return len(set(said)) < len(said)
