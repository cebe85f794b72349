"""Labels and scales: the traps that make other programs answer wrongly without a word."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from curation.errors import BadInput, UsageError
from curation.statistics.agreement import agreement
from curation.statistics.chance import distant, weighted
from curation.statistics.figures import Level, Weights
from curation.statistics.scales import as_number, scale_of


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("5", 5.0), ("-1.5", -1.5), ("+2", 2.0), (".5", 0.5), ("1e3", 1000.0), ("007", 7.0)),
        *((text, None) for text in ("", "nan", "inf", "1_000", "1,5", "０", "٣", "1e999", "0x10", "5 5", "five")),
    ],
)
def test_what_is_a_number(text: str, number: float | None) -> None:
    assert as_number(text) == number


@pytest.mark.parametrize("level", [Level.ORDINAL, Level.INTERVAL, Level.RATIO])
def test_numbers_are_sorted_as_numbers_however_they_come(level: Level) -> None:
    for labels in itertools.permutations(("0", "10", "5")):
        assert scale_of(labels, level).labels == ("0", "5", "10")
        assert scale_of((), level, labels).labels == ("0", "5", "10")


def test_text_scores_have_the_alpha_of_numbers() -> None:
    items = [(0, 5), (10, 10), (5, 5), (0, 0), (10, 5), (100_000, 5)]
    text = [tuple(map(str, item)) for item in items]
    for level in Level:
        figures = agreement(items, level=level, resamples=0).figures
        assert agreement(text, level=level, resamples=0).figures == figures


def test_one_number_written_two_ways_is_one_label_and_codes_are_not_numbers() -> None:
    assert scale_of(("1", "1.0", "2"), Level.NOMINAL).labels == ("1", "2")
    assert scale_of(("1", "01", "2"), Level.NOMINAL).labels == ("01", "1", "2")
    assert scale_of(("1e1", "10"), Level.NOMINAL).labels == ("10", "1e1")
    assert scale_of((), Level.NOMINAL, ("1", "01")).labels == ("1", "01")
    assert scale_of(("Aa", "BB"), Level.NOMINAL).labels == ("Aa", "BB")


def test_text_that_looks_missing_is_a_label() -> None:
    found = agreement([("nan", "nan"), ("a", "nan"), ("None", "a"), ("", "a")], resamples=0)
    assert found.domain == ("None", "a", "nan")
    assert found.figures["krippendorff_alpha"].n_items == 3


def test_nan_is_not_a_rating() -> None:
    with pytest.raises(BadInput, match="leave out"):
        agreement([(1.0, float("nan"))])


def test_ordinal_text_needs_its_order_declared() -> None:
    items = [("low", "mid"), ("high", "high"), ("mid", "mid"), ("low", "high")]
    with pytest.raises(UsageError, match="--domain"):
        agreement(items, level=Level.ORDINAL)
    places = {"low": 0, "mid": 1, "high": 2}
    numbers = [tuple(places[label] for label in item) for item in items]
    declared = agreement(items, level=Level.ORDINAL, domain=("low", "mid", "high"), resamples=0)
    assert declared.figures == agreement(numbers, level=Level.ORDINAL, resamples=0).figures


@pytest.mark.parametrize(
    ("level", "domain"),
    [
        (Level.NOMINAL, ()),
        (Level.NOMINAL, ("",)),
        (Level.NOMINAL, ("a", "a")),
        (Level.ORDINAL, ("5", "5.0")),
        (Level.INTERVAL, ("a", "b")),
        (Level.RATIO, ("-1", "1")),
    ],
)
def test_a_domain_that_cannot_be_meant(level: Level, domain: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        scale_of((), level, domain)


def test_a_label_off_the_scale_says_so() -> None:
    with pytest.raises(BadInput, match="none of the labels 0, 5, 10"):
        scale_of((), Level.ORDINAL, (0, 5, 10)).place(7)
    with pytest.raises(BadInput, match="not a number"):
        scale_of(("1", "x"), Level.INTERVAL).place("x")
    with pytest.raises(BadInput, match="below nought"):
        scale_of(("1", "-2"), Level.RATIO).place("-2")
    assert scale_of((), Level.ORDINAL, (0, 5, 10)).place("5.0") == 1


def test_large_numbers_do_not_overflow() -> None:
    items = [(0, 0), (1e90, 1e90), (0, 1e90), (1e90, 1e90)]
    small = [(0, 0), (1, 1), (0, 1), (1, 1)]
    for level in (Level.INTERVAL, Level.RATIO):
        found = agreement(items, level=level, resamples=0).figures["krippendorff_alpha"]
        assert found.value == pytest.approx(agreement(small, level=level).figures["krippendorff_alpha"].value)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_sums_along_the_scale_are_those_over_all_pairs_of_labels(size: int) -> None:
    scale = scale_of((), Level.RATIO, [0, 1, 5, 10, 1000][:size])
    one, other = np.random.default_rng(2).random((2, 4, size))
    at = np.arange(size)
    for weights in Weights:
        table = scale.disagreement(weights, at[:, None], at[None, :])
        assert (np.diag(table) == 0).all()
        assert table.max() <= 1
        assert weighted(scale, weights, one, other) == pytest.approx(((one @ table) * other).sum(axis=1), abs=1e-12)
    for level in (Level.NOMINAL, Level.INTERVAL, Level.RATIO):
        table = scale.distances(level, at[:, None], at[None, :])
        assert distant(scale, level, one) == pytest.approx(((one @ table) * one).sum(axis=1), abs=1e-12)
