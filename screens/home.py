"""The overview: the funnel in numbers and bars, what waits for whom, and what to press next."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import on
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from curation.errors import N_, NotFound, WorkbenchError
from curation.stages import Stage
from curation.work import Status
from curation.work.rounds import ROUNDS
from db.curating import CURATOR
from screens.base import WorkScreen
from screens.display import visible
from screens.lines import fitted, fold
from screens.locale import _, told, told_error
from screens.messages import Wanted
from screens.page import Choice
from screens.recent import recent

if TYPE_CHECKING:
    from textual.containers import VerticalScroll

    from db.project import Project

STAGE_WORDS = {
    Stage.IMPORTED: N_("imported, rules not applied"),
    Stage.REJECTED: N_("rejected by the rules"),
    Stage.CANDIDATE: N_("candidate"),
    Stage.DISPUTED: N_("disputed"),
    Stage.DROPPED: N_("dropped"),
    Stage.AGREED: N_("agreed"),
    Stage.APPROVED: N_("approved"),
    Stage.RELEASED: N_("released"),
    Stage.WITHDRAWN: N_("withdrawn"),
}
ROLE_WORDS = {"curator": N_("curator"), "annotator": N_("annotator"), "expert": N_("expert")}
BAR = 40


@dataclass(frozen=True)
class Counts:
    """How things stand for one person: the project in numbers; the screen at which scores or answers wait, and how many ("", 0
    for none); the round that comes before their work; what their inbox holds unread; whether they are a curator."""

    status: Status
    waits: tuple[str, int]
    first: str
    unread: int
    curates: bool


def _counted(project: Project, person: str) -> Counts:
    status = project.status()
    row = status.people.get(person)
    waits, first, unread = ("", 0), "", 0
    if row is not None:
        expert = row["role"] == "expert"
        left = (project.expert if expert else project.scoring).progress(person).left
        waits = ("expert", left) if expert else ("scoring", left) if left else ("", 0)
        first, unread = project.rounds.waiting(person), project.inbox.unread(person)
    return Counts(status, waits, first, unread, project.people.curates(person))


def _must_be_known(project: Project, person: str) -> None:
    """Refuse (NotFound) a name that nobody here bears; the one that stands for a curator need not be borne."""
    if person != CURATOR:
        project.people.get(person)


class HomeScreen(WorkScreen):
    """Counts of the project and nothing of what anyone decided; without a project, the ones opened lately."""

    NAME = "home"
    KEY_LINES = 2

    class Counted(Message):
        """How things stand for a person, counted in another thread."""

        def __init__(self, person: str, counts: Counts) -> None:
            super().__init__()
            self.person, self.counts = person, counts

    CSS_PATH: ClassVar[list[str | PurePath]] = ["base.tcss", "home.tcss"]

    def body(self) -> list[Widget]:
        """One text that scrolls."""
        from textual.containers import VerticalScroll

        return [VerticalScroll(Static(id="overview", markup=False), id="scroll")]

    def begin(self) -> None:
        """Count and fill."""
        self._status: Status | None = None
        self._trouble = ""
        self._waits: tuple[str, int] = ("", 0)
        self._first, self._unread = "", 0
        self._curates = False
        self.query_one("#scroll").focus()
        self._count()
        self.show()

    def _count(self) -> None:
        if self.project is None:
            return
        try:
            self._put(_counted(self.project, self.person))
            _must_be_known(self.project, self.person)
        except NotFound as error:
            self._trouble = told_error(error)
            self.fail(error)
        except WorkbenchError as error:
            self._trouble = told_error(error)

    def _put(self, counts: Counts) -> None:
        self._status, self._waits, self._curates = counts.status, counts.waits, counts.curates
        self._first, self._unread, self._trouble = counts.first, counts.unread, ""

    def catch_up(self) -> None:
        """Counted again, beside the keys: in a large project that takes a moment."""
        path, person = self._store.path, self.person

        def work() -> None:
            from db.project import Project

            with suppress(WorkbenchError), Project.open(path) as project:
                _must_be_known(project, person)
                self.post_message(self.Counted(person, _counted(project, person)))

        self.run_worker(work, thread=True, group="count", exclusive=True)

    @on(Counted)
    def _counted_again(self, message: Counted) -> None:
        if message.person == self.person:
            self._put(message.counts)
            self.show()

    @property
    def scroll(self) -> VerticalScroll:
        """What scrolls."""
        from textual.containers import VerticalScroll

        return self.query_one("#scroll", VerticalScroll)

    def resized(self) -> None:
        """Fold anew."""
        self.show()

    def show(self) -> None:
        """The words, folded to the width there is."""
        name = self.project.path.name if self.project else _("no project open")
        self.line("header").put(f"{name} · {self.person}", _("overview"))
        width = max(self.app.size.width - 3, 20)
        words = self._trouble or self._left() or (self._overview(width) if self._status else self._recent())
        lines = [part for line in words.split("\n") for part in fold(line, width)]
        self.query_one("#overview", Static).update(Content("\n".join(lines)))

    # -- words

    def _recent(self) -> str:
        rows = recent()
        if not rows:
            return _(
                "No project yet. Make one and come back:\n"
                "    workbench init my-project.wb\n    workbench import my-project.wb FILE\n"
                "or see a finished one:\n    workbench demo"
            )
        lines = [_("Projects opened lately – press o to open one:"), ""]
        for n, path in enumerate(rows, 1):
            missing = "" if path.exists() else f"  ({_('missing')})"
            lines.append(f"{n}  {visible(str(path), one_line=True)}{missing}")
        return "\n".join(lines)

    def _left(self) -> str:
        """All there is for whoever has left: that they have, and what else can be done here."""
        words = self.left_words()
        return words and f"{words}\n\n" + _("{who} says who is working, {other} opens another project.").format(
            who=self.key_of("person"), other=self.key_of("recent")
        )

    def _overview(self, width: int) -> str:
        status = self._status
        assert status is not None
        blocks = [
            self._next(status),
            *self._second_words(status),
            *self._funnel(status, width),
            "",
            *self._people(status),
            "",
            *self._sources(status),
        ]
        return "\n".join(blocks)

    def _funnel(self, status: Status, width: int) -> list[str]:
        stages = {stage: status.stages.get(stage.value, 0) for stage in Stage}
        total = sum(stages.values())
        names = {stage: told(words) for stage, words in STAGE_WORDS.items()}
        room = max(cell_len(name) for name in names.values())
        digits = len(str(total))
        bar = max(min(BAR, width - room - digits - 4), 0)
        lines = ["", _("Dialogues: {n}").format(n=total)]
        for stage, name in names.items():
            count = stages[stage]
            length = -(-bar * count // total) if total else 0
            lines.append(f"  {fitted(name, room)} {count:>{digits}} {'█' * length}".rstrip())
            if stage is Stage.REJECTED and status.rejected:
                parts = (f"{told_code(code)} {n}" for code, n in sorted(status.rejected.items()))
                lines += [f"    {line}" for line in fold(", ".join(parts), max(width - 6, 20))]
        return lines

    def _people(self, status: Status) -> list[str]:
        lines = [_("Screening, by person")]
        rows = [(name, row) for name, row in status.people.items() if row.get("assigned")]
        if not rows:
            return [*lines, "  " + _("Nobody has work yet.")]
        room = min(max(cell_len(visible(name)) for name, _row in rows), 16)
        words = _("{assigned} assigned, {decided} decided, {left} left, {waiting} waiting for the other")
        for name, row in rows:
            counts = words.format(**{key: row[key] for key in ("assigned", "decided", "left", "waiting")})
            mark = ">" if name == self.person else " "
            lines.append(f"{mark} {fitted(visible(name, one_line=True), room)}  {counts}")
        return lines

    def _sources(self, status: Status) -> list[str]:
        lines = [_("Sources")]
        for name, row in status.sources.items():
            counts = _("{dialogues} {dialogues:dialogue|dialogues}, {messages} {messages:message|messages}").format(
                dialogues=row.get("dialogues", 0), messages=row.get("messages", 0)
            )
            terms = row.get("terms") or {}
            lines.append(f"  {visible(name, one_line=True)}: {counts}{_terms(terms)}")
        return lines if len(lines) > 1 else []

    def _second_words(self, status: Status) -> list[str]:
        """Disputes and what was raised, as far as they wait for this person."""
        mine = status.people.get(self.person, {})
        lines = []
        if self._unread:
            lines.append(_("m – {n} unread in your inbox").format(n=self._unread))
        if mine.get("disputes"):
            lines.append(_("b – {n} {n:dispute waits|disputes wait} for your second word").format(n=mine["disputes"]))
        if self._curates:
            if status.work.get("to_rule"):
                lines.append(_("b – {n} {n:dispute|disputes} for the lead").format(n=status.work["to_rule"]))
            if status.work.get("raised"):
                lines.append(
                    _("f – {n} {n:matter was|matters were} put before the lead").format(n=status.work["raised"])
                )
        return lines

    def _next(self, status: Status) -> str:
        """One sentence: what to do next."""
        mine = status.people.get(self.person, {})
        if self._first:
            return _("Next: Enter – {round} comes before your work.").format(round=told(ROUNDS[self._first]))
        if mine.get("left"):
            return _("Next: Enter – {left} {left:dialogue is|dialogues are} waiting for you, {person}.").format(
                left=mine["left"], person=visible(self.person, one_line=True)
            )
        screen, left = self._waits
        if screen and left:
            words = (
                _("Next: Enter – {left} {left:pair|pairs} of replies {left:is|are} waiting for your scores, {person}.")
                if screen == "scoring"
                else _("Next: Enter – {left} {left:dialogue is|dialogues are} waiting for your answers, {person}.")
            )
            return words.format(left=left, person=visible(self.person, one_line=True))
        if not sum(status.stages.values()):
            return _("Next: bring dialogues in – workbench import PROJECT FILE")
        if status.stages.get(Stage.IMPORTED.value):
            return _("Next: apply the candidate rules – workbench candidates PROJECT")
        if status.work.get("to_assign"):
            return _("Next: hand out {n} {n:candidate|candidates} – workbench assign PROJECT screening").format(
                n=status.work["to_assign"]
            )
        if status.work.get("to_rule"):
            return _("Next: b – {n} disputed {n:dialogue waits|dialogues wait} for a ruling").format(
                n=status.work["to_rule"]
            )
        if any(row.get("left") for row in status.people.values()):
            return _("Next: w says who is working, then Enter begins to screen.")
        if status.work.get("to_approve"):
            return _(
                "Next: quality control of {n} agreed {n:dialogue|dialogues} – workbench scrub and normalize, then c here"
            ).format(n=status.work["to_approve"])
        return _("Nothing waits here.")

    # -- doing

    def action_work(self) -> None:
        """To the dialogues that wait for this person."""
        if self.project is None:
            self.action_recent()
            return
        if words := self.left_words():
            self.tell(words)
            return
        row = self._status.people.get(self.person, {}) if self._status else {}
        screen, left = self._waits
        if self._first:
            self.post_message(Wanted("screening"))
        elif screen and left and not row.get("left"):
            self.post_message(Wanted(screen))
        elif row.get("assigned"):
            self.post_message(Wanted("screening"))
        elif screen:
            self.post_message(Wanted(screen))
        else:
            self.action_person()

    def action_text(self) -> None:
        """To the texts of the agreed dialogues."""
        if self.project is None:
            self.action_recent()
        else:
            self.post_message(Wanted("text"))

    def action_quality(self) -> None:
        """To quality control."""
        if self.project is None:
            self.action_recent()
        else:
            self.post_message(Wanted("quality"))

    def action_go(self, screen: str) -> None:
        """To another screen of the project."""
        if self.project is None:
            self.action_recent()
        elif screen == "expert" and (self._status is None or self._role() != "expert"):
            self.tell(_("The expert desk is for experts; w says who is working"))
        else:
            self.post_message(Wanted(screen))

    def _role(self) -> str:
        row = self._status.people.get(self.person, {}) if self._status else {}
        return str(row.get("role", ""))

    def action_search(self) -> None:
        """To the search."""
        if self.project is None:
            self.action_recent()
        else:
            self.post_message(Wanted("search"))

    def action_person(self) -> None:
        """Who is working."""
        people = self._status.people if self._status else {}
        options = [
            (
                name,
                f"{name} ({told(ROLE_WORDS.get(row['role'], row['role']))}, {_('{left} left').format(left=row['left'])})",
            )
            for name, row in people.items()
            if not row.get("retired")
        ]
        options.sort(key=lambda option: not people[option[0]].get("left"))
        if len(options) > 9:
            self.tell(_("More people than digits: start with --as NAME to be anyone else"))
        if options:
            self.app.push_screen(Choice(_("Who is working?"), options), self._person_chosen)
        else:
            self.tell(_("There is no one yet – workbench people PROJECT add NAME --role annotator"))

    def _person_chosen(self, name: str | None) -> None:
        if name is not None:
            self.person = name
            self.post_message(Wanted("home", person=name))
            self._count()
            self.show()

    def action_refresh_counts(self) -> None:
        """Count again."""
        self._count()
        self.show()
        self.tell(_("Counted again"))

    def action_recent(self) -> None:
        """Another project."""
        rows = recent()
        if not rows:
            self.tell(_("No project was opened before"))
            return
        options = [(str(path), str(path) if path.exists() else f"{path} ({_('missing')})") for path in rows]
        self.app.push_screen(Choice(_("Projects opened lately"), options), self._project_chosen)

    def _project_chosen(self, path: str | None) -> None:
        if path is not None:
            from pathlib import Path

            self.post_message(Wanted("home", path=Path(path)))


def told_code(code: str) -> str:
    """The words for a candidate rule's code."""
    from curation.candidates import RULE_CODES

    template = RULE_CODES.get(code, "")
    return told(template) if template and "{" not in template else code


def _terms(terms: Mapping[str, str]) -> str:
    words = {"approval": _("approval"), "purpose": _("purpose"), "until": _("until")}
    parts = [
        f"{words[key]} {visible(str(value), one_line=True)}" for key, value in terms.items() if key in words and value
    ]
    return f" ({', '.join(parts)})" if parts else ""
