"""`workbench score`: the terminal interface, at one person's scoring."""

from __future__ import annotations

from pathlib import Path

from workbench.opening import open_screens
from workbench.options import as_option, command, project_argument


@command("score", "workbench score chats.workbench --as 小林")
@project_argument
@as_option
def score(path: Path, by: str) -> int:
    """Open it."""
    return open_screens(path, by, "scoring")


command = score
