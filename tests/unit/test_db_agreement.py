"""Agreement of a project's screening: the engine's figures, from the blind decisions of both and from nothing else."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.statistics.figures import Status
from curation.statistics.screening import compared, drift, matrix
from curation.statistics.two_raters import counted, two_raters
from curation.taxonomy import taxonomy
from curation.work import Answer
from db.project import Project
from tests.conftest import Make, fresh, refusal, staff

LABELS = ("", "irony", "hint", "rejection")
PAIRS = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), max_size=9)


def say(study: Project, uid: str, person: str, label: str) -> None:
    study.screening.decide(person, uid, Answer(bool(label), label, "因为"))


def screened(study: Project, pairs: list[tuple[str, str]]) -> list[str]:
    """One dialogue a pair of labels, both of which are said."""
    uids = staff(study, len(pairs))
    for uid, (one, other) in zip(uids, pairs, strict=True):
        say(study, uid, "bo", other)
        say(study, uid, "ann", one)
    return uids


@settings(max_examples=15, deadline=None)
@given(PAIRS)
def test_the_figures_are_those_of_the_engine(pairs: list[tuple[str, str]]) -> None:
    with fresh() as study:
        screened(study, pairs)
        found = study.agreement.screening(resamples=50).pairs["ann+bo"]
        kept = [pair for pair in pairs if all(pair)]
        words = [("keep" if one else "drop", "keep" if other else "drop") for one, other in pairs]
        assert found.keep == two_raters(words, domain=("keep", "drop"), resamples=50)
        assert found.situation == two_raters(kept, domain=taxonomy().ids, resamples=50)


@given(PAIRS)
def test_counted_pairs_give_what_the_pairs_themselves_give(pairs: list[tuple[str, str]]) -> None:
    plain = [(one or "drop", other or "drop") for one, other in pairs]
    assert counted(Counter(plain).items(), resamples=0) == two_raters(plain, resamples=0)


def test_one_answer_of_two_enters_nothing(project: Make) -> None:
    study = project()
    uids = staff(study, 2)
    say(study, uids[0], "ann", "irony")
    found = study.agreement.screening(resamples=0)
    assert (found.items, found.open) == (0, 1)
    assert found.pairs["ann+bo"].keep.cohen_kappa.status is Status.NO_PAIRS
    assert study.agreement.items() == []


def test_everything_the_same_is_undefined_and_says_so(project: Make) -> None:
    study = project()
    screened(study, [("irony", "irony")] * 3)
    found = study.agreement.screening(resamples=0).pairs["ann+bo"]
    assert found.keep.cohen_kappa.status is Status.NO_VARIATION
    assert found.keep.percent_agreement.value == 1.0
    assert found.situation.gwet_ac1.value == 1.0  # defined, since twelve situations are declared


def test_a_changed_mind_before_the_other_commits_is_what_counts(project: Make) -> None:
    study = project()
    uids = staff(study, 1)
    say(study, uids[0], "ann", "irony")
    study.screening.undo("ann")
    say(study, uids[0], "ann", "hint")
    say(study, uids[0], "bo", "hint")
    assert study.agreement.counts()["ann+bo"] == {("hint", "hint"): 1}


def test_a_ruling_changes_no_figure(project: Make) -> None:
    study = project()
    uids = screened(study, [("irony", "hint"), ("", ""), ("hint", "hint")])
    before = study.agreement.screening(resamples=20)
    study.disputes.rule("curator", uids[0], Answer(True, "irony", "裁定"))
    assert study.agreement.screening(resamples=20) == before


def test_the_cells_of_the_matrix_hold_all_dialogues_once(project: Make) -> None:
    study = project()
    pairs = [("irony", "hint"), ("", "hint"), ("", ""), ("irony", "irony"), ("irony", "hint")]
    screened(study, pairs)
    found = study.agreement.screening(resamples=0).matrix
    names = []
    for i, one in enumerate(found.labels):
        for j, other in enumerate(found.labels):
            cell = study.agreement.cell("curator", one, other)
            assert len(cell) == found.table[i][j]
            names += [c.name for c in cell]
    assert sorted(names) == [f"d{n}" for n in range(1, 6)]


def test_a_label_of_another_taxonomy_stands_in_the_matrix_too() -> None:
    found = matrix({("sarcasm_9", "irony"): 2})
    assert found.labels[-2:] == ("sarcasm_9", "")
    assert compared({("sarcasm_9", "irony"): 2}, resamples=0).situation.n == 2


@given(st.integers(0, 500), st.integers(1, 12), st.integers(1, 60))
def test_blocks_cover_every_item_once_and_none_is_short(n: int, most: int, least: int) -> None:
    blocks = drift([("irony", "irony")] * n, str, most=most, least=least, resamples=0)
    assert sum(block.keep.n for block in blocks) == n
    assert len(blocks) <= most
    assert all(block.keep.n >= min(least, n) for block in blocks)


def test_people_see_figures_only_when_the_project_says_so_and_then_their_own(project: Make) -> None:
    study = project()
    screened(study, [("irony", "hint")])
    for name in ("cai", "dan"):
        study.people.add(name, "annotator", "curator")
    study.people.pair("cai", "dan", "curator")
    assert refusal(lambda: study.agreement.check("ann")) == "not_shown"
    assert study.agreement.cell("ann", "irony", "hint") == []
    study.change_settings("curator", show_agreement=True)
    study.agreement.check("ann")
    assert set(study.agreement.screening("ann", resamples=0).pairs) == {"ann+bo"}
    assert len(study.agreement.cell("ann", "irony", "hint")) == 1
    assert study.agreement.screening("cai", resamples=0).items == 0
    assert study.agreement.cell("cai", "irony", "hint") == []
    assert study.agreement.items("cai") == []


def test_what_cost_most_comes_first(project: Make) -> None:
    study = project()
    uids = staff(study, 3)
    say(study, uids[1], "ann", "irony")
    study.screening.undo("ann")
    for uid, labels in zip(uids, (("irony", "irony"), ("hint", "hint"), ("hint", "irony")), strict=True):
        say(study, uid, "ann", labels[0])
        say(study, uid, "bo", labels[1])
    assert [c.name for c in study.agreement.costly("curator")] == ["d3", "d2", "d1"]
    assert study.agreement.costly("ann") == []


@pytest.mark.parametrize("leaver", ["ann", "bo"])
def test_who_took_over_is_a_pair_of_their_own(project: Make, leaver: str) -> None:
    study = project()
    uids = staff(study, 2)
    stays = "bo" if leaver == "ann" else "ann"
    say(study, uids[0], "ann", "irony")
    say(study, uids[0], "bo", "irony")
    study.people.add("cy", "annotator", "curator")
    study.assigning.retire(leaver, "curator", "cy")
    say(study, uids[1], stays, "hint")
    say(study, uids[1], "cy", "hint")
    pair = "cy+bo" if leaver == "ann" else "ann+cy"
    assert study.agreement.counts() == {
        "ann+bo": {("irony", "irony"): 1},
        pair: {("hint", "hint"): 1},
    }
