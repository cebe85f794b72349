"""The score sheet and the figures as they are laid out: pure words in, lines out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from curation.statistics import Statistic, Status
from curation.work.scoring import Advice, Panel, PanelRow
from screens.figurewords import EVERY_DIMENSION, interval, number, panel_lines, panel_page, percent, sparkline
from screens.marked import Row, cells
from screens.scoresheet import EMPTY, Scored, box_of, laid_out


def text_of(rows: list[Row]) -> str:
    return "\n".join("".join(run.text for run in row) for row in rows)


def figure(value: float | None = 0.5, n: int = 40, status: Status = Status.OK) -> Statistic:
    low, high = (None, None) if value is None else (value - 0.1, value + 0.1)
    return Statistic(value, status if value is None else Status.OK, low, high, n, 3 * n)


def row(name: str = "cause", value: float | None = 0.5, n: int = 40, status: Status = Status.NO_VARIATION) -> PanelRow:
    one = figure(value, n, status)
    return PanelRow(name, one, figure(0.8, n), one, (0.1, None, 0.9))


def test_nought_is_a_score_and_an_empty_box_holds_no_digit() -> None:
    assert [box_of(score) for score in (0, 5, 10)] == ["[ 0]", "[ 5]", "[10]"]
    assert box_of(None) == box_of("") == EMPTY
    assert not any(character.isdigit() for character in EMPTY)


def test_every_box_is_as_wide_so_that_no_line_moves() -> None:
    assert {cell_len(box_of(score)) for score in (None, 0, 5, 10, "1", "2")} == {4}


@given(st.lists(st.text(max_size=60), min_size=1, max_size=7), st.integers(40, 120), st.booleans())
def test_the_sheet_keeps_every_visible_text_and_its_width(texts: list[str], width: int, wide: bool) -> None:
    lines = [Scored(f"行{n}", text, box_of(None), here=n == 0, beside=n > 4) for n, text in enumerate(texts)]
    rows = laid_out(lines, width, wide=wide)
    assert all(cells(one) <= max(width, 40) + 2 for one in rows)
    assert not any(character in text_of(rows) for character in "\x1b\x07\u202e")
    assert text_of(rows).count(EMPTY) == len(texts) + sum(text.count(EMPTY) for text in texts)


def test_two_replies_stand_side_by_side_only_where_it_is_wide() -> None:
    pair = [Scored("Reply 1", "甲", box_of(5), beside=True), Scored("Reply 2", "乙", box_of(None), beside=True)]
    assert "Reply 2" in text_of(laid_out(pair, 60, wide=True)).splitlines()[0]
    assert "Reply 2" not in text_of(laid_out(pair, 60)).splitlines()[0]


def test_a_course_shows_gaps_and_the_same_scale_for_all() -> None:
    assert sparkline([None, 0.0, 0.5, 1.0, -0.4, 2.0], 10) == " ▁▅█▁█"
    assert sparkline([0.0, 1.0], 1) == "█"
    assert sparkline([1.0], 0) == ""


@pytest.mark.parametrize("value", [0.0, 1.0, 0.337, -0.05, None])
def test_figures_are_always_as_wide(value: float | None) -> None:
    one = figure(value, status=Status.NO_VARIATION)
    assert (len(number(value)), len(percent(figure(abs(value or 0.0)))), len(interval(one))) == (5, 4, 11)


def test_an_undefined_figure_says_why_and_shows_no_number() -> None:
    lines = panel_lines(Panel((row(value=None),), compared=40), EVERY_DIMENSION, 80, advice=False)
    assert "nan" not in "\n".join(lines).lower()
    assert "α     –" in lines[1]
    assert any("chance cannot be told" in line for line in lines)


def test_a_handful_of_items_gives_no_coefficient() -> None:
    lines = panel_lines(Panel((row(n=4),), compared=4), EVERY_DIMENSION, 80, advice=False)
    assert "0.50" not in lines[1]
    assert "n 4" in lines[1]
    assert any("too few" in line for line in lines)
    assert "0.50" in panel_lines(Panel((row(n=5),), compared=5), EVERY_DIMENSION, 80, advice=False)[1]


def test_every_row_fits_a_small_terminal() -> None:
    panel = Panel(tuple(row(name, -0.25, 312) for name in EVERY_DIMENSION), compared=312)
    for line in panel_lines(panel, EVERY_DIMENSION, 80, advice=False)[1:]:
        assert cell_len(line) <= 80


def test_what_is_hidden_shows_no_figure() -> None:
    hidden = Panel((row(),), hidden="project")
    for words in ("\n".join(panel_lines(hidden, EVERY_DIMENSION, 80, advice=True)), panel_page(hidden)):
        assert "0.5" not in words
        assert "lead only" in words


def test_the_advice_names_dimension_scores_guideline_and_calibration_items() -> None:
    advice = Advice("emotion", 0, 5, 12, "bo", 0.71, (("c4", 10), ("[/", 5)))
    words = "\n".join(panel_lines(Panel((row(),), advice=advice), EVERY_DIMENSION, 80, advice=True))
    for part in ("Emotion", "0 and 5", "12 times", "a 5, never a 0", "Without bo", "0.71", "c4, [/"):
        assert part in words
    assert "calibration only" in words
