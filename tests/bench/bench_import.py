"""How fast an import is, against the least that anyone could do: `python tests/bench/bench_import.py [N] [SHAPE]`.

Writes N invented dialogues of about 25 messages as JSONL into a temporary folder, then measures in one process, one
after the other: the baseline (`json.loads` a line, one `executemany` of one row a message into a bare table, one commit)
and ours (`curation.readers.read` into `project.dialogues.take`: strict parsing, refusals by line, salted commitments,
the log). SHAPE is `messages` (a list of speaker and text) or `chat` (one string, as SI-Bench has it); both by default.
Rates are dialogues a second of processor time; the aim is a ratio of at least 0.4.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # runs from a checkout, installed or not

from curation.readers import read
from curation.work import Source
from db.project import Project

AIM = 0.4
SHAPES = ("messages", "chat")


def records(count: int, shape: str) -> Iterator[dict[str, object]]:
    """Invented records: 15 to 35 messages of 1 to 25 characters, and the labels such files carry."""
    chance = random.Random(7)
    words = [chr(chance.randrange(0x4E00, 0x9FA5)) for _ in range(3000)]
    for number in range(1, count + 1):
        said = [
            ("用户" if chance.random() < 0.5 else "对方", "".join(chance.choices(words, k=chance.randint(1, 25))))
            for _ in range(chance.randint(15, 35))
        ]
        record: dict[str, object] = {"id": number, "scenario": "言外之意-讽刺", "scenario_en": "Irony/Sarcasm"}
        if shape == "chat":
            record["chat_messages"] = "\n".join(f"{speaker}: {text}" for speaker, text in said)
        else:
            record["messages"] = [{"speaker": speaker, "text": text} for speaker, text in said]
        yield record


def baseline(source: Path, folder: Path) -> int:
    """Parse each line and put its messages into a table, nothing else."""
    connection = sqlite3.connect(folder / "baseline.db")
    connection.execute("CREATE TABLE message (dialogue TEXT, number INTEGER, speaker TEXT, text TEXT)")

    def rows() -> Iterator[tuple[object, int, str, str]]:
        with source.open(encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                if "messages" in record:
                    for number, message in enumerate(record["messages"]):
                        yield record["id"], number, message["speaker"], message["text"]
                else:
                    for number, one in enumerate(record["chat_messages"].split("\n")):
                        speaker, _, text = one.partition(": ")
                        yield record["id"], number, speaker, text

    connection.executemany("INSERT INTO message VALUES (?, ?, ?, ?)", rows())
    connection.commit()
    count = int(connection.execute("SELECT count(*) FROM message").fetchone()[0])
    connection.close()
    return count


def ours(source: Path, folder: Path) -> int:
    """A whole import into a new project."""
    with Project.create(folder / "ours.workbench") as project:
        return project.dialogues.take(read(source), Source("bench"), "curator").messages


def measure(work: Callable[[Path, Path], int], source: Path, folder: Path) -> tuple[int, float, float]:
    """What the work returned, its processor seconds and its seconds on the clock."""
    wall, processor = time.perf_counter(), time.process_time()
    result = work(source, folder)
    return result, time.process_time() - processor, time.perf_counter() - wall


def main(arguments: list[str]) -> int:
    """Run it; exit status 1 when a ratio is under the aim."""
    count = int(arguments[0]) if arguments else 100_000
    shapes = arguments[1:] or SHAPES
    enough = True
    for shape in shapes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            source = folder / "dialogues.jsonl"
            with source.open("w", encoding="utf-8", newline="\n") as lines:
                lines.writelines(json.dumps(r, ensure_ascii=False) + "\n" for r in records(count, shape))
            size = source.stat().st_size / 1e6
            rates = {}
            for label, work in (("baseline", baseline), ("ours", ours)):
                messages, processor, wall = measure(work, source, folder)
                rates[label] = count / processor
                print(  # noqa: T201
                    f"{shape:9} {label:9} {count:>8} dialogues {messages:>9} messages {size:7.1f} MB"
                    f" {processor:7.2f} s cpu {wall:7.2f} s wall {count / processor:9.0f} dialogues/s"
                )
            ratio = rates["ours"] / rates["baseline"]
            enough &= ratio >= AIM
            print(f"{shape:9} ratio     {ratio:.2f} of the baseline's rate (aim {AIM})")  # noqa: T201
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
