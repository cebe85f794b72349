"""Equal values over the dialogues of a project, however they are written."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from curation.identifiers.equal import Value
from curation.identifiers.reviewing import Mark, Shown, shown
from db.dialogues import Dialogues
from db.findings import Findings


class Equals:
    """Looks for a value in the dialogues agreed on. Nothing is detected anew for it."""

    def __init__(self, connection: sqlite3.Connection, dialogues: Dialogues, findings: Findings) -> None:
        self._db = connection
        self._dialogues = dialogues
        self._findings = findings

    def value(self, key: int, one: Shown) -> Value:
        """The value of a finding."""
        text = self._dialogues.by_key(key).dialogue.messages[one.message].text
        return Value(one.type, text[one.start : one.end])

    def marks(self, value: Value, accept: bool, keys: Iterable[int] | None = None) -> dict[int, list[Mark]]:
        """The decisions that make every equal value accepted or rejected, by dialogue; all agreed ones without `keys`.

        What is decided so already is left out. Accepting takes in places nobody found that touch no other finding.
        """
        found = {}
        for key in self._may_hold(value) if keys is None else keys:
            made = self._of(key, value, accept)
            if made:
                found[key] = made
        return found

    def _of(self, key: int, value: Value, accept: bool) -> list[Mark]:
        stored = self._dialogues.by_key(key)
        if stored.purged:
            return []
        messages = stored.dialogue.messages
        spans = self._spans(key)
        wanted = "accepted" if accept else "rejected"
        marks = []
        for one in spans:
            if not value.equals(one.type, messages[one.message].text[one.start : one.end]):
                continue
            if one.state != wanted or (accept and one.type != value.kind):
                marks.append(one.mark(accept, value.kind if accept else ""))
        if accept:
            for message, start, end in value.places([m.text for m in messages]):
                if not any(_touches(s, message, start, end) for s in spans) and not any(
                    _touches(m, message, start, end) for m in marks
                ):
                    marks.append(Mark(message, start, end, value.kind, True))
        return marks

    def _spans(self, key: int) -> Sequence[Shown]:
        dialogue = self._dialogues.by_key(key).dialogue
        return shown(self._findings.marks(key), self._findings.proposed(key, dialogue))

    def count(self, value: Value) -> tuple[int, int]:
        """How many places of how many dialogues agreed on hold it."""
        places = dialogues = 0
        for key in self._may_hold(value):
            stored = self._dialogues.by_key(key)
            if stored.purged:
                continue
            messages = stored.dialogue.messages
            here = {
                (s.message, s.start, s.end)
                for s in self._spans(key)
                if value.equals(s.type, messages[s.message].text[s.start : s.end])
            }
            for message, start, end in value.places([m.text for m in messages]):
                if not any(m == message and s < end and start < e for m, s, e in here):
                    here.add((message, start, end))
            places += len(here)
            dialogues += bool(here)
        return places, dialogues

    def _may_hold(self, value: Value) -> list[int]:
        """The agreed dialogues that have a finding of its type or show the value as it is written plainly."""
        rows = self._db.execute(
            "SELECT d.id, p.text, EXISTS (SELECT 1 FROM proposal x WHERE x.dialogue = d.id AND x.type = ?1)"
            " OR EXISTS (SELECT 1 FROM finding x WHERE x.dialogue = d.id AND x.type = ?1)"
            " FROM state t JOIN dialogue d ON d.id = t.dialogue JOIN payload p ON p.id = d.payload"
            " WHERE t.stage = 'agreed' AND d.current = 1 ORDER BY d.id",
            (value.kind,),
        )
        plain = json.dumps(value.folded, ensure_ascii=False)[1:-1]
        return [key for key, text, typed in rows if text is not None and (typed or plain in text.lower())]

    def approved_with(self, value: Value) -> list[int]:
        """The approved dialogues whose approved text shows it."""
        rows = self._db.execute(
            "SELECT a.dialogue, p.text FROM approval a JOIN payload p ON p.id = a.payload"
            " WHERE p.text IS NOT NULL ORDER BY a.dialogue"
        ).fetchall()
        return [key for key, text in rows if value.places([m[3] for m in json.loads(text)["messages"]])]


def _touches(one: Shown | Mark, message: int, start: int, end: int) -> bool:
    return one.message == message and one.start < end and start < one.end
