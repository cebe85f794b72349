"""What the review of a dialogue amounts to, as the tables have it: asked by approval, which does not make reviews."""

from __future__ import annotations

import sqlite3

from curation.work.review import Place


def done_by(db: sqlite3.Connection, key: int) -> str:
    """Who says that the review of a dialogue, as it is now, is done; "" when nobody does."""
    row = db.execute("SELECT person FROM review WHERE dialogue = ?", (key,)).fetchone()
    return "" if row is None else str(row[0])


def signed_by(db: sqlite3.Connection, key: int) -> str:
    """Which second person signed the review of a dialogue as it is now; "" when nobody did."""
    row = db.execute("SELECT person FROM sign_off WHERE dialogue = ?", (key,)).fetchone()
    return "" if row is None else str(row[0])


def barred_by(db: sqlite3.Connection, key: int) -> tuple[str, int] | None:
    """Who said that a dialogue must not be released, and the payload that says why; None when nobody did."""
    row = db.execute("SELECT person, payload FROM barred WHERE dialogue = ?", (key,)).fetchone()
    return None if row is None else (str(row[0]), int(row[1]))


def waivers_of(db: sqlite3.Connection, key: int) -> list[tuple[Place, str, str, int]]:
    """What a person let stand in the output: (place in the raw text, type, person, payload with the reason)."""
    rows = db.execute(
        "SELECT message, start, end, type, person, payload FROM waiver WHERE dialogue = ? ORDER BY message, start",
        (key,),
    ).fetchall()
    return [((m, s, e), kind, person, payload) for m, s, e, kind, person, payload in rows]


def reasons(db: sqlite3.Connection, key: int, *, sign_off: bool) -> list[str]:
    """What the review has against approving a dialogue: `not_releasable`, and `not_signed_off` where a second person is
    asked for.

    Without that a dialogue whose findings are all decided needs no review, however they were decided.
    """
    found = []
    if barred_by(db, key) is not None:
        found.append("not_releasable")
    if sign_off and not signed_by(db, key):
        found.append("not_signed_off")
    return found
