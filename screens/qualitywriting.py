"""Writing on the quality screen: a message anew, with a reason; a note that sends the dialogue back; signing."""

from __future__ import annotations

from textual import on
from textual.widgets import TextArea

from curation.errors import RefusedStep
from curation.rewriting import REASONS, rejoined
from screens.locale import _, told, told_error
from screens.page import Choice
from screens.qualitycut import Cutting
from screens.reopening import APPROVED
from screens.widgets.rationale import into_box, out_of_box

NOTE = -2  # the message under which the draft of a note is kept


class Writing(Cutting):
    """The box holds a copy. What a person changed in it is told from the text as spans; the rest never comes from the box."""

    _writing = 0  # 0: nobody writes; NOTE; else the message, from 1

    def action_write(self) -> None:
        """Rewrite the message in front."""
        if self.in_front() and self.message is not None:
            self.changing(self._write)

    def _write(self) -> None:
        message = self.message
        assert message is not None
        if not self.cut.keeps(message.turn):
            self.tell(_("This message is cut away; there is nothing to rewrite"))
            return
        if not message.now:
            self.tell(_("This message is empty"))
            return
        self._writing = message.index + 1
        self._open(message.now if message.draft is None else message.draft)
        self.look.raw = False
        self._follow()
        if message.draft is not None:
            self.tell(_("Your half-written text is back"))

    def action_send_back(self) -> None:
        """Back to screening: the situation no longer holds. A note says why."""
        if self.in_front() and self.page is not None:
            self.changing(self._begin_note)

    def _begin_note(self) -> None:
        assert self.page is not None
        self._writing = NOTE
        drafts = self.store.rewriting.drafts(self.person, self.page.stored.uid)
        self._open(drafts.get(NOTE, ("", ""))[0])
        self.tell(_("Why does the situation no longer hold? {commit} sends it back, Esc leaves").format(
            commit=self.key("commit")
        ))  # fmt: skip

    def _open(self, text: str) -> None:
        self.add_class("writing")
        self.box.load_text(into_box(text))
        self.box.move_cursor(self.box.document.end)
        self.set_focus(self.box)
        self.show_keys(in_text=True)

    def _written(self) -> str:
        """The text that is meant: the one that stood there with what the person changed in the box."""
        message = self.message
        if self._writing == NOTE or message is None:
            return self.box.written
        return rejoined(message.now, into_box(message.now), self.box.text, out_of_box)

    @on(TextArea.Changed)
    def _typed(self) -> None:
        if self._writing and self.page is not None:
            self._save_draft()
            if self._writing != NOTE:
                self._follow()

    def _follow(self) -> None:
        self.look.writing = self._written()
        self.moved()

    def _save_draft(self) -> None:
        if not self._writing or self.page is None:
            return
        uid, text = self.page.stored.uid, self._written()
        at = NOTE if self._writing == NOTE else self._writing - 1
        began = "" if at == NOTE else self.page.messages[at].now
        self.tried(lambda: self.store.rewriting.save_draft(self.person, uid, at, text, began))
        self.show_header()

    def flush(self) -> None:
        """Keep what is in the box."""
        self._save_draft()

    def action_leave_text(self) -> None:
        """Out of the box; what is in it is kept."""
        self._save_draft()
        self._close()
        self.again()

    def _close(self) -> None:
        self._writing = 0
        self.look.writing = None
        self.remove_class("writing")
        self.set_focus(self.view)
        self.show_keys()

    def action_commit_text(self) -> None:
        """What is in the box counts: a note at once, a rewriting with a reason."""
        if self.page is None or not self._writing:
            return
        self._save_draft()
        if self._writing == NOTE:
            self.changing(self._send_back)
            return
        message = self.message
        if message is None or self._written() == message.now:
            self._close()
            self.again()
            self.tell(_("Nothing was changed"))
            return
        self.changing(self._ask_reason)

    def _ask_reason(self) -> None:
        options = [(code, told(words)) for code, words in REASONS.items()]
        self.app.push_screen(Choice(_("Why is it rewritten?"), options), self._reason_chosen)

    def _reason_chosen(self, reason: str | None) -> None:
        if reason and self._writing > 0:
            self._rewrite(reason, allow=False)

    def _rewrite(self, reason: str, *, allow: bool) -> None:
        message = self.message
        if self.page is None or message is None:
            return
        uid, text, now = self.page.stored.uid, self._written(), message.now

        stored, meanwhile = self.now(), self.page.stored.stage not in APPROVED

        def step() -> None:
            self.store.rewriting.rewrite(uid, self.person, message.index, text, reason, began=now, allow=allow)

        try:
            step()
        except RefusedStep as error:
            if error.code == "doubtful_identifier":
                options = [("yes", _("it is none: keep it, a second person signs it")), ("", _("write on"))]
                self.app.push_screen(
                    Choice(told_error(error), options),
                    lambda answer: self._rewrite(reason, allow=True) if answer else None,
                )
            else:
                self.fail(error)
            return
        self._close()
        words = _("Rewritten. {undo} undoes.").format(undo=self.key("undo"))
        before = stored.stage if stored is not None else None
        self.do(lambda: None, words, before)
        now_there = self.message
        if now_there is not None and now_there.unsigned:
            words = _("Rewritten, and more than the project lets pass: another curator has to sign it")
            if before in APPROVED:
                words += ". " + self.opened_words(meanwhile=meanwhile)
            self.tell(words)

    def _send_back(self) -> None:
        assert self.page is not None
        uid, note = self.page.stored.uid, self.box.written
        if not note.strip():
            self.tell(_("Say why: what does not hold any more"))
            return
        if self.tried(lambda: self.store.rewriting.send_back(uid, self.person, note)):
            self.store.rewriting.drop_draft(self.person, uid, NOTE)
            self._close()
            self.go_on(_("Sent back to screening: the two or the lead decide anew. {undo} undoes.").format(
                undo=self.key("undo")
            ))  # fmt: skip

    def go_on(self, words: str) -> None:
        """To the next agreed dialogue, after this one is done with."""
        assert self.page is not None
        control, uid = self.store.control, self.page.stored.uid
        with self.asking():
            self.lay(control.step(uid, 1) or control.step(uid, -1))
        self.tell(words)

    # -- what was written before

    def action_take_back(self) -> None:
        """Take a rewriting of the message in front back: the only one at once, one of several after a question."""
        if not self.in_front() or (message := self.message) is None:
            return
        if not message.rewritings:
            self.tell(_("This message was not rewritten"))
        elif len(message.rewritings) == 1:
            self.changing(lambda: self._take_back(message.rewritings[0].ref))
        else:
            options = [
                (one.ref, f"{told(REASONS.get(one.reason, one.reason))} · {one.person} · {one.at[:16]}")
                for one in reversed(message.rewritings)
            ]
            self.app.push_screen(
                Choice(_("Which of them is taken back? What was made on it is open again"), options),
                lambda ref: self.changing(lambda: self._take_back(str(ref))) if ref else None,
            )

    def _take_back(self, ref: str) -> None:
        self.do(lambda: self.store.history.undo(ref, self.person), _("Taken back: the text reads as before here."))

    def action_sign(self) -> None:
        """Stand by what another person rewrote."""
        if not self.in_front() or self.page is None or (message := self.message) is None:
            return
        uid = self.page.stored.uid
        self.do(
            lambda: self.store.rewriting.sign(uid, self.person, message.index),
            _("Signed. {undo} undoes.").format(undo=self.key("undo")),
        )

    def action_raw(self) -> None:
        """The raw text, or the text as it stands."""
        if self.page is not None and self.page.stored.purged:
            self.tell(_("Its originals were destroyed: the approved text stays as it is"))
            return
        self.look.raw = not self.look.raw
        self.moved()
