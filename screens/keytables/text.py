"""Keys of the text screen."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import DIALECT, EDITS, GET_ABOUT, Action

ACTIONS: tuple[Action, ...] = (
    Action("text_next", "text", ("j", "n"), N_("Next edit"), EDITS, "edit(1)", N_("edit")),
    Action("text_previous", "text", ("k", "N"), N_("Edit before"), EDITS, "edit(-1)"),
    Action("text_take_back", "text", ("x",), N_("Take this edit back"), EDITS, "take_back", N_("take back")),
    Action("text_rule", "text", ("X",), N_("Take its rule back in this dialogue"), EDITS, "rule", N_("its rule")),
    Action("text_project", "text", ("r",), N_("Turn its rule off for the whole project (asks)"), EDITS, "rule_of_project"),
    Action("text_undo", "text", ("u",), N_("Undo your last step, wherever it was"), EDITS, "undo", N_("undo")),
    Action("text_confirm", "text", ("c",), N_("Confirm the dialect"), DIALECT, "confirm"),
    Action("text_dialect", "text", ("d",), N_("Say another dialect"), DIALECT, "dialect", N_("dialect")),
    Action("text_gloss", "text", ("g",), N_("Its words in Mandarin, to look at"), DIALECT, "gloss"),
    Action("text_slang", "text", ("s",), N_("Notes on slang"), DIALECT, "slang"),
    Action("text_view", "text", ("t",), N_("Both texts, the old one, the new one"), GET_ABOUT, "view"),
    Action("text_forward", "text", ("right", "right_square_bracket"), N_("Next dialogue"), GET_ABOUT, "step(1)",
           N_("next")),
    Action("text_back", "text", ("left", "p", "left_square_bracket"), N_("Previous dialogue"), GET_ABOUT, "step(-1)"),
    Action("text_home", "text", ("q",), N_("Back to the overview"), GET_ABOUT, "home", N_("overview")),
)  # fmt: skip
