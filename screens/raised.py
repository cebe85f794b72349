"""What people put before the lead: a list, and one key for each way to see to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from curation.errors import N_
from curation.model import Party
from curation.work.disputes import Raised
from curation.work.screening import HIDING, OUTCOMES, RAISED_WORDS
from screens.desk import said
from screens.display import visible
from screens.held import Once
from screens.keys import PACE
from screens.lines import at_most, fitted, fold, named
from screens.locale import _, told
from screens.messages import Wanted
from screens.noting import Note
from screens.page import Page
from screens.saving import SavingScreen
from screens.widgets.table import PagedTable

if TYPE_CHECKING:
    from db.project import Project

ASKED = {
    "dropped": N_("Drop this dialogue?"),
    "withdrawn": N_("Withdraw this dialogue from the project?"),
    "returned": N_("Give this dialogue back to its pair?"),
    "answered": N_("Answer this question"),
}
NAME_ROOM, KIND_ROOM = 10, 24
NOTE_ROOM = 6  # lines of the note


class RaisedScreen(SavingScreen):
    """A list of what waits for the lead (or was settled), the note of the one under the cursor below it."""

    NAME = "raised"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "raised.tcss"]

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], *, pace: float = PACE
    ) -> None:
        super().__init__(project, person, keymap)
        self.seconds = pace
        self.rows: list[Raised] = []
        self.settled = False
        self._undo_once = Once(self, self._undo)

    def body(self) -> list[Widget]:
        """The list, and the note."""
        return [PagedTable("raised", self._painted), Static(id="note", markup=False)]

    @property
    def table(self) -> PagedTable[Raised]:
        """The list."""
        return self.query_one("#raised", PagedTable)

    def begin(self) -> None:
        """Read and show the list."""
        self.table.focus()
        self._read()

    def _read(self) -> None:
        with self.asking():
            raising = self._store.raising
            self.rows = raising.settled(self.person) if self.settled else raising.open(self.person)
        self.table.put(self.rows, self.table.cursor)
        self.show()

    def catch_up(self) -> None:
        """What was put before the lead since, or seen to; the cursor stays on what it was on."""
        here = self.table.row
        self._read()
        if here is not None:
            self.table.go(next((n for n, row in enumerate(self.rows) if row.ref == here.ref), self.table.cursor))

    def resized(self) -> None:
        """Folded anew."""
        self.show()

    def show(self) -> None:
        """Header, the note under the cursor, and what waits."""
        left = f"{self._store.path.name} · {self.person} · {_('put before the lead')}"
        which = _("seen to") if self.settled else _("not seen to yet")
        self.line("header").put(left, f"{which}: {len(self.rows)}")
        self.table.refresh()
        row = self.table.row
        words = _("Nothing here. q goes back to the overview.") if row is None else self._note(row)
        width = max(self.app.size.width - 2, 20)
        lines = [part for line in visible(words).split("\n") for part in fold(line, width)]
        all_ = _("… {key} shows all").format(key=self.key_of("raised_read"))
        self.query_one("#note", Static).update(Content("\n".join(at_most(lines, NOTE_ROOM, all_))))
        self.show_quiet()

    def on_paged_table_moved(self) -> None:
        """Another one is under the cursor."""
        self.show()

    def _painted(self, row: Raised, width: int) -> Sequence[tuple[str, bool]]:
        name = fitted(visible(row.person, one_line=True), NAME_ROOM)
        kind = fitted(told(RAISED_WORDS[row.kind]), KIND_ROOM)
        when = row.at[5:16].replace("T", " ")
        end = f" → {told(OUTCOMES[row.outcome])}" if row.outcome else ""
        rest = visible(row.stored.external_id, one_line=True)
        room = max(width - cell_len(f"{when} {name} {kind} {end}"), 4)
        return [(f"{when} {name} {kind} {named(rest, min(room, cell_len(rest)))}{end}", False)]

    @staticmethod
    def _note(row: Raised) -> str:
        words = _("(covered until you have both decided this dialogue)") if row.note is None else row.note
        lines = [_("{name} writes: {words}").format(name=row.person, words=words or _("(no word of why)"))]
        if row.outcome:
            answer = row.answer or _("(no word of why)")
            lines.append(
                _("{name}: {outcome}. {words}").format(
                    name=row.resolver, outcome=told(OUTCOMES[row.outcome]), words=answer
                )
            )
        return "\n".join(lines)

    # -- seeing to it

    def action_read(self) -> None:
        """The dialogue, what may identify someone covered; what is distressing only when asked for like this."""
        row = self.table.row
        if row is None:
            return
        with self.asking():
            stored, spans = self._store.screening.covered(self._store.dialogues.key(row.stored.uid))
            names = {Party.SELF: _("me"), Party.OTHER: _("other")}
            lines = [f"{names.get(s.party, s.speaker)}: {s.text}" for s in said(stored.dialogue, spans)]
            self.app.push_screen(Page(told(RAISED_WORDS[row.kind]), visible("\n".join([self._note(row), "", *lines]))))

    def action_settle(self, outcome: str) -> None:
        """See to the one under the cursor."""
        row = self.table.row
        if row is None or self.has_class("small"):
            return
        if row.outcome:
            self.tell(_("That is settled; {key} takes your last step back").format(key=self.key_of("raised_undo")))
            return
        if (outcome == "answered") == (row.kind in HIDING):
            key = "raised_answer" if outcome != "answered" else "raised_drop"
            self.tell(_("Not for this kind; {key} is").format(key=self.key_of(key)))
            return
        if not self._store.people.curates(self.person):
            self.tell(_("Only a curator sees to what was raised"))
            return
        uid, ref, raising = row.stored.uid, row.ref, self._store.raising
        title = f"{told(ASKED[outcome])} {visible(row.stored.external_id, one_line=True)}"

        def keep(text: str) -> None:
            with self.asking():
                raising.save_note(self.person, uid, outcome, text)

        def noted(words: str | None) -> None:
            if words is not None and self.tried(lambda: raising.resolve(self.person, ref, outcome, words)):
                raising.save_note(self.person, uid, outcome, "")
                self._read()

        written = raising.note(self.person, uid, outcome)
        window = Note(title, self._note(row), written, keep, pace=self.seconds, needed=outcome == "answered")
        self.app.push_screen(window, noted)

    def action_undo(self) -> None:
        """Take the last step here back. A held key takes one back."""
        self._undo_once.press()

    def _undo(self) -> None:
        with self.asking():
            uid = self._store.raising.take_back(self.person)
            self._read()
            self.tell(_("Taken back: it waits again") if uid else _("Nothing of yours to take back here"))

    # -- getting about

    def action_other_list(self) -> None:
        """What waits, or what is settled."""
        self.settled = not self.settled
        self._read()

    def action_home(self) -> None:
        """Back to the overview."""
        self.post_message(Wanted("home"))
