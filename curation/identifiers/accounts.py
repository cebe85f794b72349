"""QQ numbers and WeChat ids: nothing in themselves, so the words around decide."""

from __future__ import annotations

from collections.abc import Iterator

from curation.folding import digits_read
from curation.identifiers.kinds import QQ, WECHAT
from curation.identifiers.numbers import windows
from curation.identifiers.page import Candidate, Line, Page
from curation.identifiers.patterns import gated, lazy

_UNIT = lazy(r" ?(?:元|块|万|千|步|秒|次|人|分|米|年|月|日|点|级|星|斤|度|个|条|mb|gb|kb|w(?![a-z])|%)")
_YEAR = lazy(r"(?:19|20)[0-9]{2}")
_DATE = lazy(r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01])")


def qq_numbers(page: Page, index: int) -> Iterator[Candidate]:
    """QQ numbers, and group numbers, of line `index`."""
    line = page.lines[index]
    for window in windows(line):
        digits = window.digits
        if not 5 <= len(digits) <= 12 or digits[0] == "0" or len(set(digits)) < 2 or window.heavy:
            continue
        if len(window.sizes) == 3 and _YEAR.match(digits) and max(window.sizes[1:]) <= 2:
            continue
        claim = page.claim(index, window.start, window.end, QQ)
        if (
            claim == 0
            and 8 <= len(digits) <= 10
            and page.said_next(index, QQ)
            and line.share(window.start, window.end) >= 0.3
        ):
            yield Candidate(window.start, window.end, QQ, 0.7, "qq:said-after")
        if claim <= 0 or (window.glued and claim < 1) or _UNIT.match(line.low, window.end):
            continue
        if claim == 1:
            yield Candidate(window.start, window.end, QQ, 0.9 if len(digits) >= 6 else 0.7, "qq:named")
        elif len(digits) >= 7 and not _DATE.fullmatch(digits):
            alone = line.share(window.start, window.end) >= 0.5
            yield Candidate(window.start, window.end, QQ, 0.87 if claim > 0.5 and alone else 0.65, "qq:asked")


# An id as typed; with its signs spoken, its digits in words, or letter by letter; and by the sound of a name.
_ID = gated(r"(?<![a-z0-9_.@/·-])[a-z][a-z0-9_-]{5,19}(?![a-z0-9_@])")
_WXID = gated(r"(?<![a-z0-9])wxid_[a-z0-9]{6,24}(?![a-z0-9])")
_EMOJI = "\u2600-\u27bf\U0001f000-\U0001faff"
_SIGN = r"下划线|下滑线|下横线|底线|下杠|横杠|短横|横线|杠|减号|负号|underscore|dash"
_DISGUISED = gated(
    rf"(?<![a-z0-9_.@/·-])(?:(?:下划线|下滑线|下横线|底线|横杠|杠){{1,3}} ?)?[a-z](?:[a-z_-]|[0-9](?!个))*+"
    rf"(?:(?: ?(?:{_SIGN}|小写|点(?=[a-z0-9])|[_,、+{_EMOJI}-]) ?){{0,3}}+(?: ?(?:然后|接着|后面是?|再加?|加上?) ?)?+"
    r"(?: ?[2-9两]个 ?[0-9a-z]| ?[0-9]++| ?[a-z](?![a-z])| [a-z]{1,6}[1-5](?![0-9])|(?<![a-z0-9])[a-z]++))++"
)
_SOUNDED = gated(
    rf"(?:(?:[a-z0-9_-]{{1,20}}(?:{_SIGN})?[, ]{{0,2}})?[\u3400-\u9fff]{{1,4}}"
    r"|(?<![a-z])[a-z]{1,6}(?: [a-z]{1,6}){0,3})"
    rf"[, ]{{0,2}}(?:全拼|拼音)(?:[ +加,]{{0,4}}(?:(?:{_SIGN}) ?)?(?:[2-9]个[0-9a-z]|[a-z0-9]{{2,12}})){{0,3}}"
)
_NOT_IN_AN_ID = lazy(rf"{_SIGN}|点|全拼|拼音|个|[\s,、+]")
# Long words that follow a cue without being an id.
_WORDS = frozenset(
    (
        "wechat",
        "weixin",
        "telegram",
        "whatsapp",
        "instagram",
        "facebook",
        "twitter",
        "discord",
        "please",
        "thanks",
        "thankyou",
        "iphone",
        "android",
        "moments",
        "offline",
        "online",
    )
)
_REPEATED = lazy(r"(.{1,2})\1+.?")
_PLATE = lazy(r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼] ?\Z")


def wechat_ids(page: Page, index: int) -> Iterator[Candidate]:
    """WeChat ids of line `index`."""
    line = page.lines[index]
    for match in line.each(_WXID, line.low):
        yield Candidate(*match.span(), WECHAT, 0.95, "wechat:wxid")
    back = page.distance(index, WECHAT)
    if back is None:
        return
    spoken = digits_read(line.low)
    for reading in dict.fromkeys((line.low, spoken)):
        for match in line.each(_ID, reading):
            start, end = _past_the_cue(line, *match.span())
            value = reading[start:end]
            if not _ID.fullmatch(value) or value in _WORDS or _REPEATED.fullmatch(value):
                continue
            if score := _score(page, index, reading, start, end, back):
                # A last character in Chinese belongs to it where nothing else is said: Tdou零七一喵.
                if end == len(reading) - 1 and "\u3400" <= reading[end] <= "\u9fff" and not reading[:start].strip():
                    end += 1
                yield Candidate(start, end, WECHAT, score, "wechat:id")
    if back > 2:
        return
    for pattern, rule, least in ((_DISGUISED, "wechat:disguised", 4), (_SOUNDED, "wechat:sounded", 5)):
        for match in line.each(pattern, spoken):
            start, end = _past_the_cue(line, *match.span())
            value = spoken[start:end]
            letters = sum(c.isalnum() for c in _NOT_IN_AN_ID.sub("", value))
            if letters < least or _ID.fullmatch(value) or page.claim(index, start, end, WECHAT) <= 0:
                continue
            beside = page.claim(index, start, end, WECHAT) == 1
            # Two words and a number are a disguise only where the words beside say so: ok 19, see u.
            if beside or line.low[start:end] != value or _NOT_IN_AN_ID.sub("", value) != value.replace(" ", ""):
                yield Candidate(start, end, WECHAT, 0.86 if beside and least == 4 else 0.6, rule)


def disguised(line: Line, spoken: str) -> Iterator[tuple[int, int]]:
    """Where an id stands spelled out: tu dou 下划线 七一, t u d o u - 8 - 8 - 1."""
    for match in line.each(_DISGUISED, spoken):
        value = match.group()
        plain = _NOT_IN_AN_ID.sub("", value)
        letters = sum(c.isalnum() for c in plain)
        if (
            letters >= 4
            and not _ID.fullmatch(value)
            and (
                line.low[match.start() : match.end()] != value
                or plain != value.replace(" ", "")
                or value.count(" ") > 3
            )
        ):
            yield match.span()


def _past_the_cue(line: Line, start: int, end: int) -> tuple[int, int]:
    """Where an id begins that was typed right after a cue: vxtudou_7719."""
    for cue in line.cues_over(start, end):
        if cue.kind == WECHAT and start < cue.end < end:
            start = cue.end
    while start < end and line.low[start] in " :+,、是":
        start += 1
    return start, end


def _score(page: Page, index: int, reading: str, start: int, end: int, back: int) -> float:
    """What a well-formed id is worth by the words around. Letters alone may be any word, so they are worth
    less."""
    line = page.lines[index]
    telling = any(not "a" <= c <= "z" for c in reading[start:end])
    claim = page.claim(index, start, end, WECHAT)
    if claim <= 0 or _PLATE.search(line.low[max(0, start - 2) : start]):
        return 0.0
    if claim == 1:
        return 0.9 if telling else 0.75
    alone = line.share(start, end) >= 0.5
    if not telling:
        return 0.6 if alone and back == 1 else 0.0
    if back <= 2:
        return 0.87 if alone else 0.7
    return 0.6
