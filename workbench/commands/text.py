"""`workbench text`: filters on JSON lines. No project is opened, and nothing but the line at hand is kept."""

from __future__ import annotations

import click

from curation.errors import N_
from curation.settings import Script
from workbench.commands import COMMANDS
from workbench.options import Family, lang_option, option, part


@click.group("text", cls=Family, short_help=COMMANDS["text"], help="")
@lang_option
def command() -> None:
    """Filters on JSON lines."""


command.example = """\
echo '{"id": 1, "text": "我的微信是 abc_1234"}' | workbench text pii
workbench text normalize < in.jsonl > out.jsonl"""
_LINES = N_(
    'Reads JSON lines, {"id", "text"} or {"id", "messages": [{"speaker", "text"}]}, from standard input and writes one '
    "line for each to standard output. Offsets are indices of Python strings."
)


@part(
    command,
    "pii",
    N_("Find identifiers in text."),
    """echo '{"id": 1, "text": "电话 13912345678"}' | workbench text pii""",
    _LINES,
)
def pii() -> int:
    """Write the spans of identifiers in each line."""
    from workbench.filters import identifiers, run

    return run(identifiers)


@part(
    command,
    "normalize",
    N_("Normalise text, without flattening how it is said."),
    """echo '{"id": 1, "text": "１２點見"}' | workbench text normalize --script simplified""",
    _LINES,
)
@option(
    "--script",
    type=click.Choice(["simplified", "traditional", "keep"]),
    default="simplified",
    help=N_("Which script the text is put in (simplified)."),
)
def normalize(script: Script) -> int:
    """Write each line's text, normalised, with the edits that made it so."""
    from workbench.filters import normaliser, run

    return run(normaliser(script))
