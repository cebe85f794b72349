"""Rows of the inbox: comments and rulings that came to someone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Letter:
    """Something said to someone about a dialogue. `ref` names it; `kind` is comment, ruling or answer.

    A ruling and an answer to a question have `outcome`: of a ruling the situation it names, "" for dropped; `mine` is what
    its reader had answered blind, in the same words, None where they had not. `sent` are the reader's own comments.
    """

    ref: str
    kind: str
    uid: str
    dialogue: str
    writer: str
    reader: str
    text: str
    at: str
    read: bool
    answers: str = ""
    outcome: str = ""
    mine: str | None = None
    sent: bool = False
