"""Finding text in dialogues: any substring, at the layer asked for."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from curation.layers import Layer
from curation.work import StoredDialogue
from db.connection import storable
from db.dialogues import Dialogues
from db.findings import Findings
from db.quality import Quality


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where the text was found: message index from 0, offsets into that message's text at the layer."""

    stored: StoredDialogue
    message: int
    start: int
    end: int
    text: str
    masked: tuple[tuple[int, int, int, str], ...] = ()


class Search:
    """Search over one project. The text searched for is plain: no character in it has a meaning of its own."""

    def __init__(
        self, connection: sqlite3.Connection, dialogues: Dialogues, findings: Findings, quality: Quality
    ) -> None:
        self._db = connection
        self._dialogues = dialogues
        self._findings = findings
        self._quality = quality

    def find(self, text: str, *, layer: Layer = Layer.RAW, limit: int = 0) -> Iterator[Hit]:
        """Every occurrence of `text`, in order of arrival; `limit` 0 means all.

        A scan of stored texts: JSON spells some characters otherwise, so the scan looks for the text as JSON spells it
        and each find is confirmed on the decoded message.
        """
        if not text or not storable(text):
            return
        spelled = json.dumps(text, ensure_ascii=False)[1:-1]
        # Layers above raw can hold what raw does not, so only a raw search may skip by the raw text.
        where = (
            "WHERE instr(p.text, ?1) > 0 AND d.current = 1" if layer is Layer.RAW else "WHERE d.current = 1 OR ?1 = ''"
        )
        keys = self._db.execute(
            f"SELECT d.id FROM dialogue d JOIN payload p ON p.id = d.payload {where} ORDER BY d.id",
            (spelled,),
        ).fetchall()
        found = 0
        for (key,) in keys:
            stored = self._dialogues.by_key(key)
            for index, message in enumerate(self._quality.texts(key, layer)):
                at = message.find(text)
                while at >= 0:
                    yield Hit(stored, index, at, at + len(text), message, self._masked(key, layer))
                    found += 1
                    if limit and found >= limit:
                        return
                    at = message.find(text, at + len(text))

    def _masked(self, key: int, layer: Layer) -> tuple[tuple[int, int, int, str], ...]:
        return self._findings.spans(key) if layer is Layer.RAW else ()
