"""Keys of the live agreement."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import GET_ABOUT, Action

ACTIONS: tuple[Action, ...] = (
    Action("live_explain", "live", ("x",), N_("Agreement explained"), GET_ABOUT, "explain", N_("explain")),
    Action("live_rubric", "live", ("v",), N_("The whole rubric"), GET_ABOUT, "rubric", N_("rubric")),
    Action("live_now", "live", ("r",), N_("Look again now, intervals too"), GET_ABOUT, "now", N_("look again")),
    Action("live_home", "live", ("q", "escape"), N_("Back to the overview"), GET_ABOUT, "home", N_("overview")),
)  # fmt: skip
