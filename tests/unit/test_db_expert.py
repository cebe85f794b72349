"""The expert's desk in the store: two answers in order, drafts, days apart, replies like any other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curation.errors import RefusedStep, UsageError
from curation.work.asking import PROCESS, System
from curation.work.expert import boxes_of
from db.project import Project
from tests.tui.scored import EXPERT, SYSTEMS, answered, expert_project


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.at = "2026-03-02T02:00:00.000Z"

    def __call__(self) -> str:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def project(tmp_path: Path, clock: Clock) -> Iterator[Project]:
    with Project.open(expert_project(tmp_path / "p.wb"), clock=clock) as opened:
        yield opened


def write(project: Project, mode: str, uid: str, reply: str = "那我等你", person: str = EXPERT) -> None:
    for name in boxes_of(mode):
        text = reply if name == "reply" else f"{name}：她想被看重"
        project.expert.save(person, uid, mode, name, text, pasted=False, seconds=2.5)


def first(project: Project, person: str = EXPERT) -> str:
    task = project.expert.task(person)
    assert task is not None
    return task.uid


def test_the_second_answer_opens_once_the_first_is_closed(project: Project) -> None:
    uid = first(project)
    task = project.expert.task(EXPERT)
    assert task is not None
    assert task.now == "direct"
    with pytest.raises(RefusedStep, match="once the first is closed"):
        project.expert.save(EXPERT, uid, "cot", "motivation", "x", pasted=False, seconds=0)
    write(project, "direct", uid)
    assert project.expert.close(EXPERT, uid, "direct").now == "cot"
    write(project, "cot", uid, "先想过的")
    assert project.expert.close(EXPERT, uid, "cot").now == ""
    replies = {mode: project.replies.of(uid, EXPERT, mode) for mode in ("direct", "cot")}
    assert {mode: (r.words.reply, r.written, r.seconds) for mode, r in replies.items() if r} == {
        "direct": ("那我等你", 1, 2.5),
        "cot": ("先想过的", 2, 15.0),
    }
    assert replies["cot"] is not None
    assert set(replies["cot"].words.process) == set(PROCESS)
    assert not replies["cot"].flags
    assert not project.check()


def test_the_project_says_which_comes_first_and_the_order_is_recorded(tmp_path: Path) -> None:
    with Project.open(expert_project(tmp_path / "p.wb", expert_order="cot_first")) as project:
        uid = first(project)
        write(project, "cot", uid)
        task = project.expert.close(EXPERT, uid, "cot")
        assert [part.mode for part in task.parts] == ["cot", "direct"]
        # Another setting later on does not turn round what was begun.
        project.change_settings("curator", expert_order="direct_first")
        again = project.expert.task(EXPERT)
        assert again is not None
        assert [part.mode for part in again.parts] == ["cot", "direct"]
        reply = project.replies.of(uid, EXPERT, "cot")
        assert reply is not None
        assert reply.written == 1


def test_on_separate_days_the_second_answer_waits_for_the_next(project: Project, clock: Clock) -> None:
    project.change_settings("curator", expert_days=True)
    uid = first(project)
    write(project, "direct", uid)
    task = project.expert.close(EXPERT, uid, "direct")
    assert (task.now, task.waits) == ("", "day")
    with pytest.raises(RefusedStep, match="another day"):
        project.expert.save(EXPERT, uid, "cot", "motivation", "x", pasted=False, seconds=0)
    other = project.expert.next(EXPERT, task.place)
    assert other is not None
    assert other.uid != uid
    write(project, "direct", other.uid)
    project.expert.close(EXPERT, other.uid, "direct")
    assert project.expert.next(EXPERT, 0) is None
    assert project.expert.progress(EXPERT).waiting == 2
    clock.at = "2026-03-03T20:00:00.000Z"
    task_now = project.expert.next(EXPERT, 0)
    assert task_now is not None
    assert (task_now.place, task_now.now, project.expert.progress(EXPERT).waiting) == (1, "cot", 0)


def test_what_is_half_written_comes_back_key_by_key(project: Project, tmp_path: Path) -> None:
    uid = first(project)
    for text in ("我", "我也", "我也在"):
        project.expert.save(EXPERT, uid, "direct", "reply", text, pasted=False, seconds=0.5)
    with Project.open(tmp_path / "p.wb") as again:
        task = again.expert.task(EXPERT)
        assert task is not None
        part = task.part("direct")
        assert (part.texts, part.seconds) == ({"reply": "我也在"}, 1.5)


def test_a_paste_is_marked_until_the_field_is_empty_again(project: Project) -> None:
    uid = first(project)

    def pasted() -> frozenset[str]:
        task = project.expert.task(EXPERT)
        assert task is not None
        return task.part("direct").pasted

    project.expert.save(EXPERT, uid, "direct", "reply", "贴来的", pasted=True, seconds=0)
    project.expert.save(EXPERT, uid, "direct", "reply", "贴来的！", pasted=False, seconds=0)
    assert pasted() == {"reply"}
    project.expert.save(EXPERT, uid, "direct", "reply", "", pasted=False, seconds=0)
    project.expert.save(EXPERT, uid, "direct", "reply", "自己写", pasted=False, seconds=0)
    assert pasted() == frozenset()
    project.expert.save(EXPERT, uid, "direct", "reply", "贴", pasted=True, seconds=0)
    project.expert.close(EXPERT, uid, "direct")
    reply = project.replies.of(uid, EXPERT, "direct")
    assert reply is not None
    assert reply.pasted


def test_an_answer_can_be_opened_again_until_it_is_scored(project: Project, tmp_path: Path) -> None:
    for place in (1, 2):
        task = project.expert.task(EXPERT, place)
        assert task is not None
        for mode in ("direct", "cot"):
            write(project, mode, task.uid)
            project.expert.close(EXPERT, task.uid, mode)
    uid = first(project)
    again = project.expert.reopen(EXPERT, uid, "direct")
    assert again.now == "direct"
    assert again.part("direct").texts == {"reply": "那我等你"}
    project.expert.save(EXPERT, uid, "direct", "reply", "我等你", pasted=False, seconds=1)
    standing = project.replies.of(uid, EXPERT, "direct")
    assert standing is not None
    assert standing.words.reply == "那我等你"
    project.expert.close(EXPERT, uid, "direct")
    standing = project.replies.of(uid, EXPERT, "direct")
    assert standing is not None
    assert (standing.words.reply, standing.replaced, standing.written, standing.seconds) == ("我等你", 1, 1, 3.5)
    project.scoring.assign("curator", overlap=1)
    with pytest.raises(RefusedStep, match="in scoring already"):
        project.expert.reopen(EXPERT, uid, "direct")
    assert not project.check()


def test_closing_again_without_a_change_changes_nothing(project: Project) -> None:
    uid = first(project)
    write(project, "direct", uid)
    project.expert.close(EXPERT, uid, "direct")
    project.expert.reopen(EXPERT, uid, "direct")
    project.expert.close(EXPERT, uid, "direct")
    reply = project.replies.of(uid, EXPERT, "direct")
    assert reply is not None
    assert reply.replaced == 0
    project.expert.reopen(EXPERT, uid, "direct")
    project.expert.save(EXPERT, uid, "direct", "reply", "别的", pasted=False, seconds=0)
    assert project.expert.leave(EXPERT, uid, "direct").part("direct").texts == {"reply": "那我等你"}


def test_what_is_incomplete_or_too_long_is_not_closed(project: Project) -> None:
    uid = first(project)
    with pytest.raises(RefusedStep, match="still missing: reply"):
        project.expert.close(EXPERT, uid, "direct")
    write(project, "direct", uid, "一二三四五六七八九十一二三四五六")
    with pytest.raises(RefusedStep, match="16 characters; at most 15"):
        project.expert.close(EXPERT, uid, "direct")
    # A sticker is one sign to a reader.
    write(project, "direct", uid, "一二三四五六七八九十一二三四[/委屈巴巴]")
    assert project.expert.close(EXPERT, uid, "direct").now == "cot"


def test_each_expert_is_a_system_of_their_own(project: Project) -> None:
    project.people.add("老孙", "expert", "curator")
    project.systems.add(System("老孙", model="x"), "curator")  # a model that happens to be called so
    uid = first(project)
    for person in (EXPERT, "老孙"):
        write(project, "direct", uid, f"{person}的话", person)
        project.expert.close(person, uid, "direct")
    systems = {s.person: s.name for s in project.systems.all() if s.kind == "expert"}
    assert systems == {EXPERT: EXPERT, "老孙": "老孙 2"}
    replies = [project.replies.of(uid, name, "direct") for name in systems.values()]
    assert sorted(r.words.reply for r in replies if r) == ["老孙的话", f"{EXPERT}的话"]


def test_an_expert_is_shown_nothing_that_a_model_answered(tmp_path: Path) -> None:
    with Project.open(expert_project(tmp_path / "p.wb", others=True)) as project:
        task = project.expert.task(EXPERT)
        assert task is not None
        assert "的回复" not in repr(task)
        assert not any(name in repr(task) for name in SYSTEMS[:2])


def test_the_desk_is_for_experts_and_for_the_sample(project: Project) -> None:
    with pytest.raises(RefusedStep, match="not an expert"):
        project.expert.task("ann")
    uid = first(project)
    with pytest.raises(UsageError):
        project.expert.save(EXPERT, uid, "direct", "motivation", "x", pasted=False, seconds=0)
    with pytest.raises(UsageError, match="half characters"):
        project.expert.save(EXPERT, uid, "direct", "reply", "\ud800", pasted=False, seconds=0)


def test_what_is_written_on_an_older_text_is_told_apart(tmp_path: Path) -> None:
    path = expert_project(tmp_path / "p.wb")
    answered(path)
    with Project.open(path) as project:
        uid = first(project)
        write(project, "direct", uid)
        project.expert.close(EXPERT, uid, "direct")
        reply = project.replies.of(uid, EXPERT, "direct")
        text = project.askable.text(project.dialogues.key(uid))
        assert reply is not None
        assert text is not None
        assert reply.text_hash == text.hash
