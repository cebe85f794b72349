"""Train the second opinion on dialects from labelled sentences, and judge it by cross-validation.

    python tests/bench/train_opinion.py SENTENCES.jsonl [--write]

SENTENCES: lines {"id", "text", "dialect", "licence", "selection"}. Only sentences drawn at random under CC BY 2.0 FR or
CC BY 4.0 are trained on. Prints precision and recall of Wu and Cantonese without the opinion and with one that has not seen
the sentence (five folds); `--write` then trains on all and writes `curation/data/dialects/opinion.tsv`.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from curation.dialects import identify
from curation.dialects.opinion import grams

TARGET = Path("curation/data/dialects/opinion.tsv")
FOLDS = 5
# A gram is kept that is met in so many sentences, and tells the two apart by so much.
OFTEN, TELLING, MOST = 3, 0.7, 3.0
SIDES = ("wu", "cantonese")
HEADER = """\
# Log odds times ten of characters and pairs of characters in Wu and in Cantonese, against Mandarin. _ is the beginning
# or the end of a stretch of Chinese. Trained data, not for editing by hand: see README.md beside this file.
# gram	wu	cantonese
"""
Sentence = dict[str, str]
Weights = dict[str, dict[str, float]]


def usable(sentence: Sentence) -> bool:
    """Whether the sentence may be trained on, by licence and by how it was chosen."""
    return (
        sentence["licence"].startswith(("CC BY 2.0 FR", "CC BY 4.0"))
        and sentence["dialect"] in ("mandarin", *SIDES)
        and sentence["selection"] == "random"
    )


def trained(sentences: Sequence[Sentence]) -> Weights:
    """The log odds of each gram for each side against Mandarin."""
    met: dict[str, Counter[str]] = {name: Counter() for name in ("mandarin", *SIDES)}
    for sentence in sentences:
        met[sentence["dialect"]].update(grams(sentence["text"]))
    size = Counter(s["dialect"] for s in sentences)
    total = sum(met.values(), Counter[str]())
    weights: Weights = {}
    for side in SIDES:
        odds = {
            gram: math.log((met[side][gram] + 0.5) / (size[side] + 1))
            - math.log((met["mandarin"][gram] + 0.5) / (size["mandarin"] + 1))
            for gram, times in total.items()
            if times >= OFTEN
        }
        weights[side] = {g: round(10 * max(-MOST, min(MOST, w))) / 10 for g, w in odds.items() if abs(w) >= TELLING}
    return weights


def fold(sentence: Sentence) -> int:
    """Which of the folds a sentence belongs to; the same in every run."""
    return int(hashlib.sha256(sentence["id"].encode()).hexdigest(), 16) % FOLDS


def judged(sentences: Sequence[Sentence], opinion: Callable[[Sentence, str], float]) -> str:
    """Precision and recall of both sides, and how many Mandarin sentences are called one of them."""
    table: Counter[tuple[str, str]] = Counter()
    for sentence in sentences:
        answer = identify([sentence["text"]], opinion=lambda _, side, s=sentence: opinion(s, side))  # type: ignore[misc]
        table[sentence["dialect"], answer.tag] += 1
    parts = []
    for side in SIDES:
        said = sum(n for (_, tag), n in table.items() if tag == side)
        gold = sum(n for (name, _), n in table.items() if name == side)
        parts.append(f"{side} {table[side, side] / said:.4f}/{table[side, side] / gold:.4f}")
    wrong = sum(table["mandarin", side] for side in SIDES)
    return "  ".join([*parts, f"Mandarin called so {wrong}"])


def main(path: Path, write: bool) -> None:
    """Judge, and train on all where asked."""
    sentences: list[Sentence] = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    models = [trained([s for s in sentences if usable(s) and fold(s) != k]) for k in range(FOLDS)]

    def unseen(sentence: Sentence, side: str) -> float:
        weights = models[fold(sentence)].get(side, {})
        return sum(weights.get(gram, 0.0) for gram in grams(sentence["text"]))

    print("without  ", judged(sentences, lambda *_: 0.0))  # noqa: T201
    print("with     ", judged(sentences, unseen))  # noqa: T201
    if write:
        whole = trained([s for s in sentences if usable(s)])
        rows = sorted({gram for weights in whole.values() for gram in weights})
        lines = [
            "\t".join([gram.replace(" ", "_"), *(str(round(10 * whole[side].get(gram, 0.0))) for side in SIDES)])
            for gram in rows
        ]
        (Path(__file__).resolve().parents[2] / TARGET).write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
        print(f"{len(rows)} grams written to {TARGET}")  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--write" in sys.argv[2:])
