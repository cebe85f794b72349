"""Masks for text nobody has reviewed. Kept light: a first screen covers what it shows before it has loaded much."""

from __future__ import annotations

from collections.abc import Sequence

from curation.identifiers.finding import Finding
from curation.identifiers.kinds import CHINESE_NAMES


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
