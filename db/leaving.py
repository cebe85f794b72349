"""What left this project's file: copies, raw copies, prompts, decision lines, disputed ones apart, releases; and what of the
originals each of them still holds.

Nothing that left can be called back. So whoever destroys originals here is told what was made of them before: everything
that is written to leave the project is remembered (`remember`) with the heads of the log it left with.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence

from curation.work.purging import Copy
from db.log import Log

BACKUP, RAW, PROMPTS, DECISIONS, DISPUTED, RELEASE = "backup", "raw", "prompts", "decisions", "disputed", "release"

# What something that left at a head of the log (origin ?1, number ?2) with someone (?3, "" where it is the same for all)
# holds: the dialogues (row numbers) of which it took anything that a purge destroys. A copy has all that had come in.
_ALL = "SELECT id FROM dialogue WHERE origin = ?1 AND number <= ?2"
_HOLDS = {
    # Reasons go with the originals. What was sealed then is not in it, but for what who took it had said
    # (all of it where that is not known); nor is what had been taken back, nor the reason of a ruling.
    DECISIONS: "SELECT e.dialogue FROM entry e JOIN event v USING (origin, number) WHERE v.kind = 'screened'"
    " AND (v.origin <> ?1 OR v.number <= ?2) AND (v.origin, v.number) NOT IN"
    " (SELECT json_extract(u.body, '$.event[0]'), json_extract(u.body, '$.event[1]') FROM event u"
    "  WHERE u.kind = 'undone' AND u.origin = ?1 AND u.number <= ?2)"
    " GROUP BY e.dialogue HAVING max(v.origin = ?1) AND (count(DISTINCT v.by) > 1 OR max(?3 IN ('', v.by)))",
    # Text that was agreed on alone, or that was approved otherwise since.
    PROMPTS: "SELECT p.dialogue FROM prompt p LEFT JOIN approval a ON a.dialogue = p.dialogue"
    " WHERE p.origin = ?1 AND p.number <= ?2 AND (p.stage <> 'approved' OR a.number IS NULL OR a.origin <> p.origin"
    " OR a.number > p.number)",
    # Text that nobody had approved then, of those that the two did not agree on.
    DISPUTED: "SELECT a.dialogue FROM blind a JOIN blind b ON b.dialogue = a.dialogue AND b.slot = 'B' WHERE a.slot = 'A'"
    " AND (a.keep <> b.keep OR a.situation <> b.situation)"
    " AND (SELECT count(*) FROM entry e JOIN event v USING (origin, number) WHERE e.dialogue = a.dialogue"
    " AND e.origin = ?1 AND e.number <= ?2 AND v.kind = 'screened') > 1",
}

_WITH = "/"  # stands in the kind that is kept before the name of who took it


def remember(db: sqlite3.Connection, log: Log, kind: str, name: str, viewer: str = "") -> None:
    """Keep that something leaves this file under a name, with the heads of the log; inside the caller's transaction.

    `viewer` is who takes it, where what it holds depends on that. The same again, with nothing new in the log, is
    remembered once.
    """
    heads = db.execute(
        "SELECT origin, number, hash FROM event e WHERE number ="
        " (SELECT max(number) FROM event x WHERE x.origin = e.origin)"
    ).fetchall()
    now = log.now()
    db.executemany(
        "INSERT INTO anchor (kind, name, origin, number, hash, at) SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS"
        " (SELECT 1 FROM anchor WHERE kind = ?1 AND name = ?2 AND origin = ?3 AND number = ?4)",
        [(f"{kind}{_WITH}{viewer}" if viewer else kind, name, *head, now) for head in heads],
    )


def copies(db: sqlite3.Connection, keys: Sequence[int]) -> Iterator[Copy]:
    """What left with anything of the originals of these dialogues in it, oldest first, and the releases."""
    wanted = set(keys)
    found: dict[tuple[str, str, str], set[int]] = {}
    for kind, name, at, origin, number in db.execute(
        "SELECT kind, name, at, origin, number FROM anchor ORDER BY id"
    ).fetchall():
        kind, _, viewer = kind.partition(_WITH)
        query = _HOLDS.get(kind, _ALL)
        rows = db.execute(query, (origin, number, viewer) if "?3" in query else (origin, number))
        found.setdefault((kind, name, at), set()).update({key for (key,) in rows} & wanted)
    for (kind, name, at), held in found.items():
        if held:
            yield Copy(kind, name, at, len(held))
    for at, body in db.execute("SELECT at, body FROM event WHERE kind = 'exported' ORDER BY origin, number").fetchall():
        yield Copy(RELEASE, str(json.loads(body).get("sha256", ""))[:12], at, 0)
