"""A window with a list of any length to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from screens.display import visible
from screens.lines import fitted
from screens.locale import _
from screens.page import Window


class Menu(Window):
    """One of some options, by arrows and Enter or by digit. Returns the id chosen, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("pageup,home", "move(-1000)", show=False),
        Binding("pagedown,end", "move(1000)", show=False),
        Binding("enter,space", "take", show=False),
        Binding("q", "close", show=False),
        *(Binding(str(n), f"take({n})", show=False) for n in range(1, 10)),
    ]

    def __init__(self, title: str, options: Sequence[tuple[str, str]], chosen: str = "") -> None:
        few = _("↑ ↓ and Enter, or a digit, chooses  Esc goes back")
        many = _("↑ ↓ and Enter, or a digit for 1 to 9, chooses  Esc goes back")
        super().__init__(title, many if len(options) > 9 else few)
        self._options = options
        self._at = next((n for n, (ident, _words) in enumerate(options) if ident == chosen), 0)

    def on_mount(self) -> None:
        """The arrows move the mark, not the page."""
        self.query_one("#pagetext").can_focus = False

    def fill(self) -> None:
        """The options around the marked one, as many as there is room for; above and below them, how many more there are."""
        height = max(self.app.size.height * 9 // 10 - 4, 3)
        cut = len(self._options) > height
        room = height - 2 if cut else height
        first = max(min(self._at - room // 2, len(self._options) - room), 0)
        lines = [
            fitted(f"{'>' if n == self._at else ' '} {n + 1:>2}  {visible(words, one_line=True)}", self.room).rstrip()
            for n, (_ident, words) in enumerate(self._options)
        ]
        shown = lines[first : first + room]
        if cut:
            below = len(lines) - first - room
            shown.insert(0, "  " + _("{n} more above ↑").format(n=first) if first else "")
            shown.append("  " + _("{n} more below ↓").format(n=below) if below else "")
        self.query_one("#text", Static).update(Content("\n".join(shown)))

    def action_move(self, by: int) -> None:
        """The mark to another option."""
        self._at = max(min(self._at + by, len(self._options) - 1), 0)
        self.fill()

    def action_take(self, number: int = 0) -> None:
        """Choose the marked one, or the one of that number."""
        at = number - 1 if number else self._at
        if 0 <= at < len(self._options):
            self.dismiss(self._options[at][0])
