"""Plain text: `用户: …` and `对方: …` lines, or other labels once it is said which of them is ours.

A line that begins with a label and a colon (either width) begins a message; one space after the colon is not text.
Lines without a label go on with the message before. The `\\r` of a CRLF is no text. Dialogues are separated

- by a line of three or more `-`, `=`, `*` or `—`, where the file has such lines before a label: then by those alone;
- else by blank lines before a label. If that would leave no dialogue of two messages, blank lines are spacing and the
  file is one dialogue. So they are in files with other labels: chat programs write those, one chat a file.

Blank lines before a line without a label belong to the message they stand in. Ids are the file's name without its
ending and a number: `chat-1`, `chat-2`.

Other labels count when `self_speaker` is given: that one, and every label that begins two lines or more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from curation.errors import N_, BadInput
from curation.model import Reading
from curation.readers import strict
from curation.readers.chat import OURS, THEIRS
from curation.readers.ids import id_from_name
from curation.readers.limits import RecordError, shown
from curation.readers.records import Reader
from curation.readers.source import Overlong, Source

_RULE = re.compile(r"\s*(?:-{3,}|={3,}|\*{3,}|—{3,})\s*$")
_LABEL = re.compile(r"(?!\d+[:：])([^\s:：][^:：\t]{0,31})[:：](?!//) ?")
_USUAL = re.compile(f"({OURS}|{THEIRS})[:：] ?")


def judge(head: str, suffix: str) -> tuple[float, tuple[str, ...]]:
    """How likely the file is such text."""
    score, reasons = 0.0, []
    if _USUAL.match(head):
        score = 0.8
        reasons.append(f"it begins with {shown(head[:3])}")
    elif suffix == ".txt" and (match := _LABEL.match(head)):
        score = 0.3
        reasons.append(f"it may begin with the speaker {shown(match[1])}")
    if score and suffix == ".txt":
        score += 0.1
        reasons.append("the name ends in .txt")
    return score, tuple(reasons)


@dataclass(slots=True)
class _Entry:
    """A message, or text that belongs to none (`speaker` empty). `gap`: what stood before it."""

    line: int
    speaker: str
    lines: list[str]
    gap: str = ""
    overlong: bool = False


@dataclass(slots=True)
class _Open:
    """The dialogue that is being put together."""

    line: int = 0
    speakers: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    error: RecordError | None = None


def read(source: Source, reader: Reader) -> Iterator[Reading]:
    """The dialogues and refusals of `source`. Read twice: how dialogues are separated shows over the whole file.

    Raises BadInput `no_speakers` when no line begins with a label that counts.
    """
    labels = _labels(source, reader)
    longest_first = sorted(labels, key=lambda label: (-len(label), label))
    header = re.compile(f"({'|'.join(map(re.escape, longest_first))})[:：] ?")
    separator = _separator(source, header, reader, labels <= {OURS, THEIRS})
    stem = id_from_name(source.path)
    number = 1
    current = _Open()
    for entry in _entries(source, header):
        if not entry.speaker:
            text = "\n".join(entry.lines)
            error = RecordError(
                "text_before_header",
                N_("{text} has no speaker before it; add a label or delete it"),
                text=shown(text),
            )
            yield reader.refusal(entry.line, error, text)
            continue
        if current.texts and separator and entry.gap == separator:
            yield from _finished(current, f"{stem}-{number}", reader)
            number += 1
            current = _Open()
        current.line = current.line or entry.line
        current.speakers.append(entry.speaker)
        current.texts.append("\n".join(entry.lines))
        if entry.overlong:
            current.error = RecordError(
                "line_too_long", N_("line {line} is longer than 2,000,000 bytes; split it"), line=entry.line
            )
    if current.texts:
        yield from _finished(current, f"{stem}-{number}", reader)


def _finished(current: _Open, name: str, reader: Reader) -> Iterator[Reading]:
    try:
        if current.error is not None:
            raise current.error
        for text in current.texts:
            if "\0" in text:
                strict.refuse_bad_text(text, shown("text"))
        dialogue = reader.dialogue(name, current.speakers, current.texts, None, {}, current.line)
    except RecordError as error:
        raw = "\n".join(f"{s}: {t}" for s, t in zip(current.speakers, current.texts, strict=True))
        yield reader.refusal(current.line, error, raw)
        return
    if dialogue is not None:
        yield dialogue


def _labels(source: Source, reader: Reader) -> set[str]:
    """The labels that begin a message in this file."""
    found: Counter[str] = Counter()
    usual = False
    for _, line in _lines(source):
        usual = usual or _USUAL.match(line) is not None
        match = _LABEL.match(line) if reader.self_speaker is not None else None
        # Chat of any length has few speakers; a file of countless labels is not chat, and not kept in mind.
        if match is not None and (match[1] in found or len(found) < 10_000):
            found[match[1]] += 1
    labels = {OURS, THEIRS} if usual else set()
    if reader.self_speaker is not None and reader.self_speaker in found and reader.self_speaker not in labels:
        labels |= {label for label, count in found.items() if count > 1} | {reader.self_speaker}
        if len(labels) == 1:
            labels |= set(found)
    if not labels:
        raise BadInput(
            N_("{file}: no line begins with {ours}: or {theirs}:; say with --self which label is ours"),
            code="no_speakers",
            file=source.name,
            ours=OURS,
            theirs=THEIRS,
        )
    return labels


def _separator(source: Source, header: re.Pattern[str], reader: Reader, usual: bool) -> str:
    """What separates the dialogues of this file: `rule`, `blank`, or nothing."""
    longest = run = gaps = 0
    first = 0
    for entry in _entries(source, header):
        if not entry.speaker:
            continue
        if entry.gap == "rule" and run:
            return "rule"
        if entry.gap == "blank" and run:
            gaps += 1
            first = first or entry.line
            run = 0
        run += 1
        longest = max(longest, run)
    if not gaps or not usual:
        return ""
    if longest < 2:
        reader.tally.note("blank_lines_ignored", first)
        return ""
    return "blank"


def _entries(source: Source, header: re.Pattern[str]) -> Iterator[_Entry]:
    """Messages and stray text, in order, each with what stood between it and the one before."""
    current: _Entry | None = None
    waiting: list[str] = []
    gap = ""
    for number, line in _lines(source):
        if match := header.match(line):
            if current is not None:
                yield current
            current = _Entry(number, match[1], [line[match.end() :]], gap)
        elif not line or line.isspace() or _RULE.match(line):
            waiting.append(line)
            gap = "rule" if gap == "rule" or _RULE.match(line) else "blank"
            continue
        elif current is None:
            current = _Entry(number, "", [line], gap)
        else:
            current.lines += [*waiting, line]
        current.overlong = current.overlong or type(line) is Overlong
        waiting, gap = [], ""
    if current is not None:
        yield current


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    for block in source.blocks():
        for number, line in enumerate(block.lines, block.first):
            yield number, line[:-1] if line.endswith("\r") else line
