"""What a project can set, with the defaults the methods ask for."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from curation.errors import N_, UsageError

Script = Literal["simplified", "traditional", "keep"]
CHOICES: dict[str, tuple[str, ...]] = {
    "lang": ("zh", "en"),
    "turn_unit": ("turn", "message"),
    "script": ("simplified", "traditional", "keep"),
    "screening_mode": ("independent", "review", "relabel"),
    "prompt_stage": ("approved", "agreed"),
    "expert_order": ("direct_first", "cot_first"),
    "scoring_mode": ("separate", "sheet"),
}


@dataclass(frozen=True)
class Settings:
    """The settings of a project. Limits count turns unless `turn_unit` says messages; 0 means no limit.

    `min_turns` is SI-Bench's six. `near_duplicate` is the similarity, 0 to 1, from which two dialogues count as the same.
    `rules_off` are the rules of `curation.normalise.RULES` that this project does without; they are kept in order.

    Screening: `screening_mode` independent hides A's answer from B; review shows it once B has stated an own one; relabel
    hands every candidate to both anew. `show_agreement`: annotators see agreement figures. `training_pass` is the share of
    gold items right, 0 to 1, that ends a training round.
    Quality: `edit_limit` is the share of a message, 0 to 1, beyond which a rewriting needs a second person; `sign_off`
    asks for a second person on every review of identifiers; `scan_seconds` is how long one dialogue may be searched for
    them before it counts as not scanned (0: no limit).
    Prompts and replies: `prompt_stage` agreed lets masked text of agreed dialogues into prompts; `reply_limit` counts the
    characters a reader sees; `expert_order` says which reply the expert writes first, `expert_days` that the two are
    written on different days.
    Scoring: `scoring_mode` separate scores both replies before the process is shown, sheet shows all at once (the
    paper's); `guess` asks which reply was CoT.
    """

    lang: Literal["zh", "en"] = "zh"
    turn_unit: Literal["turn", "message"] = "turn"
    min_turns: int = 6
    max_turns: int = 0
    max_characters: int = 0
    near_duplicate: float = 0.69
    script: Script = "simplified"
    mask: bool = True
    rules_off: tuple[str, ...] = ()
    screening_mode: Literal["independent", "review", "relabel"] = "independent"
    show_agreement: bool = False
    training_pass: float = 0.8
    edit_limit: float = 0.3
    sign_off: bool = False
    scan_seconds: float = 20.0
    prompt_stage: Literal["approved", "agreed"] = "approved"
    reply_limit: int = 15
    expert_order: Literal["direct_first", "cot_first"] = "direct_first"
    expert_days: bool = False
    scoring_mode: Literal["separate", "sheet"] = "separate"
    guess: bool = False

    def __post_init__(self) -> None:
        if self.rules_off:
            object.__setattr__(self, "rules_off", _known_rules(self.rules_off))
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise UsageError(N_("{name} must be one of {allowed}"), name=name, allowed=", ".join(allowed))
        if self.min_turns < 1 or self.max_turns < 0 or self.max_characters < 0:
            raise UsageError(N_("limits are whole numbers, at least one turn; 0 means no upper limit"))
        if self.max_turns and self.max_turns < self.min_turns:
            raise UsageError(N_("the most turns must not be fewer than the fewest"))
        if not 0 < self.near_duplicate <= 1:
            raise UsageError(N_("the near-duplicate similarity lies above 0 and up to 1"))
        for name in ("training_pass", "edit_limit"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(N_("{name} is a share, 0 to 1"), name=name)
        if not 0 <= self.scan_seconds < float("inf"):  # NaN neither
            raise UsageError(N_("{name} is a number of seconds; 0 means no limit"), name="scan_seconds")
        if self.reply_limit < 1:
            raise UsageError(N_("a reply has room for one character at least"))

    def as_dict(self) -> dict[str, Any]:
        """Plain values by name, for storage."""
        return {**dataclasses.asdict(self), "rules_off": list(self.rules_off)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Settings:
        """Settings from stored values; names this version does not know are left out."""
        known = {f.name for f in dataclasses.fields(cls)}
        kept = {k: v for k, v in values.items() if k in known}
        return cls(**{**kept, "rules_off": tuple(kept.get("rules_off", ()))})


def _known_rules(names: tuple[str, ...]) -> tuple[str, ...]:
    """These rules of normalisation, each once, in the order in which they are listed."""
    from curation.normalise import RULES  # which itself needs the scripts named above

    unknown = sorted(set(names) - set(RULES))
    if unknown:
        raise UsageError(N_("there is no rule {rule}; the rules are {known}"), rule=unknown[0], known=", ".join(RULES))
    return tuple(rule for rule in RULES if rule in names)
