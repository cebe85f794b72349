"""`workbench search`: where a text stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.errors import N_, RefusedStep
from curation.layers import Layer
from workbench import output
from workbench.labels import label
from workbench.masking import masked, sees_all
from workbench.options import argument, as_option, command, json_option, opened, option, project_argument

if TYPE_CHECKING:
    from db.project import Project
    from db.search import Hit


@command(
    "search",
    'workbench search chats.workbench "太准时" --show-text',
    N_("TEXT is found as it is written. Without --show-text no text of a dialogue gets into the terminal's history."),
)
@project_argument
@argument("text", metavar="TEXT", help=N_("What to look for, as it is written."))
@option("--layer", type=click.Choice([layer.value for layer in Layer]), default="raw", help=N_("In which text (raw)."))
@option("--limit", metavar="N", type=click.IntRange(0), default=50, help=N_("Most places to show; 0: all (50)."))
@option("--show-text", is_flag=True, help=N_("Print the messages too."))
@as_option
@json_option
def search(path: Path, text: str, layer: str, limit: int, show_text: bool, by: str, as_json: bool) -> int:
    """Print the places; finding nothing is done, too."""
    with opened(path, by) as project:
        rows: list[dict[str, object]] = []
        for hit, message in _seen(project, text, Layer(layer), by):
            if limit and len(rows) >= limit:
                break
            row: dict[str, object] = {
                "id": hit.stored.external_id,
                "source": hit.stored.source,
                "stage": hit.stored.stage.value,
                "message": hit.message,
                "start": hit.start,
                "end": hit.end,
            }
            rows.append({**row, "text": message} if show_text else row)
    if as_json:
        output.json({"hits": rows})
    else:
        _show(rows, show_text)
    return 0


def _seen(project: Project, text: str, layer: Layer, viewer: str) -> Iterator[tuple[Hit, str]]:
    """The hits that `viewer` may know of, each with its message as they may see it.

    What is masked for someone cannot be found by them either: finding it would be a way to guess it.
    """
    if sees_all(project, viewer):
        yield from ((hit, hit.text) for hit in project.search.find(text, layer=layer))
        return
    if layer is not Layer.RAW:
        raise RefusedStep(N_("only a curator searches this layer; search the raw one, masked"), code="not_a_curator")
    for hit in project.search.find(text, layer=layer):
        hidden = any(m == hit.message and s < hit.end and hit.start < e for m, s, e, _ in hit.masked)
        if not hidden:
            yield hit, masked(hit.message, hit.text, hit.masked)


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
