"""Addresses, organisations and birthdays. All are invented."""

from __future__ import annotations

import pytest

from curation.identifiers import detect, namefinder, quasi_kinds


def found(kind: str, *texts: str) -> list[str]:
    with namefinder.using(namefinder.RULES_ALONE):
        return [f.text for f in detect([("ab"[i % 2], t) for i, t in enumerate(texts)]) if f.type == kind]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("寄到江苏省苏州市姑苏区平江路88号春晖大厦3幢1402室", "江苏省苏州市姑苏区平江路88号春晖大厦3幢1402室"),
        ("我住望月花园12栋3单元501", "望月花园12栋3单元501"),
        ("送到青年路19号", "青年路19号"),
        ("在云台县柳沟镇石桥村", "云台县柳沟镇石桥村"),
        ("住白杨镇下河村3组", "白杨镇下河村3组"),
        ("在长春路和人民街交叉口等", "长春路和人民街交叉口"),
        ("我家7-2-1103", "7-2-1103"),
        ("咱9栋620有人没", "9栋620"),
        ("梅园5舍302 床号4", "梅园5舍302 床号4"),
        ("地址：九龍旺角西洋菜街120號8樓C室", "九龍旺角西洋菜街120號8樓C室"),
        ("住台北市信義區松德路二段30號6樓之2", "台北市信義區松德路二段30號6樓之2"),
        ("在地铁5号线望河站B口", "地铁5号线望河站B口"),
        ("住在锦云嘉园 有空来", "锦云嘉园"),
    ],
)  # fmt: skip
def test_addresses(text: str, value: str) -> None:
    assert found("ADDRESS", text) == [value]


def test_an_address_in_two_messages() -> None:
    assert found("ADDRESS", "我家在新河区文昌路", "几号", "66号2幢903") == ["新河区文昌路", "66号2幢903"]


def test_a_room_is_one_where_a_building_was_spoken_of() -> None:
    assert found("ADDRESS", "外卖到了 在楼下", "您是1203对吧") == ["1203"]
    assert found("ADDRESS", "你是1203年的吧") == []


@pytest.mark.parametrize(
    "text",
    ["14栋楼真多", "3楼有卖的", "地铁5号线人多", "走路十分钟", "不知道啊", "在这里等", "城里人真会玩",
    "10号楼到14号楼停水", "小区门口", "去了趟上海", "坐3号线", "5月6号见", "公园里人多"],
)  # fmt: skip
def test_no_addresses(text: str) -> None:
    assert found("ADDRESS", text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("我在江北理工大学读大三", "江北理工大学"),
        ("孩子在春芽幼儿园", "春芽幼儿园"),
        ("发票开衡远商贸有限公司", "衡远商贸有限公司"),
        ("我在德馨口腔上班", "德馨口腔"),
        ("我是浙大的", "浙大"),
        ("十七中的", "十七中"),
        ("在市五院当护士", "市五院"),
        ("他搁宏图汽修厂呢", "宏图汽修厂"),
        ("在字节跳动做运营", "字节跳动"),
        ("约在老井火锅店吧", "老井火锅店"),
    ],
)
def test_organisations(text: str, value: str) -> None:
    assert found("ORG", text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "我们公司放假",
        "在学校上课",
        "去医院看病",
        "楼下超市",
        "这家酒店不错",
        "去银行取钱",
        "顺丰到了",
        "打会游戏",
        "手机店修的",
        "高中毕业",
        "哪个大学",
    ],
)
def test_no_organisations(text: str) -> None:
    assert found("ORG", text) == []


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        (("我生日1994年8月2日",), "1994年8月2日"),
        (("出生日期", "1988.11.30"), "1988.11.30"),
        (("我冬月十五生日",), "冬月十五"),
        (("生日啥时候", "六月廿一"), "六月廿一"),
        (("民國79年5月4日生",), "民國79年5月4日"),
        (("生日19990416",), "19990416"),
        (("我2003年4月1日的",), "2003年4月1日"),
        (
            (
                "她生日快到了",
                "对 9月 十 七",
            ),
            "9月 十 七",
        ),
        (("二零零一年 八月 十五号 出生",), "二零零一年 八月 十五号"),
    ],
)
def test_birthdays(texts: tuple[str, ...], value: str) -> None:
    assert found("BIRTHDATE", *texts) == [value]


@pytest.mark.parametrize(
    "text",
    ["2031年7月9日交房", "6月3号答辩", "五一去哪", "双十一", "3.14", "1/2的概率", "生日快乐", "版本2024.1.2发布了"],
)
def test_no_birthdays(text: str) -> None:
    assert found("BIRTHDATE", text) == []


def test_kinds_of_quasi_identifier() -> None:
    with namefinder.using(namefinder.RULES_ALONE):
        many = detect(
            [
                ("a", "我叫贺雨晴 在江北大学读大三"),
                ("b", "我在衡远商贸有限公司上班 住望月花园12栋501"),
                ("a", "生日1994年8月2日"),
            ]
        )
        few = detect([("a", "我叫贺雨晴 电话13800001234")])
    assert quasi_kinds(many) == {"name", "school", "employer", "address", "birthday"}
    assert quasi_kinds(few) == {"name"}
    assert quasi_kinds(()) == frozenset()
