"""The registry of formats, and telling them apart by content, with a score and the reasons for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from curation.errors import N_, BadInput
from curation.model import Reading
from curation.readers import array, jsonl, plain, table
from curation.readers.records import Reader
from curation.readers.source import Source

_Columns = Mapping[str, str] | None
_Judgement = tuple[float, tuple[str, ...]]
_LEAST = 0.4


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name on the command line, words for people, how to judge the head of a file, how to read one."""

    name: str
    title: str
    judge: Callable[[str, str], _Judgement]
    read: Callable[[Source, Reader, _Columns], Iterator[Reading]]


@dataclass(frozen=True, slots=True)
class Guess:
    """How well a file fits a format, 0 to 1, and why."""

    format: Format
    score: float
    reasons: tuple[str, ...]


def rank_head(head: str, suffix: str) -> list[Guess]:
    """Every format, best first, judged on the first characters of a file and the ending of its name."""
    visible = head.lstrip(" \t\r\n\ufeff")
    guesses = [Guess(f, *f.judge(visible, suffix.lower())) for f in FORMATS.values()]
    return sorted(guesses, key=lambda guess: -guess.score)


def choose(guesses: list[Guess], path: Path) -> Format:
    """The best format. Raises BadInput `unknown_format`, saying what came nearest, when none fits."""
    best = guesses[0]
    if best.score < _LEAST:
        raise BadInput(
            N_("{file}: in no format known here (nearest: {name}); name one with --format: {known}"),
            code="unknown_format",
            file=str(path),
            name=best.format.name,
            known=", ".join(FORMATS),
        )
    return best.format


def _judge_jsonl(head: str, suffix: str) -> _Judgement:
    reasons = []
    score = 0.0
    if suffix in (".jsonl", ".ndjson"):
        score += 0.4
        reasons.append(f"the name ends in {suffix}")
    if head.startswith("{"):
        score += 0.3
        reasons.append("it begins with an object")
        if "\n" not in head or _is_object(head.split("\n", 1)[0]):
            score += 0.2
            reasons.append("the first line is a whole object")
    return score, tuple(reasons)


def _judge_array(head: str, suffix: str) -> _Judgement:
    after = head[1:].lstrip()[:1]
    if head.startswith("["):
        if suffix in (".jsonl", ".ndjson") and after != "{":
            return 0.3, ("it begins with a list, but is named as lines",)
        return (0.8, ("it is a list of objects",)) if after in ("{", "]") else (0.5, ("it begins with a list",))
    line = head.split("\n", 1)[0]
    if head.startswith("{") and "\n" in head and line.rstrip()[-1:] in ("{", ",", "["):
        return 0.75, ("it is one object over several lines",)
    return 0.0, ()


def _judge_sibench(head: str, suffix: str) -> _Judgement:
    if head.startswith("[") and '"chat_messages"' in head:
        return 0.95, ('it is a list of objects with "chat_messages"',)
    return 0.0, ()


def _judge_table(head: str, suffix: str) -> _Judgement:
    if head.startswith(("{", "[")):
        return 0.0, ()
    score, reasons = table.judge(head.split("\n", 1)[0])
    if suffix in (".csv", ".tsv"):
        return max(score, 0.5), (*reasons, f"the name ends in {suffix}")
    return score, reasons


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


FORMATS: dict[str, Format] = {
    f.name: f
    for f in (
        Format(
            "sibench_json",
            "SI-Bench JSON",
            _judge_sibench,
            lambda source, reader, columns: array.read(source, reader, sibench=True),
        ),
        Format("jsonl", "JSON lines", _judge_jsonl, lambda source, reader, columns: jsonl.read(source, reader)),
        Format("json", "JSON array", _judge_array, lambda source, reader, columns: array.read(source, reader)),
        Format("csv", "CSV table", _judge_table, table.read),
        Format("text", "用户: / 对方: text", plain.judge, lambda source, reader, columns: plain.read(source, reader)),
    )
}
