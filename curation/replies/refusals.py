"""Words by which a model declines to answer, names itself, or shows what it was asked."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_LONGEST_BLANK = 40
# With what a blank can begin, on a line of its own.
_BLANK_BEGINS = re.compile(r"\n(?:[\s.。…·\-—_<＜\[【（(「{《无暂待略同NnUuTtSsVvXxYy]|你的|回复|最多)")
# Whatever a letter of the patterns stands for when case does not matter: dotted and dotless i, long s and the sign of
# Kelvin, too.
_LATIN = re.compile("[A-Za-z\u0130\u0131\u017f\u212a]")
# Patterns, each with its hints.
_Behind = tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]


@dataclass(frozen=True, slots=True)
class _Guarded:
    """A group of patterns, each behind its hints: all of them, and those that can be in a text without a Latin letter, with
    `hints` to find any of the hints of these.
    """

    all: _Behind
    chinese: _Behind
    hints: re.Pattern[str]

    def found_in(self, text: str) -> bool:
        """Whether one of the patterns is in `text`."""
        if _LATIN.search(text) is not None:
            return _found(self.all, text, text.casefold())
        # Most texts are Chinese throughout and hold no hint: one look tells. They have no case.
        return self.hints.search(text) is not None and _found(self.chinese, text, text)


def _found(behind: _Behind, text: str, folded: str) -> bool:
    for hints, pattern in behind:
        for hint in hints:  # a loop: this is done for many replies, and a generator takes twice as long
            if hint in folded:
                if pattern.search(text) is not None:
                    return True
                break
    return False


@cache
def _tables() -> dict[str, list[dict[str, Any]]]:
    text = files("curation").joinpath("data/reply_flags.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def patterns(name: str) -> re.Pattern[str]:
    """The patterns of `data/reply_flags.toml` under this name, as one; case does not matter."""
    return re.compile("|".join(f"(?:{one['pattern']})" for one in _tables()[name]), re.IGNORECASE)


@cache
def guarded(name: str) -> _Guarded:
    """The same, each behind its hints."""
    every = tuple((tuple(one["hints"]), re.compile(one["pattern"], re.IGNORECASE)) for one in _tables()[name])
    bare = ((tuple(hint for hint in hints if not _LATIN.search(hint)), pattern) for hints, pattern in every)
    chinese = tuple((hints, pattern) for hints, pattern in bare if hints)
    words = sorted({hint for hints, _ in chinese for hint in hints})
    return _Guarded(every, chinese, re.compile("|".join(map(re.escape, words))))


@cache
def _hints() -> re.Pattern[str]:
    """Any hint without a Latin letter, of all groups."""
    return re.compile(
        "|".join(guarded(name).hints.pattern for name in ("refusal", "self_identification", "instruction"))
    )


def hinted(text: str) -> bool:
    """Whether a text without Latin letters may be what the next ones look for: where not, none of them finds anything."""
    return _hints().search(text) is not None


def is_refusal(text: str) -> bool:
    """Whether a model declines to answer."""
    return guarded("refusal").found_in(text)


def names_itself(text: str) -> bool:
    """Whether a model says that it is one, or which."""
    return guarded("self_identification").found_in(text)


def may_be_placeholders(lines: str) -> bool:
    """Whether a line may begin with a blank to fill in; each has a line end before it. Where not, no text that begins with
    one of these lines is a placeholder.
    """
    return _BLANK_BEGINS.search(lines) is not None


def is_placeholder(text: str) -> bool:
    """Whether it is a blank to fill in, not words."""
    bare = text.strip()
    return len(bare) <= _LONGEST_BLANK and patterns("placeholder").fullmatch(bare) is not None


def speaks_of_the_task(text: str) -> bool:
    """Whether it repeats what only the prompt says."""
    return guarded("instruction").found_in(text)
