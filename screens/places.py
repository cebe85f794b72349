"""Places where a text was found: gathered for the screen, and each as one line or as the dialogue around it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from curation.model import Dialogue
from screens.display import visible
from screens.lines import named
from screens.widgets.dialogue import Said
from screens.widgets.found import LEFT, RIGHT

if TYPE_CHECKING:
    from db.project import Project
    from db.search import Hit

SOON = 0.05  # seconds between two batches
ID_ROOM, TURN_ROOM = 14, 5


@dataclass(frozen=True, slots=True)
class Place:
    """A hit, and the turn it stands in (from 1)."""

    hit: Hit
    turn: int


def in_batches(project: Project, hits: Iterable[Hit]) -> Iterator[list[Place]]:
    """Hits with their turns, as many at a time as come in a moment."""
    some: list[Place] = []
    turns: dict[int, int] = {}
    uid, last = "", time.monotonic()
    for hit in hits:
        if hit.uid != uid:
            uid, turns = hit.uid, _turns(project.dialogues.find(hit.uid).dialogue)
        some.append(Place(hit, turns.get(hit.message, 1)))
        if time.monotonic() - last > SOON:
            yield some
            some, last = [], time.monotonic()
    yield some


def _turns(dialogue: Dialogue) -> dict[int, int]:
    """Message -> the number of its turn."""
    return {index: turn.number for turn in dialogue.turns for index in turn.messages}


def said_of(dialogue: Dialogue, texts: Sequence[str]) -> list[Said]:
    """A dialogue's messages as they are shown, with `texts` as their texts."""
    turns = _turns(dialogue)
    last = max(turns.values(), default=1)
    return [
        Said(turns.get(n, last), dialogue.party(m), m.speaker, text, bool(turns) and turns.get(n, last) == last)
        for n, (m, text) in enumerate(zip(dialogue.messages, texts, strict=True))
    ]


def painted(place: Place, width: int) -> list[tuple[str, bool]]:
    """A place in one line: dialogue, turn, and the message around what was found, which stands between two signs."""
    hit = place.hit
    name = visible(hit.external_id, one_line=True)
    head = f"{named(name, ID_ROOM)} {place.turn:>{TURN_ROOM}}  "
    found = f"{LEFT}{visible(hit.text[hit.start : hit.end], one_line=True)}{RIGHT}"
    room = max(width - cell_len(head), 10)
    # No more than can be seen is made visible: a message can be very long.
    before = visible(hit.text[max(hit.start - room, 0) : hit.start], one_line=True)
    after = visible(hit.text[hit.end : hit.end + room], one_line=True)
    least = max(room - cell_len(found) - min(cell_len(after), room // 2), 0)
    cut = hit.start > room or cell_len(before) > least
    while before and cell_len(before) > max(least - cut, 0):
        before = before[1:]
    return [(head + ("…" if cut else "") + before, False), (found, True), (after, False)]
