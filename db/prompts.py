"""Prompts: what is asked about the sampled dialogues, under opaque ids, and the record of what left the project."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from curation.errors import N_, RefusedStep, UsageError
from curation.prompts import Template, chat, template
from curation.work.asking import ABLATIONS, MODES
from db.askable import Askable
from db.connection import transaction
from db.curating import must_curate
from db.leaving import PROMPTS, remember
from db.log import Log
from db.replay import project
from db.samples import ABLATION_SIZE, Samples
from db.settings import Current

_ID = re.compile(r"([0-9a-f]{16})-(cot(?:-[a-z]+)?|direct)-([0-9a-f]{12})(-agreed)?")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt. `id` ties a reply to it and tells nothing; `stage` is that of the text in it, approved or agreed."""

    id: str
    stage: str
    messages: tuple[dict[str, str], ...]


@dataclass(frozen=True, slots=True)
class Prompted:
    """The prompts of one mode in one language, in the order of their ids, and how many dialogues were left out because
    no text of theirs may leave. `new` of the prompts were never written out before.
    """

    template: Template
    mode: str
    prompts: tuple[Prompt, ...]
    left_out: int
    new: int

    @property
    def stages(self) -> dict[str, int]:
        """How many hold approved text, and how many agreed text, masked."""
        return dict(Counter(one.stage for one in self.prompts))


class Asked(NamedTuple):
    """What a prompt's id stands for. `hash` and `text_hash` are those of the prompt and of the text in it, "" where no
    prompt is known.
    """

    dialogue: int
    mode: str
    lang: str = ""
    hash: str = ""
    text_hash: str = ""


class Prompts:
    """The prompts of one project."""

    def __init__(
        self, connection: sqlite3.Connection, log: Log, settings: Current, samples: Samples, askable: Askable
    ) -> None:
        self._db = connection
        self._log = log
        self._settings = settings
        self._samples = samples
        self._askable = askable

    def make(
        self,
        mode: str,
        lang: str,
        by: str,
        *,
        folder: Path | None = None,
        count: int | None = None,
        without: Collection[str] = (),
        to: str = "-",
    ) -> Prompted:
        """The prompts for the sample (for an ablation its first 100 places), and the record that they left.

        `folder` holds templates of the project's own; `count` asks for fewer, from the first place on; `without` are
        uids that need no prompt any more; `to` names the file that they leave in, "-" for a stream. The order of the lines
        tells nothing of the order of drawing, which follows the situations.
        """
        must_curate(self._db, by)
        if mode not in MODES:
            raise UsageError(N_("{name} must be one of {allowed}"), name="mode", allowed=", ".join(MODES))
        made = template(lang, folder)
        sample = self._samples.get()
        size = count if count is not None else ABLATION_SIZE if mode in ABLATIONS else sample.n
        if size < 1:
            raise UsageError(N_("at least one prompt is asked for"))
        limit = self._settings.now.reply_limit
        places = dict(zip(self._samples.keys()[:size], sample.items[:size], strict=True))
        wanted = [key for key, item in places.items() if item.uid not in without]
        with transaction(self._db):
            texts = self._askable.texts(wanted)
            prompts: list[Prompt] = []
            entries: list[tuple[int, object]] = []
            known = set(self._db.execute("SELECT dialogue, hash FROM prompt").fetchall())
            for key, text in sorted(texts.items()):
                messages = chat(made, mode, limit, text.turns)
                hashed = self._askable.hash("prompt", made.name, mode, messages)
                name = self._askable.name(places[key].uid)
                end = "" if text.stage == "approved" else f"-{text.stage}"
                prompts.append(Prompt(f"{name}-{mode}-{hashed}{end}", text.stage, tuple(messages)))
                if (key, hashed) not in known:
                    entries.append((key, {"hash": hashed, "text": text.hash, "stage": text.stage}))
            if not prompts and wanted:
                raise RefusedStep(
                    N_("nothing of the sampled dialogues may leave: only approved text does; approve them first"),
                    code="nothing_approved",
                )
            if entries:
                body: dict[str, Any] = {"mode": mode, "lang": lang, "template": made.name, "limit": limit}
                event = self._log.append("prompted", by, body, entries=entries)
                project(self._db, event, [(key, 0, value) for key, value in entries])
            if prompts:
                remember(self._db, self._log, PROMPTS, to)
        prompts.sort(key=lambda one: one.id)
        return Prompted(made, mode, tuple(prompts), len(wanted) - len(prompts), len(entries))

    def asked(self) -> AskedBy:
        """What the ids of all prompts stand for, to be looked up many at a time."""
        rows = self._db.execute(
            "SELECT d.uid, p.dialogue, p.mode, p.lang, p.hash, p.text_hash FROM prompt p"
            " JOIN dialogue d ON d.id = p.dialogue"
        ).fetchall()
        name = self._askable.name
        return AskedBy({f"{name(row[0])}-{row[2]}-{row[4]}": row for row in rows})

    def templates(self) -> dict[str, int]:
        """The templates that prompts were made of, with how many prompts."""
        rows = self._db.execute("SELECT template, count(*) FROM prompt GROUP BY template ORDER BY template").fetchall()
        return dict(rows)


class AskedBy:
    """The prompts of a project by their ids: each a row of a uid and what Asked holds."""

    def __init__(self, prompts: Mapping[str, tuple[Any, ...]]) -> None:
        self._prompts = prompts

    @staticmethod
    def looks_like(name: str) -> bool:
        """Whether this is the id of a prompt, of whatever project."""
        return _ID.fullmatch(name) is not None

    def find(self, name: str) -> Asked | None:
        """What the id stands for; None when this project wrote out no such prompt."""
        # What stage the text had is said for people's eyes: it names no other prompt.
        row = self._prompts.get(name) or self._prompts.get(name.removesuffix("-agreed"))
        return None if row is None else Asked(*row[1:])
