"""The taxonomy of situations: 12 in 4 families in 2 tensions, read from `data/taxonomy.toml`.

The names are those of the SI-Bench release; definitions, precedence lines and examples are this project's
own. What may change about them changes in the file, with its `version`, which stands on every decision made
under it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from curation.errors import N_, BadInput, NotFound

COUNTS = {"tension": 2, "family": 4, "situation": 12}

# Letters that mean something else where a situation is chosen: keep, drop, undo, skip, next, previous,
# down, quit, gloss, reveal, view. A taxonomy that used one of them would make a stroke mean two things.
RESERVED_KEYS = frozenset("kdusnpjqgrv")


class Tension(NamedTuple):
    """One of the two tensions. `number` counts from 1."""

    id: str
    zh: str
    en: str
    number: int


class Family(NamedTuple):
    """A family of situations. `number`, from 1, is the first digit of a two-digit choice."""

    id: str
    zh: str
    en: str
    tension: Tension
    number: int


class Situation(NamedTuple):
    """One situation, with what an annotator needs to tell it from its neighbours.

    `number` counts 1 to 12; `place`, from 1 within the family, is the second digit of a two-digit choice;
    `key` is one ASCII letter. `not_this_*` say which neighbour goes first when two seem to fit; `example_*`
    are invented.
    """

    id: str
    zh: str
    en: str
    family: Family
    definition_zh: str
    definition_en: str
    not_this_zh: str
    not_this_en: str
    example_zh: str
    example_en: str
    key: str
    number: int
    place: int

    def name(self, lang: str) -> str:
        """The name in `lang`, `zh` or `en`."""
        return self.zh if lang == "zh" else self.en

    def definition(self, lang: str) -> str:
        """The definition in `lang`, `zh` or `en`."""
        return self.definition_zh if lang == "zh" else self.definition_en


def _folded(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


@dataclass(frozen=True)
class Taxonomy:
    """The whole taxonomy, in the order of its file."""

    version: str
    tensions: tuple[Tension, ...]
    families: tuple[Family, ...]
    situations: tuple[Situation, ...]
    _names: Mapping[str, Situation] = field(repr=False, compare=False)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the situations, in order."""
        return tuple(s.id for s in self.situations)

    def by_id(self, situation: str) -> Situation:
        """The situation with that id, exactly. Raises NotFound."""
        found = self._names.get(situation)
        if found is None or found.id != situation:
            raise NotFound(N_("no situation is called {name}"), "unknown_situation", name=situation)
        return found

    def parse(self, name: str) -> Situation:
        """The situation a person named: its id, its Chinese or its English name, in any case, or a listed other name.

        Raises NotFound.
        """
        found = self._names.get(_folded(name))
        if found is None:
            raise NotFound(
                N_("no situation is called {name}; they are {known}"),
                "unknown_situation",
                name=name,
                known=", ".join(self.ids),
            )
        return found

    def by_key(self, key: str) -> Situation | None:
        """The situation that the letter `key` chooses, or None."""
        return next((s for s in self.situations if s.key == key), None)

    def by_digits(self, family: int, place: int) -> Situation | None:
        """The situation that two digits choose, or None."""
        return next((s for s in self.situations if (s.family.number, s.place) == (family, place)), None)

    def of_family(self, family: Family) -> tuple[Situation, ...]:
        """The situations of `family`, in order."""
        return tuple(s for s in self.situations if s.family == family)


def _refuse(problem: str) -> BadInput:
    return BadInput(N_("the taxonomy file is not usable: {problem}"), "bad_taxonomy", problem=problem)


def _text(row: Mapping[str, Any], name: str, where: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _refuse(f"{where} has no {name}")
    return value


def _rows(table: Mapping[str, Any], kind: str) -> list[Mapping[str, Any]]:
    rows = table.get(kind)
    if not isinstance(rows, list) or not all(isinstance(r, dict) for r in rows):
        raise _refuse(f"it has no list called {kind}")
    if len(rows) != COUNTS[kind]:
        raise _refuse(f"{len(rows)} of {kind}, where {COUNTS[kind]} belong")
    ids = [_text(row, "id", f"{kind} {n}") for n, row in enumerate(rows, 1)]
    for one in ids:
        if ids.count(one) > 1:
            raise _refuse(f"{kind} {one} stands there twice")
    return rows


def _parent(kind: str, row: Mapping[str, Any], among: Mapping[str, Any], where: str) -> Any:
    wanted = _text(row, kind, where)
    if wanted not in among:
        raise _refuse(f"{where} names the {kind} {wanted}, which is not there")
    return among[wanted]


def load(text: str) -> Taxonomy:
    """Read a taxonomy from TOML `text`. Raises BadInput naming the first thing that is wrong."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _refuse(str(error)) from error
    tensions = {
        row["id"]: Tension(row["id"], _text(row, "zh", row["id"]), _text(row, "en", row["id"]), n)
        for n, row in enumerate(_rows(table, "tension"), 1)
    }
    families: dict[str, Family] = {}
    for n, row in enumerate(_rows(table, "family"), 1):
        where = row["id"]
        tension = _parent("tension", row, tensions, where)
        families[where] = Family(where, _text(row, "zh", where), _text(row, "en", where), tension, n)
    situations: list[Situation] = []
    names: dict[str, Situation] = {}
    places = dict.fromkeys(families, 0)
    words = [f"{part}_{lang}" for part in ("definition", "not_this", "example") for lang in ("zh", "en")]
    for n, row in enumerate(_rows(table, "situation"), 1):
        where = row["id"]
        family = _parent("family", row, families, where)
        places[family.id] += 1
        key = _text(row, "key", where)
        if len(key) != 1 or not ("a" <= key <= "z") or key in RESERVED_KEYS:
            raise _refuse(f"{where} has the key {key!r}, which is no free small letter")
        if taken := next((s.id for s in situations if s.key == key), None):
            raise _refuse(f"{where} has the key {key} of {taken}")
        situation = Situation(
            id=where,
            zh=_text(row, "zh", where),
            en=_text(row, "en", where),
            family=family,
            key=key,
            number=n,
            place=places[family.id],
            **{word: _text(row, word, where) for word in words},
        )
        situations.append(situation)
        also = row.get("also", [])
        if not isinstance(also, list) or not all(isinstance(name, str) for name in also):
            raise _refuse(f"{where} has under also something else than a list of names")
        for name in {_folded(x) for x in (situation.id, situation.zh, situation.en, *also)}:
            if name in names:
                raise _refuse(f"{where} and {names[name].id} have the same name {name}")
            names[name] = situation
    for one, count in places.items():
        if not 1 <= count <= 9:
            raise _refuse(f"family {one} has {count} situations, where 1 to 9 can be chosen by a digit")
    return Taxonomy(
        _text(table, "version", "the file"),
        tuple(tensions.values()),
        tuple(families.values()),
        tuple(situations),
        names,
    )


@cache
def taxonomy() -> Taxonomy:
    """The taxonomy this program ships, read once."""
    return load((files("curation") / "data" / "taxonomy.toml").read_text(encoding="utf-8"))
