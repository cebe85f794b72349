"""The bounds a file has to keep, in one place, and the words for what breaks them.

They stop a hostile or damaged file from taking all memory; none is near what real chats need: a dialogue of 20,000
messages is about 1.4 MB as one JSON line.
"""

from __future__ import annotations

import re

from curation.wording import filled

MAX_RECORD = 2_000_000
"""Bytes (UTF-8) of one line, and of one element of a JSON array."""
MAX_FIELD = 131_072
"""Characters of one CSV field."""
MAX_KEYS = 1_000
"""Keys of one JSON object."""
MAX_DEPTH = 32
"""Objects and lists within each other; a record itself is level 1."""
MAX_ID = 256
"""Characters of an id."""
RAW_KEPT = 4_096
"""Characters of an overlong line that go into the reject file."""
CHUNK = 1 << 16
"""Bytes read at a time: small enough that the allocator reuses the room and the processor's cache holds it."""

_SHOWN = 60
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")


class RecordError(Exception):
    """One record cannot be read. `code` is a stable machine name; `reason` says what is wrong and what to do.

    `reason` is `template`, an English sentence with `{named}` fields, filled with `params`.
    """

    def __init__(self, code: str, template: str, /, **params: object) -> None:
        self.code = code
        self.template = template
        self.params = params
        self.reason = filled(template, params) if params else template
        super().__init__(self.reason)


def shown(text: str) -> str:
    """`text` as it may stand inside a message: quoted, at most 60 characters, control characters spelled out."""
    cut = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return '"' + _UNPRINTABLE.sub(lambda m: f"‹U+{ord(m[0]):04X}›", cut) + '"'
