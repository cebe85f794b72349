"""Folding disguised text, and the way back to the original."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.folding import FILLER, digits_read, fold, lower_ascii

# Everything Python calls a string, with the troublemakers often: marks, keycaps, ligatures, halves of surrogates.
TROUBLE = "①⑩1️⃣㈠ﷺ½𝟏\u200b\u0301\ufe0f\u20e3\ud83d\udc27ａ＠Ⅷ⒈\U0001f170幺拐l|0"
ANY_TEXT = st.text(st.one_of(st.characters(categories=None), st.sampled_from(TROUBLE)))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("１３８", "138"),
        ("①③⑧⓪❶➀⓵", "1380111"),
        ("1️⃣3️⃣", "13"),
        ("𝟏𝟑𝟖", "138"),
        ("1\u200b3\u20608\ufeff", "138"),
        ("1\u03013\u0336", "13"),
        ("٣٨", "38"),
        ("ａ＠ｂ．ｃ", "a@b.c"),
        ("\u0430bс", "abc"),
        ("⑩㈠", "10(一)"),
        ("ⅹｔｕ", "xtu"),
        ("一起去三八路", "一起去三八路"),
        ("🅥🆇", "VX"),
    ],
)
def test_reads_plainly(text: str, plain: str) -> None:
    assert fold(text).text == plain


def test_a_span_takes_in_the_marks_on_its_last_character_only() -> None:
    text = "我1️⃣3️⃣\u200b吗"
    folded = fold(text)
    start, end = folded.span(1, 3)
    assert text[start:end] == "1️⃣3️⃣"


def test_one_character_that_becomes_many_stays_one() -> None:
    text = "a⑩\u0301b"
    folded = fold(text)
    assert folded.text == "a10b"
    assert folded.span(1, 2) == folded.span(2, 3) == folded.span(1, 3) == (1, 3)


@given(ANY_TEXT)
def test_never_raises_and_maps_within_the_text(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert all(0 <= s < e <= len(text) for s, e in zip(folded.starts, folded.ends, strict=True))
    assert list(folded.starts) == sorted(folded.starts)
    assert list(folded.ends) == sorted(folded.ends)
    # What a span was made from reads as the span does, and more only where one character made several.
    for start in range(len(folded.text)):
        left, right = folded.span(start, start + 1)
        assert folded.text[start] in fold(text[left:right]).text


@given(ANY_TEXT)
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@given(ANY_TEXT)
def test_other_readings_keep_the_length(text: str) -> None:
    plain = fold(text).text
    assert len(lower_ascii(plain)) == len(plain)
    assert len(digits_read(plain)) == len(plain)
    assert len(digits_read(plain, look_alikes=True)) == len(plain)


@given(ANY_TEXT, st.data())
def test_collapsing_keeps_the_map(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(folded.text)), max_size=6)))
    ranges = list(zip(cuts[::2], cuts[1::2], strict=False))
    short = folded.collapse(ranges)
    assert len(short.text) == len(folded.text) - sum(e - s - 1 for s, e in ranges)
    assert list(short.starts) == sorted(short.starts)
    for start, end in ranges:
        assert (folded.starts[start], folded.ends[end - 1]) in list(zip(short.starts, short.ends, strict=True))
    if not ranges:
        assert short is folded
    elif FILLER not in text:
        assert short.text.count(FILLER) == len(ranges)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("幺三八零〇", "13800"),
        ("壹贰叁肆伍陆柒捌玖", "123456789"),
        ("拐洞拐六", "7076"),
        ("山洞 拐弯 一勾", "山洞 拐弯 19"),
        ("两个", "两个"),
    ],
)
def test_chinese_digits(text: str, read: str) -> None:
    assert digits_read(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [("l38O", "1380"), ("18O-66l2", "180-6612"), ("lol", "lol"), ("GB281", "GB281"), ("OK", "OK"), ("1З9", "139")],
)
def test_letters_for_digits_only_among_digits(text: str, read: str) -> None:
    assert digits_read(text, look_alikes=True) == read
