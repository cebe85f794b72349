"""The live panel: agreement that follows every closing, as far as the one who looks may see it."""

from __future__ import annotations

import sqlite3

from curation.work.scoring import Panel
from db.people import People
from db.settings import Current


class LivePanel:
    """The live figures of one project, kept up from the log."""

    def __init__(self, connection: sqlite3.Connection, settings: Current, people: People) -> None:
        self._db = connection
        self._settings = settings
        self._people = people

    def panel(self, viewer: str, *, intervals: bool = False) -> Panel:
        """See `Scoring.panel`."""
        return Panel()
