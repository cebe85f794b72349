"""The dispute screen: what the two said, with their reasons, and one open word more each, or the lead's ruling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from curation.errors import N_
from screens.answering import AnsweringScreen
from screens.desk import said
from screens.display import visible
from screens.disputedesk import DisputeDesk
from screens.held import Once
from screens.keys import PACE
from screens.lines import at_most, fold
from screens.locale import _, told
from screens.messages import Wanted
from screens.page import Page

if TYPE_CHECKING:
    from db.project import Project

SAID = {
    "agreed": N_("Agreed now: {id}"),
    "dropped": N_("Both drop it now: {id}"),
    "disputed": N_("Still disputed: {id}"),
}
MOST = 6  # lines of what was said that stand beside the dialogue; the rest is one key away


class DisputeScreen(AnsweringScreen):
    """Reads like this: dialogue, what both said, situations and answer, the reason, then where one is."""

    NAME = "dispute"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "screening.tcss", "dispute.tcss"]

    desk: DisputeDesk

    def __init__(
        self,
        project: Project,
        person: str,
        keymap: dict[str, tuple[str, ...]],
        dialogue: str | None = None,
        *,
        pace: float = PACE,
    ) -> None:
        super().__init__(project, person, keymap, pace=pace)
        self.desk = DisputeDesk(project, person)
        self.wanted = dialogue
        self._uids: list[str] = []
        self._undo_once = Once(self, self._undo)

    def own(self, action: str) -> str:
        """The id that an action has here."""
        return f"dispute_{action}"

    def between(self) -> list[Widget]:
        """What both said."""
        return [Static(id="statements", markup=False)]

    def begin(self) -> None:
        """Lay the dispute asked for, else the first that waits for this person."""
        self.set_focus(self.view)
        with self.asking():
            self._uids = self._store.disputes.uids(self.person)
            if self.wanted in self._uids:
                self._lay(self.wanted)
            else:
                self._next("")

    # -- showing

    def show(self) -> None:
        """Everything anew, after another dispute or another language."""
        page = self.desk.page
        self.show_box()
        if page is None:
            self.view.say(
                _("No dispute waits here.\nq goes back.")
                if not self._uids
                else _("Nothing waits for you here.\nq goes back.")
            )
        else:
            self.view.put(said(page.stored.dialogue, page.spans))
            # What poses the situation is at the end.
            self.view.call_after_refresh(self.view.scroll_end, animate=False)
        self.show_statements()
        self.show_answer()
        self.show_header()
        self.show_quiet()

    def show_statements(self) -> None:
        """What both said, as far as there is room."""
        width = max(self.app.size.width - 2, 20)
        more = _("… {key} shows all").format(key=self.key_of("dispute_both"))
        room = MOST if self.app.size.height < 32 else 2 * MOST
        # A long note leaves room for what the two said.
        lines = at_most([part for line in self.desk.asked() for part in fold(visible(line), width)], room // 3, more)
        lines += [part for line in self.desk.said() for part in fold(visible(line), width)]
        lines = at_most(lines, room, more)
        self.query_one("#statements", Static).update(Content("\n".join(lines)))

    def resized(self) -> None:
        """Fold anew."""
        if self.is_mounted and self.query("#statements"):
            self.show_statements()

    def show_header(self) -> None:
        """Project, person; dialogue, place, and when it was saved."""
        page = self.desk.page
        left = f"{self._store.path.name} · {self.person} · {_('disputes')}"
        right = ""
        if page is not None:
            left += f" · {page.stored.external_id}"
            right = _("{place} of {count}").format(place=page.place or "-", count=page.count)
        self.line("header").put(left, " · ".join(filter(None, (right, self.saved_words()))))

    def show_quiet(self) -> None:
        """What waits."""
        if self.said:
            return
        counts = self._store.disputes.counts(self.person)
        words = (
            [_("{n} {n:waits|wait} for your second word").format(n=counts.mine)]
            if counts.mine or not counts.lead
            else []
        )
        words += [_("{n} {n:waits|wait} for a ruling").format(n=counts.lead)] if counts.lead else []
        self.line("told").put(" · ".join(words))

    # -- what others do meanwhile

    def at_rest(self) -> bool:
        """Not with half a choice made, nor while saving fails."""
        return super().at_rest() and not (self.desk.pending or self.desk.seconding or self._unsaved)

    def catch_up(self) -> None:
        """A dispute where there was none; else what was said of the one in front, and how many wait."""
        page = self.desk.page
        if not self._save():
            return
        with self.asking():
            self._uids = self._store.disputes.uids(self.person)
            if page is None or not self._store.screening.closed(page.stored.uid):
                if page is not None or self._uids:
                    self.decided()
                    self._next("")
                return
            now = self._store.disputes.page(self.person, page.stored.uid)
            if now != replace(page, draft=now.draft):
                self.desk.lay(now)
                if (now.stored.dialogue, now.spans) != (page.stored.dialogue, page.spans):
                    self.show()
                    return
                self.show_box()
                self.show_statements()
                self.show_answer()
                self.show_header()
            self.show_quiet()

    # -- another one

    def _lay(self, uid: str | None) -> None:
        self.desk.lay(None if uid is None else self._store.disputes.page(self.person, uid))
        if uid is not None:
            self.stopwatch.begin(self._store.screening.spent(self.person, uid))
        self.show()

    def _next(self, after: str) -> None:
        """The next one in which this person has something to do, round the end of the list; else any."""
        uids = self._uids
        at = uids.index(after) + 1 if after in uids else 0
        for uid in [*uids[at:], *uids[:at]]:
            if uid != after and self._store.disputes.page(self.person, uid).may:
                self._lay(uid)
                return
        self._lay(after if after in uids else uids[0] if uids else None)

    def _go(self, find: Callable[[], None]) -> None:
        if self._save():
            self.keep_time()
            with self.asking():
                self._uids = self._store.disputes.uids(self.person)
                find()

    def action_step(self, direction: int) -> None:
        """The neighbour."""

        def find() -> None:
            uid = self.desk.uid
            at = self._uids.index(uid) + direction if uid in self._uids else 0
            if 0 <= at < len(self._uids):
                self._lay(self._uids[at])
            else:
                self.tell(_("This is the last one") if direction > 0 else _("This is the first one"))

        self._go(find)

    def action_waiting(self) -> None:
        """The next one that waits for this person."""
        self._go(lambda: self._next(self.desk.uid))

    # -- settling

    def locked_words(self) -> str:
        """Why nothing can be decided here."""
        return self.desk.state_words()

    def action_commit(self) -> None:
        """Decide anew, or rule; the next one comes when it is safely stored."""
        if not self.desk.uid or not self._may_decide() or not self._may_answer() or not self._save():
            return
        if missing := self.missing_words():
            self.tell(missing)
            return
        if not self.desk.rationale.strip():
            self.tell(_("Say why: {key} writes the reason").format(key=self.key_of("dispute_rationale")))
            return
        page, spent = self.desk.page, self.stopwatch.spent()
        assert page is not None
        if not self._try(lambda: self.desk.commit(spent)):
            return
        self.decided()
        self.leave_box()
        with self.asking():
            stage = self._store.dialogues.find(page.stored.uid).stage
            self._uids = self._store.disputes.uids(self.person)
            if self.wanted == page.stored.uid:
                self.post_message(Wanted("screening"))
                return
            self._next(page.stored.uid)
            words = SAID.get(stage.value)
            if words:
                self.tell(told(words).format(id=visible(page.stored.external_id, one_line=True)))

    def action_undo(self) -> None:
        """Take the last ruling back. A held key takes one back."""
        if not self.has_class("small"):
            self._undo_once.press()

    def _undo(self) -> None:
        def find() -> None:
            uid = self._store.disputes.take_back(self.person)
            if uid is None:
                self.tell(_("Nothing to take back: a second word stands; a ruling, its lead takes back"))
                return
            self._uids = self._store.disputes.uids(self.person)
            self._lay(uid)
            self.tell(_("Taken back: your ruling is a draft again"))

        self._go(find)

    # -- to read

    def action_both(self) -> None:
        """All that was said, whole."""
        if self.desk.page is not None:
            self.app.push_screen(Page(_("What was said"), visible("\n".join([*self.desk.asked(), *self.desk.said()]))))

    def action_home(self) -> None:
        """Back."""
        if self._save():
            self.keep_time()
            self.post_message(Wanted("screening" if self.wanted else "home"))
