"""The tables of actions, one a screen, in the order in which help lists them."""

from __future__ import annotations

from screens.keytables import agreement, everywhere, expert, home, quality, review, scoring, screening, search, text
from screens.keytables.action import EVERYWHERE, Action

TABLES: dict[str, tuple[Action, ...]] = {
    EVERYWHERE: everywhere.ACTIONS,
    "home": home.ACTIONS,
    "screening": screening.ACTIONS,
    "scoring": scoring.ACTIONS,
    "expert": expert.ACTIONS,
    "review": review.ACTIONS,
    "text": text.ACTIONS,
    "quality": quality.ACTIONS,
    "qualitylist": quality.LIST_ACTIONS,
    "search": search.ACTIONS,
    "agreement": agreement.ACTIONS,
}
