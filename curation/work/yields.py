"""What screening brought: counts by pair, person and situation, and what was dropped and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PairYield:
    """One pair: dialogues that both answered, and what became of them as they stand now.

    `agreed` were agreed on blind; `settled` only after deciding anew or by a ruling; `dropped` were dropped, however it
    came; `disputed` are still open.
    """

    pair: str
    answered: int
    agreed: int
    settled: int
    dropped: int
    disputed: int


@dataclass(frozen=True)
class PersonYield:
    """One person's blind answers: how many, how many kept, and of those that the other answered too, with how many agreed."""

    person: str
    answered: int
    kept: int
    both: int
    agreed: int
    median_seconds: float | None


@dataclass(frozen=True)
class SituationYield:
    """One situation: dialogues for which either said it blind, for which both did, and which stand agreed on with it."""

    situation: str
    either: int
    both: int
    standing: int

    @property
    def retention(self) -> float | None:
        """The share of what either saw as this situation that stands with it."""
        return self.standing / self.either if self.either else None


@dataclass(frozen=True)
class Yield:
    """The whole. `dropped` counts by why; `reasons` counts the codes that people gave with a drop."""

    pairs: tuple[PairYield, ...]
    people: tuple[PersonYield, ...]
    situations: tuple[SituationYield, ...]
    dropped: Mapping[str, int]
    reasons: Mapping[str, int]
    rejected: Mapping[str, int] = field(default_factory=dict)
