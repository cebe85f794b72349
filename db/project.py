"""A project: one SQLite file, and the door to everything in it."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from curation.errors import N_, BadProject, UsageError
from curation.settings import Settings
from db import connection as opening
from db import schema
from db.curating import must_curate
from db.log import Clock, Entropy, Log, canonical
from db.parts import Parts
from db.replay import project

if TYPE_CHECKING:
    from curation.work import Problem, Status
    from db.blindness import Blindness

SECRET_BYTES = 32


def utc_now() -> str:
    """The time now, ISO 8601 in UTC with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Project(Parts):
    """An open project. Use it as a context manager, from one thread at a time; another thread opens its own."""

    def __init__(self, path: Path, connection: sqlite3.Connection, clock: Clock, entropy: Entropy) -> None:
        super().__init__(path, connection, clock, entropy)
        self._closed = False

    def change_settings(self, by: str, **changes: object) -> bool:
        """Change settings by name, as one event. Returns whether anything changed.

        Where rules of normalisation go off or on, the texts change with them at once, and those approved are open
        again. Raises UsageError for a setting there is none of and for a value it cannot have.
        """
        must_curate(self._db, by)
        from db import settings

        with opening.transaction(self._db):
            before = self.settings
            after, body = settings.changed(before, changes)
            if not body:
                return False
            rules = set(before.rules_off) ^ set(after.rules_off)
            reopened = self.quality.approved_with(rules) if rules else []
            entries: list[tuple[int, object]] = [(key, {}) for key in reopened]
            event = self.log.append(settings.KIND, by, body, entries=entries)
            project(self._db, event, [(key, 0, {}) for key in reopened])
            settings.settle(self._db, self.log)
        return True

    # -- making and opening

    @classmethod
    def create(
        cls,
        path: Path,
        settings: Settings | None = None,
        *,
        by: str = "curator",
        clock: Clock = utc_now,
        entropy: Entropy = secrets.token_bytes,
    ) -> Project:
        """Make a new project at `path`. Raises BadProject when anything lies there, or when the place is not safe.

        The file is built under another name and put in place whole, so that a crash leaves no half project.
        """
        if opening.exists(path):
            raise BadProject(N_("{path} is there already; nothing was changed"), code="exists", path=path)
        if not path.parent.is_dir():
            raise BadProject(N_("there is no folder {folder}"), code="no_folder", folder=path.parent)
        opening.check_place(path)
        settings = settings or Settings()
        building = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
        try:
            _begin(building, path)
            connection = opening.connect(building)
            try:
                schema.apply(connection)
                with opening.transaction(connection):
                    values = {
                        "project": entropy(8).hex(),
                        "origin": entropy(4).hex(),
                        "secret": entropy(SECRET_BYTES).hex(),
                        "settings": canonical(settings.as_dict()),
                    }
                    connection.executemany("INSERT INTO meta (key, value) VALUES (?, ?)", values.items())
                    log = Log(connection, values["origin"], clock, entropy)
                    log.append_bare("created", by, {"settings": settings.as_dict(), "schema": schema.VERSION})
                    project(connection, log.append_bare("person_added", by, {"name": by, "role": "curator"}))
            finally:
                opening.close(connection)
            _put(building, path)
        finally:
            with suppress(OSError):
                building.unlink()
        return cls.open(path, clock=clock, entropy=entropy)

    @classmethod
    def open(cls, path: Path, *, clock: Clock = utc_now, entropy: Entropy = secrets.token_bytes) -> Project:
        """Open a project. Raises BadProject when there is none, it is not ours, too new, damaged, or unsafely placed."""
        found = opening.check_header(path, schema.VERSION)
        opening.check_place(path)
        connection = opening.connect(path)
        try:
            if found < schema.VERSION:
                schema.apply(connection)
            if names := schema.strangers(connection):
                raise BadProject(
                    N_("the project holds tables, triggers or views that this program did not make: {names}"),
                    code="db_schema_mismatch",
                    names=", ".join(names),
                )
            return cls(path, connection, clock, entropy)
        except BaseException as error:
            opening.close(connection)
            if isinstance(error, sqlite3.Error):
                raise opening.in_words(error) or opening.damaged(path, error) from error
            if isinstance(error, (KeyError, ValueError, TypeError, AttributeError, UsageError)):
                raise opening.damaged(path, error) from error
            raise

    def close(self) -> None:
        """Close the file. Closing again does nothing."""
        if not self._closed:
            self._closed = True
            opening.close(self._db)

    def __enter__(self) -> Project:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if isinstance(error, sqlite3.Error):
            words = opening.in_words(error)
            if words is not None:
                raise words from error

    # -- the whole

    def status(self) -> Status:
        """The project in numbers. Tells how much each person has done and nothing of what they decided."""
        from curation.work import Status

        with opening.snapshot(self._db):
            people = {}
            for person in self.people.everyone():
                progress = self.screening.progress(person.name)
                people[person.name] = {
                    "role": person.role,
                    "retired": person.retired,
                    "assigned": progress.assigned,
                    "decided": progress.decided,
                    "skipped": progress.skipped,
                    "left": progress.left,
                    "waiting": progress.waiting,
                    "disputes": self.screening.second_words(person.name),
                }
            return Status(
                self.dialogues.stages(),
                dict(self.dialogues.funnel().rejected),
                people,
                {**self.screening.work(), **self._waiting()},
                self.dialogues.sources(),
                self.dialogues.dialects(),
            )

    def _waiting(self) -> dict[str, int]:
        """What quality control has not been able to settle: not searched for identifiers; and what was purged."""
        row = self._db.execute(
            "SELECT (SELECT count(*) FROM scan s JOIN state t ON t.dialogue = s.dialogue WHERE s.failure <> ''"
            " AND t.stage IN ('agreed', 'approved', 'released')), (SELECT count(*) FROM purged x JOIN dialogue d"
            " ON d.id = x.dialogue WHERE d.current = 1)"
        ).fetchone()
        return {"not_scanned": row[0], "purged": row[1]}

    def check(self, backup: Path | None = None) -> list[Problem]:
        """Everything wrong with the file, its texts, its log and its tables; empty when all is well."""
        from db.integrity import problems

        return list(problems(self._db, self.log, self._secret, backup))

    def blindness(self) -> Blindness:
        """Whether the blind of scoring holds: what an annotator sees under other names, balance, leaks."""
        from db.blindness import blindness

        return blindness(self, self._db)

    def backup(self, path: Path, progress: Callable[[int, int], None] | None = None) -> None:
        """Copy the project to a new file through SQLite, whole and consistent, while others work on it.

        The copy's head is remembered here, so that a log cut short afterwards is seen.
        """
        if opening.exists(path):
            raise BadProject(N_("{path} is there already; nothing was changed"), code="exists", path=path)
        if not path.parent.is_dir():
            raise BadProject(N_("there is no folder {folder}"), code="no_folder", folder=path.parent)
        building = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
        try:
            _begin(building, path)
            copy = sqlite3.connect(building, isolation_level=None)
            try:
                # One snapshot held throughout: else every write of another window would begin the copy anew.
                with opening.snapshot(self._db):
                    self._db.execute("SELECT count(*) FROM meta").fetchone()
                    self._db.backup(
                        copy, pages=2000, progress=lambda _, left, total: progress and progress(left, total)
                    )
                # The copy travels alone: no write-ahead log beside it.
                copy.execute("PRAGMA journal_mode=DELETE").fetchall()
                heads = copy.execute(
                    "SELECT origin, number, hash FROM event e WHERE number ="
                    " (SELECT max(number) FROM event x WHERE x.origin = e.origin)"
                ).fetchall()
                damaged = [line for (line,) in copy.execute("PRAGMA quick_check").fetchall() if line != "ok"]
            finally:
                copy.close()
            if damaged:
                raise opening.damaged(self.path, damaged[0])
            _put(building, path)
        finally:
            with suppress(OSError):
                building.unlink()
        with opening.transaction(self._db):
            self._db.executemany(
                "INSERT INTO anchor (kind, name, origin, number, hash, at) VALUES ('backup', ?, ?, ?, ?, ?)",
                [(path.name, *head, self.log.now()) for head in heads],
            )


def _begin(building: Path, path: Path) -> None:
    """Make the empty file that will be put at `path`; what SQLite lays beside it takes its mode."""
    try:
        os.close(os.open(building, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise BadProject(
            N_("{path} cannot be written: {reason}"), code="cannot_write", path=path, reason=error.strerror
        ) from error


def _put(building: Path, path: Path) -> None:
    """Put a finished file in its place without ever replacing another, and have the folder remember it."""
    with building.open("rb+") as handle:
        os.fsync(handle.fileno())
    try:
        os.link(building, path)
    except FileExistsError as error:
        raise BadProject(N_("{path} is there already; nothing was changed"), code="exists", path=path) from error
    except OSError:
        if opening.exists(path):
            raise
        building.rename(path)  # a file system without links
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
