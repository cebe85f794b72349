"""Rounds beside the real work: training, calibration, labelling again. None of it moves a dialogue or enters a release."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil
from typing import TYPE_CHECKING

from curation.errors import N_, NotFound, RefusedStep, UsageError
from curation.model import Party
from curation.work import Answer
from curation.work.rounds import Feedback, Line, RoundTask, Trained
from db.connection import storable, transaction
from db.curating import must_curate
from db.dialogues import Dialogues
from db.log import Log
from db.people import People
from db.replay import project, record, reproject
from db.screening import Screening, check_answer
from db.settings import Current

if TYPE_CHECKING:
    from db.quality import Quality

TRAINING, CALIBRATION, RELABEL = "training", "calibration", "relabel"
APPROVED = "t.stage IN ('approved', 'released')"


class Rounds:
    """The rounds of one project. `quality` is made when a text is wanted: whether there is a round is asked at every start."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        settings: Current,
        people: People,
        dialogues: Dialogues,
        screening: Screening,
        quality: Callable[[], Quality],
    ) -> None:
        self._db = connection
        self._log = log
        self._settings = settings
        self._people = people
        self._dialogues = dialogues
        self._screening = screening
        self._quality = quality

    # -- gold

    def set_gold(self, by: str, uid: str, answer: Answer, feedback: str) -> bool:
        """Make a dialogue a training item with its right answer, and why it is right. Returns whether anything changed.

        Refused while it lies on someone's list undecided: they would meet it again in earnest.
        """
        must_curate(self._db, by)
        answer = check_answer(answer)
        if not storable(feedback):
            raise UsageError(
                N_("the text holds half characters (lone surrogates), which no file can keep"), code="bad_text"
            )
        key = self._dialogues.key(uid)
        value = {"keep": answer.keep, "situation": answer.situation, "feedback": feedback}
        with transaction(self._db):
            if self._db.execute(
                "SELECT 1 FROM assignment a JOIN state t ON t.dialogue = a.dialogue"
                " WHERE a.dialogue = ? AND t.stage = 'candidate'",
                (key,),
            ).fetchone():
                raise RefusedStep(N_("this dialogue is handed out to be screened; it can be no gold"), code="assigned")
            row = self._db.execute(
                "SELECT text FROM gold JOIN payload ON payload.id = gold.payload WHERE dialogue = ?", (key,)
            ).fetchone()
            if row is not None and row[0] and json.loads(row[0]) == value:
                return False
            record(self._db, self._log, "training_gold", by, key, {"dialogue": uid}, value)
        return True

    def remove_gold(self, by: str, uid: str) -> bool:
        """A training item no more. Returns whether it was one."""
        must_curate(self._db, by)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            if not self._db.execute("SELECT 1 FROM gold WHERE dialogue = ?", (key,)).fetchone():
                return False
            record(self._db, self._log, "training_gold", by, key, {"dialogue": uid}, {})
        return True

    def gold(self) -> list[tuple[str, Answer, str]]:
        """The training items in order: external id, right answer, feedback. For the lead."""
        return [
            (name, Answer(bool(keep), situation), json.loads(text).get("feedback", "") if text else "")
            for name, keep, situation, text in self._db.execute(
                "SELECT d.external_id, g.keep, g.situation, p.text FROM gold g JOIN dialogue d ON d.id = g.dialogue"
                " JOIN payload p ON p.id = g.payload ORDER BY g.dialogue"
            )
        ]

    def trained(self, person: str) -> Trained:
        """How far someone's training is. Who has passed once has passed, whatever is added later."""
        self._people.get(person)
        golds = dict(self._db.execute("SELECT dialogue, iif(keep, situation, '') FROM gold").fetchall())
        attempts: dict[int, dict[int, str]] = {}
        for attempt, key, label in self._db.execute(
            "SELECT attempt, dialogue, iif(keep, situation, '') FROM round_answer WHERE kind = 'training' AND person = ?",
            (person,),
        ):
            attempts.setdefault(attempt, {})[key] = label
        passed, last, right = False, attempts.get(max(attempts, default=0), {}), 0
        for given in attempts.values():
            right = sum(golds.get(key) == label for key, label in given.items())
            whole = golds.keys() <= given.keys()
            passed = passed or bool(whole and given and right >= self._settings.now.training_pass * len(given) - 1e-9)
        right = sum(golds.get(key) == label for key, label in last.items())
        return Trained(person, max(attempts, default=0), len(last), right, len(golds), passed or not golds)

    def waiting(self, person: str) -> str:
        """The round that this person has to do before their other work: its kind, or "" for none."""
        if not self._db.execute("SELECT EXISTS (SELECT 1 FROM gold) OR EXISTS (SELECT 1 FROM round_item)").fetchone()[
            0
        ]:
            return ""
        try:
            found = self._people.get(person)
        except NotFound:
            return ""
        if found.retired:
            return ""
        if found.role == "annotator" and not self.trained(person).passed:
            return TRAINING
        return next((kind for kind in (CALIBRATION, RELABEL) if self._open(kind, person)), "")

    # -- handing out

    def calibrate(self, by: str, count: int) -> dict[str, int]:
        """Hand `count` dialogues that pairs have to all other pairs as well. Returns how many each person newly got."""
        must_curate(self._db, by)
        with transaction(self._db):
            pairs = self._people.standing()
            if len(pairs) < 2:
                raise RefusedStep(N_("calibration compares pairs, and there are not two"), code="no_pair")
            rows = self._db.execute(
                "SELECT a.dialogue, group_concat(DISTINCT a.pair) FROM assignment a JOIN dialogue d ON d.id = a.dialogue"
                " WHERE d.current = 1 AND NOT EXISTS (SELECT 1 FROM round_item i WHERE i.kind = 'calibration'"
                " AND i.dialogue = a.dialogue) AND NOT EXISTS (SELECT 1 FROM aside x WHERE x.dialogue = a.dialogue)"
                " GROUP BY a.dialogue ORDER BY (SELECT count(*) FROM decision x WHERE x.dialogue = a.dialogue), a.dialogue"
            ).fetchall()
            chosen = self._spread(rows, count)
            wanted = {
                key: [
                    name
                    for pair in pairs
                    for name in (pair.a, pair.b)
                    if not self._db.execute(
                        "SELECT 1 FROM assignment WHERE dialogue = ?1 AND person = ?2 UNION ALL"
                        " SELECT 1 FROM decision WHERE dialogue = ?1 AND person = ?2 UNION ALL"
                        " SELECT 1 FROM handback WHERE dialogue = ?1 AND person = ?2",
                        (key, name),
                    ).fetchone()
                ]
                for key in chosen
            }
            return self._give(by, CALIBRATION, wanted)

    @staticmethod
    def _spread(rows: Sequence[tuple[int, str]], count: int) -> list[int]:
        """`count` of the dialogues, as many of each pair's as can be."""
        of_pair: dict[str, list[int]] = {}
        for key, pair in rows:
            of_pair.setdefault(pair, []).append(key)
        chosen: list[int] = []
        while len(chosen) < count and any(of_pair.values()):
            for keys in of_pair.values():
                if keys and len(chosen) < count:
                    chosen.append(keys.pop(0))
        return sorted(chosen)

    def relabel(self, by: str, share: float, to: Sequence[str], seed: int = 0) -> dict[str, int]:
        """Have a share of the approved dialogues labelled again, blind, by people of `to` who had no say in them.

        Which ones follows from dialogues and seed alone. Returns how many each person newly got.
        """
        must_curate(self._db, by)
        if not 0 < share <= 1:
            raise UsageError(N_("{name} is a share, 0 to 1"), name="share")
        for name in to:
            if self._people.get(name).retired:
                raise RefusedStep(N_("{name} has left the project"), code="retired", name=name)
        with transaction(self._db):
            rows = self._db.execute(
                f"SELECT t.dialogue, d.uid FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE {APPROVED}"
                " AND d.current = 1"
            ).fetchall()
            rows.sort(key=lambda row: hashlib.sha256(f"{seed}/{row[1]}".encode()).digest())
            load: Counter[str] = Counter(dict.fromkeys(to, 0))
            wanted: dict[int, list[str]] = {}
            for key, _ in rows[: ceil(share * len(rows))]:
                able = [name for name in to if self._may_relabel(key, name)]
                if able:
                    name = min(able, key=lambda one: (load[one], one))
                    load[name] += 1
                    wanted[key] = [name]
            return self._give(by, RELABEL, wanted) | {name: 0 for name in to if not load[name]}

    def _may_relabel(self, key: int, name: str) -> bool:
        return not self._db.execute(
            "SELECT 1 FROM blind WHERE dialogue = ?1 AND person = ?2 UNION ALL"
            " SELECT 1 FROM decision WHERE dialogue = ?1 AND person = ?2 UNION ALL"
            " SELECT 1 FROM ruling WHERE dialogue = ?1 AND person = ?2 UNION ALL"
            " SELECT 1 FROM round_item WHERE dialogue = ?1 AND kind = 'relabel' UNION ALL"
            " SELECT 1 FROM round_item WHERE dialogue = ?1 AND person = ?2",
            (key, name),
        ).fetchone()

    def _give(self, by: str, kind: str, wanted: dict[int, list[str]]) -> dict[str, int]:
        given: Counter[str] = Counter()
        entries: list[tuple[int, object]] = []
        last: dict[str, int] = {}
        for key, people in sorted(wanted.items()):
            places = {}
            for name in people:
                if name not in last:
                    last[name] = self._db.execute(
                        "SELECT ifnull(max(place), 0) FROM round_item WHERE kind = ? AND person = ?", (kind, name)
                    ).fetchone()[0]
                last[name] += 1
                places[name] = last[name]
            given.update(places.keys())
            if places:
                entries.append((key, {"places": places}))
        if entries:
            event = self._log.append("round_given", by, {"round": kind}, entries=entries)
            project(self._db, event, [(key, 0, value) for key, value in entries])
        return dict(given)

    # -- doing a round

    def task(self, person: str, kind: str) -> RoundTask | None:
        """The next dialogue of a round that this person has not answered; None at its end."""
        keys, attempt, answered = self._list(person, kind)
        key = next((key for key in keys if key not in answered), None)
        if key is None:
            return None
        uid = self._db.execute("SELECT uid FROM dialogue WHERE id = ?", (key,)).fetchone()[0]
        return RoundTask(
            kind, uid, keys.index(key) + 1, len(keys), len(answered), attempt, tuple(self._lines(kind, uid, key)), None
        )

    def _list(self, person: str, kind: str) -> tuple[list[int], int, set[int]]:
        """The dialogues of someone's round in order, the attempt they are at, and what is answered in it."""
        self._people.get(person)
        if kind == TRAINING:
            keys = [key for (key,) in self._db.execute("SELECT dialogue FROM gold ORDER BY dialogue")]
        else:
            keys = [
                key
                for (key,) in self._db.execute(
                    "SELECT dialogue FROM round_item WHERE kind = ? AND person = ? ORDER BY place", (kind, person)
                )
            ]
        given: dict[int, set[int]] = {}
        for attempt, key in self._db.execute(
            "SELECT attempt, dialogue FROM round_answer WHERE kind = ? AND person = ?", (kind, person)
        ):
            given.setdefault(attempt, set()).add(key)
        attempt = max(given, default=1)
        answered = given.get(attempt, set())
        # Whoever has answered all and not passed begins again.
        if kind == TRAINING and keys and set(keys) <= answered and not self.trained(person).passed:
            attempt, answered = attempt + 1, set()
        return keys, attempt, answered & set(keys)

    def _open(self, kind: str, person: str) -> bool:
        keys, _, answered = self._list(person, kind)
        return len(answered) < len(keys)

    def _lines(self, kind: str, uid: str, key: int) -> list[Line]:
        if kind == RELABEL:
            messages = [(m.turn, Party(m.party), m.text) for m in self._quality().final(uid)]
            last = max((turn for turn, _, _ in messages), default=0)
            return [Line(turn, party, text, turn == last) for turn, party, text in messages]
        from curation.identifiers import Finding
        from curation.identifiers.masks import mask

        stored, spans = self._screening.covered(key)
        dialogue = stored.dialogue
        turn_of = {index: turn.number for turn in dialogue.turns for index in turn.messages}
        last = len(dialogue.turns)
        lines = []
        for index, message in enumerate(dialogue.messages):
            found = [Finding(m, s, e, k, message.text[s:e], 0.0, "") for m, s, e, k in spans if m == index]
            number = turn_of.get(index, last)
            lines.append(
                Line(
                    number,
                    dialogue.party(message),
                    mask(message.text, found) if found else message.text,
                    number == last,
                )
            )
        return lines

    def answer(self, person: str, kind: str, uid: str, answer: Answer) -> Feedback | None:
        """Answer a dialogue of a round. In training returns what it comes to; elsewhere nothing is told.

        Raises NotFound for a dialogue that is not in this person's round, RefusedStep for one answered already.
        """
        answer = check_answer(answer)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            if self._people.get(person).retired:
                raise RefusedStep(N_("{name} has left the project"), code="retired", name=person)
            keys, attempt, answered = self._list(person, kind)
            if key not in keys:
                raise NotFound(N_("this dialogue is not in the round of {name}"), code="not_in_round", name=person)
            if key in answered:
                raise RefusedStep(N_("this is answered already"), code="decided")
            body: dict[str, object] = {"dialogue": uid, "round": kind, "attempt": attempt}
            value = {"keep": answer.keep, "situation": answer.situation}
            record(self._db, self._log, "round_answered", person, key, body, value)
        return self._feedback(key, answer) if kind == TRAINING else None

    def _feedback(self, key: int, answer: Answer) -> Feedback:
        keep, situation, text = self._db.execute(
            "SELECT keep, situation, text FROM gold JOIN payload ON payload.id = gold.payload WHERE dialogue = ?",
            (key,),
        ).fetchone()
        right = (bool(keep), situation) == (answer.keep, answer.situation)
        return Feedback(right, Answer(bool(keep), situation), json.loads(text).get("feedback", "") if text else "")

    def undo(self, person: str, kind: str) -> bool:
        """Take back this person's last answer of a round. Not in training, where the right answer was shown."""
        if kind == TRAINING:
            return False
        with transaction(self._db):
            row = self._db.execute(
                "SELECT a.origin, a.number, a.dialogue, d.uid FROM round_answer a JOIN dialogue d ON d.id = a.dialogue"
                " WHERE a.kind = ? AND a.person = ? ORDER BY a.at DESC, a.number DESC LIMIT 1",
                (kind, person),
            ).fetchone()
            if row is None:
                return False
            origin, number, key, uid = row
            body = {"event": [origin, number], "kind": "round_answered", "dialogue": uid}
            self._log.append("undone", person, body, entries=[(key, {})])
            reproject(self._db, self._log, key)
        return True
