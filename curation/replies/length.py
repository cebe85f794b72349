"""How long a reply is to someone who reads it."""

from __future__ import annotations

import re
from itertools import pairwise

from curation.graphemes import boundaries

# Stickers of chat programs: `[/委屈巴巴]`, and `[偷笑]` in plain brackets.
_STICKER = re.compile(r"\[/[^\[\]\s]{1,12}\]|\[[\u4e00-\u9fff]{1,6}\]")

# Letters, Chinese characters, everyday punctuation and emoji that are one code point: one sign each, but for spaces. None of
# them joins what stands beside it; what does (skin tones, joiners, the halves of flags, U+FE0F) is not among them.
_SIMPLE = re.compile(
    "[ -~“”‘’…—·\u2600-\u27bf\u3000-\u3029\u3030\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff5e"
    "\U0001f300-\U0001f3fa\U0001f400-\U0001f64f\U0001f680-\U0001f6c5\U0001f900-\U0001f9ff]*"
)


def visible_length(text: str) -> int:
    """How many signs a reader sees in `text`: this is what the limit on replies counts.

    A Chinese character, a letter, a digit and a mark of punctuation are one each (so a Latin word is its letters); an
    emoji is one however many code points it is made of; a sticker such as `[/委屈巴巴]` is one. White space and what
    cannot be seen are none.
    """
    bare, stickers = _STICKER.subn(" ", text) if "[" in text else (text, 0)
    if _SIMPLE.fullmatch(bare):
        return stickers + len(bare) - bare.count(" ") - bare.count("\u3000")
    cuts = boundaries(bare)
    return stickers + sum(any(c.isprintable() and not c.isspace() for c in bare[a:b]) for a, b in pairwise(cuts))
