"""The expert desk: unfinished answers. What is finished is a reply like any other."""

from __future__ import annotations

from db.following.area import Area

# A half-written field of an answer, and whether anything was pasted into it; `seconds` of work on the answer so far.
# `again`: an answer that was closed is being written anew.
_DESK = """
CREATE TABLE expert_draft (
    person TEXT NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id), mode TEXT NOT NULL, field TEXT NOT NULL,
    text TEXT NOT NULL, pasted INTEGER NOT NULL CHECK (pasted IN (0, 1)), PRIMARY KEY (person, dialogue, mode, field)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE expert_part (
    person TEXT NOT NULL, dialogue INTEGER NOT NULL REFERENCES dialogue(id), mode TEXT NOT NULL, seconds REAL NOT NULL,
    again INTEGER NOT NULL CHECK (again IN (0, 1)), PRIMARY KEY (person, dialogue, mode)) STRICT, WITHOUT ROWID;
CREATE TABLE expert_desk (
    person TEXT PRIMARY KEY, dialogue INTEGER NOT NULL REFERENCES dialogue(id)) STRICT, WITHOUT ROWID;
"""

AREA = Area(name="expert", tables={}, forgotten=("expert_draft", "expert_part"), desk=_DESK)
