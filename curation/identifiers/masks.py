"""Masks for text nobody has reviewed. Kept light: a first screen covers what it shows before it has loaded much."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from curation.identifiers.finding import Finding
from curation.identifiers.kinds import CHINESE_NAMES

if TYPE_CHECKING:
    from curation.identifiers.lists import Lists


def mask(text: str, findings: Sequence[Finding]) -> str:
    """`text` of one message with its `findings` covered by what they are: `我电话〔电话〕`.

    For showing text that nobody has reviewed. Says the type in words and nothing of the value, not its
    length either. Overlapping findings are covered together, under the name of the first.
    """
    parts: list[str] = []
    last = 0
    for finding in sorted(findings):
        start, end = max(finding.start, last), min(finding.end, len(text))
        if start < end:
            if finding.start >= last:
                parts += (text[last:start], f"〔{CHINESE_NAMES[finding.type]}〕")
            last = end
    return "".join([*parts, text[last:]])


def mask_words(words: str, known: Iterable[tuple[str, str]], lists: Lists) -> str | None:
    """What someone wrote about a dialogue, covered as its text is.

    `known` are the (value, type) that are covered in the dialogue: they are covered here wherever they stand, and so is
    what reads like an identifier in the words themselves. None where the words could not be searched.
    """
    from curation.identifiers.page import NotScanned
    from curation.identifiers.scan import detect

    found: list[Finding] = []
    for value, kind in known:
        at = words.find(value) if value else -1
        while at >= 0:
            found.append(Finding(0, at, at + len(value), kind, value, 1.0, ""))
            at = words.find(value, at + 1)
    try:
        found += detect([("", words)], lists=lists)
    except NotScanned:
        return None
    return mask(words, found)
