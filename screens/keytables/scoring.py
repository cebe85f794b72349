"""Keys of scoring."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import ANSWER, GET_ABOUT, NOTE, Action

_S = "scoring"

ACTIONS: tuple[Action, ...] = (
    Action("score_0", _S, ("1",), N_("Score 0, whatever the line"), ANSWER, "score(0)", palette=False, fixed=True),
    Action("score_5", _S, ("2",), N_("Score 5, whatever the line"), ANSWER, "score(5)", palette=False, fixed=True),
    Action("score_10", _S, ("3",), N_("Score 10, whatever the line"), ANSWER, "score(10)", palette=False, fixed=True),
    Action("score_side_1", _S, ("4",), N_("Reply 1 (is better; or was thought first)"), ANSWER, "side(1)", palette=False,
           fixed=True),
    Action("score_side_2", _S, ("6",), N_("Reply 2 (is better; or was thought first)"), ANSWER, "side(2)", palette=False,
           fixed=True),
    Action("score_other", _S, ("0", "5", "7", "8", "9"), N_("No score: 1 2 3 give 0 5 10"), ANSWER, "no_score",
           palette=False, fixed=True),
    Action("score_close", _S, ("enter",), N_("Close what is complete and go on"), ANSWER, "close", N_("close")),
    Action("score_line", _S, ("tab",), N_("Next line of the sheet"), ANSWER, "line(1)"),
    Action("score_line_up", _S, ("shift+tab",), N_("Line of the sheet before"), ANSWER, "line(-1)"),
    Action("score_undo", _S, ("u",), N_("Undo the last key, wherever it was"), ANSWER, "undo", N_("undo")),
    Action("score_rubric", _S, ("v",), N_("The whole rubric"), ANSWER, "rubric", N_("rubric")),
    Action("score_skip", _S, ("s",), N_("Put it off, with a reason"), ANSWER, "skip", N_("skip")),
    Action("score_flag", _S, ("f",), N_("Flag it for the lead, or take the flag away"), ANSWER, "flag"),
    Action("score_note", _S, ("r",), N_("Write a note to the lead"), NOTE, "note", N_("note")),
    Action("score_next", _S, ("n",), N_("Next one not closed"), GET_ABOUT, "open_one"),
    Action("score_forward", _S, ("right", "right_square_bracket"), N_("The one after, closed or not"), GET_ABOUT, "step(1)"),
    Action("score_back", _S, ("left", "p", "left_square_bracket"), N_("The one before"), GET_ABOUT, "step(-1)"),
    Action("score_jump", _S, ("j",), N_("Go to a number"), GET_ABOUT, "jump"),
    Action("score_past", _S, ("l",), N_("Your own past scores: look at one, change it"), GET_ABOUT, "past"),
    Action("score_panel", _S, ("a",), N_("Agreement on or off"), GET_ABOUT, "panel", N_("agreement")),
    Action("score_explain", _S, ("x",), N_("Agreement explained"), GET_ABOUT, "explain"),
    Action("score_home", _S, ("q",), N_("Back to the overview"), GET_ABOUT, "home", N_("overview")),
    Action("score_leave", _S, ("escape",), N_("Leave the box; the note is kept"), NOTE, "leave_text", N_("leave the box"),
           palette=False, in_text=True, fixed=True),
    Action("score_leave_too", _S, ("ctrl+j", "ctrl+enter", "f10"), N_("Keep the note and leave the box"), NOTE,
           "leave_text", palette=False, in_text=True),
)  # fmt: skip
