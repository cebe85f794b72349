"""The live panel: agreement by dimension, moving as items are closed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.widget import Widget

from curation.work.scoring import Panel
from screens.figurewords import EVERY_DIMENSION, panel_lines
from screens.lines import fold


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

    def put(self, panel: Panel | None, dimensions: Sequence[str] = EVERY_DIMENSION, *, advice: bool = False) -> None:
        """Show another panel, or other dimensions of it."""
        wanted = (panel, tuple(dimensions), advice)
        if wanted != (self._panel, self._dimensions, self._advice):
            self._panel, self._dimensions, self._advice = wanted
            self.refresh()

    def lines(self, width: int) -> list[str]:
        """What it shows in a width."""
        if self._panel is None:
            return ["…"]
        found = panel_lines(self._panel, self._dimensions, width, advice=self._advice)
        return [part for line in found for part in (fold(line, width) if cell_len(line) > width else [line])]

    def render(self) -> Content:
        """The lines, cut to the height."""
        width, height = self.size.width, self.size.height
        shown = self.lines(width)[: max(height, 1)]
        return Content("\n".join(set_cell_size(line, width) for line in shown))
