"""Generic JSONL: one dialogue a line, split on `\\n` and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from curation.errors import N_, BadInput
from curation.model import Reading
from curation.readers import strict
from curation.readers.limits import shown
from curation.readers.records import Reader
from curation.readers.source import Source


def read(source: Source, reader: Reader) -> Iterator[Reading]:
    """The dialogues and refusals of `source`, in order. Raises BadInput `truncated_file` before the first."""
    _refuse_truncated(source)
    record = reader.record
    for block in source.blocks():
        line, odd = block.first - 1, block.odd
        for text in block.lines:
            line += 1
            if not text or text.isspace():
                continue
            if odd and text[0] == "\ufeff":
                text = text[1:]
                reader.tally.note("bom_mid_file", line)
            reading = record(text, line, odd)
            if reading is not None:
                yield reading


def _refuse_truncated(source: Source) -> None:
    """A last line that has no end and stops in the middle of a value says that the copy was cut short."""
    if source.ends_in_newline:
        return
    last = source.last_line()
    if strict.cut_off(last):
        raise BadInput(
            N_("{file}: the last line is cut off at the end of the file ({text}); copy it again. Nothing was read"),
            code="truncated_file",
            file=source.name,
            text=shown(last[-50:]),
        )
