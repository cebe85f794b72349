"""One dialogue in front of whoever does quality control: its turns and rewritings, the trim in the making, what is open."""

from __future__ import annotations

import json
import sqlite3
from zlib import crc32

from curation.identifiers.finding import DETECTOR_VERSION
from curation.layers import Layer
from curation.stages import Stage, outcome_of
from curation.trim import Proposal
from curation.work.quality import Cut, QualityMessage, QualityPage
from db.connection import transaction
from db.dialogues import Dialogues
from db.log import canonical
from db.quality import Quality
from db.replay import facts_of
from db.rewriting import TRIM_DRAFT, Rewriting
from db.sheet import Sheet

WHOLE = Cut()


class Control:
    """Quality control of one project, dialogue by dialogue."""

    def __init__(
        self, connection: sqlite3.Connection, dialogues: Dialogues, quality: Quality, rewriting: Rewriting
    ) -> None:
        self._db = connection
        self._dialogues = dialogues
        self._quality = quality
        self._rewriting = rewriting

    # -- looking

    def page(self, uid: str, person: str) -> QualityPage:
        """One dialogue as it is now, with what `person` has half made. `matters` are those known; see `look`."""
        key = self._dialogues.key(uid)
        sheet = self._quality.sheet(key)
        drafts = self._rewriting.drafts(person, uid)
        half = drafts.get(TRIM_DRAFT)
        before, count = self._db.execute(
            f"SELECT count(*) FILTER (WHERE d.id <= ?), count(*) {_AGREED}", (key,)
        ).fetchone()
        outcome = outcome_of(facts_of(self._db, key))
        note = self._db.execute(
            "SELECT text FROM sent_back JOIN payload ON payload.id = sent_back.payload WHERE dialogue = ?", (key,)
        ).fetchone()
        agreed = sheet.stored.stage is Stage.AGREED
        return QualityPage(
            stored=sheet.stored,
            messages=self._messages(sheet, drafts),
            cut=_cut(sheet),
            decided=sheet.trim is not None and _cut(sheet) != WHOLE,
            draft=Cut(*_listed(json.loads(half[0]))) if half is not None else None,
            matters=self.known(key),
            place=before if agreed else 0,
            count=count,
            situation=outcome.situation or "" if outcome is not None else "",
            sent_back=json.loads(note[0])["note"] if note is not None and note[0] is not None else "",
        )

    def _messages(self, sheet: Sheet, drafts: dict[int, tuple[str, str]]) -> tuple[QualityMessage, ...]:
        if sheet.stored.purged:
            return tuple(
                QualityMessage(m.index, m.turn, sheet.stored.dialogue.party(message), m.party, "", m.text, m.text)
                for m, message in zip(sheet.final, sheet.stored.dialogue.messages, strict=True)
            )
        checks = self._quality.checks
        unsigned = {*checks.unsigned(sheet), *checks.unsigned_found(sheet)}
        turn_of = {i: turn.number for turn in sheet.stored.dialogue.turns for i in turn.messages}
        rows = []
        for index, message in enumerate(sheet.stored.dialogue.messages):
            one = sheet.layers[index]
            mine = tuple(r for r in sheet.rewritings if r.message == index)
            rounds = [r for r in one.rounds if r.layer is Layer.EDITED]
            misfits = tuple(r.ref for r, made in zip(mine, rounds, strict=False) if made.conflicts)
            rows.append(
                QualityMessage(
                    index=index,
                    turn=turn_of.get(index, 0),
                    party=sheet.stored.dialogue.party(message),
                    speaker=message.speaker,
                    raw=message.text,
                    below=one.texts[Layer.NORMALISED],
                    now=one.texts[Layer.EDITED],
                    rewritings=mine,
                    misfits=misfits,
                    share=checks.share(sheet, index) if mine else 0.0,
                    unsigned=index in unsigned,
                    signed_by=checks.signed(sheet, index) if mine else "",
                    draft=drafts[index][0] if index in drafts else None,
                )
            )
        return tuple(rows)

    def first(self) -> str | None:
        """The first agreed dialogue (its uid), or None."""
        row = self._db.execute(f"SELECT d.uid {_AGREED} ORDER BY d.id LIMIT 1").fetchone()
        return None if row is None else str(row[0])

    def step(self, uid: str, direction: int) -> str | None:
        """The next agreed dialogue after this one (`direction` 1) or before it (-1), or None at the end."""
        side, order = (">", "ASC") if direction > 0 else ("<", "DESC")
        row = self._db.execute(
            f"SELECT d.uid {_AGREED} AND d.id {side} ? ORDER BY d.id {order} LIMIT 1", (self._dialogues.key(uid),)
        ).fetchone()
        return None if row is None else str(row[0])

    # -- what is open

    def stamp(self) -> str:
        """What the answer to what is open depends on besides a dialogue's own events."""
        settings, lists = self._db.execute(
            "SELECT value, (SELECT count(*) FROM list_text) FROM meta WHERE key = 'settings'"
        ).fetchone()
        return f"{DETECTOR_VERSION}:{crc32(settings.encode('utf-8')):08x}:{lists}"

    def known(self, key: int) -> tuple[str, ...] | None:
        """What keeps a dialogue from approval, as far as it was looked at since it last changed; else None."""
        row = self._db.execute(
            f"SELECT o.codes FROM open_matter o WHERE o.dialogue = ?2 AND o.seen = {SEEN.format(key='?2')}",
            (self.stamp(), key),
        ).fetchone()
        return None if row is None else tuple(row[0].split())

    def look(self, uid: str) -> tuple[str, ...]:
        """What keeps a dialogue from approval, looked at now if it has to be. Takes a while; keeps the answer."""
        key = self._dialogues.key(uid)
        found = self.known(key)
        if found is None:
            stamp = self._db.execute(f"SELECT {SEEN.format(key='?2')}", (self.stamp(), key)).fetchone()[0]
            found = self._quality.open_on(self._quality.sheet(key))
            with transaction(self._db):
                self._db.execute(
                    "INSERT OR REPLACE INTO open_matter (dialogue, codes, seen) VALUES (?, ?, ?)",
                    (key, " ".join(found), stamp),
                )
        return found

    def twin(self, uid: str) -> str:
        """The name of the approved dialogue that this one nearly is, or ""."""
        return self._quality.checks.twin(self._quality.sheet(self._dialogues.key(uid))) or ""

    # -- trims

    def proposal(self, page: QualityPage, limit: int) -> Proposal:
        """How this dialogue could be brought down to `limit` turns."""
        return self._quality.propose(page.stored, limit)

    def problems(self, page: QualityPage, cut: Cut) -> list[str]:
        """The rules that a trim would break, by their codes."""
        return self._quality.checks.trim_problems(page.stored, cut.first_turn, cut.removed)

    def keep_draft(self, person: str, uid: str, cut: Cut | None) -> None:
        """Keep a trim in the making; None forgets it."""
        if cut is None:
            self._rewriting.drop_draft(person, uid, TRIM_DRAFT)
        else:
            value = canonical([cut.first_turn, list(cut.removed)])
            self._rewriting.save_draft(person, uid, TRIM_DRAFT, value, "")

    def decide(self, uid: str, by: str, cut: Cut, proposal: Proposal | None = None) -> bool:
        """Decide a trim, and forget the one in the making. Refused when it breaks a rule. `WHOLE` takes a trim back.

        `proposal` is given where the trim is just what was proposed: its reasons are kept with it.
        """
        with transaction(self._db):
            changed = (
                self._quality.accept_trims([(self._dialogues.by_key(self._dialogues.key(uid)), proposal)], by) > 0
                if proposal is not None
                else self._quality.trim(uid, by, cut.first_turn, cut.removed)
            )
            self._rewriting.drop_draft(by, uid, TRIM_DRAFT)
        return changed


# From where the agreed dialogues are taken.
_AGREED = "FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE t.stage = 'agreed' AND d.current = 1"
# What a dialogue looked like when its open matters were looked at: how many events say something of it, and the stamp.
SEEN = "(SELECT count(*) FROM entry e WHERE e.dialogue = {key}) || ':' || ?1"


def _cut(sheet: Sheet) -> Cut:
    return WHOLE if sheet.trim is None else Cut(*_listed([sheet.trim["first_turn"], sheet.trim["removed"]]))


def _listed(value: list[object]) -> tuple[int, tuple[int, ...]]:
    first, removed = value
    assert isinstance(first, int)
    assert isinstance(removed, list)
    return first, tuple(removed)
