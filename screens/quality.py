"""The quality screen: one dialogue after another to its approval, through whatever is open on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.checks import Part, part_of
from curation.errors import N_
from curation.stages import Stage
from screens.held import Once
from screens.locale import _, told
from screens.messages import Wanted
from screens.qualitywords import first, matter
from screens.qualitywriting import Writing

if TYPE_CHECKING:
    from db.project import Project

# What the undo key of this screen takes back.
STEPS = ("normalised", "trimmed", "edited", "edit_signed", "approved", "sent_back")
UNDONE = {
    "normalised": N_("Undone: normalised as before"),
    "trimmed": N_("Undone: the cut is what it was before"),
    "edited": N_("Undone: the text reads as before"),
    "edit_signed": N_("Undone: it is signed no more"),
    "approved": N_("Undone: it is approved no more"),
    "sent_back": N_("Undone: it is agreed again"),
}


class QualityScreen(Writing):
    """Reads like this: what is open, the messages, the one in front, then turns and characters, before and after."""

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], dialogue: str | None = None
    ) -> None:
        super().__init__(project, person, keymap, dialogue)
        self._undo_key = Once(self, self._undo)
        self._enter_key = Once(self, self._onward)
        self._approve_key = Once(self, self._approve)

    # -- from matter to matter

    def action_onward(self) -> None:
        """Decide the cut in the making; else go where something is open. A held key does it once."""
        if self.in_front():
            self._enter_key.press()

    def _onward(self) -> None:
        page = self.page
        if page is None:
            return
        if self.draft is not None:
            self.decide_cut()
        elif page.matters is None:
            self.tell(_("Still looking what is open"))
        elif not page.matters:
            done = page.stored.stage is not Stage.AGREED
            self.tell(
                _("It is approved; {next} goes on").format(next=self.key("forward"))
                if done
                else _("Nothing is open: {key} approves").format(key=self.key("approve"))
            )
        else:
            self._to(first(page.matters))

    def _to(self, code: str) -> None:
        """Where a reason can be dealt with."""
        assert self.page is not None
        part = part_of(code)
        if part is Part.IDENTIFIERS or code == "identifiers_left":
            self.action_identifiers()
        elif code == "conflicting_edits":
            # What normalising made on a text that has changed since is made anew, here and now.
            uid = self.page.stored.uid
            words = _("Normalised anew: {key} shows what that changed. {undo} undoes.").format(
                key=self.key("text"), undo=self.key("undo")
            )
            self.changing(lambda: self.done(self.do(lambda: self.store.quality.normalise(self.person, uid), words)))
        elif part is Part.TEXT:
            self.action_text()
        elif code in ("unsigned_rewriting", "new_identifiers", "conflicting_rewriting"):
            odd = [m.index for m in self.page.messages if m.unsigned or m.misfits]
            later = [n for n in odd if n > self.look.cursor]
            if odd:
                self.look.cursor = later[0] if later else odd[0]
                self.moved()
            self.tell(matter(code))
        elif code == "approved_twice":
            self.tell(f"{matter(code)}: {self.store.control.twin(self.page.stored.uid)}")
        else:
            self.tell(matter(code))

    def action_identifiers(self) -> None:
        """To the review of its identifiers."""
        self._elsewhere("review")

    def action_text(self) -> None:
        """To its text."""
        self._elsewhere("text")

    def _elsewhere(self, name: str) -> None:
        if self.page is not None:
            self.flush()
            self.post_message(Wanted(name, dialogue=self.page.stored.uid))

    # -- approving

    def action_approve(self) -> None:
        """Approve, if nothing is open. A held key approves one."""
        if self.in_front():
            self._approve_key.press()

    def _approve(self) -> None:
        page = self.page
        if page is None:
            return
        if page.stored.stage in (Stage.APPROVED, Stage.RELEASED):
            self.tell(_("It is approved; {next} goes on").format(next=self.key("forward")))
            return
        if self.draft is not None:
            self.tell(
                _("A cut is not decided yet: {enter} decides it, {forget} forgets it").format(
                    enter=self.key("next_matter"), forget=self.key("forget")
                )
            )
            return
        half = next((m.index for m in page.messages if m.draft is not None), None)
        if half is not None:
            self.look.cursor = half
            self.moved()
            self.tell(_("A message is half written: {key} goes on with it").format(key=self.key("edit")))
            return
        uid = page.stored.uid
        with self.asking():
            report = self.store.quality.approve(self.person, [uid])
            if report.open:
                self.again()
                code = first(tuple(report.open))
                self.tell(_("Not yet: {why}").format(why=matter(code)), loud=True)
            else:
                self.go_on(_("Approved. {undo} undoes.").format(undo=self.key("undo")))

    # -- undo

    def action_undo(self) -> None:
        """The last step, wherever it was. A held key undoes one."""
        if not self.has_class("small"):
            self._undo_key.press()

    def _undo(self) -> None:
        with self.asking():
            found = self.store.history.undo_last(self.person, STEPS)
            if found is None:
                self.tell(_("Nothing to undo: you cut, rewrote, signed and approved nothing"))
                return
            kind, uid = found
            if uid and (self.page is None or self.page.stored.uid != uid):
                self.lay(uid)
            else:
                self.again()
            self.tell(told(UNDONE[kind]))

    # -- getting about

    def action_step(self, direction: int) -> None:
        """The next agreed dialogue, or the one before."""
        if self.has_class("small"):
            return
        with self.asking():
            control = self.store.control
            uid = control.step(self.page.stored.uid, direction) if self.page is not None else control.first()
            if uid is not None:
                self.lay(uid)
            elif self.page is not None:
                self.tell(_("This is the last one") if direction > 0 else _("This is the first one"))

    def action_list(self) -> None:
        """The list of all."""
        self.post_message(Wanted("qualitylist", dialogue=self.page.stored.uid if self.page is not None else None))

    def action_home(self) -> None:
        """Back to the overview."""
        self.post_message(Wanted("home"))
