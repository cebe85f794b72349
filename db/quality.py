"""Quality control: the layers over the raw text, trimming, and approval."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from curation import trim as trimming
from curation.errors import N_, RefusedStep
from curation.identifiers import DETECTOR_VERSION, detect
from curation.identifiers.replace import POLICY_VERSION, replacements
from curation.layers import Anchored, Layer, OffsetMap, Stacked, anchor, stack
from curation.normalise import NORMALISER_VERSION, normalise
from curation.settings import Settings
from curation.stages import Stage
from curation.work import ApprovalReport, FinalMessage, QualityReport, StoredDialogue
from db.connection import transaction
from db.dialogues import Dialogues
from db.findings import Findings
from db.log import Log, canonical
from db.replay import project


class Quality:
    """The layers and approvals of one project."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        settings: Settings,
        dialogues: Dialogues,
        findings: Findings,
    ) -> None:
        self._db = connection
        self._log = log
        self._settings = settings
        self._dialogues = dialogues
        self._findings = findings

    # -- the layers

    def layers(self, uid: str) -> list[Stacked]:
        """Every message of a dialogue through its layers, in raw order."""
        return self._layers(self._dialogues.key(uid))

    def _layers(self, key: int, *, up_to: Layer = Layer.EDITED) -> list[Stacked]:
        messages = self._dialogues.by_key(key).dialogue.messages
        accepted = [d.finding(messages[d.message].text) for d in self._findings.decided(key) if d.accepted]
        scrubbed = replacements([(m.speaker, m.text) for m in messages], accepted) if accepted else {}
        above = [(layer, self._kept(key, layer)) for layer in (Layer.NORMALISED, Layer.EDITED)]
        result = []
        for index, message in enumerate(messages):
            layers = [(Layer.SCRUBBED, anchor(message.text, scrubbed.get(index, ()), OffsetMap(())))]
            layers += [(layer, kept.get(index, ())) for layer, kept in above]
            names = list(dict(layers))
            wanted = layers[: names.index(up_to) + 1] if up_to in names else []
            result.append(stack(message.text, wanted))
        return result

    def _kept(self, key: int, layer: Layer) -> dict[int, tuple[Anchored, ...]]:
        row = self._db.execute(
            "SELECT text FROM layer JOIN payload ON payload.id = layer.payload WHERE dialogue = ? AND layer = ?",
            (key, layer.value),
        ).fetchone()
        if row is None or row[0] is None:
            return {}
        edits = json.loads(row[0])["edits"]
        return {int(index): tuple(Anchored(*one) for one in kept) for index, kept in edits.items()}

    def texts(self, key: int, layer: Layer) -> list[str]:
        """The text of every raw message at a layer."""
        if layer is Layer.RAW:
            return [m.text for m in self._dialogues.by_key(key).dialogue.messages]
        top = Layer.NORMALISED if layer is Layer.TRIMMED else layer
        return [one.texts[top] for one in self._layers(key, up_to=top)]

    def final(self, uid: str) -> list[FinalMessage]:
        """The text as it stands now: the top layer of the messages that trimming keeps."""
        return self._final(self._dialogues.key(uid))

    def _final(self, key: int) -> list[FinalMessage]:
        stored = self._dialogues.by_key(key)
        messages = stored.dialogue.messages
        turn_of = {i: turn.number for turn in stored.dialogue.turns for i in turn.messages}
        texts = [one.texts[Layer.EDITED] for one in self._layers(key)]
        return [
            FinalMessage(i, turn_of[i], stored.dialogue.party(messages[i]).value, texts[i])
            for i in self._kept_messages(key, stored)
            if i in turn_of
        ]

    def _kept_messages(self, key: int, stored: StoredDialogue) -> tuple[int, ...]:
        messages = stored.dialogue.messages
        row = self._db.execute("SELECT first_turn, removed FROM trim WHERE dialogue = ?", (key,)).fetchone()
        if row is None:
            return tuple(range(len(messages)))
        return trimming.kept_messages(messages, row[0], json.loads(row[1]))

    # -- normalisation

    def normalise(self, by: str) -> QualityReport:
        """Normalise the scrubbed text of all agreed dialogues, as one event. Counts edits by rule."""
        counts: Counter[str] = Counter()
        entries: list[tuple[int, object]] = []
        looked = changed = 0
        with transaction(self._db):
            for key in self._at(Stage.AGREED):
                looked += 1
                edits: dict[str, list[list[object]]] = {}
                for index, one in enumerate(self._layers(key, up_to=Layer.SCRUBBED)):
                    text = one.texts[Layer.SCRUBBED]
                    made = normalise(text, self._settings.script, _replaced(one))
                    if made:
                        kept = anchor(text, made, one.maps[Layer.SCRUBBED])
                        edits[str(index)] = [list(asdict(a).values()) for a in kept]
                        counts.update(e.rule for e in made)
                value = {"edits": edits}
                changed += bool(edits)
                if value != self._stored_layer(key):
                    entries.append((key, value))
            if entries:
                body: dict[str, object] = {
                    "version": NORMALISER_VERSION,
                    "script": self._settings.script,
                    "counts": dict(counts),
                }
                self._record("normalised", by, body, entries)
        return QualityReport(looked, changed, dict(sorted(counts.items())))

    def _stored_layer(self, key: int) -> object:
        row = self._db.execute(
            "SELECT text FROM layer JOIN payload ON payload.id = layer.payload WHERE dialogue = ? AND layer = ?",
            (key, Layer.NORMALISED.value),
        ).fetchone()
        return None if row is None or row[0] is None else json.loads(row[0])

    # -- trimming

    def propose_trims(self, max_turns: int) -> list[tuple[StoredDialogue, trimming.Proposal]]:
        """A trim for every agreed dialogue of more turns than `max_turns`. Proposals are derived; nothing is decided."""
        result = []
        for key in self._at(Stage.AGREED):
            stored = self._dialogues.by_key(key)
            if len(stored.dialogue.turns) > max_turns:
                result.append((stored, self._propose(stored, max_turns)))
        return result

    def _propose(self, stored: StoredDialogue, max_turns: int) -> trimming.Proposal:
        return trimming.propose(
            stored.dialogue.messages,
            self_speaker=stored.dialogue.self_speaker,
            max_turns=max_turns,
            min_turns=self._settings.min_turns,
        )

    def accept_trims(self, proposals: Sequence[tuple[StoredDialogue, trimming.Proposal]], by: str) -> int:
        """Decide these proposals, as one event. Returns how many changed anything."""
        entries: list[tuple[int, object]] = []
        with transaction(self._db):
            for stored, one in proposals:
                key = self._dialogues.key(stored.uid)
                value = {"first_turn": one.first_turn, "removed": list(one.removed_turns)}
                if value != self._trim(key):
                    entries.append((key, value))
            if entries:
                self._record("trimmed", by, {"version": trimming.TRIM_VERSION}, entries)
        return len(entries)

    def trim(self, uid: str, by: str, first_turn: int, removed: Sequence[int]) -> bool:
        """Decide one trim. Refused when it breaks a rule. Returns whether anything changed."""
        key = self._dialogues.key(uid)
        with transaction(self._db):
            stored = self._dialogues.by_key(key)
            messages = stored.dialogue.messages
            kept = trimming.kept_messages(messages, first_turn, removed)
            problems = self._trim_problems(stored, kept)
            if problems:
                raise RefusedStep(N_("this trim breaks a rule: {codes}"), code=problems[0], codes=", ".join(problems))
            value = {"first_turn": first_turn, "removed": sorted(removed)}
            if value == self._trim(key):
                return False
            self._record("trimmed", by, {"dialogue": uid, "version": "person"}, [(key, value)])
        return True

    def _trim(self, key: int) -> object:
        row = self._db.execute("SELECT first_turn, removed FROM trim WHERE dialogue = ?", (key,)).fetchone()
        return None if row is None else {"first_turn": row[0], "removed": json.loads(row[1])}

    def _trim_problems(self, stored: StoredDialogue, kept: Sequence[int]) -> list[str]:
        return trimming.problems(
            stored.dialogue.messages,
            kept,
            self._settings.min_turns,
            self_speaker=stored.dialogue.self_speaker,
            unit=self._settings.turn_unit,
        )

    # -- approval

    def open_matters(self, uid: str) -> tuple[str, ...]:
        """Why a dialogue cannot be approved (codes); empty when nothing is open."""
        return self._open(self._dialogues.key(uid))

    def _open(self, key: int) -> tuple[str, ...]:
        stored = self._dialogues.by_key(key)
        if stored.stage not in (Stage.AGREED, Stage.APPROVED, Stage.RELEASED):
            return (f"not_agreed_{stored.stage.value}",)
        reasons: list[str] = []
        undecided = self._findings.undecided(key)
        if self._findings.failure(key):
            reasons.append("not_scanned")
        if undecided:
            reasons.append("undecided_findings")
        if any(one.conflicts for one in self._layers(key)):
            reasons.append("conflicting_edits")
        kept = self._kept_messages(key, stored)
        reasons += self._trim_problems(stored, kept)
        if not undecided and self._left_over(key):
            reasons.append("identifiers_left")
        return tuple(reasons)

    def _left_over(self, key: int) -> bool:
        """The output, scanned again, still shows something that nobody let stand."""
        rejected = {
            (d.message, d.finding(m.text).text)
            for d in self._findings.decided(key)
            if not d.accepted
            for m in [self._dialogues.by_key(key).dialogue.messages[d.message]]
        }
        final = self._final(key)
        found = detect([(m.party, m.text) for m in final])
        return any((final[f.message].index, f.text) not in rejected for f in found)

    def approve(self, by: str, names: Sequence[str] | None = None) -> ApprovalReport:
        """Approve these dialogues, or all agreed ones, that have nothing open, as one event.

        What is approved is the text as it stands: it is kept with the approval, and any later change opens it again.
        """
        reasons: Counter[str] = Counter()
        open_: dict[str, tuple[str, ...]] = {}
        entries: list[tuple[int, object]] = []
        with transaction(self._db):
            if names is None:
                keys: Iterable[int] = self._at(Stage.AGREED)
            else:
                keys = [self._dialogues.key(self._dialogues.find(name).uid) for name in names]
            for key in keys:
                stored = self._dialogues.by_key(key)
                if stored.stage in (Stage.APPROVED, Stage.RELEASED):
                    continue
                matters = self._open(key)
                if matters:
                    reasons.update(matters)
                    open_[stored.external_id] = matters
                else:
                    final = [[m.index, m.turn, m.party, m.text] for m in self._final(key)]
                    entries.append((key, {"messages": final}))
            if entries:
                versions = {
                    "detector": DETECTOR_VERSION,
                    "policy": POLICY_VERSION,
                    "normaliser": NORMALISER_VERSION,
                    "trimmer": trimming.TRIM_VERSION,
                }
                self._record("approved", by, {"versions": versions}, entries)
        return ApprovalReport(len(entries), dict(sorted(reasons.items())), open_)

    def approved_text(self, key: int) -> list[FinalMessage]:
        """The text that was approved. Raises RefusedStep when it is not what the layers amount to now."""
        row = self._db.execute(
            "SELECT text FROM approval JOIN payload ON payload.id = approval.payload WHERE dialogue = ?",
            (key,),
        ).fetchone()
        messages = [FinalMessage(*one) for one in json.loads(row[0])["messages"]]
        if messages != self._final(key):
            stored = self._dialogues.by_key(key)
            raise RefusedStep(
                N_("the approved text of {id} is not what its layers amount to; approve it again"),
                code="approval_differs",
                id=stored.external_id,
            )
        return messages

    def counts(self, key: int) -> tuple[dict[str, int], dict[str, int]]:
        """How many identifiers of each type were replaced, and how many edits of each rule were made, in what is kept."""
        kept = {m.index for m in self._final(key)}
        found = Counter(d.type for d in self._findings.decided(key) if d.accepted and d.message in kept)
        edits: Counter[str] = Counter()
        for index, one in enumerate(self._layers(key)):
            if index in kept:
                edits.update(e.rule for layer in (Layer.NORMALISED, Layer.EDITED) for e in one.edits[layer])
        return dict(sorted(found.items())), dict(sorted(edits.items()))

    def _record(self, kind: str, by: str, body: dict[str, object], entries: list[tuple[int, object]]) -> None:
        event = self._log.append(kind, by, body, entries=entries)
        payloads = dict(
            self._db.execute(
                "SELECT dialogue, payload FROM entry WHERE origin = ? AND number = ?",
                (event.origin, event.number),
            ).fetchall()
        )
        project(
            self._db,
            event,
            [(key, payloads[key], json.loads(canonical(value))) for key, value in sorted_(entries)],
        )

    def _at(self, stage: Stage) -> list[int]:
        rows = self._db.execute(
            "SELECT t.dialogue FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE t.stage = ? AND d.current = 1"
            " ORDER BY t.dialogue",
            (stage.value,),
        ).fetchall()
        return [key for (key,) in rows]


def sorted_(entries: list[tuple[int, object]]) -> list[tuple[int, object]]:
    """Entries in the order they are stored in, which is the order of replay."""
    return sorted(entries, key=lambda entry: entry[0])


def _replaced(one: Stacked) -> list[tuple[int, int]]:
    """Where the scrubbed text holds replacements: (start, end) in it. Normalisation keeps off them."""
    result, shift = [], 0
    for edit in one.edits[Layer.SCRUBBED]:
        start = edit.start + shift
        result.append((start, start + len(edit.replacement)))
        shift += edit.shift
    return result
