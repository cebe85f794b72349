"""Rows of handing out: what was handed out, and what someone who left or could not read had to hand on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Handed:
    """What `assign` did. `people` counts what each newly got; `filled` counts single slots that found someone.

    `unread` counts, by dialect, the candidates that stay with nobody because no pair reads them. `later` went to the end of
    the lists that they lie on, since their label is full.
    """

    people: Mapping[str, int]
    dialogues: int = 0
    filled: int = 0
    unread: Mapping[str, int] = field(default_factory=dict)
    later: int = 0


@dataclass(frozen=True)
class HandedOn:
    """What was handed on: `pairs` dialogues went whole to another pair, `people` single slots to someone.

    `nobody` found no one: they are nobody's until somebody is there to take them.
    """

    pairs: int = 0
    people: int = 0
    nobody: int = 0
