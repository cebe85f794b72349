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
from curation.identifiers.replace import POLICY_VERSION
from curation.layers import Layer, Stacked, anchor
from curation.normalise import NORMALISER_VERSION, normalise
from curation.settings import Settings
from curation.stages import Stage
from curation.work import ApprovalReport, FinalMessage, QualityReport, StoredDialogue
from db.connection import transaction
from db.dialogues import Dialogues
from db.findings import Findings
from db.log import Log, canonical
from db.replay import project
from db.sheet import Sheet


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

    def sheet(self, key: int) -> Sheet:
        """One dialogue laid out."""
        return Sheet(self._db, self._dialogues, self._findings, key)

    def layers(self, uid: str) -> list[Stacked]:
        """Every message of a dialogue through its layers, in raw order."""
        return self.sheet(self._dialogues.key(uid)).layers

    def texts(self, key: int, layer: Layer) -> list[str]:
        """The text of every raw message at a layer; trimming changes none."""
        sheet = self.sheet(key)
        if layer is Layer.RAW:
            return [m.text for m in sheet.stored.dialogue.messages]
        top = Layer.NORMALISED if layer is Layer.TRIMMED else layer
        return [one.texts[top] for one in sheet.layers]

    def final(self, uid: str) -> list[FinalMessage]:
        """The text as it stands now: the top layer of the messages that trimming keeps."""
        return self.sheet(self._dialogues.key(uid)).final

    # -- normalisation

    def normalise(self, by: str) -> QualityReport:
        """Normalise the scrubbed text of all agreed dialogues, as one event. Counts edits by rule."""
        counts: Counter[str] = Counter()
        entries: list[tuple[int, object]] = []
        looked = changed = 0
        with transaction(self._db):
            for key in self._at(Stage.AGREED):
                looked += 1
                sheet = self.sheet(key)
                edits: dict[str, list[list[object]]] = {}
                for index, one in enumerate(sheet.scrubbed):
                    text = one.texts[Layer.SCRUBBED]
                    made = normalise(text, self._settings.script, _replaced(one))
                    if made:
                        kept = anchor(text, made, one.maps[Layer.SCRUBBED])
                        edits[str(index)] = [list(asdict(a).values()) for a in kept]
                        counts.update(e.rule for e in made)
                value = {"edits": edits}
                changed += bool(edits)
                if value != sheet.stored_layer(Layer.NORMALISED):
                    entries.append((key, value))
            if entries:
                body: dict[str, object] = {
                    "version": NORMALISER_VERSION,
                    "script": self._settings.script,
                    "counts": dict(counts),
                }
                self._record("normalised", by, body, entries)
        return QualityReport(looked, changed, dict(sorted(counts.items())))

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
                if value != self.sheet(key).trim:
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
            if value == self.sheet(key).trim:
                return False
            self._record("trimmed", by, {"dialogue": uid, "version": "person"}, [(key, value)])
        return True

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
        return self.open_on(self.sheet(self._dialogues.key(uid)))

    def open_on(self, sheet: Sheet) -> tuple[str, ...]:
        """The same, of a dialogue laid out already."""
        stage = sheet.stored.stage
        if stage not in (Stage.AGREED, Stage.APPROVED, Stage.RELEASED):
            return (f"not_agreed_{stage.value}",)
        reasons: list[str] = []
        undecided = self._findings.undecided(sheet.key)
        if self._findings.failure(sheet.key):
            reasons.append("not_scanned")
        if undecided:
            reasons.append("undecided_findings")
        if any(one.conflicts for one in sheet.layers):
            reasons.append("conflicting_edits")
        reasons += self._trim_problems(sheet.stored, sheet.kept)
        if not undecided and _left_over(sheet):
            reasons.append("identifiers_left")
        return tuple(reasons)

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
                sheet = self.sheet(key)
                if sheet.stored.stage in (Stage.APPROVED, Stage.RELEASED):
                    continue
                matters = self.open_on(sheet)
                if matters:
                    reasons.update(matters)
                    open_[sheet.stored.external_id] = matters
                else:
                    final = [[m.index, m.turn, m.party, m.text] for m in sheet.final]
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

    def approved_text(self, sheet: Sheet) -> list[FinalMessage]:
        """The text that was approved. Raises RefusedStep when it is not what the layers amount to now."""
        row = self._db.execute(
            "SELECT text FROM approval JOIN payload ON payload.id = approval.payload WHERE dialogue = ?", (sheet.key,)
        ).fetchone()
        messages = [FinalMessage(*one) for one in json.loads(row[0])["messages"]]
        if messages != sheet.final:
            raise RefusedStep(
                N_("the approved text of {id} is not what its layers amount to; approve it again"),
                code="approval_differs",
                id=sheet.stored.external_id,
            )
        return messages

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


def _left_over(sheet: Sheet) -> bool:
    """The output, scanned again, still shows something that nobody let stand."""
    messages = sheet.stored.dialogue.messages
    let_stand = {(d.message, d.finding(messages[d.message].text).text) for d in sheet.decided if not d.accepted}
    found = detect([(m.party, m.text) for m in sheet.final])
    return any((sheet.final[f.message].index, f.text) not in let_stand for f in found)


def identifiers_and_edits(sheet: Sheet) -> tuple[dict[str, int], dict[str, int]]:
    """How many identifiers of each type were replaced, and how many edits of each rule made, in what is kept."""
    kept = {m.index for m in sheet.final}
    found = Counter(d.type for d in sheet.decided if d.accepted and d.message in kept)
    edits: Counter[str] = Counter()
    for index, one in enumerate(sheet.layers):
        if index in kept:
            edits.update(e.rule for layer in (Layer.NORMALISED, Layer.EDITED) for e in one.edits[layer])
    return dict(sorted(found.items())), dict(sorted(edits.items()))


def _replaced(one: Stacked) -> list[tuple[int, int]]:
    """Where the scrubbed text holds replacements: (start, end) in it. Normalisation keeps off them."""
    result, shift = [], 0
    for edit in one.edits[Layer.SCRUBBED]:
        start = edit.start + shift
        result.append((start, start + len(edit.replacement)))
        shift += edit.shift
    return result
