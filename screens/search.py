"""The search screen: what is looked for, under which filters, where it stands, and the dialogue around a place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import get_current_worker

from curation.errors import N_, UsageError, WorkbenchError
from curation.layers import Layer
from curation.stages import Stage
from curation.taxonomy import taxonomy
from screens.base import WorkScreen
from screens.display import visible
from screens.home import STAGE_WORDS
from screens.lines import packed
from screens.locale import _, language, ngettext, told, told_error
from screens.menu import Menu
from screens.messages import Wanted
from screens.names import DIALECT_NAMES
from screens.page import Number
from screens.places import Place, in_batches, painted, said_of
from screens.widgets.found import FoundView, Query
from screens.widgets.line import Line
from screens.widgets.table import PagedTable

if TYPE_CHECKING:
    from db.project import Project
    from db.search import Filters

MOST = 2000  # places listed; who needs more narrows the search
LAYERS = {
    Layer.RAW: N_("raw text"),
    Layer.SCRUBBED: N_("scrubbed text"),
    Layer.NORMALISED: N_("normalised text"),
    Layer.EDITED: N_("final text"),
}
ANY = "*"


class SearchScreen(WorkScreen):
    """Two looks: the list of places, and (`reading`) the dialogue of one of them. The search itself runs in a thread with a
    project of its own, and so does the making of the index."""

    NAME = "search"
    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "search.tcss"]

    class Found(Message):
        """The search numbered `run` found more places; at its `end` it says so, or how it failed."""

        def __init__(
            self, run: int, places: Sequence[Place], end: bool = False, error: WorkbenchError | None = None
        ) -> None:
            super().__init__()
            self.run, self.places, self.end, self.error = run, places, end, error

    class Indexed(Message):
        """So much of the project is in the index, of 1."""

        def __init__(self, part: float) -> None:
            super().__init__()
            self.part = part

    def __init__(self, project: Project, person: str, keymap: dict[str, tuple[str, ...]]) -> None:
        from db.search import Filters

        super().__init__(project, person, keymap)
        self.asked = ""
        self.at_layer = Layer.RAW
        self.filters: Filters = Filters()
        self.places: list[Place] = []
        self.running = False
        self._run = 0
        self._part = 1.0

    # -- the parts

    def body(self) -> list[Widget]:
        """The query, the filters, and the list or the dialogue."""
        from textual.containers import Horizontal

        query = Query("query")
        query._bindings = query._bindings.merge([self.in_text(), query._bindings])
        return [
            Horizontal(Line("slash"), query, id="ask"),
            Static(id="filters", markup=False),
            PagedTable("hits", painted),
            FoundView("found"),
        ]

    @property
    def box(self) -> Query:
        """Where the query is written."""
        return self.query_one("#query", Query)

    @property
    def table(self) -> PagedTable[Place]:
        """The list of places."""
        return self.query_one("#hits", PagedTable)

    @property
    def view(self) -> FoundView:
        """The dialogue."""
        return self.query_one("#found", FoundView)

    @property
    def reading(self) -> bool:
        """Whether a dialogue is shown."""
        return self.has_class("reading")

    def begin(self) -> None:
        """Ready to write."""
        self.show()
        self.action_find()
        self.run_worker(self._index, group="index", thread=True, exit_on_error=False)

    # -- showing

    def show(self) -> None:
        """Everything anew."""
        self.line("slash").put("/")
        self.box.placeholder = _("what to look for, then Enter")
        self.show_header()
        self.show_filters()
        self.show_quiet()
        if self.reading:
            self._lay()
        self.table.refresh()

    def resized(self) -> None:
        """The filters folded anew."""
        self.show_filters()

    def show_header(self) -> None:
        """Project and person; what is shown."""
        place = self.table.row if self.reading else None
        right = _("search")
        if place is not None:
            right = _("{dialogue}, turn {turn} · to read only").format(
                dialogue=visible(place.hit.external_id, one_line=True), turn=place.turn
            )
        self.line("header").put(f"{self._store.path.name} · {self.person}", right)

    def show_filters(self) -> None:
        """Every filter in words, each after its key."""
        filters = self.filters
        stage = told(STAGE_WORDS[filters.stage]) if filters.stage else _("any stage")
        situation = next((s.name(language()) for s in taxonomy().situations if s.id == filters.situation), "")
        person = visible(filters.person, one_line=True)
        rows = (
            ("find_layer", told(LAYERS[self.at_layer]) + ("" if self._sees_all else f" ({_('masked')})")),
            ("find_stage", stage),
            ("find_situation", situation or _("any situation")),
            ("find_dialect", _dialect_words(filters.dialect) if filters.dialect else _("any dialect")),
            ("find_person", _("assigned to {person}").format(person=person) if person else _("assigned to anyone")),
            ("find_since", _("since {day}").format(day=filters.since) if filters.since else _("since any day")),
            ("find_until", _("until {day}").format(day=filters.until) if filters.until else _("until any day")),
        )
        lines = packed((f"{self.key_of(action)}:{said}" for action, said in rows), max(self.app.size.width, 20))
        self.query_one("#filters", Static).update(Content("\n".join(lines)))

    def show_quiet(self) -> None:
        """How many places there are, and how far the index is."""
        if self.said:
            return
        count = len(self.places)
        dialogues = len({place.hit.uid for place in self.places})
        if not self.asked:
            words = ""
        elif self.running:
            words = _("searching … {n} so far").format(n=count)
        elif not count:
            words = _("Not found. Filters and layer stay on: {key} clears them").format(key=self.key_of("find_clear"))
        else:
            where = ngettext("{n} dialogue", "{n} dialogues", dialogues).format(n=dialogues)
            words = _("place {at} of {n} in {where}").format(at=self.table.cursor + 1, n=count, where=where)
            if count >= MOST:
                words += " · " + _("more were not listed: narrow the search")
        part = "" if self._part >= 1 else _("indexing {percent} %").format(percent=int(self._part * 100))
        self.line("told").put(words, part)

    @property
    def _sees_all(self) -> bool:
        return self._store.search.sees_all(self.person)

    # -- searching

    def action_find(self) -> None:
        """Into the box."""
        self.remove_class("reading")
        self.set_focus(self.box)
        self.call_after_refresh(self._focus_changed)

    def action_find_leave(self) -> None:
        """Out of the box; the list, or back where there is none."""
        if not self.asked:
            self.action_find_back()
            return
        self._to_list()

    def action_find_go(self) -> None:
        """Look for what is written."""
        if not self.box.written:
            self.tell(_("Write what to look for first"))
            return
        self.asked = self.box.written
        self._search()
        self._to_list()

    def _to_list(self) -> None:
        self.remove_class("reading")
        self.set_focus(self.table)
        self.show_header()
        self.call_after_refresh(self._focus_changed)

    def _focus_changed(self) -> None:
        self.show_keys(in_text=self.box.has_focus)

    def _search(self) -> None:
        """Begin anew, with the query and filters there are."""
        if not self.asked:
            return
        self.places = []
        self.table.put(self.places)
        self.running = True
        self._run += 1
        self.show_quiet()
        self.run_worker(
            partial(self._find, self._run, self.asked, self.at_layer, self.filters),
            group="find",
            exclusive=True,
            thread=True,
            exit_on_error=False,
        )

    def _find(self, run: int, text: str, layer: Layer, filters: Filters) -> None:
        """In a thread: find, and report a few at a time."""
        from db.project import Project

        worker = get_current_worker()
        try:
            with Project.open(self._store.path) as project:
                found = project.search.find(
                    text,
                    layer=layer,
                    limit=MOST,
                    filters=filters,
                    viewer=self.person,
                    stop=lambda: worker.is_cancelled,
                )
                for places in in_batches(project, found):
                    if worker.is_cancelled:
                        return
                    self.post_message(self.Found(run, places))
        except WorkbenchError as error:
            self.post_message(self.Found(run, (), True, error))
        else:
            self.post_message(self.Found(run, (), True))

    def on_search_screen_found(self, message: Found) -> None:
        """More places, of the search that counts."""
        message.stop()
        if message.run != self._run:
            return
        self.places.extend(message.places)
        self.running = not message.end
        self.table.put(self.places, self.table.cursor)
        if message.error is not None:
            self.tell(told_error(message.error), loud=True)
        self.show_quiet()

    def _index(self) -> None:
        """In a thread: make the index, step by step. What fails now is made another time."""
        from db.project import Project

        worker = get_current_worker()
        with suppress(WorkbenchError), Project.open(self._store.path) as project:
            for part in project.search.index.progress():
                if worker.is_cancelled:
                    return
                self.post_message(self.Indexed(part))

    def on_search_screen_indexed(self, message: Indexed) -> None:
        """The index grew."""
        message.stop()
        self._part = message.part
        self.show_quiet()

    # -- from place to place

    @on(PagedTable.Moved)
    def _moved(self) -> None:
        self.show_quiet()

    def action_open_place(self) -> None:
        """The dialogue of the place, at its turn."""
        if self.table.row is None:
            self.action_find()
            return
        self.add_class("reading")
        self.set_focus(self.view)
        # Laid out when it has its size.
        self.call_after_refresh(self._lay)

    def _lay(self) -> None:
        place = self.table.row
        if place is None or not self.reading:
            return
        hit = place.hit
        try:
            read = self._store.search.read(hit.uid, self.at_layer, self.person)
        except WorkbenchError as error:
            self._to_list()
            self.fail(error)
            return
        if read.texts[hit.message : hit.message + 1] != (hit.text,):
            self.tell(_("The text has changed since it was found"))
            self.view.put(said_of(read.stored.dialogue, read.texts))
        else:
            self.view.put_found(said_of(read.stored.dialogue, read.texts), hit.message, hit.start, hit.end)
        if read.stored.purged:
            self.tell(_("its originals were destroyed; what stands here is the text that was approved"))
        self.show_header()

    def action_next_place(self) -> None:
        """The next place."""
        self._step(1, _("That was the last place"))

    def action_previous_place(self) -> None:
        """The one before."""
        self._step(-1, _("That was the first place"))

    def _step(self, by: int, otherwise: str) -> None:
        if not self.table.go(self.table.cursor + by):
            self.tell(otherwise if self.places else _("There is no place to go to"))
        elif self.reading:
            self._lay()

    def action_find_back(self) -> None:
        """From the dialogue to the list, from the list to the overview."""
        if self.reading:
            self._to_list()
        else:
            self.post_message(Wanted("home"))

    # -- filters

    def _refine(self, filters: Filters) -> None:
        """Other filters; the search is made anew."""
        self.filters = filters
        self._changed()

    def _changed(self) -> None:
        self.remove_class("reading")
        self.show_filters()
        self.show_header()
        self._search()
        if not self.box.has_focus:
            self.set_focus(self.table)

    def action_find_layer(self) -> None:
        """The next layer."""
        if not self._sees_all:
            self.tell(_("Only a curator searches other layers; this one is masked"))
            return
        layers = list(LAYERS)
        self.at_layer = layers[(layers.index(self.at_layer) + 1) % len(layers)]
        self._changed()

    def _pick(self, title: str, options: Sequence[tuple[str, str]], now: str, wanted: Callable[[str], Filters]) -> None:
        """Have one of the options chosen; `wanted` makes the filters of what was chosen, "" for any."""

        def chosen(ident: str | None) -> None:
            if ident is not None:
                self._refine(wanted("" if ident == ANY else ident))

        self.app.push_screen(Menu(title, options, now or ANY), chosen)

    def action_find_stage(self) -> None:
        """Only dialogues at a stage."""
        options = [(ANY, _("any stage")), *((stage.value, told(words)) for stage, words in STAGE_WORDS.items())]
        now = self.filters.stage.value if self.filters.stage else ""
        self._pick(
            _("Dialogues at which stage?"),
            options,
            now,
            lambda value: replace(self.filters, stage=Stage(value) if value else None),
        )

    def action_find_situation(self) -> None:
        """Only dialogues that screening found to show a situation."""
        names = [(s.id, s.name(language())) for s in taxonomy().situations]
        title = _("Which situation? Only dialogues that both have decided")
        self._pick(
            title,
            [(ANY, _("any situation")), *names],
            self.filters.situation,
            lambda value: replace(self.filters, situation=value),
        )

    def action_find_dialect(self) -> None:
        """Only dialogues of a dialect."""
        from curation.dialects import DIALECTS

        options = [(ANY, _("any dialect")), *((name, _dialect_words(name)) for name in DIALECTS)]
        self._pick(
            _("Tagged with which dialect?"),
            options,
            self.filters.dialect,
            lambda value: replace(self.filters, dialect=value),
        )

    def action_find_person(self) -> None:
        """Only dialogues assigned to someone."""
        people = [(p.name, p.name) for p in self._store.people.everyone() if p.role != "curator"]
        self._pick(
            _("Assigned to whom?"),
            [(ANY, _("anyone")), *people],
            self.filters.person,
            lambda value: replace(self.filters, person=value),
        )

    def action_find_since(self) -> None:
        """Only messages of a day or later."""
        title = _("Since which day? Eight digits, as in 20270131")
        self._ask_day(title, lambda day: replace(self.filters, since=day))

    def action_find_until(self) -> None:
        """Only messages of a day or earlier."""
        title = _("Until which day? Eight digits, as in 20271231")
        self._ask_day(title, lambda day: replace(self.filters, until=day))

    def _ask_day(self, title: str, wanted: Callable[[str], Filters]) -> None:
        def typed(digits: str | None) -> None:
            if digits is None:
                return
            try:
                self._refine(wanted(f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"))
            except UsageError as error:
                self.tell(told_error(error))

        self.app.push_screen(Number(title), typed)

    def action_find_clear(self) -> None:
        """No filter, and the raw text."""
        from db.search import Filters

        self.filters, self.at_layer = Filters(), Layer.RAW
        self._changed()


def _dialect_words(name: str) -> str:
    return told(DIALECT_NAMES.get(name, name))
