"""The sample, the prompts and the replies of a project: what is drawn, what leaves, what comes back, what may be scored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curation.prompts import line as prompt_line
from curation.replies.shapes import Written
from curation.settings import Settings
from curation.stages import Stage
from curation.work.asking import PROCESS, System
from db.project import Project
from tests.asked import approved, codes, ready, sampled, take, written
from tests.conftest import Make, agree, bring, dialogue, projected_rows, refusal, staff, tampering

ROOT = Path(__file__).resolve().parents[2]

# -- the sample


def test_the_same_call_changes_nothing_and_another_is_refused(project: Make) -> None:
    study = project()
    approved(study, 5)
    plan = study.samples.plan(3, 7)
    assert study.samples.current() is None
    sample, new = study.samples.fix(3, 7, "curator")
    assert new
    assert [i.uid for i in sample.items] == [i.uid for i in plan.items]
    assert sample.by_situation == {"irony": 1, "humor": 1, "hint": 1}
    again, new = study.samples.fix(3, 7, "curator")
    assert not new
    assert again == sample
    for step in (lambda: study.samples.fix(3, 8, "curator"), lambda: study.samples.fix(4, 7, "curator")):
        assert refusal(step) == "sampled"
    assert study.check() == []


def test_an_extension_keeps_what_was_drawn_and_can_be_taken_back(project: Make) -> None:
    study = project()
    approved(study, 6)
    first, _ = study.samples.fix(3, 7, "curator")
    whole = study.samples.extend(2, "curator")
    assert whole.items[:3] == first.items
    assert [i.place for i in whole.items] == [1, 2, 3, 4, 5]
    assert [i.draw for i in whole.items] == [1, 1, 1, 2, 2]
    assert [i.uid for i in whole.items] == [i.uid for i in study.samples.plan(5, 7).items]
    assert study.samples.extend(9, "curator").n == 6
    ref = next(line.ref for line in reversed(list(study.history.lines("curator"))) if line.kind == "sampled")
    study.history.undo(ref, "curator")
    assert study.samples.get() == whole
    assert study.check() == []


def test_only_the_asked_stage_is_drawn_from_and_what_is_excluded_is_not(project: Make) -> None:
    study = project()
    uids = staff(study, 4)
    agree(study, uids)
    assert refusal(lambda: study.samples.fix(3, 7, "curator")) == "nothing_to_draw"
    study.quality.approve("curator", [uids[0]])
    assert study.samples.plan(9, 7).n == 1
    assert study.samples.plan(9, 7, stage="agreed").n == 4
    assert {i.external_id for i in study.samples.plan(9, 7, stage="agreed", exclude=["d2"]).items} == {"d1", "d3", "d4"}
    assert refusal(lambda: study.samples.plan(9, 7, exclude=["nobody"])) == "no_dialogue"


def test_the_sample_is_a_function_of_dialogues_seed_and_n(project: Make) -> None:
    drawn = []
    for name, seed, source in (("a.workbench", "x", "one"), ("b.workbench", "y", "two")):
        study = project(name, seed=seed)
        chats = [dialogue(f"d{n}") for n in range(1, 9)]
        bring(study, chats if name[0] == "a" else chats[::-1], source)
        for person in ("ann", "bo"):
            study.people.add(person, "annotator", "curator")
        study.people.pair("ann", "bo", "curator")
        study.screening.assign("curator")
        agree(study, [study.dialogues.find(f"d{n}").uid for n in range(1, 9)])
        study.quality.approve("curator")
        drawn.append([i.external_id for i in study.samples.fix(4, 7, "curator")[0].items])
    assert drawn[0] == drawn[1]


# -- prompts


def test_a_prompt_holds_the_approved_text_and_tells_nothing_else(project: Make) -> None:
    study = project()
    uids = sampled(study, 4)
    made = study.prompts.make("cot", "zh", "curator")
    assert (len(made.prompts), made.new, made.left_out) == (4, 4, 0)
    assert [p.id for p in made.prompts] == sorted(p.id for p in made.prompts)
    everything = json.dumps([prompt_line(p.id, made.template, "cot", p.stage, p.messages) for p in made.prompts])
    for secret in ("irony", "hint", "humor", '"d1"', "chats", *uids):
        assert secret not in everything
    texts = {m.text for uid in uids for m in study.quality.final(uid)}
    assert all(any(text in p.messages[1]["content"] for text in texts) for p in made.prompts)
    again = study.prompts.make("cot", "zh", "curator")
    assert again.prompts == made.prompts
    assert again.new == 0


def test_an_ablation_asks_for_four_fields_and_for_the_first_hundred(project: Make) -> None:
    study = project()
    sampled(study, 4)
    for left_out in PROCESS:
        made = study.prompts.make(f"cot-{left_out}", "en", "curator")
        key = made.template.data["keys"][left_out]
        assert all(key not in p.messages[0]["content"] for p in made.prompts)
    assert len(study.prompts.make("cot-cause", "en", "curator", count=2).prompts) == 2
    assert [i.place for i in study.samples.ablation(3)] == [1, 2, 3]


def test_nothing_that_is_not_approved_leaves_unless_the_project_lets_it_masked(project: Make) -> None:
    study = project(settings=Settings(prompt_stage="agreed"))
    secret = "我电话13812345678"
    uids = staff(study, 2, ["在吗", "在的呢", "你好呀", secret, "记住了吗", "那就好呢"])
    agree(study, uids[:1])
    study.samples.fix(1, 7, "curator", stage="agreed")
    made = study.prompts.make("direct", "zh", "curator")
    assert made.stages == {"agreed": 1}
    assert made.prompts[0].id.endswith("-agreed")
    assert "13812345678" not in made.prompts[0].messages[1]["content"]
    assert "〔电话〕" in made.prompts[0].messages[1]["content"]
    study.change_settings("curator", prompt_stage="approved")
    assert refusal(lambda: study.prompts.make("direct", "zh", "curator")) == "nothing_approved"


def test_a_project_can_bring_templates_of_its_own(project: Make, tmp_path: Path) -> None:
    study = project()
    sampled(study, 2)
    ours = study.prompts.make("direct", "zh", "curator")
    own = (ROOT / "curation/data/prompts/zh.toml").read_text("utf-8").replace("你很懂人情世故", "你是老师")
    (tmp_path / "zh.toml").write_text(own, "utf-8")
    made = study.prompts.make("direct", "zh", "curator", folder=tmp_path)
    assert made.template.name != ours.template.name
    assert {p.id for p in made.prompts}.isdisjoint(p.id for p in ours.prompts)
    (tmp_path / "zh.toml").write_text(own.replace("{form}", ""), "utf-8")
    assert refusal(lambda: study.prompts.make("direct", "zh", "curator", folder=tmp_path)) == "bad_template"


# -- replies


def test_replies_come_in_once_and_again_they_change_nothing(project: Make) -> None:
    study = project()
    uids = sampled(study, 4)
    lines = written(study)
    report = take(study, lines).report
    assert (report.new, report.known, report.refused, report.flagged) == (4, 0, 0, 0)
    before = projected_rows(study)
    report = take(study, lines).report
    assert (report.new, report.known) == (0, 4)
    assert projected_rows(study) == before
    found = study.replies.of(uids[0], "m1", "cot")
    assert found is not None
    assert found.flags == ()
    assert list(found.words.process) == list(PROCESS)
    assert study.check() == []


def test_another_reply_is_refused_or_replaces_with_what_stood_before_kept(project: Make) -> None:
    study = project()
    sampled(study, 3)
    take(study, written(study, reply="好呀"))
    lines = written(study, reply="改天吧")
    assert set(codes(take(study, lines)).values()) == {"changed"}
    assert take(study, lines, replace=True).report.replaced == 3
    for one in study.replies.all("m1", "cot"):
        assert one.words.reply.startswith("改天吧")
        assert one.replaced == 1
        assert study.replies.before(one.uid, "m1", "cot")[0][0].reply.startswith("好呀")
    assert len(list(study.replies.all())) == 3
    ref = next(line.ref for line in reversed(list(study.history.lines("curator"))) if line.kind == "answered")
    study.history.undo(ref, "curator")
    assert all(one.words.reply.startswith("好呀") and one.replaced == 0 for one in study.replies.all())
    assert study.check() == []


def test_a_line_is_refused_with_its_reason_and_the_rest_is_taken(project: Make) -> None:
    study = project()
    sampled(study, 4)
    approved_later = dialogue("later")
    bring(study, [approved_later])
    lines = written(study)
    cot, direct = lines[0].id, study.prompts.make("direct", "zh", "curator").prompts[0].id
    stranger = "0" * 16 + cot[16:]
    bad = [
        Written(1, stranger, {"reply": "好"}),
        Written(2, direct, {"reply": "好"}),
        Written(3, "nobody", {"reply": "好"}),
        Written(4, "later", {"reply": "好"}),
        Written(5, cot, '{"你的回复": "好'),
        Written(6, cot, "你的回复：好", cut=True),
        Written(7, cot, {"reply": "好", **dict.fromkeys(PROCESS, "想了想")}),
        Written(8, cot, {"reply": "不好", **dict.fromkeys(PROCESS, "想了想")}),
    ]
    assert codes(take(study, bad, mode="cot")) == {
        1: "unknown_prompt",
        2: "wrong_mode",
        3: "no_dialogue",
        4: "not_sampled",
        5: "truncated",
        6: "truncated",
        8: "several_replies",
    }
    assert len(list(study.replies.all())) == 1
    assert codes(take(study, [Written(1, "d1", {"reply": "好"})])) == {1: "no_mode"}
    assert study.check() == []


def test_a_reply_to_an_older_text_is_told_apart(project: Make) -> None:
    study = project()
    uids = sampled(study, 2)
    old = written(study)
    take(study, old[:1])
    uid = next(u for u in uids if study.replies.of(u, "m1", "cot"))
    key = study.dialogues.key(uid)
    study.findings.decide(uid, "curator", 0, 0, 2, "PERSON", True)
    reply = study.replies.of(uid, "m1", "cot")
    assert reply is not None
    assert reply.open_flags == ("stale",), "nothing may be asked about it now"
    study.quality.approve("curator")
    reply = study.replies.of(uid, "m1", "cot")
    assert reply is not None
    assert reply.open_flags == ("stale",), "it answers the text as it was"
    assert list(study.replies.usable()) == []
    fresh = written(study)
    assert {one.id for one in fresh} != {one.id for one in old}
    assert take(study, fresh, replace=True).report.replaced == 1
    assert study.replies.cells(key)["m1", "cot"].state == "ok"
    assert take(study, old[:1], "m1", replace=True).report.flags == {"stale": 1}


def test_a_reply_without_its_prompt_is_flagged(project: Make) -> None:
    study = project()
    sampled(study, 2)
    assert take(study, [Written(1, "d1", {"reply": "好呀"})], mode="direct").report.flags == {"unbound": 1}


def test_flags_keep_a_system_from_being_ready_until_a_curator_lets_them_pass(project: Make) -> None:
    study = project()
    uids = sampled(study, 3)
    take(study, written(study, "cot", reply="我是通义千问，很高兴为你服务呀呀"))
    take(study, written(study, "direct")[:2])
    assert not study.replies.ready("m1")
    cot, direct = study.replies.covered()
    assert (cot.flagged, cot.complete, cot.flags) == (3, 0, {"self_identification": 3, "too_long": 3})
    assert (direct.missing, direct.complete) == (1, 2)
    assert study.replies.waive("curator", "m1", "cot", "都看过", flags=["too_long"]) == 3
    assert study.replies.covered()[0].flags == {"self_identification": 3}
    assert study.replies.waive("curator", "m1", "cot", "都看过") == 3
    assert study.replies.waive("curator", "m1", "cot", "都看过") == 0
    gone = next(uid for uid in uids if study.replies.of(uid, "m1", "direct") is None)
    assert study.replies.waive("curator", "m1", "direct", "接口总是失败", uids=[gone]) == 1
    assert study.replies.ready("m1")
    assert study.replies.covered()[1].waived == 1
    take(study, written(study, "cot", reply="作为一个AI，我不方便"), replace=True)
    assert not study.replies.ready("m1"), "another reply is looked at anew"
    assert study.check() == []


def test_letting_pass_needs_a_reason_and_a_dialogue_of_the_sample(project: Make) -> None:
    study = project()
    sampled(study, 2)
    bring(study, [dialogue("other")])
    other = study.dialogues.find("other").uid
    assert refusal(lambda: study.replies.waive("curator", "m1", "cot", "  ")) == "UsageError"
    assert refusal(lambda: study.replies.waive("curator", "m1", "cot", "看过", uids=[other])) == "not_sampled"
    assert refusal(lambda: study.replies.waive("curator", "nobody", "cot", "看过")) == "no_system"


def test_ablations_count_once_they_are_begun(project: Make) -> None:
    study = project()
    sampled(study, 3)
    assert {(c.system, c.mode) for c in study.replies.covered()} == {("m1", "cot"), ("m1", "direct")}
    take(study, written(study, "cot-cause"))
    found = {c.mode: c for c in study.replies.covered()}
    assert found["cot-cause"].complete == found["cot-cause"].of == 3


# -- systems


def test_a_system_has_a_record_and_keeps_its_name(project: Make) -> None:
    study = project()
    one = System("m1", model="a", provider="b", date="2025-06", temperature=0.7)
    assert study.systems.add(one, "curator")
    assert not study.systems.add(one, "curator")
    assert refusal(lambda: study.systems.add(System("m1", model="other"), "curator")) == "name_taken"
    assert study.systems.change(System("m1", model="other"), "curator")
    assert study.systems.get("m1").model == "other"
    study.people.add("周老师", "expert", "curator")
    assert study.systems.add(System("human", "expert", person="周老师"), "curator")
    assert study.systems.of_person("周老师") == System("human", "expert", person="周老师")
    for bad in (System(" x"), System("x", date="soon"), System("x", temperature=-1.0), System("x", person="周老师")):
        assert refusal(lambda bad=bad: study.systems.add(bad, "curator")) == "UsageError"  # type: ignore[misc]
    assert refusal(lambda: study.systems.add(System("y", "expert", person="curator"), "curator")) == "not_an_expert"
    assert study.check() == []


# -- the log


def test_no_event_holds_words_of_anybody(project: Make) -> None:
    study = project()
    sampled(study, 3, ("m1", "m2"))
    ready(study)
    study.replies.waive(
        "curator", "m1", "cot", "放行的理由在此", uids=[study.samples.get().items[0].uid], flags=["echo"]
    )
    with tampering(study.path) as db:
        bodies = " ".join(body for (body,) in db.execute("SELECT body FROM event"))
    assert "m1cot1" not in bodies
    assert "想到了" not in bodies
    assert "理由" not in bodies


def test_a_reply_whose_words_were_destroyed_is_still_there_and_not_usable(project: Make) -> None:
    study = project()
    uids = sampled(study, 2)
    take(study, written(study))
    with tampering(study.path) as db:
        db.execute(
            "UPDATE payload SET text = NULL, salt = NULL WHERE id IN (SELECT payload FROM reply WHERE dialogue = ?)",
            (study.dialogues.key(uids[0]),),
        )
    from db.replay import reproject

    reproject(study._db, study.log, study.dialogues.key(uids[0]))
    found = study.replies.of(uids[0], "m1", "cot")
    assert found is not None
    assert found.words.reply == ""
    assert found.open_flags == ("purged",)


def test_sampled_dialogues_stay_sampled_when_their_approval_falls(project: Make) -> None:
    study = project()
    uids = sampled(study, 2)
    study.findings.decide(uids[0], "curator", 0, 0, 2, "PERSON", True)
    assert study.dialogues.find(uids[0]).stage is Stage.AGREED
    assert study.samples.get().n == 2
    made = study.prompts.make("direct", "zh", "curator")
    assert (len(made.prompts), made.left_out) == (1, 1)


@pytest.mark.parametrize("count", [1, 3])
def test_replay_gives_the_same_tables(project: Make, count: int) -> None:
    study: Project = project()
    sampled(study, count, ("m1", "m2"))
    ready(study)
    take(study, written(study, "cot", reply="又想了想"), replace=True)
    study.replies.waive("curator", "m2", "cot", "可以", flags=["missing", "echo"])
    assert study.check() == []
