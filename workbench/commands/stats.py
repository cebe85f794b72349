"""`workbench stats`: the statistics of a plain table, CSV or JSON lines. No project is opened."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.errors import N_, BadInput
from workbench import diagnostics, output
from workbench.commands import COMMANDS
from workbench.figures import figure_heads, figure_row, number
from workbench.options import Family, argument, json_option, lang_option, misused, option, part

if TYPE_CHECKING:
    from curation.statistics.agreement import Agreement
    from curation.statistics.explanation import Explanation
    from curation.statistics.ratings import Ratings
    from curation.statistics.tables import RefusedCell, Table

_TOLD = 20
_WIDEST = 12  # labels of a coincidence table that people are shown; --json has them all
_LEVELS = ("nominal", "ordinal", "interval", "ratio")
_WEIGHTS = ("identity", "linear", "quadratic", "ordinal")


@click.group("stats", cls=Family, short_help=COMMANDS["stats"])
@lang_option
def command() -> None:
    """Figures on a file of one's own."""


command.example = """\
workbench stats agreement scores.csv --level ordinal --domain 0,5,10
workbench stats ratings votes.csv --method bt"""


def _domain(_: click.Context, __: click.Parameter, value: str | None) -> list[str] | None:
    if value is None:
        return None
    labels = next(csv.reader([value], skipinitialspace=True), [])
    if not labels or not all(label.strip() for label in labels):
        raise misused(N_("--domain takes labels with commas between them, such as 0,5,10"))
    return labels


@part(
    command,
    "agreement",
    N_("How far raters agree, beyond chance, with intervals."),
    "workbench stats agreement scores.csv --level ordinal --domain 0,5,10 --json",
    N_(
        "Rows are items, columns raters, named in the first line; an empty cell is a missing rating. JSON lines hold one "
        "object a row. Kappas, pi and Brennan-Prediger are unweighted and AC2 quadratic unless weights are given."
    ),
)
@argument("file", metavar="FILE", type=click.Path(path_type=Path), help=N_("The table: CSV or JSON lines."))
@option(
    "--level",
    type=click.Choice(_LEVELS),
    required=True,
    help=N_("Level of measurement: what the distance of two labels means."),
)
@option(
    "--domain",
    metavar="LABEL,…",
    callback=_domain,
    help=N_("The labels there are, used or not; text labels lowest first."),
)
@option("--weights", type=click.Choice(_WEIGHTS), help=N_("How much a disagreement weighs."))
@option("--items", metavar="COLUMN", help=N_("Column that names what a row belongs to; intervals draw these together."))
@option("--seed", type=click.IntRange(min=0), help=N_("Seed of the intervals."))
@option("--encoding", metavar="NAME", help=N_("Encoding of the file, when it is not UTF-8."))
@option("--explain", is_flag=True, help=N_("Show the coincidence table, and what was left out and why."))
@json_option
def agreement(
    file: Path,
    level: str,
    domain: list[str] | None,
    weights: str | None,
    items: str | None,
    seed: int | None,
    encoding: str | None,
    explain: bool,
    as_json: bool,
) -> int:
    """Print every coefficient."""
    from curation.statistics.agreement import figures_of, of_histogram
    from curation.statistics.explanation import explanation
    from curation.statistics.figures import SEED, Level, Weights
    from curation.statistics.tables import ratings_of

    table = _read(file, encoding)
    found = ratings_of(table, Level(level), domain, items)
    report = of_histogram(
        found.histogram, weights=Weights(weights) if weights else None, seed=SEED if seed is None else seed
    )
    detail = explanation(found.histogram, report, len(found.refused)) if explain else None
    for odd in found.odd:
        diagnostics.report(odd, file.name)
    _tell(file, found.refused)
    if as_json:
        more = {"explain": detail} if detail else {}
        output.json({**figures_of(report), **more, "refused": _lines(found.refused)})
    else:
        _show(report)
        if detail:
            _explain(detail)
    return int(bool(found.refused))


@part(
    command,
    "ratings",
    N_("Ratings of players from battles between two."),
    "workbench stats ratings votes.csv --method bt --json",
    N_(
        "Columns left, right and label: A (left wins), B (right wins), T (both good), G (both poor); T and G count as half "
        "a win each. Rows with the same value in a column battle are votes on one battle, which counts once."
    ),
)
@argument("file", metavar="FILE", type=click.Path(path_type=Path), help=N_("The table: CSV or JSON lines."))
@option(
    "--method",
    type=click.Choice(["bt", "elo"]),
    default="bt",
    help=N_("Bradley-Terry by maximum likelihood (bt), or online Elo in the file's order (elo)."),
)
@option("--seed", type=click.IntRange(min=0), help=N_("Seed of the intervals."))
@option("--encoding", metavar="NAME", help=N_("Encoding of the file, when it is not UTF-8."))
@json_option
def ratings(file: Path, method: str, seed: int | None, encoding: str | None, as_json: bool) -> int:
    """Print the ratings, best first."""
    from curation.statistics.figures import SEED
    from curation.statistics.ratings import TIE_RULE, RatingStatus, bradley_terry, elo, tallies
    from curation.statistics.tables import votes_of

    found = votes_of(_read(file, encoding), file.name)
    with diagnostics.busy(file.name):
        made = (elo if method == "elo" else bradley_terry)(found.battles, seed=SEED if seed is None else seed)
    counts = tallies(found.votes)
    _tell(file, found.refused)
    if as_json:
        several = {"components": made.components} if len(made.components) > 1 else {}
        rows = [{**output.plain(one), **counts[one.name]} for one in made.ratings]
        output.json(
            {
                "status": made.status,
                "method": method,
                "ratings": rows,
                **several,
                "tie_rule": TIE_RULE,
                "n_battles": made.n_battles,
                "resamples": made.resamples,
                "undefined": made.undefined,
                "refused": _lines(found.refused),
            }
        )
    else:
        _show_ratings(made, counts)
    if len(made.components) > 1:
        _tell_components(made)
    return int(bool(found.refused) or made.status is RatingStatus.NOT_CONNECTED)


def _read(file: Path, encoding: str | None) -> Table:
    from curation.statistics.tables import read
    from workbench.words import reason

    table = read(file, encoding)
    for warning in table.warnings:
        diagnostics.note(N_("{file}: warning: {reason}"), file=file.name, reason=reason(warning))
    return table


def _tell(file: Path, refused: Sequence[RefusedCell]) -> None:
    """Say by line, on stderr, what was left out and why."""
    for one in refused[:_TOLD]:
        diagnostics.report(one.error, ":".join(filter(None, (file.name, str(one.line), one.column))))
    if len(refused) > _TOLD:
        diagnostics.note(N_("… and {count} more; --json lists them all"), count=len(refused) - _TOLD)
    if refused:
        diagnostics.note(N_("refused: {count}; the rest was taken"), count=len(refused))


def _lines(refused: Iterable[RefusedCell]) -> list[dict[str, Any]]:
    return [
        {"line": one.line, "column": one.column or None, "code": one.error.code, "reason": str(one.error)}
        for one in refused
    ]


def _show(report: Agreement) -> None:
    from workbench.words import gettext

    output.table(figure_heads(N_("coefficient")), [figure_row(name, one) for name, one in report.figures.items()])
    output.line()
    split = report.patterns
    names = ("full", "majority", "none")
    heads = [*figure_heads(N_("pattern"))[:-1], gettext(N_("uniform")), gettext(N_("marginal"))]
    output.table(
        heads,
        [
            (
                *figure_row(name, getattr(split, name))[:-1],
                number(split.uniform[place] if split.uniform else None),
                number(split.marginal[place] if split.marginal else None),
            )
            for place, name in enumerate(names)
        ],
    )
    output.say(
        N_(
            "patterns of items with {raters} ratings; {left_out} {left_out:item has|items have} fewer and "
            "{left_out:is|are} left out"
        ),
        raters=split.raters,
        left_out=split.left_out,
    )
    output.line()
    output.say(
        N_("level {level}, weights {weights}, of AC2 {ac2}; labels {labels}"),
        level=str(report.level),
        weights=str(report.weights),
        ac2=str(report.ac2_weights),
        labels=", ".join(report.domain[:_TOLD]) or "-",
    )
    output.say(
        N_("intervals: 95 %, bootstrap over items, {resamples} resamples, seed {seed}; patterns: Wilson"),
        resamples=report.resamples,
        seed=report.seed,
    )
    if report.engine:
        output.say(N_("alpha confirmed by {engine}"), engine=report.engine)


def _explain(detail: Explanation) -> None:
    from workbench.words import gettext

    output.line()
    shown = slice(0, _WIDEST)
    output.table(
        [gettext(N_("coincidences")), *map(_label, detail.labels[shown]), gettext(N_("total"))],
        [
            (label, *(number(n, 2) for n in line[shown]), total)
            for label, line, total in zip(detail.labels[shown], detail.coincidences[shown], detail.totals, strict=False)
        ],
    )
    if len(detail.labels) > _WIDEST:
        output.say(
            N_("… and {count} more {count:label|labels}; --json has them all"), count=len(detail.labels) - _WIDEST
        )
    output.line()
    output.table(
        [gettext(N_("items")), gettext(N_("what becomes of them"))],
        [
            (detail.paired, gettext(N_("compared: two ratings or more"))),
            (
                detail.single,
                gettext(N_("not compared: a single rating; it counts in the chances of the kappas and AC")),
            ),
            (detail.empty, gettext(N_("left out: no rating at all"))),
        ],
    )
    output.say(N_("cells or rows refused: {count}"), count=detail.refused)
    for name, count in detail.undefined.items():
        output.say(
            N_("{name}: {count} {count:resample|resamples} had no value and {count:is|are} left out"),
            name=name,
            count=count,
        )
    if detail.without:
        output.line()
        output.table(figure_heads(N_("alpha without")), [figure_row(name, one) for name, one in detail.without.items()])


def _label(label: str) -> str:
    from workbench.words import safe

    return safe(label)


def _show_ratings(made: Ratings, counts: dict[str, dict[str, int]]) -> None:
    from workbench.words import gettext

    if made.status == "no_pairs":
        output.say(N_("there is no battle"))
        return
    if made.ratings:
        heads = (N_("name"), N_("rating"), N_("low"), N_("high"), N_("battles"), N_("both good"), N_("both poor"))
        output.table(
            [gettext(head) for head in heads],
            [
                (
                    *(one.name, number(one.rating, 1), number(one.low, 1), number(one.high, 1), one.n),
                    *(counts[one.name][word] for word in ("both_good", "both_poor")),
                )
                for one in made.ratings
            ],
        )
        output.line()
        output.say(N_("T and G count as half a win each; ratings under another rule cannot be compared with these"))
        if made.undefined:
            output.say(
                N_(
                    "{count} of {resamples} resamples did not connect everyone and {count:is|are} left out: "
                    "intervals are too narrow"
                ),
                count=made.undefined,
                resamples=made.resamples,
            )


def _tell_components(made: Ratings) -> None:
    """Say who cannot be compared with whom."""
    groups = " | ".join(", ".join(group) for group in made.components)
    if made.ratings:
        reason = N_("not everyone is connected by wins: Elo of different groups cannot be compared: {groups}")
    else:
        reason = N_("no ratings: between these groups there are no battles, or one side won them all: {groups}")
    diagnostics.report(BadInput(reason, "not_connected", groups=groups))
