"""Who may take a curator's steps: asked of every method of the store, and answered in one place."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from curation.errors import NotFound, RefusedStep, UsageError, WorkbenchError
from curation.layers import Layer
from curation.work import Answer, Source
from curation.work.asking import System
from curation.work.purging import PurgePlan
from curation.work.quality import Cut
from db.log import Log
from db.parts import Parts
from db.project import Project
from tests.asked import sampled
from tests.conftest import bring, dialogue, fresh, projected_rows, refusal

# Who is no curator -> the code of the reason.
NOBODIES = {"ann": "not_a_curator", "wen": "not_a_curator", "old": "retired", "": "no_name", "nobody": "no_person"}
Step = Callable[[Project, str, str], object]
KEEP = Answer(True, "hint", "为何")

# A curator's steps of the store: (project, who, the uid of an approved dialogue) -> the call.
STEPS: dict[str, Step] = {
    "assigning.assign": lambda s, by, u: s.assigning.assign(by),
    "assigning.retire": lambda s, by, u: s.assigning.retire("bo", by),
    "dialects.tell": lambda s, by, u: s.dialects.tell(u, by, "wu"),
    "dialogues.take": lambda s, by, u: s.dialogues.take([dialogue("d9")], Source("more"), by),
    "dialogues.apply_rules": lambda s, by, u: s.dialogues.apply_rules(by),
    "disputed.export": lambda s, by, u: s.disputed.export(s.path.parent / "apart", by),
    "disputes.rule": lambda s, by, u: s.disputes.rule(by, u, KEEP),
    "disputes.take_back": lambda s, by, u: s.disputes.take_back(by),
    "findings.scrub": lambda s, by, u: s.findings.scrub([s.dialogues.key(u)], by, 0.5),
    "findings.decide": lambda s, by, u: s.findings.decide(u, by, 0, 0, 2, "PERSON", True),
    "findings.write": lambda s, by, u: s.findings.write(by, {}, {}),
    "history.undo": lambda s, by, u: s.history.undo(last(s, "approved"), by),
    "history.undo_last": lambda s, by, u: s.history.undo_last(by),
    "inbox.say": lambda s, by, u: s.inbox.say(by, u, "ann", "看看"),
    "people.add": lambda s, by, u: s.people.add("eve", "curator", by),
    "people.set_reads": lambda s, by, u: s.people.set_reads("ann", ["wu"], by),
    "people.retire": lambda s, by, u: s.people.retire("bo", by),
    "people.pair": lambda s, by, u: s.people.pair("cy", "dee", by),
    "project.change_settings": lambda s, by, u: s.change_settings(by, min_turns=4),
    "prompts.make": lambda s, by, u: s.prompts.make("cot", "zh", by),
    "purging.purge": lambda s, by, u: s.purging.purge(PurgePlan((u,), 0, {}), by),
    "quality.normalise": lambda s, by, u: s.quality.normalise(by),
    "quality.accept_trims": lambda s, by, u: s.quality.accept_trims([], by),
    "quality.trim": lambda s, by, u: s.quality.trim(u, by, 1, []),
    "quality.approve": lambda s, by, u: s.quality.approve(by),
    "control.decide": lambda s, by, u: s.control.decide(u, by, Cut()),
    "quotas.set": lambda s, by, u: s.quotas.set(by, {"irony": 9}),
    "raising.resolve": lambda s, by, u: s.raising.resolve(by, s.raising.open("curator")[0].ref, "returned"),
    "raising.take_back": lambda s, by, u: s.raising.take_back(by),
    "releases.export": lambda s, by, u: s.releases.export(s.path.parent / "out", by),
    "releases.raw": lambda s, by, u: s.releases.raw(s.path.parent / "raw", by),
    "replies.take": lambda s, by, u: s.replies.take([], "m1", by, file="f"),
    "replies.waive": lambda s, by, u: s.replies.waive(by, "m1", "cot", "so", flags=["missing"]),
    "reviews.accept": lambda s, by, u: s.reviews.accept(u, by, (0, 0, 2), "PERSON"),
    "reviews.reject": lambda s, by, u: s.reviews.reject(u, by, (0, 0, 2)),
    "reviews.resize": lambda s, by, u: s.reviews.resize(u, by, (0, 0, 2), 0, 3),
    "reviews.add": lambda s, by, u: s.reviews.add(u, by, 0, 0, 2, "PERSON"),
    "reviews.decide_rest": lambda s, by, u: s.reviews.decide_rest(u, by, True),
    "reviews.decide_equal": lambda s, by, u: s.reviews.decide_equal(u, by, (0, 0, 2), True),
    "reviews.allow": lambda s, by, u: s.reviews.allow(u, by, (0, 0, 4)),
    "reviews.deny": lambda s, by, u: s.reviews.deny(u, by, (0, 0, 4), "PERSON"),
    "reviews.give_lists": lambda s, by, u: s.reviews.give_lists(by, ""),
    "reviews.waive": lambda s, by, u: s.reviews.waive(u, by, (0, 0, 2), "PERSON", "so"),
    "reviews.bar": lambda s, by, u: s.reviews.bar(u, by, "so"),
    "reviews.unbar": lambda s, by, u: s.reviews.unbar(u, by),
    "reviews.finish": lambda s, by, u: s.reviews.finish(u, by),
    "reviews.sign": lambda s, by, u: s.reviews.sign(u, by),
    "reviews.undo": lambda s, by, u: s.reviews.undo(by),
    "rewriting.rewrite": lambda s, by, u: s.rewriting.rewrite(u, by, 0, "在么", "garbled"),
    "rewriting.sign": lambda s, by, u: s.rewriting.sign(u, by, 0),
    "rewriting.send_back": lambda s, by, u: s.rewriting.send_back(u, by, "so"),
    "rounds.set_gold": lambda s, by, u: s.rounds.set_gold(by, u, KEEP, ""),
    "rounds.remove_gold": lambda s, by, u: s.rounds.remove_gold(by, u),
    "rounds.calibrate": lambda s, by, u: s.rounds.calibrate(by, 1),
    "rounds.relabel": lambda s, by, u: s.rounds.relabel(by, 1.0, ["cy"]),
    "samples.fix": lambda s, by, u: s.samples.fix(2, 7, by),
    "samples.extend": lambda s, by, u: s.samples.extend(1, by),
    "scoring.assign": lambda s, by, u: s.scoring.assign(by, ["ann"]),
    "scoring.end": lambda s, by, u: s.scoring.end(by),
    "screening.assign": lambda s, by, u: s.screening.assign(by),
    "screening.reopen": lambda s, by, u: s.screening.reopen(by),
    "systems.add": lambda s, by, u: s.systems.add(System("m9"), by),
    "systems.change": lambda s, by, u: s.systems.change(System("m1", model="x"), by),
    "texts.take_back": lambda s, by, u: s.texts.take_back(u, by, 0, 0, 1),
    "texts.take_back_rule": lambda s, by, u: s.texts.take_back_rule(u, by, "width"),
}
# Methods that take a name and are no curator's step, with what they are.
OTHERS = {
    "decisions.take": "asks by line who may speak for whom, as below",
    "assigning.bring": "part of taking decision lines, which asks itself",
    "assigning.hand_back": "one's own, at the item",
    "inbox.reply": "answers what came to one",
    "reviews.see": "what one has read oneself",
    "samples.plan": "`by` are strata, not a name",
    "systems.of_person": "looks up",
}
# What only curators see, as answers that others do not get.
SEES: dict[str, Callable[[Project, str, str], bool]] = {
    "agreement.may_see": lambda s, who, u: s.agreement.may_see(who),
    "agreement.check": lambda s, who, u: passes(lambda: s.agreement.check(who)),
    "agreement.costly": lambda s, who, u: bool(s.agreement.costly(who)),
    "agreement.items": lambda s, who, u: bool(s.agreement.items(who)) if who else False,
    "agreement.spoken": lambda s, who, u: bool(s.agreement.spoken(who, u)),
    "disputes.page": lambda s, who, u: passes(lambda: s.disputes.page(who, s.dialogues.find("d3").uid)),
    "history.lines": lambda s, who, u: not any(x.sealed for x in s.history.lines(who) if x.kind == "system_added"),
    "judged.check": lambda s, who, u: passes(lambda: s.judged.check(who)),
    "people.curates": lambda s, who, u: s.people.curates(who),
    "raising.open": lambda s, who, u: s.raising.open(who)[0].note is not None,
    "scoring.panel": lambda s, who, u: s.scoring.panel(who).hidden == "",
    "scoring.sees_all": lambda s, who, u: s.scoring.sees_all(who),
    "search.find": lambda s, who, u: bool(list(s.search.find("13812345678", viewer=who))),
    "search.layer": lambda s, who, u: passes(lambda: s.search.read(u, Layer.SCRUBBED, who)),
    "search.sees_all": lambda s, who, u: s.search.sees_all(who),
}


def last(study: Project, kind: str) -> str:
    return [event for event in study.log.events() if event.kind == kind][-1].ref


def passes(step: Callable[[], object]) -> bool:
    try:
        step()
    except WorkbenchError:
        return False
    return True


@pytest.fixture(scope="module")
def study() -> Iterator[Project]:
    """A project with something of everything, which refused steps leave as it is; `old` has left, `wen` is an expert."""
    with fresh() as made:
        uids = sampled(made, 3)
        bring(made, [dialogue("d5", ["在吗", "在的", "电话13812345678", "收到", "好的呀", "那就这样"])], "other")
        made.screening.assign("curator")
        made.raising.put("ann", made.dialogues.find("d5").uid, "guideline", "问一下")
        for name in ("cy", "dee"):
            made.people.add(name, "annotator", "curator")
        made.people.add("old", "curator", "curator")
        made.people.retire("old", "curator")
        made.people.add("wen", "expert", "curator")
        assert uids
        yield made


def methods() -> Iterator[tuple[str, list[str]]]:
    """Every public method of every part, as part.method, with what it takes."""
    with fresh() as made:
        names = {n for n, one in vars(Parts).items() if isinstance(one, cached_property) and n[0] != "_"}
        parts: dict[str, object] = {n: getattr(made, n) for n in (*names, *vars(made)) if n[0] != "_"}
        for part, one in {**parts, "project": made}.items():
            if type(one).__module__.startswith("db.") and not isinstance(one, Log):
                for name, method in inspect.getmembers(type(one), inspect.isfunction):
                    if name[0] != "_":
                        yield f"{part}.{name}", list(inspect.signature(method).parameters)


def test_every_method_that_is_told_who_acts_is_known_here_as_a_curators_step_or_as_none() -> None:
    told = {name for name, params in methods() if {"by", "who"} & set(params)}
    # Making a project is how its first curator comes to be.
    told.discard("project.create")
    assert told - STEPS.keys() - OTHERS.keys() == set()
    assert (STEPS.keys() | OTHERS.keys()) - {name for name, _ in methods()} == set(), "gone by now"


@pytest.mark.parametrize("step", STEPS)
def test_a_curators_step_is_refused_to_everyone_else_with_the_reason_and_changes_nothing(
    study: Project, step: str
) -> None:
    uid = study.dialogues.find("d1").uid
    rows, head = projected_rows(study), study.log.head()
    for name, code in NOBODIES.items():
        with pytest.raises((RefusedStep, NotFound, UsageError)) as refused:
            STEPS[step](study, name, uid)
        assert refused.value.code == code, (step, name)
        assert str(refused.value)
    assert projected_rows(study) == rows
    assert study.log.head() == head
    assert {one.name for one in study.path.parent.iterdir()} <= {study.path.name + end for end in ("", "-wal", "-shm")}


@pytest.mark.parametrize("look", SEES)
def test_what_only_curators_see_is_shown_to_no_one_else(study: Project, look: str) -> None:
    uid = study.dialogues.find("d1").uid
    seen = {name: SEES[look](study, name, uid) for name in ("curator", *NOBODIES)}
    if look == "raising.open":
        assert seen.pop("ann"), "who raised it reads their own note"
    if look == "disputes.page":
        assert seen.pop("ann"), "who decided it looks at it"
    assert seen == {name: name == "curator" for name in seen}


@pytest.mark.parametrize("kind", ["finding", "trim", "approval", "ruling", "gold"])
def test_lines_of_a_curators_step_are_refused_in_every_other_name(study: Project, kind: str) -> None:
    line: dict[str, Any] = {"kind": kind, "dialogue": "d1", "keep": True, "situation": "irony", "system": "m1"}
    line |= {"cause": 5, "message": 0, "start": 0, "end": 2, "type": "PERSON", "accept": True, "first_turn": 1}
    for name, code in NOBODIES.items():
        for actor in ("curator", name):
            report = study.decisions.take([(1, {**line, "by": name})], "f", actor=actor)
            wanted = {code, "no_person"} if name in ("", "nobody") else {code, "not_a_curator"}
            assert report.taken == 0
            assert [one.code in wanted for one in report.refused] == [True], (name, actor, report.refused)


def test_nobody_but_a_curator_speaks_for_others_whatever_the_kind_of_line(study: Project) -> None:
    scores = {"kind": "score", "dialogue": "d1", "system": "m1", "motivation": 5}
    for line in ({"kind": "screening", "dialogue": "d5", "keep": False}, scores, {**scores, "kind": "gold"}):
        for actor in ("bo", "wen", "old", "nobody"):
            report = study.decisions.take([(1, {**line, "by": "ann"})], "f", actor=actor)
            assert [one.code for one in report.refused] == ["not_a_curator"], (line, actor)


def test_no_file_gives_a_score_in_the_name_of_someone_who_could_not_give_it_at_the_desk(study: Project) -> None:
    study.systems.add(System("wen", "expert", person="wen"), "wen")
    study.people.add("left", "annotator", "curator")
    study.people.retire("left", "curator")
    scores = dict.fromkeys(("motivation", "cause", "emotion", "intention", "strategy", "reply_cot"), 5)
    line = {"kind": "score", "dialogue": "d1", "system": "m1", **scores, "reply_direct": 0}
    for name, code in (
        ("wen", "wrote_replies"),
        ("curator", "not_blind"),
        ("left", "retired"),
        ("nobody", "no_person"),
    ):
        assert refusal(lambda who=name: study.scoring.assign("curator", [who])) == code  # type: ignore[misc]
        report = study.decisions.take([(1, {**line, "by": name})], "f")
        assert [one.code for one in report.refused] == [code], name
    assert study.decisions.take([(1, {**line, "by": "cy"})], "f").taken == 1


def test_the_last_curator_cannot_leave(tmp_path: Path) -> None:
    with fresh() as one:
        assert refusal(lambda: one.people.retire("curator", "curator")) == "last_curator"
        one.people.add("eve", "curator", "curator")
        one.people.retire("curator", "curator")
        assert refusal(lambda: one.people.retire("eve", "eve")) == "last_curator"
        assert refusal(lambda: one.quality.approve("curator")) == "retired"
        one.people.add("curator", "curator", "eve")
        assert one.quality.approve("curator").approved == 0


def test_the_name_that_nobody_gave_curates_only_where_nobody_bears_it(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.workbench", by="eve") as one:
        assert one.people.curates("curator")
        one.people.add("curator", "annotator", "eve")
        assert not one.people.curates("curator")
