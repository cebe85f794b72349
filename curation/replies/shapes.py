"""In which shapes replies come back, and reading them from a file: one record an answer, with its line.

plain               JSONL (or an array): an id, and the output as text or as an object; or the fields themselves
openai_batch        results of OpenAI's batch service (and of those that copy it)
chat_completions    answers of a chat endpoint, each with the id of its prompt beside it
anthropic_batch     results of Anthropic's batch service
csv                 a table: an id, and the output in one column or the fields in several
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.errors import N_, BadInput
from curation.model import Refusal
from curation.readers import strict
from curation.readers.array import elements
from curation.readers.limits import RecordError, shown
from curation.readers.rows import rows
from curation.readers.source import Overlong, Source
from curation.replies.keys import anchor, part_of

SHAPES = ("plain", "openai_batch", "chat_completions", "anthropic_batch", "csv")

_IDS = ("custom_id", "prompt_id", "request_id", "id", "dialogue", "dialogue_id", "key")
_OUTPUTS = ("output", "content", "response", "reply", "completion", "text", "answer", "result", "输出", "结果", "内容")

# How the ids of our own prompts look.
_OURS = re.compile(r"[0-9a-f]{16}-(?:cot|direct)")


@dataclass(frozen=True, slots=True)
class Written:
    """One answer of a file. `id` is what it gives as the id of its prompt, `content` a model's output as it came, or an
    object that was parsed already; `mode` what it says of itself ("" mostly). `cut` says that the model stopped for length.
    """

    line: int
    id: str
    content: str | Mapping[str, Any]
    mode: str = ""
    cut: bool = False
    raw: str = ""


def read(path: Path, *, encoding: str | None = None) -> Iterator[Written | Refusal]:
    """The answers of a file, and what was refused of it, in order. Raises BadInput for a file refused whole."""
    with Source(path, encoding) as source:
        try:
            head = source.head().lstrip()
            if head[:1] in ("{", "["):
                records = elements(source) if head[0] == "[" else _lines(source)
                for line, text in records:
                    yield _one(source.name, line, text)
            else:
                for line, cells, text in rows(source):
                    if isinstance(cells, RecordError):
                        yield _refusal(source.name, line, cells, text)
                    else:
                        yield _guarded(source.name, line, cells, text)
        except (UnicodeDecodeError, OSError) as error:
            raise BadInput(
                N_("{file}: changed or failed while it was read ({reason}); try again"),
                code="changed_while_reading",
                file=source.name,
                reason=str(error),
            ) from None


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    for block in source.blocks():
        for number, text in enumerate(block.lines, block.first):
            if text and not text.isspace():
                yield number, text


def _one(file: str, line: int, text: str) -> Written | Refusal:
    if type(text) is Overlong:
        error = RecordError("line_too_long", N_("the line is longer than 2,000,000 bytes"))
        return _refusal(file, line, error, text)
    try:
        value = strict.parse(text.removeprefix("\ufeff"))
        if not isinstance(value, dict):
            raise RecordError("not_an_object", N_("a record is an object with an id and an output"))
        strict.refuse_repeats(text, strict.nested_keys([value]))
    except RecordError as error:
        return _refusal(file, line, error, text)
    return _guarded(file, line, value, text)


def _guarded(file: str, line: int, record: Mapping[str, Any], raw: str) -> Written | Refusal:
    try:
        return _written(line, record, raw)
    except RecordError as error:
        return _refusal(file, line, error, raw)


def _refusal(file: str, line: int, error: RecordError, raw: str) -> Refusal:
    return Refusal(file, line, error.code, error.reason, raw, error.template, error.params)


def _written(line: int, record: Mapping[str, Any], raw: str) -> Written:
    answer, cut = _answer(record)
    mode = record.get("mode", "")
    return Written(line, _id(record), answer, mode if isinstance(mode, str) else "", cut, raw)


def _id(record: Mapping[str, Any]) -> str:
    """The id of the prompt. A chat endpoint's own id (`chatcmpl-…`) names the answer, not what was asked."""
    places = [record, record.get("metadata"), record.get("request")]
    for place in places:
        if isinstance(place, dict):
            for name in _IDS:
                value = place.get(name)
                if name == "id" and place is record and "choices" in record and not _OURS.match(str(value)):
                    continue
                if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
                    return str(value).strip()
    raise RecordError("no_id", N_("no id of a prompt; it should stand under {names}"), names=", ".join(_IDS[:4]))


def _answer(record: Mapping[str, Any]) -> tuple[str | Mapping[str, Any], bool]:
    """What was written, and whether it was cut short."""
    error = record.get("error")
    if error:
        raise RecordError("error", N_("the service answered with an error: {text}"), text=shown(_said(error)))
    if isinstance(record.get("result"), dict) and "type" in record["result"]:
        return _anthropic(record["result"])
    response = record.get("response")
    if isinstance(response, dict) and ("body" in response or "status_code" in response):
        status, body = response.get("status_code", 200), response.get("body")
        if status != 200 or not isinstance(body, dict):
            raise RecordError(
                "error", N_("the service answered with an error: {text}"), text=shown(f"{status} {_said(body)}")
            )
        return _completion(body)
    if isinstance(response, dict) and "choices" in response:
        return _completion(response)
    if "choices" in record:
        return _completion(record)
    return _plain(record), False


def _said(error: object) -> str:
    if isinstance(error, dict):
        inner = error.get("error", error)
        return str(inner.get("message", inner)) if isinstance(inner, dict) else str(inner)
    return str(error)


def _completion(body: Mapping[str, Any]) -> tuple[str, bool]:
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not all(isinstance(one, dict) for one in choices):
        raise RecordError("no_output", N_("no output in the record"))
    texts = [_text_of((one.get("message") or {}).get("content", one.get("text"))) for one in choices]
    if len(set(texts)) > 1:
        raise RecordError("several_replies", N_("two replies that differ; which is meant is not said"))
    message = choices[0].get("message")
    declined = message.get("refusal") if isinstance(message, dict) else None
    if not texts[0] and isinstance(declined, str) and declined:
        return declined, False
    if not texts[0]:
        raise RecordError("no_output", N_("no output in the record"))
    return texts[0], choices[0].get("finish_reason") in ("length", "max_tokens")


def _anthropic(result: Mapping[str, Any]) -> tuple[str, bool]:
    message = result.get("message")
    if result["type"] != "succeeded" or not isinstance(message, dict):
        said = result.get("error", result["type"])
        raise RecordError("error", N_("the service answered with an error: {text}"), text=shown(_said(said)))
    text = _text_of(message.get("content"))
    if not text:
        raise RecordError("no_output", N_("no output in the record"))
    return text, message.get("stop_reason") == "max_tokens"


def _text_of(content: object) -> str:
    """The text of a message, whose content may come in parts."""
    if isinstance(content, list):
        parts = [one.get("text") for one in content if isinstance(one, dict) and one.get("type", "text") == "text"]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _plain(record: Mapping[str, Any]) -> str | Mapping[str, Any]:
    """The output under one of its names, or the record itself where it has the fields."""
    fields = {key: value for key, value in record.items() if key not in _IDS and key != "mode" and part_of(key)}
    if len(fields) > 1:
        return fields
    for name in _OUTPUTS:
        value = record.get(name)
        if isinstance(value, dict) and value:
            return value
        if isinstance(value, str):
            return {name: value} if _is_reply_itself(name, value) else value
    if fields:
        return fields
    raise RecordError(
        "no_output", N_("no output in the record; it should stand under {names}"), names=", ".join(_OUTPUTS[:4])
    )


def _is_reply_itself(name: str, value: str) -> bool:
    """A field called `reply` holds the words; one called `response` may hold them or a whole output."""
    if part_of(name) != "reply" or "{" in value or "\n" in value or "```" in value or "<" in value:
        return False
    return anchor().search(value) is None
