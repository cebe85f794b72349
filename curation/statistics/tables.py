"""Plain tables of ratings and of votes: CSV with a header line, or JSON lines, one object a row.

Cells are text until they meet a scale. An empty cell, a JSON null and a missing key are a missing rating; nothing else is,
`NA` and `nan` included. What cannot be read is refused by line with a reason and the rest is kept.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.errors import N_, BadInput, UsageError
from curation.model import ReadWarning
from curation.readers.limits import shown
from curation.readers.source import Source
from curation.statistics.figures import Level
from curation.statistics.histogram import MISSING, Histogram, Row, of_counts
from curation.statistics.ratings import Battle, battles_of, outcome
from curation.statistics.scales import Label, as_number, scale_of

_LIKE_MISSING = frozenset({"na", "n/a", "nan", "none", "null", "nil", "-", "--", "?", "缺失", "无"})
_ROLES = ("left", "right", "label")
_BATTLE = "battle"


@dataclass(frozen=True, slots=True)
class RefusedCell:
    """A row, or one cell of it, that is left out, and why. `column` is "" where it is the whole row."""

    line: int
    column: str
    error: BadInput


@dataclass(frozen=True)
class Table:
    """A table as text: `columns` by name, `rows` of as many cells, and the line of the file each row begins at."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    refused: tuple[RefusedCell, ...]
    warnings: tuple[ReadWarning, ...]

    def place(self, column: str) -> int:
        """Where `column` stands. Raises UsageError when there is none of that name."""
        if column not in self.columns:
            known = ", ".join(self.columns)
            raise UsageError(N_("there is no column {name}; there are {known}"), "no_column", name=column, known=known)
        return self.columns.index(column)


def read(path: Path, encoding: str | None = None) -> Table:
    """The table in the file `path`. Raises BadInput for a file refused whole, UsageError for no such encoding."""
    with Source(path, encoding) as source:
        text = "".join(source.pieces())
        warnings = tuple(source.warnings())
    lines = path.suffix.lower() in (".jsonl", ".ndjson") or text.lstrip()[:1] == "{"
    return _json_lines(text, warnings) if lines else _csv(text, path.name, warnings)


def _csv(text: str, name: str, warnings: tuple[ReadWarning, ...]) -> Table:
    first = text.lstrip("\r\n").partition("\n")[0]
    delimiter = "\t" if "\t" in first and "," not in first else ","
    rows: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begins = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            raise BadInput(
                N_("{file}:{line}: the row that begins here cannot be read ({reason}); mend it and try again"),
                "csv_quote",
                file=name,
                line=begins,
                reason=str(error),
            ) from None
        if cells:
            rows.append((begins, [cell.strip() for cell in cells]))
        begins = reader.line_num + 1
    columns = _header(rows[0][1], name, first) if rows else ()
    kept: list[tuple[int, tuple[str, ...]]] = []
    refused: list[RefusedCell] = []
    for line, cells in rows[1:]:
        if len(cells) == len(columns):
            kept.append((line, tuple(cells)))
            continue
        refused.append(
            RefusedCell(
                line,
                "",
                BadInput(
                    N_("{count} {count:column|columns} where the header has {wanted}; mend the row"),
                    "csv_columns",
                    count=len(cells),
                    wanted=len(columns),
                ),
            )
        )
    return Table(columns, tuple(row for _, row in kept), tuple(line for line, _ in kept), tuple(refused), warnings)


def _header(cells: Sequence[str], name: str, first: str) -> tuple[str, ...]:
    def refuse(reason: str) -> BadInput:
        return BadInput(
            N_("{file}:1: the header cannot be used: {reason}"), code="csv_header", file=name, reason=reason
        )

    if len(cells) == 1 and ";" in first:
        raise refuse("semicolons between the columns; save it with commas")
    if "" in cells:
        raise refuse(f"column {cells.index('') + 1} has no name; name it, or take it out if it only counts the rows")
    for cell, times in Counter(cells).items():
        if times > 1:
            raise refuse(f"the column {shown(cell)} stands there {times} times; rename one")
    return tuple(cells)


def _json_lines(text: str, warnings: tuple[ReadWarning, ...]) -> Table:
    records: list[tuple[int, dict[str, str]]] = []
    refused: list[RefusedCell] = []
    columns: dict[str, None] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            # Numbers stay as they are written: they are compared as labels before they are numbers.
            value = json.loads(line, parse_int=_Written, parse_float=_Written, parse_constant=_Written)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            refused.append(RefusedCell(number, "", BadInput(N_("the line is not a JSON object"), "bad_json")))
            continue
        record: dict[str, str] = {}
        for key, cell in value.items():
            columns[key] = None
            if isinstance(cell, str):
                record[key] = cell.strip()
            elif cell is not None:
                fault = BadInput(N_("the value is neither text nor a number"), "bad_cell")
                refused.append(RefusedCell(number, key, fault))
        records.append((number, record))
    rows = tuple(tuple(record.get(column, "") for column in columns) for _, record in records)
    return Table(tuple(columns), rows, tuple(number for number, _ in records), tuple(refused), warnings)


class _Written(str):
    """A JSON number as it is written."""

    __slots__ = ()


@dataclass(frozen=True)
class RatingsTable:
    """The ratings of a table, what was refused of it (in file order), and what looks odd though it was taken."""

    histogram: Histogram
    refused: tuple[RefusedCell, ...]
    odd: tuple[BadInput, ...]


def ratings_of(
    table: Table, level: Level, domain: Sequence[Label] | None = None, items: str | None = None
) -> RatingsTable:
    """Read `table` as ratings: rows are items, columns raters. A cell with no place on the scale is left out, its row not.

    `items` names a column that says what each row is; rows with the same name are drawn together. Raises as
    `scales.scale_of`; UsageError when there is no column `items`.
    """
    by = None if items is None else table.place(items)
    raters = tuple(name for place, name in enumerate(table.columns) if place != by)
    cells = [tuple(cell for place, cell in enumerate(row) if place != by) for row in table.rows]
    scale = scale_of(sorted({cell for row in cells for cell in row if cell}), level, domain)
    places: dict[str, int | BadInput] = {"": MISSING}
    rows: list[Row] = []
    refused = list(table.refused)
    for line, row in zip(table.lines, cells, strict=True):
        found = []
        for rater, cell in zip(raters, row, strict=True):
            if cell not in places:
                try:
                    places[cell] = scale.place(cell)
                except BadInput as error:
                    places[cell] = error
            place = places[cell]
            if isinstance(place, BadInput):
                refused.append(RefusedCell(line, rater, place))
                place = MISSING
            found.append(place)
        rows.append(tuple(found))
    bundles = None
    if by is not None:
        together: dict[str, Counter[Row]] = {}
        for number, (cells_, ratings) in enumerate(zip(table.rows, rows, strict=True)):
            name = f"={cells_[by]}" if cells_[by] else f"#{number}"  # without a name a row stands alone
            together.setdefault(name, Counter())[ratings] += 1
        bundles = Counter(tuple(sorted(inner.items())) for inner in together.values())
    histogram = of_counts(Counter(rows), scale, raters, bundles)
    return RatingsTable(histogram, tuple(sorted(refused, key=lambda one: one.line)), _odd(raters, cells, level, domain))


def _odd(
    raters: Sequence[str], cells: Sequence[Sequence[str]], level: Level, domain: Sequence[Label] | None
) -> tuple[BadInput, ...]:
    """What is as it may be, but probably was not meant."""
    odd = []
    if raters and all(as_number(rater) is not None for rater in raters):
        odd.append(
            BadInput(N_("the first line is taken as the raters' names, though all of them are numbers"), "header")
        )
    if level is not Level.NOMINAL or domain is not None:
        return tuple(odd)
    used = {cell for row in cells for cell in row}
    if like := sorted(used & {cell for cell in used if cell.casefold() in _LIKE_MISSING}):
        words = ", ".join(like)
        odd.append(BadInput(N_("{label} counts as a label; leave the cell empty where it is missing"), label=words))
    for place, rater in enumerate(raters):
        column = [row[place] for row in cells if row[place]]
        others = {cell for row in cells for at, cell in enumerate(row) if at != place}
        if len(raters) > 1 and len(column) > 2 and len(set(column)) == len(column) and not others & set(column):
            odd.append(
                BadInput(
                    N_("column {name} counts as a rater, but shares no label with another; see --items"),
                    "not_a_rater",
                    name=rater,
                )
            )
    return tuple(odd)


@dataclass(frozen=True)
class VotesTable:
    """The votes of a table as (left, right, label), the battles they make, and what was refused, in file order."""

    votes: tuple[tuple[str, str, str], ...]
    battles: tuple[Battle, ...]
    refused: tuple[RefusedCell, ...]


def votes_of(table: Table, name: str) -> VotesTable:
    """Read `table` (of the file `name`) as votes: columns left, right, label, and battle where votes share one.

    Raises BadInput when a column is missing.
    """
    folded = [column.casefold() for column in table.columns]
    for role in _ROLES:
        if role not in folded and (table.columns or table.rows):
            raise BadInput(
                N_("{file}:1: the header cannot be used: {reason}"),
                code="csv_header",
                file=name,
                reason=f"no column {role}; there have to be left, right and label",
            )
    votes: list[tuple[str, str, str]] = []
    keyed: list[tuple[str, str, float, tuple[str, int]]] = []
    refused = list(table.refused)
    meeting: dict[str, frozenset[str]] = {}
    for number, (line, row) in enumerate(zip(table.lines, table.rows, strict=True)):
        left, right, label = (row[folded.index(role)] for role in _ROLES)
        battle = row[folded.index(_BATTLE)] if _BATTLE in folded else ""
        try:
            if not left or not right:
                raise BadInput(N_("left or right is empty"), "no_name")
            vote = Battle(left, right, outcome(label))
            key = (battle, -1) if battle else ("", number)
            if battle and meeting.setdefault(battle, frozenset((left, right))) != {left, right}:
                raise BadInput(N_("battle {key} is between others in an earlier row"), "other_battle", key=battle)
        except BadInput as error:
            refused.append(RefusedCell(line, "", error))
            continue
        votes.append((left, right, label))
        keyed.append((left, right, vote.score, key))
    return VotesTable(tuple(votes), tuple(battles_of(keyed)), tuple(sorted(refused, key=lambda one: one.line)))
