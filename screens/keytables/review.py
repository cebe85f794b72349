"""Keys of the review of identifiers."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import GET_ABOUT, Action

FINDINGS = N_("Findings")
SPANS = N_("Where a finding begins and ends")
WHOLE = N_("The whole dialogue")

ACTIONS: tuple[Action, ...] = (
    Action("review_accept", "review", ("a",), N_("It is an identifier: replace it"), FINDINGS, "accept", N_("accept")),
    Action("review_reject", "review", ("x",), N_("It is none: leave it as it is"), FINDINGS, "reject", N_("reject")),
    Action("review_type", "review", ("t",), N_("It is one of another type"), FINDINGS, "retype", N_("type")),
    Action("review_equal", "review", ("equals_sign",), N_("The same for all equal values, here or in the project"),
           FINDINGS, "equal", N_("equal")),
    Action("review_deny", "review", ("plus",), N_("Always one in this project"), FINDINGS, "deny"),
    Action("review_allow", "review", ("minus",), N_("Never one in this project"), FINDINGS, "allow"),
    Action("review_waive", "review", ("w",), N_("What the output still shows may stay, for a reason"), FINDINGS, "waive"),
    Action("review_reveal", "review", ("v",), N_("Show what is masked here (it is logged)"), FINDINGS, "reveal"),
    Action("review_undo", "review", ("u",), N_("Undo your last step, wherever it was"), FINDINGS, "undo", N_("undo")),
    Action("review_left_out", "review", ("left_square_bracket",), N_("Begin one sign earlier"), SPANS, "resize(-1, 0)"),
    Action("review_left_in", "review", ("left_curly_bracket",), N_("Begin one sign later"), SPANS, "resize(1, 0)"),
    Action("review_right_out", "review", ("right_square_bracket",), N_("End one sign later"), SPANS, "resize(0, 1)"),
    Action("review_right_in", "review", ("right_curly_bracket",), N_("End one sign earlier"), SPANS, "resize(0, -1)"),
    Action("review_left_run", "review", ("less_than_sign",), N_("Begin a whole number or word earlier"), SPANS,
           "resize(-2, 0)"),
    Action("review_right_run", "review", ("greater_than_sign",), N_("End a whole number or word later"), SPANS,
           "resize(0, 2)"),
    Action("review_mark", "review", ("m",), N_("Mark what was not found: arrows, m begins, Enter ends, Esc leaves"),
           SPANS, "mark", N_("mark")),
    Action("review_leave", "review", ("escape",), N_("Leave marking"), SPANS, "leave_marking", palette=False),
    Action("review_nothing", "review", ("0",), N_("Nothing here: reject all that waits in this dialogue"), WHOLE,
           "rest(0)", N_("none")),
    Action("review_all", "review", ("A",), N_("All that waits in this dialogue is: accept it, once all is read"), WHOLE,
           "rest(1)"),
    Action("review_bar", "review", ("exclamation_mark",), N_("Not releasable, for a reason; or releasable after all"),
           WHOLE, "bar"),
    Action("review_done", "review", ("d",), N_("Done: all read, all decided, output scanned again"), WHOLE, "done",
           N_("done")),
    Action("review_sign", "review", ("s",), N_("Sign the review of somebody else"), WHOLE, "sign"),
    Action("review_next", "review", ("j", "tab"), N_("Next finding"), GET_ABOUT, "finding(1)", N_("finding")),
    Action("review_previous", "review", ("k", "shift+tab"), N_("Finding before"), GET_ABOUT, "finding(-1)"),
    Action("review_on", "review", ("enter",), N_("Read on: next page, unread turn or undecided finding"), GET_ABOUT, "on",
           N_("read on")),
    Action("review_turn", "review", ("full_stop",), N_("Next turn"), GET_ABOUT, "turn(1)"),
    Action("review_turn_back", "review", ("comma",), N_("Turn before"), GET_ABOUT, "turn(-1)"),
    Action("review_waiting", "review", ("n",), N_("Next dialogue with something undecided"), GET_ABOUT, "waiting(1)",
           N_("next")),
    Action("review_waiting_back", "review", ("N",), N_("The one before with something undecided"), GET_ABOUT,
           "waiting(-1)"),
    Action("review_forward", "review", ("right",), N_("Next dialogue; when marking, one sign on"), GET_ABOUT, "step(1)"),
    Action("review_back", "review", ("left",), N_("Dialogue before; when marking, one sign back"), GET_ABOUT, "step(-1)"),
    Action("review_word_on", "review", ("ctrl+right",), N_("When marking: a whole number or word on"), SPANS,
           "stride(1)", palette=False),
    Action("review_word_back", "review", ("ctrl+left",), N_("When marking: a whole number or word back"), SPANS,
           "stride(-1)", palette=False),
    Action("review_down", "review", ("down",), N_("A line on; when marking, the next message"), GET_ABOUT, "line(1)",
           palette=False),
    Action("review_up", "review", ("up",), N_("A line back; when marking, the message before"), GET_ABOUT, "line(-1)",
           palette=False),
    Action("review_home", "review", ("q",), N_("Back to the overview"), GET_ABOUT, "home", N_("overview")),
)  # fmt: skip
