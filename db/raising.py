"""Keys at the item that are no answer: what is put before the lead, handed back, or turned round.

None of it is held against whoever does it: what lies aside counts in nobody's list.
"""

from __future__ import annotations

import json
import sqlite3

from curation.candidates import first_failure
from curation.errors import N_, RefusedStep, UsageError
from curation.stages import Stage
from curation.work.disputes import Raised
from curation.work.screening import HIDING, OUTCOMES, RAISED_WORDS
from db.assigning import Assigning
from db.connection import storable, transaction
from db.curating import must_curate
from db.dialogues import Dialogues
from db.log import Log
from db.people import People
from db.replay import record, reproject
from db.screening import Screening
from db.settings import Current

_ROW = (
    "SELECT r.dialogue, r.origin, r.number, r.person, r.kind, p.text, r.at, r.outcome, r.resolver,"
    " (SELECT text FROM payload q WHERE q.id = r.answer),"
    " EXISTS (SELECT 1 FROM assignment a WHERE a.dialogue = r.dialogue AND a.person = ?1) AND"
    " (SELECT count(*) FROM decision d WHERE d.dialogue = r.dialogue AND d.round = 1) < 2"
    " FROM raised r JOIN payload p ON p.id = r.payload"
)


class Raising:
    """What people raise, hand back and turn round in one project, and what the lead does about it."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        settings: Current,
        people: People,
        dialogues: Dialogues,
        assigning: Assigning,
        screening: Screening,
    ) -> None:
        self._db = connection
        self._log = log
        self._settings = settings
        self._people = people
        self._dialogues = dialogues
        self._assigning = assigning
        self._screening = screening

    # -- at the item

    def put(self, person: str, uid: str, kind: str, note: str = "") -> None:
        """Put a dialogue before the lead: `minor`, `distressing` (both hide it from everyone at once) or `guideline`."""
        if kind not in RAISED_WORDS:
            raise UsageError(N_("{name} must be one of {allowed}"), name="kind", allowed=", ".join(RAISED_WORDS))
        key = self._key_of_own(person, uid, note)
        with transaction(self._db):
            if self._db.execute(
                "SELECT 1 FROM raised WHERE dialogue = ? AND person = ? AND kind = ? AND outcome = ''",
                (key, person, kind),
            ).fetchone() or (kind in HIDING and self._hidden(key)):
                raise RefusedStep(N_("that lies before the lead already"), code="raised")
            record(self._db, self._log, "raised", person, key, {"dialogue": uid, "kind": kind}, {"note": note})
            self._forget_note(person, key, kind)

    def hand_back(self, person: str, uid: str, dialect: str = "", note: str = "") -> None:
        """Say that one cannot read this dialogue (its dialect, where known): it goes to others, and never comes again."""
        key = self._key_of_own(person, uid, note)
        with transaction(self._db):
            if self._answered(person, key):
                raise RefusedStep(N_("you have decided this dialogue already; undo takes it back"), code="decided")
            self._screening.on_desk(person, key)
            body: dict[str, object] = {
                "dialogue": uid,
                "reason": "dialect",
                **({"dialect": dialect} if dialect else {}),
            }
            record(self._db, self._log, "handed_back", person, key, body, {"note": note, "held": self._holders(key)})
            self._assigning.hand_back(person, person, [key], dialect)
            self._forget_note(person, key, "handed_back")

    def _holders(self, key: int) -> dict[str, object]:
        """Who has the dialogue, at which places of their lists: what an undo puts back."""
        rows = self._db.execute(
            "SELECT slot, person, place, pair FROM assignment WHERE dialogue = ? ORDER BY slot", (key,)
        ).fetchall()
        return {
            **{slot: person for slot, person, _, _ in rows},
            "places": {slot: place for slot, _, place, _ in rows},
            "pair": max((pair for *_, pair in rows), default=0),
        }

    def swap(self, person: str, uid: str, note: str = "") -> str:
        """Say that the sides are the wrong way round: our side is the other speaker from now on; the raw text stays.

        The candidate rules run again. What was decided is kept and counts no more. Returns the code of the rule that it
        fails now, or "" where both decide it anew.
        """
        key = self._key_of_own(person, uid, note)
        with transaction(self._db):
            if self._screening.closed(uid) and not self._people.curates(person):
                raise RefusedStep(
                    N_("both have committed: from here on it is deciding anew, in the open, not undo"), code="closed"
                )
            dialogue = self._dialogues.by_key(key).dialogue
            speakers = dialogue.speakers
            if len(speakers) != 2 or dialogue.self_speaker not in speakers:
                raise RefusedStep(N_("there are no two known sides to turn round"), code="no_sides")
            code = first_failure(dialogue.turned(), self._settings.now) or ""
            record(self._db, self._log, "swapped", person, key, {"dialogue": uid, "code": code}, {"note": note})
            self._forget_note(person, key, "swapped")
        return code

    def _key_of_own(self, person: str, uid: str, note: str) -> int:
        """The dialogue's key, where it lies with this person, or they lead. Refused for what is out of their hands."""
        if not storable(note):
            raise UsageError(
                N_("the text holds half characters (lone surrogates), which no file can keep"), code="bad_text"
            )
        key = self._dialogues.key(uid)
        found = self._people.get(person)
        if found.retired:
            raise RefusedStep(N_("{name} has left the project"), code="retired", name=person)
        mine = self._db.execute("SELECT 1 FROM assignment WHERE dialogue = ? AND person = ?", (key, person)).fetchone()
        if mine is None and not self._people.curates(person):
            raise RefusedStep(N_("this dialogue is not on the list of {name}"), code="not_assigned", name=person)
        if self._dialogues.by_key(key).stage in (Stage.APPROVED, Stage.RELEASED) or self._closed(key):
            raise RefusedStep(N_("screening of this dialogue is over"), code="over")
        return key

    def _closed(self, key: int) -> bool:
        """Whether the lead has dropped or withdrawn it for what was raised."""
        return bool(
            self._db.execute(
                "SELECT 1 FROM aside WHERE dialogue = ? AND why IN ('dropped', 'withdrawn')", (key,)
            ).fetchone()
        )

    def _answered(self, person: str, key: int) -> bool:
        return (
            self._db.execute("SELECT 1 FROM decision WHERE dialogue = ? AND person = ?", (key, person)).fetchone()
            is not None
        )

    def _hidden(self, key: int) -> bool:
        return (
            self._db.execute(
                "SELECT 1 FROM aside WHERE dialogue = ? AND why IN ('minor', 'distressing', 'withdrawn')", (key,)
            ).fetchone()
            is not None
        )

    # -- notes half written

    def note(self, person: str, uid: str, kind: str) -> str:
        """The note half written on something to raise."""
        row = self._db.execute(
            "SELECT text FROM note_draft WHERE person = ? AND dialogue = ? AND kind = ?",
            (person, self._dialogues.key(uid), kind),
        ).fetchone()
        return str(row[0]) if row else ""

    def save_note(self, person: str, uid: str, kind: str, text: str) -> None:
        """Keep a half-written note."""
        key = self._dialogues.key(uid)
        with transaction(self._db):
            self._forget_note(person, key, kind)
            if text and storable(text):
                self._db.execute(
                    "INSERT INTO note_draft (person, dialogue, kind, text) VALUES (?, ?, ?, ?)",
                    (person, key, kind, text),
                )

    def _forget_note(self, person: str, key: int, kind: str) -> None:
        self._db.execute("DELETE FROM note_draft WHERE person = ? AND dialogue = ? AND kind = ?", (person, key, kind))

    # -- the lead

    def waiting(self) -> int:
        """How much of what was raised the lead has not seen to."""
        return int(self._db.execute("SELECT count(*) FROM raised WHERE outcome = ''").fetchone()[0])

    def open(self, viewer: str) -> list[Raised]:
        """What lies before the lead, oldest first. A note stays covered while the viewer is one of a pair still deciding."""
        return self._rows(viewer, "WHERE r.outcome = '' ORDER BY r.at, r.origin, r.number")

    def of(self, uid: str, viewer: str) -> list[Raised]:
        """What was raised about one dialogue. That someone asked about the guideline is told to others than the lead
        only once both have committed."""
        where = f"WHERE r.dialogue = {self._dialogues.key(uid)} ORDER BY r.at, r.origin, r.number"
        told = self._reads_notes(viewer) or self._screening.closed(uid)
        return [one for one in self._rows(viewer, where) if told or one.kind in HIDING or one.person == viewer]

    def _reads_notes(self, viewer: str) -> bool:
        return self._people.curates(viewer)

    def settled(self, viewer: str, limit: int = 50) -> list[Raised]:
        """What the lead has seen to, newest first."""
        return self._rows(viewer, f"WHERE r.outcome <> '' ORDER BY r.resolved DESC LIMIT {int(limit)}")

    def _rows(self, viewer: str, rest: str) -> list[Raised]:
        found = []
        lead = self._reads_notes(viewer)
        for key, origin, number, person, kind, text, at, outcome, resolver, answer, covered in self._db.execute(
            f"{_ROW} {rest}", (viewer,)
        ).fetchall():
            stored, _spans = self._screening.covered(key)
            reads = person == viewer or (lead and not covered)
            note, answered = (_note(text), _note(answer)) if reads else (None, "")
            found.append(Raised(f"{origin}:{number}", stored, person, kind, note, at, outcome, resolver, answered))
        return found

    def resolve(self, by: str, ref: str, outcome: str, answer: str = "") -> None:
        """The lead sees to something raised: a hidden dialogue is `dropped`, `withdrawn` or `returned` to its pair; what
        was asked about the guideline is `answered`. Refused for who does not lead, and for what is settled."""
        must_curate(self._db, by)
        if not storable(answer):
            raise UsageError(
                N_("the text holds half characters (lone surrogates), which no file can keep"), code="bad_text"
            )
        origin, _, number = ref.rpartition(":")
        with transaction(self._db):
            row = self._db.execute(
                "SELECT r.dialogue, r.kind, r.outcome, d.uid FROM raised r JOIN dialogue d ON d.id = r.dialogue"
                " WHERE r.origin = ? AND r.number = ?",
                (origin, number),
            ).fetchone()
            if row is None or row[2]:
                raise RefusedStep(N_("that is settled already"), code="settled")
            allowed = [name for name in OUTCOMES if (name == "answered") == (row[1] not in HIDING)]
            if outcome not in allowed:
                raise UsageError(N_("{name} must be one of {allowed}"), name="outcome", allowed=", ".join(allowed))
            body: dict[str, object] = {"dialogue": row[3], "raised": [origin, int(number)], "outcome": outcome}
            record(self._db, self._log, "resolved", by, row[0], body, {"note": answer})

    def take_back(self, by: str) -> str | None:
        """Take back this lead's last step here that stands. Returns the uid of its dialogue; None when there is none."""
        must_curate(self._db, by)
        with transaction(self._db):
            undone = self._log.undone()
            rows = self._db.execute(
                "SELECT origin, number, dialogue FROM event JOIN entry USING (origin, number)"
                " WHERE by = ? AND kind = 'resolved' ORDER BY number DESC",
                (by,),
            ).fetchall()
            for origin, number, key in rows:
                event = self._log.event(origin, number)
                if event is None or (origin, number) in undone:
                    continue
                uid = str(event.body["dialogue"])
                body = {"event": [origin, number], "kind": event.kind, "dialogue": uid}
                self._log.append("undone", by, body, entries=[(key, {})])
                reproject(self._db, self._log, key)
                return uid
        return None


def _note(text: str | None) -> str:
    return "" if text is None else str(json.loads(text).get("note", ""))
