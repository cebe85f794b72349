"""A window that asks whether to do something, and for a word of why."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import PurePath
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input

from screens.display import visible
from screens.locale import _
from screens.page import Window
from screens.widgets.line import Line


class Noted(Input):
    """The box for the word."""

    DEFAULT_CSS = "Noted { height: 1; border: none; padding: 0; }"


class Note(Window):
    """Returns the word ("" for none) when Enter confirms, None when Esc goes back. `keep` is called with what is written so
    far, at every key. An Enter within `pace` seconds of the opening is that of a held key, and does nothing."""

    CSS_PATH: ClassVar[list[str | PurePath]] = ["page.tcss"]

    def __init__(
        self, title: str, text: str, written: str, keep: Callable[[str], object], *, pace: float, needed: bool = False
    ) -> None:
        super().__init__(title, _("Enter does it  Esc goes back"))
        self._text = text
        self._written = written
        self._keep = keep
        self._pace = pace
        self._needed = needed
        self._opened = time.monotonic()
        self._done = False

    def compose(self) -> ComposeResult:
        """Title, text, box, keys."""
        from textual.containers import Vertical, VerticalScroll
        from textual.widgets import Static

        with Vertical(id="window"):
            yield Line("title")
            with VerticalScroll(id="pagetext", can_focus=False):
                yield Static(id="text", markup=False)
            yield Noted(self._written, id="note", compact=True, select_on_focus=False, placeholder=_("a word of why"))
            yield Line("hint")

    def on_mount(self) -> None:
        """The box has the keyboard."""
        super().on_mount()
        self.query_one("#note", Noted).focus()

    def words(self) -> str:
        """What will be done."""
        return visible(self._text)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._keep(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if self._done or time.monotonic() - self._opened < self._pace:
            return
        if self._needed and not event.value.strip():
            self.query_one("#hint", Line).put(_("This needs a word of why  Esc goes back"))
            return
        self._done = True  # a second Enter can be on its way already
        self.dismiss(event.value.strip())
