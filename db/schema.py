"""The schema of a project file, as numbered migrations that are never edited once released.

Two kinds of tables: what is *told* (payload, source, dialogue, event, entry) is primary; what *follows* from the log
(PROJECTED) is written in the same transaction and can be rebuilt. DERIVED tables hold what a machine computed and can
compute again; they are no part of the log. DESK tables hold unfinished work.
"""

from __future__ import annotations

import re
import sqlite3
from functools import cache
from typing import TYPE_CHECKING

from db.connection import APPLICATION_ID
from db.following import AREAS

if TYPE_CHECKING:
    from sqlite_utils import Migrations

VERSION = 1

_PRIMARY = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- Text of people, salted so that its commitment says nothing about it; purged by deleting text and salt.
CREATE TABLE payload (id INTEGER PRIMARY KEY, salt BLOB, text TEXT) STRICT;
-- Payload ids `first` to `last` are a chunk of an import that has not finished; `beat` is when it last did something.
CREATE TABLE staging (
    first INTEGER PRIMARY KEY, last INTEGER NOT NULL, run TEXT NOT NULL, beat REAL NOT NULL) STRICT;
CREATE TABLE source (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE event (
    origin TEXT NOT NULL, number INTEGER NOT NULL CHECK (number > 0), previous BLOB NOT NULL, hash BLOB NOT NULL,
    seen TEXT NOT NULL, kind TEXT NOT NULL, format INTEGER NOT NULL, by TEXT NOT NULL, at TEXT NOT NULL,
    body TEXT NOT NULL, PRIMARY KEY (origin, number)) STRICT;
CREATE TABLE dialogue (
    id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, source INTEGER NOT NULL REFERENCES source(id),
    external_id TEXT NOT NULL, version INTEGER NOT NULL CHECK (version > 0),
    current INTEGER NOT NULL CHECK (current IN (0, 1)),
    payload INTEGER NOT NULL REFERENCES payload(id), commitment BLOB NOT NULL, messages INTEGER NOT NULL,
    origin TEXT NOT NULL, number INTEGER NOT NULL,
    UNIQUE (source, external_id, version), FOREIGN KEY (origin, number) REFERENCES event(origin, number)) STRICT;
CREATE INDEX dialogue_external ON dialogue(external_id, source);
CREATE INDEX dialogue_event ON dialogue(origin, number);
-- What an event says of each dialogue it concerns.
CREATE TABLE entry (
    origin TEXT NOT NULL, number INTEGER NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id),
    payload INTEGER NOT NULL REFERENCES payload(id), commitment BLOB NOT NULL,
    PRIMARY KEY (origin, number, dialogue), FOREIGN KEY (origin, number) REFERENCES event(origin, number)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX entry_dialogue ON entry(dialogue, origin, number);
-- Heads of the chain that a backup or a packet has taken away: the log may not end before them.
CREATE TABLE anchor (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL,
    hash BLOB NOT NULL, at TEXT NOT NULL) STRICT;
"""

# Table name -> its columns. Kept apart so that replay can make a second set of them to compare with.
PROJECTED: dict[str, str] = {name: columns for area in AREAS for name, columns in area.tables.items()}
WITHOUT_ROWID = frozenset(name for area in AREAS for name in area.without_rowid)


def projected_ddl(prefix: str = "") -> list[str]:
    """CREATE statements of the projected tables; `prefix` is `TEMP ` for the set that replay compares with."""
    return [
        f"CREATE {prefix}TABLE {name} ({columns}) STRICT{', WITHOUT ROWID' if name in WITHOUT_ROWID else ''}"
        for name, columns in PROJECTED.items()
    ]


def _first_schema() -> list[str]:
    """The statements that make a new file."""
    scripts = [_PRIMARY]
    for area in AREAS:
        scripts += [area.indexes, area.derived, area.desk]
    return [*projected_ddl(), *(one for script in scripts for one in _statements(script))]


def _m001_first_schema(connection: sqlite3.Connection) -> None:
    for statement in _first_schema():
        connection.execute(statement)


_STEPS = {"m001_first_schema": _m001_first_schema}


def _statements(script: str) -> list[str]:
    lines = [line for line in script.split("\n") if not line.startswith("--")]
    return [s.strip() for s in "\n".join(lines).split(";\n") if s.strip()]


def _migrations() -> Migrations:
    from sqlite_utils import Migrations

    migrations = Migrations("workbench")
    for name, step in _STEPS.items():
        migrations(name=name)(lambda database, step=step: step(database.conn))
    return migrations


def apply(connection: sqlite3.Connection) -> None:
    """Bring the file to `VERSION`: each step and its record in one transaction."""
    from sqlite_utils import Database

    _migrations().apply(Database(connection, execute_plugins=False))
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={VERSION}")


def strangers(connection: sqlite3.Connection) -> list[str]:
    """Names of tables, triggers, indexes and views that are not as this program makes them, or are missing.

    A trigger that someone adds to a project file would rewrite decisions as they are written.
    """
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    # The record of migrations is its library's, whose words for it may change.
    of_library = {("table", "_sqlite_migrations"), ("index", "_sqlite_migrations")}
    found = {(kind, name): sql for kind, name, table, sql in rows if (kind, table) not in of_library}
    return sorted({name for (_, name), _ in set(found.items()) ^ set(_expected())})


@cache
def _expected() -> frozenset[tuple[tuple[str, str], str]]:
    """What `sqlite_master` holds of a file of ours: SQLite keeps every statement as it was given."""
    return frozenset((_made(statement), statement) for statement in _first_schema())


def _made(statement: str) -> tuple[str, str]:
    """The kind and the name of what a CREATE statement makes."""
    match = _CREATE.match(statement)
    assert match is not None
    return match[1].lower(), match[2]


_CREATE = re.compile(r"CREATE (?:UNIQUE )?(TABLE|INDEX|VIEW|TRIGGER) (\w+)")
