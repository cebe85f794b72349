"""Who works on the project: people and pairs."""

from __future__ import annotations

import sqlite3

from db.following.area import Area
from db.log import Event

_TABLES = {
    "person": "name TEXT PRIMARY KEY, role TEXT NOT NULL CHECK (role IN ('curator', 'annotator', 'expert')), "
    "retired INTEGER NOT NULL CHECK (retired IN (0, 1))",
    # The dialects that a person reads beside Mandarin, which everyone does.
    "reading": "person TEXT NOT NULL, dialect TEXT NOT NULL, PRIMARY KEY (person, dialect)",
    "pair": "id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT NOT NULL",
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
    elif event.kind == "person_set":
        db.execute("DELETE FROM reading WHERE person = ?", (body["name"],))
        db.executemany(
            "INSERT INTO reading (person, dialect) VALUES (?, ?)", [(body["name"], tag) for tag in body["reads"]]
        )
    elif event.kind == "paired":
        db.execute("INSERT INTO pair (id, a, b) VALUES (?, ?, ?)", (body["pair"], body["a"], body["b"]))


AREA = Area(
    name="people",
    tables=_TABLES,
    without_rowid=frozenset({"reading"}),
    apply_bare=dict.fromkeys(("person_added", "person_retired", "person_set", "paired"), _people),
)
