"""The text of one dialogue as it was and as it is: what normalising changed, and taking that back.

Taking back is an event: of one edit, or of a rule for one dialogue; of a rule for the whole project it is a change of
the settings (`Project.change_settings`). The stored edits stay (see `Sheet.why_not`), so that an undo gives them back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from curation.errors import N_, RefusedStep, UsageError
from curation.layers import Layer
from curation.normalise import NORMALISER_VERSION, RULES
from curation.stages import Stage
from curation.work import TextEdit, TextMessage, TextPage
from db.connection import transaction
from db.curating import must_curate
from db.dialogues import Dialogues
from db.findings import Findings
from db.log import Log
from db.quality import Quality
from db.replay import project
from db.sheet import Sheet


class Texts:
    """The texts of one project, for people who look them over."""

    def __init__(
        self, connection: sqlite3.Connection, log: Log, dialogues: Dialogues, findings: Findings, quality: Quality
    ) -> None:
        self._db = connection
        self._log = log
        self._dialogues = dialogues
        self._findings = findings
        self._quality = quality

    # -- looking

    def page(self, uid: str) -> TextPage:
        """One dialogue, message by message."""
        key = self._dialogues.key(uid)
        sheet = self._quality.sheet(key)
        dialogue = sheet.stored.dialogue
        turn_of = {i: turn.number for turn in dialogue.turns for i in turn.messages}
        messages = []
        for index, message in enumerate(dialogue.messages):
            texts = sheet.layers[index].texts
            edits, misfits = _edits(sheet, index)
            messages.append(
                TextMessage(
                    turn_of.get(index, 0),
                    dialogue.party(message),
                    message.speaker,
                    texts[Layer.SCRUBBED],
                    texts[Layer.NORMALISED],
                    edits,
                    index in sheet.kept,
                    misfits,
                )
            )
        agreed = sheet.stored.stage is Stage.AGREED
        before, count = self._db.execute(
            f"SELECT count(*) FILTER (WHERE d.id <= ?), count(*) {_AGREED}", (key,)
        ).fetchone()
        normalised = sheet.stored_layer(Layer.NORMALISED) is not None
        return TextPage(sheet.stored, tuple(messages), normalised, before if agreed else 0, count)

    def first(self) -> str | None:
        """The first agreed dialogue (its uid), or None."""
        row = self._db.execute(f"SELECT d.uid {_AGREED} ORDER BY d.id LIMIT 1").fetchone()
        return None if row is None else str(row[0])

    def step(self, uid: str, direction: int) -> str | None:
        """The next agreed dialogue after this one (`direction` 1) or before it (-1), or None at the end."""
        side, order = (">", "ASC") if direction > 0 else ("<", "DESC")
        row = self._db.execute(
            f"SELECT d.uid {_AGREED} AND d.id {side} ? ORDER BY d.id {order} LIMIT 1", (self._dialogues.key(uid),)
        ).fetchone()
        return None if row is None else str(row[0])

    def reviewed(self, uid: str) -> bool:
        """Whether the identifiers of a dialogue were looked for and all decided on: then others may read its text."""
        key = self._dialogues.key(uid)
        return not self._findings.undecided(key) and not self._findings.failure(key)

    # -- taking back

    def take_back(self, uid: str, by: str, message: int, start: int, end: int) -> None:
        """Take back the edit of the normalised layer that is kept by this range of a message's raw text.

        Refused when no edit stands there.
        """
        must_curate(self._db, by)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            sheet = self._quality.sheet(key)
            found = [a for a in sheet.normalised.get(message, ()) if (a.start, a.end) == (start, end)]
            if not found or sheet.why_not(message, found[0]):
                raise RefusedStep(N_("no edit stands there that could be taken back"), code="no_edit")
            value = {"message": message, "start": start, "end": end}
            self._tell("edit_taken_back", by, {"dialogue": uid, "rule": found[0].rule, **value}, key, value)

    def take_back_rule(self, uid: str, by: str, rule: str) -> int:
        """Take back what a rule of normalisation did in one dialogue, now and whenever it is normalised again.

        Returns how many edits that takes away; 0 also when the rule was taken back before.
        """
        must_curate(self._db, by)
        if rule not in RULES:
            raise UsageError(N_("there is no rule {rule}; the rules are {known}"), rule=rule, known=", ".join(RULES))
        key = self._dialogues.key(uid)
        with transaction(self._db):
            sheet = self._quality.sheet(key)
            if sheet.stored_layer(Layer.NORMALISED) is None:
                raise RefusedStep(N_("this dialogue was not normalised yet"), code="not_normalised")
            if rule in sheet.rules_taken_back:
                return 0
            standing = [a for n, kept in sheet.normalised.items() for a in kept if not sheet.why_not(n, a)]
            body = {"dialogue": uid, "rule": rule, "version": NORMALISER_VERSION}
            self._tell("rule_taken_back", by, {**body}, key, {"rule": rule})
        return sum(rule in a.rule.split("+") for a in standing)

    def _tell(self, kind: str, by: str, body: dict[str, object], key: int, value: Mapping[str, object]) -> None:
        event = self._log.append(kind, by, body, entries=[(key, value)])
        project(self._db, event, [(key, 0, value)])


_AGREED = "FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE t.stage = 'agreed' AND d.current = 1"


def _edits(sheet: Sheet, index: int) -> tuple[tuple[TextEdit, ...], int]:
    """The stored edits of a message in offsets of its scrubbed text, and how many no longer fit that."""
    one = sheet.scrubbed[index]
    was, base = one.texts[Layer.SCRUBBED], one.maps[Layer.SCRUBBED]
    edits: list[TextEdit] = []
    misfits = 0
    for kept in sheet.normalised.get(index, ()):
        start, end = base.up(kept.start, kept.end)
        # The same question that `layers.stack` asks.
        fits = was[start:end] == kept.below and base.down(start, end) == (kept.start, kept.end)
        if not fits or (edits and start < edits[-1].end):
            misfits += 1
            continue
        why = sheet.why_not(index, kept)
        edits.append(
            TextEdit(index, start, end, was[start:end], kept.replacement, kept.rule, (kept.start, kept.end), why)
        )
    return tuple(edits), misfits
