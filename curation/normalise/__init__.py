"""Normalising a message without flattening it: hygiene of characters, bounded runs and, where asked for, one script.

    invisible      zero-width, bidirectional and control characters go
    space          every odd space becomes the ordinary one, every odd line break the ordinary one
    width          full-width digits and Latin letters become ordinary ones; Chinese punctuation stays
    radical        a radical that stands in for a character becomes the character
    marks          of the same mark (？！。，、；~… and their like) more than three in a row become three
    interjection   of the same interjection (哈 呵 嘿 呜 嗯 啊 …) more than three in a row become three
    script         characters are put in the project's script, with guards (see `script.Converter`)

Every rule puts one character, or none, in the place of one character, so that every change has exact offsets. Particles,
dialect words, slang, reduplication, single spaces too many and mistakes are how people talk: they stay as they are. So does
what stands in a sticker or placeholder (`[/x]`, `[x]`), an emoji, a kaomoji, or a span that the caller protects.
Normalising what is normalised changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from curation.errors import N_
from curation.layers import Edit
from curation.normalise.faces import protected_spans
from curation.normalise.hygiene import ODD, plain
from curation.normalise.runs import HINT, excess
from curation.normalise.script import BLOCK, CONFIGS, Converter, converter, unguarded
from curation.settings import Script

__all__ = ["CONFIGS", "NORMALISER_VERSION", "RULES", "normalise", "protected_spans", "unguarded"]

NORMALISER_VERSION = "normalise-2"

RULES: dict[str, str] = {
    "invisible": N_("a character that cannot be seen was taken out"),
    "space": N_("an odd space or line break became an ordinary one"),
    "width": N_("a full-width letter or digit became an ordinary one"),
    "radical": N_("a radical became the character it stands for"),
    "marks": N_("a run of the same mark was cut to three"),
    "interjection": N_("a run of the same interjection was cut to three"),
    "script": N_("a character was put in the project's script"),
}


def normalise(
    text: str,
    script: Script = "simplified",
    protected: Sequence[tuple[int, int]] = (),
    rules: Collection[str] = tuple(RULES),
) -> tuple[Edit, ...]:
    """The edits that normalise `text`: sorted, disjoint, each under one rule of `RULES`.

    `protected` are half-open ranges that stay as they are; `rules` are those to apply. Any string is taken,
    lone surrogates included (they stay). Raises MissingExtra when a script is asked for and OpenCC is not
    installed.
    """
    change = converter(script) if script != "keep" and "script" in rules else None
    if (
        ODD.search(text) is None
        and HINT.search(text) is None
        and (change is None or change.changeable.isdisjoint(text))
    ):
        return ()
    closed = bytearray(len(text))
    _close(closed, (*protected, *protected_spans(text)))
    chars = list(text)
    reasons = [""] * len(text)
    for match in ODD.finditer(text):
        if closed[match.start()]:
            continue
        char, rule = plain(match)
        if rule in rules and char != match[0]:
            chars[match.start()], reasons[match.start()] = char, rule
    _cut(chars, reasons, closed, rules)
    if change is not None:
        _convert(chars, reasons, closed, change)
    return _edits(text, chars, reasons)


def _close(closed: bytearray, spans: Sequence[tuple[int, int]]) -> None:
    for start, end in spans:
        start, end = max(0, start), min(len(closed), end)
        if start < end:
            closed[start:end] = b"\x01" * (end - start)


def _shown(chars: list[str], closed: bytearray) -> tuple[list[int], str]:
    """The places that still hold a character, and their text with what is closed blocked out."""
    places = [i for i, c in enumerate(chars) if c]
    return places, "".join(BLOCK if closed[i] or "\ud800" <= chars[i] <= "\udfff" else chars[i] for i in places)


def _cut(chars: list[str], reasons: list[str], closed: bytearray, rules: Collection[str]) -> None:
    """Take what is too much of a run out of `chars`, in place."""
    places, shown = _shown(chars, closed)
    for start, end, rule in excess(shown):
        if rule in rules:
            for place in places[start:end]:
                chars[place], reasons[place] = "", rule


def _convert(chars: list[str], reasons: list[str], closed: bytearray, change: Converter) -> None:
    """Put `chars` (one or none for each place of the text) in the converter's script, in place."""
    # What was taken out may have made a sticker or a face of what is left: the next time it would be protected.
    places = [i for i, c in enumerate(chars) if c]
    for start, end in protected_spans("".join(chars)):
        for place in places[start:end]:
            closed[place] = 1
    places, shown = _shown(chars, closed)
    if change.changeable.isdisjoint(shown):
        return
    settled = "\n".join(change.settle(line) for line in shown.split("\n"))
    for place, before, after in zip(places, shown, settled, strict=True):
        if before != after:
            chars[place] = after
            reasons[place] = reasons[place] or "script"


def _edits(text: str, chars: list[str], reasons: list[str]) -> tuple[Edit, ...]:
    """One edit for each run of neighbouring changes under the same rule."""
    edits: list[Edit] = []
    for i, rule in enumerate(reasons):
        if not rule:
            continue
        last = edits[-1] if edits else None
        if last is not None and last.end == i and last.rule == rule:
            edits[-1] = Edit(last.start, i + 1, last.replacement + chars[i], rule)
        else:
            edits.append(Edit(i, i + 1, chars[i], rule))
    return tuple(edits)
