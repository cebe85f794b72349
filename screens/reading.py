"""A screen with a list, in whose place the dialogue of a row can be read."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Generic, TypeVar

from curation.layers import Layer
from screens.base import WorkScreen
from screens.locale import _
from screens.places import said_of
from screens.widgets.dialogue import DialogueView
from screens.widgets.table import PagedTable

Row = TypeVar("Row")


class ReadingScreen(WorkScreen, Generic[Row]):
    """The list has the id `LIST`, the dialogue `read`; the class `reading` says which of them is shown."""

    LIST: ClassVar[str]

    @property
    def table(self) -> PagedTable[Row]:
        """The list."""
        return self.query_one(f"#{self.LIST}", PagedTable)

    @property
    def reading(self) -> bool:
        """Whether a dialogue is shown."""
        return self.has_class("reading")

    def at_rest(self) -> bool:
        """Not while a dialogue is read."""
        return super().at_rest() and not self.reading

    def begin_reading(self) -> None:
        """The dialogue of the row under the cursor in place of the list."""
        self.add_class("reading")
        self.query_one("#read", DialogueView).focus()
        # Laid out when it has its size.
        self.call_after_refresh(self.read_row)

    @abstractmethod
    def read_row(self) -> None:
        """Show the dialogue of the row under the cursor."""

    def lay_dialogue(self, uid: str) -> None:
        """Show a dialogue as it came, as far as the person may see it. Raises what the store refuses."""
        read = self._store.search.read(uid, Layer.RAW, self.person)
        self.query_one("#read", DialogueView).put(said_of(read.stored.dialogue, read.texts))

    def step_row(self, by: int) -> None:
        """Another row, and its dialogue while one is read."""
        if not self.table.go(self.table.cursor + by):
            self.tell(_("This is the last one") if by > 0 else _("This is the first one"))
        elif self.reading:
            self.read_row()
