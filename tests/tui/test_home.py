"""The overview, the windows, and what holds on every screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curation.errors import BadProject, UsageError
from curation.work import Answer
from db.project import Project
from screens import recent
from screens.home import HomeScreen
from screens.screening import ScreeningScreen
from tests.tui.conftest import screen_text, settle
from workbench.app import WorkbenchApp

Make = Callable[..., Path]
SIZES = [(80, 24), (120, 40)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("lang", "words"), [("zh", ("候选", "筛选进度", "下一步")), ("en", ("candidate", "by person", "Next:"))]
)
async def test_the_funnel_and_what_waits_for_whom(
    make: Make, size: tuple[int, int], lang: str, words: tuple[str, ...]
) -> None:
    path = make(4)
    with Project.open(path) as project:
        task = project.screening.task("ann", 1)
        assert task is not None
        project.screening.decide("ann", task.stored.uid, Answer(True, "irony", "WHY"))
    app = WorkbenchApp(path, "bo", lang, keymap={})
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        text = screen_text(app)
        for word in words:
            assert word in text
        assert "█" in text
        assert "WHY" not in text
        assert "rony" not in text
        assert ("4 assigned, 1 decided, 3 left, 1 waiting" in text) == (lang == "en")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_hostile_text_is_shown_as_it_is_on_every_screen(make: Make, size: tuple[int, int], lang: str) -> None:
    app = WorkbenchApp(make(3, hostile=True), "ann", lang, keymap={})
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        seen = screen_text(app)
        await pilot.press("end")
        await settle(pilot)
        seen += screen_text(app)
        assert "[/ 来源 ␛[31m" in seen
        await pilot.press("enter")
        await settle(pilot)
        text = screen_text(app)
        for shown in (
            "[/",
            "笑死[doge]",
            "[/cry]哭 [",
            "␛[2J␛]52;c;aGk=␇清屏",
            "‹U+202E›反过来",
            "零‹U+200B›宽",
        ):
            assert shown in text
        await pilot.press("r")
        for character in "[/]x[b":
            await pilot.press(character)
        await settle(pilot)
        assert "[/]x[b" in screen_text(app)
        await pilot.press("escape", "question_mark")
        await settle(pilot)
        await pilot.press("escape", "v")
        await settle(pilot)
        await pilot.press("escape", "s")
        await settle(pilot)
        for painted in (seen, text, screen_text(app)):
            assert not any(c in painted for c in "\x1b\x9b\u202e\u200b")


async def test_who_is_working_is_asked_when_it_is_not_clear(make: Make) -> None:
    app = WorkbenchApp(make(3), "curator", "en", pace=0.0, keymap={})
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "Who is working?" in screen_text(app)
        await pilot.press("2")
        await settle(pilot)
        assert "p.wb · bo" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ScreeningScreen)
        assert "bo (B)" in screen_text(app)


async def test_without_a_project_the_recent_ones_are_offered(make: Make, tmp_path: Path) -> None:
    app = WorkbenchApp(None, lang="en", keymap={})
    async with app.run_test() as pilot:
        await settle(pilot)
        assert "workbench init my-project.wb" in screen_text(app)
    gone = tmp_path / "gone.wb"
    recent.remember(make(2))
    recent.remember(gone)
    app = WorkbenchApp(None, lang="en", keymap={})
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "gone.wb  (missing)" in screen_text(app)
        await pilot.press("o", "1")
        await settle(pilot)
        assert "This could not be done" in screen_text(app)
        await pilot.press("escape", "o", "2")
        await settle(pilot)
        assert "Dialogues: 2" in screen_text(app)
        assert isinstance(app.screen, HomeScreen)


def test_a_missing_project_or_a_bad_key_file_is_refused_before_anything_is_shown(make: Make, tmp_path: Path) -> None:
    with pytest.raises(BadProject):
        WorkbenchApp(tmp_path / "no.wb", lang="en")
    recent.key_file().parent.mkdir()
    recent.key_file().write_text('[screening]\nkeep = ["d"]', encoding="utf-8")
    with pytest.raises(UsageError):
        WorkbenchApp(make(1), lang="en")


async def test_keys_can_be_changed_and_the_bar_says_so(make: Make) -> None:
    recent.key_file().parent.mkdir()
    recent.key_file().write_text('[screening]\nkeep = ["l"]', encoding="utf-8")
    app = WorkbenchApp(make(2), "ann", "en", "screening")
    async with app.run_test() as pilot:
        await settle(pilot)
        assert "l keep" in screen_text(app)
        await pilot.press("k")
        assert "not answered yet" in screen_text(app)
        await pilot.press("l")
        assert "Answer: keep" in screen_text(app)


async def test_the_palette_offers_the_actions_and_no_screenshot(make: Make) -> None:
    app = WorkbenchApp(make(2), "ann", "zh", "screening", keymap={})
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        names = [command.title for command in app.get_system_commands(app.screen)]
        assert any("undo" in name for name in names)
        assert not any("creenshot" in name for name in names)
        await pilot.press("ctrl+p", *"guideline", "enter")
        await settle(pilot)
        await pilot.pause(0.3)
        await settle(pilot)
        assert "各情境的含义" in screen_text(app) or "讽刺" in screen_text(app)


@pytest.mark.parametrize("theme", ["textual-light", "ansi-dark", "workbench-mono"])
async def test_every_state_is_told_without_colour(make: Make, theme: str) -> None:
    app = WorkbenchApp(make(2), "ann", "en", "screening", keymap={})
    async with app.run_test() as pilot:
        app.theme = theme
        await settle(pilot)
        await pilot.press("k", "1", "2")
        await settle(pilot)
        text = screen_text(app)
        for sign in ("me >", "< other", "last turn", "[Irony/Sarcasm]", "Answer: keep"):
            assert sign in text


async def test_the_language_changes_in_place(make: Make) -> None:
    app = WorkbenchApp(make(2), "ann", "en", "screening", keymap={})
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("k", "r", "x", "escape")
        app.action_next_language()
        await settle(pilot)
        text = screen_text(app)
        assert "答案：保留 · 缺情境" in text
        assert "最后一轮" in text
        assert "x" in text


async def test_a_crash_tells_kinds_and_places_and_nothing_else(
    make: Make, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def boom(self: ScreeningScreen) -> None:
        secret = "13812345678"
        raise KeyError(secret)

    monkeypatch.setattr(ScreeningScreen, "action_guideline", boom)
    app = WorkbenchApp(make(2), "ann", "en", "screening", keymap={})
    with pytest.raises(KeyError):  # noqa: PT012
        async with app.run_test() as pilot:
            await settle(pilot)
            await pilot.press("k", "v")
            await settle(pilot)
    told = capsys.readouterr().err
    assert "KeyError" in told
    assert "13812345678" not in told
    assert app.return_code == 1
