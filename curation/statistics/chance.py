"""Expected disagreement: the sum over all pairs of labels of how often each occurs, times how far apart they are.

Written out, that is a table of labels by labels for every resample. For the distances in use it comes down to a few sums
along the scale, so the cost grows with the number of labels and not with its square.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.statistics.figures import Level, Weights
from curation.statistics.scales import Scale

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def unlike(one: Array, other: Array) -> Array:
    """The sum over c and k of one_c * other_k where c is not k. Arrays end in an axis of labels, which is summed."""
    result: Array = one.sum(axis=-1) * other.sum(axis=-1) - (one * other).sum(axis=-1)
    return result


def squared(one: Array, other: Array, at: Array) -> Array:
    """The sum over c and k of one_c * other_k * (at_c - at_k)². Positions are taken from their mean: nothing cancels."""
    import numpy as np

    both = one + other
    with np.errstate(divide="ignore", invalid="ignore"):
        off = at - ((both * at).sum(axis=-1) / both.sum(axis=-1))[..., None]
    far = np.square(off)
    result: Array = (
        (one * far).sum(axis=-1) * other.sum(axis=-1)
        + one.sum(axis=-1) * (other * far).sum(axis=-1)
        - 2.0 * (one * off).sum(axis=-1) * (other * off).sum(axis=-1)
    )
    return result


def stepwise(one: Array, other: Array) -> Array:
    """The sum over c and k of one_c * other_k * |c - k|: at every step between two labels, those on either side."""
    import numpy as np

    below, above = np.cumsum(one, axis=-1)[..., :-1], np.cumsum(other, axis=-1)[..., :-1]
    result: Array = (
        below * (other.sum(axis=-1)[..., None] - above) + (one.sum(axis=-1)[..., None] - below) * above
    ).sum(axis=-1)
    return result


def weighted(scale: Scale, weights: Weights, one: Array, other: Array) -> Array:
    """The sum over c and k of one_c * other_k * `Scale.disagreement`."""
    import numpy as np

    if weights is Weights.IDENTITY:
        return unlike(one, other)
    last = max(len(scale) - 1, 1)
    if weights is Weights.LINEAR:
        return stepwise(one, other) / last
    places = np.arange(len(scale), dtype=np.float64)
    if weights is Weights.QUADRATIC:
        return squared(one, other, places / last)
    return (squared(one, other, places) + stepwise(one, other)) / (last * (last + 1))


def distant(scale: Scale, level: Level, margins: Array) -> Array:
    """The sum over c and k of n_c * n_k * `Scale.distances`, for `margins` n; for ordinal, of its own differences."""
    import numpy as np

    if level is Level.NOMINAL:
        return unlike(margins, margins)
    if level is Level.INTERVAL:
        return squared(margins, margins, np.asarray(scale.positions(), dtype=np.float64))
    if level is Level.ORDINAL:
        return squared(margins, margins, middle_ranks(margins))
    at = np.arange(len(scale))
    result: Array = ((margins @ scale.distances(level, at[:, None], at[None, :])) * margins).sum(axis=-1)
    return result


def middle_ranks(margins: Array) -> Array:
    """The middle rank of each label, counted from the middle of all ratings.

    Krippendorff's ordinal difference sum(n_c … n_k) - (n_c + n_k) / 2 is the difference of these.
    """
    import numpy as np

    ranks: Array = np.cumsum(margins, axis=-1) - margins / 2.0 - margins.sum(axis=-1)[..., None] / 2.0
    return ranks
