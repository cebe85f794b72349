"""Whether the bytes of a file still hold what must not be there: many needles in one pass over each file.

A needle is a piece of text in UTF-8, as it is and as JSON spells it. Long texts are cut into pieces, since a text that
SQLite lays over several pages is broken at their edges. Needles under `LEAST` bytes are not looked for: too much of any
file looks like them. Nothing here keeps or says what a needle is; they are counted.

No project file may be read while this process has it open (see `db.connection`): `chunks` refuses to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from curation.errors import N_, RefusedStep
from db import connection as opening

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST = 6  # bytes: two Chinese characters
PIECE = 10  # characters
LEAST_OF_A_MESSAGE = 4  # characters; shorter ones are everybody's words
_CHUNK = 16 * 1024 * 1024
_MASK = (1 << 48) - 1
_FACTOR = 0x9E3779B97F4A7C15
_BITS = 24


class Needles:
    """Pieces of originals to look for."""

    def __init__(self) -> None:
        # First six bytes as a number -> the needles that begin with them.
        self._by_head: dict[int, set[bytes]] = {}
        self._longest = LEAST

    def __len__(self) -> int:
        return sum(map(len, self._by_head.values()))

    def __iter__(self) -> Iterator[bytes]:
        return (needle for needles in self._by_head.values() for needle in needles)

    def value(self, text: str) -> None:
        """Look for a value whole: an identifier, in UTF-8 and in both ways JSON spells it."""
        for way in (text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]):
            self._add(way)

    def message(self, text: str) -> None:
        """Look for a text in pieces. Plain Latin words are left out: the file's own names are such words."""
        said = text.strip()
        if len(said) < LEAST_OF_A_MESSAGE:
            return
        starts = [*range(0, len(said) - PIECE, PIECE), max(len(said) - PIECE, 0)]
        for start in starts:
            piece = said[start : start + PIECE]
            if not piece.isascii() or sum(c.isdigit() for c in piece) >= LEAST_OF_A_MESSAGE:
                self._add(piece)
                self._add(json.dumps(piece, ensure_ascii=False)[1:-1])

    def _add(self, text: str) -> None:
        needle = text.encode("utf-8", "surrogatepass")
        if len(needle) >= LEAST:
            self._by_head.setdefault(int.from_bytes(needle[:6], "little"), set()).add(needle)
            self._longest = max(self._longest, len(needle))

    def forget(self, found: Iterable[bytes]) -> None:
        """Look for these no longer."""
        for needle in found:
            self._by_head.get(int.from_bytes(needle[:6], "little"), set()).discard(needle)

    def found_in(self, blocks: Iterable[bytes]) -> set[bytes]:
        """Those of the needles that stand anywhere in these blocks, which follow one another."""
        import numpy as np

        if not self._by_head:
            return set()
        heads = np.fromiter(self._by_head, np.uint64, len(self._by_head))
        marked = np.zeros(1 << _BITS, bool)
        marked[_hashed(heads)] = True
        found: set[bytes] = set()
        rest = b""
        for block in blocks:
            data = rest + block
            found |= self._in(data, marked)
            rest = data[-(self._longest - 1) :]
        return found

    def _in(self, data: bytes, marked: NDArray[np.bool_]) -> set[bytes]:
        """Those in one piece of data."""
        import numpy as np

        found: set[bytes] = set()
        padded = data + bytes(16)
        for shift in range(8):
            count = (len(data) - shift + 7) // 8
            if count <= 0:
                break
            windows = np.frombuffer(padded, "<u8", count, shift) & np.uint64(_MASK)
            for at in np.flatnonzero(marked[_hashed(windows)]):
                for needle in self._by_head.get(int(windows[at]), ()):
                    if needle not in found and data.startswith(needle, int(at) * 8 + shift):
                        found.add(needle)
        return found


def _hashed(numbers: NDArray[np.uint64]) -> NDArray[np.int64]:
    import numpy as np

    return ((numbers * np.uint64(_FACTOR)) >> np.uint64(64 - _BITS)).astype(np.int64)


def companions(path: Path) -> list[Path]:
    """A project file with what SQLite lays beside it, as far as it is there and holds anything."""
    resolved = path.resolve()
    names = [resolved, *(resolved.with_name(resolved.name + end) for end in ("-wal", "-shm", "-journal"))]
    return [one for one in names if one.exists() and one.stat().st_size]


def chunks(path: Path) -> Iterator[bytes]:
    """The bytes of a file, a piece at a time. Refused for one that this process has open as a project."""
    with opening.set_apart(path) as free:
        if not free:
            raise RefusedStep(N_("{path} is open in this window; close it first"), code="open_here", path=path)
        with path.open("rb") as handle:
            while block := handle.read(_CHUNK):
                yield block


def free_pages_with_something(path: Path) -> int:
    """How many free pages of a database file are not wiped. The write-ahead log must be empty."""
    with opening.set_apart(path) as free:
        if not free:
            raise RefusedStep(N_("{path} is open in this window; close it first"), code="open_here", path=path)
        with path.open("rb") as handle:
            head = handle.read(100)
            size = int.from_bytes(head[16:18], "big")
            size = 65536 if size == 1 else size
            trunk, count, seen = int.from_bytes(head[32:36], "big"), 0, 0
            while trunk and seen < 1_000_000:
                seen += 1
                handle.seek((trunk - 1) * size)
                page = handle.read(size)
                leaves = int.from_bytes(page[4:8], "big")
                for at in range(leaves):
                    number = int.from_bytes(page[8 + 4 * at : 12 + 4 * at], "big")
                    handle.seek((number - 1) * size)
                    count += any(handle.read(size))
                trunk = int.from_bytes(page[:4], "big")
    return count
