"""What the parts of the quality screen share: the dialogue in front, how it is shown, and asking before approved text changes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from curation.errors import WorkbenchError
from curation.stages import STAGE_WORDS, Stage
from curation.trim import Proposal
from curation.work import StoredDialogue
from curation.work.quality import Cut, QualityMessage, QualityPage
from screens import qualitywords
from screens.display import visible
from screens.lines import fold
from screens.locale import _, told
from screens.marked import Row, Run
from screens.qualitypage import Look, counted, laid_out
from screens.reopening import APPROVED, Reopening
from screens.saving import SavingScreen
from screens.widgets.rationale import Rationale
from screens.widgets.rows import RowsView

if TYPE_CHECKING:
    from db.project import Project

LIMIT = 20  # turns that a proposal leaves, until the person says otherwise
_OURS = (Stage.AGREED, Stage.APPROVED, Stage.RELEASED)
WHOLE = Cut()


class TurnsView(RowsView, inherit_bindings=False):
    """The dialogue. Arrows belong to the screen, which moves from message to message."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,pagedown", "page_down", show=False),
        Binding("shift+space,pageup", "page_up", show=False),
    ]


class QualityBase(SavingScreen):
    """One dialogue: what is open, its messages, the one in front, a box to write in."""

    NAME = "quality"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "quality.tcss"]

    class Looked(Message):
        """What keeps a dialogue from approval was looked at, in another thread."""

        def __init__(self, uid: str) -> None:
            super().__init__()
            self.uid = uid

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], dialogue: str | None = None
    ) -> None:
        super().__init__(project, person, keymap)
        self._asked_for = dialogue
        self.page: QualityPage | None = None
        self.draft: Cut | None = None
        self.proposal: Proposal | None = None
        self.most = LIMIT
        self.look = Look()
        self._reopening = Reopening(self)

    # -- the parts

    def body(self) -> list[Widget]:
        """What is open, messages, the one in front, the box."""
        from screens.widgets.line import Line

        box = Rationale("box")
        box._bindings = box._bindings.merge([self.in_text(), box._bindings])
        return [Line("steps"), TurnsView("rows"), Line("about"), box]

    @property
    def view(self) -> TurnsView:
        """The messages."""
        return self.query_one("#rows", TurnsView)

    @property
    def box(self) -> Rationale:
        """The box."""
        return self.query_one("#box", Rationale)

    @property
    def store(self) -> Project:
        """The project, which this screen never lacks."""
        assert self.project is not None
        return self.project

    @property
    def cut(self) -> Cut:
        """The cut as it is shown: the one in the making, else the decided one."""
        if self.draft is not None:
            return self.draft
        return self.page.cut if self.page is not None else WHOLE

    @property
    def message(self) -> QualityMessage | None:
        """The message in front."""
        return self.page.messages[self.look.cursor] if self.page is not None and self.page.messages else None

    def begin(self) -> None:
        """Lay the dialogue that was asked for, else the first agreed one."""
        self.set_focus(self.view)
        self.most = self.store.settings.max_turns or LIMIT
        with self.asking():
            self.lay(self._asked_for or self.store.control.first())

    def catch_up(self) -> None:
        """A dialogue that came to be agreed on, where none was left."""
        if self.page is None and self._curates():
            self.begin()

    # -- another dialogue

    def lay(self, uid: str | None) -> None:
        """Put a dialogue in front, its first message first."""
        self.page = None
        self.look = Look()
        self._reopening.forget()
        if uid is not None and self._curates():
            self._read(uid)
        self.show(anew=True)

    def _read(self, uid: str) -> None:
        page = self.store.control.page(uid, self.person)
        self.page, self.draft, self.proposal = page, page.draft, None
        self.look.scores = {}
        self.look.cursor = min(self.look.cursor, max(len(page.messages) - 1, 0))
        if page.matters is None and page.stored.stage in _OURS:
            self._look(uid)

    def again(self) -> None:
        """The same dialogue as it is now."""
        if self.page is not None:
            with self.asking():
                self._read(self.page.stored.uid)
        self.show()

    def _curates(self) -> bool:
        """Only a curator does quality control: the raw text is on this screen."""
        with suppress(WorkbenchError):
            return self.store.people.curates(self.person)
        return False

    def _look(self, uid: str) -> None:
        """Have it looked at what is open; that searches for identifiers, so not here."""
        path = self.store.path

        def look() -> None:
            from curation.trim.words import ready as words_ready
            from db.project import Project

            with suppress(WorkbenchError), Project.open(path) as project:
                project.control.look(uid)
            self.post_message(self.Looked(uid))
            words_ready()

        self.run_worker(look, thread=True, group="look", exclusive=True)

    @on(Looked)
    def _looked(self, message: Looked) -> None:
        if self.page is not None and self.page.stored.uid == message.uid:
            from dataclasses import replace

            with self.asking():
                known = self.store.control.known(self.store.dialogues.key(message.uid))
                self.page = replace(self.page, matters=known)
            self.line("steps").put(qualitywords.of_steps(self.page, self.key))

    # -- showing

    def show(self, *, anew: bool = False) -> None:
        """Everything, after another dialogue, step or language."""
        self.show_header()
        self.line("steps").put(qualitywords.of_steps(self.page, self.key) if self.page else "")
        self.view.put(self._rows, anew=anew)
        self.show_front()

    def show_front(self) -> None:
        """The message in front, after the cursor or the cut moved."""
        if self.page is not None and self.page.messages:
            self.line("about").put(self._about())
            self.view.bring(self.look.cursor + 1)
        else:
            self.line("about").put("")
        self.show_quiet()

    def _about(self) -> str:
        assert self.page is not None
        if self.look.writing is not None and (message := self.message) is not None:
            from curation.rewriting import share

            much, most = share(message.below, self.look.writing), self.store.settings.edit_limit
            words = _("rewriting message {n}: {share} changed").format(n=message.index + 1, share=f"{much:.0%}")
            if much > most:
                words += " ! " + _("over {most}: a second person signs").format(most=f"{most:.0%}")
            return words
        words = qualitywords.of_turn(self.page, self.cut, self.look.cursor, self.proposal)
        return (_("RAW TEXT") + " · " if self.look.raw else "") + words

    def _rows(self, width: int, plain_emoji: bool) -> list[Row]:
        if self.page is None:
            return [[Run("  " + line)] for line in ["", *fold(self._empty_words(), width - 4)]]
        return laid_out(self.page, self.cut, self.look, width, plain_emoji)

    def moved(self) -> None:
        """Lay out anew where the cursor or the cut is another one."""
        self.view.fold_anew()
        self.show_front()

    def show_header(self) -> None:
        """Project and person; dialogue, its situation, its place; when something was saved."""
        left = f"{self.store.path.name} · {self.person}"
        right = ""
        if self.page is not None:
            from screens.desk import name_of

            stored = self.page.stored
            left += f" · {visible(stored.external_id, one_line=True)} · {name_of(self.page.situation)}"
            right = _("{place} of {count} agreed").format(place=self.page.place, count=self.page.count)
            right = right if self.page.place else told(STAGE_WORDS[stored.stage])
        saved = self.saved_words()
        self.line("header").put(left, " · ".join(filter(None, (right, saved))))

    def show_quiet(self) -> None:
        """Turns and characters before and after."""
        if self.said or self.page is None:
            if not self.said:
                self.line("told").put("")
            return
        before, after = counted(self.page, WHOLE), counted(self.page, self.cut)
        below = self.view.below
        rest = _("{n} {n:line|lines} below ↓").format(n=below) if below else ""
        self.line("told").put(qualitywords.of_cut(before, after, making=self.draft is not None, key=self.key), rest)

    def _empty_words(self) -> str:
        if not self._curates():
            return _(
                "Quality control shows raw text, so it is a curator's work.\n"
                "{home} goes back to the overview, where w says who is working."
            ).format(home=self.key("home"))
        stages = self.store.dialogues.stages()
        return qualitywords.of_nothing(stages[Stage.APPROVED.value] + stages[Stage.RELEASED.value], self.key)

    def key(self, action: str) -> str:
        """The first key of an action of this screen, as it is shown."""
        return self.key_of(f"quality_{action}")

    @on(RowsView.Moved)
    def _scrolled(self) -> None:
        self.show_quiet()

    # -- changing

    def in_front(self) -> bool:
        """A dialogue is there to work on, and nobody is writing."""
        return bool(self.page is not None and self.page.messages and not self.has_class("small"))

    def changing(self, step: Callable[[], None]) -> None:
        """Do `step`, which changes the text; asks first where that is approved."""
        now = self.now()
        if self.page is None or now is None:
            return
        if now.stage not in _OURS:
            self.tell(qualitywords.matter("not_agreed"))
        elif now.purged:
            self.tell(_("Its originals were destroyed: the approved text stays as it is"))
        else:
            self._reopening.before(now, step, meanwhile=self.page.stored.stage not in APPROVED)

    def now(self) -> StoredDialogue | None:
        """The dialogue in front as it is stored now; others may have approved it since it was laid."""
        if self.page is not None:
            with self.asking():
                return self.store.dialogues.by_key(self.store.dialogues.key(self.page.stored.uid))
        return None

    def do(self, step: Callable[[], object], words: str, before: Stage | None = None) -> bool:
        """One step of the person; then the dialogue as it is now, and `words`. False where it was refused. `before` is
        the stage it had before, where that is not the one of now."""
        if before is None and (now := self.now()) is not None:
            before = now.stage
        meanwhile = self.page is not None and self.page.stored.stage not in APPROVED
        done = self.tried(step)
        self.again()
        if done:
            if before in APPROVED and self.page and self.page.stored.stage is Stage.AGREED:
                words += " " + self.opened_words(meanwhile=meanwhile)
            self.tell(words)
        return done

    @staticmethod
    def opened_words(*, meanwhile: bool) -> str:
        """That an approved dialogue is open again, approved `meanwhile` by others or known to be so."""
        if meanwhile:
            return _("It had been approved meanwhile and is open again.")
        return _("It has to be approved again.")

    def done(self, _went_well: object) -> None:
        """Nothing more follows from how a step went."""
