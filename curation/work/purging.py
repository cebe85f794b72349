"""What purging is about to destroy, what it destroyed, and what a look for leaks found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Copy:
    """What left the project file before, and still holds something. `kind` is backup, packet, raw (a raw copy), prompts,
    decisions, disputed (disputed ones released apart) or release.

    `originals` counts those of the purged dialogues of whose originals it took anything away; a release holds approved
    text alone.
    """

    kind: str
    name: str
    at: str
    originals: int


@dataclass(frozen=True)
class PurgePlan:
    """What a purge would destroy. `uids` names the dialogues; `versions` counts other versions of them that go as well.

    `payloads` counts texts by the kind of event that brought them (`imported` is raw text). `refused` has the reasons of
    each dialogue that was asked for and stays, by external id. `due`: an earlier purge was not finished on the disk;
    `unfinished` counts its dialogues.
    """

    uids: tuple[str, ...]
    versions: int
    payloads: Mapping[str, int]
    refused: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    copies: tuple[Copy, ...] = ()
    due: bool = False
    unfinished: int = 0


@dataclass(frozen=True)
class Leak:
    """Something found where it must not be. `where` names a file, table or dialogue; `count` how many; never a text."""

    code: str
    where: str
    count: int
