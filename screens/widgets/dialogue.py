"""A dialogue to read: turns numbered, sides told by place, sign and word, the last turn marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from curation.model import Party
from screens.display import visible
from screens.lines import fitted, fold
from screens.locale import _

SELF_INDENT = 4


class Said(NamedTuple):
    """One message as it is shown: `turn` from 1, whose it is, its label in the file, and the text, masked where it must
    be. `last` marks the last turn."""

    turn: int
    party: Party
    speaker: str
    text: str
    last: bool


class DialogueView(ScrollView, can_focus=True):
    """Paints messages line by line, and scrolls by keyboard. Posts `Moved` when other lines come to be seen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "page_down", show=False),
        Binding("shift+space", "page_up", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"dialogue--self", "dialogue--last", "dialogue--gutter"}
    DEFAULT_CSS = """
    DialogueView { height: 1fr; overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; }
    DialogueView > .dialogue--gutter { text-style: bold; }
    DialogueView > .dialogue--last { text-style: bold; }
    """

    class Moved(Message):
        """Other lines are seen than before."""

    def __init__(self, ident: str) -> None:
        super().__init__(id=ident)
        self._said: Sequence[Said] = ()
        self._lines: list[tuple[str, str, bool]] = []
        self._words = ""
        self._folded_for: tuple[int, bool] = (0, False)
        self._looks: tuple[Style, Style, Style, Style] | None = None
        self.plain_emoji = False

    def put(self, said: Sequence[Said], words: str = "") -> None:
        """Show a dialogue from its first line."""
        self._said = said
        self._words = words
        self._folded_for = (0, False)
        self._fold()
        self.scroll_to(y=0, animate=False, immediate=True)
        self.refresh()

    def say(self, words: str) -> None:
        """Show words of the program instead of a dialogue."""
        self.put([], words)

    @property
    def below(self) -> int:
        """How many lines lie below what is seen."""
        return max(len(self._lines) - self.scroll_offset.y - self.scrollable_content_region.height, 0)

    def fold_anew(self) -> None:
        """Lay the same dialogue out again, after a change of how it is shown."""
        self._fold()
        self.refresh()

    def on_resize(self) -> None:
        """Fold anew for the new width."""
        self.fold_anew()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Scrolled: tell whoever shows how much is left."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Moved())

    def _fold(self) -> None:
        # The scroll bar is always there, so that its coming and going folds nothing anew.
        width = self.size.width - 1
        wanted = (width, self.plain_emoji)
        if width < 20 or wanted == self._folded_for:
            return
        self._folded_for = wanted
        if self._words:
            self._lines = [("  ", line, False) for line in ["", *fold(self._words, width - 4)]]
        else:
            self._lines = list(self._laid_out(width))
        size = Size(width, len(self._lines))
        if size != self.virtual_size:
            # Set past the reactive: no other widget's place depends on how long the dialogue is, so nothing is laid out anew.
            self.set_reactive(DialogueView.virtual_size, size)
            if self.is_mounted:
                self._scroll_update(size)
        self.post_message(self.Moved())

    def _laid_out(self, width: int) -> list[tuple[str, str, bool]]:
        """Lines as (gutter, text, in the last turn)."""
        labels = {Party.SELF: f"{_('me')} >", Party.OTHER: f"< {_('other')}"}
        room = max(cell_len(label) for label in labels.values())
        lines: list[tuple[str, str, bool]] = []
        turn = 0
        for said in self._said:
            begins = said.turn != turn
            if begins and said.last:
                rule = f"── {_('last turn')} "
                lines.append((rule + "─" * max(width - cell_len(rule), 0), "", True))
            turn = said.turn
            label = labels.get(said.party) or f"? {visible(said.speaker, one_line=True)}"
            mine = said.party is Party.SELF
            label = fitted(" " * (room - cell_len(label)) + label if mine else label, room)
            number = f"{turn:>3} " if begins else "    "
            head = f"{number}{label if begins else ' ' * room} " + (" " * SELF_INDENT if mine else "")
            text = visible(said.text, plain_emoji=self.plain_emoji)
            if not text.strip():
                text = f"({_('empty message')})"
            for n, line in enumerate(fold(text, width - cell_len(head))):
                lines.append((head if n == 0 else " " * cell_len(head), line, said.last))
        return lines

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines that are seen. Their styles are worked out once, not line by line."""
        if not self._folded_for[0]:
            # The width is known from the first painting on; word of it comes only after that.
            self._fold()
        self._looks = self._styles_now()
        return super().render_lines(crop)

    def _styles_now(self) -> tuple[Style, Style, Style, Style]:
        """Of a text and its gutter, and of both in the last turn."""
        base = self.rich_style
        mark = base + self.get_component_rich_style("dialogue--gutter", partial=True)
        last = self.get_component_rich_style("dialogue--last", partial=True)
        return base, mark, base + last, mark + last

    def render_line(self, y: int) -> Strip:
        """One line, in the widget's own style."""
        at = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        base, mark, text_last, mark_last = self._looks or self._styles_now()
        if at >= len(self._lines):
            return Strip.blank(width, base)
        gutter, text, last = self._lines[at]
        segments = [Segment(gutter, mark_last if last else mark), Segment(text, text_last if last else base)]
        return Strip(segments).adjust_cell_length(width, base)
