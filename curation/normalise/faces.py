"""Spans that are drawn and not written: stickers, placeholders, emoji, kaomoji. Nothing in them is ever changed."""

from __future__ import annotations

import re
import unicodedata

from curation.normalise.hygiene import ODD

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
        and not ODD.match(c)
    ]
    return len(drawn) >= 2


def protected_spans(text: str) -> list[tuple[int, int]]:
    """Where `text` holds stickers, placeholders, emoji and kaomoji; half-open ranges, in no special order."""
    spans = [m.span() for m in _PROTECTED.finditer(text)]
    return spans + [m.span() for m in _BRACKETED.finditer(text) if _is_face(m["face"])]
