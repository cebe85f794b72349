"""Who works on the project, and in which pairs."""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Sequence

from curation.errors import N_, NotFound, RefusedStep, UsageError
from curation.work import Leave, Pair, Person
from db.connection import storable, transaction
from db.curating import curates, must_curate
from db.log import Log
from db.replay import project

ROLES = ("curator", "annotator", "expert")


class People:
    """The people of one project. A name once used is never given to someone else."""

    def __init__(self, connection: sqlite3.Connection, log: Log) -> None:
        self._db = connection
        self._log = log

    def add(self, name: str, role: str, by: str) -> Person:
        """Add someone, or bring a retired person back. The same name with another role is refused."""
        must_curate(self._db, by)
        if role not in ROLES:
            raise UsageError(N_("{name} must be one of {allowed}"), name="role", allowed=", ".join(ROLES))
        if name != name.strip() or not 0 < len(name) <= 64 or any(unicodedata.category(c)[0] == "C" for c in name):
            raise UsageError(N_("a name has 1 to 64 visible characters and no space at its ends"))
        with transaction(self._db):
            row = self._db.execute("SELECT role, retired FROM person WHERE name = ?", (name,)).fetchone()
            if row is not None and row[0] != role:
                raise RefusedStep(N_("{name} is here already, as {role}"), code="name_taken", name=name, role=row[0])
            if row is None or row[1]:
                project(self._db, self._log.append_bare("person_added", by, {"name": name, "role": role}))
        return Person(name, role)

    def set_reads(self, name: str, dialects: Sequence[str], by: str) -> Person:
        """Say which dialects someone reads; Mandarin is read by everyone and need not be named."""
        must_curate(self._db, by)
        from curation.dialects import DIALECTS  # which costs a start more than all else here

        unknown = next((tag for tag in dialects if tag not in DIALECTS), None)
        if unknown is not None:
            raise UsageError(
                N_("there is no dialect {name}; they are {known}"), name=unknown, known=", ".join(DIALECTS)
            )
        reads = sorted(set(dialects))
        with transaction(self._db):
            person = self.get(name)
            if list(person.reads) != reads:
                project(self._db, self._log.append_bare("person_set", by, {"name": name, "reads": reads}))
        return self.get(name)

    def retire(self, name: str, by: str) -> None:
        """Someone leaves: no new work for them; what they decided stays theirs. Their work is `Assigning.retire`'s."""
        must_curate(self._db, by)
        with transaction(self._db):
            if self.get(name).retired:
                return
            if curates(self._db, name) and not any(p.name != name and self.curates(p.name) for p in self.everyone()):
                raise RefusedStep(
                    N_("{name} is the last curator here: add another one first"), code="last_curator", name=name
                )
            project(self._db, self._log.append_bare("person_retired", by, {"name": name}))

    def curates(self, name: str) -> bool:
        """Whether someone is a curator who is still here (see `db.curating`). Nobody known here is none."""
        return curates(self._db, name)

    def must_curate(self, name: str) -> None:
        """Refuse, with the reason, a curator's step to whoever is none."""
        must_curate(self._db, name)

    def left(self, name: str) -> Leave | None:
        """Who retired this person and when; None for whoever is here, or was never known."""
        found = self.find(name)
        if found is None or not found.retired:
            return None
        row = self._db.execute(
            "SELECT by, at FROM event WHERE kind = 'person_retired' AND json_extract(body, '$.name') = ?"
            " ORDER BY at DESC LIMIT 1",
            (name,),
        ).fetchone()
        return Leave(name, *(row or ("", "")))

    def must_be_here(self, name: str) -> None:
        """Refuse (RefusedStep) whoever has left the project."""
        found = self.find(name)
        if found is not None and found.retired:
            raise RefusedStep(N_("{name} has left the project"), code="retired", name=name)

    def pair(self, a: str, b: str, by: str) -> Pair:
        """Make a pair; `a` is its A. The same pair again is the one there is; a person is in one pair only.

        A pair of which one has left stands no more: the other can be paired anew.
        """
        must_curate(self._db, by)
        with transaction(self._db):
            if a == b:
                raise UsageError(N_("a pair is two different people"))
            for name in (a, b):
                person = self.get(name)
                if person.retired:
                    raise RefusedStep(N_("{name} has left the project"), code="retired", name=name)
                other = self.pair_of(name)
                if other is not None and (other.a, other.b) != (a, b):
                    raise RefusedStep(
                        N_("{name} is in a pair already: {a} and {b}"),
                        code="paired",
                        name=name,
                        a=other.a,
                        b=other.b,
                    )
            known = self.pair_of(a)
            if known is not None:
                return known
            number = self._db.execute("SELECT ifnull(max(id), 0) + 1 FROM pair").fetchone()[0]
            event = self._log.append_bare("paired", by, {"pair": number, "a": a, "b": b})
            project(self._db, event)
        return Pair(number, a, b)

    def find(self, name: str) -> Person | None:
        """The person of this name, or None: whoever is not known here sees the least, and is refused nothing to look at."""
        if not storable(name):
            return None
        row = self._db.execute(f"{_PERSON} WHERE name = ?", (name,)).fetchone()
        return None if row is None else _person(row)

    def get(self, name: str) -> Person:
        """The person of this name; NotFound says how to add one."""
        found = self.find(name)
        if found is None:
            raise NotFound(
                N_(
                    "there is no one called {name} here; `workbench people PROJECT add {name} --role annotator` adds them"
                ),
                code="no_person",
                name=name,
            )
        return found

    def pair_of(self, name: str) -> Pair | None:
        """The pair this person works in; None for who is in none that stands."""
        return next((pair for pair in self.standing() if name in (pair.a, pair.b)), None)

    def everyone(self) -> list[Person]:
        """Everyone, those who left included, by role and name."""
        return [_person(row) for row in self._db.execute(f"{_PERSON} ORDER BY role, name")]

    def pairs(self) -> list[Pair]:
        """All pairs that ever were, in the order they were made."""
        return [Pair(*row) for row in self._db.execute("SELECT id, a, b FROM pair ORDER BY id")]

    def standing(self) -> list[Pair]:
        """The pairs that can work: both are here, and neither has been paired anew since with someone who is."""
        left = {name for (name,) in self._db.execute("SELECT name FROM person WHERE retired = 1")}
        found: list[Pair] = []
        taken: set[str] = set()
        for pair in reversed(self.pairs()):
            if not {pair.a, pair.b} & (left | taken):
                taken |= {pair.a, pair.b}
                found.append(pair)
        return found[::-1]


_PERSON = (
    "SELECT name, role, retired, (SELECT group_concat(dialect) FROM reading WHERE person = name) AS reads FROM person"
)


def _person(row: tuple[str, str, int, str | None]) -> Person:
    name, role, retired, reads = row
    return Person(name, role, bool(retired), tuple(sorted(reads.split(","))) if reads else ())
