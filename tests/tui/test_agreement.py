"""The lead's view of screening: looks, the matrix to walk into, and what others may see of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from curation.work import Answer
from db.project import Project
from screens.agreement import AgreementScreen
from tests.tui.conftest import screen_text, until
from workbench.app import WorkbenchApp

SAID = [("irony", "irony"), ("irony", "hint"), ("irony", "hint"), ("", "hint"), ("", ""), ("humor", "humor")]


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("screens.agreement.RESAMPLES", 50)


@pytest.fixture
def path(make: Callable[..., Path]) -> Path:
    made = make(8, hostile=True)
    with Project.open(made) as project:
        for n, labels in enumerate(SAID, 1):
            uid = project.dialogues.find(f"c{n}").uid
            for person, label in zip(("ann", "bo"), labels, strict=True):
                project.screening.decide(person, uid, Answer(bool(label), label, f"{person}的[/理由{n}"))
    return made


def run(
    path: Path,
    steps: Callable[[WorkbenchApp, Pilot[None]], object],
    person: str = "curator",
    size: tuple[int, int] = (80, 24),
) -> None:
    async def go() -> None:
        app = WorkbenchApp(path, person, "en", "home")
        async with app.run_test(size=size) as pilot:
            await pilot.press("a")
            await computed(pilot)
            await steps(app, pilot)  # type: ignore[misc]

    asyncio.run(go())


async def computed(pilot: Pilot[None]) -> None:
    for _ in range(200):
        screen = pilot.app.screen
        if isinstance(screen, AgreementScreen) and screen.computed is not None and not screen._busy:
            break
        await pilot.pause(0.02)
    await pilot.pause()


def test_every_look_fits_and_says_something(path: Path) -> None:
    async def steps(app: WorkbenchApp, pilot: Pilot[None]) -> None:
        for key in "1234567":
            await pilot.press(key)
            await pilot.pause()
            lines = screen_text(app).split("\n")
            assert len(lines) == 24
            assert sum(bool(line.strip()) for line in lines[2:-2]) >= 2, key
        await pilot.press("1")
        await pilot.pause()
        assert "ann+bo: 6 answered by both" in screen_text(app)
        assert "6 answered by both, 0 by one" in screen_text(app)

    run(path, steps)


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
def test_a_cell_opens_its_dialogues_and_then_the_dialogue_with_both_answers(path: Path, size: tuple[int, int]) -> None:
    async def steps(app: WorkbenchApp, pilot: Pilot[None]) -> None:
        await pilot.press("3", "down", "right", "right", "right")
        await pilot.pause()
        assert "[2]" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        text = screen_text(app)
        assert "c2" in text
        assert "c3" in text
        assert "c1" not in text
        await pilot.press("enter")
        await pilot.pause(0.1)
        text = screen_text(app)
        assert "第2段" in text
        assert "A ann: keep · Irony/Sarcasm" in text
        assert "B bo: keep · Hint" in text
        assert "bo的[/理由2" in text
        await pilot.press("right")
        await pilot.pause(0.1)
        assert "bo的[/理由3" in screen_text(app)
        await pilot.press("q", "q")
        await pilot.pause()
        assert "[2]" in screen_text(app)  # the cursor is where it was

    run(path, steps, size=size)


def test_an_empty_cell_says_so(path: Path) -> None:
    async def steps(app: WorkbenchApp, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter")
        await pilot.pause()
        assert "the cell is empty" in screen_text(app)

    run(path, steps)


@pytest.mark.usefixtures("soon")
def test_a_decision_made_elsewhere_is_seen_without_a_key(path: Path) -> None:
    async def steps(app: WorkbenchApp, pilot: Pilot[None]) -> None:
        with Project.open(path) as project:
            uid = project.dialogues.find("c7").uid
            for person in ("ann", "bo"):
                project.screening.decide(person, uid, Answer(False))
        await until(app, pilot, "7 answered by both")

    run(path, steps)


def test_the_figures_of_the_screen_are_those_of_the_command(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from curation.statistics.figures import RESAMPLES

    monkeypatch.setattr("screens.agreement.RESAMPLES", RESAMPLES)
    shown: list[bool] = []
    found = AgreementScreen.on_agreement_screen_found

    def seen(screen: AgreementScreen, message: AgreementScreen.Found) -> None:
        found(screen, message)
        if screen.computed is not None:
            shown.append(screen.computed.figures.overall.keep.figures["cohen_kappa"].low is not None)
            assert ("computing" in screen.line("told").words) == (not screen.computed.whole), (
                "what is not whole says so"
            )

    monkeypatch.setattr(AgreementScreen, "on_agreement_screen_found", seen)

    async def steps(app: WorkbenchApp, pilot: Pilot[None]) -> None:
        screen = app.screen
        assert isinstance(screen, AgreementScreen)
        assert screen.computed is not None
        with Project.open(path) as project:
            assert screen.computed.figures == project.agreement.screening("curator")

    run(path, steps)
    assert shown == [False, True], "a quick answer first, then the whole one"


def test_an_annotator_sees_their_own_pace_and_no_figure(path: Path) -> None:
    async def steps(app: WorkbenchApp, pilot: Pilot[None]) -> None:
        await pilot.press("3", "enter", "5", "6")
        await pilot.pause()
        text = screen_text(app)
        assert "own pace" in " ".join(text.split())
        assert "Irony" not in text
        assert "ann+bo" not in text

    run(path, steps, person="ann")


def test_hostile_text_is_shown_as_it_is(path: Path) -> None:
    async def steps(app: WorkbenchApp, pilot: Pilot[None]) -> None:
        await pilot.press("3", "down", "right", "enter", "enter")
        await pilot.pause(0.1)
        text = screen_text(app)
        assert "笑死[doge]" in text
        assert "\x1b" not in text
        assert "ann的[/理由1" in text

    run(path, steps)
