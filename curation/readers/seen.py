"""Which ids a file has used, and for what, in 16 to 48 bytes an id."""

from __future__ import annotations

from array import array
from collections.abc import Hashable

_MASK = (1 << 64) - 1


class Seen:
    """A table from id to content, both as 64-bit hashes, open addressing, doubling when half full.

    A dict of strings would take ten times the room, and ten million dialogues are a normal file. Two different ids
    fall on one hash in ten million with a chance of three in a million.
    """

    def __init__(self) -> None:
        self._count = 0
        self._size = 1 << 10
        self._keys = array("Q", bytes(8 * self._size))
        self._values = array("Q", bytes(8 * self._size))

    def add(self, key: str, content: Hashable) -> bool | None:
        """Note `key`. None when it is new, else whether it came with the same `content` before."""
        hashed = hash(key) & _MASK or 1
        value = hash(content) & _MASK
        place = self._place(hashed)
        if self._keys[place]:
            return self._values[place] == value
        self._keys[place], self._values[place] = hashed, value
        self._count += 1
        if 2 * self._count > self._size:
            self._grow()
        return None

    def _place(self, hashed: int) -> int:
        keys, mask = self._keys, self._size - 1
        place = hashed & mask
        while (there := keys[place]) and there != hashed:
            place = (place + 1) & mask
        return place

    def _grow(self) -> None:
        old = zip(self._keys, self._values, strict=True)
        self._size *= 2
        self._keys = array("Q", bytes(8 * self._size))
        self._values = array("Q", bytes(8 * self._size))
        for hashed, value in old:
            if hashed:
                place = self._place(hashed)
                self._keys[place], self._values[place] = hashed, value
