"""The coverage of replies: dialogue by system by mode, what is absent, what is flagged, and letting it pass."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget

from curation.work.asking import Cell
from screens.coveragewords import SIGNS, cell, letter, mode, page, state, totals
from screens.desk import name_of
from screens.display import visible
from screens.keys import PACE
from screens.lines import fitted, named
from screens.locale import _
from screens.menu import Menu
from screens.messages import Wanted
from screens.noting import Note
from screens.page import Page
from screens.saving import SavingScreen
from screens.widgets.line import Line
from screens.widgets.table import CURSOR, PagedTable

if TYPE_CHECKING:
    from db.coverage import Line as Row
    from db.project import Project

_PLACE, _NAME, _SITUATION = 4, 10, 10
_NARROW, _WIDE = 3, 8
_MORE = 8  # cells more for a name and a situation, where there is room
_HEAD = _PLACE + _NAME + _SITUATION + 3


class Shown(Page):
    """One reply to read; `w` lets it pass."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("w", "waive", show=False)]

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title, text)
        self._keys = _("Esc closes  w lets it pass  ↑↓ PgUp PgDn scroll")

    def action_waive(self) -> None:
        """Close, and ask for a reason."""
        self.dismiss("waive")


class CoverageScreen(SavingScreen):
    """A row a dialogue of the sample, a column a system and mode. Names of systems stand here: it is a curator's screen."""

    NAME = "coverage"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "coverage.tcss"]

    def __init__(
        self, project: Project | None, person: str, keymap: dict[str, tuple[str, ...]], *, pace: float = PACE
    ) -> None:
        super().__init__(project, person, keymap)
        self._pace = pace
        self._every: list[Row] = []
        self._rows: list[Row] = []
        self._columns: list[tuple[str, str]] = []
        self._at = 0
        self._state = "all"
        self._system = ""
        self._barred = False

    def body(self) -> list[Widget]:
        """Totals, heads, rows."""
        return [Line("totals"), Line("names"), Line("modes"), PagedTable("grid", self._painted)]

    @property
    def table(self) -> PagedTable[Row]:
        """The rows."""
        return self.query_one("#grid", PagedTable)

    def begin(self) -> None:
        """Read everything once; keys then work on what was read."""
        self.set_focus(self.table)
        with self.asking():
            self._barred = not self._store.people.curates(self.person)
        self._read()

    def _read(self) -> None:
        if not self._barred:
            with self.asking():
                self._every = self._store.replies.coverage.lines()
        self._choose()

    def _choose(self) -> None:
        """The rows and columns that the filters leave; the cursor stays on its dialogue where that is left."""
        here = self.table.row
        with self.asking():
            every = [] if self._barred else self._store.replies.coverage.columns()
            self._columns = [column for column in every if self._system in ("", column[0])]
        self._at = max(min(self._at, len(self._columns) - 1), 0)
        wanted = set(self._columns)
        self._rows = [
            row
            for row in self._every
            if self._state == "all" or any(c in wanted and x.state == self._state for c, x in row.cells.items())
        ]
        uids = [row.item.uid for row in self._rows]
        self.table.put(self._rows, uids.index(here.item.uid) if here is not None and here.item.uid in uids else 0)
        self.show()

    # -- showing

    def show(self) -> None:
        """Everything, after another filter, column or language."""
        self.line("header").put(
            f"{self._store.path.name} · {self.person}",
            _("replies to {n} {n:dialogue|dialogues}").format(n=len(self._every)),
        )
        parts = [] if self._state == "all" else [state(self._state)]
        parts += [self._system] if self._system else []
        filters = _("only: {words}").format(words=" · ".join(parts)) if parts else ""
        self.line("totals").put(self._totals(), filters)
        names, modes = self._heads()
        self.line("names").put(names)
        self.line("modes").put(modes)
        self.table.refresh()
        self.show_quiet()

    def _totals(self) -> str:
        grid = {n: row.cells for n, row in enumerate(self._every)}
        if not grid:
            return ""
        found = [c for c in self._store.replies.coverage.summed(grid) if self._system in ("", c.system)]
        return totals(found)

    def _rooms(self, width: int) -> tuple[int, int, int]:
        """How wide number, dialogue and situation are: as wide as what the columns leave lets them be."""
        spare = max(width - _HEAD - _WIDE * len(self._columns), 0)
        situation = min(spare, _MORE)
        return _PLACE, _NAME + min(spare - situation, _MORE), _SITUATION + situation

    def _before(self, width: int) -> int:
        return sum(self._rooms(width)) + 3

    def _column(self, width: int) -> int:
        """How wide a column is: wide enough for names of systems where there is room."""
        return max(min((width - self._before(width)) // max(len(self._columns), 1), _WIDE), _NARROW)

    def _window(self, width: int) -> range:
        """Which columns are shown: all, or as many as fit around the chosen one."""
        room = max((width - self._before(width)) // self._column(width), 1)
        first = max(min(self._at - room // 2, len(self._columns) - room), 0)
        return range(first, min(first + room, len(self._columns)))

    def _heads(self) -> tuple[str, str]:
        width = self.app.size.width - 1 - len(CURSOR)
        shown, column = self._window(width), self._column(width)
        names, modes, before = " " * (len(CURSOR) + self._before(width)), "", ""
        for number in shown:
            system = self._columns[number][0]
            if system != before:
                columns = sum(self._columns[n][0] == system for n in shown)
                names += fitted(visible(system, one_line=True), columns * column - 1) + " "
                before = system
            modes += letter(self._columns[number][1]).center(column)
        heads = (_("no."), _("dialogue"), _("situation"))
        left = " ".join(map(fitted, heads, self._rooms(width)))
        return names, " " * len(CURSOR) + left + " " + modes

    def _painted(self, row: Row, width: int) -> list[tuple[str, bool]]:
        item = row.item
        place, name, situation = self._rooms(width)
        cells = (
            fitted(f"{item.place:>{place}}", place),
            named(visible(item.external_id, one_line=True), name),
            fitted(name_of(item.situation), situation),
        )
        pieces = [(" ".join(cells) + " ", False)]
        here = self.table.row is row
        for number in self._window(width):
            found = row.cells.get(self._columns[number])
            sign = SIGNS[found.state] if found is not None else " "
            pieces.append((sign.center(self._column(width)), here and number == self._at))
        return pieces

    def show_quiet(self) -> None:
        """What is the matter with the reply under the cursor."""
        if self.said:
            return
        if self._barred:
            self.line("told").put(
                _("Which system wrote what is for curators alone; {home} goes back").format(
                    home=self.key_of("cover_home")
                )
            )
            return
        if not self._every:
            self.line("told").put(_("No sample yet: workbench sample PROJECT --n 312 --seed 7"))
            return
        if not self._columns:
            self.line("told").put(_("No system yet: workbench systems PROJECT add NAME"))
            return
        row, column = self.table.row, self._columns[self._at]
        if row is None:
            self.line("told").put(_("None of these; {all} shows all").format(all=self.key_of("cover_all")))
            return
        found = row.cells.get(column)
        words = cell(found.state, found.flags) if found is not None else _("not asked for")
        place = _("{at} of {count}").format(at=self.table.cursor + 1, count=len(self._rows))
        self.line("told").put(f"{column[0]} · {mode(column[1])} · {words}", place)

    @on(PagedTable.Moved)
    def _moved(self) -> None:
        self.show_quiet()

    def resized(self) -> None:
        """Other columns fit."""
        if self._columns:
            self.show()

    # -- getting about

    def action_column(self, by: int) -> None:
        """Another system or mode."""
        self._at = max(min(self._at + by, len(self._columns) - 1), 0)
        self.show()

    def action_next_open(self) -> None:
        """The next reply that is flagged or absent: to the right, then the rows below, then from the top."""
        count = len(self._columns)
        total = len(self._rows) * count
        here = self.table.cursor * count + self._at
        for step in range(1, total + 1):
            row, column = divmod((here + step) % total, count)
            found = self._rows[row].cells.get(self._columns[column])
            if found is not None and found.state in ("flagged", "missing"):
                self._at = column
                self.table.go(row)
                self.show()
                return
        self.tell(_("Nothing is flagged or absent here"))

    def action_by_state(self) -> None:
        """Only dialogues with a reply in one state."""
        options = [(name, state(name)) for name in ("all", "missing", "flagged", "mended", "waived")]
        self.app.push_screen(Menu(_("Which are shown?"), options, self._state), self._by_state)

    def _by_state(self, chosen: str | None) -> None:
        if chosen is not None:
            self._state = chosen
            self._choose()

    def action_by_system(self) -> None:
        """Only one system."""
        if self._barred:
            return
        names = [one.name for one in self._store.systems.all()]
        options = [("", _("all")), *((name, name) for name in names)]
        self.app.push_screen(Menu(_("Which are shown?"), options, self._system), self._by_system)

    def _by_system(self, chosen: str | None) -> None:
        if chosen is not None:
            self._system = chosen
            self._choose()

    def action_all(self) -> None:
        """No filter any more."""
        self._state, self._system = "all", ""
        self._choose()

    def action_again(self) -> None:
        """Read everything anew."""
        self._read()

    def action_home(self) -> None:
        """Back to the overview."""
        self.post_message(Wanted("home"))

    # -- one reply

    def _here(self) -> tuple[Row, str, str, Cell] | None:
        row = self.table.row
        if row is None or not self._columns:
            return None
        system, of = self._columns[self._at]
        found = row.cells.get((system, of))
        return None if found is None else (row, system, of, found)

    def action_open(self) -> None:
        """The reply under the cursor."""
        if (here := self._here()) is None:
            return
        row, system, of, _found = here
        with self.asking():
            store = self._store
            reply = store.replies.of(row.item.uid, system, of)
            title = f"{system} · {mode(of)} · {row.item.external_id}"
            if reply is None:
                self.tell(_("There is no reply here; {key} lets that pass").format(key=self.key_of("cover_waive")))
                return
            text = store.askable.text(store.dialogues.key(row.item.uid))
            last: list[str] = []
            for message in reversed(() if text is None else text.messages):
                if message.party != "other":
                    break
                last.insert(0, message.text)
            words = page(
                reply,
                store.settings.reply_limit,
                store.replies.raw(row.item.uid, system, of),
                store.replies.before(row.item.uid, system, of),
                last,
            )
            self.app.push_screen(Shown(title, words), lambda answer: self.action_waive() if answer == "waive" else None)

    def action_waive(self) -> None:
        """Let what is flagged or absent here pass, with a word of why."""
        if (here := self._here()) is None:
            return
        row, system, of, found = here
        if found.state not in ("flagged", "missing"):
            self.tell(_("Nothing is flagged or absent here"))
            return
        text = f"{system} · {mode(of)} · {row.item.external_id}\n{cell(found.state, found.flags)}"
        store = self._store
        self.app.push_screen(
            Note(
                _("Let this pass?"),
                text,
                store.replies.kept_reason(self.person),
                lambda written: store.replies.keep_reason(self.person, written),
                pace=self._pace,
                needed=True,
            ),
            lambda reason: self._waived(row, system, of, reason) if reason else None,
        )

    def _waived(self, row: Row, system: str, of: str, reason: str) -> None:
        store, uid = self._store, row.item.uid
        if not self.tried(lambda: store.replies.waive(self.person, system, of, reason, uids=[uid])):
            return
        with self.asking():
            store.replies.keep_reason(self.person, "")
            row.cells.update(store.replies.cells(store.dialogues.key(uid)))
        self.show()
        self.tell(_("Let pass"))
