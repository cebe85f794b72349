"""The one way to the package `krippendorff`, which is the engine that reports name.

Called freely it answers wrongly without a word: on small integer types it wraps around, on a domain in the wrong order or a
transposed matrix it computes something else, and its default level is interval. This adapter gives it float64 counts,
items by labels, over a domain that is sorted and fixed, at a named level, and never where the answer would be nan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.errors import N_, RefusedStep
from curation.statistics.figures import Level, Status
from curation.statistics.histogram import Histogram

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAME = "krippendorff"
AGREES_TO = 1e-9
MOST_CELLS = 8_000_000
"""Items x labels x labels that the package may build at once: it holds several arrays of that many numbers."""


def version() -> str:
    """The version of the package."""
    from importlib.metadata import version

    return version(NAME)


def counts(histogram: Histogram) -> NDArray[np.float64]:
    """How often each item was given each label: pairable items by labels, one line for each item."""
    import numpy as np

    table = np.zeros((len(histogram.rows), len(histogram.scale)))
    for place, row in enumerate(histogram.rows):
        for label in row:
            if label >= 0:
                table[place, label] += 1.0
    several = table.sum(axis=1) >= 2
    times = np.asarray(histogram.counts, dtype=np.intp)[several]
    repeated: NDArray[np.float64] = np.repeat(table[several], times, axis=0)
    return repeated


def alpha(histogram: Histogram, level: Level) -> tuple[float | None, Status]:
    """Alpha as the package computes it, or the status that says why it is undefined.

    Raises RefusedStep when the package would need too much memory.
    """
    import krippendorff
    import numpy as np

    size = len(histogram.scale)
    if sum(histogram.counts) * size * size > MOST_CELLS:
        raise RefusedStep(
            N_("the package {name} needs items x labels x labels numbers: too many for {items} items, {labels} labels"),
            "too_large",
            name=NAME,
            items=sum(histogram.counts),
            labels=size,
        )
    table = counts(histogram)
    if not len(table):
        return None, Status.NO_PAIRS
    if np.count_nonzero(table.sum(axis=0)) < 2:
        return None, Status.NO_VARIATION
    # No level notices the unit, and interval no shift either; brought to 0 … 1 no square overflows.
    scale = histogram.scale
    values = tuple(v / max(scale.values) for v in scale.values) if level is Level.RATIO else scale.positions()
    with np.errstate(divide="ignore", invalid="ignore"):
        value = krippendorff.alpha(
            value_counts=table,
            value_domain=np.asarray(values, dtype=np.float64),
            level_of_measurement=level.value,
            dtype=np.float64,
        )
    return (float(value), Status.OK) if np.isfinite(value) else (None, Status.NO_VARIATION)
