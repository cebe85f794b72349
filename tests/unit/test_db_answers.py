"""Many replies at once are what the same replies one by one are, and nothing that is kept to be quick goes stale."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from curation.replies.shapes import Written
from curation.stages import Stage
from curation.work.asking import PROCESS, System
from db.following import AREAS
from db.project import Project
from db.replay import _CHANGING, _UNSETTLED
from tests.asked import codes, sampled, take, written
from tests.conftest import Make, tampering

ROOT = Path(__file__).resolve().parents[2]
SAID = dict.fromkeys(PROCESS, "")


def said(study: Project, uid: str, system: str = "m1") -> tuple[str, ...]:
    """What stands, and what stood before, newest first."""
    found = study.replies.of(uid, system, "cot")
    assert found is not None
    return (found.words.reply, *(words.reply for words, _, _ in reversed(study.replies.before(uid, system, "cot"))))


def test_many_at_once_leave_the_rows_that_one_by_one_do(project: Make) -> None:
    found = []
    for name in ("together.workbench", "apart.workbench"):
        study = project(name)
        uids = sampled(study, 4, ("m1", "m2"))
        for reply in ("好呀", "我是通义千问", "改天吧"):
            # Of one dialogue nothing stands at first: what is replaced and what is new come in the same file.
            lines = written(study, reply=reply)[reply == "好呀" :]
            for part in [lines] if name.startswith("together") else [[line] for line in lines]:
                assert take(study, part, replace=True).refused == ()
            if reply == "我是通义千问":
                take(study, lines, "m2")
                for system in ("m1", "m2"):
                    assert study.replies.waive("curator", system, "cot", "都看过", uids=uids[:2]) == 2
        assert sorted(len(said(study, uid)) for uid in uids) == [2, 3, 3, 3]
        passed = {(one.system, one.uid) for one in study.replies.all() if one.waiver}
        assert passed == {("m2", uid) for uid in uids[:2]}, (
            "what was let pass was the reply before, of that system alone"
        )
        assert study.check() == []
        # When it was and in which event is not the same in the two; everything else is.
        found.append([(replace(one, at="", ref=""), said(study, one.uid, one.system)) for one in study.replies.all()])
    assert found[0] == found[1]


def test_only_what_moves_nothing_is_applied_together() -> None:
    unsettling = {kind for _, kinds in _UNSETTLED for kind in kinds}
    for area in AREAS:
        for kind in area.together:
            assert kind in area.apply
            assert kind in area.stageless
            assert kind not in _CHANGING | unsettling


def test_a_text_that_changes_between_two_files_makes_the_second_stale(project: Make) -> None:
    study = project()
    uids = sampled(study, 2, ("m1", "m2"))
    lines = written(study)
    assert take(study, lines).report.flags == {}
    with Project.open(study.path) as other:  # another window, of which this one hears nothing
        other.findings.decide(uids[0], "curator", 0, 0, 2, "PERSON", True)
        other.quality.approve("curator")
    assert take(study, lines, "m2").report.flags == {"stale": 1}
    assert study.check() == []


def test_an_echo_is_looked_for_in_the_text_as_it_is_now(project: Make) -> None:
    study = project()
    uids = sampled(study, 1, ("m1", "m2"))
    lines = written(study)
    text = study.quality.final(uids[0])[0].text
    echoing = [replace(lines[0], content={**SAID, "reply": text})]
    assert "echo" in take(study, echoing).report.flags
    study.findings.decide(uids[0], "curator", 0, 0, len(text), "PERSON", True)
    study.quality.approve("curator")
    assert "echo" not in take(study, echoing, "m2").report.flags


def test_prompts_that_leave_between_two_files_are_known_to_the_second(project: Make, tmp_path: Path) -> None:
    study = project()
    sampled(study, 2, ("m1", "m2"))
    old = written(study)
    assert take(study, old).report.new == 2
    own = (ROOT / "curation/data/prompts/zh.toml").read_text("utf-8").replace("你很懂人情世故", "你是老师")
    (tmp_path / "zh.toml").write_text(own, "utf-8")
    with Project.open(study.path) as other:
        fresh = [one.id for one in other.prompts.make("cot", "zh", "curator", folder=tmp_path).prompts]
    assert set(fresh).isdisjoint(one.id for one in old)
    lines = [replace(line, id=name) for line, name in zip(old, fresh, strict=True)]
    assert take(study, lines, "m2").report.new == 2
    assert {reply.prompt_hash for reply in study.replies.all("m2")} == {name.split("-")[2] for name in fresh}
    assert take(study, old, "m2", replace=True).report.replaced == 2, "and the older ones are known still"
    assert study.check() == []


def test_the_words_of_a_text_that_is_gone_are_held_against_no_reply(project: Make) -> None:
    study = project()
    uids = sampled(study, 1, ("m1", "m2"))
    lines = written(study)
    echoing = [replace(lines[0], content={**SAID, "reply": study.quality.final(uids[0])[0].text})]
    assert "echo" in take(study, echoing).report.flags
    with tampering(study.path) as db:
        db.execute("UPDATE payload SET text = NULL, salt = NULL WHERE id IN (SELECT payload FROM approval)")
    flags = take(study, echoing, "m2").report.flags
    assert "echo" not in flags
    assert "stale" in flags
    assert study.askable.text(study.dialogues.key(uids[0])) is None


def test_a_text_known_already_leaves_no_more_once_its_dialogue_may_not(project: Make) -> None:
    study = project()
    uid = sampled(study, 1)[0]
    key = study.dialogues.key(uid)
    assert study.askable.text(key) is not None
    with tampering(study.path) as db:
        db.execute("UPDATE state SET stage = ? WHERE dialogue = ?", (Stage.WITHDRAWN.value, key))
    assert study.askable.text(key) is None


def test_an_id_is_that_of_a_prompt_only_as_it_was_written_out(project: Make) -> None:
    study = project()
    sampled(study, 1, ("m1",))
    study.prompts.make("direct", "zh", "curator")
    line = written(study)[0]
    name, mode, hashed = line.id.split("-")
    strange = [
        f"{name}-direct-{hashed}",
        f"{name}-{mode}-{'0' * 12}",
        f"{'0' * 16}-{mode}-{hashed}",
        f"{line.id}-agreed-agreed",
    ]
    found = codes(take(study, [replace(line, line=n, id=one) for n, one in enumerate(strange, 1)]))
    assert found == {1: "unknown_prompt", 2: "unknown_prompt", 3: "unknown_prompt", 4: "no_mode"}
    assert take(study, [replace(line, id=f"{line.id}-agreed")]).report.new == 1


def test_a_file_of_many_replies_is_one_event_with_an_entry_each(project: Make) -> None:
    study = project()
    uids = sampled(study, 5, ("m1",))
    lines = written(study)
    assert take(study, [*lines, Written(9, lines[0].id, lines[0].content)]).report.known == 1
    with tampering(study.path) as db:
        events = db.execute("SELECT origin, number FROM event WHERE kind = 'answered'").fetchall()
        entries = db.execute("SELECT dialogue FROM entry WHERE origin = ? AND number = ?", events[0]).fetchall()
    assert len(events) == 1
    assert sorted(key for (key,) in entries) == sorted(study.dialogues.key(uid) for uid in uids)
    study.systems.add(System("m9"), "curator")
    assert study.check() == []
