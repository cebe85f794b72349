"""Live agreement as a whole screen: the lead watches it while others score, in this file or in other windows on it."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from curation.work.scoring import Advice, Panel
from screens.base import WorkScreen
from screens.feed import PanelFeed
from screens.figurewords import EVERY_DIMENSION, advice_lines, panel_lines, panel_page
from screens.lines import fold
from screens.livepanel import PanelFound
from screens.locale import _
from screens.messages import Wanted
from screens.page import Page
from screens.scoredesk import whole_rubric

if TYPE_CHECKING:
    from db.project import Project

INTERVALS_AFTER = 10.0  # seconds after which intervals that are behind the figures are computed


class LiveScreen(WorkScreen):
    """Every dimension with its figures, what would raise agreement, and why a figure is missing."""

    NAME = "live"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "live.tcss"]

    def __init__(self, project: Project, person: str, keymap: dict[str, tuple[str, ...]]) -> None:
        super().__init__(project, person, keymap)
        self.panel: Panel | None = None
        self._advice: Advice | None = None
        self._behind = False
        self._feed = PanelFeed(project.path, person, lambda panel: self.post_message(PanelFound(panel)))

    def body(self) -> list[Widget]:
        """One text that scrolls."""
        from textual.containers import VerticalScroll

        return [VerticalScroll(Static(id="figures", markup=False), id="scroll")]

    def begin(self) -> None:
        """Look now, intervals too."""
        self.query_one("#scroll").focus()
        self._feed.ask(intervals=True)
        self.show()

    def on_unmount(self) -> None:
        """Nothing is looked at any more."""
        self._feed.stop()

    def at_rest(self) -> bool:
        """Figures are computed beside the keys, and what is read stays where it is: whoever scrolls need not wait."""
        return self.is_current

    def catch_up(self) -> None:
        """Other scores, other figures."""
        self._feed.ask()

    def _when_behind(self) -> None:
        self._behind = False
        self._feed.ask(intervals=True)

    @on(PanelFound)
    def _found(self, message: PanelFound) -> None:
        # Advice comes with the intervals; in between the last one stands.
        self._advice = message.panel.advice or self._advice
        if message.panel.intervals_of != message.panel.closed and not self._behind:
            self._behind = True
            self.set_timer(INTERVALS_AFTER, self._when_behind)
        if message.panel != self.panel:
            self.panel = message.panel
            self.show()

    def resized(self) -> None:
        """Fold anew."""
        self.show()

    def show(self) -> None:
        """The words, folded to the width there is."""
        assert self.project is not None
        self.line("header").put(f"{self.project.path.name} · {self.person}", _("agreement, live"))
        width = max(self.app.size.width - 3, 20)
        if self.panel is None:
            words = ["…"]
        else:
            words = panel_lines(self.panel, EVERY_DIMENSION, width, advice=False)
            if self._advice is not None and not self.panel.hidden:
                words += ["", *advice_lines(self._advice)]
            words[1:1] = [""]
        shown = [part for line in words for part in fold(line, width)]
        self.query_one("#figures", Static).update(Content("\n".join(shown)))

    def action_now(self) -> None:
        """Look again, intervals too."""
        self._feed.ask(intervals=True)
        self.tell(_("Looking…"))

    def action_explain(self) -> None:
        """Every figure with its n, and what they mean."""
        if self.panel is not None:
            self.app.push_screen(Page(_("Agreement"), panel_page(self.panel)))

    def action_rubric(self) -> None:
        """The rubric, the dimension that would raise agreement most first."""
        self.app.push_screen(Page(_("Rubric"), whole_rubric(self._advice.dimension if self._advice else "")))

    def action_home(self) -> None:
        """Back to the overview."""
        self.post_message(Wanted("home"))
