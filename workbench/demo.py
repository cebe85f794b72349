"""The demonstration: the sample dialogues carried through their whole life, without a question, the same every time.

Clock and entropy are fixed, so two demonstrations write the same release byte for byte. The keys of such a project are
known to everyone; it is for invented dialogues only.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.errors import N_, BadInput, RefusedStep
from curation.settings import Settings
from curation.stages import Stage
from curation.work import Source, Terms

if TYPE_CHECKING:
    from db.project import Project

PROJECT = "demo.workbench"
RELEASE = "release"
CHATS = "chats.jsonl"
ANSWERS = "answers.jsonl"
IDENTIFIERS = "identifiers.jsonl"  # what a reviewer would find right among the findings that are not sure
SURE = 0.85
MOST_TURNS = 12
# One message written anew: a day that two people remember says who they are.
REWRITTEN = ("chat-005", 10, "去年这天咱俩还在海边吃蛋糕呢", "identifier")
SCORER = "小周"  # the third to score, beside the two who screened
_BY = "curator"
_START = datetime(2025, 6, 1, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Step:
    """One step that was done: the command that does it, and a sentence with its counts."""

    command: str
    template: str
    counts: dict[str, object]


def samples() -> Path:
    """The folder of sample files: inside the package when it was installed, at the top of a checkout otherwise."""
    here = Path(__file__).resolve().parent
    for folder in (here / "_samples", here.parent / "samples"):
        if (folder / CHATS).is_file():
            return folder
    raise BadInput(N_("the sample files are missing; install dialogue-workbench again"), code="no_samples")


def prepared(folder: Path) -> Path:
    """Make the folder of a demonstration. Returns the path of the project to be; refuses a folder with anything in it."""
    project = folder / PROJECT
    if project.exists():
        raise RefusedStep(
            N_("{folder} holds a demonstration already: open it with `workbench {project}`, or name another folder"),
            code="demo_exists",
            folder=folder,
            project=project,
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        empty = next(folder.iterdir(), None) is None
    except OSError as error:
        raise RefusedStep(
            N_("{folder} cannot be used ({reason}); name another folder"),
            code="unusable_folder",
            folder=folder,
            reason=error.strerror,
        ) from None
    if not empty:
        raise RefusedStep(
            N_("{folder} is not empty; name a new folder: `workbench demo DIR`"), code="not_empty", folder=folder
        )
    return project


def carried(folder: Path, lang: str) -> Iterator[Step]:
    """Do the whole life, yielding each step once it is done."""
    from db.project import Project
    from workbench.demo_asking import asked
    from workbench.demo_scoring import scored

    files = samples()
    path = prepared(folder)
    settings = Settings.from_dict({"lang": lang})
    with Project.create(path, settings, by=_BY, clock=_ticking(), entropy=_repeatable()) as project:
        yield Step("init", N_("made the project {path}"), {"path": path})
        yield from _screened(project, files)
        yield from _controlled(project, files)
        yield from (Step(*done) for done in asked(project, files, _BY))
        yield from scored(project, _scorers(project))
        out = folder / RELEASE
        released = project.releases.export(out, _BY)
        yield Step("export", N_("released {count} dialogues to {path}"), {"count": released.dialogues, "path": out})
        problems = project.check()
        if problems:
            raise RefusedStep(
                N_("check found {count} {count:problem|problems}"), code="demo_damaged", count=len(problems)
            )
        yield Step("check", N_("checked file, log and tables: {problems} {problems:problem|problems}"), {"problems": 0})


def _screened(project: Project, files: Path) -> Iterator[Step]:
    """From raw files to agreed dialogues."""
    from curation.readers import read
    from workbench.words import reason

    source = Source("samples", Terms(purpose="demonstration"))
    taken = project.dialogues.take(read(files / CHATS), source, _BY)
    yield Step(
        "import", N_("took in {new} dialogues, {messages} messages"), {"new": taken.new, "messages": taken.messages}
    )
    funnel = project.dialogues.apply_rules(_BY)
    yield Step(
        "candidates",
        N_("candidates: {candidates}; rejected by a rule: {rejected}"),
        {"candidates": funnel.candidates, "rejected": sum(funnel.rejected.values())},
    )
    lines = _lines(files / ANSWERS)
    names = list(dict.fromkeys(line["by"] for line in lines if line["kind"] == "screening"))
    yield _paired(project, names)
    given = project.screening.assign(_BY)
    yield Step("assign", N_("handed out {count} tasks"), {"count": sum(given.values())})
    report = project.decisions.take(enumerate(lines, 1), ANSWERS, _BY)
    if report.refused:
        raise RefusedStep(N_("a sample answer was refused: {reason}"), reason=reason(report.refused[0]))
    stages = project.dialogues.stages()
    figures = {name: stages[name] for name in (Stage.AGREED.value, Stage.DROPPED.value, Stage.DISPUTED.value)}
    yield Step(
        "decisions",
        N_("took {taken} decisions: {agreed} agreed, {dropped} dropped, {disputed} disputed"),
        {"taken": report.taken, **figures},
    )


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]


def _paired(project: Project, names: Sequence[str]) -> Step:
    for name in names:
        project.people.add(name, "annotator", _BY)
    for a, b in zip(names[::2], names[1::2], strict=False):
        project.people.pair(a, b, _BY)
    return Step("people", N_("added and paired {names}"), {"names": ", ".join(names)})


def _controlled(project: Project, files: Path) -> Iterator[Step]:
    """Quality control: from agreed dialogues to approved ones."""
    keys = [project.dialogues.key(stored.uid) for stored in project.dialogues.at(Stage.AGREED)]
    scrubbed = project.findings.scrub(keys, _BY, SURE)
    reviewed = Counter({True: 0, False: 0})
    waited: dict[str, None] = {}  # the dialogues that a person had to look at, in order
    true = {(line["dialogue"], line["text"]) for line in _lines(files / IDENTIFIERS)}
    for stored in list(project.dialogues.at(Stage.AGREED)):
        for one in project.findings.undecided(project.dialogues.key(stored.uid)):
            waited[stored.uid] = None
            accept = (stored.external_id, one.text) in true
            project.findings.decide(stored.uid, _BY, one.message, one.start, one.end, one.type, accept)
            reviewed[accept] += 1
    yield Step(
        "scrub",
        N_(
            "identifiers found: {found}; replaced at once: {accepted}, after review: {reviewed}, none after all: {left}"
        ),
        {
            "found": scrubbed.counts["found"],
            "accepted": scrubbed.counts["accepted"],
            "reviewed": reviewed[True],
            "left": reviewed[False],
        },
    )
    done = 0
    for uid in waited:
        project.reviews.see(uid, _BY, project.reviews.page(uid, _BY).turns)
        done += project.reviews.finish(uid, _BY).done
    yield Step(
        "review",
        N_("read {count} dialogues turn by turn, with every identifier decided and the output clean: {done}"),
        {"count": len(waited), "done": done},
    )
    from curation.dialects import MANDARIN

    normalised = project.quality.normalise(_BY)
    tags = project.dialects.tag()
    yield Step(
        "normalize",
        N_("normalised {changed} dialogues, {edits} edits; {dialogues} are in a dialect"),
        {
            "changed": normalised.changed,
            "edits": sum(normalised.counts.values()),
            "dialogues": sum(count for tag, count in tags.items() if tag != MANDARIN),
        },
    )
    trimmed = project.quality.accept_trims(project.quality.propose_trims(MOST_TURNS), _BY)
    yield Step(
        "trim", N_("trimmed {count} dialogues to {turns} turns or fewer"), {"count": trimmed, "turns": MOST_TURNS}
    )
    name, message, text, why = REWRITTEN
    project.rewriting.rewrite(project.dialogues.find(name).uid, _BY, message, text, why)
    yield Step("rewrite", N_("rewrote one message of {id}, with a reason"), {"id": name})
    approved = project.quality.approve(_BY)
    yield Step(
        "approve",
        N_("approved {approved} dialogues; something is open in {open}"),
        {"approved": approved.approved, "open": len(approved.dialogues)},
    )


def _scorers(project: Project) -> list[str]:
    """Who scores: everyone who screened, and one more."""
    project.people.add(SCORER, "annotator", _BY)
    return [person.name for person in project.people.everyone() if person.role == "annotator"]


def _ticking() -> Callable[[], str]:
    """A clock that starts at a fixed time and goes on by a second each time it is read."""
    seconds = 0

    def now() -> str:
        nonlocal seconds
        seconds += 1
        return (_START + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    return now


def _repeatable() -> Callable[[int], bytes]:
    """Bytes that look random and are the same in every demonstration."""
    count = 0

    def some(size: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_256(f"workbench demo {count}".encode()).digest(size)

    return some
