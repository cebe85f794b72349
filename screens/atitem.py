"""Keys at the item that are no answer: sides turned round, a dialect one cannot read, what goes to the lead, a look at what
is masked."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from curation.errors import N_
from curation.work import Task
from curation.work.screening import HIDING
from screens.answering import AnsweringScreen
from screens.desk import Desk, Span
from screens.locale import _, told
from screens.onlist import OnList

TITLES = {
    "minor": N_("A minor may be speaking: to the lead?"),
    "distressing": N_("Distressing: to the lead?"),
    "guideline": N_("The guideline is unclear here: tell the lead?"),
    "swapped": N_("Are the sides swapped?"),
    "handed_back": N_("You cannot read this dialect?"),
}
TEXTS = {
    "minor": N_("The dialogue is hidden from both of you at once, and the lead decides. Your counts do not suffer."),
    "distressing": N_(
        "The dialogue is hidden from both of you at once, and the lead decides. Your counts do not suffer."
    ),
    "guideline": N_("The dialogue stays on your desk; what you write reaches the lead."),
    "swapped": N_(
        "From now on “me” is the other speaker, for both of you. The rules for candidates run again; what was decided"
        " is kept and counts no more. The text itself is not changed, and u takes it back."
    ),
    "handed_back": N_(
        "The dialogue goes to people who read it, and does not come back to you. Your counts do not suffer."
    ),
}


class AtItem(AnsweringScreen, OnList[Task]):
    """What the screening screen can do with the dialogue in front, besides answering."""

    desk: Desk

    def hidden_words(self) -> str:
        """What stands in place of a dialogue that is hidden."""
        words = self.desk.state_words()
        return f"{words}\n\n" + _("{next} goes on to the next one, {undo} takes your own last step back.").format(
            next=self.key_of("undecided"), undo=self.key_of("undo")
        )

    def _asked(self, kind: str, do: Callable[[str], None], *, needed: bool = False) -> None:
        """Ask for a word of why, kept at every key, then do it."""
        from screens.noting import Note

        task = self.desk.task
        if task is None or self.has_class("small") or not self.pace.may_answer() or not self._may_decide():
            return
        if task.aside:
            self.tell(self.locked_words())
            return
        if not self._save():
            return
        raising, uid = self._store.raising, task.stored.uid

        def keep(text: str) -> None:
            with self.asking():
                raising.save_note(self.person, uid, kind, text)

        with self.asking():
            written = raising.note(self.person, uid, kind)
            window = Note(told(TITLES[kind]), told(TEXTS[kind]), written, keep, pace=self.seconds, needed=needed)
            self.app.push_screen(window, lambda note: self._noted(note, uid, do, kind))

    def _noted(self, note: str | None, uid: str, do: Callable[[str], None], kind: str) -> None:
        if self.desk.uid != uid:
            return
        if note is None or not self._try(lambda: do(note)):
            self.show()
            return
        self.decided()
        if kind == "guideline":
            self.tell(_("The lead will see it"))
        else:
            self.go_on()

    def action_raise(self, kind: str) -> None:
        """Put the dialogue before the lead; what harms is hidden at once."""
        uid = self.desk.uid
        raising = self._store.raising
        self._asked(kind, lambda note: raising.put(self.person, uid, kind, note), needed=kind not in HIDING)
        if kind in HIDING and self.app.screen is not self:
            self.view.say(_("Hidden."))

    def action_swap(self) -> None:
        """The sides are the wrong way round."""
        task = self.desk.task
        uid = self.desk.uid
        if task is not None and task.other is not None:
            self.tell(_("Both have committed: the lead turns it round"))
            return
        self._asked("swapped", lambda note: self._swap(uid, note))

    def _swap(self, uid: str, note: str) -> None:
        self._store.raising.swap(self.person, uid, note)

    def action_hand_back(self) -> None:
        """A dialect one cannot read: which, if that can be told."""
        from screens.pick import dialect_choice

        task = self.desk.task
        if task is None or not self._may_answer():
            return

        def chosen(dialect: str | None) -> None:
            if dialect is not None:
                uid = task.stored.uid
                reads = "" if dialect == "mandarin" else dialect
                self._asked("handed_back", lambda note: self._store.raising.hand_back(self.person, uid, reads, note))

        self.app.push_screen(dialect_choice(_("Which dialect? (Mandarin: it cannot be told)"), ""), chosen)

    def action_reveal(self) -> None:
        """Look at something masked; who looks is logged."""
        from screens.menu import Menu

        task = self.desk.task
        if task is None or task.aside:
            return
        spans = [span for span in task.spans if span not in self.shown]
        if not spans:
            self.tell(_("Nothing is masked here"))
        elif len(spans) == 1:
            self._reveal(spans[0])
        else:
            options = [(str(n), self._where(task, span)) for n, span in enumerate(spans)]

            def chosen(n: str | None) -> None:
                if n is not None:
                    self._reveal(spans[int(n)])

            self.app.push_screen(Menu(_("Which one? Who looks at it is logged"), options), chosen)

    @staticmethod
    def _where(task: Task, span: Span) -> str:
        from screens.reviewwords import type_name

        turn = next((turn.number for turn in task.stored.dialogue.turns if span[0] in turn.messages), 0)
        same = [s for s in task.spans if s[0] == span[0]]
        place = f" ({same.index(span) + 1})" if len(same) > 1 else ""
        return _("turn {n}: {kind}").format(n=turn, kind=type_name(span[3])) + place

    def _reveal(self, span: Span) -> None:
        with self.asking():
            self._store.reviews.reveal(self.person, self.desk.uid, *span[:3])
            self.shown.add(span)
            seen = self.view.scroll_offset.y
            self.show_dialogue()
            self.view.scroll_to(y=seen, animate=False, immediate=True)
            self.tell(_("Shown until you leave this dialogue, and logged"))

    @abstractmethod
    def show_dialogue(self) -> None:
        """The dialogue in front."""
