"""The expert's desk, by keyboard alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from curation.work.asking import PROCESS
from curation.work.expert import ExpertTask
from db.project import Project
from screens.expert import ExpertScreen
from screens.widgets.writing import looks_pasted
from tests.tui.conftest import screen_text, settle, type_in
from tests.tui.scored import EXPERT, SYSTEMS, expert_project
from workbench.app import WorkbenchApp

Open = Callable[[Path], Project]


def expert_app(path: Path, lang: str = "en", pace: float = 0.0) -> WorkbenchApp:
    return WorkbenchApp(path, EXPERT, lang, "expert", pace=pace, keymap={})


def screen_of(app: WorkbenchApp) -> ExpertScreen:
    screen = app.screen
    assert isinstance(screen, ExpertScreen)
    return screen


def task_of(app: WorkbenchApp) -> ExpertTask:
    task = screen_of(app).front
    assert task is not None
    return task


async def write(app: WorkbenchApp, pilot: Pilot[None], *what: str) -> str:
    """Names of keys are pressed, Chinese is typed character by character, slower than a paste."""
    for one in what:
        if one.isascii():
            await pilot.press(one)
        else:
            for character in one:
                type_in(app, character)
                await asyncio.sleep(0.0125)
    await settle(pilot)
    return screen_text(app)


async def closed(app: WorkbenchApp, pilot: Pilot[None]) -> str:
    """Close what is complete; a second press this soon after the last one is looked at twice."""
    await pilot.press("enter")
    await asyncio.sleep(0.12)
    await settle(pilot)
    return screen_text(app)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return expert_project(tmp_path / "p.wb")


@pytest.mark.parametrize(("size", "lang"), [((80, 24), "zh"), ((120, 40), "en")])
async def test_both_answers_are_written_by_keyboard_alone(
    path: Path, store: Open, size: tuple[int, int], lang: str
) -> None:
    app = expert_app(path, lang)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        uid = task_of(app).uid
        text = await write(app, pilot, "enter", "那我等你呀")
        assert ("5 of 15 characters" if lang == "en" else "5 个字，最多 15") in text
        await write(app, pilot, "enter")
        await closed(app, pilot)
        assert task_of(app).now == "cot"
        await write(app, pilot, "enter")
        for n in range(6):
            await write(app, pilot, f"第{n + 1}栏写的", "enter")
        assert not screen_of(app).box.has_focus
        await closed(app, pilot)
        assert task_of(app).uid != uid
    replies = store(path).replies
    direct, cot = replies.of(uid, EXPERT, "direct"), replies.of(uid, EXPERT, "cot")
    assert direct is not None
    assert cot is not None
    assert (direct.words.reply, direct.written, cot.words.reply, cot.written) == ("那我等你呀", 1, "第6栏写的", 2)
    assert [cot.words.process[name] for name in PROCESS] == [f"第{n}栏写的" for n in range(1, 6)]
    assert not direct.pasted
    assert not cot.pasted
    assert direct.seconds
    assert 0 < direct.seconds < 30


async def test_a_reply_that_is_too_long_is_said_while_typing_and_not_closed(path: Path) -> None:
    app = expert_app(path)
    async with app.run_test() as pilot:
        text = await write(app, pilot, "enter", "一二三四五六七八九十一二三四五六")
        assert "16 of 15 characters – TOO LONG" in text
        text = await write(app, pilot, "ctrl+j")
        assert "too long: at most 15" in text
        assert task_of(app).now == "direct"


async def test_every_key_is_kept_and_comes_back(path: Path, store: Open) -> None:
    app = expert_app(path)
    async with app.run_test() as pilot:
        await write(app, pilot, "enter", "我也")
        seen = store(path).expert.task(EXPERT)
        assert seen is not None
        assert seen.part("direct").texts == {"reply": "我也"}
    app = expert_app(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        assert "我也" in screen_text(app)
        await write(app, pilot, "r", "在")
        assert screen_of(app).box.written == "我也在"


async def test_what_is_pasted_is_marked_and_what_is_typed_is_not(path: Path) -> None:
    app = expert_app(path)
    async with app.run_test() as pilot:
        text = await write(app, pilot, "enter", "我")
        assert "(pasted)" not in text
        app.post_message(events.Paste("贴来的话"))
        await settle(pilot)
        assert "(pasted)" in screen_text(app)
        for _ in range(5):
            await pilot.press("backspace")
        text = await write(app, pilot, "自己")
        assert "(pasted)" not in text


@pytest.mark.parametrize(
    ("burst", "pasted"),
    [
        ("我也刚到门口等你一起进去吧", False),  # a sentence that an input method commits at once
        ("好的，那我先去排队，你慢慢来不着急，路上小心一点儿哦，到了再说吧", True),
        ("hello there", True),
        ("第一行\n第二行", True),
        ("ok", False),
    ],
)
async def test_a_burst_is_a_paste_when_no_input_method_sends_it(path: Path, burst: str, pasted: bool) -> None:
    assert looks_pasted(burst) is pasted
    app = expert_app(path)
    async with app.run_test() as pilot:
        await write(app, pilot, "enter")
        await asyncio.sleep(0.05)
        for character in burst:
            key = "enter" if character == "\n" else _character_to_key(character)
            app.post_message(events.Key(key, "\r" if character == "\n" else character))
        await settle(pilot)
        assert screen_of(app).box.written == burst
        assert ("(pasted)" in screen_text(app)) is pasted


async def test_odd_characters_come_through(path: Path, store: Open) -> None:
    odd = "一\t二\u3000三\u2028四\x1b[31m五\u202e六👍🏽"
    app = expert_app(path)
    async with app.run_test() as pilot:
        await write(app, pilot, "enter")
        app.post_message(events.Paste(odd))
        await settle(pilot)
        assert screen_of(app).box.written == odd
        assert "\x1b" not in screen_text(app)
    task = store(path).expert.task(EXPERT)
    assert task is not None
    assert task.part("direct").texts["reply"] == odd


async def test_a_closed_answer_is_opened_again_and_left_as_it_was(path: Path) -> None:
    app = expert_app(path)
    async with app.run_test() as pilot:
        await write(app, pilot, "enter", "那我等你呀", "ctrl+j")
        assert task_of(app).now == "cot"
        await write(app, pilot, "e")
        assert task_of(app).now == "direct"
        text = await write(app, pilot, "r", "！")
        assert "那我等你呀！" in text
        await write(app, pilot, "escape", "x")
        assert task_of(app).now == "cot"
        text = await write(app, pilot, "b")
        assert "direct reply" in text
        assert "那我等你呀！" not in text


async def test_a_held_enter_closes_no_second_answer(path: Path, store: Open) -> None:
    app = expert_app(path, pace=0.25)
    async with app.run_test() as pilot:
        await write(app, pilot, "enter", "那我等你呀", "escape")
        for _ in range(30):
            app.post_message(events.Key("enter", "\r"))
            await asyncio.sleep(0.03)
        await settle(pilot)
        await asyncio.sleep(0.1)
        assert store(path).expert.progress(EXPERT).done == 0


async def test_the_expert_sees_no_model_and_no_model_s_words(tmp_path: Path) -> None:
    app = expert_app(expert_project(tmp_path / "p.wb", others=True))
    async with app.run_test(size=(120, 40)) as pilot:
        seen = [
            await write(app, pilot, *keys) for keys in (("enter",), ("escape", "v"), ("escape", "b"), ("escape", "q"))
        ]
        everything = "\n".join([*seen, app.title, app.sub_title])
    assert "第1段" in everything
    for words in (*SYSTEMS[:2], "的回复"):
        assert words not in everything


async def test_whoever_is_no_expert_is_told_so(path: Path) -> None:
    app = WorkbenchApp(path, "ann", "en", "expert", pace=0.0, keymap={})
    async with app.run_test() as pilot:
        await settle(pilot)
        assert "not an expert" in screen_text(app)


async def test_the_overview_leads_an_expert_to_the_desk_and_nobody_else(path: Path) -> None:
    for person, words in (
        (EXPERT, "2 dialogues are waiting for your answers"),
        ("ann", "The expert desk is for experts"),
    ):
        app = WorkbenchApp(path, person, "en", "home", pace=0.0, keymap={})
        async with app.run_test() as pilot:
            await settle(pilot)
            if person == EXPERT:
                assert words in screen_text(app)
            await pilot.press("x")
            await settle(pilot)
            assert isinstance(app.screen, ExpertScreen) is (person == EXPERT)
            if person != EXPERT:
                assert words in screen_text(app)
