"""The review screen: a dialogue read turn by turn, its identifiers decided one by one, and how it will read."""

from __future__ import annotations

from textual import on

from curation.work.review import Outcome
from screens import reviewwords as words
from screens.display import visible
from screens.locale import _
from screens.messages import Wanted
from screens.reviewmenus import Menus
from screens.reviewside import Ended


class ReviewScreen(Menus):
    """Getting about, and the end of a review."""

    # -- getting about

    def action_finding(self, direction: int) -> None:
        """To the next finding, or the one before; at the end it stays and says so."""
        numbers = self.numbers()
        there = self.look.here + direction
        if self.page is None or self.look.caret is not None:
            return
        if there not in numbers:
            self.tell(_("This is the last finding") if direction > 0 else _("This is the first finding"))
            return
        self.look.here = there
        self.show()
        self.view.bring(there)

    def action_on(self) -> None:
        """On with reading: a page, then what is unread, then what is undecided. While marking: here it ends."""
        if self.look.caret is not None:
            self.end_marking()
            return
        if self.page is None:
            return
        if self.view.below:
            self.view.scroll_page_down(animate=False)
        elif self.to_unread():
            return
        elif self.page.open:
            if self.look.here - 1 not in self.page.open or not self.in_view(self.look.here):
                self.to_open()
            self.tell(
                _("{n} undecided: {accept} it is one, {reject} it is none").format(
                    n=len(self.page.open), accept=self.key("accept"), reject=self.key("reject")
                )
            )
        else:
            self.tell(_("All is read and decided: {key} says that it is done").format(key=self.key("done")))

    def action_turn(self, direction: int) -> None:
        """The next turn at the top, or the one before."""
        top = self.view.scroll_offset.y
        starts = sorted(first for first, _last in self.look.rows.values())
        found = [s for s in starts if s > top] if direction > 0 else [s for s in reversed(starts) if s < top]
        if found:
            self.view.scroll_to(y=found[0], animate=False, immediate=True)
        else:
            self.tell(_("This is the last turn") if direction > 0 else _("This is the first turn"))

    def action_line(self, direction: int) -> None:
        """A line on or back; while marking, to another message."""
        if self.look.caret is not None:
            self.move_message(direction)
        else:
            self.view.scroll_relative(y=direction, animate=False, immediate=True)

    def action_step(self, direction: int) -> None:
        """The next agreed dialogue, or the one before; while marking, a sign on or back."""
        if self.look.caret is not None:
            self.move_caret(direction)
        else:
            self._to(direction, waiting=False)

    def action_waiting(self, direction: int) -> None:
        """The next dialogue with something undecided, or the one before."""
        if self.look.caret is None:
            self._to(direction, waiting=True)

    def _to(self, direction: int, *, waiting: bool) -> None:
        if self.has_class("small") or not self.known:
            return
        pages = self.store.reviews.pages
        with self.asking():
            uid = pages.step(self.uid, direction, waiting=waiting) if self.uid else pages.first()
            if uid is not None:
                self.lay(uid)
            elif self.page is not None and waiting:
                self.tell(_("Nothing more is undecided on this side"))
            elif self.page is not None:
                self.tell(_("This is the last one") if direction > 0 else _("This is the first one"))

    def action_home(self) -> None:
        """Back to the overview, or to quality control where one came from there."""
        self.flush()
        if self._wanted is None:
            self.post_message(Wanted("home"))
        else:
            self.post_message(Wanted("quality", dialogue=self.uid or self._wanted))

    # -- the end of a review

    def action_done(self) -> None:
        """All read, all decided: the output is scanned again, and if it is clean the review is done."""
        if self.ready():
            self.once(lambda: self._end("done"))

    def action_sign(self) -> None:
        """Sign the review of somebody else."""
        if self.ready():
            self.once(lambda: self._end("sign"))

    def _end(self, what: str) -> None:
        self.flush()
        self.tell(_("Scanning the output again…"))
        self.side.end(self.uid, self.person, what)

    @on(Ended)
    def _ended(self, message: Ended) -> None:
        if message.uid != self.uid:
            return
        outcome = message.outcome
        if not outcome.done:
            self._not_done(outcome)
            return
        said = _("Signed.") if message.what == "sign" else _("Done: all read, all decided, the output is clean.")
        with self.asking():
            on = self.store.reviews.pages.next_undone(self.uid, signing=message.what == "sign")
            if on is None:
                self.again()
                self.tell(said + " " + _("No other dialogue waits. {key} undoes.").format(key=self.key("undo")))
            else:
                before = visible(self.page.stored.external_id, one_line=True) if self.page else ""
                self.lay(on)
                self.tell(f"{before}: {said} " + _("{key} undoes.").format(key=self.key("undo")))

    def _not_done(self, outcome: Outcome) -> None:
        self.look.hits = outcome.hits
        with self.asking():
            self.again()
        if outcome.hits and self.page is not None:
            self.look.here = len(self.page.findings) + 1
            self.show()
            self.view.bring(self.look.here)
        elif "undecided_findings" in outcome.missing:
            self.to_open()
        elif outcome.unseen:
            self.to_unread()
        self.tell(_("Not yet: {why}").format(why=words.of_missing(outcome.missing)))
