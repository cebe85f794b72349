"""Keys of the lead's view of screening."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import GET_ABOUT, LOOKS, Action

ACTIONS: tuple[Action, ...] = (
    Action("look_figures", "agreement", ("1",), N_("Agreement by pair"), LOOKS, "look('figures')"),
    Action("look_situations", "agreement", ("2",), N_("By situation, family and tension"), LOOKS, "look('situations')"),
    Action("look_matrix", "agreement", ("3",), N_("Who said what: the confusion matrix"), LOOKS, "look('matrix')"),
    Action("look_drift", "agreement", ("4",), N_("Over time"), LOOKS, "look('drift')"),
    Action("look_costly", "agreement", ("5",), N_("The dialogues that cost most"), LOOKS, "look('costly')"),
    Action("look_yield", "agreement", ("6",), N_("What was kept, dropped, and why"), LOOKS, "look('yield')"),
    Action("look_quota", "agreement", ("7",), N_("Quotas: have, need, and the work left"), LOOKS, "look('quota')"),
    Action("look_next", "agreement", ("tab",), N_("Next look"), LOOKS, "look_on(1)", N_("next look")),
    Action("look_back", "agreement", ("shift+tab",), N_("Look before"), LOOKS, "look_on(-1)"),
    Action("matrix_left", "agreement", ("left", "h"), N_("Column to the left; dialogue before"), GET_ABOUT, "sideways(-1)"),
    Action("matrix_right", "agreement", ("right", "l"), N_("Column to the right; next dialogue"), GET_ABOUT, "sideways(1)"),
    Action("agreement_open", "agreement", ("enter",), N_("Open the cell, then the dialogue with both answers"), GET_ABOUT,
           "open", N_("open")),
    Action("agreement_said", "agreement", ("b",), N_("All that was said, whole"), GET_ABOUT, "said"),
    Action("agreement_comment", "agreement", ("c",), N_("Write to those who answered, while their dialogue is shown"),
           GET_ABOUT, "comment", N_("comment")),
    Action("agreement_pair", "agreement", ("w",), N_("One pair, or all"), GET_ABOUT, "pair", N_("pair")),
    Action("agreement_anew", "agreement", ("r",), N_("Compute anew"), GET_ABOUT, "anew"),
    Action("agreement_back", "agreement", ("q", "escape"), N_("Back: to the list, the matrix, the overview"), GET_ABOUT, "back",
           N_("back")),
)  # fmt: skip
