"""A second opinion on a message: how much its characters look like Cantonese or Wu rather than Mandarin.

A linear model over single characters and pairs, trained on openly licensed sentences (see the README beside its data).
It never tags by itself: it only adds to what the words of the lexicons say, so that every tag can show words.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from curation.segment import simplified

# From this sum of log odds on, the model is sure enough to be heard. Chosen by cross-validation.
SURE = 2.5
_OTHER = re.compile("[^\u3400-\u9fff\U00020000-\U0003ffff]+")


def grams(text: str) -> set[str]:
    """The Chinese characters of `text`, and the pairs of neighbours; a space stands for a beginning or an end."""
    line = f" {_OTHER.sub(' ', simplified(text)).strip()} "
    pairs = {line[i : i + 2] for i in range(len(line) - 1)}
    return (set(line) | pairs) - {" ", "  "}


@cache
def _weights() -> dict[str, tuple[float, float]]:
    text = (files("curation") / "data" / "dialects" / "opinion.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {gram.replace("_", " "): (int(wu) / 10, int(cantonese) / 10) for gram, wu, cantonese in rows}


def second_opinion(text: str, dialect: str) -> float:
    """The log odds of `dialect` ("wu" or "cantonese") against Mandarin; 0 for one it knows nothing of."""
    if dialect not in ("wu", "cantonese"):
        return 0.0
    column = 0 if dialect == "wu" else 1
    weights = _weights()
    return sum(weights[g][column] for g in sorted(grams(text)) if g in weights)
