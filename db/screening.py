"""Screening: each person's desk, and the decisions made there.

Nothing that these methods return to one person of a pair holds anything of the other's decision before both committed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace

from curation.errors import N_, RefusedStep, UsageError
from curation.guidelines import GUIDELINES_VERSION
from curation.taxonomy import taxonomy
from curation.work import Answer, Draft, Progress, StoredDialogue, Task
from curation.work.screening import DROP_REASONS, HIDING, Spent
from db.assigning import Assigning
from db.connection import storable, transaction
from db.dialogues import Dialogues
from db.log import Event, Log
from db.people import People
from db.replay import project, record, reproject
from db.settings import Current

TASK = "screening"
# What the undo key takes back, and what a dialogue turned round cannot be turned back under.
OWN_STEPS = ("screened", "skipped", "raised", "swapped", "handed_back")
STANDS_ON_SIDES = frozenset({"screened", "ruled", "swapped", "reopened", "sent_back"})
SKIP_REASONS = ("unclear", "unreadable", "later", "other")
Scan = Callable[[int], tuple[tuple[int, int, int, str], ...]]


class Screening:
    """The screening of one project. `scan` gives the proposed identifiers of a dialogue, for masking."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        people: People,
        dialogues: Dialogues,
        assigning: Assigning,
        scan: Scan,
        settings: Current,
    ) -> None:
        self._db = connection
        self._log = log
        self._people = people
        self._assigning = assigning
        self._dialogues = dialogues
        self._scan = scan
        self._settings = settings

    def assign(self, by: str, to: Sequence[str] | None = None) -> dict[str, int]:
        """Hand every candidate that no pair has yet to the pairs, evenly. Returns how many each person got."""
        return dict(self._assigning.assign(by, to).people)

    # -- the desk

    def progress(self, person: str) -> Progress:
        """Counts of one person's screening. What lies aside and was not decided counts nowhere."""
        self._people.get(person)
        assigned, decided, waiting, skipped = self._db.execute(
            "SELECT (SELECT count(*) FROM assignment WHERE person = ?1) -"
            " (SELECT count(*) FROM (SELECT dialogue FROM aside UNION SELECT dialogue FROM handback WHERE person = ?1) x"
            "  JOIN assignment a ON a.dialogue = x.dialogue AND a.person = ?1 WHERE NOT EXISTS (SELECT 1 FROM decision d"
            "  WHERE d.dialogue = a.dialogue AND d.slot = a.slot AND d.round = 1)),"
            " (SELECT count(*) FROM decision WHERE person = ?1 AND round = 1),"
            " (SELECT count(*) FROM decision d WHERE person = ?1 AND round = 1 AND NOT EXISTS"
            "  (SELECT 1 FROM decision o WHERE o.dialogue = d.dialogue AND o.round = 1 AND o.slot <> d.slot)),"
            " (SELECT count(*) FROM skip s WHERE person = ?1 AND NOT EXISTS"
            "  (SELECT 1 FROM aside x WHERE x.dialogue = s.dialogue))",
            (person,),
        ).fetchone()
        return Progress(assigned, decided, skipped, waiting)

    def work(self) -> dict[str, int]:
        """What waits: counts of dialogues, of nobody in particular."""
        row = self._db.execute(
            # A slot that nobody has is to be handed out as much as a dialogue that nobody has.
            "SELECT count(*) FILTER (WHERE stage = 'candidate' AND"
            "  (SELECT count(*) FROM assignment a WHERE a.dialogue = t.dialogue) < 2),"
            " count(*) FILTER (WHERE stage = 'candidate' AND"
            "  (SELECT count(*) FROM assignment a WHERE a.dialogue = t.dialogue) = 2),"
            " count(*) FILTER (WHERE stage = 'disputed'), count(*) FILTER (WHERE stage = 'agreed')"
            " FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE d.current = 1"
        ).fetchone()
        return dict(zip(("to_assign", "to_screen", "to_rule", "to_approve"), row, strict=True))

    def task(self, person: str, place: int | None = None) -> Task | None:
        """The task at a place of the person's list; without one, where they left off, else the next undecided."""
        self._people.get(person)
        if place is None:
            row = self._db.execute(
                "SELECT a.place FROM desk k JOIN assignment a ON a.person = k.person AND a.dialogue = k.dialogue"
                " WHERE k.person = ? AND k.task = ?",
                (person, TASK),
            ).fetchone()
            if row is None:
                return self.next(person, 0)
            place = int(row[0])
        return self._at(person, place)

    def next(self, person: str, after: int) -> Task | None:
        """The next task not decided after a place, round the end of the list; those put off come last."""
        place = self._next_place(person, after)
        return None if place is None else self._at(person, place)

    def look_ahead(self, person: str, after: int) -> None:
        """Look for the identifiers of the next task now, so that showing it later does not wait for that.

        Moves nothing on the desk. Meant for an idle moment, from another thread with a project of its own.
        """
        place = self._next_place(person, after)
        if place is not None:
            row = self._db.execute(
                "SELECT dialogue FROM assignment WHERE person = ? AND place = ?", (person, place)
            ).fetchone()
            self._spans(row[0])

    def _spans(self, key: int) -> tuple[tuple[int, int, int, str], ...]:
        """What is to be masked; nothing where the project masks nothing."""
        return self._scan(key) if self._settings.now.mask else ()

    def _next_place(self, person: str, after: int) -> int | None:
        open_ = (
            "SELECT a.place FROM assignment a WHERE a.person = ?1 AND a.place {} ?2"
            " AND NOT EXISTS (SELECT 1 FROM decision d WHERE d.dialogue = a.dialogue AND d.slot = a.slot AND d.round = 1)"
            " AND NOT EXISTS (SELECT 1 FROM aside x WHERE x.dialogue = a.dialogue)"
            " AND NOT EXISTS (SELECT 1 FROM handback h WHERE h.dialogue = a.dialogue AND h.person = a.person)"
            " AND {} EXISTS (SELECT 1 FROM skip s WHERE s.dialogue = a.dialogue AND s.person = a.person)"
            " ORDER BY a.place LIMIT 1"
        )
        for put_off in ("NOT", ""):
            for side in (">", "<="):
                row = self._db.execute(open_.format(side, put_off), (person, after)).fetchone()
                if row is not None:
                    return int(row[0])
        return None

    def step(self, person: str, place: int, direction: int) -> Task | None:
        """The neighbour in the person's list, decided or not; None at its ends."""
        # What was handed on has left a gap.
        side, order = (">", "") if direction > 0 else ("<", "DESC")
        row = self._db.execute(
            f"SELECT place FROM assignment WHERE person = ? AND place {side} ? ORDER BY place {order} LIMIT 1",
            (person, place),
        ).fetchone()
        return None if row is None else self._at(person, int(row[0]))

    def _at(self, person: str, place: int) -> Task | None:
        row = self._db.execute(
            "SELECT dialogue, slot FROM assignment WHERE person = ? AND place = ?", (person, place)
        ).fetchone()
        if row is None:
            return None
        key, slot = row
        self._move(person, key)
        given = {
            at: Answer(bool(keep), situation, rationale_of(text), second, reason)
            for at, keep, situation, text, second, reason in self._db.execute(
                "SELECT slot, keep, situation, text, second, reason FROM decision JOIN payload ON payload.id = decision.payload"
                " WHERE dialogue = ? AND round = 1",
                (key,),
            )
        }
        both = len(given) == 2
        aside = self._aside(person, key)
        hidden = aside not in ("", "rejected", "handed_back")
        stored = self._stored(key)
        if hidden:
            stored = replace(stored, dialogue=replace(stored.dialogue, messages=()))
        put_off = self._db.execute(
            "SELECT reason FROM skip WHERE dialogue = ? AND person = ?", (key, person)
        ).fetchone()
        return Task(
            place=place,
            stored=stored,
            slot=slot,
            answer=given.get(slot),
            draft=self.draft(person, key),
            skipped=put_off[0] if put_off else "",
            spans=() if hidden else self._spans(key),
            open=not both,
            # Nothing of it leaves this method before both have committed.
            other=given["B" if slot == "A" else "A"] if both else None,
            aside=aside,
        )

    def covered(self, key: int) -> tuple[StoredDialogue, tuple[tuple[int, int, int, str], ...]]:
        """A dialogue as a desk may show it, with what is to be masked of it."""
        return self._stored(key), self._spans(key)

    def draft(self, person: str, key: int) -> Draft:
        """This person's half-made answer on a dialogue."""
        row = self._db.execute(
            "SELECT keep, situation, text, second, reason FROM draft WHERE person = ? AND dialogue = ?", (person, key)
        ).fetchone()
        return Draft() if row is None else Draft(None if row[0] is None else bool(row[0]), *row[1:])

    def _aside(self, person: str, key: int) -> str:
        """Why a dialogue does not lie on this person's desk, or ""; what hides it comes first."""
        found = [why for (why,) in self._db.execute("SELECT why FROM aside WHERE dialogue = ?", (key,))]
        found.sort(key=lambda why: (why not in HIDING, why == "rejected"))
        if (
            not found
            and self._db.execute("SELECT 1 FROM handback WHERE dialogue = ? AND person = ?", (key, person)).fetchone()
        ):
            return "handed_back"
        return str(found[0]) if found else ""

    def _move(self, person: str, key: int) -> None:
        """Remember which dialogue lies on the desk; looking at the same one again writes nothing."""
        at = self._db.execute("SELECT dialogue FROM desk WHERE person = ? AND task = ?", (person, TASK)).fetchone()
        if at is None or at[0] != key:
            with transaction(self._db):
                self._db.execute(
                    "INSERT INTO desk (person, task, dialogue) VALUES (?, ?, ?)"
                    " ON CONFLICT (person, task) DO UPDATE SET dialogue = excluded.dialogue",
                    (person, TASK, key),
                )

    def _move_on(self, person: str, key: int) -> None:
        after = self._db.execute(
            "SELECT place FROM assignment WHERE person = ? AND dialogue = ?", (person, key)
        ).fetchone()[0]
        place = self._next_place(person, after)
        if place is not None:
            following = self._db.execute(
                "SELECT dialogue FROM assignment WHERE person = ? AND place = ?", (person, place)
            ).fetchone()[0]
            self._move(person, following)

    def _stored(self, key: int) -> StoredDialogue:
        """The dialogue as a desk may show it: without the labels its file came with, which would prime the eye."""
        stored = self._dialogues.by_key(key)
        return replace(stored, dialogue=replace(stored.dialogue, metadata={}))

    def _closed(self, key: int) -> bool:
        """Both have committed: the blind is over."""
        return bool(
            self._db.execute("SELECT count(*) = 2 FROM decision WHERE dialogue = ? AND round = 1", (key,)).fetchone()[0]
        )

    # -- deciding

    def save_draft(self, person: str, uid: str, draft: Draft) -> None:
        """Keep a half-made answer. An empty one is forgotten."""
        key = self._dialogues.key(uid)
        with transaction(self._db):
            self.keep_draft(person, key, draft)

    def keep_draft(self, person: str, key: int, draft: Draft | Answer) -> None:
        """Put a half-made answer in place of the one there is, inside the caller's transaction."""
        self.drop_draft(person, key)
        if draft != Draft():
            self._db.execute(
                "INSERT INTO draft (person, dialogue, keep, situation, text, second, reason) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    person,
                    key,
                    None if draft.keep is None else int(draft.keep),
                    draft.situation,
                    draft.rationale,
                    draft.second,
                    draft.reason,
                ),
            )

    def drop_draft(self, person: str, key: int) -> None:
        """Forget a half-made answer."""
        self._db.execute("DELETE FROM draft WHERE person = ? AND dialogue = ?", (person, key))

    def decide(
        self,
        person: str,
        uid: str,
        answer: Answer,
        *,
        move_on: bool = False,
        via: str = "",
        spent: Spent | None = None,
    ) -> str:
        """Commit a person's answer, the blind one. Returns the time it was saved at (ISO 8601, UTC).

        `via` names who brought the answer in, where that is someone else. `move_on` puts the next task on the desk in
        the same transaction, so that one write serves the keystroke. `spent` is the time it took.
        Refused when the dialogue is not on this person's list or desk or already answered by them, and when a kept one
        names no situation. A situation on a dropped one is not kept: it says nothing.
        """
        answer = check_answer(answer)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            slot = self._slot(person, key)
            if self._db.execute(
                "SELECT 1 FROM decision WHERE dialogue = ? AND slot = ? AND round = 1", (key, slot)
            ).fetchone():
                raise RefusedStep(N_("you have decided this dialogue already; undo takes it back"), code="decided")
            self._on_desk(person, key)
            body = self.body(uid, slot, 1, answer, key, spent)
            if via:
                body["via"] = via
            event = self._record("screened", person, key, body, {"rationale": answer.rationale})
            self.drop_draft(person, key)
            if move_on:
                self._move_on(person, key)
        return event.at

    def body(
        self, uid: str, slot: str, round_: int, answer: Answer, key: int, spent: Spent | None
    ) -> dict[str, object]:
        """What the event of a decision says."""
        body: dict[str, object] = {
            "dialogue": uid,
            "slot": slot,
            "round": round_,
            "keep": answer.keep,
            "situation": answer.situation,
            "taxonomy": taxonomy().version,
            "guidelines": GUIDELINES_VERSION,
            "mode": self._settings.now.screening_mode,
        }
        body |= {name: value for name, value in (("second", answer.second), ("reason", answer.reason)) if value}
        if spent is not None:
            characters = sum(len(m.text) for m in self._dialogues.by_key(key).dialogue.messages)
            body |= {"characters": characters, "active": spent.active, "idle": spent.idle}
        return body

    def _on_desk(self, person: str, key: int) -> None:
        if self._aside(person, key):
            raise RefusedStep(N_("this dialogue does not lie on the desk now"), code="aside")

    def spent(self, person: str, uid: str) -> Spent:
        """The time this person has spent with a dialogue so far."""
        row = self._db.execute(
            "SELECT active, idle FROM spent WHERE person = ? AND dialogue = ?", (person, self._dialogues.key(uid))
        ).fetchone()
        return Spent() if row is None else Spent(*row)

    def save_spent(self, person: str, uid: str, spent: Spent) -> None:
        """Keep the time spent so far, all of it, in place of what was kept before."""
        with transaction(self._db):
            self._db.execute(
                "INSERT OR REPLACE INTO spent (person, dialogue, active, idle) VALUES (?, ?, ?, ?)",
                (person, self._dialogues.key(uid), spent.active, spent.idle),
            )

    def skip(self, person: str, uid: str, reason: str, note: str = "") -> None:
        """Put a dialogue off with a reason; it comes back at the end."""
        if reason not in SKIP_REASONS:
            raise UsageError(N_("{name} must be one of {allowed}"), name="reason", allowed=", ".join(SKIP_REASONS))
        key = self._dialogues.key(uid)
        with transaction(self._db):
            slot = self._slot(person, key)
            if self._db.execute(
                "SELECT 1 FROM decision WHERE dialogue = ? AND slot = ? AND round = 1", (key, slot)
            ).fetchone():
                raise RefusedStep(N_("you have decided this dialogue already; undo takes it back"), code="decided")
            self._on_desk(person, key)
            self._record("skipped", person, key, {"dialogue": uid, "reason": reason}, {"note": note})

    def undo(self, person: str) -> Task | None:
        """Take back this person's last step that is still theirs alone: a decision, a skip, something raised, handed back
        or turned round. None when there is none.

        An answer taken back becomes the draft again, so that nothing written is lost.
        """
        self._here(person)
        marks = ", ".join("?" * len(OWN_STEPS))
        with transaction(self._db):
            undone = self._log.undone()
            rows = self._db.execute(
                "SELECT e.origin, e.number, n.dialogue FROM event e JOIN entry n USING (origin, number)"
                f" WHERE e.by = ? AND e.kind IN ({marks}) ORDER BY e.number DESC",
                (person, *OWN_STEPS),
            )
            for origin, number, key in rows:
                event = self._log.event(origin, number)
                if event is None or (origin, number) in undone or not self._still_own(event, person, key):
                    continue
                self._withdraw(person, origin, number, key)
                place = self._db.execute(
                    "SELECT place FROM assignment WHERE person = ? AND dialogue = ?", (person, key)
                ).fetchone()
                break
            else:
                return None
        return None if place is None else self._at(person, place[0])

    def _still_own(self, event: Event, person: str, key: int) -> bool:
        """Whether a step stands, and nobody else's step stands on it."""
        at = (key, event.origin, event.number)
        if event.kind == "screened":
            return not self._closed(key) and self._is_there("decision", "round = 1", at)
        if event.kind == "skipped":
            return self._is_there("skip", "1", at)
        if event.kind == "raised":
            return self._is_there("raised", "outcome = ''", at)
        if (
            self._db.execute("SELECT 1 FROM assignment WHERE person = ? AND dialogue = ?", (person, key)).fetchone()
            is None
        ):
            return False
        if event.kind == "handed_back":
            return self._is_there("handback", "1", at)
        # Turned round: nothing may have been decided, raised or turned on it since.
        after = False
        for one in self._log.about(key):
            if after and one.kind in STANDS_ON_SIDES and (one.origin, one.number) not in self._log.undone():
                return False
            after = after or (one.origin, one.number) == (event.origin, event.number)
        return True

    def _is_there(self, table: str, where: str, at: tuple[int, str, int]) -> bool:
        found = self._db.execute(
            f"SELECT 1 FROM {table} WHERE dialogue = ? AND origin = ? AND number = ? AND {where}", at
        ).fetchone()
        return found is not None

    def _back_to_draft(self, person: str, key: int) -> None:
        given = self.given(person, self._dialogues.by_key(key).uid)
        if given is not None:
            self.keep_draft(person, key, given)

    def take_back(self, person: str, uid: str) -> None:
        """Take back this person's own answer on one dialogue, while the other has not committed."""
        self._here(person)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            row = self._db.execute(
                "SELECT origin, number FROM decision WHERE dialogue = ? AND person = ? AND round = 1",
                (key, person),
            ).fetchone()
            if row is None or self._closed(key):
                raise RefusedStep(
                    N_("both have committed: from here on it is deciding anew, in the open, not undo"),
                    code="closed",
                )
            self._withdraw(person, row[0], row[1], key)

    def _withdraw(self, person: str, origin: str, number: int, key: int) -> None:
        event = self._log.event(origin, number)
        assert event is not None
        if event.kind == "screened":
            self._back_to_draft(person, key)
        body = {"event": [origin, number], "kind": event.kind, "dialogue": event.body["dialogue"]}
        self._log.append("undone", person, body, entries=[(key, {})])
        reproject(self._db, self._log, key)

    def reopen(self, by: str, under: str | None = None) -> int:
        """Open again what was decided under another version of taxonomy or guidelines than those of today.

        `under` names one version of either; without it every other one counts. Both decide anew; what they decided first
        is kept, and agreement goes on being computed from it. What is released, or lies before the lead, stays.
        Returns how many dialogues.
        """
        taxonomy_, guidelines = taxonomy().version, GUIDELINES_VERSION
        with transaction(self._db):
            keys = self._db.execute(
                "SELECT DISTINCT d.dialogue FROM decision d JOIN state t ON t.dialogue = d.dialogue"
                " WHERE (CASE WHEN ?1 IS NULL THEN d.taxonomy <> ?2 OR d.guidelines <> ?3"
                "  ELSE d.taxonomy = ?1 OR d.guidelines = ?1 END)"
                " AND t.stage NOT IN ('released', 'withdrawn', 'rejected')"
                " AND NOT EXISTS (SELECT 1 FROM aside x WHERE x.dialogue = d.dialogue) ORDER BY d.dialogue",
                (under, taxonomy_, guidelines),
            ).fetchall()
            if keys:
                body = {"taxonomy": taxonomy_, "guidelines": guidelines, **({"under": under} if under else {})}
                event = self._log.append("reopened", by, body, entries=[(key, {}) for (key,) in keys])
                project(self._db, event, [(key, 0, {}) for (key,) in keys])
        return len(keys)

    def _record(self, kind: str, by: str, key: int, body: dict[str, object], text: dict[str, str]) -> Event:
        return record(self._db, self._log, kind, by, key, body, text)

    def _here(self, person: str) -> None:
        if self._people.get(person).retired:
            raise RefusedStep(N_("{name} has left the project"), code="retired", name=person)

    def _slot(self, person: str, key: int) -> str:
        self._here(person)
        row = self._db.execute(
            "SELECT slot FROM assignment WHERE dialogue = ? AND person = ?", (key, person)
        ).fetchone()
        if row is None:
            raise RefusedStep(N_("this dialogue is not on the list of {name}"), code="not_assigned", name=person)
        return str(row[0])

    def closed(self, uid: str) -> bool:
        """Both have committed: the blind is over."""
        return self._closed(self._dialogues.key(uid))

    def given(self, person: str, uid: str) -> Answer | None:
        """What this person answered in the blind round, if anything."""
        row = self._db.execute(
            "SELECT d.keep, d.situation, p.text, d.second, d.reason FROM decision d JOIN payload p ON p.id = d.payload"
            " JOIN dialogue x ON x.id = d.dialogue WHERE x.uid = ? AND d.person = ? AND d.round = 1",
            (uid, person),
        ).fetchone()
        return None if row is None else Answer(bool(row[0]), row[1], rationale_of(row[2]), row[3], row[4])


def leads(people: People, person: str) -> bool:
    """Whether a person is a curator who is still here."""
    found = people.get(person)
    return found.role == "curator" and not found.retired


def check_answer(answer: Answer) -> Answer:
    """An answer as it is stored: a kept one names a known situation, a dropped one none; a second choice is another one."""
    if not storable(answer.rationale):
        raise UsageError(
            N_("the text holds half characters (lone surrogates), which no file can keep"), code="bad_text"
        )
    if answer.reason and answer.reason not in DROP_REASONS:
        raise UsageError(
            N_("{name} must be one of {allowed}"), name="reason", allowed=", ".join(DROP_REASONS), code="unknown_reason"
        )
    if not answer.keep:
        return Answer(False, "", answer.rationale, "", answer.reason)
    if not answer.situation:
        raise RefusedStep(N_("a dialogue that is kept needs a situation"), code="no_situation")
    first = taxonomy().parse(answer.situation).id
    second = taxonomy().parse(answer.second).id if answer.second else ""
    return Answer(True, first, answer.rationale, second if second != first else "")


def rationale_of(text: str | None) -> str:
    """The rationale in a decision's payload; "" where it was purged."""
    return "" if text is None else str(json.loads(text).get("rationale", ""))
