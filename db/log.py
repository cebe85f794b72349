"""The event log: who decided what, when, on which file, under which versions. One hash chain an origin.

An event holds commitments and plain facts (ids, spans, counts, names of situations), never text of a dialogue or of a
person; that text lies in `payload`, bound to the event by a keyed commitment, so that it can be destroyed and the chain
still verifies. Events about dialogues have one entry a dialogue; a batch step is one event with many entries and the
digest of their commitments.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

FORMAT = 1
SALT_BYTES = 16
Clock = Callable[[], str]
Entropy = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the log. `at` is ISO 8601 in UTC; `seen` maps other origins to the number of their last known event."""

    origin: str
    number: int
    kind: str
    by: str
    at: str
    body: dict[str, Any]
    format: int = FORMAT
    seen: dict[str, int] | None = None

    @property
    def ref(self) -> str:
        """How people name it: origin and number."""
        return f"{self.origin}:{self.number}"


_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical(value: object) -> str:
    """JSON with one spelling for one value: sorted keys, no spaces, real characters."""
    return _CANONICAL.encode(value)


def commitment(salt: bytes, text: str) -> bytes:
    """A keyed commitment to `text` (HMAC-SHA-256, 32 bytes). Without the salt it cannot be tried against guesses."""
    return hmac.digest(salt, text.encode("utf-8"), "sha256")


def digest(commitments: Iterable[bytes]) -> str:
    """One hex digest over many commitments, in order."""
    total = hashlib.sha256()
    for one in commitments:
        total.update(one)
    return total.hexdigest()


def event_hash(
    origin: str, number: int, previous: bytes, seen: str, kind: str, form: int, by: str, at: str, body: str
) -> bytes:
    """The hash of an event: over all its columns and the hash of the event before it in its origin."""
    text = canonical([origin, number, previous.hex(), seen, kind, form, by, at, body])
    return hashlib.sha256(text.encode("utf-8")).digest()


class Log:
    """Appends to and reads the log of one open project."""

    def __init__(self, connection: sqlite3.Connection, origin: str, clock: Clock, entropy: Entropy) -> None:
        self._connection = connection
        self.origin = origin
        self._clock = clock
        self._entropy = entropy

    def now(self) -> str:
        """The time as the log writes it."""
        return self._clock()

    def salts(self, count: int) -> list[bytes]:
        """`count` fresh salts, from one draw."""
        raw = self._entropy(SALT_BYTES * count)
        return [raw[i : i + SALT_BYTES] for i in range(0, len(raw), SALT_BYTES)]

    def append(self, kind: str, by: str, body: dict[str, Any], *, entries: Sequence[tuple[int, object]] = ()) -> Event:
        """Append an event (inside the caller's transaction) with its entries: (dialogue, what it says of it).

        The digest of the entries' commitments goes into the body, so that none can be changed, added or removed.
        """
        stored: list[tuple[int, int, bytes]] = []
        if entries:
            texts = [canonical(value) for _, value in entries]
            salts = self.salts(len(entries))
            # The ids that SQLite would give: writing is ours alone until the transaction ends.
            first = self._connection.execute("SELECT ifnull(max(id), 0) + 1 FROM payload").fetchone()[0]
            self._connection.executemany(
                "INSERT INTO payload (id, salt, text) VALUES (?, ?, ?)", zip(count(first), salts, texts, strict=False)
            )
            stored = [
                (dialogue, first + n, commitment(salt, text))
                for n, ((dialogue, _), salt, text) in enumerate(zip(entries, salts, texts, strict=True))
            ]
            stored.sort()
            uids = self._uids([d for d, _, _ in stored])
            body = {
                **body,
                "entries": len(stored),
                "digest": self.entry_digest(uids, [c for _, _, c in stored]),
            }
        event = self.append_bare(kind, by, body)
        self._connection.executemany(
            "INSERT INTO entry (origin, number, dialogue, payload, commitment) VALUES (?, ?, ?, ?, ?)",
            ((event.origin, event.number, *row) for row in stored),
        )
        return event

    @staticmethod
    def entry_digest(uids: Sequence[str], commitments: Sequence[bytes]) -> str:
        """The digest that binds entries to their event: dialogue and commitment, in order of storage."""
        return digest(uid.encode("ascii") + one for uid, one in zip(uids, commitments, strict=True))

    def _uids(self, dialogues: Sequence[int]) -> list[str]:
        if len(dialogues) == 1:
            return [self._connection.execute("SELECT uid FROM dialogue WHERE id = ?", dialogues).fetchone()[0]]
        known = dict(self._connection.execute("SELECT id, uid FROM dialogue").fetchall())
        return [known[d] for d in dialogues]

    def append_bare(self, kind: str, by: str, body: dict[str, Any]) -> Event:
        """Append an event without entries, inside the caller's transaction."""
        previous = self.head()
        number, before = (previous[0] + 1, previous[1]) if previous else (1, bytes(32))
        others = self._connection.execute(
            "SELECT origin, max(number) FROM event WHERE origin <> ? GROUP BY origin", (self.origin,)
        ).fetchall()
        seen, at, text = canonical(dict(others)), self._clock(), canonical(body)
        hashed = event_hash(self.origin, number, before, seen, kind, FORMAT, by, at, text)
        self._connection.execute(
            "INSERT INTO event (origin, number, previous, hash, seen, kind, format, by, at, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (self.origin, number, before, hashed, seen, kind, FORMAT, by, at, text),
        )
        return Event(self.origin, number, kind, by, at, body, FORMAT, dict(others))

    def head(self, origin: str | None = None) -> tuple[int, bytes] | None:
        """Number and hash of the last event of an origin (this file's by default)."""
        row = self._connection.execute(
            "SELECT number, hash FROM event WHERE origin = ? ORDER BY number DESC LIMIT 1",
            (origin or self.origin,),
        ).fetchone()
        return None if row is None else (row[0], row[1])

    def last(self) -> int:
        """A number that is another one after every event, of whichever origin and from whichever window; quickly read."""
        return int(self._connection.execute("SELECT ifnull(max(rowid), 0) FROM event").fetchone()[0])

    def event(self, origin: str, number: int) -> Event | None:
        """One event, or None."""
        row = self._connection.execute(f"{SELECT} WHERE origin = ? AND number = ?", (origin, number)).fetchone()
        return None if row is None else from_row(row)

    def events(self) -> Iterator[Event]:
        """All events in the order of replay: causes before effects, never by clock (see `in_order`)."""
        rows = self._connection.execute(f"{SELECT} ORDER BY origin, number").fetchall()
        return iter(in_order([from_row(row) for row in rows]))

    def about(self, dialogue: int) -> list[Event]:
        """The events with an entry on this dialogue, in the order of replay."""
        rows = self._connection.execute(
            f"{SELECT} JOIN entry USING (origin, number) WHERE entry.dialogue = ? ORDER BY origin, number",
            (dialogue,),
        ).fetchall()
        return in_order([from_row(row) for row in rows])

    def undone(self) -> set[tuple[str, int]]:
        """The events that an undo that itself stands has taken back, some of them in part alone (see `taken_back`)."""
        return set(self.taken_back())

    def taken_back(self) -> dict[tuple[str, int], frozenset[int]]:
        """The same, each with the dialogues for which it stands on all the same: mostly none.

        An undo that leaves some says in its body how many are `left`; those are the ones of which it has no entry.
        """
        rows = self._connection.execute(f"{SELECT} WHERE kind = 'undone' ORDER BY origin, number").fetchall()
        result: dict[tuple[str, int], frozenset[int]] = {}
        for event in reversed(in_order([from_row(row) for row in rows])):
            if (event.origin, event.number) not in result:
                origin, number = event.body["event"]
                left = self._entries(origin, number) - self._entries(*_name(event)) if event.body.get("left") else ()
                result[origin, number] = frozenset(left) & result.get((origin, number), frozenset(left))
        return result

    def _entries(self, origin: str, number: int) -> set[int]:
        rows = self._connection.execute("SELECT dialogue FROM entry WHERE origin = ? AND number = ?", (origin, number))
        return {dialogue for (dialogue,) in rows}


def _name(event: Event) -> tuple[str, int]:
    return event.origin, event.number


SELECT = "SELECT event.origin, event.number, kind, by, at, body, format, seen FROM event"


def from_row(row: Sequence[Any]) -> Event:
    """An event from a row of SELECT."""
    return Event(row[0], row[1], row[2], row[3], row[4], json.loads(row[5]), row[6], json.loads(row[7]))


def in_order(events: Sequence[Event]) -> list[Event]:
    """Events in causal order: within an origin by number, and after all that their writer had seen; ties by origin.

    `events` is sorted by (origin, number); it may be a part of the log. The result depends on the set alone, so that
    merging in any order gives the same replay.
    """
    queues: dict[str, list[Event]] = {}
    for event in reversed(events):
        queues.setdefault(event.origin, []).append(event)
    if len(queues) <= 1:
        return list(events)
    result: list[Event] = []
    while queues:
        for origin in sorted(queues):
            event = queues[origin][-1]
            waits = any(o in queues and queues[o][-1].number <= n for o, n in (event.seen or {}).items())
            if not waits:
                result.append(event)
                queues[origin].pop()
                if not queues[origin]:
                    del queues[origin]
                break
        else:
            raise ValueError("the log's origins wait for each other")
    return result
