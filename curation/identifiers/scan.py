"""`detect`: the recognisers over a whole dialogue.

Scanning goes on until a pass over what is left finds nothing: each pass sees the spans found before as
single fillers, exactly as a text with placeholders is seen. So scrubbing a scrubbed dialogue finds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from curation.errors import N_
from curation.identifiers.accounts import qq_numbers, wechat_ids
from curation.identifiers.cards import cards
from curation.identifiers.documents import documents
from curation.identifiers.kinds import BANK_CARD, EMAIL, ID_NUMBER, PHONE, QQ, URL, WECHAT
from curation.identifiers.links import emails, urls
from curation.identifiers.page import Candidate, Line, NotScanned, Page, prepare
from curation.identifiers.phones import last_digits, phones
from curation.identifiers.resolve import resolve

DETECTOR_VERSION = "1"

Recogniser = Callable[[Page, int], Iterator[Candidate]]

# Families: what each looks for, and with what. The last digits of a number may be a phone's, a card's or an
# identity's.
FAMILIES: dict[str, tuple[tuple[str, ...], Recogniser]] = {
    "phones": ((PHONE,), phones),
    "documents": ((ID_NUMBER,), documents),
    "cards": ((BANK_CARD,), cards),
    "accounts": ((QQ,), qq_numbers),
    "wechat": ((WECHAT,), wechat_ids),
    "emails": ((EMAIL,), emails),
    "urls": ((URL,), urls),
    "last digits": ((PHONE, BANK_CARD, ID_NUMBER), last_digits),
}

_PASSES = 8


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """An identifier at `start..end` of the text of message number `message` (from 0).

    `text` is that stretch of the original; `score` 0 to 1, at least `kinds.SURE` where nobody needs to
    look; `rule` says which recogniser found it and why.
    """

    message: int
    start: int
    end: int
    type: str
    text: str
    score: float
    rule: str


def detect(messages: Sequence[tuple[str, str]]) -> tuple[Finding, ...]:
    """The identifiers of a dialogue given as (speaker, text): disjoint, sorted, by offsets into the
    original texts.

    Raises NotScanned when a recogniser fails: a dialogue that was not read whole has no findings at all.
    """
    lines = [prepare(speaker, text) for speaker, text in messages]
    findings: list[Finding] = []
    for _ in range(_PASSES):
        found = _one_pass(Page(lines))
        if not found:
            break
        for index, chosen in found.items():
            line = lines[index]
            for one in chosen:
                start, end = line.original(one.start, one.end)
                text = messages[index][1][start:end]
                findings.append(Finding(index, start, end, one.type, text, one.score, one.rule))
            lines[index] = line.without([(one.start, one.end) for one in chosen])
    return tuple(sorted(findings))


def _one_pass(page: Page) -> dict[int, list[Candidate]]:
    found: dict[int, list[Candidate]] = {}
    for index, line in enumerate(page.lines):
        if not _worth_a_look(line):
            continue
        candidates: list[Candidate] = []
        for family, (_, recogniser) in FAMILIES.items():
            try:
                candidates += recogniser(page, index)
            except Exception as error:
                # Neither the text nor the message of the error: both may hold what must not be shown.
                raise NotScanned(
                    N_("message {number} could not be searched for identifiers: {family} failed with {error}"),
                    number=index + 1,
                    family=family,
                    error=type(error).__name__,
                ) from None
        if candidates and (chosen := resolve(candidates, line.text)):
            found[index] = chosen
    return found


def _worth_a_look(line: Line) -> bool:
    """Whether the line holds a digit (in any reading) or a Latin letter: all our types need one."""
    return any("0" <= c <= "9" or "a" <= c <= "z" for c in line.low) or line.readings != (line.text,)


# What this version does not look for: code, and the words for people (English template).
LIMITS: dict[str, str] = {
    "no_names": N_("names of people are not looked for"),
    "no_addresses": N_("addresses are not looked for"),
    "no_organisations": N_("schools, employers and other organisations are not looked for"),
    "no_birthdates": N_("birthdays are not looked for"),
    "no_plates": N_("number plates are not looked for"),
    "no_handles": N_("names on other networks (Weibo, Douyin, LINE and others) are not looked for"),
    "no_positions": N_("coordinates are not looked for"),
    "no_tracking": N_("order and parcel numbers are not looked for"),
    "no_secrets": N_("passwords and codes are not looked for"),
    "no_split": N_("a number sent in pieces over several messages is not put together"),
}


def limits() -> list[str]:
    """The codes of what this installation does not look for; `LIMITS` has the words."""
    return list(LIMITS)
