"""Screening: each person's desk, and the decisions made there.

Nothing that these methods return to one person of a pair holds anything of the other's decision before both committed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace

from curation.errors import N_, Phrase, RefusedStep, UsageError
from curation.stages import STAGE_WORDS, Stage
from curation.taxonomy import taxonomy
from curation.work import Answer, Draft, Progress, StoredDialogue, Task
from db.assigning import Assigning
from db.connection import storable, transaction
from db.dialogues import Dialogues
from db.log import Event, Log
from db.people import People
from db.replay import project, reproject

TASK = "screening"
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
    ) -> None:
        self._db = connection
        self._log = log
        self._people = people
        self._assigning = assigning
        self._dialogues = dialogues
        self._scan = scan

    def assign(self, by: str, to: Sequence[str] | None = None) -> dict[str, int]:
        """Hand every candidate that no pair has yet to the pairs, evenly. Returns how many each person got."""
        return dict(self._assigning.assign(by, to).people)

    # -- the desk

    def progress(self, person: str) -> Progress:
        """Counts of one person's screening."""
        self._people.get(person)
        assigned, decided, waiting, skipped = self._db.execute(
            "SELECT (SELECT count(*) FROM assignment WHERE person = ?1),"
            " (SELECT count(*) FROM decision WHERE person = ?1 AND round = 1),"
            " (SELECT count(*) FROM decision d WHERE person = ?1 AND round = 1 AND NOT EXISTS"
            "  (SELECT 1 FROM decision o WHERE o.dialogue = d.dialogue AND o.round = 1 AND o.slot <> d.slot)),"
            " (SELECT count(*) FROM skip WHERE person = ?1)",
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
            self._scan(row[0])

    def _next_place(self, person: str, after: int) -> int | None:
        open_ = (
            "SELECT a.place FROM assignment a WHERE a.person = ?1 AND a.place {} ?2"
            " AND NOT EXISTS (SELECT 1 FROM decision d WHERE d.dialogue = a.dialogue AND d.slot = a.slot AND d.round = 1)"
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
            at: Answer(bool(keep), situation, _rationale(text))
            for at, keep, situation, text in self._db.execute(
                "SELECT slot, keep, situation, text FROM decision JOIN payload ON payload.id = decision.payload"
                " WHERE dialogue = ? AND round = 1",
                (key,),
            )
        }
        both = len(given) == 2
        draft = self._db.execute(
            "SELECT keep, situation, text FROM draft WHERE person = ? AND dialogue = ?", (person, key)
        ).fetchone()
        put_off = self._db.execute(
            "SELECT reason FROM skip WHERE dialogue = ? AND person = ?", (key, person)
        ).fetchone()
        return Task(
            place=place,
            stored=self._stored(key),
            slot=slot,
            answer=given.get(slot),
            draft=Draft() if draft is None else Draft(None if draft[0] is None else bool(draft[0]), *draft[1:]),
            skipped=put_off[0] if put_off else "",
            spans=self._scan(key),
            open=not both,
            # Nothing of it leaves this method before both have committed.
            other=given["B" if slot == "A" else "A"] if both else None,
        )

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
            self._drop_draft(person, key)
            if draft != Draft():
                self._db.execute(
                    "INSERT INTO draft (person, dialogue, keep, situation, text) VALUES (?, ?, ?, ?, ?)",
                    (
                        person,
                        key,
                        None if draft.keep is None else int(draft.keep),
                        draft.situation,
                        draft.rationale,
                    ),
                )

    def _drop_draft(self, person: str, key: int) -> None:
        self._db.execute("DELETE FROM draft WHERE person = ? AND dialogue = ?", (person, key))

    def decide(self, person: str, uid: str, answer: Answer, *, move_on: bool = False, via: str = "") -> str:
        """Commit a person's answer. Returns the time it was saved at (ISO 8601, UTC).

        `via` names who brought the answer in, where that is someone else. `move_on` puts the next task on the desk in
        the same transaction, so that one write serves the keystroke.
        Refused when the dialogue is not on this person's list or already answered by them, and when a kept one names no
        situation. A situation on a dropped one is not kept: it says nothing.
        """
        answer = check_answer(answer)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            slot = self._slot(person, key)
            if self._db.execute(
                "SELECT 1 FROM decision WHERE dialogue = ? AND slot = ? AND round = 1", (key, slot)
            ).fetchone():
                raise RefusedStep(N_("you have decided this dialogue already; undo takes it back"), code="decided")
            body: dict[str, object] = {
                "dialogue": uid,
                "slot": slot,
                "round": 1,
                "keep": answer.keep,
                "situation": answer.situation,
                "taxonomy": taxonomy().version,
            }
            if via:
                body["via"] = via
            event = self._record("screened", person, key, body, {"rationale": answer.rationale})
            self._drop_draft(person, key)
            if move_on:
                self._move_on(person, key)
        return event.at

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
            self._record("skipped", person, key, {"dialogue": uid, "reason": reason}, {"note": note})

    def undo(self, person: str) -> Task | None:
        """Take back this person's last decision or skip that is still theirs alone. None when there is none.

        The answer taken back becomes the draft again, so that nothing written is lost.
        """
        self._here(person)
        with transaction(self._db):
            undone = self._log.undone()
            rows = self._db.execute(
                "SELECT e.origin, e.number, n.dialogue FROM event e JOIN entry n USING (origin, number)"
                " WHERE e.by = ? AND e.kind IN ('screened', 'skipped') ORDER BY e.number DESC",
                (person,),
            )
            for origin, number, key in rows:
                event = self._log.event(origin, number)
                if event is None or (origin, number) in undone or event.body.get("round", 1) != 1 or self._closed(key):
                    continue
                if event.kind == "skipped" and not self._still_skipped(event, key):
                    continue
                self._withdraw(person, origin, number, key)
                place = self._db.execute(
                    "SELECT place FROM assignment WHERE person = ? AND dialogue = ?", (person, key)
                ).fetchone()[0]
                break
            else:
                return None
        return self._at(person, place)

    def _still_skipped(self, event: Event, key: int) -> bool:
        return bool(
            self._db.execute(
                "SELECT 1 FROM skip WHERE dialogue = ? AND origin = ? AND number = ?",
                (key, event.origin, event.number),
            ).fetchone()
        )

    def _back_to_draft(self, person: str, key: int) -> None:
        row = self._db.execute(
            "SELECT keep, situation, text FROM decision JOIN payload ON payload.id = decision.payload"
            " WHERE dialogue = ? AND person = ? AND round = 1",
            (key, person),
        ).fetchone()
        if row is not None:
            self._db.execute(
                "INSERT OR REPLACE INTO draft (person, dialogue, keep, situation, text) VALUES (?, ?, ?, ?, ?)",
                (person, key, row[0], row[1], _rationale(row[2])),
            )

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
        self._back_to_draft(person, key)
        body = {"event": [origin, number], "kind": event.kind, "dialogue": event.body["dialogue"]}
        self._log.append("undone", person, body, entries=[(key, {})])
        reproject(self._db, self._log, key)

    def rule(self, by: str, uid: str, answer: Answer) -> bool:
        """The lead's ruling on a disputed dialogue; another one replaces it until the dialogue is released.

        Returns whether anything changed.
        """
        answer = check_answer(answer)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            stage = self._dialogues.by_key(key).stage
            ruled = self._db.execute("SELECT keep, situation FROM ruling WHERE dialogue = ?", (key,)).fetchone()
            if ruled is not None and (bool(ruled[0]), ruled[1]) == (answer.keep, answer.situation):
                return False
            if stage is not Stage.DISPUTED and (ruled is None or stage is Stage.RELEASED):
                raise RefusedStep(
                    N_("only a disputed dialogue can be ruled on; this one is {stage}"),
                    code="not_disputed",
                    stage=Phrase(STAGE_WORDS[stage]),
                )
            body = {"dialogue": uid, "keep": answer.keep, "situation": answer.situation}
            self._record("ruled", by, key, body, {"rationale": answer.rationale})
        return True

    def _record(self, kind: str, by: str, key: int, body: dict[str, object], text: dict[str, str]) -> Event:
        event = self._log.append(kind, by, body, entries=[(key, text)])
        payload = self._db.execute(
            "SELECT payload FROM entry WHERE origin = ? AND number = ? AND dialogue = ?",
            (event.origin, event.number, key),
        ).fetchone()[0]
        project(self._db, event, [(key, payload, text)])
        return event

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
            "SELECT d.keep, d.situation, p.text FROM decision d JOIN payload p ON p.id = d.payload"
            " JOIN dialogue x ON x.id = d.dialogue WHERE x.uid = ? AND d.person = ? AND d.round = 1",
            (uid, person),
        ).fetchone()
        return None if row is None else Answer(bool(row[0]), row[1], _rationale(row[2]))


def check_answer(answer: Answer) -> Answer:
    """An answer as it is stored: a kept one names a known situation, a dropped one none."""
    if not storable(answer.rationale):
        raise UsageError(
            N_("the text holds half characters (lone surrogates), which no file can keep"), code="bad_text"
        )
    if not answer.keep:
        return Answer(False, "", answer.rationale)
    if not answer.situation:
        raise RefusedStep(N_("a dialogue that is kept needs a situation"), code="no_situation")
    return Answer(True, taxonomy().parse(answer.situation).id, answer.rationale)


def _rationale(text: str | None) -> str:
    return "" if text is None else str(json.loads(text).get("rationale", ""))
