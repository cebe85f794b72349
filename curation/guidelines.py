"""The annotators' guidelines: what decides between a situation and its neighbours, examples, and words to write again.

They lie in `data/guidelines.toml`, versioned like the taxonomy: the version stands on every decision made under it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from curation.errors import N_, BadInput
from curation.taxonomy import taxonomy


@dataclass(frozen=True)
class Precedence:
    """What decides between a situation and the one it is most often taken for."""

    other: str
    zh: str
    en: str


@dataclass(frozen=True)
class Guideline:
    """The page of one situation: precedence against its neighbours, invented examples, words for a rationale."""

    situation: str
    precedence: tuple[Precedence, ...]
    examples: Mapping[str, tuple[str, ...]]
    phrases: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Guidelines:
    """All pages, and what holds for every dialogue: criteria of keeping and dropping, phrases for dropping."""

    version: str
    criteria: Mapping[str, tuple[str, ...]]
    drop_phrases: Mapping[str, tuple[str, ...]]
    pages: Mapping[str, Guideline]

    def phrases(self, situation: str, lang: str) -> tuple[str, ...]:
        """Words for a rationale: of a situation, or with "" of dropping."""
        if not situation:
            return self.drop_phrases[lang]
        page = self.pages.get(situation)
        return page.phrases[lang] if page else ()


def _refuse(problem: str) -> BadInput:
    return BadInput(N_("the guidelines file is not usable: {problem}"), "bad_guidelines", problem=problem)


def _lists(table: Mapping[str, Any], name: str, where: str) -> Mapping[str, tuple[str, ...]]:
    found = {}
    for lang in ("zh", "en"):
        rows = table.get(f"{name}_{lang}")
        if not isinstance(rows, list) or not rows or not all(isinstance(r, str) and r.strip() for r in rows):
            raise _refuse(f"{where} has no list {name}_{lang}")
        found[lang] = tuple(rows)
    return found


def load(text: str) -> Guidelines:
    """Read guidelines from TOML `text`. Raises BadInput naming the first thing that is wrong."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _refuse(str(error)) from error
    known = taxonomy().ids
    pages: dict[str, Guideline] = {}
    for ident, row in table.get("situation", {}).items():
        if ident not in known:
            raise _refuse(f"there is no situation {ident}")
        precedence = []
        for one in row.get("against", []):
            if one.get("other") not in known or one["other"] == ident or not (one.get("zh") and one.get("en")):
                raise _refuse(f"{ident} has a precedence that names no other situation or lacks words")
            precedence.append(Precedence(one["other"], one["zh"], one["en"]))
        if not precedence:
            raise _refuse(f"{ident} has no precedence")
        pages[ident] = Guideline(
            ident, tuple(precedence), _lists(row, "examples", ident), _lists(row, "phrases", ident)
        )
    missing = [ident for ident in known if ident not in pages]
    if missing:
        raise _refuse(f"there is no page of {missing[0]}")
    version = table.get("version")
    if not isinstance(version, str) or not version:
        raise _refuse("the file has no version")
    return Guidelines(version, _lists(table, "criteria", "the file"), _lists(table, "drop_phrases", "the file"), pages)


@cache
def guidelines() -> Guidelines:
    """The guidelines this program ships, read once."""
    return load((files("curation") / "data" / "guidelines.toml").read_text(encoding="utf-8"))
