"""Scores given elsewhere, in and out, as JSON lines: the same checks as at the desk, many lines in one write."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curation.blinding import PAIR
from curation.errors import N_, NotFound, Phrase, RefusedStep, UsageError, WorkbenchError
from curation.work.asking import ABLATIONS
from curation.work.scoring import ALONE, BETTER, PROCESS, SCORES, SIDES
from db.connection import storable, transaction
from db.dialogues import Dialogues
from db.handing import CALIBRATION, PLAN, Brought, Handing, Name
from db.people import People
from db.scoring import Scoring, check_better

BATCH = 1_000
SCORE, GOLD = "score", "gold"
_REPLIES = {"cot": "reply_cot", "direct": "reply_direct"}
_FIELDS = {"a score": N_("0, 5 or 10"), "text": N_("text")}
# What a field is called in a line -> how it is kept.
Given = dict[str, int]


@dataclass
class Line:
    """One line on its way: what it says, then what came of it."""

    number: int
    line: Mapping[str, Any]
    by: str
    actor: str
    key: int = 0
    uid: str = ""
    system: str = ""
    mode: str = PAIR
    role: str = PLAN
    scores: Given | None = None
    better: str = ""
    changed: bool = False
    error: WorkbenchError | None = None

    @property
    def name(self) -> Name:
        """What is scored."""
        return self.key, self.system, self.mode


class ScoreLines:
    """The score lines of one project, and the gold ones."""

    def __init__(
        self, connection: sqlite3.Connection, people: People, dialogues: Dialogues, scoring: Scoring, handing: Handing
    ) -> None:
        self._db = connection
        self._people = people
        self._dialogues = dialogues
        self._scoring = scoring
        self._handing = handing
        self._found: dict[str, tuple[int, str]] = {}
        self._codes: dict[str, dict[Name, str]] = {}
        self._blind: set[str] = set()
        self.flagged = 0

    def forget(self) -> None:
        """Forget what was looked up for earlier lines, and how many of them were of replies with a flag not let pass."""
        self._found, self._codes, self._blind = {}, {}, set()
        self.flagged = 0

    # -- in

    def take(self, lines: Sequence[Line]) -> None:
        """Take up to a batch of lines in one transaction; each ends with `changed` or with its `error`.

        What a line needs is handed out with it: its task, to whom it names.
        """
        if not lines:
            return
        with transaction(self._db):
            for one in lines:
                self._try(one, self._read)
            wanted = [one for one in lines if one.error is None and one.line.get("kind") == SCORE]
            for person in {one.by for one in wanted} - self._codes.keys():
                self._codes[person] = self._handing.codes_of(person)
            self._bring([one for one in wanted if one.name not in self._codes[one.by]])
            for one in lines:
                if one.error is None:
                    self._try(one, self._keep)
            kept = [one.name for one in wanted if one.error is None and one.changed]
            waiting = self._handing.waiting(kept)
            self.flagged += sum(name in waiting for name in kept)

    def _try(self, one: Line, step: Any) -> None:
        """Do a step of one line; what it wrote goes with its error, and nothing else does."""
        self._db.execute("SAVEPOINT line")
        try:
            step(one)
        except WorkbenchError as error:
            one.error = error
            self._db.execute("ROLLBACK TO line")
        finally:
            self._db.execute("RELEASE line")

    def _bring(self, lines: Sequence[Line]) -> None:
        for actor in {one.actor for one in lines}:
            for role in (CALIBRATION, PLAN):
                brought = [
                    Brought(one.by, one.key, one.uid, one.system, one.mode)
                    for one in lines
                    if (one.actor, one.role) == (actor, role)
                ]
                self._handing.bring(actor, brought, role)
        for person in {one.by for one in lines}:
            self._codes[person] = self._handing.codes_of(person)

    def _read(self, one: Line) -> None:
        line = one.line
        self._refuse_who_scores(one.actor)
        if line.get("kind") == GOLD:
            self._people.must_curate(one.by)
        elif one.by not in self._blind:
            # Whoever brings them, scores count as those of whom they name: the same people as at the desk.
            self._handing.must_be_blind(one.by)
            self._blind.add(one.by)
        if self._scoring.ended:
            raise RefusedStep(N_("the scoring was ended: no score is taken any more"), code="ended")
        one.key, one.uid = self._dialogue(line.get("dialogue"))
        one.system = self._system(line.get("system"))
        one.mode = str(line.get("mode", PAIR))
        if one.mode not in (PAIR, *ABLATIONS):
            allowed = ", ".join((PAIR, *ABLATIONS))
            raise UsageError(N_("{name} must be one of {allowed}"), code="bad_mode", name="mode", allowed=allowed)
        one.role = CALIBRATION if line.get("role") == CALIBRATION else PLAN
        names = (*PROCESS, *_REPLIES.values()) if one.mode == PAIR else (ALONE,)
        if line.get("kind") == GOLD:
            names = tuple(name for name in names if line.get(name) is not None)
            if not names:
                raise RefusedStep(N_("still missing: {missing}"), code="missing", missing=", ".join(PROCESS))
        one.scores = {name: _score(line, name) for name in names}
        one.better = _better(line) if one.mode == PAIR else ""

    def _refuse_who_scores(self, actor: str) -> None:
        """Lines name a system and say which reply is which; where replies are here, taking them tells who scores.

        Their own tasks stand in the log with the code and the side, so one guessed name would open them.
        """
        if not self._scoring.sees_all(actor) and self._db.execute("SELECT EXISTS (SELECT 1 FROM reply)").fetchone()[0]:
            raise RefusedStep(
                N_("a score line names its system, so only a curator takes it in; who scores does it at the desk"),
                code="not_a_curator",
            )

    def _dialogue(self, name: object) -> tuple[int, str]:
        wanted = str(name) if type(name) is int else name
        if not isinstance(wanted, str):
            raise _wrong("dialogue", "text")
        if wanted not in self._found:
            uid = self._dialogues.find(wanted).uid
            self._found[wanted] = (self._dialogues.key(uid), uid)
        return self._found[wanted]

    def _system(self, name: object) -> str:
        """The system a line names. Where the project knows systems it must be one of them."""
        if not isinstance(name, str) or not name.strip() or not storable(name):
            raise _wrong("system", "text")
        known = self._db.execute(
            "SELECT (SELECT count(*) FROM system), EXISTS (SELECT 1 FROM system WHERE name = ?)", (name,)
        )
        some, here = known.fetchone()
        if some and not here:
            raise NotFound(
                N_("there is no system {name} here; `workbench systems PROJECT add {name}` adds it"),
                code="no_system",
                name=name,
            )
        return name

    def _keep(self, one: Line) -> None:
        assert one.scores is not None
        if one.line.get("kind") == GOLD:
            one.changed = self._handing.set_gold(one.by, one.key, one.system, one.mode, one.scores)
            return
        sheet = self._scoring.sheet(one.by, self._codes[one.by][one.name])
        scores = dict(one.scores)
        if one.mode == PAIR:
            first = self._handing.first_of(sheet.task.code)
            scores = _by_side(scores, one.better, first, same=sheet.task.same_text)
        one.changed = self._scoring.take_line(sheet, scores, "" if one.actor == one.by else one.actor)

    # -- out

    def give(self, viewer: str, named: Any) -> Iterator[dict[str, Any]]:
        """Score lines for elsewhere, as they counted; sealed for all but the curators until the scoring is ended.

        `named` gives the external id as people type it. Repeats are left out.
        """
        if not self._scoring.sees_all(viewer):
            return
        for external_id, source, system, mode, first, role, person, scores in self._db.execute(
            "SELECT d.external_id, s.name, k.system, k.mode, k.first, k.role, c.person, json_group_array(json(c.scores))"
            " FROM score_key k JOIN score_closing c ON c.code = k.code JOIN dialogue d ON d.id = k.dialogue"
            " JOIN source s ON s.id = d.source WHERE k.role <> 'repeat' AND EXISTS (SELECT 1 FROM score_closing x"
            " WHERE x.code = k.code AND x.step <> 'replies')"
            " GROUP BY k.code ORDER BY k.dialogue, k.system, k.mode, c.person"
        ).fetchall():
            merged: dict[str, int] = {}
            for part in json.loads(scores):
                merged.update(part)
            yield {
                "kind": SCORE,
                "dialogue": named(external_id, source),
                "system": system,
                "by": person,
                **({} if mode == PAIR else {"mode": mode}),
                **({"role": role} if role == CALIBRATION else {}),
                **by_mode(merged, first),
            }
        for external_id, source, system, mode, person, scores in self._db.execute(
            "SELECT d.external_id, s.name, g.system, g.mode, g.person, g.scores FROM score_gold g"
            " JOIN dialogue d ON d.id = g.dialogue JOIN source s ON s.id = d.source ORDER BY g.dialogue, g.system, g.mode"
        ).fetchall():
            yield {
                "kind": GOLD,
                "dialogue": named(external_id, source),
                "system": system,
                "by": person,
                **({} if mode == PAIR else {"mode": mode}),
                **json.loads(scores),
            }


def _by_side(scores: Given, better: str, first: str, *, same: bool) -> Given:
    """The scores as the desk has them: by the side on which each reply stands for this person.

    Raises RefusedStep where `better` contradicts them, or is lacking.
    """
    order = ("cot", "direct") if first == "cot" else ("direct", "cot")
    result = {name: scores[name] for name in PROCESS}
    result.update({side: scores[_REPLIES[which]] for side, which in zip(SIDES, order, strict=True)})
    if better:
        side = str(1 + order.index(better))
        check_better(result, side, same_text=False)
        if not same:  # replies with the same text need no preference, and have none
            result[BETTER] = int(side)
    elif not same and result[SIDES[0]] == result[SIDES[1]]:
        raise RefusedStep(
            N_("both replies have the score {score}: `better` must say which one is better"),
            code="no_better",
            score=result[SIDES[0]],
        )
    return result


def by_mode(scores: Mapping[str, int], first: str) -> dict[str, Any]:
    """Scores by side as scores by mode: `reply_cot`, `reply_direct`, and `better` as cot or direct."""
    if not first:
        return {ALONE: scores[ALONE]}
    order = ("cot", "direct") if first == "cot" else ("direct", "cot")
    result: dict[str, Any] = {name: scores[name] for name in PROCESS if name in scores}
    result.update({_REPLIES[which]: scores[side] for side, which in zip(SIDES, order, strict=True)})
    if BETTER in scores:
        result[BETTER] = order[scores[BETTER] - 1]
    return {name: result[name] for name in (*PROCESS, *_REPLIES.values(), BETTER) if name in result}


def batched(lines: Iterable[Line], size: int = BATCH) -> Iterator[list[Line]]:
    """Lines in lists of at most `size`."""
    held: list[Line] = []
    for one in lines:
        held.append(one)
        if len(held) == size:
            yield held
            held = []
    if held:
        yield held


def _score(line: Mapping[str, Any], field: str) -> int:
    value = line.get(field)
    if value is None:
        raise RefusedStep(N_("still missing: {missing}"), code="missing", missing=field)
    if isinstance(value, bool) or not isinstance(value, int | float) or value not in SCORES:
        raise _wrong(field, "a score")
    return int(value)


def _better(line: Mapping[str, Any]) -> str:
    value = line.get(BETTER)
    if value is None or value == "":
        return ""
    if value not in _REPLIES:
        raise UsageError(N_("{name} must be one of {allowed}"), code="bad_better", name=BETTER, allowed="cot, direct")
    return str(value)


def _wrong(field: str, kind: str) -> UsageError:
    return UsageError(N_("{field} must be {kind}"), code="wrong_type", field=field, kind=Phrase(_FIELDS[kind]))
