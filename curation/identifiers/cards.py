"""Bank cards: UnionPay of 16 to 19 digits, and the international ones."""

from __future__ import annotations

from collections.abc import Iterator

from curation.identifiers.checksums import luhn
from curation.identifiers.kinds import BANK_CARD
from curation.identifiers.numbers import windows
from curation.identifiers.page import Candidate, Page

_ISSUERS = ("62", "4", "51", "52", "53", "54", "55", "35", "60", "34", "37", "2")


def cards(page: Page, index: int) -> Iterator[Candidate]:
    """Bank card numbers of line `index`."""
    line = page.lines[index]
    for window in windows(line):
        count = len(window.digits)
        if not 15 <= count <= 19 or window.glued or len(set(window.digits)) < 2:
            continue
        claim = page.claim(index, window.start, window.end, BANK_CARD)
        checked = luhn(window.digits)
        union_pay = window.digits.startswith("62") and count >= 16
        known = window.digits.startswith(_ISSUERS)
        fours = len(window.sizes) >= 4 and set(window.sizes[:-1]) == {4}
        score, rule = 0.0, ""
        if union_pay and claim >= 0 and window.sizes[:4] == (4, 4, 4, 4) and len(window.sizes) == 5:
            score, rule = 0.96, "card:grouped"  # four fours and the rest: not the sixteen digits that happen to check
        elif union_pay and checked:
            score, rule = (0.95 if claim >= 0 else 0.7), "card:union-pay"
        elif claim > 0:
            # The check digit is not asked for where the words say what it is.
            score, rule = (0.9 if checked and known else 0.86 if union_pay or fours else 0.7), "card:named"
        elif claim == 0 and checked and known and count in (15, 16) and window.digits[0] != "2":
            score, rule = 0.88, "card:checked"
        elif union_pay and claim == 0:
            score, rule = 0.75, "card:union-pay-unchecked"
        elif fours and claim == 0 and known:
            score, rule = 0.6, "card:fours"
        if score:
            yield Candidate(window.start, window.end, BANK_CARD, score, rule)
