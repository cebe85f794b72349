"""Destroying the originals of approved dialogues: what goes, what stays, and the wiping of the file afterwards.

In one transaction the texts and salts go of the raw dialogue, of its other versions, and of all that was said and decided
on the way to the approved text; so do drafts, proposals and the blocks of the search index that hold them. The event
that tells of it names each dialogue and holds what is still known of it: counts and versions, no text. What stays is the
approved text, and the commitments, without their salts, which nothing can be tried against.

Then the file is written anew (VACUUM) and the write-ahead log emptied. Until that is done `due` says so, and purging
again finishes it: a crash in between loses nothing but time.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from curation.errors import N_, NotFound, RefusedStep
from curation.identifiers import detector_version
from curation.stages import Stage
from curation.work.purging import PurgePlan
from db.connection import BUSY_SECONDS, transaction
from db.curating import must_curate
from db.dialects import Dialects
from db.dialogues import Dialogues
from db.following import AREAS, OUTLIVES
from db.index import Index
from db.leaving import copies
from db.log import Log, digest
from db.quality import Quality, identifiers_and_edits
from db.rawbytes import Needles
from db.replay import reproject
from db.sheet import Sheet

DUE = "wiping"  # key in `meta` while the file still has to be wiped: the number of the first purge that asks for it
# Above this the file is written anew by way of the disk, in its own folder; below it in memory.
_IN_MEMORY = 1_000_000_000  # bytes
_AT_ONCE = 4_000_000  # bytes
_FORGOTTEN = [table for area in AREAS for table in area.forgotten]
# Of an entry `e` and its event `v`: whether what it says goes with the originals of its dialogue.
GOES = (
    f"(v.kind NOT IN ({', '.join(repr(kind) for kind in sorted(OUTLIVES))}) OR (v.kind = 'approved' AND NOT EXISTS"
    " (SELECT 1 FROM approval a WHERE a.dialogue = e.dialogue AND a.payload = e.payload)))"
)
# Whether it is gone: a purge of its dialogue knew of it. What was said since, or came in later, is still there.
DESTROYED = (
    f"(EXISTS (SELECT 1 FROM purged x WHERE x.dialogue = e.dialogue) AND {GOES} AND EXISTS (SELECT 1 FROM entry n"
    " JOIN event w USING (origin, number) WHERE n.dialogue = e.dialogue AND w.kind = 'purged'"
    " AND ((w.origin = e.origin AND w.number > e.number) OR EXISTS (SELECT 1 FROM"
    " json_each(CASE WHEN json_valid(w.seen) THEN w.seen ELSE '{}' END) s WHERE s.key = e.origin AND s.value >= e.number))))"
)


class Purging:
    """The purges of one project."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        dialogues: Dialogues,
        quality: Quality,
        dialects: Dialects,
        index: Index,
    ) -> None:
        self._db = connection
        self._log = log
        self._dialogues = dialogues
        self._quality = quality
        self._dialects = dialects
        self._index = index

    # -- what would go

    def plan(self, names: Sequence[str] | None = None, progress: Callable[..., Iterable[int]] = iter) -> PurgePlan:
        """What a purge of these dialogues would destroy; of all that are approved or released, where none is named.

        Each is looked at as for a release, by the detector of today: what has anything open stays.
        """
        refused: dict[str, tuple[str, ...]] = {}
        keys: list[int] = []
        for name in self._all() if names is None else dict.fromkeys(names):
            try:
                stored = self._dialogues.find(name)
            except NotFound as error:
                refused[name] = (error.code,)
                continue
            keys.append(self._dialogues.key(stored.uid))
        ready = []
        for key in progress(keys):
            sheet = self._quality.sheet(key)
            if matters := self._matters(sheet):
                refused[sheet.stored.external_id] = matters
            elif not sheet.stored.purged or self._remains([key, *self._versions([key])]):
                ready.append(key)
        everything = [*ready, *self._versions(ready)]
        return PurgePlan(
            tuple(self._uid(key) for key in ready),
            len(everything) - len(ready),
            dict(self._remains(everything)),
            refused,
            tuple(copies(self._db, everything)),
            self.due,
            self._unfinished(),
        )

    def _all(self) -> list[str]:
        rows = self._db.execute(
            "SELECT d.uid FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE t.stage IN ('approved', 'released')"
            " AND d.current = 1 ORDER BY d.id"
        ).fetchall()
        return [uid for (uid,) in rows]

    def _uid(self, key: int) -> str:
        return str(self._db.execute("SELECT uid FROM dialogue WHERE id = ?", (key,)).fetchone()[0])

    def _matters(self, sheet: Sheet) -> tuple[str, ...]:
        if sheet.stored.stage not in (Stage.APPROVED, Stage.RELEASED):
            return ("not_approved",)
        matters = self._quality.open_on(sheet)
        try:
            self._quality.approved_text(sheet)
        except RefusedStep as error:
            return (*matters, error.code)
        return matters

    def _versions(self, keys: Sequence[int]) -> list[int]:
        """The other versions of these dialogues that still hold anything."""
        found = []
        for key in keys:
            rows = self._db.execute(
                "SELECT o.id FROM dialogue d JOIN dialogue o ON o.source = d.source AND o.external_id = d.external_id"
                " WHERE d.id = ? AND o.id <> d.id ORDER BY o.id",
                (key,),
            ).fetchall()
            found += [other for (other,) in rows if self._remains([other])]
        return found

    def _remains(self, keys: Iterable[int]) -> Counter[str]:
        """The texts of these dialogues that have to go and are there, by kind."""
        found: Counter[str] = Counter()
        for key in keys:
            for kind, count in self._db.execute(
                "SELECT 'imported', count(*) FROM dialogue d JOIN payload p ON p.id = d.payload WHERE d.id = ?1"
                " AND (p.text IS NOT NULL OR p.salt IS NOT NULL) UNION ALL"
                " SELECT v.kind, count(*) FROM entry e JOIN event v USING (origin, number)"
                f" JOIN payload p ON p.id = e.payload WHERE e.dialogue = ?1 AND {GOES}"
                " AND (p.text IS NOT NULL OR p.salt IS NOT NULL) GROUP BY v.kind",
                (key,),
            ):
                if count:
                    found[kind] += count
        return found

    # -- destroying

    def purge(self, plan: PurgePlan, by: str) -> tuple[Counter[str], Needles]:
        """Destroy what `plan` says, as one event. Returns how many texts of each kind went, and what to look for after.

        The needles are those that no text that stays holds. The file is not wiped yet (`wipe`).
        """
        must_curate(self._db, by)
        needles, gone = Needles(), Counter[str]()
        if not plan.uids:
            return gone, needles
        keys = [self._dialogues.key(uid) for uid in plan.uids]
        left = {key: self._left(self._quality.sheet(key)) for key in keys}
        told = {key: self._told(key) for key in keys}
        with transaction(self._db):
            changed = [key for key in keys if self._told(key) != told[key] or not self._stands(key)]
            if changed:
                raise RefusedStep(
                    N_("{id} was changed meanwhile; nothing was destroyed: purge again"),
                    code="changed_meanwhile",
                    id=self._dialogues.by_key(changed[0]).external_id,
                )
            versions = self._versions(keys)
            everything = sorted([*keys, *versions])
            gone = self._remains(everything)
            for key in everything:
                self._collect(key, needles)
            commitments = [one for key in everything for one in self._commitments(key)]
            facts = {key: {**left.get(key, {}), "messages": self._messages(key)} for key in everything}
            body = {
                "dialogues": len(keys),
                "versions": len(versions),
                "texts": dict(sorted(gone.items())),
                "gone": digest(commitments),
                "detector": detector_version(),
            }
            event = self._log.append("purged", by, body, entries=[(key, facts[key]) for key in everything])
            for key in everything:
                self._destroy(key)
            self._index.forget(everything)
            for key in everything:
                reproject(self._db, self._log, key)
            # From the first one on that was not finished.
            self._db.execute("INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)", (DUE, str(event.number)))
        needles.forget(needles.found_in(staying(self._db)))
        return gone, needles

    def _told(self, key: int) -> int:
        return int(self._db.execute("SELECT count(*) FROM entry WHERE dialogue = ?", (key,)).fetchone()[0])

    def _stands(self, key: int) -> bool:
        """Whether a dialogue is still approved, and its text what was approved. What was open was asked when planning."""
        sheet = self._quality.sheet(key)
        return sheet.stored.stage in (Stage.APPROVED, Stage.RELEASED) and sheet.approved == sheet.final

    def _left(self, sheet: Sheet) -> dict[str, Any]:
        """What stays known of a dialogue: counts, versions and its dialect, all of them without text."""
        if sheet.stored.purged:
            return dict(sheet.left)
        identifiers, edits = identifiers_and_edits(sheet)
        tag = self._dialects.look(sheet)
        return {
            "turns": len(sheet.stored.dialogue.turns),
            "identifiers": identifiers,
            "edits": edits,
            "policy": sheet.policy,
            "quasi": list(sheet.quasi),
            "dialect": [tag.machine, tag.confidence],
            "detector": detector_version(),
        }

    def _messages(self, key: int) -> int:
        return int(self._db.execute("SELECT messages FROM dialogue WHERE id = ?", (key,)).fetchone()[0])

    def _commitments(self, key: int) -> list[bytes]:
        rows = self._db.execute(
            "SELECT d.commitment FROM dialogue d JOIN payload p ON p.id = d.payload WHERE d.id = ?1"
            " AND p.text IS NOT NULL UNION ALL"
            " SELECT commitment FROM (SELECT e.commitment FROM entry e JOIN event v USING (origin, number)"
            f" JOIN payload p ON p.id = e.payload WHERE e.dialogue = ?1 AND {GOES} AND p.text IS NOT NULL"
            " ORDER BY e.origin, e.number)",
            (key,),
        ).fetchall()
        return [one for (one,) in rows]

    def _destroy(self, key: int) -> None:
        self._db.execute(
            "UPDATE payload SET text = NULL, salt = NULL WHERE id = (SELECT payload FROM dialogue WHERE id = ?1)"
            " OR id IN (SELECT e.payload FROM entry e JOIN event v USING (origin, number)"
            f" WHERE e.dialogue = ?1 AND {GOES})",
            (key,),
        )
        for table in _FORGOTTEN:
            self._db.execute(f"DELETE FROM {table} WHERE dialogue = ?", (key,))
        # The tag stays for counts and filters; the words it was told by go.
        self._db.execute("UPDATE dialect SET evidence = '[]' WHERE dialogue = ?", (key,))

    # -- what to look for afterwards

    def _collect(self, key: int, needles: Needles) -> None:
        """What must be nowhere any more: raw texts, the values of identifiers, reasons and notes."""
        for (text,) in self._db.execute(
            "SELECT p.text FROM dialogue d JOIN payload p ON p.id = d.payload WHERE d.id = ? AND p.text IS NOT NULL",
            (key,),
        ).fetchall():
            raw = json.loads(text)
            messages = [row[1] for row in raw["messages"]]
            for message in messages:
                needles.message(message)
            for said in _strings(raw["metadata"]):
                needles.message(said)
            for at, start, end in self._db.execute(
                "SELECT message, start, end FROM finding WHERE dialogue = ? AND accepted = 1", (key,)
            ).fetchall():
                needles.value(messages[at][start:end])
        for (text,) in self._db.execute(
            "SELECT p.text FROM entry e JOIN event v USING (origin, number) JOIN payload p ON p.id = e.payload"
            f" WHERE e.dialogue = ? AND {GOES} AND p.text IS NOT NULL",
            (key,),
        ).fetchall():
            for said in _strings(json.loads(text)):
                needles.message(said)

    # -- wiping the file

    @property
    def due(self) -> bool:
        """Whether a purge has not been finished on the disk."""
        return self._db.execute("SELECT 1 FROM meta WHERE key = ?", (DUE,)).fetchone() is not None

    def _unfinished(self) -> int:
        """How many dialogues were purged without an end on the disk."""
        row = self._db.execute(
            "SELECT count(DISTINCT e.dialogue) FROM meta m JOIN event v ON v.kind = 'purged' AND v.origin = ?2"
            " AND v.number >= CAST(m.value AS INTEGER) JOIN entry e USING (origin, number)"
            " JOIN dialogue d ON d.id = e.dialogue AND d.current = 1 WHERE m.key = ?1",
            (DUE, self._log.origin),
        ).fetchone()
        return int(row[0])

    def wipe(self, patience: float = 10.0) -> bool:
        """Write the file anew and empty the write-ahead log. Returns whether that came to its end.

        It does not while another window reads or writes: then it is to be done again. Waits `patience` seconds for them.
        """
        until = time.monotonic() + patience
        self._db.execute("PRAGMA busy_timeout=0").fetchall()
        try:
            for step in (self._rewritten, self._emptied):
                while not step():
                    if time.monotonic() > until:
                        return False
                    time.sleep(0.05)
        finally:
            self._db.execute(f"PRAGMA busy_timeout={int(BUSY_SECONDS * 1000)}").fetchall()
        with transaction(self._db):
            self._db.execute("DELETE FROM meta WHERE key = ?", (DUE,))
        self._emptied()
        return True

    def _rewritten(self) -> bool:
        try:
            self._rewrite()
        except sqlite3.OperationalError as error:
            return _not_busy(error)
        return True

    def _rewrite(self) -> None:
        pages, size = (self._db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        if pages * size < _IN_MEMORY:
            self._db.execute("VACUUM")
            return
        # The temporary copy holds what stays of others; it lies where the project lies, and nowhere else.
        (_, _, file) = self._db.execute("PRAGMA database_list").fetchone()
        before = os.environ.get("SQLITE_TMPDIR")
        os.environ["SQLITE_TMPDIR"] = os.path.dirname(file)
        self._db.execute("PRAGMA temp_store=FILE").fetchall()
        try:
            self._db.execute("VACUUM")
        finally:
            self._db.execute("PRAGMA temp_store=MEMORY").fetchall()
            os.environ.pop("SQLITE_TMPDIR")
            if before is not None:
                os.environ["SQLITE_TMPDIR"] = before

    def _emptied(self) -> bool:
        try:
            busy, _, _ = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError as error:
            return _not_busy(error)
        return not busy


def _not_busy(error: sqlite3.OperationalError) -> bool:
    """False for an error that says another window is at work; raises any other."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise error
    return False


def staying(db: sqlite3.Connection) -> Iterator[bytes]:
    """Every text in the tables that is not about a purged dialogue, and every payload that is left; some at a time."""
    some: list[bytes] = []
    size = 0
    for text in _rows(db):
        some.append(text)
        size += len(text)
        if size > _AT_ONCE:
            yield b"\n".join(some) + b"\n"
            some, size = [], 0
    yield b"\n".join(some)


def _rows(db: sqlite3.Connection) -> Iterator[bytes]:
    yield "\n".join(sql for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")).encode()
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
    for table in tables:
        columns = [(row[1], row[2]) for row in db.execute(f'PRAGMA table_info("{table}")').fetchall()]
        texts = [name for name, kind in columns if kind == "TEXT"]
        if not texts:
            continue
        where = ""
        if "dialogue" in dict(columns):
            where = " WHERE dialogue NOT IN (SELECT dialogue FROM purged)"
        joined = " || char(10) || ".join(f"ifnull({name}, '')" for name in texts)
        for (text,) in db.execute(f'SELECT {joined} FROM "{table}"{where}'):
            yield text.encode("utf-8", "surrogatepass")


def _strings(value: object) -> Iterator[str]:
    """Every text inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
