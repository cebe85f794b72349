"""What every CSV file has: a header, and rows that may go over several lines, each with where it begins and how it stands."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

from curation.errors import N_, BadInput
from curation.readers.limits import MAX_RECORD, RecordError, shown
from curation.readers.phrases import phrase
from curation.readers.source import Overlong, Source


def lines(source: Source, taken: list[str]) -> Iterator[str]:
    """The lines of a file as the reader of CSV wants them. Each is put into `taken` as it stands, as it is read."""
    for block in source.blocks():
        for line in block.lines:
            taken.append(line if type(line) is Overlong else line + "\n")
            yield "\n" if type(line) is Overlong else line + "\n"


def delimiter(first: str) -> str:
    """What stands between the columns, by the first line."""
    return "\t" if "\t" in first and "," not in first else ","


def header_error(source: Source, reason: str) -> BadInput:
    """What to say of a header that cannot be used."""
    return BadInput(
        N_("{file}:1: the header cannot be used: {reason}"), code="csv_header", file=source.name, reason=reason
    )


def header(source: Source, first: str) -> list[str]:
    """The names in the first line. Raises BadInput `csv_header` where it is no row of a CSV."""
    csv.field_size_limit(max(csv.field_size_limit(), MAX_RECORD))
    try:
        return [name.strip() for name in next(csv.reader([first], delimiter=delimiter(first), strict=True), [])]
    except csv.Error as error:
        raise header_error(source, phrase(str(error))) from None


def rows(
    source: Source, rest: Iterator[str], taken: list[str], between: str, names: Sequence[str]
) -> Iterator[tuple[int, list[str], RecordError | None, str]]:
    """The rows after the header: line, cells, what is wrong with it if anything, and the row as it stands.

    `rest` are the `lines` behind the header, `taken` what they fill, `between` the delimiter. Raises BadInput `csv_quote`.
    """
    taken.clear()
    table = csv.reader(rest, delimiter=between, strict=True)
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
            yield start, cells, RecordError("line_too_long", N_("the line is longer than 2,000,000 bytes")), raw
        elif cells:
            yield start, cells, _fault(names, cells), raw


def _fault(names: Sequence[str], cells: Sequence[str]) -> RecordError | None:
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
    return None
