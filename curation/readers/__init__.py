"""Readers: a file that somebody made, to dialogues.

    for reading in read(Path("chats.jsonl")):
        ...  # a Dialogue, a Refusal of one record with its line, or a ReadWarning

A file that cannot be trusted as a whole (empty, cut off, in an unknown encoding, no regular file) raises BadInput
before the first reading. One module a format; `FORMATS` lists them, `sniff` tells which one a file is in.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from curation.errors import N_, BadInput, UsageError
from curation.model import Reading
from curation.readers.formats import FORMATS, Format, Guess, choose, rank_head
from curation.readers.oddities import Tally
from curation.readers.records import Reader
from curation.readers.source import Source

__all__ = ["FORMATS", "Format", "Guess", "rank", "read", "sniff"]


def rank(path: str | os.PathLike[str], *, encoding: str | None = None) -> list[Guess]:
    """Every format with how well the file fits it, best first, and why. Raises BadInput for an unreadable file."""
    with Source(Path(path), encoding) as source:
        return rank_head(source.head(), source.path.suffix)


def sniff(path: str | os.PathLike[str], *, encoding: str | None = None) -> Format:
    """The format the file is in, told from its content. Raises BadInput, `unknown_format` when none fits."""
    file = Path(path)
    return choose(rank(file, encoding=encoding), file)


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word the command line uses
    encoding: str | None = None,
    self_speaker: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Iterator[Reading]:
    """The dialogues, refusals and warnings of a file, in the file's order, one at a time.

    `format` is a name in FORMATS, else it is told from the content; `encoding` forces a codec; `self_speaker` is the
    label of our side; `columns` maps id, speaker, text, time to column names (CSV). Warnings are one a kind, at the end,
    but those on the encoding, which come first. Memory does not grow with the file (48 bytes an id at most).

    Raises BadInput, when iterated, for a file refused whole; UsageError for an unknown format, codec or column key.
    """
    if format is not None and format not in FORMATS:
        raise UsageError(
            N_("no format is called {name}; there are {known}"), name=format, known=", ".join(sorted(FORMATS))
        )
    return _read(Path(path), "csv" if columns and format is None else format, encoding, self_speaker, columns)


def _read(
    path: Path, name: str | None, encoding: str | None, self_speaker: str | None, columns: Mapping[str, str] | None
) -> Iterator[Reading]:
    with Source(path, encoding) as source:
        chosen = FORMATS[name] if name else choose(rank_head(source.head(), path.suffix), path)
        tally = Tally(source.name)
        readings = chosen.read(source, Reader(source.name, self_speaker, tally), columns)
        try:
            # The first reading comes only after the checks of the whole file, so no warning leaves before them.
            first = next(readings, None)
            yield from source.warnings()
            if first is not None:
                yield first
            yield from readings
        except (UnicodeDecodeError, OSError) as error:
            raise BadInput(
                N_("{file}: changed or failed while it was read ({reason}); try again"),
                code="changed_while_reading",
                file=source.name,
                reason=str(error),
            ) from None
        yield from tally.warnings()
