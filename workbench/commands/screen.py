"""`workbench screen`: the terminal interface, at one person's screening."""

from __future__ import annotations

from pathlib import Path

from workbench.opening import open_screens
from workbench.options import as_option, command, project_argument


@command("screen", "workbench screen chats.workbench --as 小林")
@project_argument
@as_option
def screen(path: Path, by: str) -> int:
    """Open it."""
    return open_screens(path, by, "screening")


command = screen
