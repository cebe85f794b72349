"""Keys of what was put before the lead."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import ANSWER, GET_ABOUT, Action

ACTIONS: tuple[Action, ...] = (
    Action("raised_read", "raised", ("enter", "right"), N_("Read the dialogue and the note"), ANSWER, "read", N_("open")),
    Action("raised_drop", "raised", ("d",), N_("Drop the dialogue (asks)"), ANSWER, "settle('dropped')", N_("drop")),
    Action("raised_withdraw", "raised", ("w",), N_("Withdraw the dialogue from the project (asks)"), ANSWER,
           "settle('withdrawn')", N_("withdraw")),
    Action("raised_return", "raised", ("b",), N_("Give it back to its pair (asks)"), ANSWER, "settle('returned')",
           N_("return")),
    Action("raised_answer", "raised", ("a",), N_("Answer what was asked about the guideline"), ANSWER, "settle('answered')",
           N_("answer")),
    Action("raised_undo", "raised", ("u",), N_("Take your last step here back"), ANSWER, "undo", N_("undo")),
    Action("raised_all", "raised", ("t",), N_("Those that wait, or those that are settled"), GET_ABOUT, "other_list"),
    Action("raised_home", "raised", ("q", "escape"), N_("Back to the overview"), GET_ABOUT, "home", N_("overview")),
)  # fmt: skip
