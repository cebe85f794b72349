"""The text screen: what normalising changed in one dialogue, edit by edit, and which dialect it is in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import on
from textual.message import Message
from textual.widget import Widget

from curation.errors import N_, WorkbenchError
from curation.normalise import RULES
from curation.stages import Stage
from curation.work import DialectTag, TextEdit, TextPage
from screens import textwords
from screens.base import WorkScreen
from screens.display import visible
from screens.held import Once
from screens.home import STAGE_WORDS
from screens.lines import fold
from screens.locale import _, told
from screens.marked import Row, Run
from screens.messages import Wanted
from screens.names import dialect as dialect_name
from screens.names import rule as rule_name
from screens.page import Choice
from screens.pick import dialect_choice
from screens.reopening import Reopening
from screens.textpage import VIEWS, Look, laid_out, titles
from screens.widgets.rows import RowsView

if TYPE_CHECKING:
    from db.project import Project

UNDONE = {
    "edit_taken_back": N_("Undone: the edit stands again"),
    "rule_taken_back": N_("Undone: the rule works in this dialogue again"),
    "dialect_told": N_("Undone: the dialect is what it was before"),
    "settings_changed": N_("Undone: the project's rules are as before; workbench normalize applies them everywhere"),
}


class TextScreen(WorkScreen):
    """Reads like this: the dialect, then the two texts, then the edit in front in words, then where one is."""

    NAME = "text"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "text.tcss"]

    class DialectFound(Message):
        """The dialect of a dialogue was looked for, in another thread."""

        def __init__(self, uid: str) -> None:
            super().__init__()
            self.uid = uid

    class Glossed(Message):
        """What the messages of a dialogue say in Mandarin, by their index, where that is something else."""

        def __init__(self, uid: str, said: dict[int, str]) -> None:
            super().__init__()
            self.uid = uid
            self.said = said

    def __init__(
        self, project: Project, person: str, keymap: dict[str, tuple[str, ...]], dialogue: str | None = None
    ) -> None:
        super().__init__(project, person, keymap)
        self._asked_for = dialogue
        self.page: TextPage | None = None
        self.tag: DialectTag | None = None
        self.look = Look()
        self.barred = False
        self._undo_key = Once(self, self._undo)
        self._reopening = Reopening(self)

    # -- the parts

    def body(self) -> list[Widget]:
        """Dialect, titles, texts, edit."""
        from screens.widgets.line import Line

        return [Line("dialect"), Line("titles"), RowsView("rows"), Line("edit")]

    @property
    def view(self) -> RowsView:
        """The texts."""
        return self.query_one("#rows", RowsView)

    @property
    def edits(self) -> tuple[TextEdit, ...]:
        """The edits of the dialogue in front."""
        return self.page.edits if self.page is not None and not self.barred else ()

    @property
    def edit(self) -> TextEdit | None:
        """The edit in front."""
        return self.edits[self.look.here - 1] if 0 < self.look.here <= len(self.edits) else None

    def begin(self) -> None:
        """Lay the dialogue that was asked for, else the first agreed one."""
        self.set_focus(self.view)
        with self._asking():
            self._lay(self._asked_for or self._store.texts.first())

    def catch_up(self) -> None:
        """A dialogue that came to be agreed on, where none was left."""
        if self.page is None:
            self.begin()

    # -- another dialogue

    def _lay(self, uid: str | None) -> None:
        """Put a dialogue in front; its first edit that stands with it."""
        self.look = Look(self.look.view, self.look.slang)
        self._reopening.forget()
        self._read(uid)
        standing = [n for n, e in enumerate(self.edits, 1) if not e.why_not]
        self.look.here = standing[0] if standing else min(len(self.edits), 1)
        self.show(anew=True)

    def _read(self, uid: str | None) -> None:
        self.page = self.tag = None
        self.barred = False
        if uid is None:
            return
        self.page = self._store.texts.page(uid)
        self.barred = not self._sees_all() and not self._store.texts.reviewed(uid)
        self.tag = self._store.dialects.known(uid)
        if self.tag is None or not self.tag.machine:
            self._ask_for_dialect(uid)

    def _again(self) -> None:
        """The same dialogue as it is now."""
        if self.page is not None:
            self._read(self.page.stored.uid)
            self.look.glossed = False
        self.show()

    def _sees_all(self) -> bool:
        """A curator sees all; others of the project see what is reviewed, unless it masks nothing. Who left is a stranger."""
        people = self._store.people
        found = people.find(self.person)
        here = found is not None and not found.retired
        return people.curates(self.person) or (here and not self._store.settings.mask)

    def _ask_for_dialect(self, uid: str) -> None:
        """Have the dialect looked for; the first time in a run that takes seconds, so not here."""
        path = self._store.path

        def look() -> None:
            from db.project import Project

            with suppress(WorkbenchError), Project.open(path) as project:
                project.dialects.of(uid)
            self.post_message(self.DialectFound(uid))

        self.run_worker(look, thread=True, group="dialect", exclusive=True)

    @on(DialectFound)
    def _dialect_found(self, message: DialectFound) -> None:
        if self.page is not None and self.page.stored.uid == message.uid:
            with self._asking():
                self.tag = self._store.dialects.known(message.uid)
            self.show()

    # -- showing

    def show(self, *, anew: bool = False) -> None:
        """Everything, after another dialogue, edit, view or language."""
        self.show_header()
        laid = self.page is not None and not self.barred
        self.line("dialect").put(textwords.of_dialect(self.tag, self._key) if laid else "")
        self.line("titles").put(self._titles())
        self.line("edit").put(self._edit_words())
        self.view.put(self._rows, anew=anew)
        self.view.bring(self.look.here)
        self.show_quiet()

    def _titles(self) -> str:
        if self.page is None or self.barred:
            return ""
        words = titles(self.app.size.width - 1, self.look.view)
        return words + (" · " + _("MANDARIN VIEW, not kept") if self.look.glossed else "")

    def _rows(self, width: int, plain_emoji: bool) -> list[Row]:
        if self.page is None or self.barred:
            return [[Run("  " + line)] for line in ["", *fold(self._empty_words(), width - 4)]]
        return laid_out(self.page, self.tag, self.look, width, plain_emoji)

    def show_header(self) -> None:
        """Project and person; dialogue, its stage and place."""
        left = f"{self._store.path.name} · {self.person}"
        right = ""
        if self.page is not None:
            stored = self.page.stored
            left += f" · {visible(stored.external_id, one_line=True)}"
            stage = told(STAGE_WORDS[stored.stage])
            right = _("{place} of {count} agreed").format(place=self.page.place, count=self.page.count)
            right = right if self.page.place else stage
        self.line("header").put(left, right)

    def _edit_words(self) -> str:
        if self.page is None or self.barred:
            return ""
        if self.page.stored.purged:
            return _("its originals were destroyed; what stands here is the text that was approved")
        if not self.page.normalised:
            return _("not normalised yet: workbench normalize {project}").format(project=self._store.path.name)
        edit = self.edit
        return textwords.of_edit(self.look.here, edit) if edit else _("no edits: the text is as it was")

    def show_quiet(self) -> None:
        """How far one is, in words; the signs where there is room."""
        if self.said:
            return
        words = textwords.of_progress(self.look.here, self.edits)
        below = self.view.below
        rest = _("{n} {n:line|lines} below ↓").format(n=below) if below and self.page is not None else ""
        signs = _("signs: {edit} edit  {gone} not standing  {word} dialect word").format(
            edit="{1:…}", gone="{1~…}", word="<…>"
        )
        if words and cell_len(words + signs + rest) + 4 <= self.app.size.width:
            rest = " · ".join(filter(None, (signs, rest)))
        self.line("told").put(words, rest)

    def _empty_words(self) -> str:
        if self.barred:
            return textwords.of_barred(self._key)
        stages = self._store.dialogues.stages()
        return textwords.of_nothing(stages[Stage.APPROVED.value] + stages[Stage.RELEASED.value], self._key)

    def _key(self, action: str) -> str:
        return self.key_of(f"text_{action}")

    @on(RowsView.Moved)
    def _moved(self) -> None:
        self.show_quiet()

    def resized(self) -> None:
        """Titles follow the width."""
        self.line("titles").put(self._titles())

    # -- asking the store

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Ask the store; what it refuses is shown."""
        try:
            yield
        except WorkbenchError as error:
            self.fail(error)

    def _do(self, step: Callable[[], object], words: str) -> None:
        """One step of the person; then the dialogue as it is now, and `words`."""
        before = self.page.stored.stage if self.page else None
        with self._asking():
            try:
                step()
            finally:
                # Refused, it may have been another window that was quicker: then this shows what it did.
                self._again()
            if before is not Stage.AGREED and self.page is not None and self.page.stored.stage is Stage.AGREED:
                words += " " + _("It has to be approved again.")
            self.tell(words)

    def _in_front(self) -> bool:
        return self.page is not None and not self.barred and not self.has_class("small")

    # -- edits

    def action_edit(self, direction: int) -> None:
        """To the next edit, or the one before; at the end it stays and says so."""
        if not self._in_front():
            return
        there = self.look.here + direction
        if not self.edits:
            self.tell(_("This dialogue has no edits; {key} goes to the next one").format(key=self._key("forward")))
        elif not 0 < there <= len(self.edits):
            end = _("This is the last edit; {key} goes to the next dialogue") if direction > 0 else ""
            self.tell(end.format(key=self._key("forward")) if end else _("This is the first edit"))
        else:
            self.look.here = there
            self.show()

    def _standing(self) -> TextEdit | None:
        """The edit in front if it can be taken back; else what is in the way is said."""
        if not self._in_front():
            return None
        edit = self.edit
        if edit is None:
            self.tell(_("There is no edit to take back here"))
        elif edit.why_not:
            self.tell(
                _("It does not stand: {why}; {key} undoes your last step").format(
                    why=textwords.why(edit), key=self._key("undo")
                )
            )
        else:
            return edit
        return None

    def action_take_back(self) -> None:
        """This edit."""
        edit = self._standing()
        if edit is not None and self.page is not None:
            uid = self.page.stored.uid
            words = _("Taken back: the text reads as before here. {key} undoes.").format(key=self._key("undo"))
            self._reopening.before(
                self.page.stored,
                lambda: self._do(
                    lambda: self._store.texts.take_back(uid, self.person, edit.message, *edit.anchor), words
                ),
            )

    def action_rule(self) -> None:
        """Its rule, in this dialogue."""
        edit = self._standing()
        if edit is not None and self.page is not None:
            uid, rule = self.page.stored.uid, edit.rule.split("+")[0]
            count = sum(rule in e.rule.split("+") for e in self.edits if not e.why_not)
            words = _("The rule {rule} is taken back in this dialogue: {n} {n:edit|edits}. {key} undoes.").format(
                rule=rule_name(rule), n=count, key=self._key("undo")
            )
            self._reopening.before(
                self.page.stored,
                lambda: self._do(lambda: self._store.texts.take_back_rule(uid, self.person, rule), words),
            )

    def action_rule_of_project(self) -> None:
        """Its rule, for the whole project: asks first."""
        edit = self._standing()
        if edit is None:
            return
        rule = edit.rule.split("+")[0]
        question = _("Turn the rule {rule} off for the whole project?").format(rule=rule_name(rule))
        words = told(RULES.get(rule, ""))
        options = [
            (
                rule,
                _("off: {words} – no more, in any dialogue; approved texts it changed are open again").format(
                    words=words
                ),
            ),
            ("", _("leave it as it is")),
        ]
        self.app.push_screen(Choice(question, options), self._rule_chosen)

    def _rule_chosen(self, rule: str | None) -> None:
        if rule:
            off = (*self._store.settings.rules_off, rule)
            self._do(
                lambda: self._store.change_settings(self.person, rules_off=off),
                _("The rule {rule} is off for the whole project. {key} undoes.").format(
                    rule=rule_name(rule), key=self._key("undo")
                ),
            )

    def action_undo(self) -> None:
        """The last step, wherever it was. A held key undoes one."""
        if not self.has_class("small"):
            self._undo_key.press()

    def _undo(self) -> None:
        with self._asking():
            found = self._store.history.undo_last(self.person)
            if found is None:
                self.tell(_("Nothing to undo: you took nothing back and told no dialect"))
                return
            kind, uid = found
            if uid and (self.page is None or self.page.stored.uid != uid):
                self._lay(uid)
            else:
                self._again()
            self.tell(told(UNDONE[kind]))

    # -- dialect

    def action_confirm(self) -> None:
        """The dialect is what the words say."""
        if not self._in_front():
            return
        if self.tag is None or not self.tag.machine:
            self.tell(_("The dialect is still being looked for"))
        else:
            self._dialect_chosen(self.tag.machine)

    def action_dialect(self) -> None:
        """It is another one."""
        if self._in_front():
            now = self.tag.tag if self.tag else ""
            self.app.push_screen(dialect_choice(_("Which dialect is it?"), now), self._dialect_chosen)

    def _dialect_chosen(self, tag: str | None) -> None:
        if tag is None or self.page is None:
            return
        uid = self.page.stored.uid
        words = _("The dialect is {name}, you say. {key} undoes.").format(name=dialect_name(tag), key=self._key("undo"))
        self._do(lambda: self._store.dialects.tell(uid, self.person, tag), words)

    # -- views

    def action_view(self) -> None:
        """Both texts, the old one, the new one."""
        self.look.view = VIEWS[(VIEWS.index(self.look.view) + 1) % len(VIEWS)]
        self.show()

    def action_slang(self) -> None:
        """Notes on slang, or none."""
        if self._in_front():
            self.look.slang = not self.look.slang
            self.show()
            self.tell(_("Notes on slang are shown") if self.look.slang else _("Notes on slang are hidden"))

    def action_gloss(self) -> None:
        """Dialect words said in standard Mandarin, to look at; or no more."""
        if not self._in_front() or self.page is None:
            return
        if self.look.glossed:
            self.look.glossed = False
            self.show()
            return
        self.tell(_("Looking for what it says in Mandarin…"))
        uid, texts = self.page.stored.uid, [message.now for message in self.page.messages]

        def look() -> None:
            from curation.dialects import gloss

            said = {n: other for n, text in enumerate(texts) if (other := gloss(text)) != text}
            self.post_message(self.Glossed(uid, said))

        self.run_worker(look, thread=True, group="gloss", exclusive=True)

    @on(Glossed)
    def _glossed(self, message: Glossed) -> None:
        said = message.said
        if self.page is None or self.page.stored.uid != message.uid:
            return
        self.look.gloss, self.look.glossed = said, bool(said)
        self.show()
        self.tell(
            _("A view in Mandarin stands below {n} {n:message|messages}; it is not kept").format(n=len(said))
            if said
            else _("No dialect word here that could be said in Mandarin")
        )

    # -- getting about

    def action_step(self, direction: int) -> None:
        """The next agreed dialogue, or the one before."""
        if self.has_class("small"):
            return
        with self._asking():
            uid = (
                self._store.texts.step(self.page.stored.uid, direction)
                if self.page is not None
                else self._store.texts.first()
            )
            if uid is not None:
                self._lay(uid)
            elif self.page is not None:
                self.tell(_("This is the last one") if direction > 0 else _("This is the first one"))

    def action_home(self) -> None:
        """Back to the overview, or to quality control where one came from there."""
        if self._asked_for is None:
            self.post_message(Wanted("home"))
        else:
            self.post_message(Wanted("quality", dialogue=self.page.stored.uid if self.page else None))
