"""Invented names in the place of real ones, of the same shape: 老王 becomes 老李, 王小明 three other characters.

Family names, characters of given names and Latin names are each mapped by themselves, so 王老师 and 老王 stay one
person's, and 阿航 goes with 魏子航. Nothing is invented that occurs in the dialogue.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Sequence

from curation.folding import fold
from curation.identifiers.lexicon import listed, words
from curation.identifiers.nameshapes import HAN, LONG_HONORIFICS, SHORT_HONORIFICS, surname_length
from curation.identifiers.patterns import lazy

_SURNAMES = (
    "李周陈林何许沈宋程韩冯曹蔡潘田董叶余杜魏吕丁任姚卢钟谭陆汪范石廖贾韦傅邹孟薛阎侯龙史陶黎贺顾毛郝龚邵"
    "万钱严武戴莫孔向汤"
)
_GIVEN = (
    "浩宇轩博文俊杰涛磊鹏飞强军勇斌超明亮建国志伟平波辉刚毅峰昊然泽睿晨阳凯航思雨欣怡佳琪雪婷慧敏静丽娜芳"
    "莹倩雯璐瑶薇妍彤诗涵梦洁颖琳蕾晓燕玲娟霞兰凤桂英秀珍玉淑惠春秋冬梅莲荷菊松柏林森"
)
_COMPOUND = listed("欧阳 上官 司马 诸葛 皇甫 慕容 令狐 司徒 夏侯 端木 尉迟 公孙")
_LATIN = listed(
    """
    Alan Alice Andy Anna Ben Betty Carl Cathy Cindy Claire Daniel Diana Eddie Ella Emily Eric Fiona Frank
    Gary Gina Grace Harry Helen Henry Irene Ivan Jack Jane Jenny Kate Kelly Ken Laura Leo Linda Lucy Luke
    Mandy Mike Molly Nancy Nick Nina Oscar Paul Peter Rachel Rita Robert Ryan Sam Sara Simon Stella Tim Tina
    Vera Victor Wendy
    """
)
_PINYIN_SURNAMES = listed(
    """
    lin he xu song cheng han feng cao cai pan dong ye yu du wei lu ding ren yao tan fan liao jia fu zou meng
    xue
    """
)
_PINYIN_GIVEN = listed(
    """
    haoyu jiaqi zihan minghao siyu wenjie yutong xinyi jiahui yifan zixuan lele ruoxi chenxi haoran peng
    ting jing lei hui
    """
)
_FOREIGN = listed(
    """
    艾力 吐尔逊 卡米拉 努尔 阿依古 热娜 巴图 其其格 扎西 卓玛 帕提 古丽 萨日娜 哈森 约翰 马丁 安娜 彼得 露西
    汉斯
    """
)
_HONORIFIC = lazy(
    rf"(?:{'|'.join(sorted(LONG_HONORIFICS, key=len, reverse=True))}|[{''.join(sorted(SHORT_HONORIFICS))}儿])\Z",
    re.IGNORECASE,
)
_ENGLISH = {name.lower() for name in words("names", "english_names")}


class Surrogates:
    """The invented names of one dialogue. The same `key` and the same texts give the same names."""

    def __init__(self, texts: Sequence[str], key: bytes) -> None:
        self._key = key
        self._text = "".join(fold(text).text for text in texts)
        self._low = self._text.lower()
        self._map: dict[tuple[str, str], str] = {}
        self._used: set[tuple[str, str]] = set()

    def name(self, original: str) -> str | None:
        """An invented name for `original` (folded), or None when it has no shape that can be kept."""
        name = original.strip()
        if re.search(rf"[{HAN}] [{HAN}]", name):
            inner = self.name(name.replace(" ", ""))
            return " ".join(inner) if inner else None
        if "·" in name or "•" in name:
            return "·".join(self._pick("foreign", part, _FOREIGN) for part in re.split("[·•]", name))
        if re.fullmatch(r"[A-Za-z][A-Za-z .'-]*", name):
            return " ".join(self._latin(part, at) for at, part in enumerate(name.split()))
        if mixed := re.fullmatch(rf"([A-Za-z]+)([{HAN}]{{1,3}})", name):
            rest = self.name(mixed[2]) if len(mixed[2]) > 1 else self._surname(mixed[2])
            return self._latin(mixed[1], 0) + (rest or "")
        if re.fullmatch(rf"[{HAN}]{{1,6}}", name):
            return self._chinese(name)
        return None

    def _chinese(self, name: str) -> str | None:
        tail = ""
        honorific = _HONORIFIC.search(name, 1)
        if (
            honorific
            and (len(name) - len(honorific.group()) >= 1)
            and not (len(name) == 2 and honorific.group() == "儿" and surname_length(name))
        ):
            tail = honorific.group()
            name = name[: honorific.start()]
        head = ""
        if len(name) >= 2 and name[0] in "老小阿大" and len(name) <= 3 and (len(name) == 2 or not surname_length(name)):
            head, name = name[0], name[1:]
        length = surname_length(name)
        if length and (len(name) > length or tail or head) and len(name) <= length + 2:
            if head == "阿" or (head == "小" and ("given", name) in self._map):
                return head + self._given(name) + tail
            return head + self._surname(name[:length]) + self._given(name[length:]) + tail
        if len(name) == 1 and length and not tail:
            return head + self._surname(name)
        return head + self._given(name) + tail if len(name) <= 4 else None

    def _surname(self, name: str) -> str:
        return self._pick("surname", name, _COMPOUND if len(name) == 2 else list(_SURNAMES))

    def _given(self, name: str) -> str:
        return "".join(self._pick("given", char, list(_GIVEN)) for char in name)

    def _latin(self, part: str, place: int) -> str:
        low = part.lower()
        if low in _ENGLISH or (part.istitle() and place == 0 and len(part) > 3):
            pool = _LATIN
        else:
            pool = _PINYIN_SURNAMES if place == 0 and len(part) <= 5 else _PINYIN_GIVEN
        picked = self._pick("latin", low, pool)
        shape: Callable[[str], str] = (
            str.upper if part.isupper() and len(part) > 1 else str.lower if part.islower() else str.title
        )
        return shape(picked)

    def _pick(self, kind: str, value: str, pool: Sequence[str]) -> str:
        """One of `pool` for `value`, always the same one; not in the dialogue, and not another value's."""
        at = (kind, value)
        if at not in self._map:
            digest = hmac.new(self._key, f"{kind}\0{value}".encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
            first = int.from_bytes(digest[:8], "big")
            ring = [pool[(first + step) % len(pool)] for step in range(len(pool))]
            fresh = [one for one in ring if (kind, one) not in self._used]
            unseen = [one for one in fresh if one.lower() not in self._low]
            # A dialogue that holds every one of them leaves at least one that is not the original.
            chosen = (unseen or [one for one in fresh if one != value] or [one for one in ring if one != value])[0]
            self._map[at] = chosen
            self._used.add((kind, chosen))
        return self._map[at]
