"""A list of rows of any length: only those that are seen are laid out and painted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Generic, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from screens.lines import CUT

Row = TypeVar("Row")
CURSOR = "> "
MARK = Style(reverse=True, bold=True)


class PagedTable(ScrollView, Generic[Row], can_focus=True):
    """Paints rows through `paint`, which gives a row's pieces for a width as (text, marked); text is safe already. The row
    under the cursor has a sign and is bold; what does not fit ends with a sign. Posts `Moved` when the cursor goes to
    another row."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("home,g", "go(0)", show=False),
        Binding("end,G", "go(-1)", show=False),
    ]
    DEFAULT_CSS = """
    PagedTable { height: 1fr; overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; }
    """

    class Moved(Message):
        """The cursor is on another row."""

    def __init__(self, ident: str, paint: Callable[[Row, int], Sequence[tuple[str, bool]]]) -> None:
        super().__init__(id=ident)
        self._paint = paint
        self._rows: Sequence[Row] = ()
        self.cursor = 0

    def put(self, rows: Sequence[Row], cursor: int = 0) -> None:
        """Show other rows, or the same sequence after it grew."""
        self._rows = rows
        self.cursor = max(min(cursor, len(rows) - 1), 0)
        self.virtual_size = Size(max(self.size.width - 1, 0), len(rows))
        self._show_cursor()
        self.refresh()

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        return self._rows[self.cursor] if self._rows else None

    def go(self, place: int) -> bool:
        """Put the cursor on a row. False when there is none."""
        if not 0 <= place < len(self._rows):
            return False
        if place != self.cursor:
            self.cursor = place
            self._show_cursor()
            self.refresh()
            self.post_message(self.Moved())
        return True

    def action_move(self, by: int) -> None:
        """Some rows on."""
        self.go(max(min(self.cursor + by, len(self._rows) - 1), 0))

    def action_page(self, by: int) -> None:
        """A page on."""
        self.action_move(by * max(self.scrollable_content_region.height - 1, 1))

    def action_go(self, place: int) -> None:
        """The first row, or the last."""
        self.go(place if place >= 0 else len(self._rows) + place)

    def on_resize(self) -> None:
        """The cursor stays in sight."""
        self._show_cursor()

    def _show_cursor(self) -> None:
        height, top = self.scrollable_content_region.height, round(self.scroll_target_y)
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, immediate=True)
        elif height and self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False, immediate=True)

    def render_line(self, y: int) -> Strip:
        """One row."""
        at = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        base = self.rich_style
        if at >= len(self._rows):
            return Strip.blank(width, base)
        here = at == self.cursor
        base += Style(bold=here)
        pieces = self._paint(self._rows[at], max(width - len(CURSOR), 1))
        segments = [Segment(CURSOR if here else " " * len(CURSOR), base)]
        segments += [Segment(text, base + MARK if marked else base) for text, marked in pieces]
        strip = Strip(segments)
        if strip.cell_length > width:
            strip = Strip([*strip.crop(0, width - 1), Segment(CUT, base)])
        return strip.adjust_cell_length(width, base)
