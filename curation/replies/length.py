"""How long a reply is to someone who reads it."""

from __future__ import annotations

import re
from itertools import pairwise

from curation.graphemes import boundaries

# Stickers of chat programs: `[/委屈巴巴]`, and `[偷笑]` in plain brackets.
_STICKER = re.compile(r"\[/[^\[\]\s]{1,12}\]|\[[\u4e00-\u9fff]{1,6}\]")

# Letters, Chinese characters and everyday punctuation: one sign each, but for spaces.
_SIMPLE = re.compile("[ -~“”‘’…—·\u3000-\u3029\u3030\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff5e]*")


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
