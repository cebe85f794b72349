"""Agreement in screening, from the first, blind decisions of dialogues that both have answered; nothing else is told."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from itertools import combinations

from curation.errors import N_, RefusedStep
from curation.settings import Settings
from curation.statistics import screening as figures
from curation.statistics.figures import RESAMPLES
from curation.work.agreement import Blind, Cell, Costly, ScreeningAgreement, Spoken
from db.dialogues import Dialogues
from db.people import People
from db.settings import Current

_BOTH = (
    " FROM blind a JOIN blind b ON b.dialogue = a.dialogue AND b.slot = 'B' JOIN dialogue d ON d.id = a.dialogue"
    " WHERE a.slot = 'A'"
)
_LABELS = "iif(a.keep, a.situation, ''), iif(b.keep, b.situation, '')"
_COSTLY = """
SELECT d.uid, d.external_id,
    (a.active + b.active) / 1000.0 AS seconds,
    a.keep <> b.keep OR (a.keep AND a.situation <> b.situation) AS apart,
    (SELECT count(*) FROM event e JOIN entry n USING (origin, number) WHERE n.dialogue = d.id AND e.kind = 'skipped') AS put_off,
    (SELECT count(*) FROM event e JOIN entry n USING (origin, number) WHERE n.dialogue = d.id AND e.kind = 'undone') AS back,
    (SELECT count(*) FROM decision x WHERE x.dialogue = d.id AND x.round = 2)
    + (SELECT count(*) FROM earlier y WHERE y.dialogue = d.id) AS anew
"""


class Agreements:
    """The figures of one project's screening."""

    def __init__(self, connection: sqlite3.Connection, people: People, dialogues: Dialogues, settings: Current) -> None:
        self._db = connection
        self._people = people
        self._dialogues = dialogues
        self._settings = settings

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        return self._settings.now

    def may_see(self, viewer: str, pair: str | None = None) -> bool:
        """Whether this person may see figures: a lead all of them; the others, where the project says so, their pair's."""
        if self._people.curates(viewer):
            return True
        if self._people.find(viewer) is None:
            return False
        return self._settings.now.show_agreement and pair is not None and viewer in pair.split("+")

    def check(self, viewer: str) -> None:
        """Refuse whoever may see no figure at all."""
        if not self.may_see(viewer, viewer):
            raise RefusedStep(
                N_("agreement is the lead's to see, until the project says otherwise (the setting show_agreement)"),
                code="not_shown",
            )

    def counts(self) -> dict[str, Counter[tuple[str, str]]]:
        """For every pair, those that have finished nothing together too, how often which two labels met."""
        found: dict[str, Counter[tuple[str, str]]] = {f"{p.a}+{p.b}": Counter() for p in self._people.standing()}
        for one, other, first, second, count in self._db.execute(
            f"SELECT a.person, b.person, {_LABELS}, count(*){_BOTH} GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"
        ):
            found.setdefault(f"{one}+{other}", Counter())[first, second] += count
        return found

    def items(self, viewer: str = "") -> list[Blind]:
        """All dialogues that both answered, in the order in which they had; a viewer who is no lead gets their own."""
        rows = self._db.execute(
            f"SELECT a.dialogue, max(a.at, b.at) AS done, a.person || '+' || b.person, {_LABELS}{_BOTH}"
            " ORDER BY done, a.dialogue"
        )
        found = [Blind(*row) for row in rows]
        if not viewer:
            return found
        seen = {pair: self.may_see(viewer, pair) for pair in {one.pair for one in found}}
        return [one for one in found if seen[one.pair]]

    def screening(
        self, viewer: str = "", pair: str = "", *, resamples: int = RESAMPLES, detail: bool = True
    ) -> ScreeningAgreement:
        """Every figure, with intervals from `resamples` resamples (0 for none), of all pairs or of one.

        A viewer who is no lead sees their pair's. Without `detail` situations, families and blocks have no intervals.
        """
        fine = resamples if detail else 0
        by_pair = {
            name: counts
            for name, counts in self.counts().items()
            if (not viewer or self.may_see(viewer, name)) and pair in ("", name)
        }
        overall: Counter[tuple[str, str]] = Counter()
        for counts in by_pair.values():
            overall.update(counts)
        done = [one for one in self.items(viewer) if pair in ("", one.pair)]
        whose = "" if not viewer or self.may_see(viewer) else viewer
        open_ = self._db.execute(
            "SELECT count(*) FROM (SELECT 1 FROM blind b WHERE ?1 = '' OR EXISTS (SELECT 1 FROM assignment a"
            " WHERE a.dialogue = b.dialogue AND a.person = ?1) GROUP BY dialogue HAVING count(*) = 1)",
            (whose,),
        ).fetchone()[0]
        return ScreeningAgreement(
            pairs={pair: figures.compared(counts, resamples=resamples) for pair, counts in by_pair.items()},
            overall=figures.compared(overall, resamples=resamples),
            situations=figures.by_situation(overall, resamples=fine),
            families=figures.by_family(overall, resamples=fine),
            family=figures.over(overall, "family", resamples=fine),
            tension=figures.over(overall, "tension", resamples=fine),
            matrix=figures.matrix(overall),
            drift=figures.drift([(one.first, one.second) for one in done], lambda n: done[n].at, resamples=fine),
            items=sum(overall.values()),
            open=int(open_),
            between={
                name: figures.compared(counts, resamples=resamples)
                for name, counts in (
                    self.between() if pair == "" and (not viewer or self.may_see(viewer)) else {}
                ).items()
            },
            relabel=figures.compared(again, resamples=resamples)
            if pair == "" and (not viewer or self.may_see(viewer)) and (again := self.again())
            else None,
        )

    def between(self) -> dict[str, Counter[tuple[str, str]]]:
        """People who answered the same dialogue without being its pair: `ann~cy` -> how often which labels met.

        Of a dialogue's own pair only what both have committed enters, and never they with each other.
        """
        labels: dict[int, dict[str, tuple[str, bool]]] = {}
        for query in (
            "SELECT i.dialogue, b.person, iif(b.keep, b.situation, ''), 1 FROM"
            " (SELECT DISTINCT dialogue FROM round_answer WHERE kind = 'calibration') i"
            " JOIN blind b ON b.dialogue = i.dialogue"
            " WHERE (SELECT count(*) FROM blind o WHERE o.dialogue = i.dialogue) = 2",
            "SELECT dialogue, person, iif(keep, situation, ''), 0 FROM round_answer WHERE kind = 'calibration'",
        ):
            for key, person, label, own in self._db.execute(query):
                labels.setdefault(key, {})[person] = (label, bool(own))
        found: dict[str, Counter[tuple[str, str]]] = {}
        for given in labels.values():
            for one, other in combinations(sorted(given), 2):
                (first, of_pair), (second, also) = given[one], given[other]
                if not (of_pair and also):
                    found.setdefault(f"{one}~{other}", Counter())[first, second] += 1
        return dict(sorted(found.items()))

    def again(self) -> Counter[tuple[str, str]]:
        """What approved dialogues are labelled with, and what they were labelled with again, blind."""
        rows = self._db.execute(
            "SELECT ifnull((SELECT r.situation FROM ruling r WHERE r.dialogue = a.dialogue), (SELECT x.situation FROM decision x"
            " WHERE x.dialogue = a.dialogue AND x.slot = 'A' ORDER BY x.round DESC LIMIT 1)),"
            " iif(a.keep, a.situation, ''), count(*) FROM round_answer a JOIN state t ON t.dialogue = a.dialogue"
            " WHERE a.kind = 'relabel' AND t.stage IN ('approved', 'released') GROUP BY 1, 2"
        )
        return Counter({(first or "", second): count for first, second, count in rows})

    def cell(self, viewer: str, first: str, second: str, pair: str = "") -> list[Cell]:
        """The dialogues of a cell of the confusion matrix: A said `first`, B `second` ("" for dropped)."""
        rows = self._db.execute(
            f"SELECT d.uid, d.external_id, a.person || '+' || b.person, t.stage, max(a.at, b.at)"
            f"{_BOTH.replace(' WHERE', ' JOIN state t ON t.dialogue = a.dialogue WHERE')}"
            " AND iif(a.keep, a.situation, '') = ? AND iif(b.keep, b.situation, '') = ? ORDER BY a.dialogue",
            (first, second),
        )
        found = [Cell(*row) for row in rows]
        seen = {name: self.may_see(viewer, name) for name in {one.pair for one in found}}
        return [one for one in found if seen[one.pair] and pair in ("", one.pair)]

    def spoken(self, viewer: str, uid: str) -> list[Spoken]:
        """What was said of a dialogue that both have answered: blind, then anew, then the lead's ruling."""
        key = self._dialogues.key(uid)
        blind = self._db.execute(
            "SELECT b.slot, b.person, 1, b.keep, b.situation, p.text FROM blind b JOIN payload p ON p.id = b.payload"
            " WHERE b.dialogue = ? ORDER BY b.slot",
            (key,),
        ).fetchall()
        if len(blind) < 2 or not self.may_see(viewer, "+".join(row[1] for row in blind)):
            return []
        later = self._db.execute(
            "SELECT d.slot, d.person, 2, d.keep, d.situation, p.text FROM decision d JOIN payload p ON p.id = d.payload"
            " WHERE d.dialogue = ?1 AND d.round = 2 UNION ALL"
            " SELECT '', r.person, 0, r.keep, r.situation, p.text FROM ruling r JOIN payload p ON p.id = r.payload"
            " WHERE r.dialogue = ?1",
            (key,),
        ).fetchall()
        return [
            Spoken(slot, person, round_, bool(keep), situation, json.loads(text).get("rationale", "") if text else "")
            for slot, person, round_, keep, situation, text in [*blind, *later]
        ]

    def costly(self, viewer: str, most: int = 20) -> list[Costly]:
        """The dialogues that cost most: apart first, then by times decided anew, taken back, put off, then by time."""
        if not self.may_see(viewer):
            return []
        rows = self._db.execute(
            f"SELECT * FROM ({_COSTLY}{_BOTH}) ORDER BY apart DESC, anew + back + put_off DESC, seconds DESC, 2 LIMIT ?",
            (most,),
        )
        return [
            Costly(name, uid, float(seconds), bool(apart), put_off, back, anew)
            for uid, name, seconds, apart, put_off, back, anew in rows
        ]
