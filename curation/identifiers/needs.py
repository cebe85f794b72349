"""What a pattern cannot match without, so that it is tried only on texts that have it: most messages hold nothing, and
to look once at which characters a message has is cheaper than to try every pattern on it.

    needs("(?:微信|加v)号?")    [{信, v}]: no text without one of them has a match

Read from the pattern itself, so that a word added to it is a word looked for. What is not understood needs nothing:
such a pattern is tried always.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
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


def needs_of_any(parts: Sequence[list[Need]]) -> list[Need]:
    """What any of several patterns needs, given what each of them does, the rarest first."""
    union: Need = frozenset().union(*(part[0] for part in parts if part))
    return [union] if all(parts) and len(union) <= _WIDEST else []


def begins_with(pattern: str, flags: int = 0) -> Need:
    """The characters that a match of `pattern` can begin with; none where that cannot be told."""
    heads, empty = _first(_parser.parse(pattern, flags), flags)
    return frozenset() if empty or heads is None else heads


def _first(tree: Any, flags: int) -> tuple[Need | None, bool]:
    """What `tree` can begin with (None: anything), and whether it can match nothing at all."""
    heads: Need = frozenset()
    for op, argument in tree:
        if op in (_ops.AT, _ops.ASSERT, _ops.ASSERT_NOT):
            continue
        if op is _ops.BRANCH:
            ways = [_first(part, flags) for part in argument[1]]
        elif op is _ops.SUBPATTERN:
            ways = [_first(argument[3], (flags | argument[1]) & ~argument[2])]
        elif op is _ops.ATOMIC_GROUP:
            ways = [_first(argument, flags)]
        elif op in _REPEATS:
            ways = [_first(argument[2], flags)]
            ways += [(frozenset(), True)] if not argument[0] else []
        else:
            ways = [(next(iter(_of(op, argument, flags)), None), False)]
        if any(way is None for way, _ in ways):
            return None, False
        heads = heads.union(*(way or () for way, _ in ways))
        if not any(empty for _, empty in ways):
            return heads, False
    return heads, True


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
        return needs_of_any([_best(_of_sequence(part, flags)) for part in argument[1]])
    if op is _ops.SUBPATTERN:
        return _of_sequence(argument[3], (flags | argument[1]) & ~argument[2])
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
