"""A screen on a person's numbered list: the neighbour, a number, the next one that is open, and what is new on it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from screens.keys import Pace
from screens.locale import _
from screens.page import Number
from screens.saving import SavingScreen


class Placed(Protocol):
    """Something with a number on a person's list."""

    @property
    def place(self) -> int:
        """Its number, from 1."""


class Counted(Protocol):
    """How far a person is with their list."""

    @property
    def assigned(self) -> int:
        """How many it holds."""


One = TypeVar("One", bound=Placed)
Given = TypeVar("Given", bound=Placed, covariant=True)


class Tasks(Protocol[Given]):
    """The lists of a project, by person."""

    def next(self, person: str, after: int) -> Given | None:
        """The next one that is open, round the end."""

    def step(self, person: str, place: int, direction: int) -> Given | None:
        """The neighbour; None at the ends."""

    def task(self, person: str, place: int | None = None) -> Given | None:
        """The one with a number; without it, where the person left off."""


class OnList(SavingScreen, Generic[One]):
    """Lays one of the list after another. A subclass says which list, what lies in front, and how something is laid."""

    pace: Pace
    _progress: Counted | None = None

    @property
    @abstractmethod
    def tasks(self) -> Tasks[One]:
        """Where the list is asked for."""

    @property
    @abstractmethod
    def here(self) -> One | None:
        """What lies in front."""

    @property
    def behind(self) -> int:
        """A number behind the end of the list."""
        return self._progress.assigned + 1 if self._progress is not None else 1

    @abstractmethod
    def _lay(self, task: One | None) -> None:
        """Put another one in front."""

    @abstractmethod
    def leaving(self) -> bool:
        """Save what is in front. Returns whether it may be left."""

    def recount(self) -> None:
        """Ask anew how far the person is."""

    def decided(self) -> None:
        """Another one is on its way: keys pressed before it can be read were not meant for it."""
        self.pace.decided()
        self.call_after_refresh(self.pace.painted)

    def _go(self, find: Callable[[], One | None], otherwise: str = "") -> None:
        """Save, then lay what `find` gives; when it gives nothing, say `otherwise` and stay."""
        if not self.leaving():
            return
        with self.asking():
            self.recount()
            task = find()
            if task is None and otherwise:
                self.tell(otherwise)
            else:
                self._lay(task)

    def catch_up(self) -> None:
        """What is new on the list of someone who had nothing left."""
        with self.asking():
            self.recount()
            found = self.tasks.next(self.person, 0) if self.here is None else None
            if found is None:
                self.show_again()
            else:
                self.decided()
                self._lay(found)
                self.tell(_("There is new work for you"))

    def show_again(self) -> None:
        """Others went on, and what lies in front is the same: show how far everything is."""
        self.show_quiet()

    # -- keys

    def go_on(self) -> None:
        """The next one that is open."""
        here = self.here
        self._go(lambda: self.tasks.next(self.person, here.place if here is not None else 0))

    def action_step(self, direction: int) -> None:
        """The neighbour in the list; from behind its end, the last one."""
        here = self.here
        if here is not None:
            edge = _("This is the last one") if direction > 0 else _("This is the first one")
            self._go(lambda: self.tasks.step(self.person, here.place, direction), edge)
        elif direction < 0 and self._progress is not None and self._progress.assigned:
            self._go(lambda: self.tasks.step(self.person, self.behind, -1))

    def action_jump(self) -> None:
        """Go to a number."""
        self.app.push_screen(Number(_("Go to number")), self._jumped)

    def _jumped(self, digits: str | None) -> None:
        if digits is not None and self._progress is not None:
            last = self._progress.assigned
            none = _("There is no number {n}; yours are 1 to {last}").format(n=digits, last=last)
            self._go(lambda: self.tasks.task(self.person, int(digits)), none)
