"""Rewriting a message by hand, and little of it: what a person changed as spans, how much that is, and why.

What a person did not touch is never written again: a new text is told from the one before by the shortest row of edits
(Levenshtein), so that odd spaces, line ends and invisible characters around a changed word stay what they were.
"""

from __future__ import annotations

from collections.abc import Callable

from curation.errors import N_
from curation.layers import Edit, apply_edits

REWRITING_VERSION = "rewriting-1"

REASONS: dict[str, str] = {
    "identifier": N_("what is left around an identifier still points at someone"),
    "garbled": N_("garbled text: broken characters, half a line, a machine's words"),
    "after_trim": N_("a line that trimming left unfinished"),
    "unsafe": N_("an unsafe detail: self-harm, crime, sex, a minor"),
    "offensive": N_("abuse of third persons that the situation does not need"),
    "advert": N_("an advertisement or a platform's notice"),
    "readable": N_("cannot be read as it stands: a slip that changes the sense"),
    "other": N_("another reason"),
}


def changes(before: str, after: str, rule: str = "") -> tuple[Edit, ...]:
    """The shortest edits that make `after` of `before`, sorted and apart, none of them a bare insertion.

    An insertion takes the character next to it in, so that it stands on something of the text it was made in. `before`
    has to have a character where `after` has one.
    """
    from rapidfuzz.distance import Levenshtein

    spans: list[tuple[int, int, str]] = []
    for step in Levenshtein.opcodes(before, after):
        if step.tag == "equal":
            continue
        start, end, words = step.src_start, step.src_end, after[step.dest_start : step.dest_end]
        if spans and spans[-1][1] == start:
            first, _, earlier = spans.pop()
            start, words = first, earlier + words
        spans.append((start, end, words))
    edits: list[Edit] = []
    for start, end, words in spans:
        if start == end and not (edits and edits[-1].end == start):
            start, end, words = (start - 1, end, before[start - 1] + words) if start else (0, 1, words + before[:1])
        if edits and edits[-1].end == start:
            last = edits.pop()
            start, words = last.start, last.replacement + words
        edits.append(Edit(start, end, words, rule))
    return tuple(edits)


def share(before: str, after: str) -> float:
    """How much of a message was changed: the edit distance over the length of the longer text, 0 to 1."""
    from rapidfuzz.distance import Levenshtein

    longest = max(len(before), len(after))
    return Levenshtein.distance(before, after) / longest if longest else 0.0


def rejoined(text: str, shown: str, written: str, typed: Callable[[str], str] = str) -> str:
    """The text that a person meant who was shown `shown` in place of `text` and made `written` of it.

    `shown` stands for `text` character by character (an editor holds some characters as others). Only what differs
    between `shown` and `written` is taken from the editor, through `typed`; all else is `text` itself. Raises ValueError
    when the two are not of one length.
    """
    from rapidfuzz.distance import Levenshtein

    if len(text) != len(shown):
        raise ValueError("what is shown does not stand for the text character by character")
    edits = [
        Edit(step.src_start, step.src_end, typed(written[step.dest_start : step.dest_end]), "")
        for step in Levenshtein.opcodes(shown, written)
        if step.tag != "equal"
    ]
    return apply_edits(text, edits)
