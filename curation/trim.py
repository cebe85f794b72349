"""Trimming: an overlong dialogue loses its head, never its last turn, and never falls under the fewest turns.

A trim is `first_turn`, the turn it now begins with, and `removed`, turns taken out of the middle; turns are
numbered from 1 in the untrimmed dialogue. The proposal made here is deliberately plain: it keeps the end of
the dialogue, where the situation is posed, and looks for a sensible place to begin; it takes nothing out of
the middle. A person decides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from curation.errors import N_, RefusedStep, UsageError
from curation.model import Message, Turn, turns_of

TRIM_VERSION = "trim-1"

PROBLEMS: dict[str, str] = {
    "too_few_turns": N_("fewer turns would be left than the project asks for"),
    "last_turn_cut": N_("a part of the last turn would be lost"),
    "ends_with_self": N_("the last message left would be our own"),
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed trim. `kept_turns` and `removed_turns` number the turns of the untrimmed dialogue from 1.

    `removed_turns` are those taken out after `first_turn`; the turns before it are gone without being listed.
    `turns_after` counts the turns as a reader will see them (neighbours of one speaker are one).
    """

    first_turn: int
    removed_turns: tuple[int, ...]
    kept_turns: tuple[int, ...]
    turns_before: int
    turns_after: int
    last_turn_whole: bool

    @property
    def changes(self) -> bool:
        """Something is taken out."""
        return len(self.kept_turns) < self.turns_before


_GREETING = re.compile(
    r"\s*(?:你好|您好|哈喽|哈啰|哈罗|嗨|嘿|在吗|在不在|在么|早(?:上好|安|啊|呀)?(?:$|\W)|晚上好|中午好|下午好|好久不见|hi\b|hello\b|hey\b)",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"[?？]\s*$|[吗么呢]\s*[~～。.!！]*\s*$|什么|怎么|为什么|为啥|干嘛|干啥|哪里|哪儿|多大|几点|是不是|有没有|要不要"
)
# Says little without what came before it: a sticker, a laugh, a nod.
_REACTION = re.compile(r"\s*(?:\[[^\[\]]*\]|[哈呵嘿嗯哦噢喔额呃啊对好是行]|[^\w\s])*\s*")
_PAUSE = timedelta(hours=4)


def _instant(time: str | None) -> datetime | None:
    try:
        found = datetime.fromisoformat(time) if time else None
    except ValueError:
        return None
    # Differences alone matter; naive and aware times must not meet.
    return found.replace(tzinfo=None) if found else None


def _opening(messages: Sequence[Message], before: Turn, turn: Turn) -> int:
    """How well `turn` would open: 4 after a long pause, 3 greets, 2 asks, 1 else, 0 only reacts."""
    then, now = _instant(messages[before.messages[-1]].time), _instant(messages[turn.messages[0]].time)
    if then and now and now - then >= _PAUSE:
        return 4
    texts = [messages[i].text for i in turn.messages]
    if any(_GREETING.match(t) for t in texts):
        return 3
    if any(_QUESTION.search(t) for t in texts):
        return 2
    return 0 if all(_REACTION.fullmatch(t) for t in texts) else 1


def propose(messages: Sequence[Message], *, self_speaker: str | None, max_turns: int, min_turns: int = 6) -> Proposal:
    """Propose how to bring `messages` down to `max_turns` turns (0: no limit, nothing is taken out).

    The new first turn is one that opens well, as early as may be; at least `min_turns` turns and half of
    what is allowed stay. Among equals a turn of `self_speaker` gives way to one of the other party's.
    Raises UsageError when `max_turns` is under `min_turns`.
    """
    if max_turns and max_turns < min_turns:
        raise UsageError(N_("the most turns must not be fewer than the fewest"))
    turns = turns_of(messages)
    count = len(turns)
    first = 1
    if max_turns and count > max_turns:
        earliest = count - max_turns + 1
        latest = count - max(min_turns, (max_turns + 1) // 2) + 1
        span = max(1, latest - earliest)

        def worth(number: int) -> tuple[float, bool, int]:
            turn = turns[number - 1]
            good = _opening(messages, turns[number - 2], turn)
            return good - 2 * (number - earliest) / span, turn.speaker != self_speaker, -number

        first = max(range(earliest, latest + 1), key=worth)
    kept = tuple(range(first, count + 1))
    return Proposal(first, (), kept, count, len(kept), True)


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
    length = len(visible) if unit == "message" else len(turns_of(messages, indices))
    found = []
    if length < min_turns:
        found.append("too_few_turns")
    turns = turns_of(messages)
    if turns and not {i for i in turns[-1].messages if not messages[i].blank} <= set(indices):
        found.append("last_turn_cut")
    if self_speaker is not None and visible and messages[visible[-1]].speaker == self_speaker:
        found.append("ends_with_self")
    return found
