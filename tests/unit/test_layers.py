"""Layers: edits apply and reverse, offsets map both ways, and taking back a lower change never gives wrong text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from curation.layers import (
    Anchored,
    Edit,
    Layer,
    OffsetMap,
    Stacked,
    anchor,
    apply_edits,
    check_edits,
    reverse_edits,
    stack,
)

LOW, MIDDLE, TOP = Layer.SCRUBBED, Layer.NORMALISED, Layer.EDITED
# Few letters, so that a text below can look like another by chance; emoji and marks, so that offsets are code points.
texts = st.text("ab中é\u0301😀\n", max_size=24)
replacements = st.text("abX〔😀", max_size=4)


@st.composite
def edits_of(draw: st.DrawFn, text: str, insertions: bool = True, deletions: bool = True) -> tuple[Edit, ...]:
    """Sorted, disjoint edits of `text`."""
    points = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    made: list[Edit] = []
    for number, (start, end) in enumerate(zip(points[::2], points[1::2], strict=False)):
        if start == end and not insertions:
            continue
        replacement = draw(replacements if deletions else replacements.filter(bool))
        made.append(Edit(start, end, replacement, f"r{number}"))
    return tuple(made)


@st.composite
def texts_and_edits(draw: st.DrawFn, insertions: bool = True, deletions: bool = True) -> tuple[str, tuple[Edit, ...]]:
    text = draw(texts)
    return text, draw(edits_of(text, insertions, deletions))


@given(texts_and_edits())
def test_reversed_edits_give_the_text_back(case: tuple[str, tuple[Edit, ...]]) -> None:
    text, edits = case
    above = apply_edits(text, edits)
    assert len(above) == len(text) + sum(e.shift for e in edits)
    assert apply_edits(above, reverse_edits(text, edits)) == text


@given(texts_and_edits())
def test_reversing_twice_is_doing(case: tuple[str, tuple[Edit, ...]]) -> None:
    text, edits = case
    back = reverse_edits(text, edits)
    assert reverse_edits(apply_edits(text, edits), back) == edits


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(-1, 1, "", "r")],
        [Edit(2, 1, "", "r")],
        [Edit(0, 4, "", "r")],
        [Edit(4, 4, "x", "r")],
        [Edit(0, 2, "", "r"), Edit(1, 3, "", "r")],
        [Edit(2, 3, "", "r"), Edit(0, 1, "", "r")],
        [Edit(0, 3, "", "r"), Edit(2, 2, "x", "r")],
    ],
)
def test_edits_outside_the_text_or_over_each_other_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="edit"):
        check_edits("abc", edits)


@given(texts_and_edits(), st.data())
def test_unchanged_characters_map_to_themselves_both_ways(
    case: tuple[str, tuple[Edit, ...]], data: st.DataObject
) -> None:
    text, edits = case
    above, offsets = apply_edits(text, edits), OffsetMap(edits)
    for index in range(len(text)):
        if not any(e.start <= index < e.end for e in edits):
            start, end = offsets.up(index, index + 1)
            assert text[index] in above[start:end]
            assert offsets.down(end - 1, end) == (index, index + 1)


@given(texts_and_edits(insertions=False, deletions=False), st.data())
def test_a_mapped_range_covers_what_the_range_covered_both_ways(
    case: tuple[str, tuple[Edit, ...]], data: st.DataObject
) -> None:
    text, edits = case
    above, offsets = apply_edits(text, edits), OffsetMap(edits)
    for there, back, length, other in (
        (offsets.up, offsets.down, len(text), len(above)),
        (offsets.down, offsets.up, len(above), len(text)),
    ):
        start = data.draw(st.integers(0, length))
        end = data.draw(st.integers(start, length))
        mapped = there(start, end)
        assert 0 <= mapped[0] <= mapped[1] <= other
        if start < end:
            again = back(*mapped)
            assert again[0] <= start
            assert end <= again[1]
            assert there(*again) == mapped, "mapping back and forth adds nothing more"


@given(texts_and_edits(), st.data())
def test_mapping_keeps_order(case: tuple[str, tuple[Edit, ...]], data: st.DataObject) -> None:
    text, edits = case
    offsets = OffsetMap(edits)
    ranges = [offsets.up(i, i + 1) for i in range(len(text))]
    assert all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(ranges))


def _anchored(text: str, edits: tuple[Edit, ...]) -> tuple[Anchored, ...]:
    return anchor(text, edits, OffsetMap(()))


@given(texts_and_edits(insertions=False), st.data())
def test_a_stack_is_its_layers_one_after_the_other(case: tuple[str, tuple[Edit, ...]], data: st.DataObject) -> None:
    raw, low = case
    one = stack(raw, [(LOW, _anchored(raw, low))])
    assert one.texts[LOW] == apply_edits(raw, low)
    middle = data.draw(edits_of(one.texts[LOW], insertions=False))
    kept = anchor(one.texts[LOW], middle, one.maps[LOW])
    two = stack(raw, [(LOW, _anchored(raw, low)), (MIDDLE, kept)])
    assert two.conflicts == ()
    assert two.texts[MIDDLE] == apply_edits(one.texts[LOW], middle)
    top = data.draw(edits_of(two.texts[MIDDLE]))
    last = anchor(two.texts[MIDDLE], top, two.maps[MIDDLE])
    three = stack(raw, [(LOW, _anchored(raw, low)), (MIDDLE, kept), (TOP, last)])
    assert three.conflicts == ()
    assert three.texts[TOP] == apply_edits(two.texts[MIDDLE], top)


def _sound(stacked: Stacked, layers: list[tuple[Layer, tuple[Anchored, ...]]]) -> None:
    """Each edit stands where its author's text stands, or is reported; the texts are what the edits make of them."""
    below = Layer.RAW
    for layer, kept in layers:
        conflicts = [c for c in stacked.conflicts if c.layer is layer]
        assert len(stacked.edits[layer]) + len(conflicts) == len(kept)
        text = stacked.texts[below]
        assert stacked.texts[layer] == apply_edits(text, stacked.edits[layer])
        applied = [
            one for one in sorted(kept, key=lambda k: (k.start, k.end)) if one not in [c.edit for c in conflicts]
        ]
        for edit, one in zip(stacked.edits[layer], applied, strict=True):
            assert text[edit.start : edit.end] == one.below
            assert edit.replacement == one.replacement
        below = layer


@given(texts_and_edits(insertions=False), st.data())
def test_taking_back_a_lower_change_leaves_an_upper_one_applied_or_in_conflict(
    case: tuple[str, tuple[Edit, ...]], data: st.DataObject
) -> None:
    raw, low = case
    one = stack(raw, [(LOW, _anchored(raw, low))])
    upper = data.draw(edits_of(one.texts[LOW]))
    kept = anchor(one.texts[LOW], upper, one.maps[LOW])
    left = tuple(e for e in low if data.draw(st.booleans()))
    layers = [(LOW, _anchored(raw, left)), (MIDDLE, kept)]
    after = stack(raw, layers)
    _sound(after, layers)
    gone = [e for e in low if e not in left]
    for edit in kept:
        if not any(g.start <= edit.end and edit.start <= g.end for g in gone):
            assert edit not in [c.edit for c in after.conflicts], "what was not touched still applies"
    assert stack(raw, [(LOW, _anchored(raw, low)), (MIDDLE, kept)]).texts[MIDDLE] == apply_edits(one.texts[LOW], upper)


@given(texts_and_edits(insertions=False), st.data())
def test_another_lower_change_never_puts_an_upper_one_in_a_wrong_place(
    case: tuple[str, tuple[Edit, ...]], data: st.DataObject
) -> None:
    raw, low = case
    one = stack(raw, [(LOW, _anchored(raw, low))])
    middle = anchor(one.texts[LOW], data.draw(edits_of(one.texts[LOW], insertions=False)), one.maps[LOW])
    two = stack(raw, [(LOW, _anchored(raw, low)), (MIDDLE, middle)])
    top = anchor(two.texts[MIDDLE], data.draw(edits_of(two.texts[MIDDLE])), two.maps[MIDDLE])
    other = data.draw(edits_of(raw, insertions=False))
    layers = [(LOW, _anchored(raw, other)), (MIDDLE, middle), (TOP, top)]
    _sound(stack(raw, layers), layers)


@given(texts_and_edits(insertions=False))
def test_the_map_of_a_stack_leads_back_to_raw(case: tuple[str, tuple[Edit, ...]]) -> None:
    raw, low = case
    assume(low)
    one = stack(raw, [(LOW, _anchored(raw, low))])
    for index, character in enumerate(raw):
        if not any(e.start <= index < e.end for e in low):
            start, end = one.maps[LOW].up(index, index + 1)
            assert one.texts[LOW][start:end] == character


def test_an_upper_edit_into_a_replaced_stretch_goes_when_the_replacement_goes() -> None:
    raw = "电话13812345678打我"
    low = (Edit(2, 13, "[电话1]", "pii:PHONE"),)
    one = stack(raw, [(LOW, _anchored(raw, low))])
    assert one.texts[LOW] == "电话[电话1]打我"
    upper = (Edit(5, 6, "9", "hand"), Edit(7, 8, "找", "hand"))
    kept = anchor(one.texts[LOW], upper, one.maps[LOW])
    assert stack(raw, [(LOW, _anchored(raw, low)), (MIDDLE, kept)]).texts[MIDDLE] == apply_edits(one.texts[LOW], upper)
    after = stack(raw, [(LOW, ()), (MIDDLE, kept)])
    assert after.texts[MIDDLE] == "电话13812345678找我"
    assert [c.found for c in after.conflicts] == ["13812345678"]
