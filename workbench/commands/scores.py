"""`workbench scores`: what the scores amount to, system by system; and the end of scoring."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curation.errors import N_
from workbench import diagnostics, output
from workbench.figures import number
from workbench.options import argument, as_option, command, json_option, opened, project_argument
from workbench.scoringfigures import dimension

if TYPE_CHECKING:
    from curation.scoring.means import Mean
    from curation.scoring.preference import Wins
    from curation.scoring.signs import Signs
    from curation.scoring.table import Compared, Table
    from curation.statistics.figures import Statistic
    from db.project import Project

_WARNINGS = {
    "straight": N_("one score for the whole process, nearly always"),
    "run": N_("many items in a row scored alike"),
    "favourite": N_("one score nearly always"),
    "hasty": N_("items closed within five seconds"),
    "side": N_("leans to one side"),
}


@command(
    "scores",
    "workbench scores chats.workbench table --json\n"
    "workbench scores chats.workbench compare\n"
    "workbench scores chats.workbench signs\n"
    "workbench scores chats.workbench end",
    N_(
        "table: the mean of every dimension, and how often the CoT reply won, a row a system. compare: systems against each"
        " other. signs: how people scored, for the lead. end: no more scores, and what the codes stood for is open to all."
    ),
)
@project_argument
@argument(
    "action",
    metavar="table|compare|signs|end",
    type=click.Choice(["table", "compare", "signs", "end"]),
    help=N_("What to print, or to end the scoring."),
)
@as_option
@json_option
def scores(path: Path, action: str, by: str, as_json: bool) -> int:
    """Print it."""
    with opened(path, by, curator=action in ("signs", "end")) as project:
        if action == "end":
            done = project.scoring.end(by)
            if as_json:
                output.json({"ended": done})
            else:
                output.say(N_("the scoring is ended") if done else N_("the scoring was ended before"))
            return 0
        project.judged.check(by)
        with diagnostics.busy(path.name):
            found = _made(project, action)
        if as_json:
            output.json(_json(found))
        else:
            _SHOW[action](found)
    return 0


def _made(project: Project, action: str) -> Any:
    from curation.scoring.signs import signs
    from curation.scoring.table import compared, table

    judgements = project.judged.judgements()
    if action == "signs":
        return signs(judgements, project.judged.gold())
    settings = project.judged.settings()
    if action == "compare":
        return compared(judgements, settings)
    return table(judgements, settings, project.judged.prevalence(), project.judged.experts())


def _json(found: Any) -> dict[str, Any]:
    from curation.scoring.table import Table

    if isinstance(found, list):
        return {"signs": found}
    if not isinstance(found, Table):
        return {
            "differences": found.differences,
            "flips": found.flips,
            "ranks": [{**output.plain(one), "moved": one.moved} for one in found.ranks],
        }
    return {
        "systems": {
            row.system: {
                **{name: {**output.plain(one.plain), **_beside(one)} for name, one in row.means.items()},
                "cot_win_rate": row.wins.by_judgement,
                "wins": row.wins,
                "expert": row.expert,
                "best": row.best,
                "below_half": row.below_half,
            }
            for row in found.rows
        },
        "preference": found.preference,
        "guessed": found.guessed,
        "people": found.people,
        "dialogues": found.dialogues,
        "judgements": found.judgements,
        "ablations": found.ablations,
    }


def _beside(one: Mean) -> dict[str, Any]:
    return {"balanced": one.balanced, "prevalence": one.prevalence, "shares": one.shares}


# -- words


def _show_table(found: Table) -> None:
    from curation.work.scoring import DIMENSIONS
    from workbench.words import gettext

    if not found.rows:
        output.say(N_("nothing is scored yet; `workbench assign PROJECT scoring` hands it out"))
        return
    heads = [gettext(N_("system")), *map(dimension, DIMENSIONS), gettext(N_("CoT wins")), gettext(N_("items"))]
    rows = []
    for row in found.rows:
        cells = [number(row.means[name].plain.value, 2) + ("*" if name in row.best else " ") for name in DIMENSIONS]
        rows.append((row.system, *cells, _rate(row.wins, below=row.below_half), row.means["motivation"].plain.n_items))
    output.table(heads, rows)
    output.say(N_("* best of all; ! less than half; means over items, each the mean of its annotators"))
    output.line()
    names = ("understanding", "strategy_use", "process", "reply_both")
    output.table(
        [
            gettext(N_("system")),
            *(cell for name in names for cell in (dimension(name), gettext(N_("low")), gettext(N_("high")))),
        ],
        [
            (
                row.system,
                *(
                    number(value, 2)
                    for name in names
                    for value in (
                        row.means[name].plain.value,
                        row.means[name].plain.low,
                        row.means[name].plain.high,
                    )
                ),
            )
            for row in found.rows
        ],
    )
    output.line()
    heads = [
        N_("CoT wins"),
        N_("share"),
        N_("low"),
        N_("high"),
        N_("by score"),
        N_("by force"),
        N_("dialogues"),
        N_("same text"),
    ]
    output.table([gettext(head) for head in heads], [_win_row(row.system, row.wins) for row in found.rows])
    output.say(
        N_("agreement on the better reply: alpha {alpha}, {percent} of pairs of people agree"),
        alpha=number(found.preference["krippendorff_alpha"].value),
        percent=_percent(found.preference["percent_agreement"]),
    )
    if found.guessed.value is not None:
        output.say(
            N_("the CoT reply was guessed in {share} of {count} ({low} to {high}); one half is chance"),
            share=_percent(found.guessed),
            count=found.guessed.n_items,
            low=number(found.guessed.low),
            high=number(found.guessed.high),
        )


def _rate(won: Wins, *, below: bool) -> str:
    return _percent(won.by_judgement) + ("!" if below else " ")


def _percent(one: Statistic) -> str:
    return "-" if one.value is None else f"{one.value:.1%}"


def _win_row(system: str, won: Wins) -> tuple[object, ...]:
    share = won.by_judgement
    return (
        system,
        _percent(share),
        number(share.low),
        number(share.high),
        "{}/{}".format(*won.by_score),
        "{}/{}".format(*won.by_force),
        _percent(won.by_dialogue),
        won.same_text,
    )


def _show_compared(found: Compared) -> None:
    from workbench.words import gettext

    heads = [N_("systems"), N_("in"), N_("difference"), N_("low"), N_("high"), N_("dialogues"), N_("p"), N_("p (Holm)")]
    output.table(
        [gettext(head) for head in heads],
        [
            (
                f"{one.one} - {one.other}",
                dimension(one.dimension),
                number(one.difference, 2),
                number(one.low, 2),
                number(one.high, 2),
                one.n,
                number(one.p, 4),
                number(one.adjusted, 4),
            )
            for one in found.differences
        ],
    )
    output.line()
    for one in found.ranks:
        output.say(N_("{dimension}: {order}"), dimension=dimension(one.dimension), order=" > ".join(one.order))
        for person, order in one.without.items():
            if order != one.order:
                output.say(N_("  without {name}: {order}"), name=person, order=" > ".join(order))


def _show_signs(found: list[Signs]) -> None:
    from workbench.words import gettext

    heads = [
        N_("name"),
        N_("items"),
        N_("straight"),
        N_("run"),
        N_("seconds"),
        N_("Reply 1"),
        N_("repeated"),
        N_("gold"),
        N_("guessed"),
        N_("late"),
        N_("look at"),
    ]
    output.table(
        [gettext(head) for head in heads],
        [
            (
                one.person,
                one.items,
                number(one.straight, 2),
                one.run,
                number(one.seconds, 0),
                _percent(one.first),
                _percent(one.repeated),
                _percent(one.gold),
                _percent(one.guessed),
                one.late,
                "; ".join(gettext(_WARNINGS[name]) for name in one.warnings),
            )
            for one in found
        ],
    )


_SHOW: dict[str, Any] = {"table": _show_table, "compare": _show_compared, "signs": _show_signs}
command = scores
