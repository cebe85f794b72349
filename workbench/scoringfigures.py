"""Agreement in scoring, as `workbench agreement` prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curation.errors import N_, RefusedStep
from workbench import output
from workbench.figures import number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from curation.scoring.agreeing import Agreed
    from curation.statistics.figures import Statistic
    from db.project import Project

POOLED = "pooled"
DIMENSION_WORDS = {
    "motivation": N_("motivation"),
    "cause": N_("cause"),
    "emotion": N_("emotion"),
    "intention": N_("intention"),
    "strategy": N_("strategy"),
    "reply_cot": N_("CoT reply"),
    "reply_direct": N_("direct reply"),
    "understanding": N_("understanding"),
    "strategy_use": N_("intention and strategy"),
    "process": N_("process"),
    "reply_both": N_("both replies"),
    "pooled": N_("pooled"),
    "": N_("(none)"),
}
_PARTS = {
    "system": N_("system"),
    "situation": N_("situation"),
    "tension": N_("tension"),
    "period": N_("part of the work"),
}
_LEFT_OUT = {
    "calibration": N_("on calibration items, which were talked over"),
    "repeats": N_("hidden repeats"),
    "ablations": N_("on ablations"),
    "changed_after_closing": N_("changed after closing (they count as they stood)"),
}


def dimension(name: str) -> str:
    """A dimension in the reader's language."""
    from workbench.words import gettext

    return gettext(DIMENSION_WORDS[name])


def scoring_agreement(project: Project, by: str, *, explain: bool = False) -> dict[str, Agreed]:
    """Agreement by dimension, `pooled` last; nothing where nothing is closed, or `by` may not see figures by system yet."""
    from curation.scoring.agreeing import agreed

    try:
        project.judged.check(by)
    except RefusedStep:
        return {}
    judgements = project.judged.judgements()
    return agreed(judgements, project.judged.settings(), parts=explain) if judgements else {}


def scoring_json(found: Mapping[str, Agreed], *, explain: bool = False) -> dict[str, Any]:
    """The keys of `agreement --json` that are about scoring."""
    pooled = found.get(POOLED)
    return {
        "scoring": {name: _figures(one, explain=explain) for name, one in found.items() if name != POOLED},
        **({"scoring_pooled": {**_figures(pooled, explain=explain), "note": _note()}} if pooled is not None else {}),
    }


def _note() -> str:
    from curation.scoring.agreeing import POOLED_NOTE

    return POOLED_NOTE


def _figures(one: Agreed, *, explain: bool) -> dict[str, Any]:
    more: dict[str, Any] = {}
    if explain:
        more = {
            "parts": one.parts,
            "without": one.without,
            "coincidences": {"labels": [0, 5, 10], "table": one.coincidences},
            "left_out": {**one.left_out, "single": one.single},
        }
    by_dialogue = {} if one.by_dialogue is None else {"alpha_ordinal_by_dialogue": one.by_dialogue}
    return {
        **one.figures,
        "patterns": one.patterns,
        "engine": one.engine,
        "interval": {"method": "bootstrap", "over": one.clusters},
        **by_dialogue,
        **more,
    }


def show_scoring(found: Mapping[str, Agreed], *, explain: bool = False) -> None:
    """Print the table, and with `explain` what it rests on."""
    from workbench.words import gettext

    if not found:
        return
    heads = [
        N_("scoring"),
        N_("alpha (ordinal)"),
        N_("low"),
        N_("high"),
        N_("interval"),
        N_("percent"),
        N_("AC1"),
        N_("items"),
        N_("ratings"),
    ]
    output.line()
    output.table([gettext(head) for head in heads], [_row(name, one) for name, one in found.items()])
    output.say(N_("scores as they stood when their item was closed; intervals: 95 %, drawing dialogues again"))
    output.say(N_("pooled compares with one published figure only: pooling what differs raises alpha"))
    if explain:
        _explain(found)


def _row(name: str, one: Agreed) -> tuple[object, ...]:
    alpha = one.figures["alpha_ordinal"]
    return (
        dimension(name),
        number(alpha.value),
        number(alpha.low),
        number(alpha.high),
        number(one.figures["alpha_interval"].value),
        number(one.figures["percent_agreement"].value),
        number(one.figures["gwet_ac1"].value),
        alpha.n_items,
        alpha.n_ratings,
    )


def _explain(found: Mapping[str, Agreed]) -> None:
    from workbench.labels import situation
    from workbench.words import gettext

    for name, one in found.items():
        output.line()
        output.table(
            [f"{dimension(name)}: {gettext(N_('coincidences'))}", "0", "5", "10"],
            [(label, *(f"{n:.1f}" for n in line)) for label, line in zip((0, 5, 10), one.coincidences, strict=True)],
        )
        if one.without:
            output.table(
                [gettext(N_("without")), gettext(N_("alpha (ordinal)")), gettext(N_("items"))],
                [(who, number(stat.value), stat.n_items) for who, stat in one.without.items()],
            )
    for kind, words in _PARTS.items():
        names = sorted({part for one in found.values() for part in one.parts.get(kind, {})})
        if not names:
            continue
        dimensions = [name for name, one in found.items() if one.parts]
        output.line()
        output.table(
            [f"{gettext(N_('alpha (ordinal)'))}: {gettext(words)}", *map(dimension, dimensions)],
            [
                (
                    situation(part) if kind == "situation" else part,
                    *(_value(found[name].parts[kind].get(part)) for name in dimensions),
                )
                for part in names
            ],
        )
    some = next(iter(found.values()))
    output.line()
    output.table(
        [gettext(N_("left out")), gettext(N_("judgements"))],
        [(gettext(_LEFT_OUT[reason]), count) for reason, count in some.left_out.items()]
        + [(gettext(N_("judged by one person alone")), some.single)],
    )


def _value(figures: Mapping[str, Statistic] | None) -> str:
    return "-" if figures is None else number(figures["alpha_ordinal"].value)
