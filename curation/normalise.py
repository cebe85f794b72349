"""Normalising a message without flattening it: hygiene of characters and, where asked for, one script.

Each rule puts one character, or none, in the place of one character, so that every change has exact offsets:

    invisible   zero-width, bidirectional and control characters go
    space       every odd space becomes the ordinary one, every odd line break the ordinary one
    width       full-width digits and Latin letters become ordinary ones; Chinese punctuation stays
    radical     a radical that stands in for a character becomes the character
    script      characters are put in the project's script, with guards (see `_Converter`)

Runs of spaces, laughter, particles, dialect words, slang and mistakes are how people talk: they stay as they
are. So does what stands in a sticker or placeholder (`[/x]`, `[x]`), an emoji, a kaomoji, or a span that the
caller protects. Normalising what is normalised changes nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from curation.errors import N_, MissingExtra
from curation.layers import Edit
from curation.settings import Script

NORMALISER_VERSION = "normalise-1"

RULES: dict[str, str] = {
    "invisible": N_("a character that cannot be seen was taken out"),
    "space": N_("an odd space or line break became an ordinary one"),
    "width": N_("a full-width letter or digit became an ordinary one"),
    "radical": N_("a radical became the character it stands for"),
    "script": N_("a character was put in the project's script"),
}

# Unicode's default-ignorable characters, and the controls other than tab and line breaks.
_INVISIBLE = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_BREAKS = "\x0b\x0c\x85\u2028\u2029"
_SPACES = "\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_ODD = re.compile(
    f"(?P<invisible>[{_INVISIBLE}]|\r(?=\n))|(?P<break>[{_BREAKS}\r])|(?P<space>[{_SPACES}])"
    "|(?P<width>[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a])|(?P<radical>[\u2e80-\u2ef3\u2f00-\u2fd5])"
)

_PICTURE = (
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_EMOJI_PART = f"{_PICTURE}[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]*\u20e3?(?:[\U000e0020-\U000e007e]+\U000e007f)?"
_EMOJI = f"{_EMOJI_PART}(?:\u200d{_EMOJI_PART})*|[0-9#*]\ufe0f?\u20e3\ufe0f?"
_STICKER = r"\[/?[^\[\]\s]{1,12}\]"
# Faces without brackets: two equal eyes and a mouth.
_EYES = r"(?P<eye>[TtＴｔOoＯｏQqＱｑXxＸｘ＾])[_＿﹏.．ωΩ▽]+(?P=eye)"
_PROTECTED = re.compile(f"{_EMOJI}|{_STICKER}|{_EYES}")
# Faces in brackets, with the arms beside them.
_ARMS = "[ヾヽﾉノ╯╰╮╭Σ凸づっmＯOoｏ]?"
_BRACKETED = re.compile(f"{_ARMS}[(（](?P<face>[^()（）\r\n]{{2,20}})[)）]{_ARMS}")
_WORDS = re.compile(r"[A-Za-zＡ-Ｚａ-ｚ]{3}|[0-9０-９]{2}|[\u4e00-\u9fff]{2}")
_SENTENCE = frozenset("，。、！？：；“”‘’《》【】,.!?:;'\"%/+-_@#&=")


def _is_face(inside: str) -> bool:
    """Whether what stands in brackets is drawn and not written: two marks or more, and no word or number."""
    if _WORDS.search(inside):
        return False
    drawn = [
        c
        for c in inside
        if not (c.isascii() and c.isalnum())
        and c not in _SENTENCE
        and not "\u4e00" <= c <= "\u9fff"
        and unicodedata.category(c)[0] not in "CZ"
        and not _ODD.match(c)
    ]
    return len(drawn) >= 2


def protected_spans(text: str) -> list[tuple[int, int]]:
    """Where `text` holds stickers, placeholders, emoji and kaomoji; half-open ranges, in no special order."""
    spans = [m.span() for m in _PROTECTED.finditer(text)]
    return spans + [m.span() for m in _BRACKETED.finditer(text) if _is_face(m["face"])]


@cache
def _radicals() -> dict[str, str]:
    lines = (files("curation") / "data" / "radicals.tsv").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {line[0]: line[1] for line in pairs}


def _plain(match: re.Match[str]) -> tuple[str, str]:
    """What stands in the place of an odd character, and the rule that says so."""
    char = match[0]
    if match["invisible"]:
        return "", "space" if char == "\r" else "invisible"
    if match["break"]:
        return "\n", "space"
    if match["space"]:
        return " ", "space"
    if match["width"]:
        return chr(ord(char) - 0xFEE0), "width"
    # Unicode folds all Kangxi radicals and almost none of the supplement.
    return _radicals().get(char) or unicodedata.normalize("NFKC", char), "radical"


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
        frozenset("餅饼曬晒吹喝烘擦豆肉果口乳風风烤晾葡萄"),
        frozenset("淨净燥脆杯枯貨货媽妈爹哥妹女旱涸洗果糧粮癟瘪巴"),
    ),
}
# In GB 2312 and yet not used in simplified text, so that they need no other sign that a line is traditional.
_ALONE = frozenset("後於菸麽")
# Stands in for what is not to be looked at: never in a dictionary, joins no phrase.
_BLOCK = "\ufffc"


class _Converter:
    """OpenCC's plain conversion (`t2s`, `s2t`), taken character by character and only where it is safe.

    A change is taken only if it puts a common character in. To simplified: never on the strength of a phrase
    alone, but only where the character changes on its own too; one that simplified text uses as well (徵, 藉, 沈)
    changes only in a line that has a traditional one; 么 never. To traditional: in a line that is traditional
    already, only what traditional text does not have changes. A line that does not come to rest is left alone.
    """

    def __init__(self, script: Literal["simplified", "traditional"]) -> None:
        try:
            import opencc
        except ImportError as error:
            raise MissingExtra(
                N_("one script needs {package}: install the extra {extra}, or keep the script"),
                "missing_opencc",
                package="opencc",
                extra="curator",
            ) from error
        self._to_simplified = script == "simplified"
        self._convert = opencc.OpenCC("t2s" if self._to_simplified else "s2t").convert
        if self._to_simplified:
            ranges = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xF900, 0xFB00))
            source = [chr(c) for first, end in ranges for c in range(first, end)]
            target = self._convert("\n".join(source)).split("\n")
            pairs = zip(source, target, strict=True)
            self.changeable = frozenset(a for a, b in pairs if a != b and _common(b) and a != "么")
        else:
            # Here phrases decide what a character becomes (关系 關係, 一只 一隻): any may change.
            self.changeable = frozenset(map(chr, range(0x4E00, 0x9FA6)))
            self._traditional = _converter("simplified").changeable

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
def _converter(script: Literal["simplified", "traditional"]) -> _Converter:
    return _Converter(script)


def normalise(
    text: str,
    script: Script = "simplified",
    protected: Sequence[tuple[int, int]] = (),
    *,
    rules: Collection[str] = tuple(RULES),
) -> tuple[Edit, ...]:
    """The edits that normalise `text`: sorted, disjoint, each under one rule of `RULES`.

    `protected` are half-open ranges that stay as they are; `rules` are those to apply. Any string is taken,
    lone surrogates included (they stay). Raises MissingExtra when a script is asked for and OpenCC is not
    installed.
    """
    converter = _converter(script) if script != "keep" and "script" in rules else None
    odd = _ODD.search(text)
    if odd is None and (converter is None or converter.changeable.isdisjoint(text)):
        return ()
    closed = bytearray(len(text))
    for start, end in (*protected, *protected_spans(text)):
        start, end = max(0, start), min(len(text), end)
        if start < end:
            closed[start:end] = b"\x01" * (end - start)
    chars = list(text)
    reasons = [""] * len(text)
    for match in _ODD.finditer(text):
        if closed[match.start()]:
            continue
        char, rule = _plain(match)
        if rule in rules and char != match[0]:
            chars[match.start()], reasons[match.start()] = char, rule
    if converter is not None:
        _convert(chars, reasons, closed, converter)
    return _edits(text, chars, reasons)


def _convert(chars: list[str], reasons: list[str], closed: bytearray, converter: _Converter) -> None:
    """Put `chars` (one or none for each place of the text) in the converter's script, in place."""
    places = [i for i, c in enumerate(chars) if c]
    shown = [_BLOCK if closed[i] or "\ud800" <= chars[i] <= "\udfff" else chars[i] for i in places]
    if converter.changeable.isdisjoint(shown):
        return
    settled = "\n".join(converter.settle(line) for line in "".join(shown).split("\n"))
    for place, before, after in zip(places, shown, settled, strict=True):
        if before != after:
            chars[place] = after
            reasons[place] = reasons[place] or "script"


def _edits(text: str, chars: list[str], reasons: list[str]) -> tuple[Edit, ...]:
    """One edit for each run of neighbouring changes under the same rule."""
    edits: list[Edit] = []
    for i, rule in enumerate(reasons):
        if not rule:
            continue
        last = edits[-1] if edits else None
        if last is not None and last.end == i and last.rule == rule:
            edits[-1] = Edit(last.start, i + 1, last.replacement + chars[i], rule)
        else:
            edits.append(Edit(i, i + 1, chars[i], rule))
    return tuple(edits)
