"""The inbox on the screen: what came is read, answered, and nothing half written is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from curation.work import Answer
from db.project import Project
from tests.tui.conftest import screen_text
from workbench.app import WorkbenchApp


@pytest.fixture
def path(make: Callable[..., Path]) -> Path:
    made = make(3)
    with Project.open(made) as project:
        uids = [project.dialogues.find(f"c{n}").uid for n in (1, 2)]
        for uid in uids:
            project.screening.decide("ann", uid, Answer(True, "irony"))
            project.screening.decide("bo", uid, Answer(True, "hint"))
        project.disputes.rule("curator", uids[0], Answer(True, "hint", "话里[/有话"))
        project.inbox.say("curator", uids[1], "ann", "看第三轮 [b]粗")
    return made


def run(path: Path, steps: Callable[[WorkbenchApp, Pilot[None]], object], size: tuple[int, int] = (80, 24)) -> None:
    async def go() -> None:
        app = WorkbenchApp(path, "ann", "en", "home", pace=0.0)
        async with app.run_test(size=size) as pilot:
            await pilot.press("m")
            await pilot.pause(0.1)
            await steps(app, pilot)  # type: ignore[misc]

    asyncio.run(go())


@pytest.mark.parametrize("size", [(60, 18), (80, 24)])
def test_what_came_is_listed_read_and_marked(path: Path, size: tuple[int, int]) -> None:
    async def steps(app: WorkbenchApp, pilot: Pilot[None]) -> None:
        text = screen_text(app)
        assert "unread: 2 (2)" in text
        assert "看第三轮 [b]粗" in text
        await pilot.press("enter")
        await pilot.pause(0.1)
        assert "第2段" in screen_text(app)
        await pilot.press("q", "down")
        await pilot.pause(0.1)
        assert "Ruled: keep · Hint. You had said: keep · Irony/Sarcasm." in " ".join(screen_text(app).split())
        await pilot.press("m")
        await pilot.pause(0.1)
        assert "all: 2 (0)" in screen_text(app)

    run(path, steps, size)
    with Project.open(path) as project:
        assert project.inbox.unread("ann") == 0


def test_a_reply_half_written_is_there_again_and_is_sent_whole(path: Path) -> None:
    async def half(app: WorkbenchApp, pilot: Pilot[None]) -> None:
        await pilot.press("r", "明", "白")
        await pilot.pause()
        await pilot.press("escape")

    async def whole(app: WorkbenchApp, pilot: Pilot[None]) -> None:
        await pilot.press("r")
        await pilot.pause(0.1)
        await pilot.press("end", "了", "enter")
        await pilot.pause(0.1)
        assert "Sent" in screen_text(app)

    run(path, half)
    run(path, whole)
    with Project.open(path) as project:
        assert [one.text for one in project.inbox.letters("curator", unread=True)] == ["明白了"]
        assert project.inbox.unread("ann") == 1  # the ruling; what was answered is read


def test_the_lead_writes_to_both_from_the_view_of_agreement(path: Path) -> None:
    async def go() -> None:
        app = WorkbenchApp(path, "curator", "en", "home", pace=0.0)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("a")
            for _ in range(200):
                await pilot.pause(0.02)
                if getattr(app.screen, "computed", None) is not None:
                    break
            await pilot.press("3", "down", "right", "right", "right", "enter", "enter")
            await pilot.pause(0.1)
            await pilot.press("c")
            await pilot.pause(0.1)
            await pilot.press("enter")
            await pilot.pause(0.1)
            await pilot.press("讽", "刺", "enter")
            await pilot.pause(0.1)
            assert "Sent to ann, bo" in screen_text(app)

    asyncio.run(go())
    with Project.open(path) as project:
        assert "讽刺" in [one.text for one in project.inbox.letters("bo")]
        assert "讽刺" in [one.text for one in project.inbox.letters("ann")]


def test_an_empty_inbox_says_what_to_press(path: Path) -> None:
    async def go() -> None:
        app = WorkbenchApp(path, "curator", "zh", "home")
        async with app.run_test(size=(80, 24)) as pilot:
            with Project.open(path) as other:
                other.people.add("zoe", "curator", "curator")
            app.person = "zoe"
            await pilot.press("m")
            await pilot.pause(0.1)
            assert "q" in screen_text(app)

    asyncio.run(go())
