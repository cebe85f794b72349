"""The live panel of a screen: on or off, asked for beside the keys, its rows fixed before it is painted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from textual.message import Message
from textual.widget import Widget

from curation.work.scoring import Panel
from screens.feed import PanelFeed
from screens.figurewords import EVERY_DIMENSION
from screens.widgets.agreement import AgreementPanel

SOON = 0.12  # seconds after a closing until the figures are looked at: the next item is painted first
QUIET = 1.0  # seconds without a key after which intervals are computed
ROOMY = 30  # rows of a terminal in which all dimensions and the advice have their place


class PanelFound(Message):
    """The live figures, from another thread."""

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self.panel = panel


class LivePanel:
    """Figures as one person may see them. The screen hands `PanelFound` to `found` and calls `pressed` at every key."""

    def __init__(self, screen: Widget, path: Path, person: str) -> None:
        self._screen = screen
        self._feed = PanelFeed(path, person, lambda panel: screen.post_message(PanelFound(panel)))
        self._pressed_at = float("-inf")
        self._waiting = False
        self.on = False
        self.panel: Panel | None = None

    def pressed(self) -> None:
        """A key came in."""
        self._pressed_at = time.monotonic()

    def turn(self, widget: AgreementPanel) -> None:
        """On or off."""
        self.on = not self.on
        widget.set_class(self.on, "on")
        if self.on:
            self._look()

    def ask(self) -> None:
        """Have the figures looked at soon, and their intervals once nobody presses keys."""
        if self.on:
            self._screen.set_timer(SOON, self._look)

    def _look(self) -> None:
        if self.on:
            self._feed.ask()
            if not self._waiting:
                self._waiting = True
                self._screen.set_timer(QUIET, self._when_quiet)

    def _when_quiet(self) -> None:
        # Intervals take the processor for a while: not while someone is pressing keys.
        if time.monotonic() - self._pressed_at >= QUIET:
            self._waiting = False
            self._feed.ask(intervals=True)
        else:
            self._screen.set_timer(QUIET, self._when_quiet)

    def stop(self) -> None:
        """Nothing is asked any more."""
        self._feed.stop()

    def fill(self, widget: AgreementPanel, near: Sequence[str], width: int, *, all_rows: bool, roomy: bool) -> int:
        """Fill the widget with the dimensions that are `near`, or all. Returns the rows it takes, 0 when it is off."""
        if not self.on:
            return 0
        widget.put(self.panel, EVERY_DIMENSION if all_rows or roomy else near, advice=roomy)
        return min(len(widget.lines(width)), 14 if roomy else 9)
