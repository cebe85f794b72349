"""Order, parcel and ticket numbers: by their carrier's letters, or because somebody says what they are."""

from __future__ import annotations

from collections.abc import Iterator

from curation.identifiers.kinds import TRACKING
from curation.identifiers.numbers import windows
from curation.identifiers.page import Candidate, Page
from curation.identifiers.patterns import gated, lazy

_CARRIERS = r"sf|yt|jd[a-z]{0,4}|zto|sto|yd|yunda|dpk|dpl|ems|jt|jtsd|ht|htky|zjs|kye?|ane|best|tt|uc|lp|cainiao|xb"
_LETTERED = gated(rf"(?<![a-z0-9])(?:{_CARRIERS})[ -]?[0-9]{{9,17}}(?![a-z0-9])")
_POSTAL = gated(r"(?<![a-z0-9])[a-z]{2}[0-9]{9}[a-z]{2}(?![a-z0-9])")
_SPACED = gated(
    r"(?<![a-z0-9])(?:s ?f|y ?t|j ?d(?: ?[a-z]){0,3}|z ?t ?o|s ?t ?o|y ?d|d ?p ?k"
    r"|j ?t)[ -]?(?:[0-9][ ,、-]{0,2}){9,16}[0-9](?![a-z0-9])"
)
_ORDER = gated(r"(?<![a-z0-9])[a-z]{1,5}[ -]?[0-9]{2}(?:[ -]?[0-9]){4,20}(?![a-z0-9])")
_MOBILE = lazy(r"1[3-9][0-9]{9}")


def parcels(page: Page, index: int) -> Iterator[Candidate]:
    """Order and parcel numbers of line `index`."""
    line = page.lines[index]
    low = line.low
    for pattern, score in ((_LETTERED, 0.93), (_POSTAL, 0.8)):
        for match in line.each(pattern, low):
            yield Candidate(*match.span(), TRACKING, score, "parcel:lettered")
    spoken = line.spoken.lower() if not line.spoken.isascii() else low
    if len(spoken) == len(low):
        for match in line.each(_SPACED, spoken):
            yield Candidate(*match.span(), TRACKING, 0.88, "parcel:spaced")
    if page.distance(index, TRACKING) is None:
        return
    if len(spoken) == len(low):
        for match in line.each(_ORDER, spoken):
            if any(match.start() <= cue.start for cue in line.cues_over(*match.span())):
                continue  # QQ731940026 after an order is no order
            said = page.claim(index, *match.span(), TRACKING)
            if said > 0 and sum(c.isdigit() for c in match.group()) >= 8 - (said == 1):
                yield Candidate(*match.span(), TRACKING, 0.88 if said == 1 else 0.8, "parcel:order")
    for window in windows(line):
        count = len(window.digits)
        if not 8 <= count <= 21 or window.glued or len(set(window.digits)) < 3:
            continue
        said = page.claim(index, window.start, window.end, TRACKING)
        if said <= 0 or (_MOBILE.fullmatch(window.digits) and said < 1):
            continue
        alone = line.share(window.start, window.end)
        if said == 1:
            yield Candidate(window.start, window.end, TRACKING, 0.9 if count >= 10 else 0.8, "parcel:named")
        elif alone >= 0.4 and count >= 9:
            yield Candidate(
                window.start, window.end, TRACKING, 0.86 if said > 0.5 and alone > 0.6 else 0.7, "parcel:asked"
            )
