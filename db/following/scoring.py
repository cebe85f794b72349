"""Scoring: the tasks of each annotator, what was given on them, and, apart from both, what their codes stand for."""

from __future__ import annotations

import sqlite3
from typing import Any

from db.following.area import Area
from db.log import Event, canonical

_TABLES = {
    # What an annotator is served from: the texts lie in the payload, under the code alone.
    "score_task": "code TEXT PRIMARY KEY, person TEXT NOT NULL, place INTEGER NOT NULL, dialogue INTEGER NOT NULL, "
    "form TEXT NOT NULL CHECK (form IN ('pair', 'single')), calibration INTEGER NOT NULL CHECK (calibration IN (0, 1)), "
    "payload INTEGER NOT NULL, UNIQUE (person, place)",
    # The sealed mapping. No method that serves annotators reads it. `first` says which reply is Reply 1; `of` is the task
    # that a repeat repeats.
    "score_key": "code TEXT PRIMARY KEY, dialogue INTEGER NOT NULL, system TEXT NOT NULL, mode TEXT NOT NULL, "
    "first TEXT NOT NULL CHECK (first IN ('cot', 'direct', '')), "
    "role TEXT NOT NULL CHECK (role IN ('plan', 'calibration', 'repeat')), of TEXT NOT NULL",
    # Scores as they are now, and which reply was called better or guessed to come with a process (1 or 2).
    "score": "code TEXT NOT NULL, dimension TEXT NOT NULL, value INTEGER NOT NULL CHECK (CASE WHEN dimension IN "
    "('better', 'guess') THEN value IN (1, 2) ELSE value IN (0, 5, 10) END), rubric TEXT NOT NULL, at TEXT NOT NULL, "
    "origin TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (code, dimension)",
    # Scores as they stood when a step was closed, as JSON by dimension: these are the ones that count.
    "score_closing": "code TEXT NOT NULL, step TEXT NOT NULL CHECK (step IN ('replies', 'process', 'sheet', 'ablation')), "
    "person TEXT NOT NULL, dialogue INTEGER NOT NULL, scores TEXT NOT NULL, rubric TEXT NOT NULL, "
    "brought INTEGER NOT NULL CHECK (brought IN (0, 1)), at TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, "
    "PRIMARY KEY (code, step)",
    "score_note": "code TEXT PRIMARY KEY, payload INTEGER NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL",
    "score_flag": "code TEXT PRIMARY KEY, origin TEXT NOT NULL, number INTEGER NOT NULL",
    "score_skip": "code TEXT PRIMARY KEY, reason TEXT NOT NULL, payload INTEGER NOT NULL, origin TEXT NOT NULL, "
    "number INTEGER NOT NULL",
    # What the lead holds to be right of an item, as JSON by dimension.
    "score_gold": "dialogue INTEGER NOT NULL, system TEXT NOT NULL, mode TEXT NOT NULL, scores TEXT NOT NULL, "
    "person TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (dialogue, system, mode)",
    # One row once scoring is over and the mapping open.
    "scoring_end": "id INTEGER PRIMARY KEY CHECK (id = 1), person TEXT NOT NULL, at TEXT NOT NULL, origin TEXT NOT NULL, "
    "number INTEGER NOT NULL",
}

_INDEXES = """
CREATE INDEX score_task_dialogue ON score_task(dialogue);
CREATE INDEX score_key_item ON score_key(dialogue, system, mode);
CREATE INDEX score_closing_person ON score_closing(person, number);
CREATE INDEX event_undone ON event(origin, number) WHERE kind = 'undone';
"""

_DESK = """
CREATE TABLE scoring_desk (person TEXT PRIMARY KEY, code TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE scoring_draft (
    person TEXT NOT NULL, code TEXT NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id), text TEXT NOT NULL,
    PRIMARY KEY (person, code)) STRICT, WITHOUT ROWID;
"""

# What a person gives on a task: sealed for others while scoring goes on.
GIVEN = frozenset({"scored", "scoring_closed", "scoring_noted", "scoring_flagged", "scoring_skipped"})


def _handed(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    for code, place, form, calibration, *_ in value.get("tasks", ()):
        db.execute(
            "INSERT INTO score_task (code, person, place, dialogue, form, calibration, payload) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (code, event.body["person"], place, dialogue, form, int(calibration), payload),
        )


def _keyed(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.executemany(
        "INSERT INTO score_key (code, dialogue, system, mode, first, role, of) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(code, dialogue, *rest) for code, *rest in value.get("keys", ())],
    )


def _scored(db: sqlite3.Connection, event: Event) -> None:
    body = event.body
    db.execute(
        "INSERT OR REPLACE INTO score (code, dimension, value, rubric, at, origin, number) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (body["task"], body["dimension"], body["value"], body["rubric"], event.at, event.origin, event.number),
    )


def _closed(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    body = event.body
    db.execute(
        "INSERT OR REPLACE INTO score_closing (code, step, person, dialogue, scores, rubric, brought, at, origin, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            body["task"],
            body["step"],
            event.by,
            dialogue,
            canonical(body["scores"]),
            body["rubric"],
            int("via" in body),
            event.at,
            event.origin,
            event.number,
        ),
    )
    # Brought in whole, the scores have no events of their own.
    db.executemany(
        "INSERT OR IGNORE INTO score (code, dimension, value, rubric, at, origin, number) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (body["task"], dimension, score, body["rubric"], event.at, event.origin, event.number)
            for dimension, score in body["scores"].items()
        ],
    )
    db.execute("DELETE FROM score_skip WHERE code = ?", (body["task"],))


def _noted(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    if event.body["empty"]:
        db.execute("DELETE FROM score_note WHERE code = ?", (event.body["task"],))
    else:
        db.execute(
            "INSERT OR REPLACE INTO score_note (code, payload, origin, number) VALUES (?, ?, ?, ?)",
            (event.body["task"], payload, event.origin, event.number),
        )


def _flagged(db: sqlite3.Connection, event: Event) -> None:
    db.execute("DELETE FROM score_flag WHERE code = ?", (event.body["task"],))
    if event.body["flag"]:
        db.execute(
            "INSERT INTO score_flag (code, origin, number) VALUES (?, ?, ?)",
            (event.body["task"], event.origin, event.number),
        )


def _skipped(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO score_skip (code, reason, payload, origin, number) VALUES (?, ?, ?, ?, ?)",
        (event.body["task"], event.body["reason"], payload, event.origin, event.number),
    )


def _gold(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    if value:
        db.execute(
            "INSERT OR REPLACE INTO score_gold (dialogue, system, mode, scores, person, origin, number)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                dialogue,
                value["system"],
                value["mode"],
                canonical(value["scores"]),
                event.by,
                event.origin,
                event.number,
            ),
        )


def _ended(db: sqlite3.Connection, event: Event) -> None:
    db.execute(
        "INSERT OR IGNORE INTO scoring_end (id, person, at, origin, number) VALUES (1, ?, ?, ?, ?)",
        (event.by, event.at, event.origin, event.number),
    )


_APPLY = {
    "scoring_handed": _handed,
    "scoring_keyed": _keyed,
    "scoring_closed": _closed,
    "scoring_noted": _noted,
    "scoring_skipped": _skipped,
    "gold_set": _gold,
}

AREA = Area(
    name="scoring",
    tables=_TABLES,
    without_rowid=frozenset({"score", "score_closing", "score_gold"}),
    apply=_APPLY,
    apply_bare={"scored": _scored, "scoring_flagged": _flagged, "scoring_ended": _ended},
    stageless=frozenset(_APPLY),
    # A person takes their own keys back one by one (see `db.scoring`); nothing else here is taken back.
    lasting=frozenset(_APPLY),
    originals=frozenset({"scoring_noted", "scoring_skipped"}),
    outlives=frozenset({"scoring_handed", "scoring_keyed", "scoring_closed", "gold_set"}),
    forgotten=("scoring_draft",),
    indexes=_INDEXES,
    desk=_DESK,
)
