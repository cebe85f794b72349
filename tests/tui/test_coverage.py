"""The coverage of replies by keyboard: signs, filters, one reply, letting it pass."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from db.project import Project
from screens.coverage import CoverageScreen
from tests.asked import sampled, take, written
from tests.tui.conftest import screen_text, settle, type_in
from workbench.app import WorkbenchApp


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three sampled dialogues; m1 has answered with a process, flagged twice; nothing direct."""
    made = tmp_path / "c.wb"
    with Project.create(made) as study:
        sampled(study, 3, ("m1", "m2"))
        lines = written(study)
        assert isinstance(lines[0].content, dict)
        take(study, [*lines[1:], type(lines[0])(9, lines[0].id, {**lines[0].content, "reply": "我是通义千问"})])
    return made


def app_on(path: Path, person: str = "curator", lang: str = "en") -> WorkbenchApp:
    return WorkbenchApp(path, person, lang, "home", pace=0.0, keymap={})


async def opened(app: WorkbenchApp, pilot: object) -> CoverageScreen:
    await settle(pilot)  # type: ignore[arg-type]
    await pilot.press("v")  # type: ignore[attr-defined]
    await settle(pilot)  # type: ignore[arg-type]
    assert isinstance(app.screen, CoverageScreen)
    return app.screen


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_what_is_absent_and_flagged_is_seen_and_let_pass(
    path: Path, lang: str, store: Callable[[Path], Project]
) -> None:
    app = app_on(path, lang=lang)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(app, pilot)
        text = screen_text(app)
        assert "m1" in text
        assert text.count("!") == 1
        while screen.table.row is not None and screen._here() is not None and screen._here()[3].state != "flagged":  # type: ignore[index]
            await pilot.press("n")
            await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "我是通义千问" in screen_text(app)
        await pilot.press("w")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        type_in(app, "看过")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert app.screen is screen
        assert "!" not in "".join(row for row in screen_text(app).split("\n")[4:-2])
    one = [r for r in store(path).replies.all("m1") if r.waiver is not None]
    assert [(r.waiver.reason, r.open_flags) for r in one if r.waiver] == [("看过", ())]


async def test_filters_keep_what_is_asked_for_and_escape_shows_all(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(app, pilot)
        await pilot.press("o", "3")
        await settle(pilot)
        assert len(screen._rows) == 1
        await pilot.press("s", "2")
        await settle(pilot)
        assert {system for system, _mode in screen._columns} == {"m1"}
        await pilot.press("escape")
        await settle(pilot)
        assert len(screen._rows) == 3
        assert len(screen._columns) == 4


async def test_whoever_scores_sees_no_system(path: Path) -> None:
    app = app_on(path, "ann")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        text = screen_text(app)
        assert "m1" not in text
        assert "curators" in text
        await pilot.press("s", "enter", "w", "n", "q")
        await settle(pilot)
        assert not isinstance(app.screen, CoverageScreen)


async def test_an_empty_project_says_what_to_do(tmp_path: Path) -> None:
    made = tmp_path / "e.wb"
    Project.create(made).close()
    app = app_on(made)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        assert "workbench sample" in screen_text(app)
        await pilot.press("enter", "w", "n", "o", "escape", "left")
        await settle(pilot)
