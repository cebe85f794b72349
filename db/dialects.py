"""Which dialect each dialogue is in: what the words say (derived, kept with its version), and what a person said of it.

The words are looked for in the scrubbed text of all messages, so that no replaced identifier is evidence of anything and
what trimming takes away still speaks. A tag that a person confirmed or changed is an event and stands above the machine's.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from curation.dialects import DIALECT_VERSION, DIALECTS, identify
from curation.errors import N_, RefusedStep, UsageError
from curation.layers import Layer
from curation.stages import Stage
from curation.work import DialectTag, DialectWord
from db.connection import transaction
from db.curating import must_curate
from db.log import Log, canonical
from db.replay import project

if TYPE_CHECKING:
    from db.dialogues import Dialogues
    from db.quality import Quality
    from db.sheet import Sheet

AGREED_ON = (Stage.AGREED, Stage.APPROVED, Stage.RELEASED)


class Dialects:
    """The dialect tags of one project."""

    def __init__(self, connection: sqlite3.Connection, log: Log, dialogues: Dialogues, quality: Quality) -> None:
        self._db = connection
        self._log = log
        self._dialogues = dialogues
        self._quality = quality

    # -- looking

    def of(self, uid: str) -> DialectTag:
        """The tag of one dialogue, looked for now where that was not done or was done otherwise than today."""
        return self.look(self._quality.sheet(self._dialogues.key(uid)))

    def known(self, uid: str) -> DialectTag | None:
        """The tag of one dialogue as far as it is known, without looking for words; None when it is not."""
        return self._known(self._quality.sheet(self._dialogues.key(uid)))

    def look(self, sheet: Sheet) -> DialectTag:
        """The same as `of`, of a dialogue laid out already."""
        known = self._known(sheet)
        if known is None or not (known.machine or sheet.stored.purged):
            self._look(sheet)
            known = self._known(sheet)
        assert known is not None
        return known

    def _look(self, sheet: Sheet) -> None:
        found = identify([one.texts[Layer.SCRUBBED] for one in sheet.scrubbed])
        evidence = [
            {"message": n, "start": e.start, "end": e.end, "word": e.word, "dialect": e.dialect, "gloss": e.gloss}
            for n, message in enumerate(found.messages)
            for e in message.evidence
        ]
        with transaction(self._db):
            self._db.execute(
                "INSERT OR REPLACE INTO dialect (dialogue, version, tag, confidence, evidence, seen)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (sheet.key, DIALECT_VERSION, found.tag, found.confidence, canonical(evidence), _seen(sheet)),
            )

    def _known(self, sheet: Sheet) -> DialectTag | None:
        told = self._db.execute("SELECT tag, person FROM dialect_told WHERE dialogue = ?", (sheet.key,)).fetchone()
        if sheet.stored.purged:
            machine, sure = sheet.left.get("dialect", ["", 0.0])
            tag, by = (machine, "") if told is None else told
            return DialectTag(tag, machine, sure, (), by)
        row = self._db.execute(
            "SELECT tag, confidence, evidence FROM dialect WHERE dialogue = ? AND version = ? AND seen = ?",
            (sheet.key, DIALECT_VERSION, _seen(sheet)),
        ).fetchone()
        if row is None:
            return None if told is None else DialectTag(told[0], "", 0.0, (), told[1])
        tag, by = (row[0], "") if told is None else told
        return DialectTag(tag, row[0], row[1], tuple(DialectWord(**one) for one in json.loads(row[2])), by)

    def tag(self) -> dict[str, int]:
        """Look at all agreed dialogues that were not looked at by today's rules. Counts of the tags that stand.

        Each is written by itself: looking takes long and needs no lock, and what is done stays done.
        """
        found = Counter(self.look(sheet).tag for sheet in self._agreed())
        return {tag: found[tag] for tag in DIALECTS if found[tag]}

    def _agreed(self) -> Iterator[Sheet]:
        for stored in self._dialogues.at(Stage.AGREED):
            yield self._quality.sheet(self._dialogues.key(stored.uid))

    # -- being told

    def tell(self, uid: str, by: str, tag: str) -> bool:
        """A person says which dialect it is. Returns whether that is new. Refused before the dialogue is agreed on."""
        must_curate(self._db, by)
        if tag not in DIALECTS:
            raise UsageError(N_("{name} must be one of {allowed}"), name="dialect", allowed=", ".join(DIALECTS))
        key = self._dialogues.key(uid)
        with transaction(self._db):
            if self._dialogues.by_key(key).stage not in AGREED_ON:
                raise RefusedStep(N_("only dialogues that were agreed on get a dialect"), code="not_agreed")
            row = self._db.execute("SELECT tag FROM dialect_told WHERE dialogue = ?", (key,)).fetchone()
            if row is not None and row[0] == tag:
                return False
            value = {"tag": tag}
            body = {"dialogue": uid, "tag": tag, "version": DIALECT_VERSION}
            event = self._log.append("dialect_told", by, body, entries=[(key, value)])
            project(self._db, event, [(key, 0, value)])
        return True


def _seen(sheet: Sheet) -> str:
    """Names the scrubbed text without a word of it: by the identifiers replaced in the raw one, and how."""
    replaced = [[d.message, d.start, d.end, d.type] for d in sheet.decided if d.accepted]
    return hashlib.sha256(canonical([sheet.policy, replaced]).encode("utf-8")).hexdigest()[:16]
