"""The texts: decided identifiers, layers, trims, dialects, approval and release."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from db.following.area import Area
from db.log import Event

_TABLES = {
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
}

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


def _findings(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    for message, start, end, kind, accepted, score, rule in value.get("findings", ()):
        # A decision on a span replaces what was decided on any span it overlaps.
        db.execute(
            "DELETE FROM finding WHERE dialogue = ? AND message = ? AND start < ? AND end > ?",
            (dialogue, message, end, start),
        )
        db.execute(
            "INSERT INTO finding (dialogue, message, start, end, type, accepted, score, rule, policy, origin, number)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                dialogue,
                message,
                start,
                end,
                kind,
                int(accepted),
                float(score),
                rule,
                event.body["policy"],
                event.origin,
                event.number,
            ),
        )


def _layer(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO layer (dialogue, layer, payload, version, origin, number) VALUES (?, ?, ?, ?, ?, ?)",
        (dialogue, event.kind, payload, event.body["version"], event.origin, event.number),
    )


def _trimmed(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    if not value:
        return  # purged; and so below
    db.execute(
        "INSERT OR REPLACE INTO trim (dialogue, first_turn, removed, origin, number) VALUES (?, ?, ?, ?, ?)",
        (dialogue, value["first_turn"], json.dumps(value["removed"]), event.origin, event.number),
    )


def _edit_taken_back(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    if not value:
        return
    db.execute(
        "INSERT OR REPLACE INTO edit_taken_back (dialogue, message, start, end, person, origin, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (dialogue, value["message"], value["start"], value["end"], event.by, event.origin, event.number),
    )


def _rule_taken_back(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    if not value:
        return
    db.execute(
        "INSERT OR REPLACE INTO rule_taken_back (dialogue, rule, person, origin, number) VALUES (?, ?, ?, ?, ?)",
        (dialogue, value["rule"], event.by, event.origin, event.number),
    )


def _settings_changed(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    """The settings themselves are no table (see `db.settings`); the entries are what has to be approved again."""


def _dialect_told(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    # The text stays approved; what was released says something else now, and has to go out again.
    db.execute("DELETE FROM release_item WHERE dialogue = ?", (dialogue,))
    db.execute(
        "INSERT OR REPLACE INTO dialect_told (dialogue, tag, person, origin, number) VALUES (?, ?, ?, ?, ?)",
        (dialogue, value["tag"], event.by, event.origin, event.number),
    )


def _approved(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO approval (dialogue, payload, origin, number) VALUES (?, ?, ?, ?)",
        (dialogue, payload, event.origin, event.number),
    )


def _exported(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO release_item (dialogue, release_id, origin, number) VALUES (?, ?, ?, ?)",
        (dialogue, value["release_id"], event.origin, event.number),
    )


AREA = Area(
    name="texts",
    tables=_TABLES,
    of_dialogue=(
        "finding",
        "layer",
        "trim",
        "approval",
        "edit_taken_back",
        "rule_taken_back",
        "dialect_told",
        "release_item",
    ),
    without_rowid=frozenset({"finding", "layer", "edit_taken_back", "rule_taken_back"}),
    apply={
        "scrubbed": _findings,
        "finding": _findings,
        "normalised": _layer,
        "trimmed": _trimmed,
        "edit_taken_back": _edit_taken_back,
        "rule_taken_back": _rule_taken_back,
        "settings_changed": _settings_changed,
        "dialect_told": _dialect_told,
        "approved": _approved,
        "exported": _exported,
    },
    text_kinds=frozenset(
        {
            "scrubbed",
            "finding",
            "normalised",
            "trimmed",
            "edit_taken_back",
            "rule_taken_back",
            "settings_changed",
        }
    ),
    originals=frozenset({"scrubbed", "finding", "normalised", "trimmed", "edit_taken_back", "rule_taken_back"}),
    outlives=frozenset({"settings_changed", "dialect_told", "approved", "exported"}),
    forgotten=("scan", "proposal", "trim_proposal"),
    derived=_DERIVED,
)
