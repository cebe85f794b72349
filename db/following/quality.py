"""Quality control beyond the layers: rewritings of single messages, who signed them, and what went back to screening."""

from __future__ import annotations

import sqlite3
from typing import Any

from db.following.area import Area
from db.log import Event

_TABLES = {
    # A person's rewriting of one message: spans over the text that stood there, kept in the payload by raw offsets.
    # `place` counts from 1 in its dialogue. `found` names the kinds of identifiers that it brought in, as a person let it.
    "rewriting": "dialogue INTEGER NOT NULL, place INTEGER NOT NULL, message INTEGER NOT NULL, reason TEXT NOT NULL, "
    "share REAL NOT NULL, found TEXT NOT NULL, payload INTEGER NOT NULL, person TEXT NOT NULL, at TEXT NOT NULL, "
    "origin TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (dialogue, place)",
    # Who saw the text of a rewritten message (it lies in the payload) and stands by it.
    "rewriting_signed": "dialogue INTEGER NOT NULL, message INTEGER NOT NULL, person TEXT NOT NULL, "
    "payload INTEGER NOT NULL, at TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, "
    "PRIMARY KEY (dialogue, message)",
    # What was sent back, with the decisions that thereby count no more ("" and 0 where there was none).
    "sent_back": "dialogue INTEGER PRIMARY KEY, person TEXT NOT NULL, payload INTEGER NOT NULL, at TEXT NOT NULL, "
    "ruling TEXT NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL",
}

# A row when the dialogue was sent back, and since then neither ruled on nor decided anew by both.
SENT_BACK = """
SELECT 1 FROM sent_back s
LEFT JOIN ruling r ON r.dialogue = s.dialogue
WHERE s.dialogue = ? AND s.ruling = ifnull(r.origin || ':' || r.number, '')
AND (s.first = ifnull((SELECT d.origin || ':' || d.number FROM decision d WHERE d.dialogue = s.dialogue AND d.slot = 'A'
        ORDER BY d.round DESC LIMIT 1), '')
    OR s.second = ifnull((SELECT d.origin || ':' || d.number FROM decision d WHERE d.dialogue = s.dialogue AND d.slot = 'B'
        ORDER BY d.round DESC LIMIT 1), ''))
"""

_DERIVED = """
-- Fingerprints of approved texts, to find what is approved already under another id; `payload` is the text they are of,
-- `prints` are 32-bit numbers, little endian. `id` grows, so that what is new can be asked for.
CREATE TABLE approved_print (
    id INTEGER PRIMARY KEY, dialogue INTEGER NOT NULL UNIQUE REFERENCES dialogue(id), payload INTEGER NOT NULL,
    version TEXT NOT NULL, prints BLOB NOT NULL) STRICT;
-- What keeps a dialogue from being approved, as it was when it was last looked at; `seen` says what was looked at.
CREATE TABLE open_matter (
    dialogue INTEGER PRIMARY KEY REFERENCES dialogue(id), codes TEXT NOT NULL, seen TEXT NOT NULL) STRICT;
"""

_DESK = """
-- Half-made work of quality control: `message` -1 is the trim (JSON), else the text in the box for that message, with
-- the text that it began with.
CREATE TABLE quality_draft (
    person TEXT NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id), message INTEGER NOT NULL,
    text TEXT NOT NULL, began TEXT NOT NULL, PRIMARY KEY (person, dialogue, message)) STRICT, WITHOUT ROWID;
"""


def _edited(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    body = event.body
    db.execute(
        "INSERT INTO rewriting (dialogue, place, message, reason, share, found, payload, person, at, origin, number)"
        " VALUES (?1, (SELECT ifnull(max(place), 0) + 1 FROM rewriting WHERE dialogue = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
        " ?9, ?10)",
        (
            dialogue,
            body["message"],
            body["reason"],
            float(body["share"]),
            " ".join(body["found"]),
            payload,
            event.by,
            event.at,
            event.origin,
            event.number,
        ),
    )


def _edit_signed(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO rewriting_signed (dialogue, message, person, payload, at, origin, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (dialogue, event.body["message"], event.by, payload, event.at, event.origin, event.number),
    )


def _sent_back(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    ruling = db.execute("SELECT origin || ':' || number FROM ruling WHERE dialogue = ?", (dialogue,)).fetchone()
    answers = dict(
        db.execute(
            "SELECT slot, origin || ':' || number FROM decision WHERE dialogue = ? ORDER BY round", (dialogue,)
        ).fetchall()
    )
    db.execute(
        "INSERT OR REPLACE INTO sent_back (dialogue, person, payload, at, ruling, first, second, origin, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            dialogue,
            event.by,
            payload,
            event.at,
            ruling[0] if ruling else "",
            answers.get("A", ""),
            answers.get("B", ""),
            event.origin,
            event.number,
        ),
    )


AREA = Area(
    name="quality",
    tables=_TABLES,
    of_dialogue=("rewriting", "rewriting_signed", "sent_back"),
    without_rowid=frozenset({"rewriting", "rewriting_signed"}),
    apply={"edited": _edited, "edit_signed": _edit_signed, "sent_back": _sent_back},
    # What was signed or sent back opens the approval again, and so does taking that back.
    text_kinds=frozenset({"edited", "edit_signed", "sent_back"}),
    originals=frozenset({"edited", "edit_signed", "sent_back"}),
    forgotten=("quality_draft",),
    derived=_DERIVED,
    desk=_DESK,
)
