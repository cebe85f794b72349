"""The sample: which dialogues are answered and scored, drawn once and extended later."""

from __future__ import annotations

import json
import sqlite3

from curation.work.asking import Sample, Sampled
from db.dialogues import Dialogues
from db.log import Log

# The places of the sample up to here answer with a process field left out, for every system the same ones.
ABLATION_SIZE = 100


class Samples:
    """The sample of one project."""

    def __init__(self, connection: sqlite3.Connection, log: Log, dialogues: Dialogues) -> None:
        self._db = connection
        self._log = log
        self._dialogues = dialogues

    def current(self) -> Sample | None:
        """The sample as it was drawn; None before the first draw."""
        rows = self._db.execute(
            "SELECT d.uid, d.external_id, s.name, x.place, x.draw, x.situation, x.strata FROM sampled x"
            " JOIN dialogue d ON d.id = x.dialogue JOIN source s ON s.id = d.source ORDER BY x.place"
        ).fetchall()
        if not rows:
            return None
        body = self._db.execute(
            "SELECT e.body FROM sampled x JOIN event e USING (origin, number) ORDER BY x.draw, x.place LIMIT 1"
        ).fetchone()
        facts = json.loads(body[0])
        items = tuple(Sampled(u, e, s, p, d, t, json.loads(strata)) for u, e, s, p, d, t, strata in rows)
        return Sample(facts["seed"], facts["stage"], tuple(facts["by"]), items)

    def keys(self) -> list[int]:
        """The row numbers of the sampled dialogues, in the order of drawing."""
        return [key for (key,) in self._db.execute("SELECT dialogue FROM sampled ORDER BY place")]

    def ablation(self, count: int = ABLATION_SIZE) -> tuple[Sampled, ...]:
        """The part of the sample that is answered with a process field left out: its first `count` places.

        Every first part of the sample is balanced as the whole is, and stays when more is drawn.
        """
        sample = self.current()
        return () if sample is None else sample.items[:count]
