"""What screens on which a dialogue is judged share: the answer by keys, its reason in a box, and both saved at every key."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import TextArea

from curation.errors import WorkbenchError
from curation.taxonomy import taxonomy
from screens.desk import Answering, Span, name_of
from screens.help import guideline_words
from screens.keys import NOT_PAINTED, PACE, Pace
from screens.locale import _, language, told
from screens.page import Choice, Page
from screens.saving import SavingScreen
from screens.stopwatch import Stopwatch
from screens.widgets.dialogue import DialogueView
from screens.widgets.line import Line
from screens.widgets.rationale import Rationale
from screens.widgets.situations import Situations

if TYPE_CHECKING:
    from db.project import Project

SLOW_SAVE = 0.008  # seconds; a store slower than this is not asked at every key
DEBOUNCE = 0.2


class AnsweringScreen(SavingScreen):
    """A dialogue, the situations, the answer, and the box for the rationale. A subclass lays things on its `desk`."""

    desk: Answering

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], *, pace: float = PACE
    ) -> None:
        super().__init__(project, person, keymap)
        self.pace = Pace(pace)
        self.seconds = pace
        self.stopwatch = Stopwatch()
        self.shown: set[Span] = set()
        self._save_took = 0.0
        self._timer: Timer | None = None
        self._words: list[str] = []
        self._base = ""

    # -- the parts

    def body(self) -> list[Widget]:
        """Dialogue, situations, answer, rationale."""
        rationale = Rationale("rationale")
        rationale._bindings = rationale._bindings.merge([self.in_text(), rationale._bindings])
        return [
            DialogueView("dialogue"),
            *self.between(),
            Situations("situations"),
            Line("answer", spare_right=True),
            rationale,
        ]

    def between(self) -> list[Widget]:
        """What stands between the dialogue and the situations."""
        return []

    @property
    def view(self) -> DialogueView:
        """The dialogue."""
        return self.query_one("#dialogue", DialogueView)

    @property
    def box(self) -> Rationale:
        """The rationale."""
        return self.query_one("#rationale", Rationale)

    # -- showing

    def show_box(self) -> None:
        """The box: the rationale as far as it is written."""
        box = self.box
        box.placeholder = _("rationale: press {key} to write").format(key=self.key_of(self.own("rationale")))
        box.read_only = self.desk.locked
        box.put(self.desk.rationale)

    def show_answer(self) -> None:
        """The answer in words, and the situation marked."""
        self.query_one("#situations", Situations).put(self.desk.situation, self.desk.pending, self.desk.second)
        state = _("writing – Esc leaves the box") if self.box.has_focus else self.desk.state_words()
        if self.desk.pending:
            state = _("family {n}: now its place").format(n=self.desk.pending)
        elif self.desk.seconding:
            state = _("second choice: two digits or a letter")
        elif not state and self.desk.uid and not self.desk.situation:
            state = _("situation: two digits or a letter; {key} explains").format(
                key=self.key_of(self.own("guideline"))
            )
        self.line("answer").put(self.desk.words(), state)

    def own(self, action: str) -> str:
        """The id that an action has on this screen."""
        return action

    def show_header(self) -> None:
        """What the top line says."""

    # -- saving

    def _try(self, save: Callable[[], object]) -> bool:
        """Save something, and see how long that takes. Returns whether it went well."""
        began = time.monotonic()
        saved = self.tried(save)
        self._save_took = time.monotonic() - began
        if not saved:
            self.show_header()
        return saved

    def flush(self) -> None:
        """Save the answer as far as it is made, now, and the time spent with it."""
        self._save()
        self.keep_time()

    def keep_time(self) -> None:
        """Note the time spent with the dialogue in front. That it cannot be noted loses nobody's work."""
        uid = self.desk.uid
        if uid and self.stopwatch.moved and not self._unsaved:
            spent = self.stopwatch.spent()
            try:
                self._store.screening.save_spent(self.person, uid, spent)
            except WorkbenchError:
                return
            self.stopwatch.begin(spent)

    def _save(self) -> bool:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if not self.desk.locked:
            self.desk.rationale = self.box.written
        saved = self._try(self.desk.save)
        self.show_header()
        return saved

    @on(TextArea.Changed)
    def _typed(self) -> None:
        if self.desk.locked:
            return
        self.desk.rationale = self.box.written
        if self._save_took < SLOW_SAVE and not self._unsaved:
            self._save()
        elif self._timer is None:
            self._timer = self.set_timer(DEBOUNCE, self._save)

    # -- keys

    def pressed(self, key: str) -> None:
        """A key came in: what was told has been seen, and a key that does not decide lets the next one decide."""
        super().pressed(key)
        self.stopwatch.touch()
        if key not in self._deciding:
            self.pace.touched()

    @property
    def _deciding(self) -> set[str]:
        return {key for a in self.actions if a.does == "commit" for key in a.keys}

    def locked_words(self) -> str:
        """Why no answer can be made here."""
        return ""

    def _may_answer(self) -> bool:
        if not self.desk.uid or self.has_class("small"):
            return False
        if not self.pace.may_answer():
            self.tell(told(NOT_PAINTED))
            return False
        if self.desk.locked:
            self.tell(self.locked_words())
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
            self.desk.keep, self.desk.reason = True, ""
            self._answered()

    def action_drop(self, reason: str = "") -> None:
        """Drop it, for a reason that has a name where one is given."""
        if self._may_answer():
            self.desk.drop(reason)
            self._answered()

    def action_second(self) -> None:
        """The next situation named is the second choice."""
        if self._may_answer():
            self.desk.seconding, self.desk.pending = not self.desk.seconding, 0
            if self.desk.seconding and not self.desk.situation:
                self.desk.seconding = False
                self.tell(_("Name the situation first, then a second choice"))
            self.show_answer()

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
        """Take the half-made choice back, else the second one, else the situation."""
        if self._may_answer():
            self.desk.clear()
            self._answered()

    def action_half(self) -> None:
        """Take the first of two digits back."""
        self.desk.pending, self.desk.seconding = 0, False
        self.show_answer()

    def missing_words(self) -> str:
        """What the answer lacks, in words, or ""."""
        missing = self.desk.missing()
        if missing == "keep":
            keep, drop = self.key_of(self.own("keep")), self.key_of(self.own("drop"))
            return _("Say first: {keep} keep or {drop} drop").format(keep=keep, drop=drop)
        return _("A dialogue that is kept needs a situation: two digits or a letter") if missing else ""

    def decided(self) -> None:
        """Another one is on its way: keys pressed before it can be read were not meant for it."""
        self.pace.decided()
        self.call_after_refresh(self.pace.painted)

    # -- the box

    def action_rationale(self) -> None:
        """Into the box."""
        if self._may_answer():
            self.set_focus(self.box)
            self.call_after_refresh(self._focus_changed)

    def action_leave_text(self) -> None:
        """Out of the box."""
        self._save()
        self.leave_box()

    def leave_box(self) -> None:
        """The keyboard goes back to the dialogue."""
        # The screen knows at once; the box itself is told a moment later.
        if self.focused is self.box:
            self.set_focus(self.view)
            self.call_after_refresh(self._focus_changed)

    def _focus_changed(self) -> None:
        self.show_answer()
        self.show_keys(in_text=self.box.has_focus)

    def _phrases(self) -> list[str]:
        """Words to write again: this person's last ones, then those of the guideline."""
        from curation.guidelines import guidelines

        keep = self.desk.keep
        found = self._store.pacing.phrases(self.person, keep, self.desk.situation)
        if keep is not None:
            found += guidelines().phrases(self.desk.situation if keep else "", language())
        return list(dict.fromkeys(found))

    def action_phrase(self) -> None:
        """The words written last behind what stands in the box; pressed again, those before them."""
        if not self._may_answer():
            return
        written = self.box.written
        if not self._words or written not in [self._base, *(self._base + words for words in self._words)]:
            with self.asking():
                self._words = self._phrases()
            self._base = written
        if not self._words:
            self.tell(_("No words yet: those you write come here, and the guideline's once the answer is begun"))
            return
        at = next((n for n, words in enumerate(self._words) if self._base + words == written), -1) + 1
        self._write(self._base + (self._words[at] if at < len(self._words) else ""))

    def action_phrases(self) -> None:
        """A list of words to choose from."""
        if not self._may_answer():
            return
        with self.asking():
            words = self._phrases()[:9]
            if words:
                options = [(str(n), one) for n, one in enumerate(words)]

                def chosen(n: str | None) -> None:
                    if n is not None:
                        self._write(self.box.written + words[int(n)])

                self.app.push_screen(Choice(_("Words for the rationale"), options), chosen)
            else:
                self.tell(_("No words yet: those you write come here, and the guideline's once the answer is begun"))

    def _write(self, text: str) -> None:
        self.desk.rationale = text
        self.box.put(text)
        self._answered()

    # -- to read

    def action_guideline(self) -> None:
        """What the situations mean, the one named first."""
        criteria = guideline_words(self.desk.situation, self.desk.pending, self.desk.second)
        title = name_of(self.desk.situation) if self.desk.situation else _("Situations")
        self.app.push_screen(Page(title, criteria))
