"""`workbench expert`: the terminal interface, at the desk where an expert writes answers by hand."""

from __future__ import annotations

from pathlib import Path

from workbench.opening import open_screens
from workbench.options import as_option, command, project_argument


@command("expert", "workbench expert chats.workbench --as 老钱")
@project_argument
@as_option
def expert(path: Path, by: str) -> int:
    """Open it."""
    return open_screens(path, by, "expert")


command = expert
