"""How the text of a dialogue came to be what it is: every change with who, when and why, those taken back among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a message. `layer` is scrubbed, normalised or edited; `rule` says why (a type of identifier, a rule, a
    reason for rewriting).

    `stands` is "" or says why it does not: `edit`, `rule`, `project` (taken back, its rule off), `misfit` (the text below
    is another one now), `undone`, `rejected` (said to be no identifier). `ended_by` and `ended_at` are who did that, and
    when. `share` and `signed_by` are of rewritings. `ref` names the event.
    """

    layer: str
    before: str
    after: str
    rule: str
    by: str
    at: str
    ref: str
    stands: str = ""
    ended_by: str = ""
    ended_at: str = ""
    share: float = 0.0
    signed_by: str = ""


@dataclass(frozen=True, slots=True)
class MessageStory:
    """A message from its raw text to how it reads now; `kept` after trimming."""

    index: int
    turn: int
    speaker: str
    raw: str
    now: str
    kept: bool
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class CutStory:
    """A trim that was decided: turns before and after, and for turns that stay a reason and a score where a proposal gave
    them. `stands`: it counts now; an earlier one gave way to it, or was taken back by `ended_by`."""

    first_turn: int
    removed: tuple[int, ...]
    before: int
    after: int
    by: str
    at: str
    ref: str
    proposed: bool
    stands: bool
    ended_by: str = ""
    ended_at: str = ""
    why: Mapping[int, tuple[str, float]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Approval:
    """An approval, or a sending back with its note; `stands` says whether it counts now."""

    kind: str
    by: str
    at: str
    ref: str
    stands: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """The whole of it. Empty for a dialogue whose originals were destroyed."""

    cuts: tuple[CutStory, ...] = ()
    messages: tuple[MessageStory, ...] = ()
    approvals: tuple[Approval, ...] = ()
