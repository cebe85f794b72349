"""Decisions made elsewhere, in and out, line by line: the same checks as at the keyboard."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from curation.errors import N_, Phrase, RefusedStep, UsageError, WorkbenchError
from curation.model import Refusal
from curation.stages import STAGE_WORDS, Stage
from curation.work import Answer, StoredDialogue
from db.assigning import Assigning
from db.connection import transaction
from db.dialogues import Dialogues
from db.disputes import Disputes
from db.findings import Findings
from db.leaving import DECISIONS, remember
from db.log import Log
from db.people import People
from db.quality import Quality
from db.scorelines import BATCH, GOLD, SCORE, Line, ScoreLines
from db.screening import Screening, check_answer
from db.sealing import rounds_wait

T = TypeVar("T")
Take = Callable[[Mapping[str, Any], str, str], bool]
# Lines of these kinds may name no one: then whoever brings them decides.
_OWN = frozenset({"finding", "trim", "approval", "gold"})
# These are a curator's steps, as on the screens.
_LEAD = frozenset({"finding", "trim", "approval"})
_KINDS: Mapping[type, str] = {str: N_("text"), int: N_("a whole number"), bool: N_("true or false")}


@dataclass(frozen=True, slots=True)
class DecisionReport:
    """Lines taken, lines that say what is known already, and lines refused with their reasons.

    `sealed` of the known ones are about decisions that the blind still covers: what stands there stays, and whether the
    line said the same is not told. `flagged` of the taken ones score a reply with a flag that nobody let pass.
    """

    taken: int
    known: int
    refused: tuple[Refusal, ...]
    sealed: int = 0
    flagged: int = 0


class Decisions:
    """Decision lines of one project."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        people: People,
        dialogues: Dialogues,
        assigning: Assigning,
        screening: Screening,
        disputes: Disputes,
        findings: Findings,
        quality: Quality,
        scores: ScoreLines,
    ) -> None:
        self._db = connection
        self._log = log
        self._people = people
        self._dialogues = dialogues
        self._assigning = assigning
        self._screening = screening
        self._disputes = disputes
        self._findings = findings
        self._quality = quality
        self._scores = scores
        self._sealed = 0
        self._kinds: dict[str, Take] = {
            "screening": self._screen,
            "redecision": self._decide_anew,
            "ruling": self._rule,
            "finding": self._finding,
            "trim": self._trim,
            "approval": self._approve,
        }

    def take(
        self, lines: Iterable[tuple[int, object]], file: str, by: str | None = None, *, actor: str = "curator"
    ) -> DecisionReport:
        """Take decision lines (line number, parsed JSON). Each is a transaction of its own: a bad one spoils no other.

        `by` stands for the lines that name no one; `actor` is who brings them.
        """
        taken = known = 0
        self._sealed = 0
        self._scores.forget()
        refused: list[Refusal] = []

        def refuse(number: int, line: object, error: WorkbenchError) -> None:
            raw = json.dumps(line, ensure_ascii=False)
            refused.append(Refusal(file, number, error.code, str(error), raw, error.template, error.params))

        def take_scores() -> None:
            nonlocal taken, known
            self._scores.take(scores)
            for one in scores:
                if one.error is not None:
                    refuse(one.number, one.line, one.error)
                else:
                    taken += one.changed
                    known += not one.changed
            scores.clear()

        scores: list[Line] = []
        for number, line in lines:
            try:
                if isinstance(line, dict) and line.get("kind") in (SCORE, GOLD):
                    scores.append(Line(number, line, self._person(line, by, actor), actor))
                    if len(scores) == BATCH:
                        take_scores()
                    continue
                take_scores()
                with transaction(self._db):
                    changed = self._take(line, by, actor)
            except WorkbenchError as error:
                refuse(number, line, error)
            else:
                taken += changed
                known += not changed
        take_scores()
        in_order = tuple(sorted(refused, key=lambda one: one.line))
        return DecisionReport(taken, known, in_order, self._sealed, self._scores.flagged)

    def _take(self, line: object, by: str | None, actor: str) -> bool:
        if not isinstance(line, dict):
            raise UsageError(N_("a decision is a JSON object"), code="not_an_object")
        kind = line.get("kind")
        take = self._kinds.get(kind) if isinstance(kind, str) else None
        if take is None:
            known = ", ".join([*self._kinds, SCORE, GOLD])
            raise UsageError(N_("kind must be one of {known}"), code="unknown_kind", known=known)
        person = self._person(line, by, actor)
        if kind in _LEAD:
            self._people.must_curate(person)
        return take(line, person, actor)

    def _person(self, line: Mapping[str, Any], by: str | None, actor: str) -> str:
        """Whose decision a line is."""
        name = line.get("by")
        if name is None:
            name = by if by is not None else actor if line.get("kind") in _OWN else None
        if name is None:
            raise UsageError(N_("the line names no one in `by`, and no --by was given"), code="no_person")
        if not isinstance(name, str):
            raise UsageError(N_("{field} must be {kind}"), code="wrong_type", field="by", kind=Phrase(_KINDS[str]))
        self._people.get(name)
        if name != actor and not self._people.curates(actor):
            # Else one of a pair could give the other's blind answer, or rule in the lead's name.
            raise RefusedStep(
                N_("only a curator brings in what others decided, and {name} is none"), code="not_a_curator", name=actor
            )
        return name

    def _find(self, line: Mapping[str, Any]) -> StoredDialogue:
        name = line.get("dialogue")
        # An integer id is read as its decimal string, as it is on import.
        return self._dialogues.find(str(name) if type(name) is int else _get(line, "dialogue", str))

    def _screen(self, line: Mapping[str, Any], by: str, actor: str) -> bool:
        answer = _answer(line)
        stored = self._find(line)
        given = self._screening.given(by, stored.uid)
        if given is None:
            return self._first_answer(stored, by, actor, answer)
        if not self._screening.closed(stored.uid) and actor != by:
            # Whether it says the same must not be told, and another may not take a person's blind answer back.
            self._sealed += 1
            return False
        unsaid = {name: getattr(given, name) for name in ("rationale", "second", "reason") if name not in line}
        if given == replace(answer, **unsaid):
            return False
        self._screening.take_back(by, stored.uid)
        self._screening.decide(by, stored.uid, answer)
        return True

    def _first_answer(self, stored: StoredDialogue, by: str, actor: str, answer: Answer) -> bool:
        if stored.stage is not Stage.CANDIDATE:
            raise RefusedStep(
                N_("dialogue {id} is {stage}, not a candidate"),
                code="not_a_candidate",
                id=stored.external_id,
                stage=Phrase(STAGE_WORDS[stored.stage]),
            )
        self._assigning.bring(actor, self._dialogues.key(stored.uid), by)
        self._screening.decide(by, stored.uid, answer, via="" if actor == by else actor)
        return True

    def _decide_anew(self, line: Mapping[str, Any], by: str, actor: str) -> bool:
        """An open second word on a dispute."""
        answer = _answer(line)
        stored = self._find(line)
        if self._disputes.given(by, stored.uid) == answer:
            return False
        self._disputes.decide(by, stored.uid, answer, via="" if actor == by else actor)
        return True

    def _rule(self, line: Mapping[str, Any], by: str, actor: str) -> bool:
        if not self._people.curates(by):
            raise RefusedStep(N_("only a curator rules on a dispute"), code="not_a_curator")
        answer = _answer(line)
        stored = self._find(line)
        return self._disputes.rule(by, stored.uid, answer)

    def _finding(self, line: Mapping[str, Any], by: str, actor: str) -> bool:
        stored = self._find(line)
        place = [_get(line, name, int) for name in ("message", "start", "end")]
        return self._findings.decide(
            stored.uid, by, place[0], place[1], place[2], _get(line, "type", str), _get(line, "accept", bool)
        )

    def _trim(self, line: Mapping[str, Any], by: str, actor: str) -> bool:
        stored = self._find(line)
        removed = line.get("removed", [])
        if not isinstance(removed, list) or not all(isinstance(n, int) and not isinstance(n, bool) for n in removed):
            raise UsageError(
                N_("{field} must be {kind}"),
                code="wrong_type",
                field="removed",
                kind=Phrase(N_("a list of whole numbers")),
            )
        return self._quality.trim(stored.uid, by, _get(line, "first_turn", int), removed)

    def _approve(self, line: Mapping[str, Any], by: str, actor: str) -> bool:
        stored = self._find(line)
        if stored.stage in (Stage.APPROVED, Stage.RELEASED):
            return False
        report = self._quality.approve(by, [stored.uid])
        if report.open:
            raise RefusedStep(
                N_("dialogue {id} has open matters: {codes}"),
                code=next(iter(report.open)),
                id=stored.external_id,
                codes=", ".join(report.open),
            )
        return True

    def leave(self, viewer: str, name: str) -> Iterator[dict[str, Any]]:
        """What `give` gives, to leave the project under a name ("-" for a stream): remembered before the first line."""
        with transaction(self._db):
            remember(self._db, self._log, DECISIONS, name, viewer)
        return self.give(viewer)

    def give(self, viewer: str) -> Iterator[dict[str, Any]]:
        """Decision lines for elsewhere: all that the blind does not cover, and the viewer's own."""
        ambiguous = self._dialogues.ambiguous()

        def named(external_id: str, source: str) -> str:
            return f"{source}:{external_id}" if external_id in ambiguous else external_id

        rows = self._db.execute(
            "SELECT d.uid, d.external_id, s.name, x.person, x.keep, x.situation, p.text,"
            " (SELECT count(*) FROM decision o WHERE o.dialogue = x.dialogue AND o.round = 1), x.round, x.second, x.reason"
            " FROM decision x JOIN dialogue d ON d.id = x.dialogue"
            " JOIN source s ON s.id = d.source JOIN payload p ON p.id = x.payload"
            " ORDER BY x.dialogue, x.round, x.slot"
        ).fetchall()
        waiting = rounds_wait(self._db, viewer)
        for uid, external_id, source, person, keep, situation, text, committed, round_, second, reason in rows:
            if (committed == 2 and uid not in waiting) or person == viewer:
                yield {
                    "kind": "screening" if round_ == 1 else "redecision",
                    "dialogue": named(external_id, source),
                    "by": person,
                    "keep": bool(keep),
                    **({"situation": situation} if keep else {}),
                    "rationale": json.loads(text)["rationale"] if text else "",
                    **({"second": second} if second else {}),
                    **({"reason": reason} if reason else {}),
                }
        for uid, external_id, source, person, keep, situation in self._db.execute(
            "SELECT d.uid, d.external_id, s.name, r.person, r.keep, r.situation FROM ruling r"
            " JOIN dialogue d ON d.id = r.dialogue JOIN source s ON s.id = d.source"
            " ORDER BY r.dialogue"
        ):
            if uid in waiting and person != viewer:
                continue
            yield {
                "kind": "ruling",
                "dialogue": named(external_id, source),
                "by": person,
                "keep": bool(keep),
                "situation": situation,
            }
        for external_id, source, message, start, end, kind, accepted in self._db.execute(
            "SELECT d.external_id, s.name, f.message, f.start, f.end, f.type, f.accepted FROM finding f"
            " JOIN dialogue d ON d.id = f.dialogue JOIN source s ON s.id = d.source ORDER BY f.dialogue, f.message, f.start"
        ):
            yield {
                "kind": "finding",
                "dialogue": named(external_id, source),
                "message": message,
                "start": start,
                "end": end,
                "type": kind,
                "accept": bool(accepted),
            }
        for external_id, source, first, removed in self._db.execute(
            "SELECT d.external_id, s.name, t.first_turn, t.removed FROM trim t"
            " JOIN dialogue d ON d.id = t.dialogue JOIN source s ON s.id = d.source"
            " ORDER BY t.dialogue"
        ):
            yield {
                "kind": "trim",
                "dialogue": named(external_id, source),
                "first_turn": first,
                "removed": json.loads(removed),
            }
        for external_id, source in self._db.execute(
            "SELECT d.external_id, s.name FROM approval a JOIN dialogue d ON d.id = a.dialogue"
            " JOIN source s ON s.id = d.source ORDER BY a.dialogue"
        ):
            yield {"kind": "approval", "dialogue": named(external_id, source)}
        yield from self._scores.give(viewer, named)


def _answer(line: Mapping[str, Any]) -> Answer:
    words = [line.get("situation") or "", line.get("rationale", ""), line.get("second") or "", line.get("reason") or ""]
    if not all(isinstance(word, str) for word in words):
        raise UsageError(
            N_("{field} must be {kind}"),
            code="wrong_type",
            field="situation, rationale, second, reason",
            kind=Phrase(_KINDS[str]),
        )
    return check_answer(Answer(_get(line, "keep", bool), *words))


def _get(line: Mapping[str, Any], field: str, kind: type[T]) -> T:
    value = line.get(field)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise UsageError(N_("{field} must be {kind}"), code="wrong_type", field=field, kind=Phrase(_KINDS[kind]))
    return value
