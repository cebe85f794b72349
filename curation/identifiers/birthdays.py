"""Dates of birth: a date where birth is spoken of, or said as one says them (79年5月6日的); solar, lunar, of the
Republic."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.identifiers.kinds import BIRTHDATE, ID_NUMBER
from curation.identifiers.page import Candidate, Line, Page
from curation.identifiers.patterns import gated, lazy

_C = "〇零○一二三四五六七八九"
_YEAR = (
    rf"(?:(?:19|20)[0-9]{{2}}|[甲乙丙丁戊己庚辛壬癸][子丑寅卯辰巳午未申酉戌亥]"
    rf"|[{_C}] ?[{_C}] ?[{_C}] ?[{_C}]|(?:民國|民国) ?[0-9{_C}十]{{1,3}}"
    rf"|(?<![0-9])[0-9]{{2}}|(?<![{_C}])[{_C}]{{2}})"
)
_MONTH = rf"(?:[正腊臘冬]|1[0-2]|0?[1-9]|十[一二]?|[{_C}])"
_DAY = (
    r"(?:3[01]|[12][0-9]|0?[1-9]|三 ?十 ?一?|二 ?十 ?[一二三四五六七八九]?|廿[一二三四五六七八九]?"
    r"|十 ?[一二三四五六七八九]?|[一二三四五六七八九])"
)
_LUNAR_DAY = (
    r"(?:初[一二三四五六七八九十]|十[一二三四五六七八九]|二十[一二三四五六七八九]?|廿[一二三四五六七八九]?|三十)"
)
_DATE = gated(
    rf"(?P<full>{_YEAR} ?年 ?(?:农历|阴历|农曆|陰曆)? ?{_MONTH} ?月(?: ?份)? ?(?:{_LUNAR_DAY}|{_DAY}) ?(?:日|号|號)?)"
    rf"|(?P<dotted>(?<![0-9.])(?:19[3-9]|20[0-2])[0-9][./-]{_MONTH}[./-](?:3[01]|[12][0-9]|0?[1-9])(?![0-9.]))"
    rf"|(?P<brief>(?<![0-9.])[0-9]{{2}}[./](?:1[0-2]|0?[1-9])[./](?:3[01]|[12][0-9]|0?[1-9])(?![0-9./]))"
    rf"|(?P<run>(?<![0-9])(?:19[3-9][0-9]|20[0-2][0-9])(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?![0-9]))"
    rf"|(?P<lunar>(?:[去今前]年|大前年|{_YEAR} ?年?)?(?:农历|阴历|農曆|陰曆)?(?:正|腊|臘|冬|闰?{_MONTH}) ?月"
    rf" ?{_LUNAR_DAY} ?(?:日|号|號)?)"
    rf"|(?P<day>(?<![0-9一二三四五六七八九十])(?:农历|阴历|阳历)?{_MONTH} ?月 ?{_DAY} ?(?:日|号|號)?(?![0-9]))"
    rf"|(?P<short>(?<![0-9./-])(?:1[0-2]|0?[1-9])[./-](?:3[01]|[12][0-9]|0?[1-9])(?![0-9./-]))"
    r"|(?P<soon>(?:[下上这]个?|本)月 ?(?:3[01]|[12][0-9]|0?[1-9]|廿?[一二三四五六七八九十]{1,3}) ?[号日號])"
    rf"|(?P<yearmonth>{_YEAR} ?年 ?{_MONTH} ?月)"
)
_BIRTH = gated(
    r"生日|八字|生辰|[子丑寅卯辰巳午未申酉戌亥]时|(?:阳历|公历|新历|农历|阴历|旧历)(?:呢|是哪|的?生|几月)|出生|生辰|诞辰|出世|年月日"
    r"|[日月号號初][ ]?生(?:的|$|[ ,，。])|生于|过寿|大寿|寿星|破蛋|bday"
    r"|birthday|几几年的|哪年的|属(?:鼠|牛|虎|兔|龙|蛇|马|羊|猴|鸡|狗|猪|啥|什么)"
)
_SIGNS = gated(
    r"(?:阳历|公历|新历|农历|阴历|旧历)(?:呢|是|$|[ ?？])"
    r"|(?:白羊|牡羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼)(?:座|$|[ ,，。])|星座|几岁|多大"
    r"|周岁|满[0-9一二三]岁"
)
_NOT_BIRTH = lazy(r"生日(?:礼物|蛋糕|会|快乐|派对|歌)")
_SAID_SO = lazy(r" ?(?:的(?![\u3400-\u9fff])|生|出生|阳历|阴历|农历|属)")
_TRIGGER = gated(r"月|[0-9]{4}|[0-9][./-][0-9]")


def birthdays(page: Page, index: int) -> Iterator[Candidate]:
    """Dates of birth in line `index`."""
    line = page.lines[index]
    text = line.text
    if not line.finds(_TRIGGER):
        return
    for match in line.each(_DATE):
        kind = str(match.lastgroup)
        start, end = match.span()
        while text[end - 1] == " ":
            end -= 1
        if kind == "run" and page.claim(index, start, end, ID_NUMBER) > 0:
            continue
        score = _score(page, index, kind, text, start, end)
        if score:
            yield Candidate(start, end, BIRTHDATE, score, f"birthday:{kind}")


def _score(page: Page, index: int, kind: str, text: str, start: int, end: int) -> float:
    whole = kind in ("full", "dotted", "run")
    here = page.lines[index].finds(_BIRTH)
    if here and kind not in ("brief", "soon"):
        # The nearest words decide: 8月2号我生日那天.
        gap = max(here.start() - end, start - here.end(), 0)
        if kind == "short":
            return 0.7 if gap <= 4 else 0.0
        return (0.9 if whole or gap <= 6 else 0.8) if gap <= 20 else 0.6
    around = _spoken_of(page, index)
    said = _SAID_SO.match(text, end) is not None or page.lines[index].finds(_SIGNS) is not None
    if around:
        if kind == "brief":
            return 0.7 if around <= 2 else 0.0
        if kind == "soon":
            return 0.66 if around <= 1 and page.lines[index].share(start, end) > 0.6 else 0.0
        if kind == "short":
            return 0.66 if page.lines[index].share(start, end) > 0.5 or said else 0.0
        near = around <= 1 or (around == 2 and (whole or kind == "lunar"))
        return (0.88 if whole or said else 0.82) if near else 0.7 if whole else 0.0
    if whole and kind != "run" and _past(text[start:end]) and _of_a_child(page, index):
        return 0.7
    if kind == "full" and said:
        return 0.86 if _past(text[start:end]) else 0.5
    if whole and said and kind != "run":
        return 0.8
    return 0.0


def _spoken_of(page: Page, index: int) -> int:
    """How many messages away birth is spoken of, 0 for not: up to three before, one after."""
    for back in range(1, 4):
        if index >= back and _said_in(page.lines[index - back]):
            return back
    return 1 if index + 1 < len(page.lines) and _said_in(page.lines[index + 1]) else 0


def _said_in(line: Line) -> bool:
    return line.finds(_BIRTH) is not None


# Where a form is filled in, or a child is spoken of, a date of the past is most often a birthday.
_CHILD = gated(r"病历|身份证|户口|入院|孩子|宝宝|小孩|儿子|女儿|闺女|娃|填(?:一下|个)?表|登记表|报名表|报班")


def _of_a_child(page: Page, index: int) -> bool:
    return any(line.finds(_CHILD) for line in page.lines[max(0, index - 2) : index + 1])


def _past(date: str) -> bool:
    """Whether a date with a year looks like the past of a person rather than a date of business."""
    digits = re.match(r"(19|20)?([0-9]{2})", date)
    if digits is None or digits[1] == "19":
        return True
    return int(digits[2]) <= 22 or int(digits[2]) >= 40
