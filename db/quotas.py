"""Quotas: how many dialogues of each situation are wanted, how many there are, and the work that the rest will take."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping

from curation.errors import N_, UsageError
from curation.forecast import Gained, forecast
from curation.taxonomy import taxonomy
from curation.work.quotas import Board
from db.assigning import Assigning
from db.connection import transaction
from db.curating import must_curate
from db.dialogues import decode
from db.log import Log
from db.replay import project

_BOTH = "FROM blind a JOIN blind b ON b.dialogue = a.dialogue AND b.slot = 'B' WHERE a.slot = 'A'"


class Quotas:
    """The quotas of one project."""

    def __init__(self, connection: sqlite3.Connection, log: Log, assigning: Assigning) -> None:
        self._db = connection
        self._log = log
        self._assigning = assigning

    def targets(self) -> dict[str, int]:
        """How many of which situation are wanted, in the taxonomy's order; only those that have a quota."""
        found = dict(self._db.execute("SELECT situation, target FROM quota").fetchall())
        return {s: found[s] for s in taxonomy().ids if s in found}

    def set(self, by: str, targets: Mapping[str, int | None]) -> bool:
        """Set quotas; None takes one away. Returns whether anything changed. Raises NotFound for no situation."""
        must_curate(self._db, by)
        wanted = {taxonomy().parse(name).id: target for name, target in targets.items()}
        if any(target is not None and not 0 <= target <= 1_000_000 for target in wanted.values()):
            raise UsageError(N_("a quota is a whole number, 0 to 1000000"))
        with transaction(self._db):
            before = self.targets()
            changes = {s: target for s, target in wanted.items() if before.get(s) != target}
            if changes:
                project(self._db, self._log.append_bare("quota_set", by, {"targets": changes}))
        return bool(changes)

    def board(self) -> Board:
        """Have, need and forecast of every situation; where the files came with labels, how many wait under each."""
        have = self._assigning.have()
        answered, disputed = self._seen()
        targets = self.targets()
        seconds, timed = self._pace()
        gained = Gained(
            screened=sum(answered.values()),
            kept={s: have[s] for s in taxonomy().ids},
            seconds=seconds,
            waiting=self._count("candidate"),
        )
        return Board(
            lines=tuple(forecast(s, targets.get(s), gained, disputed[s]) for s in taxonomy().ids),
            hinted=self._hinted(),
            screened=gained.screened,
            waiting=gained.waiting,
            seconds=seconds,
            timed=timed,
        )

    def _count(self, stage: str) -> int:
        return int(
            self._db.execute(
                "SELECT count(*) FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE t.stage = ? AND d.current = 1",
                (stage,),
            ).fetchone()[0]
        )

    def _seen(self) -> tuple[Counter[str], Counter[str]]:
        """Dialogues that both answered, and those of them now disputed, by each situation that was named."""
        rows = self._db.execute(
            "SELECT iif(a.keep, a.situation, ''), iif(b.keep, b.situation, ''), t.stage = 'disputed', count(*)"
            f" {_BOTH.replace('WHERE', 'JOIN state t ON t.dialogue = a.dialogue WHERE')} GROUP BY 1, 2, 3"
        )
        answered: Counter[str] = Counter()
        disputed: Counter[str] = Counter()
        for first, second, open_, count in rows:
            answered[first] += count
            for label in {first, second} - {""} if open_ else ():
                disputed[label] += count
        return answered, disputed

    def _pace(self) -> tuple[float | None, int]:
        """Median active seconds of a decision, and over how many; where none was timed, the gaps between decisions."""
        timed = [row[0] / 1000 for row in self._db.execute("SELECT active FROM blind WHERE active > 0")]
        if not timed:
            timed = [
                row[0]
                for row in self._db.execute(
                    "SELECT gap FROM (SELECT (julianday(at) - julianday(lag(at) OVER (PARTITION BY person ORDER BY at)))"
                    " * 86400 AS gap FROM blind) WHERE gap BETWEEN 2 AND 600"
                )
            ]
        timed.sort()
        return (timed[len(timed) // 2] if timed else None), len(timed)

    def _hinted(self) -> dict[str, int]:
        """Candidates that nobody has decided, by the label that their file gave them; those without a label are left out."""
        from curation.hints import hint_of

        found: Counter[str] = Counter()
        for (text,) in self._db.execute(
            "SELECT p.text FROM state t JOIN dialogue d ON d.id = t.dialogue JOIN payload p ON p.id = d.payload"
            " WHERE t.stage = 'candidate' AND d.current = 1 AND p.text IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM decision x WHERE x.dialogue = d.id)"
        ):
            found[hint_of(decode("", text).metadata)] += 1
        return {s: found[s] for s in taxonomy().ids if found[s]}
