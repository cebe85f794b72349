"""How fast a text is found, against a LIKE scan of the same rows: `python tests/bench/bench_search.py [N]`.

Imports N invented dialogues (100,000 by default) of about 25 messages into a new project in a temporary folder, builds
the index, and measures in one run, one after the other: a LIKE scan of the stored texts for two characters, and
`project.search` for the same two, every find, each hit with its dialogue. Two kinds of text: `even` draws all characters
alike (the worst for an index), `chat` by Zipf's law with common pairs, as people write; of the latter a rare pair and a
common one are looked for. The import is measured before anything is indexed, since it indexes nothing. The aim is ten
times the speed of the scan for a rare pair.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # runs from a checkout, installed or not

from curation.model import Dialogue, Message
from curation.work import Source
from db.index import folded
from db.project import Project

AIM = 10.0
LETTERS = 3000
RARE, COMMON = 1, 100  # of a thousand dialogues


def dialogues(count: int, kind: str) -> Iterator[Dialogue]:
    """Invented dialogues: 15 to 35 messages of 1 to 25 characters."""
    chance = random.Random(7)
    letters = [chr(chance.randrange(0x4E00, 0x9FA5)) for _ in range(LETTERS)]
    weights = None if kind == "even" else [1 / (n + 3) for n in range(LETTERS)]
    stock = chance.choices(letters, weights, k=400_000)
    for number in range(1, count + 1):
        messages = []
        for n in range(chance.randint(15, 35)):
            at = chance.randrange(len(stock) - 25)
            said = stock[at : at + chance.randint(1, 25)]
            if kind == "even":
                said = chance.choices(letters, k=len(said))
            messages.append(Message("用户" if n % 2 else "对方", "".join(said)))
        yield Dialogue(f"{kind}{number}", tuple(messages), "用户")


def best(work: Callable[[], int], rounds: int = 3) -> tuple[float, int]:
    """The least seconds of some rounds, and what the work returned."""
    times, result = [], 0
    for _ in range(rounds):
        began = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - began)
    return min(times), result


def like(project: Project, text: str) -> int:
    """A scan of the stored texts, as little as SQL can do."""
    query = "SELECT count(*) FROM dialogue d JOIN payload p ON p.id = d.payload WHERE p.text LIKE ?"
    return int(project._db.execute(query, (f"%{text}%",)).fetchone()[0])


def ours(project: Project, text: str, limit: int = 0) -> int:
    """Every place, or the first so many."""
    return sum(1 for _ in project.search.find(text, limit=limit))


def pairs(project: Project) -> dict[str, str]:
    """A rare and a common pair of characters, by how many of a sample of the dialogues hold them."""
    held: Counter[str] = Counter()
    sample = [stored for n, stored in enumerate(project.dialogues.at()) if n % 20 == 0]
    for stored in sample:
        texts = [folded(message.text) for message in stored.dialogue.messages]
        held.update({text[i : i + 2] for text in texts for i in range(len(text) - 1)})
    return {
        name: min(sorted(held), key=lambda pair: abs(held[pair] * 1000 / len(sample) - wanted))
        for name, wanted in (("rare", RARE), ("common", COMMON))
    }


def measure(kind: str, count: int, folder: Path) -> bool:
    """One kind of text; whether the rare pair was found ten times as fast."""
    enough = True
    with Project.create(folder / "s.workbench") as project:
        imported, _ = best(
            lambda: project.dialogues.take(dialogues(count, kind), Source("bench"), "curator").messages, 1
        )
        chosen = pairs(project)
        scanned = {text: best(partial(ours, project, text), 1) for text in chosen.values()}
        built, _ = best(lambda: sum(project.search.index.build()), 1)
        size = project.search.index.size()
        (held,) = project._db.execute("SELECT sum(length(CAST(text AS BLOB))) FROM payload").fetchone()
        print(  # noqa: T201
            f"{kind:5} {count} dialogues, {held / 1e6:.0f} MB of text: made and imported in {imported:.1f} s, nothing"
            f" indexed; index built in {built:.1f} s, {size / 1e6:.1f} MB = {size / held:.0%} of the text"
        )
        for name, text in chosen.items():
            scan, dialogues_found = best(partial(like, project, text))
            found, places = best(partial(ours, project, text))
            first, _ = best(partial(ours, project, text, 50))
            before, places_before = scanned[text]
            assert places == places_before
            enough &= scan / found >= AIM or name != "rare"
            print(  # noqa: T201
                f"{kind:5} {name:6} {places:>6} places in {dialogues_found:>6} dialogues: LIKE {scan * 1000:7.1f} ms,"
                f" all places {found * 1000:7.1f} ms, ratio {scan / found:6.1f}; first 50 {first * 1000:5.1f} ms, ratio"
                f" {scan / first:6.1f}; without the index {before * 1000:7.1f} ms"
            )
    return enough


def main(arguments: list[str]) -> int:
    """Run it; exit status 1 when a rare pair is not found ten times as fast."""
    count = int(arguments[0]) if arguments else 100_000
    enough = True
    for kind in ("even", "chat"):
        with tempfile.TemporaryDirectory() as name:
            enough &= measure(kind, count, Path(name))
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
