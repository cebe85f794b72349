"""Projects for the tests of scoring and of the expert desk: invented chats, invented replies of three systems."""

from __future__ import annotations

import atexit
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import mkdtemp

from curation.model import Dialogue, Message
from curation.stages import Stage
from curation.work import Answer, Source
from curation.work.asking import PROCESS, System
from db.project import Project
from db.replay import project as projected

SYSTEMS = ("HuaYu-Max-9", "Zephyrion-2", "老钱")
ANNOTATORS = ("ann", "bo", "cy")
EXPERT = "老钱"


def chat(number: int, turns: int = 8) -> Dialogue:
    """An invented chat, the last turn by the other party, like no other number's."""
    chance = random.Random(number)
    words = ["".join(chance.choices("的了是在不有那就也都很还要去来看吃好吧啊", k=9)) for _ in range(turns)]
    lines = [f"第{number}段第{n}句 {said}" for n, said in enumerate(words, 1)]
    return Dialogue(
        f"c{number}", tuple(Message(("我", "对方")[n % 2], t) for n, t in enumerate(lines)), self_speaker="我"
    )


_MADE: dict[str, Path] = {}


def _once(path: Path, what: str, make: Callable[[Path], None]) -> None:
    """A copy at `path` of a project that is made once for all tests."""
    if what not in _MADE:
        folder = Path(mkdtemp(prefix="scored-"))
        atexit.register(rmtree, folder, ignore_errors=True)
        make(folder / "made.wb")
        _MADE[what] = folder / "made.wb"
    copyfile(_MADE[what], path)
    path.chmod(0o600)


def sampled(path: Path, chats: Sequence[Dialogue], **settings: object) -> list[str]:
    """A project at `path` whose chats are approved and all in the sample, with annotators and an expert.

    Returns the uids in the order of the sample.
    """
    with Project.create(path) as project:
        project.dialogues.take(chats, Source("chats"), "curator")
        project.dialogues.apply_rules("curator")
        for name in ANNOTATORS:
            project.people.add(name, "annotator", "curator")
        project.people.add(EXPERT, "expert", "curator")
        project.people.pair(*ANNOTATORS[:2], "curator")
        project.screening.assign("curator")
        for one in chats:
            for name in ANNOTATORS[:2]:
                project.screening.decide(name, project.dialogues.find(one.external_id).uid, Answer(True, "irony", ""))
        project.findings.scrub(
            [project.dialogues.key(one.uid) for one in project.dialogues.at(Stage.AGREED)], "curator", 0.5
        )
        project.quality.normalise("curator")
        report = project.quality.approve("curator")
        assert report.approved == len(chats), report
        if settings:
            project.change_settings("curator", **settings)
        sample, _new = project.samples.fix(len(chats), 7, "curator")
        return [item.uid for item in sample.items]


def answered(path: Path, *, same: bool = False, systems: Sequence[str] = SYSTEMS[:2], ablation: bool = False) -> None:
    """Both replies of every system to every sampled chat. With `same` both of the first system's are the same."""
    with Project.open(path) as project:
        for name in systems:
            project.systems.add(System(name, model=name), "curator")
        for number, key in enumerate(project.samples.keys(), 1):
            for at, name in enumerate(systems):
                reply = f"先想的回复{number}之{at + 1}"
                direct = reply if same and at == 0 else f"直接的回复{number}之{at + 1}"
                process = {field: f"{field}第{number}之{at + 1}：{'她想被看重，又不肯明说。' * 2}" for field in PROCESS}
                _answer(project, key, name, "cot", reply, process)
                _answer(project, key, name, "direct", direct, {})
                if ablation and at == 0:
                    _answer(project, key, name, "cot-cause", f"缺一栏的回复{number}", {})


def _answer(project: Project, key: int, system: str, mode: str, reply: str, process: dict[str, str]) -> None:
    value = {"reply": reply, "process": process, "flags": [], "mended": [], "length": len(reply)}
    event = project.log.append("answered", "curator", {"system": system, "mode": mode}, entries=[(key, value)])
    payload = project._db.execute(
        "SELECT payload FROM entry WHERE origin = ? AND number = ?", (event.origin, event.number)
    ).fetchone()[0]
    projected(project._db, event, [(key, payload, value)])


def scoring_project(
    path: Path, chats: int = 3, *, turns: int = 8, same: bool = False, ablation: bool = False, **settings: object
) -> Path:
    """A project whose replies are handed out to the three annotators."""

    def make(made: Path) -> None:
        sampled(made, [chat(n, turns) for n in range(1, chats + 1)], **settings)
        answered(made, same=same, ablation=ablation)
        with Project.open(made) as project:
            project.scoring.assign("curator", overlap=3)

    _once(path, repr((chats, turns, same, ablation, settings)), make)
    return path


def expert_project(path: Path, chats: int = 2, *, others: bool = False, **settings: object) -> Path:
    """A project with a sample to answer; with `others` two models have answered it already."""

    def make(made: Path) -> None:
        sampled(made, [chat(n) for n in range(1, chats + 1)], **settings)
        if others:
            answered(made)

    _once(path, repr(("expert", chats, others, settings)), make)
    return path
