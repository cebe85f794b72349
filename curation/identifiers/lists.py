"""A project's own lists: what is never an identifier there, what always is, and recognisers of its own.

    # lists.toml
    allow = ["李白", "中通"]

    [deny]
    PERSON = ["阿伟死了"]
    ORG = ["三号基地"]

    [[recogniser]]
    name = "staff"
    type = "ID_NUMBER"
    pattern = "YG[0-9]{6}"
    score = 0.9

Values are compared folded and without regard to case. Patterns run on folded text and may not take long whatever the
text: characters, classes and groups, each repeated at most 64 times, not nested, no looking around or back.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from curation.errors import N_, BadInput
from curation.folding import fold, lower_ascii
from curation.identifiers.kinds import TYPES
from curation.identifiers.page import Candidate, Line
from curation.identifiers.patterns import lazy

_MOST_WAYS = 4096  # how many ways a pattern may try to match at one place
_MOST_REPEATS = 64
_DENIED = 0.95


@dataclass(frozen=True, slots=True)
class Recogniser:
    """A pattern of the project for one type."""

    name: str
    type: str
    pattern: re.Pattern[str]
    score: float


@dataclass(frozen=True)
class Lists:
    """What a project knows by itself. `allow` and the values of `deny` (by type) are folded, in lower case."""

    allow: frozenset[str] = frozenset()
    deny: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    recognisers: tuple[Recogniser, ...] = ()

    @classmethod
    def parse(cls, toml: str) -> Lists:
        """Lists from the text of a TOML file. Raises BadInput when it is none, or holds what cannot be used."""
        try:
            data = tomllib.loads(toml)
        except tomllib.TOMLDecodeError as error:
            raise BadInput(N_("the lists are no valid TOML: {error}"), error=error) from None
        unknown = sorted(set(data) - {"allow", "deny", "recogniser"})
        if unknown:
            raise BadInput(N_("the lists hold what is not known: {names}"), names=", ".join(unknown))
        deny = data.get("deny", {})
        if not isinstance(deny, dict):
            raise BadInput(N_("deny must give a list of values for each type"))
        recognisers = data.get("recogniser", [])
        if not isinstance(recognisers, list):
            raise BadInput(N_("recognisers are written as [[recogniser]]"))
        return cls(
            allow=frozenset(_values(data.get("allow", []), "allow")),
            deny={_type(kind): tuple(sorted(set(_values(values, f"deny.{kind}")))) for kind, values in deny.items()},
            recognisers=tuple(_recogniser(one) for one in recognisers),
        )

    @cached_property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that change with any of the lists."""
        parts = [*sorted(self.allow), "|"]
        parts += [f"{kind}={value}" for kind, values in sorted(self.deny.items()) for value in values]
        parts += [f"{one.name}:{one.type}:{one.pattern.pattern}:{one.score}" for one in self.recognisers]
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @cached_property
    def _denied(self) -> list[tuple[str, re.Pattern[str]]]:
        found = []
        for kind, values in self.deny.items():
            longest = sorted((bounded(value) for value in values), key=lambda v: (-len(v), v))
            if longest:
                found.append((kind, re.compile("|".join(longest))))
        return found

    def allowing(self, value: str) -> Lists:
        """These lists, and `value` is never an identifier. Raises BadInput for a value of nothing that can be seen."""
        plain = _values([value], "allow")[0]
        deny = {kind: tuple(v for v in values if v != plain) for kind, values in self.deny.items()}
        return replace(self, allow=self.allow | {plain}, deny={kind: values for kind, values in deny.items() if values})

    def denying(self, kind: str, value: str) -> Lists:
        """These lists, and `value` is always one of type `kind`. Raises BadInput as `allowing` does."""
        plain = _values([value], f"deny.{kind}")[0]
        deny = {k: tuple(v for v in values if v != plain) for k, values in self.deny.items()}
        deny[_type(kind)] = tuple(sorted({*deny.get(kind, ()), plain}))
        return replace(self, allow=self.allow - {plain}, deny={k: values for k, values in deny.items() if values})

    def allows(self, text: str) -> bool:
        """Whether `text` (folded) is one of the values never suggested."""
        return lower_ascii(text).strip() in self.allow

    def candidates(self, line: Line) -> Iterator[Candidate]:
        """What the lists find in a line."""
        for kind, pattern in self._denied:
            for match in pattern.finditer(line.low):
                yield Candidate(*match.span(), kind, _DENIED, "lists:deny")
        for one in self.recognisers:
            for match in one.pattern.finditer(line.text):
                if match.end() > match.start():
                    yield Candidate(*match.span(), one.type, one.score, f"lists:{one.name}")


NO_LISTS = Lists()


def _values(values: object, name: str) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(one, str) and one.strip() for one in values):
        raise BadInput(N_("{name} must be a list of values that are not empty"), name=name)
    folded = [lower_ascii(fold(one).text).strip() for one in values]
    if not all(folded):
        raise BadInput(N_("{name} holds a value of signs that cannot be seen"), name=name)
    return folded


def bounded(value: str) -> str:
    """A value as a pattern: not inside a longer Latin word or number."""
    before = r"(?<![A-Za-z0-9])" if value[0].isascii() and value[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if value[-1].isascii() and value[-1].isalnum() else ""
    return before + re.escape(value) + after


def _type(kind: object) -> str:
    if not isinstance(kind, str) or kind not in TYPES:
        raise BadInput(N_("{kind} is no type of identifier; the types are {types}"), kind=kind, types=" ".join(TYPES))
    return kind


def _recogniser(data: object) -> Recogniser:
    if not isinstance(data, dict) or not {"name", "type", "pattern"} <= set(data) <= {
        "name",
        "type",
        "pattern",
        "score",
    }:
        raise BadInput(N_("a recogniser has a name, a type and a pattern, and perhaps a score"))
    name, score = data["name"], data.get("score", 0.8)
    if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9_-]{1,40}", name):
        raise BadInput(N_("the name of a recogniser is made of a-z, 0-9, - and _"))
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 < score <= 1:
        raise BadInput(N_("the score of recogniser {name} must be above 0 and at most 1"), name=name)
    pattern = data["pattern"]
    if not isinstance(pattern, str) or not pattern:
        raise BadInput(N_("the pattern of recogniser {name} is empty"), name=name)
    _check(pattern, name)
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise BadInput(N_("the pattern of recogniser {name} cannot be read: {error}"), name=name, error=error) from None
    return Recogniser(name, _type(data["type"]), compiled, float(score))


_ATOM = lazy(
    (
        r"\\(?P<escape>.)|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<open>\((?:\?:|\?P<[A-Za-z_]+>)?)|(?P<close>\))"
        r"|(?P<repeat>[*+]|\{[0-9]*,?[0-9]*\})[?+]?|(?P<maybe>\?)[?+]?|(?P<bar>\|)|."
    ),
    re.DOTALL,
)
_COUNTS = lazy(r"\{([0-9]+)(?:,([0-9]*))?\}")


def _check(pattern: str, name: str) -> None:
    """Refuse what could take long on some text: repeats without an end or of groups, and too many ways at once."""
    refused = BadInput(
        N_("the pattern of recogniser {name} may take long: repeat single characters or classes at most {most} times"),
        name=name,
        most=_MOST_REPEATS,
    )
    if len(pattern) > 300 or "(?" in re.sub(r"\(\?:|\(\?P<[A-Za-z_]+>", "", pattern):
        raise refused
    ways = 1
    atoms = list(_ATOM.finditer(pattern))
    for before, atom in pairwise([None, *atoms]):
        assert atom is not None
        if (atom["escape"] or "").isdigit():
            raise refused
        if atom["maybe"]:
            ways *= 2
        if atom["bar"]:
            ways *= 2
        if atom["repeat"]:
            counts = _COUNTS.fullmatch(atom["repeat"])
            if counts is None or (before is not None and before["close"]):
                raise refused
            low = int(counts[1])
            high = low if counts[2] is None else int(counts[2]) if counts[2] else _MOST_REPEATS + 1
            if high > _MOST_REPEATS or high < low:
                raise refused
            ways *= high - low + 1
        if ways > _MOST_WAYS:
            raise refused
