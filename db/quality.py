"""Quality control: the layers over the raw text, trimming, and approval."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict

from curation import trim as trimming
from curation.duplicates import near_duplicates
from curation.errors import N_, Phrase, RefusedStep
from curation.identifiers import detector_version
from curation.identifiers.replace import NEWEST_POLICY
from curation.layers import Layer, Stacked, anchor
from curation.normalise import NORMALISER_VERSION, RULES, normalise
from curation.settings import Settings
from curation.stages import Stage
from curation.work import ApprovalReport, FinalMessage, QualityReport, StoredDialogue
from db.checks import Checks
from db.connection import transaction
from db.curating import must_curate
from db.dialogues import Dialogues
from db.findings import Findings
from db.log import Event, Log, canonical
from db.replay import project
from db.settings import Current
from db.sheet import Sheet


class Quality:
    """The layers and approvals of one project."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        settings: Current,
        dialogues: Dialogues,
        findings: Findings,
    ) -> None:
        self._db = connection
        self._log = log
        self._current = settings
        self._dialogues = dialogues
        self._findings = findings
        self.checks = Checks(connection, settings, findings)

    @property
    def _settings(self) -> Settings:
        return self._current.now

    def sheet(self, key: int) -> Sheet:
        """One dialogue laid out."""
        return Sheet(self._db, self._dialogues, self._findings, key, self._settings.rules_off)

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

    def normalise(self, by: str, uid: str | None = None) -> QualityReport:
        """Normalise the scrubbed text of all agreed dialogues, or of one, as one event. Counts edits by rule.

        Rules that the project does without make no edits; what a person took back is not counted.
        """
        must_curate(self._db, by)
        counts: Counter[str] = Counter()
        entries: list[tuple[int, object]] = []
        looked = changed = 0
        with transaction(self._db):
            settings = self._settings
            rules = [rule for rule in RULES if rule not in settings.rules_off]
            for key in self._at(Stage.AGREED) if uid is None else [self._dialogues.key(uid)]:
                looked += 1
                stands = False
                sheet = self.sheet(key)
                edits: dict[str, list[list[object]]] = {}
                for index, one in enumerate(sheet.scrubbed):
                    text = one.texts[Layer.SCRUBBED]
                    made = normalise(text, settings.script, _replaced(one), rules)
                    if made:
                        kept = anchor(text, made, one.maps[Layer.SCRUBBED])
                        edits[str(index)] = [list(asdict(a).values()) for a in kept]
                        standing = [a for a in kept if not sheet.why_not(index, a)]
                        counts.update(rule for a in standing for rule in a.rule.split("+"))
                        stands = stands or bool(standing)
                value = {"edits": edits}
                changed += stands
                if value != sheet.stored_layer(Layer.NORMALISED):
                    entries.append((key, value))
            if entries:
                body: dict[str, object] = {
                    "version": NORMALISER_VERSION,
                    "script": settings.script,
                    "rules_off": list(settings.rules_off),
                    "counts": dict(counts),
                }
                self._record("normalised", by, {**body, **self._only(entries)}, entries)
        return QualityReport(looked, changed, dict(sorted(counts.items())))

    # -- trimming

    def propose_trims(self, max_turns: int) -> list[tuple[StoredDialogue, trimming.Proposal]]:
        """A trim for every agreed dialogue of more turns than `max_turns`. Proposals are derived; nothing is decided."""
        result = []
        for key in self._at(Stage.AGREED):
            stored = self._dialogues.by_key(key)
            if len(stored.dialogue.turns) > max_turns:
                result.append((stored, self.propose(stored, max_turns)))
        return result

    def propose(self, stored: StoredDialogue, max_turns: int) -> trimming.Proposal:
        """A trim of one dialogue down to `max_turns`."""
        return trimming.propose(
            stored.dialogue.messages,
            self_speaker=stored.dialogue.self_speaker,
            max_turns=max_turns,
            min_turns=self._settings.min_turns,
        )

    def accept_trims(self, proposals: Sequence[tuple[StoredDialogue, trimming.Proposal]], by: str) -> int:
        """Decide these proposals, as one event. Returns how many changed anything."""
        must_curate(self._db, by)
        entries: list[tuple[int, object]] = []
        with transaction(self._db):
            for stored, one in proposals:
                key = self._dialogues.key(stored.uid)
                cut = {"first_turn": one.first_turn, "removed": list(one.removed_turns)}
                if cut != self.sheet(key).trim:
                    why = {str(turn): [one.reasons[turn], one.scores[turn]] for turn in one.kept_turns}
                    entries.append((key, {**cut, "why": why}))
            if entries:
                self._record("trimmed", by, {"version": trimming.TRIM_VERSION, **self._only(entries)}, entries)
        return len(entries)

    def trim(self, uid: str, by: str, first_turn: int, removed: Sequence[int]) -> bool:
        """Decide one trim. Refused when it breaks a rule. Returns whether anything changed.

        To keep everything is a decision too, the first time it is said; of a text that was approved whole it says nothing.
        """
        must_curate(self._db, by)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            stored = self._dialogues.by_key(key)
            problems = self.checks.trim_problems(stored, first_turn, tuple(removed))
            if problems:
                words = [Phrase(trimming.PROBLEMS[code]) for code in problems]
                raise RefusedStep(N_("this trim breaks a rule: {why}"), code=problems[0], why=words[0])
            value = {"first_turn": first_turn, "removed": sorted(removed)}
            stands = self.sheet(key).trim
            if stands is None and stored.stage in (Stage.APPROVED, Stage.RELEASED):
                stands = {"first_turn": 1, "removed": []}
            if value == stands:
                return False
            self._record("trimmed", by, {"dialogue": uid, "version": "person"}, [(key, value)])
        return True

    # -- approval

    def open_matters(self, uid: str) -> tuple[str, ...]:
        """Why a dialogue cannot be approved (codes); empty when nothing is open."""
        return self.open_on(self.sheet(self._dialogues.key(uid)))

    def open_on(self, sheet: Sheet) -> tuple[str, ...]:
        """The same, of a dialogue laid out already."""
        return self.checks.of(sheet)

    def approve(self, by: str, names: Sequence[str] | None = None) -> ApprovalReport:
        """Approve these dialogues, or all agreed ones, that have nothing open, as one event.

        What is approved is the text as it stands: it is kept with the approval, and any later change opens it again.
        """
        must_curate(self._db, by)
        reasons: Counter[str] = Counter()
        open_: dict[str, tuple[str, ...]] = {}
        ready: dict[int, tuple[int, list[list[object]]]] = {}
        as_typed: set[int] = set()
        if names is None:
            keys: Iterable[int] = self._at(Stage.AGREED)
        else:
            keys = [self._dialogues.key(self._dialogues.find(name).uid) for name in names]
        # Scanning the outputs takes long and needs no lock; what changed meanwhile is left for the next time.
        for key in keys:
            told = self._told(key)
            sheet = self.sheet(key)
            if sheet.stored.stage in (Stage.APPROVED, Stage.RELEASED):
                continue
            if matters := self.open_on(sheet):
                reasons.update(matters)
                open_[sheet.stored.external_id] = matters
            else:
                ready[key] = told, [[m.index, m.turn, m.party, m.text] for m in sheet.final]
                if sheet.stored_layer(Layer.NORMALISED) is None:
                    as_typed.add(key)
        for second in self._twins(ready):
            del ready[second]
            reasons["approved_twice"] += 1
            open_[self._dialogues.by_key(second).external_id] = ("approved_twice",)
        with transaction(self._db):
            entries: list[tuple[int, object]] = []
            ref = ""
            for key, (told, final) in ready.items():
                if self._told(key) == told:
                    entries.append((key, {"messages": final}))
                else:
                    reasons["changed_meanwhile"] += 1
                    open_[self._dialogues.by_key(key).external_id] = ("changed_meanwhile",)
            if entries:
                versions = {
                    "detector": detector_version(),
                    "policy": NEWEST_POLICY,
                    "normaliser": NORMALISER_VERSION,
                    "trimmer": trimming.TRIM_VERSION,
                }
                ref = self._record("approved", by, {"versions": versions, **self._only(entries)}, entries).ref
        as_typed &= {key for key, _ in entries}
        return ApprovalReport(len(entries), dict(sorted(reasons.items())), open_, len(as_typed), ref)

    def _twins(self, ready: Mapping[int, tuple[int, list[list[object]]]]) -> list[int]:
        """Those of several about to be approved that are nearly the same as another of them."""
        if len(ready) < 2:
            return []
        texts = [(key, [str(row[3]) for row in final]) for key, (_, final) in ready.items()]
        return [twin.loser for twin in near_duplicates(texts, self._settings.near_duplicate)]

    def quasi_kinds(self) -> dict[int, int]:
        """How many of the dialogues agreed on hold how many kinds of quasi-identifier; those with none are left out."""
        keys = self._db.execute(
            "SELECT DISTINCT f.dialogue FROM finding f JOIN state t ON t.dialogue = f.dialogue WHERE f.accepted = 1"
            " AND f.type IN ('PERSON', 'ADDRESS', 'ORG', 'BIRTHDATE') AND t.stage IN ('agreed', 'approved', 'released')"
            " UNION SELECT dialogue FROM purged"
        ).fetchall()
        found = Counter(len(self.sheet(key).quasi) for (key,) in keys)
        return {count: found[count] for count in sorted(found) if count}

    def _told(self, key: int) -> int:
        """How many events say something of a dialogue: the same number before and after means nothing changed."""
        return int(self._db.execute("SELECT count(*) FROM entry WHERE dialogue = ?", (key,)).fetchone()[0])

    def approved_with(self, rules: Collection[str]) -> list[int]:
        """The approved dialogues whose text changes when these rules of normalisation are turned off, or on again."""
        rows = self._db.execute(
            "SELECT a.dialogue, p.text FROM approval a JOIN layer l ON l.dialogue = a.dialogue AND l.layer = 'normalised'"
            " JOIN payload p ON p.id = l.payload WHERE p.text IS NOT NULL ORDER BY a.dialogue"
        ).fetchall()
        found = []
        for key, text in rows:
            made = {rule for edits in json.loads(text)["edits"].values() for one in edits for rule in one[3].split("+")}
            if not made.isdisjoint(rules):
                off = set(self._settings.rules_off)
                texts = [
                    Sheet(self._db, self._dialogues, self._findings, key, r).final for r in (off, off ^ set(rules))
                ]
                if texts[0] != texts[1]:
                    found.append(int(key))
        return found

    def approved_text(self, sheet: Sheet) -> list[FinalMessage]:
        """The text that was approved. Raises RefusedStep when it is not what the layers amount to now."""
        messages = sheet.approved
        if messages != sheet.final:
            raise RefusedStep(
                N_("the approved text of {id} is not what its layers amount to; approve it again"),
                code="approval_differs",
                id=sheet.stored.external_id,
            )
        return messages

    def _only(self, entries: Sequence[tuple[int, object]]) -> dict[str, object]:
        """What an event's body says of a single dialogue: which one it is."""
        return {"dialogue": self._dialogues.by_key(entries[0][0]).uid} if len(entries) == 1 else {}

    def _record(self, kind: str, by: str, body: dict[str, object], entries: list[tuple[int, object]]) -> Event:
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
        return event

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


def identifiers_and_edits(sheet: Sheet) -> tuple[dict[str, int], dict[str, int]]:
    """How many identifiers of each type were replaced, and how many edits of each rule made, in what is kept."""
    if sheet.stored.purged:
        return sheet.left.get("identifiers", {}), sheet.left.get("edits", {})
    kept = {m.index for m in sheet.final}
    found = Counter(d.type for d in sheet.decided if d.accepted and d.message in kept)
    edits: Counter[str] = Counter()
    for index, one in enumerate(sheet.layers):
        if index in kept:
            for made in one.rounds:
                if made.layer is not Layer.SCRUBBED:
                    lead = "rewritten_" if made.layer is Layer.EDITED else ""
                    edits.update(lead + edit.rule for edit in made.edits)
    return dict(sorted(found.items())), dict(sorted(edits.items()))


def _replaced(one: Stacked) -> list[tuple[int, int]]:
    """Where the scrubbed text holds replacements: (start, end) in it. Normalisation keeps off them."""
    result, shift = [], 0
    for edit in one.edits[Layer.SCRUBBED]:
        start = edit.start + shift
        result.append((start, start + len(edit.replacement)))
        shift += edit.shift
    return result
