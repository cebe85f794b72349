"""The state machine of a dialogue: which stage it is in, given what was decided about it.

A stage is never set; it follows from facts, in one place, so that screens, counts and the export cannot disagree.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from curation.errors import N_


class Stage(StrEnum):
    """The stages of a dialogue's life, in order."""

    IMPORTED = "imported"
    REJECTED = "rejected"
    CANDIDATE = "candidate"
    DISPUTED = "disputed"
    DROPPED = "dropped"
    AGREED = "agreed"
    APPROVED = "approved"
    RELEASED = "released"
    WITHDRAWN = "withdrawn"


STAGE_WORDS: dict[Stage, str] = {
    Stage.IMPORTED: N_("imported"),
    Stage.REJECTED: N_("rejected"),
    Stage.CANDIDATE: N_("candidate"),
    Stage.DISPUTED: N_("disputed"),
    Stage.DROPPED: N_("dropped"),
    Stage.AGREED: N_("agreed"),
    Stage.APPROVED: N_("approved"),
    Stage.RELEASED: N_("released"),
    Stage.WITHDRAWN: N_("withdrawn"),
}


class Verdict(NamedTuple):
    """One person's answer on a dialogue: keep it or not, and the situation it shows."""

    keep: bool
    situation: str | None = None

    def agrees(self, other: Verdict) -> bool:
        """Complete agreement: the same on keeping and, where both keep, the same situation."""
        return self.keep == other.keep and (not self.keep or self.situation == other.situation)


class Facts(NamedTuple):
    """What is known of a dialogue.

    `eligible` is None before the candidate rules ran; `first` and `second` are the answers of A and of B that count now
    (the open re-decision where there is one); `ruling` is the lead's. `sent_back`: quality control found that the
    situation no longer holds, and neither a ruling nor answers of both came after that; what was decided before, and the
    approval of it, count no more. `put_aside`: the lead dropped it for what someone raised about it, whatever was decided.
    """

    eligible: bool | None = None
    first: Verdict | None = None
    second: Verdict | None = None
    ruling: Verdict | None = None
    approved: bool = False
    released: bool = False
    withdrawn: bool = False
    sent_back: bool = False
    put_aside: bool = False

    @property
    def both_committed(self) -> bool:
        """A and B have both answered: the blind is over."""
        return self.first is not None and self.second is not None


def stage_of(facts: Facts) -> Stage:
    """The stage that `facts` amount to."""
    if facts.withdrawn:
        return Stage.WITHDRAWN
    if facts.eligible is None:
        return Stage.IMPORTED
    if facts.put_aside:
        return Stage.DROPPED
    outcome = outcome_of(facts)
    if outcome is not None and outcome.keep:
        if facts.approved:
            return Stage.RELEASED if facts.released else Stage.APPROVED
        return Stage.AGREED
    if outcome is not None:
        return Stage.DROPPED
    if facts.both_committed or facts.sent_back:
        return Stage.DISPUTED
    return Stage.CANDIDATE if facts.eligible else Stage.REJECTED


def outcome_of(facts: Facts) -> Verdict | None:
    """What screening came to: the ruling, else what A and B agree on completely, else None."""
    if facts.sent_back:
        return None
    if facts.ruling is not None:
        return facts.ruling
    if facts.first is not None and facts.second is not None and facts.first.agrees(facts.second):
        return facts.first
    return None
