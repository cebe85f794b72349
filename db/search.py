"""Finding text in dialogues: any substring, in either script, at the layer asked for, under filters that never tell more
than the blind allows.

The index names candidates where it covers, the rest is scanned; both are confirmed on the text, so that what is found is
the same with an index, with half of one, and without. A text is found in whichever script, width and case it stands
(see `db.index.folded`); otherwise it is plain: no character in it has a meaning of its own.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from curation.errors import N_, NotFound, RefusedStep, UsageError
from curation.identifiers import Finding
from curation.identifiers.masks import mask
from curation.layers import TEXT_LAYERS, Layer
from curation.stages import Stage
from curation.work import StoredDialogue
from db.connection import storable
from db.curating import curates
from db.dialogues import Dialogues
from db.findings import Findings
from db.index import BLOCK, CHANGED, Changes, Index, buckets, spellings
from db.quality import Quality

AT_ONCE = 200
# A scan lets SQLite look first, for the longest part of the text that can be spelled in no more ways than this.
_MOST_SPELLINGS = 8
_DAY = re.compile(r"\s*([0-9]{4})[-/.年]?([0-9]{1,2})[-/.月]?([0-9]{1,2})(?![0-9])")

_SITUATION = (
    "t.stage IN ('agreed', 'approved', 'released')"
    " AND (SELECT count(*) FROM decision o WHERE o.dialogue = d.id AND o.round = 1) = 2"
    " AND coalesce((SELECT situation FROM ruling r WHERE r.dialogue = d.id),"
    " (SELECT situation FROM decision o WHERE o.dialogue = d.id AND o.slot = 'A' ORDER BY round DESC LIMIT 1)) = ?"
)
_DIALECT = (
    "coalesce((SELECT tag FROM dialect_told o WHERE o.dialogue = d.id),"
    " (SELECT tag FROM dialect o WHERE o.dialogue = d.id)) = ?"
)
_PERSON = "EXISTS (SELECT 1 FROM assignment o WHERE o.dialogue = d.id AND o.person = ?)"


@dataclass(frozen=True, slots=True)
class Filters:
    """Which dialogues to look at; what is empty lets all through.

    `situation` is what screening came to, and only where both of the pair have committed; `person` is whom a dialogue is
    assigned to. `since` and `until` are days (YYYY-MM-DD, both inclusive) of the *message*: its own time where it has one
    that begins with year, month and day, else that of the nearest message before it, else of the first one that has any,
    else the day of the import (UTC).
    """

    stage: Stage | None = None
    situation: str = ""
    dialect: str = ""
    person: str = ""
    since: str = ""
    until: str = ""

    def __post_init__(self) -> None:
        for name in ("since", "until"):
            value = getattr(self, name)
            try:
                fits = not value or date.fromisoformat(value).isoformat() == value
            except ValueError:
                fits = False
            if not fits:
                raise UsageError(N_("{value} is no day; write it like 2027-12-31"), "bad_day", value=value)

    def holds(self, day: str) -> bool:
        """Whether a message of that day is let through."""
        return (not self.since or self.since <= day) and (not self.until or day <= self.until)

    def where(self) -> tuple[str, list[str]]:
        """The condition on a dialogue `d` in state `t`, and its values."""
        asked = (
            ("t.stage = ?", self.stage.value if self.stage else ""),
            (_SITUATION, self.situation),
            (_DIALECT, self.dialect),
            (_PERSON, self.person),
        )
        parts = [(condition, value) for condition, value in asked if value]
        return "".join(f" AND {condition}" for condition, _ in parts), [value for _, value in parts]


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where the text was found: which dialogue, message index from 0, and offsets into `text`, which is that
    message at the layer, masked where the viewer may not see all of it."""

    uid: str
    external_id: str
    source: str
    stage: Stage
    message: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Read:
    """A dialogue to read: its messages' texts at a layer, as the viewer may see them."""

    stored: StoredDialogue
    texts: tuple[str, ...]


# Row number; uid, external id, source and stage; the stored messages; their texts at the layer.
_Candidate = tuple[int, tuple[str, str, str, Stage], list[list[str]], Sequence[str]]


class Search:
    """Search over one project."""

    def __init__(
        self, connection: sqlite3.Connection, dialogues: Dialogues, findings: Findings, quality: Quality
    ) -> None:
        self._db = connection
        self._dialogues = dialogues
        self._findings = findings
        self._quality = quality
        self.index = Index(connection, self._upper)

    def _upper(self, key: int) -> Iterator[str]:
        return (one.texts[layer] for one in self._quality.sheet(key).layers for layer in TEXT_LAYERS)

    def sees_all(self, viewer: str) -> bool:
        """Whether `viewer` sees text as it is: a curator who is still here."""
        return curates(self._db, viewer)

    # -- finding

    def find(
        self,
        text: str,
        *,
        layer: Layer = Layer.RAW,
        limit: int = 0,
        filters: Filters | None = None,
        viewer: str | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Iterator[Hit]:
        """Every occurrence of `text`, in order of arrival, none overlapping another; `limit` 0 means all.

        Whoever is no curator finds in masked raw text alone: what is masked for them cannot be found, since finding it
        would be a way to guess it. Without `viewer` nothing is masked. `stop` is asked now and then whether to end.
        Raises RefusedStep for another layer asked for by no curator, NotFound for a person there is not.
        """
        filters = filters or Filters()
        masked = viewer is not None and not self.sees_all(viewer)
        if masked and layer is not Layer.RAW:
            raise RefusedStep(
                N_("only a curator searches this layer; search the raw one, masked"), code="not_a_curator"
            )
        if filters.person and not (
            storable(filters.person)
            and self._db.execute("SELECT 1 FROM person WHERE name = ?", (filters.person,)).fetchone()
        ):
            raise NotFound(
                N_(
                    "there is no one called {name} here; `workbench people PROJECT add {name} --role annotator` adds them"
                ),
                code="no_person",
                name=filters.person,
            )
        found = self._found(text, layer, filters, masked, stop or (lambda: False))
        return islice(found, limit) if limit else found

    def _found(
        self, text: str, layer: Layer, filters: Filters, masked: bool, stop: Callable[[], bool]
    ) -> Iterator[Hit]:
        if not text or not storable(text):
            return
        pattern = re.compile("".join(_one_of(spellings(c)) for c in text))
        for key, name, rows, texts in self._texts(text, layer, filters, stop):
            places = [
                (number, match.start(), match.end())
                for number, one in enumerate(texts)
                for match in pattern.finditer(one)
            ]
            if places and (filters.since or filters.until):
                days = self._days(key, [row[2] if len(row) > 2 else "" for row in rows])
                places = [place for place in places if filters.holds(days[place[0]])]
            if places and masked:
                seen = self._as_seen(key, texts, places)
            else:
                seen = ((number, start, end, texts[number]) for number, start, end in places)
            for number, start, end, shown in seen:
                yield Hit(*name, number, start, end, shown)

    def _texts(self, text: str, layer: Layer, filters: Filters, stop: Callable[[], bool]) -> Iterator[_Candidate]:
        """The dialogues that may hold `text`, each with its texts at the layer."""
        wanted = buckets(text)
        changes = Changes() if layer is Layer.RAW else self.index.changes(wanted)
        part = _part(text)
        where, values = filters.where()
        # SQLite looks first: what does not hold the text need not be handed over. Layers above raw it cannot see.
        holds = "p.text IS NOT NULL AND (" + " OR ".join(["instr(p.text, ?) > 0"] * len(part)) + ")"
        if changes.all:
            holds += f" OR d.id IN ({CHANGED})"
        for keys in self._candidates(part, wanted, changes, stop):
            for key, raw, uid, external_id, source, stage in self._db.execute(
                "SELECT d.id, p.text, d.uid, d.external_id, s.name, t.stage FROM dialogue d"
                " CROSS JOIN payload p ON p.id = d.payload CROSS JOIN source s ON s.id = d.source"
                " CROSS JOIN state t ON t.dialogue = d.id"
                f" WHERE d.id IN ({', '.join('?' * len(keys))}) AND d.current = 1 AND ({holds})"
                f"{where} ORDER BY d.id",
                (*keys, *part, *values),
            ).fetchall():
                rows = [] if raw is None else json.loads(raw)["messages"]
                if key in changes.all:
                    texts: Sequence[str] = self._quality.texts(key, layer)
                    rows = rows or [[""] * 2 for _ in texts]  # purged: its times are gone with the raw text
                else:
                    texts = [row[1] for row in rows]
                yield key, (uid, external_id, source, Stage(stage)), rows, texts

    def _candidates(
        self, part: Sequence[str], wanted: set[int], changes: Changes, stop: Callable[[], bool]
    ) -> Iterator[Sequence[int]]:
        """The dialogues to look at, in order, a few at a time: by the index where it covers, else by a scan."""
        top = self._db.execute("SELECT ifnull(max(id), 0) FROM dialogue").fetchone()[0]
        covered = self.index.covered() if wanted else {}
        some: list[int] = []
        for block in range(top // BLOCK + 1):
            if stop():
                return
            first, upto = block * BLOCK, covered.get(block, -1)
            if upto >= first:
                some += self.index.holders(block, wanted, changes)
                first = upto + 1
            last = block * BLOCK + BLOCK - 1
            if first <= min(last, top):
                some += self._scan(part, first, last, changes)
            # The first ones soon, for who waits for them.
            while len(some) >= AT_ONCE or (some and block == top // BLOCK):
                yield some[:AT_ONCE]
                del some[:AT_ONCE]

    def _scan(self, part: Sequence[str], first: int, last: int, changes: Changes) -> list[int]:
        """The dialogues from `first` to `last` whose stored text holds one of `part`, or that read otherwise above it."""
        rows = self._db.execute(
            "SELECT d.id FROM dialogue d JOIN payload p ON p.id = d.payload WHERE d.id BETWEEN ? AND ?"
            f" AND ({' OR '.join(['instr(p.text, ?) > 0'] * len(part))})",
            (first, last, *part),
        ).fetchall()
        return sorted({key for (key,) in rows} | {key for key in changes.all if first <= key <= last})

    def _as_seen(
        self, key: int, texts: Sequence[str], places: Iterable[tuple[int, int, int]]
    ) -> Iterator[tuple[int, int, int, str]]:
        """The places that touch nothing masked, each in its masked message."""
        masks = self._masks(key, texts)
        for number, start, end in places if masks is not None else ():
            own = [f for f in masks or () if f.message == number]
            if not any(f.start < end and start < f.end for f in own):
                before = len(mask(texts[number][:start], own))
                yield number, before, before + end - start, mask(texts[number], own)

    def _masks(self, key: int, texts: Sequence[str]) -> list[Finding] | None:
        """What to cover of the raw texts; None where nobody knows, because looking for identifiers failed."""
        spans = self._findings.spans(key)
        if self._findings.failure(key):
            return None
        return [Finding(m, s, e, kind, texts[m][s:e], 1.0, "") for m, s, e, kind in spans]

    def _days(self, key: int, times: Sequence[str]) -> list[str]:
        """The day of each message, as `Filters` says."""
        own = [day_of(time) for time in times]
        at = next((day for day in own if day), "")
        if not at:
            (told,) = self._db.execute(
                "SELECT e.at FROM dialogue d JOIN event e USING (origin, number) WHERE d.id = ?", (key,)
            ).fetchone()
            at = told[:10]
        days = []
        for day in own:
            at = day or at
            days.append(at)
        return days

    # -- reading

    def read(self, uid: str, layer: Layer, viewer: str) -> Read:
        """A dialogue to read at a layer, masked for whoever is no curator. Refused as `find` is."""
        key = self._dialogues.key(uid)
        stored = self._dialogues.by_key(key)
        if self.sees_all(viewer):
            return Read(stored, tuple(self._quality.texts(key, layer)))
        if layer is not Layer.RAW:
            raise RefusedStep(
                N_("only a curator searches this layer; search the raw one, masked"), code="not_a_curator"
            )
        texts = [message.text for message in stored.dialogue.messages]
        masks = self._masks(key, texts)
        if masks is None:
            raise RefusedStep(
                N_("this dialogue could not be looked through for identifiers; only a curator sees it"),
                code="not_scanned",
            )
        return Read(stored, tuple(mask(text, [f for f in masks if f.message == n]) for n, text in enumerate(texts)))


def day_of(time: str) -> str:
    """The day that a time as written begins with, year first, as YYYY-MM-DD; empty when it begins otherwise."""
    match = _DAY.match(time)
    if match is None:
        return ""
    try:
        return date(*map(int, match.groups())).isoformat()
    except ValueError:
        return ""


def _spelled(text: str) -> str:
    """How the store's JSON spells `text`; some characters it spells otherwise."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _one_of(ways: Sequence[str]) -> str:
    """A pattern for one of these."""
    if len(ways) == 1:
        return re.escape(ways[0])
    if all(len(way) == 1 for way in ways):
        return f"[{''.join(map(re.escape, ways))}]"
    return f"(?:{'|'.join(map(re.escape, ways))})"


def _part(text: str) -> list[str]:
    """Every stored spelling of the longest part of `text` that has few of them."""
    ways = [[_spelled(s) for s in spellings(c)] for c in text]
    best = (0, 0, 0)
    for first in range(len(ways)):
        count, last = 1, first
        while last < len(ways) and (last == first or count * len(ways[last]) <= _MOST_SPELLINGS):
            count *= len(ways[last])
            last += 1
        best = max(best, (last - first, -count, first))
    length, _, first = best
    found = [""]
    for one in ways[first : first + length]:
        found = [begun + way for begun in found for way in one]
    return found
