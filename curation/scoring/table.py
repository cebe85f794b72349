"""All that the scores amount to, as the rows that are printed: one a system, like the paper's first table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from curation.scoring.comparing import Difference, Flip, Ranks, differences, flips, ranks
from curation.scoring.grid import Grid, grid
from curation.scoring.judgements import Judgement, Setting, planned
from curation.scoring.means import Mean, means
from curation.scoring.preference import Wins, agreement_on_preference, wins
from curation.scoring.signs import all_guesses
from curation.statistics.figures import RESAMPLES, SEED, Statistic
from curation.work.scoring import DIMENSIONS


@dataclass(frozen=True)
class Row:
    """One system: the mean of each dimension and composite, and how often its reply with a process won.

    `best` names the dimensions in which no other system's mean is higher; `below_half` says that the win rate is under a
    half. `expert` systems are people.
    """

    system: str
    expert: bool
    means: Mapping[str, Mean]
    wins: Wins
    best: tuple[str, ...]
    below_half: bool


@dataclass(frozen=True)
class Table:
    """The table, with what is needed to believe it. `guessed` is how often annotators told which reply had a process.

    `ablations` are the mean score of a reply and how many judgements it rests on, by system and mode (see `ablation_means`).
    """

    rows: tuple[Row, ...]
    preference: Mapping[str, Statistic]
    guessed: Statistic
    people: tuple[str, ...]
    dialogues: int
    judgements: int
    ablations: Mapping[str, Mapping[str, tuple[float, int]]]


@dataclass(frozen=True)
class Compared:
    """The systems against each other: differences, paired preferences, and the orders with each annotator left out."""

    differences: tuple[Difference, ...]
    flips: tuple[Flip, ...]
    ranks: tuple[Ranks, ...]


def table(
    judgements: Iterable[Judgement],
    settings: Mapping[str, Setting],
    prevalence: Mapping[str, float] | None = None,
    experts: Sequence[str] = (),
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Table:
    """The table of all pairs of replies. LLMs come first, by name, then the experts."""
    everything = list(judgements)
    held = grid(planned(everything))
    found = means(held, settings, prevalence, resamples=resamples, seed=seed)
    won = wins(held, settings, resamples=resamples, seed=seed)
    rows = [
        Row(
            system=name,
            expert=name in experts,
            means=found[name],
            wins=won[name],
            best=tuple(d for d in DIMENSIONS if _is_best(found, name, d)),
            below_half=(won[name].by_judgement.value or 1.0) < 0.5 or won[name].by_judgement.value == 0.0,
        )
        for name in sorted(held.systems, key=lambda name: (name in experts, name))
    ]
    return Table(
        rows=tuple(rows),
        preference=agreement_on_preference(held, resamples=resamples, seed=seed),
        guessed=all_guesses(everything),
        people=held.people,
        dialogues=len(held.dialogues),
        judgements=len(planned(everything)),
        ablations=ablation_means(everything),
    )


def _is_best(found: Mapping[str, Mapping[str, Mean]], name: str, dimension: str) -> bool:
    mine = found[name][dimension].plain.value
    values = [v for one in found.values() if (v := one[dimension].plain.value) is not None]
    return mine is not None and mine >= max(values) - 1e-9


def compared(
    judgements: Iterable[Judgement],
    settings: Mapping[str, Setting],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Compared:
    """The systems of all pairs of replies against each other."""
    held: Grid = grid(planned(judgements))
    return Compared(
        tuple(differences(held, settings, resamples=resamples, seed=seed)), tuple(flips(held)), tuple(ranks(held))
    )


def ablation_means(
    judgements: Iterable[Judgement],
) -> dict[str, dict[str, tuple[float, int]]]:
    """System -> mode -> (mean score of the reply, how many judgements): `cot` is the full set-up on the same dialogues.

    The full set-up counts the same dialogues and the same people as the ablations of the system.
    """
    everything = [one for one in judgements if one.role == "plan"]
    alone = [one for one in everything if one.mode != "pair"]
    where = {(one.system, one.dialogue, one.by) for one in alone}
    values: dict[str, dict[str, list[int]]] = {}
    for one in alone:
        values.setdefault(one.system, {}).setdefault(one.mode, []).append(one.scores["reply"])
    for one in everything:
        if one.mode == "pair" and (one.system, one.dialogue, one.by) in where:
            values[one.system].setdefault("cot", []).append(one.scores["reply_cot"])
    return {
        system: {mode: (sum(held) / len(held), len(held)) for mode, held in sorted(modes.items())}
        for system, modes in sorted(values.items())
    }
