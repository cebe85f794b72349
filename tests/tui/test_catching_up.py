"""Lists and reviews that others change meanwhile show it without a key, and refuse what has come too late."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.stages import Stage
from curation.work.quality import Filter
from db.control import Control
from db.project import Project
from screens import base
from screens.menu import Menu
from screens.qualitylist import QualityListScreen
from screens.review import ReviewScreen
from tests.tui.conftest import agreed, screen_text, settle, until
from workbench.app import WorkbenchApp

FOUND = ("在吗", "你说", "电话13812345678", "我叫王小明 等下再说一声吧", "好", "行，王小明")
QUIET = ("今天好冷啊", "是啊冷死我了", "多穿一点吧", "穿了三件还是冷", "那就别出门了", "好吧听你的")
OTHER = ("吃饭没", "没呢哥", "那出来吧，打138-1234-5678", "不去，下雨了啊烦", "那就叫王小明去呗，他有空", "算了")

pytestmark = pytest.mark.usefixtures("soon")


def laid(path: Path, *chats: tuple[str, ...], scrub: bool = True) -> Path:
    with agreed(path, chats, curators=["lin"]) as project:
        for one in project.dialogues.at(Stage.AGREED):
            project.reviews.look(one.uid)
        if scrub:
            scrubbed(project)
    return path


def scrubbed(project: Project) -> None:
    keys = [project.dialogues.key(s.uid) for s in project.dialogues.at(Stage.AGREED)]
    project.findings.scrub(keys, "lin", 0.0)


def uid(project: Project, name: str) -> str:
    return project.dialogues.find(name).uid


def app_at(path: Path, start: str, lang: str = "en") -> WorkbenchApp:
    return WorkbenchApp(path, "curator", lang, start, pace=0.0, keymap={})  # type: ignore[arg-type]


def rows(app: WorkbenchApp) -> dict[str, tuple[str, ...] | None]:
    assert isinstance(app.screen, QualityListScreen)
    return {row.name: row.matters for row in app.screen.listed or ()}


async def come(true: Callable[[], bool], app: WorkbenchApp) -> None:
    """Wait until it is so."""
    for _n in range(300):
        if true():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(screen_text(app))


# -- the list of quality control


async def test_what_is_open_is_looked_at_again_once_a_setting_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = laid(tmp_path / "p.wb", FOUND, QUIET)
    look = Control.look

    def slow(control: Control, uid: str) -> tuple[str, ...]:
        import time

        time.sleep(0.3)
        return look(control, uid)

    app = app_at(path, "qualitylist")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "1 of 2, 0 marked")
        await come(lambda: None not in rows(app).values() and len(rows(app)) == 2, app)
        before = rows(app)
        monkeypatch.setattr(Control, "look", slow)
        with Project.open(path) as project:
            project.change_settings("curator", sign_off=True)
        assert " ?" in await until(app, pilot, "looking what is open: 2 left")
        await come(lambda: None not in rows(app).values(), app)
        await settle(pilot)
        assert " ?" not in screen_text(app)
        assert "looking what is open" not in screen_text(app)
        assert rows(app) != before, "a second person has to sign now"


async def test_a_filter_by_what_is_open_filters_again_once_that_is_known(tmp_path: Path) -> None:
    path = laid(tmp_path / "p.wb", FOUND, QUIET, OTHER)
    with Project.open(path) as project:
        project.quality.normalise("curator")
        project.rewriting.rewrite(uid(project, "c2"), "curator", 3, "好好好", "readable")
    app = app_at(path, "qualitylist")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "1 of 3, 0 marked")
        screen = app.screen
        assert isinstance(screen, QualityListScreen)
        screen._filtered(Filter(matter="open"))  # before anybody knows
        await until(app, pilot, "1 of 1, 0 marked")
        assert list(rows(app)) == ["c2"]
        with Project.open(path) as project:
            project.rewriting.rewrite(uid(project, "c3"), "curator", 3, "不不不不", "readable")
        await until(app, pilot, "of 2, 0 marked")
        assert list(rows(app)) == ["c2", "c3"], "one that was not on the list comes to be"


# -- the review


async def test_the_review_shows_what_was_decided_elsewhere_and_where_one_is_stays(tmp_path: Path) -> None:
    path = laid(tmp_path / "p.wb", FOUND, OTHER, QUIET, scrub=False)
    app = app_at(path, "review")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "1 of 3 agreed · 2 wait")
        await pilot.press("j")
        with Project.open(path) as project:
            scrubbed(project)
        text = await until(app, pilot, "1 of 3 agreed · 0 wait")
        assert "undecided: 0" in text
        assert isinstance(app.screen, ReviewScreen)
        assert app.screen.look.here == 2, "the finding in front stays in front"
        with Project.open(path) as project:
            project.quality.normalise("lin")
            assert project.quality.approve("lin", [uid(project, "c2")]).approved == 1
        await until(app, pilot, "1 of 2 agreed")


async def test_nothing_moves_under_a_caret(tmp_path: Path) -> None:
    path = laid(tmp_path / "p.wb", FOUND, OTHER, scrub=False)
    app = app_at(path, "review")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "1 of 2 agreed · 2 wait")
        await pilot.press("m")
        with Project.open(path) as project:
            scrubbed(project)
        await asyncio.sleep(0.4)
        await settle(pilot)
        assert "2 wait" in screen_text(app)
        await pilot.press("escape")
        await until(app, pilot, "0 wait")


@pytest.mark.parametrize(("lang", "why"), [("en", "Not yet: it is approved already"), ("zh", "已通过质检")])
async def test_no_review_is_done_of_what_is_approved_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, why: str
) -> None:
    monkeypatch.setattr(base, "EVERY", 60.0)  # the picture is stale
    path = laid(tmp_path / "p.wb", QUIET)
    app = app_at(path, "review", lang)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        with Project.open(path) as project:
            project.quality.normalise("lin")
            assert project.quality.approve("lin").approved == 1
        await pilot.press("d")
        await until(app, pilot, why)
        assert ("approved" if lang == "en" else "通过质检") in app.screen.line("header").words  # type: ignore[attr-defined]
    with Project.open(path) as project:
        assert not project.reviews.done(uid(project, "c1"))


# -- a window with a list


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_a_list_that_is_cut_says_how_much_more_there_is(tmp_path: Path, lang: str) -> None:
    path = laid(tmp_path / "p.wb", QUIET)
    above, below = ("{} more above ↑", "{} more below ↓") if lang == "en" else ("上面还有 {} 项 ↑", "下面还有 {} 项 ↓")
    app = app_at(path, "qualitylist", lang)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.push_screen(Menu("?", [(str(n), f"word{n}") for n in range(1, 21)]))
        text = await until(app, pilot, below.format(5))
        assert "word15" in text
        assert "word16" not in text
        assert above.split("{}")[1] not in text
        assert ("a digit for 1 to 9" if lang == "en" else "前 9 项也可按数字") in text
        await pilot.press("end")
        text = await until(app, pilot, above.format(5))
        assert "word20" in text
        assert below.split("{}")[1] not in text
        await pilot.press("escape")
        app.push_screen(Menu("?", [(str(n), f"word{n}") for n in range(1, 6)]))
        text = await until(app, pilot, "word5")
        assert "1 to 9" not in text
        assert "↑\n" not in text
