"""A project: one SQLite file, and the door to everything in it."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from curation.errors import N_, BadProject, UsageError
from curation.settings import Settings
from curation.work import Problem, Status
from db import connection as opening
from db import schema
from db.assigning import Assigning
from db.dialogues import Dialogues
from db.findings import Findings
from db.log import Clock, Entropy, Log, canonical
from db.people import People
from db.replay import project
from db.screening import Screening
from db.settings import Current

if TYPE_CHECKING:
    from db.agreement import Agreements
    from db.askable import Askable
    from db.batch import Batch
    from db.blindness import Blindness
    from db.control import Control
    from db.decisions import Decisions
    from db.dialects import Dialects
    from db.disputed import Disputed
    from db.disputes import Disputes
    from db.expert import Expert
    from db.handing import Handing
    from db.history import History
    from db.inbox import Inbox
    from db.judged import Judged
    from db.leaks import Leaks
    from db.pacing import Pacing
    from db.panel import LivePanel
    from db.purging import Purging
    from db.prompts import Prompts
    from db.quality import Quality
    from db.quotas import Quotas
    from db.raising import Raising
    from db.releases import Releases
    from db.replies import Replies
    from db.reviews import Reviews
    from db.rounds import Rounds
    from db.samples import Samples
    from db.scorelines import ScoreLines
    from db.scoring import Scoring
    from db.rewriting import Rewriting
    from db.search import Search
    from db.story import Stories
    from db.systems import Systems
    from db.texts import Texts
    from db.yields import Yields

SECRET_BYTES = 32


def utc_now() -> str:
    """The time now, ISO 8601 in UTC with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Project:
    """An open project. Use it as a context manager, from one thread at a time; another thread opens its own.

    The parts, each over the same connection: `dialogues`, `people`, `screening`, `decisions`, `findings`, `quality`,
    `texts`, `dialects`, `releases`, `search`, `reviews`, `history`, `samples`, `systems`, `replies`.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, clock: Clock, entropy: Entropy) -> None:
        self.path = path
        self._db = connection
        self._closed = False
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
        self.id: str = meta["project"]
        self._settings = Current(connection)
        self.log = Log(connection, meta["origin"], clock, entropy)
        self._secret = bytes.fromhex(meta["secret"])
        self.people = People(connection, self.log)
        self.dialogues = Dialogues(connection, self.log, self._settings, self._secret)
        self.findings = Findings(connection, self.log, self.dialogues, self._secret, self._settings)
        self.assigning = Assigning(connection, self.log, self.people, self.dialogues)
        self.screening = Screening(
            connection,
            self.log,
            self.people,
            self.dialogues,
            self.assigning,
            self.findings.spans,
            self._settings,
        )

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        return self._settings.now

    # The parts that a screen does without are made when they are first asked for: what they import takes time.

    @cached_property
    def quality(self) -> Quality:
        """Layers, trimming and approval."""
        from db.quality import Quality

        return Quality(self._db, self.log, self._settings, self.dialogues, self.findings)

    @cached_property
    def disputes(self) -> Disputes:
        """What the two of a pair do not agree on."""
        from db.disputes import Disputes

        return Disputes(self._db, self.log, self.people, self.dialogues, self.screening)

    @cached_property
    def raising(self) -> Raising:
        """What people put before the lead, hand back or turn round."""
        from db.raising import Raising

        return Raising(self._db, self.log, self._settings, self.people, self.dialogues, self.assigning, self.screening)

    @cached_property
    def pacing(self) -> Pacing:
        """How long decisions took, and words to write again."""
        from db.pacing import Pacing

        return Pacing(self._db)

    @cached_property
    def rewriting(self) -> Rewriting:
        """Rewriting single messages, signing that, and sending back to screening."""
        from db.rewriting import Rewriting

        return Rewriting(self._db, self.log, self.dialogues, self.quality, self.people)

    @cached_property
    def control(self) -> Control:
        """Quality control, dialogue by dialogue."""
        from db.control import Control

        return Control(self._db, self.dialogues, self.quality, self.rewriting)

    @cached_property
    def stories(self) -> Stories:
        """How texts came to be what they are."""
        from db.story import Stories

        return Stories(self._db, self.log, self.dialogues, self.quality)

    @cached_property
    def batch(self) -> Batch:
        """The list of all dialogues in quality control."""
        from db.batch import Batch

        return Batch(self._db, self.control)

    @cached_property
    def agreement(self) -> Agreements:
        """How far the two of a pair agree in screening."""
        from db.agreement import Agreements

        return Agreements(self._db, self.people, self.dialogues, self._settings)

    @cached_property
    def rounds(self) -> Rounds:
        """Training, calibration, labelling again."""
        from db.rounds import Rounds

        return Rounds(
            self._db, self.log, self._settings, self.people, self.dialogues, self.screening, self.quality
        )

    @cached_property
    def inbox(self) -> Inbox:
        """What is said between the lead and the people."""
        from db.inbox import Inbox

        return Inbox(self._db, self.log, self.people, self.dialogues)

    @cached_property
    def quotas(self) -> Quotas:
        """How many of each situation are wanted, and what that will take."""
        from db.quotas import Quotas

        return Quotas(self._db, self.log, self.assigning)

    @cached_property
    def yields(self) -> Yields:
        """What screening brought."""
        from db.yields import Yields

        return Yields(self._db, self.dialogues)

    @cached_property
    def decisions(self) -> Decisions:
        """Decision lines, in and out."""
        from db.decisions import Decisions

        return Decisions(
            self._db,
            self.people,
            self.dialogues,
            self.assigning,
            self.screening,
            self.disputes,
            self.findings,
            self.quality,
            self._score_lines,
        )

    @cached_property
    def releases(self) -> Releases:
        """The release, and the raw copy."""
        from db.releases import Releases

        return Releases(
            self._db,
            self.log,
            self._settings,
            self.dialogues,
            self.findings,
            self.quality,
            self.dialects,
            self._secret,
        )

    @cached_property
    def disputed(self) -> Disputed:
        """Disputed dialogues, released apart."""
        from db.disputed import Disputed

        return Disputed(self._db, self.dialogues, self.quality, self.releases)

    @cached_property
    def dialects(self) -> Dialects:
        """Which dialect each dialogue is in."""
        from db.dialects import Dialects

        return Dialects(self._db, self.log, self.dialogues, self.quality)

    @cached_property
    def texts(self) -> Texts:
        """What normalising changed, and taking it back."""
        from db.texts import Texts

        return Texts(self._db, self.log, self.dialogues, self.findings, self.quality)

    @cached_property
    def search(self) -> Search:
        """Where a text stands."""
        from db.search import Search

        return Search(self._db, self.dialogues, self.findings, self.quality)

    @cached_property
    def reviews(self) -> Reviews:
        """The review of identifiers, and the project's own lists."""
        from db.reviews import Reviews

        return Reviews(
            self._db,
            self.log,
            self._settings,
            self.people,
            self.dialogues,
            self.findings,
            self.quality,
            self.history,
        )

    @cached_property
    def leaks(self) -> Leaks:
        """Whether anything stands where it must not."""
        from db.leaks import Leaks

        return Leaks(self._db, self.dialogues, self.quality)

    @cached_property
    def purging(self) -> Purging:
        """Destroying the originals of approved dialogues."""
        from db.purging import Purging

        return Purging(self._db, self.log, self.dialogues, self.quality, self.dialects, self.search.index)

    @cached_property
    def history(self) -> History:
        """The log for people."""
        from db.history import History

        return History(self._db, self.log, self.dialogues, self.findings, self.quality, self.dialects)

    @cached_property
    def samples(self) -> Samples:
        """The sample."""
        from db.samples import Samples

        return Samples(self._db, self.log, self._settings, self.dialogues, self.quality, self.dialects)

    @cached_property
    def systems(self) -> Systems:
        """The systems that answer."""
        from db.systems import Systems

        return Systems(self._db, self.log, self.people)

    @cached_property
    def replies(self) -> Replies:
        """What the systems answered."""
        from db.replies import Replies

        return Replies(
            self._db, self.log, self._settings, self.dialogues, self.samples, self.systems, self.askable, self.prompts
        )

    @cached_property
    def askable(self) -> Askable:
        """The text of dialogues as it may leave the project."""
        from db.askable import Askable

        return Askable(self._db, self._settings, self.dialogues, self.findings, self.quality, self._secret)

    @cached_property
    def prompts(self) -> Prompts:
        """What systems are asked."""
        from db.prompts import Prompts

        return Prompts(self._db, self.log, self._settings, self.samples, self.askable)

    @cached_property
    def expert(self) -> Expert:
        """The expert's desk."""
        from db.expert import Expert

        return Expert(
            self._db,
            self.log,
            self._settings,
            self.people,
            self.dialogues,
            self.askable,
            self.samples,
            self.systems,
            self.replies,
        )

    @cached_property
    def scoring(self) -> Scoring:
        """The blinded scoring, as its annotators see it."""
        from db.scoresheets import Sheets
        from db.scoring import Scoring

        sheets = Sheets(self._db, self._settings, self.dialogues, lambda: self.quality, self.findings.spans)
        return Scoring(
            self._db, self.log, self._settings, self.people, sheets, lambda: self._handing, lambda: self._live
        )

    @cached_property
    def judged(self) -> Judged:
        """What was scored, with what each code stood for."""
        from db.judged import Judged

        return Judged(self._db, self._settings, self.people, self.dialogues)

    @cached_property
    def _score_lines(self) -> ScoreLines:
        from db.scorelines import ScoreLines

        return ScoreLines(self._db, self.people, self.dialogues, self.scoring, self._handing)

    @cached_property
    def _handing(self) -> Handing:
        from db.handing import Handing

        return Handing(self._db, self.log, self.people, self._secret)

    @cached_property
    def _live(self) -> LivePanel:
        from db.panel import LivePanel

        return LivePanel(self._db, self._settings, self.people)

    def change_settings(self, by: str, **changes: object) -> bool:
        """Change settings by name, as one event. Returns whether anything changed.

        Where rules of normalisation go off or on, the texts change with them at once, and those approved are open
        again. Raises UsageError for a setting there is none of and for a value it cannot have.
        """
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
