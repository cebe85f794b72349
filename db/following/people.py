"""Who works on the project: people and pairs."""

from __future__ import annotations

import sqlite3

from db.following.area import Area
from db.log import Event

_TABLES = {
    "person": "name TEXT PRIMARY KEY, role TEXT NOT NULL CHECK (role IN ('curator', 'annotator', 'expert')), "
    "retired INTEGER NOT NULL CHECK (retired IN (0, 1))",
    "pair": "id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT NOT NULL, UNIQUE (a, b)",
}


def _people(db: sqlite3.Connection, event: Event) -> None:
    body = event.body
    if event.kind == "person_added":
        db.execute(
            "INSERT OR REPLACE INTO person (name, role, retired) VALUES (?, ?, 0)",
            (body["name"], body["role"]),
        )
    elif event.kind == "person_retired":
        db.execute("UPDATE person SET retired = 1 WHERE name = ?", (body["name"],))
    elif event.kind == "paired":
        db.execute("INSERT INTO pair (id, a, b) VALUES (?, ?, ?)", (body["pair"], body["a"], body["b"]))


AREA = Area(
    name="people",
    tables=_TABLES,
    apply_bare={"person_added": _people, "person_retired": _people, "paired": _people},
)
