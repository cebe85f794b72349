"""Times as files write them: kept as written, never guessed at; only the impossible is refused."""

from __future__ import annotations

import re
from datetime import datetime

from curation.errors import N_
from curation.readers.limits import RecordError, shown
from curation.readers.phrases import phrase

_YEAR_FIRST = re.compile(
    r"\s*(\d{4})(?P<sep>[-/.年])(\d{1,2})(?:(?P=sep)|月)(\d{1,2})日?"
    r"(?:(?:T|t|\s)\s*(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(?!\d))?"
)
# Keys beside the messages that say by their name that they hold a moment.
TIME_KEYS = frozenset({"time", "date", "datetime", "timestamp", "created_at", "updated_at", "started_at", "ended_at"})


def refuse_impossible(text: str, field: str) -> None:
    """Refuse `text` when it is a date, year first, that no calendar has, or an hour that no clock shows.

    Any other spelling passes: day-first dates, epochs and words are kept as they are. Second 60 is refused, since
    nothing that reads the release could hold it. Raises RecordError (`bad_datetime`).
    """
    try:
        datetime.fromisoformat(text)
    except ValueError:
        match = _YEAR_FIRST.match(text)
        if match is None:
            return
        year, _, month, day, hour, minute, second = match.groups()
        try:
            datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0))  # noqa: DTZ001
        except ValueError as error:
            raise RecordError(
                "bad_datetime",
                N_("{field}: {text} is no possible time ({reason}); correct it or leave it out"),
                field=field,
                text=shown(text),
                reason=phrase(str(error)),
            ) from None
