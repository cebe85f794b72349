"""`workbench export`: the release, or the curator's raw copy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from curation.errors import N_
from workbench import diagnostics, output
from workbench.labels import label
from workbench.options import as_option, command, json_option, misused, opened, option, project_argument


@command(
    "export",
    "workbench export chats.workbench --out release\nworkbench export chats.workbench --out raw-copy --layer raw",
    N_("Refuses while anything is unresolved, and says what. A raw copy is no release, and says so."),
)
@project_argument
@option("--out", metavar="DIR", type=click.Path(path_type=Path), required=True, help=N_("Folder to write to."))
@option("--disputed", is_flag=True, help=N_("Disputed ones instead, with both answers, in a folder of their own."))
@option("--layer", type=click.Choice(["raw"]), help=N_("raw: every imported dialogue as it came; no release."))
@as_option
@json_option
def export(path: Path, out: Path, disputed: bool, layer: str | None, by: str, as_json: bool) -> int:
    """Write it."""
    from workbench.words import gettext

    if disputed:
        if layer:
            raise misused(N_("--disputed and --layer do not go together"))
        return _disputed(path, out, by, as_json)

    with opened(path, by, curator=True) as project:
        if layer == "raw":
            count = project.releases.raw(out, by)
            if as_json:
                output.json({"dialogues": count, "out": out, "release": False})
            else:
                output.say(
                    N_("wrote {count} raw {count:dialogue|dialogues} to {path}; this is no release"),
                    count=count,
                    path=out,
                )
            return 0
        with diagnostics.busy(gettext(N_("writing the release"))):
            report = project.releases.export(out, by)
        _tell_ended(project.dialogues.sources())
    if as_json:
        output.json({**output.plain(report), "out": out, "release": True})
        return 0
    output.say(N_("released: {count} {count:dialogue|dialogues}, in {path}"), count=report.dialogues, path=out)
    output.say(N_("files: {names}"), names=", ".join(report.files))
    if report.left_out:
        output.table(
            [gettext(N_("left out")), gettext(N_("stage"))],
            [(count, label(stage)) for stage, count in report.left_out.items()],
        )
    if report.left_out.get("agreed"):
        diagnostics.note(N_("`workbench approve PROJECT --clean` says what is open in the agreed ones"))
    return 0


def _disputed(path: Path, out: Path, by: str, as_json: bool) -> int:
    from workbench.words import gettext

    with opened(path, by, curator=True) as project:
        report = project.disputed.export(out, by)
    if as_json:
        output.json({**output.plain(report), "out": out, "release": False, "disputed": True})
        return 0
    output.say(
        N_("disputed: {count} {count:dialogue|dialogues} with both answers, in {path}"),
        count=report.dialogues,
        path=out,
    )
    if report.left_out:
        output.table([gettext(N_("left out")), gettext(N_("open"))], [(n, code) for code, n in report.left_out.items()])
    return 0


def _tell_ended(sources: Mapping[str, Mapping[str, Any]]) -> None:
    """Warn of batches whose terms have ended: the release is made, and someone must know."""
    from datetime import date

    today = date.today().isoformat()  # noqa: DTZ011 - a term ends at midnight where the curator is
    for name, source in sources.items():
        for batch in source["batches"]:
            until = batch["terms"].get("until", "")
            if until and until < today:
                diagnostics.note(
                    N_("warning: {count} {count:dialogue|dialogues} of {source} came under terms that ended on {date}"),
                    count=batch["dialogues"],
                    source=name,
                    date=until,
                )


command = export
