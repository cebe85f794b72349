"""What a trim keeps, and what is wrong with it: the rules that hold for a proposal and for a person alike."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from curation.errors import N_, RefusedStep
from curation.model import Message, turns_of

PROBLEMS: dict[str, str] = {
    "too_few_turns": N_("fewer turns would be left than the project asks for"),
    "last_turn_cut": N_("a part of the last turn would be lost"),
    "ends_with_self": N_("the last message left would be our own"),
}


def kept_messages(messages: Sequence[Message], first_turn: int, removed: Collection[int] = ()) -> tuple[int, ...]:
    """The indices of the messages that stay when the dialogue begins with `first_turn` and loses the turns
    `removed`.

    Turns count from 1 in `messages`. Raises RefusedStep for a turn that is not there, or when the last one
    would go.
    """
    turns = turns_of(messages)
    last = len(turns)
    for number in (first_turn, *sorted(removed)):
        if not 1 <= number <= last:
            raise RefusedStep(
                N_("there is no turn {number}; the dialogue has {count}"),
                "unknown_turn",
                number=number,
                count=last,
            )
    if last in removed:
        raise RefusedStep(N_("the last turn is never cut"), "last_turn_cut")
    gone = set(removed)
    return tuple(i for t in turns if t.number >= first_turn and t.number not in gone for i in t.messages)


def problems(
    messages: Sequence[Message],
    kept: Collection[int],
    min_turns: int,
    *,
    self_speaker: str | None = None,
    unit: Literal["turn", "message"] = "turn",
) -> list[str]:
    """The codes of what is wrong with keeping the messages `kept` (indices), in the order of `PROBLEMS`; []
    if nothing.

    `min_turns` counts turns, or visible messages when `unit` says so. Who ends is only looked at when
    `self_speaker` is given.
    """
    indices = sorted(kept)
    visible = [i for i in indices if not messages[i].blank]
    length = counted(messages, indices, unit)
    found = []
    if length < min_turns:
        found.append("too_few_turns")
    turns = turns_of(messages)
    if turns and not {i for i in turns[-1].messages if not messages[i].blank} <= set(indices):
        found.append("last_turn_cut")
    if self_speaker is not None and visible and messages[visible[-1]].speaker == self_speaker:
        found.append("ends_with_self")
    return found


def counted(messages: Sequence[Message], kept: Collection[int], unit: Literal["turn", "message"] = "turn") -> int:
    """How long what is kept is for a reader: turns, those that a cut joined counting as one, or visible messages."""
    indices = sorted(kept)
    if unit == "message":
        return sum(not messages[i].blank for i in indices)
    return len(turns_of(messages, indices))
