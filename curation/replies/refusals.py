"""Words by which a model declines to answer, names itself, or shows what it was asked."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files


@cache
def patterns(name: str) -> re.Pattern[str]:
    """The patterns of `data/reply_flags.toml` under this name, as one; case does not matter."""
    text = files("curation").joinpath("data/reply_flags.toml").read_text("utf-8")
    return re.compile("|".join(f"(?:{one})" for one in tomllib.loads(text)[name]["patterns"]), re.IGNORECASE)


def is_refusal(text: str) -> bool:
    """Whether a model declines to answer."""
    return patterns("refusal").search(text) is not None


def names_itself(text: str) -> bool:
    """Whether a model says that it is one, or which."""
    return patterns("self_identification").search(text) is not None


def is_placeholder(text: str) -> bool:
    """Whether it is a blank to fill in, not words."""
    return patterns("placeholder").fullmatch(text.strip()) is not None


def speaks_of_the_task(text: str) -> bool:
    """Whether it repeats what only the prompt says."""
    return patterns("instruction").search(text) is not None
