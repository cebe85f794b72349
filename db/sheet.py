"""One dialogue laid out for quality control: raw, decided identifiers, layers, and the text as it stands. Read once."""

from __future__ import annotations

import json
import sqlite3
from functools import cached_property
from typing import Any

from curation import trim as trimming
from curation.identifiers.replace import replacements
from curation.layers import Anchored, Layer, OffsetMap, Stacked, anchor, stack
from curation.work import FinalMessage, StoredDialogue
from db.dialogues import Dialogues
from db.findings import Decided, Findings, texts_of


class Sheet:
    """A dialogue as the tables have it now; each part is read when first asked for, and not again."""

    def __init__(self, db: sqlite3.Connection, dialogues: Dialogues, findings: Findings, key: int) -> None:
        self._db = db
        self._findings = findings
        self.key = key
        self.stored: StoredDialogue = dialogues.by_key(key)

    @cached_property
    def decided(self) -> tuple[Decided, ...]:
        """The decided identifiers, in order."""
        return self._findings.decided(self.key)

    @cached_property
    def scrubbed(self) -> list[Stacked]:
        """Every raw message with the accepted identifiers replaced, and nothing above that."""
        messages = self.stored.dialogue.messages
        accepted = [d.finding(messages[d.message].text) for d in self.decided if d.accepted]
        edits = replacements(texts_of(self.stored.dialogue), accepted) if accepted else {}
        return [
            stack(m.text, [(Layer.SCRUBBED, anchor(m.text, edits.get(i, ()), OffsetMap(())))])
            for i, m in enumerate(messages)
        ]

    @cached_property
    def layers(self) -> list[Stacked]:
        """Every raw message through all its layers."""
        above = [(layer, self._kept(layer)) for layer in (Layer.NORMALISED, Layer.EDITED)]
        result = []
        for index, low in enumerate(self.scrubbed):
            text = low.texts[Layer.RAW]
            lowest = anchor(text, low.edits[Layer.SCRUBBED], OffsetMap(()))
            result.append(stack(text, [(Layer.SCRUBBED, lowest), *((n, k.get(index, ())) for n, k in above)]))
        return result

    def _kept(self, layer: Layer) -> dict[int, tuple[Anchored, ...]]:
        value = self.stored_layer(layer)
        edits = value["edits"] if value else {}
        return {int(index): tuple(Anchored(*one) for one in kept) for index, kept in edits.items()}

    def stored_layer(self, layer: Layer) -> dict[str, Any] | None:
        """The edits of a layer as they are stored, or None when it was never made."""
        row = self._db.execute(
            "SELECT text FROM layer JOIN payload ON payload.id = layer.payload WHERE dialogue = ? AND layer = ?",
            (self.key, layer.value),
        ).fetchone()
        return None if row is None or row[0] is None else json.loads(row[0])

    @cached_property
    def trim(self) -> dict[str, object] | None:
        """The decided trim (`first_turn`, `removed`), or None."""
        row = self._db.execute("SELECT first_turn, removed FROM trim WHERE dialogue = ?", (self.key,)).fetchone()
        return None if row is None else {"first_turn": row[0], "removed": json.loads(row[1])}

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """The indices of the raw messages that trimming keeps."""
        messages = self.stored.dialogue.messages
        row = self._db.execute("SELECT first_turn, removed FROM trim WHERE dialogue = ?", (self.key,)).fetchone()
        if row is None:
            return tuple(range(len(messages)))
        return trimming.kept_messages(messages, row[0], json.loads(row[1]))

    @cached_property
    def final(self) -> list[FinalMessage]:
        """The text as it stands now: the top layer of the messages that are kept."""
        dialogue = self.stored.dialogue
        turn_of = {i: turn.number for turn in dialogue.turns for i in turn.messages}
        return [
            FinalMessage(i, turn_of[i], dialogue.party(dialogue.messages[i]).value, self.layers[i].texts[Layer.EDITED])
            for i in self.kept
            if i in turn_of
        ]
