"""What follows from the log, area by area: the tables of an area and what each kind of event does to them.

An area is a module with one `AREA`. `db.schema` makes the tables of all areas, `db.replay` applies their events; neither
knows any of them by name.
"""

from __future__ import annotations

from db.following import (
    asking,
    assigning,
    expert,
    lead,
    people,
    purging,
    quality,
    reviews,
    rounds,
    scoring,
    screening,
    texts,
)
from db.following.area import Area

AREAS: tuple[Area, ...] = (
    people.AREA,
    assigning.AREA,
    screening.AREA,
    lead.AREA,
    rounds.AREA,
    texts.AREA,
    quality.AREA,
    reviews.AREA,
    asking.AREA,
    expert.AREA,
    scoring.AREA,
    purging.AREA,
)

# The kinds of which a purge destroys nothing.
OUTLIVES = frozenset({kind for area in AREAS for kind in area.outlives} | {"undone"})
