"""Each person's desk in screening: their list, what lies in front of them, and their half-made work.

Nothing that these methods return to one person of a pair holds anything of the other's decision before both committed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace

from curation.work import Answer, Draft, Progress, StoredDialogue, Task
from curation.work.screening import HIDING, Spent
from db.assigning import Assigning
from db.connection import transaction
from db.dialogues import Dialogues
from db.log import Log
from db.people import People
from db.settings import Current

TASK = "screening"
Scan = Callable[[int], tuple[tuple[int, int, int, str], ...]]

_HELD = (
    "(SELECT count(*) FROM assignment a JOIN person p ON p.name = a.person WHERE a.dialogue = t.dialogue AND (p.retired = 0"
    " AND NOT EXISTS (SELECT 1 FROM handback h WHERE h.dialogue = a.dialogue AND h.person = a.person)"
    " OR EXISTS (SELECT 1 FROM decision x WHERE x.dialogue = a.dialogue AND x.slot = a.slot AND x.round = 1)))"
)


class Desk:
    """The desks of one project. `scan` gives the proposed identifiers of a dialogue, for masking."""

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
            # A slot that nobody has who is here is to be handed out as much as a dialogue that nobody has.
            f"SELECT count(*) FILTER (WHERE stage = 'candidate' AND {_HELD} < 2"
            "  AND NOT EXISTS (SELECT 1 FROM gold g WHERE g.dialogue = t.dialogue)),"
            f" count(*) FILTER (WHERE stage = 'candidate' AND {_HELD} = 2),"
            " count(*) FILTER (WHERE stage = 'disputed' AND NOT EXISTS"
            "  (SELECT 1 FROM aside x WHERE x.dialogue = t.dialogue)), count(*) FILTER (WHERE stage = 'agreed'),"
            " (SELECT count(*) FROM raised WHERE outcome = '')"
            " FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE d.current = 1"
        ).fetchone()
        return dict(zip(("to_assign", "to_screen", "to_rule", "to_approve", "raised"), row, strict=True))

    def second_words(self, person: str) -> int:
        """How many disputes wait for this person's second word."""
        return int(
            self._db.execute(
                "SELECT count(*) FROM state t JOIN decision d ON d.dialogue = t.dialogue AND d.person = ? AND d.round = 1"
                " WHERE t.stage = 'disputed' AND NOT EXISTS (SELECT 1 FROM aside x WHERE x.dialogue = t.dialogue)"
                " AND NOT EXISTS (SELECT 1 FROM decision o WHERE o.dialogue = t.dialogue AND o.slot = d.slot AND o.round = 2)",
                (person,),
            ).fetchone()[0]
        )

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

    @property
    def masks(self) -> bool:
        """Whether the desks of this project mask what may identify a person."""
        return self._settings.now.mask

    def _spans(self, key: int) -> tuple[tuple[int, int, int, str], ...]:
        """What is to be masked; nothing where the project masks nothing."""
        return self._scan(key) if self.masks else ()

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

    # -- half-made work

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


def rationale_of(text: str | None) -> str:
    """The rationale in a decision's payload; "" where it was purged."""
    return "" if text is None else str(json.loads(text).get("rationale", ""))
