"""The settings of a project: what it was made with, and every change of them that still stands.

They lie in `meta`, where every part of the program and every window reads them anew. `told` says what the log makes of
them; a change, and an undo of one, write that, and `check` compares the two.

A change names single settings. Of the rules of normalisation it names those that it turned off and on, so that one of
two changes can be taken back and the other still stands.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from curation.errors import N_, UsageError
from curation.settings import Settings
from db.log import SELECT, Log, canonical, from_row, in_order

KIND = "settings_changed"
RULES = "rules_off"


class Current:
    """The settings of an open project as they are now, whichever window changed them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._text = ""
        self._settings = Settings()
        # Settings that cannot be read are found when the project is opened, not later.
        _ = self.now

    @property
    def now(self) -> Settings:
        """The settings."""
        row = self._db.execute("SELECT value FROM meta WHERE key = 'settings'").fetchone()
        text = "" if row is None else str(row[0])
        if text != self._text:
            self._settings, self._text = Settings.from_dict(json.loads(text)), text
        return self._settings


def changed(before: Settings, changes: Mapping[str, object]) -> tuple[Settings, dict[str, Any]]:
    """The settings after `changes`, and the body of the event that says so; an empty body when nothing changes.

    Raises UsageError for a setting there is none of, and for a value it cannot have.
    """
    values = before.as_dict()
    unknown = sorted(set(changes) - set(values))
    if unknown:
        raise UsageError(N_("there is no setting {name}"), name=unknown[0])
    for name, value in changes.items():
        if not _fits(values[name], value):
            raise UsageError(N_("{value} is no value for the setting {name}"), value=value, name=name)
    after = Settings.from_dict({**values, **changes})
    new = after.as_dict()
    body: dict[str, Any] = {}
    plain = {name: new[name] for name in new if name != RULES and new[name] != values[name]}
    if plain:
        body["changes"] = plain
    off = [rule for rule in after.rules_off if rule not in before.rules_off]
    on = [rule for rule in before.rules_off if rule not in after.rules_off]
    if off:
        body["off"] = off
    if on:
        body["on"] = on
    return after, body


def _fits(before: object, value: object) -> bool:
    """Whether `value` is of the kind that the setting has."""
    if isinstance(before, list):
        return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    if isinstance(before, float):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is type(before)


def told(db: sqlite3.Connection, log: Log, without: tuple[str, int] | None = None) -> dict[str, Any] | None:
    """The settings as the log tells them, `without` one event where that is given; None when it does not tell."""
    rows = db.execute(f"{SELECT} WHERE kind IN ('created', '{KIND}') ORDER BY origin, number").fetchall()
    undone = log.undone()
    values: dict[str, Any] | None = None
    off: list[str] = []
    for event in in_order([from_row(row) for row in rows]):
        name = (event.origin, event.number)
        if event.kind == "created":
            if values is None and isinstance(event.body.get("settings"), dict):
                values = dict(event.body["settings"])
                off = list(values.get(RULES, ()))
        elif values is not None and name not in undone and name != without:
            values.update(event.body.get("changes", {}))
            off = [rule for rule in off if rule not in event.body.get("on", ())]
            off += [rule for rule in event.body.get("off", ()) if rule not in off]
            values[RULES] = sorted(off)
    return values


def settle(db: sqlite3.Connection, log: Log) -> None:
    """Write what the log tells, inside the caller's transaction."""
    values = told(db, log)
    if values is not None:
        db.execute("UPDATE meta SET value = ? WHERE key = 'settings'", (canonical(values),))
