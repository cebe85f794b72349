"""The rubric: whole, in both languages, in the order of scoring."""

from __future__ import annotations

import pytest

from curation.rubric import SCORES, rubric
from curation.work import scoring


def test_every_scored_dimension_has_its_words_for_every_score_in_both_languages() -> None:
    for name in (*scoring.PROCESS, *scoring.SIDES, scoring.ALONE, *scoring.DIMENSIONS):
        dimension = rubric().of(name)
        assert tuple(dimension.lines) == SCORES == scoring.SCORES
        for texts in (dimension.name, dimension.asks, dimension.doubt, *dimension.lines.values()):
            assert set(texts) == {"zh", "en"}
            assert all(text.strip() for text in texts.values())


def test_the_dimensions_are_in_the_order_of_scoring() -> None:
    assert tuple(d.id for d in rubric().dimensions) == (*scoring.PROCESS, scoring.ALONE)


def test_every_reply_is_scored_by_the_same_lines() -> None:
    assert {rubric().of(name).id for name in (*scoring.SIDES, "reply_cot", "reply_direct")} == {"reply"}
    with pytest.raises(KeyError):
        rubric().of("charm")


def test_a_line_of_the_rubric_fits_a_small_terminal() -> None:
    from rich.cells import cell_len

    for dimension in rubric().dimensions:
        for texts in dimension.lines.values():
            assert all(cell_len(text) <= 70 for text in texts.values())
