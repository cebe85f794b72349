"""Taking answers in: whose prompt each answers, what it says, what is flagged in it, and whether it is new."""

from __future__ import annotations

import gc
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from curation.errors import N_, NotFound, RefusedStep, UsageError, WorkbenchError
from curation.model import Refusal
from curation.readers.limits import RecordError
from curation.replies import REPLIES_VERSION, flags_of, read_words, visible_length
from curation.replies.flags import FLAGS
from curation.replies.shapes import Written
from curation.work.asking import MODES, ReplyReport, System, Words
from db.askable import Askable, AskText
from db.connection import transaction
from db.dialogues import Dialogues
from db.log import Log
from db.prompts import Asked, AskedBy, Prompts
from db.replay import project
from db.settings import Current

# So much of what a model wrote is kept beside what was mended out of it.
RAW_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of one file: counts, and what was refused, in the file's order."""

    report: ReplyReport
    refused: tuple[Refusal, ...]


class _Read(NamedTuple):
    """One answer of the file: what is kept of it, what it answers, its process fields beyond those of its mode, its line,
    and how it stood there.
    """

    value: dict[str, Any]
    words: Words
    place: Asked
    uncalled: tuple[str, ...]
    line: int
    raw: str


@dataclass(slots=True)
class _Run:
    """One import while it goes on: what was read by mode and dialogue, and what it is held against."""

    asked: AskedBy
    sampled: frozenset[int]
    limit: int
    entries: dict[str, dict[int, _Read]] = field(default_factory=dict)
    texts: dict[int, AskText] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    mended: Counter[str] = field(default_factory=Counter)
    named: dict[str, int] = field(default_factory=dict)


@contextmanager
def _collector_resting() -> Iterator[None]:
    """Without the collector of cycles: what is read is kept, and it would look through all of it again and again."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class Answers:
    """Takes the answers of one file."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        settings: Current,
        dialogues: Dialogues,
        askable: Askable,
        prompts: Prompts,
    ) -> None:
        self._db = connection
        self._log = log
        self._settings = settings
        self._dialogues = dialogues
        self._askable = askable
        self._prompts = prompts

    def take(
        self,
        written: Iterable[Written | Refusal],
        system: System,
        by: str,
        *,
        file: str,
        mode: str | None,
        replace: bool,
    ) -> Taken:
        """See `Replies.take`."""
        if mode is not None and mode not in MODES:
            raise UsageError(N_("{name} must be one of {allowed}"), name="mode", allowed=", ".join(MODES))
        sampled = frozenset(key for (key,) in self._db.execute("SELECT dialogue FROM sampled"))
        if not sampled:
            raise RefusedStep(
                N_("no sample is drawn yet; `workbench sample PROJECT --n 312 --seed 7` draws one"), code="no_sample"
            )
        run = _Run(self._prompts.asked(), sampled, self._settings.now.reply_limit)
        refused: list[Refusal] = []
        with _collector_resting():
            # Reading and mending take long and need no lock.
            for one in written:
                if isinstance(one, Refusal):
                    refused.append(one)
                    continue
                try:
                    self._add(run, one, mode)
                except RecordError as error:
                    refused.append(
                        Refusal(file, one.line, error.code, error.reason, one.raw, error.template, error.params)
                    )
                except WorkbenchError as error:
                    refused.append(
                        Refusal(file, one.line, error.code, str(error), one.raw, error.template, error.params)
                    )
            if run.entries:
                run.texts = self._askable.texts(key for entries in run.entries.values() for key in entries)
                self._look(run)
            with transaction(self._db):
                for name, entries in run.entries.items():
                    self._store(run, system, name, entries, by, replace, refused, file)
        refused.sort(key=lambda one: one.line)
        report = ReplyReport(
            run.counts["new"],
            run.counts["known"],
            run.counts["replaced"],
            len(refused),
            run.counts["flagged"],
            {code: run.flags[code] for code in FLAGS if run.flags[code]},
            dict(sorted(run.mended.items())),
        )
        return Taken(report, tuple(refused))

    # -- one answer

    def _add(self, run: _Run, one: Written, mode: str | None) -> None:
        place = self._place(run, one, mode)
        if place.dialogue not in run.sampled:
            raise RecordError("not_sampled", N_("{id} is not in the sample"), id=one.id)
        read = self._read(one, place)
        entries = run.entries.setdefault(place.mode, {})
        before = entries.get(place.dialogue)
        if before is None:
            entries[place.dialogue] = read
        elif any(before.value[name] != read.value[name] for name in ("reply", "process")):
            raise RecordError(
                "several_replies", N_("the file has another reply to the same prompt, at line {line}"), line=before.line
            )
        else:
            run.counts["known"] += 1

    def _place(self, run: _Run, one: Written, mode: str | None) -> Asked:
        """What an answer answers; where it names only the dialogue, not which prompt, without the hashes of one."""
        said = one.mode or mode
        if said is not None and said not in MODES:
            raise RecordError(
                "unknown_mode", N_("{mode} is no mode; there are {known}"), mode=said, known=", ".join(MODES)
            )
        asked = run.asked.find(one.id)
        if asked is not None:
            if (mode is not None and asked.mode != mode) or (one.mode and asked.mode != one.mode):
                raise RecordError(
                    "wrong_mode", N_("the prompt asked for {asked}, not for {mode}"), asked=asked.mode, mode=said
                )
            return asked
        if run.asked.looks_like(one.id):
            raise RecordError(
                "unknown_prompt", N_("{id} is the id of no prompt that this project wrote out"), id=one.id
            )
        if said is None:
            raise RecordError("no_mode", N_("neither the answer nor --mode says in which mode it is"))
        if one.id not in run.named:
            try:
                run.named[one.id] = self._dialogues.key(self._dialogues.find(one.id).uid)
            except NotFound as error:
                raise RecordError(error.code, error.template, **error.params) from None
        return Asked(run.named[one.id], said)

    @staticmethod
    def _read(one: Written, place: Asked) -> _Read:
        """What an answer says; what is flagged in it comes later."""
        understood = read_words(one.content, place.mode)
        if one.cut and {"unclosed", "lines", "bare_text"} & set(understood.mended):
            raise RecordError("truncated", N_("the model was cut off before it had finished"))
        words = understood.words
        value: dict[str, Any] = {
            "reply": words.reply,
            "process": words.process,
            "mended": understood.mended,
            "prompt": place.hash,
            "text": place.text_hash,
        }
        if understood.mended and isinstance(one.content, str):
            value["raw"] = one.content[:RAW_KEPT]
        return _Read(value, words, place, understood.uncalled, one.line, one.raw)

    @staticmethod
    def _look(run: _Run) -> None:
        """Flag what was read. One after another, in a loop of its own: among the mending it would take twice as long."""
        limit, texts = run.limit, run.texts
        for entries in run.entries.values():
            for key, (value, words, place, uncalled, _, _) in entries.items():
                text, length = texts.get(key), visible_length(words.reply)
                flags = flags_of(
                    words,
                    limit=limit,
                    dialogue=() if text is None else text.spoken,
                    dialogue_lang="zh" if text is None else text.lang,
                    prompt_lang=place.lang,
                    uncalled=uncalled,
                    length=length,
                )
                value["flags"] = flags if place.hash else (*flags, "unbound")
                value["length"] = length

    # -- all of a mode

    def _store(
        self,
        run: _Run,
        system: System,
        mode: str,
        entries: dict[int, _Read],
        by: str,
        replace: bool,
        refused: list[Refusal],
        file: str,
    ) -> None:
        standing = self._standing(system.name, mode)
        fresh: list[tuple[int, dict[str, Any]]] = []
        for key in sorted(entries):
            made, _, _, _, line, raw = entries[key]
            before = standing.get(key)
            if before is not None:
                if all(before.get(name) == made[name] for name in ("reply", "process", "prompt", "text")):
                    run.counts["known"] += 1
                    continue
                if not replace:
                    template = N_("another reply to this prompt stands already; --replace takes this one instead")
                    refused.append(Refusal(file, line, "changed", template, raw, template))
                    continue
            run.counts["new" if before is None else "replaced"] += 1
            answered, text = made["text"], run.texts.get(key)
            stale = ("stale",) if answered and (text is None or answered != text.hash) else ()
            if made["mended"]:  # most have none, and counting nothing takes its time
                run.mended.update(made["mended"])
            if stale or made["flags"]:
                run.flags.update((*made["flags"], *stale))
                run.counts["flagged"] += 1
            fresh.append((key, made))
        if not fresh:
            return
        counts = {"replies": len(fresh), "flagged": sum(bool(made["flags"]) for _, made in fresh)}
        body = {"system": system.name, "mode": mode, "rules": REPLIES_VERSION, "limit": run.limit, "counts": counts}
        event = self._log.append("answered", by, body, entries=fresh)
        payloads = dict(
            self._db.execute(
                "SELECT dialogue, payload FROM entry WHERE origin = ? AND number = ?", (event.origin, event.number)
            ).fetchall()
        )
        project(self._db, event, [(key, payloads[key], value) for key, value in fresh])

    def _standing(self, system: str, mode: str) -> dict[int, dict[str, Any]]:
        rows = self._db.execute(
            "SELECT r.dialogue, p.text FROM reply r JOIN payload p ON p.id = r.payload WHERE r.system = ? AND r.mode = ?",
            (system, mode),
        ).fetchall()
        return {key: json.loads(text) if text else {} for key, text in rows}
