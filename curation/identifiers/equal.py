"""Where else the same value stands, however it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curation.folding import fold, lower_ascii
from curation.identifiers.lists import bounded
from curation.identifiers.replace import canonical

_SHORTEST = 2  # a value of one character is part of too many words to be looked for in the text


class Value:
    """A value of one type. Two are equal when their folded forms, without separators and case, are."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self.canonical = canonical(kind, text)
        self.folded = lower_ascii(fold(text).text).strip()

    def equals(self, kind: str, text: str) -> bool:
        """Whether a finding of type `kind` that reads `text` is this value."""
        return lower_ascii(fold(text).text).strip() == self.folded or (
            kind == self.kind and bool(self.canonical) and canonical(kind, text) == self.canonical
        )

    def places(self, texts: Sequence[str]) -> list[tuple[int, int, int]]:
        """Where it stands in these messages, found or not: (message, start, end) of the raw text."""
        if len(self.folded) < _SHORTEST:
            return []
        pattern = re.compile(bounded(self.folded))
        found = []
        for message, text in enumerate(texts):
            plain = fold(text)
            for match in pattern.finditer(lower_ascii(plain.text)):
                found.append((message, *plain.span(*match.span())))
        return found
