"""How likely it is that the last turn of a dialogue cannot be understood without an earlier one, and why.

A weighted sum of a few plain features for each turn, read as a probability. The weights were fitted on
dialogues labelled by reading and rounded; the features are what a reader of such chats goes by: what stands
close to the end, what names the same matter or the same rare word (a name is one), the request that is being
answered, what a pronoun or a bare word at the end leans on, and that nods, laughter and what came before the
last greeting or a long pause are hardly ever missed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from curation.trim.cues import Heard
from curation.trim.words import words

# Turns this far from the end and farther are hardly ever referred to.
_REACH = 12
# The end: the last turn and the four before it, whose words are looked for farther back.
_END = 5
_BIAS = -5.4
_CLOSE, _CLOSEST, _FAR, _BEYOND = 2.5, 5.9, -0.47, -0.75
_MATTER, _MATTER_BEFORE = 1.4, 1.1
_WORD, _WORD_BEFORE = 2.1, 0.8
_REQUEST, _REQUEST_ANSWERED, _COUNTER_REQUEST, _REFUSAL = 1.9, 0.9, 2.5, 1.2
_LEANING, _POINTING = 1.2, 0.5
_NOD, _SHORT, _LENGTH, _ADDRESSED = -0.7, -0.63, 0.37, 0.12
_TELLING = 0.7
_BEFORE_PAUSE = -1.0  # a guess: the labelled dialogues have no times


@dataclass(frozen=True, slots=True)
class Weighed:
    """`score`: the probability, 0 to 1. `worth`: what leaving the turn out would cost. `reason`: a code of `REASONS`."""

    score: float
    worth: float
    reason: str


def weigh(heard: Sequence[Heard]) -> list[Weighed]:
    """Weigh each turn but the last, in order. With fewer than two turns there is nothing to weigh."""
    last = len(heard) - 1
    near_end = range(last, max(-1, last - _END), -1)
    matters, matters_before = _matters(heard)
    end_words, end_words_before = _end_words([words(heard[i].text) for i in near_end])
    leaning = _leaning(heard)
    seen: set[str] = set()
    begun = paused = False
    result = []
    for i in range(last - 1, -1, -1):
        turn, distance = heard[i], last - i
        within = distance <= _REACH
        parts = {"close": _CLOSEST / distance + _CLOSE * math.exp(-distance / 4)}
        if 1 < distance <= _END:
            parts["close"] += leaning
        if distance > 1:
            shared = min(2, len(turn.matters & matters)) * (1.0 if within else 0.5)
            before = min(2, len(turn.matters & matters_before)) if distance > 3 and within else 0
            parts["matter"] = _MATTER * shared + _MATTER_BEFORE * before
        if distance >= _END and (end_words or end_words_before):
            own = {w for w in end_words.keys() | end_words_before.keys() if w not in seen and w in turn.text}
            seen |= own
            parts["word"] = _WORD * max((end_words.get(w, 0.0) for w in own), default=0.0)
            parts["word"] += _WORD_BEFORE * max((end_words_before.get(w, 0.0) for w in own), default=0.0)
        parts |= _acts(heard, i, begun=begun)
        rest = _BIAS + _FAR * min(distance, 20) / 10 + (0.0 if within else _BEYOND)
        rest += _NOD * turn.nods + _SHORT * (turn.length <= 2) + _LENGTH * math.log1p(turn.length)
        rest += _ADDRESSED * (turn.speaker != heard[last].speaker)
        rest += _BEFORE_PAUSE * paused
        paused = paused or turn.pause
        begun = begun or (distance > 1 and (turn.begins or turn.parts))
        total = sum(parts.values()) + rest
        result.append(Weighed(1 / (1 + math.exp(-total)), math.log1p(math.exp(total)), _reason(parts, distance)))
    return result[::-1]


def _leaning(heard: Sequence[Heard]) -> float:
    """What the turns just before the end gain when the end cannot stand without them: when what the last turn
    answers is a word or two, and when the last turn points back with a pronoun."""
    if len(heard) < 2:
        return 0.0
    return _LEANING * (heard[-2].length <= 5) + _POINTING * heard[-1].points


def _matters(heard: Sequence[Heard]) -> tuple[frozenset[str], frozenset[str]]:
    """The matters of the last two turns, and those that only the two before them name."""
    last = frozenset().union(*(h.matters for h in heard[-2:]))
    return last, frozenset().union(*(h.matters for h in heard[-4:-2])) - last


def _end_words(found: Sequence[dict[str, float]]) -> tuple[dict[str, float], dict[str, float]]:
    """The words of the last two turns, and those that only the turns of the end before them have."""
    late: dict[str, float] = {}
    early: dict[str, float] = {}
    for place, some in enumerate(found):
        (late if place < 2 else early).update(some)
    return late, {w: weight for w, weight in early.items() if w not in late}


def _acts(heard: Sequence[Heard], i: int, *, begun: bool) -> dict[str, float]:
    """What requests and refusals weigh. `begun`: a new conversation began after turn `i`."""
    last = len(heard) - 1
    turn, addressed = heard[i], heard[i].speaker != heard[last].speaker
    found = {"request": 0.0, "refusal": 0.0}
    if turn.proposes and addressed and not begun and last - i <= _REACH:
        others = (heard[j] for j in range(max(0, i - 6), i))
        if not any(h.proposes and h.speaker == turn.speaker for h in others):
            found["request"] += _REQUEST
        if heard[i + 1].refuses or heard[i + 1].asks:
            found["request"] += _REQUEST_ANSWERED
    elif turn.proposes and not addressed and last - i <= 7:
        found["request"] += _COUNTER_REQUEST
    if turn.refuses and not addressed and i and heard[i - 1].proposes:
        found["refusal"] += _REFUSAL
    return found


def _reason(parts: dict[str, float], distance: int) -> str:
    """The feature that tells most of the turn; that it is close, or stands between others, when none does."""
    if distance == 1:
        return "answered"
    told = {name: value for name, value in parts.items() if name != "close"}
    name = max(told, key=lambda n: told[n])
    if told[name] >= _TELLING:
        return name
    return "close" if distance <= _END else "between"
