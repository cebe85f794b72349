"""Asking: the sample, the systems, the prompts that left, and the replies that came back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from db.following.area import Area
from db.log import Event, canonical

_TABLES = {
    # A dialogue in the sample. `place` counts from 1 over the whole sample in the order of drawing, `draw` the draws; both
    # stay what they are when more is drawn. `strata` is JSON by name.
    "sampled": "dialogue INTEGER PRIMARY KEY, place INTEGER NOT NULL, draw INTEGER NOT NULL, situation TEXT NOT NULL, "
    "strata TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL",
    # Who answers: an LLM, or an expert who writes by hand (`person` is who that is among the people, else "").
    "system": "name TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('llm', 'expert')), model TEXT NOT NULL, "
    "provider TEXT NOT NULL, date TEXT NOT NULL, temperature REAL, prompt TEXT NOT NULL, notes TEXT NOT NULL, "
    "person TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL",
    # A prompt that was written out: `hash` binds template, language, mode and text, `text_hash` the text alone (both keyed).
    "prompt": "dialogue INTEGER NOT NULL, hash TEXT NOT NULL, mode TEXT NOT NULL, lang TEXT NOT NULL, "
    "template TEXT NOT NULL, text_hash TEXT NOT NULL, stage TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, "
    "PRIMARY KEY (dialogue, hash)",
    # The reply of a system to a dialogue that stands, one a mode. Its words lie in the payload. `prompt_hash` and
    # `text_hash` say what it answers ("" where that is not known); `flags` and `mended` are JSON lists of codes; `length`
    # is what a reader sees. Of an expert's: `seconds` it took (else NULL), `written` 1 or 2 for the reply written first or
    # second (else 0), and whether any of it was `pasted`.
    "reply": "dialogue INTEGER NOT NULL, system TEXT NOT NULL, mode TEXT NOT NULL, payload INTEGER NOT NULL, "
    "prompt_hash TEXT NOT NULL, text_hash TEXT NOT NULL, flags TEXT NOT NULL, mended TEXT NOT NULL, "
    "length INTEGER NOT NULL, seconds REAL, written INTEGER NOT NULL, pasted INTEGER NOT NULL CHECK (pasted IN (0, 1)), "
    "person TEXT NOT NULL, at TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, "
    "PRIMARY KEY (dialogue, system, mode)",
    # What stood there before, `place` from 1.
    "reply_before": "dialogue INTEGER NOT NULL, system TEXT NOT NULL, mode TEXT NOT NULL, place INTEGER NOT NULL, "
    "payload INTEGER NOT NULL, person TEXT NOT NULL, at TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, "
    "PRIMARY KEY (dialogue, system, mode, place)",
    # What a curator lets pass: these flags of the reply that stands, or `missing` where there is none. The reason lies in
    # the payload.
    "reply_waiver": "dialogue INTEGER NOT NULL, system TEXT NOT NULL, mode TEXT NOT NULL, flags TEXT NOT NULL, "
    "person TEXT NOT NULL, payload INTEGER NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, "
    "PRIMARY KEY (dialogue, system, mode)",
}

_INDEXES = """
CREATE INDEX reply_system ON reply(system, mode, dialogue);
CREATE INDEX prompt_hash ON prompt(hash);
"""

# The reason that a curator is writing.
_DESK = """
CREATE TABLE waiver_draft (person TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""


# Of the dialogues of a JSON list, a system and a mode.
_AMONG = "dialogue IN (SELECT value FROM json_each(?)) AND system = ? AND mode = ?"


def _sampled(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    if not value:  # destroyed with its dialogue
        return
    db.execute(
        "INSERT OR REPLACE INTO sampled (dialogue, place, draw, situation, strata, origin, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            dialogue,
            value["place"],
            event.body["draw"],
            value["situation"],
            canonical(value["strata"]),
            event.origin,
            event.number,
        ),
    )


def _system(db: sqlite3.Connection, event: Event) -> None:
    body = event.body
    db.execute(
        "INSERT OR REPLACE INTO system (name, kind, model, provider, date, temperature, prompt, notes, person, origin,"
        " number) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            body["name"],
            body["system"],
            body["model"],
            body["provider"],
            body["date"],
            body["temperature"],
            body["prompt"],
            body["notes"],
            body["person"],
            event.origin,
            event.number,
        ),
    )


def _prompted(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    if not value:
        return
    body = event.body
    db.execute(
        "INSERT OR IGNORE INTO prompt (dialogue, hash, mode, lang, template, text_hash, stage, origin, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            dialogue,
            value["hash"],
            body["mode"],
            body["lang"],
            body["template"],
            value["text"],
            value["stage"],
            event.origin,
            event.number,
        ),
    )


def _answered(db: sqlite3.Connection, event: Event, entries: Sequence[tuple[int, int, Any]]) -> None:
    system, mode = event.body["system"], event.body["mode"]
    these = (json.dumps([dialogue for dialogue, _, _ in entries]), system, mode)
    place = "dialogue = ? AND system = ? AND mode = ?"
    # Mostly nothing stands there yet: one look for all tells.
    db.executemany(
        "INSERT INTO reply_before (dialogue, system, mode, place, payload, person, at, origin, number)"
        " SELECT dialogue, system, mode, (SELECT count(*) + 1 FROM reply_before b WHERE b.dialogue = reply.dialogue"
        " AND b.system = reply.system AND b.mode = reply.mode), payload, person, at, origin, number"
        f" FROM reply WHERE {place}",
        db.execute(f"SELECT dialogue, system, mode FROM reply WHERE {_AMONG}", these).fetchall(),
    )
    # Another reply is looked at anew: what was let pass was the one before, or that there was none.
    db.executemany(
        f"DELETE FROM reply_waiver WHERE {place}",
        db.execute(f"SELECT dialogue, system, mode FROM reply_waiver WHERE {_AMONG}", these).fetchall(),
    )
    db.executemany(
        "INSERT OR REPLACE INTO reply (dialogue, system, mode, payload, prompt_hash, text_hash, flags, mended, length,"
        " seconds, written, pasted, person, at, origin, number) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                dialogue,
                system,
                mode,
                payload,
                value.get("prompt", ""),
                value.get("text", ""),
                _codes(tuple(value.get("flags", ())) if value else ("purged",)),
                _codes(tuple(value.get("mended", ()))),
                value.get("length", 0),
                value.get("seconds"),
                value.get("written", 0),
                int(value.get("pasted", False)),
                event.by,
                event.at,
                event.origin,
                event.number,
            )
            for dialogue, payload, value in entries
        ],
    )


def _answered_one(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    _answered(db, event, [(dialogue, payload, value)])


@lru_cache(maxsize=1000)
def _codes(found: tuple[str, ...]) -> str:
    return canonical(found)  # there are many replies, and few lists of codes


def _waived(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO reply_waiver (dialogue, system, mode, flags, person, payload, origin, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            dialogue,
            event.body["system"],
            event.body["mode"],
            canonical(value.get("flags", [])),
            event.by,
            payload,
            event.origin,
            event.number,
        ),
    )


AREA = Area(
    name="asking",
    tables=_TABLES,
    of_dialogue=("sampled", "prompt", "reply", "reply_before", "reply_waiver"),
    without_rowid=frozenset({"prompt", "reply", "reply_before", "reply_waiver"}),
    apply={
        "sampled": _sampled,
        "prompted": _prompted,
        "answered": _answered_one,
        "reply_waived": _waived,
    },
    together={"answered": _answered},
    apply_bare={"system_added": _system, "system_changed": _system},
    stageless=frozenset({"sampled", "prompted", "answered", "reply_waived"}),
    outlives=frozenset({"sampled", "prompted", "answered", "reply_waived"}),
    indexes=_INDEXES,
    desk=_DESK,
)
