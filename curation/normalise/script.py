"""One script: OpenCC's conversion where it is safe, and all of it for those who ask for it by name."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Literal

from curation.errors import N_, MissingExtra, UsageError


@cache
def _in(charset: str, char: str) -> bool:
    try:
        char.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def _common(char: str) -> bool:
    """A character that fonts have: in the first block of unified ideographs as it stood in Unicode 1."""
    return "\u4e00" <= char <= "\u9fa5"


# Two characters that change only beside others that settle their meaning (before, after). 係 is the copula of
# Cantonese and Hakka, and 系 in a few words of written Chinese alone; 乾 is 干 where something is dry, and itself
# in names and in the old cosmology.
_BESIDE = {
    "係": (frozenset("關关聯联干體体派譜谱"), frozenset("數数")),
    "乾": (
        frozenset("餅饼曬晒吹喝烘擦豆肉果口乳風风烤晾萄筍笋梅桃芒杏魚鱼蝦虾瀝沥榨流弄陰阴未抹拭哭舔"),
        frozenset("二淨净燥脆杯枯貨货媽妈爹哥妹女兒儿旱涸洗果糧粮癟瘪巴瘦笑等嘔呕咳裂煸鍋锅麵面冰草柴瞪急掉了啦著着"),
    ),
}
# In GB 2312 and yet not used in simplified text, so that they need no other sign that a line is traditional.
_ALONE = frozenset("後於菸麽")
# Stands in for what is not to be looked at: never in a dictionary, joins no phrase.
BLOCK = "\ufffc"
_LONE = re.compile("([\ud800-\udfff]+)")


CONFIGS = (
    "hk2s", "hk2sp", "hk2t", "jp2t", "s2hk", "s2hkp", "s2t", "s2tw", "s2twp", "t2hk", "t2jp", "t2s", "t2tw", "tw2s",
    "tw2sp", "tw2t",
)  # fmt: skip


@cache
def _opencc(config: str) -> Any:
    try:
        import opencc
    except ImportError as error:
        raise MissingExtra(
            N_("one script needs {package}: install the extra {extra}, or keep the script"),
            "missing_opencc",
            package="opencc",
            extra="curator",
        ) from error
    return opencc.OpenCC(config)


def unguarded(text: str, config: str) -> str:
    """`text` through one of OpenCC's own conversions (`CONFIGS`), with all that it does to words and dialect.

    For views and for comparing; stored text goes through `normalise`. Lone surrogates stay. Raises UsageError for a
    configuration there is none of, MissingExtra when OpenCC is not installed.
    """
    if config not in CONFIGS:
        raise UsageError(N_("{name} must be one of {allowed}"), name="config", allowed=", ".join(CONFIGS))
    convert = _opencc(config).convert
    return "".join(part if _LONE.match(part) else convert(part) for part in _LONE.split(text) if part)


class Converter:
    """OpenCC's plain conversion (`t2s`, `s2t`), taken character by character and only where it is safe.

    A change is taken only if it puts a common character in. To simplified: never on the strength of a phrase
    alone, but only where the character changes on its own too; one that simplified text uses as well (徵, 藉, 沈)
    changes only in a line that has a traditional one; 么 never. To traditional: in a line that is traditional
    already, only what traditional text does not have changes. A line that does not come to rest is left alone.
    """

    def __init__(self, script: Literal["simplified", "traditional"]) -> None:
        self._to_simplified = script == "simplified"
        self._convert = _opencc("t2s" if self._to_simplified else "s2t").convert
        if self._to_simplified:
            ranges = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xF900, 0xFB00))
            source = [chr(c) for first, end in ranges for c in range(first, end)]
            target = self._convert("\n".join(source)).split("\n")
            pairs = zip(source, target, strict=True)
            self.changeable = frozenset(a for a, b in pairs if a != b and _common(b) and a != "么")
        else:
            # Here phrases decide what a character becomes (关系 關係, 一只 一隻): any may change.
            self.changeable = frozenset(map(chr, range(0x4E00, 0x9FA6)))
            self._traditional = converter("simplified").changeable

    def settle(self, line: str) -> str:
        """`line` converted until nothing changes any more; as long as it was. No lone surrogates allowed."""
        before = line
        for _ in range(5):
            after = self._once(before)
            if after == before:
                return after
            before = after
        return line

    def _once(self, line: str) -> str:
        after: str = self._convert(line)
        if len(after) != len(line):
            after = "".join(self._convert(c) if c in self.changeable else c for c in line)
        changes = [
            i
            for i, (a, b) in enumerate(zip(line, after, strict=True))
            if a != b and a in self.changeable and _common(b)
        ]
        if self._to_simplified:
            changes = [i for i in changes if line[i] not in _BESIDE or self._is_settled(line, i)]
            if all(_in("gb2312", line[i]) for i in changes):
                changes = [i for i in changes if line[i] in _ALONE or line[i] in _BESIDE]
        elif any(c in self._traditional and not _in("gb2312", c) for c in line):
            changes = [i for i in changes if not _in("big5", line[i])]
        result = list(line)
        for i in changes:
            result[i] = after[i]
        return "".join(result)

    @staticmethod
    def _is_settled(line: str, i: int) -> bool:
        before, after = _BESIDE[line[i]]
        return (i > 0 and line[i - 1] in before) or line[i + 1 : i + 2] in after


@cache
def converter(script: Literal["simplified", "traditional"]) -> Converter:
    return Converter(script)
