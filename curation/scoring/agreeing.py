"""Agreement on the scores: for every dimension, and for the parts of it that can be told apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from curation.scoring.judgements import Judgement, Setting, planned
from curation.scoring.means import clusters_of
from curation.statistics import patterns
from curation.statistics.agreement import confirmed, leave_one_out, statistics_of
from curation.statistics.coefficients import AC1, AC2, ALPHA, BRENNAN_PREDIGER, CONGER, FLEISS, PERCENT, Coefficient
from curation.statistics.explanation import coincidence_table
from curation.statistics.figures import RESAMPLES, SEED, Level, Statistic, Weights
from curation.statistics.histogram import Histogram, of_items
from curation.work.scoring import DIMENSIONS, SCORES

ALPHA_ORDINAL, ALPHA_INTERVAL, ALPHA_NOMINAL = "alpha_ordinal", "alpha_interval", "alpha_nominal"
HEADLINE = {
    ALPHA_ORDINAL: Coefficient(ALPHA, Level.ORDINAL),
    PERCENT: Coefficient(PERCENT, Level.ORDINAL),
    AC1: Coefficient(AC1, Level.ORDINAL),
}
EVERY = {
    ALPHA_ORDINAL: Coefficient(ALPHA, Level.ORDINAL),
    ALPHA_INTERVAL: Coefficient(ALPHA, Level.INTERVAL),
    ALPHA_NOMINAL: Coefficient(ALPHA, Level.NOMINAL),
    PERCENT: Coefficient(PERCENT, Level.ORDINAL),
    AC1: Coefficient(AC1, Level.ORDINAL),
    AC2: Coefficient(AC2, Level.ORDINAL, Weights.QUADRATIC),
    FLEISS: Coefficient(FLEISS, Level.ORDINAL),
    CONGER: Coefficient(CONGER, Level.ORDINAL),
    BRENNAN_PREDIGER: Coefficient(BRENNAN_PREDIGER, Level.ORDINAL),
}
# How a share of the items' course is cut: by when they were closed, in equal parts.
PERIODS = 4
POOLED_NOTE = "pooled over dimensions: comparable to one published figure only; pooling what differs raises alpha"
_PARTS_RESAMPLES = 500
Part = Callable[[str, str], str]


@dataclass(frozen=True)
class Agreed:
    """Agreement on one dimension (or all of them, pooled).

    `figures` go by coefficient, with intervals by drawing dialogues again (or speakers); `parts` by kind of part (system,
    situation, tension, period), then its name; `without` is alpha without each person. `coincidences` are Krippendorff's
    o_ck over 0, 5, 10. `single` items have one judgement and cannot be compared; `left_out` counts judgements that enter
    no figure, by reason. `engine` names the package that computes the same alpha.
    """

    figures: Mapping[str, Statistic]
    patterns: Mapping[str, Statistic]
    parts: Mapping[str, Mapping[str, Mapping[str, Statistic]]]
    without: Mapping[str, Statistic]
    coincidences: tuple[tuple[float, ...], ...]
    items: int
    single: int
    left_out: Mapping[str, int]
    engine: str | None
    clusters: str
    by_dialogue: Statistic | None = None


@dataclass
class _Rows:
    """Rows of ratings in one order, with what they belong to."""

    people: tuple[str, ...]
    ratings: list[list[int | None]] = field(default_factory=list)
    dialogues: list[str] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)
    periods: list[str] = field(default_factory=list)

    def histogram(self, clusters: Sequence[Hashable], keep: Iterable[int] | None = None) -> Histogram:
        """These rows, all of them or those to keep, as the engine counts them."""
        rows = range(len(self.ratings)) if keep is None else list(keep)
        return of_items(
            [self.ratings[n] for n in rows],
            level=Level.ORDINAL,
            domain=SCORES,
            raters=self.people,
            clusters=[clusters[n] for n in rows],
        )


def agreed(
    judgements: Iterable[Judgement],
    settings: Mapping[str, Setting],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    parts: bool = True,
) -> dict[str, Agreed]:
    """Dimension -> agreement, `pooled` last. `parts`: the parts too, with fewer resamples.

    Scores count as they stood when their item was closed.
    """
    everything = list(judgements)
    held = planned(everything)
    left_out = {
        "calibration": sum(one.role == "calibration" for one in everything),
        "repeats": sum(one.role == "repeat" for one in everything),
        "ablations": sum(one.mode != "pair" for one in everything),
        "changed_after_closing": sum(one.late for one in everything),
    }
    people = tuple(sorted({one.by for one in held}))
    items: dict[tuple[str, str], dict[str, Judgement]] = {}
    for one in held:
        items.setdefault((one.dialogue, one.system), {})[one.by] = one
    periods = _periods(items)
    rows = {name: _Rows(people) for name in DIMENSIONS}
    pooled = _Rows(people)
    for (dialogue, system), given in sorted(items.items()):
        for name in DIMENSIONS:
            ratings = [given[by].scores.get(name) if by in given else None for by in people]
            for table in (rows[name], pooled):
                table.ratings.append(ratings)
                table.dialogues.append(dialogue)
                table.systems.append(system)
                table.periods.append(periods[dialogue, system])
    result = {name: _agreed(table, settings, left_out, resamples, seed, parts=parts) for name, table in rows.items()}
    result["pooled"] = _agreed(pooled, settings, left_out, resamples, seed, parts=False)
    return result


def _agreed(
    table: _Rows,
    settings: Mapping[str, Setting],
    left_out: Mapping[str, int],
    resamples: int,
    seed: int,
    *,
    parts: bool,
) -> Agreed:
    clusters = clusters_of(table.dialogues, settings)
    by_speaker = clusters != table.dialogues
    histogram = table.histogram(clusters)
    figures, _ = statistics_of(histogram, EVERY, resamples=resamples, seed=seed)
    split = {name: figures.pop(name) for name in patterns.NAMES}
    single = sum(
        n for row, n in zip(histogram.rows, histogram.counts, strict=True) if len(patterns.ratings_of(row)) == 1
    )
    plain = None
    if by_speaker:
        alone = {ALPHA_ORDINAL: EVERY[ALPHA_ORDINAL]}
        plain = statistics_of(table.histogram(table.dialogues), alone, resamples=resamples, seed=seed)[0][ALPHA_ORDINAL]
    return Agreed(
        figures=figures,
        patterns=split,
        parts=_parts(table, settings, clusters, min(resamples, _PARTS_RESAMPLES), seed) if parts else {},
        without=leave_one_out(histogram, level=Level.ORDINAL) if len(histogram.present) > 2 else {},
        coincidences=tuple(map(tuple, coincidence_table(histogram))),
        items=histogram.n_items,
        single=single,
        left_out=left_out,
        engine=confirmed(histogram, figures[ALPHA_ORDINAL], Level.ORDINAL),
        clusters="speakers" if by_speaker else "dialogues",
        by_dialogue=plain,
    )


def _parts(
    table: _Rows, settings: Mapping[str, Setting], clusters: Sequence[str], resamples: int, seed: int
) -> dict[str, dict[str, dict[str, Statistic]]]:
    nothing = Setting("", "")
    of_row: dict[str, list[str]] = {
        "system": table.systems,
        "situation": [settings.get(uid, nothing).situation for uid in table.dialogues],
        "tension": [settings.get(uid, nothing).tension for uid in table.dialogues],
        "period": table.periods,
    }
    found: dict[str, dict[str, dict[str, Statistic]]] = {}
    for kind, names in of_row.items():
        found[kind] = {}
        for name in sorted(set(names) - {""}):
            keep = [n for n, one in enumerate(names) if one == name]
            figures, _ = statistics_of(table.histogram(clusters, keep), HEADLINE, resamples=resamples, seed=seed)
            found[kind][name] = {key: figures[key] for key in HEADLINE}
    return found


def _periods(items: Mapping[tuple[str, str], Mapping[str, Judgement]]) -> dict[tuple[str, str], str]:
    """In which part of the work an item was closed: the median of its annotators' own places, in equal parts."""
    middle = {name: median(one.place for one in given.values()) for name, given in items.items()}
    ranked = sorted(items, key=lambda name: (middle[name], name))
    return {name: str(1 + PERIODS * rank // max(len(ranked), 1)) for rank, name in enumerate(ranked)}
