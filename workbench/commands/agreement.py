"""`workbench agreement`: how far people agree, from what they said before they knew of each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.errors import N_
from workbench import output
from workbench.figures import figure_heads, figure_row, number
from workbench.options import as_option, command, json_option, opened, option, project_argument
from workbench.scoringfigures import scoring_agreement, scoring_json, show_scoring

if TYPE_CHECKING:
    from curation.scoring.agreeing import Agreed
    from curation.statistics.two_raters import TwoRaters
    from curation.work.agreement import Costly, ScreeningAgreement


@command(
    "agreement",
    "workbench agreement chats.workbench --explain",
    N_(
        "Screening, on dialogues that both answered, by their first, blind answers: once on keeping or dropping, once on "
        "the situation of what both kept. Intervals are 95 %, by drawing dialogues again."
    ),
)
@project_argument
@option("--explain", is_flag=True, help=N_("Also by situation, over time, who said what, and what cost most."))
@option("--yield", "yields", is_flag=True, help=N_("Instead: what screening brought, and what was dropped and why."))
@as_option
@json_option
def agreement(path: Path, explain: bool, yields: bool, by: str, as_json: bool) -> int:
    """Print every statistic."""
    with opened(path, by) as project:
        project.agreement.check(by)
        if yields:
            from workbench.yields import show_yields

            show_yields(project, as_json)
            return 0
        found = project.agreement.screening(by, detail=explain)
        costly = project.agreement.costly(by) if explain else []
        scored = scoring_agreement(project, by, explain=explain)
        if as_json:
            more = {"screening_explained": _explained(found, costly)} if explain else {}
            output.json({"screening": _by_pair(found), **_others(scored, explain=explain), **_overall(found), **more})
        else:
            _show(found)
            if explain:
                _explain(found, costly)
            show_scoring(scored, explain=explain)
    return 0


def _others(scored: dict[str, Agreed], *, explain: bool) -> dict[str, Any]:
    """Agreement on what is not screening."""
    return {**scoring_json(scored, explain=explain), "arena": {}}


# -- JSON


def _figures(one: TwoRaters) -> dict[str, Any]:
    from curation.statistics.screening import figures

    return figures(one)


def _by_pair(found: ScreeningAgreement) -> dict[str, Any]:
    return {
        pair: {"keep": _figures(one.keep), "situation": _figures(one.situation)} for pair, one in found.pairs.items()
    }


def _overall(found: ScreeningAgreement) -> dict[str, Any]:
    """What all pairs come to, and between pairs."""
    one = found.overall
    return {
        "screening_overall": {"keep": _figures(one.keep), "situation": _figures(one.situation)},
        "screening_between": {
            name: {"keep": _figures(two.keep), "situation": _figures(two.situation)}
            for name, two in found.between.items()
        },
        "screening_relabel": None
        if found.relabel is None
        else {"keep": _figures(found.relabel.keep), "situation": _figures(found.relabel.situation)},
        "screening_items": {"both_answered": found.items, "one_answer": found.open},
    }


def _explained(found: ScreeningAgreement, costly: list[Costly]) -> dict[str, Any]:
    def specific(table: Any) -> dict[str, Any]:
        return {
            label: {
                "A": one.first,
                "B": one.second,
                "both": one.both,
                "specific_agreement": one.agreement,
                "against_rest": _figures(one.against_rest),
            }
            for label, one in table.items()
        }

    return {
        "situations": specific(found.situations),
        "families": specific(found.families),
        "family": _figures(found.family),
        "tension": _figures(found.tension),
        "matrix": {"labels": [label or "drop" for label in found.matrix.labels], "table": found.matrix.table},
        "drift": [
            {
                "items": [block.first, block.last],
                "since": block.since,
                "until": block.until,
                "keep": _figures(block.keep),
                "situation": _figures(block.situation),
            }
            for block in found.drift
        ],
        "costly": costly,
    }


# -- words


def _show(found: ScreeningAgreement) -> None:
    if not found.pairs:
        output.say(N_("there is no pair yet; `workbench people PROJECT pair A B` makes one"))
    pairs = [*found.pairs.items(), *found.between.items()]
    if found.relabel is not None:
        pairs.append((_again(), found.relabel))
    if len(found.pairs) > 1:
        pairs.append(("", found.overall))
    for name, one in pairs:
        if name:
            output.say(N_("{pair}: both answered {count}"), pair=name, count=one.keep.n)
        else:
            output.say(N_("all pairs together: both answered {count}"), count=one.keep.n)
        rows = [_row(N_("keep or drop"), key, stat) for key, stat in one.keep.figures.items()]
        rows += [_row(N_("situation"), key, stat) for key, stat in one.situation.figures.items()]
        output.table(figure_heads(N_("coefficient")), rows)
        if _skewed(one.keep):
            output.say(
                N_("nearly everything is kept (or dropped), so chance alone agrees often and kappa is low: see AC1")
            )
        output.line()
    output.say(
        N_("{count} {count:dialogue has|dialogues have} one answer of two and {count:enters|enter} nothing"),
        count=found.open,
    )
    output.say(
        N_("by the first, blind answers; the situation on what both kept; intervals: 95 %, drawing dialogues again")
    )


def _again() -> str:
    from workbench.words import gettext

    return gettext(N_("approved texts (A) and their labels given again, blind (B)"))


def _skewed(one: TwoRaters) -> bool:
    """Percent is high, kappa is not: because one answer is nearly always given."""
    percent, kappa, ac1 = one.percent_agreement.value, one.cohen_kappa.value, one.gwet_ac1.value
    return percent is not None and kappa is not None and ac1 is not None and percent > 0.6 and ac1 - kappa > 0.3


NAMES = {
    "percent_agreement": N_("percent agreement"),
    "cohen_kappa": N_("Cohen's kappa"),
    "alpha_nominal": N_("Krippendorff's alpha"),
    "gwet_ac1": N_("Gwet's AC1"),
}


def _row(on: str, name: str, one: Any) -> tuple[object, ...]:
    from workbench.words import gettext

    return figure_row(f"{gettext(on)}: {gettext(NAMES[name])}", one)


def _explain(found: ScreeningAgreement, costly: list[Costly]) -> None:
    from screens.locale import language
    from workbench.labels import situation
    from workbench.words import gettext

    families = {
        f.id: f.zh if language() == "zh" else f.en for f in {s.family.id: s.family for s in _situations()}.values()
    }
    heads = [
        N_("situation"),
        N_("A said"),
        N_("B said"),
        N_("both"),
        N_("specific"),
        N_("kappa"),
        N_("low"),
        N_("high"),
    ]
    for table, name in ((found.situations, situation), (found.families, families.__getitem__)):
        output.line()
        output.table(
            [gettext(head) for head in heads],
            [
                (
                    name(label),
                    one.first,
                    one.second,
                    one.both,
                    number(one.agreement, 2),
                    number(one.against_rest.cohen_kappa.value, 2),
                    number(one.against_rest.cohen_kappa.low, 2),
                    number(one.against_rest.cohen_kappa.high, 2),
                )
                for label, one in table.items()
            ],
        )
        heads = [N_("family"), *heads[1:]]
    output.line()
    rows = [figure_row(f"{gettext(N_('family'))}: {gettext(NAMES[k])}", s) for k, s in found.family.figures.items()]
    rows += [figure_row(f"{gettext(N_('tension'))}: {gettext(NAMES[k])}", s) for k, s in found.tension.figures.items()]
    output.table(figure_heads(N_("coarser")), rows)
    _show_matrix(found)
    _show_drift(found)
    if costly:
        output.line()
        heads = [N_("costly"), N_("seconds"), N_("apart"), N_("put off"), N_("taken back"), N_("decided anew")]
        output.table(
            [gettext(head) for head in heads],
            [
                (c.name, f"{c.seconds:.0f}", gettext(N_("yes")) if c.apart else "", c.put_off, c.taken_back, c.anew)
                for c in costly
            ],
        )


def _situations() -> Any:
    from curation.taxonomy import taxonomy

    return taxonomy().situations


def _show_matrix(found: ScreeningAgreement) -> None:
    from workbench.labels import situation
    from workbench.words import gettext

    codes = {s.id: f"{s.family.number}{s.place}" for s in _situations()}
    labels = found.matrix.labels
    output.line()
    output.table(
        [gettext(N_("A ↓  B →")), *(codes.get(label, gettext(N_("drop"))) for label in labels)],
        [
            (
                f"{codes.get(label, '--')} {situation(label) if label else gettext(N_('drop'))}",
                *(count or "" for count in line),
            )
            for label, line in zip(labels, found.matrix.table, strict=True)
        ],
    )


def _show_drift(found: ScreeningAgreement) -> None:
    from workbench.words import gettext

    if not found.drift:
        return
    output.line()
    heads = [N_("over time"), N_("keep: percent"), N_("kappa"), N_("low"), N_("high"), N_("situation: percent")]
    heads += [N_("kappa"), N_("low"), N_("high")]
    output.table(
        [gettext(head) for head in heads],
        [
            (
                f"{block.first}-{block.last}",
                *(
                    cell
                    for one in (block.keep, block.situation)
                    for cell in (
                        number(one.percent_agreement.value, 2),
                        number(one.cohen_kappa.value, 2),
                        number(one.cohen_kappa.low, 2),
                        number(one.cohen_kappa.high, 2),
                    )
                ),
            )
            for block in found.drift
        ],
    )


command = agreement
