"""Characters that are not seen, or seen as another: which they are, and what stands in their place."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files

# Unicode's default-ignorable characters, and the controls other than tab and line breaks.
_INVISIBLE = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_BREAKS = "\x0b\x0c\x85\u2028\u2029"
_SPACES = "\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
ODD = re.compile(
    f"(?P<invisible>[{_INVISIBLE}]|\r(?=\n))|(?P<break>[{_BREAKS}\r])|(?P<space>[{_SPACES}])"
    "|(?P<width>[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a])|(?P<radical>[\u2e80-\u2ef3\u2f00-\u2fd5])"
)


@cache
def _radicals() -> dict[str, str]:
    lines = (files("curation") / "data" / "radicals.tsv").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {line[0]: line[1] for line in pairs}


def plain(match: re.Match[str]) -> tuple[str, str]:
    """What stands in the place of an odd character, and the rule that says so."""
    char = match[0]
    if match["invisible"]:
        return "", "space" if char == "\r" else "invisible"
    if match["break"]:
        return "\n", "space"
    if match["space"]:
        return " ", "space"
    if match["width"]:
        return chr(ord(char) - 0xFEE0), "width"
    # Unicode folds all Kangxi radicals and almost none of the supplement.
    return _radicals().get(char) or unicodedata.normalize("NFKC", char), "radical"
