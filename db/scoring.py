"""Scoring at the desk: what lies there, each key committed, closing, and taking back. Blind throughout.

What annotators are served from are the tasks that were handed to them; which system and which mode an opaque code stands
for lies in a table of its own (`score_key`), which no method of this module reads.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from curation.errors import N_, NotFound, RefusedStep, UsageError
from curation.rubric import rubric
from curation.work.scoring import (
    ABLATION,
    BETTER,
    GUESS,
    PROCESS,
    PROCESS_STEP,
    REPLIES,
    SCORES,
    SHEET,
    SIDES,
    Panel,
    PastScore,
    ScoreTask,
    ScoringProgress,
)
from db.connection import storable, transaction
from db.curating import must_curate
from db.log import Log
from db.people import People
from db.replay import project
from db.scoresheets import Sheets, Shown
from db.settings import Current
from db.takingback import entries_of, last_key, take_back

if TYPE_CHECKING:
    from curation.work.asking import Covered
    from db.handing import Handing
    from db.panel import LivePanel

SKIP_REASONS = ("unclear", "unreadable", "identity", "later", "other")
_IDLE_SECONDS = 600
_OPEN = (
    "SELECT t.place FROM score_task t WHERE t.person = ?1 AND t.place {} ?2"
    " AND NOT EXISTS (SELECT 1 FROM score_closing c WHERE c.code = t.code AND c.step <> 'replies')"
    " AND {} EXISTS (SELECT 1 FROM score_skip s WHERE s.code = t.code) ORDER BY t.place LIMIT 1"
)


class Scoring:
    """The scoring of one project. `sheets` lays a task out, `handing` hands tasks out, `live` keeps the live figures."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        settings: Current,
        people: People,
        sheets: Sheets,
        handing: Callable[[], Handing],
        live: Callable[[], LivePanel],
    ) -> None:
        self._db = connection
        self._log = log
        self._settings = settings
        self._people = people
        self._sheets = sheets
        self._handing = handing
        self._live = live

    # -- handing out (for the curator)

    def assign(
        self,
        by: str,
        to: Sequence[str] | None = None,
        *,
        overlap: int | None = None,
        repeats: float = 0.0,
        calibration: int = 0,
    ) -> dict[str, int]:
        """Hand every item that still wants people to them. Returns how many tasks each person got.

        Each item goes to `overlap` of the people `to` (all annotators who are here, without it), all items of a dialogue to
        the same ones; to three, or as many as there are, where no overlap is given. `repeats` is the share of each
        person's new items that comes again later, hidden; `calibration` how many items in all go to everyone first and count
        in no figure. Only what is ready is handed out (see `left_out`). Refused while something is wrong with the plan.
        """
        must_curate(self._db, by)
        return self._handing().assign(by, to, overlap=overlap, repeats=repeats, calibration=calibration)

    def left_out(self) -> list[Covered]:
        """What `assign` leaves out: each system and mode in which a reply is missing or flagged that nobody let pass."""
        return self._handing().left_out()

    def calibrating(self) -> int:
        """How many items everyone gets, for calibration."""
        return self._handing().calibrating()

    def end(self, by: str) -> bool:
        """End the scoring: no more scores, and the mapping is open to everyone. Returns whether it was not ended before."""
        must_curate(self._db, by)
        with transaction(self._db):
            if self.ended:
                return False
            project(self._db, self._log.append_bare("scoring_ended", by, {}))
        return True

    @property
    def ended(self) -> bool:
        """Whether the scoring was ended."""
        return self._db.execute("SELECT 1 FROM scoring_end").fetchone() is not None

    def forget(self) -> None:
        """Forget what was read before, and know that nobody else writes: this is a copy in memory."""
        self._sheets.forget()
        self._sheets.alone = True

    # -- the desk

    def progress(self, person: str) -> ScoringProgress:
        """Counts of one person's scoring."""
        self._people.get(person)
        assigned, closed, started, skipped = self._db.execute(
            "SELECT count(*), count(*) FILTER (WHERE done), count(*) FILTER (WHERE begun AND NOT done),"
            " count(*) FILTER (WHERE put_off AND NOT done) FROM (SELECT"
            " EXISTS (SELECT 1 FROM score_closing c WHERE c.code = t.code AND c.step <> 'replies') AS done,"
            " EXISTS (SELECT 1 FROM score s WHERE s.code = t.code) AS begun,"
            " EXISTS (SELECT 1 FROM score_skip k WHERE k.code = t.code) AS put_off"
            " FROM score_task t WHERE t.person = ?)",
            (person,),
        ).fetchone()
        return ScoringProgress(assigned, closed, started, skipped, self._pace(person))

    def _pace(self, person: str) -> float | None:
        """The median seconds between the last closings at the keyboard, pauses left out."""
        rows = self._db.execute(
            "SELECT (julianday(at) - julianday(lag(at) OVER (ORDER BY number))) * 86400 FROM (SELECT at, number"
            " FROM score_closing WHERE person = ? AND brought = 0 AND step <> 'replies' ORDER BY number DESC LIMIT 51)",
            (person,),
        ).fetchall()
        gaps = [gap for (gap,) in rows if gap is not None and 0 < gap < _IDLE_SECONDS]
        return median(gaps) if len(gaps) >= 5 else None

    def task(self, person: str, place: int | None = None) -> ScoreTask | None:
        """The task at a place of the person's list; without one, where they left off, else the next open one."""
        self._people.get(person)
        if place is None:
            row = self._db.execute(
                "SELECT t.place FROM scoring_desk k JOIN score_task t USING (person, code) WHERE k.person = ?",
                (person,),
            ).fetchone()
            if row is None:
                return self.next(person, 0)
            place = int(row[0])
        return self._at(person, place)

    def next(self, person: str, after: int) -> ScoreTask | None:
        """The next task not closed after a place, round the end of the list; those put off come last."""
        place = self._next_place(person, after)
        return None if place is None else self._at(person, place)

    def step(self, person: str, place: int, direction: int) -> ScoreTask | None:
        """The neighbour in the person's list, closed or not; None at its ends."""
        return self._at(person, place + direction)

    def look_ahead(self, person: str, after: int) -> None:
        """Lay the next task's dialogue out now, so that showing it later does not wait. Moves nothing on the desk."""
        place = self._next_place(person, after)
        if place is not None:
            self._sheets.at(person, place)

    def _next_place(self, person: str, after: int) -> int | None:
        for put_off in ("NOT", ""):
            for side in (">", "<="):
                row = self._db.execute(_OPEN.format(side, put_off), (person, after)).fetchone()
                if row is not None:
                    return int(row[0])
        return None

    def _at(self, person: str, place: int) -> ScoreTask | None:
        shown = self._sheets.at(person, place)
        if shown is None:
            return None
        self._move(person, shown.task.code)
        return shown.task

    def _move(self, person: str, code: str) -> None:
        """Remember which task lies on the desk; looking at the same one again writes nothing."""
        at = self._db.execute("SELECT code FROM scoring_desk WHERE person = ?", (person,)).fetchone()
        if at is None or at[0] != code:
            with transaction(self._db):
                self._db.execute("INSERT OR REPLACE INTO scoring_desk (person, code) VALUES (?, ?)", (person, code))

    def past(self, person: str) -> list[PastScore]:
        """A person's own tasks that they gave anything on, last touched first."""
        return self._sheets.past(person)

    # -- giving: each is one event and on disk when it returns, and returns the task as it is then

    def score(self, person: str, code: str, dimension: str, value: int) -> ScoreTask:
        """Give a score of 0, 5 or 10. On what is closed it is kept and not counted. The same again changes nothing."""
        if type(value) is not int or value not in SCORES:
            raise UsageError(N_("a score is 0, 5 or 10"), code="bad_score")
        with transaction(self._db):
            shown = self._theirs(person, code)
            task = shown.task
            if dimension not in (*task.dimensions, *shown.shut):
                if task.step == REPLIES and dimension in PROCESS:
                    raise RefusedStep(N_("close the replies first: the process is shown after that"), code="not_yet")
                raise UsageError(
                    N_("{name} must be one of {allowed}"), name="dimension", allowed=", ".join(task.dimensions)
                )
            if task.marks.scores.get(dimension) != value:
                self._give(person, shown, dimension, value)
        return self._again(person, code)

    def better(self, person: str, code: str, side: str) -> ScoreTask:
        """Say which reply is better, "1" or "2".

        Refused where it contradicts the scores, before both are scored, and where the texts are the same.
        """
        _side(side)
        with transaction(self._db):
            shown = self._theirs(person, code)
            task = shown.task
            if len(task.replies) < 2 and shown.form == "single":
                raise RefusedStep(N_("there is one reply here, and nothing to prefer it to"), code="one_reply")
            check_better(task.marks.scores, side, same_text=task.same_text)
            if task.marks.better != side:
                self._give(person, shown, BETTER, int(side))
        return self._again(person, code)

    def guess(self, person: str, code: str, side: str) -> ScoreTask:
        """Guess which reply was written after thinking, "1" or "2", while the project asks and nothing tells."""
        _side(side)
        with transaction(self._db):
            shown = self._theirs(person, code)
            if not shown.task.ask_guess:
                raise RefusedStep(N_("no guess is asked for here"), code="no_guess")
            if shown.task.marks.guess != side:
                self._give(person, shown, GUESS, int(side))
        return self._again(person, code)

    def _give(self, person: str, shown: Shown, dimension: str, value: int) -> None:
        task = shown.task
        was = self._db.execute(
            "SELECT origin, number FROM score WHERE code = ? AND dimension = ?", (task.code, dimension)
        ).fetchone()
        body = {
            "task": task.code,
            "dimension": dimension,
            "value": value,
            "rubric": rubric().version,
            "was": None if was is None else list(was),
            # Said in the log too: what is given on a closed step does not count.
            "late": task.closed or dimension in shown.shut,
        }
        project(self._db, self._log.append_bare("scored", person, body))

    def save_draft(self, person: str, code: str, text: str) -> None:
        """Keep a half-written note (each key); an empty one is forgotten."""
        with transaction(self._db):
            shown = self._theirs(person, code)
            self._keep_draft(person, shown, text)

    def _keep_draft(self, person: str, shown: Shown, text: str) -> None:
        self._db.execute("DELETE FROM scoring_draft WHERE person = ? AND code = ?", (person, shown.task.code))
        if text:
            self._db.execute(
                "INSERT INTO scoring_draft (person, code, dialogue, text) VALUES (?, ?, ?, ?)",
                (person, shown.task.code, shown.dialogue, text),
            )

    def note(self, person: str, code: str, text: str) -> ScoreTask:
        """Write a note to the lead; "" takes it away. The draft goes with it."""
        _storable(text)
        with transaction(self._db):
            shown = self._theirs(person, code)
            if shown.task.marks.note != text:
                self._record("scoring_noted", person, shown, {"empty": not text}, {"note": text}, "score_note")
            self._keep_draft(person, shown, "")
        return self._again(person, code)

    def flag(self, person: str, code: str, on: bool) -> ScoreTask:
        """Flag a task for the lead, or take the flag away."""
        with transaction(self._db):
            shown = self._theirs(person, code)
            if shown.task.marks.flag != on:
                body = {"task": code, "flag": on, "was": self._ref("score_flag", code)}
                project(self._db, self._log.append_bare("scoring_flagged", person, body))
        return self._again(person, code)

    def skip(self, person: str, code: str, reason: str, note: str = "") -> ScoreTask | None:
        """Put a task off with a reason; it comes back at the end. Returns the next task, None when there is none."""
        if reason not in SKIP_REASONS:
            raise UsageError(N_("{name} must be one of {allowed}"), name="reason", allowed=", ".join(SKIP_REASONS))
        _storable(note)
        with transaction(self._db):
            shown = self._theirs(person, code)
            if shown.task.closed:
                raise RefusedStep(N_("this task is closed already"), code="closed")
            self._record("scoring_skipped", person, shown, {"reason": reason}, {"note": note}, "score_skip")
            return self._move_on(person, shown.task.place)

    def close(self, person: str, code: str) -> ScoreTask | None:
        """Close the step. Returns what lies on the desk then: the same task's next step, the next task, or None.

        Refused with code `missing`, which the parameter `missing` names, while the step lacks anything.
        """
        with transaction(self._db):
            shown = self._theirs(person, code)
            task = shown.task
            if task.closed:
                raise RefusedStep(N_("this task is closed already"), code="closed")
            if task.marks.missing:
                names = ", ".join(task.marks.missing)
                raise RefusedStep(N_("still missing: {missing}"), code="missing", missing=names)
            self._close(person, shown, task.step, self._standing(task))
            if task.step == REPLIES:
                return self._again(person, code)
            return self._move_on(person, task.place)

    @staticmethod
    def _standing(task: ScoreTask) -> dict[str, int]:
        """What the step that is closed says: its scores, and what was said of two replies."""
        scores = {name: task.marks.scores[name] for name in task.dimensions}
        if task.step in (REPLIES, SHEET):
            said = {BETTER: task.marks.better, GUESS: task.marks.guess}
            scores.update({name: int(side) for name, side in said.items() if side})
        return scores

    def _close(self, person: str, shown: Shown, step: str, scores: dict[str, int], via: str = "") -> None:
        body: dict[str, Any] = {"step": step, "scores": scores, "rubric": rubric().version}
        if via:
            body["via"] = via
        self._record("scoring_closed", person, shown, body, {}, "score_skip")

    def sheet(self, person: str, code: str) -> Shown:
        """A task of this person that takes scores, as it stands, without the dialogue: for `take_line`."""
        return self._theirs(person, code, reading=False)

    def take_line(self, shown: Shown, scores: dict[str, int], via: str) -> bool:
        """Take scores that were given elsewhere, whole, and close the task. Returns whether anything changed.

        `scores` are by side, checked already; `via` is who brings them. On a closed task, and on a step of it that is
        closed, a change is kept and not counted, as at the desk.
        """
        marks, person = shown.task.marks, shown.person
        said = {**marks.scores, **({BETTER: int(marks.better)} if marks.better else {})}
        changed = {name: value for name, value in scores.items() if said.get(name) != value}
        with transaction(self._db):
            if shown.task.closed:
                for name, value in changed.items():
                    self._give(person, shown, name, value)
                return bool(changed)
            for name in sorted(changed.keys() & said.keys()):
                self._give(person, shown, name, scores[name])
            if shown.shut:  # the replies were closed at the desk: only the process is left to close
                scores = {name: scores[name] for name in PROCESS}
            step = PROCESS_STEP if shown.shut else ABLATION if shown.form == "single" else SHEET
            self._close(person, shown, step, scores, via)
        return True

    def sees_all(self, viewer: str) -> bool:
        """Whether nothing is sealed for this person: a curator, or anyone once the scoring is ended."""
        return self.ended or self._people.curates(viewer)

    def _move_on(self, person: str, after: int) -> ScoreTask | None:
        place = self._next_place(person, after)
        return None if place is None else self._at(person, place)

    # -- taking back

    def undo(self, person: str) -> ScoreTask | None:
        """Take back this person's last key, across tasks and after a restart. None when there is none to take back.

        It does not reach behind the closing of two replies whose process was shown since (refused with code `shown`), nor
        further than 20 closed tasks.
        """
        with transaction(self._db):
            self._working(person)
            event = last_key(self._db, self._log, person)
            if event is None:
                return None
            shown = self._sheets.of(event.body["task"])
            if event.kind == "scoring_noted" and shown is not None and not shown.task.marks.draft:
                self._keep_draft(person, shown, shown.task.marks.note)  # what was written is not lost with its note
            take_back(self._db, self._log, person, event)
            return self._again(person, event.body["task"])

    # -- live figures

    def panel(self, viewer: str, *, intervals: bool = False) -> Panel:
        """Live agreement as this person may see it. With `intervals` these are computed anew (slow: in a worker)."""
        return self._live().panel(viewer, intervals=intervals)

    # -- what the others stand on

    def _working(self, person: str) -> None:
        if self._people.get(person).retired:
            raise RefusedStep(N_("{name} has left the project"), code="retired", name=person)
        if self.ended:
            raise RefusedStep(N_("the scoring was ended: no score is taken any more"), code="ended")

    def _theirs(self, person: str, code: str, *, reading: bool = True) -> Shown:
        self._working(person)
        shown = self._sheets.of(code, reading=reading) if storable(code) else None
        if shown is None or shown.person != person:
            raise NotFound(N_("{name} has no task {task}"), code="not_assigned", name=person, task=code)
        return shown

    def _again(self, person: str, code: str) -> ScoreTask:
        shown = self._sheets.of(code)
        assert shown is not None
        self._move(person, code)
        return shown.task

    def _ref(self, table: str, code: str) -> list[object] | None:
        row = self._db.execute(f"SELECT origin, number FROM {table} WHERE code = ?", (code,)).fetchone()
        return None if row is None else list(row)

    def _record(
        self, kind: str, person: str, shown: Shown, body: dict[str, Any], text: dict[str, str], table: str
    ) -> None:
        """An event with an entry on the task's dialogue; `table` is where what it replaces stands."""
        code = shown.task.code
        body = {"task": code, "dialogue": shown.uid, "was": self._ref(table, code), **body}
        event = self._log.append(kind, person, body, entries=[(shown.dialogue, text)])
        project(self._db, event, entries_of(self._db, event))


def check_better(scores: Any, side: str, *, same_text: bool) -> None:
    """Whether `side` ("1" or "2") may be called better: raises RefusedStep with the reason where it may not."""
    if same_text:
        raise RefusedStep(N_("the two replies have the same text: none is better"), code="same_text")
    one, other = (scores.get(name) for name in SIDES)
    if one is None or other is None:
        raise RefusedStep(N_("score both replies first"), code="not_yet")
    if one != other and (one > other) != (side == "1"):
        raise RefusedStep(N_("the reply with the lower score cannot be the better one"), code="contradicts")


def _side(side: str) -> None:
    if side not in ("1", "2"):
        raise UsageError(N_("{name} must be one of {allowed}"), name="side", allowed="1, 2")


def _storable(text: str) -> None:
    if not storable(text):
        raise UsageError(
            N_("the text holds half characters (lone surrogates), which no file can keep"), code="bad_text"
        )
