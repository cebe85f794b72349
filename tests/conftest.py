"""What tests of the store share: real projects in temporary folders, with a clock and a source of chance that repeat.

Test modules import the makers below by name (`from tests.conftest import dialogue, staff`).
"""

from __future__ import annotations

import hashlib
import os
import random
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings as hypothesis_settings

from curation.errors import WorkbenchError
from curation.model import Dialogue, Message
from curation.settings import Settings
from curation.work import Answer, ImportReport, Source
from db.project import Project
from db.schema import PROJECTED

SELF, OTHER = "我", "对方"
# Nothing in any order of these is a name, an address or a number.
_PLAIN = "的了是在不有我你这那就也都很还要去来看吃喝睡走跑好坏多少大小又再吗呢吧啊想说做玩"
Make = Callable[..., Project]


# A run says the same twice: what hypothesis draws follows from the test. `HYPOTHESIS_PROFILE=explore` draws anew each time.
hypothesis_settings.register_profile("repeatable", derandomize=True)
hypothesis_settings.register_profile("explore", derandomize=False, print_blob=True)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Every test begins in English, whatever language the one before it left behind in this process."""
    from screens.locale import use

    use("en")
    yield
    use("en")


class Ticking:
    """A clock that moves by one second a look."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> str:
        self.looks += 1
        return f"2031-02-03T{self.looks // 3600:02}:{self.looks // 60 % 60:02}:{self.looks % 60:02}.000Z"


class Repeating:
    """Bytes that look random and are the same in every run of one `seed`."""

    def __init__(self, seed: str = "seed") -> None:
        self.seed = seed
        self.draws = 0

    def __call__(self, count: int) -> bytes:
        self.draws += 1
        return hashlib.shake_256(f"{self.seed}/{self.draws}".encode()).digest(count)


def dialogue(
    name: str,
    texts: Sequence[str] | None = None,
    *,
    turns: int = 6,
    self_speaker: str | None = SELF,
    metadata: dict[str, Any] | None = None,
) -> Dialogue:
    """A dialogue that passes the candidate rules: speakers in turn, the other party last, words of its own.

    `texts` replaces the words (one message each, still ending with the other party).
    """
    chance = random.Random(name)
    words = list(texts) if texts is not None else [_words(chance) for _ in range(turns)]
    order = [OTHER if (len(words) - i) % 2 else SELF for i in range(len(words))]
    messages = tuple(Message(speaker, text) for speaker, text in zip(order, words, strict=True))
    return Dialogue(name, messages, self_speaker, metadata or {})


def _words(chance: random.Random) -> str:
    return "".join(chance.choice(_PLAIN) for _ in range(12))


@contextmanager
def fresh(name: str = "study.workbench", settings: Settings | None = None, seed: str = "seed") -> Iterator[Project]:
    """A new project in a folder of its own, gone afterwards; for tests that need many of them."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Project.create(Path(folder) / name, settings, clock=Ticking(), entropy=Repeating(seed)) as made,
    ):
        yield made


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Make]:
    """Makes projects: `project()`, `project("other.workbench", Settings(...))`. All are closed at the end."""
    opened: list[Project] = []

    def make(name: str = "study.workbench", settings: Settings | None = None, seed: str = "seed") -> Project:
        opened.append(Project.create(tmp_path / name, settings, clock=Ticking(), entropy=Repeating(seed)))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def bring(study: Project, dialogues: Sequence[Dialogue], source: str = "chats") -> ImportReport:
    """Import these dialogues and apply the candidate rules."""
    report = study.dialogues.take(dialogues, Source(source), "curator")
    study.dialogues.apply_rules("curator")
    return report


def staff(study: Project, count: int = 3, texts: Sequence[str] | None = None) -> list[str]:
    """Import `count` candidates d1, d2, … and hand them to the pair ann (A) and bo (B). Returns their uids."""
    bring(study, [dialogue(f"d{n}", texts and [f"{t}" for t in texts]) for n in range(1, count + 1)])
    for name in ("ann", "bo"):
        study.people.add(name, "annotator", "curator")
    study.people.pair("ann", "bo", "curator")
    study.screening.assign("curator")
    return [study.dialogues.find(f"d{n}").uid for n in range(1, count + 1)]


def agree(study: Project, uids: Sequence[str], situation: str = "irony") -> None:
    """Have both of the pair keep these dialogues."""
    for uid in uids:
        for name in ("ann", "bo"):
            study.screening.decide(name, uid, Answer(True, situation, f"{name}的理由"))


def codes(study: Project, backup: Path | None = None) -> set[str]:
    """The codes of what `check` finds."""
    return {problem.code for problem in study.check(backup)}


def projected_rows(study: Project) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the projected tables, read through a connection of its own."""
    connection = sqlite3.connect(study.path, isolation_level=None)
    try:
        return {table: sorted(connection.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in PROJECTED}
    finally:
        connection.close()


@contextmanager
def tampering(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection of someone who means harm: no checks, everything kept."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys=OFF")
    connection.execute("PRAGMA ignore_check_constraints=ON")
    try:
        yield connection
    finally:
        connection.close()


def refusal(step: Callable[[], object]) -> str:
    """The code with which `step` is refused; fails when it is not."""
    try:
        step()
    except WorkbenchError as error:
        return error.code
    raise AssertionError("nothing was refused")
