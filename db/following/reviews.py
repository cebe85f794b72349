"""The review of identifiers: who has read what, what was waived, barred, done and signed; and the project's own lists."""

from __future__ import annotations

import sqlite3
from typing import Any

from db.following.area import Area
from db.log import Event

_TABLES = {
    # Who says that every turn was read, nothing is undecided and the output shows no identifier; and who confirms it.
    "review": "dialogue INTEGER PRIMARY KEY, person TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL",
    "sign_off": "dialogue INTEGER PRIMARY KEY, person TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL",
    "turn_seen": "dialogue INTEGER NOT NULL, person TEXT NOT NULL, turn INTEGER NOT NULL, origin TEXT NOT NULL, "
    "number INTEGER NOT NULL, PRIMARY KEY (dialogue, person, turn)",
    # What the scan of the output finds and a person let stand: a range of the raw text. The reason lies in the payload.
    "waiver": "dialogue INTEGER NOT NULL, message INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, "
    "type TEXT NOT NULL, person TEXT NOT NULL, payload INTEGER NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, "
    "PRIMARY KEY (dialogue, message, start, end)",
    "barred": "dialogue INTEGER PRIMARY KEY, person TEXT NOT NULL, payload INTEGER NOT NULL, origin TEXT NOT NULL, "
    "number INTEGER NOT NULL",
    "reveal": "dialogue INTEGER NOT NULL, person TEXT NOT NULL, message INTEGER NOT NULL, start INTEGER NOT NULL, "
    "end INTEGER NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (origin, number)",
    # Values and files of lists. The text lies in the payload; what was said last counts.
    "list_text": "dialogue INTEGER NOT NULL, list TEXT NOT NULL CHECK (list IN ('allow', 'deny', 'file')), "
    "type TEXT NOT NULL, person TEXT NOT NULL, payload INTEGER NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, "
    "PRIMARY KEY (origin, number)",
}

# What makes another text to review out of a reviewed one: decisions on identifiers, and what a person wrote into it.
# Normalising and trimming do not: they bring no identifier in, and approval scans what comes out of them.
_UNSETTLES = frozenset({"scrubbed", "finding", "edited"})


def _done(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO review (dialogue, person, origin, number) VALUES (?, ?, ?, ?)",
        (dialogue, event.by, event.origin, event.number),
    )
    db.execute("DELETE FROM sign_off WHERE dialogue = ?", (dialogue,))


def _signed(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO sign_off (dialogue, person, origin, number) VALUES (?, ?, ?, ?)",
        (dialogue, event.by, event.origin, event.number),
    )


def _seen(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO turn_seen (dialogue, person, turn, origin, number) VALUES (?, ?, ?, ?, ?)",
        [(dialogue, event.by, turn, event.origin, event.number) for turn in event.body["turns"]],
    )


def _waived(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    body = event.body
    db.execute(
        "INSERT OR REPLACE INTO waiver (dialogue, message, start, end, type, person, payload, origin, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            dialogue,
            body["message"],
            body["start"],
            body["end"],
            body["type"],
            event.by,
            payload,
            event.origin,
            event.number,
        ),
    )


def _barred(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO barred (dialogue, person, payload, origin, number) VALUES (?, ?, ?, ?, ?)",
        (dialogue, event.by, payload, event.origin, event.number),
    )


def _unbarred(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute("DELETE FROM barred WHERE dialogue = ?", (dialogue,))


def _revealed(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    body = event.body
    db.execute(
        "INSERT INTO reveal (dialogue, person, message, start, end, origin, number) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (dialogue, event.by, body["message"], body["start"], body["end"], event.origin, event.number),
    )


def _listed(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    """The text hangs on one dialogue; the others that the event names hold what it says is one, and are open again."""
    body = event.body
    row = db.execute(
        "SELECT 1 FROM dialogue WHERE id = ? AND uid = ?", (dialogue, body.get("dialogue") or body["on"])
    ).fetchone()
    if row is None or body.get("reopens"):
        db.execute("DELETE FROM approval WHERE dialogue = ?", (dialogue,))
        db.execute("DELETE FROM release_item WHERE dialogue = ?", (dialogue,))
    if row is not None:
        db.execute(
            "INSERT INTO list_text (dialogue, list, type, person, payload, origin, number) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (dialogue, body["list"], body["type"], event.by, payload, event.origin, event.number),
        )


AREA = Area(
    name="reviews",
    tables=_TABLES,
    of_dialogue=("review", "sign_off", "turn_seen", "waiver", "barred", "reveal", "list_text"),
    without_rowid=frozenset({"turn_seen", "waiver"}),
    apply={
        "review_done": _done,
        "review_signed": _signed,
        "turns_seen": _seen,
        "waived": _waived,
        "not_releasable": _barred,
        "releasable": _unbarred,
        "revealed": _revealed,
        "listed": _listed,
        "lists_given": _listed,
    },
    text_kinds=frozenset({"not_releasable"}),
    stageless=frozenset({"review_done", "review_signed", "turns_seen", "waived", "releasable", "revealed"}),
    originals=frozenset({"waived", "not_releasable", "listed"}),
    # A file of lists is no dialogue's: it only hangs on one.
    outlives=frozenset({"review_done", "review_signed", "turns_seen", "releasable", "revealed", "lists_given"}),
    unsettled_by={"review": _UNSETTLES, "sign_off": _UNSETTLES},
    indexes="""
CREATE INDEX reveal_dialogue ON reveal(dialogue, person);
CREATE INDEX list_text_dialogue ON list_text(dialogue);
""",
)
