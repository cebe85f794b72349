"""How quick is the screening screen under the fingers? Against a bare Textual app of as many widgets, in one run.

    python tests/bench/bench_screen.py [ITEMS [MANY]]

Three figures. Two as a ratio to the bare app in the same pseudo-terminal of 80x24: from the start of the process to the first
paint (at most 1.5), and from the key that commits a decision to the next dialogue being painted, 95th percentile (at most
2). The bare app answers the same key by showing another text; ours writes the decision to disk first, and the run ends by
counting that each one is there. Needs a system with pseudo-terminals. The third is the same key inside the program, without
painting: at MANY candidates (100,000) against 100, at most 1.5.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from curation.model import Dialogue, Message
from curation.work import Source
from db.connection import transaction
from db.project import Project
from db.replay import project as replay
from tests.terminal.ptydriver import START, Terminal

QUIET = 0.05
WIDGETS = 8  # as many as the screening screen mounts
BARE = """
import sys
from textual.app import App
from textual.content import Content
from textual.widgets import Static, TextArea

class Bare(App):
    CSS = "Static { height: 1; } #text { height: 10; } TextArea { height: 3; }"
    AUTO_FOCUS = None
    item = 0
    def compose(self):
        yield Static("header", id="header")
        yield Static(self.text(), id="text")
        for n in range(int(sys.argv[1]) - 3):
            yield Static(f"line {n}")
        yield TextArea()
    def text(self):
        lines = (f"  {k}   第{self.item}段第{k}句 " + chr(0x4e00 + self.item * 37 + k * 11) * 9 for k in range(10))
        return Content("\\n".join(lines))
    def key_enter(self):
        self.item += 1
        self.query_one("#text", Static).update(self.text())
        self.query_one("#header", Static).update(f"item {self.item}")
    def key_k(self): self.query_one("#header", Static).update("keep")
    def key_1(self): self.query_one("#header", Static).update("one")
Bare().run()
"""


def small(folder: Path, items: int) -> Path:
    """A project with `items` dialogues of ten turns on the desk of ann."""
    path = folder / "bench.workbench"
    with Project.create(path) as made:
        rows = []
        for n in range(items):
            lines = [f"第{n}段第{k}句 {chr(0x4E00 + n * 37 + k * 11) * 9}" for k in range(10)]
            messages = tuple(Message(("我", "对方")[k % 2], line) for k, line in enumerate(lines))
            rows.append(Dialogue(f"c{n}", messages, self_speaker="我"))
        made.dialogues.take(rows, Source("bench"), "curator")
        made.dialogues.apply_rules("curator")
        for person in ("ann", "bo"):
            made.people.add(person, "annotator", "curator")
        made.people.pair("ann", "bo", "curator")
        made.screening.assign("curator")
    return path


def many(folder: Path, items: int) -> Path:
    """A project with `items` short dialogues on the desk of ann, without the search for near duplicates."""
    path = folder / f"many-{items}.workbench"
    with Project.create(path) as made:
        rows = [
            Dialogue(
                f"c{n}", tuple(Message(("我", "对方")[k % 2], f"{n}-{k}好的呀") for k in range(6)), self_speaker="我"
            )
            for n in range(items)
        ]
        made.dialogues.take(rows, Source("bench"), "curator")
        with transaction(made._db):
            keys = [key for (key,) in made._db.execute("SELECT id FROM dialogue ORDER BY id")]
            entries: list[tuple[int, object]] = [(key, {"code": ""}) for key in keys]
            event = made.log.append("candidates", "curator", {"rules": "bench"}, entries=entries)
            replay(made._db, event, [(key, 0, {"code": ""}) for key in keys])
        for person in ("ann", "bo"):
            made.people.add(person, "annotator", "curator")
        made.people.pair("ann", "bo", "curator")
        made.screening.assign("curator")
        for key in keys[:200]:
            made.findings.scan(key)  # as the look ahead does while a person reads
    return path


def commits(path: Path, count: int) -> list[float]:
    """Seconds of each of `count` commits with the next dialogue laid, in the program."""
    from screens.screening import ScreeningScreen
    from workbench.app import WorkbenchApp

    async def run() -> list[float]:
        app = WorkbenchApp(path, "ann", "zh", "screening", pace=0.0, keymap={})
        spent = []
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            screen = app.screen
            assert isinstance(screen, ScreeningScreen)
            await asyncio.sleep(1.0)
            for _ in range(count):
                await pilot.press("d")
                await pilot.pause()
                began = time.perf_counter()
                screen.action_commit()
                spent.append(time.perf_counter() - began)
                await pilot.pause()
        return spent

    return asyncio.run(run())


def settle(terminal: Terminal, patience: float = 5.0) -> float:
    """Wait until something was painted and nothing more comes. Returns when the last byte came."""
    started = last = time.perf_counter()
    size = len(terminal.output)
    while time.perf_counter() - started < patience:
        terminal.read(0.001)
        now = time.perf_counter()
        if len(terminal.output) > size:
            size, last = len(terminal.output), now
        elif last > started and now - last > QUIET:
            break
    return last


def first_paint(path: Path, home: Path, code: str) -> tuple[float, Terminal]:
    """Start a program; seconds until the first dialogue is on the screen."""
    began = time.perf_counter()
    terminal = Terminal(path, home=home, code=code)
    while "第0段第0句".encode() not in terminal.output and time.perf_counter() - began < 20:
        terminal.read(0.001)
    return time.perf_counter() - began, terminal


def at_scale(sizes: tuple[int, int], rounds: int = 3, count: int = 40) -> None:
    """Print what a commit takes at each size, and the ratio."""
    with tempfile.TemporaryDirectory() as name:
        paths = {size: many(Path(name), size) for size in sizes}
        medians: dict[int, list[float]] = {size: [] for size in sizes}
        for _ in range(rounds):
            for size, path in paths.items():
                medians[size].append(
                    statistics.median(commits(path, count if size > rounds * count else size // rounds))
                )
    for size in sizes:
        sys.stdout.write(f"commit and next, {size} candidates: median {min(medians[size]) * 1000:.2f} ms\n")
    sys.stdout.write(f"ratio {min(medians[sizes[1]]) / min(medians[sizes[0]]):.2f} (at most 1.5)\n")


def main(items: int = 60, most: int = 100_000) -> None:
    """Run all, print medians, percentiles and ratios."""
    at_scale((100, most))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = small(folder, items + 5)
        programs = {"bare": (Path(str(WIDGETS)), BARE), "ours": (path, START)}
        starts: dict[str, list[float]] = {"ours": [], "bare": []}
        for _ in range(7):
            for who, (what, code) in programs.items():
                spent, terminal = first_paint(what, folder, code)
                starts[who].append(spent)
                settle(terminal, 1.0)
                terminal.__exit__(None, None, None)
        medians = {who: statistics.median(values) for who, values in starts.items()}
        for who in ("bare", "ours"):
            sys.stdout.write(f"first paint {who}: {medians[who] * 1000:.0f} ms\n")
        sys.stdout.write(f"ratio {medians['ours'] / medians['bare']:.2f} (at most 1.5)\n")

        tails = {}
        for who, (what, code) in programs.items():
            _, terminal = first_paint(what, folder, code)
            settle(terminal, 1.0)
            waits = []
            for _ in range(items):
                for key in (b"k", b"1", b"1"):
                    terminal.send(key)
                    settle(terminal, 0.3)
                time.sleep(0.3)  # longer than the guard against held keys
                pressed = time.perf_counter()
                terminal.send(b"\r")
                waits.append(settle(terminal) - pressed)
            terminal.__exit__(None, None, None)
            first, *waits = waits  # what is loaded once is loaded behind the first dialogue
            tails[who] = statistics.quantiles(waits, n=20)[18]
            middle = statistics.median(waits) * 1000
            sys.stdout.write(f"commit key {who}: first {first * 1000:.0f} ms, then ")
            sys.stdout.write(f"median {middle:.1f} ms, p95 {tails[who] * 1000:.1f} ms\n")
        with Project.open(path) as made:
            decided = made.screening.progress("ann").decided
        sys.stdout.write(
            f"ratio of p95 {tails['ours'] / tails['bare']:.2f} (at most 2); decisions on disk {decided} of {items}\n"
        )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
