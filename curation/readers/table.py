"""CSV: one message a row, dialogues told apart by an id column; every value is text, nothing is converted.

Comma or tab between fields, `"` around what needs it, the header in the first line. Rows of one dialogue are put
together in file order, wherever they stand. A row that is refused takes its dialogue with it, for a dialogue with a
message missing is another dialogue. Other columns are kept: in the metadata when the same in all rows of the dialogue,
else under `messages` there, by the message's index.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from curation.errors import N_, BadInput, Phrase, UsageError
from curation.model import Reading
from curation.readers import csvrows
from curation.readers.ids import checked_id, id_from_name
from curation.readers.limits import MAX_FIELD, RecordError, shown
from curation.readers.records import Reader
from curation.readers.source import Source
from curation.readers.times import refuse_impossible

# Names by which the columns are known without a mapping, the surest first; case does not matter.
NAMES: Mapping[str, tuple[str, ...]] = {
    "id": (
        *("dialogue_id", "dialog_id", "conversation_id", "session_id", "chat_id", "dialogue", "conversation", "id"),
        *("对话id", "对话_id", "对话编号", "对话", "会话id", "会话_id", "会话编号", "会话"),
    ),
    "speaker": ("speaker", "sender", "from", "author", "说话人", "发送人", "发送者", "发言人", "角色"),
    "text": ("text", "content", "message", "消息内容", "内容", "消息", "文本"),
    "time": ("time", "timestamp", "datetime", "date", "发送时间", "时间"),
}


def judge(header: str) -> tuple[float, tuple[str, ...]]:
    """How likely `header` is the first line of such a table."""
    names = [n.strip().strip('"').casefold() for n in header.split(csvrows.delimiter(header))]
    found = [role for role in ("id", "speaker", "text") if any(n in NAMES[role] for n in names)]
    if len(names) > 1 and {"speaker", "text"} <= set(found):
        return 0.9, (f"the first line names the columns {', '.join(found)}",)
    return 0.0, ()


def read(source: Source, reader: Reader, columns: Mapping[str, str] | None = None) -> Iterator[Reading]:
    """The dialogues and refusals of `source`. Read twice: quotes are only known to be closed at the end.

    Raises BadInput (`csv_header`, `csv_quote`, `empty_file`), UsageError for a key of `columns` that is no role.
    """
    if columns and (unknown := sorted(columns.keys() - NAMES.keys())):
        raise UsageError(N_("columns: {name} is none of {known}"), name=unknown[0], known=", ".join(NAMES))
    shape = _Shape.of(source, columns or {})
    together = _survey(source, shape)
    if shape.id is None:
        reader.tally.note("no_id_column", 1)
    if not together:
        reader.tally.note("not_grouped", 1)
    groups: dict[str, _Group] = {}
    for row in _rows(source, shape):
        name = row.id
        if together and groups and name not in groups:
            yield from _finished(groups.popitem()[1], reader, shape)
        group = groups.setdefault(name, _Group(name, row.line))
        if row.error is not None:
            group.refused.append(row.line)
            yield reader.refusal(row.line, row.error, row.raw)
        else:
            group.rows.append(row.cells)
    for group in groups.values():
        yield from _finished(group, reader, shape)


@dataclass(frozen=True, slots=True)
class _Shape:
    """The header: names in order, the delimiter, and which column has which role."""

    names: list[str]
    delimiter: str
    id: int | None
    speaker: int
    text: int
    time: int | None
    only: str
    """The id of the only dialogue, where there is no id column."""

    @classmethod
    def of(cls, source: Source, columns: Mapping[str, str]) -> _Shape:
        first = next(csvrows.lines(source, []), "")
        names = csvrows.header(source, first)
        filled = [n for n in names if n]
        if len(set(filled)) != len(filled):
            twice = next(n for n in filled if filled.count(n) > 1)
            raise csvrows.header_error(
                source, Phrase(N_("the column {name} stands twice; rename one"), name=shown(twice))
            )
        places: dict[str, int | None] = {}
        for role, known in NAMES.items():
            wanted = [columns[role]] if role in columns else known
            lowered = names if role in columns else [n.casefold() for n in names]
            places[role] = next((lowered.index(n) for n in wanted if n in lowered), None)
            if role in columns and places[role] is None:
                absent = N_("there is no column {name}; there are {known}")
                raise csvrows.header_error(
                    source, Phrase(absent, name=shown(columns[role]), known=shown(", ".join(names)))
                )
        speaker, text = places["speaker"], places["text"]
        if speaker is None or text is None:
            if len(names) == 1 and ";" in first:
                raise csvrows.header_error(source, Phrase(N_("semicolons between the columns; save it with commas")))
            missing = "speaker" if speaker is None else "text"
            absent = N_("no column for {name} among {known}; map it with columns")
            raise csvrows.header_error(source, Phrase(absent, name=missing, known=shown(", ".join(names))))
        return cls(
            names, csvrows.delimiter(first), places["id"], speaker, text, places["time"], id_from_name(source.path)
        )


@dataclass(slots=True)
class _Row:
    line: int
    id: str
    cells: list[str]
    error: RecordError | None
    raw: str


@dataclass(slots=True)
class _Group:
    id: str
    line: int
    rows: list[list[str]] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)


def _survey(source: Source, shape: _Shape) -> bool:
    """Whether the rows of each dialogue stand together. Raises BadInput when quotes are broken or there is no row."""
    ended: set[int] = set()
    current: str | None = None
    together = True
    for row in _rows(source, shape):
        if row.id != current:
            if current is not None:
                ended.add(hash(current))
            together = together and hash(row.id) not in ended
            current = row.id
    if current is None:
        raise BadInput(
            N_("{file}: a header and no rows; there is nothing to read"), code="empty_file", file=source.name
        )
    return together


def _rows(source: Source, shape: _Shape) -> Iterator[_Row]:
    """The rows after the header, each with what is wrong with it. Raises BadInput `csv_quote`."""
    taken: list[str] = []
    lines = csvrows.lines(source, taken)
    next(lines, None)
    before = shape.only
    for line, cells, error, raw in csvrows.rows(source, lines, taken, shape.delimiter, shape.names):
        if shape.id is not None and shape.id < len(cells):
            before = cells[shape.id]
        yield _Row(line, before, cells, error or _fault(cells, shape), raw)


def _fault(cells: list[str], shape: _Shape) -> RecordError | None:
    """What is wrong with the cells of a row that is as wide as the header, if anything."""
    for name, cell in zip(shape.names, cells, strict=True):
        if len(cell) > MAX_FIELD:
            return RecordError(
                "field_too_long",
                N_("{field}: {count} characters, at most {most}"),
                field=shown(name),
                count=len(cell),
                most=MAX_FIELD,
            )
    try:
        if shape.time is not None:
            refuse_impossible(cells[shape.time], shape.names[shape.time])
    except RecordError as error:
        return error
    return None


def _finished(group: _Group, reader: Reader, shape: _Shape) -> Iterator[Reading]:
    """The dialogue of a group, unless a row of it was refused."""
    if not group.rows:
        return
    raw = shape.delimiter.join(group.rows[0])
    try:
        if group.refused:
            raise RecordError(
                "incomplete_dialogue",
                N_("dialogue {id} lacks the row refused at line {line}; mend that row"),
                id=shown(group.id),
                line=group.refused[0],
            )
        rows = group.rows
        times = None if shape.time is None else [row[shape.time] or None for row in rows]
        metadata = _metadata(rows, shape)
        speakers, texts = [row[shape.speaker] for row in rows], [row[shape.text] for row in rows]
        dialogue = reader.dialogue(checked_id(group.id), speakers, texts, times, metadata, group.line)
    except RecordError as error:
        yield reader.refusal(group.line, error, raw)
        return
    if dialogue is not None:
        yield dialogue


def _metadata(rows: list[list[str]], shape: _Shape) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    by_message: dict[str, dict[str, str]] = {}
    for place, name in enumerate(shape.names):
        if place in (shape.id, shape.speaker, shape.text, shape.time) or not name:
            continue
        values = [row[place] for row in rows]
        if len(rows) > 1 and (name == "messages" or len(set(values)) > 1):
            for number, value in enumerate(values):
                by_message.setdefault(str(number), {})[name] = value
        elif values[0]:
            metadata[name] = values[0]
    if by_message:
        metadata["messages"] = by_message
    return metadata
