"""What whoever was retired is told: one sentence, everywhere, and no work that waits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curation.work import Answer
from db.project import Project
from screens.page import Page
from tests.tui.conftest import screen_text, settle, until
from workbench.app import WorkbenchApp

Make = Callable[..., Path]
STARTS = ("home", "screening", "scoring", "expert", "review", "dispute", "raised", "live")
KEYS = ("enter", "s", "d", "x", "b", "f", "i", "t", "c", "m", "a", "l", "v", "slash")


def disputed(path: Path) -> None:
    with Project.open(path) as project:
        project.people.add("cy", "curator", "curator")
        for n in (1, 2):
            for person, situation in (("ann", "irony"), ("bo", "humor")):
                task = project.screening.task(person, n)
                assert task is not None
                project.screening.decide(person, task.stored.uid, Answer(True, situation, f"{person} says so"))


def retire(path: Path, name: str) -> None:
    with Project.open(path) as project:
        project.assigning.retire(name, "curator")


def events(path: Path, name: str) -> int:
    with Project.open(path) as project:
        return sum(one.by == name for one in project.history.lines("curator"))


def app_at(path: Path, person: str, start: str = "home", lang: str = "en") -> WorkbenchApp:
    return WorkbenchApp(path, person, lang, start, pace=0.0, keymap={})  # type: ignore[arg-type]


def words_of(app: WorkbenchApp) -> str:
    """What is on the screen, in one line and without gaps."""
    return "".join(screen_text(app).split())


def told(app: WorkbenchApp, lang: str = "en") -> bool:
    return ("youhaveleftthisproject(retiredbycuratoron" if lang == "en" else "你已离开本项目（curator于") in words_of(
        app
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["ann", "cy"])
async def test_the_overview_says_it_and_counts_no_work_and_every_key_of_work_refuses(
    make: Make, name: str, lang: str
) -> None:
    path = make(4)
    disputed(path)
    retire(path, name)
    before = events(path, name)
    app = app_at(path, name, lang=lang)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert told(app, lang)
        assert not any(
            word in screen_text(app) for word in ("Next:", "disputes wait", "2 disputes", "下一步", "段争议")
        )
        for key in KEYS:
            await pilot.press(key)
            await settle(pilot)
            assert app.screen.NAME == "home", key  # type: ignore[attr-defined]
            assert app.screen.said, key  # type: ignore[attr-defined]
            assert told(app, lang), key
        await pilot.press("w")
        await settle(pilot)
        assert "bo" in screen_text(app), "someone else may say that it is they who work"
    assert events(path, name) == before


@pytest.mark.parametrize("start", STARTS)
async def test_every_screen_that_one_may_start_at_says_it(make: Make, start: str) -> None:
    path = make(4)
    disputed(path)
    retire(path, "cy")
    app = app_at(path, "cy", start)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert told(app)
        assert "says so" not in screen_text(app)


async def test_one_retired_in_mid_sentence_is_told_at_the_next_key_and_what_was_written_stays(make: Make) -> None:
    path = make(4)
    app = app_at(path, "ann", "screening")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("k", "f", "r", *"halfway")
        await settle(pilot)
        retire(path, "ann")
        await pilot.press("x")
        await settle(pilot)
        assert told(app)
        text = screen_text(app)
        assert not any(word in text for word in ("handed", "Thank you", "assigned to you"))
        await pilot.press("ctrl+j", "enter")
        await settle(pilot)
        assert told(app)
    with Project.open(path) as project:
        assert not [one for one in project.history.lines("curator") if one.by == "ann"]
        assert project.people.left("ann") is not None


@pytest.mark.usefixtures("soon")
async def test_one_retired_while_nothing_is_pressed_is_told_without_a_key(make: Make) -> None:
    path = make(4)
    disputed(path)
    app = app_at(path, "ann", "dispute")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "bo says so")
        retire(path, "ann")
        await until(app, pilot, "you have left")
        assert app.screen.NAME == "home"  # type: ignore[attr-defined]


async def test_who_comes_back_works_on(make: Make) -> None:
    path = make(4)
    retire(path, "ann")
    app = app_at(path, "ann")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert told(app)
        with Project.open(path) as project:
            project.people.add("ann", "annotator", "curator")
        await pilot.press("r")
        await settle(pilot)
        assert not told(app)
        assert "Dialogues: 4" in screen_text(app)


@pytest.mark.parametrize("start", ["home", "screening"])
async def test_a_name_that_nobody_here_bears_is_refused_with_a_window_wherever_one_starts(
    make: Make, start: str
) -> None:
    path = make(4)
    disputed(path)
    app = app_at(path, "无名", start)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, Page)
        assert "there is no one called 无名 here" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "Next:" not in screen_text(app)
        if start == "home":
            assert "there is no one called 无名 here" in screen_text(app)
            await pilot.press("w")
            await settle(pilot)
            await pilot.press("1")
            await settle(pilot)
            assert "there is no one called" not in screen_text(app)
            assert "Dialogues: 4" in screen_text(app)


async def test_the_name_that_stands_for_a_curator_need_not_be_borne(make: Make) -> None:
    app = app_at(make(4), "curator")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Dialogues: 4" in screen_text(app)
