"""How quickly replies are taken in: the rate of importing against the rate of parsing them, on invented ones.

    python tests/bench/bench_replies.py [COUNT]

Parsing is reading the file and mending each output to words; importing is all of it, down to the disk. Nothing is
asserted: the ratio is printed (the aim is 0.5 or more).
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from curation.model import Dialogue, Message
from curation.replies import read, read_words
from curation.replies.shapes import Written
from curation.work import Source
from curation.work.asking import System
from db.project import Project

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.brokenoutputs import MENDS, dumped, fields

_FLAWED = 5  # every so many has a flaw


def chats(count: int) -> list[Dialogue]:
    """Invented dialogues, no two alike."""
    return [
        Dialogue(
            f"c{n}",
            tuple(
                Message("用户" if i % 2 else "对方", f"{chr(0x4E00 + (n * 7 + i) % 20000)}{n}第{i}句{n * 31 + i}")
                for i in range(7)
            ),
            "用户",
        )
        for n in range(count)
    ]


def prepared(path: Path, count: int) -> Project:
    """A project with `count` approved dialogues in its sample. What has nothing to do with replies is written straight."""
    project = Project.create(path)
    project.dialogues.take(chats(count), Source("bench"), "curator")
    project.dialogues.apply_rules("curator")
    for name in ("ann", "bo"):
        project.people.add(name, "annotator", "curator")
    project.people.pair("ann", "bo", "curator")
    lines = [
        {"kind": "screening", "dialogue": f"c{n}", "by": by, "keep": True, "situation": "irony"}
        for n in range(count)
        for by in ("ann", "bo")
    ]
    project.decisions.take(enumerate(lines, 1), "lines", actor="curator")
    project.quality.approve("curator")
    project.samples.fix(count, 7, "curator")
    return project


def outputs(ids: list[str], path: Path) -> None:
    """A batch result a prompt, one of `_FLAWED` broken."""
    kinds = list(MENDS.values())
    with path.open("w", encoding="utf-8") as out:
        for n, name in enumerate(ids):
            made = fields(n)
            text = kinds[n % len(kinds)](made) if n % _FLAWED == 0 else dumped(made)
            body = {"id": f"chatcmpl-{n}", "choices": [{"message": {"role": "assistant", "content": text}}]}
            row = {"id": f"b{n}", "custom_id": name, "response": {"status_code": 200, "body": body}, "error": None}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def seconds(work: Callable[[], object]) -> float:
    """How much processor time it takes: others work on the machine, too."""
    began = time.process_time()
    work()
    return time.process_time() - began


def parse(path: Path) -> int:
    """Read and mend all of a file."""
    return sum(bool(read_words(one.content, "cot").words.reply) for one in read(path) if isinstance(one, Written))


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    systems = 10
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.jsonl"
        with prepared(Path(folder) / "b.workbench", count) as project:
            ids = [one.id for one in project.prompts.make("cot", "zh", "curator").prompts]
            outputs(ids, path)
            parse(path)
            parsed, took = [], []
            for n in range(systems):  # in turns: what else the machine does must not count for one side alone
                project.systems.add(System(f"m{n}"), "curator")
                parsed.append(seconds(lambda: parse(path)))
                took.append(seconds(lambda n=n: project.replies.take(read(path), f"m{n}", "curator", file="out")))  # type: ignore[misc]
            again = seconds(lambda: project.replies.take(read(path), "m0", "curator", file="out"))
        parsing, importing = sum(parsed), sum(took)
        print(f"{count * systems:,} replies, every {_FLAWED}th broken")  # noqa: T201
        print(f"parsing   {count * systems / parsing:>10,.0f} a second")  # noqa: T201
        print(f"importing {count * systems / importing:>10,.0f} a second, the slowest file {count / max(took):,.0f}")  # noqa: T201
        print(f"again     {count / again:>10,.0f} a second")  # noqa: T201
        print(f"ratio of importing to parsing: {parsing / importing:.2f} over all,", end=" ")  # noqa: T201
        # What else the machine does weighs least on the best.
        print(f"{min(parsed) / min(took):.2f} best to best; the texts were read before")  # noqa: T201


if __name__ == "__main__":
    main()
