"""Intervals by drawing items again: the percentile bootstrap over units, recomputing everything on every resample.

Measured coverage of a nominal 95 % with three raters: 91 to 95 % from 30 to 312 items. Drawing pairs of ratings instead and
keeping the expected disagreement (the procedure that goes with the KALPHA macro) covers 75 to 88 % and is not offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from curation.statistics.figures import CONFIDENCE
from curation.statistics.histogram import Histogram
from curation.statistics.sums import Linear, chunk_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MULTINOMIAL_PAYS = 8


def draws(histogram: Histogram, size: int, seed: int, chunk: int) -> Iterator[NDArray[np.float64]]:
    """`size` draws of as many items as there are (clusters, where there are any), as counts of the histogram's rows.

    Yields arrays of at most `chunk` draws by rows. A function of histogram and seed alone, whatever the chunk is.
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    clusters = histogram.clusters
    weights = histogram.counts if clusters is None else tuple(times for _, times in clusters)
    counts = np.asarray(weights, dtype=np.int64)
    total = int(counts.sum())
    spread = None
    if clusters is not None:
        entries = [(unit, row, n) for unit, (bundle, _) in enumerate(clusters) for row, n in bundle]
        unit, row, n = (np.asarray(column, dtype=np.intp) for column in zip(*entries, strict=True))
        spread = Linear(unit, row, n.astype(np.float64), len(histogram.rows))
    ends = np.cumsum(counts)
    chunk = min(chunk, chunk_of(max(len(counts), 1 if len(counts) * _MULTINOMIAL_PAYS <= total else total)))
    for start in range(0, size, chunk):
        some = min(chunk, size - start)
        if len(counts) * _MULTINOMIAL_PAYS <= total:
            drawn = generator.multinomial(total, counts / total, size=some)
        else:  # hardly anything repeats: drawing items one by one is quicker
            kinds = np.searchsorted(ends, generator.integers(0, total, size=(some, total)), side="right")
            kinds += np.arange(some)[:, None] * len(counts)
            drawn = np.bincount(kinds.ravel(), minlength=some * len(counts)).reshape(some, len(counts))
        times = drawn.astype(np.float64)
        yield times if spread is None else spread(times)


def percentile_interval(
    values: NDArray[np.float64], confidence: float = CONFIDENCE
) -> tuple[float | None, float | None, int]:
    """The percentile interval of resampled `values`, and how many of them are undefined (nan) and left out.

    There is no interval when more than half are undefined.
    """
    import numpy as np

    defined = values[np.isfinite(values)]
    undefined = len(values) - len(defined)
    if not len(defined) or undefined > len(values) / 2:
        return None, None, undefined
    low, high = np.quantile(defined, [(1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0])
    return float(low), float(high), undefined
