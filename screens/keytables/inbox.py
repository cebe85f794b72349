"""Keys of the inbox."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import GET_ABOUT, Action

ACTIONS: tuple[Action, ...] = (
    Action("inbox_open", "inbox", ("enter",), N_("Open: the dialogue and what is said of it"), GET_ABOUT, "open", N_("open")),
    Action("inbox_letter", "inbox", ("b",), N_("The whole letter"), GET_ABOUT, "letter"),
    Action("inbox_reply", "inbox", ("r",), N_("Reply"), GET_ABOUT, "reply", N_("reply")),
    Action("inbox_mark", "inbox", ("m",), N_("Mark all as read"), GET_ABOUT, "mark", N_("all read")),
    Action("inbox_all", "inbox", ("a",), N_("What was read and sent too, or only what is new"), GET_ABOUT, "all", N_("all")),
    Action("inbox_next", "inbox", ("right", "n"), N_("Next one"), GET_ABOUT, "sideways(1)"),
    Action("inbox_previous", "inbox", ("left", "p"), N_("The one before"), GET_ABOUT, "sideways(-1)"),
    Action("inbox_back", "inbox", ("q", "escape"), N_("Back: to the list, then to the overview"), GET_ABOUT, "back",
           N_("back")),
)  # fmt: skip
