"""What was scored, with what each code stood for: for the figures and for the curator alone.

This and `db.handing` are the modules that know what a code stands for. Nothing of it reaches an annotator before the scoring
is ended.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from curation.errors import N_, RefusedStep
from curation.model import OTHER_LABELS, SELF_LABELS
from curation.scoring.judgements import COT, Judgement, Setting
from curation.stages import Stage, outcome_of
from curation.taxonomy import taxonomy
from curation.work.scoring import BETTER, GUESS, SIDES
from db.connection import snapshot
from db.dialogues import Dialogues
from db.people import People
from db.replay import facts_of
from db.scorelines import by_mode
from db.settings import Current

_PAUSE_SECONDS = 600
_CLOSED = """
SELECT k.code, d.uid, k.system, k.mode, k.first, k.role, k.of, c.person, c.scores, c.step, c.at, c.brought, c.origin,
    c.number
FROM score_closing c JOIN score_key k ON k.code = c.code JOIN dialogue d ON d.id = k.dialogue
WHERE EXISTS (SELECT 1 FROM score_closing x WHERE x.code = c.code AND x.step <> 'replies')
ORDER BY c.origin, c.number
"""
_LATE = """
SELECT s.code, count(*) FROM score s JOIN score_closing c ON c.code = s.code
WHERE json_extract(c.scores, '$.' || s.dimension) <> s.value GROUP BY s.code
"""


class Judged:
    """The scores of one project, opened."""

    def __init__(self, connection: sqlite3.Connection, settings: Current, people: People, dialogues: Dialogues) -> None:
        self._db = connection
        self._settings = settings
        self._people = people
        self._dialogues = dialogues

    def check(self, viewer: str) -> None:
        """Refuse whoever may not see figures by system: all but curators, until the scoring is ended."""
        if not self._people.curates(viewer) and self._db.execute("SELECT 1 FROM scoring_end").fetchone() is None:
            raise RefusedStep(N_("figures by system are sealed until the scoring is ended"), code="sealed")

    def judgements(self) -> list[Judgement]:
        """Every closed task, with the scores as they stood when it was closed, in the order of closing."""
        with snapshot(self._db):
            rows = self._db.execute(_CLOSED).fetchall()
            late = dict(self._db.execute(_LATE).fetchall())
            same = self._same_texts()
        scores: dict[str, dict[str, int]] = {}
        for row in rows:
            scores.setdefault(row[0], {}).update(json.loads(row[8]))
        result = []
        places: Counter[str] = Counter()
        before: dict[str, datetime | None] = {}
        for code, uid, system, mode, first, role, of, person, _, step, at, brought, _, _ in rows:
            if step == "replies":
                continue
            places[person] += 1
            now = None if brought else datetime.fromisoformat(at)
            last = before.get(person)
            gap = (now - last).total_seconds() if now is not None and last is not None else None
            before[person] = now
            said = by_mode(scores[code], first)
            guess = scores[code].get(GUESS)
            result.append(
                Judgement(
                    code=code,
                    dialogue=uid,
                    system=system,
                    mode=mode,
                    by=person,
                    scores={name: value for name, value in said.items() if name != BETTER},
                    better=said.get(BETTER, ""),
                    guess="" if guess is None else (first if guess == 1 else _other(first)),
                    first=first,
                    same_text=code in same,
                    role=role,
                    of=of,
                    place=places[person],
                    seconds=gap if gap is not None and 0 < gap < _PAUSE_SECONDS else None,
                    late=late.get(code, 0),
                )
            )
        return result

    def _same_texts(self) -> set[str]:
        """The codes of the pairs whose two replies have the same text."""
        found: set[str] = set()
        for (text,) in self._db.execute(
            "SELECT text FROM payload WHERE id IN (SELECT payload FROM score_task WHERE form = 'pair')"
        ):
            tasks = json.loads(text)["tasks"] if text else ()
            found.update(
                code
                for code, _, _, _, replies, _ in tasks
                if len(replies) == len(SIDES) == 2 and len(set(replies)) == 1
            )
        return found

    def settings(self) -> dict[str, Setting]:
        """What is known of the dialogues that were handed out, by uid."""
        names = {s.id: s.family.tension.id for s in taxonomy().situations}
        result = {}
        for key, uid, external_id, situation in self._db.execute(
            "SELECT d.id, d.uid, d.external_id, x.situation FROM dialogue d LEFT JOIN sampled x ON x.dialogue = d.id"
            " WHERE d.id IN (SELECT dialogue FROM score_key)"
        ).fetchall():
            if situation is None:
                outcome = outcome_of(facts_of(self._db, key))
                situation = (outcome.situation if outcome is not None else None) or ""
            result[uid] = Setting(uid, external_id, situation, names.get(situation, ""), self._speaker(key))
        return result

    def _speaker(self, key: int) -> str:
        """Who the other party is, where its label is a name and not a role."""
        stored = self._dialogues.by_key(key)
        others = [s for s in stored.dialogue.speakers if s != stored.dialogue.self_speaker]
        if stored.dialogue.self_speaker is None or len(others) != 1:
            return ""
        label = others[0].strip()
        return "" if label.casefold() in OTHER_LABELS | SELF_LABELS else f"{stored.source}/{label}"

    def prevalence(self) -> dict[str, float]:
        """The share of each situation among all dialogues of the project that were agreed on."""
        counts: Counter[str] = Counter()
        stages = (Stage.AGREED.value, Stage.APPROVED.value, Stage.RELEASED.value)
        for (key,) in self._db.execute(
            "SELECT t.dialogue FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE d.current = 1"
            " AND t.stage IN (?, ?, ?)",
            stages,
        ).fetchall():
            outcome = outcome_of(facts_of(self._db, key))
            if outcome is not None and outcome.situation:
                counts[outcome.situation] += 1
        return {name: count / counts.total() for name, count in sorted(counts.items())}

    def gold(self) -> dict[tuple[str, str, str], Mapping[str, int]]:
        """What the lead holds to be right, by (dialogue's uid, system, mode)."""
        rows = self._db.execute(
            "SELECT d.uid, g.system, g.mode, g.scores FROM score_gold g JOIN dialogue d ON d.id = g.dialogue"
        )
        return {(uid, system, mode): json.loads(scores) for uid, system, mode, scores in rows}

    def experts(self) -> tuple[str, ...]:
        """The systems that are people."""
        return tuple(
            name for (name,) in self._db.execute("SELECT name FROM system WHERE kind = 'expert' ORDER BY name")
        )


def _other(mode: str) -> str:
    return "direct" if mode == COT else COT
