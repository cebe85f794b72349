"""Disputed dialogues, released apart: with both answers, and never among the agreed ones.

Disputed dialogues have no approved text. What goes out is the text as its layers amount to now, and only where nothing is
open in it: no finding undecided, the output scanned again, the same checks as before an approval. Masked text is no
release: a mask covers what a machine proposes, and nobody has looked.
"""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.errors import N_, RefusedStep
from curation.release import to_line
from curation.stages import Stage
from curation.taxonomy import taxonomy
from db.connection import transaction
from db.curating import must_curate
from db.dialogues import Dialogues
from db.leaving import DISPUTED, remember
from db.log import Log
from db.quality import Quality
from db.releases import Releases

LINES = "disputed.jsonl"
NOTICE = "DISPUTED.txt"
_WORDS = (
    "These dialogues are disputed: two annotators did not agree on them, and nobody has ruled. They are no part of the\n"
    "agreed release; each line holds both answers and no single label.\n"
    "这些对话有争议：两位标注者意见不一致，也没有裁定。它们不属于一致的发布数据；每行有两个回答，没有唯一标签。\n"
)


@dataclass(frozen=True, slots=True)
class DisputedReport:
    """What was written, and how many disputed ones stayed behind, by what is open in them."""

    dialogues: int
    files: tuple[str, ...]
    left_out: dict[str, int]


class Disputed:
    """The disputed dialogues of one project, for whoever studies disagreement."""

    def __init__(
        self, connection: sqlite3.Connection, log: Log, dialogues: Dialogues, quality: Quality, releases: Releases
    ) -> None:
        self._db = connection
        self._log = log
        self._dialogues = dialogues
        self._quality = quality
        self._releases = releases

    def export(self, out: Path, by: str) -> DisputedReport:
        """Write them to a folder of their own. Refused where there is nothing that may go out."""
        must_curate(self._db, by)
        records: list[dict[str, Any]] = []
        left: Counter[str] = Counter()
        for stored in self._dialogues.at(Stage.DISPUTED):
            key = self._dialogues.key(stored.uid)
            sheet = self._quality.sheet(key)
            matters = self._quality.checks.of_text(sheet)
            left.update(matters)
            if not matters:
                records.append(
                    {
                        "id": self._releases.release_id(stored.uid),
                        "disputed": True,
                        "messages": [{"turn": m.turn, "speaker": m.party, "text": m.text} for m in sheet.final],
                        "labels": self._labels(key),
                        "taxonomy": taxonomy().version,
                    }
                )
        if not records:
            raise RefusedStep(
                N_(
                    "no disputed dialogue may go out (open: {codes}); `workbench scrub PROJECT --disputed` looks through them"
                ),
                code="nothing_disputed",
                codes=", ".join(f"{code} {n}" for code, n in sorted(left.items())) or "-",
            )
        records.sort(key=lambda record: str(record["id"]))
        with transaction(self._db):
            remember(self._db, self._log, DISPUTED, out.name)
        _write(out, {NOTICE: _WORDS, LINES: "".join(map(to_line, records))})
        return DisputedReport(len(records), (NOTICE, LINES), dict(sorted(left.items())))

    def _labels(self, key: int) -> list[dict[str, Any]]:
        """Both answers as they count now, without names or reasons."""
        latest: dict[str, tuple[int, str]] = {
            slot: (keep, situation)
            for slot, keep, situation in self._db.execute(
                "SELECT slot, keep, situation FROM decision WHERE dialogue = ? ORDER BY slot, round", (key,)
            )
        }
        known = {s.id: s for s in taxonomy().situations}
        return [
            {
                "annotator": slot,
                "keep": bool(keep),
                "situation": known[situation].en if situation in known else situation or None,
                "situation_zh": known[situation].zh if situation in known else situation or None,
            }
            for slot, (keep, situation) in latest.items()
        ]


def _write(out: Path, files: dict[str, str]) -> None:
    """Write the files, each put in place whole, into a folder that holds nothing else."""
    try:
        if out.exists() and (
            not out.is_dir() or {one.name for one in out.iterdir() if not one.name.startswith(".")} - files.keys()
        ):
            raise RefusedStep(N_("{path} holds other files; name an empty folder"), code="folder_in_use", path=out)
        out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            building = out / f".{name}.new"
            with open(building, "w", encoding="utf-8", newline="\n") as handle:
                handle.write(text)
                handle.flush()
                os.fsync(handle.fileno())
            building.chmod(0o600)
            building.replace(out / name)
    except OSError as error:
        raise RefusedStep(
            N_("{path} cannot be written: {reason}"), code="cannot_write", path=out, reason=error.strerror or error
        ) from error
