"""Plates, coordinates, parcels, passwords, handles: and values sent in pieces. All are invented."""

from __future__ import annotations

import pytest

from curation.identifiers import Finding, detect, namefinder


def look(*texts: str, speakers: str = "ab") -> list[Finding]:
    with namefinder.using(namefinder.RULES_ALONE):
        return list(detect([(speakers[i % len(speakers)], t) for i, t in enumerate(texts)]))


def found(kind: str, *texts: str) -> list[str]:
    return [f.text for f in look(*texts) if f.type == kind]


@pytest.mark.parametrize(
    ("kind", "texts", "value"),
    [
        ("PLATE", ("我车京N·3K7P2",), "京N·3K7P2"),
        ("PLATE", ("绿牌沪AD00917",), "沪AD00917"),
        ("PLATE", ("闽 D ， 5 5 然后 Q 8 1",), "闽 D ， 5 5 然后 Q 8 1"),
        ("PLATE", ("渝 B 三 个 七 再 M 二",), "渝 B 三 个 七 再 M 二"),
        ("PLATE", ("粤Z7718港",), "粤Z7718港"),
        ("PLATE", ("车牌多少", "RT 5521"), "RT 5521"),
        ("PLATE", ("浙c30q55",), "浙c30q55"),
        ("GEO", ("31.0042,121.7719",), "31.0042,121.7719"),
        ("GEO", ("东经120.1234 北纬30.5678",), "东经120.1234 北纬30.5678"),
        ("GEO", ("坐标三零点2231 逗号 一二零点8842",), "三零点2231 逗号 一二零点8842"),
        ("GEO", ("N30°12′45″ E120°08′33″",), "N30°12′45″ E120°08′33″"),
        ("TRACKING", ("SF1048807731265到哪了",), "SF1048807731265"),
        ("TRACKING", ("单号多少", "7730 0418 2255 19"), "7730 0418 2255 19"),
        ("TRACKING", ("订单号2031070900055512348",), "2031070900055512348"),
        ("TRACKING", ("票号", "七八一 横杠 二二零四 五五一九 三零"), "七八一 横杠 二二零四 五五一九 三零"),
        ("SECRET", ("验证码771204",), "771204"),
        ("SECRET", ("会议号731-402-558",), "731-402-558"),
        ("SECRET", ("取件码4-1-7702",), "4-1-7702"),
        ("SECRET", ("门锁密码是三个七 再两个二",), "三个七 再两个二"),
        ("SECRET", ("wifi密码Tudou8899!",), "Tudou8899!"),
        ("SECRET", ("密码大写A 小写bc 然后四个6 加感叹号",), "大写A 小写bc 然后四个6 加感叹号"),
        ("SECRET", ("门禁多少", "星号 四四零二 井号"), "星号 四四零二 井号"),
        ("SECRET", ("暗号啥", "土豆地瓜77 别告诉别人"), "土豆地瓜77"),
        ("SECRET", ("口令红包大吉大利今晚",), "大吉大利今晚"),
        ("HANDLE", ("微博@土豆不是马铃薯",), "土豆不是马铃薯"),
        ("HANDLE", ("抖音号tudou.771",), "tudou.771"),
        ("HANDLE", ("小红书土豆爱睡觉88",), "土豆爱睡觉88"),
        ("HANDLE", ("ig几多", "tudou.ching_"), "tudou.ching_"),
        ("HANDLE", ("抖音 小 土 豆 咕 噜 7 7 1",), "小 土 豆 咕 噜 7 7 1"),
        ("HANDLE", ("快手关注下 tu dou 下划线 七七一",), "tu dou 下划线 七七一"),
        ("HANDLE", ("微博叫啥", "我叫土豆不酸er"), "土豆不酸er"),
        ("HANDLE", ("b站UID77120455",), "UID77120455"),
        ("QQ", ("他发我一串 773104629 啥意思", "是扣扣号吧"), "773104629"),
        ("WECHAT", ("加个微", "Tdou零七一喵"), "Tdou零七一喵"),
        ("EMAIL", ("邮箱tudou艾特一六三点com",), "tudou艾特一六三点com"),
    ],
)  # fmt: skip
def test_found(kind: str, texts: tuple[str, ...], value: str) -> None:
    assert found(kind, *texts) == [value]


@pytest.mark.parametrize(
    "texts",
    [
        ("苏A的车真多",), ("新i5-12400F",), ("新E5-2680v4",), ("密码忘了",), ("密码锁 12块一个",),
        ("锁屏密码设了没",), ("抖音上看的",), ("刷抖音刷到三点",), ("微博热搜第3",),
        ("豆瓣才5.9",), ("股票代码600519",), ("坐标上海",), ("坐K117",), ("快递到了没",), ("订单取消了",),
        ("版本 3.14.159",), ("单价1288元",), ("验证码收不到",),
    ],
)  # fmt: skip
def test_left_alone(texts: tuple[str, ...]) -> None:
    assert look(*texts) == []


@pytest.mark.parametrize(
    ("kind", "texts", "pieces"),
    [
        ("PHONE", ("138", "0000", "1234"), ["138", "0000", "1234"]),
        ("PHONE", ("我电话13800", "后面001234"), ["13800", "001234"]),
        ("PHONE", ("前三位138", "啊?", "后面是00001234"), ["138", "00001234"]),
        ("PHONE", ("电话 一三八零", "嗯", "零零零 一二三四"), ["一三八零", "零零零 一二三四"]),
        ("ID_NUMBER", ("身份证发我", "11010519", "4912310021"), ["11010519", "4912310021"]),
        ("ID_NUMBER", ("护照号", "E30", "571928"), ["E30", "571928"]),
        ("BANK_CARD", ("卡号发来", "6217004", "43055", "2177890"), ["6217004", "43055", "2177890"]),
        ("QQ", ("扣扣多少", "731", "940", "025"), ["731", "940", "025"]),
        ("TRACKING", ("订单号", "7731 0042", "9915 6630"), ["7731 0042", "9915 6630"]),
        ("WECHAT", ("你v多少", "tudou", "_771"), ["tudou", "_771"]),
        ("SECRET", ("密码分两条发", "Tudou", "@771"), ["Tudou", "@771"]),
        ("PLATE", ("车牌发我", "苏E", "8QF77"), ["苏E", "8QF77"]),
    ],
)
def test_pieces(kind: str, texts: tuple[str, ...], pieces: list[str]) -> None:
    for speakers in ("ab", "a"):
        got = look(*texts, speakers=speakers)
        assert [(f.type, f.text) for f in got] == [(kind, piece) for piece in pieces]
        assert len({f.message for f in got}) == len(pieces)


def test_an_address_for_mail_or_the_web_in_two_messages() -> None:
    assert [(f.message, f.type, f.text) for f in look("邮箱 tudou_771", "@example.com", speakers="a")] == [
        (0, "EMAIL", "tudou_771"),
        (1, "EMAIL", "@example.com"),
    ]
    assert [f.text for f in look("https://pay.example.com/", "q/7Yx0Qm", speakers="a")] == [
        "https://pay.example.com/",
        "q/7Yx0Qm",
    ]


def test_numbers_that_make_nothing_together_are_no_pieces() -> None:
    assert look("我考了118", "我96", "他99") == []
    assert look("买了138块的", "0000", "1234") == []
    assert look("13800001234", "5678")[0].text == "13800001234"
