"""Keys of the overview."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import GET_ABOUT, Action

ACTIONS: tuple[Action, ...] = (
    Action("work", "home", ("enter", "s"), N_("To the work that waits for you"), GET_ABOUT, "work", N_("work")),
    Action("to_scoring", "home", ("d",), N_("Score replies"), GET_ABOUT, "go('scoring')", N_("score")),
    Action("to_expert", "home", ("x",), N_("The expert desk: write answers by hand"), GET_ABOUT, "go('expert')"),
    Action("to_disputes", "home", ("b",), N_("Disputes: both sides, a second word, rulings"), GET_ABOUT, "go('dispute')",
           N_("disputes")),
    Action("to_raised", "home", ("f",), N_("What was put before the lead"), GET_ABOUT, "go('raised')"),
    Action("person", "home", ("w",), N_("Say who is working"), GET_ABOUT, "person", N_("who")),
    Action("refresh", "home", ("r",), N_("Count again"), GET_ABOUT, "refresh_counts", N_("count again")),
    Action("recent", "home", ("o",), N_("Open another project"), GET_ABOUT, "recent", N_("open")),
    Action("to_review", "home", ("i",), N_("Review identifiers"), GET_ABOUT, "go('review')", N_("identifiers")),
    Action("text", "home", ("t",), N_("Look over the texts: edits and dialects"), GET_ABOUT, "text", N_("texts")),
    Action("quality", "home", ("c",), N_("Quality control: cut, rewrite, approve"), GET_ABOUT, "quality", N_("approve")),
    Action("to_inbox", "home", ("m",), N_("Inbox: what the lead says of your dialogues"), GET_ABOUT, "go('inbox')", N_("inbox")),
    Action("to_agreement", "home", ("a",), N_("Agreement in screening"), GET_ABOUT, "go('agreement')", N_("agreement")),
    Action("to_live", "home", ("l",), N_("Agreement in scoring, live"), GET_ABOUT, "go('live')"),
    Action("to_coverage", "home", ("v",), N_("Replies: what is absent, what is flagged"), GET_ABOUT, "go('coverage')"),
    Action("search", "home", ("slash",), N_("Search the dialogues"), GET_ABOUT, "search", N_("search")),
)  # fmt: skip
