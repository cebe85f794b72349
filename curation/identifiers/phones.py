"""Telephone numbers: mobiles, landlines, service lines, last digits; mainland and abroad."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from curation.identifiers.kinds import BANK_CARD, ID_NUMBER, PHONE
from curation.identifiers.numbers import Window, windows
from curation.identifiers.page import Candidate, Line, Page
from curation.identifiers.patterns import gated, lazy

_USUAL = frozenset({(11,), (3, 4, 4), (4, 4, 3), (3, 8), (7, 4), (3, 3, 5), (4, 7), (5, 6), (1,) * 11})
_AREA_LONG = lazy(r"0(?:3[1-9]|4[1-8]|5[1-9]|6[3-9]|7[0-9]|8[1-9]|9[0-9])[0-9]")
_AREA_SHORT = lazy(r"0(?:10|2[0-9])")
_EXTENSION = lazy(r" ?(?:转|轉|分机|ext\.? ?|-) ?[0-9]{1,6}(?![0-9])")
_ABROAD = lazy(r"(?:00)?(852|853|886)")
_DATE = lazy(r"20[0-9]{2}[01][0-9][0-3][0-9]")
_UNIT = lazy(r" ?(?:元|块|塊|蚊|万|萬|千|步|秒|次|人|分|米|年|月|号楼|赞|粉|星|斤|度|公里|km|kg|%|w(?![a-z]))")
# Two or three mobiles without anything between.
_TWO = gated(r"(?<![0-9])(?:1[3-9][0-9]{9}){2,3}(?![0-9])")


def phones(page: Page, index: int) -> Iterator[Candidate]:
    """Telephone numbers of line `index`."""
    line = page.lines[index]
    for match in line.each(_TWO, line.spoken):
        if len(set(match.group())) > 4:
            yield Candidate(*match.span(), PHONE, 0.86, "phone:mobile")
    for window in windows(line):
        for score, rule in _readings(page, index, line, window):
            start, end = _with_brackets(line.text, window.start, window.end)
            if rule.startswith("landline") and (more := _EXTENSION.match(line.low, end)):
                end = more.end()
            yield Candidate(start, end, PHONE, score, f"phone:{rule}")
            break


def _readings(page: Page, index: int, line: Line, window: Window) -> Iterator[tuple[float, str]]:
    digits = window.digits
    plus = line.text[max(0, window.start - 2) : window.start].strip("( ").endswith("+")
    if plus and window.start >= 2 and line.text[window.start - 2].isdigit():
        plus = False
    claim = page.claim(index, window.start, window.end, PHONE)
    if window.glued and claim < 1:
        if len(digits) == 11 and _mobile(digits) and window.sizes == (11,):
            yield 0.5, "mobile-in-a-word"
        return
    if len(digits) == 11 and _mobile(digits):
        yield _mobile_score(window, claim), "mobile"
    for lead in ("86", "0086"):
        if digits.startswith(lead) and len(digits) == 11 + len(lead) and _mobile(digits[len(lead) :]):
            yield 0.97, "mobile+86"
    if (abroad := _ABROAD.match(digits)) and (plus or digits.startswith("00") or claim > 0 or _bracketed(line, window)):
        rest = len(digits) - abroad.end()
        if rest == (8 if abroad[1] != "886" else 9) or (abroad[1] == "886" and rest in (8, 10)):
            yield 0.92, f"+{abroad[1]}"
    if plus and 8 <= len(digits) <= 15:
        yield 0.9 if claim > 0 else 0.86, "overseas"
    yield from _landline(window, claim)
    if len(digits) == 10 and digits.startswith("09") and claim >= 0:
        yield 0.9 if claim > 0 or window.sizes == (4, 3, 3) else 0.75, "taiwan-mobile"
    if len(digits) in (9, 10) and re.match(r"0[2-8]", digits) and _bracketed(line, window) and claim >= 0:
        yield 0.86, "taiwan-landline"
    amount = _UNIT.match(line.low, window.end) or _DATE.match(digits)
    if len(digits) == 8 and digits[0] in "235689" and claim > 0 and not amount:
        # Without an area code: Hong Kong, Macau, or a landline of the same town.
        yield 0.88 if claim == 1 else 0.7, "eight-digits"


def _mobile(digits: str) -> bool:
    return digits[0] == "1" and digits[1] in "3456789"


def _mobile_score(window: Window, claim: float) -> float:
    usual = window.sizes in _USUAL
    if usual and not window.heavy:
        # A repeated digit is more often laughter or a game's score than a number somebody has.
        return 0.6 if len(set(window.digits[1:])) <= 1 else 0.95
    if claim > 0:
        return 0.9
    return 0.75 if usual or not window.plain else 0.6


def _landline(window: Window, claim: float) -> Iterator[tuple[float, str]]:
    digits = window.digits
    if claim < 0:
        return
    for area, lengths in ((_AREA_SHORT, (8,)), (_AREA_LONG, (7, 8))):
        match = area.match(digits)
        if match and len(digits) - match.end() in lengths:
            # The area code must end where a group ends, unless the whole is written in one.
            if match.end() in _cuts(window.sizes):
                yield 0.9, "landline"
            elif len(window.sizes) == 1 or claim > 0:
                yield 0.88 if claim > 0 else 0.6, "landline-unbroken"
    if len(digits) == 10 and digits[:3] in ("400", "800"):
        yield 0.88 if claim > 0 or "-" in window.joints else 0.6, "service-line"


def _cuts(sizes: tuple[int, ...]) -> set[int]:
    total, cuts = 0, set()
    for size in sizes[:-1]:
        total += size
        cuts.add(total)
    return cuts


def _bracketed(line: Line, window: Window) -> bool:
    return line.text[window.start - 1 : window.start] == "(" and ")" in line.text[window.start : window.end]


def _with_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    """Take in a leading + and the bracket that was closed inside: (+86)138…, (021)…"""
    if text[start - 1 : start] == "+":
        start -= 1
    if text[start - 1 : start] == "(" and ")" in text[start:end]:
        start -= 1
    return start, end


_INSIDE = gated(r"(?:分机号?|内线|短号|虚拟网|集团号)[ :是]{0,2}([0-9]{3,6})(?![0-9])")


def last_digits(page: Page, index: int) -> Iterator[Candidate]:
    """The last digits of a telephone, card or identity number, where they are called so or were asked for."""
    line = page.lines[index]
    for match in line.each(_INSIDE, line.spoken):
        yield Candidate(*match.span(1), PHONE, 0.7, "extension")
    # The first answer may have been wrong: 不对, 那是4631.
    asked = any(page.lines[back].tails for back in range(max(0, index - (3 if "是" in line.text else 1)), index))
    if not (line.tails or asked):
        return
    for window in windows(line):
        if not 4 <= len(window.digits) <= 6 or window.glued or len(window.sizes) > 2:
            continue
        named = _named_tail(line.tails, window)
        if not named and not (asked and line.share(window.start, window.end) >= 0.4):
            continue
        at = index if named else next(b for b in range(index - 1, -1, -1) if page.lines[b].tails)
        kinds = page.kinds[at]
        kind = next((k for k in (ID_NUMBER, BANK_CARD, PHONE) if k in kinds), None)
        if kind is None:
            kind = BANK_CARD if "卡" in page.lines[at].text else PHONE
        end = window.end
        if kind == ID_NUMBER and (mark := _X_AFTER.match(line.low, end)):
            end = mark.end()
        yield Candidate(window.start, end, kind, 0.6, "tail")


_X_AFTER = lazy(r" ?x(?![a-z0-9])")


def _named_tail(tails: Sequence[tuple[int, int]], window: Window) -> bool:
    """Whether one of `tails` stands close before the number or right after it."""
    at = bisect_right(tails, (window.start, window.start))
    before = at > 0 and 0 <= window.start - tails[at - 1][1] <= 6
    return before or (at < len(tails) and 0 <= tails[at][0] - window.end <= 3)
