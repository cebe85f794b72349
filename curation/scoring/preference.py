"""Preferences: how often the reply with a process is preferred to the direct one, and by what that was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curation.scoring.grid import Grid, mean_of
from curation.scoring.judgements import Setting
from curation.scoring.means import bounds, clusters_of, weights_of
from curation.statistics.agreement import statistics_of
from curation.statistics.coefficients import AC1, ALPHA, PERCENT, Coefficient
from curation.statistics.figures import RESAMPLES, SEED, Level, Statistic, Status
from curation.statistics.histogram import of_items
from curation.statistics.tests import sign_test, wilson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Wins:
    """How often one system's reply with a process won.

    `by_judgement` is the share of all judgements that prefer it, its interval by drawing dialogues again, `wilson` the
    interval of a plain share; `by_dialogue` the share of dialogues where most do (Wilson's interval; `even` ones count
    for neither). `by_score` and `by_force` are (won, of): where the scores differ, and where they were equal and a
    preference had to be said. `same_text` counts the dialogues left out because both replies have the same text;
    `unsaid` judgements have equal scores and no preference. `p` is the exact sign test of the dialogues against even.
    """

    by_judgement: Statistic
    wilson: tuple[float, float] | None
    by_dialogue: Statistic
    even: int
    by_score: tuple[int, int]
    by_force: tuple[int, int]
    same_text: int
    unsaid: int
    p: float | None


def wins(
    held: Grid, settings: Mapping[str, Setting], *, resamples: int = RESAMPLES, seed: int = SEED
) -> dict[str, Wins]:
    """System -> wins."""
    import numpy as np

    times = weights_of(clusters_of(held.dialogues, settings), resamples, seed) if held.dialogues and resamples else None
    found = {}
    for column, system in enumerate(held.systems):
        prefers, forced = held.prefers[:, column, :], held.forced[:, column, :]
        there = np.isfinite(prefers)
        won, of = int(np.nansum(prefers)), int(there.sum())
        low = high = None
        if times is not None and there.any(axis=1).sum() > 1:
            with np.errstate(divide="ignore", invalid="ignore"):
                low, high = bounds((times @ np.nansum(prefers, axis=1)) / (times @ there.sum(axis=1)))
        share = mean_of(prefers, axis=1)
        for_it, against = int((share > 0.5).sum()), int((share < 0.5).sum())
        found[system] = Wins(
            by_judgement=_share(won, of, int(there.any(axis=1).sum()), of, (low, high)),
            wilson=wilson(won, of) if of else None,
            by_dialogue=_share(for_it, for_it + against, for_it + against, of, None),
            even=int((share == 0.5).sum()),
            by_score=_split(prefers, there & ~forced),
            by_force=_split(prefers, there & forced),
            same_text=int(held.same[:, column].sum()),
            unsaid=int((forced & ~there & ~held.same[:, [column]]).sum()),
            p=sign_test(for_it, for_it + against) if for_it + against else None,
        )
    return found


def _split(prefers: NDArray[np.float64], where: NDArray[np.bool_]) -> tuple[int, int]:
    return int(prefers[where].sum()), int(where.sum())


def _share(
    won: int, of: int, items: int, ratings: int, interval: tuple[float | None, float | None] | None
) -> Statistic:
    if not of:
        return Statistic(None, Status.NO_PAIRS)
    low, high = wilson(won, of) if interval is None else interval
    return Statistic(won / of, Status.OK, low, high, items, ratings)


def agreement_on_preference(held: Grid, *, resamples: int = RESAMPLES, seed: int = SEED) -> dict[str, Statistic]:
    """Nominal agreement on which of the two replies is better, over all items with different texts."""
    import numpy as np

    if not held.people:
        return dict.fromkeys((ALPHA, PERCENT, AC1), Statistic(None, Status.NO_PAIRS))
    flat = held.prefers.reshape(-1, len(held.people))
    names = np.repeat(np.asarray(held.dialogues, dtype=object), len(held.systems))
    keep = np.isfinite(flat).any(axis=1)
    items = [[None if value != value else int(value) for value in row] for row in flat[keep]]
    histogram = of_items(items, level=Level.NOMINAL, domain=[0, 1], raters=held.people, clusters=list(names[keep]))
    wanted = {name: Coefficient(name, Level.NOMINAL) for name in (ALPHA, PERCENT, AC1)}
    found, _ = statistics_of(histogram, wanted, resamples=resamples, seed=seed)
    return {name: found[name] for name in wanted}
