"""One person's scores on one item as they stood when it was closed, and what is known of the dialogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from curation.work.scoring import PROCESS

COT, DIRECT = "cot", "direct"
REPLY_COT, REPLY_DIRECT = "reply_cot", "reply_direct"
PAIR = "pair"
PLAN, CALIBRATION, REPEAT = "plan", "calibration", "repeat"
UNDERSTANDING = PROCESS[:3]
STRATEGY = PROCESS[3:]
# Groups of dimensions that are read as one figure: the mean of their scores.
COMPOSITES: Mapping[str, tuple[str, ...]] = {
    "understanding": UNDERSTANDING,
    "strategy_use": STRATEGY,
    "process": PROCESS,
    "reply_both": (REPLY_COT, REPLY_DIRECT),
}


@dataclass(frozen=True)
class Judgement:
    """What `by` gave on the replies of `system` to `dialogue`.

    `mode` is `pair` or an ablation's; `scores` go by dimension (`reply_cot`, `reply_direct`, or `reply` alone). `better` is
    what was said of equal scores, `guess` which reply was taken for the one with a process (cot, direct or ""); `first`
    says which one stood first. `place` counts this person's closings from 1, `seconds` are from the one before (None for
    pauses and for what was brought in); `late` counts scores changed after closing, which do not count. `of` is the
    code of the task that a repeat repeats.
    """

    code: str
    dialogue: str
    system: str
    mode: str
    by: str
    scores: Mapping[str, int]
    better: str = ""
    guess: str = ""
    first: str = ""
    same_text: bool = False
    role: str = PLAN
    of: str = ""
    place: int = 0
    seconds: float | None = None
    late: int = 0

    @property
    def prefers(self) -> str:
        """Which reply this judgement prefers: by score, or where these are equal by what was said; "" for neither."""
        if self.mode != PAIR or self.same_text:
            return ""
        cot, direct = self.scores[REPLY_COT], self.scores[REPLY_DIRECT]
        return self.better if cot == direct else COT if cot > direct else DIRECT

    @property
    def forced(self) -> bool:
        """The scores of the replies are equal: the preference, if there is one, had to be said."""
        return self.mode == PAIR and self.scores[REPLY_COT] == self.scores[REPLY_DIRECT]


@dataclass(frozen=True)
class Setting:
    """What is known of a dialogue that was scored. `speaker` is who the other party is, "" where labels do not tell."""

    uid: str
    external_id: str
    situation: str = ""
    tension: str = ""
    speaker: str = ""


def planned(judgements: Iterable[Judgement], mode: str = PAIR) -> list[Judgement]:
    """Those that figures count: of this mode, no calibration and no repeats."""
    return [one for one in judgements if one.mode == mode and one.role == PLAN]
