"""What the tests of the interface share: a project of invented chats, and reading the screen as text."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from curation.model import Dialogue, Message
from curation.settings import Settings
from curation.stages import Stage
from curation.work import Answer, Source
from db.project import Project
from screens import base, recent
from screens.screening import ScreeningScreen
from workbench.app import WorkbenchApp

HOSTILE = (
    "[/",
    "笑死[doge]",
    "[/cry]哭 [@click=app.bell]点我[/]",
    "\x1b[2J\x1b]52;c;aGk=\x07清屏",
    "\u202e反过来 \x9b31m 零\u200b宽",
    "最后一句 [b]粗",
)


def chat(number: int, texts: tuple[str, ...] = ()) -> Dialogue:
    """An invented chat of six turns, the last by the other party, like no other number's."""
    lines = texts or tuple(f"第{number}段第{n}句 {chr(0x4E00 + number * 37 + n * 11) * 9}" for n in range(1, 7))
    speakers = ("我", "对方")
    return Dialogue(f"c{number}", tuple(Message(speakers[n % 2], t) for n, t in enumerate(lines)), self_speaker="我")


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "state_file", lambda: tmp_path / "state" / "recent.json")
    monkeypatch.setattr(recent, "key_file", lambda: tmp_path / "config" / "keys.toml")


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Path]:
    """Makes a project with `n` chats handed to ann (A) and bo (B)."""

    def make(n: int = 12, *, hostile: bool = False, name: str = "p.wb") -> Path:
        path = tmp_path / name
        with Project.create(path) as project:
            chats = [chat(i) for i in range(1, n + 1)]
            if hostile:
                chats[0] = chat(1, HOSTILE)
            project.dialogues.take(chats, Source("[/ 来源 \x1b[31m" if hostile else "chats"), "curator")
            project.dialogues.apply_rules("curator")
            for person in ("ann", "bo"):
                project.people.add(person, "annotator", "curator")
            project.people.pair("ann", "bo", "curator")
            assert project.screening.assign("curator") == {"ann": n, "bo": n}
        return path

    return make


def agreed(
    path: Path, chats: Sequence[tuple[str, ...]], *, curators: Sequence[str] = (), settings: Settings | None = None
) -> Project:
    """A project at `path`, open, whose chats (c1, c2 … by their texts) ann and bo have agreed on."""
    project = Project.create(path, settings)
    project.dialogues.take([chat(n, texts) for n, texts in enumerate(chats, 1)], Source("chats"), "curator")
    project.dialogues.apply_rules("curator")
    for person in ("ann", "bo"):
        project.people.add(person, "annotator", "curator")
    for person in curators:
        project.people.add(person, "curator", "curator")
    project.people.pair("ann", "bo", "curator")
    project.screening.assign("curator")
    for one in list(project.dialogues.at(Stage.CANDIDATE)):
        for person in ("ann", "bo"):
            project.screening.decide(person, one.uid, Answer(True, "irony"))
    return project


def screen_text(app: WorkbenchApp) -> str:
    """What is on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def app_on(path: Path, person: str = "ann", lang: str = "en", pace: float = 0.0) -> WorkbenchApp:
    return WorkbenchApp(path, person, lang, "screening", pace=pace, keymap={})


def type_in(app: WorkbenchApp, text: str) -> None:
    """What a terminal sends for `text`; a pilot cannot press full-width marks."""
    for character in text:
        app.post_message(events.Key(_character_to_key(character), character))


def screening(app: WorkbenchApp) -> ScreeningScreen:
    screen = app.screen
    assert isinstance(screen, ScreeningScreen)
    return screen


def place(app: WorkbenchApp) -> int:
    task = screening(app).desk.task
    return task.place if task else 0


async def settle(pilot: Pilot[None]) -> None:
    """Wait until everything asked for is painted, and the pace between two decisions is over."""
    await pilot.pause()
    await asyncio.sleep(0.03)
    await pilot.pause()


async def until(app: WorkbenchApp, pilot: Pilot[None], words: str, seconds: float = 8.0) -> str:
    """What is on the screen once `words` are."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await settle(pilot)
        if words in screen_text(app):
            return screen_text(app)
    raise AssertionError(f"{words!r} never came: {screen_text(app)}")


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Screens look for what others decided all the time, not every other second, and once no key is on its way."""
    monkeypatch.setattr(base, "EVERY", 0.05)
    monkeypatch.setattr(base, "QUIET", 0.1)
    monkeypatch.setattr(base, "REST", 0)


@pytest.fixture
def store() -> Iterator[Callable[[Path], Project]]:
    """Opens a project and closes it after the test."""
    opened: list[Project] = []

    def open_(path: Path) -> Project:
        opened.append(Project.open(path))
        return opened[-1]

    yield open_
    for project in opened:
        project.close()
