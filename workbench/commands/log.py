"""`workbench log`: what was done by whom, and how to take something back."""

from __future__ import annotations

from pathlib import Path

import click

from curation.errors import N_
from curation.work import LogLine
from workbench import diagnostics, output, screeningwords
from workbench.labels import label
from workbench.options import as_option, command, json_option, misused, opened, option, project_argument
from workbench.reviewing import facts


@command(
    "log",
    "workbench log chats.workbench --limit 20\nworkbench log chats.workbench --undo 42",
    N_("What the blind still hides is shown as `sealed`. Taking something back is an entry of the log itself."),
)
@project_argument
@option("--dialogue", metavar="ID", help=N_("Only what is about this dialogue."))
@option("--limit", metavar="N", type=click.IntRange(0), default=0, help=N_("Only the last N entries; 0: all."))
@option("--undo", "ref", metavar="REF", help=N_("Take back the entry of this name (first column)."))
@as_option
@json_option
def log(path: Path, dialogue: str | None, limit: int, ref: str | None, by: str, as_json: bool) -> int:
    """Print the log, oldest first, or take one entry back."""
    if ref is not None and dialogue is not None:
        raise misused(N_("--undo names an entry; --dialogue does not go with it"))
    with opened(path, by, curator=ref is not None) as project:
        if ref is not None:
            left = project.history.undo(ref, by)
            if as_json:
                output.json({"undone": ref, "left": left})
            else:
                output.say(N_("taken back: {ref}"), ref=ref)
            if left:
                diagnostics.note(
                    N_(
                        "not for {count} of its dialogues, whose originals were destroyed (first {id}): undo ends there;"
                        " for all others"
                    ),
                    count=len(left),
                    id=left[0],
                )
            return int(bool(left))
        lines = list(project.history.lines(by, dialogue, limit))
    if as_json:
        output.json({"entries": lines})
    else:
        show_lines(lines)
    return 0


def show_lines(lines: list[LogLine]) -> None:
    """Print entries of the log as a table."""
    from workbench.words import gettext

    heads = [N_("entry"), N_("when"), N_("who"), N_("what"), N_("dialogue"), N_("facts")]
    output.table([gettext(head) for head in heads], [(*_row(line), facts_of(line)) for line in lines])


def _row(line: LogLine) -> tuple[str, ...]:
    return line.ref, line.at[:19].replace("T", " "), line.by, label(line.kind), line.dialogue


def facts_of(line: LogLine) -> str:
    """What an entry says, in one short line."""
    from workbench.words import gettext

    parts = [gettext(N_("sealed"))] if line.sealed else []
    parts += [gettext(N_("taken back"))] if line.undone else []
    told = None
    if not line.sealed:
        told = facts(line.kind, line.facts)
        told = screeningwords.facts(line.kind, line.facts) if told is None else told
    if told is not None:
        return "; ".join([*parts, told] if told else parts)
    for name, value in line.facts.items():
        if isinstance(value, dict):
            value = ", ".join(f"{k} {v}" for k, v in value.items() if not isinstance(v, dict | list))
        if isinstance(value, list) or value in ("", None):
            continue
        parts.append(f"{name}: {value}")
    return "; ".join(parts)


command = log
