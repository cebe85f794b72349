"""Rows of asking: the sample, the systems, their replies, and what of them is missing or flagged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

# The five process fields, in the order in which they are thought and scored.
PROCESS = ("motivation", "cause", "emotion", "intention", "strategy")
COT, DIRECT = "cot", "direct"
# A CoT with one process field left out.
ABLATIONS = tuple(f"{COT}-{name}" for name in PROCESS)
MODES = (COT, DIRECT, *ABLATIONS)
# What stands in a waiver for a reply that there is none of.
MISSING = "missing"


def fields_of(mode: str) -> tuple[str, ...]:
    """The process fields that a reply of this mode has."""
    if mode == DIRECT:
        return ()
    return tuple(name for name in PROCESS if mode != f"{COT}-{name}")


@dataclass(frozen=True)
class Sampled:
    """A dialogue in the sample. `place` counts from 1 in the order of drawing, `draw` the draws."""

    uid: str
    external_id: str
    source: str
    place: int
    draw: int
    situation: str
    strata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sample:
    """The sample of a project, in the order of drawing. `by` names the strata within situations, `stage` where from."""

    seed: int
    stage: str
    by: tuple[str, ...]
    items: tuple[Sampled, ...]

    @property
    def n(self) -> int:
        """How many dialogues."""
        return len(self.items)

    @property
    def by_situation(self) -> dict[str, int]:
        """How many of each situation, in the order of the taxonomy; those of which there is none are left out."""
        from curation.taxonomy import taxonomy

        counts = Counter(item.situation for item in self.items)
        known = [s.id for s in taxonomy().situations if counts[s.id]]
        return {name: counts[name] for name in [*known, *sorted(set(counts) - set(known))]}


@dataclass(frozen=True)
class System:
    """Who answers. `kind` is llm or expert; `person` is the expert's name among the people.

    `date` is the day of the answers (YYYY-MM-DD, or less of it), `prompt` the version of the prompt they were asked with,
    `temperature` None where that is not known or means nothing.
    """

    name: str
    kind: str = "llm"
    model: str = ""
    provider: str = ""
    date: str = ""
    temperature: float | None = None
    prompt: str = ""
    notes: str = ""
    person: str = ""


@dataclass(frozen=True)
class Words:
    """What a reply says: the reply, and the process fields by name ("" for one that was left empty)."""

    reply: str
    process: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Waiver:
    """What a curator let pass, and why."""

    flags: tuple[str, ...]
    by: str
    reason: str


@dataclass(frozen=True)
class Reply:
    """The reply of a system to a dialogue that stands.

    `flags` are codes of `curation.replies.FLAGS`, `stale` among them where it answers another text than the dialogue has
    now; `mended` are codes of what was put right to read it. `length` is what a reader sees. `replaced` counts the
    replies that stood here before. Of an expert's: `seconds` it took, `written` 1 or 2 for the reply written first or
    second (0: not known), `pasted` when text was pasted in. `ref` names the event.
    """

    uid: str
    system: str
    mode: str
    words: Words
    flags: tuple[str, ...]
    mended: tuple[str, ...]
    length: int
    waiver: Waiver | None
    prompt_hash: str
    text_hash: str
    replaced: int
    person: str
    at: str
    ref: str
    seconds: float | None = None
    written: int = 0
    pasted: bool = False

    @property
    def open_flags(self) -> tuple[str, ...]:
        """The flags that no waiver covers: while there are any, the reply goes into no scoring."""
        waived = () if self.waiver is None else self.waiver.flags
        return tuple(flag for flag in self.flags if flag not in waived)


@dataclass(frozen=True)
class ReplyReport:
    """Counts of one import of replies. `flagged` counts the replies taken that have a flag, `flags` and `mended` by code."""

    new: int
    known: int
    replaced: int
    refused: int
    flagged: int
    flags: Mapping[str, int] = field(default_factory=dict)
    mended: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """One dialogue x system x mode of the coverage: `state` is ok, mended, flagged, waived or missing."""

    state: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Covered:
    """How far one system is in one mode: `of` is how many replies it should have.

    `complete` + `flagged` + `missing` = `of`; `waived` of the complete ones had something let pass, a missing reply too.
    """

    system: str
    mode: str
    of: int
    complete: int
    waived: int
    flagged: int
    missing: int
    mended: int
    flags: Mapping[str, int] = field(default_factory=dict)

    @property
    def ready(self) -> bool:
        """Nothing is missing or flagged that was not let pass."""
        return self.of > 0 and self.complete == self.of
