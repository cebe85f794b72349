"""Less exact words in the place of addresses, organisations and birthdays: 某小学, 成都市某处, 1998年."""

from __future__ import annotations

import re

from curation.folding import fold
from curation.identifiers.kinds import ADDRESS, BIRTHDATE, ORG
from curation.identifiers.lexicon import alternation, words
from curation.identifiers.patterns import lazy

_CITIES = alternation(words("places", "cities") | words("places", "provinces"))
_CITY = lazy(rf"(?P<place>(?:{_CITIES}(?:省|市|自治区)?){{0,2}}{_CITIES})(?:市|省)?")
# What an organisation is, by how it ends; the first that fits.
_SORTS = (
    ("幼儿园", r"幼儿园|幼稚園|托儿所"),
    ("小学", r"小学|小學|附小|[一二三四五六七八九十]小"),
    ("中学", r"中学|中學|高中|初中|附中|[一二三四五六七八九十]中|职高|职教中心"),
    ("大学", r"大学|大學|学院|學院|师专|医专|师大|师院|职院|高专|理工|师范|[大工师]$"),
    ("学校", r"学校|學校|技校|艺校|职校|卫校|党校|驾校|教育|培训"),
    ("医院", r"医院|醫院|卫生院|诊所|[一二三四五六七八九十]院|齿科|口腔|牙科|眼科"),
    ("银行", r"银行|支行"),
    ("酒店", r"酒店|宾馆|旅馆|客栈|民宿|青旅|度假村|山庄|小筑"),
    (
        "饭馆",
        (
            r"酒家|酒楼|餐厅|餐廳|饭店|菜馆|面馆|火锅|烧烤|烤肉|小吃|茶餐厅|食府|牛肉|米线|麻辣烫|奶茶|咖啡|甜品"
            r"|烘焙|蛋糕|分号"
        ),
    ),
    ("工厂", r"厂"),
    ("店", r"店|馆|行|超市|沙龙|摄影|证件照|健身|瑜伽|美容|美发"),
    ("站点", r"站点|驿站|网点"),
    ("机构", r"事务所|律所|研究[院所]|设计院|法院|局|派出所|协会|中心|救助站|收容所"),
)
_ROOM = lazy(r"[0-9一二三四五六七八九十]{2,6}(?:室|房)?")
_YEAR = lazy(
    r"((?:19|20)[0-9]{2}"
    r"|[〇零○一二三四五六七八九] ?[〇零○一二三四五六七八九](?: ?[〇零○一二三四五六七八九]){2}|(?:民國"
    r"|民国) ?[0-9]{1,3}|[0-9]{2}|[一二三四五六七八九零〇]{2}) ?年"
)
_NUMERIC_YEAR = lazy(r"((?:19|20)[0-9]{2})(?:[./-]|[01][0-9][0-3][0-9])")


def generalised(kind: str, text: str) -> str:
    """What stands for `text` of type `kind` (ADDRESS, ORG or BIRTHDATE)."""
    plain = fold(text).text
    if kind == BIRTHDATE:
        year = _YEAR.match(plain) or _NUMERIC_YEAR.match(plain)
        return f"{year[1]}年" if year else "某月某日"
    city = _CITY.match(plain)
    if kind == ADDRESS:
        if _ROOM.fullmatch(plain):
            return "某室"
        return f"{city.group()}某处" if city else "某处"
    assert kind == ORG
    sort = next((name for name, pattern in _SORTS if re.search(pattern, plain)), "公司")
    return f"{city['place'] if city else ''}某{sort}"
