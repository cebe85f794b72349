"""What follows from the log: the projected tables, written event by event and rebuilt from nothing.

`project` is the only writer of those tables. A write appends its event and calls it in the same transaction; an undo, and
`rebuild`, call it again for the events that still stand. So what a screen reads is what a replay gives, by construction,
and `differences` proves it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from curation.errors import N_, RefusedStep
from curation.stages import Facts, Verdict, stage_of
from db.following import AREAS
from db.following.area import Apply, ApplyBare, ApplyTogether
from db.following.purging import is_purged
from db.following.quality import SENT_BACK
from db.log import Event, Log
from db.schema import PROJECTED, projected_ddl

# Tables with one or more rows a dialogue; `undo` and `reproject` clear them for it.
_OF_DIALOGUE = tuple(table for area in AREAS for table in area.of_dialogue)
_TEXT_KINDS = frozenset(kind for area in AREAS for kind in area.text_kinds)
_STAGELESS = frozenset(kind for area in AREAS for kind in area.stageless)
_CHANGING = _TEXT_KINDS | {"approved"}
_LASTING = frozenset(kind for area in AREAS for kind in area.lasting)
_UNSETTLED = tuple((table, kinds) for area in AREAS for table, kinds in area.unsettled_by.items())


def _reopen(db: sqlite3.Connection, dialogue: int) -> None:
    """A changed text is not the one that was approved."""
    db.execute("DELETE FROM approval WHERE dialogue = ?", (dialogue,))
    db.execute("DELETE FROM release_item WHERE dialogue = ?", (dialogue,))


def _unsettle(db: sqlite3.Connection, kind: str, dialogue: int) -> None:
    """What was settled before an event of this kind is not settled after it."""
    for table, kinds in _UNSETTLED:
        if kind in kinds:
            db.execute(f"DELETE FROM {table} WHERE dialogue = ?", (dialogue,))


def _undone(db: sqlite3.Connection, event: Event, dialogue: int, payload: int, value: Any) -> None:
    """What was taken back is left out of the replay; here only what stood on it is opened again."""
    if event.body["kind"] in _CHANGING and is_purged(db, dialogue):
        return
    _unsettle(db, event.body["kind"], dialogue)
    if event.body["kind"] in _CHANGING:
        _reopen(db, dialogue)
    elif event.body["kind"] == "dialect_told":
        db.execute("DELETE FROM release_item WHERE dialogue = ?", (dialogue,))


_APPLY: dict[str, Apply] = {kind: apply for area in AREAS for kind, apply in area.apply.items()} | {"undone": _undone}
_TOGETHER: dict[str, ApplyTogether] = {kind: apply for area in AREAS for kind, apply in area.together.items()}
_APPLY_BARE: dict[str, ApplyBare] = {kind: apply for area in AREAS for kind, apply in area.apply_bare.items()}


def project(db: sqlite3.Connection, event: Event, entries: Iterable[tuple[int, int, Any]] = ()) -> None:
    """Write what `event` means into the projected tables. `entries` are (dialogue, payload id, value).

    Raises RefusedStep when the event would change a text whose originals are gone.
    """
    entries = list(entries)
    if event.kind in _TEXT_KINDS and any(is_purged(db, dialogue) for dialogue, _, _ in entries):
        raise RefusedStep(
            N_("the originals of this dialogue were destroyed: its text stays as it was approved"), code="purged"
        )
    _project(db, event, entries)


def _project(db: sqlite3.Connection, event: Event, entries: Iterable[tuple[int, int, Any]]) -> None:
    if bare := _APPLY_BARE.get(event.kind):
        bare(db, event)
    if together := _TOGETHER.get(event.kind):
        together(db, event, list(entries))
        return
    apply = _APPLY.get(event.kind)
    if apply is None:
        return
    for dialogue, payload, value in entries:
        if event.kind in _CHANGING and is_purged(db, dialogue):
            continue  # a text without originals stays as it was approved, whatever else arrives
        if event.kind in _TEXT_KINDS:
            _reopen(db, dialogue)
        _unsettle(db, event.kind, dialogue)
        apply(db, event, dialogue, payload, value)
        if event.kind not in _STAGELESS:
            restage(db, dialogue)


def facts_of(db: sqlite3.Connection, dialogue: int) -> Facts:
    """What the projected tables say of a dialogue."""
    code = db.execute("SELECT code FROM candidacy WHERE dialogue = ?", (dialogue,)).fetchone()
    answers: dict[str, Verdict] = {}
    for slot, keep, situation in db.execute(
        "SELECT slot, keep, situation FROM decision WHERE dialogue = ? ORDER BY round", (dialogue,)
    ):
        answers[slot] = Verdict(bool(keep), situation or None)
    ruling = db.execute("SELECT keep, situation FROM ruling WHERE dialogue = ?", (dialogue,)).fetchone()
    approved = db.execute("SELECT 1 FROM approval WHERE dialogue = ?", (dialogue,)).fetchone()
    released = db.execute("SELECT 1 FROM release_item WHERE dialogue = ?", (dialogue,)).fetchone()
    sent_back = db.execute(SENT_BACK, (dialogue,)).fetchone()
    closed = {why for (why,) in db.execute("SELECT why FROM aside WHERE dialogue = ?", (dialogue,))}
    return Facts(
        eligible=None if code is None else code[0] == "",
        first=answers.get("A"),
        second=answers.get("B"),
        ruling=None if ruling is None else Verdict(bool(ruling[0]), ruling[1] or None),
        approved=approved is not None,
        released=released is not None,
        withdrawn="withdrawn" in closed,
        put_aside="dropped" in closed,
        sent_back=sent_back is not None,
    )


def restage(db: sqlite3.Connection, dialogue: int) -> None:
    """Write the stage that the facts amount to."""
    stage = stage_of(facts_of(db, dialogue))
    db.execute("INSERT OR REPLACE INTO state (dialogue, stage) VALUES (?, ?)", (dialogue, stage.value))


def reproject(db: sqlite3.Connection, log: Log, dialogue: int) -> None:
    """Rebuild one dialogue's rows from the events on it that still stand."""
    for table in _OF_DIALOGUE:
        db.execute(f"DELETE FROM {table} WHERE dialogue = ?", (dialogue,))
    back = log.taken_back()
    for event in log.about(dialogue):
        if dialogue not in back.get((event.origin, event.number), (dialogue,)):
            continue
        if event.kind in _LASTING:
            # A place in a person's list was given by all that came before it: it stays what it was.
            continue
        _project(db, event, _entries(db, event, dialogue))
    restage(db, dialogue)


def _entries(db: sqlite3.Connection, event: Event, dialogue: int | None = None) -> list[tuple[int, int, Any]]:
    where, values = "origin = ? AND number = ?", [event.origin, event.number]
    if dialogue is not None:
        where, values = where + " AND dialogue = ?", [*values, dialogue]
    rows = db.execute(
        f"SELECT dialogue, payload, text FROM entry JOIN payload ON payload.id = entry.payload WHERE {where}"
        " ORDER BY dialogue",
        values,
    ).fetchall()
    return [(d, p, json.loads(text) if text is not None else {}) for d, p, text in rows]


def record(
    db: sqlite3.Connection, log: Log, kind: str, by: str, dialogue: int, body: dict[str, Any], text: dict[str, Any]
) -> Event:
    """Append an event about one dialogue, whose text is its payload, and write what follows from it."""
    event = log.append(kind, by, body, entries=[(dialogue, text)])
    payload = db.execute(
        "SELECT payload FROM entry WHERE origin = ? AND number = ? AND dialogue = ?",
        (event.origin, event.number, dialogue),
    ).fetchone()[0]
    project(db, event, [(dialogue, payload, text)])
    return event


def rebuild(db: sqlite3.Connection, log: Log) -> None:
    """Fill empty projected tables from the log."""
    db.execute("INSERT INTO state (dialogue, stage) SELECT id, 'imported' FROM dialogue")
    back = log.taken_back()
    for event in log.events():
        left = back.get((event.origin, event.number))
        if left is not None and not left:
            continue
        entries = _entries(db, event) if event.kind in _APPLY else []
        _project(db, event, entries if left is None else [one for one in entries if one[0] in left])


def differences(db: sqlite3.Connection, log: Log) -> dict[str, int]:
    """Replay the log into temporary tables and count, table by table, the rows that differ from the real ones.

    Temporary tables of the same names hide the real ones from the replay, which thereby writes nothing that lasts.
    """
    for statement in projected_ddl("TEMP "):
        db.execute(statement)
    try:
        rebuild(db, log)
        result = {}
        for table in PROJECTED:
            count = db.execute(
                f"SELECT count(*) FROM (SELECT * FROM (SELECT * FROM main.{table} EXCEPT SELECT * FROM temp.{table})"
                f" UNION ALL SELECT * FROM (SELECT * FROM temp.{table} EXCEPT SELECT * FROM main.{table}))"
            ).fetchone()[0]
            if count:
                result[table] = int(count)
        return result
    finally:
        for table in PROJECTED:
            db.execute(f"DROP TABLE temp.{table}")
