"""Near-duplicate dialogues: fingerprints by winnowing, a score that sees overlapping windows, clusters.

What repeats among chats is seldom a whole dialogue: it is one window cut from a longer one, the same chat
exported by the other side, or a text with one name replaced. So texts are compared by containment, without
speakers, stickers, punctuation, width and case. Candidates for comparison share a winnowing fingerprint
(Schleimer, Wilkerson and Aiken, 2003: a minimum in each window of `WINDOW` hashes of `GRAM` characters), so
that nothing is compared with everything.

All is a function of the texts and their order: hashes are polynomials over code points, never Python's own.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]
    Owners = NDArray[np.int32]

DUPLICATES_VERSION = "duplicates-1"

GRAM = 8
WINDOW = 6
# A fingerprint in more dialogues than this is a common phrase: its dialogues are chained, not all paired.
COMMON = 20
# Neighbours in such a chain are compared when they share this many fingerprints.
CHAINED = 3
# Under so many characters a text is too little to say that it was cut from another; only equals count.
SHORTEST = 16
# Beyond this length the partial ratio, which takes time that grows faster than the square of it, is taken to be what the
# 3-grams say.
LONGEST = 4000
# A pair must share this part of the fingerprints of the shorter, common ones not counted. True pairs share
# over 0.2.
LEAST_SHARED = 0.1
_BATCH = 2_000
_PAIRS_AT_ONCE = 8_000_000
_MULTIPLIER = 0x9E3779B97F4A7C15

_STICKER = re.compile(r"\[/?[^\[\]\s]{1,12}\]")
_UNSPOKEN = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Duplicate:
    """`loser` is nearly the same as `keeper`, which stays; `similarity` of the two is 0 to 1."""

    loser: int
    keeper: int
    similarity: float


@cache
def _simplified() -> dict[int, str]:
    text = (files("curation") / "data" / "simplified.tsv").read_text(encoding="utf-8")
    columns = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return {ord(a): b for left, right in columns for a, b in zip(left, right, strict=True)}


@cache
def _traditional() -> frozenset[str]:
    return frozenset(map(chr, _simplified()))


def bare(texts: Iterable[str]) -> str:
    """What is compared: a dialogue's words in one, without stickers, signs, width, case and script."""
    text = _UNSPOKEN.sub("", _STICKER.sub("", "\n".join(texts)))
    # Signs first: what is left is normal nearly always, and to see that is much quicker than to make it so.
    if not unicodedata.is_normalized("NFKC", text):
        text = _UNSPOKEN.sub("", unicodedata.normalize("NFKC", text))
    text = text.lower()
    return text if _traditional().isdisjoint(text) else text.translate(_simplified())


def _grams(text: str, n: int) -> set[str]:
    return {text[i : i + n] for i in range(max(1, len(text) - n + 1))}


def _contained(one: set[str], other: set[str]) -> float:
    return len(one & other) / min(len(one), len(other))


class _Compared:
    """A text with its grams, made when they are first asked for: it is compared with several in a row."""

    __slots__ = ("_made", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._made: dict[int, set[str]] = {}

    def grams(self, n: int) -> set[str]:
        if n not in self._made:
            self._made[n] = _grams(self.text, n)
        return self._made[n]

    def similarity(self, other: str, threshold: float) -> float:
        if self.text == other:
            return 1.0
        if min(len(self.text), len(other)) < SHORTEST:
            return 0.0
        contained = _contained(self.grams(8), _grams(other, 8))
        if contained + 2 < 3 * threshold:
            return 0.0
        pieces = _contained(self.grams(3), _grams(other, 3))
        contained += pieces
        if contained + 1 < 3 * threshold:
            return 0.0
        if max(len(self.text), len(other)) > LONGEST:
            return (contained + pieces) / 3
        from rapidfuzz.fuzz import partial_ratio

        return float(partial_ratio(self.text, other) / 100 + contained) / 3


def similarity(one: str, other: str, threshold: float = 0.0) -> float:
    """How alike two `bare` texts are, 0 to 1: the mean of partial ratio and 3-gram and 8-gram containment.

    When the answer cannot reach `threshold`, 0.0 may stand for it.
    """
    return _Compared(one).similarity(other, threshold)


def _batch(texts: Sequence[str]) -> tuple[Hashes, Owners]:
    """The fingerprints of some bare texts, and beside each the index of its text; each once for a text."""
    import numpy as np

    long = [i for i, text in enumerate(texts) if len(text) >= GRAM]
    if not long:
        return np.empty(0, np.uint64), np.empty(0, np.int32)
    # Texts are laid end to end; hashes that reach over an end are masked by the largest value.
    joined = "".join(texts[i] for i in long)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)
    lengths = np.array([len(texts[i]) for i in long], np.int64)
    ends = np.cumsum(lengths)
    owner = np.repeat(np.arange(len(long)), lengths)
    room = ends[owner] - np.arange(len(codes))  # characters from here to the end of the text
    hashes = np.zeros(len(codes) - GRAM + 1, np.uint64)
    for offset in range(GRAM):
        hashes = hashes * np.uint64(_MULTIPLIER) + codes[offset : offset + len(hashes)]
    # The low bits of a polynomial are poor; a minimum wants all of them mixed.
    hashes ^= hashes >> np.uint64(31)
    hashes *= np.uint64(0xBF58476D1CE4E5B9)
    hashes ^= hashes >> np.uint64(29)
    hashes[room[: len(hashes)] < GRAM] = np.uint64(0xFFFFFFFFFFFFFFFF)
    least = hashes.copy()
    for offset in range(1, WINDOW):
        np.minimum(least[:-offset], hashes[offset:], out=least[:-offset])
    # A window begins at the head of each text and wherever a whole one fits.
    place = np.arange(len(hashes))
    starts = ends - lengths
    whole = room[: len(hashes)] >= GRAM + WINDOW - 1
    head = place == starts[owner[: len(hashes)]]
    # The window of a short text looks into the next one: what it may see is cut to its own.
    for text in np.flatnonzero(lengths < GRAM + WINDOW - 1):
        first = int(starts[text])
        least[first] = hashes[first : first + int(lengths[text]) - GRAM + 1].min()
    chosen = np.flatnonzero(whole | head)
    keys = np.empty(len(chosen), dtype=[("owner", np.int32), ("hash", np.uint64)])
    keys["owner"] = np.array(long, np.int32)[owner[chosen]]
    keys["hash"] = least[chosen]
    order = np.lexsort((keys["hash"], keys["owner"]))
    keys = keys[order]
    first_seen = np.ones(len(keys), bool)
    first_seen[1:] = keys[1:] != keys[:-1]
    keys = keys[first_seen]
    return np.ascontiguousarray(keys["hash"]), np.ascontiguousarray(keys["owner"])


def fingerprints(text: str) -> tuple[int, ...]:
    """The fingerprints of one `bare` text: sorted 64-bit numbers, the same on every machine."""
    hashes, _ = _batch([text])
    return tuple(int(h) for h in hashes)


def many_fingerprints(texts: Sequence[str]) -> list[list[int]]:
    """The fingerprints of many `bare` texts, each as `fingerprints` gives them; much quicker than one by one."""
    found: list[list[int]] = [[] for _ in texts]
    for first in range(0, len(texts), _BATCH):
        hashes, owners = _batch(texts[first : first + _BATCH])
        for owner, one in zip(owners.tolist(), hashes.tolist(), strict=True):
            found[first + owner].append(one)
    return found


def candidate_pairs(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of indices of bare texts worth comparing, smaller first, each once, in order."""
    import numpy as np

    parts = []
    for first in range(0, len(texts), _BATCH):
        hashes, owners = _batch(texts[first : first + _BATCH])
        parts.append((hashes, owners + np.int32(first)))
    hashes = np.concatenate([h for h, _ in parts]) if parts else np.empty(0, np.uint64)
    if not len(hashes):
        return
    owners = np.concatenate([o for _, o in parts])
    del parts
    order = np.argsort(hashes, kind="stable")  # stable: owners stay in order within a fingerprint
    hashes, owners = hashes[order], owners[order]
    del order
    starts = np.flatnonzero(np.concatenate(([True], hashes[1:] != hashes[:-1])))
    sizes = np.diff(np.append(starts, len(hashes)))
    del hashes
    blocks = [
        (owners[starts[sizes == size][:, None] + np.arange(size)], np.triu_indices(size, 1))
        for size in range(2, COMMON + 1)
    ]
    rare = np.repeat(sizes <= COMMON, sizes)
    weight = np.bincount(owners[rare], minlength=len(texts))
    long_chains = sizes > COMMON
    chains = [owners[s : s + n] for s, n in zip(starts[long_chains], sizes[long_chains], strict=True)]
    total = sum(len(members) * len(left) for members, (left, _) in blocks)
    # Pairs are made a range of left members at a time, so that memory is bounded by the largest range.
    step = max(1, len(texts) * _PAIRS_AT_ONCE // max(total, _PAIRS_AT_ONCE))
    for low in range(0, len(texts), step):
        yield from _pairs_between(blocks, chains, weight, low, min(low + step, len(texts)))


def _pairs_between(
    blocks: Sequence[tuple[Owners, tuple[Any, Any]]],
    chains: Sequence[Owners],
    weight: NDArray[np.int64],
    low: int,
    high: int,
) -> Iterator[tuple[int, int]]:
    """The candidate pairs whose smaller member is `low` or more and under `high`, in order."""
    import numpy as np

    count = np.int64(len(weight))
    found = [np.empty(0, np.int64)]
    for members, (left, right) in blocks:
        ones = members[:, left]
        mine = (ones >= low) & (ones < high)
        found.append(ones[mine] * count + members[:, right][mine])
    pairs, shared = np.unique(np.concatenate(found), return_counts=True)
    fewest = np.minimum(weight[pairs // count], weight[pairs % count])
    kept = [pairs[shared >= LEAST_SHARED * fewest]]
    linked = [np.empty(0, np.int64)]
    for chain in chains:
        first, last = np.searchsorted(chain[:-1], (low, high))
        linked.append(chain[first:last] * count + chain[first + 1 : last + 1])
    pairs, shared = np.unique(np.concatenate(linked), return_counts=True)
    kept.append(pairs[shared >= CHAINED])
    for pair in np.unique(np.concatenate(kept)).tolist():
        yield divmod(pair, int(count))


class _Clusters:
    """Union-find; the root of a cluster is its smallest index."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def root(self, index: int) -> int:
        parent = self._parent
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.root(one), self.root(other)))
        self._parent[second] = first


def near_duplicates(items: Iterable[tuple[int, Sequence[str]]], threshold: float) -> list[Duplicate]:
    """The near duplicates among `items`, each a key and the texts of a dialogue's messages.

    Dialogues at least `threshold` alike are joined to clusters; in each the longest (by what is compared; the
    earliest of equals) is kept, and so is any that resembles it only by way of others: every `Duplicate` is
    itself at least `threshold` like its keeper. In the order of the items. Texts with nothing to compare
    (stickers alone) are nobody's duplicate.
    """
    keys: list[int] = []
    texts: list[str] = []
    place: dict[str, int] = {}
    copies: list[tuple[int, int, int]] = []  # position, key, index of the text it repeats
    position: list[int] = []
    for number, (key, messages) in enumerate(items):
        text = bare(messages)
        if not text:
            continue
        if text in place:
            copies.append((number, key, place[text]))
        else:
            place[text] = len(texts)
            keys.append(key)
            texts.append(text)
            position.append(number)
    del place
    alike: dict[int, dict[int, float]] = defaultdict(dict)
    clusters = _Clusters(len(texts))
    compared, left = _Compared(""), -1
    for one, other in candidate_pairs(texts):
        if one != left:
            compared, left = _Compared(texts[one]), one
        score = compared.similarity(texts[other], threshold)
        if score >= threshold:
            alike[one][other] = alike[other][one] = score
            clusters.join(one, other)
    members: dict[int, list[int]] = defaultdict(list)
    for index in sorted(alike):
        members[clusters.root(index)].append(index)
    keeper_of: dict[int, tuple[int, float]] = {}
    for cluster in members.values():
        keeper_of.update(_settle(cluster, texts, alike, threshold))
    found = [(position[i], Duplicate(keys[i], keys[k], score)) for i, (k, score) in keeper_of.items()]
    for number, key, same in copies:
        keeper, score = keeper_of.get(same, (same, 1.0))
        found.append((number, Duplicate(key, keys[keeper], score)))
    return [duplicate for _, duplicate in sorted(found, key=lambda pair: pair[0])]


def _settle(
    cluster: Sequence[int], texts: Sequence[str], alike: dict[int, dict[int, float]], threshold: float
) -> dict[int, tuple[int, float]]:
    """For each of a cluster that goes, its keeper and their similarity. Longest first, earliest of equals."""
    order = sorted(cluster, key=lambda i: (-len(texts[i]), i))
    goes: dict[int, tuple[int, float]] = {}
    for index in order[1:]:
        # Those kept that it touched, or that its neighbours went to, or the longest: no need to try them all.
        around = alike[index]
        tried = {
            order[0],
            *(goes[n][0] if n in goes else n for n in around if n in goes or _before(n, index, texts)),
        }
        scores = [(around.get(k) or similarity(texts[index], texts[k], threshold), len(texts[k]), -k) for k in tried]
        score, _, keeper = max(scores)
        if score >= threshold:
            goes[index] = (-keeper, score)
    return goes


def _before(one: int, other: int, texts: Sequence[str]) -> bool:
    return (-len(texts[one]), one) < (-len(texts[other]), other)
