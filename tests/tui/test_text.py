"""The text screen, by keyboard alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from curation.settings import Settings
from curation.stages import Stage
from curation.work import DialectTag
from db.project import Project
from screens.marked import Marks, cells, folded, now, was
from screens.text import TextScreen
from tests.tui.conftest import HOSTILE, agreed, screen_text, settle, type_in
from workbench.app import WorkbenchApp

SIZES = [(80, 24), (120, 40)]
FIRST = ("在嗎１２", "你說ＡＢ", "哈哈哈哈哈哈 xswl", "你在爪子嘛，等哈儿来耍", "這裡\u200b見，莫得问题", "行３")
SECOND = ("佢哋喺度做乜嘢呀", "唔知喎，你返嚟未", "我而家返緊嚟", "咁夜先返", "係啊，塞車囉", "得啦，快啲啦")


def laid(path: Path, *chats: tuple[str, ...], normalised: bool = True, settings: Settings | None = None) -> Path:
    """A project with these chats agreed on, normalised and tagged."""
    with agreed(path, chats, settings=settings) as project:
        if normalised:
            project.quality.normalise("curator")
            project.dialects.tag()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return laid(tmp_path / "p.wb", FIRST, SECOND)


def app_on(path: Path, lang: str = "en", person: str = "curator") -> WorkbenchApp:
    return WorkbenchApp(path, person, lang, pace=0.0, keymap={})


async def begin(pilot: Pilot[None]) -> None:
    await settle(pilot)
    await pilot.press("t")
    await settle(pilot)


def screen(app: WorkbenchApp) -> TextScreen:
    assert isinstance(app.screen, TextScreen)
    return app.screen


def line(app: WorkbenchApp, name: str) -> str:
    return screen(app).line(name).words


def tag(path: Path, name: str) -> DialectTag:
    with Project.open(path) as project:
        return project.dialects.of(project.dialogues.find(name).uid)


def off(app: WorkbenchApp) -> list[str]:
    assert app.project is not None
    return list(app.project.settings.rules_off)


def texts(path: Path, name: str) -> list[str]:
    with Project.open(path) as project:
        return [m.now for m in project.texts.page(project.dialogues.find(name).uid).messages]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_both_texts_are_there_with_their_edits_in_signs_and_words(
    path: Path, size: tuple[int, int], lang: str
) -> None:
    app = app_on(path, lang)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        text = screen_text(app)
        rows = [row for row in text.splitlines() if "{*1:" in row]
        if size[0] >= 110:
            assert "{*1:嗎}{2:１２}" in rows[0]
            assert "{*1:吗}{2:12}" in rows[0], "side by side"
        else:
            assert "{*1:嗎}{2:１２}" in rows[0]
            assert "{*1:吗}{2:12}" in rows[1], "one above the other"
        assert "<在爪子>" in text
        assert "<在爪子> = " in text, "the gloss stands in words"
        assert ("*1 script*  2 width" in text) == (lang == "en")
        assert ("edit 1 of 9" in text) == (lang == "en")
        assert all(cells_of(row) <= size[0] for row in text.splitlines())


def cells_of(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


async def test_from_edit_to_edit_by_key(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        for key, wanted in (("j", 2), ("n", 3), ("k", 2), ("N", 1), ("k", 1)):
            await pilot.press(key)
            assert screen(app).look.here == wanted, key
        assert "first edit" in line(app, "told")
        for _n in range(8):
            await pilot.press("j")
        await settle(pilot)
        text = screen_text(app)
        assert "{*9:３}" in text, "the edit in front is scrolled to"
        assert "9 width: ３ > 3" in text
        await pilot.press("j")
        assert "last edit" in line(app, "told")


async def test_one_edit_is_taken_back_and_given_back(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await pilot.press("j", "x")
        await settle(pilot)
        text = screen_text(app)
        assert "{*2~１２}" in text
        assert "*2 width (taken back)*" in text
        assert "Taken back" in line(app, "told")
        assert texts(path, "c1")[0] == "在吗１２"
        await pilot.press("x")
        assert "does not stand" in line(app, "told")
        await pilot.press("k")
        assert "1 not standing" in line(app, "told")
        await pilot.press("u")
        await settle(pilot)
        assert "Undone" in line(app, "told")
        assert texts(path, "c1")[0] == "在吗12"
        assert app.project is not None
        assert app.project.check() == []


async def test_its_rule_is_taken_back_in_this_dialogue_alone(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(pilot)
        other = texts(path, "c2")
        await pilot.press("X")
        await settle(pilot)
        assert "script is taken back in this dialogue: 4 edits" in line(app, "told")
        assert "1 script (rule taken back)" in screen_text(app)
        assert texts(path, "c1")[0] == "在嗎12"
        assert texts(path, "c2") == other


async def test_its_rule_is_turned_off_for_the_project_after_a_question(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await pilot.press("r")
        await settle(pilot)
        assert "for the whole project?" in screen_text(app)
        await pilot.press("2")
        await settle(pilot)
        await pilot.press("r", "escape")
        await settle(pilot)
        assert off(app) == []
        await pilot.press("r", "1")
        await settle(pilot)
        assert off(app) == ["script"]
        assert "(rule off)" in screen_text(app)
        assert texts(path, "c2")[2] == SECOND[2]
        await pilot.press("u")
        await settle(pilot)
        assert off(app) == []


async def test_undo_goes_to_where_the_step_was(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await pilot.press("x", "right")
        await settle(pilot)
        assert "c2" in line(app, "header")
        assert "2 of 2 agreed" in line(app, "header")
        await pilot.press("u")
        await settle(pilot)
        assert "c1" in line(app, "header")
        await asyncio.sleep(1.2)
        await pilot.press("u")
        await settle(pilot)
        assert "Nothing to undo" in line(app, "told")


async def test_a_held_undo_undoes_one(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await pilot.press("x", "j", "x", "j", "x")
        await settle(pilot)
        for _n in range(12):
            app.post_message(events.Key("u", "u"))
            await asyncio.sleep(0.03)
        await asyncio.sleep(0.2)
        await settle(pilot)
        assert sum(bool(e.why_not) for e in screen(app).edits) == 2


async def test_an_approved_text_is_not_gone_through_and_is_open_again_when_a_step_on_it_is_undone(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await pilot.press("x")
        with Project.open(path) as other:
            for one in other.dialogues.at(Stage.AGREED):
                for f in other.findings.undecided(other.dialogues.key(one.uid)):
                    other.findings.decide(one.uid, "curator", f.message, f.start, f.end, f.type, False)
            assert other.quality.approve("curator", ["c1"]).approved == 1
        await pilot.press("right")
        await settle(pilot)
        assert "1 of 1 agreed" in line(app, "header")
        await pilot.press("left")
        assert "This is the first one" in line(app, "told")
        await pilot.press("u")
        await settle(pilot)
        assert "1 of 2 agreed" in line(app, "header"), "the text is another one than was approved"


async def test_a_step_on_a_text_approved_meanwhile_says_that_it_is_open_again(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        with Project.open(path) as other:
            for one in other.dialogues.at(Stage.AGREED):
                for f in other.findings.undecided(other.dialogues.key(one.uid)):
                    other.findings.decide(one.uid, "curator", f.message, f.start, f.end, f.type, False)
            other.quality.approve("curator")
        await pilot.press("c")
        await settle(pilot)
        assert "approved" in line(app, "header")
        await pilot.press("x")
        await settle(pilot)
        assert "This dialogue is approved." in screen_text(app), "it asks first"
        await pilot.press("2")
        await settle(pilot)
        assert "approved" in line(app, "header")
        await pilot.press("x")
        await settle(pilot)
        await pilot.press("1")
        await settle(pilot)
        assert "It has to be approved again" in line(app, "told")
        assert "1 of 1 agreed" in line(app, "header")


# -- dialects


async def test_a_dialect_is_confirmed_or_changed(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        assert "Southwestern, by its words" in line(app, "dialect")
        await pilot.press("c")
        await settle(pilot)
        assert "Southwestern, said curator" in line(app, "dialect")
        await pilot.press("d")
        await settle(pilot)
        assert "> c 3  Southwestern" in screen_text(app)
        assert "k    Gan" in screen_text(app)
        await pilot.press("k")
        await settle(pilot)
        assert "Gan, said curator; by its words Southwestern" in line(app, "dialect")
        await pilot.press("d", "0")
        await settle(pilot)
        assert tag(path, "c1").tag == "xiang"
        await pilot.press("d", "escape")
        await settle(pilot)
        assert tag(path, "c1").tag == "xiang"
        await pilot.press("u")
        await settle(pilot)
        assert tag(path, "c1").tag == "gan"


async def test_a_dialect_not_looked_for_yet_is_looked_for_beside(tmp_path: Path) -> None:
    path = laid(tmp_path / "n.wb", FIRST, normalised=False)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        assert "not normalised yet: workbench normalize n.wb" in screen_text(app)
        await app.workers.wait_for_complete()
        await settle(pilot)
        assert "Southwestern" in line(app, "dialect")


async def test_the_view_in_mandarin_is_marked_and_kept_nowhere(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(pilot)
        before = texts(path, "c1")
        await pilot.press("g")
        await app.workers.wait_for_complete()
        await settle(pilot)
        text = screen_text(app)
        assert "MANDARIN VIEW, not kept" in text
        assert "[view, not kept] in Mandarin: 你在干什么嘛" in text
        assert texts(path, "c1") == before
        await pilot.press("g")
        await settle(pilot)
        assert "view, not kept" not in screen_text(app)


async def test_notes_on_slang_are_shown_on_demand(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(pilot)
        assert "slang: " not in screen_text(app)
        await pilot.press("s")
        await settle(pilot)
        assert "slang: xswl = " in screen_text(app)
        assert "(abbreviation)" in screen_text(app)


async def test_the_view_can_be_one_text_alone(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await pilot.press("t")
        await settle(pilot)
        assert "{*1:嗎}" in screen_text(app)
        assert "{*1:吗}" not in screen_text(app)
        await pilot.press("t")
        await settle(pilot)
        assert "{*1:嗎}" not in screen_text(app)
        assert "{*1:吗}" in screen_text(app)
        await pilot.press("t")
        await settle(pilot)
        assert screen(app).look.view == "both"


# -- what holds on every screen


async def test_full_width_keys_work_and_hanzi_are_refused(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        type_in(app, "ｊ")
        await settle(pilot)
        assert screen(app).look.here == 2
        type_in(app, "Ｘ")
        await settle(pilot)
        assert "width is taken back in this dialogue" in line(app, "told")
        type_in(app, "撤")
        await settle(pilot)
        assert "Chinese input is on" in line(app, "told")


@pytest.mark.parametrize("size", SIZES)
async def test_hostile_text_is_shown_as_it_is(tmp_path: Path, size: tuple[int, int]) -> None:
    path = laid(tmp_path / "h.wb", tuple(f"{t}１" for t in HOSTILE))
    app = app_on(path)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        seen = screen_text(app)
        await pilot.press("end")
        await settle(pilot)
        seen += screen_text(app)
        for words in ("[/{", "笑死[doge]", "[/cry]哭", "␛", "‹U+202E›", "‹U+200B›", "[b]粗"):
            assert words in seen, words
        for _n in range(len(screen(app).edits)):
            await pilot.press("x", "j")
        await settle(pilot)
        assert "\x1b" not in screen_text(app)
        assert not [e for e in screen(app).edits if not e.why_not]
        await pilot.press("g", "s", "d", "escape")
        await app.workers.wait_for_complete()
        await settle(pilot)
        assert app.project is not None
        assert app.project.check() == []


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_an_empty_screen_says_what_to_press(tmp_path: Path, lang: str) -> None:
    with Project.create(tmp_path / "e.wb"):
        pass
    app = app_on(tmp_path / "e.wb", lang)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        assert ("No dialogue is agreed on yet" in screen_text(app)) == (lang == "en")
        for key in "jkxXrucdgst":
            await pilot.press(key)
        await pilot.press("right", "left", "q")
        await settle(pilot)
        assert not isinstance(app.screen, TextScreen)


async def test_a_text_that_was_not_reviewed_is_the_curators_to_read(tmp_path: Path) -> None:
    path = laid(tmp_path / "m.wb", (*FIRST[:4], "电话13812345678", "行"), PLAIN)
    app = app_on(path, person="ann")
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        assert "not reviewed yet, so only a curator" in screen_text(app)
        await pilot.press("x", "d", "c", "g")
        await settle(pilot)
        assert "13812345678" not in screen_text(app)
        await pilot.press("right")
        await settle(pilot)
        assert "今天吃什么" in screen_text(app)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        assert "在嗎" in screen_text(app).replace("{*1:", "")


PLAIN = ("今天吃什么", "都可以", "那吃面", "行啊", "几点见", "六点吧")


async def test_what_another_window_did_is_shown_when_a_step_is_refused(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        with Project.open(path) as other:
            edit = other.texts.page(other.dialogues.find("c1").uid).edits[0]
            other.texts.take_back(other.dialogues.find("c1").uid, "curator", 0, *edit.anchor)
        await pilot.press("x")
        await settle(pilot)
        assert "no edit stands there" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "{*1~嗎}" in screen_text(app)


async def test_a_new_size_lays_the_texts_out_anew(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert " | as it is" in screen_text(app)
        await pilot.resize_terminal(50, 10)
        await settle(pilot)
        await pilot.press("x")
        assert "too small" in screen_text(app)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert not any(e.why_not for e in screen(app).edits), "a key on a screen that is too small does nothing"


def test_marks_fold_without_losing_anything(path: Path) -> None:
    with Project.open(path) as project:
        page = project.texts.page(project.dialogues.find("c1").uid)
        words = project.dialects.of(page.stored.uid).evidence
    for index, message in enumerate(page.messages):
        edits = list(enumerate(message.edits, 1))
        for row in (
            was(message, Marks(edits, [w for w in words if w.message == index], 1)),
            now(message, Marks(edits, [], 1)),
        ):
            whole = "".join(run.text for run in row)
            for width in (4, 7, 20, 80):
                lines = folded(row, width)
                assert "".join(run.text for line in lines for run in line) == whole
                assert all(cells(line) <= width for line in lines)
