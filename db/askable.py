"""The text of a dialogue as it may leave the project: what was approved, or what is agreed on, masked, where that is let."""

from __future__ import annotations

import hmac
import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from curation.identifiers import Finding
from curation.identifiers.masks import mask
from curation.layers import Layer
from curation.replies.echo import Spoken
from curation.replies.flags import language_of
from curation.stages import Stage
from curation.work import FinalMessage
from db.dialogues import Dialogues
from db.findings import Findings
from db.log import canonical
from db.quality import Quality
from db.settings import Current

# A name for a dialogue, and for what is asked: long enough that none is met by chance, short enough for a table.
NAME_BYTES = 8
HASH_BYTES = 6
_KEPT = 20_000
_APPROVED = (Stage.APPROVED.value, Stage.RELEASED.value)


@dataclass(frozen=True, slots=True)
class AskText:
    """What a prompt may hold. `rows` has index, turn, party and text of each message, as FinalMessage has them; `stage` is
    approved or agreed (then identifiers in it are masked); `hash` names it, `lang` is what most of it is written in, zh or
    en; `spoken` is what replies are held against.
    """

    rows: tuple[Sequence[Any], ...]
    stage: str
    hash: str
    lang: str
    spoken: Spoken

    @property
    def messages(self) -> tuple[FinalMessage, ...]:
        """The messages; made when somebody asks, for most texts are only held against replies."""
        return tuple(FinalMessage(*row) for row in self.rows)

    @property
    def turns(self) -> list[tuple[str, str]]:
        """(party, text) a message."""
        return [(party, text) for _, _, party, text in self.rows]


class Askable:
    """The texts of one project that may leave it, and the opaque names of what is asked about them."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        settings: Current,
        dialogues: Dialogues,
        findings: Findings,
        quality: Quality,
        secret: bytes,
    ) -> None:
        self._db = connection
        self._settings = settings
        self._dialogues = dialogues
        self._findings = findings
        self._quality = quality
        self._secret = secret
        # Approved texts by their payload, which never changes, and names by uid: they follow from nothing but the secret.
        self._known: dict[int, AskText] = {}
        self._names: dict[str, str] = {}

    def name(self, uid: str) -> str:
        """What a dialogue is called in prompts: the same in every mode, language and text of it, and telling nothing."""
        known = self._names.get(uid)
        if known is None:
            known = self._keyed("ask", uid, NAME_BYTES)
            if len(self._names) < _KEPT:
                self._names[uid] = known
        return known

    def hash(self, *parts: object) -> str:
        """A keyed hash over these parts: equal for equal parts, and of no use for guessing them."""
        return self._keyed("text", canonical(list(parts)), HASH_BYTES)

    def _keyed(self, purpose: str, text: str, length: int) -> str:
        return hmac.digest(self._secret, f"{purpose}:{text}".encode(), "sha256")[:length].hex()

    def text(self, key: int) -> AskText | None:
        """The text of one dialogue as it may leave; None when none of it may."""
        return self.texts([key]).get(key)

    def texts(self, keys: Iterable[int]) -> dict[int, AskText]:
        """The same of many; those of which nothing may leave are left out."""
        result: dict[int, AskText] = {}
        lenient = self._settings.now.prompt_stage == Stage.AGREED.value
        # Whether the text is still there is asked each time; what it says is read only where it is not known.
        found = self._db.execute(
            "SELECT t.dialogue, t.stage, p.id FROM state t LEFT JOIN approval a ON a.dialogue = t.dialogue"
            " LEFT JOIN payload p ON p.id = a.payload AND p.text IS NOT NULL"
            " WHERE t.dialogue IN (SELECT value FROM json_each(?)) ORDER BY t.dialogue",
            (json.dumps(sorted(set(keys))),),
        ).fetchall()
        approved = self._approved(
            [payload for _, stage, payload in found if stage in _APPROVED and payload is not None]
        )
        for key, stage, payload in found:
            if stage in _APPROVED and payload in approved:
                result[key] = approved[payload]
            elif stage == Stage.AGREED.value and lenient:
                masked = self._masked(key)
                if masked is not None:
                    rows = [(m.index, m.turn, m.party, m.text) for m in masked]
                    result[key] = self._made(rows, Stage.AGREED.value)
        return result

    def _approved(self, payloads: Sequence[int]) -> dict[int, AskText]:
        """The approved texts that these payloads hold."""
        found = {payload: self._known[payload] for payload in payloads if payload in self._known}
        missing = [payload for payload in payloads if payload not in found]
        if missing:
            rows = self._db.execute(
                "SELECT id, text FROM payload WHERE id IN (SELECT value FROM json_each(?)) AND text IS NOT NULL",
                (json.dumps(missing),),
            )
            for payload, text in rows:
                found[payload] = self._made(json.loads(text)["messages"], Stage.APPROVED.value)
                if len(self._known) < _KEPT:
                    self._known[payload] = found[payload]
        return found

    def _made(self, rows: Iterable[Sequence[Any]], stage: str) -> AskText:
        rows = tuple(rows)
        spoken = Spoken([text for _, _, _, text in rows])
        hashed = self.hash("text", [[party, text] for _, _, party, text in rows])
        return AskText(rows, stage, hashed, language_of(spoken.texts), spoken)

    def _masked(self, key: int) -> tuple[FinalMessage, ...] | None:
        """The text as it stands, what was accepted replaced and what nobody decided masked. None when it was not scanned."""
        open_ = self._findings.undecided(key)
        if self._findings.failure(key):
            return None
        sheet = self._quality.sheet(key)
        result = []
        for message in sheet.final:
            found = []
            for one in open_:
                if one.message == message.index:
                    start, end = sheet.layers[message.index].maps[Layer.EDITED].up(one.start, one.end)
                    text = message.text[start:end]
                    found.append(Finding(one.message, start, end, one.type, text, one.score, one.rule))
            result.append(
                FinalMessage(
                    message.index, message.turn, message.party, mask(message.text, found) if found else message.text
                )
            )
        return tuple(result)
