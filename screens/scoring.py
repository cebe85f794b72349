"""The scoring screen: one task, one score after another, each on disk before the next key; blind throughout."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.widget import Widget
from textual.widgets import TextArea

from curation.work.scoring import BETTER, GUESS, PastScore, ScoreTask, ScoringProgress
from screens.figurewords import panel_page
from screens.held import Once
from screens.keys import NOT_PAINTED, PACE, Pace
from screens.livepanel import ROOMY, LivePanel, PanelFound
from screens.locale import _, told
from screens.menu import Menu
from screens.messages import Wanted
from screens.onlist import OnList
from screens.page import Choice, Page
from screens.scoredesk import SKIP_WORDS, ScoreDesk, past_words, said, shown_dimensions, whole_rubric
from screens.scoresheet import laid_out
from screens.widgets.agreement import AgreementPanel
from screens.widgets.anchored import AnchoredDialogue
from screens.widgets.dialogue import DialogueView, Said
from screens.widgets.rationale import Rationale
from screens.widgets.rows import RowsView
from screens.widgets.words import Words, rows_of

if TYPE_CHECKING:
    from db.project import Project
    from db.scoring import Scoring

WIDE = 110  # columns from which dialogue and sheet, and the two replies, stand side by side
HELD = 0.06  # seconds in which only a held key gives the same score again
LEAST_DIALOGUE = 5  # rows that the dialogue keeps


class ScoringScreen(OnList[ScoreTask]):
    """Reads like this: dialogue, then the sheet with what is scored, the rubric of the line in turn, what to press."""

    NAME = "scoring"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "scoring.tcss"]

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], *, pace: float = PACE
    ) -> None:
        super().__init__(project, person, keymap)
        self.desk = ScoreDesk()
        self.pace = Pace(pace)
        self.live = LivePanel(self, project.path, person)
        self._progress: ScoringProgress | None = None
        self._read: list[Said] = []
        self._given = ("", float("-inf"))
        self._panel_rows = 0
        self._undo_once = Once(self, self._undo)

    # -- the parts

    def body(self) -> list[Widget]:
        """Dialogue and sheet, what to press, the note."""
        from textual.containers import Container, Vertical

        from screens.widgets.line import Line

        note = Rationale("note")
        note._bindings = note._bindings.merge([self.in_text(), note._bindings])
        side = Vertical(RowsView("sheet"), Words("rubric"), AgreementPanel("panel"), id="side")
        return [Container(AnchoredDialogue("dialogue"), side, id="main"), Line("answer"), note]

    @property
    def view(self) -> DialogueView:
        """The dialogue."""
        return self.query_one("#dialogue", DialogueView)

    @property
    def box(self) -> Rationale:
        """The note."""
        return self.query_one("#note", Rationale)

    def begin(self) -> None:
        """Lay the task where the person left off."""
        self.query_one("#sheet", RowsView).can_focus = False
        self.set_focus(self.view)
        with self.asking():
            self.recount()
            self._lay(self._store.scoring.task(self.person))

    def on_unmount(self) -> None:
        """No figures any more."""
        self.live.stop()

    def flush(self) -> None:
        """Keep the note as far as it is written; all else is on disk already."""
        self._save_draft()

    # -- showing

    def resized(self) -> None:
        """Side by side where there is room."""
        wide = self.app.size.width >= WIDE
        if wide != self.has_class("wide"):
            self.set_class(wide, "wide")
        if self.desk.task is not None:
            self.show_sheet()

    def show(self) -> None:
        """Everything anew, after another task or another language."""
        task = self.desk.task
        box = self.box
        box.placeholder = _("a note to the lead")
        box.put("" if task is None else task.marks.draft or task.marks.note)
        if task is None:
            self._read = []
            self.view.say(self._empty_words())
        else:
            messages = said(task.messages, task.spans)
            # The same dialogue with another pair of replies: whoever has read it goes on where they are.
            if messages != self._read:
                self.view.put(messages)
            self._read = messages
        self.show_sheet()

    def show_sheet(self) -> None:
        """What a key can change: the sheet, the rubric, what to press, header and progress."""
        wide, lines = self.has_class("wide"), self.desk.sheet()
        sheet = self.query_one("#sheet", RowsView)
        side = self._side_width(wide)
        rubric = self.query_one("#rubric", Words)
        roomy = self.app.size.height >= ROOMY
        rubric.put(self.desk.rubric(roomy=roomy))
        room = self.app.size.height - 4 - (0 if wide else LEAST_DIALOGUE)
        panel = self._show_panel(side, wide)
        rubric_rows = 0 if panel and not wide and self.app.size.height < 30 else self._rubric_rows(side, roomy)
        rows = len(laid_out(lines, side - 1, wide=wide))
        _fix(rubric, rubric_rows)
        _fix(sheet, max(min(rows, room - rubric_rows - panel), 1))
        sheet.put(lambda w, plain: laid_out(lines, w, plain_emoji=plain, wide=wide), anew=False)
        here = next((n for n, one in enumerate(lines, 1) if one.here), 0)
        if here:
            sheet.bring(here)
        self._show_state()

    def _side_width(self, wide: bool) -> int:
        width = self.app.size.width
        return width - width * 45 // 100 if wide else width

    def _rubric_rows(self, width: int, roomy: bool) -> int:
        """The same for all lines of a step, so that going on to the next one moves nothing."""
        rows = [rows_of(self.desk.rubric(name, roomy=roomy), width) for name in self.desk.lines]
        return min(max(rows, default=4), 8)

    def _show_state(self) -> None:
        writing = self.box.has_focus
        words = _("writing a note – Esc keeps it") if writing else self.desk.state(self.key_of)
        marks = self.desk.task.marks if self.desk.task is not None else None
        right = []
        if marks is not None:
            right = [w for on, w in ((marks.flag, _("flagged")), (marks.note or marks.draft, _("note"))) if on]
            right += [_("put off")] if marks.skipped else []
        self.line("answer").put(words, " · ".join(right))
        self._show_header()
        self.show_quiet()

    def _show_header(self) -> None:
        task = self.desk.task
        parts = []
        if task is not None:
            parts += [_("item {place} of {count}").format(place=task.place, count=task.count)]
            parts += [self.desk.step_words()]
            parts += [_("calibration")] if task.calibration else []
        parts += [w] if (w := self.saved_words()) else []
        self.line("header").put(f"{self._store.path.name} · {self.person}", " · ".join(parts))

    def show_quiet(self) -> None:
        """Where the person is, and whether the dialogue is the one just read."""
        if self.said:
            return
        p, task = self._progress, self.desk.task
        words = []
        if task is not None and task.read_before:
            words.append(_("SAME DIALOGUE as the one before"))
        if p is not None:
            words.append(_("{closed} of {assigned} closed").format(closed=p.closed, assigned=p.assigned))
            words += [_("{skipped} put off").format(skipped=p.skipped)] if p.skipped else []
        below = self.view.below
        more = _("{n} {n:line|lines} below ↓ (End: last turn)").format(n=below) if below and task is not None else ""
        self.line("told").put(" · ".join(words), more)

    def _empty_words(self) -> str:
        if self._progress is None or not self._progress.assigned:
            return _(
                "Nothing is assigned to you yet. The curator hands work out with\n"
                "    workbench assign {project} scoring\n"
                "q goes back to the overview."
            ).format(project=self._store.path.name)
        return _(
            "All {n} assigned to you {n:is|are} closed. Thank you!\n"
            "l lists your own scores, u undoes the last key, q goes back to the overview."
        ).format(n=self._progress.assigned)

    @on(DialogueView.Moved)
    def _moved(self) -> None:
        self.show_quiet()

    # -- the panel

    def _show_panel(self, width: int, wide: bool) -> int:
        """Fill the panel. Returns how many rows it takes."""
        panel = self.query_one("#panel", AgreementPanel)
        near, roomy = shown_dimensions(self.desk.task), self.app.size.height >= ROOMY
        self._panel_rows = rows = self.live.fill(panel, near, width, all_rows=wide, roomy=roomy)
        if rows:
            _fix(panel, rows)
        return rows

    def action_panel(self) -> None:
        """The panel on or off."""
        self.live.turn(self.query_one("#panel", AgreementPanel))
        self.show_sheet()

    @on(PanelFound)
    def _panel_found(self, message: PanelFound) -> None:
        if message.panel == self.live.panel:
            return
        self.live.panel = message.panel
        before, wide = self._panel_rows, self.has_class("wide")
        # Nothing else is laid out anew while the rows are as many as before.
        if self.live.on and self._show_panel(self._side_width(wide), wide) != before:
            self.show_sheet()

    def action_explain(self) -> None:
        """What the figures mean, and the rest of them."""
        with self.asking():
            found = self.live.panel or self._store.scoring.panel(self.person)
            self.app.push_screen(Page(_("Agreement"), panel_page(found)))

    # -- another task

    def _lay(self, task: ScoreTask | None) -> None:
        self.desk.lay(task)
        self.show()

    @property
    def tasks(self) -> Scoring:
        return self._store.scoring

    @property
    def here(self) -> ScoreTask | None:
        return self.desk.task

    def recount(self) -> None:
        self._progress = self._store.scoring.progress(self.person)

    def leaving(self) -> bool:
        self._save_draft()
        return True

    def show_again(self) -> None:
        if self.here is None:
            self.view.say(self._empty_words())
        self.show_quiet()

    def pressed(self, key: str) -> None:
        """A key came in: what was told has been seen, and a key that does not close lets the next one close."""
        super().pressed(key)
        self.live.pressed()
        if key not in {k for a in self.actions if a.id == "score_close" for k in a.keys}:
            self.pace.touched()

    # -- giving

    def _may_answer(self) -> bool:
        if self.desk.task is None or self.has_class("small"):
            return False
        if not self.pace.may_answer():
            self.tell(told(NOT_PAINTED))
            return False
        return True

    def _held(self, what: str) -> bool:
        """The same key again as fast as only a held one comes."""
        before, at = self._given
        self._given = (what, time.monotonic())
        return before == what and self._given[1] - at < HELD

    def _give(self, save: Callable[[str], ScoreTask]) -> None:
        """One key of an answer: on disk, then on the screen."""
        task = self.desk.task
        assert task is not None
        made: list[ScoreTask] = []
        line = self.desk.current
        if self.tried(lambda: made.append(save(task.code))):
            self.desk.lay(made[0])
            self.desk.given(line)
        self.show_sheet()

    def action_score(self, value: int) -> None:
        """That score, for the line whose turn it is."""
        if not self._may_answer() or self._held(str(value)):
            return
        line = self.desk.current
        if not line:
            self.tell(
                _("Every line has its score; {line} chooses one to change").format(line=self.key_of("score_line"))
            )
        elif line in (BETTER, GUESS):
            self.tell(_("4 says Reply 1, 6 says Reply 2"))
        else:
            closed = self.desk.task is not None and self.desk.task.closed
            self._give(lambda code: self._store.scoring.score(self.person, code, line, value))
            if closed and not self._unsaved:
                self.tell(_("Changed after closing: kept, and not counted in the agreement"))

    def action_side(self, side: int) -> None:
        """That reply, where a side is asked for."""
        if not self._may_answer():
            return
        line, scoring = self.desk.current, self._store.scoring
        if line == GUESS or (line != BETTER and GUESS in self.desk.lines and BETTER not in self.desk.lines):
            self._give(lambda code: scoring.guess(self.person, code, str(side)))
        elif BETTER not in self.desk.lines:
            self.tell(_("Which reply is better is not asked here"))
        else:
            self._give(lambda code: scoring.better(self.person, code, str(side)))

    def action_no_score(self) -> None:
        """A digit that is no key of a score."""
        if self.desk.task is not None:
            self.tell(_("1 2 3 give 0 5 10; 4 and 6 say Reply 1 and Reply 2"))

    def action_line(self, direction: int) -> None:
        """To another line of the sheet."""
        self.desk.go(direction)
        self.show_sheet()

    def action_close(self) -> None:
        """Close what is complete; the next one comes only when it is safely stored."""
        task = self.desk.task
        if task is None or self.has_class("small"):
            return
        if refusal := self.pace.refusal():
            self.tell(told(refusal))
            return
        if task.closed:
            self.action_open_one()
            return
        if task.marks.missing:
            self.desk.chosen = ""
            self.show_sheet()
            self.tell(_("Still missing: {lines}").format(lines=self.desk.missing()))
            return
        self._save_draft()
        found: list[ScoreTask | None] = []
        if self.tried(lambda: found.append(self._store.scoring.close(self.person, task.code))):
            self.decided()
            with self.asking():
                self.recount()
            self._lay(found[0])
            self.live.ask()

    def action_undo(self) -> None:
        """The last key, wherever it was. A held key undoes one."""
        if not self.has_class("small"):
            self._undo_once.press()

    def _undo(self) -> None:
        with self.asking():
            task = self._store.scoring.undo(self.person)
            if task is None:
                self.tell(_("Nothing to undo"))
                return
            self.recount()
            self._lay(task)
            self.tell(_("Taken back, in no. {place}").format(place=task.place))
            self.live.ask()

    def action_flag(self) -> None:
        """Flagged, or not."""
        task = self.desk.task
        if task is not None and self._may_answer():
            self._give(lambda code: self._store.scoring.flag(self.person, code, not task.marks.flag))

    def action_skip(self) -> None:
        """Put it off, with a reason."""
        task = self.desk.task
        if task is None or not self._may_answer():
            return
        if task.closed:
            self.tell(_("This one is closed already"))
        elif refusal := self.pace.refusal():
            self.tell(told(refusal))
        else:
            options = [(name, told(words)) for name, words in SKIP_WORDS.items()]
            self.app.push_screen(
                Choice(_("Why put it off? It comes back at the end."), options), partial(self._skipped, task.code)
            )

    def _skipped(self, code: str, reason: str | None) -> None:
        found: list[ScoreTask | None] = []
        if reason is None or not self.tried(lambda: found.append(self._store.scoring.skip(self.person, code, reason))):
            return
        self.decided()
        with self.asking():
            self.recount()
        self._lay(found[0])

    # -- the note

    def action_note(self) -> None:
        """Into the box."""
        if self._may_answer():
            self.box.set_class(True, "on")
            self.set_focus(self.box)
            self.call_after_refresh(self._focus_changed)

    def action_leave_text(self) -> None:
        """Out of the box; what was written is the note."""
        task = self.desk.task
        text = self.box.written
        self.box.set_class(False, "on")
        self.set_focus(self.view)
        if task is not None and text != task.marks.note:
            self._give(lambda code: self._store.scoring.note(self.person, code, text))
        self.call_after_refresh(self._focus_changed)

    def _focus_changed(self) -> None:
        self._show_state()
        self.show_keys(in_text=self.box.has_focus)

    @on(TextArea.Changed)
    def _typed(self) -> None:
        self._save_draft()
        self._show_header()

    def _save_draft(self) -> None:
        task, text = self.desk.task, self.box.written
        if task is None or not self.box.has_focus or text == (task.marks.draft or task.marks.note):
            return
        self.tried(lambda: self._store.scoring.save_draft(self.person, task.code, text))

    # -- getting about

    def action_open_one(self) -> None:
        """The next one not closed."""
        self.go_on()

    def action_past(self) -> None:
        """The person's own past scores."""
        with self.asking():
            rows: list[PastScore] = self._store.scoring.past(self.person)
            if not rows:
                self.tell(_("You have given no score yet"))
                return
            options = [(str(row.place), past_words(row)) for row in rows]
            self.app.push_screen(Menu(_("Your own scores, last touched first"), options), self._jumped)

    def action_rubric(self) -> None:
        """The whole rubric, the line in turn first."""
        self.app.push_screen(Page(_("Rubric"), whole_rubric(self.desk.current)))

    def action_home(self) -> None:
        """Back to the overview."""
        self._save_draft()
        self.post_message(Wanted("home"))


def _fix(widget: Widget, rows: int) -> None:
    """Give a widget its rows; the same again lays nothing out anew."""
    height = widget.styles.height
    if height is None or height.value != rows:
        widget.styles.height = rows
