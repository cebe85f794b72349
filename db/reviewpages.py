"""Reading for the review of identifiers: one dialogue as a page, the next one, and counts. Nothing is detected here."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from curation.identifiers.finding import Finding
from curation.identifiers.reviewing import Shown, shown
from curation.layers import apply_edits
from curation.model import Dialogue
from curation.stages import Stage
from curation.work import StoredDialogue
from curation.work.review import Place, ReviewCounts, Reviewed, ReviewMessage, ReviewPage, Waiver
from db import reviewed
from db.dialogues import Dialogues
from db.findings import Findings, texts_of
from db.settings import Current

_AGREED = "FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE t.stage = 'agreed' AND d.current = 1"
# A proposal of the last scan that decided spans, which are disjoint, do not cover whole.
_OPEN = (
    "ifnull((SELECT sum(min(f.end, p.end) - max(f.start, p.start)) FROM finding f WHERE f.dialogue = p.dialogue"
    " AND f.message = p.message AND f.start < p.end AND p.start < f.end), 0) < p.end - p.start"
)
# Dialogues that were never looked at count as waiting.
_WAITS = (
    "(NOT EXISTS (SELECT 1 FROM scan s WHERE s.dialogue = d.id)"
    f" OR EXISTS (SELECT 1 FROM proposal p WHERE p.dialogue = d.id AND {_OPEN}))"
)


class ReviewPages:
    """What the review of one project shows."""

    def __init__(
        self, connection: sqlite3.Connection, settings: Current, dialogues: Dialogues, findings: Findings
    ) -> None:
        self._db = connection
        self._current = settings
        self._dialogues = dialogues
        self._findings = findings

    def page(self, uid: str, viewer: str) -> ReviewPage:
        """One dialogue, its findings as of the last scan; none where that was made by other rules or lists, or never."""
        key = self._dialogues.key(uid)
        stored = self._dialogues.by_key(key)
        dialogue = stored.dialogue
        scanned = stored.purged or self._findings.looked_at(key)
        proposed = self._findings.proposed(key, dialogue) if scanned and not stored.purged else ()
        spans = shown(self._findings.marks(key), proposed) if scanned and not stored.purged else ()
        previews, instead = self._replaced(stored, spans)
        barred = reviewed.barred_by(self._db, key)
        agreed = stored.stage is Stage.AGREED
        before, count = self._db.execute(
            f"SELECT count(*) FILTER (WHERE d.id <= ?), count(*) {_AGREED}", (key,)
        ).fetchone()
        return ReviewPage(
            stored,
            self._messages(key, dialogue, previews),
            _looked_into(dialogue, spans, instead),
            scanned,
            self._findings.failure(key),
            self._seen(key),
            self._waivers(key),
            reviewed.done_by(self._db, key),
            reviewed.signed_by(self._db, key),
            self._current.now.sign_off,
            self._reason(barred[1]) if barred else "",
            barred[0] if barred else "",
            before if agreed else 0,
            count,
            self.waiting(),
            _quasi(dialogue, spans),
            self.revealed(key, viewer),
        )

    def _messages(self, key: int, dialogue: Dialogue, previews: Sequence[str]) -> tuple[ReviewMessage, ...]:
        from curation.trim import kept_messages

        turn_of = {i: turn.number for turn in dialogue.turns for i in turn.messages}
        row = self._db.execute("SELECT first_turn, removed FROM trim WHERE dialogue = ?", (key,)).fetchone()
        whole = range(len(dialogue.messages))
        kept = frozenset(whole if row is None else kept_messages(dialogue.messages, row[0], json.loads(row[1])))
        return tuple(
            ReviewMessage(i, turn_of.get(i, 0), dialogue.party(m), m.speaker, m.text, previews[i], i in kept)
            for i, m in enumerate(dialogue.messages)
        )

    def _replaced(self, stored: StoredDialogue, spans: Sequence[Shown]) -> tuple[list[str], dict[Place, str]]:
        """Every message as it reads when what is accepted or open is replaced, and what then stands where."""
        from curation.identifiers.replace import NEWEST_POLICY, replacements

        texts = texts_of(stored.dialogue)
        standing = [
            Finding(s.message, s.start, s.end, s.type, texts[s.message][1][s.start : s.end], s.score, s.rule)
            for s in spans
            if s.state != "rejected"
        ]
        if not standing:
            return [text for _, text in texts], {}
        decided = self._findings.decided(self._dialogues.key(stored.uid))
        policy = max((d.policy for d in decided if d.accepted), default=NEWEST_POLICY)
        edits = replacements(texts, standing, key=self._findings.key_of(stored.uid), policy=policy)
        instead = {(m, e.start, e.end): e.replacement for m, own in edits.items() for e in own}
        return [apply_edits(text, edits.get(i, ())) for i, (_, text) in enumerate(texts)], instead

    def _seen(self, key: int) -> dict[int, tuple[str, ...]]:
        found: dict[int, tuple[str, ...]] = {}
        for turn, person in self._db.execute(
            "SELECT turn, person FROM turn_seen WHERE dialogue = ? ORDER BY turn, person", (key,)
        ):
            found[turn] = (*found.get(turn, ()), person)
        return found

    def unseen(self, key: int, person: str) -> tuple[int, ...]:
        """The turns that this person has not read."""
        rows = self._db.execute(
            "SELECT turn FROM turn_seen WHERE dialogue = ? AND person = ?", (key, person)
        ).fetchall()
        read = {turn for (turn,) in rows}
        turns = self._dialogues.by_key(key).dialogue.turns
        return tuple(turn.number for turn in turns if turn.number not in read)

    def _waivers(self, key: int) -> tuple[Waiver, ...]:
        return tuple(
            Waiver(place, kind, person, self._reason(payload))
            for place, kind, person, payload in reviewed.waivers_of(self._db, key)
        )

    def _reason(self, payload: int) -> str:
        """A reason that a person gave; a sign in its place where it was purged."""
        row = self._db.execute("SELECT text FROM payload WHERE id = ?", (payload,)).fetchone()
        return "…" if row is None or row[0] is None else str(json.loads(row[0]).get("reason", "…"))

    def revealed(self, key: int, person: str) -> tuple[Place, ...]:
        """What a person asked to see of a dialogue, each place once."""
        rows = self._db.execute(
            "SELECT DISTINCT message, start, end FROM reveal WHERE dialogue = ? AND person = ? ORDER BY message, start",
            (key, person),
        ).fetchall()
        return tuple((m, s, e) for m, s, e in rows)

    # -- which one

    def first(self) -> str | None:
        """The first agreed dialogue with something undecided, else the first whose review is not done, else the first."""
        for more in (f" AND {_WAITS}", " AND NOT EXISTS (SELECT 1 FROM review r WHERE r.dialogue = d.id)", ""):
            row = self._db.execute(f"SELECT d.uid {_AGREED}{more} ORDER BY d.id LIMIT 1").fetchone()
            if row is not None:
                return str(row[0])
        return None

    def step(self, uid: str, direction: int, *, waiting: bool = False) -> str | None:
        """The next agreed dialogue (`direction` 1) or the one before (-1), of those with something undecided where
        `waiting`; None at the end."""
        side, order = (">", "ASC") if direction > 0 else ("<", "DESC")
        row = self._db.execute(
            f"SELECT d.uid {_AGREED} AND d.id {side} ? {f'AND {_WAITS}' if waiting else ''} ORDER BY d.id {order} LIMIT 1",
            (self._dialogues.key(uid),),
        ).fetchone()
        return None if row is None else str(row[0])

    def next_undone(self, uid: str, *, signing: bool = False) -> str | None:
        """The next agreed dialogue, round to the first again, whose review is not done; or, for who signs, not signed."""
        table = "sign_off" if signing else "review"
        ready = " AND EXISTS (SELECT 1 FROM review v WHERE v.dialogue = d.id)" if signing else ""
        row = self._db.execute(
            f"SELECT d.uid {_AGREED} AND d.id <> ?1 AND NOT EXISTS (SELECT 1 FROM {table} r WHERE r.dialogue = d.id)"
            f" AND NOT EXISTS (SELECT 1 FROM barred b WHERE b.dialogue = d.id){ready} ORDER BY d.id < ?1, d.id LIMIT 1",
            (self._dialogues.key(uid),),
        ).fetchone()
        return None if row is None else str(row[0])

    def waiting(self) -> int:
        """How many agreed dialogues have something undecided, as far as was looked."""
        return int(self._db.execute(f"SELECT count(*) {_AGREED} AND {_WAITS}").fetchone()[0])

    def counts(self) -> ReviewCounts:
        """The review in numbers, over the dialogues agreed on."""

        def count(more: str) -> int:
            return int(self._db.execute(f"SELECT count(*) {_AGREED} {more}").fetchone()[0])

        open_ = self._db.execute(
            f"SELECT count(*) FROM proposal p JOIN state t ON t.dialogue = p.dialogue WHERE t.stage = 'agreed' AND {_OPEN}"
        ).fetchone()[0]
        has = "AND EXISTS (SELECT 1 FROM {table} x WHERE x.dialogue = d.id)"
        return ReviewCounts(
            count(""),
            self.waiting(),
            int(open_),
            count(has.format(table="review")),
            count(has.format(table="sign_off")),
            count(has.format(table="barred")),
            self._findings.lists.counts(),
        )


def _quasi(dialogue: Dialogue, spans: Sequence[Shown]) -> tuple[str, ...]:
    """The kinds of quasi-identifier among what is accepted or open, in alphabetical order."""
    from curation.identifiers.quasi import quasi_kinds

    found = (
        Finding(s.message, s.start, s.end, s.type, dialogue.messages[s.message].text[s.start : s.end], s.score, s.rule)
        for s in spans
        if s.state != "rejected"
    )
    return tuple(sorted(quasi_kinds(found)))


def _looked_into(dialogue: Dialogue, spans: Sequence[Shown], instead: dict[Place, str]) -> tuple[Reviewed, ...]:
    """The findings with all that is to be said of them."""
    from curation.identifiers.equal import Value
    from curation.identifiers.reasons import Reasons, parts, reading

    if not spans:
        return ()
    texts = [dialogue.messages[s.message].text[s.start : s.end] for s in spans]
    reasons = Reasons(texts_of(dialogue))
    pieces = parts(spans)
    forms = [Value(s.type, text) for s, text in zip(spans, texts, strict=True)]
    alike: dict[object, set[int]] = {}
    for n, form in enumerate(forms):
        alike.setdefault(form.folded, set()).add(n)
        if form.canonical:
            alike.setdefault((form.kind, form.canonical), set()).add(n)
    found = []
    for n, one in enumerate(spans):
        read = reading(one.type, texts[n], *(texts[m] for m in pieces[n]))
        form = forms[n]
        equal = len(alike[form.folded] | alike.get((form.kind, form.canonical), set()))
        place = (one.message, one.start, one.end)
        found.append(Reviewed(one, texts[n], read, reasons.cue(one), pieces[n], instead.get(place), equal))
    return tuple(found)
