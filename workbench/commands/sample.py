"""`workbench sample`: which dialogues are answered and scored."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.errors import N_, BadInput
from workbench import diagnostics, output
from workbench.options import as_option, command, json_option, misused, opened, option, project_argument

if TYPE_CHECKING:
    from curation.work.asking import Sample
    from db.project import Project

_WIDEST = 40


@command(
    "sample",
    "workbench sample chats.workbench --n 312 --seed 7 --dry-run\n"
    "workbench sample chats.workbench --n 312 --seed 7\n"
    "workbench sample chats.workbench --extend 60",
    N_(
        "Balanced over the situations: equal shares, and a rare situation gives all it has. The same dialogues, seed and"
        " number give the same sample everywhere. Near duplicates are drawn whole or not at all. Without --n it shows the"
        " sample there is."
    ),
)
@project_argument
@option("--n", "count", metavar="N", type=click.IntRange(1), help=N_("How many dialogues to draw."))
@option("--seed", metavar="N", type=int, help=N_("What decides by chance; the same seed, the same sample."))
@option("--stage", type=click.Choice(["approved", "agreed"]), help=N_("From which dialogues; approved when not given."))
@option("--by", "strata", metavar="dialect,length", default="", help=N_("Balance these too, within each situation."))
@option("--exclude", metavar="FILE|ID", multiple=True, help=N_("Leave these out: an id, or a file with one a line."))
@option(
    "--extend",
    "more",
    metavar="N",
    type=click.IntRange(1),
    help=N_("Draw N more than there are; what is in the sample stays."),
)
@option("--dry-run", "dry", is_flag=True, help=N_("Show what would be drawn and draw nothing."))
@as_option
@json_option
def sample(
    path: Path,
    count: int | None,
    seed: int | None,
    stage: str | None,
    strata: str,
    exclude: tuple[str, ...],
    more: int | None,
    dry: bool,
    by: str,
    as_json: bool,
) -> int:
    """Draw it, extend it, or show it."""
    if more is not None and (count is not None or seed is not None or stage is not None or strata):
        raise misused(N_("--extend goes by the seed, the stage and the strata of the sample there is"))
    if (count is None) != (seed is None):
        raise misused(N_("a sample is drawn by --n and --seed together"))
    drawing = count is not None or more is not None
    if not drawing and (stage is not None or strata or exclude or dry):
        raise misused(N_("a sample is drawn by --n and --seed together"))
    names = tuple(name.strip() for name in strata.split(",") if name.strip())
    with opened(path, by, curator=True) as project:
        left_out = _excluded(exclude)
        new = 0
        if more is not None:
            known = project.samples.get()
            added = project.samples.more(more, exclude=left_out)
            if dry:
                from dataclasses import replace

                found = replace(known, items=known.items + added.items)
            else:
                found = project.samples.extend(more, by, exclude=left_out)
            new = found.n - known.n
        elif count is not None and seed is not None:
            if dry:
                found = project.samples.plan(count, seed, stage=stage or "approved", by=names, exclude=left_out)
                new = found.n
            else:
                found, fresh = project.samples.fix(
                    count, seed, by, stage=stage or "approved", by=names, exclude=left_out
                )
                new = found.n if fresh else 0
        else:
            found = project.samples.get()
        if as_json:
            output.json(_figures(project, found, new, dry))
        else:
            _show(found, new, dry, extended=more is not None)
        wanted = more if more is not None else count
        if count is not None and not new:
            diagnostics.note(N_("this sample was drawn before; nothing changed"))
        elif wanted is not None and new < wanted:
            diagnostics.note(N_("only {count} could be drawn: there are no more"), count=new)
    return 0


def _excluded(given: Iterable[str]) -> list[str]:
    names: list[str] = []
    for one in given:
        file = Path(one)
        if not file.is_file():
            names.append(one)
            continue
        try:
            names += [line.strip() for line in file.read_text("utf-8-sig").splitlines() if line.strip()]
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(
                N_("{file}: cannot be read ({reason}); check the name and the permissions"),
                code="unreadable",
                file=file,
                reason=getattr(error, "strerror", None) or error,
            ) from None
    return names


def _figures(project: Project, found: Sample, new: int, dry: bool) -> dict[str, object]:
    ambiguous = project.dialogues.ambiguous()
    return {
        "seed": found.seed,
        "n": found.n,
        "by_situation": found.by_situation,
        "ids": [
            f"{item.source}:{item.external_id}" if item.external_id in ambiguous else item.external_id
            for item in found.items
        ],
        "stage": found.stage,
        "by": found.by,
        "strata": _strata(found),
        "drawn": new,
        "dry_run": dry,
    }


def _strata(found: Sample) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {name: {} for name in found.by}
    for item in found.items:
        for name, value in item.strata.items():
            counts[name][value] = counts[name].get(value, 0) + 1
    return {name: dict(sorted(values.items())) for name, values in counts.items()}


def _show(found: Sample, new: int, dry: bool, *, extended: bool) -> None:
    from curation.taxonomy import taxonomy
    from screens.locale import language
    from screens.names import dialect
    from workbench.words import gettext, safe

    output.say(
        N_("dialogues in the sample: {count} (seed {seed}, from those {stage})"),
        count=found.n,
        seed=found.seed,
        stage=gettext(found.stage),
    )
    counts = found.by_situation
    names = {
        s.id: f"{s.family.en if language() == 'en' else s.family.zh}  {s.name(language())}"
        for s in taxonomy().situations
    }
    _bars(
        [(names.get(name, safe(name)), counts.get(name, 0)) for name in [*names, *sorted(set(counts) - set(names))]],
        found.n,
    )
    for name, values in _strata(found).items():
        output.line()
        output.line(gettext({"dialect": N_("by dialect"), "length": N_("by length")}[name]))
        words = {"short": N_("up to 10 turns"), "medium": N_("11 to 20 turns"), "long": N_("over 20 turns")}
        order = list(words) if name == "length" else list(values)
        _bars(
            [(gettext(words[v]) if name == "length" else dialect(v), values.get(v, 0)) for v in order if v in values],
            found.n,
        )
    if dry:
        output.say(N_("nothing was drawn; without --dry-run it is"))
    elif extended:
        output.say(N_("drawn now: {new} more, {count} in all"), new=new, count=found.n)
    elif new:
        output.say(N_("drawn now: {count}"), count=new)


def _bars(rows: list[tuple[str, int]], total: int) -> None:
    """A bar a row, with its count and its share of the whole."""
    widest = max((output.width(name) for name, _ in rows), default=0)
    most = max((count for _, count in rows), default=0) or 1
    for name, count in rows:
        bar = "█" * round(_WIDEST * count / most) or ("▏" if count else "")
        share = f"{count / total:.1%}" if total else "-"
        output.line(f"{name}{' ' * (widest - output.width(name))}  {count:>4}  {share:>6}  {bar}".rstrip())


command = sample
