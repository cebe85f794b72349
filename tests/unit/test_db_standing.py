"""The undo key takes back the last of a person's steps that still counts, not one that others have put out of force."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from curation.work import Answer
from db import settings
from db.history import TEXT_STEPS
from db.project import Project
from db.reviews import REVIEW_STEPS
from screens.quality import STEPS
from tests.conftest import Make, agree, bring, dialogue, projected_rows, staff

PHONE = "13812345678"
Step = Callable[[Project, str, str], object]


class Spent(NamedTuple):
    """A step of somebody's on a dialogue, and what another does that leaves nothing of it."""

    keys: tuple[str, ...]
    mine: Step
    theirs: Step


def _rule_of(study: Project, by: str, uid: str) -> None:
    for name in ("ann", "bo"):
        study.disputes.decide(name, uid, Answer(True, "hint", "再想想"))


def _decide(study: Project, by: str, uid: str, accept: bool) -> None:
    study.findings.decide(uid, by, 2, 1, 12, "PHONE", accept)


def _review(study: Project, by: str, uid: str) -> None:
    study.reviews.see(uid, by, range(1, 11))
    assert study.reviews.finish(uid, by).done


SPENT: dict[str, Spent] = {
    "approved": Spent(
        STEPS,
        lambda s, by, u: s.quality.approve(by, [s.dialogues.by_key(s.dialogues.key(u)).external_id]),
        lambda s, by, u: s.quality.trim(u, by, 2, []),
    ),
    "trimmed": Spent(
        STEPS, lambda s, by, u: s.quality.trim(u, by, 2, []), lambda s, by, u: s.quality.trim(u, by, 3, [])
    ),
    "normalised": Spent(
        STEPS,
        lambda s, by, u: s.quality.normalise(by, u),
        lambda s, by, u: (s.change_settings(by, script="traditional"), s.quality.normalise(by, u)),
    ),
    "sent_back": Spent(STEPS, lambda s, by, u: s.rewriting.send_back(u, by, "不对"), _rule_of),
    "dialect_told": Spent(
        TEXT_STEPS, lambda s, by, u: s.dialects.tell(u, by, "wu"), lambda s, by, u: s.dialects.tell(u, by, "gan")
    ),
    settings.KIND: Spent(
        TEXT_STEPS,
        lambda s, by, u: s.change_settings(by, rules_off=("width",)),
        lambda s, by, u: s.change_settings(by, rules_off=()),
    ),
    "finding": Spent(REVIEW_STEPS, lambda s, by, u: _decide(s, by, u, True), lambda s, by, u: _decide(s, by, u, False)),
    "waived": Spent(
        REVIEW_STEPS,
        lambda s, by, u: s.reviews.waive(u, by, (0, 0, 2), "PERSON", "不是人名"),
        lambda s, by, u: s.reviews.waive(u, by, (0, 0, 2), "PERSON", "是词"),
    ),
    "not_releasable": Spent(
        REVIEW_STEPS, lambda s, by, u: s.reviews.bar(u, by, "不行"), lambda s, by, u: s.reviews.unbar(u, by)
    ),
    "releasable": Spent(
        REVIEW_STEPS, lambda s, by, u: s.reviews.unbar(u, by), lambda s, by, u: s.reviews.bar(u, by, "不行")
    ),
    "review_done": Spent(
        REVIEW_STEPS,
        _review,
        lambda s, by, u: _decide(s, by, u, False),
    ),
    "lists_given": Spent(
        REVIEW_STEPS,
        lambda s, by, u: s.reviews.give_lists(by, 'allow = ["小笼包"]\n'),
        lambda s, by, u: s.reviews.give_lists(by, 'allow = ["大笼包"]\n'),
    ),
}


@pytest.fixture
def study(project: Make) -> Project:
    """d1 and d2 agreed on, something to normalise and a number in each; two curators, ann and bo their pair."""
    made = project()
    staff(made, 0)
    texts = {n: [m.text for m in dialogue(n, turns=10).messages] for n in ("d1", "d2")}
    bring(made, [dialogue(n, [t[0] + "１２說", t[1], f"打{PHONE}找我", *t[3:]]) for n, t in texts.items()])
    made.screening.assign("curator")
    agree(made, [made.dialogues.find(n).uid for n in texts])
    for name in ("fan", "gao"):
        made.people.add(name, "curator", "curator")
    return made


@pytest.mark.parametrize("kind", SPENT)
def test_undo_passes_over_a_step_that_others_have_put_out_of_force(study: Project, kind: str) -> None:
    one, two = (study.dialogues.find(n).uid for n in ("d1", "d2"))
    spent = SPENT[kind]
    if kind == "approved":
        _decide(study, "gao", one, True)
    if kind == "review_done":
        _decide(study, "gao", one, True)
    if kind == "releasable":
        study.reviews.bar(one, "gao", "不行")
    before: Step = {
        STEPS: lambda s, by, u: s.quality.trim(u, by, 3, []),
        TEXT_STEPS: lambda s, by, u: s.dialects.tell(u, by, "wu"),
        REVIEW_STEPS: lambda s, by, u: s.reviews.bar(u, by, "不行"),
    }[spent.keys]
    before(study, "fan", two)
    spent.mine(study, "fan", one)
    assert [e.kind for e in study.log.events() if e.by == "fan"][-1] == kind
    spent.theirs(study, "gao", one)
    assert study.dialogues.find("d1").uid == one
    rows = projected_rows(study)
    found = study.history.undo_last("fan", spent.keys)
    assert found is not None
    assert found[1] == two, "the step on the other dialogue, which still counts"
    assert study.history.undo_last("fan", spent.keys) is None
    after = projected_rows(study)
    assert {table: after[table] for table in rows if table != "state"} != rows, "it took something back"
    assert study.check() == []


@pytest.mark.parametrize("kind", SPENT)
def test_undo_takes_back_such_a_step_while_it_counts(study: Project, kind: str) -> None:
    one = study.dialogues.find("d1").uid
    if kind in ("approved", "review_done"):
        _decide(study, "gao", one, True)
    if kind == "releasable":
        study.reviews.bar(one, "gao", "不行")
    rows, mask = projected_rows(study), study.settings
    SPENT[kind].mine(study, "fan", one)
    found = study.history.undo_last("fan", SPENT[kind].keys)
    assert found is not None
    assert found[0] == kind
    assert study.settings == mask
    kept = {table: found for table, found in projected_rows(study).items() if table != "turn_seen"}
    assert kept == {table: found for table, found in rows.items() if table != "turn_seen"}
    assert study.history.undo_last("fan", SPENT[kind].keys) is None


def test_undo_passes_over_what_a_purge_has_closed(study: Project) -> None:
    one, two = (study.dialogues.find(n).uid for n in ("d1", "d2"))
    study.quality.trim(two, "fan", 3, [])
    study.quality.trim(one, "fan", 2, [])
    _decide(study, "gao", one, True)
    assert study.quality.approve("gao", ["d1"]).approved == 1
    study.purging.purge(study.purging.plan(["d1"]), "gao")
    assert study.history.undo_last("fan", STEPS) == ("trimmed", two)
    assert study.history.undo_last("fan", STEPS) is None
    assert study.check() == []
