"""Identifiers of a dialogue: what the detector proposes (derived, kept with its version), and what was decided on it."""

from __future__ import annotations

import hmac
import math
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from curation.errors import N_, RefusedStep, UsageError, WorkbenchError
from curation.identifiers import TYPES, Finding, outdated
from curation.identifiers.reviewing import REST_RULE, Mark, Shown, settled, shown, written
from curation.model import Dialogue
from db.connection import transaction
from db.curating import must_curate
from db.dialogues import Dialogues
from db.lists import OwnLists, made_with
from db.log import Log
from db.replay import project
from db.settings import Current

if TYPE_CHECKING:
    from curation.work import QualityReport

TOO_LONG = "took_too_long"
Detector = Callable[[Sequence[tuple[str, str]]], tuple[Finding, ...]]


class Decided(NamedTuple):
    """A decided span of the raw text."""

    message: int
    start: int
    end: int
    type: str
    accepted: bool
    score: float
    rule: str
    policy: str

    def mark(self) -> Mark:
        """The span as a reviewer's steps need it."""
        return Mark(self.message, self.start, self.end, self.type, self.accepted, self.score, self.rule)

    def finding(self, text: str) -> Finding:
        """The span as a finding on its message's raw text."""
        return Finding(
            self.message, self.start, self.end, self.type, text[self.start : self.end], self.score, self.rule
        )


class Findings:
    """Proposed and decided identifiers of one project."""

    def __init__(
        self, connection: sqlite3.Connection, log: Log, dialogues: Dialogues, secret: bytes, settings: Current
    ) -> None:
        self._db = connection
        self._log = log
        self._dialogues = dialogues
        self._settings = settings
        self._secret = secret
        self.lists = OwnLists(connection)

    def key_of(self, uid: str) -> bytes:
        """What chooses the invented names of one dialogue: the same ones each time, no two dialogues alike."""
        return hmac.digest(self._secret, b"names:" + uid.encode("ascii"), "sha256")

    def scan(self, key: int, detector: Detector | None = None, *, again: bool = False) -> tuple[Finding, ...]:
        """What the detector proposes for a dialogue; looked for once, and again where a better detector is installed.

        A detector that fails, or takes longer than the project allows, marks the dialogue as not scanned, which keeps it
        from being approved. What failed is tried again whenever it is asked for; what took too long only where `again` says
        so, since it would take as long each time.
        """
        known = self._db.execute("SELECT detector, failure FROM scan WHERE dialogue = ?", (key,)).fetchone()
        row = self._dialogues.by_key(key)
        if row.purged:
            return ()  # what is left was searched before it was approved, and again before the rest went
        stored = row.dialogue
        given_up = known is not None and known[1] == TOO_LONG and not again
        if known is not None and self._current(known[0]) and (not known[1] or given_up):
            return () if known[1] else self.proposed(key, stored)
        # Searching takes long to import; what was found before is shown without it.
        from curation.identifiers import detect, detector_version

        failure = ""
        found: tuple[Finding, ...] = ()
        lists = self.lists.now
        try:
            found = detector(texts_of(stored)) if detector else detect(texts_of(stored), lists=lists, late=self.late())
        except WorkbenchError as error:
            if error.exit_status == 2:
                raise  # nothing failed: a part of this installation is missing
            failure = error.code
        except Exception as error:  # a recogniser from elsewhere; its message may hold text
            failure = type(error).__name__
        with transaction(self._db):
            self._db.execute(
                "INSERT OR REPLACE INTO scan (dialogue, detector, failure) VALUES (?, ?, ?)",
                (key, detector_version(lists), failure),
            )
            self._db.execute("DELETE FROM proposal WHERE dialogue = ?", (key,))
            self._db.executemany(
                "INSERT INTO proposal (dialogue, message, start, end, type, score, rule) VALUES (?, ?, ?, ?, ?, ?, ?)",
                ((key, f.message, f.start, f.end, f.type, f.score, f.rule) for f in found),
            )
        return found

    def late(self) -> Callable[[], bool]:
        """What says whether the time that the project allows for one dialogue, from now on, has run out."""
        return deadline(self._settings.now.scan_seconds)

    def _current(self, version: str) -> bool:
        return not outdated(version) and made_with(version) == self.lists.fingerprint

    def looked_at(self, key: int) -> bool:
        """Whether identifiers were looked for with the rules and lists in force, or could not be."""
        known = self._db.execute("SELECT detector FROM scan WHERE dialogue = ?", (key,)).fetchone()
        return known is not None and self._current(known[0])

    def proposed(self, key: int, dialogue: Dialogue) -> tuple[Finding, ...]:
        """What was found when it was last looked; nothing is looked for here."""
        rows = self._db.execute(
            "SELECT message, start, end, type, score, rule FROM proposal WHERE dialogue = ? ORDER BY message, start",
            (key,),
        ).fetchall()
        return tuple(Finding(m, s, e, t, dialogue.messages[m].text[s:e], score, r) for m, s, e, t, score, r in rows)

    def failure(self, key: int) -> str:
        """Why the last scan of a dialogue failed; empty when it did not, or was not made."""
        row = self._db.execute("SELECT failure FROM scan WHERE dialogue = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def failed(self) -> list[int]:
        """The dialogues agreed on that could not be searched when it was last tried."""
        rows = self._db.execute(
            "SELECT s.dialogue FROM scan s JOIN state t ON t.dialogue = s.dialogue WHERE s.failure <> ''"
            " AND t.stage IN ('agreed', 'approved', 'released') ORDER BY s.dialogue"
        ).fetchall()
        return [key for (key,) in rows]

    def spans(self, key: int) -> tuple[tuple[int, int, int, str], ...]:
        """What to mask for those who may not see it: all that is proposed or accepted and not rejected."""
        decided = self.decided(key)
        spans = [(d.message, d.start, d.end, d.type) for d in decided if d.accepted]
        spans += [(f.message, f.start, f.end, f.type) for f in self.undecided(key)]
        return tuple(_disjoint(sorted(spans)))

    def decided(self, key: int) -> tuple[Decided, ...]:
        """The decided spans of a dialogue, in order."""
        rows = self._db.execute(
            "SELECT message, start, end, type, accepted, score, rule, policy FROM finding WHERE dialogue = ?"
            " ORDER BY message, start",
            (key,),
        ).fetchall()
        return tuple(Decided(m, s, e, t, bool(a), score, r, p) for m, s, e, t, a, score, r, p in rows)

    def undecided(self, key: int) -> tuple[Finding, ...]:
        """Proposed spans that no decisions cover."""
        marks = self.marks(key)
        return tuple(f for f in self.scan(key) if not settled(marks, f))

    def marks(self, key: int) -> tuple[Mark, ...]:
        """The decided spans, as a reviewer's steps need them."""
        return tuple(d.mark() for d in self.decided(key))

    def shown(self, key: int, proposed: Sequence[Finding] | None = None) -> tuple[Shown, ...]:
        """The findings as they are reviewed: disjoint, in order, each open or decided."""
        return shown(self.marks(key), self.scan(key) if proposed is None else proposed)

    def scrub(
        self, keys: Iterable[int], by: str, accept: float | None, detector: Detector | None = None
    ) -> QualityReport:
        """Look for identifiers in these dialogues and accept what is at least as sure as `accept`, as one event.

        Without `accept` nothing is decided. `waiting` counts the findings left for a person.
        """
        must_curate(self._db, by)
        from curation.identifiers import detector_version
        from curation.identifiers.replace import NEWEST_POLICY

        if accept is not None and not 0 <= accept <= 1:
            raise UsageError(N_("a score lies between 0 and 1"))
        counts = {"found": 0, "accepted": 0, "undecided": 0, "not_scanned": 0}
        entries: list[tuple[int, object]] = []
        scanned: list[int] = []
        looked = 0
        # Detecting takes long and needs no lock; what is still undecided is asked again under it, since others decide too.
        for key in keys:
            looked += 1
            counts["found"] += len(self.scan(key, detector, again=True))
            if self.failure(key):
                counts["not_scanned"] += 1
            else:
                scanned.append(key)
        with transaction(self._db):
            for key in scanned:
                open_ = self.undecided(key)
                sure = [f for f in open_ if accept is not None and f.score >= accept]
                counts["accepted"] += len(sure)
                counts["undecided"] += len(open_) - len(sure)
                if sure:
                    # What was accepted before and overlaps one of them stays covered.
                    marks = self.marks(key)
                    wanted = {(f.message, f.start, f.end) for f in sure}
                    taken = [
                        s.mark(True)
                        for s in shown(marks, open_)
                        if s.state == "open"
                        and any(m == s.message and s.start <= a and b <= s.end for m, a, b in wanted)
                    ]
                    entries.append((key, {"findings": [m.row() for m in written(marks, taken)]}))
            if entries:
                body = {
                    "detector": detector_version(self.lists.now),
                    "policy": NEWEST_POLICY,
                    "accept": accept,
                    "counts": counts,
                }
                event = self._log.append("scrubbed", by, body, entries=entries)
                project(self._db, event, [(key, 0, value) for key, value in sorted(entries, key=lambda e: e[0])])
        from curation.work import QualityReport

        return QualityReport(looked, len(entries), counts, counts["undecided"])

    def decide(self, uid: str, by: str, message: int, start: int, end: int, kind: str, accept: bool) -> bool:
        """Decide on one span of the raw text, proposed or not. Returns whether anything changed."""
        must_curate(self._db, by)
        key = self._dialogues.key(uid)
        messages = self._dialogues.by_key(key).dialogue.messages
        if kind not in TYPES:
            raise UsageError(N_("{name} must be one of {allowed}"), name="type", allowed=", ".join(TYPES))
        if not 0 <= message < len(messages) or not 0 <= start < end <= len(messages[message].text):
            raise RefusedStep(N_("there is no such span in this dialogue"), code="no_span")
        with transaction(self._db):
            decided = self.decided(key)
            span = (message, start, end, kind, accept)
            if any((d.message, d.start, d.end, d.type, d.accepted) == span for d in decided):
                return False
            proposed = next((f for f in self.scan(key) if (f.message, f.start, f.end) == (message, start, end)), None)
            score, rule = (proposed.score, proposed.rule) if proposed else (1.0, "person")
            mark = Mark(message, start, end, kind, accept, score, rule)
            marks = written([d.mark() for d in decided], [mark])
            self.write(by, {key: marks}, {"dialogue": uid})
        return True

    def write(self, by: str, marks: Mapping[int, Sequence[Mark]], body: Mapping[str, object]) -> None:
        """Write these decisions, by dialogue, as one event; inside the caller's transaction."""
        must_curate(self._db, by)
        from curation.identifiers import detector_version
        from curation.identifiers.replace import NEWEST_POLICY

        entries: list[tuple[int, object]] = [
            (key, {"findings": [m.row() for m in made]}) for key, made in sorted(marks.items())
        ]
        told = [m for made in marks.values() for m in made if m.rule != REST_RULE]
        counts = {"accepted": sum(m.accepted for m in told), "rejected": sum(not m.accepted for m in told)}
        facts = {**body, "counts": counts, "policy": NEWEST_POLICY, "detector": detector_version(self.lists.now)}
        event = self._log.append("finding", by, facts, entries=entries)
        project(self._db, event, [(key, 0, value) for key, value in entries])


def deadline(seconds: float) -> Callable[[], bool]:
    """What says whether so many seconds have passed since now; never with 0."""
    end = time.monotonic() + seconds if seconds else math.inf
    return lambda: time.monotonic() > end


def texts_of(dialogue: Dialogue) -> list[tuple[str, str]]:
    """What a detector looks at: (speaker, text) a message."""
    return [(m.speaker, m.text) for m in dialogue.messages]


def _disjoint(spans: list[tuple[int, int, int, str]]) -> list[tuple[int, int, int, str]]:
    result: list[tuple[int, int, int, str]] = []
    for message, start, end, kind in spans:
        if result and result[-1][0] == message and start < result[-1][2]:
            before = result.pop()
            result.append((message, before[1], max(before[2], end), before[3]))
        else:
            result.append((message, start, end, kind))
    return result
