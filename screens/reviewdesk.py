"""What the review screen is made of: a dialogue in front, what is shown of it, what counts as read, and asking the store."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.widget import Widget

from curation.errors import WorkbenchError
from curation.work.review import Hit, Place, Reviewed, ReviewPage
from screens import reviewwords as words
from screens.base import WorkScreen
from screens.display import visible
from screens.held import Once
from screens.home import STAGE_WORDS
from screens.lines import fold
from screens.locale import _, told
from screens.marked import Row, Run, places
from screens.reviewpage import Look, laid_out
from screens.reviewside import Counted, Scanned, Side
from screens.widgets.rows import RowsView

if TYPE_CHECKING:
    from db.project import Project

DWELL = 0.25  # seconds that a page is before a reader before its turns count as read
REST = 0.35  # seconds on one finding before its value is looked for in the whole project
SAVE = 1.0  # seconds after which what was read is written down


class ReviewDesk(WorkScreen):
    """Reads like this: how far the review is, the dialogue with its findings and how it will read, then the finding in
    front in words, then where else it stands. The keys are in the classes above it."""

    NAME = "review"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "review.tcss"]

    def __init__(
        self,
        project: Project,
        person: str,
        keymap: dict[str, tuple[str, ...]],
        *,
        pace: float = DWELL,
        wanted: str | None = None,
    ) -> None:
        super().__init__(project, person, keymap)
        self.page: ReviewPage | None = None
        self.look = Look()
        self.curator = False
        self.known = False
        self.pace = pace
        self._wanted = wanted
        self._since = float("-inf")
        self._unsaved: set[int] = set()
        self.elsewhere: dict[tuple[str, Place, str], tuple[int, int]] = {}
        self._step: Callable[[], object] = lambda: None
        self._key_once = Once(self, lambda: self._step())
        self.side = Side(self, project.path)

    # -- the parts

    def body(self) -> list[Widget]:
        """Standing, dialogue, finding, where else."""
        from screens.widgets.line import Line

        return [Line("standing"), RowsView("rows"), Line("finding"), Line("more")]

    @property
    def view(self) -> RowsView:
        """The dialogue."""
        return self.query_one("#rows", RowsView)

    @property
    def store(self) -> Project:
        """The project."""
        assert self.project is not None
        return self.project

    @property
    def uid(self) -> str:
        """The dialogue in front; "" for none."""
        return self.page.stored.uid if self.page is not None else ""

    @property
    def finding(self) -> Reviewed | None:
        """The finding in front."""
        found = self.page.findings if self.page is not None else ()
        return found[self.look.here - 1] if 0 < self.look.here <= len(found) else None

    @property
    def hit(self) -> Hit | None:
        """What the output still shows, in front."""
        count = len(self.page.findings) if self.page is not None else 0
        at = self.look.here - count - 1
        return self.look.hits[at] if 0 <= at < len(self.look.hits) else None

    @property
    def place(self) -> Place | None:
        """Where the finding in front stands."""
        one = self.finding
        return None if one is None else (one.span.message, one.span.start, one.span.end)

    def begin(self) -> None:
        """Lay the dialogue that was asked for, else the first with something undecided."""
        self.set_focus(self.view)
        self.set_interval(SAVE, self.flush)
        with self.asking():
            self.curator = self.store.people.curates(self.person)
            self.known = self.curator or self.store.people.find(self.person) is not None
            self.lay((self._wanted or self.store.reviews.pages.first()) if self.known else None)

    def catch_up(self) -> None:
        """A dialogue that waits, where none did; else how many wait, and the one in front as it is now."""
        if not self.known:
            return
        with self.asking():
            if self.page is None:
                self.lay(self.store.reviews.pages.first())
                return
            now = self.store.reviews.page(self.uid, self.person)
            if now == self.page:
                return
            if (now.stored, now.messages, now.findings) != (self.page.stored, self.page.messages, self.page.findings):
                self.look.hits = ()  # of an output that may be another one by now
            self.again(now=now)
            self._to_first_open()

    def at_rest(self) -> bool:
        """Not while a span is being marked: nothing moves under the caret."""
        return super().at_rest() and self.look.caret is None

    # -- another dialogue

    def lay(self, uid: str | None) -> None:
        """Put a dialogue in front; its first undecided finding with it."""
        self.flush()
        self.leave_marking()
        self.look = Look()
        self.page = None
        if uid is not None:
            self._read(uid)
            if self.page is not None and self.page.scanned:
                self.side.scan(uid, known=True)  # the next one, meanwhile
            self.look.here = (self.page.open[0] + 1) if self.page and self.page.open else min(len(self.numbers()), 1)
        self.show(anew=True)
        self._since = time.monotonic()

    def _read(self, uid: str, now: ReviewPage | None = None) -> None:
        self.page = now or self.store.reviews.page(uid, self.person)
        self.look.masked = not self.curator and self.store.settings.mask
        self.look.read = {t for t in self.page.turns if self.person in self.page.seen.get(t, ())} | self._unsaved
        if not self.page.scanned:
            self.side.scan(uid, known=False)

    def leave_marking(self) -> None:
        """The dialogue has the keyboard again."""
        if self.look.caret is not None:
            self.look.caret = None
            self.set_focus(self.view)

    def again(self, place: Place | None = None, *, now: ReviewPage | None = None) -> None:
        """The same dialogue as it is now; the finding at `place` in front, else the one that was."""
        if self.page is None:
            return
        before = place or self.place
        self._read(self.uid, now)
        assert self.page is not None
        found = [
            n
            for n, one in enumerate(self.page.findings, 1)
            if before and one.span.message == before[0] and one.span.start < before[2] and before[1] < one.span.end
        ]
        self.look.here = found[0] if found else min(self.look.here, len(self.numbers()))
        self.show()

    def numbers(self) -> range:
        """The numbers of the findings, and of what the output still shows."""
        count = (len(self.page.findings) if self.page is not None else 0) + len(self.look.hits)
        return range(1, count + 1)

    @on(Scanned)
    def _scanned(self, message: Scanned) -> None:
        if message.uid == self.uid and self.page is not None and not self.page.scanned:
            with self.asking():
                self.again()
                self._to_first_open()

    def _to_first_open(self) -> None:
        """Where no finding was in front: the first undecided one."""
        if self.page is not None and not self.look.here and self.page.open:
            self.look.here = self.page.open[0] + 1
            self.show()

    # -- showing

    def show(self, *, anew: bool = False) -> None:
        """Everything, after another dialogue, finding, decision or language."""
        self.show_header()
        self._show_standing()
        self._show_finding()
        self.view.put(self._rows, anew=anew)
        if anew:
            self.bring()
        self.show_quiet()

    def _rows(self, width: int, plain_emoji: bool) -> list[Row]:
        if self.page is None:
            said = words.of_nothing(self.key) if self.known else words.of_nobody(self.person, self.key)
            return [[Run("  " + line)] for line in ["", *fold(said, width - 4)]]
        return laid_out(self.page, self.look, width, plain_emoji)

    def show_header(self) -> None:
        """Project and person; dialogue, its place or stage, and how many wait."""
        left = f"{self.store.path.name} · {self.person}"
        right = ""
        if self.page is not None:
            left += f" · {visible(self.page.stored.external_id, one_line=True)}"
            right = _("{place} of {count} agreed").format(place=self.page.place, count=self.page.count)
            right = right if self.page.place else told(STAGE_WORDS[self.page.stored.stage])
            right += " · " + _("{n} {n:waits|wait}").format(n=self.page.waiting)
        self.line("header").put(left, right)

    def _show_standing(self) -> None:
        unread = [] if self.page is None else [t for t in self.page.turns if t not in self.look.read]
        said = "" if self.page is None else words.of_standing(self.page, self.person, unread, self.key)
        self.line("standing").put(said)

    def _show_finding(self) -> None:
        first = more = ""
        one, hit = self.finding, self.hit
        if self.page is not None and self.look.caret is not None:
            caret = self.look.caret
            first = _("marking: arrows move, m begins, Enter ends, Esc leaves")
            text = self.page.messages[caret.message].text[slice(*caret.span)]
            more = _("marked: {text}").format(text=visible(text, one_line=True)) if text else ""
        elif self.page is not None and one is not None:
            if self.look.masked and self.place not in self.page.revealed:
                first = words.of_masked(self.look.here, len(self.numbers()), one, self.key)
            else:
                first = words.of_finding(self.look.here, len(self.numbers()), one)
                more = words.of_links(self.page, one, self.elsewhere.get((self.uid, self.place or (0, 0, 0), one.text)))
                self._ask_elsewhere(one)
        elif hit is not None:
            first = words.of_hit(self.look.here, len(self.numbers()), hit, self.key)
        elif self.page is not None and self.page.scanned:
            first = _("nothing was found here; read it all the same: {key} marks what you find").format(
                key=self.key("mark")
            )
        self.line("finding").put(first)
        self.line("more").put(more)

    def _ask_elsewhere(self, one: Reviewed) -> None:
        """Have the value looked for in the whole project, once the reader rests on it."""
        uid, place = self.uid, self.place
        if place is None or not self.curator or (uid, place, one.text) in self.elsewhere:
            return

        def ask() -> None:
            if (uid, place) == (self.uid, self.place):
                self.side.count(uid, place, one.text)

        self.set_timer(REST, ask)

    @on(Counted)
    def _counted(self, message: Counted) -> None:
        self.elsewhere[message.uid, message.place, message.text] = message.found
        if message.uid == self.uid and message.place == self.place:
            self._show_finding()

    def show_quiet(self) -> None:
        """What the signs mean, and how much lies below."""
        if self.said:
            return
        below = self.view.below
        rest = _("{n} {n:line|lines} below ↓").format(n=below) if below and self.page is not None else ""
        signs = _("signs: ? undecided  + accepted  - rejected  > how it will read  . turn read")
        self.line("told").put(signs if self.page is not None else "", rest)

    def key(self, action: str) -> str:
        """The first key of an action, as it is shown."""
        return self.key_of(f"review_{action}")

    @on(RowsView.Moved)
    def _moved(self) -> None:
        self._since = time.monotonic()
        self.show_quiet()

    # -- reading

    def pressed(self, key: str) -> None:
        """A key came in: what was told has been seen, and so have the turns on the screen."""
        super().pressed(key)
        self._have_read()

    def _have_read(self) -> None:
        """The turns that stand whole before the reader, and have for a moment, are read."""
        if self.page is None or not self.page.scanned or self.has_class("small"):
            return
        if time.monotonic() - self._since < self.pace:
            return
        top = self.view.scroll_offset.y
        bottom = top + self.view.scrollable_content_region.height
        height = bottom - top
        new = {
            turn
            for turn, (first, last) in self.look.rows.items()
            if turn not in self.look.read
            and last < bottom
            and (first >= top or (last - first >= height and last >= top))
        }
        if new:
            self.look.read |= new
            self._unsaved |= new
            self.view.fold_anew()
            self._show_standing()

    def flush(self) -> None:
        """Write down what was read."""
        if self.page is not None and self._unsaved:
            turns, self._unsaved = self._unsaved, set()
            with self.asking():
                self.store.reviews.see(self.uid, self.person, turns)

    def to_unread(self) -> bool:
        """To the first turn that is not read yet. False when all are."""
        unread = [turn for turn in self.page.turns if turn not in self.look.read] if self.page is not None else []
        if unread and unread[0] in self.look.rows:
            self.view.scroll_to(y=self.look.rows[unread[0]][0], animate=False, immediate=True)
        return bool(unread)

    def in_view(self, number: int) -> bool:
        """Whether the reader sees a finding."""
        first, last = places(self.view.rows).get(number, (-1, -1))
        top = self.view.scroll_offset.y
        return first >= 0 and top <= first and last < top + self.view.scrollable_content_region.height

    def bring(self) -> None:
        """Scroll to the finding in front, unless an unread turn would be passed by on the way: then to that one."""
        if self.page is None or not self.look.here or self.in_view(self.look.here):
            return
        first = places(self.view.rows).get(self.look.here, (-1, -1))[0]
        bottom = self.view.scroll_offset.y + self.view.scrollable_content_region.height
        skipped = [
            rows[0]
            for turn, rows in self.look.rows.items()
            if turn not in self.look.read and rows[1] < first and rows[1] >= bottom
        ]
        if skipped and first >= bottom:
            self.view.scroll_to(y=min(skipped), animate=False, immediate=True)
        else:
            self.view.bring(self.look.here)

    # -- asking the store

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Ask the store; what it refuses is shown."""
        try:
            yield
        except WorkbenchError as error:
            self.fail(error)

    def once(self, step: Callable[[], object]) -> None:
        """A step that decides: a held key, or a burst of them, does it once."""
        self._step = step
        self._key_once.press()

    def do(self, step: Callable[[], object], said: str, *, then: Place | None = None) -> bool:
        """One step of the person; then the dialogue as it is now, and words. Whether it was done."""
        with self.asking():
            try:
                step()
            finally:
                # Refused, it may have been another window that was quicker: then this shows what it did.
                self.look.hits = ()
                self.again(then)
            self.tell(said)
            return True
        return False

    def ready(self) -> bool:
        """Whether there is a dialogue in front that this person may decide on; else it says why not."""
        if self.page is None or self.has_class("small") or self.look.caret is not None:
            return False
        if not self.curator:
            self.tell(_("Deciding on identifiers is a curator's step; {key} shows what is masked").format(
                key=self.key("reveal")))  # fmt: skip
            return False
        if not self.page.scanned:
            self.tell(_("The identifiers are still being looked for"))
            return False
        return True

    def seen_in_front(self) -> bool:
        """Whether the finding in front may be decided on: there is one, and the reader sees it."""
        if not self.ready():
            return False
        if not self.look.here:
            self.tell(_("There is no finding here; {key} marks one").format(key=self.key("mark")))
            return False
        if not self.in_view(self.look.here):
            self.view.bring(self.look.here)
            self.tell(_("Look at it first, then press it again"))
            return False
        return True

    # -- which finding

    def whats_left(self) -> str:
        """What to press when nothing is undecided any more: to read on, or that it is done."""
        if self.page is None or self.page.open:
            return ""
        if any(turn not in self.look.read for turn in self.page.turns):
            return " · " + _("{key} reads on").format(key=self.key("on"))
        return " · " + _("{key}: done").format(key=self.key("done"))

    def to_open(self) -> None:
        """The next undecided finding after the one in front, else the first; stay where there is none."""
        if self.page is None:
            return
        numbers = [n + 1 for n in self.page.open]
        later = [n for n in numbers if n > self.look.here]
        if numbers:
            self.look.here = (later or numbers)[0]
            self.show()
            self.bring()
