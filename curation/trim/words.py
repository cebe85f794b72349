"""The words of a text that can tie two turns together, each with a weight by how rarely it is used.

With jieba (an optional package) they are its words, weighed by its frequencies. Without it they are pairs of
neighbouring characters. On the labelled dialogues the two do equally well, so the package is no must.
"""

from __future__ import annotations

import math
import re
import warnings
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from curation.trim.cues import cues

if TYPE_CHECKING:
    from jieba import Tokenizer

_STICKER = re.compile(r"\[[^\[\]]*\]")
# The weight of a word so rare that the word list counts it once; commoner words weigh less, in proportion.
_RAREST = 14.0


@cache
def tokenizer() -> Tokenizer | None:
    """A tokenizer of our own, or None where jieba is not installed. Takes most of a second the first time.

    jieba by itself keeps its word list as a cache file under a fixed name in the folder for temporary files
    that everyone shares, and trusts whatever stands there. Ours reads the installed word list, which is as
    quick, and never looks at that file.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import jieba

            own = jieba.Tokenizer()
            own.FREQ, own.total = own.gen_pfdict(own.get_dict_file())
    except ImportError:
        return None
    own.initialized = True
    return own


_loaded: list[bool] = []


def ready() -> bool:
    """Have the tokenizer read its words, unless it has them. Whoever has to answer at once asks `is_ready` before."""
    if not _loaded:
        tokenizer()
        _loaded.append(True)
    return True


def is_ready() -> bool:
    """Whether proposing need not wait for the tokenizer."""
    return bool(_loaded)


def words(text: str) -> dict[str, float]:
    """The words of `text`, of two characters and more, with weights from 0 to 1. Stickers count for nothing."""
    text = _STICKER.sub(" ", text)
    own = tokenizer()
    return _pairs(text) if own is None else _words(text, own)


def _words(text: str, own: Tokenizer) -> dict[str, float]:
    empty = cues().empty
    found = {}
    for word in own.lcut(text, HMM=False):
        if len(word) > 1 and word not in empty and word not in found and any(c.isalnum() for c in word):
            share = math.log(own.total / (own.FREQ.get(word) or 1))
            found[word] = min(1.0, max(0.1, share / _RAREST))
    return found


def _pairs(text: str) -> dict[str, float]:
    light = cues().light
    found = {}
    for left, right in pairwise(text):
        if left.isalnum() and right.isalnum():
            lightness = (left in light) + (right in light)
            if lightness < 2:
                found[left + right] = 0.6 if lightness else 1.0
    return found
