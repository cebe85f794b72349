"""The rationale: what is typed, pasted and saved."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual import events

from curation.work import Answer, Draft
from db.project import Project
from db.screening import Screening
from screens.widgets.rationale import Rationale
from tests.tui.conftest import app_on, place, screen_text, screening, settle, type_in

Make = Callable[..., Path]
Open = Callable[[Path], Project]


async def test_a_paste_into_the_box_keeps_its_lines_and_odd_characters(make: Make, store: Open) -> None:
    path = make()
    app = app_on(path)
    odd = "一\t二\u3000三\u2028四\x0b五\x1b[31m六\u202e七\x85八 \u00a0九"
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("r")
        app.post_message(events.Paste(f"{odd}\r\n第二行\n"))
        await settle(pilot)
        assert screening(app).box.written == f"{odd}\n第二行\n"
        assert "\x1b" not in screen_text(app)
        await pilot.press("escape", "d", "enter")
        await settle(pilot)
    task = store(path).screening.task("ann", 1)
    assert task is not None
    assert task.answer == Answer(False, "", f"{odd}\n第二行\n")


async def test_odd_spaces_are_seen_in_the_box_and_a_wide_one_can_be_typed(make: Make, store: Open) -> None:
    path = make()
    app = app_on(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("r")
        app.post_message(events.Paste("138\u00a01234\u200b56\u202f78\u2800"))
        await settle(pilot)
        assert "138␣1234\ufffd56␣78␣" in screen_text(app)
        type_in(app, "\u3000号")
        await settle(pilot)
        assert screening(app).box.written == "138\u00a01234\u200b56\u202f78\u2800\u3000号"
        await pilot.press("escape")
        await settle(pilot)
    task = store(path).screening.task("ann", 1)
    assert task is not None
    assert task.draft.rationale == "138\u00a01234\u200b56\u202f78\u2800\u3000号"


async def test_text_from_elsewhere_comes_back_from_the_box_as_it_was(make: Make, store: Open) -> None:
    path = make()
    text = "a\r\nb\rc\n\td\x85e"
    with Project.open(path) as project:
        task = project.screening.task("ann", 1)
        assert task is not None
        project.screening.save_draft("ann", task.stored.uid, Draft(None, "", text))
    app = app_on(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        assert screening(app).box.written == text
        await pilot.press("k", "q")
        await settle(pilot)
    again = store(path).screening.task("ann")
    assert again is not None
    assert again.draft == Draft(True, "", text)


async def test_keys_in_the_box_are_text(make: Make) -> None:
    app = app_on(make())
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("r", *"kdusnpjqv12?", "enter", "x")
        await settle(pilot)
        assert screening(app).box.written == "kdusnpjqv12?\nx"
        assert screening(app).desk.keep is None
        assert "writing – Esc leaves the box" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert screening(app).box.written == "kdusnpjqv12?\nx"
        assert not screening(app).box.has_focus


async def test_the_box_is_left_before_the_next_key_counts(make: Make) -> None:
    app = app_on(make())
    async with app.run_test() as pilot:
        await settle(pilot)
        for key in ("r", "a", "b", "escape", "d"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await settle(pilot)
        assert screening(app).box.written == "ab"
        assert screening(app).desk.keep is False


async def test_commit_from_the_box(make: Make, store: Open) -> None:
    path = make()
    app = app_on(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("d", "r", *"why", "ctrl+j")
        await settle(pilot)
        assert place(app) == 2
        assert not screening(app).box.has_focus
    task = store(path).screening.task("ann", 1)
    assert task is not None
    assert task.answer == Answer(False, "", "why")


async def test_every_key_in_the_box_is_saved_and_comes_back(make: Make, store: Open) -> None:
    path = make()
    app = app_on(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("j", "4", "enter")
        await settle(pilot)
        await pilot.press("1", "1", "r", *"half")
        await settle(pilot)
        await asyncio.sleep(0.25)
        # Another window on the same file sees it while this one is still being typed in.
        task = store(path).screening.task("ann")
        assert task is not None
        assert (task.place, task.draft) == (4, Draft(True, "euphemism", "half"))
    app = app_on(path)
    async with app.run_test() as pilot:
        await settle(pilot)
        assert place(app) == 4
        assert screening(app).box.written == "half"
        assert "Answer: keep · Euphemism" in screen_text(app)


async def test_a_failed_save_is_loud_and_keeps_the_text(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_on(make())

    def full(*_args: object) -> None:
        raise OSError("disk full")

    async with app.run_test() as pilot:
        await settle(pilot)
        await pilot.press("d")
        with monkeypatch.context() as patch:
            patch.setattr(Screening, "save_draft", full)
            await pilot.press("r", "x")
            await asyncio.sleep(0.3)  # on a slow disk keys are saved five times a second, not each
            await settle(pilot)
            assert "could not be written" in screen_text(app)
            assert "disk full" not in screen_text(app)
            await pilot.press("escape")
            await settle(pilot)
            assert "NOT SAVED" in screen_text(app)
            assert screening(app).box.written == "x"
        with monkeypatch.context() as patch:
            patch.setattr(Screening, "decide", full)
            await pilot.press("escape", "enter")
            await settle(pilot)
            await pilot.press("escape")
            await settle(pilot)
            assert place(app) == 1
            assert screening(app).box.written == "x"
        await pilot.press("k", "d", "enter")
        await settle(pilot)
        assert place(app) == 2
        assert "NOT SAVED" not in screen_text(app)


async def test_the_rationale_widget_holds_every_character(make: Make) -> None:
    from screens.widgets.rationale import into_box, out_of_box

    every: Any = "".join(chr(c) for c in range(0x2100) if not 0xD800 <= c < 0xE000)
    assert out_of_box(into_box(every)) == every
    assert len(into_box(every).splitlines()) == every.count("\n") + 1
    assert isinstance(Rationale("box"), Rationale)
