"""One dialogue laid out for quality control: raw, decided identifiers, layers, and the text as it stands. Read once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Mapping
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curation import trim as trimming
from curation.identifiers.quasi import quasi_kinds
from curation.identifiers.replace import NEWEST_POLICY, replacements
from curation.layers import Anchored, Layer, OffsetMap, Stacked, anchor, stack
from curation.work import FinalMessage, StoredDialogue
from curation.work.quality import Rewritten, Signed
from db.dialogues import Dialogues
from db.findings import Decided, Findings, texts_of
from db.reviewed import done_by, reasons, waivers_of

if TYPE_CHECKING:
    from curation.identifiers.lists import Lists
    from curation.work.review import Place


class Sheet:
    """A dialogue as the tables have it now; each part is read when first asked for, and not again."""

    def __init__(
        self,
        db: sqlite3.Connection,
        dialogues: Dialogues,
        findings: Findings,
        key: int,
        rules_off: Collection[str] = (),
    ) -> None:
        self._db = db
        self._findings = findings
        self.key = key
        self.rules_off = rules_off
        self.stored: StoredDialogue = dialogues.by_key(key)

    @cached_property
    def left(self) -> Mapping[str, Any]:
        """What is known of a purged dialogue besides its approved text (see `db.purging`); empty of any other."""
        row = self._db.execute(
            "SELECT text FROM purged JOIN payload ON payload.id = purged.payload WHERE dialogue = ?", (self.key,)
        ).fetchone()
        return {} if row is None else json.loads(row[0])

    @property
    def lists(self) -> Lists:
        """What the project knows by itself of identifiers."""
        return self._findings.lists.now

    def late(self) -> Callable[[], bool]:
        """What says whether the time for searching this dialogue, from now on, has run out."""
        return self._findings.late()

    @cached_property
    def waived(self) -> tuple[Place, ...]:
        """What a person let stand in the output, by its place in the raw text."""
        return tuple(place for place, *_ in waivers_of(self._db, self.key))

    @property
    def reviewed_by(self) -> str:
        """Who read every turn and says that its identifiers are settled, as it is now; "" when nobody does."""
        return done_by(self._db, self.key)

    def review_matters(self, *, sign_off: bool) -> list[str]:
        """What the review has against approving it (codes); `sign_off`: a second person has to sign."""
        return reasons(self._db, self.key, sign_off=sign_off)

    @cached_property
    def decided(self) -> tuple[Decided, ...]:
        """The decided identifiers, in order."""
        return self._findings.decided(self.key)

    @cached_property
    def quasi(self) -> tuple[str, ...]:
        """The kinds of quasi-identifier that were found and accepted in what is kept, in alphabetical order."""
        if self.stored.purged:
            return tuple(self.left.get("quasi", ()))
        messages, kept = self.stored.dialogue.messages, set(self.kept)
        found = [d.finding(messages[d.message].text) for d in self.decided if d.accepted and d.message in kept]
        return tuple(sorted(quasi_kinds(found))) if found else ()

    @cached_property
    def policy(self) -> str:
        """The replacement policy in force: the newest that an accepted identifier was decided under."""
        if self.stored.purged:
            return str(self.left.get("policy", NEWEST_POLICY))
        return max((d.policy for d in self.decided if d.accepted), default=NEWEST_POLICY)

    @cached_property
    def scrubbed(self) -> list[Stacked]:
        """Every raw message with the accepted identifiers replaced, and nothing above that."""
        messages = self.stored.dialogue.messages
        accepted = [d.finding(messages[d.message].text) for d in self.decided if d.accepted]
        edits = {}
        if accepted:
            key = self._findings.key_of(self.stored.uid)
            edits = replacements(texts_of(self.stored.dialogue), accepted, key=key, policy=self.policy)
        return [
            stack(m.text, [(Layer.SCRUBBED, anchor(m.text, edits.get(i, ()), OffsetMap(())))])
            for i, m in enumerate(messages)
        ]

    @cached_property
    def layers(self) -> list[Stacked]:
        """Every raw message through all its layers."""
        made = self.normalised
        standing = {i: tuple(a for a in kept if not self.why_not(i, a)) for i, kept in made.items()}
        written: dict[int, list[tuple[Layer, tuple[Anchored, ...]]]] = {}
        for one in self.rewritings:
            written.setdefault(one.message, []).append((Layer.EDITED, one.edits))
        result = []
        for index, low in enumerate(self.scrubbed):
            text = low.texts[Layer.RAW]
            lowest = anchor(text, low.edits[Layer.SCRUBBED], OffsetMap(()))
            above = written.get(index, [(Layer.EDITED, ())])
            result.append(stack(text, [(Layer.SCRUBBED, lowest), (Layer.NORMALISED, standing.get(index, ())), *above]))
        return result

    @cached_property
    def rewritings(self) -> tuple[Rewritten, ...]:
        """The rewritings that stand, each over those before it. One whose text was purged has no edits."""
        rows = self._db.execute(
            "SELECT r.origin || ':' || r.number, r.message, r.reason, r.share, r.found, r.person, r.at, p.text"
            " FROM rewriting r JOIN payload p ON p.id = r.payload WHERE r.dialogue = ? ORDER BY r.place",
            (self.key,),
        ).fetchall()
        return tuple(
            Rewritten(ref, message, reason, share, tuple(found.split()), person, at, _edits(text))
            for ref, message, reason, share, found, person, at, text in rows
        )

    @cached_property
    def signatures(self) -> dict[int, Signed]:
        """Who signed which rewritten message, and what its text was then."""
        rows = self._db.execute(
            "SELECT s.message, s.person, s.at, p.text FROM rewriting_signed s JOIN payload p ON p.id = s.payload"
            " WHERE s.dialogue = ?",
            (self.key,),
        ).fetchall()
        return {m: Signed(m, person, at, json.loads(text)["text"] if text else "") for m, person, at, text in rows}

    def rewritten(self, one: Rewritten) -> Sheet:
        """The same sheet with one rewriting more, to look at; nothing is stored."""
        other = copy(self)
        other.__dict__.pop("layers", None)
        other.__dict__.pop("final", None)
        other.__dict__["rewritings"] = (*self.rewritings, one)
        return other

    @cached_property
    def normalised(self) -> dict[int, tuple[Anchored, ...]]:
        """The edits that normalising made, by message, those that were taken back among them."""
        value = self.stored_layer(Layer.NORMALISED)
        edits = value["edits"] if value else {}
        return {int(index): tuple(Anchored(*one) for one in kept) for index, kept in edits.items()}

    @cached_property
    def edits_taken_back(self) -> list[tuple[int, int, int]]:
        """Where a person took edits back: (message, start, end) in the raw text."""
        return self._db.execute(
            "SELECT message, start, end FROM edit_taken_back WHERE dialogue = ? ORDER BY message, start", (self.key,)
        ).fetchall()

    @cached_property
    def rules_taken_back(self) -> frozenset[str]:
        """The rules that a person took back for this dialogue."""
        rows = self._db.execute("SELECT rule FROM rule_taken_back WHERE dialogue = ?", (self.key,)).fetchall()
        return frozenset(rule for (rule,) in rows)

    def why_not(self, message: int, edit: Anchored) -> str:
        """Why an edit of the normalised layer does not stand: `edit`, `rule`, `project`, or "" when it does.

        What was taken back is left out here and stays in the stored layer: undoing that gives the edit back, and
        normalising again, which makes the same edits, does not.
        """
        if any(m == message and s < edit.end and edit.start < e for m, s, e in self.edits_taken_back):
            return "edit"
        rules = edit.rule.split("+")
        if any(rule in self.rules_taken_back for rule in rules):
            return "rule"
        return "project" if any(rule in self.rules_off for rule in rules) else ""

    def stored_layer(self, layer: Layer) -> dict[str, Any] | None:
        """The edits of a layer as they are stored, or None when it was never made."""
        row = self._db.execute(
            "SELECT text FROM layer JOIN payload ON payload.id = layer.payload WHERE dialogue = ? AND layer = ?",
            (self.key, layer.value),
        ).fetchone()
        return None if row is None or row[0] is None else json.loads(row[0])

    def layer_version(self, layer: Layer) -> str:
        """The version of the rules that made a layer; empty when it was never made."""
        row = self._db.execute(
            "SELECT version FROM layer WHERE dialogue = ? AND layer = ?", (self.key, layer.value)
        ).fetchone()
        return "" if row is None else str(row[0])

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
    def approved(self) -> list[FinalMessage]:
        """The text that was approved; empty when none is."""
        row = self._db.execute(
            "SELECT text FROM approval JOIN payload ON payload.id = approval.payload WHERE dialogue = ?", (self.key,)
        ).fetchone()
        return [] if row is None else [FinalMessage(*one) for one in json.loads(row[0])["messages"]]

    @cached_property
    def final(self) -> list[FinalMessage]:
        """The text as it stands now: the top layer of the messages that are kept."""
        if self.stored.purged:
            return self.approved
        dialogue = self.stored.dialogue
        turn_of = {i: turn.number for turn in dialogue.turns for i in turn.messages}
        return [
            FinalMessage(i, turn_of[i], dialogue.party(dialogue.messages[i]).value, self.layers[i].texts[Layer.EDITED])
            for i in self.kept
            if i in turn_of
        ]


def _edits(text: str | None) -> tuple[Anchored, ...]:
    return () if text is None else tuple(Anchored(*one) for one in json.loads(text)["edits"])
