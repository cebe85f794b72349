"""Names that screening keeps in the store with words to them, and the time spent. Light: every screen needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from curation.errors import N_

# Why a dialogue was dropped, where it has a name of its own.
DROP_REASONS: Mapping[str, str] = {"third_party": N_("a third person or a bot speaks")}
# What may be put before the lead; those in HIDING hide the dialogue at once.
RAISED_WORDS: Mapping[str, str] = {
    "minor": N_("a minor may be speaking"),
    "distressing": N_("distressing"),
    "guideline": N_("the guideline is unclear"),
}
HIDING = frozenset({"minor", "distressing"})
OUTCOMES: Mapping[str, str] = {
    "dropped": N_("dropped"),
    "withdrawn": N_("withdrawn"),
    "returned": N_("returned to the pair"),
    "answered": N_("answered"),
}
# Why an assigned dialogue does not lie on its person's desk.
ASIDE_WORDS: Mapping[str, str] = {
    "minor": N_("hidden: a minor may be speaking; the lead sees to it"),
    "distressing": N_("hidden as distressing; the lead sees to it"),
    "dropped": N_("dropped by the lead"),
    "withdrawn": N_("withdrawn by the lead"),
    "rejected": N_("no longer a candidate by the rules"),
    "handed_back": N_("handed back by you"),
}


@dataclass(frozen=True)
class Spent:
    """Milliseconds that a person spent with a dialogue: `active` between keys, `idle` in pauses too long for reading."""

    active: int = 0
    idle: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.active + other.active, self.idle + other.idle)
