"""Names of people: announced, with a form of address, as pet names, as a tagger sees them, and said again later."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.identifiers.kinds import PERSON
from curation.identifiers.lexicon import Vocabulary, alternation, listed, words
from curation.identifiers.namefinder import NAMED, PER
from curation.identifiers.nameshapes import (
    ANY_SURNAME,
    COMPOUND,
    COUNTIES,
    FAMILIAR,
    FAMOUS,
    GIVEN,
    HAN,
    HONORIFIC,
    LONG_HONORIFICS,
    NOT_NAMES,
    SHORT_HONORIFICS,
    STOP,
    STRONG,
    SURNAMES,
    addressed,
    doubled,
    familiar,
    full_name,
    is_word,
    surname_length,
    take_name,
)
from curation.identifiers.page import FILLER, Candidate, Page
from curation.identifiers.patterns import either, gated, lazy

_WHO = (
    r"(?:我|俺|他|她|你|您|人家|本人|孩子|儿子|女儿|老板|老闆|朋友|同学|对象|前台|管理|司机|猎头|客服|那人"
    r"|那女的|那男的)"
)
_SAID = r"(?:是|为|為|写的?是?|寫|填的?是?|叫做?|就是|呢?是|[:=]| )?[ \"'「“(]{0,2}"
_SURNAME_NEXT = rf"(?=[{''.join(sorted(SURNAMES | {c[0] for c in COMPOUND}))}])"
# Words that announce a name, and how far to trust them.
_ANNOUNCED = (
    (
        gated(
            r"(?:姓名|户名|戶名|收件人?|收货人?|收貨人|收件人?姓?名?字?|联系人|持卡人|乘机人|乘车人|旅客|真名"
            r"|真实姓名|大名|全名|本名|中文名|法人|负责人"
            r"|备注|備註|署名|实名|報?[我你]名|改[了好完]?名(?:了|为|成)?|名字|全称)" + _SAID
        ),
        0.9,
    ),
    (
        gated(rf"(?:{_WHO}(?:的?名字|大名|真名|本名)?(?:就|也|都|真的?)?|名字|名)(?:叫做|叫作|叫)[ \"'「“]{{0,2}}"),
        0.88,
    ),
    (gated(r"(?<![吃喝])(?:叫|喊|称呼)(?:我|他|她)[ \"'「“]{0,2}"), 0.8),
    (
        gated(
            r"(?<![不要还就像只才算可])(?:我|俺|这里|這裡|您好|你好|hi|hello)[,! ]?(?:是|就是)(?:[^ ,.。，]{0,8}的)?"
            + _SURNAME_NEXT
        ),
        0.78,
    ),
    (gated(r"(?:免贵|我) ?姓?" + _SURNAME_NEXT), 0.6),
    (
        gated(r"(?:写|寫|登记|登記|报)(?:的|着)?(?:是)?(?:[我你他她](?:爸|妈|哥|姐|弟|妹))?[吧:]? ?" + _SURNAME_NEXT),
        0.62,
    ),
    (gated(r"(?:找|叫|给|給|转|跟|和|问|是不是|还是|认识|经理|是) ?" + _SURNAME_NEXT), 0.6),
)
# 叫Estelle 何: after words that announce a name any word that begins with a capital is one.
_FOREIGN = gated(
    rf"(?:叫做?|英文名(?:是|叫|就)?|名字是|我是|这是|我叫) ?"
    rf"([A-Z]{{2,12}} [A-Z]{{2,12}}(?: [A-Z]{{2,12}})?|[A-Z][a-z]{{2,11}}(?: ?[{''.join(sorted(SURNAMES))}](?![{HAN}])"
    rf"| [A-Z][a-z]{{1,11}})?)"
    r"(?![A-Za-z0-9@._-])"
)
_ANY_FAMILY = gated(rf"(?:免贵|免貴)(?:姓|(?!姓))([{HAN}])(?![{HAN}])")
_FAMILY_NAME = gated(
    rf"(?<![百同老复改随跟几啥么])姓({'|'.join(sorted(COMPOUND))}"
    rf"|[{''.join(sorted(SURNAMES))}])(?:(?![{HAN}])|(?=的))"
)
_NICKNAME = gated(r"(?:网名|網名|昵称|暱稱|外号|绰号|花名|小名|乳名|艺名)(?:就?叫做?|就?是|[:])? ?[\"'「“]?")
# 可欣妈妈, 子轩家长: what the parents of a child are called.
_PARENT = gated(rf"(?<![{HAN}])([{HAN}]{{2,3}}?)(?:妈妈|爸爸|妈咪|爸比|爷爷|奶奶|外婆|外公|家长|媽媽|爺爺)")
_NICK_VALUE = lazy(rf"[{HAN}A-Za-z0-9_·丶]{{2,12}}")
_ROLE = gated(rf"[我你他她]?(?:{alternation(words('names', 'roles'))}) ?(?:叫|是)?")
_ASKS = gated(
    r"姓名|名字|户名|戶名|收件人|联系人|持卡人|乘机人|贵姓|貴姓|怎么称呼|怎麼稱呼|称呼|叫什么|叫什麼|叫啥"
    r"|叫咩|你谁|你是谁|你哪位|哪位|姓什么|姓啥|真名|俾個名|写谁"
    r"|登谁|找谁|找哪个|你叫|谁接|紧急联系人|英文名|中文名|谁啊|本人"
)
_BARE = lazy(rf"(?<![{HAN}A-Za-z0-9])(?:[{HAN}]{{2,4}})(?![{HAN}])")
_LATIN = words("names", "english_names")
_ENGLISH = lazy(
    rf"(?:[{''.join(sorted(STRONG))}])?(?<![A-Za-z0-9@._/-]){alternation(_LATIN)}(?![A-Za-z0-9@._/-])"
    rf"(?: [{''.join(sorted(STRONG))}](?![{HAN}]))?"
)
_PINYIN = (
    r"(?:zh|ch|sh|[bpmfdtnlgkhjqxzcsryw])?(?:[iu]?a(?:ng?|o|i)?|[iu]?e(?:ng?|i)?|o(?:ng?|u)?|i(?:ng?|u"
    r"|ong)?|u(?:n|i|o|e)?|v|ve|er)"
)
_CAPITALS = gated(rf"(?<![A-Za-z])({_PINYIN}) ({_PINYIN}{_PINYIN}?)(?![A-Za-z])", re.IGNORECASE)
_ROMAN = lazy(rf"(?:{_PINYIN}){{2,4}}(?![a-z0-9_@.])")
_DOTTED = gated(rf"[{HAN}]{{2,6}}[·•][{HAN}]{{2,8}}")
_NOT_IN_DOTTED = frozenset("的了是吧啊呀呢嘛在你我他她这那先就很有没好也和跟说去")
_NOT_LATIN = frozenset({"Tony"})
_SIGNS = " ,，。.!！?？~、:：;；\"'「」“”()\n" + FILLER


# Characters of dialect speech that no name has: a tagger trained on the written language takes 咁夜 and 瞓覺 for names.
_SPOKEN = frozenset("嫲佬係咁嘅喺咗啲嗰唔冇佢哋嚟畀瞓攞乜嘢㗎俾嘞喎囉毋咧嬢嬤嬷遮")


def names(page: Page, index: int) -> Iterator[Candidate]:
    """Names of people in line `index`."""
    text = page.lines[index].text
    for one in _first_hand(page, index):
        if not (_SPOKEN & set(text[one.start : one.end])) and not (text[one.start] == "仲" and one.score < 0.85):
            yield one
    again = page.remember("people", _people)
    if again is not None:
        called, scores = again
        for start, end in called.places(text):
            yield Candidate(start, end, PERSON, scores[text[start:end]], "name:again")


_MOST_NAMES = 200  # remembered in one dialogue: more are a list of names, each found by itself
_NO_SPEAKERS = frozenset(listed("对方 自己 本人 客服 系统 我方 甲方 乙方 用户 顾客 卖家 买家 家长 老师 同学 朋友"))


def _people(page: Page) -> tuple[Vocabulary, dict[str, float]] | None:
    """What the people named in this dialogue may be called again: full name, given name, 航哥, 航儿; speakers' names."""
    found: dict[str, float] = {}
    for speaker in {line.speaker.strip() for line in page.lines}:
        if (
            not speaker.isascii()
            and _SPEAKER.fullmatch(speaker)
            and speaker not in _NO_SPEAKERS
            and not is_word(speaker)
        ):
            found[speaker] = 0.82
    for index, line in enumerate(page.lines):
        for one in _first_hand(page, index):
            if one.score >= 0.7 and len(found) <= _MOST_NAMES:
                for name in _called(line.text[one.start : one.end], one):
                    found[name] = max(found.get(name, 0.0), min(one.score, 0.82))
    usable = tuple(name for name in found if name not in NOT_NAMES)
    return (Vocabulary(usable), found) if usable else None


def _called(name: str, one: Candidate) -> Iterator[str]:
    """What somebody named `name` may be called in another message."""
    if one.rule == "name:doubled":
        yield name
    elif one.rule in ("name:address", "name:familiar") or one.score < 0.78:
        return
    elif one.rule == "name:nickname" or not full_name(name, strict=False):
        if len(name) > 2 and one.score >= 0.8:
            yield name
    else:
        given = name[surname_length(name) :]
        if given in LONG_HONORIFICS or given[-1] in SHORT_HONORIFICS:
            return
        yield name
        if len(given) == 2 and given not in NOT_NAMES and given[0] not in "小老阿大":
            yield given
        yield from (given[-1] + tail for tail in "哥姐儿总")
        yield "小" + given[-1]
        yield "阿" + given[-1]


_SPEAKER = lazy(rf"[{HAN}]{{2,6}}(?:·[{HAN}]{{1,6}})?")


def _first_hand(page: Page, index: int) -> tuple[Candidate, ...]:
    line = page.lines[index]
    return line.remember("names", lambda: tuple(_look(page, index)))


def _look(page: Page, index: int) -> Iterator[Candidate]:
    line = page.lines[index]
    text = line.text
    if text.isascii():
        if line.may(_UPPER):
            yield from _latin(page, index, text)
        return
    if line.may(HONORIFIC):
        for start, end, score in addressed(text):
            yield Candidate(start, end, PERSON, score, "name:address")
    if line.may(FAMILIAR):
        for start, end, score in familiar(text):
            yield Candidate(start, end, PERSON, score, "name:familiar")
    for start, end, score in doubled(text):
        if line.cut and ((start and start not in line.cut) or end not in line.cut):
            continue  # the tagger's words run across it: 大信|信封
        yield Candidate(start, end, PERSON, score, "name:doubled")
    for match in line.each(_DOTTED):
        left, right = re.split("[·•]", match.group(), maxsplit=1)
        stop = next((i for i, c in enumerate(right) if c in _NOT_IN_DOTTED), len(right))
        if stop >= 2 and _NOT_IN_DOTTED.isdisjoint(left):
            yield Candidate(match.start(), match.end() - len(right) + stop, PERSON, 0.85, "name:dotted")
    if line.may(_PARENT):
        yield from _parents(text)
    if line.may(_SAYS_WHO) or (line.may(_SAYS_SURNAME) and line.finds(ANY_SURNAME)):
        yield from _announced(page, index, text)
    if line.words:
        yield from _tagged(page, index, text)
    if index or "*" in text or line.finds(ANY_SURNAME):
        yield from _by_itself(page, index, text)
    if line.may(_UPPER):
        yield from _latin(page, index, text)


_FIELDS = gated(r"[改名户戶件货貨备備署报報旅]|[系卡机车法责]人")
_SAID_SO = gated("[叫喊称]")
# Any of the patterns that `_announced` tries; those that are tried only where a family name may be by themselves.
_SAYS_WHO = either(*(one for one, trust in _ANNOUNCED if trust >= 0.8), _ANY_FAMILY, _FAMILY_NAME, _ROLE, _NICKNAME)
_SAYS_SURNAME = either(*(one for one, trust in _ANNOUNCED if trust < 0.8))


def _announced(page: Page, index: int, text: str) -> Iterator[Candidate]:
    line = page.lines[index]
    for pattern, trust in _ANNOUNCED:
        if not line.may(pattern) or not line.finds(
            ANY_SURNAME if trust < 0.8 else _SAID_SO if trust < 0.9 else _FIELDS
        ):
            continue
        for match in pattern.finditer(text):
            at = match.end()
            taken = take_name(text, at, line.cut, loose=trust >= 0.8)
            if taken is None:
                continue
            end, likeness = taken
            name = text[at:end]
            bounded = end == len(text) or text[end] in _SIGNS or text[end] in STOP
            name = name.replace(" ", "")
            if trust < 0.7 and not (full_name(name) and bounded and (len(name) > 2 or name[0] in STRONG)):
                continue
            if trust < 0.8 and (likeness < 0.85 or name in FAMOUS):
                continue
            # 我同学叫高兴: a word that begins with a family name, where it can only be one.
            only = likeness == 0.35 and trust == 0.88 and (end == len(text) or text[end] in _SIGNS)
            strange = likeness < 0.6 and not only
            if strange and not (bounded and trust >= 0.85 and not page.known_word(index, at, end)):
                continue
            score = round(min(0.92, trust * (0.55 + likeness / 2)), 2)
            yield Candidate(at, end, PERSON, max(score, 0.72) if trust == 0.88 else score, "name:said")
    for match in line.each(_ANY_FAMILY):
        yield Candidate(*match.span(1), PERSON, 0.72, "name:family")
    for match in line.each(_FAMILY_NAME):
        yield Candidate(*match.span(1), PERSON, 0.7, "name:family")
    for match in line.each(_ROLE):
        at = match.end()
        taken = take_name(text, at, line.cut)
        if (
            text[at : at + 1] in ("大", "小", "老", "阿")
            and text[at + 1 : at + 2] in GIVEN
            and text[at : at + 2] not in NOT_NAMES
        ):
            yield Candidate(at, at + 2, PERSON, 0.74, "name:role")
        if (
            taken
            and taken[1] < 0.85
            and taken[1] >= 0.7
            and match.group()[-1] != " "
            and taken[0] < len(text)
            and text[taken[0]] == " "
        ):
            name = text[at : taken[0]]
            if (
                surname_length(name)
                and len(name) <= 3
                and not is_word(name)
                and not page.known_word(index, at, taken[0])
            ):
                yield Candidate(at, taken[0], PERSON, 0.7, "name:role")
        if taken and taken[1] >= 0.85 and not is_word(text[at : taken[0]]):
            whole = taken[0] == len(text) or text[taken[0]] in _SIGNS or text[taken[0]] in STOP or taken[0] in line.cut
            if whole and not page.known_word(index, at, taken[0]):
                yield Candidate(at, taken[0], PERSON, 0.84, "name:role")
            elif (taken[0] == len(text) or text[taken[0]] in _SIGNS) and match.group()[-1] != " ":
                yield Candidate(at, taken[0], PERSON, 0.66, "name:role")
            elif whole and match.group().strip() in ("律师", "医生", "老板", "班主任", "导师"):
                yield Candidate(at, taken[0], PERSON, 0.7, "name:role")
        elif text[at : at + 1].isascii() and (roman := _ROMAN.match(text, at)) and roman.end() - at >= 4:
            yield Candidate(at, roman.end(), PERSON, 0.8, "name:roman")
    for match in line.each(_NICKNAME):
        value = _NICK_VALUE.match(text, match.end())
        if (
            value
            and not _SAYS.search(value.group())
            and value.group()[0] not in STOP
            and value.group()[0] not in "咋改不没和"
        ):
            yield Candidate(*value.span(), PERSON, 0.8, "name:nickname")


# What no nickname has that says something: 玩不下去了, 只许老婆叫.
_SAYS = lazy(r"[不没了吗呢吧呐哈]|[^的]说|叫|什么|早点|下班|话多|^骗|怎么|就是|老婆|老公|好听|难听")


def _parents(text: str) -> Iterator[Candidate]:
    for match in _PARENT.finditer(text):
        name = match[1]
        given = name[surname_length(name) :] if len(name) == 3 else name
        if len(given) != 2 or is_word(name) or name in NOT_NAMES:
            continue
        if all(c in GIVEN for c in given) and name not in NOT_NAMES and given not in NOT_NAMES:
            yield Candidate(*match.span(), PERSON, 0.72, "name:parent")


_ODD = frozenset("喇侬佢喺㗎嚟咗哋嗰啲嘅唔冇係俾囡伊俺咱偶您你我他她它谁啥0123456789")


def _tagged(page: Page, index: int, text: str) -> Iterator[Candidate]:
    line = page.lines[index]
    spans = line.words
    for place, (start, end, tag) in enumerate(spans):
        if tag != PER:
            continue
        while start < end and text[start] in _SIGNS:
            start += 1
        while start < end and text[end - 1] in _SIGNS:
            end -= 1
        name = text[start:end]
        if not 2 <= end - start <= 8 or is_word(name) or not _ODD.isdisjoint(name):
            continue
        if name in COUNTIES or name.endswith("兮兮") or (len(name) > 3 and name[:3] in FAMOUS):
            continue
        if next(line.cues_over(start, end), None):
            continue
        if text[end : end + 1] and is_word(text[start : end + 1]):
            continue
        if name.isascii():
            # What the tagger takes for a name in Latin letters is any word; the lists know better.
            continue
        if not all("\u3400" <= c <= "\u9fff" or c in "·•" or c.isalpha() for c in name):
            continue
        full = full_name(name, strict=False)
        if full and name[0] in STRONG:
            score = 0.84
        elif full:
            score = 0.8
        elif name[0] in "老小阿" or name[-1] in "哥姐总":
            score = 0.76
        elif len(name) == 2 and name[0] == name[1]:
            score = 0.6
        else:
            score = 0.7 if all(c in GIVEN or c in SURNAMES for c in name) else 0.6
        if name[-1] in "了的吗吧呢啊呀就来先" or name[0] in "的了不没又很":
            continue
        if not line.tagger.discerning and not (full_name(name) and (name[0] in STRONG or len(name) == 3)):
            continue
        if not full and score == 0.6 and not _EVERYDAY.isdisjoint(name):
            continue
        if name[0] in "张项段" and start and text[start - 1] in _TAKES_A_SHEET:
            if len(name) != 3 or not all(c in GIVEN for c in name[1:]):
                continue
            start, name, score = start + 1, name[1:], 0.66
        if len(name) == 2 and name[1] == "儿" and name[0] not in GIVEN:
            continue
        # A following given name that the tagger cut off: 闻人|宁.
        after = spans[place + 1] if place + 1 < len(spans) else None
        cut_off = (
            surname_length(name) == end - start == 2 and after and after[2] not in NAMED and after[1] - after[0] == 1
        )
        if cut_off and after and text[after[0]] in GIVEN:
            end = after[1]
        yield Candidate(start, end, PERSON, score, "name:tagged")


_EVERYDAY = frozenset(
    "热冷房吃喝睡玩动跑走打骂哭笑闹累困饿渴烦钱饭菜酒肉床票秃婿客事话脸手脚眼嘴屁屎尿死病痛药穿洗买卖"
)
_TAKES_A_SHEET = frozenset("带买拿来发写画拍换要订办给这那两几一")


def _asked(page: Page, index: int) -> bool:
    """Whether one of the last messages asked for a name and none of those between answered."""
    for back in (1, 2):
        at = index - back
        if at < 0:
            return False
        earlier = page.lines[at]
        if earlier.finds(_ASKS) and FILLER not in earlier.text:
            return True
        if FILLER in earlier.text or len(earlier.text) > 8:
            return False
    return False


def _by_itself(page: Page, index: int, text: str) -> Iterator[Candidate]:
    """A name set off by spaces: 潘琳 110105…, 谭志远; more readily when one was asked for."""
    line = page.lines[index]
    asked = _asked(page, index)
    if not asked and "*" not in text and not line.finds(ANY_SURNAME):
        return
    if asked and len(text.strip(_SIGNS)) == 1 and text.strip(_SIGNS) in SURNAMES:
        at = text.index(text.strip(_SIGNS))
        yield Candidate(at, at + 1, PERSON, 0.66, "name:asked")
    if "*" in text and line.finds(_PAID):
        for match in _STARRED.finditer(text):
            yield Candidate(*match.span(), PERSON, 0.6, "name:starred")
    first = True
    for match in _BARE.finditer(text):
        name = match.group()
        start, end = match.span()
        leads = first and not text[:start].strip(_SIGNS + "嗯对是叫好哦噢喔就")
        first = False
        if not surname_length(name) or len(name) - surname_length(name) not in (1, 2):
            whole = asked and leads and end == len(text) and not is_word(name) and not _SAYS.search(name)
            if whole and not page.known_word(index, start, end) and STOP.isdisjoint(name) and name not in _OF_FORMS:
                yield Candidate(start, end, PERSON, 0.6, "name:asked")
            continue
        numbered = end < len(text) and text[end] == " " and _NUMBER_NEXT.match(text, end) is not None
        if (
            asked
            and leads
            and name not in _OF_FORMS
            and not (set(name[1:]) & STOP)
            and (name not in NOT_NAMES or end == len(text) or numbered)
        ):
            yield Candidate(start, end, PERSON, 0.88 if full_name(name) else 0.7, "name:asked")
        elif not full_name(name) or name in NOT_NAMES or name in COUNTIES:
            continue
        elif numbered and (leads or name[0] in STRONG or len(name) == 3):
            yield Candidate(start, end, PERSON, 0.8, "name:beside-number")
        elif page.known_word(index, start, end):
            # A word of the language that could be a name: 天晴, 高远.
            continue
        elif len(name) == 3 or name[0] in STRONG:
            yield Candidate(start, end, PERSON, 0.66 if len(name) == 3 else 0.55, "name:alone")


# *宇, as payments show who was paid.
_PAID = gated(r"转账|转帐|名字|户名|收款|付款|支付宝|实名|认证")
_STARRED = gated(rf"(?<![A-Za-z0-9*])\*{{1,2}}[{HAN}]{{1,2}}(?![{HAN}])")
# What a form asks for next, where a name is waited for.
_OF_FORMS = frozenset(
    listed(
        """
    关系 住址 籍贯 民族 学历 血型 科室 床号 班级 专业 年级 户籍 银行 支行 金额 用途 日期 时间
    地址 电话 手机 生日 性别 年龄 单位 部门 职业
    接种单位 工作单位 现住址 户口 婚姻 身高 体重 邮编 邮箱 微信 备注 证件 学校 公司
    """
    )
)
_NUMBER_NEXT = lazy(
    rf" (?:\({{0,1}}\+?[0-9]|[一二三四五六七八九零〇幺两壹贰叁肆伍陆柒捌玖]{{3}}|{FILLER}|证号|电话|手机|[0-9])"
)


_UPPER = gated("[A-Z]")
_LATIN_WORD = lazy("[A-Za-z]+")


def _latin(page: Page, index: int, text: str) -> Iterator[Candidate]:
    line = page.lines[index]
    if not _UPPER.search(text):
        return
    # To know the words is quicker than the pattern for all of them, which most dialogues never need.
    known = not _LATIN.isdisjoint(_LATIN_WORD.findall(text))
    for match in _ENGLISH.finditer(text) if known else ():
        if match.group() in _NOT_LATIN:
            continue
        start, end = match.span()
        if text[end : end + 1] in STRONG and not text[end + 1 : end + 2].strip(_SIGNS + "的了是说在"):
            end += 1
        yield Candidate(start, end, PERSON, 0.78, "name:english")
    for match in line.each(_FOREIGN):
        yield Candidate(*match.span(1), PERSON, 0.66, "name:foreign")
    asked = _asked(page, index)
    for match in line.each(_CAPITALS):
        shape = (match[1].isupper() and match[2].isupper()) or (match[1].istitle() and match[2].istitle())
        telling = match[1].isupper() and len(match.group()) > 6 and line.share(*match.span()) > 0.6
        if shape and (asked or telling):
            yield Candidate(*match.span(), PERSON, 0.84 if asked else 0.6, "name:roman")
