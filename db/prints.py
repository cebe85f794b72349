"""Fingerprints of the approved texts: is nearly the same text approved already, under another id?

Each approved text has its fingerprints stored in one block (derived: what is lacking is made when it is asked for). They
are read into memory once and searched there; only texts that share fingerprints (`curation.duplicates`) are compared, so
that a question costs the same with a hundred approved dialogues and with a hundred thousand.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from curation.duplicates import (
    COMMON,
    DUPLICATES_VERSION,
    LEAST_SHARED,
    bare,
    fingerprints,
    many_fingerprints,
    similarity,
)
from db.connection import transaction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.uint32]

# Of a fingerprint so many bits are kept; a chance meeting costs one comparison and nothing else.
_BITS = 0x7FFF_FFFF
# So many texts are done in one transaction.
_AT_ONCE = 5000
# The most candidates that are compared, those that share most first.
_TRIED = 20
# What came in since the sorted part was made is looked through one by one; with more than this it is sorted in.
_LOOSE = 2000


class Prints:
    """The fingerprints of one project's approved texts."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._settled = self._read = -1
        self._sorted: tuple[Numbers, Numbers] | None = None  # prints, and beside each its dialogue
        self._loose: dict[int, list[int]] = {}  # dialogue -> prints
        self._count: dict[int, int] = {}  # dialogue -> how many it has

    # -- keeping up

    def settle(self) -> None:
        """Make the fingerprints of what was approved since, and know those that other windows made."""
        # What happens inside a transaction may be undone with it, and is looked at again after it.
        lasting = not self._db.in_transaction
        newest = int(self._db.execute("SELECT ifnull(max(rowid), 0) FROM event").fetchone()[0])
        if newest == self._settled:
            return
        while True:
            rows = self._db.execute(
                "SELECT a.dialogue, a.payload, p.text FROM approval a JOIN payload p ON p.id = a.payload"
                " LEFT JOIN approved_print n ON n.dialogue = a.dialogue AND n.payload = a.payload AND n.version = ?"
                " WHERE n.dialogue IS NULL AND p.text IS NOT NULL ORDER BY a.dialogue LIMIT ?",
                (DUPLICATES_VERSION, _AT_ONCE),
            ).fetchall()
            if not rows:
                break
            with transaction(self._db):
                self._make(rows)
        self._settled = newest if lasting else -1
        self._take_in(lasting=lasting)

    def _make(self, rows: list[tuple[int, int, str]]) -> None:
        texts = [bare(_texts(text)) for _, _, text in rows]
        found = many_fingerprints(texts)
        self._db.executemany(
            # The number is always a new one, also where the newest row is replaced: other windows ask for what is new.
            "INSERT OR REPLACE INTO approved_print (id, dialogue, payload, version, prints)"
            " VALUES ((SELECT ifnull(max(id), 0) + 1 FROM approved_print), ?, ?, ?, ?)",
            [
                (key, payload, DUPLICATES_VERSION, array("I", _prints(text, prints)).tobytes())
                for (key, payload, _), text, prints in zip(rows, texts, found, strict=True)
            ],
        )

    def _take_in(self, *, lasting: bool) -> None:
        """Read what was stored since the last time."""
        for ident, key, blob in self._db.execute(
            "SELECT id, dialogue, prints FROM approved_print WHERE id > ? ORDER BY id", (self._read,)
        ).fetchall():
            self._read = ident if lasting else self._read
            prints = array("I", blob)
            self._loose[key] = prints.tolist()
            self._count[key] = len(prints)
        if len(self._loose) > _LOOSE:
            self._sort_in()

    def _sort_in(self) -> None:
        import numpy as np

        prints = np.array([one for found in self._loose.values() for one in found], np.uint32)
        owners = np.repeat(
            np.array(list(self._loose), np.uint32), np.array([len(found) for found in self._loose.values()], np.int64)
        )
        if self._sorted is not None:
            prints, owners = np.concatenate((self._sorted[0], prints)), np.concatenate((self._sorted[1], owners))
        order = np.argsort(prints, kind="stable")
        self._sorted = prints[order], owners[order]
        self._loose = {}

    # -- asking

    def twin(self, key: int, texts: Sequence[str], threshold: float) -> str | None:
        """The external id of another approved dialogue nearly the same as these texts, if any.

        Of two that are approved both, the one approved first has no twin: what came later is the second.
        """
        self.settle()
        text = bare(texts)
        prints = _prints(text, fingerprints(text))
        if not prints:
            return None
        own = self._db.execute("SELECT origin, number FROM approval WHERE dialogue = ?", (key,)).fetchone()
        shared = self._sharing(prints, key)
        for other, count in sorted(shared.items(), key=lambda pair: (-pair[1], pair[0]))[:_TRIED]:
            if count < LEAST_SHARED * (min(len(prints), self._count[other]) - 1):
                continue
            row = self._db.execute(
                "SELECT d.external_id, p.text, a.origin, a.number FROM approval a JOIN dialogue d ON d.id = a.dialogue"
                " JOIN payload p ON p.id = a.payload WHERE a.dialogue = ? AND d.current = 1",
                (other,),
            ).fetchone()
            if row is None or row[1] is None:
                continue
            if own is not None and (own[0], own[1], key) < (row[2], row[3], other):
                continue
            if similarity(text, bare(_texts(row[1])), threshold) >= threshold:
                return str(row[0])
        return None

    def _sharing(self, prints: Sequence[int], key: int) -> Counter[int]:
        """How many fingerprints each other dialogue shares with these; common ones count only where all is the same."""
        import numpy as np

        shared: Counter[int] = Counter()
        if self._sorted is not None:
            known, owners = self._sorted
            wanted = np.array(prints, np.uint32)
            starts, ends = np.searchsorted(known, wanted, "left"), np.searchsorted(known, wanted, "right")
            for n, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
                # The last print is of the whole text: who shares that one is always looked at.
                if end - start <= COMMON or n == len(prints) - 1:
                    shared.update(owners[start : min(end, start + COMMON + 1)].tolist())
        mine = set(prints)
        for other, found in self._loose.items():
            if count := len(mine.intersection(found)):
                shared[other] += count
        shared.pop(key, None)
        return shared


def _texts(stored: str) -> list[str]:
    return [text for _, _, _, text in json.loads(stored)["messages"]]


def _prints(text: str, found: Iterable[int]) -> list[int]:
    """What stands for a bare text: its fingerprints, and one of the whole, last. None of a text with nothing in it."""
    if not text:
        return []
    whole = (
        int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big") & _BITS
    )
    parts = dict.fromkeys(one & _BITS for one in found)
    parts.pop(whole, None)
    return [*parts, whole]
