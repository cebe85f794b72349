"""E-mail and web addresses, as typed and as spelled out to get past a filter."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from curation.folding import lower_ascii
from curation.identifiers.kinds import EMAIL, URL
from curation.identifiers.page import Candidate, Page
from curation.identifiers.patterns import gated, lazy

_TLDS = (
    "com|cn|net|org|edu|gov|me|io|cc|co|tv|info|studio|top|xyz|vip|club|site|online|shop|app|dev"
    "|hk|tw|mo|us|uk|jp|im|link|live|c0m"
)
_DOT = r"(?: ?(?:\.|点|dot|\(dot\)|。) ?)"
_AT = gated(r"@| ?(?:艾特|圈a|\(at\)|\[at\]) ?|(?<=[a-z0-9]) at (?=[a-z0-9])|(?<=[a-z0-9])#(?=[a-z0-9])| @ ")
_PLAIN_DOMAIN = lazy(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?+\.)+(?:[a-z][a-z0-9]{1,23})(?![a-z0-9-])")
_SPOKEN_DOMAIN = lazy(rf" ?[a-z0-9-]{{1,63}}(?:{_DOT}[a-z0-9-]{{1,63}}){{0,3}}?{_DOT}(?:{_TLDS})(?:\.cn)?(?![a-z0-9-])")
_MAILERS = lazy(r"(?:qq|vip\.qq|163|126|gmail|foxmail|sina|sohu|139|189|yeah|outlook|hotmail|live|tom|aliyun|icloud)\b")
# The part before the sign is read backwards from it, so that one look is enough.
_PLAIN_LOCAL = lazy(r"[a-z0-9+_%](?:[a-z0-9._%+-]{0,62}[a-z0-9_+-])?")
_SPOKEN_LOCAL = lazy(
    r" ?(?:[0-9]{0,8} ?(?:加|\+)? ?(?:音拼|拼全)(?:的)?[\u3400-\u9fff]{1,3}"
    r"|[a-z0-9](?: [a-z0-9]){2,40}(?![a-z0-9])|[a-z0-9_.+-]{1,40}"
    r"(?: ?(?:点|线划下|杠横|杠|erocsrednu|tod) ?[a-z0-9_.+-]{1,40}| [a-z0-9]{1,12}(?= ?(?:点|线划下|杠)))?+"
    r"(?: ?(?:点|线划下|杠横|杠|erocsrednu|tod) ?[a-z0-9_.+-]{1,40}){0,4})"
)
_WINDOW = 80


def emails(page: Page, index: int) -> Iterator[Candidate]:
    """E-mail addresses of line `index`."""
    line = page.lines[index]
    if not line.may(_AT):
        return
    spoken = lower_ascii(line.spoken)
    for reading in dict.fromkeys((line.low, spoken)):
        yield from _emails(reading)


def _emails(low: str) -> Iterator[Candidate]:
    for at in _AT.finditer(low):
        plain = at.group() == "@"
        tail = low[at.end() : at.end() + 160]
        domain = _PLAIN_DOMAIN.match(tail) if plain else None
        head = low[max(0, at.start() - _WINDOW) : at.start()][::-1]
        local = _PLAIN_LOCAL.match(head) if plain else None
        if domain and local:
            start = at.start() - len(local.group().rstrip("."))
            yield Candidate(start, at.end() + domain.end(), EMAIL, 0.95, "email")
            continue
        domain = _SPOKEN_DOMAIN.match(tail)
        local = _SPOKEN_LOCAL.match(head)
        if not domain or not local:
            continue
        if at.group().strip() in ("#", "at") and not _MAILERS.match(domain.group().strip()):
            continue
        start = at.start() - local.end()
        while low[start] in " .-":
            start += 1
        if start < at.start():
            yield Candidate(start, at.end() + domain.end(), EMAIL, 0.88, "email:spelled")


_URL_CHARS = r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]"
_SCHEME_URL = gated(
    rf"(?<![A-Za-z])(?:https?|hxxps?|ftp|HTTPS?|Https?|小程序|weixin|alipays?|taobao|[hH] t t p(?: ?s)? ?) ?: ?/ ?/{_URL_CHARS}++"
)
_HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?+\.)++"
_BARE_URL = gated(
    rf"(?<![A-Za-z0-9@._/-])(?:www\.[A-Za-z0-9-]{{1,63}}(?:\.[A-Za-z0-9-]{{1,63}})++(?:/{_URL_CHARS}*+)?"
    rf"|(?:[A-Za-z0-9-]{{1,63}}\.){{1,4}}(?:{_TLDS})/{_URL_CHARS}++)"
)
_SLASH = r" ?(?:/|斜杠|斜线|slash) ?"
_SPOKEN_URL = gated(
    rf"(?<![a-z0-9@._/-])(?P<scheme>https?(?::|点|冒号)?(?://"
    rf"|斜杠斜杠))?(?P<host>[a-z0-9-]{{1,63}}(?:{_DOT}[a-z0-9-]{{1,63}}){{0,3}}"
    rf"{_DOT}(?:{_TLDS})(?![a-z0-9-]))(?P<path>(?:{_SLASH}[a-z0-9_.?=&%-]{{1,80}}){{0,8}})"
)
_TOKEN = gated(r"[¥€][A-Za-z0-9]{8,14}[¥€]")
_IPV4 = gated(r"(?<![0-9A-Za-z.])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?![0-9A-Za-z]|\.[0-9])")
_IPV6 = gated(r"(?<![0-9A-Za-z:.])[0-9A-Fa-f:]{6,39}(?![0-9A-Za-z:])")
_TRAILING = ".,;:!?'*~([&="


def urls(page: Page, index: int) -> Iterator[Candidate]:
    """Web addresses, taokouling and machine addresses of line `index`."""
    line = page.lines[index]
    for pattern, score, rule in (
        (_SCHEME_URL, 0.95, "url"),
        (_BARE_URL, 0.9, "url:bare"),
        (_TOKEN, 0.88, "url:token"),
    ):
        for match in line.each(pattern):
            end = _trim(line.text, match.start(), match.end()) if rule != "url:token" else match.end()
            if rule != "url" or end - match.start() > 9:
                yield Candidate(match.start(), end, URL, score, rule)
    for match in line.each(_SPOKEN_URL, line.low):
        if match["scheme"] or match["path"] or match["host"].replace(" ", "").startswith(("www.", "www点", "www。")):
            yield Candidate(*match.span(), URL, 0.87, "url:spelled")
    named = page.claim(index, 0, len(line.text), URL) > 0
    for match in line.each(_IPV4, line.text):
        parts = [int(p) for p in match.group().split(".")]
        if max(parts) <= 255 and not _household(parts):
            yield Candidate(*match.span(), URL, 0.86 if named else 0.6, "url:ip")
    for match in line.each(_IPV6, line.text):
        if _ipv6(match.group()):
            yield Candidate(*match.span(), URL, 0.7, "url:ip6")


def _trim(text: str, start: int, end: int) -> int:
    opened = text.count("(", start, end)
    while end > start and (text[end - 1] in _TRAILING or (text[end - 1] in ")]" and not opened)):
        end -= 1
        opened -= text[end] == "("
    return end


def _household(parts: list[int]) -> bool:
    """Addresses everybody has: masks, the router, public name servers, version-like numbers."""
    return (
        255 in parts
        or parts[:2] in ([192, 168], [169, 254], [114, 114])
        or parts[0] in (0, 127)
        or len(set(parts)) == 1
        or max(parts) < 10
    )


def _ipv6(text: str) -> bool:
    if text.count(":") < 3 or len([p for p in text.split(":") if p]) < 3:
        return False
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True
