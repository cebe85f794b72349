"""Keys of the search."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import GET_ABOUT, SEARCH, Action

ACTIONS: tuple[Action, ...] = (
    Action("find", "search", ("slash",), N_("Write what to look for"), SEARCH, "find", N_("find")),
    Action("open_place", "search", ("enter",), N_("Open the dialogue at this place"), SEARCH, "open_place", N_("open")),
    Action("next_place", "search", ("n",), N_("Next place"), SEARCH, "next_place", N_("next place")),
    Action("previous_place", "search", ("N", "p"), N_("Previous place"), SEARCH, "previous_place", N_("before")),
    Action("find_layer", "search", ("l",), N_("In the text of another layer"), SEARCH, "find_layer"),
    Action("find_stage", "search", ("s",), N_("Only dialogues at a stage"), SEARCH, "find_stage"),
    Action("find_situation", "search", ("i",), N_("Only dialogues found to show a situation"), SEARCH, "find_situation"),
    Action("find_dialect", "search", ("d",), N_("Only dialogues tagged with a dialect"), SEARCH, "find_dialect"),
    Action("find_person", "search", ("w",), N_("Only dialogues assigned to someone"), SEARCH, "find_person"),
    Action("find_since", "search", ("a",), N_("Only messages of a day or later"), SEARCH, "find_since"),
    Action("find_until", "search", ("b",), N_("Only messages of a day or earlier"), SEARCH, "find_until"),
    Action("find_clear", "search", ("x",), N_("Clear all filters"), SEARCH, "find_clear", N_("clear filters")),
    Action("find_back", "search", ("q", "escape"), N_("Back: to the list, then to the overview"), GET_ABOUT, "find_back",
           N_("back")),
    Action("find_leave", "search", ("escape",), N_("Leave the box; the list stays"), SEARCH, "find_leave",
           N_("leave the box"), palette=False, in_text=True, fixed=True),
    Action("find_go", "search", ("enter",), N_("Look for what is written"), SEARCH, "find_go", N_("look for it"),
           palette=False, in_text=True, fixed=True),
)  # fmt: skip
