"""Decisions made elsewhere, in and out, line by line: the same checks as at the keyboard."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from curation.errors import N_, RefusedStep, UsageError, WorkbenchError
from curation.model import Refusal
from curation.stages import Stage
from curation.work import Answer
from db.connection import transaction
from db.dialogues import Dialogues
from db.findings import Findings
from db.people import People
from db.quality import Quality
from db.screening import Screening, check_answer

T = TypeVar("T")
Take = Callable[[Mapping[str, Any], str], bool]


@dataclass(frozen=True, slots=True)
class DecisionReport:
    """Lines taken, lines that say what is known already, and lines refused with their reasons."""

    taken: int
    known: int
    refused: tuple[Refusal, ...]


class Decisions:
    """Decision lines of one project."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        people: People,
        dialogues: Dialogues,
        screening: Screening,
        findings: Findings,
        quality: Quality,
    ) -> None:
        self._db = connection
        self._people = people
        self._dialogues = dialogues
        self._screening = screening
        self._findings = findings
        self._quality = quality
        self._kinds: dict[str, Take] = {
            "screening": self._screen,
            "ruling": self._rule,
            "finding": self._finding,
            "trim": self._trim,
            "approval": self._approve,
        }

    def take(self, lines: Iterable[tuple[int, object]], file: str, by: str | None = None) -> DecisionReport:
        """Take decision lines (line number, parsed JSON). Each is a transaction of its own: a bad one spoils no other.

        `by` stands for the lines that name no one.
        """
        taken = known = 0
        refused: list[Refusal] = []
        for number, line in lines:
            try:
                with transaction(self._db):
                    changed = self._take(line, by)
            except WorkbenchError as error:
                raw = json.dumps(line, ensure_ascii=False)
                refused.append(Refusal(file, number, error.code, str(error), raw))
            else:
                taken += changed
                known += not changed
        return DecisionReport(taken, known, tuple(refused))

    def _take(self, line: object, by: str | None) -> bool:
        if not isinstance(line, dict):
            raise UsageError(N_("a decision is a JSON object"), code="not_an_object")
        kind = line.get("kind")
        take = self._kinds.get(kind) if isinstance(kind, str) else None
        if take is None:
            known = ", ".join(self._kinds)
            raise UsageError(N_("kind must be one of {known}"), code="unknown_kind", known=known)
        name = line.get("by", by)
        if name is None:
            raise UsageError(N_("the line names no one in `by`, and no --by was given"), code="no_person")
        if not isinstance(name, str):
            raise UsageError(N_("{field} must be {kind}"), code="wrong_type", field="by", kind="text")
        self._people.get(name)
        return take(line, name)

    def _screen(self, line: Mapping[str, Any], by: str) -> bool:
        answer = _answer(line)
        stored = self._dialogues.find(_get(line, "dialogue", str))
        given = self._screening.given(by, stored.uid)
        if given is not None and (given.keep, given.situation) == (answer.keep, answer.situation):
            return False
        if given is None:
            pair = self._people.pair_of(by)
            if pair is None:
                raise RefusedStep(
                    N_("{name} is in no pair; `workbench people PROJECT pair A B` makes one"),
                    code="no_pair",
                    name=by,
                )
            if stored.stage is not Stage.CANDIDATE:
                raise RefusedStep(
                    N_("dialogue {id} is {stage}, not a candidate"),
                    code="not_a_candidate",
                    id=stored.external_id,
                    stage=stored.stage.value,
                )
            self._screening.bring(by, self._dialogues.key(stored.uid), pair)
        else:
            self._screening.take_back(by, stored.uid)
        self._screening.decide(by, stored.uid, answer)
        return True

    def _rule(self, line: Mapping[str, Any], by: str) -> bool:
        if self._people.get(by).role != "curator":
            raise RefusedStep(N_("only a curator rules on a dispute"), code="not_a_curator")
        answer = _answer(line)
        stored = self._dialogues.find(_get(line, "dialogue", str))
        return self._screening.rule(by, stored.uid, answer)

    def _finding(self, line: Mapping[str, Any], by: str) -> bool:
        stored = self._dialogues.find(_get(line, "dialogue", str))
        place = [_get(line, name, int) for name in ("message", "start", "end")]
        return self._findings.decide(
            stored.uid, by, place[0], place[1], place[2], _get(line, "type", str), _get(line, "accept", bool)
        )

    def _trim(self, line: Mapping[str, Any], by: str) -> bool:
        stored = self._dialogues.find(_get(line, "dialogue", str))
        removed = line.get("removed", [])
        if not isinstance(removed, list) or not all(isinstance(n, int) and not isinstance(n, bool) for n in removed):
            raise UsageError(N_("{field} must be {kind}"), code="wrong_type", field="removed", kind="[int]")
        return self._quality.trim(stored.uid, by, _get(line, "first_turn", int), removed)

    def _approve(self, line: Mapping[str, Any], by: str) -> bool:
        name = _get(line, "dialogue", str)
        if self._dialogues.find(name).stage in (Stage.APPROVED, Stage.RELEASED):
            return False
        report = self._quality.approve(by, [name])
        if report.open:
            raise RefusedStep(
                N_("dialogue {id} has open matters: {codes}"),
                code=next(iter(report.open)),
                id=name,
                codes=", ".join(report.open),
            )
        return True

    def give(self, viewer: str) -> Iterator[dict[str, Any]]:
        """Decision lines for elsewhere: all that the blind does not cover, and the viewer's own."""
        rows = self._db.execute(
            "SELECT d.external_id, x.person, x.keep, x.situation, p.text,"
            " (SELECT count(*) FROM decision o WHERE o.dialogue = x.dialogue AND o.round = 1)"
            " FROM decision x JOIN dialogue d ON d.id = x.dialogue JOIN payload p ON p.id = x.payload"
            " WHERE x.round = 1 ORDER BY x.dialogue, x.slot"
        ).fetchall()
        for external_id, person, keep, situation, text, committed in rows:
            if committed == 2 or person == viewer:
                yield {
                    "kind": "screening",
                    "dialogue": external_id,
                    "by": person,
                    "keep": bool(keep),
                    **({"situation": situation} if keep else {}),
                    "rationale": json.loads(text)["rationale"] if text else "",
                }
        for external_id, person, keep, situation in self._db.execute(
            "SELECT d.external_id, r.person, r.keep, r.situation FROM ruling r JOIN dialogue d ON d.id = r.dialogue"
            " ORDER BY r.dialogue"
        ):
            yield {
                "kind": "ruling",
                "dialogue": external_id,
                "by": person,
                "keep": bool(keep),
                "situation": situation,
            }
        for external_id, message, start, end, kind, accepted in self._db.execute(
            "SELECT d.external_id, f.message, f.start, f.end, f.type, f.accepted FROM finding f"
            " JOIN dialogue d ON d.id = f.dialogue ORDER BY f.dialogue, f.message, f.start"
        ):
            yield {
                "kind": "finding",
                "dialogue": external_id,
                "message": message,
                "start": start,
                "end": end,
                "type": kind,
                "accept": bool(accepted),
            }
        for external_id, first, removed in self._db.execute(
            "SELECT d.external_id, t.first_turn, t.removed FROM trim t JOIN dialogue d ON d.id = t.dialogue"
            " ORDER BY t.dialogue"
        ):
            yield {
                "kind": "trim",
                "dialogue": external_id,
                "first_turn": first,
                "removed": json.loads(removed),
            }
        for (external_id,) in self._db.execute(
            "SELECT d.external_id FROM approval a JOIN dialogue d ON d.id = a.dialogue ORDER BY a.dialogue"
        ):
            yield {"kind": "approval", "dialogue": external_id}


def _answer(line: Mapping[str, Any]) -> Answer:
    situation, rationale = line.get("situation") or "", line.get("rationale", "")
    if not isinstance(situation, str) or not isinstance(rationale, str):
        raise UsageError(N_("{field} must be {kind}"), code="wrong_type", field="situation, rationale", kind="text")
    return check_answer(Answer(_get(line, "keep", bool), situation, rationale))


def _get(line: Mapping[str, Any], field: str, kind: type[T]) -> T:
    value = line.get(field)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise UsageError(N_("{field} must be {kind}"), code="wrong_type", field=field, kind=kind.__name__)
    return value
