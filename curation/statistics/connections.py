"""Who can be compared with whom: the graph with an edge from each one that won (or drew) to the one it won against.

Bradley-Terry ratings are finite and unique exactly when this graph is strongly connected (Ford 1957): when nobody, and no
group, only ever won against all others or only ever lost, and nobody never met them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def components(names: Sequence[str], beaten: Mapping[str, Set[str]]) -> list[list[str]]:
    """The strongly connected components, names sorted within each, those that nobody outside beats first.

    `beaten` says against whom each name scored. Tarjan 1972, without recursion.
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    held: list[str] = []
    inside: set[str] = set()
    found: list[list[str]] = []
    for root in names:
        if root in index:
            continue
        walk = [(root, iter(sorted(beaten.get(root, ()))))]
        index[root] = low[root] = len(index)
        held.append(root)
        inside.add(root)
        while walk:
            name, following = walk[-1]
            for other in following:
                if other not in index:
                    index[other] = low[other] = len(index)
                    held.append(other)
                    inside.add(other)
                    walk.append((other, iter(sorted(beaten.get(other, ())))))
                    break
                if other in inside:
                    low[name] = min(low[name], index[other])
            else:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[name])
                if low[name] == index[name]:
                    cut = held.index(name)
                    found.append(sorted(held[cut:]))
                    inside.difference_update(held[cut:])
                    del held[cut:]
    return found[::-1]


def connected(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """For each table of `points` (tables by players by players, what each scored against each) whether it is connected."""
    import numpy as np

    size = points.shape[1]
    reach = ((points > 0) | np.eye(size, dtype=np.bool_)).astype(np.float32)
    for _ in range(max(size - 1, 1).bit_length()):
        reach = (reach @ reach > 0).astype(np.float32)
    everywhere: NDArray[np.bool_] = reach.reshape(len(points), size * size).min(axis=1, initial=1.0) > 0
    return everywhere
