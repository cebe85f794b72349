"""Sums over rows that many resamples share: a sparse matrix of rows by columns, without a library for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CELLS = 4_000_000
"""Numbers held at once while resamples are summed: 32 MB."""


def chunk_of(width: int) -> int:
    """How many rows of `width` numbers may be held at once."""
    return max(1, CELLS // max(width, 1))


class Linear:
    """`times @ M` for a matrix M given by its entries: row, column and amount of each, columns from 0 to `width` - 1."""

    def __init__(
        self, row: NDArray[np.intp], column: NDArray[np.intp], amount: NDArray[np.float64], width: int
    ) -> None:
        import numpy as np

        # Entries of one place are put together, ordered by column.
        tall = int(row.max(initial=0)) + 1
        cells, entry = np.unique(column * tall + row, return_inverse=True)
        self._row = cells % tall
        self._amount = np.bincount(entry, weights=amount, minlength=len(cells))
        self._columns, self._starts = np.unique(cells // tall, return_index=True)
        self._width = width

    def __call__(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sums for each row of `times` (resamples by rows): resamples by columns."""
        import numpy as np

        result = np.zeros((len(times), self._width))
        if len(self._row):
            step = chunk_of(len(self._row))
            for start in range(0, len(times), step):
                spread = times[start : start + step, self._row] * self._amount
                result[start : start + step, self._columns] = np.add.reduceat(spread, self._starts, axis=1)
        return result
