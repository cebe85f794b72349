"""How long trims take to propose, against a bare jieba pass over the same dialogues.

    python tests/bench/bench_trim.py [FILE] [MOST_TURNS...]

Prints seconds and the ratio, best of three runs taken by turns, the word list loaded beforehand.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from curation.model import Dialogue
from curation.readers import read
from curation.trim import propose
from curation.trim.words import tokenizer

RELEASE = Path(__file__).resolve().parents[3] / "shared/data/si-bench/SI-Bench.json"
LIMIT = 2.0


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main(words: list[str]) -> int:
    """Measure; the exit status is 1 when proposing takes more than twice as long as the pass."""
    path = Path(words[0]) if words else RELEASE
    dialogues = [one for one in read(path) if isinstance(one, Dialogue)]
    start = time.perf_counter()
    own = tokenizer()
    if own is None:
        sys.stdout.write("jieba is not installed: nothing to compare with\n")
        return 1
    sys.stdout.write(f"{len(dialogues)} dialogues; word list loaded in {time.perf_counter() - start:.2f} s\n")

    def bare() -> None:
        for one in dialogues:
            for message in one.messages:
                own.lcut(message.text)

    worst = 0.0
    for most in [int(word) for word in words[1:]] or [20, 8]:

        def proposals(most: int = most) -> int:
            return sum(propose(d.messages, self_speaker=d.self_speaker, max_turns=most).changes for d in dialogues)

        runs = [(seconds(bare), seconds(proposals)) for _ in range(3)]
        passed, proposed = (min(times) for times in zip(*runs, strict=True))
        worst = max(worst, proposed / passed)
        sys.stdout.write(
            f"at most {most} turns: {proposals()} shortened in {proposed:.2f} s, bare jieba pass {passed:.2f} s, "
            f"ratio {proposed / passed:.2f}\n"
        )
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
