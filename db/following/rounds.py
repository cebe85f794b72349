"""Rounds beside the real work: training on gold items, calibration between pairs, labelling approved texts again.

What is answered in them moves no dialogue and enters no release; answers lie in payloads, which no listing of the log shows.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from db.following.area import Area
from db.log import Event

_KIND = "kind TEXT NOT NULL CHECK (kind IN ('training', 'calibration', 'relabel'))"
_TABLES = {
    # Dialogues with a known right answer; the payload says why it is right.
    "gold": "dialogue INTEGER PRIMARY KEY, keep INTEGER NOT NULL CHECK (keep IN (0, 1)), situation TEXT NOT NULL, "
    "payload INTEGER NOT NULL",
    "round_item": f"{_KIND}, person TEXT NOT NULL, dialogue INTEGER NOT NULL, place INTEGER NOT NULL, "
    "PRIMARY KEY (kind, person, dialogue)",
    "round_answer": f"{_KIND}, person TEXT NOT NULL, dialogue INTEGER NOT NULL, attempt INTEGER NOT NULL, "
    "keep INTEGER NOT NULL CHECK (keep IN (0, 1)), situation TEXT NOT NULL, at TEXT NOT NULL, origin TEXT NOT NULL, "
    "number INTEGER NOT NULL, PRIMARY KEY (kind, person, dialogue, attempt)",
}


def _gold(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute("DELETE FROM gold WHERE dialogue = ?", (dialogue,))
    if "keep" in value:  # without it the dialogue is gold no more
        db.execute(
            "INSERT INTO gold (dialogue, keep, situation, payload) VALUES (?, ?, ?, ?)",
            (dialogue, int(value["keep"]), value["situation"], payload),
        )


def _given(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    for person, place in value.get("places", {}).items():
        db.execute(
            "INSERT OR REPLACE INTO round_item (kind, person, dialogue, place) VALUES (?, ?, ?, ?)",
            (event.body["round"], person, dialogue, place),
        )


def _answered(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO round_answer (kind, person, dialogue, attempt, keep, situation, at, origin, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            event.body["round"],
            event.by,
            dialogue,
            event.body["attempt"],
            int(value["keep"]),
            value["situation"],
            event.at,
            event.origin,
            event.number,
        ),
    )


AREA = Area(
    name="rounds",
    tables=_TABLES,
    of_dialogue=("gold", "round_item", "round_answer"),
    without_rowid=frozenset({"round_item", "round_answer"}),
    apply={"training_gold": _gold, "round_given": _given, "round_answered": _answered},
    stageless=frozenset({"training_gold", "round_given", "round_answered"}),
    outlives=frozenset({"round_given", "round_answered"}),
    originals=frozenset({"training_gold"}),
)
