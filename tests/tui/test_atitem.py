"""Keys at the item that are no answer, and the words and times beside an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events

from curation.guidelines import guidelines
from curation.work import Answer, Source
from db.project import Project
from screens.noting import Note
from screens.stopwatch import IDLE_AFTER, Stopwatch
from tests.tui.conftest import app_on, chat, place, screen_text, screening, settle

Make = Callable[..., Path]
Open = Callable[[Path], Project]
SIZES = [(80, 24), (120, 40)]


async def test_a_second_choice_is_named_after_the_first_and_kept_with_the_answer(make: Make, store: Open) -> None:
    path = make()
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("comma")
        assert "Name the situation first" in screen_text(app)
        await pilot.press("x", "comma", "w")
        assert "Answer: keep · Rejection / Euphemism" in screen_text(app)
        assert "(Euphemism)" in screen_text(app)
        await pilot.press("comma", "1", "2")
        assert "Rejection / Irony/Sarcasm" in screen_text(app)
        await pilot.press("backspace")
        assert screening(app).desk.second == ""
        await pilot.press("comma", "w", "enter")
        await settle(pilot)
        await pilot.press("left")
        await settle(pilot)
        assert "Rejection / Euphemism" in screen_text(app)
    task = store(path).screening.task("ann", 1)
    assert task is not None
    assert task.answer == Answer(True, "rejection", "", "euphemism")


async def test_a_third_person_drops_with_its_reason(make: Make, store: Open) -> None:
    path = make()
    app = app_on(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("T")
        assert "drop · a third person or a bot speaks" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert place(app) == 2
    assert store(path).screening.task("ann", 1).answer == Answer(False, "", "", "", "third_party")  # type: ignore[union-attr]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_what_is_distressing_is_hidden_at_the_key_and_goes_to_the_lead(
    make: Make, store: Open, size: tuple[int, int], lang: str
) -> None:
    path = make(3)
    app = app_on(path, lang=lang)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert "第1段第1句" in screen_text(app)
        await pilot.press("X")
        await settle(pilot)
        assert "第1段第1句" not in screen_text(app), "hidden before anything is confirmed"
        await pilot.press("escape")
        await settle(pilot)
        assert "第1段第1句" in screen_text(app)
        await pilot.press("X", *"too much")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        await pilot.press("X")
        await settle(pilot)
        assert "too much" in screen_text(app), "a half-written word is kept"
        await pilot.press("enter")
        await settle(pilot)
        assert place(app) == 2
        assert ("0 of 2" if lang == "en" else "2 段已完成 0 段") in screen_text(app), "it counts for nobody"
        await pilot.press("left")
        await settle(pilot)
        assert "第1段第1句" not in screen_text(app)
        await pilot.press("k")
        assert screening(app).desk.keep is None
        await pilot.press("u")
        await asyncio.sleep(0.15)
        await settle(pilot)
        assert "第1段第1句" in screen_text(app)
        await pilot.press("M", "enter")
        await settle(pilot)
    raised = store(path).raising.open("curator")
    assert [(r.person, r.kind, r.note) for r in raised] == [("ann", "minor", "")]


async def test_an_unclear_guideline_needs_words_and_stays_on_the_desk(make: Make, store: Open) -> None:
    path = make()
    app = app_on(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("G", "enter")
        await settle(pilot)
        assert isinstance(app.screen, Note), "an empty one is not sent"
        await pilot.press(*"soft no?", "enter")
        await settle(pilot)
        assert place(app) == 1
        assert "The lead will see it" in screen_text(app)
    assert [r.note for r in store(path).raising.open("curator")] == ["soft no?"]


async def test_swapped_sides_leave_the_desk_where_the_rules_fail_and_come_back_by_undo(make: Make) -> None:
    path = make(2)
    app = app_on(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("k", "x", "S")
        await settle(pilot)
        assert "Are the sides swapped?" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert place(app) == 2
        assert app.project is not None
        assert app.project.dialogues.find("c1").code == "ends_with_self"
        assert app.project.screening.progress("bo").assigned == 1
        await pilot.press("u")
        await asyncio.sleep(0.15)
        await settle(pilot)
        assert place(app) == 1
        assert "Answer: keep · Rejection" in screen_text(app), "the draft is as it was"


async def test_a_dialect_one_cannot_read_goes_away_and_comes_back_by_undo(make: Make) -> None:
    path = make(2)
    with Project.open(path) as project:
        for name in ("cai", "dan"):
            project.people.add(name, "annotator", "curator")
            project.people.set_reads(name, ["wu"], "curator")
        project.people.pair("cai", "dan", "curator")
    app = app_on(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("D")
        await settle(pilot)
        assert "Which dialect?" in screen_text(app)
        await pilot.press(next(line.split()[1] for line in screen_text(app).splitlines() if "Wu" in line))
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert app.project is not None
        progress = app.project.screening.progress
        assert [progress(n).assigned for n in ("ann", "bo", "cai", "dan")] == [1, 1, 1, 1]
        await pilot.press("u")
        await asyncio.sleep(0.15)
        await settle(pilot)
        assert place(app) == 1
        assert [progress(n).assigned for n in ("ann", "bo", "cai", "dan")] == [2, 2, 0, 0]


async def test_what_is_masked_is_shown_by_a_key_until_the_dialogue_is_left_and_logged(
    make: Make, tmp_path: Path
) -> None:
    path = make(2)
    with Project.open(path) as project:
        texts = ("你好呀", "在吗", "我的手机13812345678", "记下了", "好", "那下次见")
        project.dialogues.take([chat(90, texts)], Source("more"), "curator")
        project.dialogues.apply_rules("curator")
        project.screening.assign("curator")
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("full_stop")
        assert "Nothing is masked here" in screen_text(app)
        await pilot.press("j", "3", "enter")
        await settle(pilot)
        assert "13812345678" not in screen_text(app)
        await pilot.press("full_stop")
        await settle(pilot)
        assert "13812345678" in screen_text(app)
        assert app.project is not None
        assert [line.kind for line in app.project.history.lines("ann", "c90")][-1] == "revealed"
        await pilot.press("left", "right")
        await settle(pilot)
        assert "13812345678" not in screen_text(app)


async def test_a_project_that_masks_nothing_shows_all(make: Make) -> None:
    path = make(1)
    with Project.open(path) as project:
        texts = ("你好呀", "在吗", "我的手机13812345678", "记下了", "好", "那下次见")
        project.dialogues.take([chat(90, texts)], Source("more"), "curator")
        project.dialogues.apply_rules("curator")
        project.screening.assign("curator")
        project.change_settings("curator", mask=False)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("right")
        await settle(pilot)
        assert "13812345678" in screen_text(app)


async def test_last_words_come_by_one_key_newest_first_and_never_by_themselves(make: Make) -> None:
    app = app_on(make())
    async with app.run_test() as pilot:
        await settle(pilot)
        for words in ("first", "second"):
            await pilot.press("k", "x", "r", *words, "escape", "enter")
            await settle(pilot)
        await pilot.press("k", "x")
        assert screening(app).box.written == "", "nothing is filled in before a key asks for it"
        await pilot.press("semicolon")
        assert screening(app).box.written == "second"
        await pilot.press("semicolon")
        assert screening(app).box.written == "first"
        await pilot.press("semicolon")
        assert screening(app).box.written == guidelines().phrases("rejection", "en")[0]
        await pilot.press("r", "!", "escape", "semicolon")
        assert screening(app).box.written.endswith("!second")
        await pilot.press("colon")
        await settle(pilot)
        assert "1  second" in screen_text(app)
        await pilot.press("2")
        await settle(pilot)
        assert screening(app).box.written.endswith("!secondfirst")


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_the_guideline_opens_at_the_label_and_closes_at_the_same_place(make: Make, lang: str) -> None:
    app = app_on(make(), lang=lang)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("right", "x", "v")
        await settle(pilot)
        text = screen_text(app)
        assert ("or Euphemism?" if lang == "en" else "还是“委婉”？") in text
        await pilot.press("escape")
        await settle(pilot)
        assert place(app) == 2
        assert screening(app).desk.situation == "rejection"


async def test_time_is_kept_with_the_decision_and_over_leaving(make: Make, store: Open) -> None:
    path = make()
    app = app_on(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        clock = [100.0]
        screening(app).stopwatch = Stopwatch(lambda: clock[0])
        clock[0] += 5
        await pilot.press("k")
        clock[0] += IDLE_AFTER + 30
        await pilot.press("x")
        await pilot.press("right")
        await settle(pilot)
        await pilot.press("left")
        await settle(pilot)
        clock[0] += 2
        await pilot.press("enter")
        await settle(pilot)
    event = next(e for e in store(path).log.events() if e.kind == "screened")
    assert (event.body["active"], event.body["idle"]) == (5000 + int(IDLE_AFTER * 1000) + 2000, 30000)
    assert event.body["characters"] > 0


@pytest.mark.parametrize("key", ["X", "M", "S", "D", "G"])
async def test_held_and_pasted_keys_at_the_item_move_one_dialogue_at_most(make: Make, key: str) -> None:
    app = app_on(make(), pace=0.25)
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("k")
        for character in [key, "\n"] * 8:
            app.post_message(events.Key("enter" if character == "\n" else character, character))
        await asyncio.sleep(0.1)
        for _n in range(10):
            app.post_message(events.Key(key, key))
            await asyncio.sleep(0.033)
        for _n in range(10):
            app.post_message(events.Key("enter", "\r"))
            await asyncio.sleep(0.033)
        await settle(pilot)
        assert app.project is not None
        kinds = [e.kind for e in app.project.log.events()]
        assert sum(kind in ("raised", "swapped", "handed_back", "screened") for kind in kinds) <= 1
