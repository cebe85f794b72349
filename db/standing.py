"""Whether what someone did still counts, so that taking it back would change anything.

An event that was taken back stands no more; nor does one that a later event put out of force: an approval of a text that
was changed since, a cut that another cut replaced, a decision that another one covers.
"""

from __future__ import annotations

import sqlite3

from db import settings
from db.following.quality import SENT_BACK
from db.log import Event, Log

# Kind -> the table that holds what it says, as long as it counts. The rows name their event.
_ROWS = {
    "finding": "finding",
    "scrubbed": "finding",
    "normalised": "layer",
    "trimmed": "trim",
    "approved": "approval",
    "edited": "rewriting",
    "edit_signed": "rewriting_signed",
    "edit_taken_back": "edit_taken_back",
    "rule_taken_back": "rule_taken_back",
    "dialect_told": "dialect_told",
    "waived": "waiver",
    "not_releasable": "barred",
    "review_done": "review",
    "review_signed": "sign_off",
    "listed": "list_text",
}


def stands(db: sqlite3.Connection, log: Log, event: Event) -> bool:
    """Whether an event that nobody took back still counts. Of kinds that nothing puts out of force: it does."""
    at = (event.origin, event.number)
    if event.kind in _ROWS:
        row = db.execute(f"SELECT 1 FROM {_ROWS[event.kind]} WHERE origin = ? AND number = ? LIMIT 1", at)
        return row.fetchone() is not None
    if event.kind == "lists_given":  # a file takes the place of the file before
        later = "SELECT 1 FROM list_text WHERE list = 'file' AND origin = ? AND number > ?"
        return db.execute(later, at).fetchone() is None
    if event.kind == settings.KIND:
        return settings.told(db, log, at) != settings.told(db, log)
    if event.kind in ("sent_back", "releasable"):
        keys = [key for (key,) in db.execute("SELECT dialogue FROM entry WHERE origin = ? AND number = ?", at)]
        if event.kind == "releasable":  # until someone bars it again
            return not any(db.execute("SELECT 1 FROM barred WHERE dialogue = ?", (key,)).fetchone() for key in keys)
        mine = "SELECT 1 FROM sent_back WHERE dialogue = ? AND origin = ? AND number = ?"
        return any(db.execute(SENT_BACK, (key,)).fetchone() and db.execute(mine, (key, *at)).fetchone() for key in keys)
    return True
