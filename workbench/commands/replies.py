"""`workbench replies`: what systems wrote elsewhere, back into the project; what is flagged in it, and letting that pass."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.errors import N_, WorkbenchError
from curation.work.asking import MODES
from workbench import diagnostics, output
from workbench.commands.decisions import tell_refused
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

if TYPE_CHECKING:
    from curation.model import Refusal
    from db.answers import Taken
    from db.project import Project

_FIGURES = ("new", "known", "replaced", "refused", "flagged")


@command(
    "replies",
    "workbench replies chats.workbench results.jsonl --system gpt-4o\n"
    "workbench replies chats.workbench table.csv --system gpt-4o --mode direct\n"
    "workbench replies chats.workbench --system gpt-4o --waive too_long --reason '两个字以内'\n"
    "workbench replies chats.workbench --measures --json",
    N_(
        "Takes plain JSON lines, results of batch services, chat completions and CSV. Broken JSON is mended where it can be"
        " read in one way only, and refused with its line otherwise. Nothing that is flagged is scored before a curator lets"
        " it pass."
    ),
)
@project_argument
@argument("files", metavar="[FILE…]", nargs=-1, type=click.Path(path_type=Path), help=N_("What a system wrote."))
@option("--system", metavar="NAME", help=N_("Whose replies they are."))
@option("--mode", type=click.Choice(MODES), help=N_("In which mode, where the answers do not say it."))
@option("--replace", is_flag=True, help=N_("Take them instead of other replies that stand already."))
@option("--encoding", metavar="NAME", help=N_("Character encoding of the files; found out when not given."))
@option("--waive", metavar="FLAG,…", help=N_("Let these flags pass (`all`: whatever is flagged; `missing`: no reply)."))
@option("--dialogue", "names", metavar="ID", multiple=True, help=N_("Only of this dialogue, with --waive."))
@option("--reason", metavar="TEXT", help=N_("Why they may pass."))
@option("--measures", is_flag=True, help=N_("Measure the texts: length, diversity, entropy, richness, similarity."))
@option(
    "--embeddings",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=N_("Vectors made elsewhere, for similarity: JSON lines of text and vector."),
)
@as_option
@json_option
def replies(
    path: Path,
    files: tuple[Path, ...],
    system: str | None,
    mode: str | None,
    replace: bool,
    encoding: str | None,
    waive: str | None,
    names: tuple[str, ...],
    reason: str | None,
    measures: bool,
    embeddings: Path | None,
    by: str,
    as_json: bool,
) -> int:
    """Take them in, let flags pass, or measure."""
    if sum((bool(files), waive is not None, measures)) != 1:
        raise misused(N_("give files to take in, or --waive, or --measures"))
    if (files or waive is not None) and system is None:
        raise misused(N_("say whose replies they are: --system NAME"))
    if (replace or encoding) and not files:
        raise misused(N_("--replace and --encoding go with files"))
    if (names or reason) and waive is None:
        raise misused(N_("--dialogue and --reason go with --waive"))
    if embeddings is not None and not measures:
        raise misused(N_("--embeddings goes with --measures"))
    with opened(path, by, curator=True) as project:
        if measures:
            from workbench.measuring import show_measures

            return show_measures(project, system, mode, embeddings, as_json)
        assert system is not None
        project.systems.get(system)
        if waive is not None:
            return _waive(project, system, mode, waive, names, reason, by, as_json)
        return _take(project, files, system, mode, replace, encoding, by, as_json)


def _take(
    project: Project,
    files: tuple[Path, ...],
    system: str,
    mode: str | None,
    replace: bool,
    encoding: str | None,
    by: str,
    as_json: bool,
) -> int:
    from curation.replies import read

    total: Counter[str] = Counter()
    flags: Counter[str] = Counter()
    mended: Counter[str] = Counter()
    told: list[dict[str, Any]] = []
    failed = False
    for file in files:
        try:
            not_itself(project.path, file)
            written = diagnostics.counted(read(file, encoding=encoding), file.name)
            taken = project.replies.take(written, system, by, file=file.name, mode=mode, replace=replace)
        except WorkbenchError as error:
            diagnostics.report(error)
            told.append({"file": file.name, "error": str(error), "code": error.code})
            failed = True
            continue
        report = taken.report
        total.update({name: getattr(report, name) for name in _FIGURES})
        flags.update(report.flags)
        mended.update(report.mended)
        place = tell_refused(project.path, file, list(taken.refused))
        told.append({"file": file.name, **_counts(taken), "lines": _lines(taken.refused), "rejects": place})
        failed = failed or bool(taken.refused)
    ready = project.replies.ready(system)
    if as_json:
        figures = {name: total[name] for name in _FIGURES}
        output.json({**figures, "flags": flags, "mended": mended, "ready": ready, "files": told})
    else:
        _show(total, flags, mended)
        covered = [one for one in project.replies.covered() if one.system == system]
        for one in covered:
            output.say(
                N_("{mode}: {complete} of {of} complete, {flagged} flagged, {missing} absent"),
                mode=one.mode,
                complete=one.complete,
                of=one.of,
                flagged=one.flagged,
                missing=one.missing,
            )
    return int(failed)


def _counts(taken: Taken) -> dict[str, int]:
    return {name: getattr(taken.report, name) for name in _FIGURES}


def _lines(refused: tuple[Refusal, ...]) -> list[dict[str, object]]:
    return [{"line": one.line, "code": one.code, "reason": one.reason} for one in refused]


def _show(total: Counter[str], flags: Counter[str], mended: Counter[str]) -> None:
    from curation.replies import FLAGS, MENDED
    from workbench.words import gettext

    output.say(
        N_("new: {new}, known already: {known}, replaced: {replaced}, refused: {refused}"),
        **{name: total[name] for name in ("new", "known", "replaced", "refused")},
    )
    if flags:
        output.line()
        rows = [(count, code, gettext(FLAGS.get(code, ""))) for code, count in flags.most_common()]
        output.table([gettext(N_("flagged")), gettext(N_("code")), gettext(N_("what is flagged"))], rows)
    if mended:
        output.line()
        rows = [(count, code, gettext(MENDED.get(code, ""))) for code, count in mended.most_common()]
        output.table([gettext(N_("mended")), gettext(N_("code")), gettext(N_("what was put right"))], rows)
    if flags or mended:
        output.line()


def _waive(
    project: Project,
    system: str,
    mode: str | None,
    waive: str,
    names: tuple[str, ...],
    reason: str | None,
    by: str,
    as_json: bool,
) -> int:
    from curation.replies import FLAGS
    from curation.work.asking import MISSING

    if not reason or not reason.strip():
        raise misused(N_("say why it may pass: --reason TEXT"))
    flags = [part.strip() for part in waive.split(",") if part.strip()]
    unknown = [one for one in flags if one not in (*FLAGS, MISSING, "all")]
    if unknown or not flags:
        raise misused(
            N_("{name} is no flag; there are {known}"),
            name=unknown[0] if unknown else "",
            known=", ".join((*FLAGS, MISSING, "all")),
        )
    uids = [project.dialogues.find(name).uid for name in names] or None
    modes = [mode] if mode is not None else [m for s, m in project.replies.coverage.columns() if s == system]
    chosen = None if "all" in flags else flags
    counts = {m: project.replies.waive(by, system, m, reason, uids=uids, flags=chosen) for m in modes}
    ready = project.replies.ready(system)
    if as_json:
        output.json({"waived": counts, "ready": ready})
    else:
        output.say(N_("let pass: {count} {count:reply|replies} of {name}"), count=sum(counts.values()), name=system)
        output.say(N_("{name}: ready for scoring") if ready else N_("{name}: not ready for scoring yet"), name=system)
    return 0


command = replies
