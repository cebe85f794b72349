"""Texts are cut only where no sign that people see as one falls apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.graphemes import boundaries, step, stride

ODD = st.text(alphabet=st.sampled_from("a1我😀👍🏽‍️⃣é́🇨🇳🇯🇵\u200b "), max_size=20)


@pytest.mark.parametrize("sign", ["1️⃣", "👍🏽", "👨‍👩‍👧", "🇨🇳", "é", "我", "8\u200b"], ids=lambda s: ascii(s))
def test_what_is_seen_as_one_sign_is_one_step(sign: str) -> None:
    text = f"甲{sign}乙"
    assert step(text, 1, 1) == 1 + len(sign)
    assert step(text, 1 + len(sign), -1) == 1


def test_two_flags_in_a_row_are_two_signs() -> None:
    assert boundaries("🇨🇳🇯🇵") == [0, 2, 4]


@given(ODD)
def test_boundaries_rise_from_the_beginning_to_the_end(text: str) -> None:
    cuts = boundaries(text)
    assert cuts == sorted(set(cuts))
    assert cuts[0] == 0
    assert cuts[-1] == len(text)


@given(ODD, st.integers(0, 20), st.sampled_from([step, stride]))
def test_a_step_moves_unless_the_text_ends(text: str, at: int, move: object) -> None:
    assert callable(move)
    at = min(at, len(text))
    assert move(text, at, 1) > at or at == len(text)
    assert move(text, at, -1) < at or at == 0
    assert move(text, at, 1) in boundaries(text)


@pytest.mark.parametrize(
    ("text", "at", "direction", "there"),
    [
        ("电话13812345678吗", 2, 1, 13),
        ("电话13812345678吗", 13, -1, 2),
        ("加wx abc123", 1, 1, 3),
        ("叫我小明。好", 0, 1, 4),
    ],
)
def test_a_stride_takes_a_whole_number_or_word(text: str, at: int, direction: int, there: int) -> None:
    assert stride(text, at, direction) == there
