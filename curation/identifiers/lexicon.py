"""The word lists behind names, addresses and organisations, read once from `curation/data`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

_Tree = dict[str, "_Tree"]


@cache
def _file(name: str) -> dict[str, str]:
    text = (files("curation") / "data" / f"identifiers_{name}.toml").read_text(encoding="utf-8")
    return {key: str(value) for key, value in tomllib.loads(text).items()}


@cache
def words(file: str, key: str) -> frozenset[str]:
    """The words of list `key` of `identifiers_{file}.toml`."""
    return frozenset(_file(file)[key].split())


@cache
def characters(file: str, key: str) -> frozenset[str]:
    """The characters of a list that is written without spaces."""
    return frozenset("".join(_file(file)[key].split()))


class Vocabulary:
    """Plain words, looked for at a place of a text: ready at once, where a pattern of some hundred words takes a while
    to be compiled."""

    def __init__(self, items: Iterable[str]) -> None:
        self.words = frozenset(filter(None, items))
        sizes: dict[str, set[int]] = {}
        for word in self.words:
            sizes.setdefault(word[0], set()).add(len(word))
        self._sizes = {head: sorted(found, reverse=True) for head, found in sizes.items()}

    @property
    def heads(self) -> str:
        """A pattern of the characters that words begin with."""
        return f"[{''.join(map(re.escape, sorted(self._sizes)))}]"

    def ends(self, text: str, at: int) -> Iterator[int]:
        """Where the words end that begin at `at`, the longest first."""
        for size in self._sizes.get(text[at : at + 1], ()):
            if text[at : at + size] in self.words and at + size <= len(text):
                yield at + size

    def end(self, text: str, at: int) -> int:
        """Where the longest word ends that begins at `at`; `at` where none does."""
        return next(self.ends(text, at), at)

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Where words stand in `text`, from the left, the longest at each place, without overlap."""
        if self._sizes.keys().isdisjoint(text):
            return
        done = 0
        for at, char in enumerate(text):
            if at >= done and char in self._sizes and (end := self.end(text, at)) > at:
                yield at, end
                done = end


def listed(text: str) -> tuple[str, ...]:
    """The words of `text`, which are separated by white space."""
    return tuple(text.split())


def alternation(items: Iterable[str]) -> str:
    """A pattern that matches the longest of some plain words, written as a tree of their beginnings: that is several
    times as fast as one branch for each word, and to look first whether a character begins any, several times again.
    Any characters will do."""
    tree: _Tree = {}
    for item in items:
        branch = tree
        for char in item:
            branch = branch.setdefault(char, {})
        branch[""] = {}
    heads = "".join(map(re.escape, sorted(tree)))
    return f"(?:(?=[{heads}])(?:{_pattern(tree)}))" if len(tree) > 1 and "" not in tree else f"(?:{_pattern(tree)})"


def _pattern(tree: _Tree) -> str:
    leaves = sorted(char for char, below in tree.items() if char and set(below) == {""})
    parts = [re.escape(char) + _optional(below) for char, below in sorted(tree.items()) if char and char not in leaves]
    if leaves:
        parts.append(re.escape(leaves[0]) if len(leaves) == 1 else f"[{''.join(map(re.escape, leaves))}]")
    return "|".join(parts)


def _optional(tree: _Tree) -> str:
    """What may follow a beginning; all of it may be missing where a word ends there."""
    inner = _pattern(tree)
    return f"(?:{inner})?" if "" in tree and inner else f"(?:{inner})" if inner else ""
