"""Which turns to keep: the most worth within the limit, and at most three cuts.

Turns next to each other stay next to each other except at a cut, so that what is left reads as a
conversation. The turns on the two sides of a cut are by different speakers, or by one, and then they read as
one turn and count as one. Small costs keep a cut from standing where it would deceive: after a question, whose
answer then seems to be something else, and before an answer, whose question is gone.
"""

from __future__ import annotations

from collections.abc import Sequence

from curation.trim.cues import Heard

_CUTS = 3
# Every cut costs a little, so that none is made for nothing; with each turn allowed beyond `_TIGHT` it costs more.
_CUT = 0.005
_JOIN = 0.01
_ROOM = 0.003
_TIGHT = 8
_UNANSWERED = 0.01
_UNASKED = 0.01
# How much better it is to begin where a conversation begins, for each turn allowed beyond `_TIGHT`: with much
# room the first turns matter little to the last.
_BEGINNING = 0.0005
_AFTER_PAUSE = 0.03
_OTHER = 0.005

_State = tuple[int, int]  # turns a reader will see, cuts made, from here to the end


def choose(
    heard: Sequence[Heard], worth: Sequence[float], *, most: int, fewest: int, other_than: str | None
) -> list[int]:
    """The indices of the turns to keep, ascending; the last is always among them.

    `worth` has a value for every turn. A reader will see at most `most` turns and at least `fewest`, which must
    be possible. Among equals the first is by someone else than `other_than`.
    """
    last = len(heard) - 1
    # What can follow each turn: the best worth by state, and the state and turn it goes on with.
    best: list[dict[_State, float]] = [{} for _ in heard]
    following: list[dict[_State, tuple[int, _State]]] = [{} for _ in heard]
    best[last][1, 0] = 0.0
    # After a cut: by speaker and state, the best turn to go on with.
    landing: dict[str, dict[_State, tuple[float, int]]] = {}
    for i in range(last - 1, -1, -1):
        if i + 2 <= last:
            _land(landing.setdefault(heard[i + 2].speaker, {}), heard, best[i + 2], i + 2)
        _extend(i, heard, worth[i], best, following, landing, most)
    _, end, turn = max(
        (found + _opening(heard, i, following[i].get(state, (i, state))[0] == i + 1, most, other_than), state, i)
        for i in range(last + 1)
        for state, found in best[i].items()
        if state[0] >= fewest
    )
    kept = [turn]
    while (turn, end) != (last, (1, 0)):
        turn, end = following[turn][end]
        kept.append(turn)
    return kept


def _land(known: dict[_State, tuple[float, int]], heard: Sequence[Heard], found: dict[_State, float], at: int) -> None:
    """Take note that a cut may end at turn `at`."""
    cost = _UNASKED if heard[at].nods or heard[at - 1].asks or heard[at - 1].proposes else 0.0
    for state, value in found.items():
        if state not in known or value - cost > known[state][0]:
            known[state] = value - cost, at


def _extend(
    i: int,
    heard: Sequence[Heard],
    worth: float,
    best: list[dict[_State, float]],
    following: list[dict[_State, tuple[int, _State]]],
    landing: dict[str, dict[_State, tuple[float, int]]],
    most: int,
) -> None:
    """Fill in what is best from turn `i` on."""
    mine, after = best[i], following[i]
    for state, value in best[i + 1].items():
        if state[0] < most:
            grown = state[0] + 1, state[1]
            mine[grown] = value + worth
            after[grown] = i + 1, state
    room = _ROOM * max(0, most - _TIGHT)
    joining = _JOIN + room
    cost = _CUT + room + (_UNANSWERED if heard[i].asks or heard[i].proposes else 0.0)
    for speaker, known in landing.items():
        joins = speaker == heard[i].speaker
        for state, (value, at) in known.items():
            if state[0] + (not joins) <= most and state[1] < _CUTS:
                grown = state[0] + (not joins), state[1] + 1
                total = value + worth - (joining if joins else cost)
                if grown not in mine or total > mine[grown]:
                    mine[grown] = total
                    after[grown] = at, state


def _opening(heard: Sequence[Heard], i: int, goes_on: bool, most: int, other_than: str | None) -> float:
    """What beginning with turn `i` is worth by itself. `goes_on`: the turn after it stays too."""
    turn = heard[i]
    value = 0.0 if turn.speaker == other_than else _OTHER
    if turn.begins and goes_on:
        return value + (_AFTER_PAUSE if turn.pause else _BEGINNING) * max(1, most - _TIGHT)
    if i and (turn.nods or heard[i - 1].asks or heard[i - 1].proposes):
        return value - _UNASKED
    return value
