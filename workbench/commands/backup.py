"""`workbench backup`: a copy of the project, whole at one moment, while others work on it."""

from __future__ import annotations

from pathlib import Path

import click

from curation.errors import N_
from workbench import diagnostics, output
from workbench.options import argument, as_option, command, json_option, opened, project_argument


@command("backup", "workbench backup chats.workbench copy.workbench", N_("A file that is there already is left alone."))
@project_argument
@argument(
    "file", metavar="FILE", type=click.Path(path_type=Path), help=N_("Where the copy goes; nothing may lie there.")
)
@as_option
@json_option
def backup(path: Path, file: Path, by: str, as_json: bool) -> int:
    """Write the copy."""
    from workbench.words import gettext

    with opened(path, by, here=True) as project, diagnostics.busy(gettext(N_("copying"))):
        project.backup(file)
    if as_json:
        output.json({"backup": file, "bytes": file.stat().st_size})
    else:
        output.say(N_("wrote {path}"), path=file)
    return 0


command = backup
