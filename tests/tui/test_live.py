"""Live agreement: on the lead's screen, and beside an annotator's sheet as far as the project lets them see it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from curation.work.scoring import SCORES
from db.project import Project
from screens import live
from tests.tui.conftest import screen_text, settle, until
from tests.tui.scored import ANNOTATORS, SYSTEMS, scoring_project
from workbench.app import WorkbenchApp


def close_some(path: Path, person: str, count: int) -> None:
    """Close the first items of someone's list, with scores that depend on the item and a little on the person."""
    with Project.open(path) as project:
        scoring = project.scoring
        for place in range(1, count + 1):
            task = scoring.task(person, place)
            while task is not None and not task.closed and task.place == place:
                draw = random.Random(f"{task.messages[0].text}{sorted(task.replies)}")
                for name in task.dimensions:
                    score = draw.choice(SCORES)
                    task = scoring.score(person, task.code, name, 5 if person == "cy" and name == "cause" else score)
                if "better" in task.marks.missing:
                    task = scoring.better(person, task.code, "1")
                task = scoring.close(person, task.code)


@pytest.mark.usefixtures("soon")
async def test_the_lead_s_screen_follows_what_others_close(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "INTERVALS_AFTER", 0.5)
    path = scoring_project(tmp_path / "p.wb", 6)
    for person in ANNOTATORS[:2]:
        close_some(path, person, 12)
    app = WorkbenchApp(path, "curator", "en", "live", pace=0.0, keymap={})
    async with app.run_test(size=(80, 24)) as pilot:
        text = await until(app, pilot, "n 12")
        assert "closed 24 of 36" in text
        for name in ("Motivation", "Strategy", "Reply (thought)", "Reply (direct)", "AC1"):
            await until(app, pilot, name)  # figures come as they are ready, line by line
        close_some(path, "cy", 12)
        text = await until(app, pilot, "closed 36 of 36")
        text = await until(app, pilot, "Would raise it: Cause")
        assert "Without cy" in text
        assert not any(name in text for name in SYSTEMS)
        await pilot.press("x")
        await settle(pilot)
        assert "n = 12 replies, 36 scores" in screen_text(app)


async def test_an_annotator_sees_nothing_of_items_they_could_still_take_back(tmp_path: Path) -> None:
    path = scoring_project(tmp_path / "p.wb", 6, show_agreement=True)
    for person in ANNOTATORS:
        close_some(path, person, 11)
    app = WorkbenchApp(path, "ann", "en", "scoring", pace=0.0, keymap={})
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("a")
        text = await until(app, pilot, "Agreement of 0 replies")
        assert "nothing closed by two people yet" in text
        assert "thought" not in text


async def test_the_panel_of_an_annotator_moves_as_items_are_closed(tmp_path: Path) -> None:
    path = scoring_project(tmp_path / "p.wb", 14, show_agreement=True)
    for person in ANNOTATORS:
        close_some(path, person, 26)
    app = WorkbenchApp(path, "ann", "en", "scoring", pace=0.0, keymap={})
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("a")
        before = await until(app, pilot, "closed 26 of 28")
        await pilot.press(*"23", "enter")
        await settle(pilot)
        await pilot.press(*"12321", "enter")
        after = await until(app, pilot, "closed 27 of 28")
        assert "Motivation" in before
        assert "Reply " in after
