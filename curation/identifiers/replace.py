"""What stands in the place of an identifier.

A policy says what is done with each type. There are two, and both stay: an event of a project names the one it was
made under.

1   every type becomes a placeholder in Chinese with a number, `[电话1]`, `[证件号2]`
2   direct identifiers become placeholders, names become invented names of the same shape, addresses, organisations and
    birthdays become less exact

One map a dialogue: the same value (however written) gets the same replacement, another value another. Numbers go by
first appearance and step around placeholders that the text already holds. Never one map for several dialogues: that
would link them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from curation.folding import digits_read, fold, lower_ascii
from curation.identifiers.finding import Finding
from curation.identifiers.generalise import generalised
from curation.identifiers.kinds import (
    ADDRESS,
    BANK_CARD,
    BIRTHDATE,
    CHINESE_NAMES,
    DIRECT,
    EMAIL,
    ID_NUMBER,
    ORG,
    PERSON,
    PHONE,
    QQ,
    TYPES,
    URL,
    WECHAT,
)
from curation.identifiers.patterns import lazy
from curation.identifiers.surrogates import Surrogates
from curation.layers import Edit

# What `replacements` does when no policy is named; events made without a word on it meant this one.
POLICY_VERSION = "1"


class Strategy(Enum):
    """What is done with an accepted identifier."""

    PLACEHOLDER = "placeholder"  # [电话1]
    SURROGATE = "surrogate"  # an invented name; for other types a placeholder
    GENERALISE = "generalise"  # 某小学; for types that cannot be said less exactly a placeholder
    KEEP = "keep"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Policy:
    """A strategy for each type, under a version."""

    version: str
    strategies: Mapping[str, Strategy]

    def but(self, version: str, **strategies: Strategy) -> Policy:
        """This policy with other strategies for some types, under a version of its own."""
        unknown = set(strategies) - set(TYPES)
        if unknown or version in POLICIES:
            raise ValueError(f"no such types: {sorted(unknown)}" if unknown else f"policy {version} is taken")
        return replace(self, version=version, strategies={**self.strategies, **strategies})


POLICIES: Final[Mapping[str, Policy]] = {
    "1": Policy("1", dict.fromkeys(TYPES, Strategy.PLACEHOLDER)),
    "2": Policy(
        "2",
        {
            **dict.fromkeys(DIRECT, Strategy.PLACEHOLDER),
            PERSON: Strategy.SURROGATE,
            ADDRESS: Strategy.GENERALISE,
            ORG: Strategy.GENERALISE,
            BIRTHDATE: Strategy.GENERALISE,
        },
    ),
}
NEWEST_POLICY = "2"

_PLACEHOLDER = lazy(rf"\[({'|'.join(CHINESE_NAMES.values())})([0-9]{{1,6}})\]")
_NOT_DIGIT = lazy(r"[^0-9]")
_SPOKEN = (
    (lazy(r"斜杠|斜线"), "/"),
    (lazy(r"下划线|下横线|underscore"), "_"),
    (lazy(r"横杠|短横|杠|减号|负号|dash"), "-"),
    (lazy(r"艾特|圈a|\(at\)|\[at\]|(?<=[a-z0-9]) at (?=[a-z0-9])"), "@"),
    (lazy(r"点| dot "), "."),
    (lazy(r"[\s、,+]"), ""),
)


def canonical(kind: str, text: str) -> str:
    """One form for all ways to write a value of type `kind`: folded, without separators, +86 or case."""
    plain = fold(text).text
    if kind in (PHONE, BANK_CARD, QQ):
        digits = _NOT_DIGIT.sub("", digits_read(plain, look_alikes=True))
        if kind == PHONE and re.fullmatch(r"(?:00)?86(1[3-9][0-9]{9}|0[0-9]{9,11})", digits):
            digits = digits.removeprefix("00").removeprefix("86")
        return digits
    if kind == ID_NUMBER:
        return "".join(c for c in digits_read(plain).upper() if c.isalnum())
    if kind in (WECHAT, EMAIL, URL):
        plain = digits_read(plain) if kind == WECHAT else plain
        plain = plain if kind == URL else lower_ascii(plain)
        for pattern, sign in _SPOKEN:
            plain = pattern.sub(sign, plain)
        return plain
    return " ".join(lower_ascii(plain).split())


def replacements(
    messages: Sequence[tuple[str, str]],
    accepted: Sequence[Finding],
    *,
    key: bytes = b"",
    policy: str | Policy = POLICY_VERSION,
) -> dict[int, tuple[Edit, ...]]:
    """The edits of each message that replace the `accepted` findings, by message number, sorted and disjoint.

    `messages` are the (speaker, text) that the findings were made on. Messages without an edit have no key. `key`
    chooses the invented names: a secret of the project with the dialogue's own id, so that the same dialogue gets the
    same names again and no two dialogues share them. `policy` is a version of `POLICIES` or a policy. Raises
    ValueError when findings lie outside their message or overlap, KeyError for a policy that there is not.
    """
    chosen = POLICIES[policy] if isinstance(policy, str) else policy
    writer = _Writer(messages, key, chosen)
    result: dict[int, list[Edit]] = {}
    last: Finding | None = None
    for finding in sorted(accepted):
        if not 0 <= finding.message < len(messages):
            raise ValueError(f"a finding of message {finding.message}, of {len(messages)}")
        text = messages[finding.message][1]
        if not 0 <= finding.start < finding.end <= len(text):
            raise ValueError(f"a finding outside its message: {finding.start}..{finding.end} of {len(text)}")
        if last and last.message == finding.message and finding.start < last.end:
            raise ValueError(f"findings of message {finding.message} overlap at {finding.start}")
        last = finding
        written = writer.write(finding.type, text[finding.start : finding.end])
        if written is not None:
            edit = Edit(finding.start, finding.end, written, f"pii:{finding.type}")
            result.setdefault(finding.message, []).append(edit)
    return {message: tuple(edits) for message, edits in result.items()}


class _Writer:
    """The one map of a dialogue."""

    def __init__(self, messages: Sequence[tuple[str, str]], key: bytes, policy: Policy) -> None:
        self._policy = policy
        self._surrogates = Surrogates([text for _, text in messages], key)
        self._known: dict[tuple[str, str], str] = {}
        self._numbers: dict[str, set[int]] = {}
        self._said: dict[str, int] = {}
        for _, text in messages:
            for match in _PLACEHOLDER.finditer(fold(text).text):
                self._numbers.setdefault(match[1], set()).add(int(match[2]))

    def write(self, kind: str, text: str) -> str | None:
        """What stands for `text` of type `kind`; None where it stays."""
        strategy = self._policy.strategies[kind]
        if strategy is Strategy.KEEP:
            return None
        if strategy is Strategy.DELETE:
            return ""
        at = (kind, canonical(kind, text))
        if at not in self._known:
            self._known[at] = self._new(kind, text, strategy)
        return self._known[at]

    def _new(self, kind: str, text: str, strategy: Strategy) -> str:
        if strategy is Strategy.SURROGATE and kind == PERSON:
            name = self._surrogates.name(fold(text).text)
            if name:
                return name
        elif strategy is Strategy.GENERALISE and kind in (ADDRESS, ORG, BIRTHDATE):
            words = generalised(kind, text)
            # A second school is not the first one: 某小学, 某小学乙.
            self._said[words] = self._said.get(words, 0) + 1
            place = self._said[words] - 1
            return (
                words + (_SEVERAL[place] if place < len(_SEVERAL) else str(place + 1)) if kind != BIRTHDATE else words
            )
        name = CHINESE_NAMES[kind]
        taken = self._numbers.setdefault(name, set())
        number = next(n for n in range(1, len(taken) + 2) if n not in taken)
        taken.add(number)
        return f"[{name}{number}]"


_SEVERAL = ("", "乙", "丙", "丁", "戊", "己", "庚", "辛", "壬", "癸")


def ours(edits: Mapping[int, Sequence[Edit]]) -> dict[int, tuple[tuple[int, int], ...]]:
    """Where the replacements of `edits` stand in the edited messages: for `detect`, which must not take an invented
    name for somebody's."""
    result: dict[int, tuple[tuple[int, int], ...]] = {}
    for message, own in edits.items():
        shift = 0
        spans = []
        for edit in sorted(own, key=lambda one: one.start):
            start = edit.start + shift
            if edit.replacement:
                spans.append((start, start + len(edit.replacement)))
            shift += len(edit.replacement) - (edit.end - edit.start)
        result[message] = tuple(spans)
    return result
