"""The sample: which dialogues are answered and scored, drawn once and extended later."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from curation.errors import N_, Phrase, RefusedStep, UsageError
from curation.model import Message, turns_of
from curation.sampling import SAMPLING_VERSION, Choice, check_strata, clusters, draw, length_stratum
from curation.stages import STAGE_WORDS, Stage, outcome_of
from curation.work import FinalMessage
from curation.work.asking import Sample, Sampled
from db.connection import snapshot, transaction
from db.curating import must_curate
from db.dialogues import Dialogues
from db.log import Log
from db.quality import Quality
from db.replay import facts_of, project
from db.settings import Current

if TYPE_CHECKING:
    from db.dialects import Dialects

# The places of the sample up to here answer with a process field left out, for every system the same ones.
ABLATION_SIZE = 100
STAGES: dict[str, tuple[Stage, ...]] = {
    "approved": (Stage.APPROVED, Stage.RELEASED),
    "agreed": (Stage.AGREED, Stage.APPROVED, Stage.RELEASED),
}


class Samples:
    """The sample of one project."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        settings: Current,
        dialogues: Dialogues,
        quality: Quality,
        dialects: Dialects,
    ) -> None:
        self._db = connection
        self._log = log
        self._settings = settings
        self._dialogues = dialogues
        self._quality = quality
        self._dialects = dialects

    # -- what there is

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

    def get(self) -> Sample:
        """The sample. Refused before the first draw."""
        sample = self.current()
        if sample is None:
            raise RefusedStep(
                N_("no sample is drawn yet; `workbench sample PROJECT --n 312 --seed 7` draws one"), code="no_sample"
            )
        return sample

    def keys(self) -> list[int]:
        """The row numbers of the sampled dialogues, in the order of drawing."""
        return [key for (key,) in self._db.execute("SELECT dialogue FROM sampled ORDER BY place")]

    def ablation(self, count: int = ABLATION_SIZE) -> tuple[Sampled, ...]:
        """The part of the sample that is answered with a process field left out: its first `count` places.

        Every first part of the sample is balanced as the whole is, and stays when more is drawn.
        """
        sample = self.current()
        return () if sample is None else sample.items[:count]

    # -- drawing

    def plan(
        self, n: int, seed: int, *, stage: str = "approved", by: Sequence[str] = (), exclude: Collection[str] = ()
    ) -> Sample:
        """The sample that would be drawn: a function of dialogues, seed and n. Fewer than n when there are no more.

        `stage` is approved, or agreed (then what is approved is drawn from too); `by` names strata of
        `curation.sampling.STRATA`; `exclude` names dialogues that are not drawn.
        """
        return self._planned(n, seed, stage, check_strata(by), exclude, ())

    def fix(
        self,
        n: int,
        seed: int,
        who: str,
        *,
        stage: str = "approved",
        by: Sequence[str] = (),
        exclude: Collection[str] = (),
    ) -> tuple[Sample, bool]:
        """Draw the sample for good. Returns it, and whether that is new: the same call again changes nothing.

        Refused when another sample is drawn already.
        """
        must_curate(self._db, who)
        with transaction(self._db):
            known = self.current()
            if known is not None:
                first = sum(item.draw == 1 for item in known.items)
                told = self._facts()
                if (told["seed"], told["n"], told["stage"], told["by"]) == (seed, n, stage, list(by)):
                    return known, False
                raise RefusedStep(
                    N_(
                        "a sample is drawn already ({n} {n:dialogue|dialogues}, seed {seed}); --extend adds to it,"
                        " `workbench log PROJECT --undo {ref}` takes it back"
                    ),
                    code="sampled",
                    n=first,
                    seed=told["seed"],
                    ref=told["ref"],
                )
            plan = self.plan(n, seed, stage=stage, by=by, exclude=exclude)
            self._write(plan.items, who, seed=seed, n=n, stage=stage, by=list(plan.by), draw=1, excluded=len(exclude))
        return self.get(), True

    def more(self, count: int, *, exclude: Collection[str] = ()) -> Sample:
        """What drawing `count` more would add, with the seed, stage and strata of the sample; what is in it stays."""
        known = self.get()
        return self._planned(count, known.seed, known.stage, known.by, exclude, known.items)

    def extend(self, count: int, who: str, *, exclude: Collection[str] = ()) -> Sample:
        """Draw `count` more for good. Returns the whole sample."""
        must_curate(self._db, who)
        with transaction(self._db):
            known = self.get()
            plan = self.more(count, exclude=exclude)
            if plan.items:
                facts = {"seed": known.seed, "n": count, "stage": known.stage, "by": list(known.by)}
                self._write(plan.items, who, **facts, draw=plan.items[0].draw, excluded=len(exclude))
        return self.get()

    def _facts(self) -> dict[str, object]:
        first = self._db.execute(
            "SELECT e.body FROM sampled x JOIN event e USING (origin, number) ORDER BY x.draw, x.place LIMIT 1"
        ).fetchone()
        last = self._db.execute("SELECT origin, number FROM sampled ORDER BY draw DESC, place DESC LIMIT 1").fetchone()
        return {**json.loads(first[0]), "ref": f"{last[0]}:{last[1]}"}

    def _write(self, items: Sequence[Sampled], who: str, **facts: object) -> None:
        entries: list[tuple[int, object]] = [
            (
                self._dialogues.key(item.uid),
                {"place": item.place, "situation": item.situation, "strata": dict(item.strata)},
            )
            for item in items
        ]
        if not entries:
            raise RefusedStep(
                N_("no dialogue can be drawn: none is {stage}"),
                code="nothing_to_draw",
                stage=Phrase(STAGE_WORDS[Stage(str(facts["stage"]))]),
            )
        event = self._log.append("sampled", who, {**facts, "rules": SAMPLING_VERSION}, entries=entries)
        project(self._db, event, [(key, 0, value) for key, value in sorted(entries, key=lambda e: e[0])])

    def _planned(
        self,
        n: int,
        seed: int,
        stage: str,
        by: tuple[str, ...],
        exclude: Collection[str],
        drawn: Sequence[Sampled],
    ) -> Sample:
        if n < 1:
            raise UsageError(N_("a sample has one dialogue at least"))
        if stage not in STAGES:
            raise UsageError(N_("{name} must be one of {allowed}"), name="stage", allowed=", ".join(STAGES))
        with snapshot(self._db):
            left_out = {self._dialogues.find(name).uid for name in exclude}
            choices, uids = self._choices(stage, by, left_out | {item.uid for item in drawn}, drawn)
        known = {(one.source, one.external_id): one for one in choices}
        before = [known[(item.source, item.external_id)] for item in drawn]
        fresh = [one for one in choices if (one.source, one.external_id) in uids]
        taken = draw(fresh, n, seed, before)
        number = max((item.draw for item in drawn), default=0) + 1
        items = tuple(
            Sampled(
                uids[(one.source, one.external_id)],
                one.external_id,
                one.source,
                place,
                number,
                one.situation,
                dict(zip(by, one.strata, strict=True)),
            )
            for place, one in enumerate(taken, len(drawn) + 1)
        )
        return Sample(seed, stage, by, items)

    def _choices(
        self, stage: str, by: tuple[str, ...], without: Collection[str], drawn: Sequence[Sampled]
    ) -> tuple[list[Choice], dict[tuple[str, str], str]]:
        """All that counts (what is drawn already, then what can be), and the uids of what can be."""
        texts: dict[tuple[str, str], list[str]] = {}
        found: dict[tuple[str, str], tuple[str, tuple[str, ...]]] = {}
        uids: dict[tuple[str, str], str] = {}
        for item in drawn:
            name = (item.source, item.external_id)
            found[name] = (item.situation, tuple(item.strata[key] for key in by))
            texts[name] = [m.text for m in self._text(self._dialogues.key(item.uid))]
        marks = ", ".join("?" * len(STAGES[stage]))
        for key, uid, external_id, source in self._db.execute(
            "SELECT d.id, d.uid, d.external_id, s.name FROM dialogue d JOIN source s ON s.id = d.source"
            f" JOIN state t ON t.dialogue = d.id WHERE d.current = 1 AND t.stage IN ({marks}) ORDER BY d.id",
            [one.value for one in STAGES[stage]],
        ).fetchall():
            if uid in without:
                continue
            name = (source, external_id)
            outcome = outcome_of(facts_of(self._db, key))
            assert outcome is not None
            messages = self._text(key)
            uids[name] = uid
            found[name] = (outcome.situation or "", self._strata(by, uid, messages))
            texts[name] = [m.text for m in messages]
        alike = clusters(texts, self._settings.now.near_duplicate)
        return [
            Choice(*name, situation, strata, alike.get(name, "")) for name, (situation, strata) in found.items()
        ], uids

    def _text(self, key: int) -> list[FinalMessage]:
        """The approved text, or where there is none the text as it stands."""
        row = self._db.execute(
            "SELECT p.text FROM approval a JOIN payload p ON p.id = a.payload WHERE a.dialogue = ?", (key,)
        ).fetchone()
        if row is not None and row[0] is not None:
            return [FinalMessage(*one) for one in json.loads(row[0])["messages"]]
        return self._quality.sheet(key).final

    def _strata(self, by: tuple[str, ...], uid: str, messages: Sequence[FinalMessage]) -> tuple[str, ...]:
        values: Mapping[str, Callable[[], object]] = {
            "dialect": lambda: self._dialects.of(uid).tag,
            "length": lambda: length_stratum(len(turns_of([Message(m.party, m.text) for m in messages]))),
        }
        return tuple(str(values[name]()) for name in by)
