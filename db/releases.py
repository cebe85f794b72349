"""The release: gate, lines, and the event that says what went out. And the curator's raw copy, which is no release."""

from __future__ import annotations

import hashlib
import hmac
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.candidates import RULES_VERSION
from curation.dialects import DIALECT_VERSION, MANDARIN
from curation.errors import N_, RefusedStep
from curation.identifiers import LIMITS, detector_version, limits
from curation.identifiers.replace import NEWEST_POLICY
from curation.layers import Layer
from curation.normalise import NORMALISER_VERSION
from curation.release import RELEASE_FORMAT, data_card, release_record, to_line
from curation.stages import Stage, outcome_of
from curation.taxonomy import taxonomy
from curation.trim import TRIM_VERSION
from curation.work import Terms
from db.connection import transaction
from db.curating import must_curate
from db.dialects import Dialects
from db.dialogues import Dialogues
from db.findings import Findings
from db.leaving import RAW, remember
from db.log import Log, canonical
from db.quality import Quality, identifiers_and_edits
from db.replay import facts_of, project
from db.settings import Current
from db.sheet import Sheet

LINES = "dialogues.jsonl"
CARD = "README.md"
MANIFEST = "manifest.json"
SUMS = "SHA256SUMS"
RAW_LINES = "raw.jsonl"
RAW_NOTICE = "NOT-A-RELEASE.txt"
# Settings that say how people work and nothing of what comes out.
_OF_THE_DESK = frozenset({"lang", "mask"})


@dataclass(frozen=True, slots=True)
class ReleaseReport:
    """What was written: dialogues, where, what of it is new to this release, and what was left out at each stage."""

    dialogues: int
    files: tuple[str, ...]
    left_out: dict[str, int]
    sha256: str


class Releases:
    """The releases of one project."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        log: Log,
        settings: Current,
        dialogues: Dialogues,
        findings: Findings,
        quality: Quality,
        dialects: Dialects,
        secret: bytes,
    ) -> None:
        self._db = connection
        self._log = log
        self._settings = settings
        self._dialogues = dialogues
        self._findings = findings
        self._quality = quality
        self._dialects = dialects
        self._secret = secret

    def release_id(self, uid: str) -> str:
        """The public name of a dialogue: opaque, stable for this project, and without a way back to the source."""
        return "d-" + hmac.digest(self._secret, b"release:" + uid.encode("ascii"), "sha256")[:8].hex()

    def gate(self) -> dict[str, tuple[str, ...]]:
        """The open matters of each dialogue that a release would hold, by external id; empty when it may go out.

        Everything is looked at anew: findings by the detector of today, and the text as its layers amount to now.
        """
        sheets = (self._quality.sheet(key) for key in self._keys())
        return {sheet.stored.external_id: matters for sheet in sheets if (matters := self._matters(sheet))}

    def _matters(self, sheet: Sheet) -> tuple[str, ...]:
        matters = self._quality.open_on(sheet)
        try:
            self._quality.approved_text(sheet)
        except RefusedStep as error:
            return (*matters, error.code)
        return matters

    def export(self, out: Path, by: str) -> ReleaseReport:
        """Write the release to a folder. Refuses while anything in it is unresolved, and says what.

        The files are a function of the project: a second export writes the same bytes. Each file is put in place whole.
        """
        must_curate(self._db, by)
        approvals = self._approvals()
        keys = self._keys()
        if not keys:
            waiting = self._dialogues.stages()[Stage.AGREED.value]
            raise RefusedStep(
                N_(
                    "nothing is approved yet, so there is nothing to release ({waiting} agreed "
                    "{waiting:dialogue waits|dialogues wait})"
                ),
                code="nothing_approved",
                waiting=waiting,
            )
        open_: dict[str, tuple[str, ...]] = {}
        records: list[dict[str, Any]] = []
        for key in keys:
            sheet = self._quality.sheet(key)
            if matters := self._matters(sheet):
                open_[sheet.stored.external_id] = matters
            elif not open_:
                records.append(self._record(sheet))
        if open_:
            counts = Counter(code for matters in open_.values() for code in matters)
            raise RefusedStep(
                N_(
                    "{count} {count:dialogue has|dialogues have} open matters ({codes}); first {id}: resolve "
                    "them and export again"
                ),
                code="unresolved",
                count=len(open_),
                codes=", ".join(f"{code} {n}" for code, n in sorted(counts.items())),
                id=next(iter(open_)),
            )
        records.sort(key=lambda r: str(r["id"]))
        files, total = self._files(records)
        with transaction(self._db):
            # Others could work while the texts were looked at; what they changed has lost its approval.
            if self._approvals() != approvals:
                raise RefusedStep(
                    N_("someone changed an approved dialogue meanwhile; export again"), code="changed_meanwhile"
                )
            _write(out, files)
            self._tell(keys, by, total)
        stages = self._dialogues.stages()
        left = {s: n for s, n in stages.items() if n and s not in (Stage.APPROVED.value, Stage.RELEASED.value)}
        return ReleaseReport(len(records), tuple(sorted(files)), left, total)

    def _approvals(self) -> list[tuple[int, str, int]]:
        return self._db.execute("SELECT dialogue, origin, number FROM approval ORDER BY dialogue").fetchall()

    def _files(self, records: list[dict[str, Any]]) -> tuple[dict[str, str], str]:
        """The files of a release by name, and the checksum of its lines."""
        manifest = self._manifest(records)
        files = {
            LINES: "".join(to_line(record) for record in records),
            CARD: data_card(manifest),
            MANIFEST: canonical(manifest) + "\n",
        }
        sums = {name: hashlib.sha256(text.encode("utf-8")).hexdigest() for name, text in files.items()}
        files[SUMS] = "".join(f"{total}  {name}\n" for name, total in sorted(sums.items()))
        return files, sums[LINES]

    def _tell(self, keys: list[int], by: str, total: str) -> None:
        """One event for what is new; writing the same release again is no event."""
        told = dict(self._db.execute("SELECT dialogue, release_id FROM release_item").fetchall())
        if set(told) == set(keys):
            return
        entries: list[tuple[int, Any]] = [
            (key, {"release_id": self.release_id(self._dialogues.by_key(key).uid)}) for key in keys
        ]
        event = self._log.append("exported", by, {"dialogues": len(keys), "sha256": total}, entries=entries)
        project(self._db, event, [(key, 0, value) for key, value in entries])

    def _keys(self) -> list[int]:
        rows = self._db.execute(
            "SELECT t.dialogue FROM state t JOIN dialogue d ON d.id = t.dialogue WHERE t.stage IN ('approved', 'released')"
            " AND d.current = 1 ORDER BY t.dialogue"
        ).fetchall()
        return [key for (key,) in rows]

    def _record(self, sheet: Sheet) -> dict[str, Any]:
        stored = sheet.stored
        outcome = outcome_of(facts_of(self._db, sheet.key))
        assert outcome is not None
        assert outcome.situation is not None
        identifiers, edits = identifiers_and_edits(sheet)
        tag = self._dialects.look(sheet).tag
        return release_record(
            release_id=self.release_id(stored.uid),
            messages=[(m.party, m.text) for m in self._quality.approved_text(sheet)],
            situation=outcome.situation,
            dialects=[] if tag == MANDARIN else [tag],
            source=stored.source,
            rules_version=RULES_VERSION,
            detector_version=detector_version(),
            policy_version=sheet.policy,
            # Empty where the normaliser never looked: no edits would read as nothing to do.
            normaliser_version=sheet.layer_version(Layer.NORMALISED),
            turns_before=sheet.left["turns"] if stored.purged else len(stored.dialogue.turns),
            quasi_kinds=len(sheet.quasi),
            identifiers_replaced=identifiers,
            edits=edits,
            terms=_in_words(self._dialogues.terms_of(sheet.key)),
        )

    def _versions(self) -> dict[str, str]:
        return {
            "taxonomy": taxonomy().version,
            "rules": RULES_VERSION,
            "detector": detector_version(),
            "policy": NEWEST_POLICY,
            "normaliser": NORMALISER_VERSION,
            "trimmer": TRIM_VERSION,
            "dialects": DIALECT_VERSION,
        }

    def _manifest(self, records: list[dict[str, Any]]) -> dict[str, Any]:
        situations = Counter(str(r["situation"]) for r in records)
        dialects = Counter(tag for r in records for tag in r["dialects"] or [MANDARIN])
        as_typed = sum(not r["provenance"]["normaliser"] for r in records)
        terms = sorted({(r["provenance"]["source"], r["provenance"]["terms"]) for r in records})
        identifiers: Counter[str] = Counter()
        edits: Counter[str] = Counter()
        for record in records:
            identifiers.update(record["provenance"]["identifiers_replaced"])
            edits.update(record["provenance"]["edits"])
        return {
            "format": RELEASE_FORMAT,
            "data_file": LINES,
            "counts": {
                "dialogues": len(records),
                "messages": sum(len(r["messages"]) for r in records),
                "turns": sum(r["turns"] for r in records),
            },
            "situations": dict(sorted(situations.items())),
            "dialects": dict(sorted(dialects.items())),
            "identifiers_replaced": {k: n for k, n in sorted(identifiers.items()) if n},
            "quasi_kinds": {
                str(n): c for n, c in sorted(Counter(r["provenance"]["quasi_kinds"] for r in records).items())
            },
            "edits": {k: n for k, n in sorted(edits.items()) if n},
            "versions": self._versions(),
            "settings": {k: v for k, v in self._settings.now.as_dict().items() if k not in _OF_THE_DESK},
            "not_normalised": as_typed,
            "limits": [LIMITS[code] for code in limits()] + _as_typed(as_typed, len(records)),
            "sources": [{"source": name, "terms": words} for name, words in terms],
            "terms": "\n".join(f"- {name}: {words or 'none stated'}" for name, words in terms)
            if any(w for _, w in terms)
            else "",
        }

    # -- the raw copy

    def raw(self, out: Path, by: str) -> int:
        """Write every imported dialogue as it came: a curator's copy, with everyone's identifiers in it.

        Marked as no release in its name, in a notice beside it, and on each line. Returns how many were written.
        """
        must_curate(self._db, by)
        notice = (
            "This folder holds raw dialogues with personal data in them. It is a working copy, not a release.\n"
            "此文件夹内是含有个人信息的原始对话，仅供整理者使用，不是发布数据。\n"
        )
        count = 0

        def lines() -> Iterator[str]:
            nonlocal count
            for stored in self._dialogues.at():
                if stored.purged:
                    continue  # there is no raw text of it any more
                messages = [
                    {"speaker": m.speaker, "text": m.text, **({} if m.time is None else {"time": m.time})}
                    for m in stored.dialogue.messages
                ]
                head = {
                    "id": stored.external_id,
                    "source": stored.source,
                    "release": False,
                    "stage": stored.stage.value,
                }
                yield to_line({**head, "messages": messages, "metadata": dict(stored.dialogue.metadata)})
                count += 1

        _write(out, {RAW_NOTICE: notice, RAW_LINES: lines()}, raw=True)
        with transaction(self._db):
            # What left with raw text in it must be told of when the originals are destroyed here.
            remember(self._db, self._log, RAW, out.name)
        return count


def _check_folder(out: Path, *, raw: bool) -> None:
    """Refuse a folder that holds anything but what an earlier export of the same kind put there.

    A raw copy beside a release would be shipped with it, and a stranger's README is not ours to replace.
    """
    if out.exists() and not out.is_dir():
        raise RefusedStep(N_("{path} is not a folder"), code="not_a_folder", path=out)
    found = {entry.name for entry in out.iterdir() if not entry.name.startswith(".")} if out.exists() else set()
    if not found:
        return
    if raw:
        ours = found <= {RAW_LINES, RAW_NOTICE} and RAW_NOTICE in found
    else:
        ours = found == {LINES, CARD, MANIFEST, SUMS} and _sums_hold(out)
    if not ours:
        raise RefusedStep(
            N_("{path} holds other files than an earlier export of this kind, unchanged; name an empty folder"),
            code="folder_in_use",
            path=out,
        )


def _sums_hold(out: Path) -> bool:
    """The folder's checksums fit its files: a release as it was written."""
    expected = {
        name: total
        for total, _, name in (line.partition("  ") for line in (out / SUMS).read_text("utf-8").split("\n") if line)
    }
    return set(expected) == {LINES, CARD, MANIFEST} and all(
        hashlib.sha256((out / name).read_bytes()).hexdigest() == total for name, total in expected.items()
    )


def _write(out: Path, files: dict[str, Any], *, raw: bool = False) -> None:
    """Write files into a folder, each under another name first and then put in place; only its owner may read them."""
    try:
        _check_folder(out, raw=raw)
        out.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            building = out / f".{name}.new"
            with open(building, "w", encoding="utf-8", newline="\n") as handle:
                for part in [content] if isinstance(content, str) else content:
                    handle.write(part)
                handle.flush()
                os.fsync(handle.fileno())
            building.chmod(0o600)
            building.replace(out / name)
    except (OSError, UnicodeDecodeError) as error:
        raise RefusedStep(
            N_("{path} cannot be written: {reason}"),
            code="cannot_write",
            path=out,
            reason=getattr(error, "strerror", None) or error,
        ) from error


def _as_typed(count: int, total: int) -> list[str]:
    """What the card says of dialogues that were approved without normalisation."""
    return (
        [f"{count} of {total} dialogues were not normalised: their characters stand as they were typed"]
        if count
        else []
    )


def _in_words(terms: Terms) -> str:
    """The terms of a source on one line."""
    return "; ".join(f"{name}: {value}" for name, value in terms.as_dict().items())
