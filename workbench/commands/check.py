"""`workbench check`: whether the file is whole and the tables are what the log says."""

from __future__ import annotations

from pathlib import Path

import click

from curation.errors import N_
from workbench import diagnostics, output
from workbench.options import as_option, command, json_option, opened, option, project_argument


@command("check", "workbench check chats.workbench\nworkbench check chats.workbench --backup copy.workbench")
@project_argument
@option(
    "--backup",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=N_("Also that the log still holds everything this copy took away."),
)
@as_option
@json_option
def check(path: Path, backup: Path | None, by: str, as_json: bool) -> int:
    """Say what is wrong, and exit with 1 when anything is."""
    from workbench.words import gettext, sentence

    with opened(path, by) as project, diagnostics.busy(gettext(N_("checking"))):
        problems = project.check(backup)
    if as_json:
        rows = [{"code": one.code, "where": one.where, "what": sentence(one.what, one.params)} for one in problems]
        output.json({"problems": rows})
    elif problems:
        rows_ = [(one.code, one.where, sentence(one.what, one.params)) for one in problems]
        output.table([gettext(N_("code")), gettext(N_("where")), gettext(N_("problem"))], rows_)
    else:
        output.say(N_("all is well: the file is whole, and its tables are what its log says"))
    if problems:
        diagnostics.note(N_("problems: {count}; keep this file, and go back to a backup"), count=len(problems))
    return int(bool(problems))


command = check
