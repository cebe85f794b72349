"""Why quality control sent a dialogue back, for those who decide it again.

The note was written by someone who saw the text as it is. Whoever sees the dialogue masked sees the note masked too: what is
masked of the dialogue is masked in it wherever it stands, and so is what reads like an identifier in the note itself.
"""

from __future__ import annotations

import json
import sqlite3

from curation.identifiers.masks import mask_words
from curation.work.disputes import SentBackNote
from db.dialogues import Dialogues
from db.findings import Findings

_KEPT = 64  # covered notes that are not covered anew each time the desk looks whether anything changed


class SentBackNotes:
    """The notes of one project."""

    def __init__(self, connection: sqlite3.Connection, dialogues: Dialogues, findings: Findings) -> None:
        self._db = connection
        self._dialogues = dialogues
        self._findings = findings
        self._covered: dict[tuple[object, ...], str | None] = {}

    def of(self, key: int, *, masked: bool) -> SentBackNote | None:
        """The last note on a dialogue; None where it was not sent back, or that was taken back.

        Its text is "" once the originals were destroyed, and None where it could not be searched for identifiers.
        """
        row = self._db.execute(
            "SELECT s.person, s.at, p.text FROM sent_back s JOIN payload p ON p.id = s.payload WHERE s.dialogue = ?",
            (key,),
        ).fetchone()
        if row is None:
            return None
        person, at, text = row
        words = str(json.loads(text).get("note", "")) if text else ""
        return SentBackNote(person, at, self._cover(key, words) if masked and words else words)

    def _cover(self, key: int, words: str) -> str | None:
        texts = [message.text for message in self._dialogues.by_key(key).dialogue.messages]
        known = tuple(sorted({(texts[at][start:end], kind) for at, start, end, kind in self._findings.spans(key)}))
        lists = self._findings.lists
        wanted = (words, known, lists.fingerprint)
        if wanted not in self._covered:
            if len(self._covered) >= _KEPT:
                self._covered.clear()
            self._covered[wanted] = mask_words(words, known, lists.now)
        return self._covered[wanted]
