"""What a key of the review costs beside reading its dialogue from the file and committing an event, in one run.

    python tests/bench/bench_review.py [SHARED]     SHARED is the folder of the real data, by default beside the checkout

Prints milliseconds of CPU (median over the dialogues) and ratios: opening a dialogue with its findings and their preview,
laying it out for 80 columns, accepting one, taking that back, and scanning the output at the end.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from curation.model import Dialogue, Message
from curation.stages import Stage
from curation.work import Answer, Source
from db.project import Project
from screens.reviewpage import Look, laid_out


def project_of(shared: Path, path: Path) -> Project:
    """A project of the labelled chats, agreed on and looked through."""
    lines = (shared / "data/pii/pii_dev.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    chats = [
        Dialogue(
            r["id"],
            (
                *(Message("我" if m["speaker"] == "self" else "对方", m["text"]) for m in r["messages"]),
                Message("对方", "嗯"),
            ),
            "我",
        )
        for r in records
    ]
    study = Project.create(path)
    study.dialogues.take(chats, Source("pii"), "curator")
    study.dialogues.apply_rules("curator")
    for name in ("ann", "bo"):
        study.people.add(name, "annotator", "curator")
    study.people.pair("ann", "bo", "curator")
    study.assigning.assign("curator")
    for one in study.dialogues.at(Stage.CANDIDATE):
        for name in ("ann", "bo"):
            study.screening.decide(name, one.uid, Answer(True, "irony"))
        study.reviews.look(one.uid)
    return study


def cost(step: Callable[[], object]) -> float:
    """Milliseconds of CPU that a step takes."""
    begun = time.process_time()
    step()
    return (time.process_time() - begun) * 1000


def main(shared: Path) -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, project_of(shared, Path(folder) / "bench.workbench") as study:
        spent: dict[str, list[float]] = {}

        def measured(name: str, step: Callable[[], object]) -> None:
            spent.setdefault(name, []).append(cost(step))

        for one in list(study.dialogues.at(Stage.AGREED)):
            uid, key = one.uid, study.dialogues.key(one.uid)
            page = study.reviews.page(uid, "curator")
            measured("read a dialogue", partial(study.dialogues.by_key, key))
            measured("open it", partial(study.reviews.page, uid, "curator"))
            measured("lay it out", partial(laid_out, page, Look(), 79, False))
            measured("an event", partial(study.reviews.see, uid, "curator", page.turns))
            if page.findings:
                span = page.findings[0].span
                place = (span.message, span.start, span.end)
                measured("accept", partial(study.reviews.accept, uid, "curator", place))
                measured("undo", partial(study.reviews.undo, "curator"))
                study.reviews.decide_rest(uid, "curator", True)
                measured("scan the output", partial(study.reviews.hits, uid))
        base = {"open it": "read a dialogue", "lay it out": "read a dialogue", "scan the output": "read a dialogue"}
        for name, times in spent.items():
            other = base.get(name, "an event")
            ratio = median(times) / (median(spent[other]) or 1e-9)
            line = f"{name:<16} {median(times):8.2f} ms   {ratio:6.1f} x {other}   (slowest {max(times):.1f} ms)"
            sys.stdout.write(line + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2].parent / "shared"))
