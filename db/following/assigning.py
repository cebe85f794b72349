"""Who has which dialogue to screen: handed out, handed on, or nobody's for now."""

from __future__ import annotations

import sqlite3
from typing import Any

from db.following.area import Area
from db.log import Event

SLOTS = ("A", "B")
# A place in a person's list is theirs as long as the dialogue is: what is handed on leaves a gap, nothing moves up.
_TABLES = {
    "assignment": "person TEXT NOT NULL, place INTEGER NOT NULL, dialogue INTEGER NOT NULL, "
    "slot TEXT NOT NULL CHECK (slot IN ('A', 'B')), pair INTEGER NOT NULL, PRIMARY KEY (person, place), "
    "UNIQUE (dialogue, slot)",
    # Someone handed the dialogue back for its dialect: who gets it next must read that.
    "reader_wanted": "dialogue INTEGER PRIMARY KEY, dialect TEXT NOT NULL",
}

_INDEXES = """
-- Unique, so that SQLite looks here and not through all that a person has.
CREATE UNIQUE INDEX assignment_dialogue ON assignment(dialogue, person);
"""


def _assigned(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    """Put a dialogue on lists: {"pair": its number, "A": name, "B": name, "places": {"A": place …}}.

    A slot that is not named stays with whom it is; one that is named "" is nobody's. "reads" is the dialect wanted
    ("" for none any more). "places" are the places in their lists of those to whom it goes back, where they are free.
    """
    if "reads" in value:
        db.execute("DELETE FROM reader_wanted WHERE dialogue = ?", (dialogue,))
    if value.get("reads"):
        db.execute("INSERT OR REPLACE INTO reader_wanted (dialogue, dialect) VALUES (?, ?)", (dialogue, value["reads"]))
    named = [slot for slot in SLOTS if slot in value]
    for slot in named:
        db.execute("DELETE FROM assignment WHERE dialogue = ? AND slot = ?", (dialogue, slot))
    for slot in named:
        if value[slot]:
            place = value.get("places", {}).get(slot)
            db.execute(
                "INSERT INTO assignment (person, place, dialogue, slot, pair) SELECT ?1,"
                " CASE WHEN ?2 IS NULL OR EXISTS (SELECT 1 FROM assignment WHERE person = ?1 AND place = ?2)"
                " THEN (SELECT ifnull(max(place), 0) + 1 FROM assignment WHERE person = ?1) ELSE ?2 END, ?3, ?4, ?5",
                (value[slot], place, dialogue, slot, value["pair"]),
            )


AREA = Area(
    name="assigning",
    tables=_TABLES,
    without_rowid=frozenset({"assignment"}),
    apply={"assigned": _assigned, "reassigned": _assigned},
    lasting=frozenset({"assigned", "reassigned"}),
    stageless=frozenset({"assigned", "reassigned"}),
    outlives=frozenset({"assigned", "reassigned"}),
    indexes=_INDEXES,
)
