"""The list of all dialogues in quality control: filters that stay on, several marked, those with nothing open approved."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from curation.checks import MATTERS
from curation.errors import WorkbenchError
from curation.stages import STAGE_WORDS, Stage
from curation.taxonomy import taxonomy
from curation.work import ApprovalReport
from curation.work.quality import Filter, Row
from screens.desk import name_of
from screens.display import visible
from screens.lines import fitted, named
from screens.locale import _, language, told
from screens.menu import Menu
from screens.messages import Wanted
from screens.names import DIALECT_NAMES
from screens.names import dialect as dialect_name
from screens.page import Choice, Number
from screens.qualitywords import first, matter
from screens.saving import SavingScreen
from screens.widgets.line import Line
from screens.widgets.table import PagedTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from db.batch import Listed
    from db.project import Project

_TELL_EVERY = 0.5  # seconds between two tidings of a look at all
_BREATH = 0.01  # seconds in which the keys have the processor, after each dialogue looked at
ANY = "*"
# What a filter asks for by name, and the same filter asking for another value of it.
_BY: dict[str, Callable[[Filter, str], Filter]] = {
    "matter": lambda f, value: replace(f, matter=value),
    "stage": lambda f, value: replace(f, stage=value),
    "situation": lambda f, value: replace(f, situation=value),
    "dialect": lambda f, value: replace(f, dialect=value),
}
_NAME, _STAGE, _SITUATION, _DIALECT, _COUNT = 12, 8, 13, 12, 4


class QualityListScreen(SavingScreen):
    """Rows are read as they are seen; what is open is looked at in a thread of its own, the rows on top first."""

    NAME = "qualitylist"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "qualitylist.tcss"]

    class Listing(Message):
        """The dialogues that a filter lets through; `here` is the one to be in front."""

        def __init__(
            self, wanted: Filter, keys: Sequence[int], here: int | None, error: WorkbenchError | None = None
        ) -> None:
            super().__init__()
            self.filter, self.keys, self.here, self.error = wanted, keys, here, error

    class Looked(Message):
        """More dialogues were looked at; `left` are not yet. `others`: the filter lets others through than are listed."""

        def __init__(self, left: int, *, others: bool = False) -> None:
            super().__init__()
            self.left, self.others = left, others

    class Approved(Message):
        """The marked ones were gone through."""

        def __init__(self, report: ApprovalReport | None, error: WorkbenchError | None = None) -> None:
            super().__init__()
            self.report, self.error = report, error

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], dialogue: str | None = None
    ) -> None:
        super().__init__(project, person, keymap)
        self._asked_for = dialogue
        self.filter = Filter()
        self.marked: set[int] = set()
        self.left = 0
        self.listing = False
        self.listed: Listed | None = None

    def body(self) -> list[Widget]:
        """Filters, heads, rows."""
        return [Line("filters"), Line("heads"), PagedTable("list", self._painted)]

    @property
    def table(self) -> PagedTable[Row]:
        """The rows."""
        return self.query_one("#list", PagedTable)

    def begin(self) -> None:
        """List everything; the dialogue that one comes from is in front."""
        self.set_focus(self.table)
        here = None
        if self._asked_for is not None:
            with suppress(WorkbenchError):
                here = self._store.dialogues.key(self._asked_for)
        self._list(here=here)

    # -- showing

    def _list(self, *, here: int | None = None) -> None:
        """List anew, beside the keys: going through many dialogues takes a moment. `here` is the one to be in front."""
        self.listing = True
        path, wanted = self._store.path, self.filter

        def work() -> None:
            from db.project import Project

            worker = get_current_worker()
            try:
                with Project.open(path) as project:
                    found = self.Listing(wanted, project.batch.listed(wanted).keys, here)
            except WorkbenchError as error:
                found = self.Listing(wanted, (), here, error)
            if not worker.is_cancelled:
                self.post_message(found)

        self.run_worker(work, thread=True, group="list", exclusive=True)
        self.show()

    @on(Listing)
    def _listing(self, message: Listing) -> None:
        if message.filter != self.filter:
            return
        self.listing = False
        if message.error is not None:
            self.fail(message.error)
            return
        self.listed = self._store.batch.of(message.keys)
        self.marked &= set(message.keys)
        # What is not on the list any more gives way to what follows it.
        self.table.put(self.listed, bisect_left(message.keys, message.here) if message.here is not None else 0)
        self._look()
        self.show()

    def show(self) -> None:
        """Everything, after another filter, mark or language."""
        count = len(self.listed) if self.listed is not None and not self.listing else "…"
        self.line("header").put(f"{self._store.path.name} · {self.person}", _("quality control: {n}").format(n=count))
        self.line("filters").put(self._filter_words())
        heads = (
            (_("dialogue"), _NAME),
            (_("stage"), _STAGE),
            (_("situation"), _SITUATION),
            (_("dialect"), _DIALECT),
            (_("msgs"), _COUNT),
        )
        self.line("heads").put(
            "    " + " ".join(fitted(words, width) for words, width in heads) + " " + _("what is open")
        )
        self.table.refresh()
        self.show_quiet()

    def _filter_words(self) -> str:
        f = self.filter
        parts = []
        if f.matter:
            parts.append({"open": _("anything open"), "clean": _("nothing open")}.get(f.matter) or matter(f.matter))
        if f.stage:
            parts.append(told(STAGE_WORDS[Stage(f.stage)]))
        if f.situation:
            parts.append(name_of(f.situation))
        if f.dialect:
            parts.append(dialect_name(f.dialect))
        if f.longer_than:
            parts.append(_("over {n} {n:message|messages}").format(n=f.longer_than))
        return _("filter: {words}").format(words=" · ".join(parts)) if parts else _("all agreed and approved ones")

    def _painted(self, row: Row, width: int) -> list[tuple[str, bool]]:
        sign = "* " if row.key in self.marked else "  "
        cells = (
            named(visible(row.name, one_line=True), _NAME),
            fitted(told(STAGE_WORDS[row.stage]), _STAGE),
            fitted(name_of(row.situation), _SITUATION),
            fitted(dialect_name(row.dialect) if row.dialect else "-", _DIALECT),
            f"{row.messages:>{_COUNT}}",
        )
        return [(f"{sign}{' '.join(cells)} {_open_words(row)}", False)]

    def show_quiet(self) -> None:
        """How many are marked, and how far the look at all has come."""
        if self.said:
            return
        if self.listing:
            self.line("told").put("…")
            return
        count = len(self.listed) if self.listed is not None else 0
        if not count:
            self.line("told").put(
                _("No dialogue here; {all} shows all, {home} goes back").format(
                    all=self.key_of("list_all"), home=self.key_of("list_home")
                )
            )
            return
        words = _("{at} of {count}, {marked} marked").format(
            at=self.table.cursor + 1, count=count, marked=len(self.marked)
        )
        looking = _("looking what is open: {n} left").format(n=self.left) if self.left else ""
        row = self.table.row
        self.line("told").put(words, looking or (_open_words(row) if row is not None and row.matters else ""))

    @on(PagedTable.Moved)
    def _moved(self) -> None:
        self.show_quiet()

    # -- looking at all

    def _look(self) -> None:
        if self.listed is None:
            return
        path, listed, wanted = self._store.path, list(self.listed.keys), self.filter

        def look() -> None:
            from db.project import Project

            worker, differs = get_current_worker(), False
            with suppress(WorkbenchError), Project.open(path) as project:
                keys = list(listed)
                if wanted.matter:  # what is open decides who is on the list: those that are not may have to be
                    shown = set(listed)
                    others = project.batch.listed(replace(wanted, matter="")).keys
                    keys.extend(key for key in others if key not in shown)
                waiting = list(project.batch.unknown(keys))
                said = float("-inf")
                for done, uid in enumerate(waiting):
                    if worker.is_cancelled:
                        return
                    if time.monotonic() - said > _TELL_EVERY:
                        said = time.monotonic()
                        self.post_message(self.Looked(len(waiting) - done))
                    with suppress(WorkbenchError):  # one that cannot be looked at keeps nobody from the others
                        project.control.look(uid)
                    time.sleep(_BREATH)
                differs = list(project.batch.listed(wanted).keys) != listed
            if not worker.is_cancelled:
                self.post_message(self.Looked(0, others=differs))

        self.run_worker(look, thread=True, group="look", exclusive=True)

    @on(Looked)
    def _looked(self, message: Looked) -> None:
        self.left = message.left
        if message.others:
            self._list(here=row.key if (row := self.table.row) is not None else None)
            return
        if self.listed is not None:
            self.listed.forget()
        self.table.refresh()
        self.show_quiet()

    def catch_up(self) -> None:
        """How the rows that are seen stand now, and what is open on them; a list where there was none."""
        if not self.listed:
            self._list()
        else:
            self.listed.forget()
            self.table.refresh()
            if not self.listing:  # else it is looked at once the list is there
                self._look()

    # -- filters

    def action_by(self, what: str) -> None:
        """Only those with one value of something."""
        options = [(ANY, _("all")), *self._options(what)]
        self.app.push_screen(
            Menu(_("Which are shown?"), options, getattr(self.filter, what) or ANY),
            lambda value: (
                self._filtered(_BY[what](self.filter, "" if value == ANY else value)) if value is not None else None
            ),
        )

    def _options(self, what: str) -> list[tuple[str, str]]:
        if what == "matter":
            rest = [(code, matter(code)) for code in MATTERS if code not in ("not_agreed", "changed_meanwhile")]
            return [("open", _("anything open")), ("clean", _("nothing open")), *rest]
        if what == "stage":
            return [(s.value, told(STAGE_WORDS[s])) for s in (Stage.AGREED, Stage.APPROVED, Stage.RELEASED)]
        if what == "situation":
            return [(s.id, s.name(language())) for s in taxonomy().situations]
        return [(tag, told(words)) for tag, words in DIALECT_NAMES.items()]

    def _filtered(self, wanted: Filter) -> None:
        self.filter = wanted
        self._list()

    def action_longer(self) -> None:
        """Only those of more than so many messages."""
        self.app.push_screen(
            Number(_("Only dialogues of more than so many messages")),
            lambda digits: self._filtered(replace(self.filter, longer_than=int(digits))) if digits else None,
        )

    def action_all(self) -> None:
        """No filter any more."""
        self.filter = Filter()
        self._list()

    # -- marking and approving

    def action_mark(self) -> None:
        """Mark the row, or not, and go on."""
        if (row := self.table.row) is not None:
            self.marked ^= {row.key}
            self.table.action_move(1)
            self.table.refresh()
            self.show_quiet()

    def action_mark_all(self) -> None:
        """All that are shown, or none."""
        if self.listed is not None:
            keys = set(self.listed.keys)
            self.marked = set() if keys <= self.marked else keys
            self.table.refresh()
            self.show_quiet()

    def action_approve(self) -> None:
        """Approve the marked ones that have nothing open."""
        if not self.marked:
            self.tell(_("None is marked: {key} marks one, {all} all that are shown").format(
                key=self.key_of("list_mark"), all=self.key_of("list_mark_all")
            ))  # fmt: skip
            return
        options = [("yes", _("approve those that have nothing open")), ("", _("leave them as they are"))]
        title = _("Approve {n} marked {n:dialogue|dialogues}?").format(n=len(self.marked))
        self.app.push_screen(Choice(title, options), lambda answer: self._approve() if answer else None)

    def _approve(self) -> None:
        path, person, keys = self._store.path, self.person, sorted(self.marked)
        self.tell(_("Looking at {n} {n:dialogue|dialogues}…").format(n=len(keys)))

        def work() -> None:
            from db.project import Project

            try:
                with Project.open(path) as project:
                    uids = [row.uid for row in project.batch.rows_of(keys)]
                    self.post_message(self.Approved(project.quality.approve(person, uids)))
            except WorkbenchError as error:
                self.post_message(self.Approved(None, error))

        self.run_worker(work, thread=True, group="approve", exclusive=True)

    @on(Approved)
    def _approved(self, message: Approved) -> None:
        if message.error is not None or message.report is None:
            if message.error is not None:
                self.fail(message.error)
            return
        report = message.report
        self.marked.clear()
        self._list()
        words = _("approved: {n}").format(n=report.approved)
        if report.dialogues:
            words += " · " + _("still open: {n}, most for this: {why}").format(
                n=len(report.dialogues), why=matter(max(report.open, key=lambda code: report.open[code]))
            )
        self.tell(words)

    # -- getting about

    def action_open(self) -> None:
        """The dialogue under the cursor."""
        if (row := self.table.row) is not None:
            self.post_message(Wanted("quality", dialogue=row.uid))

    def action_home(self) -> None:
        """Back to the overview."""
        self.post_message(Wanted("home"))


def _open_words(row: Row) -> str:
    if row.matters is None:
        return "?"
    if not row.matters:
        return _("nothing")
    more = f" (+{len(row.matters) - 1})" if len(row.matters) > 1 else ""
    return matter(first(row.matters)) + more
