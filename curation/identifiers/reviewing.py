"""What a person's step on one finding means for all the spans of a dialogue, so that they stay disjoint and nothing that
was covered comes to light by accident.

`shown` lays decided and proposed spans out as the disjoint findings that a reviewer walks through; `written` says which
spans a step decides. Pure; offsets are those of the raw text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from curation.identifiers.finding import Finding

State = Literal["open", "accepted", "rejected"]
PERSON_RULE = "person"  # the rule of a span that a person made or changed
REST_RULE = "rest"  # what a person cut off a finding: decided, but nothing to look at again


@dataclass(frozen=True, slots=True)
class Mark:
    """A decided span of the raw text."""

    message: int
    start: int
    end: int
    type: str
    accepted: bool
    score: float = 1.0
    rule: str = PERSON_RULE

    def row(self) -> list[object]:
        """As an event's entry holds it."""
        return [self.message, self.start, self.end, self.type, self.accepted, self.score, self.rule]


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding as it is reviewed. `open` ones wait for a decision."""

    message: int
    start: int
    end: int
    type: str
    state: State
    score: float
    rule: str

    def mark(self, accepted: bool, kind: str = "") -> Mark:
        """The decision on this finding as it stands, or under another type."""
        same = not kind or kind == self.type
        return Mark(
            self.message,
            self.start,
            self.end,
            kind or self.type,
            accepted,
            self.score if same else 1.0,
            self.rule if same else PERSON_RULE,
        )


def settled(decided: Sequence[Mark], one: Finding) -> bool:
    """Whether decisions cover every character of a proposal; a part of it settles nothing."""
    at = one.start
    for mark in sorted((d for d in decided if d.message == one.message), key=lambda d: d.start):
        if mark.start <= at < mark.end:
            at = mark.end
    return at >= one.end


def shown(decided: Sequence[Mark], proposed: Iterable[Finding]) -> tuple[Shown, ...]:
    """The findings of a dialogue: disjoint, in order.

    A proposal that no decisions cover is open; what was accepted and overlaps it is part of it, so that deciding on it
    uncovers nothing. A rejected span that such a finding overlaps gives way to it.
    """
    waiting = [f for f in proposed if not settled(decided, f)]
    parts = [Shown(d.message, d.start, d.end, d.type, "accepted", d.score, d.rule) for d in decided if d.accepted]
    parts += [Shown(f.message, f.start, f.end, f.type, "open", f.score, f.rule) for f in waiting]
    found: list[Shown] = []
    for one in sorted(parts, key=lambda s: (s.message, s.start, s.end)):
        last = found[-1] if found else None
        if last is None or last.message != one.message or last.end <= one.start:
            found.append(one)
            continue
        lead = one if one.state == "open" and last.state != "open" else last
        found[-1] = Shown(
            lead.message,
            min(last.start, one.start),
            max(last.end, one.end),
            lead.type,
            "open" if "open" in (last.state, one.state) else "accepted",
            lead.score,
            lead.rule,
        )
    for mark in decided:
        if mark.accepted or mark.rule == REST_RULE:
            continue
        if not any(f.message == mark.message and f.start < mark.end and mark.start < f.end for f in found):
            found.append(Shown(mark.message, mark.start, mark.end, mark.type, "rejected", mark.score, mark.rule))
    return tuple(sorted(found, key=lambda s: (s.message, s.start)))


def joined(spans: Sequence[Shown], message: int, start: int, end: int) -> tuple[int, int]:
    """`start..end` with every finding it touches taken in whole, those that were rejected left out."""
    grown = True
    while grown:
        grown = False
        for one in spans:
            if one.message != message or one.state == "rejected" or not (one.start < end and start < one.end):
                continue
            if one.start < start or end < one.end:
                start, end, grown = min(start, one.start), max(end, one.end), True
    return start, end


def resized(spans: Sequence[Shown], one: Shown, start: int, end: int) -> list[Mark]:
    """The decisions that make `one` reach from `start` to `end`: it is accepted, what is cut off it is decided to be no
    part of an identifier, and another finding it now reaches is joined to it whole. Empty when nothing would be left."""
    if start >= end:
        return []
    others = [s for s in spans if s is not one and s != one]
    start, end = joined(others, one.message, start, end)
    marks = [Mark(one.message, start, end, one.type, True)]
    for low, high in ((one.start, min(start, one.end)), (max(end, one.start), one.end)):
        if low < high:
            marks.append(Mark(one.message, low, high, one.type, False, 1.0, REST_RULE))
    return marks


def written(decided: Sequence[Mark], marks: Sequence[Mark]) -> list[Mark]:
    """`marks` with what is left of the decided spans they cut into, since deciding on a span replaces those it overlaps."""
    result = list(marks)
    for message, group in groupby(sorted(marks, key=lambda m: (m.message, m.start)), key=lambda m: m.message):
        taken = [(m.start, m.end) for m in group]
        for old in decided:
            if old.message != message or not any(s < old.end and old.start < e for s, e in taken):
                continue
            for low, high in _without(old.start, old.end, taken):
                result.append(Mark(message, low, high, old.type, old.accepted, old.score, old.rule))
    return sorted(result, key=lambda m: (m.message, m.start))


def _without(start: int, end: int, taken: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is left of `start..end` without `taken` (sorted, disjoint)."""
    left = []
    for low, high in taken:
        if low >= end:
            break
        if start < low:
            left.append((start, min(low, end)))
        start = max(start, high)
    return [*left, (start, end)] if start < end else left
