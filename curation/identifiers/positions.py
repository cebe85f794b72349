"""Coordinates: decimal, in degrees and minutes, spelled out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.identifiers.kinds import GEO
from curation.identifiers.page import Candidate, Page
from curation.identifiers.patterns import gated

_DECIMAL = gated(
    r"(?<![0-9.])(-?[0-9]{1,3}\.[0-9]{3,10}) ?°? ?[NSEWnsew北南东西]?(?: ?(?:[,;/、]|逗号|经度|纬度) ?| )"
    r"(-?[0-9]{1,3}\.[0-9]{3,10})(?![0-9.])(?: ?°? ?[NSEWnsew](?![A-Za-z]))?"
)
_SPOKEN = gated(
    r"(?<![0-9点.])([0-9](?: ?[0-9]){0,2} ?[点.] ?[0-9](?: ?[0-9]){2,7}) ?(?:[,;、]|逗号|然后"
    r"| ) ?([0-9](?: ?[0-9]){0,2} ?[点.] ?[0-9](?: ?[0-9]){2,7})(?![0-9])"
)
_ANGLE = r"[ :]?[0-9十百]{1,7}(?: ?[.点度°] ?[0-9]{0,8})?(?: ?[分'′’] ?)?(?:[0-9.]{0,6} ?(?:秒|\"|″|”|''|′′))?"
_NAMED = gated(
    rf"(?:(?:东经|東經|西经|西經|北纬|北緯|南纬|南緯)(?:那个)?(?:是|大概|约)?{_ANGLE})(?: ?[,、和 ]? ?(?:东经|東經"
    rf"|西经|西經|北纬|北緯|南纬|南緯)(?:是)?{_ANGLE})?"
)
_DEGREES = gated(
    r"(?<![A-Za-z0-9])[NSEW]? ?[0-9]{1,3} ?° ?[0-9]{1,2}(?:\.[0-9]{1,6})? ?['′’](?: ?[0-9]{1,2}(?:\.[0-9]{1,4})? ?(?:\""
    r"|″|”|''|′′))? ?[NSEW]?"
    r"(?:[ ,、]{0,3}[NSEW]? ?[0-9]{1,3} ?° ?[0-9]{1,2}(?:\.[0-9]{1,6})? ?['′’](?: ?[0-9]{1,2}(?:\.[0-9]{1,4})? ?(?:\""
    r"|″|”|''|′′))? ?[NSEW]?)?"
)


def positions(page: Page, index: int) -> Iterator[Candidate]:
    """Coordinates of line `index`."""
    line = page.lines[index]
    text = line.spoken
    for match in line.each(_DECIMAL, text):
        yield from _pair(page, index, match, 0.9)
    if "点" in text or ". " in text:
        for match in line.each(_SPOKEN, text):
            yield from _pair(page, index, match, 0.87)
    if "纬" in text or "緯" in text or "经" in text or "經" in text:
        for match in line.each(_NAMED, text):
            yield Candidate(match.start(), _end(text, match), GEO, 0.9, "position:named")
    if "°" in text:
        for match in line.each(_DEGREES, text):
            yield Candidate(match.start(), _end(text, match), GEO, 0.88, "position:degrees")


def _pair(page: Page, index: int, match: re.Match[str], sure: float) -> Iterator[Candidate]:
    first, second = (abs(float(match[n].replace("点", ".").replace(" ", ""))) for n in (1, 2))
    if min(first, second) > 90 or max(first, second) > 180 or max(first, second) < 10:
        return
    claim = page.claim(index, *match.span(), GEO)
    decimals = min(len(re.split(r"[.点]", match[n].replace(" ", ""))[1]) for n in (1, 2))
    if claim > 0 or decimals >= 4:
        yield Candidate(*match.span(), GEO, sure, "position")
    elif decimals == 3 and max(first, second) > 60:
        yield Candidate(*match.span(), GEO, 0.6, "position")


def _end(text: str, match: re.Match[str]) -> int:
    end = match.end()
    while text[end - 1] in " ,、":
        end -= 1
    return end
