"""The project's own lists: values that are never an identifier here, or always one, and files of recognisers.

What was said stands in the log, the values themselves in payloads. What was said last of a value counts; of files, the
last one alone.
"""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curation.identifiers.lists import Lists

Rows = tuple[tuple[str, str, str], ...]


class OwnLists:
    """The lists of an open project as they are now, whichever window changed them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._made: tuple[Rows, Lists] | None = None

    @property
    def _rows(self) -> Rows:
        return tuple(
            self._db.execute(
                "SELECT l.list, l.type, p.text FROM list_text l JOIN payload p ON p.id = l.payload"
                " WHERE p.text IS NOT NULL ORDER BY l.number, l.origin"
            ).fetchall()
        )

    @property
    def now(self) -> Lists:
        """The lists; `NO_LISTS` itself where there are none."""
        rows = self._rows
        if self._made is None or rows != self._made[0]:
            self._made = rows, _made_of(rows)
        return self._made[1]

    @property
    def fingerprint(self) -> str:
        """As a detector's version names the lists it worked with; "" where there are none."""
        # Screens that only show ask this too: without lists it needs nothing that takes long to import.
        if not self._rows:
            return ""
        from curation.identifiers.lists import NO_LISTS

        lists = self.now
        return "" if lists is NO_LISTS else lists.fingerprint

    def counts(self) -> dict[str, int]:
        """How many values and recognisers there are: `allow`, `deny`, `recognisers`."""
        lists = self.now
        return {
            "allow": len(lists.allow),
            "deny": sum(len(values) for values in lists.deny.values()),
            "recognisers": len(lists.recognisers),
        }


def _made_of(rows: Rows) -> Lists:
    from curation.identifiers.lists import NO_LISTS, Lists

    files = [json.loads(text)["toml"] for name, _, text in rows if name == "file"]
    lists = Lists.parse(files[-1]) if files else NO_LISTS
    for name, kind, text in rows:
        if name != "file":
            value = json.loads(text)["value"]
            lists = lists.allowing(value) if name == "allow" else lists.denying(kind, value)
    return NO_LISTS if lists == NO_LISTS else lists


def made_with(version: str) -> str:
    """The fingerprint of the lists that a detector's version names; "" for none."""
    return version.partition("+lists-")[2]
