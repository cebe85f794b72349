"""JSON as strictly as an archive needs it: what two parsers could read differently is refused.

Refused: a key twice in one object (compared after unescaping), NaN and infinities (1e999 too), integers beyond 64 bit,
NUL and lone surrogates in strings, nesting deeper than MAX_DEPTH, objects with more than MAX_KEYS keys.

Calling Python for each object would cost more than all of the parsing, so the parse is plain, and cheap tests on the
text decide whether a costly check is needed.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any, NoReturn

from curation.errors import N_, Phrase
from curation.readers.limits import MAX_DEPTH, MAX_KEYS, RecordError, shown
from curation.readers.phrases import phrase

_SPACE = " \t\r\n"
_DANGEROUS_ESCAPE = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")


def _integer(digits: str) -> int:
    if len(digits) > 20 or not -(2**63) <= (value := int(digits)) < 2**63:
        raise RecordError(
            "int_out_of_range",
            N_("the number {text} does not fit 64 bits; write it as a string"),
            text=shown(digits),
        )
    return value


def _real(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise RecordError(
            "non_finite_number", N_("the number {text} is too large to be held; correct it"), text=shown(digits)
        )
    return value


def _constant(name: str) -> NoReturn:
    raise RecordError("non_finite_number", N_("{text} is no JSON number; write null"), text=name)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise RecordError(
                    "duplicate_key", N_("the key {name} stands twice in one object; keep one"), name=shown(key)
                )
            seen.add(key)
    return found


_Scan = Callable[[str, int], tuple[Any, int]]
_plain: _Scan = json.JSONDecoder(parse_int=_integer, parse_float=_real, parse_constant=_constant).scan_once  # type: ignore[attr-defined]
_checking: _Scan = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=_integer, parse_float=_real, parse_constant=_constant
).scan_once  # type: ignore[attr-defined]


def parse(text: str) -> Any:
    """The one JSON value that `text` holds. Repeated keys are not looked for here: see `refuse_repeats`.

    Raises RecordError.
    """
    value = _scan(_plain, text)
    if "\\" in text and _DANGEROUS_ESCAPE.search(text):
        _refuse_bad_strings(value)
    return value


def refuse_repeats(text: str, keys: int) -> None:
    """Refuse `text` when an object in it has a key twice. `keys` is how many keys the parsed value holds in all.

    Each key in the text brings one colon. So there are at least as many colons as keys, and when there are no more,
    no key was lost on the way. Colons inside strings make the count too high, never too low, and then the
    text is parsed once more with a check on each object.
    """
    if text.count(":") == keys:
        return
    if text.count('":') + text.count(" :") + text.count("\t:") + text.count("\r:") + text.count("\n:") == keys:
        return
    _scan(_checking, text)


def nested_keys(values: Any) -> int:
    """How many keys the lists and objects among `values` hold, all levels together.

    Raises RecordError for more than MAX_DEPTH levels or MAX_KEYS keys in one object.
    """
    level = [v for v in values if type(v) is dict or type(v) is list]
    total, depth = 0, 1
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise _too_deep()
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                total += len(item)
                refuse_too_many(item)
                below.extend(item.values())
            else:
                below.extend(item)
        level = [v for v in below if isinstance(v, (dict, list))]
    return total


def refuse_too_many(item: dict[str, Any]) -> None:
    """Refuse an object with more than MAX_KEYS keys."""
    if len(item) > MAX_KEYS:
        raise RecordError(
            "too_many_keys",
            N_("{count} keys in one object, at most {most}; put them in a list"),
            count=len(item),
            most=MAX_KEYS,
        )


def _scan(scan: _Scan, text: str) -> Any:
    try:
        start = 0
        if text[:1] in _SPACE:
            start = len(text) - len(text.lstrip(_SPACE))
        value, end = scan(text, start)
    except StopIteration as stop:
        raise _syntax(text, Phrase(N_("a value is missing")), int(stop.value)) from None
    except json.JSONDecodeError as error:
        raise _syntax(text, phrase(error.msg), error.pos) from None
    except RecursionError:
        raise _too_deep() from None
    if end != len(text) and (rest := text[end:].lstrip(_SPACE)):
        raise _syntax(text, Phrase(N_("extra data {text}"), text=shown(rest)), len(text) - len(rest))
    return value


def _syntax(text: str, what: str, position: int) -> RecordError:
    if text[position : position + 1] == "\0" or ("\0" in text and "control" in what):
        return RecordError("nul_char", N_("a NUL character in the record; find out what wrote it"))
    return RecordError(
        "json_syntax",
        N_("no valid JSON: {what} at column {column}; correct the record"),
        what=what,
        column=position + 1,
    )


def _too_deep() -> RecordError:
    return RecordError("too_deep", N_("objects and lists are nested deeper than {most}; flatten them"), most=MAX_DEPTH)


def cut_off(text: str) -> bool:
    """Whether `text` is the beginning of a JSON value that ends too soon, as in a file copied in part."""
    try:
        json.JSONDecoder(parse_int=str).raw_decode(text.lstrip(_SPACE))
    except json.JSONDecodeError as error:
        length = len(error.doc.rstrip(_SPACE))
        rest = error.doc[error.pos :].strip(_SPACE)
        return (
            error.msg.startswith("Unterminated string")
            or error.pos >= length
            or any(word.startswith(rest) for word in ("true", "false", "null"))
            or (error.msg.startswith("Invalid \\") and length - error.pos < 6)
        )
    except RecursionError:
        return False
    return False


def _refuse_bad_strings(value: Any) -> None:
    """Refuse NUL and lone surrogates in any string of `value`, keys included."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        where, item = waiting.pop()
        if isinstance(item, dict):
            for key, inner in item.items():
                refuse_bad_text(key, shown(where) if where else Phrase(N_("a key")))
                waiting.append((f"{where}.{key}" if where else key, inner))
        elif isinstance(item, list):
            waiting.extend((f"{where}[{n}]", inner) for n, inner in enumerate(item))
        elif isinstance(item, str):
            refuse_bad_text(item, shown(where))


def refuse_bad_text(text: str, field: str) -> None:
    """Refuse `text` when it holds NUL or half of a surrogate pair; `field` says where it stood, as it may be shown."""
    if "\0" in text:
        raise RecordError(
            "nul_char", N_("{field}: a NUL character in {text}; take it out"), field=field, text=shown(text)
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RecordError(
            "lone_surrogate",
            N_("{field}: half of a surrogate pair in {text}; export again as UTF-8"),
            field=field,
            text=shown(text),
        ) from None
