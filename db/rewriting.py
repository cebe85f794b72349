"""Minimal rewriting of single messages: committing, signing, drafts. Taking back is `History.undo` of the event.

A rewriting is kept as spans over the text that its author saw (`curation.rewriting.changes`), anchored in the raw text;
each stands over those before it. Where one below is taken back, what was made on it no longer fits and is open again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import asdict

from curation.errors import N_, RefusedStep, UsageError
from curation.identifiers import Finding, NotScanned
from curation.identifiers.kinds import DIRECT
from curation.layers import Anchored, Layer, anchor
from curation.model import Message
from curation.rewriting import REASONS, REWRITING_VERSION, changes, share
from curation.work.quality import Rewritten
from db.checks import AGREED, left_over
from db.connection import storable, transaction
from db.curating import must_curate
from db.dialogues import Dialogues
from db.log import Event, Log
from db.people import People
from db.quality import Quality
from db.replay import project
from db.sheet import Sheet

TRIM_DRAFT = -1  # the message under which the draft of a trim is kept


class Rewriting:
    """The rewritings of one project."""

    def __init__(
        self, connection: sqlite3.Connection, log: Log, dialogues: Dialogues, quality: Quality, people: People
    ) -> None:
        self._db = connection
        self._log = log
        self._dialogues = dialogues
        self._quality = quality
        self._people = people

    # -- rewriting

    def rewrite(
        self, uid: str, by: str, message: int, text: str, reason: str, *, began: str | None = None, allow: bool = False
    ) -> Rewritten | None:
        """Put `text` in the place of a message's text as it stands. None when that is what stands there.

        `began` is the text that the person began with: refused when it is another by now. What reads like a direct
        identifier and was not there before is refused; a name or the like is too, unless `allow`: then a second person
        has to sign it.
        """
        must_curate(self._db, by)
        if reason not in REASONS:
            raise UsageError(N_("{name} must be one of {allowed}"), name="reason", allowed=", ".join(REASONS))
        if not storable(text):
            raise UsageError(
                N_("the text holds half characters (lone surrogates), which no file can keep"), code="bad_text"
            )
        key = self._dialogues.key(uid)
        # Searching for identifiers takes long and needs no lock.
        one, sheet = self._made(key, by, message, text, reason, began)
        if one is None:
            return None
        found = self._brought_in(sheet, one, allow)
        with transaction(self._db):
            again, _ = self._made(key, by, message, text, reason, began or sheet.layers[message].texts[Layer.EDITED])
            if again is None or again.edits != one.edits:
                raise _changed()
            body: dict[str, object] = {
                "dialogue": uid,
                "version": REWRITING_VERSION,
                "message": message,
                "reason": reason,
                "share": one.share,
                "found": sorted({f.type for f in found}),
                "spans": [[a.start, a.end, len(a.replacement)] for a in one.edits],
            }
            self._record("edited", by, body, key, {"edits": [list(asdict(a).values()) for a in one.edits]})
            self.drop_draft(by, uid, message)
        return self._quality.sheet(key).rewritings[-1]

    def _made(
        self, key: int, by: str, message: int, text: str, reason: str, began: str | None
    ) -> tuple[Rewritten | None, Sheet]:
        """The rewriting as it would stand, and the sheet below it; None where nothing changes. Refused as rules ask."""
        sheet = self._quality.sheet(key)
        self._may_change(sheet, message)
        stacked = sheet.layers[message]
        now = stacked.texts[Layer.EDITED]
        if began is not None and began != now:
            raise _changed()
        if text == now:
            return None, sheet
        raw = sheet.stored.dialogue.messages[message]
        if Message(raw.speaker, text).blank:
            raise RefusedStep(N_("nothing visible would be left of it; trimming takes turns out"), code="nothing_left")
        if not now:
            raise RefusedStep(N_("this message is empty as it stands; nothing can be rewritten in it"), code="empty")
        maps = stacked.maps[Layer.EDITED]
        much = round(share(stacked.texts[Layer.NORMALISED], text), 4)
        for edits in (
            anchor(now, changes(now, text, reason), maps),
            (Anchored(*maps.down(0, len(now)), text, reason, now),),
        ):
            one = Rewritten("", message, reason, much, (), by, "", edits)
            made = sheet.rewritten(one).layers[message]
            if made.texts[Layer.EDITED] == text and not made.rounds[-1].conflicts:
                return one, sheet
        raise RefusedStep(
            N_("this change cannot be kept by its place in the raw text; change more of it"), code="no_place"
        )

    def _may_change(self, sheet: Sheet, message: int) -> None:
        if sheet.stored.purged:
            raise RefusedStep(N_("its originals were destroyed: the approved text stays as it is"), code="purged")
        if sheet.stored.stage not in AGREED:
            raise RefusedStep(N_("the two have not agreed to keep it"), code="not_agreed")
        if not 0 <= message < len(sheet.stored.dialogue.messages):
            raise RefusedStep(
                N_("there is no message {number} in this dialogue"), code="no_message", number=message + 1
            )
        if message not in sheet.kept:
            raise RefusedStep(N_("this message is cut away; there is nothing to rewrite"), code="cut_away")

    @staticmethod
    def _brought_in(sheet: Sheet, one: Rewritten, allow: bool) -> list[Finding]:
        """What reads like an identifier where the rewriting wrote; refused as `rewrite` says."""
        after = sheet.rewritten(one)
        written = after.layers[one.message].rounds[-1]
        ranges: list[tuple[int, int]] = []
        shift = 0
        for edit in written.edits:
            ranges.append((edit.start + shift, edit.end + shift + edit.shift))
            shift += edit.shift
        try:
            found = [
                f
                for f in left_over(after)
                if f.message == one.message and any(s < f.end and f.start < e for s, e in ranges)
            ]
        except NotScanned as error:
            raise RefusedStep(
                N_("identifiers could not be looked for in the new text; nothing was changed"), code="not_scanned"
            ) from error
        direct = [f for f in found if f.type in DIRECT]
        if direct or (found and not allow):
            first = (direct or found)[0]
            words = (
                N_("“{text}” reads like an identifier ({type}); a rewriting must not bring one in")
                if direct
                else N_("“{text}” reads like an identifier ({type}); if it is none, a second person has to sign it")
            )
            code = "new_identifier" if direct else "doubtful_identifier"
            raise RefusedStep(words, code=code, text=first.text, type=first.type)
        return found

    def sign(self, uid: str, by: str, message: int) -> bool:
        """Stand by a rewritten message as it is now; only a curator who wrote none of it. False when one stood already."""
        must_curate(self._db, by)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            sheet = self._quality.sheet(key)
            self._may_change(sheet, message)
            written = [one for one in sheet.rewritings if one.message == message]
            if not written:
                raise RefusedStep(N_("this message was not rewritten"), code="not_rewritten")
            if any(one.person == by for one in written):
                raise RefusedStep(N_("{name} rewrote it; someone else has to sign it"), code="own_rewriting", name=by)
            if self._quality.checks.signed(sheet, message):
                return False
            body: dict[str, object] = {"dialogue": uid, "message": message, "of": [one.ref for one in written]}
            text = sheet.layers[message].texts[Layer.EDITED]
            self._record("edit_signed", by, body, key, {"text": text})
        return True

    # -- sending back

    def send_back(self, uid: str, by: str, note: str) -> None:
        """Give a dialogue back to screening: its situation no longer holds. Both decide anew, or the lead rules.

        Refused without a note, and for a dialogue that is not agreed on.
        """
        must_curate(self._db, by)
        if not note.strip():
            raise UsageError(N_("say why: what does not hold any more"), code="no_note")
        if not storable(note):
            raise UsageError(
                N_("the text holds half characters (lone surrogates), which no file can keep"), code="bad_text"
            )
        key = self._dialogues.key(uid)
        with transaction(self._db):
            stored = self._dialogues.by_key(key)
            if stored.stage not in AGREED:
                raise RefusedStep(N_("the two have not agreed to keep it"), code="not_agreed")
            if stored.purged:
                raise RefusedStep(N_("its originals were destroyed: the approved text stays as it is"), code="purged")
            self._record("sent_back", by, {"dialogue": uid}, key, {"note": note})

    # -- drafts

    def drafts(self, person: str, uid: str) -> dict[int, tuple[str, str]]:
        """A person's half-made texts of a dialogue, and the texts they began with, by message (`TRIM_DRAFT`: the trim)."""
        rows = self._db.execute(
            "SELECT message, text, began FROM quality_draft WHERE person = ? AND dialogue = ?",
            (person, self._dialogues.key(uid)),
        ).fetchall()
        return {message: (text, began) for message, text, began in rows}

    def save_draft(self, person: str, uid: str, message: int, text: str, began: str) -> None:
        """Keep a half-made text; one that is what it began with is forgotten."""
        if text == began:
            self.drop_draft(person, uid, message)
            return
        with transaction(self._db):
            self._db.execute(
                "INSERT OR REPLACE INTO quality_draft (person, dialogue, message, text, began) VALUES (?, ?, ?, ?, ?)",
                (person, self._dialogues.key(uid), message, text, began),
            )

    def drop_draft(self, person: str, uid: str, message: int) -> None:
        """Forget a half-made text."""
        with transaction(self._db):
            self._db.execute(
                "DELETE FROM quality_draft WHERE person = ? AND dialogue = ? AND message = ?",
                (person, self._dialogues.key(uid), message),
            )

    def _record(self, kind: str, by: str, body: dict[str, object], key: int, value: Mapping[str, object]) -> Event:
        event = self._log.append(kind, by, body, entries=[(key, value)])
        payload = self._db.execute(
            "SELECT payload FROM entry WHERE origin = ? AND number = ? AND dialogue = ?",
            (event.origin, event.number, key),
        ).fetchone()[0]
        project(self._db, event, [(key, payload, value)])
        return event


def _changed() -> RefusedStep:
    return RefusedStep(N_("the text is another one by now; look at it and write anew"), code="changed_meanwhile")
