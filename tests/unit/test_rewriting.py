"""What a person changed of a text, as spans; and that nothing else is ever taken from the editor."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.layers import Edit, Layer, OffsetMap, anchor, apply_edits, check_edits, stack
from curation.rewriting import REASONS, changes, rejoined, share
from screens.widgets.rationale import into_box, out_of_box

# What editors damage: odd spaces, line ends, invisible characters, variation selectors, what the box itself stands in for.
ODD = "\u00a0\u3000\u200b\u200d\ufe0f\ufeff\r\n\u2028\u2029\x85\t\x0b\x1f\u202e❤👍🏽가é\U000f000d\U000f2028"
texts = st.text(alphabet=st.sampled_from("好的吗我你。ab1 " + ODD), max_size=24)
some = texts.filter(bool)


@given(some, texts)
def test_changes_make_one_text_of_the_other(before: str, after: str) -> None:
    edits = changes(before, after, "readable")
    check_edits(before, edits)
    assert apply_edits(before, edits) == after
    assert all(edit.start < edit.end for edit in edits), "none is a bare insertion"
    assert all(one.end < other.start for one, other in pairwise(edits))
    assert changes(before, before) == ()


@given(some, texts)
def test_the_share_is_part_of_the_longer_text(before: str, after: str) -> None:
    assert 0 <= share(before, after) <= 1
    assert (share(before, after) == 0) == (before == after)
    assert share(before, after) == share(after, before)


def test_the_share_of_plain_cases() -> None:
    assert share("", "") == 0
    assert share("今天下雨", "今天下雪") == 0.25
    assert share("好", "") == 1


@given(texts, st.integers(0, 24), st.integers(0, 24), st.text(alphabet="新字ab\n", max_size=4))
def test_what_was_not_touched_in_the_box_is_the_text_itself(text: str, start: int, end: int, typed: str) -> None:
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    shown = into_box(text)
    written = shown[:start] + typed + shown[end:]
    meant = rejoined(text, shown, written, out_of_box)
    assert meant == text[:start] + typed + text[end:] or into_box(meant) == written, "the same, told by other spans"
    assert rejoined(text, shown, shown, out_of_box) == text


def test_a_private_character_in_the_text_is_not_taken_for_a_held_one() -> None:
    text = "a\U000f000db"
    assert out_of_box(into_box(text)) != text, "the box alone would damage it"
    assert rejoined(text, into_box(text), into_box(text) + "c", out_of_box) == text + "c"


def test_what_is_shown_must_stand_for_the_text() -> None:
    with pytest.raises(ValueError, match="character by character"):
        rejoined("ab", "a", "a")


@given(some, st.lists(some, min_size=1, max_size=4), st.data())
def test_rewritings_stand_over_each_other_and_over_what_is_below(
    raw: str, wanted: list[str], data: st.DataObject
) -> None:
    """Whatever was normalised and rewritten, the last text is what the last person wrote, edit by edit."""
    norm = changes(raw, data.draw(some), "width")
    layers = [(Layer.NORMALISED, anchor(raw, norm, OffsetMap(())))]
    for text in wanted:
        below = stack(raw, layers)
        now = below.texts[Layer.EDITED] if Layer.EDITED in below.texts else below.texts[Layer.NORMALISED]
        base = below.maps[Layer.EDITED] if Layer.EDITED in below.maps else below.maps[Layer.NORMALISED]
        if now:
            layers.append((Layer.EDITED, anchor(now, changes(now, text, "other"), base)))
    made = stack(raw, layers)
    replayed = raw
    for one in made.rounds:
        assert one.below == replayed
        replayed = apply_edits(replayed, one.edits)
        assert one.text == replayed
    if made.rounds[-1].layer is Layer.EDITED:
        assert replayed == made.texts[Layer.EDITED]


def test_a_rewriting_below_taken_back_leaves_what_was_made_on_it_open() -> None:
    raw = "今天下雨吗"
    first = anchor(raw, [Edit(3, 4, "雪", "other")], OffsetMap(()))
    one = stack(raw, [(Layer.EDITED, first)])
    second = anchor(one.texts[Layer.EDITED], [Edit(2, 4, "落雪", "other")], one.maps[Layer.EDITED])
    third = anchor(one.texts[Layer.EDITED], [Edit(0, 1, "明", "other")], one.maps[Layer.EDITED])
    assert stack(raw, [(Layer.EDITED, first), (Layer.EDITED, second)]).texts[Layer.EDITED] == "今天落雪吗"
    without = stack(raw, [(Layer.EDITED, second), (Layer.EDITED, third)])
    assert without.texts[Layer.EDITED] == "明天下雨吗", "what stands elsewhere stands"
    assert [c.edit for c in without.rounds[0].conflicts] == list(second)


def test_every_reason_has_words() -> None:
    assert all(words and not words[0].isspace() for words in REASONS.values())
    assert "other" in REASONS
