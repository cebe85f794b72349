"""What can be the id of a dialogue."""

from __future__ import annotations

import re
from pathlib import Path

from curation.errors import N_
from curation.readers.limits import MAX_ID, RecordError, shown

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\ufffb]"
)
_PATH = re.compile(r"^[/\\]|^[A-Za-z]:[/\\]|(?:^|[/\\])\.{1,2}(?:[/\\]|$)")


def checked_id(value: str) -> str:
    """`value`, when it can be an id: 1 to MAX_ID characters of any script, no path. Raises RecordError `bad_id`."""
    if not value or len(value) > MAX_ID:
        raise RecordError(
            "bad_id",
            N_("id: {count} {count:character|characters}; it must have 1 to {most}"),
            count=len(value),
            most=MAX_ID,
        )
    # What is printable throughout and begins and ends so holds none of the unseen; most ids are.
    plain = value.isprintable() and value[0] != " " != value[-1]
    if not plain and (value != value.strip() or _UNSEEN.search(value)):
        raise RecordError(
            "bad_id", N_("id: {value} has invisible characters or white space around it"), value=shown(value)
        )
    if ("/" in value or "\\" in value or value in (".", "..")) and _PATH.search(value):
        raise RecordError(
            "bad_id",
            N_("id: {value} is a path; ids name files on the way out, so use another"),
            value=shown(value),
        )
    return value


def id_from_name(path: Path) -> str:
    """An id made of a file's name without its ending, for dialogues that have none of their own."""
    return (_UNSEEN.sub("_", path.stem).strip() or "dialogue")[: MAX_ID - 12]
