"""`workbench check`: whether the file is whole and the tables are what the log says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.errors import N_
from curation.work.purging import Leak
from workbench import diagnostics, output
from workbench.blinding import blind_json, show_blind
from workbench.options import as_option, command, json_option, not_itself, opened, option, project_argument

if TYPE_CHECKING:
    from db.blindness import Blindness

_LEAKS = {
    "due": N_("a purge was not finished on the disk; run purge again"),
    "not_gone": N_("texts of purged dialogues are there again; run purge again"),
    "half_gone": N_("texts or salts without each other"),
    "index": N_("the search index still names a purged dialogue"),
    "identifier_in_text": N_("an identifier that was replaced stands in the approved text"),
    "identifier_in_log": N_("an identifier that was replaced stands in the log"),
    "free_pages": N_("free pages of the file are not wiped"),
    "original": N_("what was destroyed or replaced stands in this file"),
}


@command(
    "check",
    "workbench check chats.workbench\nworkbench check chats.workbench --backup copy.workbench\n"
    "workbench check chats.workbench --leaks --release release --against raw.jsonl\n"
    "workbench check chats.workbench --blind",
    N_(
        "What was purged is forgotten, so --leaks can look for its words only where --against names the file it came from."
    ),
)
@project_argument
@option(
    "--backup",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=N_("Also that the log still holds everything this copy took away."),
)
@option(
    "--blind",
    is_flag=True,
    help=N_("Also whether what annotators see of scoring says anything of the systems, on copies in memory."),
)
@option("--leaks", is_flag=True, help=N_("Also whether anything stands where it must not: purged, or replaced."))
@option(
    "--release",
    "releases",
    metavar="DIR",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help=N_("With --leaks: look through this release as well."),
)
@option(
    "--against",
    "files",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path),
    help=N_("With --leaks: look for what this raw file says of dialogues that were purged."),
)
@as_option
@json_option
def check(
    path: Path,
    backup: Path | None,
    blind: bool,
    leaks: bool,
    releases: tuple[Path, ...],
    files: tuple[Path, ...],
    by: str,
    as_json: bool,
) -> int:
    """Say what is wrong, and exit with 1 when anything is."""
    from workbench.words import gettext, sentence

    leaks = leaks or bool(releases or files)
    for file in (*files, *releases):
        not_itself(path, file)
    found: list[Leak] = []
    looked: dict[str, int] = {}
    seen: Blindness | None = None
    with opened(path, by, curator=leaks or blind) as project, diagnostics.busy(gettext(N_("checking"))):
        problems = project.check(backup)
        if blind:
            seen = project.blindness()
        if leaks:
            found += project.leaks.inside()
            originals, dialogues = project.leaks.originals(files)
            replaced = project.leaks.replaced()
            looked = {"dialogues": dialogues, "originals": len(originals), "replaced": len(replaced)}
    if leaks:
        from db.leaks import outside

        # Only now: a project's bytes are never read while it is open here.
        found += outside(path, originals, replaced, [*releases, *diagnostics.crash_files()])
    if as_json:
        rows = [{"code": one.code, "where": one.where, "what": sentence(one.what, one.params)} for one in problems]
        output.json({"problems": rows, **({"leaks": found, "looked_for": looked} if leaks else {}), **blind_json(seen)})
    elif problems:
        rows_ = [(one.code, one.where, sentence(one.what, one.params)) for one in problems]
        output.table([gettext(N_("code")), gettext(N_("where")), gettext(N_("problem"))], rows_)
    else:
        output.say(N_("all is well: the file is whole, and its tables are what its log says"))
    if leaks and not as_json:
        _show(found, looked)
    if seen is not None and not as_json:
        show_blind(seen)
    if problems:
        diagnostics.note(N_("problems: {count}; keep this file, and go back to a backup"), count=len(problems))
    return int(bool(problems or found) or (seen is not None and not seen.holds))


def _show(found: list[Leak], looked: dict[str, int]) -> None:
    from workbench.words import gettext

    if found:
        heads = [N_("count"), N_("where"), N_("leak")]
        output.table([gettext(head) for head in heads], [(x.count, x.where, gettext(_LEAKS[x.code])) for x in found])
    else:
        output.say(
            N_(
                "no leak: looked for {originals} {originals:piece|pieces} of {dialogues} purged "
                "{dialogues:dialogue|dialogues} and {replaced} replaced direct"
                " identifiers"
            ),
            **looked,
        )


command = check
