"""A dialogue to read: turns numbered, sides told by place, sign and word, the last turn marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from curation.model import Party
from screens.display import visible
from screens.lines import fitted, fold
from screens.locale import _

SELF_INDENT = 4


@dataclass(frozen=True, slots=True)
class Said:
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
        # Set past the reactive: no other widget's place depends on how long the dialogue is, so nothing is laid out anew.
        self.set_reactive(DialogueView.virtual_size, Size(width, len(self._lines)))
        if self.is_mounted:
            self._scroll_update(self.virtual_size)
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

    def render_line(self, y: int) -> Strip:
        """One line, in the widget's own style."""
        if not self._folded_for[0]:
            # The width is known from the first painting on; word of it comes only after that.
            self._fold()
        at = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        base = self.rich_style
        if at >= len(self._lines):
            return Strip.blank(width, base)
        gutter, text, last = self._lines[at]
        style = self.get_component_rich_style("dialogue--last", partial=True) if last else Style()
        mark = self.get_component_rich_style("dialogue--gutter", partial=True)
        segments = [Segment(gutter, base + mark + style), Segment(text, base + style)]
        return Strip(segments).adjust_cell_length(width, base)
