"""The display boundary and line folding."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from screens.display import visible
from screens.lines import CUT, NEVER_FIRST, NEVER_LAST, at_most, fitted, fold, named, packed

ANY = st.text(st.characters(codec=None))  # lone surrogates too
HOSTILE = st.text(
    st.sampled_from("\x1b\x9b\x00\x07\u202e\u2066\u200b\u200d\ufeff\t\r\n\ud800\U000e0041\ufffe[/]你a👍🏽❤\ufe0f\u0301")
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("普通 text 123。", "普通 text 123。"),
        ("[/] [doge] [@click=x]", "[/] [doge] [@click=x]"),
        ("\x1b[2J\x00\x7f", "␛[2J␀␡"),
        ("\x9b31m", "‹U+009B›31m"),
        ("a\u202eb", "a‹U+202E›b"),
        ("微\u200b信", "微‹U+200B›信"),
        ("\ufeff头", "‹U+FEFF›头"),
        ("a\tb", "a    b"),
        ("a\r\nb", "a␍\nb"),
        ("\u2028", "‹U+2028›"),
        ("138\u00a01234\u20095678\u202f", "138‹U+00A0›1234‹U+2009›5678‹U+202F›"),
        ("全\u3000角 half", "全\u3000角 half"),
        ("\ud83d", "‹U+D83D›"),
        ("\ufffe\U0010ffff", "‹U+FFFE›‹U+10FFFF›"),
        ("\U000e0068\U000e0069", "‹tag hi›"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("a\u200db", "a‹U+200D›b"),
        ("e" + "\u0301" * 50, "e" + "\u0301" * 4 + "‹+46›"),
        ("สวัสดีครับ", "สวัสดีครับ"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_no_space_but_the_plain_and_the_wide_one_and_nothing_without_a_shape_is_shown_as_it_is() -> None:
    seen = set("\n \u3000") | {chr(code) for code in (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2)}
    seen |= {"\U000110bd", "\U000110cd"}  # signs that stand around a number, and are seen
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character) in ("Zs", "Zl", "Zp", "Cc", "Cf", "Cs") and character not in seen:
            assert character not in visible(f"a{character}b"), f"U+{code:04X}"
    for blank in "\u2800\u3164\uffa0\u115f\u1160\U0001d159":
        assert blank not in visible(f"a{blank}b")


def test_one_line_marks_new_lines_and_plain_emoji_drops_looks() -> None:
    assert visible("a\nb", one_line=True) == "a↵b"
    assert visible("❤\ufe0f👍🏽", plain_emoji=True) == "❤👍"


@given(st.one_of(ANY, HOSTILE))
def test_nothing_shown_acts_or_hides_and_showing_twice_changes_nothing(text: str) -> None:
    shown = visible(text)
    for character in shown:
        assert character == "\n" or unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(character) not in (
            "LRE",
            "RLE",
            "LRO",
            "RLO",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        )
        assert character not in "\u200b\u200e\u200f\ufeff"
    assert visible(shown) == shown
    shown.encode()


@given(st.text(st.sampled_from("你好，。！？（《“”》）…—abc 12\n👍🏽")), st.integers(2, 30))
def test_folding_keeps_the_text_and_the_width(text: str, width: int) -> None:
    lines = fold(text, width)
    assert "".join(lines) == text.replace("\n", "")
    assert all(cell_len(line) <= width for line in lines)


def test_no_line_begins_or_ends_with_the_wrong_mark() -> None:
    text = "他说：“今天（周五）我们去看《流浪地球》，好不好？”她想了想……说：“好啊！不过，要晚一点。”" * 3
    for width in range(10, 60):
        lines = fold(text, width)
        assert "".join(lines) == text
        for line in lines[1:]:
            assert line[0] not in NEVER_FIRST, (width, lines)
        for line in lines[:-1]:
            assert line[-1] not in NEVER_LAST, (width, lines)


MIXED = st.text(st.sampled_from("你好王小明 abc-0123456789👍。…"), min_size=1)


@given(MIXED, st.integers(1, 40))
def test_what_is_cut_for_a_column_says_so(text: str, width: int) -> None:
    for cut in (fitted, named):
        shown = cut(text, width)
        assert cell_len(shown) == width
        whole = cell_len(text) <= width
        assert shown.rstrip() == text.rstrip() if whole else CUT in shown


def test_names_that_differ_at_their_end_differ_where_they_are_cut() -> None:
    names = [f"weibo-2026-很长的编号-{n:06d}" for n in (1, 2, 10, 100)]
    for width in range(7, 30):
        assert len({named(name, width) for name in names}) == len(names), width


@given(st.lists(MIXED, min_size=1), st.integers(4, 60))
def test_parts_side_by_side_stay_whole(parts: list[str], width: int) -> None:
    lines = packed(parts, width, gap="|")
    assert all(cell_len(line) <= width for line in lines)
    assert "|".join(lines).split("|") == [p if cell_len(p) <= width else fitted(p, width) for p in parts]


def test_lines_left_out_are_told() -> None:
    assert at_most(["a", "b"], 2) == ["a", "b"]
    assert at_most(["a", "b", "c"], 2, "… more") == ["a", "… more"]


def test_words_stay_whole_where_they_can() -> None:
    assert fold("hello wonderful world", 11) == ["hello ", "wonderful ", "world"]
    assert fold("a" * 25, 10) == ["a" * 10, "a" * 10, "a" * 5]
    assert fold("！" * 8, 4) == ["！！"] * 4


def test_the_backstop_takes_out_what_slipped_through_and_keeps_the_width() -> None:
    from rich.segment import Segment
    from textual.color import Color

    from screens.filter import ForeignBytes

    clean = [Segment("你好 ok")]
    assert ForeignBytes().apply(clean, Color(0, 0, 0)) is clean
    dirty = [Segment("a\x1b[31m\x9b\u202eb\ud800"), Segment("\x1b[2J", None, [(1,)])]  # type: ignore[list-item]
    first, control = ForeignBytes().apply(dirty, Color(0, 0, 0))
    assert first.text == "a[31mb?"
    assert cell_len(first.text) == cell_len("a\x1b[31m\x9b\u202eb\ud800")
    assert control is dirty[1]
