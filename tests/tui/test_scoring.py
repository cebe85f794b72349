"""The scoring screen, by keyboard alone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from curation.work.scoring import PROCESS, ScoreTask
from db.project import Project
from screens.scoring import ScoringScreen
from screens.widgets.dialogue import DialogueView
from tests.tui.conftest import screen_text, settle, type_in
from tests.tui.scored import SYSTEMS, scoring_project
from workbench.app import WorkbenchApp

Open = Callable[[Path], Project]
Press = Callable[..., Awaitable[str]]


def scoring_app(path: Path, person: str = "ann", lang: str = "en", pace: float = 0.0) -> WorkbenchApp:
    return WorkbenchApp(path, person, lang, "scoring", pace=pace, keymap={})


def screen_of(app: WorkbenchApp) -> ScoringScreen:
    screen = app.screen
    assert isinstance(screen, ScoringScreen)
    return screen


def task_of(app: WorkbenchApp) -> ScoreTask:
    task = screen_of(app).desk.task
    assert task is not None
    return task


def keys_of(app: WorkbenchApp, pilot: Pilot[None]) -> Press:
    """Presses keys as quickly as a person does; gives what is on the screen then."""

    async def press(*keys: str) -> str:
        before = ""
        for key in keys:
            if key == before:
                await asyncio.sleep(0.065)
            await pilot.press(key)
            before = key
        await settle(pilot)
        return screen_text(app)

    return press


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return scoring_project(tmp_path / "p.wb", 2)


@pytest.mark.parametrize(("size", "lang"), [((80, 24), "zh"), ((120, 40), "en")])
async def test_a_whole_list_is_scored_with_nine_keys_an_item(
    tmp_path: Path, store: Open, size: tuple[int, int], lang: str
) -> None:
    path = scoring_project(tmp_path / "p.wb", 1)
    app = scoring_app(path, lang=lang)
    async with app.run_test(size=size) as pilot:
        press = keys_of(app, pilot)
        for place in range(1, 3):
            assert task_of(app).place == place
            text = await press("2", "3", "enter")
            assert task_of(app).step == "process"
            text = await press("1", "2", "3", "2", "1", "enter")
        assert ("All 2 assigned" if lang == "en" else "分给你的 2 个都已完成") in text
    scoring = store(path).scoring
    assert scoring.progress("ann").closed == 2
    task = scoring.task("ann", 1)
    assert task is not None
    wanted = dict(zip((*PROCESS, "reply_1", "reply_2"), (0, 5, 10, 5, 0, 5, 10), strict=True))
    assert dict(task.marks.scores) == dict(task.marks.counted) == wanted


async def test_the_same_key_gives_the_same_score_on_every_line(path: Path) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        for key, score in (("1", 0), ("2", 5), ("3", 10)):
            await press("tab")  # from wherever one is to another line
            line = screen_of(app).desk.current
            if line in ("better", "guess"):
                await press("tab")
                line = screen_of(app).desk.current
            await press(key)
            assert task_of(app).marks.scores[line] == score


async def test_full_width_digits_score_and_a_chinese_character_does_not(path: Path) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        type_in(app, "３")
        await settle(pilot)
        assert dict(task_of(app).marks.scores) == {"reply_1": 10}
        type_in(app, "好")
        await settle(pilot)
        assert "Chinese input is on" in screen_text(app)
        assert dict(task_of(app).marks.scores) == {"reply_1": 10}


async def test_enter_says_what_is_missing_and_closes_nothing(path: Path) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        assert "Still missing: Reply 1, Reply 2" in await press("enter")
        await press("2", "1", "enter", "2", "3")
        assert "Still missing: Emotion, Intention, Strategy" in await press("enter")
        assert (task_of(app).place, task_of(app).step) == (1, "process")


async def test_equal_scores_demand_the_better_one(path: Path, store: Open) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        text = await press("2", "2")
        assert "Better one: 4 Reply 1, 6 Reply 2" in text
        assert "Still missing: Better one" in await press("enter")
        await press("1")
        assert dict(task_of(app).marks.scores) == {"reply_1": 5, "reply_2": 5}
        await press("6", "enter")
        assert task_of(app).step == "process"
        assert task_of(app).marks.better == "2"


async def test_a_better_one_that_the_scores_contradict_is_refused_in_a_line(path: Path) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        assert "score both replies first" in await press("4")
        assert "the lower score cannot be the better one" in await press("1", "3", "4")
        assert isinstance(app.screen, ScoringScreen)
        assert "NOT SAVED" not in screen_text(app)


async def test_replies_of_the_same_text_need_no_better_one(tmp_path: Path) -> None:
    app = scoring_app(scoring_project(tmp_path / "p.wb", 3, same=True))
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        while not task_of(app).same_text:
            await press("right")
        assert "Better one" not in screen_text(app)
        await press("2", "2", "enter")
        assert task_of(app).step == "process"


async def test_the_process_is_not_shown_before_the_replies_are_closed(path: Path) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        assert "她想被看重" not in await press("2", "3")
        assert "她想被看重" in await press("enter")


async def test_on_the_single_sheet_all_lines_are_scored_at_once(tmp_path: Path) -> None:
    app = scoring_app(scoring_project(tmp_path / "p.wb", 1, scoring_mode="sheet"))
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        assert "她想被看重" in screen_text(app)
        await press("1", "2", "3", "1", "2", "3", "2", "enter")
        assert task_of(app).place == 2


async def test_a_guess_is_asked_where_the_project_wants_one(tmp_path: Path) -> None:
    app = scoring_app(scoring_project(tmp_path / "p.wb", 1, guess=True))
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        assert "Thought first?: 4 Reply 1, 6 Reply 2" in await press("2", "3")
        assert "(thought first)" in await press("4")
        await press("enter")
        assert task_of(app).marks.guess == "1"
        assert task_of(app).step == "process"


async def test_a_reply_of_an_ablation_is_scored_alone(tmp_path: Path) -> None:
    app = scoring_app(scoring_project(tmp_path / "p.wb", 1, ablation=True))
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        while task_of(app).step != "ablation":
            await press("right")
        code = task_of(app).code
        await press("3", "enter")
        assert task_of(app).code != code
    with Project.open(app_path(tmp_path)) as project:
        assert project.scoring.progress("ann").closed == 1


def app_path(folder: Path) -> Path:
    return folder / "p.wb"


# -- 0 is a score, empty is none


async def test_nought_and_nothing_look_different(path: Path) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        text = await press("1")
        assert "[ 0] Reply 1" in text
        assert "[__] Reply 2" in text


# -- held keys, bursts, pastes


async def test_a_held_score_key_never_reaches_another_item(path: Path) -> None:
    app = scoring_app(path, pace=0.25)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        await press("2", "3", "enter")
        await asyncio.sleep(0.3)
        for _ in range(30):
            app.post_message(events.Key("2", "2"))
            await asyncio.sleep(0.03)
        await settle(pilot)
        scores = task_of(app).marks.scores
        assert task_of(app).place == 1
        assert sum(name in scores for name in PROCESS) == 1


async def test_a_held_enter_closes_one_step(path: Path, store: Open) -> None:
    app = scoring_app(path, pace=0.25)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        await press("2", "3")
        for _ in range(30):
            app.post_message(events.Key("enter", "\r"))
            await asyncio.sleep(0.03)
        await settle(pilot)
        assert (task_of(app).place, task_of(app).step) == (1, "process")
    assert store(path).scoring.progress("ann").closed == 0


async def test_a_burst_or_a_paste_scores_no_item(path: Path, store: Open) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        for character in "23\r12321\r23\r12321\r23\r12321\r":
            app.post_message(events.Key("enter" if character == "\r" else character, character))
        await settle(pilot)
        app.post_message(events.Paste("1\n2\n3\n1\n2\n3\n"))
        await settle(pilot)
        assert "Pasted text was ignored" in screen_text(app)
    assert store(path).scoring.progress("ann").closed <= 1


# -- taking back, looking back


async def test_undo_takes_keys_back_one_by_one_across_items_and_after_a_restart(path: Path) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        await press("2", "3", "enter", "1", "2", "3", "2", "1", "enter")
        assert task_of(app).place == 2
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        assert task_of(app).place == 2
        text = await press("u")
        assert "Taken back, in no. 1" in text
        assert (task_of(app).place, task_of(app).step) == (1, "process")
        assert task_of(app).marks.missing == ()
        await press("u")
        await asyncio.sleep(0.12)
        await settle(pilot)
        assert task_of(app).marks.missing == ("strategy",)


async def test_what_the_process_showed_is_not_taken_back_and_it_is_said(path: Path) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        await press("2", "3", "enter")
        assert "the process has been shown" in await press("u")


async def test_past_scores_are_listed_and_a_change_is_kept_and_not_counted(path: Path, store: Open) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        await press("2", "3", "enter", "1", "2", "3", "2", "1", "enter")
        text = await press("l")
        assert "no. 1" in text
        assert "replies 5 10 · thinking 0 5 10 5 0" in text
        text = await press("enter")
        assert "Closed. Tab chooses a line" in text
        assert "Every line has its score" in await press("3")
        text = await press("tab", "3")
        assert "not counted" in text
        assert "was 0" in text
        await press("n")
        assert task_of(app).place == 2
    task = store(path).scoring.task("ann", 1)
    assert task is not None
    assert (task.marks.scores["motivation"], task.marks.counted["motivation"]) == (10, 0)


# -- note, flag, skip


async def test_a_note_is_kept_at_every_key_and_keys_in_it_score_nothing(path: Path, store: Open) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        await press("r", *"1u3")
        type_in(app, "两条都怪")
        await settle(pilot)
        code = task_of(app).code
    again = store(path).scoring.task("ann", 1)
    assert again is not None
    assert (again.code, again.marks.draft, dict(again.marks.scores)) == (code, "1u3两条都怪", {})
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        text = await press("r")
        assert "1u3两条都怪" in text
        text = await press("escape", "2")
        assert "note" in text
        assert task_of(app).marks.note == "1u3两条都怪"
        assert dict(task_of(app).marks.scores) == {"reply_1": 5}


async def test_flag_and_skip(path: Path, store: Open) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        assert "flagged" in await press("f")
        assert "flagged" not in await press("f")
        text = await press("s")
        assert "Why put it off?" in text
        await press("4")
        assert task_of(app).place == 2
        assert "1 put off" in screen_text(app)
    task = store(path).scoring.task("ann", 1)
    assert task is not None
    assert task.marks.skipped == "later"


# -- resuming, reading on


async def test_one_comes_back_to_the_same_item_and_the_same_line(path: Path) -> None:
    app = scoring_app(path)
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        await press("2", "3", "enter", "1", "2")
        before = (task_of(app).code, task_of(app).step, screen_of(app).desk.current)
        assert before[2] == "emotion"
    app = scoring_app(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        assert (task_of(app).code, task_of(app).step, screen_of(app).desk.current) == before


async def test_the_next_system_on_the_same_dialogue_keeps_the_reading_position(tmp_path: Path) -> None:
    app = scoring_app(scoring_project(tmp_path / "p.wb", 2, turns=40))
    async with app.run_test(size=(80, 24)) as pilot:
        press = keys_of(app, pilot)
        text = await press("end")
        view = screen_of(app).query_one("#dialogue", DialogueView)
        at = view.scroll_offset.y
        assert at > 0
        assert "第40句" in text
        text = await press("2", "3", "enter", "1", "2", "3", "2", "1", "enter")
        assert task_of(app).place == 2
        assert "SAME DIALOGUE" in text
        assert "第40句" in text
        await press("2", "3", "enter", "1", "2", "3", "2", "1", "enter")
        assert not task_of(app).read_before
        assert view.scroll_offset.y == 0
        assert "SAME DIALOGUE" not in screen_text(app)


async def test_the_overview_leads_to_what_waits_to_be_scored(path: Path) -> None:
    app = WorkbenchApp(path, "cy", "en", "home", pace=0.0, keymap={})
    async with app.run_test() as pilot:
        press = keys_of(app, pilot)
        assert "4 pairs of replies are waiting for your scores, cy" in screen_text(app)
        await press("enter")
        assert task_of(app).place == 1
        assert "0 of 4 closed" in await press("q", "d")


# -- the layout


@pytest.mark.parametrize(("width", "beside"), [(109, False), (110, True)])
async def test_replies_stand_side_by_side_from_110_columns(path: Path, width: int, beside: bool) -> None:
    app = scoring_app(path)
    async with app.run_test(size=(width, 30)) as pilot:
        await settle(pilot)
        line = next(row for row in screen_text(app).splitlines() if "Reply 1" in row)
        assert ("Reply 2" in line) is beside


@pytest.mark.parametrize(("size", "lang"), [((80, 24), "zh"), ((120, 40), "en"), ((60, 18), "en")])
async def test_the_rubric_of_the_line_and_both_replies_are_in_sight(
    path: Path, size: tuple[int, int], lang: str
) -> None:
    from curation.rubric import rubric

    app = scoring_app(path, lang=lang)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        text = screen_text(app)
        task = task_of(app)
        assert all(reply in text for reply in task.replies)
        for texts in rubric().of("reply").lines.values():
            assert texts[lang][:10] in text


# -- the blind


async def test_no_name_of_a_system_is_anywhere_an_annotator_can_look(path: Path) -> None:
    app = scoring_app(path)
    seen: list[str] = []
    async with app.run_test(size=(120, 40)) as pilot:
        press = keys_of(app, pilot)
        for keys in (
            ("2", "3"),
            ("question_mark",),
            ("escape",),
            ("ctrl+p",),
            *((character,) for character in "Zeph"),
            ("escape",),
            ("v",),
            ("escape",),
            ("enter",),
            ("1", "2", "3", "2", "1", "enter"),
            ("l",),
            ("escape",),
            ("a",),
            ("x",),
            ("escape",),
            ("s",),
            ("escape",),
            ("q",),
        ):
            text = await press(*keys)
            seen += [text, app.title, app.sub_title]
            for widget in app.screen.walk_children():
                seen += [widget.id or "", str(getattr(widget, "tooltip", "")), str(widget.name or "")]
        palette = [command.title for command in app.get_system_commands(app.screen)]
        seen += palette
    everything = "\n".join(seen)
    # Which dialogue comes first is drawn: any of them shows that the screens were read.
    assert re.search("第[0-9]+段第[0-9]句", everything)
    for name in SYSTEMS[:2]:
        assert name not in everything


async def test_agreement_is_not_shown_where_the_project_shows_it_to_the_lead_only(path: Path) -> None:
    app = scoring_app(path)
    async with app.run_test(size=(120, 40)) as pilot:
        press = keys_of(app, pilot)
        await press("a")
        await asyncio.sleep(0.5)
        await settle(pilot)
        text = screen_text(app)
        assert "to its lead only" in text
        assert "α" not in text
