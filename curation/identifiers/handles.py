"""Names and numbers on other networks: after the network's name, after @, spelled out, in quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.identifiers.accounts import disguised
from curation.identifiers.kinds import HANDLE
from curation.identifiers.lexicon import listed
from curation.identifiers.numbers import windows
from curation.identifiers.page import FILLER, Candidate, Line, Page
from curation.identifiers.patterns import gated, lazy

_H = "\u3400-\u9fff"
_ID = gated(r"(?<![a-z0-9_.@/-])[a-z0-9_][a-z0-9._-]{3,29}(?![a-z0-9@])")
_MENTION = gated(rf"(?<![a-z0-9._-])@ ?([{_H}a-z0-9_丶·-][{_H}a-z0-9_丶·.-]{{1,23}})")
_NICK = rf"[{_H}a-z0-9_丶·~-]{{2,20}}"
_AFTER = lazy(
    rf"(?:号|id|名字?|昵称|账号|主页|搜|叫|是|:|@|“|\"| |是不是|关注|改名了|换成|也是|我){{0,12}}({_NICK})(?![{_H}a-z0-9_丶·])"
)
_SIGNED = gated(
    rf"(?<![{_H}a-z0-9_])丶[{_H}]{{2,8}}(?![{_H}])|(?<![{_H}a-z0-9_])[{_H}]{{2,12}}_[a-z0-9_]{{0,10}}|(?<![{_H}a-z0-9_])[{_H}]{{2,10}}丶[{_H}a-z0-9]{{0,10}}"
)
_QUOTED = gated(rf"[\"“「']([{_H}a-z0-9_丶·-]{{3,16}})[\"”」']")
_IN_GROUP = lazy(r"群|网友|列表|好友")
_WHO = lazy(r"谁|哪位|是不是你|是你|认识|那个|加了|叫")
_LIST = lazy(r"群里|那个|谁|列表|好友|昵称|头像|网名|主页|关注|榜|账号|id")
_LETTERED = gated(
    rf"(?<![{_H}a-z0-9_])[{_H}a-z0-9]{{2,12}}[, ]{{1,2}}(?:字母|数字|大写|小写"
    rf"|英文)[a-z0-9]{{1,12}}(?:[, ]{{1,2}}[0-9]{{1,8}}(?![0-9]))?"
)
_SPACED = gated(
    rf"(?:[{_H}] ){{3,15}}(?:[零〇一二三四五六七八九幺两]{{2,8}}"
    rf"|[{_H}](?![{_H}]))?(?:(?<= )[0-9](?:[ ]?[0-9]){{0,7}}|(?<![ ])[ ]?[0-9](?:[ ]?[0-9]){{0,7}})?"
)
_UNDERLINED = gated(
    r"(?<![a-z0-9_])[a-z0-9]{1,16}(?: [a-z0-9]{1,10}){0,3} ?(?:下划线|底线|下横线|横杠|杠|点"
    r"|丶) ?[a-z0-9]{1,12}(?: ?(?:下划线|底线|杠|点) ?[a-z0-9]{1,12}){0,3}(?![a-z0-9])"
)
_NAME_AND_YEAR = gated(rf"(?<![{_H}a-z0-9_])[{_H}]{{3,10}}(?:19|20)[0-9]{{2}}(?![{_H}a-z0-9_.:-])")
_FAR = 10
_WORDS = frozenset(
    listed(
        """
    instagram telegram twitter facebook wechat follow steam line http https iphone android video live vlog
    plog story online offline please thanks hello okay
    """
    )
)
_PLAIN = lazy(
    r"(?:上|里|看|刷|发|拍|火|那|这|的|也|有|没|不|号|关注|视频|直播|粉|博主|搜|吗|呢|吧|啊|了|给|和|多少"
    r"|啥|什么|同款|热搜|超话|账号|互关|推|我|你|他|她|买|下单|评论|私信|封|被|今|昨|换|记|放|app|小店)"
)
_ASKED = lazy(
    r"(?:[qv微]区|区服|叫啥|叫什么|号|id|叫啥|叫什么|多少|搜什么|搜啥|搜你|关注|互关|也有|呢|名字)\?? ?$"
    r"|^号|微博|抖音|快手|小红书|主页"
)


def handles(page: Page, index: int) -> Iterator[Candidate]:
    """Names on other networks in line `index`."""
    line = page.lines[index]
    low = line.low
    back = page.distance(index, HANDLE)
    for match in line.each(_MENTION, low):
        if match[1] not in ("所有人", "全体成员", "我", "你") and not low.startswith(".", match.end()):
            yield Candidate(*match.span(1), HANDLE, 0.87 if back is not None else 0.78, "handle:mention")
    for match in line.each(_SIGNED, low):
        yield Candidate(*match.span(), HANDLE, 0.86 if back is not None else 0.7, "handle:signed")
    if '"' in low or "“" in low or "「" in low:
        for match in line.each(_QUOTED, low):
            mixed = any(not "\u3400" <= c <= "\u9fff" for c in match[1])
            who = _WHO.search(low) is not None and _IN_GROUP.search(low) is not None
            if who or (mixed and _LIST.search(low)):
                yield Candidate(*match.span(1), HANDLE, 0.8, "handle:quoted")
    if back is None or back > 3:
        if index and any(HANDLE in kinds for kinds in page.kinds[max(0, index - _FAR) : index]):
            for match in line.each(_NAME_AND_YEAR, low):
                if page.claim(index, *match.span(), HANDLE) >= 0 and not _SENTENCE.search(match.group()):
                    yield Candidate(*match.span(), HANDLE, 0.6, "handle:signed")
        return
    spoken = line.spoken.lower()
    spoken = spoken if len(spoken) == len(low) else low
    yield from _by_shape(page, index, line, back)
    if back <= 2:
        for start, end in disguised(line, spoken):
            claim = page.claim(index, start, end, HANDLE)
            if claim > 0:
                yield Candidate(start, end, HANDLE, 0.86 if claim == 1 else 0.7, "handle:disguised")
    for match in line.each(_SPACED, low):
        start, end = match.span()
        if start and "\u3400" <= low[start - 1] <= "\u9fff" and start not in line.cue_ends:
            start += 2
        yield from _claimed(page, index, start, end, "handle:spaced")
    for pattern in (_LETTERED, _UNDERLINED):
        for match in line.each(pattern, spoken):
            yield from _claimed(page, index, *match.span(), "handle:described")
    yield from _nicknames(page, index, line, back)
    for match in line.each(_CALLED, low):
        if not _SENTENCE.search(match[1]):
            yield Candidate(*match.span(1), HANDLE, 0.72, "handle:called")
    if back <= 4:
        for match in line.each(_SELF, low):
            if "的" in match[1][1:-1] and not _SENTENCE.search(match[1]):
                yield Candidate(*match.span(1), HANDLE, 0.7, "handle:called")
    for match in line.each(_RENAMED, low):
        if any(c.isdigit() or c in "_丶" for c in match[1]) and not _SENTENCE.search(match[1]):
            yield Candidate(*match.span(1), HANDLE, 0.78, "handle:renamed")


# 我快手小店叫东北大姨酸菜铺: whatever a shop, channel or account is said to be called.
_CALLED = gated(
    rf"(?:小店|网店|店铺|店名|频道|账号|帐号|主号|小号|大号|公众号|视频号|昵称|网名)(?:名)?(?:就?叫|是|:"
    rf"|改成|改为|改了|换成|设成)[ ]?"
    rf"([{_H}0-9][{_H}a-z0-9_丶·~-]{{3,13}}?)(?=了?(?![{_H}a-z0-9_]))"
)
# 我叫奶糖味的刀: no name of a person.
_SELF = gated(rf"(?:我叫|我是|我的叫|就叫|叫)([{_H}]{{4,10}})(?![{_H}a-z0-9_])")
# 我换号了 叫夜猫不熬夜233: with digits in it, so that it is no name of a person.
_RENAMED = gated(rf"(?:叫|改名|改成|改叫|换成|就是|新号)[: ]?([{_H}][{_H}a-z0-9_丶·~-]{{3,15}})(?![{_H}a-z0-9_])")


def _claimed(page: Page, index: int, start: int, end: int, rule: str) -> Iterator[Candidate]:
    low = page.lines[index].low
    while end > start and low[end - 1] == " ":
        end -= 1
    if end - start >= 4 and page.claim(index, start, end, HANDLE) > 0:
        yield Candidate(start, end, HANDLE, 0.87, rule)


def _by_shape(page: Page, index: int, line: Line, back: int) -> Iterator[Candidate]:
    low = line.low
    for match in line.each(_ID, low):
        start, end = match.span()
        for cue in line.cues_over(start, end):
            if cue.kind == HANDLE and start < cue.end < end and not low[start : cue.end].startswith("uid"):
                start = cue.end
        value = low[start:end].strip(".-")
        if len(value) < 4 or value in _WORDS:
            continue
        start = low.index(value, start)
        end = start + len(value)
        digits = sum("0" <= c <= "9" for c in value)
        signs = sum(c in "._-" for c in value)
        claim = page.claim(index, start, end, HANDLE)
        if claim <= 0 or (digits == len(value) and digits < 6):
            continue
        told = digits or signs
        if claim == 1:
            yield Candidate(start, end, HANDLE, 0.9 if told else 0.68, "handle")
        elif told and line.share(start, end) >= 0.5 and back <= 2:
            yield Candidate(start, end, HANDLE, 0.86, "handle:asked")
        elif not told and line.share(start, end) >= 0.8 and back == 1 and len(value) >= 6:
            yield Candidate(start, end, HANDLE, 0.6, "handle:asked")
    for window in windows(line):
        if (
            6 <= len(window.digits) <= 12
            and not window.glued
            and page.claim(index, window.start, window.end, HANDLE) == 1
        ):
            yield Candidate(window.start, window.end, HANDLE, 0.87, "handle:number")


def _nicknames(page: Page, index: int, line: Line, back: int) -> Iterator[Candidate]:
    """Nicknames in Chinese: right after the network's name, or set off by spaces after it or in the next answer."""
    low = line.low
    for cue in line.cues:
        if cue.kind != HANDLE:
            continue
        match = _AFTER.match(low, cue.end)
        if match:
            yield from _nick(match, low[cue.end : match.start(1)], low)
        for token in _TOKENS.finditer(low, cue.end, cue.end + 30):
            if (
                token.start() - cue.end <= 8
                and low[token.start() - 1] in " :"
                and _nick_like(token.group())
                and "?" not in low[cue.end : token.start()]
            ):
                yield Candidate(*token.span(), HANDLE, 0.72, "handle:nickname")
                break
    if 1 <= back <= 2 and not any(cue.kind == HANDLE for cue in line.cues):
        earlier = " ".join(one.low for one in page.lines[index - back : index])
        if _ASKED.search(earlier) and all(FILLER not in page.lines[i].text for i in range(index - back, index + 1)):
            if (named := _NAMED.match(low)) and not _SENTENCE.search(named[1]):
                yield Candidate(*named.span(1), HANDLE, 0.8, "handle:nickname")
            if _ASKS_OUTRIGHT.search(earlier) and (answer := _WHOLE_NICK.match(low.strip())):
                begin = low.index(answer.group())
                yield Candidate(begin, begin + len(answer.group()), HANDLE, 0.68, "handle:nickname")
            for token in _TOKENS.finditer(low):
                if _nick_like(token.group()) and token.start() <= 3:
                    mixed = any(c.isdigit() or c in "_丶" for c in token.group())
                    if mixed or "和" not in token.group():
                        whole = line.share(*token.span()) > 0.9
                        yield Candidate(
                            *token.span(), HANDLE, 0.8 if mixed else 0.66 if whole else 0.56, "handle:nickname"
                        )
                    break


_ASKS_OUTRIGHT = lazy(
    r"(?:号|id|叫啥|叫什么|名字|昵称|多少|呢|关注一?下|关注我|搜一?下|加一?下|加我|发我|报一?下|互关)(?:来着|啊|呀)?[?? ]*$"
)
_WHOLE_NICK = lazy(
    rf"(?![我你他她没不有在是好哦嗯对行还就都也先等别这那哪])[{_H}][{_H}a-z0-9_丶·~-]{{3,9}}(?<![吗呢吧呀了嘛么])(?=$|[ ,，])"
)
_NAMED = lazy(
    rf"(?:.{{1,8}}[ ,，])?(?:我|就|账号|名字|网名|id|号|搜)*(?:叫|是|搜|:)([{_H}a-z0-9_丶·~-]{{3,16}})(?![{_H}a-z0-9_])"
)
_TOKENS = lazy(rf"(?<![{_H}a-z0-9_丶·])[{_H}][{_H}a-z0-9_丶·~-]{{3,15}}(?![{_H}a-z0-9_丶·])")


def _nick_like(value: str) -> bool:
    mixed = any(c.isdigit() or c in "_丶" for c in value)
    return mixed or (len(value) >= 4 and not _SENTENCE.search(value))


_SENTENCE = lazy(
    r"行不|行吗|要啥|要不|whatsapp|telegram|[吗呢吧啊呀了哈嘛么哦啦]$|^到|几个|^(?:不|没|所以|因为|但|就|才|都|还|也|很|太|真|好|那|对)|我|你|他|她|它|这"
    r"|那|什么|怎么|多少|可以|没有|不是|就是|还是|关注|视频|直播|加|发|看|搜|笑|哪|谁|啥|好的|好呀|收到"
    r"|谢谢|晚上|明天|今天|现在|再说|记得|粉丝|打|给"
)


def _nick(match: re.Match[str], between: str, low: str) -> Iterator[Candidate]:
    value = match[1]
    start, end = match.span(1)
    mixed = any(c.isdigit() or c in "_丶" for c in value) and any("\u3400" <= c <= "\u9fff" for c in value)
    if value.isascii() or (_PLAIN.match(value) and not mixed):
        return
    if (
        mixed
        and len(value) >= 4
        and low[end : end + 1] != "."
        and not re.search(r"[0-9][万千块元个条天年月点次]|第[0-9]|热搜", value)
        and len(value) <= 16
    ):
        yield Candidate(start, end, HANDLE, 0.86, "handle:nickname")
    elif (re.search(r"id|昵称|名|叫|是不是|搜|:|@", between) and len(value) <= 10 and not _SENTENCE.search(value)) or (
        low[match.start() - 2 : match.start()] == "id" and len(value) <= 10 and not _SENTENCE.search(value)
    ):
        yield Candidate(start, end, HANDLE, 0.72, "handle:nickname")
