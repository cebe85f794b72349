"""Dialogues: coming in, being looked up, and the candidate rules over all of them.

Identity is (source, external id). The same identity with other content is a new version: it becomes the current one at
once when nobody has decided anything on the old one, and waits beside it otherwise.
"""

from __future__ import annotations

import hmac
import json
import secrets
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from curation.errors import N_, BadInput, NotFound, RefusedStep
from curation.model import Dialogue, Message, Party, Reading, Refusal
from curation.stages import Stage
from curation.work import Source, StoredDialogue, Terms
from db.connection import snapshot, storable, transaction
from db.curating import must_curate
from db.log import Log, canonical, commitment, digest
from db.replay import project
from db.settings import Current

if TYPE_CHECKING:
    from curation.work import CandidateReport, ImportReport

CHUNK = 1000
STALE_SECONDS = 600.0
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

_ROW = (
    "SELECT d.id, d.uid, d.external_id, s.name, d.version, t.stage, p.text, c.code, c.twin,"
    " x.dialogue, CASE WHEN p.text IS NULL OR x.dialogue IS NOT NULL THEN"
    "  (SELECT q.text FROM approval a JOIN payload q ON q.id = a.payload WHERE a.dialogue = d.id) END,"
    " EXISTS (SELECT 1 FROM swap w WHERE w.dialogue = d.id)"
    " FROM dialogue d JOIN source s ON s.id = d.source JOIN state t ON t.dialogue = d.id"
    " JOIN payload p ON p.id = d.payload LEFT JOIN candidacy c ON c.dialogue = d.id"
    " LEFT JOIN purged x ON x.dialogue = d.id"
)


def encode(dialogue: Dialogue) -> str:
    """The stored text of a dialogue: one JSON spelling for one content, so that equal content is equal text."""
    rows = [[m.speaker, m.text] if m.time is None else [m.speaker, m.text, m.time] for m in dialogue.messages]
    return _ENCODER.encode({"messages": rows, "self": dialogue.self_speaker, "metadata": dialogue.metadata})


def decode(external_id: str, text: str) -> Dialogue:
    """The dialogue that `encode` stored."""
    value = json.loads(text)
    messages = tuple(Message(row[0], row[1], row[2] if len(row) > 2 else None) for row in value["messages"])
    return Dialogue(external_id, messages, value["self"], value["metadata"])


def _left(external_id: str, approved: object) -> Dialogue:
    """What is left of a purged dialogue: the text that was approved, if any."""
    if approved is None:
        return Dialogue(external_id, ())
    rows = json.loads(str(approved))["messages"]
    return Dialogue(external_id, tuple(Message(party, text) for _, _, party, text in rows), Party.SELF.value)


def uid_of(secret: bytes, source: str, external_id: str, version: int) -> str:
    """The opaque name of a dialogue in the log: keyed, since an external id can itself be a person's handle."""
    text = canonical([source, external_id, version])
    return hmac.digest(secret, text.encode("utf-8"), "sha256")[:10].hex()


class _Staged(NamedTuple):
    """A dialogue whose text an import has stored, and whose row it has not made yet."""

    payload: int
    commitment: bytes
    messages: int


@dataclass(slots=True)
class _Run:
    """One import while it goes on. `before` is the last import of the source that it saw when it began."""

    source: Source
    before: tuple[str, int] | None
    name: str = field(default_factory=lambda: secrets.token_hex(8))
    staged: dict[str, _Staged] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    chunks: int = 0


class Dialogues:
    """The dialogues of one project."""

    def __init__(self, connection: sqlite3.Connection, log: Log, settings: Current, secret: bytes) -> None:
        self._db = connection
        self._log = log
        self._settings = settings
        self._secret = secret

    # -- coming in

    def take(self, readings: Iterable[Reading], source: Source, by: str) -> ImportReport:
        """Import a file's readings: all its good records, or none when anything fails.

        Texts are stored in chunks, so that other windows can write in between; nothing of them can be seen before the
        last, short transaction. What a killed import left behind is swept away later (see `sweep`).
        """
        must_curate(self._db, by)
        self.sweep()
        run = _Run(source, self._last_import(source.name))
        try:
            chunk: list[Dialogue] = []
            for reading in readings:
                if isinstance(reading, Dialogue):
                    chunk.append(reading)
                    if len(chunk) >= CHUNK:
                        self._stage(run, chunk)
                        chunk = []
                else:
                    run.counts["refused" if isinstance(reading, Refusal) else "warnings"] += 1
            self._stage(run, chunk)
            self._admit(run, by)
        except BaseException:
            self.sweep(run.name)
            raise
        counts, changed = run.counts, len(run.changed)
        from curation.work import ImportReport

        return ImportReport(
            len(run.staged) - changed,
            counts["known"],
            changed,
            counts["refused"],
            counts["warnings"],
            counts["messages"],
        )

    def sweep(self, run: str | None = None) -> int:
        """Remove the texts of imports that never finished (this one, or all that stopped long ago). Returns how many."""
        where, value = ("beat < ?", time.time() - STALE_SECONDS) if run is None else ("run = ?", run)
        if not self._db.execute(f"SELECT 1 FROM staging WHERE {where}", (value,)).fetchone():
            return 0
        removed = 0
        with transaction(self._db):
            for first, last in self._db.execute(f"SELECT first, last FROM staging WHERE {where}", (value,)).fetchall():
                removed += self._db.execute("DELETE FROM payload WHERE id BETWEEN ? AND ?", (first, last)).rowcount
            self._db.execute(f"DELETE FROM staging WHERE {where}", (value,))
        return removed

    def _last_import(self, source: str) -> tuple[str, int] | None:
        row = self._db.execute(
            "SELECT origin, number FROM dialogue WHERE source = (SELECT id FROM source WHERE name = ?)"
            " ORDER BY id DESC LIMIT 1",
            (source,),
        ).fetchone()
        return None if row is None else (row[0], row[1])

    def _stage(self, run: _Run, chunk: list[Dialogue]) -> None:
        """Store the texts of what is new or changed; no row refers to them yet."""
        if not chunk:
            return
        texts = [encode(dialogue) for dialogue in chunk]
        with transaction(self._db):
            known = self._known(run.source.name, [dialogue.external_id for dialogue in chunk])
            first = self._db.execute("SELECT ifnull(max(id), 0) + 1 FROM payload").fetchone()[0]
            rows: list[tuple[int, bytes, str]] = []
            for dialogue, text, salt in zip(chunk, texts, self._log.salts(len(chunk)), strict=True):
                identity = dialogue.external_id
                if identity in run.staged:
                    raise BadInput(N_("the id {id} stands in the file twice"), code="id_conflict", id=identity)
                stored = known.get(identity)
                if stored is not None:
                    if text in stored or None in stored:
                        run.counts["known"] += 1
                        continue
                    run.changed.add(identity)
                payload, messages = first + len(rows), len(dialogue.messages)
                rows.append((payload, salt, text))
                run.staged[identity] = _Staged(payload, commitment(salt, text), messages)
                run.counts["messages"] += messages
            self._keep_alive(run)
            if rows:
                self._db.executemany("INSERT INTO payload (id, salt, text) VALUES (?, ?, ?)", rows)
                self._db.execute(
                    "INSERT INTO staging (first, last, run, beat) VALUES (?, ?, ?, ?)",
                    (first, first + len(rows) - 1, run.name, time.time()),
                )
                run.chunks += 1

    def _known(self, source: str, identities: list[str]) -> dict[str, list[str | None]]:
        """The texts of every version that there is of these dialogues; None for one that was purged."""
        key = self._db.execute("SELECT id FROM source WHERE name = ?", (source,)).fetchone()
        known: dict[str, list[str | None]] = {}
        if key is not None:
            marks = ", ".join("?" * len(identities))
            for identity, text in self._db.execute(
                "SELECT d.external_id, p.text FROM dialogue d JOIN payload p ON p.id = d.payload"
                f" WHERE d.source = ? AND d.external_id IN ({marks})",
                (key[0], *identities),
            ):
                known.setdefault(identity, []).append(text)
        return known

    def _keep_alive(self, run: _Run) -> None:
        """Say that the import goes on; refused when another window took it for dead and swept its texts away."""
        beats = self._db.execute("UPDATE staging SET beat = ? WHERE run = ?", (time.time(), run.name)).rowcount
        if beats != run.chunks:
            raise RefusedStep(
                N_("the import stood still for so long that another window took it for dead; import again"),
                code="import_swept",
            )

    def _admit(self, run: _Run, by: str) -> None:
        """Make the rows of what was staged, and the event that tells of them."""
        source, staged, changed = run.source, run.staged, run.changed
        with transaction(self._db):
            self._keep_alive(run)
            if self._last_import(source.name) != run.before:
                raise RefusedStep(
                    N_("another import into {source} finished while this one went on; import again"),
                    code="import_raced",
                    source=source.name,
                )
            self._db.execute("DELETE FROM staging WHERE run = ?", (run.name,))
            known = self._db.execute("SELECT id FROM source WHERE name = ?", (source.name,)).fetchone()
            if not staged:
                return
            versions = {
                identity: self._db.execute(
                    "SELECT max(version) + 1 FROM dialogue WHERE external_id = ? AND source = ?",
                    (identity, known[0]),
                ).fetchone()[0]
                for identity in changed
            }
            uids = {i: uid_of(self._secret, source.name, i, versions.get(i, 1)) for i in staged}
            event = self._log.append_bare(
                "imported",
                by,
                {
                    "source": source.name,
                    "terms": source.terms.as_dict(),
                    "counts": {"new": len(staged) - len(changed), "changed": len(changed), **run.counts},
                    "entries": len(staged),
                    "digest": digest(uids[i].encode() + s.commitment for i, s in staged.items()),
                },
            )
            self._db.execute("INSERT OR IGNORE INTO source (name) VALUES (?)", (source.name,))
            key = self._db.execute("SELECT id FROM source WHERE name = ?", (source.name,)).fetchone()[0]
            self._db.executemany(
                "INSERT INTO dialogue (uid, source, external_id, version, current, payload, commitment, messages, origin,"
                " number) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (uids[i], key, i, versions.get(i, 1), int(i not in changed), *s, event.origin, event.number)
                    for i, s in staged.items()
                ),
            )
            self._db.execute(
                "INSERT INTO state (dialogue, stage) SELECT id, 'imported' FROM dialogue WHERE origin = ? AND number = ?",
                (event.origin, event.number),
            )
            for identity in changed:
                self._supersede(key, identity)

    def _supersede(self, source: int, external_id: str) -> None:
        """Make the newest version current, unless something was decided on an older one."""
        decided = self._db.execute(
            "SELECT 1 FROM entry e JOIN event USING (origin, number) JOIN dialogue d ON d.id = e.dialogue"
            " WHERE d.source = ? AND d.external_id = ? AND kind <> 'candidates' LIMIT 1",
            (source, external_id),
        ).fetchone()
        if decided is None:
            self._db.execute(
                "UPDATE dialogue SET current = (version = (SELECT max(version) FROM dialogue WHERE source = ?1 AND"
                " external_id = ?2)) WHERE source = ?1 AND external_id = ?2",
                (source, external_id),
            )

    # -- the candidate rules

    def apply_rules(self, by: str) -> CandidateReport:
        """Apply the candidate rules and the near-duplicate search to all dialogues nobody has screened yet.

        Reading and comparing take long and are done without the lock; what was screened meanwhile is left as it is.
        """
        must_curate(self._db, by)
        from curation.candidates import RULE_SETTINGS, RULES_VERSION, first_failure
        from curation.duplicates import DUPLICATES_VERSION, near_duplicates

        settings = self._settings.now
        codes: dict[int, dict[str, str]] = {}
        texts: list[tuple[int, list[str]]] = []
        with snapshot(self._db):
            for key, external_id, text, screened, turned in self._db.execute(
                "SELECT d.id, d.external_id, p.text, EXISTS (SELECT 1 FROM decision x WHERE x.dialogue = d.id),"
                " EXISTS (SELECT 1 FROM swap w WHERE w.dialogue = d.id)"
                " FROM dialogue d JOIN payload p ON p.id = d.payload WHERE d.current = 1 ORDER BY d.id"
            ):
                if text is None:
                    continue
                dialogue = decode(external_id, text)
                if turned:
                    dialogue = dialogue.turned()
                code = first_failure(dialogue, settings)
                if not screened:
                    codes[key] = {"code": code or ""}
                if code is None or screened:
                    texts.append((key, [m.text for m in dialogue.messages]))
            names = dict(self._db.execute("SELECT id, uid FROM dialogue").fetchall()) if texts else {}
        for twin in near_duplicates(texts, settings.near_duplicate):
            if twin.loser in codes:
                codes[twin.loser] = {"code": "near_duplicate", "twin": names[twin.keeper]}
        with transaction(self._db):
            for (key,) in self._db.execute(
                "SELECT dialogue FROM decision UNION SELECT id FROM dialogue WHERE current = 0"
            ):
                codes.pop(key, None)
            before = {
                key: {"code": code, "twin": other} if other else {"code": code}
                for key, code, other in self._db.execute("SELECT dialogue, code, twin FROM candidacy")
            }
            entries = [(key, value) for key, value in codes.items() if before.get(key) != value]
            given = {key for (key,) in self._db.execute("SELECT DISTINCT dialogue FROM assignment")}
            # What was handed out leaves the desks while it fails.
            entries = [
                (key, value | {"off": "1"} if value["code"] and key in given else value) for key, value in entries
            ]
            if entries:
                values = settings.as_dict()
                used = {name: values[name] for name in RULE_SETTINGS}
                body = {"rules": RULES_VERSION, "duplicates": DUPLICATES_VERSION, "settings": used}
                event = self._log.append("candidates", by, body, entries=entries)
                project(self._db, event, [(key, 0, value) for key, value in sorted(entries, key=lambda e: e[0])])
        return self.funnel()

    def funnel(self) -> CandidateReport:
        """How many dialogues pass the candidate rules, and how many fail by which code."""
        rows = self._db.execute(
            "SELECT c.code, count(*) FROM candidacy c JOIN dialogue d ON d.id = c.dialogue WHERE d.current = 1"
            " GROUP BY c.code ORDER BY c.code"
        ).fetchall()
        counts = dict(rows)
        from curation.work import CandidateReport

        return CandidateReport(counts.pop("", 0), counts)

    # -- being looked up

    def find(self, name: str) -> StoredDialogue:
        """The dialogue that people call `name`: an external id, `source:id` where that is ambiguous, or a uid."""
        rows: list[tuple[object, ...]] = []
        if storable(name):
            rows = self._db.execute(f"{_ROW} WHERE d.uid = ?", (name,)).fetchall()
        if not rows and storable(name):
            rows = self._db.execute(f"{_ROW} WHERE d.external_id = ? AND d.current = 1", (name,)).fetchall()
        if not rows and ":" in name and storable(name):
            source, _, external_id = name.partition(":")
            rows = self._db.execute(
                f"{_ROW} WHERE s.name = ? AND d.external_id = ? AND d.current = 1", (source, external_id)
            ).fetchall()
        if not rows:
            raise NotFound(N_("there is no dialogue {id} in this project"), code="no_dialogue", id=name)
        if len(rows) > 1:
            names = ", ".join(sorted(f"{row[3]}:{row[2]}" for row in rows))
            raise NotFound(
                N_("{id} stands in several sources; say which one: {names}"),
                code="ambiguous",
                id=name,
                names=names,
            )
        return self.from_row(rows[0])

    def ambiguous(self) -> frozenset[str]:
        """The external ids that stand in several sources, and so need the source's name before them."""
        return frozenset(
            external_id
            for (external_id,) in self._db.execute(
                "SELECT external_id FROM dialogue WHERE current = 1 GROUP BY external_id HAVING count(*) > 1"
            )
        )

    def by_key(self, key: int) -> StoredDialogue:
        """The dialogue with this row number."""
        return self.from_row(self._db.execute(f"{_ROW} WHERE d.id = ?", (key,)).fetchone())

    def key(self, uid: str) -> int:
        """The row number of a dialogue."""
        row = self._db.execute("SELECT id FROM dialogue WHERE uid = ?", (uid,)).fetchone()
        if row is None:
            raise NotFound(N_("there is no dialogue {id} in this project"), code="no_dialogue", id=uid)
        return int(row[0])

    def at(self, *stages: Stage) -> Iterator[StoredDialogue]:
        """The current dialogues at these stages (all, without any), in order of arrival."""
        marks = ", ".join("?" * len(stages))
        where = f"t.stage IN ({marks}) AND" if stages else ""
        keys = self._db.execute(
            f"SELECT d.id FROM dialogue d JOIN state t ON t.dialogue = d.id WHERE {where} d.current = 1 ORDER BY d.id",
            [s.value for s in stages],
        ).fetchall()
        return (self.by_key(key) for (key,) in keys)

    def stages(self) -> dict[str, int]:
        """How many dialogues are at each stage, zeros included."""
        rows = self._db.execute(
            "SELECT t.stage, count(*) FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE d.current = 1 GROUP BY t.stage"
        ).fetchall()
        counts = dict(rows)
        return {stage.value: counts.get(stage.value, 0) for stage in Stage}

    def dialects(self) -> dict[str, int]:
        """The dialogues agreed on by their dialect, the told one first, as far as they were ever looked at."""
        rows = self._db.execute(
            "SELECT ifnull(x.tag, m.tag) AS which, count(*) FROM state t JOIN dialogue d ON d.id = t.dialogue"
            " LEFT JOIN dialect_told x ON x.dialogue = d.id LEFT JOIN dialect m ON m.dialogue = d.id"
            " WHERE d.current = 1 AND t.stage IN ('agreed', 'approved', 'released') AND which IS NOT NULL"
            " GROUP BY which ORDER BY count(*) DESC, which"
        ).fetchall()
        return dict(rows)

    def sources(self) -> dict[str, dict[str, Any]]:
        """Each source with its counts, and the batches it came in with the terms of each.

        `terms` joins the different values of the batches; what holds for a dialogue is `terms_of` it.
        """
        result: dict[str, dict[str, Any]] = {}
        for name, body, count, messages in self._db.execute(
            "SELECT s.name, e.body, count(d.id), ifnull(sum(d.messages), 0) FROM source s"
            " JOIN dialogue d ON d.source = s.id AND d.current = 1 JOIN event e USING (origin, number)"
            " GROUP BY s.id, e.origin, e.number ORDER BY s.name, e.origin, e.number"
        ):
            source = result.setdefault(name, {"dialogues": 0, "messages": 0, "terms": {}, "batches": []})
            terms = json.loads(body)["terms"]
            source["dialogues"] += count
            source["messages"] += messages
            source["batches"].append({"dialogues": count, "messages": messages, "terms": terms})
        for source in result.values():
            for term in ("approval", "purpose", "until"):
                values = list(dict.fromkeys(b["terms"].get(term, "") for b in source["batches"]))
                if any(values):
                    source["terms"][term] = " / ".join(value or "-" for value in values)
        return result

    def terms_of(self, key: int) -> Terms:
        """The terms of the batch that brought a dialogue."""
        row = self._db.execute(
            "SELECT e.body FROM dialogue d JOIN event e USING (origin, number) WHERE d.id = ?", (key,)
        ).fetchone()
        return Terms(**json.loads(row[0])["terms"])

    @staticmethod
    def from_row(row: tuple[object, ...]) -> StoredDialogue:
        """A dialogue from a row of this module's query; one whose raw text was purged has its approved one."""
        _, uid, external_id, source, version, stage, text, code, twin, purged, approved, turned = row
        name = str(external_id)
        gone = text is None or purged is not None
        dialogue = _left(name, approved) if gone else decode(name, str(text))
        if turned and not gone:
            dialogue = dialogue.turned()
        return StoredDialogue(
            str(uid),
            name,
            str(source),
            int(str(version)),
            Stage(str(stage)),
            dialogue,
            str(code or ""),
            str(twin or ""),
            purged is not None,
        )
