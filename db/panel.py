"""The live panel: agreement that follows every closing, kept up from the log, as far as whoever looks may see it.

For an annotator the codes of several people must be brought together item by item, so this reads the sealed mapping too; what
comes out are figures over all items, with both kinds of reply as one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from curation.scoring.panel import Board, Closing
from curation.work.scoring import BETTER, Panel
from db.connection import snapshot
from db.people import People
from db.scorelines import by_mode
from db.settings import Current
from db.takingback import UNDO_REACH

_CLOSED = """
SELECT c.code, k.dialogue, k.system, k.first, c.person, (SELECT json_group_array(json(x.scores)) FROM score_closing x
    WHERE x.code = c.code)
FROM score_closing c JOIN score_key k ON k.code = c.code
WHERE c.step <> 'replies' AND k.mode = 'pair' AND k.role = 'plan'
"""
_MOST_TALK = 3


class LivePanel:
    """The live figures of one project, a board for each way to look at them."""

    def __init__(self, connection: sqlite3.Connection, settings: Current, people: People) -> None:
        self._db = connection
        self._settings = settings
        self._people = people
        self._boards: dict[str, Board] = {}
        self._read: dict[str, int] = {}
        self._scorers: tuple[str, ...] = ()

    def panel(self, viewer: str, *, intervals: bool = False) -> Panel:
        """See `Scoring.panel`."""
        lead = self._people.curates(viewer)
        if not lead and not self._settings.now.show_agreement:
            return Panel(hidden="project")
        with snapshot(self._db):
            board = self._board("" if lead else viewer)
            if intervals:
                board.draw_intervals()
            closed, assigned = self._counts("" if lead else viewer)
            return Panel(
                rows=board.rows(),
                closed=closed,
                assigned=assigned,
                compared=board.compared,
                intervals_of=board.intervals_of,
                advice=board.advice(self._talk_over) if lead and intervals else None,
            )

    def _counts(self, viewer: str) -> tuple[int, int]:
        row = self._db.execute(
            "SELECT (SELECT count(*) FROM score_closing WHERE step <> 'replies' AND (?1 = '' OR person = ?1)),"
            " (SELECT count(*) FROM score_task WHERE ?1 = '' OR person = ?1)",
            (viewer,),
        ).fetchone()
        return int(row[0]), int(row[1])

    # -- keeping up

    def _board(self, viewer: str) -> Board:
        if not self._keep_up() or viewer not in self._boards:
            board = Board(self._scorers, viewer, UNDO_REACH if viewer else 0)
            rows = self._db.execute(f"{_CLOSED} ORDER BY c.origin, c.number").fetchall()
            board.pace(len(rows))
            for one in map(_closing, rows):
                board.close(one)
            board.pace(len(rows))
            self._boards[viewer] = board
        return self._boards[viewer]

    def _keep_up(self) -> bool:
        """Read what the log says since the last look. False where everything has to be read anew."""
        heads = dict(self._db.execute("SELECT origin, max(number) FROM event GROUP BY origin").fetchall())
        if not self._boards or heads.keys() != self._read.keys():
            self._forget(heads)
            return False
        for origin, head in heads.items():
            rows = self._db.execute(
                "SELECT kind, by, body FROM event WHERE origin = ? AND number > ? AND number <= ?"
                " AND kind IN ('scoring_closed', 'undone', 'scoring_handed') ORDER BY number",
                (origin, self._read[origin], head),
            ).fetchall()
            for kind, by, body in rows:
                if kind == "scoring_handed":
                    self._forget(heads)
                    return False
                self._follow(kind, by, json.loads(body))
            self._read[origin] = head
        return True

    def _forget(self, heads: dict[str, int]) -> None:
        self._boards = {}
        self._read = heads
        self._scorers = tuple(
            name for (name,) in self._db.execute("SELECT DISTINCT person FROM score_task ORDER BY person")
        )

    def _follow(self, kind: str, by: str, body: dict[str, object]) -> None:
        if kind == "undone" and body.get("kind") != "scoring_closed":
            return
        for board in self._boards.values():
            if kind == "undone":
                row = self._db.execute(
                    "SELECT dialogue, system FROM score_key WHERE code = ?", (body["task"],)
                ).fetchone()
                board.take_back(str(body["task"]), (str(row[0]), str(row[1])), by)
            elif body["step"] != "replies":
                for row in self._db.execute(f"{_CLOSED} AND c.code = ?", (body["task"],)):
                    board.close(_closing(row))

    # -- what to talk over

    def _talk_over(self, dimension: str) -> tuple[tuple[str, int], ...]:
        """The calibration items in which people differ most: (dialogue's external id, how far apart)."""
        given: dict[tuple[str, str], list[int]] = {}
        for external_id, system, first, scores in self._db.execute(
            "SELECT d.external_id, k.system, k.first, (SELECT json_group_array(json(x.scores)) FROM score_closing x"
            " WHERE x.code = c.code) FROM score_closing c JOIN score_key k ON k.code = c.code"
            " JOIN dialogue d ON d.id = k.dialogue WHERE c.step <> 'replies' AND k.role = 'calibration'"
        ):
            value = _merged(scores, first).get(dimension)
            if value is not None:
                given.setdefault((external_id, system), []).append(value)
        apart = [(max(values) - min(values), name) for (name, _), values in given.items() if len(values) > 1]
        return tuple(
            (name, spread) for spread, name in sorted(apart, key=lambda one: (-one[0], one[1]))[:_MOST_TALK] if spread
        )


def _closing(row: Iterable[object]) -> Closing:
    code, dialogue, system, first, person, scores = row
    return Closing(str(code), (str(dialogue), str(system)), str(person), _merged(str(scores), str(first)))


def _merged(scores: str, first: str) -> dict[str, int]:
    held: dict[str, int] = {}
    for part in json.loads(scores):
        held.update(part)
    return {name: value for name, value in by_mode(held, first).items() if name != BETTER}
