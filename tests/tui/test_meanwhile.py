"""What others decide meanwhile is seen without a key: by those who have nothing left, and of the dialogue in front."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from curation.taxonomy import taxonomy
from curation.work import Answer, Source
from db.project import Project
from screens.widgets.dialogue import DialogueView, Said
from tests.tui.conftest import app_on, chat, place, screen_text, screening, settle, until
from tests.tui.scored import EXPERT, expert_project
from workbench.app import WorkbenchApp

Make = Callable[..., Path]
pytestmark = pytest.mark.usefixtures("soon")


def decide(path: Path, person: str, *situations: str) -> None:
    """Answer the person's first dialogues, in order; "" drops."""
    with Project.open(path) as project:
        for n, situation in enumerate(situations, 1):
            task = project.screening.task(person, n)
            assert task is not None
            if task.answer is None:
                project.screening.decide(
                    person, task.stored.uid, Answer(bool(situation), situation, f"{person} says so")
                )


def uid(path: Path, name: str) -> str:
    with Project.open(path) as project:
        return project.dialogues.find(name).uid


def app_at(path: Path, person: str, start: str) -> WorkbenchApp:
    return WorkbenchApp(path, person, "en", start, pace=0.0, keymap={})  # type: ignore[arg-type]


# -- who has nothing left


def more_work(path: Path, turns: int = 6) -> None:
    lines = tuple(f"新的第{n}句 {chr(0x5200 + n * 13) * 9}" for n in range(1, turns + 1))
    with Project.open(path) as project:
        project.dialogues.take([chat(77, lines)], Source("more"), "curator")
        project.dialogues.apply_rules("curator")
        project.screening.assign("curator")


def opened_again(path: Path) -> None:
    with Project.open(path) as project:
        project.screening.reopen("curator", taxonomy().version)


def handed_back(path: Path) -> None:
    """Another pair gets a dialogue, and hands it back: it comes to ann and bo."""
    with Project.open(path) as project:
        for person in ("cy", "di"):
            project.people.add(person, "annotator", "curator")
        project.people.pair("cy", "di", "curator")
        project.dialogues.take([chat(77)], Source("more"), "curator")
        project.dialogues.apply_rules("curator")
        project.screening.assign("curator", ["cy"])
        project.raising.hand_back("cy", project.dialogues.find("c77").uid, "", "")


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (more_work, "no. 3 of 3"),
        (opened_again, "no. 1 of 2"),
        (handed_back, "no. 3 of 3"),
        (lambda path: decide(path, "bo", "humor"), "B – 1 dispute waits for your second word"),
    ],
    ids=["new work", "opened again", "handed back", "a dispute"],
)
async def test_a_screener_who_is_done_learns_what_there_is_to_do(
    make: Make, step: Callable[[Path], None], words: str
) -> None:
    path = make(2)
    decide(path, "ann", "irony", "irony")
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "Thank you!" in await until(app, pilot, "2 of 2 assigned to you done")
        step(path)
        await until(app, pilot, words)


async def test_a_dispute_shows_where_there_was_none_and_so_does_the_other_s_second_word(make: Make) -> None:
    path = make(2)
    decide(path, "ann", "irony", "irony")
    app = app_at(path, "ann", "dispute")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "No dispute waits here.")
        decide(path, "bo", "humor")
        await until(app, pilot, "bo says so")
        await pilot.press("r", *"mine")
        with Project.open(path) as project:
            project.disputes.decide("bo", uid(path, "c1"), Answer(True, "humor", "once more"))
        await asyncio.sleep(0.4)
        await settle(pilot)
        assert "once more" not in screen_text(app), "not while someone writes"
        await pilot.press("escape")
        text = await until(app, pilot, "once more")
        assert "mine" in text
        with Project.open(path) as project:
            project.disputes.rule("curator", uid(path, "c1"), Answer(False, "", "neither"))
        await until(app, pilot, "settled: no dispute any more")
        await pilot.press("b")
        await until(app, pilot, "neither")


async def test_the_lead_sees_new_disputes_counted_and_new_matters_listed(make: Make) -> None:
    path = make(3)
    app = app_at(path, "curator", "dispute")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "No dispute waits here.")
        decide(path, "ann", "irony", "irony")
        decide(path, "bo", "humor", "humor")
        await until(app, pilot, "2 wait for a ruling")
    app = app_at(path, "curator", "raised")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "Nothing here.")
        for person in ("ann", "bo"):
            with Project.open(path) as project:
                project.raising.put(person, uid(path, "c3"), "guideline", f"{person} asks")
            await until(app, pilot, "ann asks")
        await until(app, pilot, "not seen to yet: 2")
        assert "ann asks" in screen_text(app), "the cursor stays on what it was on"


async def test_the_overview_counts_and_the_inbox_fills(make: Make) -> None:
    path = make(2)
    app = app_at(path, "ann", "home")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "2 assigned, 0 decided, 2 left")
        decide(path, "ann", "irony")
        await until(app, pilot, "2 assigned, 1 decided, 1 left")
        decide(path, "bo", "irony")
        await pilot.press("m")
        await until(app, pilot, "Nothing came yet.")
        with Project.open(path) as project:
            project.inbox.say("curator", uid(path, "c1"), "ann", "look at turn three")
        await until(app, pilot, "look at turn three")


async def test_a_round_that_was_done_is_followed_by_another(make: Make) -> None:
    path = make(4)
    with Project.open(path) as project:
        for person in ("cy", "di"):
            project.people.add(person, "annotator", "curator")
        project.people.pair("cy", "di", "curator")
        project.rounds.calibrate("curator", 1)
    app = app_on(path, "cy")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "no. 1 of 1")
        await pilot.press("d", "enter")
        await until(app, pilot, "This round is done.")
        with Project.open(path) as project:
            project.rounds.calibrate("curator", 1)
        await until(app, pilot, "no. 2 of 2")


@pytest.mark.parametrize(
    ("start", "before", "after"),
    [
        ("review", "No agreed dialogue waits", "1 of 1 agreed"),
        ("text", "No dialogue", "1 of 1 agreed"),
        ("quality", "No dialogue", "1 of 1 agreed"),
        ("qualitylist", "No dialogue here", "1 of 1, 0 marked"),
    ],
)
async def test_a_curator_with_nothing_to_control_sees_what_is_agreed_on(
    make: Make, start: str, before: str, after: str
) -> None:
    path = make(2)
    app = app_at(path, "curator", start)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, before)
        decide(path, "ann", "irony")
        decide(path, "bo", "irony")
        await until(app, pilot, after)


# -- the dialogue in front


async def test_what_becomes_of_the_dialogue_in_front_is_seen_and_nothing_else_moves(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(1)
    more_work(path, turns=30)
    decide(path, "ann", "", "irony")
    app = app_on(path)
    painted: list[str] = []
    put = DialogueView.put

    def counted(view: DialogueView, said: Sequence[Said], words: str = "") -> None:
        painted.append(words)
        put(view, said, words)

    monkeypatch.setattr(DialogueView, "put", counted)
    async with app.run_test(size=(80, 18)) as pilot:
        await settle(pilot)
        await pilot.press("p", "down", "down")
        await until(app, pilot, "decided by you")
        await pilot.pause(0.3)
        before, seen = screening(app).view.scroll_offset, len(painted)
        assert before.y > 0
        with Project.open(path) as project:
            project.people.add("zoe", "annotator", "curator")
        decide(path, "bo", "", "humor")
        await until(app, pilot, "closed; the other: keep · Humor")
        await asyncio.sleep(0.3)
        await settle(pilot)
        assert screening(app).view.scroll_offset == before
        assert len(painted) == seen, "the same text is not painted anew"


async def test_what_is_hidden_is_hidden_at_once_but_not_from_under_a_hand(make: Make) -> None:
    path = make(3)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("k", "1")
        with Project.open(path) as project:
            project.raising.put("bo", uid(path, "c1"), "distressing", "ugly")
        await asyncio.sleep(0.4)
        await settle(pilot)
        assert "第1段第1句" in screen_text(app), "half a choice is made"
        await pilot.press("2", "r", *"why")
        await asyncio.sleep(0.4)
        await settle(pilot)
        assert screening(app).box.written == "why"
        await pilot.press("escape")
        for _ in range(100):
            await pilot.pause(0.05)
            if "第1段第1句" not in screen_text(app):
                break
        assert "第1段第1句" not in screen_text(app)
        await pilot.press("n")
        await until(app, pilot, "第2段第1句")
    with Project.open(path) as project:
        task = project.screening.task("ann", 1)
        assert task is not None
        assert (task.draft.situation, task.draft.rationale) == ("irony", "why"), "what was written is kept"


async def test_what_went_to_someone_else_gives_way_to_the_next(make: Make) -> None:
    path = make(3)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "第1段第1句")
        with Project.open(path) as project:
            for person in ("cy", "di"):
                project.people.add(person, "annotator", "curator")
            project.people.pair("cy", "di", "curator")
            project.raising.hand_back("bo", uid(path, "c1"), "", "")
        text = await until(app, pilot, "第2段第1句")
        assert "is with someone else now" in text


async def test_a_window_in_front_is_not_disturbed(make: Make) -> None:
    path = make(1)
    decide(path, "ann", "irony")
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "Thank you!")
        await pilot.press("question_mark")
        await settle(pilot)
        more_work(path)
        await asyncio.sleep(0.4)
        await settle(pilot)
        assert "Keys" in screen_text(app)
        await pilot.press("escape")
        await until(app, pilot, "no. 2 of 2")


# -- scores and answers


async def test_a_scorer_who_is_done_gets_what_is_handed_out(tmp_path: Path) -> None:
    path = expert_project(tmp_path / "p.wb", others=True)
    app = app_at(path, "cy", "scoring")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "Nothing is assigned to you yet.")
        with Project.open(path) as project:
            project.scoring.assign("curator", overlap=3)
        text = await until(app, pilot, "item 1 of 4")
        assert "There is new work for you" in text


async def test_an_expert_learns_of_the_sample_and_of_a_text_that_is_approved(tmp_path: Path, make: Make) -> None:
    path = expert_project(tmp_path / "e.wb")
    with Project.open(path) as project:
        name = project.dialogues.by_key(project.samples.keys()[0]).external_id
        ref = next(line.ref for line in project.history.lines("curator") if line.kind == "approved")
        project.history.undo(ref, "curator")
    app = app_at(path, EXPERT, "expert")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("j", "1", "enter")
        await until(app, pilot, "is not approved yet")
        with Project.open(path) as project:
            assert project.quality.approve("curator", [uid(path, name)]).approved == 1
        await until(app, pilot, f"第{name[1:]}段第1句")
    empty = make(1, name="empty.wb")
    with Project.open(empty) as project:
        project.people.add("zoe", "expert", "curator")
    app = app_at(empty, "zoe", "expert")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(app, pilot, "q goes back")
        decide(empty, "ann", "irony")
        decide(empty, "bo", "irony")
        with Project.open(empty) as project:
            project.findings.scrub([1], "curator", 0.0)
            project.quality.normalise("curator")
            assert project.quality.approve("curator").approved == 1
            project.samples.fix(1, 7, "curator")
        await until(app, pilot, "no. 1 of 1")


# -- the same person in two places


def elsewhere(path: Path, words: str = "said there") -> None:
    """The same person decides the first dialogue in another terminal, or a file of decisions does."""
    with Project.open(path) as project:
        project.screening.decide("ann", uid(path, "c1"), Answer(True, "irony", words))


@pytest.mark.parametrize("key", ["escape", "ctrl+j"])
async def test_words_typed_on_what_was_decided_elsewhere_under_the_name_are_kept_and_taken_up(
    make: Make, key: str
) -> None:
    path = make(2)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r", *"typed")
        elsewhere(path)
        await asyncio.sleep(0.3)
        assert screening(app).box.written == "typed", "nothing stored goes over what is being typed"
        await pilot.press(key)
        text = await until(app, pilot, "Decided elsewhere under your name. Your words are kept: e decides anew")
        assert "without the words in the box" in text
        assert screening(app).box.written == "typed"
        assert place(app) == 1
        await pilot.press("right")
        await until(app, pilot, "no. 2 of 2")
        await pilot.press("left")
        await until(app, pilot, "without the words in the box")
        await pilot.press("e")
        await settle(pilot)
        assert screening(app).box.written == "typed"
        await pilot.press("enter")
        await until(app, pilot, "no. 2 of 2")
    with Project.open(path) as project:
        assert project.screening.given("ann", uid(path, "c1")) == Answer(True, "irony", "typed")


async def test_words_left_in_the_box_before_it_was_decided_elsewhere_stay_when_the_screen_catches_up(
    make: Make,
) -> None:
    path = make(2)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r", *"typed", "escape")
        elsewhere(path)
        await until(app, pilot, "Your words are kept")
        assert screening(app).box.written == "typed"
        await pilot.press("u")
        await until(app, pilot, "Taken back: no. 1.")
        assert screening(app).box.written == "typed", "undo does not put the other words over them"


async def test_words_typed_on_what_both_closed_meanwhile_stay_in_sight(make: Make) -> None:
    path = make(2)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r", *"typed")
        elsewhere(path)
        decide(path, "bo", "irony")
        await pilot.press("ctrl+j")
        await until(app, pilot, "closed by both. Your words stay here")
        assert screening(app).box.written == "typed"


async def test_who_typed_nothing_is_told_and_sees_what_was_decided_elsewhere(make: Make) -> None:
    path = make(2)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r")
        elsewhere(path)
        await pilot.press("escape")
        await until(app, pilot, "Decided elsewhere under your name meanwhile")
        assert screening(app).box.written == "said there"


async def test_words_in_the_box_are_kept_when_the_program_ends(make: Make) -> None:
    path = make(2)
    app = app_on(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("r", *"typed")
        elsewhere(path)
        app.flush()
    with Project.open(path) as project:
        task = project.screening.task("ann", 1)
        assert task is not None
        assert task.draft.rationale == "typed"
