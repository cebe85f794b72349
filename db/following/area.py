"""What an area of the project consists of."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from db.log import Event

# (connection, event, dialogue, payload id, what the event's entry says of the dialogue)
Apply = Callable[[sqlite3.Connection, Event, int, int, Any], None]
# The same of all entries of an event at once: (dialogue, payload id, what the entry says of it) each.
ApplyTogether = Callable[[sqlite3.Connection, Event, Sequence[tuple[int, int, Any]]], None]
# (connection, event): for events that are about no dialogue.
ApplyBare = Callable[[sqlite3.Connection, Event], None]


_NONE: Mapping[str, Any] = MappingProxyType({})


class Area(NamedTuple):
    """Tables of one area and how events write them.

    `tables` maps the name of a projected table to its columns; those in `without_rowid` are made so. Projected tables that
    have a column `dialogue` and stand in `of_dialogue` are cleared for a dialogue whose events are applied anew. `apply`
    maps a kind of event to what it does for each dialogue it has an entry on, `apply_bare` to what it does as a whole.
    `together` does for all entries of an event at once what `apply` does one by one, the same rows for fewer statements; only
    for kinds that change no text, move no stage and unsettle nothing.
    `lasting` kinds are never taken back, and what they wrote stays when a dialogue's events are applied anew.
    `text_kinds` change a text, and open again what was approved; `stageless` kinds move no dialogue to another stage.
    `unsettled_by` names tables with a row a dialogue, and the kinds with whose coming, or taking back, that row goes.
    Every kind in `apply` says whether a purge destroys what its entries say (`originals`: raw text, what was decided on
    it, notes and reasons about it; their handlers must cope with `{}`) or leaves it (`outlives`); `forgotten` are the
    derived and the desk tables whose rows on a dialogue go with its originals.
    `derived` (what a machine can compute again), `desk`
    (unfinished work) and `indexes` are SQL scripts of statements ended by ";" at the end of a line.
    """

    name: str
    tables: Mapping[str, str]
    of_dialogue: tuple[str, ...] = ()
    without_rowid: frozenset[str] = frozenset()
    apply: Mapping[str, Apply] = _NONE
    apply_bare: Mapping[str, ApplyBare] = _NONE
    text_kinds: frozenset[str] = frozenset()
    stageless: frozenset[str] = frozenset()
    together: Mapping[str, ApplyTogether] = _NONE
    unsettled_by: Mapping[str, frozenset[str]] = _NONE
    lasting: frozenset[str] = frozenset()
    originals: frozenset[str] = frozenset()
    outlives: frozenset[str] = frozenset()
    forgotten: tuple[str, ...] = ()
    indexes: str = ""
    derived: str = ""
    desk: str = ""
