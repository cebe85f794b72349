"""The rubric of scoring: what 0, 5 and 10 mean for each dimension, read from `data/rubric.toml`.

What may change about it changes in the file, with its `version`, which stands on every score given under it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

SCORES = (0, 5, 10)
_WORDS = ("zero", "five", "ten")
# What is scored as a reply, under whatever name.
_REPLIES = frozenset({"reply", "reply_1", "reply_2", "reply_cot", "reply_direct"})


@dataclass(frozen=True)
class Dimension:
    """One dimension. Texts are by language, `zh` or `en`; `lines` what each score means, by score."""

    id: str
    name: Mapping[str, str]
    asks: Mapping[str, str]
    doubt: Mapping[str, str]
    lines: Mapping[int, Mapping[str, str]]


@dataclass(frozen=True)
class Rubric:
    """The dimensions in the order in which they are scored: the process, then the reply."""

    version: str
    dimensions: tuple[Dimension, ...]

    def of(self, dimension: str) -> Dimension:
        """The dimension of this id; every kind of reply is one. Raises KeyError."""
        wanted = "reply" if dimension in _REPLIES else dimension
        found = next((d for d in self.dimensions if d.id == wanted), None)
        if found is None:
            raise KeyError(dimension)
        return found


@cache
def rubric() -> Rubric:
    """The rubric of this version. Raises ValueError when the file is not whole."""
    text = (files("curation") / "data" / "rubric.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    return Rubric(table["version"], tuple(_dimension(row) for row in table["dimension"]))


def _dimension(row: Mapping[str, str]) -> Dimension:
    def both(name: str) -> dict[str, str]:
        found = {lang: row.get(f"{name}_{lang}" if name else lang, "") for lang in ("zh", "en")}
        if not all(found.values()):
            raise ValueError(f"the rubric lacks {name or 'the name'} of {row.get('id')}")
        return found

    lines = {score: both(word) for score, word in zip(SCORES, _WORDS, strict=True)}
    return Dimension(row["id"], both(""), both("asks"), both("doubt"), lines)
