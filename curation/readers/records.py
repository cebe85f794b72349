"""One JSON record to one dialogue: the generic form, and SI-Bench's `chat_messages`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

from curation.errors import N_
from curation.model import Dialogue, Message, Refusal, guess_self
from curation.readers import chat, strict
from curation.readers.ids import checked_id
from curation.readers.limits import RecordError, shown
from curation.readers.oddities import Tally
from curation.readers.seen import Seen
from curation.readers.source import Overlong
from curation.readers.times import TIME_KEYS, refuse_impossible

_KNOWN_FIELDS = frozenset({"speaker", "text", "time"})


@dataclass(slots=True)
class Reader:
    """What one file's records share: its name, who is ours, the ids used so far, and what was odd."""

    file: str
    self_speaker: str | None
    tally: Tally
    seen: Seen = field(default_factory=Seen)
    _labels: dict[tuple[str, ...], str | None] = field(default_factory=dict)

    def record(self, text: str, line: int, odd: bool = True, *, sibench: bool = False) -> Dialogue | Refusal | None:
        """The dialogue in the JSON `text` that began at `line`; a refusal; or None for one known already.

        `odd` asks for the rarer characters to be looked for; `sibench` accepts SI-Bench's form alone.
        """
        try:
            if type(text) is Overlong:
                raise RecordError("line_too_long", N_("the record is longer than 2,000,000 bytes; split the dialogue"))
            return self._dialogue(text, line, odd, sibench)
        except RecordError as error:
            return self.refusal(line, error, text)

    def refusal(self, line: int, error: RecordError, raw: str = "") -> Refusal:
        """`error` as a reading, naming the line."""
        return Refusal(self.file, line, error.code, error.reason, str(raw), error.template, error.params)

    def _dialogue(self, text: str, line: int, odd: bool, sibench: bool) -> Dialogue | None:
        record = strict.parse(text)
        if type(record) is not dict:
            raise RecordError(
                "not_an_object",
                N_("{text} is no object; one record is one {{…}} with id and messages"),
                text=shown(text),
            )
        strict.refuse_too_many(record)
        keys = len(record)
        times: list[str | None] | None = None
        extras: dict[str, Any] = {}
        if "chat_messages" in record and (sibench or not ("messages" in record or "turns" in record)):
            strict.refuse_repeats(text, keys + strict.nested_keys(record.values()))
            external_id = id_of(record)
            speakers, texts = chat.messages_of(record.pop("chat_messages"))
        else:
            if sibench:
                raise _missing(record, "chat_messages")
            raw = _take_messages(record)
            speakers, texts = _columns(raw)
            more = strict.nested_keys(record.values())
            # Each message has at least its two keys. As many colons as that makes: then nothing else is in there.
            if text.count(":") != keys + more + 2 * len(texts):
                times, extras, keys_of_messages = _rest(raw)
                strict.refuse_repeats(text, keys + more + keys_of_messages)
            external_id = id_of(record)
            if extras:
                record["messages"] = extras
        if record:
            _check_metadata(record)
        return self.dialogue(external_id, speakers, texts, times, record, line, odd or "\\u" in text)

    def dialogue(
        self,
        external_id: str,
        speakers: Sequence[str],
        texts: Sequence[str],
        times: Sequence[str | None] | None,
        metadata: dict[str, Any],
        line: int,
        odd: bool = True,
    ) -> Dialogue | None:
        """A dialogue of the given columns, noted and compared with what had its id before; None when known.

        Raises RecordError `id_conflict`, `no_messages`.
        """
        if not texts:
            raise RecordError("no_messages", N_("dialogue {id} has no messages; leave it out"), id=shown(external_id))
        labels = tuple(dict.fromkeys(speakers))
        joined = "".join(texts)
        known = self.seen.add(external_id, _content(speakers, texts, times, metadata))
        if known is not None:
            if known:
                return None
            raise RecordError(
                "id_conflict",
                N_("the id {id} came before with other content; give each its own id"),
                id=shown(external_id),
            )
        plain = joined.isprintable()
        if odd or not plain:
            self.tally.look(joined, line)
        if _any_blank(texts, plain):
            self.tally.note("empty_turn", line)
        if len(labels) != 2:
            self.tally.note("speaker_count", line)
        return Dialogue(external_id, _messages(speakers, texts, times), self._ours(labels, line), metadata)

    def _ours(self, labels: tuple[str, ...], line: int) -> str | None:
        if "" in labels:
            self.tally.note("empty_speaker", line)
        if self.self_speaker is not None:
            if self.self_speaker in labels:
                return self.self_speaker
            self.tally.note("self_not_found", line)
        if labels not in self._labels:
            if len(self._labels) > 1_000:
                self._labels.clear()
            self._labels[labels] = guess_self(labels)
        return self._labels[labels]


def id_of(record: dict[str, Any]) -> str:
    """Take the id out of `record`: a string, or the decimal string of an integer. Raises RecordError."""
    if "id" not in record:
        raise _missing(record, "id")
    value = record.pop("id")
    if type(value) is int:
        return str(value)
    if type(value) is not str:
        raise RecordError(
            "id_not_string",
            N_("id: {value} is neither text nor a whole number; write a string"),
            value=shown(repr(value)),
        )
    return checked_id(value)


def _missing(record: dict[str, Any], name: str) -> RecordError:
    alike = [key for key in record if key.strip().casefold() == name]
    if alike:
        template = N_('"{field}" is missing; did you mean {name}? Keys are lower case')
        return RecordError("missing_field", template, field=name, name=shown(alike[0]))
    return RecordError("missing_field", N_('"{field}" is missing; add it'), field=name)


def _take_messages(record: dict[str, Any]) -> Any:
    if "messages" in record:
        if "turns" in record:
            raise RecordError("ambiguous_field", N_('both "messages" and "turns"; keep one'))
        return record.pop("messages")
    if "turns" not in record:
        raise _missing(record, "messages" if "id" in record else "id")
    return record.pop("turns")


def _columns(raw: Any) -> tuple[list[str], list[str]]:
    """Speakers and texts of a list of messages, text all of them."""
    if type(raw) is list:
        try:
            speakers, texts = [m["speaker"] for m in raw], [m["text"] for m in raw]
            # Joining fails on anything that is no text; there are few different speakers.
            "".join(texts), "".join(set(speakers))
            return speakers, texts
        except (KeyError, TypeError):
            pass
    raise _wrong_message(raw)


def _wrong_message(raw: Any) -> RecordError:
    """What is wrong with a list of messages, and with which of them."""
    if type(raw) is not list:
        return RecordError(
            "wrong_type", N_("messages: {value} is no list; write [{{speaker, text}}, …]"), value=shown(repr(raw))
        )
    for number, message in enumerate(raw):
        where = f"messages[{number}]"
        if type(message) is not dict:
            return RecordError(
                "wrong_type",
                N_("{field}: {value} is no object with speaker and text"),
                field=where,
                value=shown(repr(message)),
            )
        for name in ("speaker", "text"):
            if name not in message:
                return RecordError(
                    "missing_field", N_('{place}: "{field}" is missing; add it'), place=where, field=name
                )
            if type(message[name]) is not str:
                return RecordError(
                    "wrong_type",
                    N_("{field}: {value} is no text"),
                    field=f"{where}.{name}",
                    value=shown(repr(message[name])),
                )
    return RecordError("wrong_type", N_("messages: not a list of objects with speaker and text"))


def _rest(raw: list[dict[str, Any]]) -> tuple[list[str | None] | None, dict[str, Any], int]:
    """Times, what else each message says by its index, and how many keys there are in all messages."""
    sizes = list(map(len, raw))
    if max(sizes, default=2) == 2:
        return None, {}, sum(sizes)
    times = [m.get("time") for m in raw]
    extras: dict[str, Any] = {}
    for number, (message, time, size) in enumerate(zip(raw, times, sizes, strict=True)):
        if time is not None:
            if type(time) is not str:
                raise RecordError(
                    "wrong_type",
                    N_("{field}: {value} is no text; write 2025-01-05T10:00:00"),
                    field=f"messages[{number}].time",
                    value=shown(repr(time)),
                )
            refuse_impossible(time, "time")
        if size > 2 + ("time" in message):
            strict.refuse_too_many(message)
            extras[str(number)] = {k: v for k, v in message.items() if k not in _KNOWN_FIELDS}
    inner = strict.nested_keys(extras.values()) - sum(map(len, extras.values()))
    return [time or None for time in times], extras, sum(sizes) + inner


def _any_blank(texts: Sequence[str], plain: bool) -> bool:
    """Whether a message holds nothing visible; `plain` says that all are printable, when white space alone can hide."""
    if not all(map(str.strip, texts)):
        return True
    return not plain and any(Message("", text).blank for text in texts if not text.isprintable())


def _check_metadata(metadata: dict[str, Any]) -> None:
    """Other keys are kept as they are; but what says it is a moment must be possible, and a score no truth value."""
    if not TIME_KEYS.isdisjoint(metadata):
        for key in metadata.keys() & TIME_KEYS:
            if isinstance(metadata[key], str):
                refuse_impossible(metadata[key], key)
    if isinstance(metadata.get("score"), bool):
        raise RecordError("wrong_type", N_("score: true or false is no number; write a number or use another key"))


def _content(
    speakers: Sequence[str], texts: Sequence[str], times: Sequence[str | None] | None, metadata: dict[str, Any]
) -> tuple[Any, ...]:
    """All that makes a record what it is, to be hashed."""
    when = tuple(times) if times is not None and any(times) else None
    if not metadata:
        return (tuple(speakers), tuple(texts), when)
    try:
        return (tuple(speakers), tuple(texts), when, hash(frozenset(metadata.items())))
    except TypeError:
        return (tuple(speakers), tuple(texts), when, _frozen(metadata))


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return frozenset((key, _frozen(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return value


_new = object.__new__
_set_speaker, _set_text, _set_time = (Message.__dict__[name].__set__ for name in ("speaker", "text", "time"))


def _messages(speakers: Iterable[str], texts: Sequence[str], times: Sequence[str | None] | None) -> tuple[Message, ...]:
    """Messages from columns. The constructor of a frozen dataclass would take twice as long as parsing the record,
    so the slots are filled column by column, without a Python call for each message."""
    made = tuple(map(_new, repeat(Message, len(texts))))
    deque(map(_set_speaker, made, speakers), 0)
    deque(map(_set_text, made, texts), 0)
    deque(map(_set_time, made, repeat(None) if times is None else times), 0)
    return made
