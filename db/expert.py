"""The expert desk: the answers that an expert writes by hand, one after the other, never seeing a model's.

An answer is kept at every key (`save`), becomes a reply of the expert's own system when it is closed, and may be opened
again until it is used in scoring.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime
from typing import Any

from curation.errors import N_, NotFound, RefusedStep, UsageError
from curation.replies import REPLIES_VERSION, flags_of, visible_length
from curation.replies.flags import language_of
from curation.work.asking import System, Words, fields_of
from curation.work.expert import ORDERS, REPLY, ExpertProgress, ExpertTask, Part, boxes_of
from db.askable import Askable
from db.connection import storable, transaction
from db.dialogues import Dialogues
from db.log import Log
from db.people import People
from db.replay import project
from db.replies import Replies
from db.samples import Samples
from db.settings import Current
from db.systems import Systems

LONGEST = 4000  # characters of one field
_SECONDS_AT_ONCE = 600.0  # no key is worth more than this


class Expert:
    """The experts' desks of one project."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        settings: Current,
        people: People,
        dialogues: Dialogues,
        askable: Askable,
        samples: Samples,
        systems: Systems,
        replies: Replies,
    ) -> None:
        self._db = connection
        self._log = log
        self._settings = settings
        self._people = people
        self._dialogues = dialogues
        self._askable = askable
        self._samples = samples
        self._systems = systems
        self._replies = replies

    # -- the desk

    def progress(self, person: str) -> ExpertProgress:
        """Counts of one expert's work."""
        self._expert(person)
        keys = self._samples.keys()
        done = begun = waiting = 0
        for key in keys:
            closed = self._closed(person, key)
            done += len(closed) == 2
            begun += len(closed) == 1
            waiting += len(closed) == 1 and self._same_day(next(iter(closed.values())))
        return ExpertProgress(len(keys), done, begun, waiting)

    def task(self, person: str, place: int | None = None) -> ExpertTask | None:
        """The dialogue at a place of the sample; without one, where the expert left off, else the next to write."""
        self._expert(person)
        if place is None:
            row = self._db.execute(
                "SELECT s.place FROM expert_desk k JOIN sampled s ON s.dialogue = k.dialogue WHERE k.person = ?",
                (person,),
            ).fetchone()
            if row is None:
                return self.next(person, 0)
            place = int(row[0])
        return self._at(person, place)

    def next(self, person: str, after: int) -> ExpertTask | None:
        """The next dialogue after a place with an answer that can be written now, round the end of the sample."""
        self._expert(person)
        rows = self._db.execute("SELECT place, dialogue FROM sampled ORDER BY place").fetchall()
        for place, key in sorted(rows, key=lambda row: (row[0] <= after, row[0])):
            closed = self._closed(person, key)
            if len(closed) < 2 and not any(map(self._same_day, closed.values())) and self._askable.text(key):
                return self._at(person, place)
        return None

    def step(self, person: str, place: int, direction: int) -> ExpertTask | None:
        """The neighbour in the sample; None at its ends."""
        self._expert(person)
        return self._at(person, place + direction)

    def _at(self, person: str, place: int) -> ExpertTask | None:
        row = self._db.execute("SELECT dialogue FROM sampled WHERE place = ?", (place,)).fetchone()
        if row is None:
            return None
        at = self._db.execute("SELECT dialogue FROM expert_desk WHERE person = ?", (person,)).fetchone()
        if at is None or at[0] != row[0]:
            with transaction(self._db):
                self._db.execute(
                    "INSERT OR REPLACE INTO expert_desk (person, dialogue) VALUES (?, ?)", (person, row[0])
                )
        return self._task(person, row[0])

    def _task(self, person: str, key: int) -> ExpertTask:
        settings = self._settings.now
        place, count = self._db.execute(
            "SELECT place, (SELECT count(*) FROM sampled) FROM sampled WHERE dialogue = ?", (key,)
        ).fetchone()
        first, second = (self._part(person, key, mode) for mode in self._order(person, key))
        text = self._askable.text(key)
        now, waits = first.mode, ""
        if text is None:
            now, waits = "", "text"
        elif first.closed:
            # Only the beginning of the second waits: once written, it may be opened again.
            wait = self._same_day(first.closed) and not second.written and not second.texts
            now, waits = ("", "day") if wait else ("" if second.closed else second.mode, "")
        return ExpertTask(
            uid=self._uid(key),
            place=place,
            count=count,
            messages=() if text is None else text.messages,
            parts=(first, second),
            now=now,
            waits=waits,
            used=self._used(person, key),
            limit=settings.reply_limit,
        )

    def _order(self, person: str, key: int) -> tuple[str, str]:
        """The order of writing: as it was begun, whatever the setting says by now."""
        order = ORDERS[self._settings.now.expert_order]
        for mode, other in (order, order[::-1]):
            reply = self._reply(person, key, mode)
            if reply is not None and reply.written == 1:
                return mode, other
        drafts = {
            mode
            for (mode,) in self._db.execute(
                "SELECT DISTINCT mode FROM expert_draft WHERE person = ? AND dialogue = ?", (person, key)
            )
        }
        return order[::-1] if drafts == {order[1]} else order

    def _part(self, person: str, key: int, mode: str) -> Part:
        reply = self._reply(person, key, mode)
        row = self._db.execute(
            "SELECT seconds, again FROM expert_part WHERE person = ? AND dialogue = ? AND mode = ?", (person, key, mode)
        ).fetchone()
        seconds, again = row or (0.0, 0)
        if reply is not None and not again:
            texts = {**reply.words.process, REPLY: reply.words.reply}
            return Part(mode, texts, frozenset(), reply.at, True, reply.seconds or 0.0)
        drafts = self._db.execute(
            "SELECT field, text, pasted FROM expert_draft WHERE person = ? AND dialogue = ? AND mode = ?",
            (person, key, mode),
        ).fetchall()
        pasted = frozenset(name for name, _, was in drafts if was)
        return Part(mode, {name: text for name, text, _ in drafts}, pasted, "", reply is not None, seconds)

    # -- writing

    def save(self, person: str, uid: str, mode: str, field: str, text: str, *, pasted: bool, seconds: float) -> None:
        """Keep a field as far as it is written (each key). `pasted` stays with the field until it is empty again.

        `seconds` of work are added to the answer's. Refused for what is closed or may not be begun yet.
        """
        if field not in boxes_of(mode):
            raise UsageError(N_("{name} must be one of {allowed}"), name="field", allowed=", ".join(boxes_of(mode)))
        if not storable(text):
            raise UsageError(
                N_("the text holds half characters (lone surrogates), which no file can keep"), code="bad_text"
            )
        if len(text) > LONGEST:
            raise RefusedStep(N_("a field holds at most {count} characters"), code="too_long", count=LONGEST)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            self._may_write(person, key, mode)
            self._keep(person, key, mode, field, text, pasted and bool(text))
            self._add_seconds(person, key, mode, seconds)

    def _keep(self, person: str, key: int, mode: str, field: str, text: str, pasted: bool) -> None:
        where = (person, key, mode, field)
        if text:
            self._db.execute(
                "INSERT INTO expert_draft (person, dialogue, mode, field, text, pasted) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET text = excluded.text, pasted = max(pasted, excluded.pasted)",
                (*where, text, int(pasted)),
            )
        else:
            self._db.execute(
                "DELETE FROM expert_draft WHERE person = ? AND dialogue = ? AND mode = ? AND field = ?", where
            )

    def _add_seconds(self, person: str, key: int, mode: str, seconds: float) -> None:
        self._db.execute(
            "INSERT INTO expert_part (person, dialogue, mode, seconds, again) VALUES (?, ?, ?, ?, 0)"
            " ON CONFLICT DO UPDATE SET seconds = seconds + excluded.seconds",
            (person, key, mode, min(max(seconds, 0.0), _SECONDS_AT_ONCE)),
        )

    def close(self, person: str, uid: str, mode: str) -> ExpertTask:
        """Close an answer: it is the reply of the expert's system from now on. Returns the desk as it is then.

        Refused while a field is empty (code `missing`, which `missing` names) and while the reply is longer than the
        project lets it be (`too_long`).
        """
        key = self._dialogues.key(uid)
        with transaction(self._db):
            self._may_write(person, key, mode)
            part = self._part(person, key, mode)
            if missing := part.missing():
                raise RefusedStep(N_("still missing: {missing}"), code="missing", missing=", ".join(missing))
            limit, length = self._settings.now.reply_limit, visible_length(part.texts[REPLY])
            if length > limit:
                raise RefusedStep(
                    N_("the reply has {length} {length:character|characters}; at most {limit} are allowed"),
                    code="too_long",
                    length=length,
                    limit=limit,
                )
            order = self._order(person, key)
            self._store(person, key, mode, part, order.index(mode) + 1)
            self._forget(person, key, mode)
        return self._task(person, key)

    def _store(self, person: str, key: int, mode: str, part: Part, written: int) -> None:
        """The answer as a reply like any other; the same words on the same text again are the reply there is."""
        limit = self._settings.now.reply_limit
        reply = self._reply(person, key, mode)
        words = Words(part.texts[REPLY], {name: part.texts[name] for name in fields_of(mode)})
        text = self._askable.text(key)
        assert text is not None
        if reply is not None and (reply.words, reply.text_hash) == (words, text.hash):
            return
        texts = [message.text for message in text.messages]
        value = {
            "reply": words.reply,
            "process": dict(words.process),
            "flags": list(flags_of(words, limit=limit, dialogue=texts, dialogue_lang=language_of(texts))),
            "mended": [],
            "text": text.hash,
            "length": visible_length(part.texts[REPLY]),
            "seconds": round(part.seconds, 3),
            "written": written,
            "pasted": bool(part.pasted),
            "pasted_fields": sorted(part.pasted),
        }
        body = {"system": self.system_of(person).name, "mode": mode, "rules": REPLIES_VERSION, "limit": limit}
        event = self._log.append("answered", person, body, entries=[(key, value)])
        payload = self._db.execute(
            "SELECT payload FROM entry WHERE origin = ? AND number = ? AND dialogue = ?",
            (event.origin, event.number, key),
        ).fetchone()[0]
        project(self._db, event, [(key, payload, value)])

    def _forget(self, person: str, key: int, mode: str) -> None:
        for table in ("expert_draft", "expert_part"):
            self._db.execute(f"DELETE FROM {table} WHERE person = ? AND dialogue = ? AND mode = ?", (person, key, mode))

    def reopen(self, person: str, uid: str, mode: str) -> ExpertTask:
        """Open a closed answer again, its text as it was. The reply stands until it is closed anew.

        Refused when it is used in scoring, or not closed.
        """
        key = self._dialogues.key(uid)
        with transaction(self._db):
            self._expert(person, working=True)
            part = self._part(person, key, mode)
            if self._used(person, key):
                raise RefusedStep(N_("this answer is in scoring already and stays as it is"), code="used")
            if not part.closed:
                raise RefusedStep(N_("this answer is open"), code="open")
            reply = self._reply(person, key, mode)
            for name, text in part.texts.items():
                self._keep(person, key, mode, name, text, bool(reply and reply.pasted))
            self._db.execute(
                "INSERT OR REPLACE INTO expert_part (person, dialogue, mode, seconds, again) VALUES (?, ?, ?, ?, 1)",
                (person, key, mode, part.seconds),
            )
        return self._task(person, key)

    def leave(self, person: str, uid: str, mode: str) -> ExpertTask:
        """Leave an answer that was opened again as it was before. Refused for one that was never closed."""
        key = self._dialogues.key(uid)
        with transaction(self._db):
            part = self._part(person, key, mode)
            if part.closed or not part.written:
                raise RefusedStep(N_("this answer was not opened again"), code="not_again")
            self._forget(person, key, mode)
        return self._task(person, key)

    # -- what the others stand on

    def system_of(self, person: str) -> System:
        """The system under which an expert writes; it is made when it is first needed."""
        found = self._systems.of_person(person)
        if found is not None:
            return found
        taken = {system.name for system in self._systems.all()}
        name = next(n for n in (person, *(f"{person} {k}" for k in range(2, 100))) if n not in taken)
        made = System(name, "expert", person=person)
        self._systems.add(made, person)
        return made

    def _expert(self, person: str, *, working: bool = False) -> None:
        found = self._people.get(person)
        if found.role != "expert":
            raise RefusedStep(
                N_("{name} is {role} here, not an expert"), code="not_an_expert", name=person, role=found.role
            )
        if working and found.retired:
            raise RefusedStep(N_("{name} has left the project"), code="retired", name=person)

    def _may_write(self, person: str, key: int, mode: str) -> None:
        self._expert(person, working=True)
        if self._db.execute("SELECT 1 FROM sampled WHERE dialogue = ?", (key,)).fetchone() is None:
            raise NotFound(N_("this dialogue is not in the sample"), code="not_sampled")
        if self._askable.text(key) is None:
            raise RefusedStep(N_("the text of this dialogue may not be shown to whoever answers yet"), code="no_text")
        if self._part(person, key, mode).closed:
            raise RefusedStep(N_("this answer is closed; open it again to change it"), code="closed")
        first, second = self._order(person, key)
        if mode not in (first, second):
            raise UsageError(N_("{name} must be one of {allowed}"), name="mode", allowed=f"{first}, {second}")
        if mode == second:
            before = self._part(person, key, first)
            if not before.closed and not before.written:
                raise RefusedStep(N_("the second answer is opened once the first is closed"), code="not_yet")
            mine = self._part(person, key, second)
            if self._same_day(before.closed) and not mine.written and not mine.texts:
                raise RefusedStep(N_("the second answer is written on another day"), code="same_day")

    def _same_day(self, closed: str) -> bool:
        """Whether the second answer has to wait: the project wants two days, and the first was closed today."""
        if not self._settings.now.expert_days or not closed:
            return False
        return _day(closed) == _day(self._log.now())

    def _closed(self, person: str, key: int) -> dict[str, str]:
        """When each answer of a dialogue was closed, those that are closed now."""
        return dict(
            self._db.execute(
                "SELECT r.mode, r.at FROM reply r JOIN system s ON s.name = r.system WHERE s.person = ?1 AND"
                " r.dialogue = ?2 AND r.mode IN ('cot', 'direct') AND NOT EXISTS (SELECT 1 FROM expert_part p WHERE"
                " p.person = ?1 AND p.dialogue = ?2 AND p.mode = r.mode AND p.again = 1)",
                (person, key),
            ).fetchall()
        )

    def _reply(self, person: str, key: int, mode: str) -> Any:
        system = self._systems.of_person(person)
        return None if system is None else self._replies.of(self._uid(key), system.name, mode)

    def _uid(self, key: int) -> str:
        return str(self._db.execute("SELECT uid FROM dialogue WHERE id = ?", (key,)).fetchone()[0])

    def _used(self, person: str, key: int) -> bool:
        return bool(
            self._db.execute(
                "SELECT 1 FROM score_key k JOIN system s ON s.name = k.system WHERE s.person = ? AND k.dialogue = ?",
                (person, key),
            ).fetchone()
        )


def _day(at: str) -> str:
    """The day of a time of the log, where the expert sits."""
    return datetime.fromisoformat(at.replace("Z", "+00:00")).astimezone().date().isoformat()
