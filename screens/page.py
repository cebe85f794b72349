"""Windows over a screen: a page to read, a list to choose from, a number to give. Each returns a value."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from screens.display import visible
from screens.lines import fold
from screens.locale import _
from screens.widgets.line import Line


class Window(ModalScreen[str | None]):
    """A framed box with a title line, a text and a line of keys."""

    CSS_PATH: ClassVar[list[str | PurePath]] = ["page.tcss"]
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

    def __init__(self, title: str, keys: str) -> None:
        super().__init__()
        self._title = title
        self._keys = keys

    def compose(self) -> ComposeResult:
        """Title, text, keys."""
        from textual.containers import Vertical, VerticalScroll

        with Vertical(id="window"):
            yield Line("title")
            with VerticalScroll(id="pagetext", can_focus=True):
                yield Static(id="text", markup=False)
            yield Line("hint")

    def on_mount(self) -> None:
        """Fill, and let the arrows scroll."""
        self.query_one("#title", Line).put(self._title)
        self.query_one("#hint", Line).put(self._keys)
        self.fill()
        self.query_one("#pagetext").focus()

    def on_resize(self) -> None:
        """Fold anew."""
        if self.query("#text"):
            self.fill()

    @property
    def room(self) -> int:
        """How wide the text may be: 90 % of the terminal and at most 100, as the style sheet says, less frame, padding and
        scroll bar."""
        return max(min(self.app.size.width * 9 // 10, 100) - 6, 20)

    def words(self) -> str:
        """The text of the window."""
        return ""

    def fill(self) -> None:
        """Put the text in, folded to the width."""
        width = self.room
        # Title, keys and frame always have their rows.
        self.query_one("#pagetext").styles.max_height = max(self.app.size.height * 9 // 10 - 4, 1)
        lines: list[str] = []
        for line in visible(self.words()).split("\n"):
            body = line.lstrip(" ")
            lead = " " * (len(line) - len(body))
            lines += [lead + part for part in fold(body, width - len(lead))]
        self.query_one("#text", Static).update(Content("\n".join(lines)))

    def action_close(self) -> None:
        """Leave without an answer."""
        self.dismiss(None)


class Page(Window):
    """Something to read. Scrolls; Esc, Enter or q closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,enter,question_mark,v", "close", show=False),
        Binding("space", "down", show=False),
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title, _("Esc closes  ↑↓ PgUp PgDn scroll"))
        self._text = text

    def words(self) -> str:
        """What there is to read."""
        return self._text

    def action_down(self) -> None:
        """A page on."""
        self.query_one("#pagetext").scroll_page_down(animate=False)


class Choice(Window):
    """A few things to choose from by digit. Returns the id chosen, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(str(n), f"choose({n})", show=False) for n in range(1, 10)]

    def __init__(self, title: str, options: Sequence[tuple[str, str]]) -> None:
        super().__init__(title, _("1 to {n} chooses  Esc goes back").format(n=min(len(options), 9)))
        self._options = options[:9]

    def words(self) -> str:
        """The options, numbered."""
        return "\n".join(f"{n}  {visible(words, one_line=True)}" for n, (_id, words) in enumerate(self._options, 1))

    def action_choose(self, number: int) -> None:
        """Take the option of that number."""
        if 1 <= number <= len(self._options):
            self.dismiss(self._options[number - 1][0])


class Number(Window):
    """A whole number to type. Returns its digits, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(n), f"digit({n})", show=False) for n in range(10)),
        Binding("backspace", "back", show=False),
        Binding("enter", "take", show=False),
    ]

    def __init__(self, title: str) -> None:
        super().__init__(title, _("digits, then Enter  Esc goes back"))
        self._digits = ""

    def words(self) -> str:
        """What was typed so far."""
        return f"> {self._digits}_"

    def action_digit(self, digit: int) -> None:
        """One digit more."""
        if len(self._digits) < 9:
            self._digits += str(digit)
            self.fill()

    def action_back(self) -> None:
        """The last digit away."""
        self._digits = self._digits[:-1]
        self.fill()

    def action_take(self) -> None:
        """That is the number."""
        self.dismiss(self._digits or None)
