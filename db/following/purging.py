"""What was purged: dialogues whose originals are gone, and what is still known of them without their text."""

from __future__ import annotations

import sqlite3
from typing import Any

from db.following.area import Area
from db.log import Event

_TABLES = {
    # `payload` holds counts and versions (see `db.purging`), never text.
    "purged": "dialogue INTEGER PRIMARY KEY, payload INTEGER NOT NULL, origin TEXT NOT NULL, number INTEGER NOT NULL",
}


def is_purged(db: sqlite3.Connection, dialogue: int) -> bool:
    """Whether the originals of a dialogue are gone."""
    return db.execute("SELECT 1 FROM purged WHERE dialogue = ?", (dialogue,)).fetchone() is not None


def _purged(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    db.execute(
        "INSERT OR REPLACE INTO purged (dialogue, payload, origin, number) VALUES (?, ?, ?, ?)",
        (dialogue, payload, event.origin, event.number),
    )


AREA = Area(
    name="purging",
    tables=_TABLES,
    of_dialogue=("purged",),
    apply={"purged": _purged},
    stageless=frozenset({"purged"}),
    outlives=frozenset({"purged"}),
)
