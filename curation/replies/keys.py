"""By which names the parts of a reply go in what models write."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

REPLY = "reply"
_AROUND = re.compile(r"^[\W_]*(?:\d{1,2}[\W_]+)?|[\W_]+$")
_WITHIN = re.compile(r"[\s_\-*`'’]+")


def plain_key(name: str) -> str:
    """A key as it is compared: without case, width, spaces, emphasis, and a number before it."""
    return _WITHIN.sub("", _AROUND.sub("", unicodedata.normalize("NFKC", name))).casefold()


@cache
def names() -> dict[str, tuple[str, ...]]:
    """Every part (the process fields and `reply`) with the names it goes by; the first two are Chinese and English ones
    that prompts ask for.
    """
    text = files("curation").joinpath("data/reply_keys.toml").read_text("utf-8")
    return {part: tuple(known) for part, known in tomllib.loads(text).items()}


@cache
def _parts() -> dict[str, str]:
    parts = {part: part for part in names()}
    parts |= {plain_key(name): part for part, known in names().items() for name in known}
    return parts


@cache
def asked_for() -> frozenset[str]:
    """The keys that the prompts ask for, in both languages."""
    return frozenset(name for known in names().values() for name in known[:2])


@lru_cache(maxsize=1000)
def part_of(key: str) -> str | None:
    """The part that this key names, or None."""
    return _parts().get(plain_key(key))


def is_asked_for(key: str) -> bool:
    """Whether the key is written as a prompt asks for it, or as this program calls it itself."""
    return key in asked_for() or key in names()


def _names_pattern() -> str:
    known = {name for listed in names().values() for name in listed} | set(names())
    return "|".join(
        r"[\s_\-]*".join(re.escape(piece) for piece in re.split(r"[\s_]+", name))
        for name in sorted(known, key=lambda name: (-len(name), name))
    )


@cache
def bare_key() -> re.Pattern[str]:
    """A known key without quotes, with its colon, after a comma or a line end."""
    return re.compile(rf"\s*[,，、;；\n]\s*(?:{_names_pattern()})\s*[:：＝=]", re.IGNORECASE)


@cache
def swallowed() -> re.Pattern[str]:
    """A known key with a quote beside it: inside a value that was repaired it says that two values became one."""
    quote = "[\"“”＂'‘’「」『』`]"
    names = f"(?:{_names_pattern()})"
    return re.compile(rf"{quote}\W{{0,3}}{names}\W|(?:^|\W){names}\W{{0,3}}?{quote}", re.IGNORECASE)


@cache
def anchor() -> re.Pattern[str]:
    """Where a known key stands in a text that is no JSON: a key, what quotes it, and the colon after it.

    Groups: `open` (what stands before the key, quote included), `key`.
    """
    words = _names_pattern()
    quote = "[\"“”＂'‘’`*「」『』]"
    return re.compile(
        rf"(?P<open>(?:^|[\s{{｛,，、;；。}}\[({{\"“”'‘’*「」`.])(?:\d{{1,2}}[.、)）]\s*)?{quote}{{0,3}})"
        rf"(?P<key>{words})\s*(?P<close>{quote}{{0,3}})\s*[:：=]",
        re.IGNORECASE,
    )
