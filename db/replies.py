"""The replies of systems: coming in, being looked at and let pass, and how far they cover the sample."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

from curation.work.asking import Reply, Waiver, Words
from db.log import Log
from db.samples import Samples
from db.systems import Systems

_ROW = (
    "SELECT d.uid, r.system, r.mode, p.text, r.flags, r.mended, r.length, w.flags, w.person, q.text, r.prompt_hash,"
    " r.text_hash, (SELECT count(*) FROM reply_before b WHERE b.dialogue = r.dialogue AND b.system = r.system AND"
    " b.mode = r.mode), r.person, r.at, r.origin, r.number, r.seconds, r.written, r.pasted"
    " FROM reply r JOIN dialogue d ON d.id = r.dialogue JOIN payload p ON p.id = r.payload"
    " LEFT JOIN reply_waiver w ON w.dialogue = r.dialogue AND w.system = r.system AND w.mode = r.mode"
    " LEFT JOIN payload q ON q.id = w.payload"
)


class Replies:
    """The replies of one project."""

    def __init__(self, connection: sqlite3.Connection, log: Log, samples: Samples, systems: Systems) -> None:
        self._db = connection
        self._log = log
        self._samples = samples
        self._systems = systems

    def of(self, uid: str, system: str, mode: str) -> Reply | None:
        """The reply of a system to a dialogue in a mode, or None."""
        row = self._db.execute(
            f"{_ROW} WHERE d.uid = ? AND r.system = ? AND r.mode = ?", (uid, system, mode)
        ).fetchone()
        return None if row is None else _reply(row)

    def all(self, system: str | None = None, mode: str | None = None) -> Iterator[Reply]:
        """The replies that stand, of one system and in one mode where those are named, in order of dialogue."""
        rows = self._db.execute(
            f"{_ROW} WHERE (?1 IS NULL OR r.system = ?1) AND (?2 IS NULL OR r.mode = ?2)"
            " ORDER BY r.dialogue, r.system, r.mode",
            (system, mode),
        ).fetchall()
        return (_reply(row) for row in rows)


def _reply(row: tuple[Any, ...]) -> Reply:
    value = json.loads(row[3]) if row[3] else {}
    waiver = None
    if row[7] is not None:
        waiver = Waiver(tuple(json.loads(row[7])), row[8], json.loads(row[9]).get("reason", "") if row[9] else "")
    return Reply(
        uid=row[0],
        system=row[1],
        mode=row[2],
        words=Words(value.get("reply", ""), value.get("process", {})),
        flags=tuple(json.loads(row[4])),
        mended=tuple(json.loads(row[5])),
        length=row[6],
        waiver=waiver,
        prompt_hash=row[10],
        text_hash=row[11],
        replaced=row[12],
        person=row[13],
        at=row[14],
        ref=f"{row[15]}:{row[16]}",
        seconds=row[17],
        written=row[18],
        pasted=bool(row[19]),
    )
