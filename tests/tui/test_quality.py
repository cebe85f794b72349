"""Quality control by keyboard alone: the cut, rewriting, approval, the list."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from curation.settings import Settings
from curation.stages import Stage
from curation.work.quality import Cut, Filter
from db.batch import Batch, Listed
from db.project import Project
from screens.quality import QualityScreen
from screens.qualitylist import QualityListScreen
from tests.tui.conftest import HOSTILE, agreed, screen_text, settle, type_in, until
from workbench.app import WorkbenchApp

SIZES = [(80, 24), (120, 40)]
LONG = tuple(f"第{n}句 {chr(0x5200 + n * 13) * 5}" for n in range(1, 31))
ODD = ("在嗎１２", "你說\u3000\u00a0ＡＢ", "一\u200b二\t三\u2028四❤\ufe0f", "嗯嗯", "這裡見\r\n走", "行３")


def laid(path: Path, *chats: tuple[str, ...], settings: Settings | None = None) -> Path:
    """A project with these chats agreed on, and two curators."""
    with agreed(path, chats, curators=["eve"], settings=settings) as project:
        keys = [project.dialogues.key(s.uid) for s in project.dialogues.at(Stage.AGREED)]
        project.findings.scrub(keys, "curator", 0.0)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return laid(tmp_path / "p.wb", LONG, ODD)


def app_on(path: Path, lang: str = "en", person: str = "curator") -> WorkbenchApp:
    return WorkbenchApp(path, person, lang, pace=0.0, keymap={})


async def begin(pilot: Pilot[None]) -> None:
    await settle(pilot)
    await pilot.press("c")
    await settle(pilot)


async def looked(app: WorkbenchApp, pilot: Pilot[None]) -> None:
    """Wait until it is known what is open."""
    for _ in range(200):
        await pilot.pause()
        if screen(app).page is None or screen(app).page.matters is not None:  # type: ignore[union-attr]
            return
        await asyncio.sleep(0.02)
    raise AssertionError("nobody looked")


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        if key in ("a", "u", "enter"):
            await asyncio.sleep(0.1)  # or the second of two would count as a held key
        await settle(pilot)


def screen(app: WorkbenchApp) -> QualityScreen:
    assert isinstance(app.screen, QualityScreen)
    return app.screen


def line(app: WorkbenchApp, name: str) -> str:
    return app.screen.line(name).words  # type: ignore[attr-defined,no-any-return]


def stage(path: Path, name: str) -> Stage:
    with Project.open(path) as project:
        return project.dialogues.find(name).stage


def final(path: Path, name: str) -> list[str]:
    with Project.open(path) as project:
        return [m.text for m in project.quality.final(project.dialogues.find(name).uid)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_everything_is_there_in_both_sizes_and_languages(path: Path, size: tuple[int, int], lang: str) -> None:
    app = app_on(path, lang)
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        await looked(app, pilot)
        await press(pilot, "p")
        text = screen_text(app)
        assert all(cell_len(row) <= size[0] for row in text.splitlines())
        assert ("Proposed: 30 > 19 turns" in text) == (lang == "en")
        assert "c1" in line(app, "header")


async def test_a_proposal_is_looked_at_decided_and_approved(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "p")
        assert "Proposed: 30 > 19 turns" in line(app, "told")
        await press(pilot, "a")
        assert "not decided yet" in line(app, "told"), "an undecided cut is not passed over"
        await press(pilot, "enter")
        assert "The cut is decided" in line(app, "told")
        await press(pilot, "a")
        assert "Approved" in line(app, "told")
        assert "c2" in line(app, "header"), "on to the next"
    assert stage(path, "c1") is Stage.APPROVED
    with Project.open(path) as project:
        (cut,) = project.stories.of(project.dialogues.find("c1").uid).cuts
        assert (cut.before, cut.after, cut.proposed) == (30, 19, True)


async def test_the_head_single_turns_and_runs_go_and_come_by_keys(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "j", "j", "h")
        assert screen(app).cut == Cut(3, ())
        await press(pilot, "greater_than_sign")
        assert screen(app).cut == Cut(4, ())
        await press(pilot, "comma", "comma")
        assert screen(app).cut == Cut(2, ())
        await press(pilot, "v", "j", "j", "j", "d")
        assert screen(app).cut == Cut(6, ()), "a run from the head on moves the head"
        await press(pilot, "v", "k", "k", "k", "d")
        assert screen(app).cut == Cut(2, ()), "and is taken in again"
        await press(pilot, "j", "j", "d")
        assert screen(app).cut == Cut(2, (4,))
        assert "by one speaker" in line(app, "told")
        await press(pilot, "j")
        assert "turns 30 > 27" in line(app, "told"), "the two beside it count as one"
        await press(pilot, "k", "d", "escape")
        assert screen(app).draft is None


async def test_no_key_breaks_a_rule_and_each_says_why(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "G", "d")
        assert "part of the last turn" in line(app, "told")
        await press(pilot, "k", "k", "k", "h")
        assert "fewer turns" in line(app, "told")
        assert "(6)" in line(app, "told")
        assert screen(app).draft is None


async def test_a_cut_in_the_making_is_there_after_a_crash(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "j", "j", "h")
    again = app_on(path)
    async with again.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        assert screen(again).cut == Cut(3, ())
        assert len(final(path, "c1")) == 30, "and it counts for nothing yet"


async def test_a_message_is_rewritten_with_a_reason_and_the_rest_of_it_stays(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "right", "j", "j", "e")
        assert "Commit" not in line(app, "told")
        type_in(app, "呀")
        await settle(pilot)
        assert "changed" in line(app, "about")
        await press(pilot, "ctrl+j")
        assert "Why is it rewritten?" in screen_text(app)
        await press(pilot, "7")
        assert "Rewritten" in line(app, "told")
        assert final(path, "c2")[2] == ODD[2] + "呀", "odd characters survive the box"
        await press(pilot, "r")
        assert "RAW TEXT" in line(app, "about")
        await press(pilot, "r", "u")
        assert final(path, "c2")[2] == ODD[2]


async def test_what_is_half_written_is_kept_and_comes_back(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "j", "e")
        type_in(app, "半句")
        await settle(pilot)
    again = app_on(path)
    async with again.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        assert "half written" in screen_text(again)
        await looked(again, pilot)
        await press(pilot, "a")
        assert "half written" in line(again, "told"), "it is not passed over"
        await press(pilot, "e")
        assert screen(again).box.written == LONG[1] + "半句"
        await press(pilot, "escape")


async def test_an_identifier_is_not_written_in(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "right", "j", "j", "j", "e")
        type_in(app, "打13912345678")
        await settle(pilot)
        await press(pilot, "ctrl+j", "7")
        assert "reads like an identifier" in screen_text(app)
        await press(pilot, "escape")
        assert screen(app).box.has_focus, "and what was typed is still there"
        assert final(path, "c2")[3] == ODD[3]


async def test_a_second_curator_signs_what_goes_beyond_the_limit(path: Path) -> None:
    with Project.open(path) as project:
        uid = project.dialogues.find("c2").uid
        project.rewriting.rewrite(uid, "curator", 3, "好好好", "readable")
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "right")
        await looked(app, pilot)
        assert "waits for a second person" in line(app, "steps")
        await press(pilot, "enter", "s")
        assert "someone else has to sign it" in screen_text(app)
    other = app_on(path, person="eve")
    async with other.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "right")
        await looked(other, pilot)
        await press(pilot, "enter", "s")
        assert "Signed" in line(other, "told")
        await press(pilot, "a")
    assert stage(path, "c2") is Stage.APPROVED


async def test_sent_back_with_a_note(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "b", "ctrl+j")
        assert "Say why" in line(app, "told")
        type_in(app, "看不出反话")
        await settle(pilot)
        await press(pilot, "ctrl+j")
        assert "c2" in line(app, "header")
        assert stage(path, "c1") is Stage.DISPUTED
        await press(pilot, "u")
        assert stage(path, "c1") is Stage.AGREED


async def test_approved_text_changes_only_after_a_question(path: Path) -> None:
    with Project.open(path) as project:
        assert project.quality.approve("curator").approved == 2
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        assert "are approved" in screen_text(app), "the empty state says what to press"
        await press(pilot, "l", "enter")
        assert "approved" in line(app, "header")
        await press(pilot, "p")
        assert "This dialogue is approved." in screen_text(app)
        await press(pilot, "2")
        assert screen(app).draft is None
        await press(pilot, "p", "1", "enter")
        assert "It has to be approved again" in line(app, "told")
    assert stage(path, "c1") is Stage.AGREED


@pytest.mark.parametrize("when", ["typing", "choosing"])
async def test_a_rewriting_says_that_the_dialogue_was_approved_meanwhile(path: Path, when: str) -> None:
    def approve() -> None:
        with Project.open(path) as project:
            assert project.quality.approve("eve", [project.dialogues.find("c2").uid]).approved == 1

    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "right", "j", "j", "e")
        type_in(app, "呀")
        await settle(pilot)
        if when == "typing":
            approve()
            await press(pilot, "ctrl+j")
            assert "This dialogue was approved meanwhile." in screen_text(app)
            await press(pilot, "2")
            assert stage(path, "c2") is Stage.APPROVED
            assert screen(app).box.written == ODD[2] + "呀", "what was typed is still there"
            await press(pilot, "ctrl+j", "1")
        else:
            await press(pilot, "ctrl+j")
            approve()
        assert "Why is it rewritten?" in screen_text(app)
        await press(pilot, "7")
        assert "Rewritten" in line(app, "told")
        assert "It had been approved meanwhile and is open again." in line(app, "told")
    assert stage(path, "c2") is Stage.AGREED


async def test_of_a_destroyed_dialogue_the_approved_text_stays_in_sight(path: Path) -> None:
    with Project.open(path) as project:
        assert project.quality.approve("curator").approved == 2
        project.purging.purge(project.purging.plan(None), "curator")
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "l", "enter")
        await press(pilot, "r")
        assert "originals were destroyed" in line(app, "told")
        assert "第30句" in screen_text(app) or "第1句" in screen_text(app)
        assert "empty message" not in screen_text(app)


async def test_an_approved_dialogue_is_opened_on_the_text_screen_and_back(path: Path) -> None:
    with Project.open(path) as project:
        project.quality.normalise("curator")
        project.quality.approve("curator")
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "l", "j", "enter", "t")
        assert "c2" in line(app, "header")
        await press(pilot, "x")
        assert "This dialogue is approved." in screen_text(app)
        await press(pilot, "1")
        assert "It has to be approved again" in line(app, "told")
        await press(pilot, "q")
        assert screen(app).page is not None
        assert "c2" in line(app, "header")


async def test_a_held_key_approves_one(path: Path) -> None:
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await looked(app, pilot)
        type_in(app, "a" * 12)  # as a terminal sends them: all at once, however long the first one takes
        await asyncio.sleep(0.5)
        await settle(pilot)
    assert [stage(path, n) for n in ("c1", "c2")] == [Stage.APPROVED, Stage.AGREED]


async def test_it_is_a_curators_work(path: Path) -> None:
    app = app_on(path, person="ann")
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        text = screen_text(app)
        assert "a curator's work" in text
        assert "第1句" not in text
        await press(pilot, "a", "p", "e", "d", "enter")
    assert stage(path, "c1") is Stage.AGREED


@pytest.mark.parametrize("size", SIZES)
async def test_hostile_text_does_nothing_on_the_screen(tmp_path: Path, size: tuple[int, int]) -> None:
    app = app_on(laid(tmp_path / "h.wb", HOSTILE))
    async with app.run_test(size=size) as pilot:
        await begin(pilot)
        text = screen_text(app)
        assert "\x1b" not in text
        assert "笑死[doge]" in text
        assert "最后一句 [b]粗" in text


# -- the list


def listing(app: WorkbenchApp) -> QualityListScreen:
    assert isinstance(app.screen, QualityListScreen)
    return app.screen


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_the_list_marks_filters_and_approves_what_is_clean(path: Path, lang: str) -> None:
    with Project.open(path) as project:
        project.rewriting.rewrite(project.dialogues.find("c2").uid, "curator", 3, "好好好", "readable")
    app = app_on(path, lang)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "l")
        for _ in range(100):
            await settle(pilot)
            if listing(app).listed is not None and all(r.matters is not None for r in listing(app).listed or ()):
                break
        assert all(cell_len(row) <= 80 for row in screen_text(app).splitlines())
        await press(pilot, "o", "2")
        await until(app, pilot, "1 of 1," if lang == "en" else "共 1 段")
        assert [r.name for r in listing(app).listed or ()] == ["c2"], "the second choice is: anything open"
        await press(pilot, "escape")
        await until(app, pilot, "1 of 2," if lang == "en" else "共 2 段")
        await press(pilot, "M", "a", "1")
        for _ in range(100):
            await settle(pilot)
            if stage(path, "c1") is Stage.APPROVED:
                break
        await settle(pilot)
    assert [stage(path, n) for n in ("c1", "c2")] == [Stage.APPROVED, Stage.AGREED]


async def test_edits_that_no_longer_fit_are_made_anew_by_one_key(path: Path) -> None:
    with Project.open(path) as project:
        project.quality.normalise("curator")
        uid = project.dialogues.find("c2").uid
        project.findings.decide(uid, "curator", 0, 1, 3, "PERSON", True)
        assert project.control.look(uid) == ("conflicting_edits",)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await press(pilot, "right")
        await looked(app, pilot)
        assert "no longer fits" in line(app, "steps")
        await press(pilot, "enter")
        assert "Normalised anew" in line(app, "told")
        await looked(app, pilot)
        await press(pilot, "a")
    assert stage(path, "c2") is Stage.APPROVED


async def test_no_key_waits_for_the_list(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go = threading.Event()
    listed = Batch.listed

    def slow(batch: Batch, wanted: Filter) -> Listed:
        if wanted.stage:
            assert may_go.wait(20)
        return listed(batch, wanted)

    monkeypatch.setattr(Batch, "listed", slow)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(pilot)
        await pilot.press("l")
        await until(app, pilot, "1 of 2, 0 marked")
        await pilot.press("t", "2")
        await until(app, pilot, "quality control: …")
        await pilot.press("question_mark")
        assert "Keys" in await until(app, pilot, "Approve the marked ones"), "keys work meanwhile"
        await pilot.press("escape")
        may_go.set()
        await until(app, pilot, "quality control: 2")
