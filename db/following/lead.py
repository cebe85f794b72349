"""The lead's matters: how many of each situation are wanted, and what is said between the lead and the people."""

from __future__ import annotations

import sqlite3
from typing import Any

from db.following.area import Area
from db.log import Event

_TABLES = {
    "quota": "situation TEXT PRIMARY KEY, target INTEGER NOT NULL CHECK (target >= 0)",
    # `answers` is the reference of the comment that this one replies to, "" for none.
    "comment": "origin TEXT NOT NULL, number INTEGER NOT NULL, dialogue INTEGER NOT NULL, writer TEXT NOT NULL, "
    "reader TEXT NOT NULL, answers TEXT NOT NULL, payload INTEGER NOT NULL, at TEXT NOT NULL, "
    "PRIMARY KEY (origin, number)",
    # What someone has read, by its reference: comments and rulings.
    "was_read": "person TEXT NOT NULL, ref TEXT NOT NULL, PRIMARY KEY (person, ref)",
}

_INDEXES = """
CREATE INDEX comment_reader ON comment(reader);
CREATE INDEX comment_dialogue ON comment(dialogue);
"""


def _quota(db: sqlite3.Connection, event: Event) -> None:
    for situation, target in event.body["targets"].items():
        db.execute("DELETE FROM quota WHERE situation = ?", (situation,))
        if target is not None:
            db.execute("INSERT INTO quota (situation, target) VALUES (?, ?)", (situation, target))


def _read(db: sqlite3.Connection, event: Event) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO was_read (person, ref) VALUES (?, ?)", [(event.by, ref) for ref in event.body["refs"]]
    )


def _commented(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    body = event.body
    db.execute(
        "INSERT OR REPLACE INTO comment (origin, number, dialogue, writer, reader, answers, payload, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (event.origin, event.number, dialogue, event.by, body["to"], body.get("answers", ""), payload, event.at),
    )


AREA = Area(
    name="lead",
    tables=_TABLES,
    of_dialogue=("comment",),
    without_rowid=frozenset({"quota", "comment", "was_read"}),
    apply={"commented": _commented},
    apply_bare={"quota_set": _quota, "was_read": _read},
    stageless=frozenset({"commented"}),
    originals=frozenset({"commented"}),
    indexes=_INDEXES,
)
