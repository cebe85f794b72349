"""What all screens share: keys from the registry, a header, a line for what has to be said, a key bar, a smallest size."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingsMap
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, TextArea

from curation.errors import WorkbenchError
from screens.actions import on_screen
from screens.display import visible
from screens.keynames import shown
from screens.keytables.action import EVERYWHERE, Action
from screens.locale import _, told, told_error
from screens.messages import Wanted
from screens.widgets.line import KeyBar, Line

if TYPE_CHECKING:
    from curation.work import Leave
    from db.project import Project

SMALLEST = (60, 18)
EVERY = 2.0  # seconds between two looks at whether anything was decided
QUIET = 1.0  # seconds without a key before anything moves by itself
REST = 10  # times as long as catching up took, until it is done again


def bindings(actions: tuple[Action, ...]) -> BindingsMap:
    """The actions' keys as Textual wants them."""
    return BindingsMap(
        Binding(key, action.does, action.words, show=False, id=action.id, priority=action.does == "app.quit")
        for action in actions
        for key in action.keys
    )


class WorkScreen(Screen[None]):
    """A screen with a header, its body, a line that tells, and a key bar.

    A subclass names itself in the registry by `NAME`, composes its `body` and fills it in `show`, which is called again
    whenever the language or the size changes. Its keys stand on up to `KEY_LINES` lines.
    """

    NAME: ClassVar[str] = ""
    KEY_LINES: ClassVar[int] = 1
    AUTO_FOCUS = None
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss"]

    def __init__(self, project: Project | None, person: str, keymap: dict[str, tuple[str, ...]]) -> None:
        super().__init__()
        self.project = project
        self.person = person
        self.actions = on_screen(self.NAME, keymap)
        # Ours first: Tab, for one, means something else to Textual.
        self._bindings = BindingsMap.merge([bindings(self._outside_text()), self._bindings])
        self._said = ""
        self._log_at = 0
        self._pressed_at = self.rest_until = float("-inf")

    def _outside_text(self) -> tuple[Action, ...]:
        return tuple(a for a in self.actions if not a.in_text or a.screen == EVERYWHERE)

    def in_text(self) -> BindingsMap:
        """The keys that work while a text box of this screen has the keyboard."""
        return bindings(
            tuple(a._replace(does=f"screen.{a.does}") for a in self.actions if a.in_text and a.screen != EVERYWHERE)
        )

    def compose(self) -> ComposeResult:
        """Header, body, what is told, keys."""
        yield Line("header")
        yield from self.body()
        yield Line("told")
        yield KeyBar("keys", self.KEY_LINES)
        yield Line("small")

    def body(self) -> list[Widget]:
        """The widgets between header and key bar."""
        return []

    def show(self) -> None:
        """Fill every widget from the state of the screen."""

    def flush(self) -> None:
        """Save what is only on the screen. Called before the screen is left, for whatever reason."""

    def begin(self) -> None:
        """Ask the store for what the screen starts with, and fill it. Called once, when the widgets are there."""
        self.show()

    def on_mount(self) -> None:
        """First fill; from now on what others decide is looked for."""
        if self.project is not None:
            self._log_at = self.project.log.last()
            self.set_interval(EVERY, self._glance)
        self.begin()
        self.show_keys()

    def on_resize(self, event: events.Resize) -> None:
        """Say so when the terminal is too small to work in."""
        width, height = event.size
        self.set_class(self.too_small(width, height), "small")
        self.set_class(height < 22, "low")
        self.set_class(height >= 32, "tall")
        words = _("Terminal too small: {width}×{height}; at least {least} is needed. Nothing is lost.")
        self.line("small").put(words.format(width=width, height=height, least="×".join(map(str, SMALLEST))))
        self.resized()

    def resized(self) -> None:
        """What else a new size asks for."""

    @staticmethod
    def too_small(width: int, height: int) -> bool:
        """Below the smallest size that this program works in."""
        return width < SMALLEST[0] or height < SMALLEST[1]

    def line(self, name: str) -> Line:
        """One of the lines, by its id."""
        return self.query_one(f"#{name}", Line)

    # -- telling

    def tell(self, words: str, *, loud: bool = False) -> None:
        """Say something (translated words) until the next key."""
        self._said = words
        line = self.line("told")
        line.set_class(bool(words), "said")
        line.put(f"! {words}" if words else "")
        if loud:
            self.app.bell()

    def hush(self) -> None:
        """What was told has been seen."""
        if self._said:
            self._said = ""
            self.line("told").remove_class("said")
            self.show_quiet()

    def show_quiet(self) -> None:
        """What the line that tells shows when there is nothing to tell."""
        self.line("told").put("")

    @property
    def said(self) -> str:
        """What is being told now."""
        return self._said

    def fail(self, error: WorkbenchError) -> None:
        """Show a failure of the store, loud, until it is read."""
        from screens.page import Page

        self.app.bell()
        self.app.push_screen(Page(_("This could not be done"), told_error(error)))

    @property
    def _store(self) -> Project:
        """The project, on a screen that is shown for one alone."""
        assert self.project is not None
        return self.project

    # -- who has left

    def left_words(self) -> str:
        """What whoever has left the project is told, by whom and when; "" for whoever has not."""
        if self.project is None:
            return ""
        try:
            leave = self.project.people.left(self.person)
        except WorkbenchError:  # a trouble of the file's own is told by what is asked of it next
            return ""
        return "" if leave is None else told_leave(leave)

    # -- what others do meanwhile

    def _glance(self) -> None:
        """See whether the log has grown, here or in another window on the file; then catch up."""
        if not self.at_rest():
            return
        head = self._store.log.last()
        if head != self._log_at:
            self._log_at = head
            if self.NAME != "home" and self.left_words():
                self.post_message(Wanted("home"))
                return
            began = time.monotonic()
            self.catch_up()
            now = time.monotonic()
            self.rest_until = max(self.rest_until, now + REST * (now - began))

    def at_rest(self) -> bool:
        """Whether the screen may change by itself: it is in front, nobody writes, and no key was pressed just now."""
        now = time.monotonic()
        return (
            self.is_current
            and not isinstance(self.focused, (TextArea, Input))
            and now - self._pressed_at >= QUIET
            and now >= self.rest_until
        )

    def catch_up(self) -> None:
        """Something was decided since: show it, and leave what is the same as it is. A screen that shows nothing of what
        others do does nothing."""

    # -- keys

    def pressed(self, key: str) -> None:
        """A key came in: what was told has been seen."""
        self._pressed_at = time.monotonic()
        self.hush()

    def show_keys(self, *, in_text: bool = False) -> None:
        """The key bar: what can be pressed now, in the registry's words; `in_text`: while a text box has the keyboard."""
        with suppress(NoMatches):  # before the first compose
            self.query_one("#keys", KeyBar).put_keys(self.key_words(in_text=in_text))

    def key_of(self, action: str) -> str:
        """The first key of an action, as it is shown."""
        return next((shown(k) for a in self.actions if a.id == action for k in a.keys[:1]), "")

    def key_words(self, *, in_text: bool = False) -> list[str]:
        """The actions of the bar with their first keys."""
        wanted = [a for a in self.actions if a.bar and a.keys and (a.in_text and a.screen != EVERYWHERE) == in_text]
        wanted.sort(key=lambda a: a.id != "help")
        return [f"{shown(a.keys[0])} {told(a.bar)}" for a in wanted]


def told_leave(leave: Leave) -> str:
    """That someone has left, by whose step and on which day."""
    return _(
        "{name}, you have left this project (retired by {by} on {day}): nothing can be decided under this name; "
        "what you wrote stays."
    ).format(
        name=visible(leave.name, one_line=True), by=visible(leave.by, one_line=True) or "?", day=leave.at[:10] or "?"
    )
