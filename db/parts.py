"""The parts of a project: what is done with its dialogues, people and decisions, each in a module of its own."""

from __future__ import annotations

import sqlite3
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from curation.settings import Settings
from db.assigning import Assigning
from db.dialogues import Dialogues
from db.findings import Findings
from db.log import Clock, Entropy, Log
from db.people import People
from db.screening import Screening
from db.settings import Current

if TYPE_CHECKING:
    from db.agreement import Agreements
    from db.answers import Answers
    from db.askable import Askable
    from db.batch import Batch
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
    from db.prompts import Prompts
    from db.purging import Purging
    from db.quality import Quality
    from db.quotas import Quotas
    from db.raising import Raising
    from db.releases import Releases
    from db.replies import Replies
    from db.reviews import Reviews
    from db.rewriting import Rewriting
    from db.rounds import Rounds
    from db.samples import Samples
    from db.scorelines import ScoreLines
    from db.scoring import Scoring
    from db.search import Search
    from db.story import Stories
    from db.systems import Systems
    from db.texts import Texts
    from db.yields import Yields


class Parts:
    """Every part over one connection. Those that a screen needs at once are there; the others are made when they are
    first asked for, since what they import takes time.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, clock: Clock, entropy: Entropy) -> None:
        self.path = path
        self._db = connection
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

    @cached_property
    def quality(self) -> Quality:
        """Layers, trimming and approval."""
        from db.quality import Quality

        return Quality(self._db, self.log, self._settings, self.dialogues, self.findings)

    @cached_property
    def disputes(self) -> Disputes:
        """What the two of a pair do not agree on."""
        from db.disputes import Disputes
        from db.sentback import SentBackNotes

        notes = SentBackNotes(self._db, self.dialogues, self.findings)
        return Disputes(self._db, self.log, self.people, self.dialogues, self.screening, notes)

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
            self._db, self.log, self._settings, self.people, self.dialogues, self.screening, lambda: self.quality
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
            self.log,
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

        return Disputed(self._db, self.log, self.dialogues, self.quality, self.releases)

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
            self._db, self.log, self.dialogues, self.samples, self.systems, self.askable, lambda: self._answers
        )

    @cached_property
    def _answers(self) -> Answers:
        from db.answers import Answers

        return Answers(self._db, self.log, self._settings, self.dialogues, self.askable, self.prompts)

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

        return Handing(self._db, self.log, self.people, self.replies.coverage, self._secret)

    @cached_property
    def _live(self) -> LivePanel:
        from db.panel import LivePanel

        return LivePanel(self._db, self._settings, self.people)
