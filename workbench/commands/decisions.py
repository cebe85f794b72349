"""`workbench decisions`: decisions made elsewhere, in and out, as JSON lines."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from curation.errors import N_, BadInput
from curation.model import Refusal
from workbench import diagnostics, output
from workbench.options import (
    argument,
    as_option,
    command,
    json_option,
    misused,
    not_itself,
    opened,
    option,
    project_argument,
)
from workbench.rejects import Rejects

if TYPE_CHECKING:
    from db.project import Project

_TOLD = 20
_STREAM = Path("-")


@command(
    "decisions",
    "workbench decisions chats.workbench import answers.jsonl --by 小林\n"
    "workbench decisions chats.workbench export decisions.jsonl",
    N_("What is refused is refused by line, and the rest is kept; a line known already changes nothing."),
)
@project_argument
@argument(
    "action",
    metavar="import|export",
    type=click.Choice(["import", "export"]),
    help=N_("Take decisions in, or write them out."),
)
@argument("file", metavar="FILE", type=click.Path(path_type=Path), help=N_("A file of JSON lines."))
@option("--by", "whose", metavar="NAME", help=N_("Whose decisions lines without `by` are."))
@as_option
@json_option
def decisions(path: Path, action: str, file: Path, whose: str | None, by: str, as_json: bool) -> int:
    """Take decisions in, or give them out; FILE may be - for standard input or output."""
    if action == "export":
        if whose is not None:
            raise misused(N_("--by goes with import"))
        with opened(path, by, here=True) as project:
            return _export(project, file, by, as_json)
    with opened(path, by) as project:
        if whose is not None:
            project.people.get(whose)
        return _import(project, file, whose, by, as_json)


def _import(project: Project, file: Path, whose: str | None, by: str, as_json: bool) -> int:
    refused: list[Refusal] = []
    not_itself(project.path, file)
    try:
        with nullcontext(sys.stdin.buffer) if file == _STREAM else file.open("rb") as handle:
            lines = _lines(handle, file.name, refused)
            report = project.decisions.take(diagnostics.counted(lines, file.name), file.name, whose, actor=by)
    except OSError as error:
        raise BadInput(
            N_("{file}: cannot be read ({reason}); check the name and the permissions"),
            code="unreadable",
            file=file,
            reason=error.strerror,
        ) from None
    refused = sorted([*refused, *report.refused], key=lambda r: r.line)
    place = tell_refused(project.path, file, refused)
    if as_json:
        lines_ = [{"line": r.line, "code": r.code, "reason": r.reason} for r in refused]
        figures = {"taken": report.taken, "known": report.known, "refused": len(refused), "sealed": report.sealed}
        output.json({**figures, "flagged": report.flagged, "lines": lines_, "rejects": place})
    else:
        output.say(
            N_("taken: {taken}, known already: {known}, refused: {refused}"),
            taken=report.taken,
            known=report.known,
            refused=len(refused),
        )
    if report.sealed:
        diagnostics.note(
            N_(
                "{count} {count:line is|lines are} about answers that the blind still covers: what their people "
                "gave stays as it is"
            ),
            count=report.sealed,
        )
    if report.flagged:
        diagnostics.note(
            N_(
                "{count} {count:score is|scores are} of replies with a flag that nobody let pass, and "
                "{count:counts|count}; `workbench systems PROJECT"
                " coverage` says which"
            ),
            count=report.flagged,
        )
    return int(bool(refused))


def tell_refused(project: Path, file: Path, refused: list[Refusal]) -> Path | None:
    """Say which lines were refused and why, and keep them all in a reject file, whose path is returned."""
    from workbench.words import reason

    for one in refused[:_TOLD]:
        diagnostics.note(N_("{file}, line {line}: {reason}"), file=file.name, line=one.line, reason=reason(one))
    with Rejects(project, file) as rejects:
        for one in refused:
            rejects.add(one)
        place = rejects.keep()
    if place is not None:
        diagnostics.note(
            N_("{file}: {count} refused; which, and why, is in {place}"),
            file=file.name,
            count=len(refused),
            place=place,
        )
    return place


def _lines(handle: BinaryIO, name: str, refused: list[Refusal]) -> Iterator[tuple[int, object]]:
    """The parsed lines with their numbers; what is no JSON goes to `refused`."""
    for number, line in enumerate(handle, 1):
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode("utf-8"))
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeDecodeError:
            code, reason = "not_utf8", N_("the line is not UTF-8")
        except UnicodeEncodeError:
            code, reason = "lone_surrogate", N_("the line holds half a character (a lone surrogate)")
        except (ValueError, RecursionError):
            code, reason = "not_json", N_("the line is not JSON")
        else:
            yield number, value
            continue
        raw = line.decode("utf-8", "backslashreplace").rstrip("\r\n")
        refused.append(Refusal(name, number, code, reason, raw, reason))


def _export(project: Project, file: Path, by: str, as_json: bool) -> int:
    """Write all lines the blind does not cover. A file that is there already is left alone."""
    count = 0
    if file == _STREAM:
        for line in project.decisions.leave(by, file.name):
            output.raw(output.encoded(line))
        return 0
    try:
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as handle:
            for line in project.decisions.leave(by, file.name):
                handle.write(output.encoded(line))
                count += 1
    except FileExistsError:
        raise BadInput(N_("{path} is there already; nothing was changed"), code="exists", path=file) from None
    except OSError as error:
        raise BadInput(
            N_("{path} cannot be written ({reason})"), code="unwritable", path=file, reason=error.strerror
        ) from None
    if as_json:
        output.json({"lines": count, "file": file})
    else:
        output.say(N_("wrote {count} {count:decision|decisions} to {path}"), count=count, path=file)
    return 0


command = decisions
