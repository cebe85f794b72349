"""Some lines of words of the program, folded to the width and cut to the height."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from screens.display import visible
from screens.lines import fitted, fold

Piece = tuple[str, str, str]  # what stands before (kept whole, the rest hangs under its end), the words, a style


def rows_of(pieces: Sequence[Piece], width: int) -> int:
    """How many lines pieces take at a width."""
    return sum(len(fold(text, max(width - cell_len(lead), 10))) for lead, text, _style in pieces)


class Words(Widget):
    """Lines as (lead, words, style). Words that need more lines hang under where they began."""

    DEFAULT_CSS = """
    Words { width: 1fr; height: auto; }
    """

    def __init__(self, ident: str) -> None:
        super().__init__(id=ident)
        self._pieces: tuple[Piece, ...] = ()
        self._lines: list[tuple[str, str]] = []
        self._laid_out_for = -1
        self._style = Style()

    @property
    def words(self) -> str:
        """What stands there."""
        return "\n".join(f"{lead}{text}" for lead, text, _style in self._pieces)

    def put(self, pieces: Sequence[Piece]) -> None:
        """Show other words. They pass the display boundary here."""
        made = tuple((visible(lead, one_line=True), visible(text), style) for lead, text, style in pieces)
        if made != self._pieces:
            self._pieces = made
            self._laid_out_for = -1
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line; what does not fit into the height is cut with a sign."""
        width, height = self.size.width, self.size.height
        if y == 0 or self._laid_out_for != width:
            self._lines = _laid_out(self._pieces, width)
            self._laid_out_for = width
            self._style = self.rich_style
        if height and y == height - 1 and len(self._lines) > height:
            return Strip([Segment(fitted("…", width), self._style)], width)
        text, look = self._lines[y] if y < len(self._lines) else ("", "")
        style = self._style + Style.parse(look) if look else self._style
        return Strip([Segment(fitted(text, width), style)], width)


def _laid_out(pieces: Sequence[Piece], width: int) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    for lead, text, look in pieces:
        room = cell_len(lead)
        for at, part in enumerate(fold(text, max(width - room, 10))):
            lines.append(((lead if at == 0 else " " * room) + part, look))
    return lines
