"""How Chinese names are built: family name and given name, forms of address, pet names, spelled names."""

from __future__ import annotations

from collections.abc import Collection

from curation.identifiers.lexicon import alternation, characters, words
from curation.identifiers.patterns import gated, lazy

HAN = "\u3400-\u9fff"
STRONG = characters("names", "strong_surnames")
SURNAMES = STRONG | characters("names", "weak_surnames")
COMPOUND = words("names", "compound_surnames")
GIVEN = characters("names", "given_characters")
NOT_NAMES = words("names", "not_names")
FAMOUS = words("names", "public_figures")
LONG_HONORIFICS = words("names", "honorifics")
SHORT_HONORIFICS = frozenset("".join(words("names", "short_honorifics")))
_PLACES = words("places", "cities") | words("places", "provinces")
COUNTIES = words("counties", "counties")
_NOT_DOUBLED = words("names", "not_doubled")

# What cannot be part of a name, so that a name ends before it.
STOP = frozenset(
    "的了是吧啊呀哦呢嘛在和跟与與也就都还還不没沒有说說要给給把被让讓叫那这這去来來到上个個对對吗嗎么麼呗哈嘞啦喔收很挺太再又先刚剛才正会會能可得着著过過"
    "你我他她它咱您俺侬佢伊谁哪什啥怎几多少从從向于為为找问問看想知道出住打发發帮幫请請用吃喝买買卖賣走跑今昨后前里裡边邊时候点點手电電身生号號名字"
)
# No given name has these, whatever else may be one.
_STOP_SECOND = frozenset("的了是吧啊呀哦呢嘛在也就都不没沒有吗嗎么麼呗嘞啦喔你我他她它咱您个個着")
_BEFORE_MEASURES = frozenset("一二两三四五六七八九十几这那每半多")
_MEASURES = frozenset("张项毛段章家元位车席石时包党")

# What may follow a short form of address when it is none: 徐总是…, 李工作…
_GOES_ON = {
    "总": "是算共之体部裁监经会结得要",
    "工": "作厂程资具业人",
    "导": "致演师游员航弹购",
    "队": "员长伍友",
    "處": "理於女在",
    "处": "理于女在的处分罚",
    "生": "日活气意产病命姜肖效怕前",
    "教": "育练室我你他她会学授训程",
    "律": "师",
    "师": "傅父范生兄姐弟妹大院长专资德徒娘太母公尊门",
    "局": "部面长",
    "董": "事",
    "院": "长子校",
    "妹": "子",
    "姐": "夫",
    "哥": "们特",
    "婆": "媳",
}
_BOTH_SIDES = frozenset("生妹弟教律处局院工婆爷")
HONORIFIC = gated(rf"(?<=[{HAN}])(?i:{alternation(LONG_HONORIFICS)}|[{''.join(sorted(SHORT_HONORIFICS))}])")
_LETTER = lazy(rf"[{HAN}A-Za-z0-9]")


ANY_SURNAME = gated(f"[{''.join(sorted(SURNAMES | {word[0] for word in COMPOUND}))}]")


def is_word(text: str) -> bool:
    """Whether a string that looks like a name is something else."""
    return text in NOT_NAMES or text in FAMOUS or text in LONG_HONORIFICS or text in _PLACES


def surname_length(text: str, at: int = 0) -> int:
    """How many characters at `at` are a family name: 2, 1 or 0."""
    if text[at : at + 2] in COMPOUND:
        return 2
    return 1 if text[at : at + 1] in SURNAMES else 0


def full_name(text: str, *, strict: bool = True) -> bool:
    """Whether all of `text` is built like a full name: a family name, then one or two characters; `strict` asks
    that those be characters of given names."""
    length = surname_length(text)
    rest = text[length:]
    if not length or not 1 <= len(rest) <= 2 or is_word(text):
        return False
    if strict:
        return all(char in GIVEN or char in STRONG for char in rest.removeprefix("小") or rest)
    return all(char not in _STOP_SECOND for char in rest)


def addressed(text: str) -> list[tuple[int, int, float]]:
    """Where somebody is spoken of with a form of address: 王老师, 徐总, 阿兰姐, 欧阳小明先生; with a score."""
    found = []
    for match in HONORIFIC.finditer(text):
        at, end = match.span()
        word = match.group()
        short = len(word) == 1
        if short and end < len(text) and text[end] in _GOES_ON.get(word, ""):
            continue
        start, score = _before_honorific(text, at, end, short)
        if start is None or is_word(text[start:end]) or text[start : end + 1] in NOT_NAMES:
            continue
        if any(text[max(0, start - back) : at + 1] in NOT_NAMES for back in (0, 1)):
            continue
        found.append((start, end, score))
    return found


def _before_honorific(text: str, at: int, end: int, short: bool) -> tuple[int | None, float]:
    if text[at - 2 : at] in COMPOUND and at >= 2:
        return at - 2, 0.88
    last = text[at - 1]
    prefix = text[at - 2] if at >= 2 else ""
    familiar_form = prefix and prefix in "小老阿大" and prefix + last not in NOT_NAMES and last not in STOP
    if familiar_form and (last in SURNAMES or prefix == "阿" or (prefix == "小" and last in GIVEN)):
        return at - 2, 0.84
    if text[at - 1 : end] in NOT_NAMES or text[at - 2 : at] in NOT_NAMES:
        return None, 0.0
    if (last in "谢謝" and last in text[max(0, at - 2) : at - 1]) or text[at - 2 : at] in ("谢谢", "謝謝"):
        return None, 0.0
    if last in SURNAMES:
        if last in _MEASURES and text[at - 2 : at - 1] in _BEFORE_MEASURES and at >= 2:
            return None, 0.0
        bare = at < 2 or not _LETTER.match(text[at - 2])
        after = text[end : end + 1]
        if short and not bare and text[at - 2] in "给找是跟和请问叫让到喊" and not _LETTER.match(after):
            return at - 1, 0.7
        if short and text[at:end] in _BOTH_SIDES and not (bare and not _LETTER.match(after) and last in STRONG):
            return None, 0.0
        if last in STRONG:
            # 何燕老师 rather than 燕老师.
            if at >= 2 and last in GIVEN and text[at - 2] in STRONG and not short:
                return at - 2, 0.86
            return at - 1, 0.86 if not short or bare else 0.8
        if bare or text[at - 2] in "是叫找问给跟让请谢的和见喊":
            return at - 1, 0.82 if not short else 0.7
        return (at - 1, 0.66) if not short else (None, 0.0)
    if last in GIVEN:
        if at >= 3 and text[at - 2] in GIVEN and text[at - 3] in STRONG:
            return at - 3, 0.85
        if at >= 4 and text[at - 2] in GIVEN and text[at - 4 : at - 2] in COMPOUND:
            return at - 4, 0.85
        if at >= 2 and text[at - 2] in SURNAMES and not short:
            return at - 2, 0.8
        if (
            short
            and text[at:end] in "哥姐"
            and (at < 2 or not _LETTER.match(text[at - 2]) or text[at - 2] in "了叫找谢是")
        ):
            # 航哥: part of a given name.
            after = text[end : end + 1]
            return (at - 1, 0.62) if not _LETTER.match(after) or after in "都说在来去也给" else (None, 0.0)
    return None, 0.0


FAMILIAR = gated(rf"(?:(?<![{HAN}])|(?<=[^大小老])|(?<=[老板]))([老小阿])([{HAN}])(?=(.?))")
_AFTER_FAMILIAR = frozenset(
    "说說在的了是给給来來去叫和跟呢啊也都把让讓借那家你他她我不没有就还要开组打写做会能问请到找什怎吗吧，。！？,.!?:、 "
)


def familiar(text: str) -> list[tuple[int, int, float]]:
    """老王, 小李, 阿强; with a score."""
    found = []
    for match in FAMILIAR.finditer(text):
        prefix, char, after = match.groups()
        start, end = match.start(1), match.end(2)
        pair = prefix + char
        if (
            pair in NOT_NAMES
            or pair in _PLACES
            or pair + after in NOT_NAMES
            or char in STOP
            or text[start : start + 4] in NOT_NAMES
        ):
            continue
        bounded = not after or after in _AFTER_FAMILIAR or not ("\u3400" <= after <= "\u9fff")
        if prefix == "阿":
            if bounded:
                found.append((start, end, 0.8))
            elif char in SURNAMES or char in GIVEN:
                found.append((start, end, 0.66))
        elif char in STRONG or (
            char in SURNAMES
            and bounded
            and prefix == "老"
            and char not in "高金黄白时常古成"
            and after not in ("了", "的")
        ):
            found.append((start, end, 0.82 if bounded else 0.68))
    return found


_NAMELIKE = GIVEN | frozenset("乔妞豆毛童涵萌糖菲囡薇露兜嘟球筱")


_NOT_DOUBLED_EVER = frozenset("天人大小一二三四五六七八九十明年月日时常好多可心爱情安平")
# What comes before is looked at last: to see that two are alike is quicker.
_DOUBLED = lazy(rf"([{''.join(sorted(_NAMELIKE - _NOT_DOUBLED_EVER))}])\1(?!\1)(?<![一几每]..)")


def doubled(text: str) -> list[tuple[int, int, float]]:
    """Pet names: 朵朵, 婉婉; with a score."""
    found = []
    for match in _DOUBLED.finditer(text):
        char = match[1]
        before = text[match.start() - 1 : match.start()]
        if before and before == char:
            continue
        if match.group() in NOT_NAMES or (char in _NOT_DOUBLED and before not in ("家", "叫")):
            continue
        found.append((match.start(), match.end(), 0.7 if before not in "的地得" else 0.55))
    return found


def take_name(text: str, at: int, cut: Collection[int], *, loose: bool = False) -> tuple[int, float] | None:
    """The name that begins at `at`, after words that announce one: its end, and how name-like it is (0 to 1).

    `cut` are the places where words of the line begin (empty without a tagger). `loose` takes what looks like no
    name too, when it stands by itself.
    """
    spaced = _SPACED.match(text, at) if text[at + 1 : at + 2] == " " else None
    if spaced and surname_length(spaced.group()):
        return spaced.end(), 0.9
    run = _RUN.match(text, at)
    if run is None:
        return None
    word = run.group()
    if word[0] in STOP and word[0] not in SURNAMES:
        return None
    if "·" in word:
        return run.end(), 0.9
    length = surname_length(word)
    limit = next((i for i, c in enumerate(word) if i >= max(1, length) and c in STOP), len(word))
    if length and limit > length:
        best = min(limit, length + 2)
        if len(word) > best or limit > best:
            # In a longer run the tagger's words say where the name ends, else the shape of given names.
            ends = [size for size in range(length + 1, length + 3) if at + size in cut]
            if ends and ends[-1] <= best:
                best = ends[-1] if at + best not in cut else best
            elif best == length + 2 and word[best - 1] not in GIVEN:
                best -= 1
        name = word[:best]
        if name in NOT_NAMES:
            return (at + best, 0.35) if loose and best == len(word) and len(name) >= 2 else None
        return at + best, 0.9 if full_name(name) else 0.7
    if 2 <= limit <= 3:
        name = word[:limit]
        if name in NOT_NAMES:
            return None
        if all(c in GIVEN for c in name):
            return at + limit, 0.75
        if loose and limit == len(word):
            return at + limit, 0.4
    return None


_SPACED = lazy(rf"(?:[{HAN}] ){{1,3}}[{HAN}](?! ?[{HAN}])")
_RUN = lazy(rf"[{HAN}]{{1,12}}(?:·[{HAN}]{{1,8}}){{0,3}}")
