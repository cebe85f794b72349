"""A dispute in front of someone: both sides of it in words, and the answer being made. Knows no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.work import Draft
from curation.work.disputes import Dispute, Statement
from curation.work.screening import Spent
from screens.desk import Answering, answer_words
from screens.locale import _

if TYPE_CHECKING:
    from db.project import Project


class DisputeDesk(Answering):
    """The state of one person at the disputes: one of the two, or the lead."""

    def __init__(self, project: Project, person: str) -> None:
        self.page: Dispute | None = None
        super().__init__(project, person)

    def lay(self, page: Dispute | None) -> None:
        """Put another dispute in front. Who decides anew begins with what they said first; the lead with nothing."""
        self.page = page
        if page is None:
            self.put(Draft())
            return
        mine = next((s.answer for s in page.statements if s.slot and s.slot == page.slot and s.round == 1), None)
        if page.draft == Draft() and page.may == "decide" and mine is not None:
            first = Draft(mine.keep, mine.situation, "", mine.second, mine.reason)
            self.put(first, first)
        else:
            self.put(page.draft, page.draft)

    @property
    def uid(self) -> str:
        return "" if self.page is None else self.page.stored.uid

    @property
    def locked(self) -> bool:
        return self.page is None or not self.page.may

    def commit(self, spent: Spent) -> None:
        """Decide anew, or rule."""
        assert self.page is not None
        if self.page.may == "rule":
            self.project.disputes.rule(self.person, self.uid, self.answer())
        else:
            self.project.disputes.decide(self.person, self.uid, self.answer(), spent=spent)

    def state_words(self) -> str:
        """What this person can do here now."""
        if self.page is None:
            return ""
        if self.page.may == "decide":
            return _("decide anew, once, with a reason")
        if self.page.may == "rule":
            return _("your ruling, with a reason")
        if not self.page.place:
            return _("settled: no dispute any more")
        return _("you have decided anew; the lead rules") if self.page.slot else _("another lead rules on this")

    def asked(self) -> list[str]:
        """Why quality control sent it back, and who says so; nothing where it did not."""
        if self.page is None or not self.page.sent_back:
            return []
        note = self.page.note
        if note is None or not note.text:
            return [_("Quality control sent this one back: does the situation still hold?")]
        return [
            _("Sent back by {name}, does the situation still hold? {note}").format(name=note.person, note=note.text)
        ]

    def said(self) -> list[str]:
        """Both sides: who said what, and why; two lines each, those of the second round below the first."""
        if self.page is None:
            return []
        lines: list[str] = []
        for one in self.page.statements:
            lines += _told(one)
        return lines


def _told(one: Statement) -> list[str]:
    words = answer_words(one.answer)
    if one.round == 2:
        words = _("anew: {answer}").format(answer=words)
    head = (
        f"{one.slot} {one.person}: {words}"
        if one.slot
        else _("ruling by {name}: {answer}").format(name=one.person, answer=words)
    )
    return [head, f"  {one.answer.rationale or _('(no reason given)')}"]
