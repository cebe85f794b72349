"""A round beside the real work: one dialogue after another, kept or dropped, with its situation.

In training the right answer and why follow each; elsewhere nothing is told.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual.widget import Widget

from curation.errors import N_, WorkbenchError
from curation.taxonomy import taxonomy
from curation.work import Answer
from curation.work.rounds import ROUNDS, Feedback, RoundTask
from screens.base import WorkScreen
from screens.desk import name_of
from screens.display import visible
from screens.held import Once
from screens.help import guideline_words
from screens.keys import NOT_PAINTED, PACE, Pace
from screens.locale import _, told
from screens.messages import Wanted
from screens.page import Page
from screens.widgets.dialogue import DialogueView, Said
from screens.widgets.line import Line
from screens.widgets.situations import Situations

if TYPE_CHECKING:
    from db.project import Project

WHAT = {
    "training": N_("training: the right answer follows each"),
    "calibration": N_("calibration: the same dialogues for everyone, beside the real work"),
    "relabel": N_("labelling again: the approved text, beside the real work"),
}


class RoundScreen(WorkScreen):
    """The round that waits for the person."""

    NAME = "round"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "rounds.tcss"]

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], *, pace: float = PACE
    ) -> None:
        super().__init__(project, person, keymap)
        self.pace = Pace(pace)
        self.kind = ""
        self.item: RoundTask | None = None
        self.keep: bool | None = None
        self.situation = ""
        self.pending = 0
        self._undo_once = Once(self, self._undo)

    def body(self) -> list[Widget]:
        """The dialogue, the situations, the answer."""
        return [DialogueView("dialogue"), Situations("situations"), Line("answer", spare_right=True)]

    @property
    def view(self) -> DialogueView:
        """The dialogue."""
        return self.query_one("#dialogue", DialogueView)

    def begin(self) -> None:
        """The first that is not answered."""
        self.set_focus(self.view)
        self._next()

    def _next(self) -> None:
        """The next dialogue, of this round or of another that waits."""
        try:
            kind = self._store.rounds.waiting(self.person)
            self.kind = kind or self.kind
            self.item = self._store.rounds.task(self.person, kind) if kind else None
        except WorkbenchError as error:
            self.fail(error)
            return
        self.keep, self.situation, self.pending = None, "", 0
        self.show()

    def catch_up(self) -> None:
        """Another round, once this one is done."""
        if self.item is None:
            self.pace.decided()
            self._next()
            self.call_after_refresh(self.pace.painted)

    # -- showing

    def show(self) -> None:
        """Everything anew."""
        task = self.item
        if task is None:
            self.view.say(_("This round is done. Thank you! Enter goes on to your work, q to the overview."))
        else:
            names = {"self": _("me"), "other": _("other")}
            self.view.put(
                [Said(one.turn, one.party, names.get(one.party.value, "?"), one.text, one.last) for one in task.lines]
            )
        right = told(ROUNDS[self.kind]) if self.kind else ""
        if task is not None:
            right += " · " + _("no. {place} of {assigned}").format(place=task.done + 1, assigned=task.count)
            if task.attempt > 1:
                right += " · " + _("attempt {n}").format(n=task.attempt)
        self.line("header").put(f"{self._store.path.name} · {self.person}", right)
        self._show_answer()
        self.show_quiet()

    def show_quiet(self) -> None:
        """What this round is."""
        if not self.said:
            below = self.view.below
            self.line("told").put(
                told(WHAT[self.kind]) if self.kind else "",
                _("{n} {n:line|lines} below ↓").format(n=below) if below else "",
            )

    def _show_answer(self) -> None:
        self.query_one("#situations", Situations).put(self.situation, self.pending)
        if self.item is None:
            words = ""
        elif self.keep is None:
            words = _("not answered yet")
        elif not self.keep:
            words = _("drop")
        else:
            words = f"{_('keep')} · {name_of(self.situation) if self.situation else _('situation missing')}"
        state = _("family {n}: now its place").format(n=self.pending) if self.pending else ""
        self.line("answer").put(_("Answer: {answer}").format(answer=words) if words else "", state)

    # -- answering

    def pressed(self, key: str) -> None:
        """A key that does not decide lets the next one decide."""
        super().pressed(key)
        if key != "enter":
            self.pace.touched()

    def _may_answer(self) -> bool:
        if self.item is None or self.has_class("small"):
            return False
        if not self.pace.may_answer():
            self.tell(told(NOT_PAINTED))
            return False
        return True

    def action_keep(self) -> None:
        """Keep it."""
        if self._may_answer():
            self.keep = True
            self._show_answer()

    def action_drop(self) -> None:
        """Drop it."""
        if self._may_answer():
            self.keep = False
            self._show_answer()

    def action_situation(self, situation: str) -> None:
        """It is that situation."""
        if self._may_answer():
            self.situation, self.pending = situation, 0
            self.keep = True if self.keep is None else self.keep
            self._show_answer()

    def action_digit(self, digit: int) -> None:
        """The family, or the place in it."""
        if not self._may_answer():
            return
        if not self.pending:
            if digit > len(taxonomy().families):
                self.tell(_("There are families 1 to {n}").format(n=len(taxonomy().families)))
                return
            self.pending = digit
            self._show_answer()
            return
        found = taxonomy().by_digits(self.pending, digit)
        if found is None:
            self.tell(_("There is no place {digit} in that family").format(digit=digit))
            return
        self.action_situation(found.id)

    def action_clear(self) -> None:
        """The half-made choice away, else the situation."""
        if self._may_answer():
            if self.pending:
                self.pending = 0
            else:
                self.situation = ""
            self._show_answer()

    def action_commit(self) -> None:
        """Give the answer."""
        if self.item is None:
            self.post_message(Wanted("screening"))
            return
        if self.has_class("small"):
            return
        if refusal := self.pace.refusal():
            self.tell(told(refusal))
            return
        if self.keep is None or (self.keep and not self.situation):
            self.tell(
                _("Say first: {keep} keep or {drop} drop, and of a kept one the situation").format(keep="k", drop="d")
            )
            return
        task, answer = self.item, Answer(self.keep, self.situation if self.keep else "")
        try:
            found = self._store.rounds.answer(self.person, task.kind, task.uid, answer)
        except WorkbenchError as error:
            self.fail(error)
            return
        self.pace.decided()
        if found is None:
            self._next()
            self.call_after_refresh(self.pace.painted)
        else:
            self.app.push_screen(
                Page(_("right") if found.right else _("not so"), _feedback(answer, found)), self._went_on
            )

    def _went_on(self, _none: object) -> None:
        """The feedback was read."""
        ends = self.item is not None and self.item.done + 1 >= self.item.count
        self._next()
        self.call_after_refresh(self.pace.painted)
        if ends:
            self._tell_result()

    def _tell_result(self) -> None:
        done = self._store.rounds.trained(self.person)
        if done.passed:
            self.tell(
                _("Passed: {right} of {items} right. Enter goes on to your work").format(
                    right=done.right, items=done.items
                )
            )
        else:
            share = round(self._store.settings.training_pass * 100)
            self.tell(
                _("{right} of {items} right; {share} % are needed: once more").format(
                    right=done.right, items=done.items, share=share
                )
            )

    def action_undo(self) -> None:
        """The last answer back. A held key takes one back."""
        if not self.has_class("small"):
            self._undo_once.press()

    def _undo(self) -> None:
        try:
            done = self.kind and self._store.rounds.undo(self.person, self.kind)
        except WorkbenchError as error:
            self.fail(error)
            return
        if done:
            self._next()
            self.tell(_("Taken back"))
        else:
            self.tell(_("Nothing to undo here"))

    # -- getting about

    def action_guideline(self) -> None:
        """What the situations mean."""
        self.app.push_screen(Page(_("Situations"), guideline_words(self.situation, self.pending)))

    def action_home(self) -> None:
        """Back to the overview."""
        self.post_message(Wanted("home"))


def _feedback(answer: Answer, found: Feedback) -> str:
    def words(one: Answer) -> str:
        return f"{_('keep')} · {name_of(one.situation)}" if one.keep else _("drop")

    lines = [_("You: {answer}").format(answer=words(answer))]
    if not found.right:
        lines.append(_("Right: {answer}").format(answer=words(found.answer)))
    return "\n".join([*lines, "", visible(found.text) or _("(no reason given)")])
