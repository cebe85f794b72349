"""Coverage: which replies there are of those there should be, dialogue by system by mode."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curation.work.asking import ABLATIONS, COT, DIRECT, MISSING, MODES, Cell, Covered, Sampled
from db.samples import ABLATION_SIZE, Samples
from db.systems import Systems

if TYPE_CHECKING:
    from db.replies import Replies

FILTERS = ("all", "missing", "flagged", "mended", "waived")
# What is told of a cell, the most pressing first.
STATES = ("missing", "flagged", "waived", "mended", "ok")


@dataclass(frozen=True, slots=True)
class Line:
    """One dialogue of the coverage, with its cells by (system, mode)."""

    item: Sampled
    cells: dict[tuple[str, str], Cell]


class Coverage:
    """The coverage of one project. Figures are counted anew each time they are asked for."""

    def __init__(self, connection: sqlite3.Connection, samples: Samples, systems: Systems, replies: Replies) -> None:
        self._db = connection
        self._samples = samples
        self._systems = systems
        self._replies = replies

    def columns(self) -> list[tuple[str, str]]:
        """Every (system, mode) there should be: both modes that each system answers in, and the ablations it began."""
        begun = set(self._db.execute("SELECT DISTINCT system, mode FROM reply").fetchall())
        begun |= set(self._db.execute("SELECT DISTINCT system, mode FROM reply_waiver").fetchall())
        return [
            (system.name, mode)
            for system in self._systems.all()
            for mode in MODES
            if mode in (COT, DIRECT) or (system.name, mode) in begun
        ]

    def expected(self, mode: str) -> set[int]:
        """The row numbers of the dialogues that a system should have answered in this mode."""
        keys = self._samples.keys()
        return set(keys[:ABLATION_SIZE] if mode in ABLATIONS else keys)

    def waived_missing(self, system: str, mode: str) -> dict[int, tuple[str, ...]]:
        """The dialogues to which there is no reply, and a curator lets that pass."""
        rows = self._db.execute(
            "SELECT w.dialogue, w.flags FROM reply_waiver w LEFT JOIN reply r ON r.dialogue = w.dialogue AND"
            " r.system = w.system AND r.mode = w.mode WHERE w.system = ? AND w.mode = ? AND r.dialogue IS NULL",
            (system, mode),
        ).fetchall()
        return {key: tuple(json.loads(flags)) for key, flags in rows}

    def grid(self, keys: Sequence[int] | None = None) -> dict[int, dict[tuple[str, str], Cell]]:
        """The cells of these sampled dialogues (of all of them), by row number and (system, mode)."""
        order = self._samples.keys()
        wanted = order if keys is None else [key for key in order if key in set(keys)]
        columns = self.columns()
        hashes = self._replies.hashes(wanted)
        if keys is not None and len(wanted) <= 100:
            marks = f" WHERE x.dialogue IN ({', '.join('?' * len(wanted))})"
            values: Iterable[int] = wanted
        else:
            marks, values = "", ()
        rows = self._db.execute(
            "SELECT r.dialogue, r.system, r.mode, r.flags, r.mended, r.text_hash, w.flags FROM reply r LEFT JOIN"
            " reply_waiver w ON w.dialogue = r.dialogue AND w.system = r.system AND w.mode = r.mode"
            + marks.replace("x.", "r."),
            tuple(values),
        ).fetchall()
        waived = self._db.execute(
            "SELECT dialogue, system, mode, flags FROM reply_waiver x" + marks, tuple(values)
        ).fetchall()
        let: dict[tuple[int, str, str], str] = {(key, system, mode): flags for key, system, mode, flags in waived}
        result: dict[int, dict[tuple[str, str], Cell]] = {}
        short = set(order[:ABLATION_SIZE])
        for key in wanted:
            result[key] = {
                (system, mode): Cell(
                    "waived" if MISSING in json.loads(let.get((key, system, mode), "[]")) else "missing", (MISSING,)
                )
                for system, mode in columns
                if mode not in ABLATIONS or key in short
            }
        for key, system, mode, flags, mended, answered, passed in rows:
            if (system, mode) in result.get(key, ()):
                result[key][system, mode] = _cell(flags, mended, answered, hashes.get(key), passed)
        return result

    def summary(self) -> list[Covered]:
        """How far each system is in each mode."""
        return self.summed(self.grid())

    def summed(self, grid: dict[int, dict[tuple[str, str], Cell]]) -> list[Covered]:
        """The same of a grid that was read already."""
        states: dict[tuple[str, str], Counter[str]] = {column: Counter() for column in self.columns()}
        flags: dict[tuple[str, str], Counter[str]] = {column: Counter() for column in states}
        for cells in grid.values():
            for column, cell in cells.items():
                states[column][cell.state] += 1
                if cell.state == "flagged":
                    flags[column].update(cell.flags)
        return [
            Covered(
                system=system,
                mode=mode,
                of=sum(counts.values()),
                complete=counts["ok"] + counts["mended"] + counts["waived"],
                waived=counts["waived"],
                flagged=counts["flagged"],
                missing=counts["missing"],
                mended=counts["mended"],
                flags=dict(sorted(flags[system, mode].items())),
            )
            for (system, mode), counts in states.items()
        ]

    def lines(self, show: str = "all", system: str | None = None) -> list[Line]:
        """The dialogues of the sample with their cells, those alone that have one in this state (see FILTERS); `system`
        keeps to the cells of one.
        """
        sample = self._samples.current()
        if sample is None:
            return []
        grid = self.grid()
        result = []
        for key, item in zip(self._samples.keys(), sample.items, strict=True):
            cells = {c: cell for c, cell in grid[key].items() if system in (None, c[0])}
            if show == "all" or any(cell.state == show for cell in cells.values()):
                result.append(Line(item, cells))
        return result

    def ready(self, system: str, mode: str | None = None) -> bool:
        """See `Replies.ready`."""
        self._systems.get(system)
        wanted = (COT, DIRECT) if mode is None else (mode,)
        found = {one.mode: one for one in self.summary() if one.system == system}
        return all(name in found and found[name].ready for name in wanted)


def _cell(flags: str, mended: str, answered: str, now: str | None, passed: str | None) -> Cell:
    from db.replies import is_stale

    found = json.loads(flags)
    if is_stale(answered, now):
        found.append("stale")
    waived = json.loads(passed) if passed else []
    left = [flag for flag in found if flag not in waived]
    if left:
        return Cell("flagged", tuple(left))
    if found:
        return Cell("waived", tuple(found))
    return Cell("mended" if mended != "[]" else "ok")
