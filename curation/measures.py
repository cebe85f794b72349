"""Measures of what systems wrote: length, diversity, entropy, richness, and how alike a process and its reply are.

Words are jieba's (precise mode, no guessing, our own dictionary order), without punctuation, stickers, emoji and kaomoji.
Diversity is a moving-average type-token ratio (MATTR, Covington and McFall 2010), which a longer text does not lower as the
plain ratio does; entropy is Shannon's over words, in bits. Content richness follows the idea of a weighted score of both;
its formula is ours, and named. Single replies are too short to be measured alone, so those measures are taken over all
texts of a system together, in the order of the sample.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from curation.errors import N_, BadInput
from curation.normalise import protected_spans
from curation.replies.length import visible_length
from curation.segment import segment

WINDOW = 20
RICHNESS = "richness-1: (MATTR20 + H / log2 types) / 2"
TFIDF = "tfidf-char-1-2"
BINS = 10


@dataclass(frozen=True)
class Measured:
    """Measures of all texts of one kind (`process`, `cot`, `direct`, or an ablation) by one system.

    `characters` and `words` are means a text: characters as a reader sees them. `mattr` lies above 0 and up to 1; `entropy`
    is in bits a word, `evenness` the share of what it could be with as many types (0 to 1); `richness` is their mean (see
    RICHNESS). None where there are too few words. `short`: fewer words in all than the window, so `mattr` is a plain ratio.
    """

    system: str
    part: str
    n: int
    characters: float | None
    words: float | None
    types: int
    mattr: float | None
    entropy: float | None
    evenness: float | None
    richness: float | None
    short: bool


@dataclass(frozen=True)
class Similarity:
    """How alike the process is to the reply of a mode, dialogue by dialogue: cosines, 0 (or -1 with embeddings) to 1.

    `histogram` counts them in ten bins from 0 to 1 (what is below 0 in the first). `values` are by uid of the dialogue.
    """

    system: str
    to: str
    method: str
    n: int
    mean: float | None
    sd: float | None
    quartiles: tuple[float, float, float] | None
    histogram: tuple[int, ...]
    values: Mapping[str, float] = field(default_factory=dict, repr=False)


def words_of(text: str) -> list[str]:
    """The words of a text, without case; what is no word is left out. Raises MissingExtra without jieba."""
    aside = set(protected_spans(text))
    return [
        token.word.casefold()
        for token in segment(text)
        if (token.start, token.end) not in aside and any(c.isalnum() for c in token.word)
    ]


def mattr(words: Sequence[str], window: int = WINDOW) -> float | None:
    """The mean share of different words in every `window` words in a row; of fewer words, their plain share. None of none."""
    if not words:
        return None
    if len(words) <= window:
        return len(set(words)) / len(words)
    counts = Counter(words[:window])
    total = types = len(counts)
    for gone, come in zip(words, words[window:], strict=False):
        counts[come] += 1
        types += counts[come] == 1
        counts[gone] -= 1
        types -= counts[gone] == 0
        total += types
    return total / (len(words) - window + 1) / window


def entropy(words: Sequence[str]) -> float | None:
    """Shannon's entropy of the words, in bits. None where there are none."""
    if not words:
        return None
    counts, total = Counter(words), len(words)
    return max(0.0, -math.fsum(n / total * math.log2(n / total) for n in sorted(counts.values())))


def measured(system: str, part: str, texts: Sequence[str]) -> Measured:
    """The measures of these texts, in their order."""
    lists = [words_of(text) for text in texts]
    words = [word for one in lists for word in one]
    types = len(set(words))
    diversity, bits = mattr(words), entropy(words)
    evenness = None if bits is None or types < 2 else bits / math.log2(types)
    return Measured(
        system=system,
        part=part,
        n=len(texts),
        characters=sum(map(visible_length, texts)) / len(texts) if texts else None,
        words=len(words) / len(texts) if texts else None,
        types=types,
        mattr=diversity,
        entropy=bits,
        evenness=evenness,
        richness=None if diversity is None or evenness is None else (diversity + evenness) / 2,
        short=len(words) < WINDOW,
    )


# -- similarity


class TfIdf:
    """Vectors of weighted characters and pairs of characters, fitted on a set of texts.

    Weight: count in the text, times ln((1 + texts) / (1 + texts with it)) + 1, scaled to length 1.
    """

    method = TFIDF

    def __init__(self, texts: Iterable[str]) -> None:
        self._count = 0
        found: Counter[str] = Counter()
        for text in texts:
            self._count += 1
            found.update(set(_grams(text)))
        self._found = found

    def vector(self, text: str) -> dict[str, float]:
        """The vector of a text; an empty one where there is nothing in it."""
        weights = {
            gram: n * (math.log((1 + self._count) / (1 + self._found[gram])) + 1)
            for gram, n in Counter(_grams(text)).items()
        }
        size = math.sqrt(math.fsum(w * w for w in weights.values()))
        return {gram: w / size for gram, w in weights.items()} if size else {}

    def alike(self, one: str, other: str) -> float | None:
        """The cosine of two texts; None where one of them is empty."""
        a, b = self.vector(one), self.vector(other)
        if not a or not b:
            return None
        if len(b) < len(a):
            a, b = b, a
        return math.fsum(w * b[gram] for gram, w in sorted(a.items()) if gram in b)


def _grams(text: str) -> list[str]:
    bare = "".join(c for c in text.casefold() if not c.isspace())
    return [*bare, *(a + b for a, b in pairwise(bare))]


class Embeddings:
    """Vectors of texts that were made elsewhere. Raises BadInput for a file that is not as it should be.

    JSON lines of `text` and `vector` (numbers, as many in each); `model` may name what made them.
    """

    def __init__(self, path: Path) -> None:
        self._vectors: dict[str, list[float]] = {}
        models: set[str] = set()
        try:
            with path.open(encoding="utf-8-sig") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        self._add(path, number, line, models)
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(
                N_("{file}: cannot be read ({reason}); check the name and the permissions"),
                code="unreadable",
                file=path,
                reason=getattr(error, "strerror", None) or error,
            ) from None
        self.method = f"embeddings: {', '.join(sorted(models)) or path.name}"

    def _add(self, path: Path, number: int, line: str, models: set[str]) -> None:
        try:
            value = json.loads(line)
            text, vector = value["text"], [float(x) for x in value["vector"]]
            whole = isinstance(text, str) and vector and all(map(math.isfinite, vector))
        except (ValueError, KeyError, TypeError):
            whole = False
        if not whole or (self._vectors and len(vector) != len(next(iter(self._vectors.values())))):
            raise BadInput(
                N_("{file}, line {line}: no text with a vector as long as those before it"),
                code="bad_vector",
                file=path,
                line=number,
            )
        self._vectors[text] = vector
        if isinstance(value.get("model"), str):
            models.add(value["model"])

    def alike(self, one: str, other: str) -> float | None:
        """The cosine of two texts; None where one of them has no vector."""
        a, b = self._vectors.get(one), self._vectors.get(other)
        if a is None or b is None:
            return None
        size = math.sqrt(math.fsum(x * x for x in a) * math.fsum(x * x for x in b))
        return math.fsum(x * y for x, y in zip(a, b, strict=True)) / size if size else None


def similarity(system: str, to: str, method: TfIdf | Embeddings, pairs: Mapping[str, tuple[str, str]]) -> Similarity:
    """How alike process and reply are in these pairs, by uid; those of which one has nothing to compare are left out."""
    values = {uid: alike for uid, (one, other) in pairs.items() if (alike := method.alike(one, other)) is not None}
    ordered = sorted(values.values())
    n = len(ordered)
    mean = math.fsum(ordered) / n if n else None
    sd = math.sqrt(math.fsum((x - mean) ** 2 for x in ordered) / (n - 1)) if mean is not None and n > 1 else None
    counts = [0] * BINS
    for value in ordered:
        counts[min(BINS - 1, max(0, int(value * BINS)))] += 1
    quartiles = (_quantile(ordered, 0.25), _quantile(ordered, 0.5), _quantile(ordered, 0.75)) if n else None
    return Similarity(system, to, method.method, n, mean, sd, quartiles, tuple(counts), values)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Linear between the two values around the place (type 7 of Hyndman and Fan)."""
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def process_text(process: Mapping[str, str]) -> str:
    """The process fields as one text, in their order."""
    return "\n".join(text for text in process.values() if text)
