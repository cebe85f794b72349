"""Taking back a scorer's keys, one by one, the last one first."""

from __future__ import annotations

import sqlite3
from typing import Any

from curation.errors import N_, RefusedStep
from curation.work.scoring import REPLIES
from db.following.scoring import GIVEN
from db.log import Event, Log
from db.replay import project

# How many closings back the undo key reaches. What an annotator may see of agreement leaves as many out, so that nobody can
# try scores until the figure is fine.
UNDO_REACH = 20
_WHERE = {"scoring_noted": "score_note", "scoring_flagged": "score_flag", "scoring_skipped": "score_skip"}


def last_key(db: sqlite3.Connection, log: Log, person: str) -> Event | None:
    """The last of what this person gave on this file that stands and may be taken back; None when there is none.

    Refused with code `shown` at the closing of two replies: their process was shown since.
    """
    marks = ", ".join("?" * len(GIVEN))
    undone = log.undone()
    closings = 0
    rows = db.execute(
        f"SELECT number FROM event WHERE origin = ? AND by = ? AND kind IN ({marks}) ORDER BY number DESC",
        (log.origin, person, *sorted(GIVEN)),
    )
    try:
        for (number,) in rows:
            event = log.event(log.origin, number)
            assert event is not None
            closings += event.kind == "scoring_closed" and event.body["step"] != REPLIES
            if (event.origin, number) in undone:
                continue
            if closings > UNDO_REACH or "via" in event.body:
                return None
            if event.kind == "scoring_closed" and event.body["step"] == REPLIES:
                raise RefusedStep(
                    N_(
                        "the process has been shown: the replies stay as they were scored; a later change is kept and"
                        " does not count"
                    ),
                    code="shown",
                )
            return event
    finally:
        rows.close()
    return None


def take_back(db: sqlite3.Connection, log: Log, person: str, event: Event) -> None:
    """Take one key back, inside the caller's transaction: what it wrote goes, and what stood there before stands again."""
    body, code = event.body, event.body["task"]
    log.append_bare("undone", person, {"event": [event.origin, event.number], "kind": event.kind, "task": code})
    mine = (code, event.origin, event.number)
    if event.kind == "scoring_closed":
        db.execute("DELETE FROM score_closing WHERE code = ? AND origin = ? AND number = ?", mine)
    # What was brought in whole has its scores from the closing.
    table = _WHERE.get(event.kind, "score")
    db.execute(f"DELETE FROM {table} WHERE code = ? AND origin = ? AND number = ?", mine)
    if body["was"]:
        before = log.event(*body["was"])
        assert before is not None
        project(db, before, entries_of(db, before))


def entries_of(db: sqlite3.Connection, event: Event) -> list[tuple[int, int, Any]]:
    """The entries of an event as `project` takes them, without what their payloads say."""
    rows = db.execute(
        "SELECT dialogue, payload FROM entry WHERE origin = ? AND number = ?", (event.origin, event.number)
    ).fetchall()
    return [(dialogue, payload, {}) for dialogue, payload in rows]
