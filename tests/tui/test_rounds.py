"""A round on the screen: training before the real work, with a word after each item."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from curation.work import Answer, Source
from db.project import Project
from screens.rounds import RoundScreen
from screens.screening import ScreeningScreen
from tests.tui.conftest import chat, screen_text
from workbench.app import WorkbenchApp


@pytest.fixture
def path(make: Callable[..., Path]) -> Path:
    made = make(2)
    with Project.open(made) as project:
        project.dialogues.take([chat(40), chat(41)], Source("gold"), "curator")
        project.dialogues.apply_rules("curator")
        project.rounds.set_gold("curator", project.dialogues.find("c40").uid, Answer(True, "irony"), "说[/反话")
        project.rounds.set_gold("curator", project.dialogues.find("c41").uid, Answer(False), "没有情形")
    return made


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
def test_training_comes_first_tells_what_is_right_and_lets_through_who_knows(path: Path, size: tuple[int, int]) -> None:
    async def go() -> None:
        app = WorkbenchApp(path, "ann", "en", "home", pace=0.0)
        async with app.run_test(size=size) as pilot:
            await pilot.pause(0.1)
            assert "training comes before your work" in " ".join(screen_text(app).split())
            await pilot.press("enter")
            await pilot.pause(0.1)
            assert isinstance(app.screen, RoundScreen)
            assert "第40段" in screen_text(app)
            await pilot.press("enter")
            await pilot.pause(0.1)
            assert "Say first" in screen_text(app)
            await answer(pilot, "d")
            text = screen_text(app)
            assert "Right: keep · Irony/Sarcasm" in text
            assert "说[/反话" in text
            await pilot.press("enter")
            await pilot.pause(0.1)
            assert "第41段" in screen_text(app)
            await answer(pilot, "d")
            await pilot.press("enter")
            await pilot.pause(0.1)
            assert "once more" in " ".join(screen_text(app).split())
            for keys in (("1", "2"), ("d",)):
                await answer(pilot, *keys)
                await pilot.press("enter")
                await pilot.pause(0.1)
            assert "2 of 2 right" in screen_text(app)
            await pilot.press("enter")
            await pilot.pause(0.1)
            assert isinstance(app.screen, ScreeningScreen)

    asyncio.run(go())


async def answer(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.press("enter")
    await pilot.pause(0.1)


def test_a_held_enter_answers_one(path: Path) -> None:
    async def go() -> None:
        app = WorkbenchApp(path, "ann", "en", "screening")
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("d")
            await pilot.press(*["enter"] * 12)
            await pilot.pause(0.1)

    asyncio.run(go())
    with Project.open(path) as project:
        assert project.rounds.trained("ann").answered == 1
