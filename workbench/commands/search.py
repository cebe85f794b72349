"""`workbench search`: where a text stands."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.errors import N_, WorkbenchError
from curation.layers import Layer
from curation.stages import Stage
from workbench import diagnostics, output
from workbench.labels import label
from workbench.options import argument, as_option, command, json_option, misused, opened, option, project_argument

if TYPE_CHECKING:
    from db.project import Project

# The index is made after the answer, and by later searches further, where this is not enough.
INDEX_SECONDS = 20.0


def _situation(_: click.Context, __: click.Parameter, value: str) -> str:
    """A situation of the taxonomy."""
    if not value:
        return ""
    from curation.taxonomy import taxonomy

    return _one_of("--situation", value, [situation.id for situation in taxonomy().situations])


def _dialect(_: click.Context, __: click.Parameter, value: str) -> str:
    """A dialect there is a tag for."""
    if not value:
        return ""
    from curation.dialects import DIALECTS

    return _one_of("--dialect", value, DIALECTS)


def _one_of(name: str, value: str, known: Sequence[str]) -> str:
    if value not in known:
        raise misused(N_("{name} takes one of: {known}"), name=name, known=", ".join(known))
    return value


@command(
    "search",
    'workbench search chats.workbench "太准时" --show-text\n'
    'workbench search chats.workbench "太准时" --stage agreed --situation irony --since 2027-01-01',
    N_(
        "TEXT is found in traditional and simplified characters, full and half width, capital and small letters; every"
        " sign in it stands for itself. Without --show-text no text of a dialogue gets into the terminal's history."
    ),
)
@project_argument
@argument("text", metavar="TEXT", help=N_("What to look for, as it is written."))
@option("--layer", type=click.Choice([layer.value for layer in Layer]), default="raw", help=N_("In which text (raw)."))
@option("--stage", type=click.Choice([stage.value for stage in Stage]), help=N_("Only dialogues at this stage."))
@option(
    "--situation",
    metavar="ID",
    default="",
    callback=_situation,
    help=N_("Only dialogues that screening found to show this situation, once both of the pair have decided."),
)
@option("--dialect", metavar="ID", default="", callback=_dialect, help=N_("Only dialogues tagged with this dialect."))
@option("--person", metavar="NAME", default="", help=N_("Only dialogues assigned to this person."))
@option(
    "--since",
    metavar="DATE",
    default="",
    help=N_("Only messages of this day or later (YYYY-MM-DD): their own time, or the day of the import."),
)
@option("--until", metavar="DATE", default="", help=N_("Only messages of this day or earlier."))
@option("--limit", metavar="N", type=click.IntRange(0), default=50, help=N_("Most places to show; 0: all (50)."))
@option("--show-text", is_flag=True, help=N_("Print the messages too."))
@as_option
@json_option
def search(
    path: Path,
    text: str,
    layer: str,
    stage: str | None,
    situation: str,
    dialect: str,
    person: str,
    since: str,
    until: str,
    limit: int,
    show_text: bool,
    by: str,
    as_json: bool,
) -> int:
    """Print the places; finding nothing is done, too."""
    from db.search import Filters

    with opened(path, by) as project:
        filters = Filters(Stage(stage) if stage else None, situation, dialect, person, since, until)
        rows: list[dict[str, object]] = []
        for hit in project.search.find(text, layer=Layer(layer), limit=limit, filters=filters, viewer=by):
            row: dict[str, object] = {
                "id": hit.external_id,
                "source": hit.source,
                "stage": hit.stage.value,
                "message": hit.message,
                "start": hit.start,
                "end": hit.end,
            }
            rows.append({**row, "text": hit.text} if show_text else row)
        if as_json:
            output.json({"hits": rows})
        else:
            _show(rows, show_text)
        output.flush()
        _index(project)
    return 0


def _index(project: Project) -> None:
    """Make the index for later searches, as far as the time goes. Nothing is lost by stopping it, or by its failing."""
    from workbench.words import gettext

    steps = project.search.index.build()
    words = gettext(N_("indexing for the next searches (Ctrl+C stops it; nothing is lost)"))
    until = time.monotonic() + INDEX_SECONDS
    with contextlib.suppress(WorkbenchError, KeyboardInterrupt), diagnostics.busy(words):
        for _ in steps:
            if time.monotonic() > until:
                break


def _show(rows: list[dict[str, object]], show_text: bool) -> None:
    from workbench.words import gettext

    if not rows:
        output.say(N_("not found"))
        return
    heads = [N_("dialogue"), N_("source"), N_("stage"), N_("message"), *([N_("text")] if show_text else [])]
    output.table(
        [gettext(head) for head in heads],
        [
            (
                r["id"],
                r["source"],
                label(str(r["stage"])),
                int(str(r["message"])) + 1,
                *([r["text"]] if show_text else []),
            )
            for r in rows
        ],
    )


command = search
