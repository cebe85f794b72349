"""`workbench screen`: the terminal interface, at one person's screening."""

from __future__ import annotations

from pathlib import Path

from curation.errors import N_
from workbench.opening import open_screens
from workbench.options import as_option, command, option, project_argument


@command("screen", "workbench screen chats.workbench --as 小林\nworkbench screen chats.workbench --as 小林 --disputes")
@project_argument
@option("--disputes", is_flag=True, help=N_("At the disputes instead."))
@as_option
def screen(path: Path, disputes: bool, by: str) -> int:
    """Open it."""
    return open_screens(path, by, "dispute" if disputes else "screening")


command = screen
