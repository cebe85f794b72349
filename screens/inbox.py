"""The inbox: what came, the one under the cursor below it; Enter opens its dialogue, r replies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from curation.errors import N_, WorkbenchError
from curation.work.inbox import Letter
from screens.desk import name_of
from screens.display import visible
from screens.keys import PACE
from screens.lines import at_most, fitted, fold, named
from screens.locale import _, told
from screens.messages import Wanted
from screens.noting import Note
from screens.page import Page
from screens.reading import ReadingScreen
from screens.widgets.dialogue import DialogueView
from screens.widgets.table import PagedTable

if TYPE_CHECKING:
    from db.project import Project

KINDS = {"comment": N_("comment"), "ruling": N_("ruling"), "answer": N_("answer")}
NAME_ROOM, KIND_ROOM, DIALOGUE_ROOM = 10, 8, 14


class InboxScreen(ReadingScreen[Letter]):
    """What came to the person. Reading one marks it as read."""

    NAME = "inbox"
    LIST = "letters"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "inbox.tcss"]

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], *, pace: float = PACE
    ) -> None:
        super().__init__(project, person, keymap)
        self.seconds = pace
        self.letters: list[Letter] = []
        self.every = False

    def body(self) -> list[Widget]:
        """The list or the dialogue, and the letter."""
        return [PagedTable("letters", self._painted), DialogueView("read"), Static(id="letter", markup=False)]

    def begin(self) -> None:
        """What is new; what was read too, where nothing is."""
        self.table.focus()
        self._load()
        if not self.letters:
            self.every = True
            self._load()

    def _load(self) -> None:
        try:
            self.letters = self._store.inbox.letters(self.person, unread=not self.every)
        except WorkbenchError as error:
            self.fail(error)
            self.letters = []
        self.table.put(self.letters, self.table.cursor)
        self.show()

    def catch_up(self) -> None:
        """What came since; the cursor stays on its letter."""
        here = self.table.row
        self._load()
        if here is not None:
            self.table.go(next((n for n, one in enumerate(self.letters) if one.ref == here.ref), self.table.cursor))

    # -- showing

    def resized(self) -> None:
        """Folded anew."""
        self.show()

    def show(self) -> None:
        """Header, list, and the letter under the cursor."""
        new = sum(not one.read for one in self.letters)
        which = _("all") if self.every else _("unread")
        self.line("header").put(
            f"{self._store.path.name} · {self.person}", f"{_('inbox')} · {which}: {len(self.letters)} ({new})"
        )
        self.table.refresh()
        letter = self.table.row
        width = max(self.app.size.width - 1, 20)
        words = _("Nothing came yet. q goes back to the overview.") if letter is None else self._words(letter)
        lines = [part for line in words.split("\n") for part in fold(line, width)]
        all_ = _("… {key} shows all").format(key=self.key_of("inbox_letter"))
        lines = at_most(lines, max(self.app.size.height // 2 - 1, 2), all_)
        self.query_one("#letter", Static).update(Content("\n".join(lines)))
        self.show_quiet()

    @staticmethod
    def _words(letter: Letter) -> str:
        """A letter in full."""
        who = visible(letter.reader if letter.sent else letter.writer, one_line=True)
        head = _("to {name}: ") if letter.sent else _("{name} writes: ")
        lines = []
        if letter.kind == "ruling":
            ruled = f"{_('keep')} · {name_of(letter.outcome)}" if letter.outcome else _("drop")
            mine = f"{_('keep')} · {name_of(letter.mine)}" if letter.mine else _("drop")
            lines.append(_("Ruled: {ruling}. You had said: {mine}.").format(ruling=ruled, mine=mine))
        lines.append(head.format(name=who) + (visible(letter.text) or _("(no reason given)")))
        return "\n".join(lines)

    def _painted(self, row: Letter, width: int) -> Sequence[tuple[str, bool]]:
        when = row.at[5:16].replace("T", " ")
        name = f"→{row.reader}" if row.sent else row.writer
        head = (
            f"{' ' if row.read else '*'} {when} {fitted(visible(name, one_line=True), NAME_ROOM)} "
            f"{fitted(told(KINDS[row.kind]), KIND_ROOM)} "
            f"{named(visible(row.dialogue, one_line=True), DIALOGUE_ROOM)} "
        )
        return [(head + visible(row.text, one_line=True), False)]

    def on_paged_table_moved(self) -> None:
        """Another one is under the cursor."""
        self.show()

    # -- keys

    def action_open(self) -> None:
        """The dialogue; the letter is read with it."""
        if self.table.row is not None and not self.reading:
            self.begin_reading()

    def read_row(self) -> None:
        """The dialogue of the letter under the cursor, which has been read now."""
        letter = self.table.row
        if letter is None or not self.reading:
            return
        try:
            self.lay_dialogue(letter.uid)
            if not letter.read:
                self._store.inbox.read(self.person, [letter.ref])
        except WorkbenchError as error:
            self.action_back()
            self.fail(error)
            return
        self.show()

    def action_sideways(self, by: int) -> None:
        """Another letter."""
        self.step_row(by)

    def action_letter(self) -> None:
        """The letter, whole."""
        if (letter := self.table.row) is not None:
            self.app.push_screen(Page(told(KINDS[letter.kind]), self._words(letter)))

    def action_reply(self) -> None:
        """Write to whoever wrote."""
        letter = self.table.row
        if letter is None or self.has_class("small"):
            return
        kind = f"reply {letter.ref}"
        raising = self._store.raising

        def keep(text: str) -> None:
            raising.save_note(self.person, letter.uid, kind, text)

        def written(text: str | None) -> None:
            if not text:
                return
            try:
                self._store.inbox.reply(self.person, letter.ref, text)
                raising.save_note(self.person, letter.uid, kind, "")
            except WorkbenchError as error:
                self.fail(error)
                return
            self._load()
            self.tell(_("Sent"))

        draft = raising.note(self.person, letter.uid, kind)
        self.app.push_screen(
            Note(_("Reply"), self._words(letter), draft, keep, pace=self.seconds, needed=True), written
        )

    def action_mark(self) -> None:
        """All of it is read."""
        new = [one.ref for one in self.letters if not one.read]
        try:
            self._store.inbox.read(self.person, new)
        except WorkbenchError as error:
            self.fail(error)
            return
        self.every = True
        self._load()

    def action_all(self) -> None:
        """What was read too, or only what is new."""
        self.every = not self.every
        self._load()

    def action_back(self) -> None:
        """From the dialogue to the list, from the list to the overview."""
        if self.reading:
            self.remove_class("reading")
            self.table.focus()
            self._load()
        else:
            self.post_message(Wanted("home"))
