"""Digits that are written by their sound: with characters that sound like them (久酒 for 9), and in pinyin (yao san wu,
yao1 san1 wu3). Only in long runs, for each of them is a word of its own besides."""

from __future__ import annotations

import re

from curation.identifiers.patterns import lazy

NOTHING = "\ue000"  # stands for the letters of a digit after its first
_LIKE = {
    "0": "玲灵凌铃另洞林",
    "1": "妖腰摇要姚衣医依易",
    "2": "儿耳尔而饿",
    "3": "伞散珊山",
    "4": "思斯死似寺",
    "5": "午舞武呜吾屋",
    "6": "留溜榴流刘",
    "7": "妻漆欺奇骑气",
    "8": "巴吧爸把发扒",
    "9": "久酒旧救玖舅",
}
_TABLE = str.maketrans({char: digit for digit, row in _LIKE.items() for char in row})
_SOUNDS = "".join(_LIKE.values())
# What is a word by itself must touch another digit on both sides.
_COMMON = "玲灵凌铃另林摇要衣医依易耳尔而饿散山斯死似寺武呜吾屋溜流刘留欺奇骑气吧爸把发旧救"
_LOOSE = lazy(rf"(?<![0-9{_SOUNDS}])[{_COMMON}]|[{_COMMON}](?![0-9{_SOUNDS}])")
_RUN = lazy(rf"[0-9{_SOUNDS}](?:[ ,，、.-]?[0-9{_SOUNDS}]){{6,20}}")
_PINYIN = {
    "yao": "1", "yi": "1", "er": "2", "liang": "2", "san": "3", "si": "4", "wu": "5", "liu": "6", "qi": "7", "guai": "7",
    "ba": "8", "jiu": "9", "gou": "9", "ling": "0", "dong": "0",
}  # fmt: skip
_ONE = f"(?:{'|'.join(sorted(_PINYIN, key=len, reverse=True))})[1-5]?"
_SPELLED = lazy(rf"(?<![a-z])(?:{_ONE}[ ,、.·-]?){{4,20}}{_ONE}(?![a-z])", re.IGNORECASE)
_EACH = lazy(_ONE, re.IGNORECASE)


def sounded(text: str) -> str:
    """`text` (digits read) with digits by sound read, character for character: the length stays. What remains of a
    spelled digit is `NOTHING`."""
    if _RUN.search(text):
        text = _RUN.sub(_characters, text)
    if _SPELLED.search(text):
        text = _SPELLED.sub(lambda match: _EACH.sub(_letters, match.group()), text)
    return text


def _characters(match: re.Match[str]) -> str:
    run = match.group()
    digits = sum("0" <= c <= "9" for c in run)
    said = sum(c.isalnum() for c in run)
    if digits * 2 < said or said - digits > 5 or _LOOSE.search(run):
        return run
    return run.translate(_TABLE)


def _letters(match: re.Match[str]) -> str:
    word = match.group()
    return _PINYIN[word.rstrip("12345").lower()] + NOTHING * (len(word) - 1)
