"""What screening brought, by pair, person and situation, and what was dropped and why. All of it queries."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from statistics import median

from curation.taxonomy import taxonomy
from curation.work.yields import PairYield, PersonYield, SituationYield, Yield
from db.dialogues import Dialogues

# Both blind answers of a dialogue, where it stands now, and with which situation.
_ROWS = """
SELECT a.person, b.person, iif(a.keep, a.situation, ''), iif(b.keep, b.situation, ''), t.stage,
    EXISTS (SELECT 1 FROM ruling r WHERE r.dialogue = a.dialogue),
    ifnull((SELECT r.situation FROM ruling r WHERE r.dialogue = a.dialogue),
        (SELECT x.situation FROM decision x WHERE x.dialogue = a.dialogue AND x.slot = 'A' ORDER BY x.round DESC LIMIT 1)),
    EXISTS (SELECT 1 FROM aside s WHERE s.dialogue = a.dialogue AND s.why = 'dropped')
FROM blind a JOIN blind b ON b.dialogue = a.dialogue AND b.slot = 'B'
JOIN state t ON t.dialogue = a.dialogue JOIN dialogue d ON d.id = a.dialogue AND d.current = 1
WHERE a.slot = 'A'
"""
_STANDING = frozenset({"agreed", "approved", "released"})


class Yields:
    """The yield of one project's screening."""

    def __init__(self, connection: sqlite3.Connection, dialogues: Dialogues) -> None:
        self._db = connection
        self._dialogues = dialogues

    def screening(self) -> Yield:
        """Everything, from the blind answers of both and from where their dialogues stand now."""
        pairs: dict[str, Counter[str]] = defaultdict(Counter)
        people: dict[str, Counter[str]] = defaultdict(Counter)
        found: dict[str, Counter[str]] = {situation: Counter() for situation in taxonomy().ids}
        dropped: Counter[str] = Counter()
        for a, b, first, second, stage, ruled, situation, aside in self._db.execute(_ROWS):
            same, pair = first == second, pairs[f"{a}+{b}"]
            pair["answered"] += 1
            if stage in _STANDING:
                pair["agreed" if same and first and not ruled else "settled"] += 1
                found.setdefault(situation, Counter())["standing"] += 1
            elif stage in ("dropped", "disputed"):
                pair[stage] += 1
            if stage == "dropped":
                dropped[_why(first, second, bool(ruled), bool(aside))] += 1
            for person in (a, b):
                people[person].update(both=1, agreed=int(same))
            for label in {first, second} - {""}:
                found.setdefault(label, Counter()).update(either=1, both=int(same))
        dropped["by_the_lead"] += self._alone()
        return Yield(
            tuple(PairYield(name, *(c[k] for k in _PAIR)) for name, c in sorted(pairs.items())),
            self._people(people),
            tuple(SituationYield(s, c["either"], c["both"], c["standing"]) for s, c in found.items()),
            {why: n for why, n in dropped.items() if n},
            dict(
                self._db.execute(
                    "SELECT reason, count(*) FROM blind WHERE reason <> '' AND keep = 0 GROUP BY 1 ORDER BY 1"
                ).fetchall()
            ),
            dict(self._dialogues.funnel().rejected),
        )

    def _alone(self) -> int:
        """Dialogues that the lead dropped before both had answered."""
        return int(
            self._db.execute(
                "SELECT count(*) FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE t.stage = 'dropped'"
                " AND d.current = 1 AND (SELECT count(*) FROM blind b WHERE b.dialogue = t.dialogue) < 2"
            ).fetchone()[0]
        )

    def _people(self, counts: dict[str, Counter[str]]) -> tuple[PersonYield, ...]:
        """Everyone who answered. Of answers that the blind still covers only the number is told."""
        seconds: dict[str, list[float]] = defaultdict(list)
        answered: Counter[str] = Counter()
        kept: Counter[str] = Counter()
        for person, keep, active, closed in self._db.execute(
            "SELECT b.person, b.keep, b.active, (SELECT count(*) FROM blind o WHERE o.dialogue = b.dialogue) = 2 FROM blind b"
        ):
            answered[person] += 1
            kept[person] += keep and closed
            if active:
                seconds[person].append(active / 1000)
        return tuple(
            PersonYield(
                person,
                answered[person],
                kept[person],
                counts[person]["both"],
                counts[person]["agreed"],
                median(seconds[person]) if seconds[person] else None,
            )
            for person in sorted(answered)
        )


_PAIR = ("answered", "agreed", "settled", "dropped", "disputed")


def _why(first: str, second: str, ruled: bool, aside: bool) -> str:
    """Why a dropped dialogue was dropped."""
    if ruled or aside:
        return "by_the_lead"
    return "by_both" if not first and not second else "by_both_anew"
