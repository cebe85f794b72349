"""The list of all dialogues in quality control: by what is open, situation, length and dialect; any number of them.

What keeps a dialogue from approval takes long to find out (the text is searched for identifiers), so that it is kept
with what was looked at (`Control.look`), and shown as not known where something has changed since.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, overload

from curation.stages import Stage
from curation.work.quality import Filter, Row
from db.control import SEEN, Control

_CHUNK = 200
_STAGES = ("agreed", "approved", "released")
_SITUATION = (
    "ifnull((SELECT r.situation FROM ruling r WHERE r.dialogue = d.id), ifnull((SELECT x.situation FROM decision x"
    " WHERE x.dialogue = d.id AND x.slot = 'A' ORDER BY x.round DESC LIMIT 1), ''))"
)
_DIALECT = (
    "ifnull((SELECT w.tag FROM dialect_told w WHERE w.dialogue = d.id),"
    " ifnull((SELECT m.tag FROM dialect m WHERE m.dialogue = d.id), ''))"
)


class Listed(Sequence[Row]):
    """The rows of a list, read as they are looked at."""

    def __init__(self, batch: Batch, keys: Sequence[int]) -> None:
        self._batch = batch
        self.keys = keys
        self._read: dict[int, list[Row]] = {}

    def __len__(self) -> int:
        return len(self.keys)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        if isinstance(at, slice):
            return [self[n] for n in range(*at.indices(len(self)))]
        at = at if at >= 0 else len(self) + at
        if not 0 <= at < len(self):
            raise IndexError(at)
        chunk = at // _CHUNK
        if chunk not in self._read:
            self._read[chunk] = self._batch.rows(self.keys[chunk * _CHUNK : (chunk + 1) * _CHUNK])
        return self._read[chunk][at % _CHUNK]

    def forget(self) -> None:
        """Read the rows anew when they are looked at again."""
        self._read.clear()


class Batch:
    """The list of one project."""

    def __init__(self, connection: sqlite3.Connection, control: Control) -> None:
        self._db = connection
        self._control = control

    def listed(self, wanted: Filter) -> Listed:
        """The dialogues that a filter lets through, in order of arrival."""
        stages = (wanted.stage,) if wanted.stage in _STAGES else _STAGES
        where = [f"t.stage IN ({', '.join('?' * len(stages))})", "d.current = 1"]
        values: list[Any] = [*stages]
        join = ""
        if wanted.matter:
            join = f" LEFT JOIN open_matter o ON o.dialogue = d.id AND o.seen = {SEEN.format(key='d.id')}"
            if wanted.matter == "clean":
                where.append("o.codes = ''")
            elif wanted.matter == "open":
                where.append("(o.codes IS NULL OR o.codes <> '')")
            else:
                where.append("' ' || o.codes || ' ' LIKE ?")
                values.append(f"% {wanted.matter} %")
        for column, value in ((_SITUATION, wanted.situation), (_DIALECT, wanted.dialect)):
            if value:
                where.append(f"{column} = ?")
                values.append(value)
        if wanted.longer_than:
            where.append("d.messages > ?")
            values.append(wanted.longer_than)
        # The stamp is the first parameter wherever it is asked for; it is harmless where it is not.
        rows = self._db.execute(
            f"SELECT d.id, ?1 FROM state t JOIN dialogue d ON d.id = t.dialogue{join} WHERE {' AND '.join(where)}"
            " ORDER BY d.id",
            (self._control.stamp(), *values),
        ).fetchall()
        return Listed(self, [row[0] for row in rows])

    def of(self, keys: Sequence[int]) -> Listed:
        """These dialogues as a list, whoever found them."""
        return Listed(self, keys)

    def rows(self, keys: Sequence[int]) -> list[Row]:
        """These dialogues as lines of the list, in their order."""
        marks = ", ".join("?" * len(keys))
        found = {
            key: Row(key, uid, name, Stage(stage), situation, dialect, messages, _codes(codes))
            for key, uid, name, stage, situation, dialect, messages, codes in self._db.execute(
                f"SELECT d.id, d.uid, d.external_id, t.stage, {_SITUATION}, {_DIALECT}, d.messages, o.codes"
                " FROM dialogue d JOIN state t ON t.dialogue = d.id LEFT JOIN open_matter o ON o.dialogue = d.id"
                f" AND o.seen = {SEEN.format(key='d.id')} WHERE d.id IN ({marks})",
                (self._control.stamp(), *keys),
            )
        }
        return [found[key] for key in keys]

    def rows_of(self, keys: Sequence[int]) -> Iterator[Row]:
        """Any number of dialogues as lines of the list."""
        for first in range(0, len(keys), _CHUNK):
            yield from self.rows(keys[first : first + _CHUNK])

    def unknown(self, keys: Sequence[int]) -> Iterator[str]:
        """The uids of those of which nobody has looked since they changed what keeps them from approval."""
        return (row.uid for row in self.rows_of(keys) if row.matters is None)


def _codes(codes: str | None) -> tuple[str, ...] | None:
    return None if codes is None else tuple(codes.split())
