"""Screening: what passes the candidate rules, and what was decided."""

from __future__ import annotations

import sqlite3
from typing import Any

from db.following.area import Area
from db.log import Event

HIDING = frozenset({"minor", "distressing"})  # what is raised so is hidden at once

_DECISION = (
    "dialogue INTEGER NOT NULL, slot TEXT NOT NULL CHECK (slot IN ('A', 'B')), "
    "round INTEGER NOT NULL CHECK (round IN (1, 2)), person TEXT NOT NULL, keep INTEGER NOT NULL CHECK (keep IN (0, 1)), "
    "situation TEXT NOT NULL, second TEXT NOT NULL, reason TEXT NOT NULL, taxonomy TEXT NOT NULL, "
    "guidelines TEXT NOT NULL, mode TEXT NOT NULL, characters INTEGER NOT NULL, active INTEGER NOT NULL, "
    "idle INTEGER NOT NULL, payload INTEGER NOT NULL, at TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL"
)
_COLUMNS = (
    "dialogue, slot, round, person, keep, situation, second, reason, taxonomy, guidelines, mode, characters, active,"
    " idle, payload, at, origin, number"
)

_TABLES = {
    "candidacy": "dialogue INTEGER PRIMARY KEY, code TEXT NOT NULL, twin TEXT NOT NULL",
    # What counts now. Round 1 is the blind one; round 2 is deciding anew, in the open, once a person. `mode` is the way in
    # which the project screened then; `second` an optional second choice, `reason` a code of why it was dropped. Times
    # are in milliseconds, with nothing (0) where they were not measured.
    "decision": _DECISION + ", PRIMARY KEY (dialogue, slot, round)",
    # What no longer counts for the stage: decisions from before the dialogue was opened again or its sides were swapped.
    # Where `counts` is 1 both had committed, and agreement is computed from the first such sitting.
    "earlier": "sitting INTEGER NOT NULL CHECK (sitting > 0), counts INTEGER NOT NULL CHECK (counts IN (0, 1)), "
    + _DECISION
    + ", PRIMARY KEY (dialogue, sitting, slot, round)",
    "skip": "dialogue INTEGER NOT NULL, person TEXT NOT NULL, reason TEXT NOT NULL, payload INTEGER NOT NULL, "
    "origin TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (dialogue, person)",
    "ruling": "dialogue INTEGER PRIMARY KEY, person TEXT NOT NULL, keep INTEGER NOT NULL CHECK (keep IN (0, 1)), "
    "situation TEXT NOT NULL, payload INTEGER NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL",
    # Who cannot judge which dialogue, and so never gets it again.
    "handback": "dialogue INTEGER NOT NULL, person TEXT NOT NULL, reason TEXT NOT NULL, payload INTEGER NOT NULL, "
    "at TEXT NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (dialogue, person)",
    # What people put before the lead. `outcome` is "" until the lead has seen to it; `answer` is a payload, 0 for none.
    "raised": "dialogue INTEGER NOT NULL, person TEXT NOT NULL, kind TEXT NOT NULL "
    "CHECK (kind IN ('minor', 'distressing', 'guideline')), payload INTEGER NOT NULL, at TEXT NOT NULL, "
    "origin TEXT NOT NULL, number INTEGER NOT NULL, outcome TEXT NOT NULL "
    "CHECK (outcome IN ('', 'dropped', 'withdrawn', 'returned', 'answered')), resolver TEXT NOT NULL, "
    "resolved TEXT NOT NULL, answer INTEGER NOT NULL, PRIMARY KEY (dialogue, origin, number)",
    # Dialogues that are read the other way round: our side is the other speaker.
    "swap": "dialogue INTEGER PRIMARY KEY, person TEXT NOT NULL, payload INTEGER NOT NULL, origin TEXT NOT NULL, "
    "number INTEGER NOT NULL",
    # Assigned dialogues that lie on nobody's desk: before the lead (by the kind of what was raised), closed by the lead
    # (dropped, withdrawn), or failing the candidate rules after all (rejected).
    "aside": "dialogue INTEGER NOT NULL, why TEXT NOT NULL "
    "CHECK (why IN ('minor', 'distressing', 'dropped', 'withdrawn', 'rejected')), PRIMARY KEY (dialogue, why)",
    "state": "dialogue INTEGER PRIMARY KEY, stage TEXT NOT NULL CHECK (stage IN ('imported', 'rejected', 'candidate', "
    "'disputed', 'dropped', 'agreed', 'approved', 'released', 'withdrawn'))",
}

_INDEXES = """
CREATE INDEX state_stage ON state(stage, dialogue);
CREATE INDEX decision_person ON decision(person, round, dialogue);
CREATE INDEX raised_outcome ON raised(outcome, kind);
-- The blind decisions that agreement is computed from, for ever: of the first sitting in which both committed, else of
-- the one now (in which perhaps one has).
CREATE VIEW blind AS
    SELECT dialogue, slot, person, keep, situation, second, reason, taxonomy, guidelines, mode, characters, active, idle,
        payload, at FROM decision d WHERE round = 1
        AND NOT EXISTS (SELECT 1 FROM earlier e WHERE e.dialogue = d.dialogue AND e.counts = 1)
    UNION ALL
    SELECT dialogue, slot, person, keep, situation, second, reason, taxonomy, guidelines, mode, characters, active, idle,
        payload, at FROM earlier e WHERE round = 1 AND counts = 1
        AND sitting = (SELECT min(sitting) FROM earlier x WHERE x.dialogue = e.dialogue AND x.counts = 1);
"""

_DESK = """
CREATE TABLE draft (
    person TEXT NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id), keep INTEGER, situation TEXT NOT NULL,
    text TEXT NOT NULL, second TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (person, dialogue)) STRICT, WITHOUT ROWID;
CREATE TABLE desk (person TEXT NOT NULL, task TEXT NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id),
    PRIMARY KEY (person, task)) STRICT, WITHOUT ROWID;
-- Milliseconds that a person has spent with a dialogue so far, and the note half written on something to raise.
CREATE TABLE spent (
    person TEXT NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id), active INTEGER NOT NULL,
    idle INTEGER NOT NULL, PRIMARY KEY (person, dialogue)) STRICT, WITHOUT ROWID;
CREATE TABLE note_draft (
    person TEXT NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id), kind TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (person, dialogue, kind)) STRICT, WITHOUT ROWID;
"""


def _candidates(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    """{"code", "twin"?, "off"?}: `off` says that it was assigned already, and so leaves the desks while it fails."""
    db.execute(
        "INSERT OR REPLACE INTO candidacy (dialogue, code, twin) VALUES (?, ?, ?)",
        (dialogue, value["code"], value.get("twin", "")),
    )
    _set_aside(db, dialogue, "rejected", bool(value["code"]) and bool(value.get("off")))


def _set_aside(db: sqlite3.Connection, dialogue: int, why: str, aside: bool) -> None:
    db.execute("DELETE FROM aside WHERE dialogue = ? AND why = ?", (dialogue, why))
    if aside:
        db.execute("INSERT INTO aside (dialogue, why) VALUES (?, ?)", (dialogue, why))


def _screened(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    body = event.body
    db.execute(
        f"INSERT OR REPLACE INTO decision ({_COLUMNS}) VALUES (?{', ?' * 17})",
        (
            dialogue,
            body["slot"],
            body["round"],
            event.by,
            int(body["keep"]),
            body["situation"],
            body.get("second", ""),
            body.get("reason", ""),
            body["taxonomy"],
            body.get("guidelines", ""),
            body.get("mode", "independent"),
            body.get("characters", 0),
            body.get("active", 0),
            body.get("idle", 0),
            payload,
            event.at,
            event.origin,
            event.number,
        ),
    )
    db.execute("DELETE FROM skip WHERE dialogue = ? AND person = ?", (dialogue, event.by))


def _begin_anew(db: sqlite3.Connection, dialogue: int, *, swapped: bool) -> None:
    """Move what was decided to `earlier`: it is kept, and nobody has decided on this dialogue now."""
    rounds = db.execute("SELECT count(*) FROM decision WHERE dialogue = ? AND round = 1", (dialogue,)).fetchone()[0]
    if rounds:
        db.execute(
            f"INSERT INTO earlier (sitting, counts, {_COLUMNS}) SELECT"
            " (SELECT ifnull(max(sitting), 0) + 1 FROM earlier WHERE dialogue = ?1),"
            f" ?2, {_COLUMNS} FROM decision WHERE dialogue = ?1",
            (dialogue, int(rounds == 2 and not swapped)),
        )
    for table in ("decision", "ruling", "skip"):
        db.execute(f"DELETE FROM {table} WHERE dialogue = ?", (dialogue,))


def _reopened(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    _begin_anew(db, dialogue, swapped=False)


def _swapped(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    """Turns the dialogue round, a second time back again; its body says which candidate rule it fails so, if any."""
    _begin_anew(db, dialogue, swapped=True)
    if not db.execute("DELETE FROM swap WHERE dialogue = ?", (dialogue,)).rowcount:
        db.execute(
            "INSERT INTO swap (dialogue, person, payload, origin, number) VALUES (?, ?, ?, ?, ?)",
            (dialogue, event.by, payload, event.origin, event.number),
        )
    code = event.body["code"]
    db.execute("INSERT OR REPLACE INTO candidacy (dialogue, code, twin) VALUES (?, ?, '')", (dialogue, code))
    _set_aside(db, dialogue, "rejected", bool(code))


def _skipped(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO skip (dialogue, person, reason, payload, origin, number) VALUES (?, ?, ?, ?, ?, ?)",
        (dialogue, event.by, event.body["reason"], payload, event.origin, event.number),
    )


def _handed_back(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO handback (dialogue, person, reason, payload, at, origin, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (dialogue, event.by, event.body["reason"], payload, event.at, event.origin, event.number),
    )
    db.execute("DELETE FROM skip WHERE dialogue = ? AND person = ?", (dialogue, event.by))


def _raised(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    kind = event.body["kind"]
    db.execute(
        "INSERT INTO raised (dialogue, person, kind, payload, at, origin, number, outcome, resolver, resolved, answer)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, '', '', '', 0)",
        (dialogue, event.by, kind, payload, event.at, event.origin, event.number),
    )
    if kind in HIDING:
        _set_aside(db, dialogue, kind, True)


def _resolved(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    """The lead has seen to what was raised. One raised as hiding stays aside unless it is returned."""
    origin, number = event.body["raised"]
    outcome = event.body["outcome"]
    where = (dialogue, origin, number)
    db.execute(
        "UPDATE raised SET outcome = ?, resolver = ?, resolved = ?, answer = ?"
        " WHERE dialogue = ? AND origin = ? AND number = ?",
        (outcome, event.by, event.at, payload, *where),
    )
    row = db.execute("SELECT kind FROM raised WHERE dialogue = ? AND origin = ? AND number = ?", where).fetchone()
    if row is not None and row[0] in HIDING:
        _set_aside(db, dialogue, row[0], False)
        if outcome != "returned":
            _set_aside(db, dialogue, outcome, True)


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
        "earlier",
        "handback",
        "raised",
        "swap",
        "aside",
        "state",
    ),
    without_rowid=frozenset({"decision", "skip", "earlier", "handback", "raised", "aside"}),
    apply={
        "candidates": _candidates,
        "screened": _screened,
        "skipped": _skipped,
        "ruled": _ruled,
        "reopened": _reopened,
        "swapped": _swapped,
        "handed_back": _handed_back,
        "raised": _raised,
        "resolved": _resolved,
    },
    text_kinds=frozenset({"ruled", "reopened", "swapped"}),
    stageless=frozenset({"skipped", "handed_back", "raised"}),
    originals=frozenset({"screened", "skipped", "ruled", "swapped", "handed_back", "raised", "resolved"}),
    outlives=frozenset({"candidates", "reopened"}),
    forgotten=("draft", "note_draft"),
    indexes=_INDEXES,
    desk=_DESK,
)
