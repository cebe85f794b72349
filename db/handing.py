"""Handing scoring out: which items there are, who gets them, under which codes and in which order. The curator's side.

This and `db.judged` are the modules that know what a code stands for.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from curation.blinding import PAIR, Item, Placed, code, keyed, listed, shared, tokens
from curation.errors import N_, RefusedStep, UsageError
from curation.rubric import rubric
from curation.work.asking import COT, DIRECT, Covered
from curation.work.scoring import PROCESS
from db.connection import transaction
from db.coverage import Coverage
from db.log import Log
from db.people import People
from db.replay import project

OVERLAP = 3  # people for an item, where nobody says how many
PLAN, CALIBRATION, REPEAT = "plan", "calibration", "repeat"
Name = tuple[int, str, str]  # dialogue, system, mode


@dataclass(frozen=True)
class Brought:
    """A score line that needs a task: whose, and of what."""

    person: str
    dialogue: int
    uid: str
    system: str
    mode: str


class Handing:
    """Hands the scoring of one project out."""

    def __init__(
        self, connection: sqlite3.Connection, log: Log, people: People, coverage: Coverage, secret: bytes
    ) -> None:
        self._db = connection
        self._log = log
        self._people = people
        self._coverage = coverage
        self._secret = secret

    def items(self) -> list[Item]:
        """What may be scored: both replies of a system to a dialogue, and each reply of an ablation.

        Only of systems that are ready (see `left_out`), and no reply with a flag that was not let pass, `stale` among them.
        """
        cells = self._coverage.grid()
        ready = {(one.system, one.mode) for one in self._coverage.summed(cells) if one.ready}
        usable = {
            (dialogue, system, mode)
            for dialogue, own in cells.items()
            for (system, mode), cell in own.items()
            if cell.state not in ("missing", "flagged") and _whole(system, mode, ready)
        }
        return self._made({name: words for name, words in self._words(cells).items() if name in usable})

    def left_out(self) -> list[Covered]:
        """What keeps systems out of scoring: how far each is in each mode that is not ready, by system."""
        return [one for one in self._coverage.summary() if one.of and not one.ready]

    def _words(self, keys: Iterable[int]) -> dict[Name, dict[str, object]]:
        """What the replies to these dialogues say, those apart whose text was destroyed."""
        rows = self._db.execute(
            "SELECT r.dialogue, r.system, r.mode, p.text FROM reply r JOIN payload p ON p.id = r.payload"
            " WHERE r.dialogue IN (SELECT value FROM json_each(?))",
            (json.dumps(sorted(keys)),),
        )
        return {(dialogue, system, mode): json.loads(text) for dialogue, system, mode, text in rows if text}

    def _made(self, held: Mapping[Name, Mapping[str, object]]) -> list[Item]:
        """The items of these replies; a CoT reply without its direct one is none."""
        uids = dict(self._db.execute("SELECT id, uid FROM dialogue WHERE id IN (SELECT dialogue FROM reply)"))
        result = []
        for (dialogue, system, mode), words in held.items():
            direct = held.get((dialogue, system, DIRECT))
            if mode == COT and direct is not None:
                process = words.get("process") or {}
                assert isinstance(process, Mapping)
                fields = [str(process.get(name, "")) for name in PROCESS]
                texts = (str(words["reply"]), str(direct["reply"]), *fields)
                result.append(Item(dialogue, uids[dialogue], system, PAIR, texts))
            elif mode not in (COT, DIRECT):
                result.append(Item(dialogue, uids[dialogue], system, mode, (str(words["reply"]),)))
        return result

    def assign(
        self,
        by: str,
        to: Sequence[str] | None,
        *,
        overlap: int | None = None,
        repeats: float = 0.0,
        calibration: int = 0,
    ) -> dict[str, int]:
        """See `Scoring.assign`."""
        if (overlap is not None and overlap < 1) or not 0 <= repeats <= 1 or calibration < 0:
            raise UsageError(N_("overlap is one person or more, repeats a share of 0 to 1, calibration none or more"))
        with transaction(self._db):
            if self._db.execute("SELECT 1 FROM scoring_end").fetchone():
                raise RefusedStep(N_("the scoring was ended: no score is taken any more"), code="ended")
            people = self._people_for(to)
            if overlap is None:
                overlap = min(OVERLAP, len(people))
            if overlap > len(people):
                raise RefusedStep(
                    N_("{overlap} people for each item, and only {count} to hand it to"),
                    code="too_few_people",
                    overlap=overlap,
                    count=len(people),
                )
            items = self.items()
            having, role = self._having()
            talked = self._for_calibration(items, having, role, calibration)
            plain = [item for item in items if _name(item) not in talked]
            load = dict(self._db.execute("SELECT person, count(*) FROM score_task GROUP BY person").fetchall())
            there = {item: having.get(_name(item), ()) for item in plain}
            plan = shared(self._secret, plain, there, people, overlap, load)
            given = {}
            for name in people:
                early = [i for i in items if _name(i) in talked and name not in having.get(_name(i), ())]
                first, rest = self._listed(name, early), self._listed(name, plan[name], repeats)
                self._hand_over(by, name, [(CALIBRATION, one) for one in first] + [(PLAN, one) for one in rest])
                given[name] = len(first) + len(rest)
        return given

    def _people_for(self, to: Sequence[str] | None) -> list[str]:
        if to is None:
            names = [p.name for p in self._people.everyone() if p.role == "annotator" and not p.retired]
        else:
            names = list(dict.fromkeys(to))
        for name in names:
            self.must_be_blind(name)
        if not names:
            raise RefusedStep(
                N_("there is no annotator to hand work to; `workbench people PROJECT add NAME --role annotator`"),
                code="no_people",
            )
        return names

    def must_be_blind(self, name: str) -> None:
        """Refuse, with the reason, whoever can give no blind score: at the desk, and by lines from elsewhere."""
        person = self._people.get(name)
        if person.retired:
            raise RefusedStep(N_("{name} has left the project"), code="retired", name=name)
        if person.role == "curator":
            raise RefusedStep(
                N_("{name} is a curator and can see which reply is whose: scores are given blind"),
                code="not_blind",
                name=name,
            )
        if self._db.execute("SELECT 1 FROM system WHERE person = ?", (name,)).fetchone():
            raise RefusedStep(N_("{name} wrote replies, and cannot score them"), code="wrote_replies", name=name)

    def _having(self) -> tuple[dict[Name, list[str]], dict[Name, str]]:
        """Who has each item (those who left without closing it do not), and in which role it was handed out."""
        having: dict[Name, list[str]] = {}
        role: dict[Name, str] = {}
        for dialogue, system, mode, kind, person, stands in self._db.execute(
            "SELECT k.dialogue, k.system, k.mode, k.role, t.person, n.retired = 0 OR EXISTS (SELECT 1 FROM score_closing c"
            " WHERE c.code = k.code AND c.step <> 'replies') FROM score_key k JOIN score_task t ON t.code = k.code"
            " JOIN person n ON n.name = t.person WHERE k.role <> 'repeat'"
        ):
            role[dialogue, system, mode] = kind
            if stands:
                having.setdefault((dialogue, system, mode), []).append(person)
        return having, role

    def _for_calibration(
        self, items: Sequence[Item], having: Mapping[Name, Sequence[str]], role: Mapping[Name, str], count: int
    ) -> set[Name]:
        """The items that everyone gets: those that were it before, and new ones up to `count`, each of a dialogue of its own
        as far as there are enough.
        """
        talked = {_name(i) for i in items if role.get(_name(i)) == CALIBRATION}
        drawn = tokens(self._secret, items)
        used: Counter[str] = Counter()
        fresh = (
            sorted(
                (keyed(self._secret, "calibration", token), item)
                for token, item in zip(drawn, items, strict=True)
                if item.pair and _name(item) not in having and _name(item) not in talked
            )
            if count > len(talked)
            else []
        )
        ranked: list[tuple[int, int, Item]] = []
        for _, item in fresh:
            ranked.append((used[item.uid], len(ranked), item))
            used[item.uid] += 1
        ranked.sort(key=lambda one: one[:2])
        return talked | {_name(item) for _, _, item in ranked[: max(0, count - len(talked))]}

    def _listed(self, person: str, items: Sequence[Item], repeats: float = 0.0) -> list[Placed]:
        return listed(self._secret, person, items, tokens(self._secret, items), repeats, self._sides_before(person))

    def _sides_before(self, person: str) -> dict[tuple[str, str], tuple[int, int]]:
        rows = self._db.execute(
            "SELECT k.system, k.mode, count(*) FILTER (WHERE k.first = 'cot'), count(*) FILTER (WHERE k.first = 'direct')"
            " FROM score_key k JOIN score_task t ON t.code = k.code WHERE t.person = ? AND k.role <> 'repeat'"
            " GROUP BY k.system, k.mode",
            (person,),
        ).fetchall()
        return {(system, mode): (one, other) for system, mode, one, other in rows}

    def _hand_over(self, by: str, person: str, tasks: Sequence[tuple[str, Placed]]) -> list[str]:
        """Write one person's new tasks to the end of their list: one event for what is shown, one for what it stands for."""
        if not tasks:
            return []
        taken = {one for (one,) in self._db.execute("SELECT code FROM score_task")}
        last = self._db.execute("SELECT ifnull(max(place), 0) FROM score_task WHERE person = ?", (person,)).fetchone()[
            0
        ]
        calibrations = sum(role == CALIBRATION for role, _ in tasks)
        codes: list[str] = []
        shown: dict[int, list[list[object]]] = {}
        keys: dict[int, list[list[object]]] = {}
        for number, (role, one) in enumerate(tasks):
            made = code(self._secret, person, one.token, taken, int(one.of is not None))
            taken.add(made)
            codes.append(made)
            item = one.item
            pair = item.mode == PAIR
            replies, process = _texts(one)
            form = PAIR if pair else "single"
            shown.setdefault(item.dialogue, []).append(
                [made, last + number + 1, form, role == CALIBRATION, replies, process]
            )
            first = ("cot" if one.first else "direct") if pair else ""
            of = "" if one.of is None else codes[calibrations + one.of]
            kind = role if one.of is None else REPEAT
            keys.setdefault(item.dialogue, []).append([made, item.system, item.mode, first, kind, of])
        body = {"person": person, "tasks": len(tasks), "rubric": rubric().version}
        for kind, what, word in (("scoring_handed", shown, "tasks"), ("scoring_keyed", keys, "keys")):
            entries: list[tuple[int, object]] = [(key, {word: rows}) for key, rows in sorted(what.items())]
            event = self._log.append(kind, by, body, entries=entries)
            stored = dict(
                self._db.execute(
                    "SELECT dialogue, payload FROM entry WHERE origin = ? AND number = ?", (event.origin, event.number)
                ).fetchall()
            )
            project(self._db, event, [(key, stored[key], value) for key, value in entries])
        return codes

    def calibrating(self) -> int:
        """How many items everyone gets, for calibration."""
        row = self._db.execute(
            f"SELECT count(*) FROM (SELECT DISTINCT dialogue, system, mode FROM score_key WHERE role = '{CALIBRATION}')"
        ).fetchone()
        return int(row[0])

    # -- what score lines from elsewhere bring

    def codes_of(self, person: str) -> dict[Name, str]:
        """The code of every item that a person has, repeats apart."""
        rows = self._db.execute(
            "SELECT k.dialogue, k.system, k.mode, k.code FROM score_key k JOIN score_task t ON t.code = k.code"
            " WHERE t.person = ? AND k.role <> 'repeat'",
            (person,),
        )
        return {(dialogue, system, mode): made for dialogue, system, mode, made in rows}

    def bring(self, actor: str, lines: Iterable[Brought], role: str = PLAN) -> None:
        """Hand out what score lines from elsewhere need. An item without replies here has no texts."""
        wanted = list(dict.fromkeys(lines))
        if not wanted:
            return
        # Whatever is flagged: what was scored elsewhere was scored.
        known = {_name(i): i for i in self._made(self._words({one.dialogue for one in wanted}))}
        of_person: dict[str, list[Item]] = {}
        for one in wanted:
            empty = Item(one.dialogue, one.uid, one.system, one.mode, ())
            of_person.setdefault(one.person, []).append(known.get((one.dialogue, one.system, one.mode), empty))
        for person, items in of_person.items():
            self._hand_over(actor, person, [(role, one) for one in self._listed(person, items)])

    def waiting(self, names: Iterable[Name]) -> set[Name]:
        """Those of these items of which a reply has a flag that nobody let pass."""
        asked = set(names)
        cells = self._coverage.grid(sorted({dialogue for dialogue, _, _ in asked})) if asked else {}
        return {
            (dialogue, system, mode)
            for dialogue, system, mode in asked
            for one in ((COT, DIRECT) if mode == PAIR else (mode,))
            if (cell := cells.get(dialogue, {}).get((system, one))) is not None and cell.state == "flagged"
        }

    def set_gold(self, by: str, dialogue: int, system: str, mode: str, scores: Mapping[str, int]) -> bool:
        """Say what is right of an item, by dimension. Returns whether anything changed."""
        row = self._db.execute(
            "SELECT scores FROM score_gold WHERE dialogue = ? AND system = ? AND mode = ?", (dialogue, system, mode)
        ).fetchone()
        if row is not None and json.loads(row[0]) == scores:
            return False
        value = {"system": system, "mode": mode, "scores": dict(scores)}
        event = self._log.append("gold_set", by, {"rubric": rubric().version}, entries=[(dialogue, value)])
        project(self._db, event, [(dialogue, 0, value)])
        return True

    def first_of(self, made: str) -> str:
        """Which reply of a pair is Reply 1: `cot` or `direct`."""
        return str(self._db.execute("SELECT first FROM score_key WHERE code = ?", (made,)).fetchone()[0])


def _whole(system: str, mode: str, ready: Collection[tuple[str, str]]) -> bool:
    """Whether all is there that this reply is scored with: two modes make a pair, an ablation stands alone."""
    return all((system, one) in ready for one in ((COT, DIRECT) if mode in (COT, DIRECT) else (mode,)))


def _name(item: Item) -> Name:
    return item.dialogue, item.system, item.mode


def _texts(one: Placed) -> tuple[list[str], dict[str, str] | None]:
    """What is shown of an item: the replies by side, and the process."""
    texts = one.item.texts
    if one.item.mode != PAIR or len(texts) < 2:
        return list(texts), None
    replies = list(texts[:2] if one.first else (texts[1], texts[0]))
    return replies, dict(zip(PROCESS, texts[2:], strict=True))
