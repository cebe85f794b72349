"""Keys of the coverage of replies."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import GET_ABOUT, LIST, Action

ACTIONS: tuple[Action, ...] = (
    Action("cover_open", "coverage", ("enter",), N_("Show the reply, and what the system wrote"), LIST, "open", N_("reply")),
    Action("cover_waive", "coverage", ("w",), N_("Let pass what is flagged or absent here, with a reason"), LIST, "waive",
           N_("let pass")),
    Action("cover_left", "coverage", ("left", "h"), N_("The system or mode to the left"), LIST, "column(-1)"),
    Action("cover_right", "coverage", ("right", "l"), N_("The system or mode to the right"), LIST, "column(1)"),
    Action("cover_next", "coverage", ("n",), N_("Next one that is flagged or absent"), LIST, "next_open", N_("next")),
    Action("cover_state", "coverage", ("o",), N_("Only dialogues with something flagged, absent, …"), LIST, "by_state",
           N_("only")),
    Action("cover_system", "coverage", ("s",), N_("Only one system"), LIST, "by_system", N_("system")),
    Action("cover_all", "coverage", ("escape", "backspace"), N_("All again: no filter"), LIST, "all"),
    Action("cover_again", "coverage", ("r",), N_("Count again"), LIST, "again"),
    Action("cover_home", "coverage", ("q",), N_("Back to the overview"), GET_ABOUT, "home", N_("overview")),
)  # fmt: skip
