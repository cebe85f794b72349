"""The review of identifiers: a curator's steps on one dialogue, each an event that can be taken back.

A review is done when a curator has read every turn, nothing is undecided, and the output, scanned again, shows nothing
that was not waived with a reason. It holds until a decision on an identifier or a rewriting changes the text; normalising
and trimming leave it, since approval scans their output itself. Approval asks for a finished review only where it has
to: where the project's `sign_off` wants a second person, and where somebody said "not releasable". What `scrub` accepted
with certainty needs no review, what it left undecided needs decisions.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from curation.errors import N_, NotFound, RefusedStep, UsageError
from curation.identifiers import TYPES, NotScanned
from curation.identifiers.reviewing import Mark, Shown, joined, resized, written
from curation.layers import Layer
from curation.stages import Stage
from curation.work.review import Hit, Outcome, Place, ReviewCounts, ReviewPage
from db import reviewed
from db.connection import transaction
from db.dialogues import Dialogues
from db.findings import Findings
from db.log import Log
from db.people import People
from db.replay import project
from db.reviewpages import ReviewPages
from db.settings import Current

if TYPE_CHECKING:
    from db.history import History
    from db.quality import Quality

# What the undo key of the review takes back.
REVIEW_STEPS = (
    "finding",
    "waived",
    "not_releasable",
    "releasable",
    "listed",
    "lists_given",
    "review_done",
    "review_signed",
)


Change = Callable[[Sequence[Shown], Shown], list[Mark]]


def _known(kind: str) -> None:
    if kind not in TYPES:
        raise UsageError(N_("{name} must be one of {allowed}"), name="type", allowed=", ".join(TYPES))


class Reviews:
    """The reviews of one project. A finding is named by its place: message, start and end of the raw text."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        settings: Current,
        people: People,
        dialogues: Dialogues,
        findings: Findings,
        quality: Quality,
        history: History,
    ) -> None:
        self._db = connection
        self._log = log
        self._current = settings
        self._people = people
        self._dialogues = dialogues
        self._findings = findings
        self._quality = quality
        self._history = history
        self.pages = ReviewPages(connection, settings, dialogues, findings)

    # -- looking

    def page(self, uid: str, viewer: str) -> ReviewPage:
        """One dialogue as it is reviewed. Nothing is looked for here: see `look`."""
        return self.pages.page(uid, viewer)

    def look(self, uid: str) -> None:
        """Have the identifiers of a dialogue looked for, unless that was done by the rules and lists in force."""
        self._findings.scan(self._dialogues.key(uid))

    def done(self, uid: str) -> bool:
        """Whether the review of a dialogue, as it is now, is done."""
        key = self._dialogues.key(uid)
        return bool(reviewed.done_by(self._db, key)) and not self._findings.undecided(key)

    def hits(self, uid: str) -> tuple[Hit, ...]:
        """What the output, scanned again, still shows and nobody let stand. Raises NotScanned."""
        from db.checks import left_over

        sheet = self._quality.sheet(self._dialogues.key(uid))
        found = []
        for one in left_over(sheet):
            start, end = sheet.layers[one.message].maps[Layer.EDITED].down(one.start, one.end)
            found.append(Hit(one.message, start, end, one.type, one.text, one.rule))
        return tuple(found)

    def counts(self) -> ReviewCounts:
        """The review in numbers."""
        return self.pages.counts()

    # -- deciding

    def accept(self, uid: str, by: str, place: Place, kind: str = "") -> None:
        """A finding is an identifier, under its own type or another `kind`."""
        if kind:
            _known(kind)
        self._decide(uid, by, place, lambda spans, one: [one.mark(True, kind)])

    def reject(self, uid: str, by: str, place: Place) -> None:
        """A finding is none."""
        self._decide(uid, by, place, lambda spans, one: [one.mark(False)])

    def resize(self, uid: str, by: str, place: Place, start: int, end: int) -> Place:
        """A finding reaches from `start` to `end`. It is accepted with that; another one that it reaches is joined to it.

        Returns where it then stands. Refused when nothing would be left, or the message ends before.
        """
        message = place[0]
        made: list[Mark] = []

        def change(spans: Sequence[Shown], one: Shown) -> list[Mark]:
            made.extend(resized(spans, one, start, end))
            if not made:
                raise RefusedStep(N_("nothing would be left of it; reject it instead"), code="empty_span")
            return made

        self._inside(uid, message, start, max(end, start + 1))
        self._decide(uid, by, place, change)
        return message, made[0].start, made[0].end

    def add(self, uid: str, by: str, message: int, start: int, end: int, kind: str) -> Place:
        """A span that nobody found is an identifier. Findings that it touches become part of it. Returns where it stands."""
        _known(kind)
        self._inside(uid, message, start, end)
        self._may(by)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            self._reviewable(key)
            start, end = joined(self._findings.shown(key), message, start, end)
            self._write(by, uid, {key: [Mark(message, start, end, kind, True)]})
        return message, start, end

    def decide_rest(self, uid: str, by: str, accept: bool) -> int:
        """All that still waits in a dialogue is an identifier, or none of it is. Returns how many that were.

        Refused while there are turns that this person has not read.
        """
        self._may(by)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            self._reviewable(key)
            if unseen := self.pages.unseen(key, by):
                raise RefusedStep(
                    N_("{count} {count:turn is|turns are} not read yet; the first is turn {turn}"),
                    code="unseen_turns",
                    count=len(unseen),
                    turn=unseen[0],
                )
            waiting = [s for s in self._findings.shown(key) if s.state == "open"]
            if waiting:
                self._write(by, uid, {key: [s.mark(accept) for s in waiting]})
        return len(waiting)

    def _decide(self, uid: str, by: str, place: Place, change: Change) -> None:
        self._may(by)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            self._reviewable(key)
            spans = self._findings.shown(key)
            one = next((s for s in spans if (s.message, s.start, s.end) == place), None)
            if one is None:
                raise RefusedStep(N_("this finding is not there any more; someone changed it"), code="no_finding")
            self._write(by, uid, {key: change(spans, one)})

    def _write(self, by: str, uid: str, marks: Mapping[int, Sequence[Mark]]) -> None:
        made = {key: written(self._findings.marks(key), wanted) for key, wanted in marks.items()}
        self._findings.write(by, made, {"dialogue": uid} if len(made) == 1 else {"on": uid})

    def _inside(self, uid: str, message: int, start: int, end: int) -> str:
        messages = self._dialogues.by_key(self._dialogues.key(uid)).dialogue.messages
        if not 0 <= message < len(messages) or not 0 <= start < end <= len(messages[message].text):
            raise RefusedStep(N_("there is no such span in this dialogue"), code="no_span")
        return messages[message].text[start:end]

    def _may(self, by: str) -> None:
        """Deciding on identifiers is a curator's step: others see them masked."""
        self._people.must_curate(by)

    def _reviewable(self, key: int) -> None:
        stored = self._dialogues.by_key(key)
        if stored.stage not in (Stage.AGREED, Stage.APPROVED, Stage.RELEASED):
            raise RefusedStep(N_("the two have not agreed to keep it"), code="not_agreed")
        if stored.purged:
            raise RefusedStep(N_("its originals were destroyed; nothing can be decided any more"), code="purged")

    # -- equal values

    def decide_equal(
        self, uid: str, by: str, place: Place, accept: bool, *, everywhere: bool = False
    ) -> tuple[int, int]:
        """The same decision on every equal value of this dialogue, or of all that are agreed on, as one event.

        Accepting takes in places that nobody found, where the value is long enough to be looked for in the text.
        Returns how many findings in how many dialogues that decided.
        """
        from db.equals import Equals

        self._may(by)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            self._reviewable(key)
            one = next((s for s in self._findings.shown(key) if (s.message, s.start, s.end) == place), None)
            if one is None:
                raise RefusedStep(N_("this finding is not there any more; someone changed it"), code="no_finding")
            equals = Equals(self._db, self._dialogues, self._findings)
            value = equals.value(key, one)
            marks = equals.marks(value, accept, None if everywhere else [key])
            if marks:
                self._write(by, uid, marks)
        return sum(len(made) for made in marks.values()), len(marks)

    def equal_in_project(self, uid: str, place: Place) -> tuple[int, int]:
        """How many equal values there are in how many dialogues agreed on, this one among them."""
        from db.equals import Equals

        key = self._dialogues.key(uid)
        one = next((s for s in self._findings.shown(key) if (s.message, s.start, s.end) == place), None)
        if one is None:
            return 0, 0
        equals = Equals(self._db, self._dialogues, self._findings)
        return equals.count(equals.value(key, one))

    # -- the project's lists

    def allow(self, uid: str, by: str, place: Place) -> None:
        """The value at this place is never an identifier in this project: it is not proposed any more."""
        self._list(uid, by, place, "allow", "")

    def deny(self, uid: str, by: str, place: Place, kind: str) -> int:
        """The value at this place always is one, of type `kind`. Approved dialogues that show it are open again; returns
        how many that are."""
        _known(kind)
        return self._list(uid, by, place, "deny", kind)

    def _list(self, uid: str, by: str, place: Place, name: str, kind: str) -> int:
        from curation.identifiers.equal import Value
        from curation.identifiers.lists import NO_LISTS
        from db.equals import Equals

        self._may(by)
        text = self._inside(uid, *place)
        _ = NO_LISTS.allowing(text) if name == "allow" else NO_LISTS.denying(kind, text)  # refused before it is told
        key = self._dialogues.key(uid)
        with transaction(self._db):
            shown = Equals(self._db, self._dialogues, self._findings).approved_with(Value(kind or TYPES[0], text))
            again = shown if name == "deny" else []
            self._tell_list(by, key, uid, name, kind, {"value": text}, again)
        return len(again)

    def give_lists(self, by: str, toml: str) -> Mapping[str, int]:
        """Lists and recognisers from the text of a file, in the place of those of the file before. Returns counts of what
        the project knows then. Raises BadInput for what cannot be used, RefusedStep when there is no dialogue yet."""
        from curation.identifiers.lists import Lists

        self._may(by)
        Lists.parse(toml)
        with transaction(self._db):
            row = self._db.execute("SELECT id, uid FROM dialogue ORDER BY id LIMIT 1").fetchone()
            if row is None:
                raise RefusedStep(N_("bring dialogues in first: lists are kept with them"), code="no_dialogues")
            self._tell_list(by, row[0], row[1], "file", "", {"toml": toml}, [])
        return self._findings.lists.counts()

    def _tell_list(
        self, by: str, key: int, uid: str, name: str, kind: str, text: Mapping[str, str], again: Sequence[int]
    ) -> None:
        body: dict[str, Any] = {"list": name, "type": kind, "on" if name == "file" else "dialogue": uid}
        if key in again:
            body["reopens"] = True
        entries: list[tuple[int, object]] = sorted([(key, dict(text)), *((k, {}) for k in again if k != key)])
        self._record("lists_given" if name == "file" else "listed", by, body, entries)

    # -- reading

    def see(self, uid: str, by: str, turns: Collection[int]) -> None:
        """This person has read these turns. What was known already says nothing."""
        self._people.get(by)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            new = sorted(set(turns) & set(self.pages.unseen(key, by)))
            if new:
                self._record("turns_seen", by, {"dialogue": uid, "turns": new}, [(key, {})])

    def reveal(self, person: str, uid: str, message: int, start: int, end: int) -> str:
        """The raw text of a span that is masked for this person, who is logged to have asked for it.

        Raises NotFound for someone who is no one of the project, RefusedStep for a span that is not there.
        """
        if self._people.get(person).retired:
            raise NotFound(N_("{name} works here no more"), code="retired", name=person)
        text = self._inside(uid, message, start, end)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            body = {"dialogue": uid, "message": message, "start": start, "end": end}
            self._record("revealed", person, body, [(key, {})])
        return text

    def revealed(self, person: str, uid: str) -> tuple[Place, ...]:
        """What this person asked to see of a dialogue."""
        return self.pages.revealed(self._dialogues.key(uid), person)

    # -- what stands in the way of a release, and what ends a review

    def waive(self, uid: str, by: str, place: Place, kind: str, reason: str) -> None:
        """What the scan of the output finds at this place of the raw text may stay, for a reason."""
        _known(kind)
        self._inside(uid, *place)
        message, start, end = place
        body = {"dialogue": uid, "message": message, "start": start, "end": end, "type": kind}
        self._with_reason("waived", uid, by, body, reason)

    def bar(self, uid: str, by: str, reason: str) -> None:
        """A dialogue must not be released, for a reason."""
        self._with_reason("not_releasable", uid, by, {"dialogue": uid}, reason)

    def unbar(self, uid: str, by: str) -> None:
        """It may be released after all. Refused when nobody said otherwise."""
        self._may(by)
        key = self._dialogues.key(uid)
        with transaction(self._db):
            if reviewed.barred_by(self._db, key) is None:
                raise RefusedStep(N_("nobody said that it must not be released"), code="not_barred")
            self._record("releasable", by, {"dialogue": uid}, [(key, {})])

    def _with_reason(self, kind: str, uid: str, by: str, body: Mapping[str, object], reason: str) -> None:
        self._may(by)
        if not reason.strip():
            raise UsageError(N_("say why, in a word or two"), code="no_reason")
        key = self._dialogues.key(uid)
        with transaction(self._db):
            self._reviewable(key)
            self._record(kind, by, dict(body), [(key, {"reason": reason.strip()})])

    def finish(self, uid: str, by: str) -> Outcome:
        """The review is done, if nothing is in its way; what is, is said. The output is scanned for that, which takes
        its time and needs no lock."""
        return self._end(uid, by, "review_done")

    def sign(self, uid: str, by: str) -> Outcome:
        """A second person has read it all and confirms the review. Refused for the one who made it."""
        return self._end(uid, by, "review_signed")

    def _end(self, uid: str, by: str, kind: str) -> Outcome:
        self._may(by)
        key = self._dialogues.key(uid)
        self._reviewable(key)
        told = self._told(key)
        signing = kind == "review_signed"
        reviewer = reviewed.done_by(self._db, key)
        # A review leads up to the approval; who signs may come after it.
        missing = [] if signing or self._dialogues.by_key(key).stage is Stage.AGREED else ["approved"]
        unseen = self.pages.unseen(key, by)
        waiting = self._findings.undecided(key)
        hits: tuple[Hit, ...] = ()
        if self._findings.failure(key):
            missing.append("not_scanned")
        if waiting:
            missing.append("undecided_findings")
        if unseen:
            missing.append("unseen_turns")
        if signing and not reviewer:
            missing.append("not_reviewed")
        if signing and reviewer == by:
            missing.append("same_person")
        if not missing:
            try:
                hits = self.hits(uid)
            except NotScanned:
                missing.append("not_scanned")
            if hits:
                missing.append("identifiers_left")
        if missing:
            return Outcome(False, tuple(missing), hits, unseen)
        with transaction(self._db):
            if self._told(key) != told:
                return Outcome(False, ("changed_meanwhile",))
            if (reviewed.signed_by if signing else reviewed.done_by)(self._db, key) != by:
                self._record(kind, by, {"dialogue": uid}, [(key, {})])
        return Outcome(True)

    def _record(self, kind: str, by: str, body: dict[str, Any], entries: Sequence[tuple[int, object]]) -> None:
        event = self._log.append(kind, by, body, entries=entries)
        rows = self._db.execute(
            "SELECT dialogue, payload FROM entry WHERE origin = ? AND number = ?", (event.origin, event.number)
        ).fetchall()
        payloads = dict(rows)
        project(self._db, event, [(key, payloads[key], value) for key, value in entries])

    def _told(self, key: int) -> int:
        return int(self._db.execute("SELECT count(*) FROM entry WHERE dialogue = ?", (key,)).fetchone()[0])

    # -- taking back

    def undo(self, by: str) -> tuple[str, str] | None:
        """Take back this person's last step of a review that still stands: (kind, uid of its dialogue); None for none."""
        return self._history.undo_last(by, REVIEW_STEPS)
