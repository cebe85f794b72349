"""The blind: until both of a pair have committed, nobody sees or can work out what the other decided.

Two kinds of proof. Words that only one person wrote are looked for in everything the other can read. And two projects
that differ in that person's decision alone must give the other the very same views, errors included.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from curation.errors import WorkbenchError
from curation.layers import Layer
from curation.stages import Stage
from curation.work import Answer, Draft
from curation.work.screening import Spent
from db.project import Project
from tests.conftest import Make, bring, dialogue, fresh, staff

CANARY = "金丝雀CANARY"
OTHERS = {"ann": "bo", "bo": "ann"}
Act = Callable[[Project, str, str], None]


def views(study: Project, viewer: str) -> list[str]:
    """Everything that `viewer` can read through the façade, as text, with the words of refusals."""

    def seen(look: Callable[[], Any]) -> str:
        try:
            found = look()
            text = repr(list(found) if hasattr(found, "__next__") else found)
            return re.sub(r" at 0x[0-9a-f]+", "", text)
        except WorkbenchError as error:
            return f"{error.code} {error} {error.params}"

    looks: list[Callable[[], Any]] = [
        lambda: study.screening.task(viewer),
        lambda: study.screening.next(viewer, 0),
        lambda: study.screening.next(viewer, 1),
        lambda: study.screening.step(viewer, 1, 1),
        lambda: study.screening.step(viewer, 2, -1),
        lambda: study.screening.progress(viewer),
        study.screening.work,
        lambda: study.screening.second_words(viewer),
        lambda: study.disputes.counts(viewer),
        lambda: study.disputes.uids(viewer),
        lambda: study.pacing.phrases(viewer, None, ""),
        study.status,
        study.dialogues.stages,
        study.dialogues.funnel,
        study.dialogues.sources,
        study.dialogues.at,
        study.people.everyone,
        study.people.pairs,
        study.check,
        study.releases.gate,
        lambda: study.history.lines(viewer),
        lambda: study.history.lines(viewer, None, 2),
        lambda: study.decisions.give(viewer),
        lambda: study.search.find(CANARY),
        lambda: study.search.find("甲"),
        lambda: study.search.find("irony"),
        lambda: study.search.find(CANARY, layer=Layer.EDITED),
        lambda: study.decisions.take([(1, {"kind": "ruling", "dialogue": "d1", "keep": False})], "f", "curator"),
        lambda: study.decisions.take([(1, {"kind": "approval", "dialogue": "d1"})], "f", viewer),
    ]
    for name in ("d1", "d2", "d3"):
        uid = study.dialogues.find(name).uid
        looks += [
            partial(study.dialogues.find, name),
            partial(study.history.lines, viewer, name),
            partial(study.history.explain, name, viewer),
            partial(study.history.statements, uid, viewer),
            partial(study.disputes.page, viewer, uid),
            partial(study.raising.of, uid, viewer),
            partial(study.screening.given, viewer, uid),
            partial(study.quality.open_matters, uid),
            partial(study.quality.final, uid),
            partial(study.quality.layers, uid),
            partial(study.findings.spans, study.dialogues.key(uid)),
            partial(study.disputes.rule, "curator", uid, Answer(False)),
            partial(study.screening.take_back, "carol", uid),
            partial(study.quality.approve, viewer, [name]),
        ]
    looks += [partial(study.history.undo, str(number), "nobody") for number in range(1, 40)]
    looks += [partial(study.screening.task, viewer, place) for place in (1, 2, 3, 4)]
    return [seen(look) for look in looks]


def later(study: Project, viewer: str) -> list[str]:
    """What the viewer is told while working on: on other dialogues, and when taking back."""
    uids = [study.dialogues.find(name).uid for name in ("d2", "d3")]
    told = [repr(study.screening.decide(viewer, uids[0], Answer(True, "humor", "自己的")))]
    study.screening.skip(viewer, uids[1], "later")
    told += [repr(study.screening.undo(viewer)) for _ in range(3)]
    told.append(
        repr(study.decisions.take([(1, {"kind": "screening", "dialogue": "d3", "by": viewer, "keep": False})], "f"))
    )
    return told + views(study, viewer)


def keep_irony(study: Project, person: str, uid: str) -> None:
    study.screening.decide(person, uid, Answer(True, "irony", f"{CANARY}甲"))


def keep_hint(study: Project, person: str, uid: str) -> None:
    study.screening.decide(person, uid, Answer(True, "hint", "完全不同的话，长得多，长得多，长得多"))


def drop(study: Project, person: str, uid: str) -> None:
    study.screening.decide(person, uid, Answer(False, "", ""))


def by_line(study: Project, person: str, uid: str) -> None:
    line = {"kind": "screening", "dialogue": "d1", "by": person, "keep": False, "rationale": "乙"}
    study.decisions.take([(1, line)], "f")


def skip_later(study: Project, person: str, uid: str) -> None:
    study.screening.skip(person, uid, "later", f"{CANARY}甲")


def skip_unclear(study: Project, person: str, uid: str) -> None:
    study.screening.skip(person, uid, "unclear")


def _twice(first: Act, second: Act) -> Act:
    def act(study: Project, person: str, uid: str) -> None:
        first(study, person, uid)
        study.screening.undo(person)
        second(study, person, uid)

    return act


def _then_undone(first: Act) -> Act:
    def act(study: Project, person: str, uid: str) -> None:
        first(study, person, uid)
        study.screening.undo(person)

    return act


def draft_irony(study: Project, person: str, uid: str) -> None:
    study.screening.save_draft(person, uid, Draft(True, "irony", f"{CANARY}甲"))


def ask_one_way(study: Project, person: str, uid: str) -> None:
    study.raising.put(person, uid, "guideline", f"{CANARY}甲：是讽刺吧")


def ask_another_way(study: Project, person: str, uid: str) -> None:
    study.raising.put(person, uid, "guideline", "拒绝还是委婉")


def note_half_written(study: Project, person: str, uid: str) -> None:
    study.raising.save_note(person, uid, "guideline", f"{CANARY}甲")


def second_choice(study: Project, person: str, uid: str) -> None:
    study.screening.decide(person, uid, Answer(True, "hint", "丙", "humor"), spent=Spent(123456, 7))


def nothing(study: Project, person: str, uid: str) -> None:
    """The draft that was not made."""


# Groups of acts that must look the same to the other person.
ALIKE: dict[str, list[Act]] = {
    "decided": [keep_irony, keep_hint, drop, by_line, second_choice],
    "asked": [ask_one_way, ask_another_way],
    "skipped": [skip_later, skip_unclear],
    "changed": [_twice(keep_irony, drop), _twice(drop, keep_irony), _twice(keep_hint, keep_hint)],
    "taken back": [_then_undone(keep_irony), _then_undone(drop)],
    "skip taken back": [_then_undone(skip_later), _then_undone(skip_unclear)],
    "drafted": [draft_irony, nothing, note_half_written],
}


FOR_THE_LEAD = {"asked"}  # what is asked about the guideline is written to the lead


def _seen_after(act: Act, person: str, viewer: str, look: Callable[[Project, str], list[str]]) -> list[str]:
    with fresh() as study:
        uids = staff(study, 4)
        study.people.add("carol", "expert", "curator")
        act(study, person, uids[0])
        return look(study, viewer)


@pytest.mark.parametrize("person", ["ann", "bo"])
@pytest.mark.parametrize("group", ALIKE)
def test_what_one_decided_makes_no_difference_to_what_anyone_else_sees(group: str, person: str) -> None:
    first, *rest = ALIKE[group]
    for viewer in (OTHERS[person], "curator", "carol") if group not in FOR_THE_LEAD else (OTHERS[person], "carol"):
        looks = [views, later] if viewer in OTHERS else [views]
        for look in looks:
            expected = _seen_after(first, person, viewer, look)
            for act in rest:
                assert _seen_after(act, person, viewer, look) == expected, (viewer, look)


@pytest.mark.parametrize("person", ["ann", "bo"])
@pytest.mark.parametrize("act", [act for acts in ALIKE.values() for act in acts])
def test_no_word_of_one_persons_decision_reaches_another(act: Act, person: str) -> None:
    for viewer in (OTHERS[person], "curator", "carol"):
        if viewer == "curator" and any(act in ALIKE[group] for group in FOR_THE_LEAD):
            continue
        with fresh() as study:
            uids = staff(study, 4)
            study.people.add("carol", "expert", "curator")
            act(study, person, uids[0])
            seen = "\n".join(views(study, viewer))
            # The viewer's own searches for these words come back empty, so they stand nowhere else.
            assert CANARY not in seen
            assert "完全不同" not in seen
            assert "'irony'" not in seen
            assert "'hint'" not in seen


def test_the_one_who_decided_sees_their_own_decision(project: Make) -> None:
    study = project()
    uids = staff(study, 4)
    keep_irony(study, "ann", uids[0])
    seen = "\n".join(views(study, "ann"))
    assert CANARY in seen, "the look at everything does look"
    assert "irony" in seen


def test_after_both_have_committed_each_sees_the_other(project: Make) -> None:
    study = project()
    uids = staff(study, 2)
    keep_irony(study, "ann", uids[0])
    drop(study, "bo", uids[0])
    assert study.dialogues.find("d1").stage is Stage.DISPUTED
    given = [(s.person, s.answer) for s in study.history.statements(uids[0], "bo")]
    assert ("ann", Answer(True, "irony", f"{CANARY}甲")) in given
    assert not any(line.sealed for line in study.history.lines("bo"))
    assert {line["by"] for line in study.decisions.give("carol")} == {"ann", "bo"}


def test_sealed_lines_say_that_something_was_decided_and_nothing_more(project: Make) -> None:
    study = project()
    uids = staff(study, 2)
    keep_irony(study, "ann", uids[0])
    line = list(study.history.lines("bo"))[-1]
    assert (line.kind, line.by, line.dialogue, dict(line.facts)) == ("screened", "ann", "d1", {})
    assert line.sealed
    assert not next(reversed(list(study.history.lines("ann")))).sealed


def test_labels_that_came_with_the_file_do_not_reach_the_desk(project: Make) -> None:
    study = project()
    bring(study, [dialogue("d1", metadata={"scenario": CANARY})])
    for name in ("ann", "bo"):
        study.people.add(name, "annotator", "curator")
    study.people.pair("ann", "bo", "curator")
    study.screening.assign("curator")
    assert CANARY not in repr(study.screening.task("ann"))
    assert CANARY in repr(study.dialogues.find("d1")), "they are kept"
