"""`workbench import`: raw files into a project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.errors import N_, WorkbenchError
from curation.model import Dialogue, Reading, ReadWarning, Refusal
from curation.work import ImportReport, Source, Terms
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
_FIGURES = ("new", "known", "changed", "refused", "warnings")


@dataclass(frozen=True, slots=True)
class _Reading:
    """How the files are to be read."""

    format: str | None
    encoding: str | None
    self_speaker: str | None
    columns: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of one file. `error` is set when it was refused whole; `nobody` counts dialogues without a self."""

    file: str
    source: str
    report: ImportReport
    rejects: Path | None = None
    nobody: int = 0
    odd: tuple[ReadWarning, ...] = ()
    refused: tuple[Refusal, ...] = ()
    error: WorkbenchError | None = None


def _columns(_: click.Context, __: click.Parameter, value: str | None) -> dict[str, str] | None:
    if value is None:
        return None
    pairs = dict(part.split("=", 1) for part in value.split(",") if "=" in part)
    if len(pairs) != len(value.split(",")) or not all(map(str.strip, (*pairs, *pairs.values()))):
        raise misused(N_("--columns takes pairs such as id=ID,speaker=WHO,text=WHAT"))
    return {name.strip(): column.strip() for name, column in pairs.items()}


@command(
    "import",
    "workbench import chats.workbench raw.jsonl --self 我\n"
    "workbench import chats.workbench table.csv --columns id=no,speaker=who,text=what",
    N_("What is known already stays as it is: importing a file again takes in nothing."),
)
@project_argument
@argument(
    "files",
    metavar="FILE…",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path),
    help=N_("Files of raw dialogues."),
)
@option("--format", "form", metavar="FORMAT", help=N_("Read as this format instead of looking what it is."))
@option("--self", "self_speaker", metavar="NAME", help=N_("Which speaker is ours."))
@option("--encoding", metavar="NAME", help=N_("Character encoding of the files; found out when not given."))
@option("--source", metavar="NAME", help=N_("Name of the source; the file's name without its ending when not given."))
@option("--columns", metavar="id=…,speaker=…,text=…", callback=_columns, help=N_("Which column of a table is what."))
@option("--approval", metavar="TEXT", default="", help=N_("Number of the approval these dialogues came under."))
@option("--purpose", metavar="TEXT", default="", help=N_("What they may be used for."))
@option("--until", metavar="DATE", default="", help=N_("Last day they may be used (YYYY-MM-DD)."))
@as_option
@json_option
def take(
    path: Path,
    files: tuple[Path, ...],
    form: str | None,
    self_speaker: str | None,
    encoding: str | None,
    source: str | None,
    columns: dict[str, str] | None,
    approval: str,
    purpose: str,
    until: str,
    by: str,
    as_json: bool,
) -> int:
    """Import the files one by one; a file refused whole does not keep the others out."""
    reading = _Reading(form, encoding, self_speaker, columns)
    terms = Terms(approval, purpose, _date(until))
    with opened(path, by, curator=True) as project:
        outcomes = [
            _import(project, file, Source(source or file.stem, terms), reading, by) for file in dict.fromkeys(files)
        ]
    for outcome in outcomes:
        _tell(outcome)
    sums = {name: sum(getattr(o.report, name) for o in outcomes) for name in _FIGURES}
    if as_json:
        output.json(
            {**sums, "files_refused": sum(bool(o.error) for o in outcomes), "files": [*map(_as_json, outcomes)]}
        )
    else:
        _show(outcomes, sums)
    return int(any(o.error or o.report.refused for o in outcomes))


def _date(text: str) -> str:
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise misused(N_("--until takes a date such as 2027-12-31")) from None


def _import(project: Project, file: Path, source: Source, how: _Reading, by: str) -> _Outcome:
    from curation.readers import read

    nobody = 0
    odd: list[ReadWarning] = []
    refused: list[Refusal] = []

    def watched(readings: Iterator[Reading]) -> Iterator[Reading]:
        nonlocal nobody
        for reading in diagnostics.counted(readings, file.name):
            if isinstance(reading, Refusal):
                rejects.add(reading)
                refused.extend([reading] if len(refused) < _TOLD else [])
            elif isinstance(reading, ReadWarning):
                odd.append(reading)
            elif isinstance(reading, Dialogue) and reading.self_speaker is None:
                nobody += 1
            yield reading

    with Rejects(project.path, file) as rejects:
        try:
            not_itself(project.path, file)
            readings = read(
                file,
                format=how.format,
                encoding=how.encoding,
                self_speaker=how.self_speaker,
                columns=how.columns,
            )
            report = project.dialogues.take(watched(iter(readings)), source, by)
        except WorkbenchError as error:
            if error.exit_status == 2:
                raise
            return _Outcome(str(file), source.name, ImportReport(0, 0, 0, 0, 0, 0), error=error)
        if not report.new + report.changed:
            nobody = 0
            if source.terms.as_dict():
                diagnostics.note(
                    N_(
                        "{file}: nothing new came in, so the terms are noted nowhere: they belong to what they came with"
                    ),
                    file=file.name,
                )
        return _Outcome(str(file), source.name, report, rejects.keep(), nobody, tuple(odd[:_TOLD]), tuple(refused))


def _tell(outcome: _Outcome) -> None:
    from workbench.words import reason

    name = Path(outcome.file).name
    if outcome.error is not None:
        diagnostics.report(outcome.error, about="" if "file" in outcome.error.params else outcome.file)
    for one in outcome.odd:
        diagnostics.note(N_("{file}: warning: {reason}"), file=name, reason=reason(one))
    for refusal in outcome.refused:
        diagnostics.note(N_("{file}, line {line}: {reason}"), file=name, line=refusal.line, reason=reason(refusal))
    if outcome.rejects is not None:
        diagnostics.note(
            N_("{file}: {count} refused; which, and why, is in {place}"),
            file=name,
            count=outcome.report.refused,
            place=outcome.rejects,
        )
    if outcome.nobody:
        diagnostics.note(
            N_(
                "{file}: in {count} {count:dialogue|dialogues} nobody says which speaker is ours; import again with --self NAME"
            ),
            file=name,
            count=outcome.nobody,
        )


def _as_json(outcome: _Outcome) -> dict[str, Any]:
    shown: dict[str, Any] = {"file": outcome.file, "source": outcome.source, **asdict(outcome.report)}
    shown["rejects"] = outcome.rejects
    shown["noticed"] = [{"line": one.line, "code": one.code, "reason": one.reason} for one in outcome.odd]
    shown["error"] = outcome.error.code if outcome.error else None
    return shown


def _show(outcomes: list[_Outcome], sums: Mapping[str, int]) -> None:
    from workbench.words import gettext

    heads = [gettext(h) for h in (N_("file"), N_("new"), N_("known"), N_("changed"), N_("refused"), N_("warnings"))]
    rows: list[list[object]] = [
        [Path(o.file).name, *(["-"] * 5 if o.error else [getattr(o.report, name) for name in _FIGURES])]
        for o in outcomes
    ]
    if len(outcomes) > 1:
        rows.append([gettext(N_("together")), *sums.values()])
    output.table(heads, rows)


command = take
