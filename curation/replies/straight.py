"""JSON written with other signs than JSON's own, made straight: only signs of structure are touched, never a word."""

from __future__ import annotations

import re

from curation.replies.keys import bare_key

_OPENING = "\"“”＂'‘’「『`"
_CLOSING = {
    '"': '"＂',
    "＂": '"＂',
    "“": "”“",
    "”": "”“",
    "'": "'",
    "‘": "’‘",
    "’": "’‘",
    "「": "」",
    "『": "』",
    "`": "`'",
}
_SIGNS = {"｛": "{", "｝": "}", "［": "[", "］": "]", "：": ":", "，": ",", "、": ",", "；": ",", ";": ",", "＝": ":"}
_QUOTES = "[\"“”＂'‘’「」『』`]"
# What follows a quote that ends a value: the end of the object, or a key with its colon, with or without a comma.
_AFTER_VALUE = re.compile(
    rf"\s*(?:$|[}}｝\]］]|[,，、;；]\s*(?:$|[}}｝\]］]|//|/\*|#)|//|/\*|[,，、;；]?\s*{_QUOTES}[^\"“”＂\n:：]{{1,40}}{_QUOTES}\s*[:：＝])"
)
_AFTER_KEY = re.compile(r"\s*[:：＝=]")


def straighten(text: str) -> tuple[str, frozenset[str]] | None:
    """`text`, an object with foreign signs of structure, as JSON has them; and codes of what was changed.

    Codes: `punctuation` (full-width or Chinese signs), `single_quotes`, `inner_quotes` (quotes within a value that were
    not escaped), `line_breaks` (raw ones within a value), `repaired` (a comma was missing). None for a text with a string that
    does not close.
    """
    out: list[str] = []
    found: set[str] = set()
    at, key = 0, True
    while at < len(text):
        sign = text[at]
        if sign in _OPENING:
            end = _end_of(text, at, (_AFTER_KEY,) if key else (_AFTER_VALUE, bare_key()))
            if end is None:
                return None
            if sign != '"' or text[end] != '"':
                found.add("single_quotes" if sign in "'`" else "punctuation")
            out.append('"' + _content(text[at + 1 : end], found) + '"')
            at = end + 1
            if not key and text[at:].lstrip()[:1] in tuple(_OPENING):
                out.append(",")
                found.add("repaired")
                key = True
            continue
        straight = _SIGNS.get(sign, sign)
        if straight != sign and sign != ";":
            found.add("punctuation")
        out.append(straight)
        if straight == ":":
            key = False
        elif straight in "{,":
            key = True
        at += 1
    return "".join(out), frozenset(found)


def _end_of(text: str, opened: int, after: tuple[re.Pattern[str], ...]) -> int | None:
    """Where the string that opens at `opened` closes: at the first closing quote that something of structure follows."""
    closing = _CLOSING[text[opened]]
    at = opened + 1
    while at < len(text):
        if text[at] == "\\":
            at += 2
            continue
        if text[at] in closing and any(one.match(text, at + 1) for one in after):
            return at
        at += 1
    return None


_ESCAPED = {'"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _content(text: str, found: set[str]) -> str:
    """The inside of a string as JSON has it: bare quotes and line breaks escaped, escapes that JSON lacks undone."""
    out: list[str] = []
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            following = text[at + 1 : at + 2]
            out.append(following if following == "'" else sign + following)
            at += 2
            continue
        if sign in _ESCAPED:
            found.add("inner_quotes" if sign == '"' else "line_breaks")
        out.append(_ESCAPED.get(sign, sign))
        at += 1
    return "".join(out)
