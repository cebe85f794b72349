"""Placeholders and masks."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.identifiers import Finding, detect, namefinder
from curation.identifiers.masks import mask
from curation.identifiers.replace import (
    NEWEST_POLICY,
    POLICIES,
    POLICY_VERSION,
    Policy,
    Strategy,
    canonical,
    ours,
    replacements,
)
from curation.identifiers.surrogates import Surrogates
from curation.layers import Edit, apply_edits

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


def test_every_type_has_a_name() -> None:
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
        *(
            "我叫",
            "贺雨晴",
            "雨晴",
            "老谢",
            "谢老师",
            "晴姐",
            "阿威",
            "叫什么",
            "户名",
            "住",
            "望月花园12栋501",
            "平江路88号",
            "在",
            "春芽小学",
            "上班",
        ),
        *(
            "生日",
            "1994年8月2日",
            "六月廿一",
            "的",
            "密码",
            "三个七 再两个二",
            "抖音",
            "tudou_771",
            "小 土 豆 咕",
            "车牌",
            "苏E",
            "8QF77",
            "坐标",
            "31.0042,121.7719",
        ),
        *("单号", "SF1048807731265", "7730 0418", "138", "后面", "Kelly", "朵朵", "·", "哥", "大学", "路", "号"),
    ]
)


DIALOGUES = st.lists(st.tuples(st.sampled_from("ab"), st.lists(PIECES, max_size=8).map("".join)), max_size=4)


@settings(deadline=None)
@given(DIALOGUES)
def test_scrubbed_text_is_clean(messages: Messages) -> None:
    with namefinder.using(namefinder.RULES_ALONE):
        once = scrub(messages)
        assert detect(once) == ()
        assert scrub(once) == once


@settings(deadline=None)
@given(DIALOGUES)
def test_text_scrubbed_by_the_newest_policy_is_clean(messages: Messages) -> None:
    with namefinder.using(namefinder.RULES_ALONE):
        edits = replacements(messages, detect(messages), key=b"k", policy=NEWEST_POLICY)
        once = applied(messages, edits)
        assert detect(once, ours=ours(edits)) == ()


def applied(messages: Messages, edits: dict[int, tuple[Edit, ...]]) -> Messages:
    return [(who, apply_edits(text, edits.get(i, ()))) for i, (who, text) in enumerate(messages)]


def newest(*texts: str, key: bytes = b"k", policy: str | Policy = NEWEST_POLICY) -> list[str]:
    messages = [("ab"[i % 2], text) for i, text in enumerate(texts)]
    with namefinder.using(namefinder.RULES_ALONE):
        return [t for _, t in applied(messages, replacements(messages, detect(messages), key=key, policy=policy))]


def test_names_keep_their_shape() -> None:
    texts = newest("我叫贺雨晴", "雨晴你好 老谢呢", "谢老师和Kelly来了", "范阿姨说晴姐睡了")
    assert len(texts[0]) == 5
    assert texts[0].startswith("我叫")
    surname, given = texts[0][2], texts[0][3:]
    assert surname != "贺"
    assert not set(given) & set("雨晴")
    assert texts[1].startswith(f"{given}你好 老")
    assert texts[2].startswith(texts[1][-2] + "老师和")
    assert texts[2].rstrip("来了").rpartition("和")[2].isascii()
    assert "Kelly" not in texts[2]
    assert texts[3].endswith(f"{given[-1]}姐睡了")


def test_invented_names_occur_nowhere_in_the_dialogue() -> None:
    common = "李周陈林何许沈宋程韩冯曹蔡潘田董叶余杜魏吕丁任姚卢钟谭陆汪范石廖"
    text = newest(f"我叫贺雨晴 {common}")[0]
    assert text[2] not in common + "贺"


def test_the_key_chooses_and_the_same_key_chooses_the_same() -> None:
    texts = ("我叫贺雨晴", "我是谭志远 昨天来过的", "收件人陆佳宁")
    assert newest(*texts) == newest(*texts)
    assert len({tuple(newest(*texts, key=bytes([n]))) for n in range(8)}) > 1


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("老王", "老."), ("小美", "小."), ("阿强", "阿."), ("王老师", ".老师"), ("欧阳", ".."),
        ("欧阳小姐", "..小姐"), ("陈 子 昂", ". . ."), ("朵朵", r"(.)\1"), ("Jason", "[A-Z][a-z]+"),
        ("SHEN YIFAN", "[A-Z]+ [A-Z]+"), ("Peter梁", "[A-Z][a-z]+."), ("买买提·阿不都拉", ".+·.+"),
        ("linxiaoyu", "[a-z]+"), ("王小明", "..."), ("航儿", ".儿"), ("王", "."),
    ],
)  # fmt: skip
def test_shapes(name: str, shape: str) -> None:
    made = Surrogates(["x"], b"k").name(name)
    assert made is not None
    assert re.fullmatch(shape, made)
    assert made != name


def test_what_has_no_shape_becomes_a_placeholder() -> None:
    messages = [("a", "网名雨后的虹啊吹过123来了")]
    accepted = [Finding(0, 2, 11, "PERSON", "", 1.0, "by hand")]
    assert replacements(messages, accepted, policy="2")[0][0].replacement == "[人名1]"


@given(st.text(max_size=12), st.binary(max_size=4))
def test_any_name_can_be_asked_for(name: str, key: bytes) -> None:
    made = Surrogates([name], key)
    assert made.name(name) == made.name(name)


def test_less_exact_words() -> None:
    texts = newest(
        "我在春芽小学读 她在柳河小学读",
        "住江苏省苏州市姑苏区平江路88号",
        "又去了春芽小学",
        "生日1994年8月2日",
        "生日六月廿一",
        "住望月花园12栋501",
    )
    assert texts == [
        "我在某小学读 她在某小学乙读",
        "住江苏省苏州市某处",
        "又去了某小学",
        "生日1994年",
        "生日某月某日",
        "住某处",
    ]


def test_types_can_be_kept_or_deleted() -> None:
    policy = POLICIES["2"].but("mine", PHONE=Strategy.DELETE, PERSON=Strategy.KEEP)
    assert newest("我叫贺雨晴 电话13800001234 QQ731940025", policy=policy) == ["我叫贺雨晴 电话 QQ[QQ1]"]
    with pytest.raises(ValueError, match="taken"):
        policy.but("2")
    with pytest.raises(ValueError, match="types"):
        policy.but("other", AGE=Strategy.KEEP)


def test_policies_stay_callable_by_their_version() -> None:
    assert POLICY_VERSION in POLICIES
    assert newest("我叫贺雨晴 电话13800001234", policy="1") == ["我叫[人名1] 电话[电话1]"]
    with pytest.raises(KeyError):
        newest("我叫贺雨晴", policy="0")


def test_where_our_own_words_stand() -> None:
    edits = {0: (Edit(0, 2, "abc", "x"), Edit(4, 5, "", "x"), Edit(6, 7, "zz", "x"))}
    assert ours(edits) == {0: ((0, 3), (6, 8))}
    assert apply_edits("0123456789", edits[0])[6:8] == "zz"


def test_ours_are_not_searched() -> None:
    assert detect([("a", "电话13800001234和13900001234")], ours={0: [(2, 13)]})[0].text == "13900001234"
    assert detect([("a", "😀电话１３８00001234")], ours={0: [(3, 14)], 5: [(0, 1)]}) == ()


def test_a_mask_says_what_it_covers_and_nothing_of_it() -> None:
    text = "我电话13800001234 邮箱a@example.com"
    masked = mask(text, detect([("a", text)]))
    assert masked == "我电话〔电话〕 邮箱〔邮箱〕"
    assert mask("没有", ()) == "没有"


def test_a_mask_covers_overlapping_findings_whole() -> None:
    overlapping = [Finding(0, 1, 5, "QQ", "", 1.0, ""), Finding(0, 3, 8, "PHONE", "", 1.0, "")]
    assert mask("0123456789", overlapping) == "0〔QQ〕89"
