"""`workbench export`: the release, or the curator's raw copy."""

from __future__ import annotations

from pathlib import Path

import click

from curation.errors import N_
from workbench import diagnostics, output
from workbench.labels import label
from workbench.options import as_option, command, json_option, opened, option, project_argument


@command(
    "export",
    "workbench export chats.workbench --out release\nworkbench export chats.workbench --out raw-copy --layer raw",
    N_("Refuses while anything is unresolved, and says what. A raw copy is no release, and says so."),
)
@project_argument
@option("--out", metavar="DIR", type=click.Path(path_type=Path), required=True, help=N_("Folder to write to."))
@option("--layer", type=click.Choice(["raw"]), help=N_("raw: every imported dialogue as it came; no release."))
@as_option
@json_option
def export(path: Path, out: Path, layer: str | None, by: str, as_json: bool) -> int:
    """Write it."""
    from workbench.words import gettext

    with opened(path, by) as project:
        if layer == "raw":
            count = project.releases.raw(out)
            if as_json:
                output.json({"dialogues": count, "out": out, "release": False})
            else:
                output.say(N_("wrote {count} raw dialogues to {path}; this is no release"), count=count, path=out)
            return 0
        with diagnostics.busy(gettext(N_("writing the release"))):
            report = project.releases.export(out, by)
    if as_json:
        output.json({**output.plain(report), "out": out, "release": True})
        return 0
    output.say(N_("released: {count} dialogues, in {path}"), count=report.dialogues, path=out)
    output.say(N_("files: {names}"), names=", ".join(report.files))
    if report.left_out:
        output.table(
            [gettext(N_("left out")), gettext(N_("stage"))],
            [(count, label(stage)) for stage, count in report.left_out.items()],
        )
    return 0


command = export
