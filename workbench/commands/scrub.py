"""`workbench scrub`: what is done about the identifiers found in agreed dialogues."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.errors import N_, BadInput
from curation.stages import Stage
from curation.work import QualityReport
from workbench import diagnostics, output
from workbench.options import as_option, command, json_option, opened, option, project_argument

if TYPE_CHECKING:
    from db.project import Project


@command(
    "scrub",
    "workbench scrub chats.workbench --accept 0.85\nworkbench scrub chats.workbench --lists lists.toml",
    N_("What is not accepted waits for a person, in the interface or by `decisions import`."),
)
@project_argument
@option("--accept", metavar="SCORE", type=click.FloatRange(0, 1), help=N_("Accept what is at least as sure as this."))
@option(
    "--lists",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=N_("A TOML file of values that never or always are identifiers here, and of recognisers."),
)
@option("--disputed", is_flag=True, help=N_("Disputed ones too, so that they can be released apart."))
@as_option
@json_option
def scrub(path: Path, accept: float | None, lists: Path | None, disputed: bool, by: str, as_json: bool) -> int:
    """Look for identifiers, and accept what is sure enough."""
    from curation.identifiers import LIMITS, limits
    from workbench.words import gettext

    with opened(path, by, curator=True) as project:
        known = project.reviews.give_lists(by, _read(lists)) if lists is not None else {}
        report = scrubbed(project, by, accept, disputed=disputed)
    missing = "; ".join(gettext(LIMITS.get(code, code)) for code in limits())
    if missing:
        diagnostics.note(N_("this installation could not look for everything: {what}"), what=missing)
    counts = dict(report.counts)
    if as_json:
        figures = {"dialogues": report.dialogues, "changed": report.changed, **counts, "waiting": report.waiting}
        output.json({**figures, "lists": known} if known else figures)
    else:
        if known:
            words = N_(
                "the project's lists: {allow} never, {deny} always, {recognisers} {recognisers:recogniser|recognisers}"
            )
            output.say(words, **known)
        output.say(
            N_("dialogues: {dialogues}, identifiers: {found}, accepted now: {accepted}, waiting for review: {waiting}"),
            dialogues=report.dialogues,
            found=counts.get("found", 0),
            accepted=counts.get("accepted", 0),
            waiting=report.waiting,
        )
    failed = counts.get("not_scanned", 0)
    if failed:
        diagnostics.note(
            N_("{count} {count:dialogue|dialogues} could not be looked through; {count:it|they} cannot be approved"),
            count=failed,
        )
    return int(failed > 0)


def _read(file: Path) -> str:
    """The text of a file of lists. Raises BadInput when it is none."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "UTF-8"
        words = N_("{file}: cannot be read ({reason}); check the name and the permissions")
        raise BadInput(words, code="cannot_read", file=file, reason=reason) from error


def scrubbed(project: Project, by: str, accept: float | None, *, disputed: bool = False) -> QualityReport:
    """Scrub all agreed dialogues, and the disputed ones where that is asked for."""
    from workbench.words import gettext

    keys = [project.dialogues.key(stored.uid) for stored in project.dialogues.at(Stage.AGREED)]
    if disputed:
        keys += [project.dialogues.key(stored.uid) for stored in project.dialogues.at(Stage.DISPUTED)]
    keys += [key for key in project.findings.failed() if key not in set(keys)]  # approved ones among them
    return project.findings.scrub(diagnostics.counted(keys, gettext(N_("looking for identifiers"))), by, accept)


command = scrub
