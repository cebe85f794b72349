"""Placeholders and masks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.identifiers import Finding, detect
from curation.identifiers.replace import canonical, mask, replacements
from curation.layers import apply_edits

Messages = list[tuple[str, str]]


def scrub(messages: Messages) -> Messages:
    edits = replacements(messages, detect(messages))
    return [(who, apply_edits(text, edits.get(i, ()))) for i, (who, text) in enumerate(messages)]


def test_one_number_for_one_value_however_it_is_written() -> None:
    messages = [
        ("a", "电话13800001234 微信abc_1234"),
        ("b", "是+86 138-0000-1234还是13900001234"),
        ("a", "①③⑧零零零零１２３４ 微信ａｂｃ 下划线 一二三四"),
    ]
    assert [text for _, text in scrub(messages)] == [
        "电话[电话1] 微信[微信1]",
        "是[电话1]还是[电话2]",
        "[电话1] 微信[微信1]",
    ]


def test_numbers_step_around_placeholders_already_there() -> None:
    messages = [("a", "打13800001234"), ("b", "[电话1]也行 或[电话3] 13900001234")]
    assert [t for _, t in scrub(messages)] == ["打[电话2]", "[电话1]也行 或[电话3] [电话4]"]


def test_the_rest_of_the_text_stays() -> None:
    text = "😀我邮箱hello@example.com[/微笑]发我\n好"
    assert scrub([("a", text)])[0][1] == "😀我邮箱[邮箱1][/微笑]发我\n好"
    edit = replacements([("a", text)], detect([("a", text)]))[0][0]
    assert edit.rule == "pii:EMAIL"


def test_only_what_was_accepted_is_replaced() -> None:
    messages = [("a", "13800001234"), ("b", "13900001234")]
    assert list(replacements(messages, detect(messages)[1:])) == [1]
    assert replacements(messages, ()) == {}


def test_types_not_detected_yet_have_names() -> None:
    messages = [("a", "我叫王小明 王小明"), ("b", "住哪")]
    accepted = [
        Finding(0, 2, 5, "PERSON", "王小明", 1.0, "by hand"),
        Finding(0, 6, 9, "PERSON", "王小明", 1.0, "by hand"),
    ]
    assert [e.replacement for e in replacements(messages, accepted)[0]] == ["[人名1]", "[人名1]"]


@pytest.mark.parametrize(("start", "end", "message"), [(0, 9, 0), (3, 3, 0), (0, 1, 2), (-1, 2, 0)])
def test_a_finding_outside_the_dialogue_is_refused(start: int, end: int, message: int) -> None:
    with pytest.raises(ValueError, match="finding"):
        replacements([("a", "短的")], [Finding(message, start, end, "QQ", "", 1.0, "")])


def test_overlapping_findings_are_refused() -> None:
    overlapping = [Finding(0, 0, 5, "QQ", "", 1.0, ""), Finding(0, 4, 8, "QQ", "", 1.0, "")]
    with pytest.raises(ValueError, match="overlap"):
        replacements([("a", "1234567890")], overlapping)


@pytest.mark.parametrize(
    ("kind", "left", "right"),
    [
        ("PHONE", "0086 138 0000 1234", "l38oooo1234"),
        ("ID_NUMBER", "11010519491231002x", "110105 19491231 零零二X"),
        ("EMAIL", "Some点one艾特163点com", "some.one@163.com"),
        ("URL", "www点example点cn斜杠aB", "www.example.cn/aB"),
        ("WECHAT", "ａｂ 杠 一二", "AB-12"),
        ("QQ", "四六二 七七九", "462779"),
    ],
)
def test_canonical(kind: str, left: str, right: str) -> None:
    assert canonical(kind, left) == canonical(kind, right)


def test_case_of_a_link_is_part_of_it() -> None:
    assert canonical("URL", "https://example.com/aB") != canonical("URL", "https://example.com/ab")


PIECES = st.sampled_from(
    [
        *(
            "电话",
            "微信",
            "v",
            "加v",
            "QQ",
            "身份证",
            "卡号",
            "邮箱",
            "尾号",
            "号",
            "我",
            "🐧",
            "vx",
            " ",
            "，",
            "-",
            "+86",
        ),
        *("(", ")", "[", "]", "杠", "下划线", "点com", "1️⃣", "\u200b", "\u0301", "[/微笑]", "[电话1]", "[裂开]"),
        *("13800001234", "1380000", "1234", "abc_1234", "tudou_7719", "一三八零零零零一二三四", "6217004430552177890"),
        *("110105194912310021", "a@b.com", "@b.com", "https://a.cn/b"),
    ]
)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.lists(PIECES, max_size=8).map("".join)), max_size=4))
def test_scrubbed_text_is_clean(messages: Messages) -> None:
    once = scrub(messages)
    assert detect(once) == ()
    assert scrub(once) == once


def test_a_mask_says_what_it_covers_and_nothing_of_it() -> None:
    text = "我电话13800001234 邮箱a@example.com"
    masked = mask(text, detect([("a", text)]))
    assert masked == "我电话〔电话〕 邮箱〔邮箱〕"
    assert mask("没有", ()) == "没有"


def test_a_mask_covers_overlapping_findings_whole() -> None:
    overlapping = [Finding(0, 1, 5, "QQ", "", 1.0, ""), Finding(0, 3, 8, "PHONE", "", 1.0, "")]
    assert mask("0123456789", overlapping) == "0〔QQ〕89"
