"""Proving the blind of scoring: nothing that an annotator can see depends on what the systems are called or their order.

Everything that the methods for annotators return is written down as bytes: once as the project is, once on a copy in memory
on which every system has another name and all of them another order. The two must be the same byte for byte, for what was
handed out and for handing it all out anew. On the copy the names are drawn words that stand nowhere else, so finding one of
them among the bytes is a leak, with no doubt.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from curation.errors import WorkbenchError
from curation.statistics.tests import sign_test, wilson
from curation.work.scoring import PastScore, ScoreTask
from db.following.scoring import GIVEN
from db.handing import CALIBRATION
from db.history import Life

if TYPE_CHECKING:
    from db.project import Project

# Of so many dialogues the whole life is looked at; more would only say the same, slowly.
_EXPLAINED = 25
# Beside each name a system has, what its record says.
_RECORD = ("model", "provider", "date", "prompt", "notes")
_SURE = 0.001
_LETTERS = "bcdfghjkmnpqrstvwxz"


@dataclass(frozen=True)
class Blindness:
    """What was found.

    `bytes` were compared for `people` annotators. `same` says that they are equal under other names and another order,
    `same_anew` that they are after handing everything out anew; `leaks` are the parts in which a system's name, model,
    provider or date was found. `sides` counts, for each annotator and each system, how often the reply with a process
    stood first and second, with the exact test against even; `lopsided` are those whose split is no chance.
    `named_in_texts` counts the replies whose own text names a system or model (the texts are not ours to change).
    """

    people: int
    tasks: int
    bytes: int
    same: bool
    same_anew: bool
    differing: tuple[str, ...]
    leaks: tuple[str, ...]
    sides: Mapping[str, Mapping[str, Mapping[str, float]]]
    lopsided: tuple[str, ...]
    named_in_texts: int
    first_share: tuple[float, float] | None

    @property
    def holds(self) -> bool:
        """Nothing was found wanting."""
        return self.same and self.same_anew and not self.leaks and not self.lopsided


def blindness(project: Project, connection: sqlite3.Connection) -> Blindness:
    """Look at everything an annotator of `project` can see. The project itself is read and not changed."""
    from db.project import Project

    def opened(copy: sqlite3.Connection) -> Project:
        made = Project(project.path, copy, lambda: "2000-01-01T00:00:00.000Z", _bytes())
        made.scoring.forget()
        return made

    people = [
        name for (name,) in connection.execute("SELECT DISTINCT person FROM score_task ORDER BY person").fetchall()
    ]
    plain, renamed = _copied(connection), _copied(connection)
    try:
        words = _rename(renamed)
        one, other = opened(plain), opened(renamed)
        own = _names_of(connection)
        seen = {name: _digests(one, name, own, bare=True) for name in people}
        again = {name: _digests(other, name, words) for name in people}
        differing = [f"{n}: {part}" for n in people for part in _differing(seen[n], again[n])]
        both = [(n, found) for n in people for found in (seen[n], again[n])]
        leaks = sorted({f"{n}: {part}" for n, found in both for part, (_, _, leak) in found.items() if leak})
        anew = _anew(one, other, plain, renamed, people)
        total = sum(size for found in seen.values() for _, size, _ in found.values())
    finally:
        plain.close()
        renamed.close()
    sides = _sides(connection)
    lopsided = tuple(
        f"{kind}: {name}" for kind, found in sides.items() for name, one_ in found.items() if one_["p"] < _SURE
    )
    every = list(sides.get("annotator", {}).values())
    first, of = sum(int(o["first"]) for o in every), sum(int(o["first"] + o["second"]) for o in every)
    return Blindness(
        people=len(people),
        tasks=connection.execute("SELECT count(*) FROM score_task").fetchone()[0],
        bytes=total,
        same=not differing,
        same_anew=not anew,
        differing=tuple(differing + [f"anew: {part}" for part in anew]),
        leaks=tuple(leaks),
        sides=sides,
        lopsided=lopsided,
        named_in_texts=_named(connection),
        first_share=wilson(first, of) if of else None,
    )


# -- what an annotator can see


def _parts(project: Project, person: str) -> Iterator[tuple[str, Any]]:
    """Everything the methods for annotators return, part by part."""
    scoring = project.scoring
    yield "progress", scoring.progress(person)
    place = 1
    while (task := scoring.task(person, place)) is not None:
        yield "tasks", task
        place += 1
    yield "past", scoring.past(person)
    yield "panel", scoring.panel(person)
    yield "log", list(project.history.lines(person))
    yield "decisions", list(project.decisions.give(person))
    yield "status", project.status()
    for uid in _scored(project, person)[:_EXPLAINED]:
        try:
            yield "explain", project.history.explain(uid, person)
        except WorkbenchError as error:
            yield "explain", str(error)


def _scored(project: Project, person: str) -> list[str]:
    rows = project._db.execute(
        "SELECT DISTINCT d.uid FROM score_task t JOIN dialogue d ON d.id = t.dialogue WHERE t.person = ? ORDER BY d.uid",
        (person,),
    )
    return [uid for (uid,) in rows]


def _digests(
    project: Project, person: str, words: tuple[str, ...], *, bare: bool = False
) -> dict[str, tuple[str, int, bool]]:
    """Part -> (digest of its bytes, their number, whether one of `words` stands in them; `bare`: outside of texts)."""
    hashes: dict[str, Any] = {}
    sizes: dict[str, int] = {}
    leaks: set[str] = set()
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words)) if words and bare else None
    for part, value in _parts(project, person):
        text = repr(value)
        hashes.setdefault(part, hashlib.sha256()).update(text.encode("utf-8", "backslashreplace"))
        sizes[part] = sizes.get(part, 0) + len(text)
        if pattern is not None:
            if part not in leaks and pattern.search(repr(_bare(value))):
                leaks.add(part)
        elif any(word in text for word in words):
            leaks.add(part)
    return {part: (hashed.hexdigest(), sizes[part], part in leaks) for part, hashed in hashes.items()}


def _bare(value: Any) -> Any:
    """A part without the texts of dialogues, replies and people, which may name whatever they like."""
    if isinstance(value, ScoreTask):
        marks = replace(value.marks, note="", draft="")
        return replace(value, messages=(), replies=(), process=None, marks=marks)
    if isinstance(value, Life):
        return value.lines
    if isinstance(value, list) and value and isinstance(value[0], PastScore):
        return [replace(one, note="") for one in value]
    return value


def _names_of(connection: sqlite3.Connection) -> tuple[str, ...]:
    """What systems and their models are called, as far as nothing else that may be shown is called so."""
    names = {
        str(word)
        for row in connection.execute(
            "SELECT name, model FROM system UNION SELECT system, '' FROM score_key"
        ).fetchall()
        for word in row
        if word and len(str(word)) > 2
    }
    others = {str(name) for (name,) in connection.execute("SELECT name FROM person UNION SELECT name FROM source")}
    return tuple(sorted(names - others))


def _differing(one: Mapping[str, tuple[str, int, bool]], other: Mapping[str, tuple[str, int, bool]]) -> list[str]:
    return sorted(part for part in one.keys() | other.keys() if one.get(part, ("",))[0] != other.get(part, ("",))[0])


# -- copies under other names


def _copied(connection: sqlite3.Connection) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.backup(copy)
    copy.execute("PRAGMA foreign_keys=OFF")
    copy.execute("PRAGMA ignore_check_constraints=ON")
    return copy


def _rename(copy: sqlite3.Connection) -> tuple[str, ...]:
    """Give every system another name, so that their order is another too, and another record. Returns the words used."""
    chance = random.Random(len(copy.execute("SELECT 1 FROM event").fetchall()))
    names = [
        name
        for (name,) in copy.execute(
            "SELECT name FROM system UNION SELECT system FROM reply UNION SELECT system FROM score_key ORDER BY 1"
        ).fetchall()
    ]
    order = list(range(len(names)))
    chance.shuffle(order)
    if len(order) > 1 and order == sorted(order):
        order.reverse()

    def word() -> str:
        return "zq" + "".join(chance.choice(_LETTERS) for _ in range(14))

    called = {name: f"{n:03}{word()}" for name, n in zip(names, order, strict=True)}
    record = [word() for _ in _RECORD]
    columns = [
        (table, column)
        for (table,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for _, column, *_ in copy.execute(f"PRAGMA table_info({table})").fetchall()
        if column == "system" or (table, column) == ("system", "name")
    ]
    for table, column in columns:
        for name, new in called.items():
            copy.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (new, name))
    sets = ", ".join(f"{field} = ?" for field in _RECORD)
    copy.execute(f"UPDATE system SET {sets}", record)
    _rename_events(copy, called, dict(zip(_RECORD, record, strict=True)))
    return (*called.values(), *record)


def _rename_events(copy: sqlite3.Connection, called: Mapping[str, str], record: Mapping[str, str]) -> None:
    for origin, number, kind, body in copy.execute("SELECT origin, number, kind, body FROM event").fetchall():
        if kind in GIVEN or '"' not in body:
            continue
        value = json.loads(body)
        changed = dict(value)
        field = "name" if kind in ("system_added", "system_changed") else "system"
        if isinstance(value.get(field), str) and value[field] in called:
            changed[field] = called[value[field]]
        if kind in ("system_added", "system_changed"):
            changed.update(record)
        if changed != value:
            text = json.dumps(changed, ensure_ascii=False)
            copy.execute("UPDATE event SET body = ? WHERE origin = ? AND number = ?", (text, origin, number))


def _anew(
    one: Project, other: Project, plain: sqlite3.Connection, renamed: sqlite3.Connection, people: list[str]
) -> list[str]:
    """Hand everything out anew on both copies; the parts of what annotators see that then differ."""
    calibration = plain.execute(
        "SELECT count(DISTINCT dialogue || system) FROM score_key WHERE role = ?", (CALIBRATION,)
    )
    count = calibration.fetchone()[0]
    before: dict[str, Any] = {name: [] for name in people}
    for copy in (plain, renamed):
        for table in ("score_task", "score_key", "score", "score_closing", "score_note", "score_flag", "score_skip"):
            copy.execute(f"DELETE FROM {table}")
        copy.execute("DELETE FROM scoring_end")
        copy.execute("DELETE FROM scoring_desk")
        copy.execute("UPDATE person SET retired = 0")
    found: list[dict[str, Any]] = []
    for project in (one, other):
        project.scoring.forget()
        try:
            by = next(one.name for one in project.people.everyone() if project.people.curates(one.name))
            project.scoring.assign(by, people, overlap=len(people), repeats=0.1, calibration=count)
        except WorkbenchError as error:
            found.append({"refused": error.code, **before})
            continue
        found.append({name: [repr(task) for task in _tasks(project, name)] for name in people})
    return sorted(name for name in found[0].keys() | found[1].keys() if found[0].get(name) != found[1].get(name))


def _tasks(project: Project, person: str) -> Iterator[Any]:
    place = 1
    while (task := project.scoring.task(person, place)) is not None:
        yield task
        place += 1


# -- balance, and what the texts say themselves


def _sides(connection: sqlite3.Connection) -> dict[str, dict[str, dict[str, float]]]:
    """How often the reply with a process stood first and second: by annotator, and by system."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for kind, column in (("annotator", "t.person"), ("system", "k.system")):
        found[kind] = {}
        for name, first, second in connection.execute(
            f"SELECT {column}, count(*) FILTER (WHERE k.first = 'cot'), count(*) FILTER (WHERE k.first = 'direct')"
            f" FROM score_key k JOIN score_task t ON t.code = k.code WHERE k.first <> '' GROUP BY {column} ORDER BY 1"
        ).fetchall():
            found[kind][name] = {"first": first, "second": second, "p": sign_test(first, first + second)}
    return found


def _named(connection: sqlite3.Connection) -> int:
    """Replies that name a system or a model of this project in their own text."""
    names = [name.casefold() for name in _names_of(connection)]
    count = 0
    for (text,) in connection.execute("SELECT p.text FROM reply r JOIN payload p ON p.id = r.payload").fetchall():
        said = json.loads(text) if text else {}
        words = " ".join([str(said.get("reply", "")), *map(str, (said.get("process") or {}).values())]).casefold()
        count += any(name in words for name in names)
    return count


def _bytes() -> Any:
    chance = random.Random(0)
    return lambda count: chance.randbytes(count)
