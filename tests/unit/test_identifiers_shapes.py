"""Identifiers by their shape and by what was asked for, where no word beside them says what they are. Invented lines."""

from __future__ import annotations

import pytest

from curation.identifiers import SURE, detect


def look(*texts: str) -> list[tuple[int, str, str]]:
    return [(f.message, f.text, f.type) for f in detect([("ab"[n % 2], text) for n, text in enumerate(texts)])]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("师傅到哪了", "车尾号七七三K 白色的"), (1, "七七三K", "PLATE")),
        (("车牌发我", "闽D然后两个8再加X02"), (1, "闽D然后两个8再加X02", "PLATE")),
        (("房号多少", "1816 我下来接你"), (1, "1816", "ADDRESS")),
        (("晚上在哪上课", "3教205"), (1, "3教205", "ADDRESS")),
        (("网课会议号多少", "418 207 335"), (1, "418 207 335", "SECRET")),
        (("楼下门禁呢", "嗯", "好", "等下", "还没到", "1801#2580"), (5, "1801#2580", "SECRET")),
        (("进群写啥", "验证写撸串小分队"), (1, "撸串小分队", "SECRET")),
        (("护照快到期了", "我的E 拐 零 三 三 八 幺 幺 六"), (1, "E 拐 零 三 三 八 幺 幺 六", "ID_NUMBER")),
        (("驾驶证档案号呢", "440680214477"), (1, "440680214477", "ID_NUMBER")),
        (("回乡证有吗", "H09284417 02"), (1, "H09284417 02", "ID_NUMBER")),
        (("电话", "一八六 那啥 四零二三 九一一七"), (1, "一八六 那啥 四零二三 九一一七", "PHONE")),
        (("叫佢打俾我 9213 4408",), (0, "9213 4408", "PHONE")),
        (("卡6230 5200 0903 4477 12",), (0, "6230 5200 0903 4477 12", "BANK_CARD")),
        (("邮箱呢", "卓的拼音加92 艾特 一六三 点 com"), (1, "卓的拼音加92 艾特 一六三 点 com", "EMAIL")),
        (("加vx 杠杠 xixi 二零零四",), (0, "杠杠 xixi 二零零四", "WECHAT")),
        (("网站发我", "www点haoke365点com斜杠reg问号id等于8802"), (1, "www点haoke365点com斜杠reg问号id等于8802", "URL")),
        (("我王者id 一只小火龙丶", "我换号了 叫夜猫不熬夜233"), (1, "夜猫不熬夜233", "HANDLE")),
        (("我快手小店叫东北大姨酸菜铺",), (0, "东北大姨酸菜铺", "HANDLE")),
        (("孩子佟语桐 2016年8月2号",), (0, "2016年8月2号", "BIRTHDATE")),
        (("具体哪天", "农历九月初三", "阳历呢", "1999年10月11日"), (3, "1999年10月11日", "BIRTHDATE")),
        (("好的 可欣妈妈",), (0, "可欣妈妈", "PERSON")),
        (("到了！谢了鸿哥",), (0, "鸿哥", "PERSON")),
        (("改了 叫Estelle 何",), (0, "Estelle 何", "PERSON")),
        (("他去容桂街道卫生站打针了",), (0, "容桂街道卫生站", "ORG")),
    ],
)  # fmt: skip
def test_found_by_shape_and_by_what_was_asked(texts: tuple[str, ...], expected: tuple[int, str, str]) -> None:
    assert expected in look(*texts)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("abc_1234", "HANDLE"), ("4417208853", "QQ"), ("330271884406125", "ID_NUMBER"), ("qzt88120345", "TRACKING")],
)
def test_what_nothing_names_is_held_up_for_the_eye(text: str, kind: str) -> None:
    found = detect([("a", "你看下"), ("b", text)])
    assert [(f.text, f.type) for f in found] == [(text, kind)]
    assert found[0].score < SURE, "a person decides"


@pytest.mark.parametrize(
    "text",
    [
        "昨天双色球 03 08 17 22 26 31 + 12", "子网255.255.255.0", "做完P45-47", "520 1314", "时间戳1699862400000",
        "iphone14pro", "i7-13700K够了", "RTX4060", "圆周率3.14159265358979", "体重75kg 身高178", "G1652 14:08开",
        "基金代码161725", "欠你12345678", "19990520元", "2000年的夏天", "h264转mp4", "covid19", "哈哈hhhh",
    ],
)  # fmt: skip
def test_shapes_of_everyday_things_are_left_alone(text: str) -> None:
    assert look(text) == []


@pytest.mark.parametrize("name", ["徐总", "阿兰姐", "秦导", "陆工"])
def test_a_form_of_address_counts_at_the_very_end_of_a_line(name: str) -> None:
    assert look(name) == look(f"{name}，")
    assert [f for f in look(name) if f[2] == "PERSON"]
