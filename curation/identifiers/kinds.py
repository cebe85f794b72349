"""The sixteen types of identifier, and what each is worth.

A *direct* identifier points at one person by itself (a phone number); a *quasi* one helps together with
others (a name, a birthday). Detection, replacement and the release gate all speak of these names.
"""

from __future__ import annotations

from typing import Final

PHONE: Final = "PHONE"
ID_NUMBER: Final = "ID_NUMBER"
BANK_CARD: Final = "BANK_CARD"
PLATE: Final = "PLATE"
WECHAT: Final = "WECHAT"
QQ: Final = "QQ"
HANDLE: Final = "HANDLE"
EMAIL: Final = "EMAIL"
URL: Final = "URL"
GEO: Final = "GEO"
TRACKING: Final = "TRACKING"
SECRET: Final = "SECRET"
PERSON: Final = "PERSON"
ADDRESS: Final = "ADDRESS"
ORG: Final = "ORG"
BIRTHDATE: Final = "BIRTHDATE"

DIRECT: Final = (PHONE, ID_NUMBER, BANK_CARD, PLATE, WECHAT, QQ, HANDLE, EMAIL, URL, GEO, TRACKING, SECRET)
QUASI: Final = (PERSON, ADDRESS, ORG, BIRTHDATE)
TYPES: Final = DIRECT + QUASI
DETECTED: Final = TYPES

# What a replaced identifier is called in the text.
CHINESE_NAMES: Final = {
    PHONE: "电话",
    ID_NUMBER: "证件号",
    BANK_CARD: "银行卡",
    PLATE: "车牌",
    WECHAT: "微信",
    QQ: "QQ",
    HANDLE: "账号",
    EMAIL: "邮箱",
    URL: "链接",
    GEO: "定位",
    TRACKING: "单号",
    SECRET: "口令",
    PERSON: "人名",
    ADDRESS: "地址",
    ORG: "单位",
    BIRTHDATE: "生日",
}

# From here on a finding is sure enough to be accepted without a person looking at it.
SURE: Final = 0.85


def class_of(kind: str) -> str:
    """`direct` or `quasi`. Raises KeyError for a type that is none of the sixteen."""
    if kind in DIRECT:
        return "direct"
    if kind in QUASI:
        return "quasi"
    raise KeyError(kind)
