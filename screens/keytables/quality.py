"""Keys of quality control: one dialogue, and the list of all."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import GET_ABOUT, LENGTH, LIST, QUALITY, REWRITE, Action

ACTIONS: tuple[Action, ...] = (
    Action("quality_next_matter", "quality", ("enter",), N_("Decide the cut; else on to what is open"), QUALITY, "onward",
           N_("go on")),
    Action("quality_approve", "quality", ("a",), N_("Approve the dialogue, if nothing is open"), QUALITY, "approve",
           N_("approve")),
    Action("quality_identifiers", "quality", ("i",), N_("Its identifiers"), QUALITY, "identifiers"),
    Action("quality_text", "quality", ("t",), N_("Its text: edits and dialect"), QUALITY, "text"),
    Action("quality_back", "quality", ("b",), N_("Send it back to screening, with a note"), QUALITY, "send_back"),
    Action("quality_undo", "quality", ("u",), N_("Undo your last step, wherever it was"), QUALITY, "undo", N_("undo")),
    Action("quality_down", "quality", ("j", "down"), N_("Next message"), LENGTH, "move(1)"),
    Action("quality_up", "quality", ("k", "up"), N_("Message before"), LENGTH, "move(-1)"),
    Action("quality_first", "quality", ("g", "home"), N_("First message"), LENGTH, "edge(-1)"),
    Action("quality_last", "quality", ("G", "end"), N_("Last message"), LENGTH, "edge(1)"),
    Action("quality_propose", "quality", ("p",), N_("Propose a cut"), LENGTH, "propose", N_("propose")),
    Action("quality_more", "quality", ("plus", "equals_sign"), N_("Propose with more turns"), LENGTH, "limit(1)"),
    Action("quality_fewer", "quality", ("minus",), N_("Propose with fewer turns"), LENGTH, "limit(-1)"),
    Action("quality_head", "quality", ("h",), N_("Begin with this turn"), LENGTH, "head", N_("begin here")),
    Action("quality_later", "quality", ("greater_than_sign", "full_stop"), N_("Begin one turn later"), LENGTH,
           "shift_head(1)"),
    Action("quality_earlier", "quality", ("less_than_sign", "comma"), N_("Begin one turn earlier"), LENGTH,
           "shift_head(-1)"),
    Action("quality_drop", "quality", ("d",), N_("Drop this turn or the chosen ones, or take them in again"), LENGTH,
           "drop", N_("take out")),
    Action("quality_range", "quality", ("v",), N_("Choose several turns, from here"), LENGTH, "choose"),
    Action("quality_forget", "quality", ("escape",), N_("Forget the cut that is being made"), LENGTH, "forget",
           palette=False),
    Action("quality_whole", "quality", ("X",), N_("Take the decided cut back"), LENGTH, "whole"),
    Action("quality_edit", "quality", ("e",), N_("Rewrite this message"), REWRITE, "write", N_("rewrite")),
    Action("quality_take_back", "quality", ("x",), N_("Take the rewriting of this message back"), REWRITE, "take_back"),
    Action("quality_sign", "quality", ("s",), N_("Sign what another person rewrote"), REWRITE, "sign"),
    Action("quality_raw", "quality", ("r",), N_("The raw text, or the text as it stands"), REWRITE, "raw"),
    Action("quality_leave", "quality", ("escape",), N_("Leave the box; the text stays"), REWRITE, "leave_text",
           N_("leave the box"), palette=False, in_text=True, fixed=True),
    Action("quality_commit", "quality", ("ctrl+j", "ctrl+enter", "f10"), N_("Commit from the box"), REWRITE, "commit_text",
           N_("commit"), palette=False, in_text=True),
    Action("quality_forward", "quality", ("right", "right_square_bracket", "n"), N_("Next dialogue"), GET_ABOUT, "step(1)",
           N_("next")),
    Action("quality_before", "quality", ("left", "left_square_bracket", "N"), N_("Previous dialogue"), GET_ABOUT,
           "step(-1)"),
    Action("quality_list", "quality", ("l",), N_("The list of all"), GET_ABOUT, "list", N_("list")),
    Action("quality_home", "quality", ("q",), N_("Back to the overview"), GET_ABOUT, "home"),
)  # fmt: skip

LIST_ACTIONS: tuple[Action, ...] = (
    Action("list_open", "qualitylist", ("enter",), N_("Open the dialogue"), LIST, "open", N_("open")),
    Action("list_mark", "qualitylist", ("m", "insert"), N_("Mark it, or not"), LIST, "mark", N_("mark")),
    Action("list_mark_all", "qualitylist", ("M",), N_("Mark all that are shown, or none"), LIST, "mark_all"),
    Action("list_approve", "qualitylist", ("a",), N_("Approve the marked ones that have nothing open (asks)"), LIST,
           "approve", N_("approve")),
    Action("list_reason", "qualitylist", ("o",), N_("Only with this reason open"), LIST, "by('matter')", N_("reason")),
    Action("list_stage", "qualitylist", ("t",), N_("Only agreed, or approved"), LIST, "by('stage')", N_("stage")),
    Action("list_situation", "qualitylist", ("s",), N_("Only this situation"), LIST, "by('situation')"),
    Action("list_dialect", "qualitylist", ("d",), N_("Only this dialect"), LIST, "by('dialect')"),
    Action("list_length", "qualitylist", ("n",), N_("Only longer than so many messages"), LIST, "longer"),
    Action("list_all", "qualitylist", ("escape", "backspace"), N_("All again: no filter"), LIST, "all", N_("all")),
    Action("list_home", "qualitylist", ("q",), N_("Back to the overview"), GET_ABOUT, "home", N_("overview")),
)  # fmt: skip
