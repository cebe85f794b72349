"""`workbench text`: filters on JSON lines. No project is opened, and nothing but the line at hand is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from curation.errors import N_
from curation.settings import Script
from workbench import output
from workbench.commands import COMMANDS
from workbench.options import Family, json_option, lang_option, option, part


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
    """\
echo '{"id": 1, "text": "电话 13912345678"}' | workbench text pii
workbench text pii --eval labelled.jsonl""",
    _LINES,
)
@option(
    "--eval",
    "gold",
    metavar="GOLD",
    type=click.Path(path_type=Path),
    help=N_("Say how well it finds what people labelled in this file, and read no standard input."),
)
@json_option
def pii(gold: Path | None, as_json: bool) -> int:
    """Write the spans of identifiers in each line, or how well they are found."""
    from workbench.filters import identifiers, run

    if gold is None:
        return run(identifiers)
    from workbench.evaluation import evaluated, show

    figures, bad = evaluated(gold)
    if as_json:
        output.json({**figures, "bad_lines": bad})
    else:
        show(figures)
    return int(bool(bad or figures["not_scanned"]))


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


@part(
    command,
    "dialect",
    N_("Say which dialect text is in, and the words that show it."),
    """echo '{"id": 1, "text": "你在爪子嘛"}' | workbench text dialect""",
    _LINES,
)
def dialect() -> int:
    """Write each line's dialect, how sure that is, and the words that say so."""
    from curation.dialects import LIMITS, limits
    from workbench import diagnostics
    from workbench.filters import run

    for code in limits():
        diagnostics.note(LIMITS[code])
    return run(dialects)


def dialects(texts: Sequence[tuple[str, str]], several: bool) -> dict[str, Any]:
    """The filter's answer: the tag of the one text, or of every message and of the dialogue they make."""
    from curation.dialects import identify

    found = identify([text for _, text in texts])
    messages = [
        {
            "dialect": one.tag,
            "confidence": one.confidence,
            "evidence": [
                {"start": e.start, "end": e.end, "word": e.word, "dialect": e.dialect, "gloss": e.gloss}
                for e in one.evidence
            ],
        }
        for one in found.messages
    ]
    return {"dialect": found.tag, "confidence": found.confidence, "messages": messages} if several else messages[0]
