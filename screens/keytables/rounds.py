"""Keys of a round: training, calibration, labelling again."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import ANSWER, GET_ABOUT, Action

ACTIONS: tuple[Action, ...] = (
    Action("round_keep", "round", ("k", "plus", "equals_sign"), N_("Keep the dialogue"), ANSWER, "keep", N_("keep")),
    Action("round_drop", "round", ("d", "minus"), N_("Drop the dialogue"), ANSWER, "drop", N_("drop")),
    Action("round_commit", "round", ("enter",), N_("Commit the answer and go on"), ANSWER, "commit", N_("commit")),
    Action("round_clear", "round", ("backspace", "0", "escape"), N_("Take the situation out of the answer"), ANSWER, "clear"),
    Action("round_guideline", "round", ("v",), N_("What the situations mean"), ANSWER, "guideline", N_("meanings")),
    Action("round_undo", "round", ("u",), N_("Take the last answer back (not in training)"), ANSWER, "undo"),
    Action("round_home", "round", ("q",), N_("Back to the overview"), GET_ABOUT, "home", N_("overview")),
)  # fmt: skip
