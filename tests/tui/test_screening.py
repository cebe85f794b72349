"""The screening screen, by keyboard alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events

from curation.errors import WorkbenchError
from curation.work import Answer, Draft
from db.project import Project
from db.screening import Screening
from screens.screening import ScreeningScreen
from tests.tui.conftest import app_on, place, screen_text, screening, settle, type_in
from workbench.app import WorkbenchApp

Make = Callable[..., Path]
Open = Callable[[Path], Project]

SIZES = [(80, 24), (120, 40)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_ten_dialogues_are_screened_by_keyboard_alone(
    make: Make, store: Open, size: tuple[int, int], lang: str
) -> None:
    path = make(10)
    app = WorkbenchApp(path, "ann", lang, "home", pace=0.0, keymap={})
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press("enter")
        await settle(pilot)
        for n in range(10):
            assert place(app) == n + 1
            if n % 2:
                await pilot.press("d", "r", *"no fit", "escape", "enter")
            else:
                await pilot.press("k", "1", "2", "enter")
            await settle(pilot)
        text = screen_text(app)
        assert ("All 10 dialogues" if lang == "en" else "分给你的 10 段对话都已决定") in text
        assert ("10 of 10 assigned to you done, 10 waiting" in text) == (lang == "en")
        await pilot.press("q")
        await settle(pilot)
        assert ("10 decided" if lang == "en" else "已定 10") in screen_text(app)
    project = store(path)
    for n in range(1, 11):
        task = project.screening.task("ann", n)
        assert task is not None
        assert task.answer == (Answer(False, "", "no fit") if n % 2 == 0 else Answer(True, "irony", ""))


async def test_the_answer_is_always_there_in_words(make: Make) -> None:
    app = app_on(make())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Answer: not answered yet" in screen_text(app)
        await pilot.press("k")
        assert "Answer: keep · situation missing" in screen_text(app)
        await pilot.press("4")
        assert "family 4: now its place" in screen_text(app)
        await pilot.press("3")
        assert "Answer: keep · Commitment Test" in screen_text(app)
        await pilot.press("y")
        assert "Answer: keep · Humor" in screen_text(app)
        await pilot.press("d")
        assert "Answer: drop" in screen_text(app)
        assert "saved " in screen_text(app).splitlines()[0]


async def test_a_situation_named_first_keeps(make: Make) -> None:
    app = app_on(make())
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("3", "1")
        assert "Answer: keep · Rejection" in screen_text(app)


async def test_an_incomplete_answer_is_not_committed(make: Make) -> None:
    app = app_on(make())
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("enter")
        assert "Say first" in screen_text(app)
        await pilot.press("k", "enter")
        assert "needs a situation" in screen_text(app)
        await settle(pilot)
        assert place(app) == 1


async def test_undo_goes_back_to_the_last_decision_from_anywhere(make: Make, store: Open) -> None:
    path = make()
    app = app_on(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("r", *"because", "escape", "w", "enter")
        await settle(pilot)
        await pilot.press("right", "right", "right")
        await settle(pilot)
        assert place(app) == 5
        await asyncio.sleep(0.2)
        await pilot.press("u")
        await asyncio.sleep(0.15)
        await settle(pilot)
        assert place(app) == 1
        text = screen_text(app)
        assert "Taken back: no. 1" in text
        assert "Answer: keep · Euphemism" in text
        assert "because" in text
        progress = app.project.screening.progress("ann") if app.project else None
        assert progress is not None
        assert progress.decided == 0
        await pilot.press("u")
        await asyncio.sleep(0.15)
        await settle(pilot)
        assert "Nothing to undo" in screen_text(app)


async def test_a_held_undo_takes_back_one(make: Make) -> None:
    app = app_on(make())
    async with app.run_test() as pilot:
        await settle(pilot)
        for _n in range(3):
            await pilot.press("d", "enter")
            await settle(pilot)
        for _n in range(12):
            app.post_message(events.Key("u", "u"))
            await asyncio.sleep(0.03)
        await asyncio.sleep(0.2)
        await settle(pilot)
        assert app.project is not None
        assert app.project.screening.progress("ann").decided == 2


async def test_jump_and_step(make: Make) -> None:
    app = app_on(make())
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("j", "1", "1", "enter")
        await settle(pilot)
        assert place(app) == 11
        await pilot.press("j", "９", "enter")
        await settle(pilot)
        assert place(app) == 9
        await pilot.press("j", "9", "9", "enter")
        await settle(pilot)
        assert place(app) == 9
        assert "There is no number 99; yours are 1 to 12" in screen_text(app)
        await pilot.press("left", "p")
        await settle(pilot)
        assert place(app) == 7
        await pilot.press("j", "1", "enter", "left")
        await settle(pilot)
        assert "This is the first one" in screen_text(app)


async def test_skip_asks_for_a_reason_and_the_skipped_come_last(make: Make) -> None:
    app = app_on(make(3))
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("s")
        await settle(pilot)
        assert "cannot be read" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert place(app) == 1
        await pilot.press("s", "3")
        await settle(pilot)
        assert place(app) == 2
        assert "1 put off" in screen_text(app)
        for _n in range(2):
            await pilot.press("d", "enter")
            await settle(pilot)
        assert place(app) == 1


async def test_hanzi_outside_the_box_do_nothing_and_say_why(make: Make) -> None:
    app = app_on(make())
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("你")
        assert "Chinese input is on – press Shift to switch" in screen_text(app)
        assert screening(app).desk.words() == "Answer: not answered yet"
        await pilot.press("r", "你", "好")
        type_in(app, "。")
        await settle(pilot)
        assert screening(app).box.written == "你好。"


async def test_full_width_keys_are_the_keys_they_look_like(make: Make) -> None:
    app = app_on(make())
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("１", "２")
        assert screening(app).desk.situation == "irony"
        await pilot.press("ｄ")
        assert screening(app).desk.keep is False
        type_in(app, "＋")
        await settle(pilot)
        assert screening(app).desk.keep is True
        type_in(app, "？")
        await settle(pilot)
        assert "Undo the last decision" in screen_text(app)


async def test_a_held_enter_decides_one_dialogue(make: Make, store: Open) -> None:
    path = make()
    with Project.open(path) as project:
        for n in (1, 2, 3):
            task = project.screening.task("ann", n)
            assert task is not None
            project.screening.save_draft("ann", task.stored.uid, Draft(False, "", "half"))
        project.screening.task("ann", 1)
    app = app_on(path, pace=0.25)
    async with app.run_test() as pilot:
        await settle(pilot)
        app.post_message(events.Key("enter", "\r"))
        await asyncio.sleep(0.5)  # the pause before a held key repeats
        for _n in range(15):
            app.post_message(events.Key("enter", "\r"))
            await asyncio.sleep(0.033)
        await settle(pilot)
        assert place(app) == 2
        assert app.project is not None
        assert app.project.screening.progress("ann").decided == 1
        await pilot.press("d")
        await pilot.press("enter")
        await settle(pilot)
        assert place(app) == 3


async def test_a_row_of_keys_pasted_without_brackets_decides_at_most_one(make: Make) -> None:
    app = app_on(make(), pace=0.25)
    async with app.run_test() as pilot:
        await settle(pilot)
        for character in "d\nd\nd\nd\nd\nd\nuuuuqd\n":
            app.post_message(events.Key("enter" if character == "\n" else character, character))
        await asyncio.sleep(0.3)
        await settle(pilot)
        assert app.project is not None
        assert app.project.screening.progress("ann").decided <= 1
        assert isinstance(app.screen, ScreeningScreen)


async def test_a_bracketed_paste_outside_the_box_is_ignored(make: Make) -> None:
    app = app_on(make())
    async with app.run_test() as pilot:
        await settle(pilot)
        app.post_message(events.Paste("d\nd\n"))
        await settle(pilot)
        assert "Pasted text was ignored" in screen_text(app)
        assert screening(app).desk.keep is None


async def test_what_the_store_refuses_is_said_in_the_language_in_use(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = app_on(make(), lang="zh")

    def refuse(*_args: object) -> None:
        raise WorkbenchError("you have decided this dialogue already; undo takes it back")

    async with app.run_test() as pilot:
        await settle(pilot)
        monkeypatch.setattr(Screening, "decide", refuse)
        await pilot.press("d", "enter")
        await settle(pilot)
        assert "没有做成" in screen_text(app)
        assert "undo takes it back" not in screen_text(app)


async def test_b_sees_nothing_of_what_a_answered(make: Make) -> None:
    path = make()
    with Project.open(path) as project:
        task = project.screening.task("ann", 1)
        assert task is not None
        project.screening.decide("ann", task.stored.uid, Answer(True, "irony", "SECRETWHY"))
    app = app_on(path, "bo")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        seen = screen_text(app)
        for key in ("v", "escape", "question_mark", "escape", "s", "escape", "u", "e", "q"):
            await pilot.press(key)
            await settle(pilot)
            seen += screen_text(app)
        assert "bo (B)" in seen
        assert "SECRETWHY" not in seen
        assert "[Irony/Sarcasm]" not in seen
        assert "keep ·" not in seen


async def test_a_decided_dialogue_is_decided_anew_only_on_purpose(make: Make) -> None:
    app = app_on(make())
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("d", "enter")
        await settle(pilot)
        await pilot.press("left")
        await settle(pilot)
        await pilot.press("k")
        assert "Decided already" in screen_text(app)
        assert screening(app).box.read_only
        await pilot.press("e")
        await settle(pilot)
        await pilot.press("k", "w", "enter")
        await settle(pilot)
        assert app.project is not None
        task = app.project.screening.task("ann", 1)
        assert task is not None
        assert task.answer == Answer(True, "euphemism", "")


async def test_nothing_assigned_says_what_to_do(make: Make) -> None:
    path = make()
    with Project.open(path) as project:
        project.people.add("cy", "annotator", "curator")
    app = app_on(path, "cy")
    async with app.run_test() as pilot:
        await settle(pilot)
        assert "workbench assign p.wb screening" in screen_text(app)
        await pilot.press("k", "enter", "s", "u", "e", "right", "left", "n", "r", "1", "2")
        await settle(pilot)
        assert screening(app).desk.task is None


async def test_identifiers_are_covered(make: Make, tmp_path: Path) -> None:
    from tests.tui.conftest import chat

    path = make(1)
    with Project.open(path) as project:
        from curation.work import Source

        lines = ("在吗", "在", "你电话多少", "13812345678", "好的我记下了", "到时候打给我")
        project.dialogues.take([chat(99, lines)], Source("more"), "curator")
        project.dialogues.apply_rules("curator")
        project.screening.assign("curator")
    app = app_on(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("right")
        await settle(pilot)
        assert "13812345678" not in screen_text(app)
        assert "〔电话〕" in screen_text(app)


async def test_too_small_a_terminal_says_so_and_decides_nothing(make: Make) -> None:
    app = app_on(make())
    async with app.run_test(size=(50, 15)) as pilot:
        await settle(pilot)
        assert "Terminal too small: 50×15; at least 60×18" in screen_text(app).replace("…", "")
        await pilot.press("d", "enter")
        await settle(pilot)
        assert place(app) == 1
        await pilot.resize_terminal(60, 18)
        await settle(pilot)
        assert "Answer: not answered yet" in screen_text(app)
        await pilot.resize_terminal(1, 1)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "第1段第1句" in screen_text(app)


async def test_the_others_answer_is_shown_once_both_have_committed_and_not_before(make: Make, store: Open) -> None:
    path = make(2)
    project = store(path)
    uids = [task.stored.uid for n in (1, 2) if (task := project.screening.task("bo", n)) is not None]
    project.screening.decide("bo", uids[0], Answer(True, "hint", "ZEBRA"))
    project.screening.decide("bo", uids[1], Answer(True, "hint", "ZEBRA"))
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("b")
        await settle(pilot)
        assert "shown once both have committed" in screen_text(app)
        assert "ZEBRA" not in screen_text(app)
        await pilot.press("k", "1", "2", "enter")
        await settle(pilot)
        await pilot.press("p")
        await settle(pilot)
        assert "closed; the other: keep · Hint" in screen_text(app)
        await pilot.press("b")
        await settle(pilot)
        assert "ZEBRA" in screen_text(app)
