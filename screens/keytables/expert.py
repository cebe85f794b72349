"""Keys of the expert desk."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import ANSWERS, GET_ABOUT, Action

_E = "expert"

ACTIONS: tuple[Action, ...] = (
    Action("expert_write", _E, ("enter",), N_("Write what is missing; close the answer when it is complete"), ANSWERS,
           "write", N_("write")),
    Action("expert_edit", _E, ("r",), N_("Change the field in turn"), ANSWERS, "edit", N_("change")),
    Action("expert_close", _E, ("c",), N_("Close the answer, when it is complete"), ANSWERS, "close", N_("close")),
    Action("expert_field", _E, ("tab",), N_("Next field"), ANSWERS, "field(1)"),
    Action("expert_field_up", _E, ("shift+tab",), N_("Field before"), ANSWERS, "field(-1)"),
    Action("expert_reopen", _E, ("e",), N_("Open a closed answer again, while it is not in scoring"), ANSWERS, "reopen"),
    Action("expert_leave_as_was", _E, ("x",), N_("Leave an answer opened again as it was before"), ANSWERS, "leave_as_was"),
    Action("expert_both", _E, ("b",), N_("What you wrote so far, whole"), ANSWERS, "both"),
    Action("expert_asks", _E, ("v",), N_("What each field asks for"), ANSWERS, "asks", N_("what is asked")),
    Action("expert_next", _E, ("n",), N_("Next one to write"), GET_ABOUT, "unwritten", N_("next")),
    Action("expert_forward", _E, ("right", "right_square_bracket"), N_("Next dialogue"), GET_ABOUT, "step(1)"),
    Action("expert_back", _E, ("left", "p", "left_square_bracket"), N_("Previous dialogue"), GET_ABOUT, "step(-1)"),
    Action("expert_jump", _E, ("j",), N_("Go to a number"), GET_ABOUT, "jump"),
    Action("expert_home", _E, ("q",), N_("Back to the overview"), GET_ABOUT, "home", N_("overview")),
    Action("expert_leave", _E, ("escape",), N_("Leave the box; the text stays"), ANSWERS, "leave_text",
           N_("leave the box"), palette=False, in_text=True, fixed=True),
    Action("expert_text_field", _E, ("enter", "tab"), N_("Next field, from the box"), ANSWERS, "write_on(1)",
           N_("next field"), palette=False, in_text=True, fixed=True),
    Action("expert_text_up", _E, ("shift+tab",), N_("Field before, from the box"), ANSWERS, "write_on(-1)",
           N_("field before"), palette=False, in_text=True, fixed=True),
    Action("expert_text_close", _E, ("ctrl+j", "ctrl+enter", "f10"), N_("Close the answer from the box"), ANSWERS,
           "close", N_("close"), palette=False, in_text=True),
)  # fmt: skip
