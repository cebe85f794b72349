"""Whether anything stands where it must not: what was purged, and what was replaced.

What was purged is forgotten, so that nothing can be looked for by its words, unless somebody still has the imported file.
What can be asked without it: that no text and no salt of it is left, in tables, index and free pages; that what was
replaced in dialogues that are not purged yet stands in no approved text, in no event and in no release.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from curation.identifiers import DIRECT
from curation.model import Dialogue
from curation.readers import read
from curation.work.purging import Leak
from db.dialogues import Dialogues
from db.index import BLOCK, PARTS, listed
from db.purging import DUE, GOES, staying
from db.quality import Quality
from db.rawbytes import Needles, chunks, companions, free_pages_with_something


class Leaks:
    """What the tables of one project show."""

    def __init__(self, connection: sqlite3.Connection, dialogues: Dialogues, quality: Quality) -> None:
        self._db = connection
        self._dialogues = dialogues
        self._quality = quality

    def inside(self) -> Iterator[Leak]:
        """Everything found in the tables; nothing when all is well."""
        if self._db.execute("SELECT 1 FROM meta WHERE key = ?", (DUE,)).fetchone():
            yield Leak("due", "file", 1)
        yield from self._not_gone()
        yield from self._index()
        known = Needles()
        for name, values, text in self._replaced():
            found = sum(value in text for value, _ in values)
            if found:
                yield Leak("identifier_in_text", name, found)
            for value, direct in values:
                if direct:
                    known.value(value)
        bodies = (
            body.encode("utf-8", "surrogatepass") + b"\n" for (body,) in self._db.execute("SELECT body FROM event")
        )
        if found := len(known.found_in(bodies)):
            yield Leak("identifier_in_log", "event", found)

    def _not_gone(self) -> Iterator[Leak]:
        count = self._db.execute(
            "SELECT (SELECT count(*) FROM purged x JOIN dialogue d ON d.id = x.dialogue JOIN payload p ON p.id = d.payload"
            " WHERE p.text IS NOT NULL OR p.salt IS NOT NULL) + (SELECT count(*) FROM purged x JOIN entry e USING"
            f" (dialogue) JOIN event v ON v.origin = e.origin AND v.number = e.number JOIN payload p ON p.id = e.payload"
            f" WHERE {GOES} AND (p.text IS NOT NULL OR p.salt IS NOT NULL))"
        ).fetchone()[0]
        if count:
            yield Leak("not_gone", "payload", int(count))
        count = self._db.execute(
            "SELECT count(*) FROM payload p WHERE (p.text IS NULL) <> (p.salt IS NULL)"
        ).fetchone()[0]
        if count:
            yield Leak("half_gone", "payload", int(count))

    def _index(self) -> Iterator[Leak]:
        """Lists of the search index that still name a purged dialogue for its raw text."""
        keys = [key for (key,) in self._db.execute("SELECT dialogue FROM purged ORDER BY dialogue")]
        found = 0
        for block in sorted({key // BLOCK for key in keys}):
            gone = {key % BLOCK for key in keys if key // BLOCK == block}
            for (blob,) in self._db.execute(
                "SELECT dialogues FROM gram WHERE place BETWEEN ? AND ?", (block * PARTS, block * PARTS + PARTS - 1)
            ):
                found += not gone.isdisjoint(listed(blob))
        if found:
            yield Leak("index", "gram", found)

    def _replaced(self) -> Iterator[tuple[str, list[tuple[str, bool]], str]]:
        """Of each approved dialogue that is not purged: its name, what was replaced (whether direct), its text."""
        rows = self._db.execute(
            "SELECT a.dialogue FROM approval a WHERE a.dialogue NOT IN (SELECT dialogue FROM purged) ORDER BY a.dialogue"
        ).fetchall()
        for (key,) in rows:
            sheet = self._quality.sheet(key)
            texts = [message.text for message in sheet.stored.dialogue.messages]
            values = {(texts[d.message][d.start : d.end], d.type in DIRECT) for d in sheet.decided if d.accepted}
            kept = {texts[d.message][d.start : d.end] for d in sheet.decided if not d.accepted}
            own = sorted((value, direct) for value, direct in values if len(value) > 1 and value not in kept)
            if own:
                yield sheet.stored.external_id, own, "\n".join(message.text for message in sheet.approved)

    def originals(self, files: Iterable[Path]) -> tuple[Needles, int]:
        """What to look for in the bytes: all that the dialogues in these raw files say which were purged here, as far as it
        does not rightly stay. And how many dialogues that were. Raises BadInput for a file that cannot be read.
        """
        needles, count = Needles(), 0
        purged = {
            name
            for (name,) in self._db.execute(
                "SELECT d.external_id FROM purged x JOIN dialogue d ON d.id = x.dialogue WHERE d.current = 1"
            )
        }
        for file in files:
            for reading in read(file):
                if isinstance(reading, Dialogue) and reading.external_id in purged:
                    count += 1
                    for message in reading.messages:
                        needles.message(message.text)
        needles.forget(needles.found_in(staying(self._db)))
        return needles, count

    def replaced(self) -> Needles:
        """The direct identifiers that were replaced in approved dialogues, to look for in what went out."""
        needles = Needles()
        for _, values, text in self._replaced():
            for value, direct in values:
                if direct and value not in text:
                    needles.value(value)
        return needles


def outside(path: Path, originals: Needles, replaced: Needles, others: Iterable[Path] = ()) -> Iterator[Leak]:
    """What the bytes of a closed project, and of other files and folders, show.

    `originals` are looked for everywhere, `replaced` in the others: the project itself holds the raw text of what is not
    purged yet. Free pages are looked at only where the write-ahead log is empty.
    """
    files = companions(path)
    if len(files) == 1 and (count := free_pages_with_something(files[0])):
        yield Leak("free_pages", path.name, count)
    for file in files:
        if count := len(originals.found_in(chunks(file))):
            yield Leak("original", file.name, count)
    for other in others:
        found = [other] if other.is_file() else sorted(one for one in other.rglob("*") if one.is_file())
        for file in found:
            if count := len(originals.found_in(chunks(file)) | replaced.found_in(chunks(file))):
                yield Leak("original", str(file), count)
