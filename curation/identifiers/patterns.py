"""Patterns that are compiled when they are first used: together they take most of a second, which a command that looks
for no identifiers should not wait for."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub")


class _Lazy:
    """Stands for a pattern until one of its methods is asked for; from then on it has the pattern's own."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(*self._source)
        self.__dict__.update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile(pattern, flags)`, when it is first used."""
    return cast("re.Pattern[str]", _Lazy(pattern, flags))
