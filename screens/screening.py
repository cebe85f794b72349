"""The screening screen: one dialogue, one answer, one key after another."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import TextArea

from curation.errors import N_, WorkbenchError
from curation.taxonomy import taxonomy
from curation.work import Progress, Task
from screens.ahead import Ahead
from screens.base import WorkScreen
from screens.desk import Desk, said
from screens.display import visible
from screens.held import Once
from screens.help import guideline_words
from screens.keynames import shown
from screens.keys import NOT_PAINTED, PACE, Pace
from screens.locale import _, told
from screens.messages import Wanted
from screens.page import Choice, Number, Page
from screens.widgets.dialogue import DialogueView
from screens.widgets.rationale import Rationale
from screens.widgets.situations import Situations

if TYPE_CHECKING:
    from db.project import Project

SLOW_SAVE = 0.008  # seconds; a store slower than this is not asked at every key
DEBOUNCE = 0.2
AHEAD = 0.25  # seconds after a dialogue is shown until the next one is looked at

SKIP_WORDS = {
    "unclear": N_("the situation is not clear"),
    "unreadable": N_("cannot be read"),
    "later": N_("later"),
    "other": N_("another reason"),
}


class ScreeningScreen(WorkScreen):
    """Reads like this: dialogue above, situations and answer below it, then the rationale, then where one is."""

    NAME = "screening"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "screening.tcss"]

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], *, pace: float = PACE
    ) -> None:
        super().__init__(project, person, keymap)
        self.desk = Desk(project, person)
        self.ahead = Ahead(project.path, person)
        self.pace = Pace(pace)
        self._progress: Progress | None = None
        self._saved_at = ""
        self._unsaved = False
        self._save_took = 0.0
        self._timer: Timer | None = None
        self._undo_once = Once(self, self._undo)

    # -- the parts

    def body(self) -> list[Widget]:
        """Dialogue, situations, answer, rationale."""
        from screens.widgets.line import Line

        rationale = Rationale("rationale")
        rationale._bindings = rationale._bindings.merge([self.in_text(), rationale._bindings])
        return [
            DialogueView("dialogue"),
            Situations("situations"),
            Line("answer", spare_right=True),
            rationale,
        ]

    @property
    def view(self) -> DialogueView:
        """The dialogue."""
        return self.query_one("#dialogue", DialogueView)

    @property
    def box(self) -> Rationale:
        """The rationale."""
        return self.query_one("#rationale", Rationale)

    def begin(self) -> None:
        """Lay the task where the person left off."""
        self.set_focus(self.view)
        with self._asking():
            self._count()
            self._lay(self._store.screening.task(self.person))
            if self.desk.decided:
                self._lay(self._store.screening.next(self.person, self.desk.task.place if self.desk.task else 0))

    @property
    def _store(self) -> Project:
        assert self.project is not None
        return self.project

    # -- showing

    def show(self) -> None:
        """Everything anew, after another task or another language."""
        task = self.desk.task
        box = self.box
        box.placeholder = _("rationale: press {key} to write").format(key=self._key("rationale"))
        box.read_only = task is None or self.desk.decided
        box.put(self.desk.rationale)
        if task is None:
            self.view.say(self._empty_words())
        else:
            self.view.put(said(task))
            # Not while this one is being painted: the search would take the processor from it.
            self.set_timer(AHEAD, partial(self.ahead.ask, task.place))
        self.show_answer()
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
            right = _("no. {place} of {assigned}").format(place=task.place, assigned=self._progress.assigned)
        if self._unsaved:
            right += " · " + _("NOT SAVED")
        elif self._saved_at:
            right += " · " + _("saved {time}").format(time=self._saved_at)
        self.line("header").put(f"{self._store.path.name} · {self.person}{slot}", right)

    def show_answer(self) -> None:
        """The answer in words, and the situation marked."""
        self.query_one("#situations", Situations).put(self.desk.situation, self.desk.pending)
        writing = self.box.has_focus
        state = _("writing – Esc leaves the box") if writing else self.desk.state_words()
        if self.desk.pending:
            state = _("family {n}: now its place").format(n=self.desk.pending)
        elif not state and self.desk.task is not None and not self.desk.situation:
            state = _("situation: two digits or a letter; {key} explains").format(key=self._key("guideline"))
        self.line("answer").put(self.desk.words(), state)

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
        self.line("told").put(words, _("{n} lines below ↓").format(n=below) if below and self.desk.task else "")

    def _empty_words(self) -> str:
        if self._progress is None or not self._progress.assigned:
            return _(
                "Nothing is assigned to you yet. The curator hands work out with\n"
                "    workbench assign {project} screening\n"
                "q goes back to the overview."
            ).format(project=self._store.path.name)
        return _(
            "All {n} dialogues assigned to you are decided. Thank you!\n"
            "p looks back, u undoes the last decision, q goes back to the overview."
        ).format(n=self._progress.assigned)

    def _key(self, action: str) -> str:
        return next((shown(k) for a in self.actions if a.id == action for k in a.keys[:1]), "")

    @on(DialogueView.Moved)
    def _moved(self) -> None:
        self.show_quiet()

    # -- saving

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Ask the store; what it refuses is shown, and the answer stays where it is."""
        try:
            yield
        except WorkbenchError as error:
            self.fail(error)

    def _try(self, save: Callable[[], object]) -> bool:
        """Save something; a failure is loud, and everything stays on the screen. Returns whether it went well."""
        began = time.monotonic()
        try:
            changed = save()
        except Exception as error:
            # Whatever the store's trouble is – a full disk, a file gone – the person's words must not go with it.
            self._unsaved = True
            self.show_header()
            if isinstance(error, WorkbenchError):
                self.fail(error)
            else:
                self.fail(
                    WorkbenchError(
                        N_("the project file could not be written ({kind}); nothing on the screen is lost, try again"),
                        kind=type(error).__name__,
                    )
                )
            return False
        self._save_took = time.monotonic() - began
        if changed is not False:
            self._unsaved = False
            self._saved_at = datetime.now(UTC).astimezone().strftime("%H:%M:%S")
        return True

    def flush(self) -> None:
        """Save the answer as far as it is made, now."""
        self._save()

    def _save(self) -> bool:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if not self.desk.decided:
            self.desk.rationale = self.box.written
        saved = self._try(self.desk.save)
        self.show_header()
        return saved

    @on(TextArea.Changed)
    def _typed(self) -> None:
        if self.desk.task is None or self.desk.decided:
            return
        self.desk.rationale = self.box.written
        if self._save_took < SLOW_SAVE and not self._unsaved:
            self._save()
        elif self._timer is None:
            self._timer = self.set_timer(DEBOUNCE, self._save)

    # -- another task

    def _lay(self, task: Task | None) -> None:
        self.desk.lay(task)
        self.show()

    def _go(self, find: Callable[[], Task | None], otherwise: str = "") -> None:
        """Save, then lay the task that `find` gives; when it gives none, say `otherwise` and stay."""
        if not self._save():
            return
        with self._asking():
            self._count()
            task = find()
            if task is None and otherwise:
                self.tell(otherwise)
            else:
                self._lay(task)

    def _count(self) -> None:
        self._progress = self._store.screening.progress(self.person)

    def pressed(self, key: str) -> None:
        """A key came in: what was told has been seen, and a key that does not decide lets the next one decide."""
        super().pressed(key)
        if key not in self._deciding:
            self.pace.touched()

    @property
    def _deciding(self) -> set[str]:
        return {key for a in self.actions if a.id in ("commit", "commit_text") for key in a.keys}

    # -- answering

    def _may_answer(self) -> bool:
        if self.desk.task is None or self.has_class("small"):
            return False
        if not self.pace.may_answer():
            self.tell(told(NOT_PAINTED))
            return False
        if self.desk.decided:
            self.tell(
                _("Decided already: {reopen} decides it anew, {next} goes on").format(
                    reopen=self._key("reopen"), next=self._key("undecided")
                )
            )
            return False
        return True

    def _may_decide(self) -> bool:
        if self.has_class("small"):
            return False
        refusal = self.pace.refusal()
        if refusal:
            self.tell(told(refusal))
        return not refusal

    def _answered(self) -> None:
        self.show_answer()
        self._save()

    def action_keep(self) -> None:
        """Keep it."""
        if self._may_answer():
            self.desk.keep = True
            self._answered()

    def action_drop(self) -> None:
        """Drop it."""
        if self._may_answer():
            self.desk.keep = False
            self._answered()

    def action_situation(self, situation: str) -> None:
        """It is that situation."""
        if self._may_answer():
            self.desk.choose(situation)
            self._answered()

    def action_digit(self, digit: int) -> None:
        """The family, or the place in it."""
        if not self._may_answer():
            return
        if not self.desk.pending:
            if digit > len(taxonomy().families):
                self.tell(_("There are families 1 to {n}").format(n=len(taxonomy().families)))
                return
            self.desk.pending = digit
            self.show_answer()
            return
        found = taxonomy().by_digits(self.desk.pending, digit)
        if found is None:
            self.tell(_("There is no place {digit} in that family").format(digit=digit))
            return
        self.desk.choose(found.id)
        self._answered()

    def action_clear(self) -> None:
        """Take the half-made choice back, else the situation."""
        if self._may_answer():
            if self.desk.pending:
                self.desk.pending = 0
            else:
                self.desk.situation = ""
            self._answered()

    def action_half(self) -> None:
        """Take the first of two digits back."""
        self.desk.pending = 0
        self.show_answer()

    def action_rationale(self) -> None:
        """Into the box."""
        if self._may_answer():
            self.set_focus(self.box)
            self.call_after_refresh(self._focus_changed)

    def action_leave_text(self) -> None:
        """Out of the box."""
        self._save()
        self.set_focus(self.view)
        self.call_after_refresh(self._focus_changed)

    def _focus_changed(self) -> None:
        self.show_answer()
        self.line("keys").put(self.key_words(in_text=self.box.has_focus))

    def action_commit(self) -> None:
        """Give the answer; the next one comes only when it is safely stored."""
        if self.desk.task is None or not self._may_decide() or not self._may_answer() or not self._save():
            return
        missing = self.desk.missing()
        if missing == "keep":
            self.tell(_("Say first: {keep} keep or {drop} drop").format(keep=self._key("keep"), drop=self._key("drop")))
        elif missing:
            self.tell(_("A dialogue that is kept needs a situation: two digits or a letter"))
        elif self._try(self.desk.commit):
            self._decided()
            self._settle()

    def _decided(self) -> None:
        # Keys pressed before the next dialogue can be read were not meant for it.
        self.pace.decided()
        self.call_after_refresh(self.pace.painted)

    def _settle(self) -> None:
        """After a decision: the next dialogue, ready to be read."""
        if self.box.has_focus:
            self.set_focus(self.view)
            self.call_after_refresh(self._focus_changed)
        self._count()
        self.show()

    def action_undo(self) -> None:
        """The last decision or skip, wherever it was. A held key undoes one."""
        if not self.has_class("small"):
            self._undo_once.press()

    def _undo(self) -> None:
        if not self._save():
            return
        with self._asking():
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
        with self._asking():
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
        if reason is None or task is None or not self._save():
            return
        screening = self._store.screening
        if self._try(lambda: screening.skip(self.person, task.stored.uid, reason)):
            self._decided()
            self._count()
            self._go(lambda: screening.next(self.person, task.place))

    # -- getting about

    def action_step(self, direction: int) -> None:
        """The neighbour in the list."""
        task = self.desk.task
        if task is None:
            if self._progress is not None and self._progress.assigned and direction < 0:
                self._go(lambda: self._store.screening.task(self.person, self._progress.assigned))  # type: ignore[union-attr]
            return
        edge = _("This is the last one") if direction > 0 else _("This is the first one")
        self._go(lambda: self._store.screening.step(self.person, task.place, direction), edge)

    def action_undecided(self) -> None:
        """The next one not decided."""
        task = self.desk.task
        self._go(lambda: self._store.screening.next(self.person, task.place if task else 0))

    def action_jump(self) -> None:
        """Go to a number."""
        self.app.push_screen(Number(_("Go to number")), self._jumped)

    def _jumped(self, digits: str | None) -> None:
        if digits is None or self._progress is None:
            return
        none = _("There is no number {n}; yours are 1 to {last}").format(n=digits, last=self._progress.assigned)
        self._go(lambda: self._store.screening.task(self.person, int(digits)), none)

    def action_guideline(self) -> None:
        """What the situations mean."""
        self.app.push_screen(Page(_("Situations"), guideline_words(self.desk.situation, self.desk.pending)))

    def action_both(self) -> None:
        """Both answers with their reasons."""
        words = self.desk.both()
        if words:
            self.app.push_screen(Page(_("Both answers"), visible(words)))
        else:
            self.tell(_("The other's answer is shown once both have committed"))

    def action_home(self) -> None:
        """Back to the overview."""
        if self._save():
            self.post_message(Wanted("home"))
