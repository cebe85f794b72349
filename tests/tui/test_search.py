"""The search screen: writing, filters that stay on and are shown, going from place to place, and reading around one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from curation.model import Dialogue, Message
from curation.work import Answer, Source
from db import index
from db.project import Project
from screens.home import HomeScreen
from screens.places import Place, painted
from screens.search import SearchScreen
from tests.tui.conftest import HOSTILE, chat, screen_text, settle, type_in
from workbench.app import WorkbenchApp

Make = Callable[..., Path]
SIZES = [(80, 24), (120, 40)]


def app_on(path: Path, person: str = "curator", lang: str = "en") -> WorkbenchApp:
    return WorkbenchApp(path, person, lang, keymap={})


def searching(app: WorkbenchApp) -> SearchScreen:
    screen = app.screen
    assert isinstance(screen, SearchScreen)
    return screen


async def begin(app: WorkbenchApp, pilot: Pilot[None]) -> SearchScreen:
    """From the overview to the search."""
    await settle(pilot)
    await pilot.press("slash")
    await settle(pilot)
    return searching(app)


async def done(pilot: Pilot[None]) -> None:
    """Wait until the search has ended and is painted."""
    screen = pilot.app.screen
    assert isinstance(screen, SearchScreen)
    for _ in range(200):
        await settle(pilot)
        if not screen.running:
            break
    assert not screen.running
    await settle(pilot)


async def look_for(app: WorkbenchApp, pilot: Pilot[None], text: str) -> None:
    type_in(app, text)
    await settle(pilot)
    await pilot.press("enter")
    await done(pilot)


@pytest.fixture
def two_scripts(tmp_path: Path) -> Path:
    """Two dialogues, one in each script, with the same words."""
    path = tmp_path / "p.wb"
    lines = ("今天去不去", "我愛你呀", "真的嗎", "當然真的", "那好吧", "我愛你，再說一次我愛你")
    with Project.create(path) as project:
        chats = [chat(1), chat(2), chat(3, lines)]
        project.dialogues.take(chats, Source("chats"), "curator")
        project.dialogues.apply_rules("curator")
        for person in ("ann", "bo"):
            project.people.add(person, "annotator", "curator")
        project.people.pair("ann", "bo", "curator")
        project.screening.assign("curator")
    return path


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_a_text_is_found_opened_and_left(two_scripts: Path, size: tuple[int, int], lang: str) -> None:
    app = app_on(two_scripts, lang=lang)
    async with app.run_test(size=size) as pilot:
        screen = await begin(app, pilot)
        await look_for(app, pilot, "我爱你")
        assert [(p.hit.external_id, p.turn, p.hit.start) for p in screen.places] == [
            ("c3", 2, 0),
            ("c3", 6, 0),
            ("c3", 6, 8),
        ]
        text = screen_text(app)
        assert text.count("»我愛你«") == 3
        assert "> c3" in text
        await pilot.press("n", "enter")
        await settle(pilot)
        text = screen_text(app)
        assert "»我愛你«，再說一次我愛你" in text
        assert screen.reading
        await pilot.press("n")
        await settle(pilot)
        assert "我愛你，再說一次»我愛你«" in screen_text(app)
        await pilot.press("n")
        await settle(pilot)
        assert screen.said
        await pilot.press("N", "N")
        await settle(pilot)
        assert "»我愛你«呀" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert not screen.reading
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)


async def test_the_place_found_is_in_reverse_and_so_without_colour(two_scripts: Path) -> None:
    app = app_on(two_scripts)
    async with app.run_test() as pilot:
        await begin(app, pilot)
        await look_for(app, pilot, "我爱你")

        def reversed_texts() -> list[str]:
            strips = app.screen._compositor.render_strips()
            return [s.text for strip in strips for s in strip if s.style and s.style.reverse and "»" in s.text]

        assert reversed_texts() == ["»我愛你«"] * 3
        await pilot.press("n", "n", "enter")
        await settle(pilot)
        assert reversed_texts() == ["»我愛你«"]
        app.theme = "workbench-mono"
        await settle(pilot)
        assert "»我愛你«" in screen_text(app)


async def test_the_dialogue_opens_at_the_turn_of_the_place(tmp_path: Path) -> None:
    path = tmp_path / "p.wb"
    lines = (*(f"第{n}句话说得很长很长很长" for n in range(1, 80)), "就是这里", "后话", "再后话")
    with Project.create(path) as project:
        project.dialogues.take([chat(1, lines)], Source("chats"), "curator")
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(app, pilot)
        await look_for(app, pilot, "这里")
        assert searching(app).places[0].turn == 80
        await pilot.press("enter")
        await settle(pilot)
        text = screen_text(app)
        assert "就是»这里«" in text
        assert "turn 80" in text
        assert "第1句" not in text


@pytest.mark.parametrize("size", SIZES)
async def test_filters_are_shown_in_words_and_stay_on(make: Make, size: tuple[int, int]) -> None:
    path = make(6)
    with Project.open(path) as project:
        for person in ("ann", "bo"):
            for _ in range(2):
                task = project.screening.next(person, 0)
                assert task is not None
                project.screening.decide(person, task.stored.uid, Answer(True, "irony", "x"))
    app = app_on(path)
    async with app.run_test(size=size) as pilot:
        screen = await begin(app, pilot)
        await look_for(app, pilot, "段第1")
        assert len(screen.places) == 6
        await pilot.press("s")
        await settle(pilot)
        await pilot.press(*["down"] * 6, "enter")
        await done(pilot)
        assert "s:agreed" in screen_text(app)
        assert len(screen.places) == 2
        await pilot.press("i")
        await settle(pilot)
        await pilot.press("3")
        await done(pilot)
        assert "s:agreed" in screen_text(app)
        assert "any situation" not in screen_text(app)
        assert len(screen.places) in (0, 2)
        await pilot.press("slash")
        await settle(pilot)
        assert screen.box.written == "段第1"
        await pilot.press("backspace")
        await look_for(app, pilot, "2")
        assert "s:agreed" in screen_text(app)
        await pilot.press("x")
        await done(pilot)
        assert "any stage" in screen_text(app)
        assert len(screen.places) == 6
        await pilot.press("w")
        await settle(pilot)
        await pilot.press("2")
        await done(pilot)
        assert "assigned to ann" in " ".join(screen_text(app).split())
        await pilot.press("a")
        await settle(pilot)
        await pilot.press(*"20990101", "enter")
        await done(pilot)
        assert "since 2099-01-01" in " ".join(screen_text(app).split())
        assert not screen.places
        assert "Not found" in screen_text(app)
        await pilot.press("b")
        await settle(pilot)
        await pilot.press(*"2099", "enter")
        await settle(pilot)
        assert screen.said
        await pilot.press("l")
        await done(pilot)
        assert "scrubbed text" in screen_text(app)


async def test_who_is_no_curator_sees_masks_and_finds_nothing_in_them(tmp_path: Path) -> None:
    path = tmp_path / "p.wb"
    with Project.create(path) as project:
        lines = ("你好呀", "我电话13812345678哦", "好的", "记下了", "嗯", "再见")
        project.dialogues.take([chat(1, lines)], Source("chats"), "curator")
        project.people.add("ann", "annotator", "curator")
    app = app_on(path, "ann")
    async with app.run_test() as pilot:
        screen = await begin(app, pilot)
        await look_for(app, pilot, "13812")
        assert screen.places == []
        await pilot.press("slash", *["backspace"] * 5)
        await look_for(app, pilot, "电话")
        assert len(screen.places) == 1
        assert "138" not in screen_text(app)
        assert "(masked)" in screen_text(app)
        await pilot.press("l")
        await settle(pilot)
        assert "Only a curator" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "138" not in screen_text(app)
        assert "我»电话«〔" in screen_text(app)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_hostile_text_is_shown_as_it_is_and_found(tmp_path: Path, size: tuple[int, int], lang: str) -> None:
    path = tmp_path / "p.wb"
    with Project.create(path) as project:
        messages = tuple(Message("我" if n % 2 else "[/ \x1b[2J", text) for n, text in enumerate(HOSTILE))
        project.dialogues.take([Dialogue("[/ id\x1b[31m»", messages, "我")], Source("[/"), "curator")
    app = app_on(path, lang=lang)
    async with app.run_test(size=size) as pilot:
        screen = await begin(app, pilot)
        for wanted, seen in (
            ("[/", "»[/«"),
            ("[doge]", "笑死»[doge]«"),
            ("\u202e反", "»‹U+202E›反«"),
            ("%", ""),
            ("_", ""),
        ):
            screen.box.put(wanted)
            await settle(pilot)
            await pilot.press("enter")
            await done(pilot)
            assert seen in screen_text(app)
            assert bool(screen.places) == bool(seen)
            await pilot.press("enter")
            await settle(pilot)
            assert not {"\x1b", "\x9b", "\u202e"} & set(screen_text(app).replace("\n", ""))
            await pilot.press("escape", "slash")
            await settle(pilot)


async def test_keys_of_full_width_work_and_so_do_text_and_escape_in_the_box(two_scripts: Path) -> None:
    app = app_on(two_scripts)
    async with app.run_test() as pilot:
        await settle(pilot)
        type_in(app, "／")
        await settle(pilot)
        screen = searching(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "Write what to look for" in screen_text(app)
        await look_for(app, pilot, "我爱你")
        type_in(app, "ｎ")
        await settle(pilot)
        assert screen.table.cursor == 1
        type_in(app, "／")
        await settle(pilot)
        type_in(app, "ｎ")
        await settle(pilot)
        assert screen.box.written == "我爱你ｎ"
        await pilot.press("escape")
        await settle(pilot)
        assert screen.table.cursor == 1
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)


async def test_escape_before_anything_was_looked_for_goes_back(two_scripts: Path) -> None:
    app = app_on(two_scripts)
    async with app.run_test() as pilot:
        await begin(app, pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)


async def test_the_index_is_made_while_the_screen_is_open(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index.Index.build, "__defaults__", (1,))
    path = make(3)
    app = app_on(path)
    async with app.run_test() as pilot:
        await begin(app, pilot)
        for _ in range(100):
            await asyncio.sleep(0.02)
            with Project.open(path) as project:
                if project.search.index.covered():
                    break
    with Project.open(path) as project:
        assert project.search.index.covered() == {0: 3}


async def test_the_language_changes_in_place(two_scripts: Path) -> None:
    app = app_on(two_scripts)
    async with app.run_test() as pilot:
        await begin(app, pilot)
        await look_for(app, pilot, "我爱你")
        await pilot.press("enter")
        app.action_next_language()
        await settle(pilot)
        assert "»我愛你«" in screen_text(app)


def test_a_long_message_is_cut_around_the_place() -> None:
    from rich.cells import cell_len

    from curation.stages import Stage
    from db.search import Hit

    text = "很长的前文" * 500 + "这里" + "很长的后文" * 500
    at = text.index("这里")
    pieces = painted(Place(Hit("u", "x" * 40, "s", Stage.CANDIDATE, 0, at, at + 2, text), 7), 76)
    assert ("»这里«", True) in pieces
    assert cell_len("".join(p for p, _ in pieces[:2])) < 76
    assert "…" in pieces[0][0]
