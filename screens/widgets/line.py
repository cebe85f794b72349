"""One line of words: a header, a progress line, a key bar."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from screens.display import visible
from screens.lines import CUT, fitted, packed


class Line(Widget):
    """A line with words on the left and on the right. When room is short the right ones stay and the left ones are cut,
    or, with `spare_right`, the right ones go."""

    DEFAULT_CSS = """
    Line { height: 1; width: 1fr; }
    """

    def __init__(self, ident: str, *, spare_right: bool = False) -> None:
        super().__init__(id=ident)
        self._spare_right = spare_right
        self._left = self._right = ""

    @property
    def words(self) -> str:
        """What stands there."""
        return f"{self._left} {self._right}".strip()

    def put(self, left: str, right: str = "") -> None:
        """Show other words. They pass the display boundary here."""
        left, right = visible(left, one_line=True), visible(right, one_line=True)
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.refresh()

    def render(self) -> Content:
        """The line, cut to the width there is."""
        left, right = self._left, self._right
        if self._spare_right and cell_len(left) + cell_len(right) + 1 > self.size.width:
            right = ""
        if cell_len(right) > self.size.width:
            right = fitted(right, self.size.width)
        room = max(self.size.width - cell_len(right) - (1 if right else 0), 0)
        return Content(fitted(left, room) + (" " if right else "") + right)


class KeyBar(Line):
    """Keys side by side, each whole, on no more than `most` lines. Where not all have room the last ones go, and a sign says
    that there are more."""

    def __init__(self, ident: str, most: int = 1) -> None:
        super().__init__(ident)
        self.styles.height = 1  # known before the first picture, so that nothing is laid out anew for it
        self._most = most
        self._keys: list[str] = []

    def put_keys(self, keys: Sequence[str]) -> None:
        """Show other keys, each with what it does."""
        shown = [visible(key, one_line=True) for key in keys]
        if shown != self._keys:
            self._keys, self._left = shown, "  ".join(shown)
            self._lay()

    def on_resize(self) -> None:
        """As many lines as they take."""
        self._lay()

    def _lay(self) -> None:
        lines = len(self._lines())
        height = self.styles.height
        if height is None or height.value != lines:
            self.styles.height = lines
        self.refresh()

    def _lines(self) -> list[str]:
        width = max(self.app.size.width, 1)
        lines = packed(self._keys, width)
        if len(lines) > self._most:
            shown = len(self._keys)
            while len(lines) > self._most and shown:
                shown -= 1
                lines = packed([*self._keys[:shown], CUT], width)
        return lines or [""]

    def render(self) -> Content:
        """The lines."""
        return Content("\n".join(self._lines()))
