"""A task laid out for its annotator: the dialogue as approved, the texts under the code, and what was given so far."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curation.stages import Stage
from curation.work import FinalMessage
from curation.work.scoring import (
    ABLATION,
    ALONE,
    BETTER,
    CLOSED,
    GUESS,
    PROCESS,
    PROCESS_STEP,
    REPLIES,
    SHEET,
    SIDES,
    Marks,
    PastScore,
    ScoreTask,
)
from db.dialogues import Dialogues
from db.quality import Quality
from db.settings import Current

Spans = tuple[tuple[int, int, int, str], ...]
Scan = Callable[[int], Spans]
_KEPT = 16  # dialogues whose texts are kept at hand
_TASK = "SELECT code, person, place, dialogue, form, calibration, payload FROM score_task"


@dataclass(frozen=True)
class Shown:
    """A task as it stands, and what the store needs to know beside it.

    `shut` are the dimensions of a step that is closed while the task is not: a change of these does not count.
    """

    task: ScoreTask
    person: str
    dialogue: int
    uid: str
    form: str
    shut: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Given:
    """The rows of one task: value and event number by dimension, scores by closed step, and the rest."""

    now: Mapping[str, tuple[int, str, int]]
    closings: Mapping[str, Mapping[str, int]]
    at: str


class Sheets:
    """Lays out the tasks of one project. Reads what was handed out and given, never what a code stands for."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        settings: Current,
        dialogues: Dialogues,
        quality: Callable[[], Quality],
        scan: Scan,
    ) -> None:
        self._db = connection
        self._settings = settings
        self._dialogues = dialogues
        self._quality = quality
        self._scan = scan
        # The dialogue laid out last: nine systems' replies to it come one after the other.
        self._read: tuple[int, str, tuple[FinalMessage, ...], Spans] | None = None
        self._approval: int | None = None
        # True where nobody else can write, as on a copy in memory: no text is read twice.
        self.alone = False
        self._texts: dict[int, dict[str, Any]] = {}

    def forget(self) -> None:
        """Forget the texts at hand."""
        self._read, self._texts = None, {}

    def at(self, person: str, place: int) -> Shown | None:
        """The task at a place of a person's list, its dialogue read anew."""
        row = self._db.execute(f"{_TASK} WHERE person = ? AND place = ?", (person, place)).fetchone()
        return None if row is None else self._shown(row, fresh=True)

    def of(self, code: str, *, reading: bool = True) -> Shown | None:
        """The task with this code; without the dialogue's messages where nobody is `reading` them."""
        row = self._db.execute(f"{_TASK} WHERE code = ?", (code,)).fetchone()
        return None if row is None else self._shown(row, fresh=False, reading=reading)

    def _shown(self, row: Sequence[Any], *, fresh: bool, reading: bool = True) -> Shown:
        code, person, place, dialogue, form, calibration, payload = row
        uid, messages, spans = self._dialogue(dialogue, fresh) if reading else (self._uid(dialogue), (), ())
        texts = self._words(payload).get(code, {})
        replies = tuple(texts.get("replies", ()))
        same = len(replies) == 2 and replies[0] == replies[1]
        given = self._given(code)
        step = self._step(form, given)
        shut = SIDES if step == PROCESS_STEP else ()
        ask_better = form == "pair" and not same and step in (REPLIES, SHEET)
        ask_guess = self._settings.now.guess and form == "pair" and not same and step in (REPLIES, SHEET)
        dimensions = dimensions_of(step, form)
        marks = self._marks(code, person, given, dimensions, ask_better, ask_guess)
        count = self._db.execute("SELECT max(place) FROM score_task WHERE person = ?", (person,)).fetchone()[0]
        before = self._db.execute(
            "SELECT dialogue FROM score_task WHERE person = ? AND place = ?", (person, place - 1)
        ).fetchone()
        task = ScoreTask(
            code=code,
            place=place,
            count=count,
            messages=messages,
            step=step,
            replies=replies,
            process=texts.get("process") if form == "pair" and step != REPLIES else None,
            dimensions=dimensions,
            marks=marks,
            ask_better=ask_better,
            ask_guess=ask_guess,
            same_text=same,
            calibration=bool(calibration),
            read_before=before is not None and before[0] == dialogue,
            spans=spans,
        )
        return Shown(task, person, dialogue, uid, form, shut)

    def _dialogue(self, key: int, fresh: bool) -> tuple[str, tuple[FinalMessage, ...], Spans]:
        row = self._db.execute("SELECT payload FROM approval WHERE dialogue = ?", (key,)).fetchone()
        approval = None if row is None else int(row[0])
        # A text that was approved is another one when it is approved again; one that was not is read anew.
        known = self._read is not None and self._read[0] == key and self._approval == approval
        if self._read is None or not known or (fresh and approval is None and not self.alone):
            self._approval = approval
            stored = self._dialogues.by_key(key)
            final = tuple(self._quality().final(stored.uid))
            spans: Spans = ()
            if stored.stage not in (Stage.APPROVED, Stage.RELEASED):
                # Not approved yet: as it came, to be masked where something may identify a person.
                raw = stored.dialogue.messages
                final = tuple(FinalMessage(m.index, m.turn, m.party, raw[m.index].text) for m in final)
                spans = self._scan(key)
            self._read = (key, stored.uid, final, spans)
        return self._read[1:]

    def _uid(self, key: int) -> str:
        return str(self._db.execute("SELECT uid FROM dialogue WHERE id = ?", (key,)).fetchone()[0])

    def _words(self, payload: int) -> dict[str, Any]:
        """The texts of all tasks that one person has on one dialogue, by code."""
        if payload not in self._texts:
            row = self._db.execute("SELECT text FROM payload WHERE id = ?", (payload,)).fetchone()
            value = json.loads(row[0]) if row and row[0] else {}
            if len(self._texts) >= _KEPT:
                self._texts.clear()
            self._texts[payload] = {c: {"replies": r, "process": p} for c, _, _, _, r, p in value.get("tasks", ())}
        return self._texts[payload]

    def _given(self, code: str) -> _Given:
        now, at = {}, ""
        for dimension, value, origin, number, when in self._db.execute(
            "SELECT dimension, value, origin, number, at FROM score WHERE code = ?", (code,)
        ):
            now[dimension] = (value, origin, number)
            at = max(at, when)
        closings = {}
        for step, scores, when in self._db.execute(
            "SELECT step, scores, at FROM score_closing WHERE code = ?", (code,)
        ):
            closings[step] = json.loads(scores)
            at = max(at, when)
        return _Given(now, closings, at)

    def _step(self, form: str, given: _Given) -> str:
        if form == "single":
            return CLOSED if ABLATION in given.closings else ABLATION
        if PROCESS_STEP in given.closings or SHEET in given.closings:
            return CLOSED
        if REPLIES in given.closings:
            return PROCESS_STEP
        # Who has scored some of the process has seen it, whatever the setting says by now.
        if self._settings.now.scoring_mode == "separate" and not any(name in given.now for name in PROCESS):
            return REPLIES
        return SHEET

    def _marks(
        self, code: str, person: str, given: _Given, dimensions: Sequence[str], ask_better: bool, ask_guess: bool
    ) -> Marks:
        scores = {name: given.now[name][0] for name in (*PROCESS, *SIDES, ALONE) if name in given.now}
        better = better_of(given.now)
        guess = str(given.now[GUESS][0]) if GUESS in given.now else ""
        row = self._db.execute(
            "SELECT (SELECT text FROM score_note n JOIN payload p ON p.id = n.payload WHERE n.code = ?1),"
            " (SELECT text FROM scoring_draft WHERE code = ?1 AND person = ?2),"
            " EXISTS (SELECT 1 FROM score_flag WHERE code = ?1), (SELECT reason FROM score_skip WHERE code = ?1)",
            (code, person),
        ).fetchone()
        counted: dict[str, int] = {}
        for closed in given.closings.values():
            counted.update({name: value for name, value in closed.items() if name not in (BETTER, GUESS)})
        return Marks(
            scores=scores,
            better=better,
            guess=guess,
            missing=missing(dimensions, scores, better, guess, ask_better=ask_better, ask_guess=ask_guess),
            note=json.loads(row[0]).get("note", "") if row[0] else "",
            draft=row[1] or "",
            flag=bool(row[2]),
            skipped=row[3] or "",
            counted=counted,
            at=given.at,
        )

    def past(self, person: str) -> list[PastScore]:
        """A person's own tasks that they gave anything on, last touched first."""
        rows = self._db.execute(
            "SELECT t.code, t.place, t.form, (SELECT text FROM score_note n JOIN payload p ON p.id = n.payload"
            " WHERE n.code = t.code), EXISTS (SELECT 1 FROM score_flag f WHERE f.code = t.code),"
            " (SELECT reason FROM score_skip s WHERE s.code = t.code) FROM score_task t WHERE t.person = ?1 AND"
            " (EXISTS (SELECT 1 FROM score x WHERE x.code = t.code) OR EXISTS (SELECT 1 FROM score_skip s WHERE"
            " s.code = t.code) OR EXISTS (SELECT 1 FROM score_note n WHERE n.code = t.code) OR EXISTS"
            " (SELECT 1 FROM score_flag f WHERE f.code = t.code))",
            (person,),
        ).fetchall()
        result = []
        for code, place, form, note, flag, skipped in rows:
            given = self._given(code)
            scores = {name: given.now[name][0] for name in (*PROCESS, *SIDES, ALONE) if name in given.now}
            counted = {name: value for closed in given.closings.values() for name, value in closed.items()}
            result.append(
                PastScore(
                    place=place,
                    code=code,
                    scores=scores,
                    better=better_of(given.now),
                    flag=bool(flag),
                    note=json.loads(note).get("note", "") if note else "",
                    skipped=skipped or "",
                    closed=self._step(form, given) == CLOSED,
                    changed=any(counted.get(name, value) != value for name, value in scores.items()),
                    at=given.at,
                )
            )
        return sorted(result, key=lambda one: (one.at, one.place), reverse=True)


def dimensions_of(step: str, form: str) -> tuple[str, ...]:
    """What is scored in a step, in order."""
    if form == "single":
        return (ALONE,)
    return {REPLIES: SIDES, PROCESS_STEP: PROCESS}.get(step, (*PROCESS, *SIDES))


def missing(
    dimensions: Sequence[str], scores: Mapping[str, int], better: str, guess: str, *, ask_better: bool, ask_guess: bool
) -> tuple[str, ...]:
    """What a step still needs, in the order of asking. 0 is a score; equal scores of two replies need a better one."""
    lacking = [name for name in dimensions if name not in scores]
    if ask_better and not better and not set(SIDES) & set(lacking) and scores[SIDES[0]] == scores[SIDES[1]]:
        lacking.append(BETTER)
    if ask_guess and not guess:
        lacking.append(GUESS)
    return tuple(lacking)


def better_of(now: Mapping[str, tuple[int, str, int]]) -> str:
    """Which reply was called better, "" where that was said before a score of the two that stands: then it is asked anew.

    `now` is (value, origin, number) by dimension.
    """
    if BETTER not in now:
        return ""
    value, origin, number = now[BETTER]
    later = any(name in now and now[name][1] == origin and now[name][2] > number for name in SIDES)
    return "" if later else str(value)
