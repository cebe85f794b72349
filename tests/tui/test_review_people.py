"""Who may what at the review of identifiers, and what stands there when there is nothing to review."""

from __future__ import annotations

from pathlib import Path

from db.project import Project
from screens.review import ReviewScreen
from tests.tui.conftest import screen_text, settle
from tests.tui.test_review import app_on, done_beside, line, path, whole

__all__ = ["path", "whole"]


async def test_others_see_it_masked_and_reveal_one_by_one(path: Path) -> None:
    app = app_on(path, "ann")
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        text = screen_text(app)
        assert "13812345678" not in text
        assert "[电话1]" not in text
        assert "〔phone〕" in text
        await pilot.press("a")
        assert "curator's step" in line(app, "told")
        await pilot.press("v")
        await settle(pilot)
        text = screen_text(app)
        assert "13812345678" in text
        assert "王小明" not in text
        with Project.open(path) as project:
            last = list(project.history.lines("curator", "c1"))
            assert [(one.kind, one.by) for one in last if one.kind == "revealed"] == [("revealed", "ann")]


async def test_a_curator_who_left_decides_nothing_and_sees_nothing(path: Path) -> None:
    with Project.open(path) as project:
        project.people.add("cy", "curator", "curator")
        project.assigning.retire("cy", "curator")
    app = app_on(path, "cy")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "13812345678" not in screen_text(app)
        assert "you have left this project" in screen_text(app)
        await pilot.press("a")
        await settle(pilot)
        assert "you have left this project" in screen_text(app)
    with Project.open(path) as project:
        assert not [one for one in project.history.lines("curator", "c1") if one.by == "cy"]


async def test_a_stranger_sees_nothing(path: Path) -> None:
    app = app_on(path, "nobody")
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        assert "no one of this project" in screen_text(app)
        await pilot.press("a", "d", "j", "m", "right", "enter", "u", "v")
        await settle(pilot)
        assert "no one of this project" in screen_text(app)


async def test_an_empty_project_says_what_to_press(tmp_path: Path) -> None:
    with Project.create(tmp_path / "e.wb"):
        pass
    app = app_on(tmp_path / "e.wb")
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        assert "No agreed dialogue" in screen_text(app)
        await pilot.press("a", "x", "d", "j", "m", "n", "right", "enter", "period", "u", "0", "s", "w")
        await settle(pilot)
        await pilot.press("q")
        await settle(pilot)
        assert app.screen.NAME == "home"  # type: ignore[attr-defined]
        await pilot.press("i")
        await settle(pilot)
        assert isinstance(app.screen, ReviewScreen)


async def test_what_was_read_is_kept_when_the_screen_is_left(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        await pilot.press("j", "q")
        await settle(pilot)
    with Project.open(path) as project:
        page = project.reviews.page(project.dialogues.find("c1").uid, "curator")
        assert page.unseen("curator") == ()
