"""How much normalising and dialect tags cost beside OpenCC and jieba alone, on all messages of SI-Bench, in one run.

    python tests/bench/bench_text.py [SHARED]     SHARED is the folder of the real data, by default beside the checkout

Prints seconds of CPU, the best of five interleaved rounds, and the ratios. The first call of each, which reads its tables,
is not counted: it happens once in a process. Exit status 1 when a ratio is above what is allowed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from curation.dialects import identify
from curation.normalise import normalise, unguarded
from curation.segment import segment
from curation.slang import annotate

ROUNDS = 5
# What normalising may cost in passes of OpenCC, and dialect tags in passes of jieba.
ALLOWED = {"normalise / opencc": 4.0, "dialects / jieba": 3.0}


def dialogues(shared: Path) -> list[list[str]]:
    """The texts of each dialogue's lines, without their speakers."""
    records = json.loads((shared / "data/si-bench/SI-Bench.json").read_text("utf-8"))
    return [[line.partition(":")[2].lstrip() or line for line in r["chat_messages"].split("\n")] for r in records]


def main(shared: Path) -> int:
    """Measure, print, and say whether all is within what is allowed."""
    import jieba
    import opencc

    talks = dialogues(shared)
    texts = [text for talk in talks for text in talk]
    convert = opencc.OpenCC("t2s").convert
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    passes: dict[str, Callable[[], object]] = {
        "opencc": lambda: [convert(t) for t in texts],
        "normalise": lambda: [normalise(t) for t in texts],
        "jieba": lambda: [tokenizer.lcut(t) for t in texts],
        "jieba without guesses": lambda: [tokenizer.lcut(t, HMM=False) for t in texts],
        "dialects": lambda: [identify(talk) for talk in talks],
        "slang": lambda: [annotate(t) for t in texts],
    }
    for warm in (
        lambda: segment("我"),
        lambda: normalise("們"),
        lambda: unguarded("我", "t2s"),
        lambda: identify(["啥子"]),
    ):
        warm()
    best = dict.fromkeys(passes, float("inf"))
    for _ in range(ROUNDS):
        for name, run in passes.items():
            start = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - start)
    print(f"{len(talks)} dialogues, {len(texts)} lines")  # noqa: T201
    for name, seconds in best.items():
        print(f"{name:24}{seconds:8.3f} s")  # noqa: T201
    # The cheaper of the two ways to run jieba is the stricter measure.
    ratios = {
        "normalise / opencc": best["normalise"] / best["opencc"],
        "dialects / jieba": best["dialects"] / min(best["jieba"], best["jieba without guesses"]),
    }
    for name, ratio in ratios.items():
        print(f"{name:24}{ratio:8.2f}   allowed {ALLOWED[name]:.0f}")  # noqa: T201
    return int(any(ratio > ALLOWED[name] for name, ratio in ratios.items()))


if __name__ == "__main__":
    default = Path(__file__).resolve().parents[3] / "shared"
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else default))
