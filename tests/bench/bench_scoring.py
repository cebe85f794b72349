"""How quick is the scoring screen under the fingers, with the live panel and without it? In one run, key by key.

    python tests/bench/bench_scoring.py [ITEMS]

One person scores ITEMS items in a pseudo-terminal while two others have closed theirs; the panel is on at every other item.
A key's time runs until what it changed is painted, the score already on disk. The figure that counts is the 95th percentile
with the panel to that without it (at most 1.2), at 80x24 and at 120x40. Needs a system with pseudo-terminals.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from curation.work.scoring import SCORES
from db.project import Project
from tests.terminal.ptydriver import Terminal, plain
from tests.tui.scored import ANNOTATORS, scoring_project

KEYS = (  # what is pressed, and what is painted when it has been taken
    ("2", "Reply 2: 1 = 0"),
    ("3", "Complete"),
    ("\r", "Motivation: 1 = 0"),
    ("1", "Cause: 1 = 0"),
    ("2", "Emotion: 1 = 0"),
    ("3", "Intention: 1 = 0"),
    ("2", "Strategy: 1 = 0"),
    ("1", "Complete"),
    ("\r", "Reply 1: 1 = 0"),
)


def score_all(path: Path, person: str, draw: random.Random) -> None:
    """Everything on one person's list, closed."""
    with Project.open(path) as project:
        scoring = project.scoring
        task = scoring.task(person)
        while task is not None and not task.closed:
            for name in task.dimensions:
                task = scoring.score(person, task.code, name, draw.choice(SCORES))
            if "better" in task.marks.missing:
                task = scoring.better(person, task.code, draw.choice("12"))
            task = scoring.close(person, task.code)


def press(terminal: Terminal, key: str, painted: str) -> float:
    """Seconds from a key until what it changed is on the screen."""
    at = len(terminal.output)
    began = time.perf_counter()
    terminal.send(key)
    while time.perf_counter() - began < 5:
        terminal.read(0.0005)
        if painted.encode() in plain(terminal.output[at:]):
            break
    return time.perf_counter() - began


def measure(path: Path, home: Path, items: int, rows: int, columns: int) -> dict[str, list[float]]:
    """The times of all keys, with the panel and without it."""
    times: dict[str, list[float]] = {"without": [], "with": []}
    with Terminal(path, home=home, start="scoring", rows=rows, columns=columns) as terminal:
        terminal.wait_for("Reply 1: 1 = 0")
        for item in range(items + 2):
            on = item % 2 == 1
            for key, painted in KEYS:
                # As a brisk person presses them, and longer than the guard against held keys.
                until = time.perf_counter() + 0.28
                while time.perf_counter() < until:
                    terminal.read(0.02)
                spent = press(terminal, key, painted)
                if item > 1:  # what is loaded once is loaded by then
                    times["with" if on else "without"].append(spent)
            terminal.send("a")
            terminal.read(0.5)
    return times


def main(items: int = 40) -> None:
    """Run at both sizes, print medians, percentiles and the ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for rows, columns in ((24, 80), (40, 120)):
            path = scoring_project(folder / f"{columns}.wb", items // 2 + 4, show_agreement=True)
            for person in ANNOTATORS[1:]:
                score_all(path, person, random.Random(person))
            times = measure(path, folder, items, rows, columns)
            tails = {}
            for who, spent in times.items():
                tails[who] = statistics.quantiles(spent, n=20)[18]
                middle = statistics.median(spent)
                sys.stdout.write(
                    f"{columns}x{rows} {who} the panel: {len(spent)} keys, median {middle * 1000:.1f} ms,"
                    f" p95 {tails[who] * 1000:.1f} ms\n"
                )
            with Project.open(path) as project:
                closed = project.scoring.progress("ann").closed
            sys.stdout.write(
                f"{columns}x{rows} ratio of p95 {tails['with'] / tails['without']:.2f} (at most 1.2);"
                f" closed on disk {closed} of {items + 2}\n"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
