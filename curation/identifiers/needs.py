"""What a pattern cannot match without, so that it is tried only on texts that have it: most messages hold nothing, and
to look once at which characters a message has is cheaper than to try every pattern on it.

    needs("(?:微信|加v)号?")    [{信, v}]: no text without one of them has a match

Read from the pattern itself, so that a word added to it is a word looked for. What is not understood needs nothing:
such a pattern is tried always.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from importlib import import_module
from typing import Any

_parser: Any = import_module("re._parser")
_ops: Any = import_module("re._constants")

_WIDEST = 600  # characters of a set that is worth to be looked for
_MOST = 2  # sets for one pattern
# Characters that most messages hold say little; they weigh more when the rarest set is chosen.
_USUAL = frozenset(
    "的了你我不好在是啊没去么一天有上来吧到要就个还回下哈那吗点这吃们时给会什说想家都今呢过看 ,.，。?!0123456789"
)
_REPEATS = (_ops.MAX_REPEAT, _ops.MIN_REPEAT, _ops.POSSESSIVE_REPEAT)

Need = frozenset[str]


def needs(pattern: str, flags: int = 0) -> list[Need]:
    """Sets of characters, the rarest first, at most two: every text that `pattern` matches in holds one of each."""
    return _best(_of_sequence(_parser.parse(pattern, flags), flags))


def _best(found: Iterable[Need]) -> list[Need]:
    kept: list[Need] = []
    for need in sorted(set(found), key=lambda one: (_weight(one), sorted(one))):
        if not any(other <= need for other in kept):
            kept.append(need)
    return kept[:_MOST]


def _weight(need: Collection[str]) -> int:
    return len(need) + 20 * len(_USUAL.intersection(need))


def _of_sequence(tree: Any, flags: int) -> list[Need]:
    return [need for op, argument in tree for need in _of(op, argument, flags)]


def _of(op: Any, argument: Any, flags: int) -> list[Need]:
    """What one node of a parsed pattern cannot match without."""
    if op is _ops.LITERAL:
        return [_cased([chr(argument)], flags)]
    if op is _ops.IN:
        chars = _members(argument)
        return [_cased(chars, flags)] if chars else []
    if op is _ops.BRANCH:
        parts = [_best(_of_sequence(part, flags)) for part in argument[1]]
        union: Need = frozenset().union(*(part[0] for part in parts if part))
        return [union] if all(parts) and len(union) <= _WIDEST else []
    if op is _ops.SUBPATTERN:
        return _of_sequence(argument[3], flags)
    if op is _ops.ATOMIC_GROUP:
        return _of_sequence(argument, flags)
    if op in _REPEATS:
        return _of_sequence(argument[2], flags) if argument[0] else []
    if op is _ops.ASSERT:
        return _of_sequence(argument[1], flags)
    return []


def _members(items: Any) -> list[str]:
    """The characters of a class; nothing for one that is too wide to be listed."""
    chars: list[str] = []
    for op, argument in items:
        if op is _ops.LITERAL:
            chars.append(chr(argument))
        elif op is _ops.RANGE and argument[1] - argument[0] < _WIDEST:
            chars += map(chr, range(argument[0], argument[1] + 1))
        else:
            return []
    return chars if len(chars) <= _WIDEST else []


def _cased(chars: Iterable[str], flags: int) -> Need:
    if not flags & re.IGNORECASE:
        return frozenset(chars)
    both = {form for char in chars for form in (char, char.lower(), char.upper())}
    # The two letters outside ASCII that count as one of it: long s, the Kelvin sign.
    return frozenset(both | ({"\u017f"} if "s" in both else set()) | ({"\u212a"} if "k" in both else set()))
