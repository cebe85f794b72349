"""The inbox: the lead's comments and rulings come back to the people, who read them and may reply.

Nothing about a dialogue is shown to anyone before both of its pair have committed, for a comment can say what one of
them answered; until then it waits. Whoever wrote it sees it.
"""

from __future__ import annotations

import json
import sqlite3

from curation.errors import N_, NotFound, RefusedStep, UsageError
from curation.work.inbox import Letter
from db.connection import storable, transaction
from db.dialogues import Dialogues
from db.log import Log
from db.people import People
from db.replay import project, record

LONGEST = 2000  # characters of a comment
# Decided by both, or closed by the lead: nothing is hidden from anyone any more.
_OPEN = "t.stage NOT IN ('imported', 'candidate', 'rejected')"
_COMMENTS = f"""
SELECT c.origin || ':' || c.number, 'comment', d.uid, d.external_id, c.writer, c.reader, p.text, c.at, c.answers, '', NULL
FROM comment c JOIN dialogue d ON d.id = c.dialogue JOIN payload p ON p.id = c.payload
JOIN state t ON t.dialogue = c.dialogue WHERE (c.reader = ?1 AND {_OPEN}) OR c.writer = ?1
"""
_RULINGS = f"""
SELECT r.origin || ':' || r.number, 'ruling', d.uid, d.external_id, r.person, b.person, p.text, e.at, '',
    iif(r.keep, r.situation, ''), iif(b.keep, b.situation, '')
FROM ruling r JOIN blind b ON b.dialogue = r.dialogue AND b.person = ?1 JOIN dialogue d ON d.id = r.dialogue
JOIN payload p ON p.id = r.payload JOIN event e ON e.origin = r.origin AND e.number = r.number
JOIN state t ON t.dialogue = r.dialogue WHERE r.person <> ?1 AND {_OPEN}
"""
_ANSWERS = f"""
SELECT r.origin || ':' || r.number, 'answer', d.uid, d.external_id, r.resolver, r.person, p.text, r.resolved, '',
    r.outcome, NULL
FROM raised r JOIN dialogue d ON d.id = r.dialogue JOIN payload p ON p.id = r.answer
JOIN state t ON t.dialogue = r.dialogue WHERE r.person = ?1 AND r.outcome = 'answered' AND r.answer > 0
    AND r.resolver <> ?1 AND {_OPEN}
"""


class Inbox:
    """The inboxes of one project."""

    def __init__(self, connection: sqlite3.Connection, log: Log, people: People, dialogues: Dialogues) -> None:
        self._db = connection
        self._log = log
        self._people = people
        self._dialogues = dialogues

    def letters(self, person: str, *, unread: bool = False) -> list[Letter]:
        """What came to someone, and what they wrote, newest first; `unread` leaves out what was read and sent."""
        self._people.get(person)
        read = {ref for (ref,) in self._db.execute("SELECT ref FROM was_read WHERE person = ?", (person,))}
        found = []
        for query in (_COMMENTS, _RULINGS, _ANSWERS):
            for ref, kind, uid, name, writer, reader, text, at, answers, outcome, mine in self._db.execute(
                query, (person,)
            ):
                sent = writer == person
                found.append(
                    Letter(
                        ref, kind, uid, name, writer, reader, _words(text), at, sent or ref in read, answers, outcome,
                        mine, sent,
                    )
                )  # fmt: skip
        found.sort(key=lambda one: (one.at, one.ref), reverse=True)
        return [one for one in found if not one.read] if unread else found

    def unread(self, person: str) -> int:
        """How much someone has not read."""
        return len(self.letters(person, unread=True))

    def read(self, person: str, refs: list[str]) -> int:
        """Note that someone has read these. Returns how many were new to them. Raises NotFound for none of theirs."""
        with transaction(self._db):
            letters = {one.ref: one for one in self.letters(person)}
            for ref in refs:
                if ref not in letters:
                    raise NotFound(N_("there is nothing called {ref} in this inbox"), code="no_letter", ref=ref)
            new = [ref for ref in dict.fromkeys(refs) if not letters[ref].read]
            if new:
                project(self._db, self._log.append_bare("was_read", person, {"refs": new}))
        return len(new)

    def say(self, by: str, uid: str, to: str, text: str) -> str:
        """The lead's comment on a dialogue to someone who has it, or who decided on it. Returns its reference."""
        person = self._people.find(by)
        if person is not None and not person.retired and not self._people.curates(by):
            raise RefusedStep(
                N_("the lead writes first; a comment that came to you can be replied to"), code="not_a_curator"
            )
        self._people.must_curate(by)
        self._people.get(to)
        key = self._dialogues.key(uid)
        known = self._db.execute(
            "SELECT EXISTS (SELECT 1 FROM assignment WHERE dialogue = ?1 AND person = ?2)"
            " OR EXISTS (SELECT 1 FROM blind WHERE dialogue = ?1 AND person = ?2)"
            " OR EXISTS (SELECT 1 FROM comment WHERE dialogue = ?1 AND writer = ?2)",
            (key, to),
        ).fetchone()[0]
        if not known:
            raise RefusedStep(N_("{name} has nothing to do with this dialogue"), code="not_theirs", name=to)
        return self._write(by, key, uid, to, text, "")

    def reply(self, by: str, ref: str, text: str) -> str:
        """Answer something that came. Returns the reference of the reply."""
        letter = next((one for one in self.letters(by) if one.ref == ref), None)
        if letter is None:
            raise NotFound(N_("there is nothing called {ref} in this inbox"), code="no_letter", ref=ref)
        to = letter.reader if letter.sent else letter.writer
        with transaction(self._db):
            if not letter.read:
                self.read(by, [ref])
            return self._write(by, self._dialogues.key(letter.uid), letter.uid, to, text, ref)

    def _write(self, by: str, key: int, uid: str, to: str, text: str, answers: str) -> str:
        if not text.strip() or not storable(text) or len(text) > LONGEST:
            raise UsageError(N_("a comment has 1 to {most} characters"), most=LONGEST)
        if self._people.get(to).retired:
            raise RefusedStep(N_("{name} has left the project"), code="retired", name=to)
        body: dict[str, object] = {"dialogue": uid, "to": to, **({"answers": answers} if answers else {})}
        with transaction(self._db):
            return record(self._db, self._log, "commented", by, key, body, {"text": text}).ref


def _words(text: str | None) -> str:
    """What the payload of a comment, a ruling or an answer says; "" when it was destroyed."""
    if text is None:
        return ""
    value = json.loads(text)
    return str(value.get("text") or value.get("rationale") or value.get("note") or value.get("answer") or "")
