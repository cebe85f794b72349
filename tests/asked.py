"""Projects with a sample, systems and replies, for the tests of all that stands on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from curation.replies.shapes import Written
from curation.work.asking import PROCESS, System
from db.answers import Taken
from db.project import Project
from tests.conftest import agree, staff


def approved(study: Project, count: int = 4) -> list[str]:
    """`count` approved dialogues of three situations in turn. Returns their uids."""
    uids = staff(study, count)
    for n, uid in enumerate(uids):
        agree(study, [uid], ("irony", "hint", "humor")[n % 3])
    report = study.quality.approve("curator")
    assert report.approved == count, report.open
    return uids


def sampled(study: Project, count: int = 4, systems: Iterable[str] = ("m1",)) -> list[str]:
    """The same, all of them in the sample, with systems. Returns the uids in the order of the sample."""
    approved(study, count)
    sample, _ = study.samples.fix(count, 7, "curator")
    for name in systems:
        study.systems.add(System(name, model=f"{name}-2025"), "curator")
    return [item.uid for item in sample.items]


def written(study: Project, mode: str = "cot", *, reply: str = "好呀", lang: str = "zh", **other: str) -> list[Written]:
    """An answer to every prompt of a mode, as a model would give it; `other` are process fields."""
    made = study.prompts.make(mode, lang, "curator")
    names = [name for name in PROCESS if mode == "cot" or name != mode.partition("-")[2]] if mode != "direct" else []
    return [
        Written(n, one.id, {**{name: other.get(name, f"想到了{name}{n}") for name in names}, "reply": f"{reply}{n}"})
        for n, one in enumerate(made.prompts, 1)
    ]


def take(study: Project, lines: Iterable[Written], system: str = "m1", **options: object) -> Taken:
    """Take answers in."""
    return study.replies.take(lines, system, "curator", file="out.jsonl", **options)  # type: ignore[arg-type]


def ready(study: Project, systems: Iterable[str] = ("m1", "m2")) -> None:
    """Every system answers in both modes."""
    for system in systems:
        for mode in ("cot", "direct"):
            assert take(study, written(study, mode, reply=f"{system}{mode}"), system).refused == ()


def codes(taken: Taken) -> Mapping[int, str]:
    """Line -> code of what was refused."""
    return {one.line: one.code for one in taken.refused}
