"""Marking by keyboard what nobody found: a caret in a message, a beginning, an end, a type."""

from __future__ import annotations

from collections.abc import Callable

from curation.graphemes import boundaries, step, stride
from screens.locale import _
from screens.pick import type_choice
from screens.reviewdesk import ReviewDesk
from screens.reviewpage import CARET, Caret

_FAR = 5  # messages


class Marking(ReviewDesk):
    """The keys of marking."""

    def action_mark(self) -> None:
        """Begin to mark; pressed again, the mark begins here."""
        caret = self.look.caret
        if caret is not None:
            caret.anchor = caret.at if caret.anchor is None else None
            self._moved_caret()
            return
        if not self.ready() or self.page is None:
            return
        top = self.view.scroll_offset.y
        bottom = top + self.view.scrollable_content_region.height
        turns = [turn for turn, (first, _last) in self.look.rows.items() if top <= first < bottom]
        one = self.finding
        if one is not None and self.in_view(self.look.here):
            self.look.caret = Caret(one.span.message, one.span.end)
        else:
            inside = [m.index for m in self.page.messages if m.turn in turns]
            self.look.caret = Caret(inside[0] if inside else 0, 0)
        # The dialogue's own keys move the caret now.
        self.set_focus(None)
        self._moved_caret()

    def action_leave_marking(self) -> None:
        """No mark after all."""
        if self.look.caret is not None:
            self.leave_marking()
            self.show()

    def _moved_caret(self) -> None:
        self.show()
        self.view.bring(CARET)

    def move_caret(self, direction: int) -> None:
        """A sign on or back, over the ends of messages where nothing is marked yet."""
        self._move(direction, step)

    def action_stride(self, direction: int) -> None:
        """A whole number or word on or back."""
        if self.look.caret is not None:
            self._move(direction, stride)

    def _move(self, direction: int, by: Callable[[str, int, int], int]) -> None:
        caret = self.look.caret
        assert caret is not None
        assert self.page is not None
        text = self.page.messages[caret.message].text
        there = by(text, caret.at, direction)
        if there == caret.at and caret.anchor is None:
            self.move_message(direction, end=direction < 0)
            return
        caret.at = there
        self._moved_caret()

    def move_message(self, direction: int, *, end: bool = False) -> None:
        """To the next message or the one before; its beginning, or its `end`. A mark stays within one message."""
        caret = self.look.caret
        assert caret is not None
        assert self.page is not None
        there = caret.message + direction
        if 0 <= there < len(self.page.messages):
            text = self.page.messages[there].text
            at = len(text) if end else max(cut for cut in boundaries(text) if cut <= caret.at)
            self.look.caret = Caret(there, at)
            self._moved_caret()

    def action_far(self, where: str) -> None:
        """To the beginning or the end of the message, or five messages on or back."""
        caret = self.look.caret
        if caret is None or self.page is None:
            return
        if where in ("home", "end"):
            caret.at = 0 if where == "home" else len(self.page.messages[caret.message].text)
            self._moved_caret()
            return
        last = len(self.page.messages) - 1
        there = max(min(caret.message + (_FAR if where == "down" else -_FAR), last), 0)
        self.move_message(there - caret.message)

    def end_marking(self) -> None:
        """The mark ends here; without a beginning it begins here. Then its type is asked for."""
        caret = self.look.caret
        assert caret is not None
        start, end = caret.span
        if caret.anchor is None:
            self.action_mark()
        elif start == end:
            self.tell(_("Nothing is marked yet: the arrows move the end"))
        else:
            self.app.push_screen(type_choice(_("What is it?"), ""), self._type_marked)

    def _type_marked(self, kind: str | None) -> None:
        caret = self.look.caret
        if kind is None or caret is None:
            return
        message, (start, end) = caret.message, caret.span
        uid = self.uid
        self.leave_marking()
        self.do(
            lambda: self.store.reviews.add(uid, self.person, message, start, end, kind),
            _("Marked. {equal} does the same for all equal ones, {undo} undoes.").format(
                equal=self.key("equal"), undo=self.key("undo")
            ),
            then=(message, start, end),
        )
