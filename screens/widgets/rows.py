"""Rows of marked text to read: painted line by line, scrolled by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from screens.marked import Row, Run, places

# Told apart without colour too: the signs in the text say the same.
_LOOKS = {
    "edit": Style(bold=True),
    "here": Style(bold=True, reverse=True),
    "gone": Style(underline=True),
    "word": Style(bold=True, underline=True),
    "cut": Style(dim=True),
    "note": Style(italic=True),
    "gutter": Style(bold=True),
}
Lay = Callable[[int, bool], Sequence[Row]]


class RowsView(ScrollView, can_focus=True):
    """Shows what `lay` gives for its width. Posts `Moved` when other rows come to be seen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "page_down", show=False),
        Binding("shift+space", "page_up", show=False),
    ]
    DEFAULT_CSS = """
    RowsView { height: 1fr; overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; }
    """

    class Moved(Message):
        """Other rows are seen than before."""

    def __init__(self, ident: str) -> None:
        super().__init__(id=ident)
        self._lay: Lay = lambda _width, _plain: ()
        self._rows: Sequence[Row] = ()
        self.plain_emoji = False

    def put(self, lay: Lay, *, anew: bool) -> None:
        """Show rows; `anew` from the first one, else from where the reader is."""
        self._lay = lay
        self.fold_anew()
        if anew:
            self.scroll_to(y=0, animate=False, immediate=True)

    def fold_anew(self) -> None:
        """Lay the same text out again."""
        width = self.size.width - 1
        if width < 20:
            return
        self._rows = self._lay(width, self.plain_emoji)
        self.set_reactive(RowsView.virtual_size, Size(width, len(self._rows)))
        if self.is_mounted:
            self._scroll_update(self.virtual_size)
        self.refresh()
        self.post_message(self.Moved())

    def on_resize(self) -> None:
        """Lay out for the new width."""
        self.fold_anew()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Scrolled: tell whoever shows how much is left."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Moved())

    @property
    def rows(self) -> Sequence[Row]:
        """The rows as they are laid out now."""
        return self._rows

    @property
    def below(self) -> int:
        """How many rows lie below what is seen."""
        return max(len(self._rows) - self.scroll_offset.y - self.scrollable_content_region.height, 0)

    def bring(self, edit: int) -> None:
        """Scroll so that an edit is seen; not at all when it is."""
        first, last = places(self._rows).get(edit, (-1, -1))
        height = self.scrollable_content_region.height
        top = self.scroll_offset.y
        if first < 0 or (top <= first and last < top + height):
            return
        self.scroll_to(y=max(first - height // 3, 0), animate=False, immediate=True)

    def render_line(self, y: int) -> Strip:
        """One row, in the widget's own style."""
        at = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        base = self.rich_style
        row = self._rows[at] if at < len(self._rows) else [Run("")]
        segments = [Segment(run.text, base + _LOOKS.get(run.look, Style())) for run in row]
        return Strip(segments).adjust_cell_length(width, base)
