"""Keys of every screen."""

from __future__ import annotations

from curation.errors import N_
from screens.keytables.action import EVERYWHERE, PROGRAM, Action

ACTIONS: tuple[Action, ...] = (
    Action("help", EVERYWHERE, ("question_mark", "f1"), N_("Help: every key of this screen"), PROGRAM, "app.help", N_("help")),
    Action("palette", EVERYWHERE, ("ctrl+p",), N_("Command palette"), PROGRAM, "app.command_palette", palette=False),
    Action("theme", EVERYWHERE, (), N_("Next theme (one is without colour)"), PROGRAM, "app.next_theme"),
    Action("language", EVERYWHERE, (), N_("中文 / English"), PROGRAM, "app.next_language"),
    Action("emoji", EVERYWHERE, (), N_("Plain emoji on or off (when lines look shifted)"), PROGRAM, "app.plain_emoji"),
    Action("keyfile", EVERYWHERE, (), N_("Write the key file, to change keys"), PROGRAM, "app.write_keys"),
    Action("suspend", EVERYWHERE, ("ctrl+z",), N_("Back to the shell for a while (fg returns)"), PROGRAM, "app.suspend_process"),
    Action("quit", EVERYWHERE, ("ctrl+q",), N_("Leave the program; everything is saved"), PROGRAM, "app.quit", in_text=True),
)  # fmt: skip
