"""Where words begin and end, by jieba, without its side effects.

    segment("我去[/白眼]看电影")     (0,1) (1,2) (2,7) (7,8) (8,10): stickers and project words are never cut
    boundaries("我去看电影")         [0, 1, 2, 3, 5] as a bytearray with a 1 at each

jieba by itself caches its dictionary in a world-writable folder that belongs to whoever came first, reads it back as
marshalled code, shares one tokenizer among all callers and logs to the terminal. Here a tokenizer of our own is built
from the dictionary inside the package, once in a process (about two seconds), and nothing is written anywhere. Its
guesses at unknown words are switched off: they glue dialect words to their neighbours.

Offsets are code points; the tokens of a text join up to the text. Any string is taken.
"""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import ModuleType
from typing import Any

from curation.errors import N_, MissingExtra
from curation.normalise import protected_spans

Cut = Callable[[str], Iterable[str]]
_LOCK = threading.RLock()


@dataclass(frozen=True, slots=True)
class Token:
    """One word: `text[start:end] == word`."""

    start: int
    end: int
    word: str


def _imported() -> ModuleType:
    """jieba, imported without pkg_resources: that would take half a second and warn, or not be there at all."""
    absent = object()
    before: Any = sys.modules.get("pkg_resources", absent)
    sys.modules["pkg_resources"] = None  # type: ignore[assignment]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # escapes in its source that newer Pythons object to
            import jieba

            return jieba  # type: ignore[no-any-return]
    finally:
        if before is absent:
            del sys.modules["pkg_resources"]
        else:
            sys.modules["pkg_resources"] = before


@cache
def available() -> bool:
    """Whether jieba is installed."""
    with _LOCK:
        try:
            _imported()
        except ImportError:
            return False
    return True


def _tokenizer() -> Any:
    # The lock keeps two threads that are first at the same time from each building one.
    with _LOCK:
        return _built()


@cache
def _built() -> Any:
    if not available():
        raise MissingExtra(
            N_("cutting text into words needs {package}: install the extra {extra}"),
            "missing_jieba",
            package="jieba",
            extra="curator",
        )
    tokenizer = _imported().Tokenizer()
    # Its own start reads and writes a cache file; building what it needs directly does not.
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer


@cache
def _to_simplified() -> dict[int, str]:
    text = (files("curation") / "data" / "simplified.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return {ord(a): b for left, right in rows for a, b in zip(left, right, strict=True)}


def simplified(text: str) -> str:
    """`text` as jieba's dictionary would write it; one character for one, so that offsets hold."""
    return text.translate(_to_simplified())


def boundaries(text: str) -> bytearray:
    """One byte for each position of `text`, its end included: 1 where a word begins or ends.

    Raises MissingExtra when jieba is not installed.
    """
    marks = bytearray(len(text) + 1)
    marks[0] = marks[-1] = 1
    at = 0
    for word in _tokenizer().cut(simplified(text), HMM=False):
        at += len(word)
        marks[at] = 1
    return marks


def segment(text: str, words: Sequence[str] = (), protected: Sequence[tuple[int, int]] = ()) -> tuple[Token, ...]:
    """The words of `text`, in order; they join up to it.

    Stickers, placeholders, emoji and kaomoji, `protected` (half-open ranges) and every occurrence of `words` (any
    strings, spaces and signs included; the longest wins) are one token each. Raises MissingExtra when jieba is not
    installed.
    """
    marks = boundaries(text)
    whole = [(s, e) for s, e in (*protected, *protected_spans(text)) if 0 <= s < e <= len(text)]
    for word in sorted({w for w in words if w}, key=len, reverse=True):
        at = text.find(word)
        while at >= 0:
            whole.append((at, at + len(word)))
            at = text.find(word, at + len(word))
    last = [0] * (len(text) + 1)  # where a whole begins, the place it ends
    taken = bytearray(len(text))
    for start, end in whole:
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            last[start] = end
    tokens = []
    start = 0
    while start < len(text):
        end = last[start]
        if not end:
            end = start + 1
            while end < len(text) and not marks[end] and not taken[end]:
                end += 1
        tokens.append(Token(start, end, text[start:end]))
        start = end
    return tuple(tokens)
