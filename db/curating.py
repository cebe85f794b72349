"""Who curates: the one place that says whether a name may take a curator's steps, and see what only curators see."""

from __future__ import annotations

import sqlite3

from curation.errors import N_, NotFound, RefusedStep, UsageError
from db.connection import storable

# Who acts where nobody says who; this name stands for a curator in a project that knows no one by it.
CURATOR = "curator"


def curates(db: sqlite3.Connection, name: str) -> bool:
    """Whether a name is that of a curator who is still here. Who left decides nothing more and sees what others see."""
    known = _known(db, name)
    return name == CURATOR if known is None else known == ("curator", 0)


def must_curate(db: sqlite3.Connection, name: str) -> None:
    """Refuse a curator's step to whoever is none: RefusedStep for who left or has another role, NotFound for nobody
    here, UsageError for no name at all.
    """
    if curates(db, name):
        return
    if not name.strip():
        raise UsageError(N_("this is a curator's step, and nobody is named who takes it"), code="no_name")
    known = _known(db, name)
    if known is None:
        raise NotFound(
            N_("there is no one called {name} here; `workbench people PROJECT add {name} --role annotator` adds them"),
            code="no_person",
            name=name,
        )
    if known[1]:
        raise RefusedStep(N_("{name} has left the project"), code="retired", name=name)
    raise RefusedStep(N_("this is a curator's step, and {name} is none"), code="not_a_curator", name=name)


def _known(db: sqlite3.Connection, name: str) -> tuple[str, int] | None:
    if not storable(name):
        return None
    row = db.execute("SELECT role, retired FROM person WHERE name = ?", (name,)).fetchone()
    return None if row is None else (str(row[0]), int(row[1]))
