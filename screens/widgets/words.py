"""Some lines of words of the program, folded to the width and cut to the height."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from screens.display import visible
from screens.lines import fold

Piece = tuple[str, str, str]  # what stands before (kept whole, the rest hangs under its end), the words, a style


class Words(Widget):
    """Lines as (lead, words, style). Words that need more lines hang under where they began."""

    DEFAULT_CSS = """
    Words { width: 1fr; height: auto; }
    """

    def __init__(self, ident: str) -> None:
        super().__init__(id=ident)
        self._pieces: tuple[Piece, ...] = ()

    @property
    def words(self) -> str:
        """What stands there."""
        return "\n".join(f"{lead}{text}" for lead, text, _style in self._pieces)

    def put(self, pieces: Sequence[Piece]) -> None:
        """Show other words. They pass the display boundary here."""
        made = tuple((visible(lead, one_line=True), visible(text), style) for lead, text, style in pieces)
        if made != self._pieces:
            self._pieces = made
            self.refresh()

    def rows(self, width: int) -> int:
        """How many lines the words take at a width."""
        return sum(len(fold(text, max(width - cell_len(lead), 10))) for lead, text, _style in self._pieces)

    def render(self) -> Content:
        """The lines; what does not fit into the height is cut with a sign."""
        width, height = self.size.width, self.size.height
        lines: list[Content] = []
        for lead, text, style in self._pieces:
            for at, part in enumerate(fold(text, max(width - cell_len(lead), 10))):
                lines.append(Content.styled((lead if at == 0 else " " * cell_len(lead)) + part, style))
        if height and len(lines) > height:
            lines = [*lines[: height - 1], Content("…")]
        return Content("\n").join(lines)
