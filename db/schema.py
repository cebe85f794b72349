"""The schema of a project file, as numbered migrations that are never edited once released.

Two kinds of tables: what is *told* (payload, source, dialogue, event, entry) is primary; what *follows* from the log
(PROJECTED) is written in the same transaction and can be rebuilt. DERIVED tables hold what a machine computed and can
compute again; they are no part of the log. DESK tables hold unfinished work.
"""

from __future__ import annotations

import sqlite3
from functools import cache
from typing import TYPE_CHECKING

from db.connection import APPLICATION_ID

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
PROJECTED = {
    "person": "name TEXT PRIMARY KEY, role TEXT NOT NULL CHECK (role IN ('curator', 'annotator', 'expert')), "
    "retired INTEGER NOT NULL CHECK (retired IN (0, 1))",
    "pair": "id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT NOT NULL, UNIQUE (a, b)",
    "candidacy": "dialogue INTEGER PRIMARY KEY, code TEXT NOT NULL, twin TEXT NOT NULL",
    "assignment": "person TEXT NOT NULL, place INTEGER NOT NULL, dialogue INTEGER NOT NULL, "
    "slot TEXT NOT NULL CHECK (slot IN ('A', 'B')), pair INTEGER NOT NULL, PRIMARY KEY (person, place), "
    "UNIQUE (dialogue, slot)",
    "decision": "dialogue INTEGER NOT NULL, slot TEXT NOT NULL CHECK (slot IN ('A', 'B')), "
    "round INTEGER NOT NULL CHECK (round IN (1, 2)), person TEXT NOT NULL, keep INTEGER NOT NULL CHECK (keep IN (0, 1)), "
    "situation TEXT NOT NULL, taxonomy TEXT NOT NULL, payload INTEGER NOT NULL, at TEXT NOT NULL, "
    "origin TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (dialogue, slot, round)",
    "skip": "dialogue INTEGER NOT NULL, person TEXT NOT NULL, reason TEXT NOT NULL, payload INTEGER NOT NULL, "
    "origin TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (dialogue, person)",
    "ruling": "dialogue INTEGER PRIMARY KEY, person TEXT NOT NULL, keep INTEGER NOT NULL CHECK (keep IN (0, 1)), "
    "situation TEXT NOT NULL, payload INTEGER NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL",
    "finding": "dialogue INTEGER NOT NULL, message INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, "
    "type TEXT NOT NULL, accepted INTEGER NOT NULL CHECK (accepted IN (0, 1)), score REAL NOT NULL, rule TEXT NOT NULL, "
    "policy TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (dialogue, message, start, end)",
    "layer": "dialogue INTEGER NOT NULL, layer TEXT NOT NULL CHECK (layer IN ('normalised', 'edited')), "
    "payload INTEGER NOT NULL, version TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, "
    "PRIMARY KEY (dialogue, layer)",
    "trim": "dialogue INTEGER PRIMARY KEY, first_turn INTEGER NOT NULL, removed TEXT NOT NULL, "
    "origin TEXT NOT NULL, number INTEGER NOT NULL",
    "approval": "dialogue INTEGER PRIMARY KEY, payload INTEGER NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL",
    # What a person took back of the normalised layer: the edits in a range of the raw text, or all of a rule.
    "edit_taken_back": "dialogue INTEGER NOT NULL, message INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, "
    "person TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (dialogue, message, start, end)",
    "rule_taken_back": "dialogue INTEGER NOT NULL, rule TEXT NOT NULL, person TEXT NOT NULL, origin TEXT NOT NULL, "
    "number INTEGER NOT NULL, PRIMARY KEY (dialogue, rule)",
    "dialect_told": "dialogue INTEGER PRIMARY KEY, tag TEXT NOT NULL, person TEXT NOT NULL, origin TEXT NOT NULL, "
    "number INTEGER NOT NULL",
    "release_item": "dialogue INTEGER PRIMARY KEY, release_id TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL",
    "state": "dialogue INTEGER PRIMARY KEY, stage TEXT NOT NULL CHECK (stage IN ('imported', 'rejected', 'candidate', "
    "'disputed', 'dropped', 'agreed', 'approved', 'released', 'withdrawn'))",
}
WITHOUT_ROWID = frozenset({"assignment", "decision", "skip", "finding", "layer", "edit_taken_back", "rule_taken_back"})

_INDEXES = """
CREATE INDEX state_stage ON state(stage, dialogue);
CREATE INDEX assignment_dialogue ON assignment(dialogue, person);
CREATE INDEX decision_person ON decision(person, round, dialogue);
"""

_DERIVED = """
CREATE TABLE scan (
    dialogue INTEGER PRIMARY KEY REFERENCES dialogue(id), detector TEXT NOT NULL, failure TEXT NOT NULL) STRICT;
CREATE TABLE proposal (
    dialogue INTEGER NOT NULL REFERENCES dialogue(id), message INTEGER NOT NULL, start INTEGER NOT NULL,
    end INTEGER NOT NULL, type TEXT NOT NULL, score REAL NOT NULL, rule TEXT NOT NULL,
    PRIMARY KEY (dialogue, message, start, end)) STRICT, WITHOUT ROWID;
CREATE TABLE trim_proposal (
    dialogue INTEGER PRIMARY KEY REFERENCES dialogue(id), first_turn INTEGER NOT NULL, removed TEXT NOT NULL,
    turns_before INTEGER NOT NULL, turns_after INTEGER NOT NULL, version TEXT NOT NULL) STRICT;
-- `evidence` is JSON, its offsets those of the scrubbed text; `seen` says which identifiers were replaced in that.
CREATE TABLE dialect (
    dialogue INTEGER PRIMARY KEY REFERENCES dialogue(id), version TEXT NOT NULL, tag TEXT NOT NULL,
    confidence REAL NOT NULL, evidence TEXT NOT NULL, seen TEXT NOT NULL DEFAULT '') STRICT;
-- The search index (see `db.index`): lists of dialogues by grams, block by block; which blocks are covered, and up to
-- which dialogue; what the layers above raw add to a dialogue.
CREATE TABLE gram (place INTEGER PRIMARY KEY, dialogues BLOB NOT NULL) STRICT;
CREATE TABLE gram_block (block INTEGER PRIMARY KEY, upto INTEGER NOT NULL, version TEXT NOT NULL) STRICT;
CREATE TABLE gram_change (
    dialogue INTEGER PRIMARY KEY REFERENCES dialogue(id), state TEXT NOT NULL, buckets BLOB NOT NULL) STRICT;
"""

_DESK = """
CREATE TABLE draft (
    person TEXT NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id), keep INTEGER, situation TEXT NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (person, dialogue)) STRICT, WITHOUT ROWID;
CREATE TABLE desk (person TEXT NOT NULL, task TEXT NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id),
    PRIMARY KEY (person, task)) STRICT, WITHOUT ROWID;
"""


def projected_ddl(prefix: str = "") -> list[str]:
    """CREATE statements of the projected tables; `prefix` is `TEMP ` for the set that replay compares with."""
    return [
        f"CREATE {prefix}TABLE {name} ({columns}) STRICT{', WITHOUT ROWID' if name in WITHOUT_ROWID else ''}"
        for name, columns in PROJECTED.items()
    ]


def _m001_first_schema(connection: sqlite3.Connection) -> None:
    for statement in [*_statements(_PRIMARY), *projected_ddl(), *_statements(_INDEXES + _DERIVED + _DESK)]:
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
    connection = sqlite3.connect(":memory:")
    try:
        for step in _STEPS.values():
            step(connection)
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    finally:
        connection.close()
    return frozenset(((kind, name), sql) for kind, name, sql in rows)
