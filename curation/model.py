"""The nouns of the trade: message, turn, dialogue. Frozen, plain, and free of any storage or display."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Party(StrEnum):
    """Whose message it is: ours, the other party's, or not known."""

    SELF = "self"
    OTHER = "other"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Message:
    """One line sent. `text` is byte for byte what the file held; `speaker` is the label the file used.

    `time` is kept as written where the source is wall-clock time, ISO 8601 otherwise.
    """

    speaker: str
    text: str
    time: str | None = None

    @property
    def blank(self) -> bool:
        """Nothing a reader can see: white space, zero-width and other invisible characters alone."""
        text = self.text.strip()
        if not text or text[0].isalnum():
            return not text
        return all(c.isspace() or unicodedata.category(c) in ("Cf", "Cc", "Mn") for c in text)


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A dialogue as a reader gives it: messages in order, and what else the record said.

    `external_id` is the record's own id as a string. `self_speaker` is the label that is our side, or None when nobody
    said which one is. `metadata` holds every other key of the record; labels in it are never decisions.
    """

    external_id: str
    messages: tuple[Message, ...]
    self_speaker: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def party(self, message: Message) -> Party:
        """Which side sent `message`."""
        if self.self_speaker is None:
            return Party.UNKNOWN
        return Party.SELF if message.speaker == self.self_speaker else Party.OTHER

    def turned(self) -> Dialogue:
        """The same dialogue with its two sides the other way round; itself where there are no two known sides."""
        speakers = self.speakers
        if len(speakers) != 2 or self.self_speaker not in speakers:
            return self
        other = next(name for name in speakers if name != self.self_speaker)
        return Dialogue(self.external_id, self.messages, other, self.metadata)

    @property
    def speakers(self) -> tuple[str, ...]:
        """The labels of those who said something visible, in order of appearance."""
        return tuple(dict.fromkeys(m.speaker for m in self.messages if not m.blank))

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns, in order (see `turns_of`)."""
        return turns_of(self.messages)


@dataclass(frozen=True, slots=True)
class Turn:
    """A maximal run of consecutive messages by one speaker. `number` counts from 1; `messages` are indices from 0."""

    number: int
    speaker: str
    messages: tuple[int, ...]


def turns_of(messages: Sequence[Message], keep: Sequence[int] | None = None) -> tuple[Turn, ...]:
    """Group messages into turns. Blank messages belong to the turn around them and make none of their own.

    `keep`, where given, are the indices of the messages that count (after trimming); the indices in the result are
    always those of `messages`.
    """
    runs: list[tuple[str, list[int]]] = []
    waiting: list[int] = []
    for index in range(len(messages)) if keep is None else keep:
        message = messages[index]
        if message.blank:
            (runs[-1][1] if runs else waiting).append(index)
        elif runs and runs[-1][0] == message.speaker:
            runs[-1][1].append(index)
        else:
            runs.append((message.speaker, [*waiting, index]))
            waiting = []
    return tuple(Turn(n, speaker, tuple(indices)) for n, (speaker, indices) in enumerate(runs, 1))


# Labels that say by themselves which side is ours. Anything else needs `--self NAME`.
SELF_LABELS = frozenset({"用户", "self", "我", "我方", "自己", "me"})
OTHER_LABELS = frozenset({"对方", "other", "他", "她", "对象", "them"})


def guess_self(speakers: Sequence[str]) -> str | None:
    """The label that is our side when the labels themselves say so, else None. Never guesses from order."""
    ours = [s for s in speakers if s.casefold() in SELF_LABELS]
    if len(ours) == 1:
        return ours[0]
    if not ours and len(speakers) == 2:
        rest = [s for s in speakers if s.casefold() not in OTHER_LABELS]
        if len(rest) == 1:
            return rest[0]
    return None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A record that could not be read. `line` counts from 1 (0 where the source has no lines); `raw` is the record's
    own bytes as far as they were kept, for the reject file.

    `reason` is the English sentence; `template` and `params` are what it was made of, for saying it in another language
    (`template` is empty where there is no more than the sentence). Parameters may hold text from the file.
    """

    file: str
    line: int
    code: str
    reason: str
    raw: str = ""
    template: str = ""
    params: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class ReadWarning:
    """Something odd that was kept as it is: a control character, an empty message, an encoding other than UTF-8.

    The fields are those of a Refusal.
    """

    file: str
    line: int
    code: str
    reason: str
    template: str = ""
    params: Mapping[str, object] = field(default_factory=dict, hash=False)


Reading = Dialogue | Refusal | ReadWarning
