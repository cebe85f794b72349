"""The live panel: agreement by dimension, moving as items are closed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from curation.work.scoring import Panel
from screens.figurewords import EVERY_DIMENSION, panel_lines
from screens.lines import fitted, fold
from screens.locale import language


class AgreementPanel(Widget):
    """Shows a panel for some dimensions. Only painting happens here; the figures come ready."""

    DEFAULT_CSS = """
    AgreementPanel { width: 1fr; height: 1; }
    """

    def __init__(self, ident: str) -> None:
        super().__init__(id=ident)
        self._panel: Panel | None = None
        self._dimensions: Sequence[str] = EVERY_DIMENSION
        self._advice = False
        self._laid_out: tuple[int, str, list[str]] | None = None
        self._style: Style | None = None

    def put(self, panel: Panel | None, dimensions: Sequence[str] = EVERY_DIMENSION, *, advice: bool = False) -> None:
        """Show another panel, or other dimensions of it."""
        wanted = (panel, tuple(dimensions), advice)
        if wanted != (self._panel, self._dimensions, self._advice):
            self._panel, self._dimensions, self._advice = wanted
            self._laid_out = None
            self.refresh()

    def lines(self, width: int) -> list[str]:
        """What it shows in a width."""
        if self._panel is None:
            return ["…"]
        if self._laid_out is None or self._laid_out[:2] != (width, language()):
            found = panel_lines(self._panel, self._dimensions, width, advice=self._advice)
            lines = [part for line in found for part in (fold(line, width) if cell_len(line) > width else [line])]
            self._laid_out = (width, language(), lines)
        return self._laid_out[2]

    def render_line(self, y: int) -> Strip:
        """One line, in the widget's own style."""
        if y == 0 or self._style is None:
            self._style = self.rich_style
        lines = self.lines(self.size.width)
        text = fitted(lines[y], self.size.width) if y < len(lines) else " " * self.size.width
        return Strip([Segment(text, self._style)], self.size.width)
