"""Disputes and what was raised, by keyboard alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from curation.stages import Stage
from curation.work import Answer
from db.project import Project
from screens.dispute import DisputeScreen
from tests.tui.conftest import screen_text, settle
from workbench.app import WorkbenchApp

Make = Callable[..., Path]
Open = Callable[[Path], Project]
SIZES = [(80, 24), (120, 40)]


def disputed(path: Path, count: int = 2) -> None:
    with Project.open(path) as project:
        for n in range(1, count + 1):
            for person, situation in (("ann", "irony"), ("bo", "humor")):
                task = project.screening.task(person, n)
                assert task is not None
                project.screening.decide(person, task.stored.uid, Answer(True, situation, f"{person} says so"))


def app_at(path: Path, person: str, start: str = "dispute", lang: str = "en") -> WorkbenchApp:
    return WorkbenchApp(path, person, lang, start, pace=0.0, keymap={})  # type: ignore[arg-type]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_both_sides_are_shown_and_a_second_word_agrees(
    make: Make, store: Open, size: tuple[int, int], lang: str
) -> None:
    path = make(3)
    disputed(path)
    app = WorkbenchApp(path, "bo", lang, "home", pace=0.0, keymap={})
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert ("2 disputes wait" if lang == "en" else "2 段争议等你") in screen_text(app)
        await pilot.press("b")
        await settle(pilot)
        text = screen_text(app)
        assert "ann says so" in text
        assert "bo says so" in text
        await pilot.press("f", "enter")
        await settle(pilot)
        assert ("Say why" if lang == "en" else "请写理由") in screen_text(app), "no second word without a reason"
        await pilot.press("r", *"convinced", "ctrl+j")
        await settle(pilot)
        assert ("Agreed now: c1" if lang == "en" else "现在一致了：c1") in screen_text(app)
    project = store(path)
    assert project.dialogues.find("c1").stage is Stage.AGREED
    first = project.screening.given("bo", project.dialogues.find("c1").uid)
    assert first == Answer(True, "humor", "bo says so"), "the blind answer stays what it was"


@pytest.mark.parametrize("size", SIZES)
async def test_why_it_was_sent_back_stands_beside_what_was_said_and_whole_behind_b(
    make: Make, store: Open, size: tuple[int, int]
) -> None:
    path = make(3)
    with Project.open(path) as project:
        for person in ("ann", "bo"):
            task = project.screening.task(person, 1)
            assert task is not None
            project.screening.decide(person, task.stored.uid, Answer(True, "irony", f"{person} says so"))
        sent = project.dialogues.find("c1").uid
        note = "after the cut nobody can tell. " + "It reads as plain praise now. " * 20 + "That is all."
        project.rewriting.send_back(sent, "curator", note)
    app = app_at(path, "ann")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert "Sent back by curator" in text
        assert "after the cut" in text
        assert "ann says so" in text, "a long note leaves room for both sides"
        assert "bo says so" in text
        assert "That is all." not in text
        await pilot.press("b")
        await settle(pilot)
        assert "That is all." in screen_text(app)


async def test_standing_by_it_leaves_it_to_the_lead_who_rules_and_takes_it_back(make: Make) -> None:
    path = make(3)
    disputed(path, 1)
    app = app_at(path, "ann")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r", *"I stand by it", "ctrl+j")
        await settle(pilot)
        assert "Still disputed: c1" in screen_text(app)
        await pilot.press("d")
        assert "you have decided anew; the lead rules" in screen_text(app)
    app = app_at(path, "curator")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "I stand by it" in screen_text(app)
        await pilot.press("d", "r", *"neither", "escape", "enter")
        await settle(pilot)
        assert app.project is not None
        assert app.project.dialogues.find("c1").stage is Stage.DROPPED
        await pilot.press("u")
        await asyncio.sleep(0.15)
        await settle(pilot)
        assert app.project.dialogues.find("c1").stage is Stage.DISPUTED
        text = screen_text(app)
        assert "your ruling is a draft again" in text
        assert "neither" in text


async def test_in_review_mode_the_second_of_the_two_sees_at_once_where_they_differ(make: Make) -> None:
    path = make(3)
    with Project.open(path) as project:
        project.change_settings("curator", screening_mode="review")
        task = project.screening.task("ann", 1)
        assert task is not None
        project.screening.decide("ann", task.stored.uid, Answer(True, "irony", "ann says so"))
    app = app_at(path, "bo", "screening")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "ann says so" not in screen_text(app)
        await pilot.press("v")
        await settle(pilot)
        await pilot.press("escape", "y", "enter")
        await settle(pilot)
        assert isinstance(app.screen, DisputeScreen)
        assert "ann says so" in screen_text(app)
        await pilot.press("f", "r", *"yes", "ctrl+j")
        await settle(pilot)
        assert "no. 2 of 3" in screen_text(app), "and goes on where they were"


async def test_without_a_dispute_the_screen_says_what_to_press(make: Make) -> None:
    app = app_at(make(2), "ann")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "q goes back." in screen_text(app)
        await pilot.press("k", "enter", "u", "n", "right", "b", "v", "escape", "q")
        await settle(pilot)
        assert "overview" in screen_text(app)


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_the_lead_sees_to_what_was_raised(make: Make, store: Open, lang: str) -> None:
    path = make(3)
    with Project.open(path) as project:
        uids = [project.dialogues.find(f"c{n}").uid for n in (1, 2, 3)]
        project.raising.put("ann", uids[0], "distressing", "ugly")
        project.raising.put("bo", uids[1], "minor", "young")
        project.raising.put("ann", uids[2], "guideline", "soft no?")
    app = WorkbenchApp(path, "curator", lang, "home", pace=0.0, keymap={})
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "f –" in screen_text(app) or "f —" in screen_text(app)
        await pilot.press("f")
        await settle(pilot)
        assert "ugly" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "第1段第1句" in screen_text(app)
        await pilot.press("escape", "b", *"fine", "enter")
        await settle(pilot)
        assert "young" in screen_text(app)
        await pilot.press("d", "enter")
        await settle(pilot)
        await pilot.press("d")
        assert app.project is not None
        assert app.project.raising.waiting() == 1, "a question is answered, not dropped"
        await pilot.press("a", *"Rejection", "enter")
        await settle(pilot)
        assert app.project.raising.waiting() == 0
        await pilot.press("u")
        await asyncio.sleep(0.15)
        await settle(pilot)
        assert app.project.raising.waiting() == 1
    project = store(path)
    assert project.dialogues.find("c2").stage is Stage.DROPPED
    assert project.screening.progress("ann").assigned == 2
    assert project.check() == []
