"""One line of words: a header, a progress line, a key bar."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.widget import Widget

from screens.display import visible


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
        room = max(self.size.width - cell_len(right) - (1 if right else 0), 0)
        if cell_len(left) > room:
            left = set_cell_size(left, max(room - 1, 0)) + ("…" if room else "")
        return Content(set_cell_size(left, room) + (" " if right else "") + right)
