"""The demonstration's sample, prompts, systems and replies: what two invented systems would have answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from curation.errors import N_
from curation.replies.flags import FLAGS
from curation.replies.shapes import Written
from curation.work.asking import COT, DIRECT, MISSING, System

if TYPE_CHECKING:
    from db.project import Project

SIZE = 12
WHY = "按实际输出打分"  # why what is flagged or missing may pass here
SEED = 7
# Two systems that there are not, each with the file of what it answers, by dialogue and mode.
SYSTEMS = {
    "疏西-1": (
        System("疏西-1", model="shuxi-1", provider="invented", date="2025-06-01", temperature=0.7),
        "replies_shuxi.jsonl",
    ),
    "白桦-2": (System("白桦-2", model="baihua-2", provider="invented", date="2025-06-01"), "replies_baihua.jsonl"),
}


def asked(project: Project, files: Path, by: str) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Draw, ask, answer, let the rest pass. Yields command, sentence and its counts, each once it is done."""
    sample, _ = project.samples.fix(SIZE, SEED, by)
    situations = len(sample.by_situation)
    yield (
        "sample",
        N_("drew {count} dialogues of {situations} situations, seed {seed}"),
        {"count": sample.n, "situations": situations, "seed": SEED},
    )
    ids: dict[tuple[str, str], str] = {}
    count = 0
    for mode in (COT, DIRECT):
        made = project.prompts.make(mode, "zh", by)
        count += len(made.prompts)
        by_name = {one.id.partition("-")[0]: one.id for one in made.prompts}
        for item in sample.items:
            ids[item.external_id, mode] = by_name[project.askable.name(item.uid)]
    yield "prompts", N_("wrote {count} prompts in two modes"), {"count": count}
    for system, _file in SYSTEMS.values():
        project.systems.add(system, by)
    yield "systems", N_("added {names}"), {"names": ", ".join(SYSTEMS)}
    new = refused = flagged = mended = 0
    for name, (_system, file) in SYSTEMS.items():
        lines = [json.loads(line) for line in (files / file).read_text("utf-8").splitlines() if line.strip()]
        written = [
            Written(number, ids[line["id"], line["mode"]], line["output"])
            for number, line in enumerate(lines, 1)
            if (line["id"], line["mode"]) in ids
        ]
        taken = project.replies.take(written, name, by, file=file)
        new, refused, flagged = new + taken.report.new, refused + taken.report.refused, flagged + taken.report.flagged
        mended += sum(bool(reply.mended) for reply in project.replies.all(name))
    yield (
        "replies",
        N_("took {new} replies, {mended} of them mended; refused: {refused}, flagged: {flagged}"),
        {"new": new, "mended": mended, "refused": refused, "flagged": flagged},
    )
    found = project.replies.covered()
    for one in found:
        if not one.ready:
            project.replies.waive(by, one.system, one.mode, WHY, flags=(MISSING, *FLAGS))
    yield (
        "replies",
        N_("let {flagged} flagged replies pass, and {missing} missing, with a reason; ready for scoring: {names}"),
        {
            "flagged": sum(one.flagged for one in found),
            "missing": sum(one.missing for one in found),
            "names": ", ".join(name for name in SYSTEMS if project.replies.ready(name)),
        },
    )
