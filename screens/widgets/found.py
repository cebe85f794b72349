"""A dialogue with one place in it marked, and the box in which a person writes what to look for."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip

from screens.display import visible
from screens.widgets.dialogue import DialogueView, Said
from screens.widgets.rationale import Rationale, into_box
from screens.widgets.table import MARK

LEFT, RIGHT = "»", "«"
ABOVE = 3  # lines seen above the message that was found


class FoundView(DialogueView):
    """A dialogue, scrolled to one message, in which the place that was found stands between two signs, in reverse."""

    def __init__(self, ident: str) -> None:
        super().__init__(ident)
        self._at = -1
        self._before = self._within = 0
        self._range = (0, 0)

    def put_found(self, said: Sequence[Said], at: int, start: int, end: int) -> None:
        """Show a dialogue with `text[start:end]` of its message number `at` marked."""
        text = said[at].text
        marked = said[at]._replace(text=f"{text[:start]}{LEFT}{text[start:end]}{RIGHT}{text[end:]}")
        self._at = at
        # Signs of the text's own mark nothing.
        self._before = visible(text[:start]).count(LEFT)
        self._within = visible(text[start:end]).count(RIGHT)
        self.put([*said[:at], marked, *said[at + 1 :]])
        self.scroll_to(y=max(self._range[0] - ABOVE, 0), animate=False, immediate=True)

    def _laid_out(self, width: int) -> list[tuple[str, str, bool]]:
        said = self._said
        if self._at >= 0:
            ends = []
            for count in (self._at, self._at + 1):
                self._said = said[:count]
                ends.append(len(super()._laid_out(width)))
            self._range = (ends[0], ends[1])
            self._said = said
        return super()._laid_out(width)

    def render_line(self, y: int) -> Strip:
        """One line; what was found in reverse."""
        strip = super().render_line(y)
        at = y + self.scroll_offset.y
        if self._at < 0 or not self._range[0] <= at < min(self._range[1], len(self._lines)):
            return strip
        gutter, text, _last = self._lines[at]
        seen = "".join(line for _gutter, line, _ in self._lines[self._range[0] : at])
        pieces = _marked(seen, text, self._before, self._within)
        plain = next((s.style for s in list(strip)[1:2]), None) or Style()
        head = next((s.style for s in list(strip)[:1]), None)
        segments = [Segment(gutter, head), *(Segment(t, plain + MARK if on else plain) for t, on in pieces)]
        return Strip(segments).adjust_cell_length(self.scrollable_content_region.width, plain)


def _marked(seen: str, text: str, before: int, within: int) -> list[tuple[str, bool]]:
    """`text`, which follows on `seen`, in pieces: on from the opening sign after `before` others up to the closing sign
    after `within` others."""
    first = _nth(seen + text, LEFT, 0, before)
    if first < 0:
        return [(text, False)]
    last = _nth(seen + text, RIGHT, first, within)
    start = max(first - len(seen), 0)
    end = len(text) if last < 0 else max(last + 1 - len(seen), 0)
    return [(text[:start], False), (text[start:end], True), (text[end:], False)]


def _nth(text: str, sign: str, begin: int, others: int) -> int:
    """Where `sign` stands from `begin` on, after so many others; -1 where there are too few."""
    at = begin - 1
    for _ in range(others + 1):
        at = text.find(sign, at + 1)
        if at < 0:
            return -1
    return at


class Query(Rationale):
    """One line to write what to look for. Enter is no sign in it."""

    def __init__(self, ident: str) -> None:
        super().__init__(ident)
        self.soft_wrap = False

    async def take(self, event: events.Key) -> bool:
        """Type a key into the box, Enter excepted."""
        return event.key != "enter" and await super().take(event)

    async def _on_paste(self, event: events.Paste) -> None:
        """What is pasted becomes one line."""
        event.prevent_default()
        event.stop()
        text = " ".join(event.text.split("\n")).replace("\r", " ")
        if result := self._replace_via_keyboard(into_box(text), *self.selection):
            self.move_cursor(result.end_location)
