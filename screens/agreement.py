"""The lead's view of screening: agreement and what lies behind it, down to the dialogue with both answers.

Everything is computed in a thread with a project of its own, anew when something was decided since; no key waits for it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import get_current_worker

from curation.errors import N_, WorkbenchError
from curation.stages import STAGE_WORDS, Stage
from curation.statistics.figures import RESAMPLES
from screens import agreementrows as rows_of
from screens import agreementwords as words_of
from screens.agreementrows import Row
from screens.display import visible
from screens.keys import PACE
from screens.lines import at_most, fold
from screens.locale import _, told, told_error
from screens.menu import Menu
from screens.messages import Wanted
from screens.noting import Note
from screens.page import Page
from screens.reading import ReadingScreen
from screens.widgets.dialogue import DialogueView
from screens.widgets.line import Line
from screens.widgets.table import PagedTable

if TYPE_CHECKING:
    from curation.work.agreement import Cell, Costly, ScreeningAgreement, Spoken
    from curation.work.quotas import Board
    from curation.work.yields import Yield
    from db.project import Project

LOOKS = {
    "figures": N_("pairs"),
    "situations": N_("situations"),
    "matrix": N_("matrix"),
    "drift": N_("over time"),
    "costly": N_("costly"),
    "yield": N_("yield"),
    "quota": N_("quotas"),
}


@dataclass(frozen=True)
class Computed:
    """What the thread found: the figures, the costly dialogues, the yield. What is not `whole` has the figures alone, without
    their intervals."""

    figures: ScreeningAgreement
    costly: Sequence[Costly]
    gained: Yield | None
    board: Board | None
    pace: str
    whole: bool


class AgreementScreen(ReadingScreen[Row]):
    """Looks, by digit: text, or rows to walk through; then the dialogues of a cell; then one dialogue."""

    NAME = "agreement"
    LIST = "rows"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "agreement.tcss"]

    class Found(Message):
        """The thread has computed."""

        def __init__(self, computed: Computed | None, error: WorkbenchError | None = None) -> None:
            super().__init__()
            self.computed, self.error = computed, error

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], *, pace: float = PACE
    ) -> None:
        super().__init__(project, person, keymap)
        self.seconds = pace
        self.look = "figures"
        self.column = 0
        self.only = ""
        self.computed: Computed | None = None
        self.cell: list[Cell] | None = None
        self._at = (0, 0)
        self._busy = False
        self._heads = ""
        self._began = 0.0
        self._spoken: Sequence[Spoken] = ()

    # -- the parts

    def body(self) -> list[Widget]:
        """The looks, and what is looked at."""
        from textual.containers import VerticalScroll

        return [
            Line("looks"),
            VerticalScroll(Static(id="words", markup=False), id="figures"),
            Static(id="heads", markup=False),
            PagedTable("rows", self._painted),
            DialogueView("read"),
            Static(id="spoken", markup=False),
        ]

    def begin(self) -> None:
        """Compute."""
        self.query_one("#figures").focus()
        self.show()
        self._compute(quick=True)

    # -- computing

    def _compute(self, *, quick: bool = False) -> None:
        """Have the figures computed; `quick`: first without intervals, which takes a moment alone."""
        self._busy = True
        self._began = time.monotonic()
        self.show_quiet()
        # As many as the command draws, from the same seed: the figures are the same to the last digit.
        draws = (0, RESAMPLES) if quick else (RESAMPLES,)
        self.run_worker(
            partial(self._in_thread, self.only, draws),
            group="figures",
            exclusive=True,
            thread=True,
            exit_on_error=False,
        )

    def _in_thread(self, only: str, draws: Sequence[int]) -> None:
        from db.project import Project

        worker = get_current_worker()
        try:
            with Project.open(self._store.path) as project:
                for resamples in draws:
                    found = self._computed(project, only, resamples)
                    if worker.is_cancelled:
                        return
                    self.post_message(self.Found(found))
        except WorkbenchError as error:
            if not worker.is_cancelled:
                self.post_message(self.Found(None, error))

    def _computed(self, project: Project, only: str, resamples: int) -> Computed:
        """All there is to show; without resamples the figures alone."""
        agreement, whole = project.agreement, bool(resamples)
        lead = agreement.may_see(self.person)
        pace = project.pacing.pace(self.person)
        return Computed(
            agreement.screening(self.person, only, resamples=resamples),
            agreement.costly(self.person) if whole else (),
            project.yields.screening() if lead and whole else None,
            project.quotas.board() if lead and whole else None,
            _("{n} {n:decision|decisions} timed; median {seconds} s").format(
                n=pace.decisions, seconds="–" if pace.median_seconds is None else round(pace.median_seconds)
            ),
            whole,
        )

    def at_rest(self) -> bool:
        """Not while figures are being computed."""
        return super().at_rest() and not self._busy

    def catch_up(self) -> None:
        """Compute anew."""
        self._compute()

    def on_agreement_screen_found(self, message: Found) -> None:
        """There are figures; their intervals follow."""
        message.stop()
        self._busy = message.computed is not None and not message.computed.whole
        # A large project is computed less often, so that the machine has time for those who decide.
        now = time.monotonic()
        self.rest_until = now + 5 * (now - self._began)
        if message.computed is not None:
            self.computed = message.computed
        if message.error is not None:
            self.tell(told_error(message.error), loud=True)
        if not self.reading:
            self.show()

    @property
    def _shown(self) -> bool:
        return self._store.agreement.may_see(self.person, self.person)

    # -- showing

    def resized(self) -> None:
        """Folded anew."""
        self.show()

    def show(self) -> None:
        """Everything anew."""
        self.show_header()
        looks = [f"{n}{'*' if name == self.look else ' '}{told(w)}" for n, (name, w) in enumerate(LOOKS.items(), 1)]
        self.line("looks").put(" ".join(looks) if self._shown else "")
        self._fill()
        self.show_quiet()

    def show_header(self) -> None:
        """Project and person; which pair; the dialogue that is read."""
        right = _("agreement in screening")
        if self.only:
            right = f"{right} · {visible(self.only, one_line=True)}"
        row = self.table.row
        if self.reading and row is not None:
            right = _("dialogue {name}").format(name=visible(row.name, one_line=True))
        self.line("header").put(f"{self._store.path.name} · {self.person}", right)

    def show_quiet(self) -> None:
        """How much there is, and whether it is being computed."""
        if self.said:
            return
        words = ""
        if self.computed is not None and self._shown:
            words = _("{count} answered by both, {open} by one").format(
                count=self.computed.figures.items, open=self.computed.figures.open
            )
        self.line("told").put(words, _("computing …") if self._busy else "")

    def _fill(self) -> None:
        """The words or rows of this look."""
        width = max(self.app.size.width - 3, 20)
        rows = self._rows(width)
        self.set_class(rows is not None and not self.reading, "rows")
        if rows is not None:
            self.query_one("#heads", Static).update(Content(self._heads))
            self.table.put(rows, self.table.cursor)
            if not self.reading:
                self.table.focus()
        else:
            self.query_one("#words", Static).update(Content("\n".join(self._lines(width))))
            if not self.reading:
                self.query_one("#figures").focus()

    def _lines(self, width: int) -> list[str]:
        found = self.computed
        if not self._shown:
            told_ = _("Agreement is the lead's to see until the project says otherwise. Your own pace: {pace}.").format(
                pace=found.pace if found else "…"
            )
            return fold(told_, width)
        if found is None or (not found.whole and self.look in ("costly", "yield", "quota")):
            return [_("computing …")]
        if self.look == "figures":
            return words_of.figure_lines(found.figures, width)
        if self.look == "situations":
            return words_of.situation_lines(found.figures, width)
        if self.look == "drift":
            return words_of.drift_lines(found.figures, width)
        if self.look == "costly":
            return [_("No dialogue was answered by both yet.")]
        if found.gained is None or found.board is None:
            return fold(_("Only a curator sees this."), width)
        if self.look == "quota":
            return words_of.quota_lines(found.board, width)
        return words_of.yield_lines(found.gained, width)

    def _rows(self, width: int) -> list[Row] | None:
        """The rows of a look that has any."""
        found = self.computed
        if found is None or not self._shown:
            return None
        if self.cell is not None:
            lines = words_of.laid(
                [_("dialogue"), _("pair"), _("stage"), _("when")],
                [(c.name, c.pair, told(STAGE_WORDS[Stage(c.stage)]), c.at[:16].replace("T", " ")) for c in self.cell],
                width,
            )
            self._heads = f"  {lines[0]}"
            return [Row(line, c.uid, c.name) for line, c in zip(lines[1:], self.cell, strict=True)]
        if self.look == "matrix":
            self._heads = self._matrix_heads(width)
            table = found.figures.matrix
            return [
                Row(rows_of.label_words(label), counts=counts)
                for label, counts in zip(table.labels, table.table, strict=True)
            ]
        if self.look == "costly" and found.costly:
            lines = words_of.laid(
                [_("dialogue"), _("seconds"), _("apart"), _("put off"), _("taken back"), _("decided anew")],
                [
                    (c.name, f"{c.seconds:.0f}", "×" if c.apart else "", c.put_off, c.taken_back, c.anew)
                    for c in found.costly
                ],
                width,
            )
            self._heads = f"  {lines[0]}"
            return [Row(line, c.uid, c.name) for line, c in zip(lines[1:], found.costly, strict=True)]
        return None

    # -- the matrix

    def _painted(self, row: Row, width: int) -> list[tuple[str, bool]]:
        labels = self.computed.figures.matrix.labels if self.computed else ()
        return rows_of.painted(row, width, len(labels), self.column, here=self.table.row is row)

    def _matrix_heads(self, width: int) -> str:
        assert self.computed is not None
        return rows_of.matrix_heads(self.computed.figures.matrix.labels, width, self.column)

    @property
    def in_matrix(self) -> bool:
        """The matrix is in front."""
        return self.look == "matrix" and self.cell is None and not self.reading

    # -- keys

    def action_look(self, name: str) -> None:
        """Another look."""
        if name not in LOOKS or not self._shown:
            return
        self.remove_class("reading")
        self.look, self.cell = name, None
        self.table.cursor = 0
        self.show()

    def action_look_on(self, by: int) -> None:
        """The next look."""
        names = list(LOOKS)
        self.action_look(names[(names.index(self.look) + by) % len(names)])

    def action_sideways(self, by: int) -> None:
        """Another column; while reading, another dialogue of the list."""
        if self.reading:
            self.step_row(by)
        elif self.in_matrix and self.computed is not None:
            self.column = max(min(self.column + by, len(self.computed.figures.matrix.labels) - 1), 0)
            self._heads = self._matrix_heads(max(self.app.size.width - 3, 20))
            self.query_one("#heads", Static).update(Content(self._heads))
            self.table.refresh()

    def action_open(self) -> None:
        """The dialogues of the cell, or the dialogue of the row."""
        row = self.table.row
        if self.reading or not self.has_class("rows") or row is None or self.computed is None:
            return
        if self.in_matrix:
            self._open_cell(row)
        elif row.uid:
            self.begin_reading()

    def _open_cell(self, row: Row) -> None:
        assert self.computed is not None
        labels = self.computed.figures.matrix.labels
        first, second = labels[self.table.cursor], labels[self.column]
        try:
            cell = self._store.agreement.cell(self.person, first, second, self.only)
        except WorkbenchError as error:
            self.fail(error)
            return
        if not cell:
            self.tell(_("Nobody said this: the cell is empty"))
            return
        self._at = (self.table.cursor, self.column)
        self.cell = cell
        self.table.cursor = 0
        self.show()
        self.tell(
            _("A: {first}, B: {second}: {n} {n:dialogue|dialogues}").format(
                first=rows_of.said(first), second=rows_of.said(second), n=len(cell)
            )
        )

    def read_row(self) -> None:
        """The dialogue of the row, with what was said of it."""
        row = self.table.row
        if row is None or not self.reading:
            return
        try:
            self.lay_dialogue(row.uid)
            spoken = self._store.agreement.spoken(self.person, row.uid)
        except WorkbenchError as error:
            self.action_back()
            self.fail(error)
            return
        self._spoken = spoken
        width = max(self.app.size.width - 1, 20)
        lines = [part for line in words_of.spoken_words(spoken).split("\n") for part in fold(line, width)]
        all_ = _("… {key} shows all").format(key=self.key_of("agreement_said"))
        lines = at_most(lines, max(self.app.size.height * 2 // 5, 2), all_)
        self.query_one("#spoken", Static).update(Content("\n".join(lines)))
        self.show_header()

    def action_said(self) -> None:
        """All that was said of the dialogue that is read."""
        if self.reading:
            self.app.push_screen(Page(_("What was said"), words_of.spoken_words(self._spoken)))

    def action_comment(self) -> None:
        """Write to one of those who answered this dialogue, or to both."""
        row = self.table.row
        if not self.reading or row is None:
            self.tell(_("Open a dialogue first: a comment is on what is read"))
            return
        people = list(dict.fromkeys(one.person for one in self._spoken if one.round == 1))
        options = [*((name, name) for name in people), ("*", _("both"))]
        self.app.push_screen(Menu(_("To whom?"), options, "*"), partial(self._write, row.uid, people))

    def _write(self, uid: str, people: list[str], chosen: str | None) -> None:
        if chosen is None:
            return
        raising, to = self._store.raising, people if chosen == "*" else [chosen]

        def written(text: str | None) -> None:
            if not text:
                return
            try:
                for name in to:
                    self._store.inbox.say(self.person, uid, name, text)
                raising.save_note(self.person, uid, "comment", "")
            except WorkbenchError as error:
                self.fail(error)
            else:
                self.tell(_("Sent to {names}").format(names=", ".join(to)))

        self.app.push_screen(
            Note(
                _("Comment"),
                _("To {names}; it comes to their inbox.").format(names=", ".join(to)),
                raising.note(self.person, uid, "comment"),
                lambda text: raising.save_note(self.person, uid, "comment", text),
                pace=self.seconds,
                needed=True,
            ),
            written,
        )

    def action_pair(self) -> None:
        """One pair, or all."""
        if self.computed is None or not self._shown:
            return
        pairs = list(self._store.agreement.counts())
        options = [("*", _("all pairs together")), *((pair, pair) for pair in pairs)]
        self.app.push_screen(Menu(_("Which pair?"), options, self.only or "*"), self._pair_chosen)

    def _pair_chosen(self, pair: str | None) -> None:
        if pair is not None:
            self.only = "" if pair == "*" else pair
            self.cell = None
            self._compute(quick=True)
            self.show()

    def action_anew(self) -> None:
        """Compute now."""
        self._compute()

    def action_back(self) -> None:
        """From the dialogue to its list, from the list to the matrix, from there to the overview."""
        if self.reading:
            self.remove_class("reading")
            self.show()
        elif self.cell is not None:
            self.cell = None
            self.table.cursor, self.column = self._at
            self.show()
        else:
            self.post_message(Wanted("home"))
