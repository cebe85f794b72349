"""How quality control keeps up with many dialogues: its list, and looking whether a text is approved already.

    python tests/bench/bench_quality.py [HOW_MANY]

Makes a project of invented dialogues, all approved by writing the tables (no events), and prints seconds, and ratios to a
bare read of all texts from the same file.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from curation.model import Dialogue, Message
from curation.work import Source
from curation.work.quality import Filter
from db.log import canonical
from db.project import Project

_SIGNS = [chr(n) for n in range(0x4E00, 0x4E00 + 2500)]


def chat(number: int) -> Dialogue:
    """Twenty messages of ten characters."""
    chance = random.Random(number)
    texts = ["".join(chance.choices(_SIGNS, k=10)) for _ in range(20)]
    return Dialogue(f"c{number}", tuple(Message("我对"[n % 2], text) for n, text in enumerate(texts)), "我")


def timed(name: str, work: Callable[[], Any], base: float = 0.0) -> float:
    """Print how long `work` takes, and the ratio to `base`."""
    start = time.perf_counter()
    work()
    took = time.perf_counter() - start
    sys.stdout.write(f"{name}: {took:.4f} s" + (f", {took / base:.3f} of a bare read\n" if base else "\n"))
    return took


def approve_all(path: Path) -> None:
    """Approvals as if each text stood as it came."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN")
    db.execute("UPDATE state SET stage = 'approved'")
    for key, text in db.execute(
        "SELECT d.id, p.text FROM dialogue d JOIN payload p ON p.id = d.payload ORDER BY d.id"
    ).fetchall():
        rows = json.loads(text)["messages"]
        final = canonical({"messages": [[n, n + 1, "self", row[1]] for n, row in enumerate(rows)]})
        cursor = db.execute("INSERT INTO payload (salt, text) VALUES (?, ?)", (b"", final))
        db.execute(
            "INSERT INTO approval (dialogue, payload, origin, number) VALUES (?, ?, 'bench', ?)",
            (key, cursor.lastrowid, key),
        )
    db.execute("COMMIT")
    db.close()


def main(words: list[str]) -> int:
    """Measure."""
    count = int(words[0]) if words else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "b.workbench"
        with Project.create(path) as project:
            project.dialogues.take((chat(n) for n in range(count)), Source("bench"), "curator")
        approve_all(path)
        with Project.open(path) as project:
            size = path.stat().st_size
            db = sqlite3.connect(path)
            read = "SELECT d.id, p.text FROM dialogue d JOIN payload p ON p.id = d.payload"
            base = timed(f"bare read of {count} texts", lambda: db.execute(read).fetchall())
            listed = project.batch.listed(Filter())
            timed("the list of all", lambda: project.batch.listed(Filter()), base)
            timed("the list of what is open", lambda: project.batch.listed(Filter(matter="open")), base)
            timed("the list of one situation", lambda: project.batch.listed(Filter(situation="irony")), base)
            timed("a screen of rows", lambda: [listed[n] for n in range(count // 2, count // 2 + 24)], base)
            timed("fingerprints of all", lambda: project.quality.checks.prints.settle(), base)
            same = [m.text for m in chat(count // 2).messages]
            other = [m.text for m in chat(count + 1).messages]
            prints = project.quality.checks.prints
            timed("a text that is approved already", lambda: prints.twin(-1, same[1:], 0.69), base)
            timed("a text that is not", lambda: prints.twin(-1, other, 0.69), base)
            assert prints.twin(-1, same[1:], 0.69) == f"c{count // 2}"
            assert prints.twin(-1, other, 0.69) is None
            sys.stdout.write(f"the file grew by {(path.stat().st_size - size) / 1e6:.0f} MB for fingerprints\n")
            db.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
