"""Screening: the decisions made at the desk, and taking them back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from curation.errors import N_, RefusedStep, UsageError
from curation.taxonomy import taxonomy
from curation.versions import GUIDELINES_VERSION
from curation.work import Answer, Task
from curation.work.screening import DROP_REASONS, Spent
from db.connection import storable, transaction
from db.curating import must_curate
from db.desk import Desk, rationale_of
from db.log import Event
from db.replay import project, record, reproject

# What the undo key takes back, and what a dialogue turned round cannot be turned back under.
OWN_STEPS = ("screened", "skipped", "raised", "swapped", "handed_back")
STANDS_ON_SIDES = frozenset({"screened", "ruled", "swapped", "reopened", "sent_back"})
SKIP_REASONS = ("unclear", "unreadable", "later", "other")


class Screening(Desk):
    """The screening of one project."""

    def assign(self, by: str, to: Sequence[str] | None = None) -> dict[str, int]:
        """Hand every candidate that no pair has yet to the pairs, evenly. Returns how many each person got."""
        return dict(self._assigning.assign(by, to).people)

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
            self.on_desk(person, key)
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

    def on_desk(self, person: str, key: int) -> None:
        """Refuse what cannot be done with a dialogue that lies aside."""
        if self._aside(person, key):
            raise RefusedStep(N_("this dialogue does not lie on the desk now"), code="aside")

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
            self.on_desk(person, key)
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
                if event.kind == "handed_back":
                    self._fetch_back(person, event, key)
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
        if event.kind == "handed_back":
            return self._is_there("handback", "1", at) and not self._touched(event, key)
        # Turned round: nothing may have been decided, raised or turned on it since.
        after, undone = False, self._log.undone()
        for one in self._log.about(key):
            if after and one.kind in STANDS_ON_SIDES and (one.origin, one.number) not in undone:
                return False
            after = after or (one.origin, one.number) == (event.origin, event.number)
        return True

    def _moved(self, event: Event, key: int) -> tuple[dict[str, str], dict[str, str], dict[str, object]]:
        """Who had a dialogue when it was handed back and has it no more, who has it instead, and all that was noted."""
        row = self._db.execute(
            "SELECT text FROM entry JOIN payload ON payload.id = entry.payload"
            " WHERE origin = ? AND number = ? AND dialogue = ?",
            (event.origin, event.number, key),
        ).fetchone()
        held = json.loads(row[0]).get("held", {}) if row and row[0] else {}
        now = dict(self._db.execute("SELECT slot, person FROM assignment WHERE dialogue = ?", (key,)).fetchall())
        slots = [slot for slot in ("A", "B") if held.get(slot, "") != now.get(slot, "")] if held else []
        return {s: held.get(s, "") for s in slots}, {s: now.get(s, "") for s in slots}, held

    def _touched(self, event: Event, key: int) -> bool:
        """Whether who got a dialogue that was handed back has begun it."""
        return any(
            self._db.execute(f"SELECT 1 FROM {table} WHERE dialogue = ? AND person = ?", (key, name)).fetchone()
            for name in self._moved(event, key)[1].values()
            for table in ("decision", "skip", "draft")
        )

    def _fetch_back(self, by: str, event: Event, key: int) -> None:
        """Put a dialogue that was handed back on the lists it was on."""
        back, _, held = self._moved(event, key)
        if back:
            value = {**back, "pair": held["pair"], "places": held["places"], "reads": ""}
            told = self._log.append("reassigned", by, {"task": "screening"}, entries=[(key, value)])
            project(self._db, told, [(key, 0, value)])

    def _is_there(self, table: str, where: str, at: tuple[int, str, int]) -> bool:
        found = self._db.execute(
            f"SELECT 1 FROM {table} WHERE dialogue = ? AND origin = ? AND number = ? AND {where}", at
        ).fetchone()
        return found is not None

    def _back_to_draft(self, person: str, key: int) -> None:
        given = self.given(person, self._dialogues.by_key(key).uid)
        if given is None:
            return
        draft = self.draft(person, key)
        if draft.rationale in ("", given.rationale):
            self.keep_draft(person, key, given)
        elif draft.keep is None:
            # Words typed while the answer was given in another place: they are this person's last ones.
            self.keep_draft(person, key, replace(given, rationale=draft.rationale))

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
        must_curate(self._db, by)
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
                self._free(by, {key for (key,) in keys})
        return len(keys)

    def _free(self, by: str, keys: set[int]) -> None:
        """Take dialogues that are to be decided from the lists of those who have left, so that `assign` hands them on."""
        left: dict[int, dict[str, str]] = {}
        for key, slot in self._db.execute(
            "SELECT a.dialogue, a.slot FROM assignment a JOIN person p ON p.name = a.person WHERE p.retired = 1"
        ):
            if key in keys:
                left.setdefault(key, {})[slot] = ""
        if left:
            entries: list[tuple[int, object]] = list(left.items())
            event = self._log.append("reassigned", by, {"task": "screening"}, entries=entries)
            project(self._db, event, [(key, 0, value) for key, value in sorted(left.items())])

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
