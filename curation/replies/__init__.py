"""Replies: what a system wrote, to the words it says, with what was put right and what is wrong with it.

for reading in read(Path("results.jsonl")):
    ...  # a Written, or a Refusal of one record with its line
read_words(written.content, mode)   # the words, what was mended to read them; refused by reason otherwise
flags_of(words, mode, …)            # what a curator must look at before it is scored
"""

from __future__ import annotations

from curation.replies.flags import FLAGS, flags_of
from curation.replies.length import visible_length
from curation.replies.mending import MENDED, Understood, read_words
from curation.replies.shapes import SHAPES, Written, read

# Of all that decides what is read from a model's output and what is flagged in it.
REPLIES_VERSION = "replies-1"

__all__ = [
    "FLAGS",
    "MENDED",
    "REPLIES_VERSION",
    "SHAPES",
    "Understood",
    "Written",
    "flags_of",
    "read",
    "read_words",
    "visible_length",
]
