"""The screening screen: one dialogue, one answer, one key after another."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message

from curation.errors import N_
from curation.work import Progress, Task
from curation.work.rounds import ROUNDS
from screens.ahead import Ahead
from screens.atitem import AtItem
from screens.desk import Desk, said
from screens.display import visible
from screens.held import Once
from screens.keys import PACE
from screens.locale import _, told
from screens.messages import Wanted
from screens.page import Choice, Page
from screens.widgets.dialogue import DialogueView

if TYPE_CHECKING:
    from db.project import Project
    from db.screening import Screening

FAR = 1 << 60  # behind the end of every list
AHEAD = 0.25  # seconds after a dialogue is shown until the next one is looked at

SKIP_WORDS = {
    "unclear": N_("the situation is not clear"),
    "unreadable": N_("cannot be read"),
    "later": N_("later"),
    "other": N_("another reason"),
}


class ScreeningScreen(AtItem):
    """Reads like this: dialogue above, situations and answer below it, then the rationale, then where one is."""

    NAME = "screening"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "screening.tcss"]

    desk: Desk

    class Counted(Message):
        """How far the person is, asked for with a ticket in a moment in which nobody waited."""

        def __init__(self, ticket: int, progress: Progress) -> None:
            super().__init__()
            self.ticket, self.progress = ticket, progress

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], *, pace: float = PACE
    ) -> None:
        super().__init__(project, person, keymap, pace=pace)
        self.desk = Desk(project, person)
        self.ahead = Ahead(project.path, person, lambda n, p: self.post_message(self.Counted(n, p)))
        self._ticket = 0
        self._progress: Progress | None = None
        self._undo_once = Once(self, self._undo)

    def begin(self) -> None:
        """Lay the task where the person left off."""
        self.set_focus(self.view)
        with self.asking():
            self._count()
            self._lay(self._store.screening.task(self.person))
            if self.desk.decided:
                self._lay(self._store.screening.next(self.person, self.desk.task.place if self.desk.task else 0))

    # -- showing

    def show(self) -> None:
        """Everything anew, after another task or another language."""
        task = self.desk.task
        self.show_box()
        if task is None:
            self.view.say(self._empty_words())
        else:
            self.show_dialogue()
            # Not while this one is being painted: the search would take the processor from it.
            self._ticket += 1
            self.set_timer(AHEAD, partial(self.ahead.ask, task.place, self._ticket))
        self.show_answer()
        self.show_header()
        self.show_quiet()

    def show_dialogue(self) -> None:
        """The dialogue in front, what may identify someone covered, but for what was asked to be seen."""
        task = self.desk.task
        if task is not None and task.aside and not task.stored.dialogue.messages:
            self.view.say(self.hidden_words())
        elif task is not None:
            self.view.put(said(task.stored.dialogue, [span for span in task.spans if span not in self.shown]))

    @on(Counted)
    def _counted(self, message: Counted) -> None:
        if message.ticket == self._ticket:
            self._progress = message.progress
            self.show_header()
            self.show_quiet()

    def on_unmount(self) -> None:
        """Nothing is looked at any more."""
        self.ahead.stop()

    def show_header(self) -> None:
        """Project, person and slot; number and when it was saved."""
        task = self.desk.task
        slot = f" ({task.slot})" if task else ""
        right = ""
        if task is not None and self._progress is not None:
            right = _("no. {place} of {assigned}").format(
                place=task.place, assigned=max(self._progress.assigned, task.place)
            )
        right = " · ".join(filter(None, (right, self.saved_words())))
        self.line("header").put(f"{self._store.path.name} · {self.person}{slot}", right)

    def show_quiet(self) -> None:
        """Where the person is in their list, with the denominator in words."""
        if self.said:
            return
        p = self._progress
        words = ""
        if p is not None:
            words = _("{decided} of {assigned} assigned to you done, {waiting} waiting for the other").format(
                decided=p.decided, assigned=p.assigned, waiting=p.waiting
            )
            if p.skipped:
                words += ", " + _("{skipped} put off").format(skipped=p.skipped)
        below = self.view.below
        self.line("told").put(
            words, _("{n} {n:line|lines} below ↓").format(n=below) if below and self.desk.task else ""
        )

    def _empty_words(self) -> str:
        if self._progress is None or not self._progress.assigned:
            words = _(
                "Nothing is assigned to you yet. The curator hands work out with\n"
                "    workbench assign {project} screening\n"
                "q goes back to the overview."
            ).format(project=self._store.path.name)
        else:
            words = _(
                "All {n} {n:dialogue|dialogues} assigned to you {n:is|are} decided. Thank you!\n"
                "p looks back, u undoes the last decision, q goes back to the overview."
            ).format(n=self._progress.assigned)
        if waiting := self._store.screening.second_words(self.person):
            words += "\n\n" + _("{key} – {n} {n:dispute waits|disputes wait} for your second word").format(
                key=self.key_of("disputes"), n=waiting
            )
        if kind := self._store.rounds.waiting(self.person):
            words += "\n\n" + _("q, then Enter – a round waits for you: {round}").format(round=told(ROUNDS[kind]))
        return words

    @on(DialogueView.Moved)
    def _moved(self) -> None:
        self.show_quiet()

    # -- what others do meanwhile

    def at_rest(self) -> bool:
        """Not with half a choice made, nor while saving fails."""
        return super().at_rest() and not (self.desk.pending or self.desk.seconding or self._unsaved)

    def catch_up(self) -> None:
        """New work where there was none; else what became of the dialogue in front: closed, hidden, opened, handed on."""
        task = self.desk.task
        if task is None:
            self._count()
            super().catch_up()
            return
        if not self._save() or self._overtaken():
            return
        with self.asking():
            self._ticket += 1
            self.ahead.ask(task.place, self._ticket)
            now = self._store.screening.task(self.person, task.place)
            if now is None or now.stored.uid != task.stored.uid:
                self.decided()
                self.go_on()
                self.tell(_("The dialogue that was here is with someone else now"))
            elif now != replace(task, draft=now.draft):
                self._lay_again(task, now)

    def show_again(self) -> None:
        """What there is to do elsewhere, for someone who has nothing left here."""
        self.show()

    def _lay_again(self, before: Task, now: Task, *, laid: bool = False) -> None:
        """The same dialogue, of which something else is known; it is painted anew only where it reads differently."""
        if not laid:
            self.desk.lay(now)
        if (before.stored.dialogue, before.spans, before.aside) != (now.stored.dialogue, now.spans, now.aside):
            self.show()
        else:
            self.show_box()
            self.show_answer()
            self.show_header()

    # -- another task

    @property
    def tasks(self) -> Screening:
        return self._store.screening

    @property
    def here(self) -> Task | None:
        return self.desk.task

    @property
    def behind(self) -> int:
        return FAR

    def _overtaken(self) -> bool:
        """Whether the dialogue in front was decided elsewhere under this name; says so, and keeps what was typed."""
        before = self.desk.task
        found = False
        with self.asking():
            found = self.desk.overtaken()
        if not found or before is None or self.desk.task is None:
            return found
        self.leave_box()
        self._count()
        self._lay_again(before, self.desk.task, laid=True)
        if not self.desk.left_out:
            self.tell(_("Decided elsewhere under your name meanwhile"), loud=True)
        elif self.desk.task.open:
            words = _("Decided elsewhere under your name. Your words are kept: {reopen} decides anew")
            self.tell(words.format(reopen=self.key_of("reopen")), loud=True)
        else:
            self.tell(_("Decided elsewhere under your name, closed by both. Your words stay here"), loud=True)
        return True

    def action_leave_text(self) -> None:
        """Out of the box; where it was decided elsewhere meanwhile that is said."""
        super().action_leave_text()
        if not self._unsaved:
            self._overtaken()

    def flush(self) -> None:
        """Save all; words typed on what was decided elsewhere meanwhile are kept too."""
        super().flush()
        if not self._unsaved:
            self._overtaken()

    def leaving(self) -> bool:
        if not self._save() or self._overtaken():
            return False
        self.keep_time()
        return True

    def _lay(self, task: Task | None) -> None:
        self.desk.lay(task)
        self._begin_watch()
        self.show()

    def go_on(self) -> None:
        """The next dialogue that is not decided."""
        self._count()
        super().go_on()

    def _begin_watch(self) -> None:
        self.shown = set()
        if self.desk.uid:
            self.stopwatch.begin(self._store.screening.spent(self.person, self.desk.uid))

    def _count(self) -> None:
        self._progress = self._store.screening.progress(self.person)

    def action_commit(self) -> None:
        """Give the answer; the next one comes only when it is safely stored."""
        if self.desk.task is None or not self._may_decide() or not self._may_answer() or not self._save():
            return
        if self._overtaken():
            return
        uid, slot, spent = self.desk.uid, self.desk.task.slot, self.stopwatch.spent()
        if missing := self.missing_words():
            self.tell(missing)
        elif self._try(lambda: self.desk.commit(spent)):
            self.decided()
            self._moved_on(uid)
            self._settle()
            if slot == "B" and self._store.settings.screening_mode == "review":
                self._review(uid)

    def _moved_on(self, uid: str) -> None:
        """One more is decided. Counting all anew waits for a moment in which nobody waits."""
        if self._progress is not None:
            p, other = self._progress, self._store.screening.closed(uid)
            self._progress = replace(p, decided=p.decided + 1, waiting=p.waiting + (not other))

    def _review(self, uid: str) -> None:
        """In review mode the second of the two sees at once where the first says something else."""
        if uid in self._store.disputes.uids(self.person):
            self.post_message(Wanted("dispute", dialogue=uid))

    def _settle(self) -> None:
        """After a decision: the next dialogue, ready to be read."""
        self.leave_box()
        self._begin_watch()
        self.show()

    def locked_words(self) -> str:
        """Why no answer can be made here."""
        task = self.desk.task
        if task is not None and task.aside:
            return self.desk.state_words()
        return _("Decided already: {reopen} decides it anew, {next} goes on").format(
            reopen=self.key_of("reopen"), next=self.key_of("undecided")
        )

    def action_undo(self) -> None:
        """The last decision or skip, wherever it was. A held key undoes one."""
        if not self.has_class("small"):
            self._undo_once.press()

    def _undo(self) -> None:
        if not self._save() or self._overtaken():
            return
        with self.asking():
            task = self._store.screening.undo(self.person)
            if task is None:
                self.tell(_("Nothing to undo: what both have decided is closed"))
                return
            self._count()
            self._lay(task)
            self.tell(_("Taken back: no. {place}. The answer is as it was, not committed.").format(place=task.place))

    def action_reopen(self) -> None:
        """Decide this one anew."""
        task = self.desk.task
        if task is None or self.has_class("small"):
            return
        if not self.desk.decided:
            self.tell(_("This one is not decided yet"))
            return
        with self.asking():
            self._store.screening.take_back(self.person, task.stored.uid)
            self._count()
            self._lay(self._store.screening.task(self.person, task.place))

    def action_skip(self) -> None:
        """Put it off, with a reason."""
        if self.desk.task is None or not self._may_answer() or not self._may_decide():
            return
        options = [(name, told(words)) for name, words in SKIP_WORDS.items()]
        self.app.push_screen(Choice(_("Why put it off? It comes back at the end."), options), self._skipped)

    def _skipped(self, reason: str | None) -> None:
        task = self.desk.task
        if reason is None or task is None or not self._save() or self._overtaken():
            return
        screening = self._store.screening
        if self._try(lambda: screening.skip(self.person, task.stored.uid, reason)):
            self.decided()
            self._go(lambda: screening.next(self.person, task.place))
            self._count()
            self.show_quiet()

    # -- getting about

    def action_undecided(self) -> None:
        """The next one not decided."""
        self.go_on()

    def action_both(self) -> None:
        """Both answers with their reasons."""
        words = self.desk.both()
        if words:
            self.app.push_screen(Page(_("Both answers"), visible(words)))
        else:
            self.tell(_("The other's answer is shown once both have committed"))

    def action_disputes(self) -> None:
        """To the disputes."""
        if self._save() and not self._overtaken():
            self.post_message(Wanted("dispute"))

    def action_home(self) -> None:
        """Back to the overview."""
        if self._save() and not self._overtaken():
            self.post_message(Wanted("home"))
