"""Passwords and codes: door, parcel, login, meeting; as typed, spoken, or described (三个七 再两个二)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.identifiers.kinds import SECRET
from curation.identifiers.lexicon import listed
from curation.identifiers.page import FILLER, Candidate, Line, Page
from curation.identifiers.patterns import gated, lazy

_TOKEN = gated(r"(?<![a-z0-9@.])[#*]?[a-z0-9][a-z0-9!@#$%^&*_.+?~-]{2,23}")
_SPOKEN = gated(
    r"(?:[#*]|[井星米] ?)?(?<![0-9a-z])[0-9](?:[ ,、-]{0,2}[0-9]){3,9}(?![0-9a-z])(?:[#*]"
    r"| ?[井星米](?![\u3400-\u9fff]))?"
)
_KEY = (
    r"按?井(?:号|字)?键?(?=[ ,。!]|$|[0-9])|按?(?:米|星)(?:号|字)?键|井号键?|井字键?|米字键?|星号键?|感叹号|叹号|问号"
    r"|艾特|圈a|下划线|底线|横杠|杠|减号|句号|空格"
)
_ITEM = (
    rf"(?:(?:一?个)?(?:{_KEY})|(?:大写|小写)(?:的)?[a-z]{{1,8}}|[0-9两][个個] ?[0-9a-z](?![个個])|[a-z]{{1,12}}(?:这个字"
    rf"|这俩字|的)?(?:全拼|拼音)|[\u3400-\u9fff]{{1,4}}(?:全拼|拼音)"
    r"|(?<![0-9a-z])[0-9]{1,8}(?![0-9]*[个個])|(?<![a-z])[a-z]{1,10}(?![a-z]))"
)
_JOINT = r"(?:[ ,、+]|再来?|然后|加上?|接着|后面|最后){0,4}"
_DESCRIBED = gated(rf"{_ITEM}(?:{_JOINT}{_ITEM}){{1,9}}")
# The turns of a dial: 左三 右九 再左六.
_TURNS = gated(
    r"(?:[左右顺順逆](?:转|轉|时针)?到?[0-9]{1,3}(?:圈|下|格)?[ ,、]{0,2}(?:再|然后|最后)?){2,8}(?<![ ,、再后])"
)
_REPEATED = lazy(r" ?[0-9两] ?[个個] ?[0-9a-z](?![个個0-9a-z]) ?")
_TELLING = lazy(rf"{_KEY}|大写|小写|拼音|全拼|[个個]")
_PHRASE = gated(
    r"(?:口令红包|(?:进群|入群|验证|问题)?答案(?:是|填|写)?|(?:验证|申请|进群)(?:写|填|信息(?:是|写|填)?)(?!啥|什么)|暗号(?:是|就是)?"
    r"|口令(?!红包)(?:是)?)[: ]?([\u3400-\u9fffa-z0-9]{2,14})(?![\u3400-\u9fffa-z0-9])"
)
_NOT_PHRASES = lazy(r"^是|啥|什么|多少|吗|呢|吧|忘|发|给|填我|我|不|没|怎|错|改|在|了\Z")
_QUESTION = lazy(r"什么|多少|啥|吗|呢|谁")
_ASKED_PHRASE = lazy(r"(?:暗号|口令|答案|验证问题)(?:是)?(?:啥|什么|多少|呢|\?|$)")
_WHOLE_PHRASE = lazy(r"([\u3400-\u9fffa-z0-9]{2,14})(?![\u3400-\u9fffa-z0-9])")
_UNIT = lazy(
    r" ?(?:元|块|万|千|步|秒|次|人|分(?!隔)|米|年|月|日|点|级|星|斤|度|条|mb|gb|%|位|号楼|栋|楼|w(?![a-z])|天|小时)"
)
_LEADS = lazy(r"(?:就是|是|新的|备用|按|输入?|填|密码|换成|改成|初始|默认)[: ]?\Z")
# 密码Zxl加0614两遍: whatever is said right behind the word, to the next space.
_SAID = gated(
    r"(?:密码|密碼|口令)(?:就?是|为|改成|换成|:)? ?((?=[^ ,，。!?？\n]{0,24}[a-z0-9])"
    r"[a-z0-9\u3400-\u9fff!@#$%^&*_.+-]{4,24})(?![a-z0-9])"
)
_NOT_SAID = lazy(r"忘|错|没|不|吗|呢|啥|什么|多少|锁|告诉|发|试|输|给|门|身份证|手机|生日|块|元|了\Z|后六|改了|登|找回")
_GATE = lazy(r"门禁|門禁|密码|单元门|楼栋门|大门|门口")
# What is typed at a door: 1801#2580, *0917#.
_PANEL = gated(r"(?<![a-z0-9#*])(?:[#*][0-9]{3,8}[#*]?|[0-9]{2,6}[#*][0-9]{3,8}[#*]?|[0-9]{4,8}[#*])(?![a-z0-9#*])")
# Letters, digits and a sign between them: hardly ever anything but a password.
_STRONG = gated(
    r"(?<![a-z0-9@.])((?=[a-z0-9]{0,20}[@#$%!&*])(?=[^0-9\n ]{0,20}[0-9])(?=[^a-z\n ]{0,20}[a-z])"
    r"[a-z0-9][a-z0-9@#$%!&*]{4,20})(?![a-z0-9.@])"
)
_MEETING = lazy(r"会议|會議|房间号|直播|入会|课堂|网课")
_PLAIN_WORDS = frozenset(
    listed(
        """
    wifi http https iphone android ipad wechat wifi6 wifi5 app windows macbook taobao alipay
    """
    )
)


def passcodes(page: Page, index: int) -> Iterator[Candidate]:
    """Passwords and codes in line `index`."""
    line = page.lines[index]
    for match in line.each(_TURNS, line.spoken):
        yield Candidate(*match.span(), SECRET, 0.7, "code:turns")
    back = page.distance(index, SECRET)
    if back is None or back > 3:
        if back is not None or _GATE.search("".join(one.low for one in page.lines[max(0, index - 6) : index])):
            for match in line.each(_PANEL, line.low):
                yield Candidate(*match.span(), SECRET, 0.8, "code:panel")
        if back is not None:
            for match in line.each(_STRONG, line.low):
                yield Candidate(*match.span(1), SECRET, 0.6, "code:late")
        return
    low, spoken = line.low, line.spoken.lower()
    if len(spoken) != len(low):
        spoken = low
    for pattern, rule in ((_SPOKEN, "code:digits"), (_TOKEN, "code")):
        for match in line.each(pattern, spoken if pattern is _SPOKEN else low):
            yield from _value(page, index, line, match, back, rule)
    for match in line.each(_SAID, low):
        if sum(c.isascii() and c.isalnum() for c in match[1]) >= 3 and not _NOT_SAID.search(match[1]):
            yield Candidate(*match.span(1), SECRET, 0.7, "code:said")
    for match in line.each(_DESCRIBED, spoken):
        if not _TELLING.search(match.group()) or sum(c.isalnum() for c in match.group()) < 3:
            continue
        said = page.claim(index, *match.span(), SECRET)
        if said == 1 or (
            said > 0
            and back <= 2
            and (
                match.start() == 0
                or _LEADS.search(low, max(0, match.start() - 6), match.start())
                or line.share(*match.span()) > 0.5
            )
        ):
            end = match.end()
            yield Candidate(match.start(), end, SECRET, 0.87 if said == 1 or back <= 1 else 0.75, "code:described")
    if 1 <= back <= 2 and (whole := _REPEATED.fullmatch(spoken)):
        yield Candidate(*whole.span(), SECRET, 0.8, "code:described")
    for match in line.each(_PHRASE, low):
        lead = match.group()[: match.start(1) - match.start()]
        if not (_QUESTION if "红包" in lead else _NOT_PHRASES).search(match[1]):
            yield Candidate(*match.span(1), SECRET, 0.86 if len(match[1]) >= 4 else 0.6, "code:phrase")
    if index and _ASKED_PHRASE.search(page.lines[index - 1].low) and FILLER not in page.lines[index - 1].text:
        phrase = _WHOLE_PHRASE.match(low)
        if phrase and not _NOT_PHRASES.search(phrase[1]) and len(phrase[1]) >= 3:
            sure = 0.86 if any(c.isascii() for c in phrase[1]) else 0.7
            yield Candidate(*phrase.span(1), SECRET, sure, "code:phrase")


def _value(page: Page, index: int, line: Line, match: re.Match[str], back: int, rule: str) -> Iterator[Candidate]:
    low = line.low
    start, end = match.span()
    value = match.group()
    while (end > start and low[end - 1] in ".?~-") or (
        end - start > 1 and low[end - 1] == "!" and low[end : end + 1] == "!"
    ):
        end -= 1
    value = low[start:end]
    if low[start - 1 : start] in ("第", "¥") or low[end : end + 1] == "号":
        return
    digits = sum("0" <= c <= "9" for c in match.group())
    letters = sum("a" <= c <= "z" for c in value)
    plain = not digits and not set(value) & set("#*@_")
    # Letters alone are a password only right behind the word.
    right_behind = (
        letters >= 4
        and page.claim(index, start, end, SECRET) == 1
        and _LEADS.search(low, max(0, start - 6), start) is not None
    )
    if value in _PLAIN_WORDS or ((end - start < 3 or _UNIT.match(low, end) or plain) and not right_behind):
        return
    said = page.claim(index, start, end, SECRET)
    alone = line.share(start, end)
    marked = bool(set(value) & set("#*")) or (digits and letters)
    if said == 1:
        yield Candidate(start, end, SECRET, 0.9 if digits >= 3 or marked else 0.7, rule)
    elif _LEADS.search(low, max(0, start - 5), start) and back <= 2 and 3 <= digits <= 8:
        yield Candidate(start, end, SECRET, 0.76 if said < 0 else 0.86, rule)
    elif said > 0 and back == 1 and 7 <= digits <= 11 and alone >= 0.8 and _MEETING.search(page.lines[index - 1].low):
        yield Candidate(start, end, SECRET, 0.86, rule)
    elif said > 0 and digits >= 2 and letters >= 2 and alone >= 0.6:
        yield Candidate(start, end, SECRET, 0.8, rule)
    elif said > 0 and back <= 2 and alone >= 0.4 and (marked or 4 <= digits <= 8):
        yield Candidate(start, end, SECRET, 0.86 if alone > 0.6 or marked else 0.7, rule)
