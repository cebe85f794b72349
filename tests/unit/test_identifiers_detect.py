"""What is found, where, and how sure; and what is left alone. All numbers are invented."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.identifiers import (
    DETECTED,
    DETECTOR_VERSION,
    LIMITS,
    SURE,
    TYPES,
    Finding,
    NotScanned,
    class_of,
    detect,
    detector_version,
    limits,
    namefinder,
    scan,
)
from curation.identifiers.page import Candidate, Page

ID = "11010519491231002X"  # the example in the standard's text: its check character is right
CARD = "6217004430552177890"


def one(*texts: str) -> Finding:
    found = detect([("ab"[i % 2], text) for i, text in enumerate(texts)])
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "kind", "value", "sure"),
    [
        ("我电话13800001234你记一下", "PHONE", "13800001234", True),
        ("打我138-0000-1234", "PHONE", "138-0000-1234", True),
        ("+86 138 0000 1234", "PHONE", "+86 138 0000 1234", True),
        ("(+86)13800001234", "PHONE", "(+86)13800001234", True),
        ("１３８００００１２３４加我", "PHONE", "１３８００００１２３４", True),
        ("我手机幺三八零零零零幺二三四", "PHONE", "幺三八零零零零幺二三四", True),
        ("①③⑧⓪⓪⓪⓪①②③④", "PHONE", "①③⑧⓪⓪⓪⓪①②③④", True),
        ("打1️⃣3️⃣8️⃣0️⃣0️⃣0️⃣0️⃣1️⃣2️⃣3️⃣4️⃣吧", "PHONE", "1️⃣3️⃣8️⃣0️⃣0️⃣0️⃣0️⃣1️⃣2️⃣3️⃣4️⃣", True),
        ("电话l38OOOO1234", "PHONE", "l38OOOO1234", True),
        ("电话138八八零零，后面是六六七七", "PHONE", "138八八零零，后面是六六七七", True),
        ("1\u200b3\u200b8\u200b00001234", "PHONE", "1\u200b3\u200b8\u200b00001234", True),
        ("😀👨‍👩‍👧我电话13800001234", "PHONE", "13800001234", True),
        ("单位座机010-55501234转8023", "PHONE", "010-55501234转8023", True),
        ("（021）55501234", "PHONE", "（021）55501234", True),
        ("订座400-555-0123", "PHONE", "400-555-0123", True),
        ("Call 我 +852 6123 0000", "PHONE", "+852 6123 0000", True),
        ("我電話9123 0000，WhatsApp都得", "PHONE", "9123 0000", True),
        ("電話+886 912 000 306", "PHONE", "+886 912 000 306", True),
        ("打我+1 (212) 555-0173", "PHONE", "+1 (212) 555-0173", True),
        ("尾号7719的号不用了", "PHONE", "7719", False),
        (f"身份证{ID}", "ID_NUMBER", ID, True),
        ("身份证号是110105194912310021", "ID_NUMBER", "110105194912310021", True),
        ("买票用 110105 19491231 002x", "ID_NUMBER", "110105 19491231 002x", True),
        ("老身份证110105491231002", "ID_NUMBER", "110105491231002", True),
        ("护照E30571928", "ID_NUMBER", "E30571928", True),
        ("身份證係K305719(4)", "ID_NUMBER", "K305719(4)", True),
        ("身分證字號B120863158", "ID_NUMBER", "B120863158", True),
        (f"卡号{CARD} 建行", "BANK_CARD", CARD, True),
        ("6217 0044 3055 2177 890", "BANK_CARD", "6217 0044 3055 2177 890", True),
        ("银行卡号6217004430552177893开户行", "BANK_CARD", "6217004430552177893", True),
        ("邮箱是some.one+x@example.com收", "EMAIL", "some.one+x@example.com", True),
        ("someone＠１６３．ｃｏｍ", "EMAIL", "someone＠１６３．ｃｏｍ", True),
        ("someone艾特163点com", "EMAIL", "someone艾特163点com", True),
        ("t u d o u 圈a 163 点 com", "EMAIL", "t u d o u 圈a 163 点 com", True),
        ("someone at gmail dot com", "EMAIL", "someone at gmail dot com", True),
        ("someone(at)tom.com", "EMAIL", "someone(at)tom.com", True),
        ("打开https://v.example.com/kQ7xPm/打不开呀", "URL", "https://v.example.com/kQ7xPm/", True),
        ("xhslink.com/q/Zw3t给你", "URL", "xhslink.com/q/Zw3t", True),
        ("www点example点cn斜杠l斜杠kQ7x 发不出", "URL", "www点example点cn斜杠l斜杠kQ7x", True),
        ("QQ731940025", "QQ", "731940025", True),
        ("企鹅号 三五一 六六二 零八四七", "QQ", "三五一 六六二 零八四七", True),
        ("🐧731940025", "QQ", "731940025", True),
        ("加Q:731940025", "QQ", "731940025", True),
        ("加我微信tudou_991", "WECHAT", "tudou_991", True),
        ("vx:tudou_771", "WECHAT", "tudou_771", True),
        ("加vtudou9917", "WECHAT", "tudou9917", True),
        ("wxtudou_7719", "WECHAT", "tudou_7719", True),
        ("绿泡泡: ｔｕｄｏｕⅹ７１", "WECHAT", "ｔｕｄｏｕⅹ７１", True),
        ("加❤️tudou_7719", "WECHAT", "tudou_7719", True),
        ("威信tudou 下划线 七七一", "WECHAT", "tudou 下划线 七七一", True),
        ("t-u-d-o-u-7-7-1这是我薇", "WECHAT", "t-u-d-o-u-7-7-1", True),
        ("wxid_k9m3n7p2q5r8", "WECHAT", "wxid_k9m3n7p2q5r8", True),
    ],
)
def test_found(text: str, kind: str, value: str, sure: bool) -> None:
    found = one(text)
    assert (found.type, found.text) == (kind, value)
    assert text[found.start : found.end] == value
    assert (found.score >= SURE) == sure


@pytest.mark.parametrize(
    "text",
    [
        "QQ音乐20310709", "QQ红包50000", "微信运动说我今天21406步", "工资7000-12000", "10086又发短信",
        "打95588问", "打110啊",
        "1893456000123", "20310709", "2031年7月9日交房", "520 1314 么么", "77777777", "8888888再见", "行吧.me too",
        "圆周率3.14159265358979", "一二三四五六七", "i7-13700K",
        "192.168.0.1 dns 8.8.8.8", "我在家 一起去三八路", "勾股定理 三四五", "现在加v1.2版本", "坐Z9 硬卧",
        "[/微笑][裂开]", "我的电话[电话1] 加[微信1]或[QQ12] [PHONE_1] <PHONE> <PHONE_NUMBER>", "", " ",
        "2031070900055512348901", "号13800001234567890123456789",
    ],
)  # fmt: skip
def test_left_alone(text: str) -> None:
    assert detect([("a", text)]) == ()


def test_a_cue_of_the_other_speaker_names_a_later_value() -> None:
    assert one("v多少", "abc_1234").type == "WECHAT"
    assert one("v多少", "abc_1234").score >= SURE
    assert one("扣扣给我", "你等下", "2847105936").type == "QQ"
    assert one("WhatsApp係幾多", "六二一零，三五，四八").type == "PHONE"
    assert one("身份证收", "110105491231002").score >= SURE
    unsaid = detect([("a", "你好"), ("b", "abc_1234"), ("a", "2847105936")])
    assert [(f.rule, f.score < SURE) for f in unsaid] == [("left:token", True), ("left:number", True)]


def test_a_cue_far_back_is_forgotten() -> None:
    filler = [("ab"[i % 2], "嗯嗯") for i in range(8)]
    assert [(f.type, f.rule) for f in detect([("a", "v多少"), *filler, ("b", "abc_1234")])] == [
        ("HANDLE", "left:token")
    ]


def test_the_nearer_cue_decides() -> None:
    found = detect([("a", "QQ微信都可以"), ("b", "订单731940025 QQ731940026")])
    assert [(f.type, f.text) for f in found] == [("TRACKING", "731940025"), ("QQ", "731940026")]


def test_numbers_in_a_row_stay_apart() -> None:
    found = detect([("a", f"153 0000 4714 {ID} {CARD}")])
    assert [f.type for f in found] == ["PHONE", "ID_NUMBER", "BANK_CARD"]
    assert [f.text for f in detect([("a", "13800001234 13900001234")])] == ["13800001234", "13900001234"]
    assert len(detect([("a", "13800001234/13900001234、13700001234")])) == 3


def test_a_digit_word_before_a_number_does_not_hide_it() -> None:
    assert one("房间三13800001234").text == "13800001234"


def test_a_wrong_check_digit_never_hides_what_the_words_name() -> None:
    wrong = ID[:-1] + "1"
    assert one(f"身份证{wrong}").score >= SURE
    assert one(wrong).score < SURE
    assert one(f"身份证号 {ID[:-1]}").score < SURE  # one character short


def test_the_thirty_first_of_february_is_no_date_but_a_cue_counts() -> None:
    assert detect([("a", "110105199002310021")]) == ()
    assert one("身份证110105199002310021").score < SURE


def test_findings_are_sorted_disjoint_and_typed() -> None:
    found = detect([("a", "微信就是手机13800001234"), ("b", "好 QQ 731940025 邮箱77123450@example.com")])
    assert list(found) == sorted(found)
    assert [(f.message, f.type) for f in found] == [(0, "PHONE"), (1, "QQ"), (1, "EMAIL")]
    assert {f.type for f in found} <= set(DETECTED)


_OFTEN = "王小明老阿叫我在住路区栋苑店学校生日月年密码抖音·京沪"
_OFTEN += "0123456789138零幺一二①Ｏl微信vxqQ号@.点杠:/-_ +()[]电话身份证卡abc\n\u200b🐧"
CHAT = st.text(st.one_of(st.sampled_from(_OFTEN), st.characters(categories=None)))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["我", "他"]), CHAT), max_size=5))
def test_any_dialogue_is_scanned(messages: list[tuple[str, str]]) -> None:
    found = detect(messages)
    for left, right in pairwise(found):
        assert (left.message, left.end) <= (right.message, right.start) or left.message < right.message
    for f in found:
        assert f.text == messages[f.message][1][f.start : f.end] != ""
        assert 0 < f.score <= 1


_PRINTED = r"""
1 一 a @ . : / - _ l 0 ① ( （ [ 点 杠 v 微 Ｏ + ¥ ｜ 😀 王 小 阿 路 区 村 栋 号 市 苑 店 中 院 学 我 叫
在 的 了 和 " ° ' 月 年 N 个 1- 一点 a. a@ a@b. 微信 http:// 零一 1( a_ 然后1 a1 加v [电话1] qq1 e1 拼音
😀a 2个 :: 1. QQ12345678, 京A 京A1 王小 王小明 老王 中路 路1号 1号楼 栋1 苑1栋 学校 大学 张老师 王老师
中学的 东经1 1.123, 1点2, 密码1 密码a 井号 下划线 抖音a 抖音小 1月1日 生日1月 1990.1.1 初八 叫王 收件人王
姓名 口令 暗号 答案是 @小 ·王 王·李· 哥 有限公司 某某公司 清华 在上班 市一 和王路 路与路 附近 加1
地铁1号线 省市区县镇乡村
"""
UNITS = [
    *_PRINTED.split(),
    "1 ",
    "v ",
    "a b ",
    "a at ",
    "a 点 ",
    "62 ",
    "138 ",
    "138\n",
    "13800001234 ",
    "尾号1234 ",
    "一 ",
    "小 怪 ",
    "我叫王小明 ",
    " ",
    "\u0301",
    "\u200b",
]


@pytest.mark.parametrize("unit", UNITS)
def test_time_is_linear(unit: str) -> None:
    asked = ("a", "微信多少 电话 密码 抖音 坐标 车牌 单号 身份证 生日 叫什么")

    def spent(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        detect([asked, ("b", text)])
        return time.process_time() - start

    with namefinder.using(namefinder.RULES_ALONE):
        small, large = spent(2_000), spent(10_000)
    # Five times the text: five times the time, and room for a clock that is not alone. Squared it would be 25.
    assert large < 10.0
    assert large < 14 * max(small, 0.05)


class _Everything:
    """A tagger that takes everything for names of one kind, three characters each."""

    name = "everything"
    discerning = True

    def __init__(self, tag: str) -> None:
        self._tag = tag

    def read(self, text: str) -> list[tuple[int, int, str]]:
        return [(at, min(at + 3, len(text)), self._tag) for at in range(0, len(text), 3)]


@pytest.mark.parametrize(
    ("unit", "finder"),
    [
        *(
            (unit, namefinder.RULES_ALONE)
            for unit in ("1.123,", "台12345678 ", "138 ", "主页", "车牌a1234567 ", "尾号1234 ")
        ),
        *((unit, _Everything(namefinder.ORG)) for unit in ("银行住", "公司上班", "省妇幼", "A栋一楼")),
        *((unit, _Everything(namefinder.PER)) for unit in ("微信王", "我叫王小明 ")),
        *((unit, _Everything(namefinder.LOC)) for unit in ("南京路", "住对面")),
    ],
)
def test_four_times_the_numbers_or_names_take_four_times_the_time(unit: str, finder: namefinder.Tagger) -> None:
    def spent(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        detect([("a", "微信多少 叫什么 哪个公司 住哪"), ("b", text)])
        return time.process_time() - start

    with namefinder.using(finder):
        spent(500)
        small, large = spent(3_000), spent(12_000)
    assert large < 9 * max(small, 0.03)  # squared it would be 16


def test_a_recogniser_that_fails_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(page: Page, index: int) -> Iterator[Candidate]:
        raise TimeoutError("13800001234")

    monkeypatch.setitem(scan.FAMILIES, "cards", (("BANK_CARD",), broken))
    with pytest.raises(NotScanned) as caught:
        detect([("a", "电话13800001234")])
    assert "cards" in str(caught.value)
    assert "1380000" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_kinds_and_limits() -> None:
    assert len(TYPES) == 16
    assert class_of("PHONE") == "direct"
    assert class_of("BIRTHDATE") == "quasi"
    with pytest.raises(KeyError):
        class_of("AGE")
    assert set(limits()) <= set(LIMITS)
    with namefinder.using(namefinder.RULES_ALONE):
        assert limits() == ["names_in_words", "names_by_rules"]
        assert detector_version() == f"{DETECTOR_VERSION}+rules"
    assert set(DETECTED) == set(TYPES)


def test_every_family_is_for_known_types() -> None:
    covered = {kind for kinds, _ in scan.FAMILIES.values() for kind in kinds}
    assert covered == set(TYPES)
