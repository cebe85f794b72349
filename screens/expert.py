"""The expert desk: one dialogue, two answers written by hand, one after the other; every key is kept."""

from __future__ import annotations

import time
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.widget import Widget
from textual.widgets import TextArea

from curation.replies.length import visible_length
from curation.work.expert import REPLY, ExpertProgress, ExpertTask, Part, boxes_of
from screens import expertwords
from screens.expertwords import mode_words
from screens.held import Once
from screens.keys import NOT_PAINTED, PACE, Pace
from screens.locale import _, told
from screens.messages import Wanted
from screens.onlist import OnList
from screens.page import Choice, Page
from screens.scoredesk import label_of, said
from screens.scoresheet import laid_out
from screens.widgets.anchored import AnchoredDialogue
from screens.widgets.dialogue import DialogueView, Said
from screens.widgets.rows import RowsView
from screens.widgets.writing import Writing

if TYPE_CHECKING:
    from db.expert import Expert
    from db.project import Project

IDLE = 60.0  # seconds between two keys that count as work at most
LEAST_DIALOGUE = 5


class ExpertScreen(OnList[ExpertTask]):
    """Reads like this: dialogue, what is written so far with its length, what to press, the box of the field in turn."""

    NAME = "expert"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "expert.tcss"]

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], *, pace: float = PACE
    ) -> None:
        super().__init__(project, person, keymap)
        self.front: ExpertTask | None = None
        self.field = ""
        self.pace = Pace(pace)
        self._texts: dict[str, str] = {}
        self._read: list[Said] = []
        self._pasted: set[str] = set()
        self._progress: ExpertProgress | None = None
        self._worked = 0.0
        self._last_key = time.monotonic()
        self._close_once = Once(self, self._close)

    # -- the parts

    def body(self) -> list[Widget]:
        """Dialogue, what is written, what to press, the box."""
        from screens.widgets.line import Line

        box = Writing("writing")
        box._bindings = box._bindings.merge([self.in_text(), box._bindings])
        return [AnchoredDialogue("dialogue"), RowsView("sheet"), Line("answer"), box]

    @property
    def view(self) -> DialogueView:
        """The dialogue."""
        return self.query_one("#dialogue", DialogueView)

    @property
    def box(self) -> Writing:
        """The field in turn."""
        return self.query_one("#writing", Writing)

    @property
    def part(self) -> Part | None:
        """The answer that is written now; None when there is none to write."""
        return self.front.part(self.front.now) if self.front is not None and self.front.now else None

    def begin(self) -> None:
        """Lay the dialogue where the expert left off."""
        self.query_one("#sheet", RowsView).can_focus = False
        self.set_focus(self.view)
        with self.asking():
            self.recount()
            self._lay(self._store.expert.task(self.person))

    def flush(self) -> None:
        """Keep the field as far as it is written."""
        self._save()

    # -- showing

    def resized(self) -> None:
        """As many rows as there is room for."""
        if self.front is not None:
            self.show_sheet()

    def _lay(self, task: ExpertTask | None) -> None:
        self.front = task
        part = self.part
        self._texts = dict(part.texts) if part is not None else {}
        self._pasted = set(part.pasted) if part is not None else set()
        self.field = next(iter(part.missing()), REPLY) if part is not None else ""
        self._worked = 0.0
        self.show()

    def show(self) -> None:
        """Everything anew, after another dialogue, answer or language."""
        task = self.front
        messages = said(task.messages) if task is not None else []
        if task is None:
            self.view.say(expertwords.empty_words(self._progress, self._store.path.name))
        elif task.waits == "text":
            self.view.say(_("The text of this dialogue is not approved yet; it can be answered after that."))
        elif messages != self._read:
            self.view.put(messages)
        self._read = messages
        self._show_field()
        self.show_sheet()

    def _show_field(self) -> None:
        box = self.box
        box.read_only = self.part is None
        box.put(self._texts.get(self.field, ""))
        label = label_of(self.field) if self.field else ""
        box.placeholder = _("{field}: press {key} to write").format(field=label, key=self.key_of("expert_write"))

    def show_sheet(self) -> None:
        """What a key can change: what is written, its length, what to press."""
        task = self.front
        lines = expertwords.lines(task, self._texts, self._pasted, self.field) if task is not None else []
        sheet = self.query_one("#sheet", RowsView)
        width, height = self.app.size.width, self.app.size.height
        least = 5 + LEAST_DIALOGUE + (6 if self.has_class("tall") else 3)
        rows = max(min(len(laid_out(lines, width - 1)), height - least), 1)
        at = sheet.styles.height
        if at is None or at.value != rows:
            sheet.styles.height = rows
        sheet.put(lambda w, plain: laid_out(lines, w, plain_emoji=plain), anew=False)
        here = next((n for n, one in enumerate(lines, 1) if one.here), 0)
        if here:
            sheet.bring(here)
        self._show_state()

    def _show_state(self) -> None:
        self.line("answer").put(
            self._state_words(), expertwords.length_words(self.front, self._texts.get(self.field, ""), self.field)
        )
        task = self.front
        parts = []
        if task is not None:
            parts.append(_("no. {place} of {assigned}").format(place=task.place, assigned=task.count))
            parts += [mode_words(task.now)] if task.now else []
        parts += [w] if (w := self.saved_words()) else []
        self.line("header").put(f"{self._store.path.name} · {self.person}", " · ".join(parts))
        self.show_quiet()

    def _state_words(self) -> str:
        writing, full = self.box.has_focus, not self._missing()
        return expertwords.state_words(self.front, self.field, self.key_of, writing=writing, full=full)

    def show_quiet(self) -> None:
        """Where the expert is in the sample."""
        if self.said:
            return
        below = self.view.below
        more = (
            _("{n} {n:line|lines} below ↓ (End: last turn)").format(n=below) if below and self.front is not None else ""
        )
        self.line("told").put(expertwords.progress_words(self._progress), more)

    @on(DialogueView.Moved)
    def _moved(self) -> None:
        self.show_quiet()

    # -- keeping

    def pressed(self, key: str) -> None:
        """A key came in: time between keys is work, up to a minute of it."""
        super().pressed(key)
        now = time.monotonic()
        self._worked += min(now - self._last_key, IDLE)
        self._last_key = now
        self.pace.touched()

    @on(TextArea.Changed)
    def _typed(self) -> None:
        if self.part is not None and self.box.has_focus:
            self._save()
            self.show_sheet()

    def _save(self) -> bool:
        """Keep the field in turn as it is in the box."""
        part, task = self.part, self.front
        if part is None or task is None or not self.field:
            return True
        text, pasted = self.box.written, self.box.pasted
        if text == self._texts.get(self.field, "") and not (pasted and self.field not in self._pasted):
            return True
        seconds, field = self._worked, self.field
        saved = self.tried(
            lambda: self._store.expert.save(
                self.person, task.uid, part.mode, field, text, pasted=pasted, seconds=seconds
            )
        )
        self._texts[field] = text
        if not text:
            self._pasted.discard(field)
            self.box.pasted = False
        elif pasted:
            self._pasted.add(field)
        if saved:
            self._worked = 0.0
        return saved

    def _missing(self) -> list[str]:
        part = self.part
        return [n for n in boxes_of(part.mode) if not self._texts.get(n, "").strip()] if part is not None else []

    # -- writing

    def _may_write(self) -> bool:
        if self.front is None or self.has_class("small"):
            return False
        if not self.pace.may_answer():
            self.tell(told(NOT_PAINTED))
            return False
        if self.part is None:
            self.tell(self._state_words())
            return False
        return True

    def action_write(self) -> None:
        """Into the box at the field in turn; with everything written, close."""
        if not self._may_write():
            return
        missing = self._missing()
        if not missing:
            self.action_close()
            return
        if self._texts.get(self.field, "").strip():
            self.field = missing[0]
        self._enter()

    def action_edit(self) -> None:
        """Into the box at the field in turn, whatever is in it."""
        if self._may_write():
            self._enter()

    def _enter(self) -> None:
        self._show_field()
        self.set_focus(self.box)
        self.show_sheet()
        self.call_after_refresh(self._focus_changed)

    def action_write_on(self, direction: int) -> None:
        """On to the next field without leaving the box; after the last one, out of it."""
        if not self._save():
            return
        names = boxes_of(self.part.mode) if self.part is not None else ()
        at = names.index(self.field) + direction if self.field in names else 0
        if 0 <= at < len(names):
            self.field = names[at]
            self._enter()
        else:
            self.action_leave_text()

    def action_field(self, direction: int) -> None:
        """To another field."""
        names = boxes_of(self.part.mode) if self.part is not None else ()
        if names and self._save():
            at = names.index(self.field) if self.field in names else 0
            self.field = names[(at + direction) % len(names)]
            self._show_field()
            self.show_sheet()

    def action_leave_text(self) -> None:
        """Out of the box."""
        self._save()
        self.set_focus(self.view)
        self.show_sheet()
        self.call_after_refresh(self._focus_changed)

    def _focus_changed(self) -> None:
        self._show_state()
        self.show_keys(in_text=self.box.has_focus)

    def action_close(self) -> None:
        """Close the answer. A held key closes one."""
        if self._may_write():
            self._close_once.press()

    def _close(self) -> None:
        part, task = self.part, self.front
        if part is None or task is None or not self._save():
            return
        if refusal := self.pace.refusal():
            self.tell(told(refusal))
            return
        if missing := self._missing():
            self.field = missing[0]
            self._show_field()
            self.show_sheet()
            self.tell(_("Still missing: {lines}").format(lines=_(", ").join(map(label_of, missing))))
            return
        if visible_length(self._texts[REPLY]) > task.limit:
            self.field = REPLY
            self._enter()
            self.tell(_("The reply is too long: at most {limit} characters").format(limit=task.limit))
            return
        made: list[ExpertTask | None] = []
        expert, seconds, last = self._store.expert, self._worked, self.field

        def close() -> None:
            expert.save(
                self.person, task.uid, part.mode, last, self._texts[last], pasted=last in self._pasted, seconds=seconds
            )
            made.append(expert.close(self.person, task.uid, part.mode))

        if not self.tried(close):
            self._show_state()
            return
        self.decided()
        self.set_focus(self.view)
        self.call_after_refresh(self._focus_changed)
        following = made[0]
        with self.asking():
            self.recount()
            if following is not None and not following.now:
                following = expert.next(self.person, task.place)
        self._lay(following)

    def action_reopen(self) -> None:
        """Open a closed answer again."""
        task = self.front
        if task is None or not self._save():
            return
        closed = [part.mode for part in task.parts if part.closed]
        if task.used:
            self.tell(_("These answers are in scoring and stay as they are"))
        elif not closed:
            self.tell(_("Nothing is closed here"))
        elif len(closed) == 1:
            self._reopened(closed[0])
        else:
            options = [(mode, mode_words(mode)) for mode in closed]
            self.app.push_screen(Choice(_("Which one is opened again?"), options), self._reopened)

    def _reopened(self, mode: str | None) -> None:
        task = self.front
        if mode is None or task is None:
            return
        with self.asking():
            made = self._store.expert.reopen(self.person, task.uid, mode)
            self.recount()
            self._lay(made)

    def action_leave_as_was(self) -> None:
        """Leave an answer opened again as it was."""
        part, task = self.part, self.front
        if part is None or task is None or not part.written:
            self.tell(_("This answer was not opened again"))
            return
        with self.asking():
            made = self._store.expert.leave(self.person, task.uid, part.mode)
            self.recount()
            self._lay(made)

    # -- looking and getting about

    @property
    def tasks(self) -> Expert:
        return self._store.expert

    @property
    def here(self) -> ExpertTask | None:
        return self.front

    def recount(self) -> None:
        self._progress = self._store.expert.progress(self.person)

    def leaving(self) -> bool:
        return self._save()

    def show_again(self) -> None:
        """The same dialogue; what it waited for may have come."""
        task = self.front
        now = self._store.expert.task(self.person, task.place) if task is not None and not task.now else None
        if task is None or (now is not None and now != task):
            self._lay(now)
        else:
            self._show_state()

    def action_both(self) -> None:
        """What was written, whole."""
        if self.front is not None:
            self.app.push_screen(Page(_("What you wrote"), expertwords.written_words(self.front, self._texts)))

    def action_asks(self) -> None:
        """What each field asks for."""
        limit = self.front.limit if self.front is not None else self._store.settings.reply_limit
        self.app.push_screen(Page(_("What is asked"), expertwords.asked_words(limit)))

    def action_unwritten(self) -> None:
        """The next one to write."""
        self.go_on()

    def action_home(self) -> None:
        """Back to the overview."""
        if self._save():
            self.post_message(Wanted("home"))
