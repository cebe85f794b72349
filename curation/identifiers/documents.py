"""Numbers of identity papers: cards, passports, permits, tax codes; mainland, Hong Kong, Macau, Taiwan."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.identifiers.checksums import (
    credit_code_valid,
    hong_kong_id_valid,
    resident_id_plausible,
    resident_id_valid,
    taiwan_id_valid,
)
from curation.identifiers.kinds import ID_NUMBER
from curation.identifiers.numbers import windows
from curation.identifiers.page import Candidate, Line, Page
from curation.identifiers.patterns import gated, lazy

_TAIWAN_PERMIT = gated(r"台胞证|臺胞證|台胞證")
_FILE = gated(r"档案|驾驶证|驾照|行驶证|学籍|社保|医保|公积金|住院号|病历号|准考证|就诊卡")
_BEGINS = lazy(r" ?(?:开头|打头|那个|的那|前面)")
_X = lazy(r" ?[x×](?![a-z0-9])")


def documents(page: Page, index: int) -> Iterator[Candidate]:
    """Numbers of identity papers in line `index`."""
    line = page.lines[index]
    few = line.text.count("号") < 3
    for window in windows(line):
        claim = page.claim(index, window.start, window.end, ID_NUMBER)
        count = len(window.digits)
        if count == 17 and (mark := _X.match(line.low, window.end)):
            found = _eighteen(window.digits + "X", claim)
            if found:
                yield Candidate(window.start, mark.end(), ID_NUMBER, *found)
        elif window.glued:
            continue
        elif count == 18:
            found = _eighteen(window.digits, claim)
            if found:
                yield Candidate(window.start, window.end, ID_NUMBER, *found)
        elif count in (15, 17) and claim >= 0 and resident_id_plausible(window.digits):
            if count == 15:
                yield Candidate(window.start, window.end, ID_NUMBER, 0.88 if claim > 0 else 0.55, "id:old")
            else:
                yield Candidate(window.start, window.end, ID_NUMBER, 0.7 if claim > 0 else 0.5, "id:one-short")
        elif (
            8 <= count <= 17
            and claim > 0
            and (count == 12 or line.share(window.start, window.end) > 0.5)
            and any(one.finds(_FILE) for one in page.lines[max(0, index - 2) : index + 1])
        ):
            yield Candidate(window.start, window.end, ID_NUMBER, 0.8, "id:file")
        elif 6 <= count <= 16 and claim == 1 and _BEGINS.match(line.text, window.end):
            yield Candidate(window.start, window.end, ID_NUMBER, 0.7, "id:part")
        elif count == 8 and line.finds(_TAIWAN_PERMIT) and (claim == 1 or few):
            yield Candidate(window.start, window.end, ID_NUMBER, 0.86, "id:taiwan-permit")
    yield from _lettered(page, index, line)


def _eighteen(number: str, claim: float) -> tuple[float, str] | None:
    if resident_id_plausible(number):
        if resident_id_valid(number):
            return 0.97, "id:checked"
        # A mistyped number is a person's number all the same.
        return (0.88 if claim > 0 else 0.75), "id:dated"
    if claim > 0 and number[0] != "0":
        return 0.7, "id:named"
    return None


_B, _E = r"(?<![A-Za-z0-9_])", r"(?![A-Za-z0-9_])"
# Letter and digits of travel papers, the digits perhaps spaced.
_TRAVEL = gated(
    rf"{_B}(?:(?P<passport>[EeGgDdSsPp] ?(?:[0-9] ?){{7}}[0-9]"
    r"|[Ee] ?[A-HJ-NP-Za-hj-np-z] ?(?:[0-9] ?){6}[0-9])"
    r"|(?P<permit>[Cc] ?[A-Ha-h]? ?(?:[0-9] ?){6,7}[0-9]"
    rf"|[HhMmTt] ?(?:[0-9] ?){{7}}[0-9](?: ?[0-9]{{2}})?)){_E}"
)
_HONG_KONG = gated(
    rf"{_B}([A-Za-z]{{1,2}})(?:([0-9]{{6}})(?:\(([0-9Aa])\)|([0-9Aa]){_E})"
    rf"| ?((?:[0-9] ?){{5}}[0-9]) ?\( ?([0-9Aa]) ?\))"
)
_TAIWAN = gated(rf"{_B}[A-Za-z][1289][0-9]{{8}}{_E}")
_MACAU = gated(rf"{_B}[157][0-9]{{6}}\([0-9]\)")
_CREDIT = gated(rf"{_B}[0-9A-HJ-NPQRTUWXY]{{2}}[0-9]{{6}}[0-9A-HJ-NPQRTUWXY]{{10}}{_E}")
_OFFICER = gated(r"[军武兵士文政后装参空海北沈兰济南广成] ?字 ?第? ?(?:[0-9] ?){6,8}号?")


def _lettered(page: Page, index: int, line: Line) -> Iterator[Candidate]:
    text = line.spoken

    def claim(match: re.Match[str]) -> float:
        return page.claim(index, match.start(), match.end(), ID_NUMBER)

    for match in line.each(_TRAVEL, text):
        if (said := claim(match)) > 0:
            yield Candidate(*match.span(), ID_NUMBER, 0.9 if said >= 0.8 else 0.7, f"id:{match.lastgroup}")
        elif said == 0 and match.lastgroup == "passport" and " " not in match.group():
            yield Candidate(*match.span(), ID_NUMBER, 0.4, "id:passport-bare")
    for match in line.each(_HONG_KONG, text):
        check = match[3] or match[4] or match[6]
        said = claim(match)
        if hong_kong_id_valid(match[1].upper(), match[2] or match[5].replace(" ", ""), check):
            yield Candidate(*match.span(), ID_NUMBER, 0.93 if said > 0 or not match[4] else 0.6, "id:hong-kong")
        elif said > 0 or not match[4]:
            yield Candidate(
                *match.span(), ID_NUMBER, 0.88 if said > 0 and not match[4] else 0.6, "id:hong-kong-unchecked"
            )
    for match in line.each(_TAIWAN, text):
        said = claim(match)
        if taiwan_id_valid(match.group()):
            yield Candidate(*match.span(), ID_NUMBER, 0.93 if said >= 0 else 0.5, "id:taiwan")
        elif said > 0:
            yield Candidate(*match.span(), ID_NUMBER, 0.86, "id:taiwan-unchecked")
    for match in line.each(_MACAU, text):
        yield Candidate(*match.span(), ID_NUMBER, 0.88 if claim(match) > 0 else 0.6, "id:macau")
    for match in line.each(_CREDIT, text):
        if match.group().isdigit():
            continue
        if credit_code_valid(match.group()):
            yield Candidate(*match.span(), ID_NUMBER, 0.9, "id:credit-code")
        elif claim(match) > 0:
            yield Candidate(*match.span(), ID_NUMBER, 0.86, "id:credit-code-unchecked")
    for match in line.each(_OFFICER, text):
        yield Candidate(*match.span(), ID_NUMBER, 0.86 if claim(match) > 0 else 0.6, "id:officer")
