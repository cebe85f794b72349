"""The systems that answer: LLMs and experts, each with its record."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from dataclasses import asdict
from typing import Any

from curation.errors import N_, NotFound, RefusedStep, UsageError
from curation.work.asking import System
from db.connection import storable, transaction
from db.curating import must_curate
from db.log import Log
from db.people import People
from db.replay import project

KINDS = ("llm", "expert")
_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
_LONGEST = 500
_ROW = "SELECT name, kind, model, provider, date, temperature, prompt, notes, person FROM system"


class Systems:
    """The systems of one project. A name once used stays with its system."""

    def __init__(self, connection: sqlite3.Connection, log: Log, people: People) -> None:
        self._db = connection
        self._log = log
        self._people = people

    def add(self, system: System, by: str) -> bool:
        """Add a system. Returns whether it is new; the same name with another record is refused.

        A curator's step, but for the system under which an expert writes: that is made when they begin.
        """
        if (system.kind, system.person) != ("expert", by):
            must_curate(self._db, by)
        self._check(system)
        with transaction(self._db):
            known = self._find(system.name)
            if known == system:
                return False
            if known is not None:
                raise RefusedStep(
                    N_("there is a system {name} already, with another record; `change` corrects it"),
                    code="name_taken",
                    name=system.name,
                )
            self._write("system_added", system, by)
        return True

    def change(self, system: System, by: str) -> bool:
        """Correct the record of a system; its kind stays. Returns whether anything changed."""
        must_curate(self._db, by)
        self._check(system)
        with transaction(self._db):
            known = self.get(system.name)
            if known == system:
                return False
            if known.kind != system.kind:
                raise RefusedStep(N_("an llm stays an llm and an expert an expert"), code="kind_changed")
            self._write("system_changed", system, by)
        return True

    def _write(self, kind: str, system: System, by: str) -> None:
        facts: dict[str, Any] = asdict(system)
        # An event's own kind is another matter than the system's.
        body = {**{name: value for name, value in facts.items() if name != "kind"}, "system": system.kind}
        project(self._db, self._log.append_bare(kind, by, body))

    def _check(self, system: System) -> None:
        name = system.name
        if name != name.strip() or not 0 < len(name) <= 64 or any(unicodedata.category(c)[0] == "C" for c in name):
            raise UsageError(N_("a name has 1 to 64 visible characters and no space at its ends"))
        if system.kind not in KINDS:
            raise UsageError(N_("{name} must be one of {allowed}"), name="kind", allowed=", ".join(KINDS))
        if system.date and not _DATE.fullmatch(system.date):
            raise UsageError(N_("{value} is no date: YYYY-MM-DD, YYYY-MM or YYYY"), value=system.date)
        if system.temperature is not None and not 0 <= system.temperature <= 10:
            raise UsageError(N_("a temperature lies between 0 and 10"))
        for text in (system.model, system.provider, system.prompt, system.notes):
            if len(text) > _LONGEST or not storable(text) or any(unicodedata.category(c) == "Cc" for c in text):
                raise UsageError(
                    N_("what is said of a system is one line of at most {count} characters"), count=_LONGEST
                )
        if system.kind == "expert":
            role = self._people.get(system.person).role
            if role != "expert":
                raise RefusedStep(
                    N_("{name} is {role} here, not an expert"), code="not_an_expert", name=system.person, role=role
                )
        elif system.person:
            raise UsageError(N_("only an expert is a person"))

    def get(self, name: str) -> System:
        """The system of this name; NotFound says how to add one."""
        found = self._find(name)
        if found is None:
            raise NotFound(
                N_("there is no system {name} here; `workbench systems PROJECT add {name}` adds it"),
                code="no_system",
                name=name,
            )
        return found

    def _find(self, name: str) -> System | None:
        row = self._db.execute(f"{_ROW} WHERE name = ?", (name,)).fetchone() if storable(name) else None
        return None if row is None else System(*row)

    def all(self) -> list[System]:
        """Every system: LLMs first, then experts, by name."""
        return [System(*row) for row in self._db.execute(f"{_ROW} ORDER BY kind DESC, name")]

    def of_person(self, person: str) -> System | None:
        """The system under which this expert writes."""
        row = self._db.execute(f"{_ROW} WHERE person = ? ORDER BY name LIMIT 1", (person,)).fetchone()
        return None if row is None else System(*row)
