"""A table of records: one record a row, its columns by the names in the header. Every value is text."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from curation.errors import N_, BadInput, Phrase
from curation.readers.limits import MAX_RECORD, RecordError, shown
from curation.readers.phrases import phrase
from curation.readers.source import Overlong, Source


def rows(source: Source) -> Iterator[tuple[int, dict[str, str] | RecordError, str]]:
    """Line, cells by column (empty ones left out) or what is wrong with the row, and the row as it stands.

    Comma or tab between the cells, `"` around what needs it. Raises BadInput (`csv_header`, `csv_quote`).
    """
    csv.field_size_limit(max(csv.field_size_limit(), MAX_RECORD))
    taken: list[str] = []
    lines = _lines(source, taken)
    first = next(lines, "")
    delimiter = "\t" if "\t" in first and "," not in first else ","
    try:
        names = [
            name.strip().removeprefix("\ufeff")
            for name in next(csv.reader([first], delimiter=delimiter, strict=True), [])
        ]
    except csv.Error as error:
        raise _header(source, phrase(str(error))) from None
    if len(names) < 2 or len(set(names)) != len(names):
        raise _header(source, Phrase(N_("at least two columns, each with a name of its own")))
    taken.clear()
    table = csv.reader(lines, delimiter=delimiter, strict=True)
    line = 2
    while True:
        try:
            cells = next(table)
        except StopIteration:
            return
        except csv.Error as error:
            raise BadInput(
                N_("{file}:{line}: quotes do not close in the row that begins here ({reason}); mend it and try again"),
                code="csv_quote",
                file=source.name,
                line=line,
                reason=phrase(str(error)),
            ) from None
        start, line = line, 2 + table.line_num
        raw, overlong = "".join(taken), any(type(text) is Overlong for text in taken)
        taken.clear()
        if overlong:
            yield start, RecordError("line_too_long", N_("the line is longer than 2,000,000 bytes")), raw
        elif cells:
            yield start, _cells(names, cells), raw


def _cells(names: list[str], cells: list[str]) -> dict[str, str] | RecordError:
    if len(cells) != len(names):
        return RecordError(
            "csv_columns",
            N_("columns: {count}, where the header has {wanted}; mend the row"),
            count=len(cells),
            wanted=len(names),
        )
    for name, cell in zip(names, cells, strict=True):
        if "\0" in cell:
            return RecordError(
                "nul_char", N_("{field}: a NUL character in {text}; take it out"), field=shown(name), text=shown(cell)
            )
    return {name: cell for name, cell in zip(names, cells, strict=True) if cell}


def _lines(source: Source, taken: list[str]) -> Iterator[str]:
    for block in source.blocks():
        for line in block.lines:
            taken.append(line if type(line) is Overlong else line + "\n")
            yield "\n" if type(line) is Overlong else line + "\n"


def _header(source: Source, reason: str) -> BadInput:
    return BadInput(
        N_("{file}:1: the header cannot be used: {reason}"), code="csv_header", file=source.name, reason=reason
    )
