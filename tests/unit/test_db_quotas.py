"""Quotas: what is wanted and there, and a forecast that owns up to what it does not know."""

from __future__ import annotations

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.forecast import Gained, forecast
from curation.statistics.tests import wilson
from curation.work import Answer, Draft
from db.project import Project
from tests.conftest import Make, agree, bring, refusal, staff
from tests.unit.test_db_assigning import labelled


def gained(screened: int, irony: int) -> Gained:
    return Gained(screened, {"irony": irony}, 30.0, 1000)


@given(st.integers(1, 500), st.integers(0, 500), st.integers(0, 500))
def test_the_forecast_lies_within_its_interval(screened: int, have: int, target: int) -> None:
    have = min(have, screened)
    line = forecast("irony", target, gained(screened, have))
    assert line.need == max(target - have, 0)
    assert line.full == (have >= target)
    if line.candidates is not None and line.need:
        low, high = wilson(have, screened)
        assert line.candidates == ceil(line.need * screened / have) or line.candidates == ceil(
            line.need / (have / screened)
        )
        assert line.least is not None
        assert line.least <= line.candidates
        assert line.most is None or line.candidates <= line.most
        assert low <= have / screened <= high


def test_what_was_never_found_cannot_be_forecast() -> None:
    line = forecast("irony", 10, gained(40, 0))
    assert line.candidates is None
    assert line.most is None
    assert line.least is not None  # at the best, so many
    assert line.least > 0
    assert forecast("irony", 10, gained(0, 0)).rate is None
    assert forecast("irony", 10, gained(0, 0)).candidates is None


def test_the_board_counts_what_stands_waits_and_is_disputed(project: Make) -> None:
    study = project()
    uids = staff(study, 4)
    agree(study, uids[:1])
    study.screening.decide("ann", uids[1], Answer(True, "irony"))
    study.screening.decide("bo", uids[1], Answer(True, "hint"))
    bring(study, [labelled("x", "讽刺")])
    study.quotas.set("curator", {"讽刺": 3})
    board = study.quotas.board()
    irony = next(line for line in board.lines if line.situation == "irony")
    assert (irony.have, irony.target, irony.need, irony.disputed) == (1, 3, 2, 1)
    assert (board.screened, board.waiting, dict(board.hinted)) == (2, 3, {"irony": 1})
    assert irony.rate == 0.5
    assert board.candidates is not None
    assert board.candidates[0] == 4


def test_a_ruling_is_what_stands(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    study.screening.decide("ann", uids[0], Answer(True, "irony"))
    study.screening.decide("bo", uids[0], Answer(True, "hint"))
    study.disputes.rule("curator", uids[0], Answer(True, "humor"))
    assert study.assigning.have() == {"humor": 1}


def test_quotas_are_set_changed_and_taken_away(project: Make) -> None:
    study = project()
    assert study.quotas.set("curator", {"irony": 3, "hint": 0})
    assert not study.quotas.set("curator", {"irony": 3})
    assert study.quotas.targets() == {"irony": 3, "hint": 0}
    assert study.quotas.set("curator", {"irony": None})
    assert study.quotas.targets() == {"hint": 0}
    assert refusal(lambda: study.quotas.set("curator", {"weather": 3})) == "unknown_situation"
    assert study.check() == []


@pytest.mark.parametrize("target", [-1, 10_000_000])
def test_a_quota_is_a_sane_number(project: Make, target: int) -> None:
    study: Project = project()
    assert refusal(lambda: study.quotas.set("curator", {"irony": target})) != ""


def test_what_is_full_comes_last_on_the_lists_there_are(project: Make) -> None:
    study = project()
    staff(study, 0)
    bring(study, [labelled(f"{label}{n}", label) for n in range(1, 4) for label in ("讽刺", "幽默")])
    study.quotas.set("curator", {"讽刺": 1})
    assert study.assigning.assign("curator").later == 0, "nothing is full yet"
    names = {person: names_of(study, person) for person in ("ann", "bo")}
    first, begun = (study.dialogues.find(f"讽刺{n}").uid for n in (1, 2))
    agree(study, [first])
    study.screening.save_draft("bo", begun, Draft(True, "irony"))
    assert study.assigning.assign("curator").later == 1, (
        "what was begun stays, of what nobody began one has others behind it"
    )
    for person in ("ann", "bo"):
        left = names_of(study, person)
        assert left == [name for name in names[person] if name not in ("讽刺1", "讽刺3")] + ["讽刺3"]
    assert study.assigning.assign("curator").later == 0, "it is at the end already"
    study.quotas.set("curator", {"讽刺": None})
    assert study.assigning.assign("curator").later == 0
    assert study.check() == []


def names_of(study: Project, person: str) -> list[str]:
    """What a person has still to decide, in the order in which it comes."""
    found, place = [], 0
    while (task := study.screening.next(person, place)) is not None and task.place > place:
        found.append(task.stored.external_id)
        place = task.place
    return found
