"""How long decisions took, and the words a person wrote before, to write them again."""

from __future__ import annotations

import sqlite3
import statistics

from curation.work.disputes import PersonalPace, Timed
from db.desk import rationale_of

_LOOKED_AT = 300  # of the last decisions, when words are looked for


class Pacing:
    """Times and words of one project's screening."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def pace(self, person: str) -> PersonalPace:
        """One person's pace over the blind decisions that were timed. For the lead, and for the person."""
        rows = [
            Timed(*row)
            for row in self._db.execute(
                "SELECT x.external_id, b.at, b.characters, b.active, b.idle FROM blind b JOIN dialogue x"
                " ON x.id = b.dialogue WHERE b.person = ? AND b.active > 0 ORDER BY b.at",
                (person,),
            )
        ]
        active, idle = sum(row.active for row in rows), sum(row.idle for row in rows)
        return PersonalPace(
            len(rows),
            statistics.median(row.active for row in rows) / 1000 if rows else None,
            idle / (active + idle) if rows else None,
            tuple(row for row in rows if row.hasty),
        )

    def phrases(self, person: str, keep: bool | None, situation: str, limit: int = 9) -> list[str]:
        """The rationales this person wrote last, each once, newest first; those of the same answer before the others."""
        rows = self._db.execute(
            "SELECT d.keep, d.situation, p.text FROM decision d JOIN payload p ON p.id = d.payload"
            " WHERE d.person = ? AND d.round = 1 ORDER BY d.number DESC LIMIT ?",
            (person, _LOOKED_AT),
        ).fetchall()
        same: dict[str, None] = {}
        others: dict[str, None] = {}
        for kept, of, text in rows:
            words = rationale_of(text).strip()
            if words:
                fits = keep is None or (bool(kept) == keep and (not keep or of == situation))
                (same if fits else others).setdefault(words)
        return [*same, *(words for words in others if words not in same)][:limit]
