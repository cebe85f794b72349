"""Tells how the text of a dialogue came about, from the log and the layers as they are now."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

from curation.layers import Anchored, Layer, Round
from curation.trim import counted, kept_messages
from curation.work.story import Approval, Change, CutStory, MessageStory, Story
from db.dialogues import Dialogues
from db.log import Event, Log
from db.quality import Quality
from db.sheet import Sheet

Ended = tuple[str, str]  # who took something back, and when
_NOT: Ended = ("", "")


class Stories:
    """The stories of one project."""

    def __init__(self, connection: sqlite3.Connection, log: Log, dialogues: Dialogues, quality: Quality) -> None:
        self._db = connection
        self._log = log
        self._dialogues = dialogues
        self._quality = quality

    def of(self, uid: str) -> Story:
        """The story of one dialogue. Holds raw text: for curators."""
        key = self._dialogues.key(uid)
        sheet = self._quality.sheet(key)
        if sheet.stored.purged:
            return Story()
        events = self._log.about(key)
        ended = self._ended(events)
        said = {event.ref: self._said(event, key) for event in events if event.kind in _TOLD}
        by_ref = {event.ref: event for event in events}
        turn_of = {i: turn.number for turn in sheet.stored.dialogue.turns for i in turn.messages}
        messages = []
        for index, message in enumerate(sheet.stored.dialogue.messages):
            changes = (
                *self._identifiers(sheet, index, by_ref),
                *self._normalised(sheet, index, by_ref),
                *_rewritten(sheet, index),
                *_undone(index, events, ended, said),
            )
            now = sheet.layers[index].texts[Layer.EDITED]
            messages.append(
                MessageStory(
                    index, turn_of.get(index, 0), message.speaker, message.text, now, index in sheet.kept, changes
                )
            )
        return Story(
            tuple(_cuts(sheet, events, ended, said)), tuple(messages), tuple(self._approvals(key, events, ended, said))
        )

    def _ended(self, events: list[Event]) -> dict[str, Ended]:
        """The events that were taken back and still are: by whom and when."""
        undone = self._log.undone()
        result: dict[str, Ended] = {}
        for event in events:
            if event.kind == "undone" and (event.origin, event.number) not in undone:
                origin, number = event.body["event"]
                result[f"{origin}:{number}"] = (event.by, event.at)
        return result

    def _said(self, event: Event, key: int) -> dict[str, Any]:
        row = self._db.execute(
            "SELECT text FROM entry JOIN payload ON payload.id = entry.payload"
            " WHERE origin = ? AND number = ? AND dialogue = ?",
            (event.origin, event.number, key),
        ).fetchone()
        return {} if row is None or row[0] is None else json.loads(row[0])

    # -- what machines and decisions changed

    def _identifiers(self, sheet: Sheet, index: int, events: dict[str, Event]) -> Iterator[Change]:
        raw = sheet.stored.dialogue.messages[index].text
        edits = sheet.layers[index].rounds[0].edits
        for start, end, kind, accepted, origin, number in self._db.execute(
            "SELECT start, end, type, accepted, origin, number FROM finding WHERE dialogue = ? AND message = ?"
            " ORDER BY start",
            (sheet.key, index),
        ):
            event = events.get(f"{origin}:{number}")
            by, at, ref = (event.by, event.at, event.ref) if event else ("", "", "")
            within = [e for e in edits if e.start < end and start < e.end]
            if accepted and within:
                first, last = within[0].start, within[-1].end
                yield Change(Layer.SCRUBBED, raw[first:last], "".join(e.replacement for e in within), kind, by, at, ref)
            else:
                stands = "" if accepted else "rejected"
                yield Change(Layer.SCRUBBED, raw[start:end], raw[start:end], kind, by, at, ref, stands)

    def _normalised(self, sheet: Sheet, index: int, events: dict[str, Event]) -> Iterator[Change]:
        kept = sheet.normalised.get(index, ())
        if not kept:
            return
        row = self._db.execute(
            "SELECT origin || ':' || number FROM layer WHERE dialogue = ? AND layer = ?",
            (sheet.key, Layer.NORMALISED.value),
        ).fetchone()
        event = events.get(row[0]) if row else None
        by, at, ref = (event.by, event.at, event.ref) if event else ("", "", "")
        misfits = {conflict.edit for conflict in sheet.layers[index].rounds[1].conflicts}
        for one in kept:
            why = sheet.why_not(index, one) or ("misfit" if one in misfits else "")
            who, when = self._who(sheet.key, index, one, why, events)
            yield Change(Layer.NORMALISED, one.below, one.replacement, one.rule, by, at, ref, why, who, when)

    def _who(self, key: int, message: int, one: Anchored, why: str, events: dict[str, Event]) -> Ended:
        """Who took an edit of the normalised layer back."""
        row = None
        if why == "edit":
            row = self._db.execute(
                "SELECT person, origin || ':' || number FROM edit_taken_back WHERE dialogue = ? AND message = ?"
                " AND start < ? AND ? < end",
                (key, message, one.end, one.start),
            ).fetchone()
        elif why == "rule":
            marks = ", ".join("?" * len(one.rule.split("+")))
            row = self._db.execute(
                f"SELECT person, origin || ':' || number FROM rule_taken_back WHERE dialogue = ? AND rule IN ({marks})",
                (key, *one.rule.split("+")),
            ).fetchone()
        if row is None:
            return _NOT
        event = events.get(row[1])
        return row[0], event.at if event else ""

    def _approvals(
        self, key: int, events: list[Event], ended: dict[str, Ended], said: dict[str, dict[str, Any]]
    ) -> Iterator[Approval]:
        standing = {
            "approved": self._db.execute(
                "SELECT origin || ':' || number FROM approval WHERE dialogue = ?", (key,)
            ).fetchone(),
            "sent_back": self._db.execute(
                "SELECT origin || ':' || number FROM sent_back WHERE dialogue = ?", (key,)
            ).fetchone(),
        }
        for event in events:
            if event.kind in standing:
                row = standing[event.kind]
                stands = row is not None and row[0] == event.ref and event.ref not in ended
                note = str(said[event.ref].get("note", ""))
                yield Approval(event.kind, event.by, event.at, event.ref, stands, note)


# Events whose entries say something that is told.
_TOLD = frozenset({"trimmed", "edited", "approved", "sent_back"})


def _pieces(one: Round) -> tuple[str, str]:
    """What a rewriting changed, from the first to the last change of it."""
    if not one.edits:
        return "", ""
    start, end = one.edits[0].start, one.edits[-1].end
    shift = sum(e.shift for e in one.edits)
    return one.below[start:end], one.text[start : end + shift]


def _rewritten(sheet: Sheet, index: int) -> Iterator[Change]:
    mine = [one for one in sheet.rewritings if one.message == index]
    rounds = [one for one in sheet.layers[index].rounds if one.layer is Layer.EDITED]
    for one, made in zip(mine, rounds, strict=False):
        before, after = _pieces(made)
        if made.conflicts:
            edits = [conflict.edit for conflict in made.conflicts]
            before, after = " … ".join(e.below for e in edits), " … ".join(e.replacement for e in edits)
        signed = sheet.signatures.get(index)
        yield Change(
            Layer.EDITED,
            before,
            after,
            one.reason,
            one.person,
            one.at,
            one.ref,
            "misfit" if made.conflicts else "",
            share=one.share,
            signed_by=signed.person
            if signed is not None and signed.text == sheet.layers[index].texts[Layer.EDITED]
            else "",
        )


def _undone(
    index: int, events: list[Event], ended: dict[str, Ended], said: dict[str, dict[str, Any]]
) -> Iterator[Change]:
    """The rewritings of a message that were taken back."""
    for event in events:
        if event.kind == "edited" and event.ref in ended and event.body["message"] == index:
            edits = [Anchored(*one) for one in said[event.ref].get("edits", ())]
            yield Change(
                Layer.EDITED,
                " … ".join(e.below for e in edits),
                " … ".join(e.replacement for e in edits),
                str(event.body["reason"]),
                event.by,
                event.at,
                event.ref,
                "undone",
                *ended[event.ref],
                share=float(event.body["share"]),
            )


def _cuts(
    sheet: Sheet, events: list[Event], ended: dict[str, Ended], said: dict[str, dict[str, Any]]
) -> Iterator[CutStory]:
    messages = sheet.stored.dialogue.messages
    cuts = [event for event in events if event.kind == "trimmed" and said[event.ref]]
    standing = [event.ref for event in cuts if event.ref not in ended]
    for event in cuts:
        value = said[event.ref]
        first, removed = int(value["first_turn"]), tuple(value["removed"])
        yield CutStory(
            first,
            removed,
            len(sheet.stored.dialogue.turns),
            counted(messages, kept_messages(messages, first, removed)),
            event.by,
            event.at,
            event.ref,
            event.body.get("version") != "person",
            bool(standing) and event.ref == standing[-1],
            *ended.get(event.ref, _NOT),
            why={int(turn): (reason, score) for turn, (reason, score) in value.get("why", {}).items()},
        )
