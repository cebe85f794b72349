"""Why something was found, for people: the rule in words, the word that says so, the other pieces of a value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from curation.errors import N_
from curation.folding import fold
from curation.identifiers.kinds import DIRECT, QQ, WECHAT
from curation.identifiers.page import LOOK_BACK, NEAR_AFTER, NEAR_BEFORE, Page, prepare
from curation.identifiers.replace import canonical
from curation.identifiers.reviewing import Shown

_REACH = 3  # messages from one piece of a value to the next
_ALIKE = {WECHAT: (WECHAT, QQ), QQ: (QQ, WECHAT)}

# Rule, or what stands before its colon -> words (English templates).
RULE_WORDS: dict[str, str] = {
    "person": N_("marked by a person"),
    "lists": N_("a recogniser of this project"),
    "lists:deny": N_("on the project's list of what is always one"),
    "phone": N_("digits as a telephone number has them"),
    "phone:mobile": N_("11 digits of a mainland mobile"),
    "phone:mobile-in-a-word": N_("11 digits of a mainland mobile, within a longer word"),
    "phone:landline": N_("area code and number"),
    "phone:service-line": N_("a 400 or 800 line"),
    "phone:eight-digits": N_("eight digits that are called a number"),
    "tail": N_("last digits, called so"),
    "id": N_("shaped like the number of a document"),
    "id:checked": N_("18 digits whose check digit is right"),
    "id:dated": N_("18 digits with a date in them; the check digit is wrong"),
    "id:named": N_("digits that are called a document's number"),
    "id:one-short": N_("one digit too few for an identity number"),
    "id:hong-kong": N_("a Hong Kong identity card, check digit right"),
    "id:taiwan": N_("a Taiwan identity card, check digit right"),
    "card": N_("digits as a bank card has them"),
    "card:union-pay": N_("a UnionPay card, check digit right"),
    "card:checked": N_("a card's digits, check digit right"),
    "card:named": N_("digits that are called a card or an account"),
    "plate": N_("shaped like a number plate"),
    "wechat": N_("what a WeChat id looks like, and the words around it"),
    "wechat:wxid": N_("begins with wxid_"),
    "wechat:disguised": N_("a WeChat id in disguise"),
    "wechat:sounded": N_("a WeChat id spelled out in sounds"),
    "qq": N_("digits that the words around call QQ"),
    "handle": N_("a name on some platform"),
    "handle:mention": N_("behind an @"),
    "handle:nickname": N_("a nickname on some platform"),
    "email": N_("an e-mail address"),
    "email:spelled": N_("an e-mail address spelled out"),
    "url": N_("a web address"),
    "url:spelled": N_("a web address spelled out"),
    "url:token": N_("a shop's password for a link"),
    "url:ip": N_("the address of a machine"),
    "position": N_("a place on the map in numbers"),
    "parcel": N_("the number of a parcel or order"),
    "code": N_("a code or password, as the words around say"),
    "pieces": N_("a piece of a value sent in several messages"),
    "name": N_("looks like a name"),
    "name:said": N_("said to be a name: I am, called, this is"),
    "name:asked": N_("the answer to a question for a name"),
    "name:address": N_("addressed as one addresses people"),
    "name:familiar": N_("family name with old, little or the like"),
    "name:tagged": N_("the tagger takes it for a name"),
    "name:role": N_("name with a title"),
    "name:again": N_("a name that was found elsewhere in this dialogue"),
    "name:nickname": N_("a nickname"),
    "name:english": N_("a foreign first name"),
    "name:roman": N_("a Chinese name in Latin letters"),
    "name:beside-number": N_("beside a number, as receivers are named"),
    "address": N_("parts of an address: road, number, house, room"),
    "address:home": N_("said to be where somebody lives"),
    "address:answer": N_("the answer to a question for a place"),
    "place": N_("a place by its name"),
    "place:tagged": N_("the tagger takes it for a place"),
    "place:home": N_("said to be where somebody lives"),
    "organisation:answer": N_("the answer to a question for a firm, a school or a hospital"),
    "organisation": N_("a school, employer or the like"),
    "organisation:tagged": N_("the tagger takes it for an organisation"),
    "birthday": N_("a date that is called a birthday"),
    "context": N_("reads like one by all that stands around it"),
}


def words_of(rule: str) -> str:
    """What a rule found, as an English template for the catalogue; "" for one there are no words for."""
    return RULE_WORDS.get(rule) or RULE_WORDS.get(rule.partition(":")[0], "")


def reading(kind: str, text: str, *pieces: str) -> str:
    """How a disguised value reads, folded; "" where it reads as it is written. Of a value in `pieces`, all of it."""
    whole = "".join(pieces) or text
    plain = canonical(kind, whole) if kind in DIRECT else fold(whole).text
    return "" if plain in ("", text) or plain.lower() == text.lower().strip() else plain


class Reasons:
    """The words around the findings of one dialogue, given as (speaker, text)."""

    def __init__(self, messages: Sequence[tuple[str, str]]) -> None:
        self._messages = messages

    @cached_property
    def _page(self) -> Page:
        return Page([prepare(speaker, text) for speaker, text in self._messages])

    def cue(self, one: Shown) -> tuple[int, int, int] | None:
        """The word that says what a direct identifier is: (message, start, end) of the raw text. The nearest in its own
        message, else in one of the messages before, else in the next; None when nothing says so."""
        if one.type not in DIRECT:
            return None
        kinds = _ALIKE.get(one.type, (one.type,))
        lines = self._page.lines
        covered = lines[one.message].folded.covering(one.start, one.end)
        if covered is None:
            return None
        cues = [cue for cue in lines[one.message].cues if cue.kind in kinds]
        before = [cue for cue in cues if cue.end <= covered[0]]
        if before and covered[0] - before[-1].end <= NEAR_BEFORE:
            return self._place(one.message, before[-1].start, before[-1].end)
        after = [cue for cue in cues if cue.start >= covered[1]]
        if after and after[0].start - covered[1] <= NEAR_AFTER:
            return self._place(one.message, after[0].start, after[0].end)
        if before or after:
            found = (before or after)[-1 if before else 0]
            return self._place(one.message, found.start, found.end)
        for message in (*range(one.message - 1, max(one.message - LOOK_BACK, 0) - 1, -1), one.message + 1):
            if 0 <= message < len(lines):
                cues = [cue for cue in lines[message].cues if cue.kind in kinds]
                if cues:
                    return self._place(message, cues[-1].start, cues[-1].end)
        return None

    def _place(self, message: int, start: int, end: int) -> tuple[int, int, int]:
        return (message, *self._page.lines[message].original(start, end))


def parts(spans: Sequence[Shown]) -> list[tuple[int, ...]]:
    """For each finding the places (in `spans`) of all pieces of its value, its own among them; empty where it is whole."""
    result: list[tuple[int, ...]] = [()] * len(spans)
    pieces = [n for n, one in enumerate(spans) if one.rule.startswith("pieces") and one.state != "rejected"]
    runs: list[list[int]] = []
    for n in pieces:
        one = spans[n]
        last = spans[runs[-1][-1]] if runs else None
        if last and (last.type, last.rule) == (one.type, one.rule) and 0 < one.message - last.message <= _REACH:
            runs[-1].append(n)
        else:
            runs.append([n])
    for run in runs:
        if len(run) > 1:
            for n in run:
                result[n] = tuple(run)
    return result


__all__ = ["RULE_WORDS", "Reasons", "parts", "reading", "words_of"]
