"""What keeps a dialogue from being approved, looked at anew each time. The reasons and their words: `curation.checks`."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

from curation import trim as trimming
from curation.identifiers import SECOND_LOOK, Finding, NotScanned, detect
from curation.layers import Layer
from curation.model import Message
from curation.rewriting import share
from curation.settings import Settings
from curation.stages import Stage
from curation.work import StoredDialogue
from db.findings import Findings
from db.prints import Prints
from db.settings import Current
from db.sheet import Sheet

AGREED = (Stage.AGREED, Stage.APPROVED, Stage.RELEASED)


class Checks:
    """The checks before approval, over one dialogue laid out."""

    def __init__(self, connection: sqlite3.Connection, settings: Current, findings: Findings) -> None:
        self._current = settings
        self._findings = findings
        self.prints = Prints(connection)

    @property
    def _settings(self) -> Settings:
        return self._current.now

    def of(self, sheet: Sheet) -> tuple[str, ...]:
        """The codes of all that is open, in the order of `curation.checks`; empty when it may be approved."""
        if sheet.stored.stage not in AGREED:
            return ("not_agreed",)
        return self.of_text(sheet)

    def of_text(self, sheet: Sheet) -> tuple[str, ...]:
        """The same of the text alone, whatever was decided about the dialogue."""
        if sheet.stored.purged:
            return ()  # nothing was open when the originals went, and nothing has changed since
        reasons: list[str] = []
        undecided = self._findings.undecided(sheet.key)
        if self._findings.failure(sheet.key):
            reasons.append("not_scanned")
        if undecided:
            reasons.append("undecided_findings")
        if len(sheet.quasi) >= SECOND_LOOK and not sheet.reviewed_by:
            reasons.append("second_look")
        reasons += sheet.review_matters(sign_off=self._settings.sign_off)
        reasons += self._edits(sheet)
        reasons += self._length(sheet)
        reasons += self._rewritings(sheet)
        if not undecided and "not_scanned" not in reasons:
            try:
                left = left_over(sheet)
            except NotScanned:
                reasons.append("not_scanned")
            else:
                reasons += ["identifiers_left"] if left else []
        if self.twin(sheet) is not None:
            reasons.append("approved_twice")
        return tuple(dict.fromkeys(reasons))

    def _edits(self, sheet: Sheet) -> list[str]:
        """Edits that no longer fit, of the layers that machines made and of those of people."""
        layers = {conflict.layer for one in sheet.layers for conflict in one.conflicts}
        found = ["conflicting_edits"] if layers - {Layer.EDITED} else []
        return found + (["conflicting_rewriting"] if Layer.EDITED in layers else [])

    # -- length

    def trim_problems(self, stored: StoredDialogue, first_turn: int, removed: tuple[int, ...]) -> list[str]:
        """The rules that a trim of the raw dialogue would break (codes)."""
        messages = stored.dialogue.messages
        return self._problems(stored, messages, trimming.kept_messages(messages, first_turn, removed))

    def _problems(self, stored: StoredDialogue, messages: tuple[Message, ...], kept: tuple[int, ...]) -> list[str]:
        return trimming.problems(
            messages,
            kept,
            self._settings.min_turns,
            self_speaker=stored.dialogue.self_speaker,
            unit=self._settings.turn_unit,
        )

    def _length(self, sheet: Sheet) -> list[str]:
        """The rules of length and of the last turn, on the text as it stands: a message that edits emptied is none."""
        raw = sheet.stored.dialogue.messages
        now = tuple(
            replace(m, text=one.texts[Layer.EDITED]) for m, one in zip(raw, sheet.layers, strict=True)
        )  # speakers and order stay
        found = self._problems(sheet.stored, now, sheet.kept)
        last = sheet.stored.dialogue.turns[-1:]
        if last and any(now[i].blank and not raw[i].blank for i in last[0].messages):
            found.append("last_turn_cut")
        most = self._settings.max_turns
        if most and trimming.counted(now, sheet.kept, self._settings.turn_unit) > most:
            found.append("too_many_turns")
        limit = self._settings.max_characters
        if limit and sum(len(now[i].text) for i in sheet.kept) > limit:
            found.append("too_many_characters")
        return found

    # -- rewriting

    def _rewritings(self, sheet: Sheet) -> list[str]:
        return [code for code, found in (
            ("unsigned_rewriting", self.unsigned(sheet)),
            ("new_identifiers", self.unsigned_found(sheet)),
        ) if found]  # fmt: skip

    def unsigned(self, sheet: Sheet) -> tuple[int, ...]:
        """The kept messages whose rewriting goes beyond the project's limit and that nobody else stands by as they are."""
        limit = self._settings.edit_limit
        return tuple(m for m in self._rewritten(sheet) if self.share(sheet, m) > limit and not self.signed(sheet, m))

    def unsigned_found(self, sheet: Sheet) -> tuple[int, ...]:
        """The kept messages whose rewriting brought in what reads like an identifier, and that nobody else stands by."""
        brought = {one.message for one in sheet.rewritings if one.found}
        return tuple(m for m in self._rewritten(sheet) if m in brought and not self.signed(sheet, m))

    @staticmethod
    def _rewritten(sheet: Sheet) -> list[int]:
        return sorted({one.message for one in sheet.rewritings} & set(sheet.kept))

    @staticmethod
    def share(sheet: Sheet, message: int) -> float:
        """How much of a message all its rewritings together changed, 0 to 1."""
        texts = sheet.layers[message].texts
        return share(texts[Layer.NORMALISED], texts[Layer.EDITED])

    @staticmethod
    def signed(sheet: Sheet, message: int) -> str:
        """Who signed a message as it stands now, and wrote none of it; "" when nobody did."""
        signature = sheet.signatures.get(message)
        if signature is None or signature.text != sheet.layers[message].texts[Layer.EDITED]:
            return ""
        authors = {one.person for one in sheet.rewritings if one.message == message}
        return "" if signature.person in authors else signature.person

    # -- the whole

    def twin(self, sheet: Sheet) -> str | None:
        """The name of a dialogue whose approved text is nearly this one; of two approved ones the later has it."""
        return self.prints.twin(sheet.key, [m.text for m in sheet.final], self._settings.near_duplicate)


def left_over(sheet: Sheet) -> list[Finding]:
    """What the output, scanned again, still shows that nobody let stand and we did not put there.

    The findings are of the text as it stands; `message` is the index of the raw message. Raises NotScanned.
    """
    rejected: dict[int, list[tuple[int, int]]] = {}
    for one in sheet.decided:
        if not one.accepted:
            rejected.setdefault(one.message, []).append((one.start, one.end))
    final = sheet.final
    raw = sheet.stored.dialogue.messages
    if len(sheet.kept) == len(raw) and all(m.text == raw[m.index].text for m in final):
        return []  # the text that was scanned already, with nothing in it undecided
    maps = [sheet.layers[m.index].maps[Layer.EDITED] for m in final]
    ours = {
        at: tuple(
            span
            for e in sheet.layers[m.index].edits[Layer.SCRUBBED]
            if (span := maps[at].up(e.start, e.end))[0] < span[1]
        )
        for at, m in enumerate(final)
    }
    result = []
    for found in detect([(m.party, m.text) for m in final], lists=sheet.lists, ours=ours, late=sheet.late()):
        index = final[found.message].index
        start, end = maps[found.message].down(found.start, found.end)
        let = any(s < end and start < e for s, e in rejected.get(index, ())) or _vouched(sheet, index, found)
        if not let and not any(m == index and s <= start and end <= e for m, s, e in sheet.waived):
            result.append(replace(found, message=index))
    return result


def _vouched(sheet: Sheet, message: int, found: Finding) -> bool:
    """A kind that a rewriting brought in knowingly, and that a second person signed."""
    brought = {kind for one in sheet.rewritings if one.message == message for kind in one.found}
    return found.type in brought and bool(Checks.signed(sheet, message))
