"""What an action is, and the groups under which help lists them."""

from __future__ import annotations

from typing import NamedTuple

from curation.errors import N_

EVERYWHERE = "everywhere"


class Action(NamedTuple):
    """One thing to do. `words` are English and the key of the catalogue; `does` is the screen's method, with arguments.

    `bar` puts it on the key bar; `palette` offers it in the command palette; `in_text` actions work while a text box has
    the keyboard, and no other does. `fixed` keys cannot be changed by a key file.
    """

    id: str
    screen: str
    keys: tuple[str, ...]
    words: str
    group: str
    does: str
    bar: str = ""
    palette: bool = True
    in_text: bool = False
    fixed: bool = False


GET_ABOUT = N_("Getting about")
ANSWER = N_("Answering")
AT_ITEM = N_("At the dialogue")
WRITE = N_("Writing the rationale")
NOTE = N_("Writing a note")
ANSWERS = N_("Writing answers")
EDITS = N_("Edits")
DIALECT = N_("Dialect")
QUALITY = N_("To the approval")
LENGTH = N_("Length: what stays")
REWRITE = N_("Rewriting")
LIST = N_("The list")
SEARCH = N_("Searching")
LOOKS = N_("Looks")
PROGRAM = N_("The program")
SITUATIONS = N_("Situations")
