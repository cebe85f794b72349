"""Patterns that are compiled when they are first used: together they take most of a second, which a command that looks
for no identifiers should not wait for. And marks, which say at once which of the *gated* ones a message is worth trying
with: most messages hold nothing.

    _SHOP = gated("[a-z]+店")
    marks("到店里") & _SHOP.need == _SHOP.need     # may match; `Line.each` and `Line.finds` ask that
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from curation.folding import CHINESE_DIGITS, SPOKEN_DIGITS
from curation.identifiers.needs import Need, begins_with, needs, needs_of_any

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub")


class Pattern:
    """Stands for a pattern until one of its methods is asked for; from then on it has the pattern's own.

    `need` are the marks without which it matches nowhere in a text; 0 where that is not known.
    """

    def __init__(self, pattern: str, flags: int) -> None:
        self.source = (pattern, flags)
        self.need = 0
        self.parts: tuple[Pattern, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = self._compiled()
        self.__dict__.update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)

    def _compiled(self) -> re.Pattern[str]:
        return re.compile(*self.source)

    if TYPE_CHECKING:
        # A pattern's own methods, as typeshed has them.
        def search(self, string: str, pos: int = ..., endpos: int = ...) -> re.Match[str] | None: ...
        def match(self, string: str, pos: int = ..., endpos: int = ...) -> re.Match[str] | None: ...
        def fullmatch(self, string: str, pos: int = ..., endpos: int = ...) -> re.Match[str] | None: ...
        def finditer(self, string: str, pos: int = ..., endpos: int = ...) -> Iterator[re.Match[str]]: ...
        def findall(self, string: str, pos: int = ..., endpos: int = ...) -> list[Any]: ...
        def split(self, string: str, maxsplit: int = ...) -> list[Any]: ...
        def sub(self, repl: Any, string: str, count: int = ...) -> str: ...


class Headed(Pattern):
    """One that tries its branches only where the first character fits one of them."""

    def _compiled(self) -> re.Pattern[str]:
        pattern, flags = self.source
        heads = begins_with(pattern, flags)
        ahead = f"(?=[{''.join(map(re.escape, sorted(heads)))}])" if heads else ""
        return re.compile(f"{ahead}(?:{pattern})", flags)


def lazy(pattern: str, flags: int = 0) -> Pattern:
    """`re.compile(pattern, flags)`, when it is first used."""
    return Pattern(pattern, flags)


def gated(pattern: str, flags: int = 0) -> Pattern:
    """The same with marks for what it needs. Only where a module is loaded: texts marked before know nothing of it."""
    made = Pattern(pattern, flags)
    _gates.add(made)
    return made


def headed(pattern: str, flags: int = 0) -> Pattern:
    """A lazy pattern of many branches that looks first whether the character it stands at begins any of them."""
    return Headed(pattern, flags)


def either(*patterns: Pattern) -> Pattern:
    """One that needs what any of `patterns` needs, to ask `Line.may` about all of them at once."""
    made = gated("|".join(f"(?:{pattern.source[0]})" for pattern in patterns), patterns[0].source[1])
    made.parts = patterns
    return made


class _Gates:
    """Marks for the needs of all gated patterns, given out when the first text is marked."""

    def __init__(self) -> None:
        self.waiting: list[Pattern] = []
        self.of: dict[str, int] = {}
        self.telling: re.Pattern[str] | None = None

    def add(self, pattern: Pattern) -> None:
        # One that comes after the first text stays open.
        if self.telling is None:
            self.waiting.append(pattern)

    def settle(self) -> re.Pattern[str]:
        numbers: dict[Need, int] = {}
        of: dict[str, int] = {}
        found: dict[Pattern, list[Need]] = {}
        for pattern in self.waiting:
            parts = [found[part] for part in pattern.parts]
            found[pattern] = needs_of_any(parts) if parts else needs(*pattern.source)
            pattern.need = sum(1 << numbers.setdefault(need, len(numbers)) for need in found[pattern])
        for need, number in numbers.items():
            for char in need:
                of[char] = of.get(char, 0) | 1 << number
        # A text may be searched as it is, in lower case, and with its Chinese digits read.
        other = {chr(upper): chr(upper + 32) for upper in range(65, 91)} | CHINESE_DIGITS | SPOKEN_DIGITS
        for char, read in other.items():
            if read in of:
                of[char] = of.get(char, 0) | of[read]
        self.of = of
        self.telling = re.compile(f"[{''.join(map(re.escape, sorted(of)))}]" if of else r"(?!)")
        return self.telling


_gates = _Gates()


def gates() -> tuple[Pattern, ...]:
    """All gated patterns."""
    return tuple(_gates.waiting)


def marks(text: str) -> int:
    """The marks of a folded text: what gated patterns need and it has."""
    telling = _gates.telling or _gates.settle()
    of = _gates.of
    found = 0
    for char in telling.findall(text):
        found |= of[char]
    return found
