"""What stands in the place of an identifier: numbered placeholders for the layer, masks for text nobody
reviewed.

Policy, first version: every type becomes a placeholder in Chinese with a number, `[电话1]`, `[证件号2]`.
One map a dialogue: the same value (however written) gets the same number, another value another; numbers go
by first appearance and step around placeholders that the text already holds. Never one map for several
dialogues: that would link them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from curation.folding import digits_read, fold, lower_ascii
from curation.identifiers.kinds import BANK_CARD, CHINESE_NAMES, EMAIL, ID_NUMBER, PHONE, QQ, URL, WECHAT
from curation.identifiers.scan import Finding
from curation.layers import Edit

POLICY_VERSION = "1"

_PLACEHOLDER = re.compile(rf"\[({'|'.join(CHINESE_NAMES.values())})([0-9]{{1,6}})\]")
_NOT_DIGIT = re.compile(r"[^0-9]")
_SPOKEN = (
    (re.compile(r"斜杠|斜线"), "/"),
    (re.compile(r"下划线|下横线|underscore"), "_"),
    (re.compile(r"横杠|短横|杠|减号|负号|dash"), "-"),
    (re.compile(r"艾特|圈a|\(at\)|\[at\]|(?<=[a-z0-9]) at (?=[a-z0-9])"), "@"),
    (re.compile(r"点| dot "), "."),
    (re.compile(r"[\s、,+]"), ""),
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


def replacements(messages: Sequence[tuple[str, str]], accepted: Sequence[Finding]) -> dict[int, tuple[Edit, ...]]:
    """The edits of each message that replace the `accepted` findings, by message number, sorted and disjoint.

    `messages` are the (speaker, text) that the findings were made on. Messages without one have no key.
    Raises ValueError when findings lie outside their message or overlap.
    """
    used: dict[str, set[int]] = {}
    for _, text in messages:
        for match in _PLACEHOLDER.finditer(fold(text).text):
            used.setdefault(match[1], set()).add(int(match[2]))
    numbers: dict[tuple[str, str], int] = {}
    result: dict[int, list[Edit]] = {}
    for finding in sorted(accepted):
        if not 0 <= finding.message < len(messages):
            raise ValueError(f"a finding of message {finding.message}, of {len(messages)}")
        text = messages[finding.message][1]
        edits = result.setdefault(finding.message, [])
        if not 0 <= finding.start < finding.end <= len(text):
            raise ValueError(f"a finding outside its message: {finding.start}..{finding.end} of {len(text)}")
        if edits and finding.start < edits[-1].end:
            raise ValueError(f"findings of message {finding.message} overlap at {finding.start}")
        name = CHINESE_NAMES[finding.type]
        key = (finding.type, canonical(finding.type, text[finding.start : finding.end]))
        if key not in numbers:
            taken = used.setdefault(name, set())
            numbers[key] = next(n for n in range(1, len(taken) + 2) if n not in taken)
            taken.add(numbers[key])
        edits.append(Edit(finding.start, finding.end, f"[{name}{numbers[key]}]", f"pii:{finding.type}"))
    return {message: tuple(edits) for message, edits in result.items()}


def mask(text: str, findings: Sequence[Finding]) -> str:
    """`text` of one message with its `findings` covered by what they are: `我电话〔电话〕`.

    For showing text that nobody has reviewed. Says the type in words and nothing of the value, not its
    length either. Overlapping findings are covered together, under the name of the first.
    """
    parts: list[str] = []
    last = 0
    for finding in sorted(findings):
        start, end = max(finding.start, last), min(finding.end, len(text))
        if start < end:
            if finding.start >= last:
                parts += (text[last:start], f"〔{CHINESE_NAMES[finding.type]}〕")
            last = end
    return "".join([*parts, text[last:]])
