"""Keys of the disputes."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import ANSWER, GET_ABOUT, WRITE, Action

ACTIONS: tuple[Action, ...] = (
    Action("dispute_keep", "dispute", ("k", "plus", "equals_sign"), N_("Keep the dialogue"), ANSWER, "keep", N_("keep")),
    Action("dispute_drop", "dispute", ("d", "minus"), N_("Drop the dialogue"), ANSWER, "drop", N_("drop")),
    Action("dispute_third", "dispute", ("T",), N_("Drop: a third person or a bot speaks"), ANSWER, "drop('third_party')"),
    Action("dispute_second", "dispute", ("comma",), N_("The next situation is a second choice"), ANSWER, "second"),
    Action("dispute_rationale", "dispute", ("r",), N_("Write the reason"), WRITE, "rationale", N_("why")),
    Action("dispute_commit", "dispute", ("enter",), N_("Decide anew, or rule, and go on"), ANSWER, "commit", N_("commit")),
    Action("dispute_clear", "dispute", ("backspace", "0"), N_("Take the situation out of the answer"), ANSWER, "clear"),
    Action("dispute_half", "dispute", ("escape",), N_("Take the first of two digits back"), ANSWER, "half", palette=False),
    Action("dispute_guideline", "dispute", ("v", "g"), N_("The guideline, the situation named first"), ANSWER, "guideline",
           N_("guideline")),
    Action("dispute_both", "dispute", ("b",), N_("All that was said, whole"), ANSWER, "both", N_("said")),
    Action("dispute_undo", "dispute", ("u",), N_("Take your last ruling back"), ANSWER, "undo"),
    Action("dispute_phrase", "dispute", ("semicolon",), N_("Your last words into the rationale; again: those before"),
           WRITE, "phrase"),
    Action("dispute_phrases", "dispute", ("colon",), N_("A list of words for the rationale"), WRITE, "phrases"),
    Action("dispute_next", "dispute", ("right", "right_square_bracket"), N_("Next dialogue"), GET_ABOUT, "step(1)"),
    Action("dispute_previous", "dispute", ("left", "p", "left_square_bracket"), N_("Previous dialogue"), GET_ABOUT, "step(-1)"),
    Action("dispute_waiting", "dispute", ("n",), N_("Next one that waits for you"), GET_ABOUT, "waiting", N_("next")),
    Action("dispute_home", "dispute", ("q",), N_("Back"), GET_ABOUT, "home", N_("back")),
    Action("dispute_leave_text", "dispute", ("escape",), N_("Leave the box; the text stays"), WRITE, "leave_text",
           N_("leave the box"), palette=False, in_text=True, fixed=True),
    Action("dispute_commit_text", "dispute", ("ctrl+j", "ctrl+enter", "f10"), N_("Commit from the box and go on"), WRITE,
           "commit", N_("commit"), palette=False, in_text=True),
    Action("dispute_phrases_text", "dispute", ("f2",), N_("A list of words for the rationale"), WRITE, "phrases", N_("words"),
           palette=False, in_text=True),
)  # fmt: skip
