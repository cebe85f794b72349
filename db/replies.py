"""The replies of systems: what stands, what stood before, and what a curator lets pass."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from curation.errors import N_, RefusedStep, UsageError
from curation.work.asking import MISSING, MODES, PROCESS, Cell, Covered, Reply, Waiver, Words
from db.askable import Askable
from db.connection import storable, transaction
from db.curating import must_curate
from db.dialogues import Dialogues
from db.log import Log
from db.replay import project
from db.samples import Samples
from db.systems import Systems

if TYPE_CHECKING:
    from curation.model import Refusal
    from curation.replies.shapes import Written
    from db.answers import Answers, Taken
    from db.coverage import Coverage

_ROW = (
    "SELECT d.uid, r.system, r.mode, p.text, r.flags, r.mended, r.length, w.flags, w.person, q.text, r.prompt_hash,"
    " r.text_hash, (SELECT count(*) FROM reply_before b WHERE b.dialogue = r.dialogue AND b.system = r.system AND"
    " b.mode = r.mode), r.person, r.at, r.origin, r.number, r.seconds, r.written, r.pasted, r.dialogue"
    " FROM reply r JOIN dialogue d ON d.id = r.dialogue JOIN payload p ON p.id = r.payload"
    " LEFT JOIN reply_waiver w ON w.dialogue = r.dialogue AND w.system = r.system AND w.mode = r.mode"
    " LEFT JOIN payload q ON q.id = w.payload"
)


class Replies:
    """The replies of one project. `answers` takes files in, and is asked for when one comes."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        dialogues: Dialogues,
        samples: Samples,
        systems: Systems,
        askable: Askable,
        answers: Callable[[], Answers],
    ) -> None:
        self._db = connection
        self._log = log
        self._dialogues = dialogues
        self._samples = samples
        self._systems = systems
        self._askable = askable
        self._answers = answers

    # -- coming in

    def take(
        self,
        written: Iterable[Written | Refusal],
        system: str,
        by: str,
        *,
        file: str,
        mode: str | None = None,
        replace: bool = False,
    ) -> Taken:
        """Take a file's answers for a system: each is mended to what it says or refused with its line.

        `mode` is that of answers which do not say it themselves. What stands already stays, and the same again changes
        nothing; another reply in its place is refused unless `replace`.
        """
        must_curate(self._db, by)
        return self._answers().take(written, self._systems.get(system), by, file=file, mode=mode, replace=replace)

    # -- what stands

    def of(self, uid: str, system: str, mode: str) -> Reply | None:
        """The reply of a system to a dialogue in a mode, or None."""
        row = self._db.execute(
            f"{_ROW} WHERE d.uid = ? AND r.system = ? AND r.mode = ?", (uid, system, mode)
        ).fetchone()
        if row is None:
            return None
        text = self._askable.text(row[20])
        return _reply(row, {} if text is None else {row[20]: text.hash})

    def all(self, system: str | None = None, mode: str | None = None) -> Iterator[Reply]:
        """The replies that stand, of one system and in one mode where those are named, in order of dialogue."""
        rows = self._db.execute(
            f"{_ROW} WHERE (?1 IS NULL OR r.system = ?1) AND (?2 IS NULL OR r.mode = ?2)"
            " ORDER BY r.dialogue, r.system, r.mode",
            (system, mode),
        ).fetchall()
        hashes = self.hashes({row[20] for row in rows})
        return (_reply(row, hashes) for row in rows)

    def usable(self, system: str | None = None, mode: str | None = None) -> Iterator[Reply]:
        """The replies that may be scored: nothing is flagged in them that no curator let pass, `stale` included."""
        return (reply for reply in self.all(system, mode) if not reply.open_flags)

    def before(self, uid: str, system: str, mode: str) -> list[tuple[Words, str, str]]:
        """What stood there before, oldest first: words, who brought it, when (ISO 8601, UTC)."""
        rows = self._db.execute(
            "SELECT p.text, b.person, b.at FROM reply_before b JOIN payload p ON p.id = b.payload JOIN dialogue d"
            " ON d.id = b.dialogue WHERE d.uid = ? AND b.system = ? AND b.mode = ? ORDER BY b.place",
            (uid, system, mode),
        ).fetchall()
        return [(_words(text), person, at) for text, person, at in rows]

    def raw(self, uid: str, system: str, mode: str) -> str:
        """What the system wrote, word for word, where it had to be mended; "" where it was taken as it came."""
        row = self._db.execute(
            "SELECT p.text FROM reply r JOIN dialogue d ON d.id = r.dialogue JOIN payload p ON p.id = r.payload"
            " WHERE d.uid = ? AND r.system = ? AND r.mode = ?",
            (uid, system, mode),
        ).fetchone()
        return "" if row is None or row[0] is None else str(json.loads(row[0]).get("raw", ""))

    def hashes(self, keys: Iterable[int]) -> dict[int, str]:
        """The names of the texts that dialogues have now; those of which nothing may leave are left out."""
        return {key: text.hash for key, text in self._askable.texts(keys).items()}

    # -- letting pass

    def waive(
        self,
        by: str,
        system: str,
        mode: str,
        reason: str,
        *,
        uids: Iterable[str] | None = None,
        flags: Iterable[str] | None = None,
    ) -> int:
        """Let flags of replies pass, or that there is no reply (`missing`), with a reason, as one event.

        Without `uids` all of the system's replies in this mode; without `flags` all flags they have (missing ones only when
        `missing` is among `flags`, or their dialogues are named). Returns how many replies it concerned.
        """
        must_curate(self._db, by)
        if mode not in MODES:
            raise UsageError(N_("{name} must be one of {allowed}"), name="mode", allowed=", ".join(MODES))
        reason = reason.strip()
        if not reason or not storable(reason):
            raise UsageError(N_("say why it may pass"))
        self._systems.get(system)
        only = None if flags is None else set(flags)
        named = None if uids is None else {self._dialogues.key(uid) for uid in uids}
        with transaction(self._db):
            standing = {self._dialogues.key(reply.uid): reply for reply in self.all(system, mode)}
            expected, passed = self.coverage.expected(mode), self.coverage.waived_missing(system, mode)
            if named is not None and (strange := named - expected):
                raise RefusedStep(
                    N_("dialogue {id} is not in the sample"),
                    code="not_sampled",
                    id=self._dialogues.by_key(min(strange)).external_id,
                )
            entries: list[tuple[int, object]] = []
            for key in sorted(expected if named is None else named):
                reply = standing.get(key)
                if reply is None:
                    found = {MISSING} if named is not None or (only is not None and MISSING in only) else set()
                    had: set[str] = set(passed.get(key, ()))
                else:
                    found, had = set(reply.flags), set(reply.waiver.flags) if reply.waiver else set()
                chosen = (found if only is None else found & only) | had
                if chosen - had:
                    entries.append((key, {"flags": sorted(chosen), "reason": reason}))
            if entries:
                event = self._log.append("reply_waived", by, {"system": system, "mode": mode}, entries=entries)
                payloads = self._payloads(event.origin, event.number)
                project(self._db, event, [(key, payloads[key], value) for key, value in entries])
        return len(entries)

    def keep_reason(self, person: str, text: str) -> None:
        """Keep what a curator has written of a reason so far."""
        if storable(text):
            with transaction(self._db):
                self._db.execute("INSERT OR REPLACE INTO waiver_draft (person, text) VALUES (?, ?)", (person, text))

    def kept_reason(self, person: str) -> str:
        """What they had written when they left off."""
        row = self._db.execute("SELECT text FROM waiver_draft WHERE person = ?", (person,)).fetchone()
        return "" if row is None else str(row[0])

    def _payloads(self, origin: str, number: int) -> dict[int, int]:
        return dict(
            self._db.execute(
                "SELECT dialogue, payload FROM entry WHERE origin = ? AND number = ?", (origin, number)
            ).fetchall()
        )

    # -- how far it goes

    @cached_property
    def coverage(self) -> Coverage:
        """Which replies are there, dialogue by system by mode."""
        from db.coverage import Coverage

        return Coverage(self._db, self._samples, self._systems, self)

    def ready(self, system: str, mode: str | None = None) -> bool:
        """Whether a system can be scored: in the mode, or in both that every system answers in, nothing is missing or
        flagged that was not let pass.
        """
        return self.coverage.ready(system, mode)

    def covered(self) -> list[Covered]:
        """How far each system is in each mode."""
        return self.coverage.summary()

    def cells(self, key: int) -> Mapping[tuple[str, str], Cell]:
        """One dialogue in the coverage."""
        return self.coverage.grid([key]).get(key, {})


def _words(text: str | None) -> Words:
    value = json.loads(text) if text else {}
    process = value.get("process", {})
    return Words(value.get("reply", ""), {name: process[name] for name in PROCESS if name in process})


def _reply(row: tuple[Any, ...], hashes: Mapping[int, str]) -> Reply:
    waiver = None
    if row[7] is not None:
        waiver = Waiver(tuple(json.loads(row[7])), row[8], json.loads(row[9]).get("reason", "") if row[9] else "")
    flags = tuple(json.loads(row[4]))
    if is_stale(row[11], hashes.get(row[20])):
        flags = (*flags, "stale")
    return Reply(
        uid=row[0],
        system=row[1],
        mode=row[2],
        words=_words(row[3]),
        flags=flags,
        mended=tuple(json.loads(row[5])),
        length=row[6],
        waiver=waiver,
        prompt_hash=row[10],
        text_hash=row[11],
        replaced=row[12],
        person=row[13],
        at=row[14],
        ref=f"{row[15]}:{row[16]}",
        seconds=row[17],
        written=row[18],
        pasted=bool(row[19]),
    )


def is_stale(answered: str, now: str | None) -> bool:
    """Whether a reply answers another text than there is now. One that does not say what it answers is not told by this."""
    return bool(answered) and answered != now
