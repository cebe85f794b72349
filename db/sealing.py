"""What the blind of scoring keeps from whoever reads the log: the scores of others, and which systems there are."""

from __future__ import annotations

import sqlite3

from db.curating import curates
from db.following.scoring import GIVEN
from db.log import Event

# Events that name systems, or say what a code stands for.
TELLING = frozenset(
    {
        "system_added",
        "system_changed",
        "prompted",
        "answered",
        "reply_waived",
        "scoring_keyed",
        "gold_set",
    }
)


def scoring_hides(db: sqlite3.Connection, event: Event, viewer: str, still: frozenset[str]) -> bool:
    """Whether nothing but the kind of an event may be shown to `viewer`, because scoring is blind and not ended yet.

    Others see what they did themselves, but nothing that names a system. Curators see everything but scores of an item
    that somebody has `still` to score (see `still_scored`): the log is read over shoulders, and on shared files by anyone.
    """
    kind = event.body.get("kind") if event.kind == "undone" else event.kind
    if kind not in TELLING and (kind not in GIVEN or event.by == viewer):
        return False
    if kind in GIVEN and event.body.get("task") in still:
        return True
    if db.execute("SELECT 1 FROM scoring_end").fetchone() or curates(db, viewer):
        return False
    role = db.execute("SELECT role FROM person WHERE name = ?", (viewer,)).fetchone()
    # An expert's own answers are theirs to see.
    return not (kind in TELLING and event.by == viewer and role is not None and role[0] == "expert")


def still_scored(db: sqlite3.Connection) -> frozenset[str]:
    """The codes of all tasks on items that somebody who is here has still to close; none once the scoring is ended."""
    return frozenset(
        code
        for (code,) in db.execute(
            "SELECT k.code FROM score_key k JOIN (SELECT DISTINCT o.dialogue, o.system, o.mode FROM score_key o"
            " JOIN score_task t ON t.code = o.code JOIN person p ON p.name = t.person WHERE o.role <> 'repeat'"
            " AND p.retired = 0 AND NOT EXISTS (SELECT 1 FROM score_closing c WHERE c.code = o.code"
            " AND c.step <> 'replies')) w ON w.dialogue = k.dialogue AND w.system = k.system AND w.mode = k.mode"
            " WHERE NOT EXISTS (SELECT 1 FROM scoring_end)"
        )
    )


def rounds_wait(db: sqlite3.Connection, viewer: str) -> frozenset[str]:
    """The uids of the dialogues that lie in a round of this person, unanswered."""
    return frozenset(
        uid
        for (uid,) in db.execute(
            "SELECT d.uid FROM round_item i JOIN dialogue d ON d.id = i.dialogue WHERE i.person = ? AND NOT EXISTS"
            " (SELECT 1 FROM round_answer a WHERE a.kind = i.kind AND a.person = i.person AND a.dialogue = i.dialogue)",
            (viewer,),
        )
    )
