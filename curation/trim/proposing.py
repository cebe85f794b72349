"""Proposing a trim: where an overlong dialogue could begin, and what it could leave out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from curation.errors import N_, UsageError
from curation.model import Message, turns_of
from curation.trim.choosing import choose
from curation.trim.cues import listen
from curation.trim.weighing import weigh

TRIM_VERSION = "trim-2"

REASONS: dict[str, str] = {
    "whole": N_("nothing has to go"),
    "last": N_("the last turn is never cut"),
    "answered": N_("the last turn answers it"),
    "close": N_("it stands close to the end"),
    "matter": N_("it speaks of what the end speaks of"),
    "word": N_("it has a word that the end takes up"),
    "request": N_("it asks for what the end is about"),
    "refusal": N_("it is how that was first taken"),
    "opening": N_("a conversation begins here"),
    "between": N_("it keeps what stays together"),
}

# Choosing looks at this many turns; when more may stay than `_CHOSEN`, the others are the last ones in a row.
_CHOSEN = 32
_WINDOW = 64


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed trim. `kept_turns` and `removed_turns` number the turns of the untrimmed dialogue from 1.

    `removed_turns` are those taken out after `first_turn`; the turns before it are gone without being listed.
    `turns_after` counts the turns as a reader will see them (neighbours of one speaker are one). For each kept
    turn `reasons` has a code of `REASONS`, and `scores` how likely it is, from 0 to 1, that the last turn
    cannot be understood without it.
    """

    first_turn: int
    removed_turns: tuple[int, ...]
    kept_turns: tuple[int, ...]
    turns_before: int
    turns_after: int
    last_turn_whole: bool
    reasons: Mapping[int, str] = field(default_factory=dict, hash=False)
    scores: Mapping[int, float] = field(default_factory=dict, hash=False)

    @property
    def changes(self) -> bool:
        """Something is taken out."""
        return len(self.kept_turns) < self.turns_before


def propose(messages: Sequence[Message], *, self_speaker: str | None, max_turns: int, min_turns: int = 6) -> Proposal:
    """Propose how to bring `messages` down to `max_turns` turns (0: no limit, nothing is taken out).

    What the last turn refers to stays, as far as can be told from the words; the turns that stay alternate
    between speakers, at least `min_turns` of them, with at most two cuts among them. Among equals the first
    is not by `self_speaker`. The same messages give the same proposal wherever the same word list is
    installed (see `words`). Raises UsageError when `max_turns` is under `min_turns`.
    """
    if max_turns and max_turns < min_turns:
        raise UsageError(N_("the most turns must not be fewer than the fewest"))
    turns = turns_of(messages)
    count = len(turns)
    if not max_turns or count <= max_turns:
        numbers = tuple(range(1, count + 1))
        return Proposal(
            1, (), numbers, count, count, True, dict.fromkeys(numbers, "whole"), dict.fromkeys(numbers, 1.0)
        )
    tail = max(0, max_turns - _CHOSEN)
    start = max(0, count - tail - _WINDOW)
    heard = listen(messages, turns[max(0, start - 1) :])[1 if start else 0 :]
    weighed = weigh(heard)
    scores = [w.score for w in weighed] + [1.0]
    reasons = [w.reason for w in weighed] + ["last"]
    # The turn that the last one answers stays whatever the rest is worth.
    worth = [w.worth for w in weighed[:-1]] + [1000.0, 0.0]
    free = len(heard) - tail
    chosen = choose(
        heard[:free],
        worth[:free],
        most=max_turns - tail,
        fewest=max(1, min_turns - tail),
        other_than=self_speaker,
    )
    chosen += range(free, len(heard))
    if heard[chosen[0]].begins and reasons[chosen[0]] in ("close", "between"):
        reasons[chosen[0]] = "opening"
    kept = tuple(start + i + 1 for i in chosen)
    missing = set(range(kept[0], count + 1)) - set(kept)
    return Proposal(
        kept[0],
        tuple(sorted(missing)),
        kept,
        count,
        1 + sum(turns[a - 1].speaker != turns[b - 1].speaker for a, b in pairwise(kept)),
        True,
        {start + i + 1: reasons[i] for i in chosen},
        {start + i + 1: round(scores[i], 3) for i in chosen},
    )
