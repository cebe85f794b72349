"""The review of identifiers, by keyboard alone."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from curation.settings import Settings
from curation.stages import Stage
from db.project import Project
from screens.page import Choice
from screens.review import ReviewScreen
from screens.reviewpage import Caret
from tests.tui.conftest import agreed, screen_text, settle, type_in
from workbench.app import WorkbenchApp

FIRST = (
    "在吗",
    "你说",
    "电话13812345678和139 8765 4321",
    "我叫王小明 等下再说一声吧",
    "我的QQ是12345678",
    "行，王小明",
)
SECOND = ("吃饭没", "没呢哥", "那出来吧，打138-1234-5678", "不去，下雨了啊烦", "那就叫王小明去呗，他有空", "算了")
QUIET = ("今天好冷啊", "是啊冷死我了", "多穿一点吧", "穿了三件还是冷", "那就别出门了", "好吧听你的")
HOSTILE = (
    "[/",
    "[bold]我叫王小明[/bold]",
    "\x1b[2J清屏 电话138\u200b1234\u200b5678",
    "\u202e反过来",
    "👨‍👩‍👧1️⃣",
    "[@click=app.bell]点",
)


def laid(path: Path, *chats: tuple[str, ...], settings: Settings | None = None, scan: bool = True) -> Path:
    """A project with these chats agreed on and looked through."""
    with agreed(path, chats, curators=["lin"], settings=settings) as project:
        for one in project.dialogues.at(Stage.AGREED) if scan else ():
            project.reviews.look(one.uid)
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return laid(tmp_path_factory.mktemp("whole") / "p.wb", FIRST, SECOND, QUIET)


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "p.wb"
    shutil.copy(whole, copy)
    copy.chmod(0o600)
    return copy


def app_on(path: Path, person: str = "curator", lang: str = "en") -> WorkbenchApp:
    return WorkbenchApp(path, person, lang, "review", pace=0.0, keymap={})


def screen(app: WorkbenchApp) -> ReviewScreen:
    assert isinstance(app.screen, ReviewScreen)
    return app.screen


def line(app: WorkbenchApp, name: str) -> str:
    return screen(app).line(name).words


def name(app: WorkbenchApp) -> str:
    page = screen(app).page
    return page.stored.external_id if page else ""


def states(path: Path, dialogue: str = "c1") -> dict[str, str]:
    with Project.open(path) as project:
        page = project.reviews.page(project.dialogues.find(dialogue).uid, "curator")
        return {f.text: f.span.state for f in page.findings}


async def done_beside(app: WorkbenchApp, pilot: Pilot[None]) -> None:
    """Wait for what is done beside the keys."""
    for _n in range(200):
        await pilot.pause()
        if not [w for w in app.workers if w.is_running]:
            break
        await asyncio.sleep(0.02)
    await settle(pilot)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Presses in a row count one by one, as a person's do who takes a moment for each."""
    monkeypatch.setattr("screens.held.HELD", 0.0)
    monkeypatch.setattr("screens.held.REPEATS_WITHIN", 0.0)


# -- what is shown


@pytest.mark.parametrize(("size", "lang"), [((80, 24), "zh"), ((80, 24), "en"), ((120, 40), "zh")])
async def test_the_dialogue_stands_with_its_findings_and_how_it_will_read(
    path: Path, size: tuple[int, int], lang: str
) -> None:
    app = app_on(path, lang=lang)
    async with app.run_test(size=size) as pilot:
        await done_beside(app, pilot)
        text = screen_text(app)
        assert ("{*1phone?13812345678}" in text) == (lang == "en")
        assert "> 电话[电话1]和[电话2]" in text
        assert ("11 digits of a mainland mobile" in text) == (lang == "en")
        assert ("said here: 电话" in text) == (lang == "en")
        assert ("undecided: 5" in text) == (lang == "en")
        assert max(cells(row) for row in text.splitlines()) <= size[0]
        await pilot.press("j")
        assert ("reads 13987654321" in line(app, "finding")) == (lang == "en")


def cells(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


async def test_hostile_text_shows_and_does_nothing(tmp_path: Path) -> None:
    app = app_on(laid(tmp_path / "h.wb", HOSTILE))
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        text = screen_text(app)
        assert "␛[2J" in text
        assert "‹U+200B›" in text
        assert "[/bold]" in text
        assert "\x1b" not in text


async def test_a_dialogue_nobody_looked_through_is_looked_through_beside_the_keys(tmp_path: Path) -> None:
    app = app_on(laid(tmp_path / "n.wb", FIRST, SECOND, scan=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        assert "{*1phone?" in screen_text(app)
        with Project.open(tmp_path / "n.wb") as project:
            assert project.findings.looked_at(project.dialogues.key(project.dialogues.find("c2").uid)), "and the next"


# -- deciding


async def test_accepting_and_rejecting_go_on_to_the_next(path: Path, quick: None) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        await pilot.press("a", "x")
        await settle(pilot)
        assert screen(app).look.here == 3
        assert states(path)["13812345678"] == "accepted"
        assert states(path)["139 8765 4321"] == "rejected"
        assert "> 电话[电话1]和139 8765 4321" in screen_text(app)
        await pilot.press("u")
        await settle(pilot)
        assert states(path)["139 8765 4321"] == "open"
        assert "taken back" in line(app, "told")
        assert screen(app).look.here == 2, "what is open again is in front"


async def test_full_width_keys_decide_too(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        type_in(app, "ａ")
        await settle(pilot)
        assert states(path)["13812345678"] == "accepted"


@pytest.mark.parametrize("keys", ["aaaaaaaa", "axaxaxax"])
async def test_a_held_key_or_a_burst_decides_one_at_most(path: Path, keys: str) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        for key in keys:
            app.post_message(events.Key(key, key))
        await settle(pilot)
        await asyncio.sleep(0.25)
        await settle(pilot)
        assert list(states(path).values()).count("open") >= 3, "of four different values"
        with Project.open(path) as project:
            decided = project.findings.decided(project.dialogues.key(project.dialogues.find("c1").uid))
        assert len(decided) <= 2


async def test_a_finding_gets_another_type(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        await pilot.press("t", "3")
        await settle(pilot)
        assert "{1WeChat+13812345678}" in screen_text(app)


async def test_a_finding_shrinks_and_grows_by_a_sign_and_by_a_run(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        for keys, wanted in (("}", "1381234567"), ("{", "381234567"), ("[", "1381234567"), (">", "13812345678")):
            type_in(app, keys)
            await settle(pilot)
            assert "{*1phone+" + wanted + "}" in screen_text(app), keys
        type_in(app, "<")
        await settle(pilot)
        assert "{*1phone+电话13812345678}" in screen_text(app)


async def test_what_is_not_in_sight_is_looked_at_before_it_is_decided(tmp_path: Path) -> None:
    long = (*(f"{n}说了很多很多的话，怎么也说不完" for n in range(60)), "电话13812345678")
    app = app_on(laid(tmp_path / "l.wb", ("我叫王小明", *long)))
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        await pilot.press("a")
        await settle(pilot)
        await asyncio.sleep(0.2)
        await pilot.press("a")
        await settle(pilot)
        assert states(tmp_path / "l.wb")["13812345678"] == "open"
        assert "Look at it first" in line(app, "told")


async def test_a_span_is_marked_by_keyboard(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        await pilot.press("m")
        screen(app).look.caret = Caret(3, 9)
        await pilot.press("m", "right", "right")
        await settle(pilot)
        assert "|说一|" in screen_text(app)
        await pilot.press("enter", "1")
        await settle(pilot)
        assert "说一" in states(path)
        assert states(path)["说一"] == "accepted"
        assert screen(app).look.caret is None
        await pilot.press("m", "down", "escape")
        await settle(pilot)
        assert screen(app).look.caret is None


async def test_the_caret_goes_from_message_to_message_by_arrows(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        await pilot.press("m", "up", "up", "left", "left")
        caret = screen(app).look.caret
        assert caret is not None
        assert caret.message == 0
        await pilot.press("right", "right", "right", "down")
        caret = screen(app).look.caret
        assert caret is not None
        assert caret.message >= 1
        assert name(app) == "c1", "the arrows do not leave the dialogue"
        await pilot.press("pagedown", "end")
        caret = screen(app).look.caret
        assert caret is not None
        assert (caret.message, caret.at) == (5, len(FIRST[5]))


# -- equal values and lists


async def test_equal_values_are_decided_here_or_everywhere(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        await asyncio.sleep(0.5)
        await done_beside(app, pilot)
        assert "2 in 2 dialogues" in line(app, "more")
        type_in(app, "=")
        await settle(pilot)
        assert "2 in 2 dialogues" in screen_text(app)
        await pilot.press("2")
        await settle(pilot)
        assert states(path, "c2")["138-1234-5678"] == "accepted"
        assert states(path)["139 8765 4321"] == "open"


async def test_a_value_goes_on_the_list_after_a_question(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        await pilot.press("j", "j")
        type_in(app, "-")
        await settle(pilot)
        assert isinstance(app.screen, Choice)
        await pilot.press("1")
        await done_beside(app, pilot)
        assert "王小明?" not in screen_text(app)
        type_in(app, "+")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        with Project.open(path) as project:
            assert project.findings.lists.counts() == {"allow": 1, "deny": 0, "recognisers": 0}


# -- reading and the end


async def test_turns_count_as_read_once_they_stood_before_the_reader(tmp_path: Path) -> None:
    long = tuple(f"{n}说了很多很多的话，怎么也说不完" for n in range(40))
    app = app_on(laid(tmp_path / "l.wb", long))
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        assert screen(app).look.read == set()
        await pilot.press("d")
        await done_beside(app, pilot)
        assert "turns are unread" in line(app, "told")
        await pilot.press("A")
        await settle(pilot)
        assert "turns are unread" in line(app, "told")
        for _n in range(4):
            await pilot.press("enter")
            await settle(pilot)
        await pilot.press("d")
        await done_beside(app, pilot)
        with Project.open(tmp_path / "l.wb") as project:
            assert project.reviews.done(project.dialogues.find("c1").uid)


async def test_nothing_here_rejects_all_that_waits_and_done_goes_on(path: Path, quick: None) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        await pilot.press("0")
        await settle(pilot)
        assert set(states(path).values()) == {"rejected"}
        await pilot.press("d")
        await done_beside(app, pilot)
        assert name(app) == "c2"
        assert "c1: Done" in line(app, "told")
        await pilot.press("u")
        await settle(pilot)
        assert name(app) == "c1", "undo goes where the step was"
        with Project.open(path) as project:
            assert not project.reviews.done(project.dialogues.find("c1").uid)


async def test_all_that_waits_is_accepted_at_one_key(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        await pilot.press("A")
        await settle(pilot)
        assert set(states(path).values()) == {"accepted"}


async def test_the_second_person_signs(path: Path) -> None:
    with Project.open(path) as project:
        project.change_settings("curator", sign_off=True)
        uid = project.dialogues.find("c3").uid
        project.reviews.see(uid, "curator", range(1, 7))
        assert project.reviews.finish(uid, "curator").done
    app = app_on(path, "lin")
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        await pilot.press("right", "right")
        await settle(pilot)
        assert name(app) == "c3"
        assert "a second person signs with s" in line(app, "standing")
        await pilot.press("s")
        await done_beside(app, pilot)
        with Project.open(path) as project:
            assert project.reviews.page(uid, "lin").signed_by == "lin"


async def test_what_the_output_shows_is_let_stand_for_a_reason(path: Path, quick: None) -> None:
    with Project.open(path) as project:
        uid = project.dialogues.find("c3").uid
        project.rewriting.rewrite(uid, "curator", 1, "是啊，我叫王小明", "readable", allow=True)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        await pilot.press("right", "right")
        await done_beside(app, pilot)
        await pilot.press("d")
        await done_beside(app, pilot)
        assert "still shows 王小明" in line(app, "finding")
        await pilot.press("w", "1")
        await settle(pilot)
        assert "a public person" in screen_text(app)
        await pilot.press("d")
        await done_beside(app, pilot)
        with Project.open(path) as project:
            assert project.reviews.done(uid)


async def test_not_releasable_and_back(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        type_in(app, "!")
        await settle(pilot)
        await pilot.press("2")
        await settle(pilot)
        assert "NOT RELEASABLE" in line(app, "standing")
        type_in(app, "！")
        await settle(pilot)
        assert "NOT RELEASABLE" not in line(app, "standing")


async def test_a_reason_written_in_words_is_kept_at_every_key(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await done_beside(app, pilot)
        type_in(app, "!")
        await settle(pilot)
        await pilot.press("6")
        await settle(pilot)
        for character in "认得出":
            app.post_message(events.Key(character, character))
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert "NOT RELEASABLE" not in line(app, "standing")
        type_in(app, "!")
        await settle(pilot)
        await pilot.press("6")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "says curator: 认得出" in line(app, "standing")
