"""A project for the terminal tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curation.model import Dialogue, Message
from curation.work import Source
from db.project import Project

HOSTILE = (
    "[/ 你好",
    "[doge] \x1b]0;title\x07",
    "\x1b]52;c;aGk=\x07 \x1b[2J \x1b[31m",
    "\x9b31m \x9d52;c;aGk=\x9c \x7f",
    "\u202eabc\u202c \x00\x08\x0c",
    "最后 [/b] \u2028 \x85",
)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Path]:
    """Makes a project with `n` invented chats, handed to ann and bo."""

    def make(n: int = 6, *, hostile: bool = False) -> Path:
        path = tmp_path / "p.wb"
        with Project.create(path) as project:
            rows = []
            for number in range(n):
                texts = [f"第{number}段第{k}句 {chr(0x4E00 + number * 37 + k * 11) * 9}" for k in range(6)]
                if hostile and number == 0:
                    texts = list(HOSTILE)
                speakers = ("我", "对方")
                rows.append(
                    Dialogue(
                        f"c{number}",
                        tuple(Message(speakers[k % 2], t) for k, t in enumerate(texts)),
                        self_speaker="我",
                    )
                )
            project.dialogues.take(rows, Source("来源 \x1b[31m [/" if hostile else "chats"), "curator")
            project.dialogues.apply_rules("curator")
            for person in ("ann", "bo"):
                project.people.add(person, "annotator", "curator")
            project.people.pair("ann", "bo", "curator")
            project.screening.assign("curator")
        return path

    return make
