"""Keys of the overview."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import GET_ABOUT, Action

ACTIONS: tuple[Action, ...] = (
    Action("work", "home", ("enter", "s"), N_("Screen dialogues"), GET_ABOUT, "work", N_("screen")),
    Action("person", "home", ("w",), N_("Say who is working"), GET_ABOUT, "person", N_("who")),
    Action("refresh", "home", ("r",), N_("Count again"), GET_ABOUT, "refresh_counts", N_("count again")),
    Action("recent", "home", ("o",), N_("Open another project"), GET_ABOUT, "recent", N_("open")),
    Action("text", "home", ("t",), N_("Look over the texts: edits and dialects"), GET_ABOUT, "text", N_("texts")),
    Action("search", "home", ("slash",), N_("Search the dialogues"), GET_ABOUT, "search", N_("search")),
)  # fmt: skip
