"""Screening: what passes the candidate rules, and what was decided."""

from __future__ import annotations

import sqlite3
from typing import Any

from db.following.area import Area
from db.log import Event

_TABLES = {
    "candidacy": "dialogue INTEGER PRIMARY KEY, code TEXT NOT NULL, twin TEXT NOT NULL",
    "decision": "dialogue INTEGER NOT NULL, slot TEXT NOT NULL CHECK (slot IN ('A', 'B')), "
    "round INTEGER NOT NULL CHECK (round IN (1, 2)), person TEXT NOT NULL, keep INTEGER NOT NULL CHECK (keep IN (0, 1)), "
    "situation TEXT NOT NULL, taxonomy TEXT NOT NULL, payload INTEGER NOT NULL, at TEXT NOT NULL, "
    "origin TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (dialogue, slot, round)",
    "skip": "dialogue INTEGER NOT NULL, person TEXT NOT NULL, reason TEXT NOT NULL, payload INTEGER NOT NULL, "
    "origin TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (dialogue, person)",
    "ruling": "dialogue INTEGER PRIMARY KEY, person TEXT NOT NULL, keep INTEGER NOT NULL CHECK (keep IN (0, 1)), "
    "situation TEXT NOT NULL, payload INTEGER NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL",
    "state": "dialogue INTEGER PRIMARY KEY, stage TEXT NOT NULL CHECK (stage IN ('imported', 'rejected', 'candidate', "
    "'disputed', 'dropped', 'agreed', 'approved', 'released', 'withdrawn'))",
}

_INDEXES = """
CREATE INDEX state_stage ON state(stage, dialogue);
CREATE INDEX decision_person ON decision(person, round, dialogue);
"""

_DESK = """
CREATE TABLE draft (
    person TEXT NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id), keep INTEGER, situation TEXT NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (person, dialogue)) STRICT, WITHOUT ROWID;
CREATE TABLE desk (person TEXT NOT NULL, task TEXT NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id),
    PRIMARY KEY (person, task)) STRICT, WITHOUT ROWID;
"""


def _candidates(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO candidacy (dialogue, code, twin) VALUES (?, ?, ?)",
        (dialogue, value["code"], value.get("twin", "")),
    )


def _screened(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    body = event.body
    db.execute(
        "INSERT OR REPLACE INTO decision (dialogue, slot, round, person, keep, situation, taxonomy, payload, at, origin,"
        " number) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            dialogue,
            body["slot"],
            body["round"],
            event.by,
            int(body["keep"]),
            body["situation"],
            body["taxonomy"],
            payload,
            event.at,
            event.origin,
            event.number,
        ),
    )
    db.execute("DELETE FROM skip WHERE dialogue = ? AND person = ?", (dialogue, event.by))


def _skipped(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO skip (dialogue, person, reason, payload, origin, number) VALUES (?, ?, ?, ?, ?, ?)",
        (dialogue, event.by, event.body["reason"], payload, event.origin, event.number),
    )


def _ruled(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    body = event.body
    db.execute(
        "INSERT OR REPLACE INTO ruling (dialogue, person, keep, situation, payload, origin, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (dialogue, event.by, int(body["keep"]), body["situation"], payload, event.origin, event.number),
    )


AREA = Area(
    name="screening",
    tables=_TABLES,
    of_dialogue=(
        "candidacy",
        "decision",
        "skip",
        "ruling",
        "state",
    ),
    without_rowid=frozenset({"decision", "skip"}),
    apply={
        "candidates": _candidates,
        "screened": _screened,
        "skipped": _skipped,
        "ruled": _ruled,
    },
    text_kinds=frozenset({"ruled"}),
    originals=frozenset({"screened", "skipped", "ruled"}),
    outlives=frozenset({"candidates"}),
    forgotten=("draft",),
    indexes=_INDEXES,
    desk=_DESK,
)
