"""Judgements as arrays: dialogues x systems x people, nan where nobody scored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curation.scoring.judgements import COMPOSITES, COT, Judgement
from curation.work.scoring import DIMENSIONS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Grid:
    """`scores` by dimension, each dialogues x systems x people; `prefers` is 1 where the reply with a process is preferred,
    0 where the direct one is; `forced` where equal scores left it to be said; `same` (dialogues x systems) where both
    replies have the same text.
    """

    dialogues: tuple[str, ...]
    systems: tuple[str, ...]
    people: tuple[str, ...]
    scores: Mapping[str, Floats]
    prefers: Floats
    forced: NDArray[np.bool_]
    same: NDArray[np.bool_]

    def without(self, person: str) -> Grid:
        """The same without what one person gave."""
        import numpy as np

        keep = np.asarray([n for n, name in enumerate(self.people) if name != person], dtype=np.intp)
        return Grid(
            self.dialogues,
            self.systems,
            tuple(self.people[n] for n in keep),
            {name: values[:, :, keep] for name, values in self.scores.items()},
            self.prefers[:, :, keep],
            self.forced[:, :, keep],
            self.same,
        )

    def ratings(self, dimension: str) -> Floats:
        """The scores of a dimension; of a composite the mean of its dimensions, where all of them are there."""
        if dimension in COMPOSITES:
            parts = [self.scores[name] for name in COMPOSITES[dimension]]
            return sum(parts[1:], start=parts[0]) / len(parts)
        return self.scores[dimension]

    def items(self, dimension: str) -> Floats:
        """Dialogues x systems: the mean over the people who scored, whoever they are."""
        return mean_of(self.ratings(dimension), axis=2)


def grid(judgements: Iterable[Judgement], systems: Sequence[str] | None = None) -> Grid:
    """The judgements (of one mode, at most one of a person on an item) as arrays, in order of name.

    `systems` sets which there are, and their order.
    """
    import numpy as np

    held = list(judgements)
    dialogues = tuple(sorted({one.dialogue for one in held}))
    names = tuple(sorted({one.system for one in held}) if systems is None else systems)
    people = tuple(sorted({one.by for one in held}))
    row, column, layer = ({name: n for n, name in enumerate(axis)} for axis in (dialogues, names, people))
    shape = (len(dialogues), len(names), len(people))
    scores = {name: np.full(shape, np.nan) for name in DIMENSIONS}
    prefers, forced, same = np.full(shape, np.nan), np.zeros(shape, dtype=np.bool_), np.zeros(shape[:2], dtype=np.bool_)
    for one in held:
        if one.system not in column:
            continue
        at = row[one.dialogue], column[one.system], layer[one.by]
        for name in DIMENSIONS:
            if name in one.scores:
                scores[name][at] = one.scores[name]
        if one.prefers:
            prefers[at] = float(one.prefers == COT)
        forced[at] = one.forced
        same[at[:2]] |= one.same_text
    return Grid(dialogues, names, people, scores, prefers, forced, same)


def mean_of(values: Floats, axis: int | None = None) -> Floats:
    """The mean of what is there; nan, without a warning, where nothing is."""
    import numpy as np

    there = np.isfinite(values)
    total = np.where(there, values, 0.0).sum(axis=axis)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean: Floats = np.asarray(total / there.sum(axis=axis))
    return mean
