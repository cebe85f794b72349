"""Chat as SI-Bench writes it into one string: `用户: …` and `对方: …` lines."""

from __future__ import annotations

import re

from curation.errors import N_
from curation.readers.limits import RecordError, shown

OURS, THEIRS = "用户", "对方"
HEADER = re.compile(f"^f?({OURS}|{THEIRS})[:：] ?", re.MULTILINE)


def messages_of(text: object) -> tuple[list[str], list[str]]:
    """Speakers and texts of the chat in `text`.

    A header begins a line: the label, one colon of either width, at most one space; one stray `f` may stand before it.
    All after it belongs to the message, over as many lines as follow. The one line end before the next header
    separates; every other white space is text, at the very end too. Lines with nothing visible at the head are no
    messages. Raises RecordError.
    """
    if not isinstance(text, str):
        raise RecordError(
            "wrong_type",
            N_("chat_messages: {value} is no text of lines {ours}: … {theirs}: …"),
            value=shown(repr(text)),
            ours=OURS,
            theirs=THEIRS,
        )
    before, *rest = HEADER.split(text)
    if before.strip():
        raise RecordError(
            "text_before_header",
            N_("chat_messages: {text} stands before the first {ours}: or {theirs}: line"),
            text=shown(before),
            ours=OURS,
            theirs=THEIRS,
        )
    # Up to the next header, which begins a line: the line end before it is the separator.
    return rest[::2], [*(said[:-1] for said in rest[1:-1:2]), *rest[-1:]]
