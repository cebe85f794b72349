"""Runs of one mark or one interjection: what is typed to say how much, and says no more at thirteen than at three."""

from __future__ import annotations

import re
from collections.abc import Iterator

# How many of the same stay. Three still say "many": ？？？ is not ？, and 哈哈哈 is not 哈.
KEPT = 3
_MARKS = "？！?!。，、；,;~～…."
# Sounds alone. Characters that are also words (好, 天, 真, 咯, 滴) are not here: 这几天天天下雨 is a sentence.
_SOUNDS = [*"哈呵嘿嘻嗯啊哇哦噢喔哎唉欸噗呃哼呀啦嗷呦", "[呜嗚]", "[诶誒]", "[嘤嚶]", "[哟喲]"]
_MORE = f"{{{KEPT + 1},}}"
RUN = re.compile(
    "(?P<marks>" + "|".join(re.escape(c) + _MORE for c in _MARKS) + ")|" + "|".join(s + _MORE for s in _SOUNDS)
)
# Quicker to look for: there is no run of one character alone where this finds none.
HINT = re.compile("([" + re.escape(_MARKS) + "".join(_SOUNDS).replace("[", "").replace("]", "") + f"])\\1{{{KEPT}}}")


def excess(text: str) -> Iterator[tuple[int, int, str]]:
    """What is too much in `text`: half-open ranges, in order, each with the rule that takes it out."""
    for match in RUN.finditer(text):
        yield match.start() + KEPT, match.end(), "marks" if match["marks"] else "interjection"
