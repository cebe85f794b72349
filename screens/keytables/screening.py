"""Keys of screening."""

from __future__ import annotations

from functools import cache

from curation.errors import N_
from screens.keytables.action import ANSWER, AT_ITEM, GET_ABOUT, SITUATIONS, WRITE, Action

ACTIONS: tuple[Action, ...] = (
    Action("keep", "screening", ("k", "plus", "equals_sign"), N_("Keep the dialogue"), ANSWER, "keep", N_("keep")),
    Action("drop", "screening", ("d", "minus"), N_("Drop the dialogue"), ANSWER, "drop", N_("drop")),
    Action("rationale", "screening", ("r",), N_("Write the rationale"), WRITE, "rationale", N_("why")),
    Action("commit", "screening", ("enter",), N_("Commit the answer and go on"), ANSWER, "commit", N_("commit")),
    Action("clear", "screening", ("backspace", "0"), N_("Take the situation out of the answer"), ANSWER, "clear"),
    Action("half", "screening", ("escape",), N_("Take the first of two digits back"), ANSWER, "half", palette=False),
    Action("second", "screening", ("comma",), N_("The next situation is a second choice"), ANSWER, "second"),
    Action("phrase", "screening", ("semicolon",), N_("Your last words into the rationale; again: those before"), WRITE, "phrase"),
    Action("phrases", "screening", ("colon",), N_("A list of words for the rationale"), WRITE, "phrases"),
    Action("guideline", "screening", ("v", "g"), N_("The guideline, the situation named first"), ANSWER, "guideline"),
    Action("reveal", "screening", ("full_stop",), N_("Look at something masked (logged)"), AT_ITEM, "reveal"),
    Action("third_party", "screening", ("T",), N_("Drop: a third person or a bot speaks"), AT_ITEM, "drop('third_party')"),
    Action("swap", "screening", ("S",), N_("The sides are swapped"), AT_ITEM, "swap"),
    Action("hand_back", "screening", ("D",), N_("Cannot read this dialect: to others"), AT_ITEM, "hand_back"),
    Action("minor", "screening", ("M",), N_("A minor may be speaking: hide, to the lead"), AT_ITEM, "raise('minor')"),
    Action("distressing", "screening", ("X",), N_("Distressing: hide, to the lead"), AT_ITEM, "raise('distressing')"),
    Action("unclear", "screening", ("G",), N_("The guideline is unclear: tell the lead"), AT_ITEM, "raise('guideline')"),
    Action("both", "screening", ("b",), N_("Both answers, once both have committed"), ANSWER, "both"),
    Action("undo", "screening", ("u",), N_("Undo the last decision, wherever it was"), ANSWER, "undo", N_("undo")),
    Action("reopen", "screening", ("e",), N_("Decide this one anew, while the other has not"), ANSWER, "reopen"),
    Action("skip", "screening", ("s",), N_("Put the dialogue off, with a reason"), ANSWER, "skip", N_("skip")),
    Action("next", "screening", ("right", "right_square_bracket"), N_("Next dialogue"), GET_ABOUT, "step(1)"),
    Action("previous", "screening", ("left", "p", "left_square_bracket"), N_("Previous dialogue"), GET_ABOUT, "step(-1)"),
    Action("undecided", "screening", ("n",), N_("Next one not decided"), GET_ABOUT, "undecided", N_("next")),
    Action("jump", "screening", ("j",), N_("Go to a number"), GET_ABOUT, "jump"),
    Action("disputes", "screening", ("B",), N_("To the disputes"), GET_ABOUT, "disputes"),
    Action("home", "screening", ("q",), N_("Back to the overview"), GET_ABOUT, "home", N_("overview")),
    Action("leave_text", "screening", ("escape",), N_("Leave the box; the text stays"), WRITE, "leave_text",
           N_("leave the box"), palette=False, in_text=True, fixed=True),
    Action("commit_text", "screening", ("ctrl+j", "ctrl+enter", "f10"), N_("Commit from the box and go on"), WRITE,
           "commit", N_("commit"), palette=False, in_text=True),
    Action("phrases_text", "screening", ("f2",), N_("A list of words for the rationale"), WRITE, "phrases", N_("words"),
           palette=False, in_text=True),
)  # fmt: skip


@cache
def situations(screen: str = "screening") -> tuple[Action, ...]:
    """Choosing a situation on a screen: a letter each, or two digits."""
    from curation.taxonomy import taxonomy

    prefix = "" if screen == "screening" else f"{screen}."
    letters = [
        Action(f"{prefix}situation.{s.id}", screen, (s.key,), s.en, SITUATIONS, f"situation('{s.id}')", palette=False,
               fixed=True)
        for s in taxonomy().situations
    ]  # fmt: skip
    words = N_("A situation by two digits: family, then place")
    digits = [
        Action(f"{prefix}digit.{n}", screen, (str(n),), words, SITUATIONS, f"digit({n})", palette=False, fixed=True)
        for n in range(1, 10)
    ]
    return (*digits, *letters)
