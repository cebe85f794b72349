"""From competing candidates to disjoint ones: the set with the most certain letters and digits wins."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace

from curation.identifiers.kinds import SURE
from curation.identifiers.page import Candidate


def resolve(candidates: Iterable[Candidate], text: str) -> list[Candidate]:
    """The best disjoint set among `candidates` of one text, sorted by place.

    Worth is score times letters and digits covered. A sure candidate that lost but sticks out of a winner
    widens it, so that no tail of an identifier survives.
    """
    ordered = sorted(set(candidates), key=lambda c: (c.end, c.start, -c.score, c.type, c.rule))
    ends = [c.end for c in ordered]
    best = [0.0]
    taken: list[tuple[bool, int]] = []
    for number, one in enumerate(ordered):
        before = bisect_right(ends, one.start, 0, number)
        worth = one.score * sum(c.isalnum() for c in text[one.start : one.end]) + best[before]
        take = worth > best[-1]
        taken.append((take, before))
        best.append(max(worth, best[-1]))
    chosen: list[Candidate] = []
    at = len(ordered)
    while at:
        take, before = taken[at - 1]
        if take:
            chosen.append(ordered[at - 1])
            at = before
        else:
            at -= 1
    chosen.reverse()
    return _widen(chosen, [c for c in ordered if c.score >= SURE])


def _widen(chosen: list[Candidate], sure: list[Candidate]) -> list[Candidate]:
    starts = [c.start for c in chosen]
    for one in sure:
        at = bisect_right(starts, one.start) - 1
        touched = [i for i in (at, at + 1) if 0 <= i < len(chosen) and _cross(chosen[i], one)]
        if len(touched) != 1:
            continue
        i = touched[0]
        start, end = min(chosen[i].start, one.start), max(chosen[i].end, one.end)
        if (i == 0 or chosen[i - 1].end <= start) and (i + 1 == len(chosen) or end <= chosen[i + 1].start):
            chosen[i] = replace(chosen[i], start=start, end=end)
            starts[i] = start
    return chosen


def _cross(a: Candidate, b: Candidate) -> bool:
    """Whether they overlap with each sticking out of the other."""
    return (a.start < b.start < a.end < b.end) or (b.start < a.start < b.end < a.end)
