"""What `check` looks at: the file, the content commitments, the chains, the anchors, and replay against the tables."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from curation.errors import N_
from curation.work import Problem
from db import connection as opening
from db import settings
from db.dialogues import uid_of
from db.log import Log, canonical, commitment, digest, event_hash
from db.purging import DESTROYED
from db.replay import differences
from db.schema import VERSION


def problems(db: sqlite3.Connection, log: Log, secret: bytes, backup: Path | None = None) -> Iterator[Problem]:
    """Everything wrong with an open project, most basic first. `backup` is a copy whose heads must be part of the log."""
    with opening.snapshot(db):
        for part in (
            _file(db),
            _contents(db),
            _identities(db, secret),
            _chains(db),
            _digests(db),
            _sources(db),
            _settings(db, log),
            _anchors(db, backup),
            _replay(db, log),
        ):
            try:
                yield from part
            except sqlite3.DatabaseError as error:
                yield _damage(str(error))


def _damage(reason: str) -> Problem:
    return Problem("file", "sqlite", N_("the file is damaged: {reason}"), {"reason": reason})


def _file(db: sqlite3.Connection) -> Iterator[Problem]:
    """What SQLite itself can see."""
    for (line,) in db.execute("PRAGMA integrity_check(20)").fetchall():
        if line != "ok":
            yield _damage(line)
    for row in db.execute("PRAGMA foreign_key_check").fetchall():
        yield Problem("reference", str(row[0]), N_("a row of {table} refers to nothing"), {"table": row[0]})


def _contents(db: sqlite3.Connection) -> Iterator[Problem]:
    """Every stored text against the commitment made when it came in."""
    for name, salt, text, committed, stated, counted, purged, left in db.execute(
        "SELECT d.external_id, p.salt, p.text, d.commitment, d.messages, CASE WHEN json_valid(p.text) THEN"
        " json_array_length(p.text, '$.messages') END, x.dialogue, CASE WHEN json_valid(q.text) THEN"
        " json_extract(q.text, '$.messages') END FROM dialogue d LEFT JOIN payload p ON p.id = d.payload"
        " LEFT JOIN purged x ON x.dialogue = d.id LEFT JOIN payload q ON q.id = x.payload"
    ):
        if purged is not None and text is None and salt is None and stated == left:
            continue
        if purged is not None:
            yield Problem("content", name, N_("dialogue {id} was purged, and is not gone"), {"id": name})
        elif text is None:
            yield Problem("content", name, N_("the text of dialogue {id} is missing"), {"id": name})
        elif commitment(salt or b"", text) != committed or stated != counted:
            yield Problem("content", name, N_("the text of dialogue {id} is not what was imported"), {"id": name})
    for origin, number, salt, text, committed, there, destroyed in db.execute(
        f"SELECT e.origin, e.number, p.salt, p.text, e.commitment, p.id IS NOT NULL, {DESTROYED} FROM entry e"
        " LEFT JOIN payload p ON p.id = e.payload JOIN event v USING (origin, number)"
    ):
        ref = f"{origin}:{number}"
        if destroyed and there and text is None and salt is None:
            continue
        if destroyed:
            yield Problem("content", ref, N_("what event {ref} said was destroyed, and is not gone"), {"ref": ref})
        elif text is None or salt is None or commitment(salt, text) != committed:
            yield Problem("content", ref, N_("what event {ref} says was changed"), {"ref": ref})


def _identities(db: sqlite3.Connection, secret: bytes) -> Iterator[Problem]:
    """The name of each dialogue in the log is made of source, external id and version; one version is current."""
    for uid, source, name, version in db.execute(
        "SELECT d.uid, s.name, d.external_id, d.version FROM dialogue d JOIN source s ON s.id = d.source"
    ):
        if uid != uid_of(secret, source, name, version):
            yield Problem("identity", name, N_("dialogue {id} came in under another name"), {"id": name})
    for (name,) in db.execute("SELECT external_id FROM dialogue GROUP BY source, external_id HAVING sum(current) <> 1"):
        yield Problem("identity", name, N_("not exactly one version of dialogue {id} is current"), {"id": name})


def _chains(db: sqlite3.Connection) -> Iterator[Problem]:
    """Each origin's chain: numbers without gaps, each hash over its columns and the one before."""
    last: dict[str, tuple[int, bytes]] = {}
    for origin, number, previous, hashed, seen, kind, form, by, at, body in db.execute(
        "SELECT origin, number, previous, hash, seen, kind, format, by, at, body FROM event ORDER BY origin, number"
    ):
        ref = f"{origin}:{number}"
        before, expected = last.get(origin, (0, bytes(32)))
        if number != before + 1:
            yield Problem("chain", ref, N_("events are missing before {ref}"), {"ref": ref})
        elif previous != expected:
            yield Problem("chain", ref, N_("event {ref} does not follow from the one before it"), {"ref": ref})
        if event_hash(origin, number, previous, seen, kind, form, by, at, body) != hashed:
            yield Problem("chain", ref, N_("event {ref} was changed"), {"ref": ref})
        last[origin] = (number, hashed)


def _digests(db: sqlite3.Connection) -> Iterator[Problem]:
    """Each event's digest over what it brought: dialogues of an import, entries of the rest."""
    for origin, number, kind, body in db.execute(
        "SELECT origin, number, kind, body FROM event ORDER BY origin, number"
    ):
        ref, facts = f"{origin}:{number}", _facts(body)
        if kind == "imported":
            rows = db.execute(
                "SELECT uid, commitment FROM dialogue WHERE origin = ? AND number = ? ORDER BY id",
                (origin, number),
            ).fetchall()
            made = digest(uid.encode() + one for uid, one in rows)
        else:
            rows = db.execute(
                "SELECT uid, e.commitment FROM entry e JOIN dialogue d ON d.id = e.dialogue"
                " WHERE e.origin = ? AND e.number = ? ORDER BY d.id",
                (origin, number),
            ).fetchall()
            made = Log.entry_digest([uid for uid, _ in rows], [one for _, one in rows])
        if len(rows) != facts.get("entries", 0) or (rows and made != facts.get("digest")):
            yield Problem("digest", ref, N_("what event {ref} brought is not whole"), {"ref": ref})
    for (ref,) in db.execute(
        "SELECT origin || ':' || number FROM entry JOIN event USING (origin, number) WHERE kind = 'imported'"
        " UNION SELECT origin || ':' || number FROM dialogue JOIN event USING (origin, number) WHERE kind <> 'imported'"
    ):
        yield Problem("digest", ref, N_("more hangs on event {ref} than it brought"), {"ref": ref})
    for (ref,) in db.execute(
        "SELECT DISTINCT e.origin || ':' || e.number FROM entry e LEFT JOIN event USING (origin, number)"
        " WHERE kind IS NULL"
    ):
        yield Problem("digest", ref, N_("entries name an event {ref} that is not there"), {"ref": ref})


def _facts(body: str) -> dict[str, Any]:
    """The body of an event; empty for one that is none (its hash tells)."""
    try:
        facts = json.loads(body)
    except ValueError:
        return {}
    return facts if isinstance(facts, dict) else {}


def _sources(db: sqlite3.Connection) -> Iterator[Problem]:
    """Sources against what the log says came in. (Their terms stand in the log alone.)"""
    told = {
        str(_facts(body).get("source"))
        for (body,) in db.execute("SELECT body FROM event WHERE kind = 'imported' ORDER BY origin, number")
    }
    if {name for (name,) in db.execute("SELECT name FROM source")} != told:
        yield Problem("source", "source", N_("the sources are not what the log says"))


def _settings(db: sqlite3.Connection, log: Log) -> Iterator[Problem]:
    """The settings of the project against those it was made with and what was changed since."""
    try:
        told = settings.told(db, log)
    except (ValueError, LookupError, TypeError, AttributeError):
        told = None  # an event that cannot be read: its hash tells, and so does this
    if told is None or (canonical(told),) != db.execute("SELECT value FROM meta WHERE key = 'settings'").fetchone():
        yield Problem("settings", "meta", N_("the settings are not those the log tells of"))


def _replay(db: sqlite3.Connection, log: Log) -> Iterator[Problem]:
    """The tables that people read against what the log amounts to."""
    try:
        found = differences(db, log)
    except (sqlite3.IntegrityError, ValueError, LookupError, TypeError, AttributeError) as error:
        reason = type(error).__name__
        yield Problem("replay", "event", N_("the log cannot be replayed ({reason})"), {"reason": reason})
        return
    for table, count in found.items():
        words = N_("{count} {count:row|rows} of {table} {count:is|are} not what the log says")
        yield Problem("replay", table, words, {"count": count, "table": table})


def _anchors(db: sqlite3.Connection, backup: Path | None) -> Iterator[Problem]:
    """Heads that a backup or a packet took away must be part of the log."""
    known = [tuple(r) for r in db.execute("SELECT name, origin, number, hash FROM anchor ORDER BY id")]
    if backup is not None:
        project, heads = _heads_of(backup)
        if (project,) != db.execute("SELECT value FROM meta WHERE key = 'project'").fetchone():
            yield Problem("head", backup.name, N_("{name} is no copy of this project"), {"name": backup.name})
        else:
            known += heads
    for name, origin, number, hashed in known:
        row = db.execute("SELECT hash FROM event WHERE origin = ? AND number = ?", (origin, number)).fetchone()
        if row is None:
            yield Problem(
                "head",
                f"{origin}:{number}",
                N_("the log ends before event {ref}, which {name} knows"),
                {"ref": f"{origin}:{number}", "name": name},
            )
        elif row[0] != hashed:
            yield Problem(
                "head",
                f"{origin}:{number}",
                N_("event {ref} is not the one that {name} knows"),
                {"ref": f"{origin}:{number}", "name": name},
            )


def _heads_of(path: Path) -> tuple[str, list[tuple[str, str, int, bytes]]]:
    """The project a copy is of, and the heads of its log: (name, origin, number, hash)."""
    opening.check_header(path, VERSION)
    other = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        other.execute("PRAGMA trusted_schema=OFF")
        project = other.execute("SELECT value FROM meta WHERE key = 'project'").fetchone()
        rows = other.execute(
            "SELECT origin, number, hash FROM event e WHERE number = (SELECT max(number) FROM event x"
            " WHERE x.origin = e.origin) ORDER BY origin"
        ).fetchall()
    except sqlite3.DatabaseError as error:
        raise opening.in_words(error) or opening.damaged(path, error) from error
    finally:
        other.close()
    return ("" if project is None else project[0]), [(path.name, *row) for row in rows]
