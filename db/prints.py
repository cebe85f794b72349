"""Fingerprints of the approved texts: is nearly the same text approved already, under another id?

Derived: what the table lacks is made when it is asked for. Candidates share fingerprints (`curation.duplicates`); only
they are compared, so that a question costs the same with a hundred approved dialogues and with a hundred thousand.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence

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

# Of a fingerprint so many bits are kept; a chance meeting costs one comparison and nothing else.
_BITS = 0x7FFF_FFFF
# So many texts are done in one transaction.
_AT_ONCE = 5000
# The most candidates that are compared, those that share most first.
_TRIED = 20


class Prints:
    """The fingerprints of one project's approved texts."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._settled = -1

    def settle(self) -> None:
        """Make the fingerprints of what was approved since."""
        newest = int(self._db.execute("SELECT ifnull(max(rowid), 0) FROM event").fetchone()[0])
        if newest == self._settled:
            return
        rows = self._db.execute(
            "SELECT a.dialogue, a.payload, p.text FROM approval a JOIN payload p ON p.id = a.payload"
            " LEFT JOIN approved_printed n ON n.dialogue = a.dialogue AND n.payload = a.payload AND n.version = ?"
            " WHERE n.dialogue IS NULL AND p.text IS NOT NULL ORDER BY a.dialogue LIMIT ?",
            (DUPLICATES_VERSION, _AT_ONCE),
        ).fetchall()
        if rows:
            with transaction(self._db):
                self._make(rows)
        if len(rows) == _AT_ONCE:
            self.settle()
        self._settled = newest

    def _make(self, rows: list[tuple[int, int, str]]) -> None:
        self._forget([key for key, _, _ in rows])
        texts = [bare(_texts(text)) for _, _, text in rows]
        made = [_prints(text, found) for text, found in zip(texts, many_fingerprints(texts), strict=True)]
        # In the order in which they are stored: so the pages are written once each.
        pairs = sorted((one, key) for (key, _, _), prints in zip(rows, made, strict=True) for one in prints)
        self._db.executemany("INSERT INTO approved_print (hash, dialogue) VALUES (?, ?)", pairs)
        self._db.executemany(
            "INSERT OR REPLACE INTO approved_printed (dialogue, payload, version, prints) VALUES (?, ?, ?, ?)",
            [
                (key, payload, DUPLICATES_VERSION, array("I", prints).tobytes())
                for (key, payload, _), prints in zip(rows, made, strict=True)
            ],
        )

    def _forget(self, keys: Sequence[int]) -> None:
        """The fingerprints that an earlier text of these dialogues left."""
        for key in keys:
            row = self._db.execute("SELECT prints FROM approved_printed WHERE dialogue = ?", (key,)).fetchone()
            if row is not None:
                self._db.executemany(
                    "DELETE FROM approved_print WHERE hash = ? AND dialogue = ?", [(one, key) for one in _read(row[0])]
                )

    def twin(self, key: int, texts: Sequence[str], threshold: float) -> str | None:
        """The external id of another approved dialogue nearly the same as these texts, if any.

        Of two that are approved both, the one approved first has no twin: what came later is the second.
        """
        self.settle()
        text = bare(texts)
        prints = _prints(text, fingerprints(text))
        if not prints:
            return None
        shared: Counter[int] = Counter()
        for one in prints:
            rows = self._db.execute(
                "SELECT dialogue FROM approved_print WHERE hash = ? LIMIT ?", (one, COMMON + 1)
            ).fetchall()
            # The last print is of the whole text: who shares that one is always looked at.
            if len(rows) <= COMMON or one == prints[-1]:
                shared.update(dialogue for (dialogue,) in rows if dialogue != key)
        least = max(1.0, LEAST_SHARED * (len(prints) - 1))
        own = self._db.execute("SELECT origin, number FROM approval WHERE dialogue = ?", (key,)).fetchone()
        for other, count in sorted(shared.items(), key=lambda pair: (-pair[1], pair[0]))[:_TRIED]:
            if count < least and len(prints) > 2:
                row = self._db.execute("SELECT prints FROM approved_printed WHERE dialogue = ?", (other,)).fetchone()
                shorter = len(_read(row[0])) - 1 if row is not None else 0
                if count < LEAST_SHARED * shorter:
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


def _read(prints: bytes) -> array[int]:
    return array("I", prints)


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
