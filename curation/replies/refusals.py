"""Words by which a model declines to answer, names itself, or shows what it was asked."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

_LONGEST_BLANK = 40
# With what a blank can begin.
_BLANK_BEGINS = frozenset(".。…·-—_<＜[【（(「{《无暂待略同你回最NnUuTtSsVvXxYy")


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    text = files("curation").joinpath("data/reply_flags.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def patterns(name: str) -> re.Pattern[str]:
    """The patterns of `data/reply_flags.toml` under this name, as one; case does not matter."""
    return re.compile("|".join(f"(?:{one})" for one in _tables()[name]["patterns"]), re.IGNORECASE)


def _found(name: str, text: str) -> bool:
    folded = text.casefold()
    for hint in _hints(name):  # a loop: this is done for every reply, and a generator takes twice as long
        if hint in folded:
            return patterns(name).search(text) is not None
    return False


@cache
def _hints(name: str) -> tuple[str, ...]:
    return tuple(_tables()[name]["hints"])


def is_refusal(text: str) -> bool:
    """Whether a model declines to answer."""
    return _found("refusal", text)


def names_itself(text: str) -> bool:
    """Whether a model says that it is one, or which."""
    return _found("self_identification", text)


def is_placeholder(text: str) -> bool:
    """Whether it is a blank to fill in, not words."""
    bare = text.strip()
    return (
        bare[:1] in _BLANK_BEGINS
        and len(bare) <= _LONGEST_BLANK
        and patterns("placeholder").fullmatch(bare) is not None
    )


def speaks_of_the_task(text: str) -> bool:
    """Whether it repeats what only the prompt says."""
    return patterns("instruction").search(text) is not None
