"""Handing out screening: which pair gets which candidate, and who takes over what someone leaves behind.

A candidate goes to both of a pair. What has been decided stays with whoever decided it; what is handed on is the slots
that are still undecided, so nothing is lost, counted twice, or left with someone who is gone.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from curation.errors import N_, RefusedStep, UsageError
from curation.stages import Stage
from curation.work import Pair
from curation.work.assigning import Handed, HandedOn
from db.connection import transaction
from db.curating import must_curate
from db.dialogues import Dialogues, decode
from db.following.assigning import SLOTS
from db.log import Log
from db.people import People
from db.replay import project

TASK = "screening"
RULES = ("even", "situation", "dialect", "date")


class _Waiting(NamedTuple):
    """A candidate that nobody has: what it is labelled with, when it began, which dialect whoever gets it must read."""

    key: int
    hint: str = ""
    day: str = ""
    dialect: str = ""


class Assigning:
    """The handing out of one project's screening."""

    def __init__(self, connection: sqlite3.Connection, log: Log, people: People, dialogues: Dialogues) -> None:
        self._db = connection
        self._log = log
        self._people = people
        self._dialogues = dialogues

    # -- handing out

    def assign(self, by: str, to: Sequence[str] | None = None, *, rule: str = "even", limit: int = 0) -> Handed:
        """Hand the candidates that nobody has to the pairs, and the single slots that nobody has to people.

        `to` names people; their pairs take part (all that stand, without it). `rule`: `even` in the order they came;
        `date`, the oldest first, so that all pairs see the same days; `situation`, so that each pair gets as many of
        every label the files came with (people are never shown it); `dialect`, so that both of the pair read the
        dialect, and what no pair reads stays where it is. `limit` is the most dialogues to hand out, 0 for all. Where
        the project has quotas, labels that are still short go first, labels that are full last; and what nobody has begun of
        those goes to the end of the lists that it lies on.
        """
        must_curate(self._db, by)
        if rule not in RULES:
            raise UsageError(N_("{name} must be one of {allowed}"), name="rule", allowed=", ".join(RULES))
        with transaction(self._db):
            pairs = self._pairs_for(to)
            given: Counter[str] = Counter({name: 0 for pair in pairs for name in (pair.a, pair.b)})
            filled = self._fill(by, [name for pair in pairs for name in (pair.a, pair.b)], given)
            waiting = self._waiting(rule)
            load = {pair.id: self._load(pair.a) for pair in pairs}
            of_kind: Counter[tuple[int, str]] = Counter()
            barred = self._all_barred()
            reads = {name: set(self._people.get(name).reads) for pair in pairs for name in (pair.a, pair.b)}
            entries: list[tuple[int, dict[str, object]]] = []
            unread: Counter[str] = Counter()
            for one in waiting:
                if limit and len(entries) >= limit:
                    break
                able = pairs
                if one.dialect:
                    able = [p for p in able if one.dialect in reads[p.a] & reads[p.b]]
                if one.key in barred:
                    able = [p for p in able if not {p.a, p.b} & barred[one.key]]
                if not able:
                    unread[one.dialect] += 1
                    continue
                kind = one.hint if rule == "situation" else ""
                pair = min(able, key=lambda p: (of_kind[p.id, kind] if kind else 0, load[p.id], p.id))
                load[pair.id] += 1
                of_kind[pair.id, kind] += 1
                entries.append((one.key, {"pair": pair.id, "A": pair.a, "B": pair.b}))
                given.update((pair.a, pair.b))
            self._write("assigned", by, entries, {"rule": rule} if rule != "even" else {})
            later = self._full_last(by)
        return Handed(dict(given), len(entries), filled, dict(unread), later)

    def _pairs_for(self, to: Sequence[str] | None) -> list[Pair]:
        pairs = self._people.standing()
        if to is not None:
            for name in to:
                self._people.get(name)
                if not any(name in (p.a, p.b) for p in pairs):
                    raise RefusedStep(N_("{name} is in no pair that can work"), code="no_pair", name=name)
            pairs = [p for p in pairs if p.a in to or p.b in to]
        if not pairs:
            raise RefusedStep(
                N_("there is no pair to hand work to; `workbench people PROJECT pair A B` makes one"),
                code="no_pair",
            )
        return pairs

    def _load(self, person: str) -> int:
        return int(self._db.execute("SELECT count(*) FROM assignment WHERE person = ?", (person,)).fetchone()[0])

    def _waiting(self, rule: str) -> list[_Waiting]:
        """The candidates that nobody has, in the order in which they go out."""
        quotas = dict(self._db.execute("SELECT situation, target FROM quota").fetchall())
        look = rule != "even" or bool(quotas)
        rows = self._db.execute(
            f"SELECT d.id, ifnull(w.dialect, ''), {'p.text' if look else 'NULL'} FROM state t"
            " JOIN dialogue d ON d.id = t.dialogue JOIN payload p ON p.id = d.payload"
            " LEFT JOIN reader_wanted w ON w.dialogue = d.id WHERE t.stage = ? AND d.current = 1"
            " AND NOT EXISTS (SELECT 1 FROM assignment a WHERE a.dialogue = d.id)"
            " AND NOT EXISTS (SELECT 1 FROM gold g WHERE g.dialogue = d.id) ORDER BY d.id",
            (Stage.CANDIDATE.value,),
        )
        found = [_looked_at(key, dialect, text, rule) for key, dialect, text in rows]
        if rule == "date":
            found.sort(key=lambda one: one.day or "~")
        if quotas:
            short = self._short(quotas)
            found.sort(key=lambda one: -short.get(one.hint, 0.0))
        return found

    def _full_last(self, by: str) -> int:
        """Put at the end of the lists what nobody has begun and is labelled with what is full. Returns how many dialogues.

        What stands on a desk stays where it is, and so does what has nothing else behind it.
        """
        quotas = dict(self._db.execute("SELECT situation, target FROM quota").fetchall())
        full = {situation for situation, lack in self._short(quotas).items() if lack < 0} if quotas else set()
        if not full:
            return 0
        rows = self._db.execute(_UNDECIDED).fetchall()
        kinds: dict[int, bool] = {}
        for key, text, begun in {(row[0], row[4], row[5]) for row in rows}:
            kinds[key] = not begun and text is not None and _looked_at(key, "", text, "even").hint in full
        ends: dict[str, int] = {}
        for key, person, _slot, place, *_ in rows:
            if not kinds[key]:
                ends[person] = max(ends.get(person, 0), place)
        moved: dict[int, dict[str, object]] = {}
        early = {key for key, person, _slot, place, *_ in rows if kinds[key] and place < ends.get(person, 0)}
        for key, person, slot, _place, _text, _begun, pair in rows:
            if key in early:
                moved.setdefault(key, {"pair": pair})[slot] = person
        self._write("reassigned", by, list(moved.items()), {"order": "full last"})
        return len(moved)

    def _short(self, quotas: dict[str, int]) -> dict[str, float]:
        """How short each situation with a quota is, 1 for all of it; -1 for a full one."""
        have = self.have()
        return {s: (n - have[s]) / n if n > have[s] else -1.0 for s, n in quotas.items()}

    def have(self) -> Counter[str]:
        """How many dialogues stand agreed on with each situation, by what both said or by a ruling."""
        rows = self._db.execute(
            "SELECT ifnull(r.situation, x.situation), count(*) FROM state t JOIN dialogue d ON d.id = t.dialogue"
            " LEFT JOIN ruling r ON r.dialogue = t.dialogue"
            " LEFT JOIN decision x ON x.dialogue = t.dialogue AND x.slot = 'A' AND x.round ="
            "  (SELECT max(round) FROM decision y WHERE y.dialogue = t.dialogue AND y.slot = 'A')"
            " WHERE t.stage IN ('agreed', 'approved', 'released') AND d.current = 1 GROUP BY 1"
        )
        return Counter({str(situation): int(n) for situation, n in rows if situation})

    def _write(self, kind: str, by: str, entries: list[tuple[int, dict[str, object]]], more: dict[str, object]) -> None:
        """Tell and write who gets what. The places are told too: they follow the order here, not that of the dialogues."""
        if not entries:
            return
        last: dict[str, int] = {}
        placed: list[tuple[int, object]] = []
        for key, value in entries:
            places: dict[str, int] = {}
            for slot in SLOTS:
                if name := str(value.get(slot, "")):
                    if name not in last:
                        last[name] = self._last_place(name)
                    last[name] += 1
                    places[slot] = last[name]
            placed.append((key, {**value, "places": places}))
        event = self._log.append(kind, by, {"task": TASK, **more}, entries=placed)
        project(self._db, event, [(key, 0, value) for key, value in placed])

    def _last_place(self, person: str) -> int:
        row = self._db.execute("SELECT ifnull(max(place), 0) FROM assignment WHERE person = ?", (person,)).fetchone()
        return int(row[0])

    def bring(self, by: str, key: int, person: str) -> None:
        """Hand one candidate to the pair of `person`, as decisions from elsewhere need it, unless they have it already."""
        held = dict(self._db.execute("SELECT person, slot FROM assignment WHERE dialogue = ?", (key,)).fetchall())
        if person in held:
            return
        pair = self._people.pair_of(person)
        if pair is None:
            raise RefusedStep(
                N_("{name} is in no pair; `workbench people PROJECT pair A B` makes one"), code="no_pair", name=person
            )
        if len(held) == 1:  # a slot that nobody has
            slot = "B" if "A" in held.values() else "A"
            self._write("reassigned", by, [(key, {"pair": pair.id, slot: person})], {})
        elif held:
            raise RefusedStep(N_("this dialogue is another pair's"), code="other_pair")
        else:
            self._write("assigned", by, [(key, {"pair": pair.id, "A": pair.a, "B": pair.b})], {})

    # -- handing on

    def retire(self, name: str, by: str, to: str | None = None) -> HandedOn:
        """Someone leaves. What they decided stays; what they had not goes to `to`, else to another pair.

        A dialogue that neither of the pair has touched goes to another pair whole. Where the partner has decided, put
        off or begun it, only the slot of who leaves goes on, to whoever has least to do. What nobody can take is
        nobody's until `assign`. When `to` is in no pair, they take the place in the pair too.
        """
        must_curate(self._db, by)
        with transaction(self._db):
            person = self._people.get(name)
            if person.retired:
                return HandedOn()
            pair = self._people.pair_of(name)
            if to is not None:
                self._check_successor(name, to)
            self._people.retire(name, by)
            if to is not None and pair is not None and self._people.pair_of(to) is None:
                members = [to if one == name else one for one in (pair.a, pair.b)]
                if members[0] != members[1]:
                    pair = self._people.pair(members[0], members[1], by)
            return self._hand_on(by, self._undecided(name), name, to)

    def _check_successor(self, name: str, to: str) -> None:
        if to == name:
            raise UsageError(N_("who leaves cannot take over from themselves"))
        if self._people.get(to).retired:
            raise RefusedStep(N_("{name} has left the project"), code="retired", name=to)

    def _undecided(self, name: str) -> list[tuple[int, str]]:
        """(dialogue, slot) of all that lies with someone and is not decided, in the order of their list."""
        return self._db.execute(
            "SELECT a.dialogue, a.slot FROM assignment a JOIN state t ON t.dialogue = a.dialogue"
            " WHERE a.person = ? AND t.stage IN ('candidate', 'rejected') AND NOT EXISTS (SELECT 1 FROM decision d"
            " WHERE d.dialogue = a.dialogue AND d.slot = a.slot AND d.round = 1) ORDER BY a.place",
            (name,),
        ).fetchall()

    def hand_back(self, name: str, by: str, keys: Sequence[int], dialect: str) -> HandedOn:
        """What someone cannot read goes to people who read `dialect`; where there is no one, it is nobody's: the lead's."""
        with transaction(self._db):
            mine = [(key, slot) for key, slot in self._undecided(name) if key in set(keys)]
            return self._hand_on(by, mine, name, None, dialect)

    def _hand_on(
        self, by: str, slots: Sequence[tuple[int, str]], leaving: str, to: str | None, dialect: str = ""
    ) -> HandedOn:
        pairs = [p for p in self._people.standing() if leaving not in (p.a, p.b)]
        helpers = [
            p.name for p in self._people.everyone() if p.role == "annotator" and not p.retired and p.name != leaving
        ]
        load = Counter({name: self._load(name) for name in helpers})
        whole: list[tuple[int, dict[str, object]]] = []
        single: list[tuple[int, dict[str, object]]] = []
        none: list[tuple[int, dict[str, object]]] = []
        for key, slot in slots:
            other, touched = self._other(key, slot)
            barred, wanted = self._barred(key), dialect or self._wanted(key)
            able_pairs = [p for p in pairs if not {p.a, p.b} & barred and self._read(wanted, p.a, p.b)]
            if to is not None and to != other and to not in barred:
                single.append((key, {"pair": self._number(to), slot: to}))
                load[to] += 1
                continue
            if not touched and able_pairs:
                pair = min(able_pairs, key=lambda p: (load[p.a], p.id))
                whole.append((key, {"pair": pair.id, "A": pair.a, "B": pair.b}))
                load.update((pair.a, pair.b))
                continue
            able = (
                [name for name in helpers if name not in barred | {other} and self._read(wanted, name)]
                if touched
                else []
            )
            if able:
                name = min(able, key=lambda one: (load[one], one))
                single.append((key, {"pair": self._number(name), slot: name}))
                load[name] += 1
            elif touched or (other and self._read(wanted, other)):
                none.append((key, {slot: ""}))  # the other goes on with it meanwhile
            else:
                none.append((key, dict.fromkeys(SLOTS, "")))
        entries = whole + single + none
        if dialect:
            entries = [(key, {**value, "reads": dialect}) for key, value in entries]
        self._write("reassigned", by, entries, {"from": leaving})
        return HandedOn(len(whole), len(single), len(none))

    def _wanted(self, key: int) -> str:
        """The dialect that someone handed a dialogue back for."""
        row = self._db.execute("SELECT dialect FROM reader_wanted WHERE dialogue = ?", (key,)).fetchone()
        return "" if row is None else str(row[0])

    def _read(self, dialect: str, *names: str) -> bool:
        return not dialect or all(dialect in self._people.get(name).reads for name in names)

    def _number(self, name: str) -> int:
        pair = self._people.pair_of(name)
        return pair.id if pair else 0

    def _other(self, key: int, slot: str) -> tuple[str, bool]:
        """Who has the other slot, and whether they have decided, put off or begun the dialogue."""
        row = self._db.execute(
            "SELECT a.person, EXISTS (SELECT 1 FROM decision d WHERE d.dialogue = a.dialogue AND d.slot = a.slot)"
            " OR EXISTS (SELECT 1 FROM skip s WHERE s.dialogue = a.dialogue AND s.person = a.person)"
            " OR EXISTS (SELECT 1 FROM draft f WHERE f.dialogue = a.dialogue AND f.person = a.person)"
            " FROM assignment a WHERE a.dialogue = ? AND a.slot <> ?",
            (key, slot),
        ).fetchone()
        if row is not None:
            return str(row[0]), bool(row[1])
        decided = self._db.execute(
            "SELECT person FROM decision WHERE dialogue = ? AND slot <> ?", (key, slot)
        ).fetchone()
        return ("", False) if decided is None else (str(decided[0]), True)

    def _fill(self, by: str, people: Sequence[str], given: Counter[str]) -> int:
        """Give the single slots that nobody here has to the least laden of `people`. Returns how many found someone."""
        load = Counter({name: self._load(name) for name in people})
        found: dict[tuple[int, str], str] = {}
        for key, slot, dialect in self._db.execute(_ORPHANS).fetchall():
            other = "A" if slot == "B" else "B"
            not_them = self._barred(key) | {self._other(key, slot)[0], found.get((key, other), "")}
            able = [name for name in people if name not in not_them and self._read(dialect, name)]
            if able:
                name = min(able, key=lambda one: (load[one], one))
                found[key, slot] = name
                load[name] += 1
                given[name] += 1
        for one in SLOTS:  # an event has one entry a dialogue
            entries: list[tuple[int, dict[str, object]]] = [
                (key, {"pair": self._number(name), slot: name}) for (key, slot), name in found.items() if slot == one
            ]
            self._write("reassigned", by, entries, {})
        return len(found)

    def orphans(self) -> int:
        """Single slots that nobody who is here has, and that are not decided."""
        return len(self._db.execute(_ORPHANS).fetchall())

    def _all_barred(self) -> dict[int, set[str]]:
        """The same of every dialogue that anyone handed back."""
        found: dict[int, set[str]] = {}
        for key, name in self._db.execute("SELECT dialogue, person FROM handback"):
            found.setdefault(key, set()).add(name)
        return found

    def _barred(self, key: int) -> set[str]:
        """Who handed a dialogue back, and so never gets it again."""
        return {name for (name,) in self._db.execute("SELECT person FROM handback WHERE dialogue = ?", (key,))}


# What lies on the lists and is not decided there: dialogue, person, slot, place, its text, whether anyone has begun it or has
# it on the desk, and the pair's number; list after list.
_UNDECIDED = (
    "SELECT a.dialogue, a.person, a.slot, a.place, p.text,"
    " EXISTS (SELECT 1 FROM decision x WHERE x.dialogue = a.dialogue)"
    " OR EXISTS (SELECT 1 FROM skip x WHERE x.dialogue = a.dialogue)"
    " OR EXISTS (SELECT 1 FROM draft x WHERE x.dialogue = a.dialogue)"
    " OR EXISTS (SELECT 1 FROM desk x WHERE x.dialogue = a.dialogue), a.pair"
    " FROM assignment a JOIN state t ON t.dialogue = a.dialogue JOIN dialogue d ON d.id = a.dialogue"
    " JOIN payload p ON p.id = d.payload WHERE t.stage = 'candidate' AND NOT EXISTS"
    "  (SELECT 1 FROM decision x WHERE x.dialogue = a.dialogue AND x.slot = a.slot AND x.round = 1)"
    " ORDER BY a.person, a.place"
)

# The slots of dialogues that someone has, or had: undecided, and with nobody, with someone who is gone, or with someone who
# handed the dialogue back and got it again when another took a step back.
_ORPHANS = (
    "SELECT t.dialogue, s.slot, ifnull(w.dialect, '') FROM state t"
    " JOIN (SELECT 'A' AS slot UNION ALL SELECT 'B') s LEFT JOIN reader_wanted w ON w.dialogue = t.dialogue"
    " WHERE t.stage = 'candidate' AND EXISTS (SELECT 1 FROM assignment o WHERE o.dialogue = t.dialogue)"
    " AND NOT EXISTS (SELECT 1 FROM decision d WHERE d.dialogue = t.dialogue AND d.slot = s.slot AND d.round = 1)"
    " AND NOT EXISTS (SELECT 1 FROM assignment a JOIN person p ON p.name = a.person"
    "  WHERE a.dialogue = t.dialogue AND a.slot = s.slot AND p.retired = 0 AND NOT EXISTS"
    "   (SELECT 1 FROM handback h WHERE h.dialogue = a.dialogue AND h.person = a.person)) ORDER BY t.dialogue, s.slot"
)


def _looked_at(key: int, wanted: str, text: str | None, rule: str) -> _Waiting:
    """A waiting candidate as far as the rule asks; `wanted` is the dialect that someone handed it back for."""
    if text is None:
        return _Waiting(key, dialect=wanted)
    from curation.hints import day_of, hint_of

    dialogue = decode("", text)
    if rule == "dialect" and not wanted:
        from curation.dialects import MANDARIN, identify

        tag = identify([message.text for message in dialogue.messages]).tag
        wanted = "" if tag == MANDARIN else tag
    return _Waiting(key, hint_of(dialogue.metadata), day_of(dialogue), wanted)
