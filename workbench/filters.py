"""The filters of `workbench text`: JSON lines in, JSON lines out, one for one and in order.

A line that cannot be read is answered by an error in its place, and the rest goes on. Input is never held beyond the line
at hand, so memory stays flat.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO

from curation.errors import N_, WorkbenchError
from curation.settings import Script
from workbench import output
from workbench.words import gettext, sentence

LONGEST_LINE = 64 * 1024 * 1024
Texts = Sequence[tuple[str, str]]
# What a filter answers, given (speaker, text) of every message and whether the line had messages at all.
Filter = Callable[[Texts, bool], dict[str, Any]]


class BadLine(ValueError):
    """A line that is not what the filter reads. Its message holds no text of the line."""


def run(filter_: Filter) -> int:
    """Answer every line of standard input. Returns 1 when any line was bad, else 0."""
    status = 0
    for number, line in enumerate(_lines(sys.stdin.buffer), 1):
        try:
            if line is None:
                raise BadLine(gettext(N_("the line is too long")))
            identity, texts, several = parsed(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
            answer = {"id": identity, **filter_(texts, several)}
        except BadLine as error:
            status = 1
            answer = {"id": None, "error": str(error)}
        except WorkbenchError as error:  # a recogniser that failed says nothing about the other lines
            if error.exit_status == 2:
                raise
            status = 1
            answer = {"id": None, "error": sentence(error.template, error.params)}
        output.raw(output.encoded(answer))
    return status


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of `stream`; None for one beyond the longest."""
    while line := stream.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE)
        yield None


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


def parsed(line: bytes) -> tuple[Any, list[tuple[str, str]], bool]:
    """The id, the (speaker, text) of every message, and whether the line had messages. Raises BadLine."""
    try:
        record = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise BadLine(gettext(N_("the line is not UTF-8"))) from None
    except (ValueError, RecursionError):
        raise BadLine(gettext(N_("the line is not JSON"))) from None
    if not isinstance(record, dict):
        raise BadLine(gettext(N_("the line is not a JSON object")))
    if "id" not in record:
        raise BadLine(gettext(N_('"id" is missing')))
    identity = record["id"]
    if isinstance(identity, dict | list) or (isinstance(identity, float) and identity - identity != 0):
        raise BadLine(gettext(N_('"id" is not a string or a number')))
    if "messages" in record:
        return identity, _messages(record["messages"]), True
    if not isinstance(record.get("text"), str):
        raise BadLine(gettext(N_('neither "text" nor "messages" is there')))
    return identity, [("", record["text"])], False


def _messages(value: object) -> list[tuple[str, str]]:
    if not isinstance(value, list):
        raise BadLine(gettext(N_('"messages" is not a list')))
    texts = []
    for message in value:
        if not isinstance(message, dict) or not isinstance(message.get("text"), str):
            raise BadLine(gettext(N_('a message has no "text"')))
        speaker = message.get("speaker")
        texts.append(("" if speaker is None else str(speaker), message["text"]))
    return texts


def identifiers(texts: Texts, several: bool) -> dict[str, Any]:
    """The spans of identifiers, in the order of the text; none overlaps another."""
    from curation.identifiers import detect

    spans = []
    for found in detect(texts):
        span: dict[str, Any] = {"message": found.message} if several else {}
        span |= {"start": found.start, "end": found.end, "type": str(found.type), "text": found.text}
        spans.append(span | {"score": found.score, "rule": found.rule})
    return {"spans": spans}


def normaliser(script: Script) -> Filter:
    """The filter that normalises into `script`."""
    from curation.layers import apply_edits
    from curation.normalise import normalise

    def one(text: str) -> dict[str, Any]:
        edits = normalise(text, script)
        return {
            "text": apply_edits(text, edits),
            "edits": [{"start": e.start, "end": e.end, "replacement": e.replacement, "rule": e.rule} for e in edits],
        }

    def every(texts: Texts, several: bool) -> dict[str, Any]:
        return {"messages": [one(text) for _, text in texts]} if several else one(texts[0][1])

    return every
