"""Ratings from battles: Bradley-Terry by maximum likelihood, and online Elo, both on the Elo scale.

A battle ends A (the left wins), B (the right wins), T (tie, both good) or G (both poor); T and G are half a win each way, as
LMArena has it. T and G say the same about relative strength; how often each occurs has to be shown beside the ratings.
Scales under different rules for ties cannot be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum, log
from typing import TYPE_CHECKING

from curation.errors import N_, BadInput
from curation.statistics.bootstrap import percentile_interval
from curation.statistics.connections import components, connected
from curation.statistics.figures import SEED
from curation.statistics.sums import Linear, chunk_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OUTCOMES = {"A": 1.0, "B": 0.0, "T": 0.5, "G": 0.5}
TIE_RULE = "T and G are half a win each way"
RESAMPLES = 1_000
INITIAL, SCALE, BASE, K = 1000.0, 400.0, 10.0, 4.0
_PER_NATURAL_LOG = SCALE / log(BASE)
_STEPS, _LONGEST_STEP, _PRECISION = 200, 2.0, 1e-11


class RatingStatus(StrEnum):
    """`not_connected`: maximum likelihood would be infinite or arbitrary. `no_pairs`: there is no battle."""

    OK = "ok"
    NOT_CONNECTED = "not_connected"
    NO_PAIRS = "no_pairs"


@dataclass(frozen=True, slots=True)
class Battle:
    """One comparison. `score` is the left's, 1 for a win, 0.5 for a draw, between them for a mean of votes."""

    left: str
    right: str
    score: float

    def __post_init__(self) -> None:
        if self.left == self.right:
            raise BadInput(N_("{name} cannot meet itself"), "self_match", name=self.left)
        if not 0.0 <= self.score <= 1.0:
            raise ValueError("a score lies between 0 and 1")


@dataclass(frozen=True, slots=True)
class Rating:
    """One player's rating with its interval (None where resampling cannot tell) and the number of its battles."""

    name: str
    rating: float
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Ratings:
    """Ratings, best first; none when `status` is not ok.

    `components` are the groups within which all can be compared, those that nobody outside beats first; one when all can.
    `undefined` counts the resamples (of `resamples`) that were not connected and are left out of the intervals.
    """

    status: RatingStatus
    ratings: tuple[Rating, ...]
    components: tuple[tuple[str, ...], ...]
    n_battles: int
    resamples: int
    undefined: int


def outcome(label: str) -> float:
    """The left's score for a label. Raises BadInput for anything but A, B, T, G: an unknown label is no tie."""
    found = OUTCOMES.get(label)
    if found is None:
        raise BadInput(N_("{label} is none of A, B, T, G"), "bad_label", label=label)
    return found


def battles_of(votes: Iterable[tuple[str, str, float, Hashable]]) -> list[Battle]:
    """One battle for each key, in order of the first vote: votes (left, right, score of the left, key) are averaged.

    Votes on one battle are not independent, so it counts once and is drawn once. A vote with the sides swapped is
    turned round; BadInput when two votes with one key name different players.
    """
    held: dict[Hashable, tuple[str, str, list[float]]] = {}
    for left, right, score, key in votes:
        first, second, scores = held.setdefault(key, (left, right, []))
        if (left, right) == (first, second):
            scores.append(score)
        elif (right, left) == (first, second):
            scores.append(1.0 - score)
        else:
            raise BadInput(
                N_("battle {key} is between {first} and {second}, not {left} and {right}"),
                "other_battle",
                key=str(key),
                first=first,
                second=second,
                left=left,
                right=right,
            )
    return [Battle(left, right, fsum(scores) / len(scores)) for left, right, scores in held.values()]


def tallies(votes: Iterable[tuple[str, str, str]]) -> dict[str, dict[str, int]]:
    """How often each one won, lost, and was in a vote "both good" or "both poor": votes (left, right, label)."""
    found: dict[str, dict[str, int]] = {}
    for left, right, label in votes:
        for name, wins in ((left, "A"), (right, "B")):
            word = {"T": "both_good", "G": "both_poor"}.get(label, "wins" if label == wins else "losses")
            counts = found.setdefault(name, dict.fromkeys(("wins", "losses", "both_good", "both_poor"), 0))
            counts[word] += 1
    return found


def bradley_terry(battles: Sequence[Battle], *, resamples: int = RESAMPLES, seed: int = SEED) -> Ratings:
    """Maximum likelihood ratings with mean 1000 (Bradley and Terry 1952; Newton's method; no ridge, no prior).

    Intervals draw battles again and fit again. Refused, with the components, when the battles do not connect everyone.
    """
    import numpy as np

    names, groups = _players(battles)
    if not battles:
        return _empty(resamples)
    if len(groups) > 1:
        return Ratings(RatingStatus.NOT_CONNECTED, (), groups, len(battles), resamples, 0)
    kinds = Counter((b.left, b.right, b.score) for b in battles)
    place = {name: n for n, name in enumerate(names)}
    size = len(names)
    left = np.asarray([place[one] for one, _, _ in kinds], dtype=np.intp)
    right = np.asarray([place[other] for _, other, _ in kinds], dtype=np.intp)
    score = np.asarray([score for _, _, score in kinds])
    kind = np.arange(len(kinds))
    points_of = Linear(
        np.concatenate([kind, kind]),
        np.concatenate([left * size + right, right * size + left]),
        np.concatenate([score, 1.0 - score]),
        size * size,
    )
    counts = np.asarray(list(kinds.values()), dtype=np.float64)
    point = newton(points_of(counts[None, :]).reshape(1, size, size))[0]
    drawn = []
    generator = np.random.default_rng(seed)
    step = chunk_of(max(size * size, len(kinds)))
    for start in range(0, resamples, step):
        some = min(step, resamples - start)
        times = generator.multinomial(len(battles), counts / counts.sum(), size=some).astype(np.float64)
        points = points_of(times).reshape(some, size, size)
        fitted = np.full((some, size), np.nan)
        whole = connected(points)
        fitted[whole] = newton(points[whole])
        drawn.append(fitted)
    return _rated(names, battles, point, np.concatenate(drawn) if drawn else np.zeros((0, size)), resamples)


def newton(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ratings on the Elo scale from tables of points (tables by players by players), each connected.

    The gradient is points scored minus points expected, the Hessian a graph Laplacian that is singular along equal shifts
    of all; adding a constant to it fixes the mean without moving the maximum.
    """
    import numpy as np

    tables, size = points.shape[:2]
    games = points + points.transpose(0, 2, 1)
    scored = points.sum(axis=2)
    strength = np.zeros((tables, size))
    for _ in range(_STEPS):
        chance = 1.0 / (1.0 + np.exp(strength[:, None, :] - strength[:, :, None]))
        gradient = scored - (games * chance).sum(axis=2)
        if tables == 0 or np.abs(gradient).max() <= _PRECISION * max(1.0, float(games.max())):
            break
        weight = games * chance * (1.0 - chance)
        hessian = -weight
        hessian[:, range(size), range(size)] += weight.sum(axis=2)
        step = np.linalg.solve(hessian + 1.0 / size, gradient[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        strength += step * np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _LONGEST_STEP))
    strength -= strength.mean(axis=1, keepdims=True)
    return INITIAL + _PER_NATURAL_LOG * strength


def elo(battles: Sequence[Battle], *, k: float = K, resamples: int = RESAMPLES, seed: int = SEED) -> Ratings:
    """Online Elo in the order given, all beginning at 1000 (FastChat's compute_elo: K 4, scale 400, base 10).

    It depends on the order and is a running score, not an estimate. Intervals draw battles again and keep the order.
    """
    import numpy as np

    names, groups = _players(battles)
    if not battles:
        return _empty(resamples)
    place = {name: n for n, name in enumerate(names)}
    left = np.asarray([place[b.left] for b in battles], dtype=np.intp)
    right = np.asarray([place[b.right] for b in battles], dtype=np.intp)
    score = np.asarray([b.score for b in battles])
    order = np.arange(len(battles))
    point = _online(left, right, score, order[None, :], len(names), k)[0]
    generator = np.random.default_rng(seed)
    drawn = []
    step = chunk_of(len(battles))
    for start in range(0, resamples, step):
        some = min(step, resamples - start)
        picked = np.sort(generator.integers(0, len(battles), size=(some, len(battles))), axis=1)
        drawn.append(_online(left, right, score, picked, len(names), k))
    found = _rated(names, battles, point, np.concatenate(drawn) if drawn else np.zeros((0, len(names))), resamples)
    return Ratings(found.status, found.ratings, groups, found.n_battles, found.resamples, found.undefined)


def _online(
    left: NDArray[np.intp],
    right: NDArray[np.intp],
    score: NDArray[np.float64],
    picked: NDArray[np.intp],
    size: int,
    k: float,
) -> NDArray[np.float64]:
    """Elo after the battles `picked` (runs by places in the order): runs by players."""
    import numpy as np

    runs = np.arange(len(picked))
    held = np.full((len(picked), size), INITIAL)
    for battle in picked.T:
        one, other = left[battle], right[battle]
        expected = 1.0 / (1.0 + BASE ** ((held[runs, other] - held[runs, one]) / SCALE))
        change = k * (score[battle] - expected)
        held[runs, one] += change
        held[runs, other] -= change
    return held


def _players(battles: Sequence[Battle]) -> tuple[list[str], tuple[tuple[str, ...], ...]]:
    """The names, sorted, and the components."""
    beaten: dict[str, set[str]] = {}
    for battle in battles:
        ahead, behind = beaten.setdefault(battle.left, set()), beaten.setdefault(battle.right, set())
        if battle.score > 0:
            ahead.add(battle.right)
        if battle.score < 1:
            behind.add(battle.left)
    names = sorted(beaten)
    return names, tuple(map(tuple, components(names, beaten)))


def _empty(resamples: int) -> Ratings:
    return Ratings(RatingStatus.NO_PAIRS, (), (), 0, resamples, 0)


def _rated(
    names: Sequence[str],
    battles: Sequence[Battle],
    point: NDArray[np.float64],
    drawn: NDArray[np.float64],
    resamples: int,
) -> Ratings:
    met = Counter(name for battle in battles for name in (battle.left, battle.right))
    rated, undefined = [], 0
    # A single battle, or nothing but draws, comes out the same however often it is drawn: that is no certainty.
    decisive = len(battles) > 1 and any(battle.score != 0.5 for battle in battles)
    for place, name in enumerate(names):
        low, high, undefined = percentile_interval(drawn[:, place])
        if not decisive:
            low = high = None
        rated.append(Rating(name, float(point[place]), low, high, met[name]))
    rated.sort(key=lambda one: (-one.rating, one.name))
    return Ratings(RatingStatus.OK, tuple(rated), (tuple(names),), len(battles), resamples, undefined)
