"""A table of records: one record a row, its columns by the names in the header. Every value is text."""

from __future__ import annotations

from collections.abc import Iterator

from curation.errors import N_, Phrase
from curation.readers import csvrows
from curation.readers.limits import RecordError
from curation.readers.source import Source


def rows(source: Source) -> Iterator[tuple[int, dict[str, str] | RecordError, str]]:
    """Line, cells by column (empty ones left out) or what is wrong with the row, and the row as it stands.

    Comma or tab between the cells, `"` around what needs it. Raises BadInput (`csv_header`, `csv_quote`).
    """
    taken: list[str] = []
    lines = csvrows.lines(source, taken)
    first = next(lines, "")
    names = [name.removeprefix("\ufeff") for name in csvrows.header(source, first)]
    if len(names) < 2 or len(set(names)) != len(names):
        raise csvrows.header_error(source, Phrase(N_("at least two columns, each with a name of its own")))
    for line, cells, error, raw in csvrows.rows(source, lines, taken, csvrows.delimiter(first), names):
        yield line, error or {name: cell for name, cell in zip(names, cells, strict=True) if cell}, raw
