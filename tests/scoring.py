"""Projects with scoring to do, for the tests of it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from curation.work.scoring import PROCESS, ScoreTask
from db.project import Project
from tests.asked import sampled, take, written

SYSTEMS = ("Zephyrion-2", "HuaYu-Max-9", "Quokka-7b")
SCORERS = ("ann", "bo", "cy")
FIELDS = (*PROCESS, "reply_cot", "reply_direct")


def answered(study: Project, count: int = 3, systems: Sequence[str] = SYSTEMS) -> list[str]:
    """Approved dialogues, all in the sample, to which every system gave both replies; three scorers. Returns the uids."""
    uids = sampled(study, count, systems)
    for at, system in enumerate(systems, 1):
        for mode, reply in (("cot", "先想"), ("direct", "直接")):
            assert take(study, written(study, mode, reply=f"{reply}{at}-"), system).refused == ()
    for name in SCORERS:
        study.people.add(name, "annotator", "curator")
    return uids


def handed(study: Project, count: int = 3, systems: Sequence[str] = SYSTEMS, **plan: Any) -> list[str]:
    """The same, with the scoring handed to the three."""
    uids = answered(study, count, systems)
    study.scoring.assign("curator", SCORERS, **plan)
    return uids


def filled(study: Project, person: str, task: ScoreTask, chance: random.Random) -> ScoreTask:
    """Everything the step needs, given at random; not closed."""
    for name in task.dimensions:
        task = study.scoring.score(person, task.code, name, chance.choice((0, 5, 10)))
    if "better" in task.marks.missing:
        task = study.scoring.better(person, task.code, chance.choice("12"))
    if "guess" in task.marks.missing:
        task = study.scoring.guess(person, task.code, chance.choice("12"))
    return task


def done(study: Project, person: str, count: int = 10_000, seed: int = 1) -> int:
    """Score and close up to `count` tasks of a person. Returns how many."""
    chance = random.Random(f"{person}{seed}")
    closed = 0
    while closed < count and (task := study.scoring.next(person, 0)) is not None:
        for _ in range(2):
            task = filled(study, person, task, chance)
            study.scoring.close(person, task.code)
            again = study.scoring.task(person, task.place)
            assert again is not None
            task = again
            if task.closed:
                break
        closed += 1
    return closed


def lines(
    names: Sequence[str], systems: Sequence[str], people: Sequence[str], seed: int = 3
) -> Iterator[dict[str, Any]]:
    """Score lines of people who mostly see the same."""
    chance = random.Random(seed)
    for name in names:
        for system in systems:
            truth = {field: chance.choice((0, 5, 10)) for field in FIELDS}
            for person in people:
                given = {f: v if chance.random() < 0.7 else chance.choice((0, 5, 10)) for f, v in truth.items()}
                line = {"kind": "score", "dialogue": name, "system": system, "by": person, **given}
                if given["reply_cot"] == given["reply_direct"]:
                    line["better"] = chance.choice(("cot", "direct"))
                yield line


def taken(
    study: Project, *given: dict[str, Any], by: str | None = None, actor: str = "curator"
) -> list[tuple[int, str]]:
    """Take these lines. Returns (line, code) of what was refused."""
    report = study.decisions.take(enumerate(given, 1), "f", by, actor=actor)
    return [(one.line, one.code) for one in report.refused]
