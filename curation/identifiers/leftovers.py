"""What looks like an identifier of some kind though no word nearby says of which: long numbers, tokens of letters with
digits, ids that are spelled out. Found with a low score, for a person to look at; the kind spoken of last names it.

The other recognisers know their own kind by its words; these know shapes. Where one of those is surer, it wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.identifiers.checksums import resident_id_plausible
from curation.identifiers.cues import OTHER
from curation.identifiers.kinds import (
    BANK_CARD,
    EMAIL,
    HANDLE,
    ID_NUMBER,
    PHONE,
    QQ,
    SECRET,
    TRACKING,
    URL,
    WECHAT,
)
from curation.identifiers.numbers import Window, windows
from curation.identifiers.page import Candidate, Line, Page
from curation.identifiers.patterns import gated, lazy

SCORE = 0.5
_LOOK_BACK = 6

_UNIT = lazy(
    r" ?(?:元|块|塊|蚊|刀|万|萬|千|亿|步|秒|次|人|分|位|米|年|月|日|点|级|星|斤|克|度|个|個|条|张|票|赞|粉|经验|积分|金币|血|伤害"
    r"|公里|字|kg|km|cm|mm|ml|mb|gb|kb|w(?![a-z])|k(?![a-z])|%|￥|円|韩元|日元|美元|港币)"
)
_MONEY = lazy(r"(?:[¥￥$]|价格|工资|月薪|年薪|收入|转账|转了|欠[你我他她]?|花了|卖|共|总计|合计|亏|赚) ?\Z")
_DATE = lazy(r"(?:19|20)[0-9]{2}[01][0-9][0-3][0-9](?:[0-2][0-9][0-5][0-9](?:[0-5][0-9])?)?")
_FUND = gated(r"基金|股票|代码|考纲|课号|型号|版本|题号|页码")

_SWEET = lazy(r"5 ?2 ?0 ?[ ,]? ?1 ?3 ?1 ?4")
_NO_DAY = lazy(r"[1-9][0-9]{5}(?:19|20)[0-9]{2}")
_MILLISECONDS = lazy(r"1[5-9][0-9]{11}")

# Letters and groups of digits: P2024 1188 0457 332.
_GROUPED = gated(r"(?<![a-z0-9])[a-z]{1,3}-?[0-9]{3,6}(?:[ -][0-9]{3,6}){1,5}(?![0-9a-z])")
# The same said aloud, where a parcel or a document is spoken of: JD 零零 四七八一二 六六三九.
_SAID = gated(r"(?<![a-z0-9])[a-z]{1,4}[ -]?[0-9]{2,8}(?:[ -][0-9]{2,8}){0,5}(?![0-9a-z])")
# A token of letters and digits, or with an underline; with signs inside, not at its ends.
_TOKEN = gated(r"(?<![a-z0-9@._/#-])[a-z0-9](?:[a-z0-9_.-]{3,28})[a-z0-9](?![a-z0-9@_/.-])")
# Names of things that are built like ids: phones, sizes, formats, flights, trains, roads.
_THINGS = lazy(
    r"(?:iphone|ipad|ios|mate|nova|redmi|note|reno|find|ps|xbox|switch|gta|gpt|chatgpt|win|windows|mp|usb|type|wifi|web|covid|h|x|a|b|c|d|e|f|g"
    r"|k|m|p|q|s|t|v|y|z|rtx|gtx|i|r|ryzen|core|vip|svip|top|no|ep|part|vol|s[0-9]e|cet|n|ielts|toefl|gre|jlpt|hsk|level|lv|ver)"
    r"[-_. ]?[0-9]{1,4}(?:pro|max|plus|ultra|mini|se|s|x|ti|super|[a-z])?"
    r"|[0-9]{1,5}(?:kg|km|cm|mm|ml|mb|gb|kb|tb|mah|hz|fps|px|rmb|usd|hkd|am|pm|th|st|nd|rd|days?|hours?|mins?|p|k|w|v|x[0-9]+)"
    r"|[a-z]{2,3}[0-9]{3,5}|p[0-9]{1,4}-p?[0-9]{1,4}|[gdcktz][0-9]{1,4}|[0-9]+[a-z]|[a-z][0-9]{1,3}|(?:ha|he|hi|xi|ho|h|o|a|e){3,}[0-9]*|(?:yyds|xswl|lol|emo|ok|hhh)[0-9]*"
    r"|[a-z]{1,2}[0-9]{1,2}-?[0-9]{3,5}(?:v[0-9]|[a-z]{0,2})|[0-9]{1,4}[-.x][0-9]{1,4}(?:[-.x][0-9]{1,4})*|[a-z]+[0-9]*\.(?:com|cn|net|org|jpg|png|gif|mp[34]|pdf|docx?|xlsx?|zip|txt|ppt|exe|apk)"
)
# Words for the signs of an id; two parts at least with one of them between or before.
_SIGN = (
    r"(?:下划线|下滑线|下横线|底线|横线|横杠|短横|杠|减号|斜杠|斜线|艾特|圈a|井号|星号|感叹号|叹号|问号|等于|句号|点(?=[a-z0-9])|大写|小写|首字母"
    r"|全拼|拼音|字母|连字符|空格)"
)
_PART = r"(?:[0-9]个[a-z0-9]|[a-z0-9]{1,20})"
_SPELLED = gated(
    rf"(?<![a-z0-9])(?:{_SIGN}[ ,、的]{{0,2}}){{0,3}}{_PART}(?:[ ,、+]{{0,2}}(?:然后|再|加上?|接着|后面|都是)?[ ,、]{{0,2}}"
    rf"(?:{_SIGN}[ ,、的]{{0,2}}|{_PART}|(?<= )[\u3400-\u9fff](?= ))){{1,12}}"
)
_HAS_SIGN = lazy(_SIGN)
_LINKED = lazy(r"点(?:com|cn|net|cc|me|org|top|xyz|vip|club|app|co)|斜杠|^www|^http")
_MAILED = lazy(r"艾特|圈a|@|(?<![a-z])at(?![a-z])")
_LETTERS_APART = gated(r"(?<![a-z0-9])(?:[a-z0-9] ){3,20}[a-z0-9](?![a-z0-9])")

# Characters set apart one by one, so that no machine reads them: 丹 丹 不 吃 香 菜.
_APART = gated(r"(?:[\u3400-\u9fffa-z0-9〇] ){3,24}[\u3400-\u9fffa-z0-9〇丶_.](?: ?[丶_.〇0-9])?")
_LETTERED = (WECHAT, HANDLE, SECRET, ID_NUMBER, TRACKING, EMAIL, URL)
_NUMBERED = (QQ, PHONE, BANK_CARD, ID_NUMBER, TRACKING, SECRET, HANDLE)


def leftovers(page: Page, index: int) -> Iterator[Candidate]:
    """What is left in line `index` that has the shape of an identifier."""
    line = page.lines[index]
    yield from _spelled(page, index, line)
    if line.text.count(" ") >= 3:
        for match in line.each(_APART, line.low):
            if sum("\u3400" <= c <= "\u9fff" for c in match.group()) >= 3:
                yield Candidate(*match.span(), _kind(page, index, _LETTERED, HANDLE), SCORE, "left:apart")
    yield from _tokens(page, index, line)
    yield from _grouped(page, index, line)
    yield from _said(page, index, line)
    for window in windows(line):
        yield from _number(page, index, line, window)


def _kind(page: Page, index: int, wanted: tuple[str, ...], otherwise: str) -> str:
    """The kind among `wanted` that was spoken of last, else `otherwise`."""
    for back in range(min(index, _LOOK_BACK) + 1):
        for kind in page.lines[index - back].kinds:
            if kind in wanted:
                return kind
    return otherwise


def _spelled(page: Page, index: int, line: Line) -> Iterator[Candidate]:
    spoken = line.spoken.lower()
    if len(spoken) != len(line.low) or not (_HAS_SIGN.search(spoken) or " " in spoken):
        return
    for pattern in (_SPELLED, _LETTERS_APART):
        for match in line.each(pattern, spoken):
            text = match.group()
            plain = _HAS_SIGN.sub("", text)
            size = sum("a" <= c <= "z" or "0" <= c <= "9" for c in plain)
            letters = sum("a" <= c <= "z" for c in plain)
            signs = len(_HAS_SIGN.findall(text)) - text.count("等于")
            if size < 4 or not letters or (pattern is _SPELLED and not signs) or (signs == 0 and letters < 2):
                continue
            end = match.end()
            while end > match.start() and spoken[end - 1] in " ,、+的":
                end -= 1
            kind = _kind(page, index, _LETTERED, WECHAT)
            if _MAILED.search(text):
                kind = EMAIL
            elif _LINKED.search(text):
                kind = URL
            yield Candidate(match.start(), end, kind, SCORE + 0.1, "left:spelled")


def _tokens(page: Page, index: int, line: Line) -> Iterator[Candidate]:
    low = line.low
    for match in line.each(_TOKEN, low):
        token = match.group()
        digits = sum("0" <= c <= "9" for c in token)
        letters = sum("a" <= c <= "z" for c in token)
        if not letters or not (digits or "_" in token) or len(token) < 6 or _THINGS.fullmatch(token):
            continue
        if page.named(index, *match.span()) == OTHER or "." in token.strip("."):
            continue
        plain = re.fullmatch(r"[a-z]+[0-9]+", token) is not None
        if plain and len(token) < 8 and not any(page.kinds[max(0, index - 3) : index + 1]):
            continue
        if re.fullmatch(r"[a-z]{1,2}[0-9]{6,9}", token):
            kind = _kind(page, index, (ID_NUMBER, TRACKING), ID_NUMBER)
        elif re.fullmatch(r"[a-z]{2,5}[0-9]{8,20}", token):
            kind = TRACKING
        else:
            kind = _kind(page, index, _LETTERED, HANDLE)
        yield Candidate(*match.span(), kind, SCORE, "left:token")


def _grouped(page: Page, index: int, line: Line) -> Iterator[Candidate]:
    for match in line.each(_GROUPED, line.low):
        if sum("0" <= c <= "9" for c in match.group()) >= 8:
            yield Candidate(*match.span(), _kind(page, index, (ID_NUMBER, TRACKING), TRACKING), SCORE, "left:grouped")


def _said(page: Page, index: int, line: Line) -> Iterator[Candidate]:
    spoken = line.spoken.lower()
    if spoken == line.low or len(spoken) != len(line.low):
        return
    for match in line.each(_SAID, spoken):
        kind = _kind(page, index, (ID_NUMBER, TRACKING), TRACKING)
        if sum("0" <= c <= "9" for c in match.group()) >= 8 and page.claim(index, *match.span(), kind) > 0:
            yield Candidate(*match.span(), kind, SCORE + 0.2, "left:grouped")


def _number(page: Page, index: int, line: Line, window: Window) -> Iterator[Candidate]:
    count = len(window.digits)
    if count < 8 or window.glued or len(set(window.digits)) < 3 or _UNIT.match(line.low, window.end):
        return
    if _DATE.fullmatch(window.digits) or _MONEY.search(line.text, max(0, window.start - 6), window.start):
        return
    if page.named(index, window.start, window.end) == OTHER or line.finds(_FUND):
        return
    if len(window.sizes) >= 4 and set(window.joints) <= {"."} and max(window.sizes) <= 3:  # a network address
        return
    if window.joints == (".",) or line.text[window.start - 1 : window.start] == ".":  # a decimal number
        return
    if count == 18 and _NO_DAY.match(window.digits) and not resident_id_plausible(window.digits):
        return  # an identity number of a day that never was: its recogniser knows
    if count == 13 and _MILLISECONDS.fullmatch(window.digits):
        return
    named = any(page.kinds[max(0, index - 3) : index + 1])
    if len(window.sizes) >= 5 and max(window.sizes) <= 2 and not named and window.plain:  # a lottery's numbers
        return
    if _SWEET.match(line.text, window.start):
        return
    if max(window.sizes) < 3 and count < 11:  # 12 点 30, 第 3 集 24: small numbers in a row
        return
    if count == 11 and window.digits[0] == "1" and window.digits[1] in "3456789":
        kind = _kind(page, index, (PHONE, QQ, HANDLE), PHONE)
    elif count in (15, 18):
        kind = _kind(page, index, (ID_NUMBER, TRACKING, BANK_CARD), ID_NUMBER)
    elif count >= 16:
        kind = _kind(page, index, (BANK_CARD, TRACKING), BANK_CARD)
    elif count >= 11:
        kind = _kind(page, index, (TRACKING, SECRET, HANDLE, ID_NUMBER), TRACKING)
    else:
        kind = _kind(page, index, _NUMBERED, QQ)
    yield Candidate(window.start, window.end, kind, SCORE, "left:number")
