"""Disputes: what the two of a pair do not agree on, talked over in the open, decided anew once each, else ruled on.

The blind decisions stay what they are; a second round stands beside them.
"""

from __future__ import annotations

import sqlite3

from curation.errors import N_, Phrase, RefusedStep
from curation.stages import STAGE_WORDS, Stage
from curation.work import Answer
from curation.work.disputes import Dispute, DisputeCounts, SentBackNote, Statement
from curation.work.screening import Spent
from db.connection import transaction
from db.curating import must_curate
from db.desk import rationale_of
from db.dialogues import Dialogues
from db.following.quality import SENT_BACK
from db.log import Log
from db.people import People
from db.replay import record, reproject
from db.screening import Screening, check_answer
from db.sealing import rounds_wait
from db.sentback import SentBackNotes

# Disputed dialogues that lie on the table, of everyone or of one person (`?1`, NULL for everyone).
_OPEN = (
    " FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE t.stage = 'disputed' AND d.current = 1"
    " AND NOT EXISTS (SELECT 1 FROM aside x WHERE x.dialogue = t.dialogue)"
    " AND (?1 IS NULL OR EXISTS (SELECT 1 FROM decision o WHERE o.dialogue = t.dialogue AND o.person = ?1))"
)
_UNSAID = (
    " AND EXISTS (SELECT 1 FROM decision o WHERE o.dialogue = t.dialogue AND o.person = ?2 AND o.round = 1)"
    " AND NOT EXISTS (SELECT 1 FROM decision o WHERE o.dialogue = t.dialogue AND o.person = ?2 AND o.round = 2)"
)


class Disputes:
    """The disputes of one project."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        people: People,
        dialogues: Dialogues,
        screening: Screening,
        notes: SentBackNotes,
    ) -> None:
        self._db = connection
        self._log = log
        self._people = people
        self._dialogues = dialogues
        self._screening = screening
        self._notes = notes

    # -- looking

    def counts(self, person: str) -> DisputeCounts:
        """How many disputes wait for this person, for the lead, and in all that this person sees."""
        lead = self._leads(person)
        whose = None if lead else person
        every = self._db.execute(f"SELECT count(*){_OPEN}", (whose,)).fetchone()[0]
        mine = self._db.execute(f"SELECT count(*){_OPEN}{_UNSAID}", (None, person)).fetchone()[0]
        return DisputeCounts(mine, every if lead else 0, every)

    def uids(self, person: str) -> list[str]:
        """The disputes that this person sees: a lead all, others those of which they are one of the two."""
        rows = self._db.execute(
            f"SELECT d.uid{_OPEN} ORDER BY t.dialogue", (None if self._leads(person) else person,)
        ).fetchall()
        return [uid for (uid,) in rows]

    def page(self, person: str, uid: str) -> Dispute:
        """One dispute as this person may see it. Refused while the blind holds, and for who has nothing to do with it."""
        key = self._dialogues.key(uid)
        statements = self._statements(key)
        slot = next((s.slot for s in statements if s.person == person and s.round == 1), "")
        if not self._screening.closed(uid) or not (slot or self._leads(person)):
            raise RefusedStep(N_("this dialogue is no dispute that you can see"), code="not_disputed")
        uids = self.uids(person)
        stored, spans = self._screening.covered(key)
        sent_back = self._sent_back(key)
        return Dispute(
            stored=stored,
            place=uids.index(uid) + 1 if uid in uids else 0,
            count=len(uids),
            slot=slot,
            may=self._may(person, slot, key, stored.stage) if uid in uids else "",
            statements=tuple(statements),
            draft=self._screening.draft(person, key),
            spans=spans,
            sent_back=sent_back,
            note=self._notes.of(key, masked=self._screening.masks) if sent_back else None,
        )

    def note(self, uid: str, viewer: str) -> SentBackNote | None:
        """Why a dialogue was last sent back, as far as `viewer` may read it; None where it was not, or no more.

        Masked for who is no curator; its text is None for who has yet to label the dialogue in a round of their own.
        """
        found = self._notes.of(self._dialogues.key(uid), masked=not self._leads(viewer))
        if found is not None and uid in rounds_wait(self._db, viewer):
            return SentBackNote(found.person, found.at, None)
        return found

    def _may(self, person: str, slot: str, key: int, stage: Stage) -> str:
        if stage is not Stage.DISPUTED:
            return ""
        if slot and not self._said(key, slot):
            return "decide"
        return "rule" if self._may_rule(person, key) else ""

    def _said(self, key: int, slot: str) -> bool:
        """Whether the one second word of a slot has been said. What quality control sent back can be talked over again."""
        row = self._db.execute(
            "SELECT origin, number FROM decision WHERE dialogue = ? AND slot = ? AND round = 2", (key, slot)
        ).fetchone()
        if row is None:
            return False
        column = "first" if slot == "A" else "second"
        sent = self._db.execute(f"SELECT {column} FROM sent_back WHERE dialogue = ?", (key,)).fetchone()
        return not (sent and sent[0] == f"{row[0]}:{row[1]}" and self._sent_back(key))

    def _sent_back(self, key: int) -> bool:
        return self._db.execute(SENT_BACK, (key,)).fetchone() is not None

    def _leads(self, person: str) -> bool:
        return self._people.curates(person)

    def _may_rule(self, person: str, key: int) -> bool:
        """A lead rules; not on a dispute of their own while there is another lead."""
        if not self._leads(person):
            return False
        pair = {
            name for (name,) in self._db.execute("SELECT person FROM decision WHERE dialogue = ? AND round = 1", (key,))
        }
        leads = {p.name for p in self._people.everyone() if self._people.curates(p.name)}
        return person not in pair or not leads - pair

    def _statements(self, key: int) -> list[Statement]:
        rows = self._db.execute(
            "SELECT slot, person, round, keep, situation, text, second, reason, at FROM decision"
            " JOIN payload ON payload.id = decision.payload WHERE dialogue = ? ORDER BY slot, round",
            (key,),
        ).fetchall()
        found = [
            Statement(slot, person, round_, Answer(bool(keep), situation, rationale_of(text), second, reason), at)
            for slot, person, round_, keep, situation, text, second, reason, at in rows
        ]
        row = self._db.execute(
            "SELECT r.person, r.keep, r.situation, p.text, e.at FROM ruling r JOIN event e USING (origin, number)"
            " JOIN payload p ON p.id = r.payload WHERE r.dialogue = ?",
            (key,),
        ).fetchone()
        if row is not None:
            found.append(Statement("", row[0], 0, Answer(bool(row[1]), row[2], rationale_of(row[3])), row[4]))
        return found

    def given(self, person: str, uid: str) -> Answer | None:
        """What this person said anew, if anything."""
        key = self._dialogues.key(uid)
        found = (s.answer for s in self._statements(key) if s.round == 2 and s.person == person)
        return next(found, None)

    # -- settling

    def decide(self, person: str, uid: str, answer: Answer, *, spent: Spent | None = None, via: str = "") -> Stage:
        """Decide anew, in the open, once. Returns the stage that this makes.

        Refused without a reason, when it is no dispute, for who is not of its pair, and a second time.
        """
        answer = check_answer(answer)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            row = self._db.execute(
                "SELECT slot FROM decision WHERE dialogue = ? AND person = ? AND round = 1", (key, person)
            ).fetchone()
            if row is None:
                raise RefusedStep(N_("{name} is not one of the two who decided this"), code="not_assigned", name=person)
            if self._people.get(person).retired:
                raise RefusedStep(N_("{name} has left the project"), code="retired", name=person)
            self._check_disputed(key)
            if self._said(key, row[0]):
                raise RefusedStep(N_("you have decided this anew already; now the lead rules"), code="decided")
            if not answer.rationale.strip():
                raise RefusedStep(N_("deciding anew needs a reason"), code="no_reason")
            body = self._screening.body(uid, row[0], 2, answer, key, spent)
            if via:
                body["via"] = via
            record(self._db, self._log, "screened", person, key, body, {"rationale": answer.rationale})
            self._screening.drop_draft(person, key)
        return self._dialogues.by_key(key).stage

    def _check_disputed(self, key: int) -> None:
        stage = self._dialogues.by_key(key).stage
        if stage is not Stage.DISPUTED:
            raise RefusedStep(
                N_("this dialogue is no dispute; it is {stage}"), code="not_disputed", stage=Phrase(STAGE_WORDS[stage])
            )

    def rule(self, by: str, uid: str, answer: Answer) -> bool:
        """The lead's ruling on a disputed dialogue; another one replaces it until the dialogue is released.

        Returns whether anything changed.
        """
        must_curate(self._db, by)
        answer = check_answer(answer)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            stage = self._dialogues.by_key(key).stage
            ruled = self._db.execute("SELECT keep, situation FROM ruling WHERE dialogue = ?", (key,)).fetchone()
            same = ruled is not None and (bool(ruled[0]), ruled[1]) == (answer.keep, answer.situation)
            if same and stage is not Stage.DISPUTED:
                return False
            if stage is not Stage.DISPUTED and (ruled is None or stage is Stage.RELEASED):
                raise RefusedStep(
                    N_("only a disputed dialogue can be ruled on; this one is {stage}"),
                    code="not_disputed",
                    stage=Phrase(STAGE_WORDS[stage]),
                )
            if not self._may_rule(by, key):
                raise RefusedStep(N_("you are one of the two: another lead rules on this dispute"), code="own_dispute")
            body: dict[str, object] = {"dialogue": uid, "keep": answer.keep, "situation": answer.situation}
            record(self._db, self._log, "ruled", by, key, body, {"rationale": answer.rationale})
            self._screening.drop_draft(by, key)
        return True

    def take_back(self, by: str) -> str | None:
        """Take back this lead's last ruling that stands. Returns the uid of its dialogue, or None when there is none."""
        must_curate(self._db, by)
        with transaction(self._db):
            row = self._db.execute(
                "SELECT r.dialogue, r.origin, r.number, r.keep, r.situation, p.text FROM ruling r"
                " JOIN event e USING (origin, number) JOIN payload p ON p.id = r.payload"
                " JOIN state t ON t.dialogue = r.dialogue WHERE r.person = ? AND t.stage <> 'released'"
                " ORDER BY e.at DESC, r.number DESC LIMIT 1",
                (by,),
            ).fetchone()
            if row is None:
                return None
            key, origin, number, keep, situation, text = row
            event = self._log.event(origin, number)
            assert event is not None
            uid = str(event.body["dialogue"])
            self._screening.keep_draft(by, key, Answer(bool(keep), situation, rationale_of(text)))
            body = {"event": [origin, number], "kind": event.kind, "dialogue": uid}
            self._log.append("undone", by, body, entries=[(key, {})])
            reproject(self._db, self._log, key)
        return uid
