"""Number plates: mainland (as written, spaced, spelled out), Hong Kong, Macau, Taiwan."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.identifiers.kinds import PLATE
from curation.identifiers.page import Candidate, Page
from curation.identifiers.patterns import gated, lazy

_PROVINCE = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼滬遼魯蘇贛陝閩貴粵雲"
_BETWEEN = r"(?:[ ·•.,、。_/…~*-]|横杠|杠|减号|然后是?|接着是?|后面是?|再|加|拆开看|点|空格|大写|小写){0,5}"
_HEAD = gated(rf"[{_PROVINCE}]{_BETWEEN}[A-HJ-NP-Za-hj-np-z](?![a-z])|[{_PROVINCE}][a-hj-np-z](?=[a-z]?[0-9])")
_NEXT = lazy(rf"{_BETWEEN}(?:加|再加)?(?:([2-5两]) ?[个個] ?([A-Za-z0-9])|([A-HJ-NP-Za-hj-np-z0-9]))")
_SPECIAL = lazy(r"[港澳挂学警试超使领]")
# The last characters of a plate, where somebody says that is what they are: 车尾号七七三K.
_TAIL = gated(
    r"(?:车牌?|牌照)?尾号(?:是|:)? ?([A-HJ-NP-Za-hj-np-z0-9](?: ?[A-HJ-NP-Za-hj-np-z0-9]){2,4})(?![A-Za-z0-9])"
)
_RIDE = gated(r"车|牌照|师傅|司机|滴滴|接我|上车")
_ABROAD = gated(
    r"(?<![A-Za-z0-9])(?:[A-Z]{2} ?[0-9]{1,4}|M[A-Z]-?[0-9]{2}-?[0-9]{2}|[A-Z]{3}-?[0-9]{4}"
    r"|[0-9]{4}-?[A-Z]{2})(?![A-Za-z0-9])"
)


def plates(page: Page, index: int) -> Iterator[Candidate]:
    """Number plates of line `index`."""
    line = page.lines[index]
    text = line.spoken
    for head in line.each(_HEAD, text):
        # Digits spoken before the letter are none of the plate's, and neither is the province's own place name.
        read = _read(text, head.end())
        if read is None:
            continue
        end, count, tight = read
        if end < len(text) and text[end].isascii() and text[end].isalnum():
            continue
        claim = page.claim(index, head.start(), end, PLATE)
        compact = tight and len(head.group()) <= 3
        score = 0.93 if compact else 0.88 if claim > 0 or count == 5 else 0.75
        if head.group()[0] in "新云青宁吉" and not compact and claim <= 0:
            score = 0.6
        yield Candidate(head.start(), end, PLATE, score, "plate")
    for match in line.each(_TAIL, text):
        letters = any(c.isalpha() for c in match[1])
        if letters or line.finds(_RIDE):
            yield Candidate(*match.span(1), PLATE, 0.8 if letters else 0.62, "plate:tail")
    if page.claim(index, 0, len(line.text), PLATE) > 0:
        for match in line.each(_ABROAD, line.text):
            if page.claim(index, *match.span(), PLATE) > 0:
                yield Candidate(*match.span(), PLATE, 0.87, "plate:abroad")


def _read(text: str, at: int) -> tuple[int, int, bool] | None:
    """From after the letter: where a plate of five or six characters ends, how many, and whether without gaps."""
    chars = ""
    ends: dict[int, int] = {}
    gap_at: dict[int, bool] = {}
    gaps = 0
    place = at
    while len(chars) < 6:
        match = _NEXT.match(text, place)
        if match is None:
            break
        start = match.start(1) if match[1] else match.start(3)
        gaps += start > place and bool(chars)
        chars += match[2] * (2 if match[1] == "两" else int(match[1])) if match[1] else match[3]
        place = match.end()
        ends[len(chars)] = place
        gap_at[len(chars)] = start > match.start()
    if 4 in ends and 5 not in ends and _SPECIAL.match(text, ends[4]):
        return ends[4] + 1, 5, not gaps
    if 4 in ends and 5 in ends and gap_at[5] and _SPECIAL.match(text, ends[4]):
        return ends[4] + 1, 5, not gaps
    digits = sum(c.isdigit() for c in chars)
    if digits < 2 or (5 not in ends and 6 not in ends):
        return None
    six = 6 in ends and (5 not in ends or (not gap_at[6] and not _followed(text, ends[6])) or _new_energy(chars))
    spaced = 6 in ends and all(gap_at.get(n) for n in range(2, 7)) and not _followed(text, ends[6])
    loose = 6 in ends and gaps > 1 and (ends[6] == len(text) or text[ends[6]] in " ,，。")
    if (six and _new_energy(chars)) or (six and 5 not in ends) or spaced or loose:
        return ends[6], 6, not gaps
    return (ends[5], 5, not gaps) if 5 in ends else None


def _followed(text: str, at: int) -> bool:
    return text[at : at + 1].isascii() and text[at : at + 1].isalnum()


def _new_energy(chars: str) -> bool:
    """Six characters: a letter first (or last, large cars), the rest digits but perhaps the second."""
    upper = chars.upper()
    return re.fullmatch(r"[A-HJK][A-HJ-NP-Z0-9][0-9]{4}|[0-9]{5}[A-HJK]", upper) is not None
