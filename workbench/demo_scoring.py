"""The scoring of the demonstration: handed out blind, scored by three, agreement and table read off, the blind looked at.

The scores are invented from a hash of what is scored and of who scores, so they are the same every time: three people who
mostly see the same, and each something else now and then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from curation.errors import N_, RefusedStep
from curation.work.scoring import PROCESS, SCORES
from workbench.demo import Step

if TYPE_CHECKING:
    from db.project import Project

_BY = "curator"
_FILE = "scores"
_REPLIES = ("reply_cot", "reply_direct")
# Of a hundred scores, how many are a person's own and not what all three see.
_OWN = (15, 20, 30)
_CALIBRATION = 2


def scored(project: Project, scorers: Sequence[str]) -> Iterator[Step]:
    """Score every pair of replies there is by `scorers` (three names), yielding each step once it is done."""
    given = project.scoring.assign(_BY, scorers, overlap=len(scorers), calibration=_CALIBRATION)
    yield Step(
        "assign",
        N_("handed out {count} scoring tasks, blind, to {names}"),
        {"count": sum(given.values()), "names": ", ".join(scorers)},
    )
    lines = list(invented(project, scorers))
    report = project.decisions.take(enumerate(lines, 1), _FILE, _BY)
    if report.refused:
        raise RefusedStep(N_("a sample answer was refused: {reason}"), reason=str(report.refused[0].reason))
    yield Step("decisions", N_("took {taken} scores of replies"), {"taken": report.taken})
    yield from _figures(project)


def invented(project: Project, scorers: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Score lines for every dialogue and system with both replies."""
    modes: dict[tuple[str, str], set[str]] = {}
    for reply in project.replies.all():
        if not reply.open_flags:
            modes.setdefault((reply.uid, reply.system), set()).add(reply.mode)
    for uid, system in sorted(name for name, found in modes.items() if {"cot", "direct"} <= found):
        for person, own in zip(scorers, _OWN, strict=False):
            line: dict[str, Any] = {"kind": "score", "dialogue": uid, "system": system, "by": person}
            for name in (*PROCESS, *_REPLIES):
                differs = _drawn(100, uid, system, name, person) < own
                line[name] = SCORES[_drawn(3, uid, system, name, person if differs else "")]
            if line["reply_cot"] == line["reply_direct"]:
                line["better"] = ("cot", "direct")[_drawn(2, uid, system, person)]
            yield line


def _drawn(count: int, *parts: str) -> int:
    return int.from_bytes(hashlib.sha256("/".join(parts).encode("utf-8")).digest()[:4], "big") % count


def _figures(project: Project) -> Iterator[Step]:
    from curation.scoring.agreeing import agreed
    from curation.scoring.table import table

    judgements, settings = project.judged.judgements(), project.judged.settings()
    found = agreed(judgements, settings, parts=False)
    alphas = [one.figures["alpha_ordinal"].value for name, one in found.items() if name != "pooled"]
    known = sorted(value for value in alphas if value is not None)
    low, high = (f"{known[0]:.2f}", f"{known[-1]:.2f}") if known else ("-", "-")
    yield Step(
        "agreement",
        N_("agreement in scoring: alpha from {low} to {high} over {dimensions} dimensions, {items} items"),
        {"low": low, "high": high, "dimensions": len(known), "items": found["cause"].items},
    )
    rows = table(judgements, settings, project.judged.prevalence(), project.judged.experts())
    won = {row.system: row.wins.by_judgement.value for row in rows.rows}
    best = max(won, key=lambda name: (won[name] or 0.0, name), default="-")
    yield Step(
        "scores",
        N_("{count} systems scored; the CoT reply wins most often for {system}, {share} of judgements"),
        {"count": len(won), "system": best, "share": f"{won.get(best) or 0:.0%}"},
    )
    blind = project.blindness()
    if not blind.holds:
        raise RefusedStep(N_("the blind does not hold: {parts}"), parts=", ".join((*blind.differing, *blind.leaks)))
    yield Step(
        "check",
        N_("the blind holds: {bytes} bytes are the same under other names and another order"),
        {"bytes": f"{blind.bytes:,}"},
    )
