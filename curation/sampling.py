"""Which dialogues are answered and scored: balanced over situations, reproducible, and open to extension.

Dialogues are drawn one at a time, always from the situation that has fewest so far and still has some: equal shares, and
a rare situation gives all it has. So every first part of a sample is itself balanced, and a sample that is extended keeps
what it had. Within a situation further strata are balanced in the same way, one inside the other.

Chance is a keyed hash of seed and identity, never a generator of random numbers: the same dialogues, seed and number
give the same sample in any order of input, on every machine and Python. Identity is the external id; where the same one
stands in several sources, the source's name decides between them.

Near duplicates are drawn whole: all of a cluster are in the sample, or none of it is. What is measured on the sample then
says nothing about dialogues that the rest of the data holds again. A cluster that does not fit any more is passed over.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from curation.errors import N_, UsageError

SAMPLING_VERSION = "sampling-1"

# Strata that can be asked for, and what they are; a length is that of the text as it would be asked, in turns.
STRATA: dict[str, str] = {
    "dialect": N_("dialect"),
    "length": N_("length in turns: short up to 10, medium up to 20, long above"),
}
_SHORT, _MEDIUM = 10, 20


@dataclass(frozen=True, slots=True)
class Choice:
    """A dialogue that can be drawn. `strata` are its values in the order they are asked for; `cluster` names its near
    duplicates and itself ("" where it has none).
    """

    source: str
    external_id: str
    situation: str
    strata: tuple[str, ...] = ()
    cluster: str = ""


def length_stratum(turns: int) -> str:
    """`short`, `medium` or `long`, by the number of turns."""
    return "short" if turns <= _SHORT else "medium" if turns <= _MEDIUM else "long"


def check_strata(names: Sequence[str]) -> tuple[str, ...]:
    """The names of strata as they were asked for. Raises UsageError for one there is none of, and for one named twice."""
    for name in names:
        if name not in STRATA:
            raise UsageError(N_("{name} must be one of {allowed}"), name="by", allowed=", ".join(STRATA))
    if len(set(names)) != len(names):
        raise UsageError(N_("a stratum is named once"))
    return tuple(names)


def rank(seed: int, *names: str) -> bytes:
    """Where chance puts something under this seed: 32 bytes to sort by, the same everywhere (SHA-256)."""
    text = json.dumps([seed, *names], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).digest()


def _order(seed: int, one: Choice) -> tuple[bytes, bytes]:
    return rank(seed, "dialogue", one.external_id), rank(seed, "dialogue", one.external_id, one.source)


def draw(choices: Iterable[Choice], n: int, seed: int, drawn: Sequence[Choice] = ()) -> list[Choice]:
    """`n` of the choices, in the order they are drawn; fewer when there are no more that fit.

    `drawn` are those that are in the sample already: they are not drawn again, they count towards the balance, and what
    has become a near duplicate of one of them comes first, so that no cluster is split.
    """
    known = {(one.source, one.external_id) for one in drawn}
    fresh = sorted(
        (one for one in choices if (one.source, one.external_id) not in known), key=lambda one: _order(seed, one)
    )
    pool = _Pool(seed, fresh, drawn)
    touched = {one.cluster for one in drawn if one.cluster}
    result: list[Choice] = []
    for unit in pool.units(touched):
        if len(result) + len(unit) <= n:
            result += unit
            pool.count(unit)
    while len(result) < n:
        taken = pool.take(n - len(result))
        if taken is None:
            break
        result += taken
    return result


class _Pool:
    """What can still be drawn, by cell (situation and strata), and how many of each were."""

    def __init__(self, seed: int, fresh: Sequence[Choice], drawn: Sequence[Choice]) -> None:
        self._seed = seed
        clusters: dict[str, list[Choice]] = defaultdict(list)
        for one in fresh:
            clusters[one.cluster or f"\0{one.source}\0{one.external_id}"].append(one)
        self._clusters = clusters
        touched = {one.cluster for one in drawn if one.cluster}
        # Path of a cell -> its units, the next one last; every first part of a path -> the names that go on from it.
        self._cells: dict[tuple[str, ...], list[list[Choice]]] = defaultdict(list)
        self._below: dict[tuple[str, ...], dict[str, bytes]] = defaultdict(dict)
        for name, unit in reversed(clusters.items()):
            if name not in touched:
                path = _path(unit[0])
                self._cells[path].append(unit)
                for depth, step in enumerate(path):
                    self._below[path[:depth]].setdefault(step, rank(seed, "stratum", *path[: depth + 1]))
        self._counts: Counter[tuple[str, ...]] = Counter()
        self._overall: Counter[tuple[int, str]] = Counter()
        self.count(drawn)

    def units(self, clusters: Iterable[str]) -> list[list[Choice]]:
        """What is left of these clusters, in the order of chance."""
        found = [self._clusters[name] for name in clusters if name in self._clusters]
        return sorted(found, key=lambda unit: _order(self._seed, unit[0]))

    def count(self, unit: Iterable[Choice]) -> None:
        for one in unit:
            path = _path(one)
            self._counts.update(path[: depth + 1] for depth in range(len(path)))
            self._overall.update(enumerate(path))

    def take(self, room: int) -> list[Choice] | None:
        """The next unit that fits into `room`; those that do not are passed over for good. None when there is none."""
        while self._below.get(()):
            path: tuple[str, ...] = ()
            while names := self._below.get(path):
                at = path
                step = min(names, key=lambda s: (self._counts[(*at, s)], self._overall[(len(at), s)], names[s], s))
                path = (*path, step)
            units = self._cells[path]
            unit = units.pop()
            if not units:
                self._close(path)
            if len(unit) <= room:
                self.count(unit)
                return unit
        return None

    def _close(self, path: tuple[str, ...]) -> None:
        """Nothing is left in a cell: no way leads to it any more, nor to what held nothing else."""
        del self._cells[path]
        for depth in range(len(path) - 1, -1, -1):
            names = self._below[path[:depth]]
            del names[path[depth]]
            if names:
                break
            del self._below[path[:depth]]


def _path(one: Choice) -> tuple[str, ...]:
    return (one.situation, *one.strata)


def clusters(texts: Mapping[tuple[str, str], Sequence[str]], threshold: float) -> dict[tuple[str, str], str]:
    """Near duplicates among dialogues, given as (source, external id) -> texts: the name of its cluster for each that
    has one. Does not depend on the order of `texts`.
    """
    from curation.duplicates import near_duplicates

    identities = sorted(texts)
    first = list(range(len(identities)))

    def root(index: int) -> int:
        while first[index] != index:
            first[index] = first[first[index]]
            index = first[index]
        return index

    members: set[int] = set()
    for twin in near_duplicates([(i, texts[one]) for i, one in enumerate(identities)], threshold):
        a, b = root(twin.loser), root(twin.keeper)
        first[max(a, b)] = min(a, b)
        members |= {twin.loser, twin.keeper}
    return {identities[i]: "\x1f".join(identities[root(i)]) for i in sorted(members)}
