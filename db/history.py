"""The log as people read it: who did what, what of it still stands, and what the blind still hides."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from curation.errors import N_, NotFound, RefusedStep, UsageError
from curation.layers import Layer
from curation.settings import Settings
from curation.stages import Stage
from curation.work import Answer, DialectTag, FinalMessage, LogLine, StoredDialogue
from curation.work.disputes import Statement
from db import settings
from db.connection import storable, transaction
from db.curating import curates, must_curate
from db.dialects import Dialects
from db.dialogues import Dialogues
from db.findings import Decided, Findings
from db.following import OUTLIVES
from db.log import Event, Log
from db.quality import Quality
from db.replay import reproject
from db.sealing import rounds_wait, scoring_hides, still_scored
from db.standing import stands

# What a person may take back by its reference. Screening has its own undo, which knows when the blind ends.
_UNDOABLE = frozenset(
    {
        "finding",
        "scrubbed",
        "normalised",
        "edited",
        "edit_signed",
        "sent_back",
        "trimmed",
        "approved",
        "ruled",
        "resolved",
        "reopened",
        "edit_taken_back",
        "rule_taken_back",
        "dialect_told",
        "sampled",
        "answered",
        "reply_waived",
        "waived",
        "not_releasable",
        "releasable",
        "listed",
        "lists_given",
        "review_done",
        "review_signed",
        settings.KIND,
    }
)
# What the undo key of the text screen takes back.
TEXT_STEPS = ("edit_taken_back", "rule_taken_back", "dialect_told", settings.KIND)
# Where the text of a message stands that has no layers any more.
APPROVED = "approved"
_BLIND = frozenset({"screened", "skipped", "raised", "handed_back", "undone"})
# How long someone took is told to them and to a lead.
_TIMES = frozenset({"characters", "active", "idle"})


@dataclass(frozen=True, slots=True)
class MessageLife:
    """One message, layer by layer: only the layers that changed it, and whether trimming kept it."""

    index: int
    speaker: str
    texts: dict[str, str]
    edits: dict[str, tuple[tuple[int, int, str, str], ...]]
    kept: bool


@dataclass(frozen=True, slots=True)
class Life:
    """The whole life of one dialogue."""

    stored: StoredDialogue
    lines: tuple[LogLine, ...]
    findings: tuple[Decided, ...]
    undecided: int
    messages: tuple[MessageLife, ...]
    final: tuple[FinalMessage, ...]
    release_id: str
    dialect: DialectTag | None = None
    quasi: tuple[str, ...] = ()


class History:
    """Reads the log of one project for people, and takes events back."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        dialogues: Dialogues,
        findings: Findings,
        quality: Quality,
        dialects: Dialects,
    ) -> None:
        self._db = connection
        self._log = log
        self._dialogues = dialogues
        self._findings = findings
        self._quality = quality
        self._dialects = dialects
        self._waiting: frozenset[str] = frozenset()
        self._scored: frozenset[str] = frozenset()

    def lines(self, viewer: str, name: str | None = None, limit: int = 0) -> Iterator[LogLine]:
        """The log in order, oldest first; about one dialogue where `name` says so; the last `limit` of it (0: all).

        A decision that its pair has not both made is shown to the one who made it alone; for others it is sealed: that
        there is one, and nothing of what it says. So is a score while someone has the same item still to score.
        """
        about = None
        if name is None:
            events = list(self._log.events())
        else:
            about = self._dialogues.key(self._dialogues.find(name).uid)
            events = self._log.about(about)
        back = self._log.taken_back()
        names = self._names([str(e.body["dialogue"]) for e in events if "dialogue" in e.body])
        self._waiting, self._scored = rounds_wait(self._db, viewer), still_scored(self._db)
        for event in events[-limit:] if limit else events:
            left = back.get((event.origin, event.number))
            yield self._line(event, viewer, left is not None and about not in left, names)

    def _names(self, uids: list[str]) -> dict[str, tuple[str, bool]]:
        """Uid -> (external id, whether both have committed)."""
        rows = self._db.execute(
            "SELECT d.uid, d.external_id, (SELECT count(*) FROM decision x WHERE x.dialogue = d.id AND x.round = 1) = 2"
            f" FROM dialogue d {'WHERE d.uid = ?' if len(set(uids)) == 1 else ''}",
            uids[:1] if len(set(uids)) == 1 else (),
        ).fetchall()
        return {uid: (external_id, bool(open_)) for uid, external_id, open_ in rows}

    def _line(self, event: Event, viewer: str, undone: bool, names: dict[str, tuple[str, bool]]) -> LogLine:
        uid = str(event.body.get("dialogue", ""))
        name, opened = names.get(uid, ("", True))
        sealed = event.kind in _BLIND and not opened and event.by != viewer
        facts = {k: v for k, v in event.body.items() if k not in ("dialogue", "digest", "on")}
        if event.kind == "screened" and event.by != viewer and not curates(self._db, viewer):
            facts = {k: v for k, v in facts.items() if k not in _TIMES}
        # Who has yet to label it in a round of their own must not read there what others said.
        if event.kind in ("screened", "ruled") and event.by != viewer and uid in self._waiting:
            sealed = True
        if sealed or scoring_hides(self._db, event, viewer, self._scored):
            sealed, facts = True, {}
        return LogLine(event.ref, event.at, event.by, event.kind, name, facts, sealed, undone)

    def explain(self, name: str, viewer: str) -> Life:
        """The whole life of one dialogue, raw to release, who and when."""
        stored = self._dialogues.find(name)
        key = self._dialogues.key(stored.uid)
        final = tuple(self._quality.final(stored.uid))
        kept = {m.index for m in final}
        messages = []
        if stored.purged:
            messages = [MessageLife(m.index, m.party, {APPROVED: m.text}, {}, True) for m in final]
        for index, one in enumerate(() if stored.purged else self._quality.layers(stored.uid)):
            texts = {Layer.RAW.value: one.texts[Layer.RAW]}
            edits: dict[str, tuple[tuple[int, int, str, str], ...]] = {}
            for made in one.rounds:
                # Of several rewritings each stands over the one before, and its offsets are those of that text.
                if made.edits:
                    name, these = made.layer.value, tuple((e.start, e.end, e.replacement, e.rule) for e in made.edits)
                    texts[name] = one.texts[made.layer]
                    edits[name] = edits.get(name, ()) + these
            speaker = stored.dialogue.messages[index].speaker
            messages.append(MessageLife(index, speaker, texts, edits, index in kept))
        release = self._db.execute("SELECT release_id FROM release_item WHERE dialogue = ?", (key,)).fetchone()
        screened = stored.stage in (Stage.AGREED, Stage.APPROVED, Stage.RELEASED)
        return Life(
            stored,
            tuple(self._imported(key, viewer)) + tuple(self.lines(viewer, stored.uid)),
            self._findings.decided(key),
            len(self._findings.undecided(key)) if screened else 0,
            tuple(messages),
            final,
            release[0] if release else "",
            self._dialects.known(stored.uid),
            quasi=self._quality.sheet(key).quasi,
        )

    def _imported(self, key: int, viewer: str) -> Iterator[LogLine]:
        origin, number = self._db.execute("SELECT origin, number FROM dialogue WHERE id = ?", (key,)).fetchone()
        event = self._log.event(origin, number)
        if event is not None:
            yield self._line(event, viewer, False, {})

    def statements(self, uid: str, viewer: str) -> list[Statement]:
        """What was decided, as far as `viewer` may see it: the two's answers by slot and round, then the ruling."""
        rows = self._db.execute(
            "SELECT x.slot, x.person, x.round, x.keep, x.situation, p.text, x.second, x.reason, x.at FROM decision x"
            " JOIN dialogue d ON d.id = x.dialogue JOIN payload p ON p.id = x.payload WHERE d.uid = ? AND (x.person = ? OR"
            " (SELECT count(*) FROM decision o WHERE o.dialogue = x.dialogue AND o.round = 1) = 2)"
            " ORDER BY x.slot, x.round",
            (uid, viewer),
        ).fetchall()
        rows += self._db.execute(
            "SELECT '', r.person, 0, r.keep, r.situation, p.text, '', '', '' FROM ruling r JOIN dialogue d ON d.id = r.dialogue"
            " JOIN payload p ON p.id = r.payload WHERE d.uid = ?",
            (uid,),
        ).fetchall()
        return [
            Statement(
                slot, person, round_, Answer(bool(keep), of, json.loads(t)["rationale"] if t else "", second, why), at
            )
            for slot, person, round_, keep, of, t, second, why, at in rows
        ]

    def undo(self, ref: str, by: str) -> tuple[str, ...]:
        """Take back one event named by its reference; what stood on it is open again. Refused for what cannot be undone.

        Undo ends where originals were destroyed: of an event about many, those dialogues keep it, and it is taken back for
        the others. Returns their external ids; mostly there are none. Refused where it would be taken back for none.
        """
        must_curate(self._db, by)
        origin, _, number = ref.rpartition(":")
        with transaction(self._db):
            named = storable(ref) and number.isascii() and number.isdigit() and len(number) < 16
            event = self._log.event(origin or self._log.origin, int(number)) if named else None
            if event is None:
                raise NotFound(N_("there is no event {ref} in the log"), code="no_event", ref=ref)
            if event.kind not in _UNDOABLE:
                raise RefusedStep(
                    N_(
                        "{ref} is of a kind that cannot be taken back here (the undo key takes back one's own screening)"
                    ),
                    code="not_undoable",
                    ref=ref,
                )
            if event.kind == "reopened" and self._decided_since(event):
                raise RefusedStep(
                    N_("{ref} cannot be taken back: what it opened has been decided anew in part"),
                    code="decided",
                    ref=ref,
                )
            if (event.origin, event.number) in self._log.undone():
                raise RefusedStep(N_("{ref} has been taken back already"), code="undone", ref=ref)
            touched = self._touched(event)
            kept = self._kept_by_purge(event)
            if kept and len(kept) == len(touched):
                raise RefusedStep(
                    N_(
                        "{ref} cannot be taken back: it is about {count} {count:dialogue|dialogues} whose "
                        "originals were destroyed"
                        " (first {id}), and undo ends there"
                    ),
                    code="purged",
                    ref=event.ref,
                    count=len(kept),
                    id=next(iter(kept.values())),
                )
            keys = sorted((touched - kept.keys()) | set(self._reopened_without(event)))
            body: dict[str, Any] = {"event": [event.origin, event.number], "kind": event.kind}
            if kept:
                body["left"] = len(kept)
            if "dialogue" in event.body:
                body["dialogue"] = event.body["dialogue"]
            self._log.append("undone", by, body, entries=[(key, {}) for key in keys])
            if event.kind == settings.KIND:
                settings.settle(self._db, self._log)
            for key in keys:
                reproject(self._db, self._log, key)
        return tuple(kept.values())

    def _touched(self, event: Event) -> set[int]:
        """The dialogues that an event has an entry on."""
        rows = self._db.execute(
            "SELECT dialogue FROM entry WHERE origin = ? AND number = ?", (event.origin, event.number)
        )
        return {key for (key,) in rows}

    def _decided_since(self, event: Event) -> bool:
        """Whether anything that was opened again has been decided since, or turned round."""
        return bool(
            self._db.execute(
                "SELECT 1 FROM entry e WHERE e.origin = ?1 AND e.number = ?2 AND (EXISTS"
                " (SELECT 1 FROM decision d WHERE d.dialogue = e.dialogue) OR EXISTS (SELECT 1 FROM entry l"
                " JOIN event v ON v.origin = l.origin AND v.number = l.number WHERE l.dialogue = e.dialogue"
                " AND v.kind IN ('swapped', 'reopened') AND v.origin = ?1 AND v.number > ?2)) LIMIT 1",
                (event.origin, event.number),
            ).fetchone()
        )

    def _kept_by_purge(self, event: Event) -> dict[int, str]:
        """The dialogues that were approved on this event and whose originals are gone, with their external ids."""
        if event.kind in OUTLIVES and event.kind != "approved":
            return {}  # a purge destroyed nothing of it
        rows = self._db.execute(
            "SELECT d.id, d.external_id FROM entry e JOIN purged p ON p.dialogue = e.dialogue"
            " JOIN dialogue d ON d.id = e.dialogue WHERE e.origin = ?1 AND e.number = ?2"
            " AND NOT (p.origin = ?1 AND p.number < ?2) ORDER BY d.external_id",
            (event.origin, event.number),
        )
        return dict(rows.fetchall())

    def _reopened_without(self, event: Event) -> list[int]:
        """The approved dialogues whose text is another one when a change of settings is taken back."""
        if event.kind != settings.KIND:
            return []
        values = settings.told(self._db, self._log, (event.origin, event.number)) or {}
        try:
            after = Settings.from_dict(values)
        except UsageError as error:
            raise RefusedStep(
                N_("later changes of the settings need this one; take those back first"), code="settings_needed"
            ) from error
        before = settings.Current(self._db).now
        rules = set(before.rules_off) ^ set(after.rules_off)
        return self._quality.approved_with(rules) if rules else []

    def undo_last(self, by: str, kinds: Sequence[str] = TEXT_STEPS) -> tuple[str, str] | None:
        """Take back this person's last step of these kinds (those of the text screen) that still counts. None for none.

        Returns its kind and the uid of its dialogue, or the one it was made on ("" where it is of none).

        A change of settings counts where it turned rules off or on; a cut or an approval of many at once does not, and is
        taken back by its name. What a later event put out of force, and what a purge has closed, is passed over: taking
        that back would change nothing.
        """
        must_curate(self._db, by)
        with transaction(self._db):
            undone = self._log.undone()
            marks = ", ".join("?" * len(kinds))
            rows = self._db.execute(
                f"SELECT origin, number FROM event WHERE origin = ? AND by = ? AND kind IN ({marks})"
                " ORDER BY number DESC",
                (self._log.origin, by, *kinds),
            ).fetchall()
            for origin, number in rows:
                event = self._log.event(origin, number)
                if event is None or (origin, number) in undone:
                    continue
                if event.kind == settings.KIND and not event.body.keys() & {"off", "on"}:
                    continue
                if event.kind in ("normalised", "trimmed", "approved") and event.body.get("entries", 1) != 1:
                    continue
                if self._kept_by_purge(event) or not stands(self._db, self._log, event):
                    continue
                self.undo(event.ref, by)
                return event.kind, str(event.body.get("dialogue", event.body.get("on", "")))
        return None
