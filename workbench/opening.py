"""The way from the command line into the terminal interface."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.errors import N_
from workbench.options import Command, as_option, lang_option, project_argument

if TYPE_CHECKING:
    from workbench.terminal import Start


def open_screens(path: Path | None, by: str, start: Start = "home") -> int:
    """Open the interface on the project at `path` (None: the list of recent ones), at the screen `start`."""
    from workbench import words
    from workbench.terminal import open_interface

    return open_interface(path, by, words.forced(), start)


@click.command("open", cls=Command, hidden=True, short_help=N_("Open the terminal interface on a project."), help="")
@project_argument
@as_option
@lang_option
def command(path: Path, by: str) -> int:
    """Open the terminal interface on a project."""
    return open_screens(path, by)


command.example = "workbench chats.workbench --as 小林"
