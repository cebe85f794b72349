"""The interface: opens a project, shows its screens, and leaves the terminal as it found it, whatever happens."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.filter import Monochrome, NoColor
from textual.keys import _character_to_key
from textual.screen import Screen
from textual.widgets import Input, TextArea

import screens
from curation.errors import N_, WorkbenchError
from db.project import Project
from screens import actions, recent
from screens.base import WorkScreen
from screens.filter import ForeignBytes
from screens.help import help_words
from screens.keys import PACE, Gate, Verdict, folded
from screens.locale import _, told, told_error, use
from screens.messages import Wanted
from screens.page import Page
from screens.themes import MONO, THEMES, mono
from screens.widgets.dialogue import DialogueView
from screens.widgets.rationale import Rationale
from workbench.terminal import Start

REFUSED = {
    Verdict.CHINESE_INPUT: N_("Chinese input is on – press Shift to switch"),
    Verdict.PASTED: N_("Pasted text was ignored: no text box has the keyboard"),
    Verdict.NOT_UTF8: N_("The terminal does not send UTF-8 – set its encoding to UTF-8; the key was ignored"),
}

# Keys that work for whoever has left, too.
STILL = frozenset({"ctrl+q", "ctrl+c"})

SCREENS = Path(screens.__file__).parent


class WorkbenchApp(App[None]):
    """The interface over one project, or over none: then it offers the ones opened lately.

    Raises BadProject when there is no usable project at `path`, and UsageError for a key file that cannot be used.
    `lang` None is the project's language, without a project that of the environment.
    """

    TITLE = "workbench"
    # What the first screens need is read at the start, so that changing between them reads nothing; the rest bring theirs.
    CSS_PATH: ClassVar[list[Any]] = [SCREENS / f"{name}.tcss" for name in ("base", "page", "home", "screening")]
    ENABLE_COMMAND_PALETTE = True
    ALLOW_SELECT = False
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "how_to_quit", show=False, priority=True)]

    def __init__(
        self,
        path: Path | None = None,
        person: str = "curator",
        lang: str | None = None,
        start: Start = "home",
        *,
        pace: float = PACE,
        keymap: dict[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.keymap = actions.load_keymap(recent.key_file()) if keymap is None else keymap
        actions.check(self.keymap)
        self.project = Project.open(path) if path is not None else None
        self.lang = use(lang or (self.project.settings.lang if self.project else None))
        # The first screen does not bring its style sheet by itself.
        first = SCREENS / f"{start}.tcss"
        super().__init__(css_path=[*self.CSS_PATH, *([] if first in self.CSS_PATH else [first])])
        self.person = person
        self._start = start
        self._pace = pace
        self._gate = Gate()
        self._plain_emoji = False
        self.terminal_gone = False
        self._filters.append(ForeignBytes())
        self.register_theme(mono())
        if self.no_color:
            # Textual chose its filter for the theme it starts with, and that one has colours.
            self._filters = [f for f in self._filters if not isinstance(f, Monochrome)] + [NoColor()]
            self.theme = MONO

    # -- life

    def get_driver_class(self) -> type[Driver]:
        """Our own reader of keys where there is one."""
        if sys.platform == "win32":
            return super().get_driver_class()
        from textual import constants

        if constants.DRIVER is not None:
            return super().get_driver_class()
        from screens.driver import TolerantDriver

        return TolerantDriver

    def get_default_screen(self) -> Screen[Any]:
        """The screen that was asked for, at once: no empty one is painted before it."""
        screen = self._screen(self._start)
        # Pushed screens get this from Textual, the first one does not, and then could not be switched away from.
        screen._push_result_callback(screen, None)
        return screen

    def _screen(self, name: str, dialogue: str | None = None) -> WorkScreen:
        if self.project is not None and name != "home" and self.project.people.left(self.person) is not None:
            name = "home"  # which says that they have left; no other screen has anything for them
        if name == "screening" and self.project is not None and self.project.rounds.waiting(self.person):
            # Training, calibration and the like come before the real work.
            from screens.rounds import RoundScreen

            return RoundScreen(self.project, self.person, self.keymap, pace=self._pace)
        if name == "screening" and self.project is not None:
            from screens.screening import ScreeningScreen

            return ScreeningScreen(self.project, self.person, self.keymap, pace=self._pace)
        if name == "dispute" and self.project is not None:
            from screens.dispute import DisputeScreen

            return DisputeScreen(self.project, self.person, self.keymap, dialogue, pace=self._pace)
        if name == "raised" and self.project is not None:
            from screens.raised import RaisedScreen

            return RaisedScreen(self.project, self.person, self.keymap, pace=self._pace)
        if name == "scoring" and self.project is not None:
            from screens.scoring import ScoringScreen

            return ScoringScreen(self.project, self.person, self.keymap, pace=self._pace)
        if name == "live" and self.project is not None:
            from screens.live import LiveScreen

            return LiveScreen(self.project, self.person, self.keymap)
        if name == "expert" and self.project is not None:
            from screens.expert import ExpertScreen

            return ExpertScreen(self.project, self.person, self.keymap, pace=self._pace)
        if name == "search" and self.project is not None:
            from screens.search import SearchScreen

            return SearchScreen(self.project, self.person, self.keymap)
        if name == "quality" and self.project is not None:
            from screens.quality import QualityScreen

            return QualityScreen(self.project, self.person, self.keymap, dialogue)
        if name == "qualitylist" and self.project is not None:
            from screens.qualitylist import QualityListScreen

            return QualityListScreen(self.project, self.person, self.keymap, dialogue)
        if name == "review" and self.project is not None:
            from screens.review import ReviewScreen

            return ReviewScreen(self.project, self.person, self.keymap, pace=self._pace, wanted=dialogue)
        if name == "text" and self.project is not None:
            from screens.text import TextScreen

            return TextScreen(self.project, self.person, self.keymap, dialogue)
        if name == "inbox" and self.project is not None:
            from screens.inbox import InboxScreen

            return InboxScreen(self.project, self.person, self.keymap, pace=self._pace)
        if name == "agreement" and self.project is not None:
            from screens.agreement import AgreementScreen

            return AgreementScreen(self.project, self.person, self.keymap, pace=self._pace)
        if name == "coverage" and self.project is not None:
            from screens.coverage import CoverageScreen

            return CoverageScreen(self.project, self.person, self.keymap, pace=self._pace)
        from screens.home import HomeScreen

        return HomeScreen(self.project, self.person, self.keymap)

    def on_mount(self) -> None:
        """Listen to signals, and note which project is open."""
        self.call_after_refresh(self._started)
        self.app_resume_signal.subscribe(self, lambda _app: self.refresh(repaint=True, layout=True))
        if not self.is_headless and sys.platform != "win32":
            loop = asyncio.get_running_loop()
            for name in (signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(name, self._told_to_end, name)

    def _started(self) -> None:
        """The first screen is painted: what could wait for that."""
        if not gc.isenabled():
            # All that was made so far is passed over from here on, so that no key waits while it is gone through.
            gc.freeze()
            gc.enable()
        if self.project is not None:
            recent.remember(self.project.path)

    def _told_to_end(self, number: signal.Signals) -> None:
        self.flush()
        self.exit(return_code=128 + number)

    async def on_terminal_gone(self) -> None:
        """The terminal was closed under us: the same as being hung up on."""
        self.terminal_gone = True
        self._told_to_end(signal.SIGHUP)

    def flush(self) -> None:
        """Have every screen save what is only on it."""
        for screen in self.screen_stack:
            if isinstance(screen, WorkScreen):
                screen.flush()

    async def action_quit(self) -> None:
        """Save and leave."""
        self.flush()
        self.exit()

    async def on_unmount(self) -> None:
        """The project is closed last."""
        if self.project is not None:
            self.project.close()
            self.project = None

    def _fatal_error(self) -> None:
        """Tell of a crash by kinds and places alone: values, and so what people wrote, stay out of the terminal."""
        error = sys.exc_info()[1] or self._exception
        self._save_what_can_be()
        lines = [_("The program stopped because of an error of its own. What was typed is saved.")]
        if error is not None:
            lines.append(f"{type(error).__module__}.{type(error).__qualname__}")
            for frame in traceback.extract_tb(error.__traceback__):
                lines.append(f"  {frame.filename}:{frame.lineno} {frame.name}")
        self._exit_renderables.append(Text("\n".join(lines)))
        self._close_messages_no_wait()

    def _handle_exception(self, error: Exception) -> None:
        """As Textual does, but never with the error's own picture of itself, which may show what people wrote."""
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self._fatal_error()

    def _save_what_can_be(self) -> None:
        try:
            self.flush()
        except Exception:
            # Whatever broke may break this too; the last saved draft is at most a moment old.
            return

    # -- keys

    async def on_event(self, event: events.Event) -> None:
        """Keys are judged here before anything else sees them."""
        from screens.driver import KeysArrived

        if isinstance(event, KeysArrived):
            self._gate.announce(event.count, spoiled=event.spoiled)
        elif isinstance(event, events.Key) and not event.is_forwarded:
            await self._key(event)
        elif isinstance(event, events.Paste) and not event.is_forwarded and not self._typing():
            self.tell(told(REFUSED[Verdict.PASTED]))
        else:
            await super().on_event(event)

    def _typing(self) -> bool:
        return isinstance(self.focused, (TextArea, Input))

    async def _key(self, event: events.Key) -> None:
        typing = self._typing()
        character = event.character if typing else folded(event.character)
        verdict = self._gate.judge(character, event.time)
        if character == "\ufffd" or (not typing and verdict is not Verdict.PASS):
            self.tell(told(REFUSED[Verdict.NOT_UTF8 if character == "\ufffd" else verdict]))
            return
        key = event.key
        if character is not None and character != event.character:
            key = _character_to_key(character)
        screen = self.screen
        if isinstance(screen, WorkScreen):
            screen.pressed(key)
            if key not in STILL and self._sent_home(screen):
                return
        if await self._check_bindings(key, priority=True):
            return
        box = self.focused
        if isinstance(box, Rationale):
            # In the order they came: the box has taken one key before the next is looked at.
            if not await box.take(event) and not await self._check_bindings(key):
                await super().on_event(event)
        elif typing or not await self._check_bindings(key):
            await super().on_event(events.Key(key, character))

    def tell(self, words: str) -> None:
        """Say something on the screen there is."""
        screen = next((s for s in reversed(self.screen_stack) if isinstance(s, WorkScreen)), None)
        if screen is not None and screen is self.screen:
            screen.tell(words)
        else:
            self.bell()

    # -- from screen to screen

    def _sent_home(self, screen: WorkScreen) -> bool:
        """Whoever was retired while a screen was open is told so at the next key, which does nothing else."""
        if screen.NAME == "home" or not screen.left_words():
            return False
        self.post_message(Wanted("home"))
        return True

    async def on_wanted(self, message: Wanted) -> None:
        """Another screen, person or project."""
        if message.person is not None:
            self.person = message.person
        before = None
        if message.path is not None:
            try:
                project = Project.open(message.path)
            except WorkbenchError as error:
                self.push_screen(Page(_("This could not be done"), told_error(error)))
                return
            before, self.project = self.project, project
            recent.remember(message.path)
        if message.person is None or message.screen != "home":
            screen = self._screen(message.screen, message.dialogue)
            await self.switch_screen(screen)
            if screen.NAME == "home" and (words := screen.left_words()):
                screen.call_after_refresh(screen.tell, words)
        if before is not None:
            before.close()  # after its screen, which looks into it now and then

    # -- actions for every screen

    def action_help(self) -> None:
        """The keys of this screen."""
        screen = self.screen
        if isinstance(screen, WorkScreen):
            self.push_screen(Page(_("Keys"), help_words(screen.actions)))

    def action_next_theme(self) -> None:
        """The next theme."""
        at = THEMES.index(self.theme) if self.theme in THEMES else -1
        self.theme = THEMES[(at + 1) % len(THEMES)]

    def action_next_language(self) -> None:
        """The other language."""
        self.lang = use("en" if self.lang == "zh" else "zh")
        for screen in self.screen_stack:
            if isinstance(screen, WorkScreen):
                screen.show()
                screen.show_keys()

    def action_plain_emoji(self) -> None:
        """Emoji without presentation and skin tone, or with."""
        self._plain_emoji = not self._plain_emoji
        from screens.widgets.rows import RowsView

        for view in [*self.screen.query(DialogueView), *self.screen.query(RowsView)]:
            view.plain_emoji = self._plain_emoji
            view.fold_anew()

    def action_write_keys(self) -> None:
        """The key file, for whoever wants other keys."""
        path = recent.key_file()
        if path.exists():
            self.tell(_("The key file is there already: {path}").format(path=path))
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actions.key_file(self.keymap), encoding="utf-8")
        except OSError as error:
            self.tell(_("The key file could not be written: {problem}").format(problem=error.strerror))
            return
        self.tell(_("Keys written to {path}; what you change there counts from the next start").format(path=path))

    def action_how_to_quit(self) -> None:
        """Ctrl+C has other uses; say what leaves."""
        self.tell(_("Ctrl+Q leaves the program; everything is saved"))

    def action_command_palette(self) -> None:
        """The palette, in the language in use."""
        from textual.command import CommandPalette

        if not any(isinstance(screen, CommandPalette) for screen in self.screen_stack):
            self.push_screen(CommandPalette(placeholder=_("Search for an action…"), id="--command-palette"))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The actions of this screen; their ids find them too, typed in ASCII."""
        if isinstance(screen, WorkScreen):
            for action in screen.actions:
                if action.palette:
                    yield SystemCommand(
                        f"{told(action.words)} ({action.id})", "", lambda does=action.does: self._run(screen, does)
                    )

    def _run(self, screen: WorkScreen, does: str) -> None:
        if self._sent_home(screen):
            return
        self.call_later(self.run_action, does, screen)
