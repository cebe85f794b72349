"""What a single turn says of itself: a greeting, a question, a request, a nod, the matters it names.

The word lists stand in `data/trim_cues.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files

from curation.model import Message, Turn

_GREETING = re.compile(
    r"\s*(?:你好|您好|哈喽|哈啰|哈罗|嗨|嘿|在吗|在不在|在么|在$|早(?:上好|安|美女)?(?:[啊呀哇]|$|\W)|[上中下]午好|晚上好|好久不见|人呢"
    r"|(?:你?在)?干嘛呢?啊?\s*$|起来[了没]|[?？]+\s*$|hi\b|hello\b|hey\b)",
    re.IGNORECASE,
)
_FAREWELL = re.compile("晚安|拜拜|再聊|早点休息|好梦|睡吧|早点睡")
_QUESTION = re.compile(
    r"[?？]|[吗么呢不没]\s*[~～。.!！]*\s*$|什么|怎么|为啥|干嘛|干啥|哪里|哪儿|多大|几点|是不是|有没有|要不要|咋|啥|谁"
)
_POINTER = re.compile("[他她它这那又]|还是")
# Says little by itself: a sticker, a laugh, a nod.
_NOD = re.compile(r"(?:\[[^\[\]]*\]|[哈呵嘿嗯哦噢喔额呃啊对好是行奥]|好的|好吧|没有|[^\w])*")
_PAUSE = timedelta(hours=4)


@dataclass(frozen=True, slots=True)
class Cues:
    """The word lists. `by_first` holds, under its first character, each cue and what it stands for."""

    by_first: dict[str, tuple[tuple[str, str], ...]]
    empty: frozenset[str]
    light: frozenset[str]

    def heard(self, text: str) -> set[str]:
        """The names of the cues found in `text`."""
        found = set()
        for at, first in enumerate(text):
            for cue, name in self.by_first.get(first, ()):
                if name not in found and text.startswith(cue, at):
                    found.add(name)
        return found


@cache
def cues() -> Cues:
    """The word lists of `data/trim_cues.toml`."""
    raw = tomllib.loads(files("curation").joinpath("data/trim_cues.toml").read_text("utf-8"))
    by_first: dict[str, list[tuple[str, str]]] = {}
    for name, listed in (*raw["matters"].items(), *raw["acts"].items()):
        for cue in listed.split():
            by_first.setdefault(cue[0], []).append((cue, name))
    lists = raw["words"]
    return Cues(
        {first: tuple(found) for first, found in by_first.items()},
        frozenset(lists["empty"].split()),
        frozenset(lists["light"].split()),
    )


@dataclass(frozen=True, slots=True)
class Heard:
    """What was heard in one turn. `points`: with a pronoun; `pause`: it came long after the turn before."""

    speaker: str
    text: str
    matters: frozenset[str]
    proposes: bool
    refuses: bool
    asks: bool
    points: bool
    nods: bool
    greets: bool
    parts: bool
    pause: bool

    @property
    def length(self) -> int:
        """The characters of the turn."""
        return len(self.text)

    @property
    def begins(self) -> bool:
        """A new conversation begins here."""
        return self.greets or self.pause


def listen(messages: Sequence[Message], turns: Iterable[Turn]) -> list[Heard]:
    """What is heard in each of `turns`, in order. The first counts as coming after no pause."""
    found = []
    known = cues()
    last: Turn | None = None
    for turn in turns:
        texts = [messages[i].text.strip() for i in turn.messages]
        text = " ".join(texts)
        heard = known.heard(text)
        found.append(
            Heard(
                speaker=turn.speaker,
                text=text,
                matters=frozenset(heard - {"proposal", "refusal"}),
                proposes="proposal" in heard,
                refuses="refusal" in heard or text.startswith("不"),
                asks=_QUESTION.search(text) is not None,
                points=_POINTER.search(text) is not None,
                nods=_NOD.fullmatch(text) is not None,
                greets=any(_GREETING.match(one) for one in texts),
                parts=_FAREWELL.search(text) is not None,
                pause=last is not None and _paused(messages[last.messages[-1]], messages[turn.messages[0]]),
            )
        )
        last = turn
    return found


def _paused(before: Message, after: Message) -> bool:
    if not (before.time and after.time):
        return False
    then, now = _instant(before.time), _instant(after.time)
    return then is not None and now is not None and now - then >= _PAUSE


def _instant(time: str) -> datetime | None:
    try:
        # Differences alone matter; naive and aware times must not meet.
        return datetime.fromisoformat(time).replace(tzinfo=None)
    except ValueError:
        return None
