"""The tables of actions, one a screen, in the order in which help lists them."""

from __future__ import annotations

from screens.keytables import (
    agreement,
    coverage,
    dispute,
    everywhere,
    expert,
    home,
    inbox,
    live,
    quality,
    raised,
    review,
    rounds,
    scoring,
    screening,
    search,
    text,
)
from screens.keytables.action import EVERYWHERE, Action

TABLES: dict[str, tuple[Action, ...]] = {
    EVERYWHERE: everywhere.ACTIONS,
    "home": home.ACTIONS,
    "screening": screening.ACTIONS,
    "dispute": dispute.ACTIONS,
    "raised": raised.ACTIONS,
    "scoring": scoring.ACTIONS,
    "expert": expert.ACTIONS,
    "live": live.ACTIONS,
    "review": review.ACTIONS,
    "text": text.ACTIONS,
    "quality": quality.ACTIONS,
    "qualitylist": quality.LIST_ACTIONS,
    "search": search.ACTIONS,
    "agreement": agreement.ACTIONS,
    "inbox": inbox.ACTIONS,
    "round": rounds.ACTIONS,
    "coverage": coverage.ACTIONS,
}
