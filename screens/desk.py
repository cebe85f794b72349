"""One person's desk: the dialogue in front of them and the answer as far as it is made. Knows no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.taxonomy import taxonomy
from curation.work import Answer, Draft, Task
from screens.locale import _, language
from screens.widgets.dialogue import Said

if TYPE_CHECKING:
    from db.project import Project


def said(task: Task) -> list[Said]:
    """The messages of a task as its person may see them: what may identify someone is covered."""
    dialogue = task.stored.dialogue
    texts = covered(task) if task.spans else [message.text for message in dialogue.messages]
    turns = dialogue.turns
    turn_of = {index: turn.number for turn in turns for index in turn.messages}
    rows: list[Said] = []
    for index, message in enumerate(dialogue.messages):
        number = turn_of.get(index, len(turns) or 1)
        last = bool(turns) and number == len(turns)
        rows.append(Said(number, dialogue.party(message), message.speaker, texts[index], last))
    return rows


def covered(task: Task) -> list[str]:
    """The texts of a task's messages with its spans covered."""
    from curation.identifiers import Finding
    from curation.identifiers.replace import mask

    texts = [message.text for message in task.stored.dialogue.messages]
    found: dict[int, list[Finding]] = {}
    for at, start, end, kind in task.spans:
        found.setdefault(at, []).append(Finding(at, start, end, kind, texts[at][start:end], 0.0, ""))
    return [mask(text, found[n]) if n in found else text for n, text in enumerate(texts)]


def name_of(situation: str) -> str:
    """A situation in the language in use."""
    return next((s.name(language()) for s in taxonomy().situations if s.id == situation), situation)


class Desk:
    """The state of one person's screening. `pending` is the family whose digit was pressed, 0 for none."""

    def __init__(self, project: Project, person: str) -> None:
        self.project = project
        self.person = person
        self.task: Task | None = None
        self.keep: bool | None = None
        self.situation = ""
        self.rationale = ""
        self.pending = 0
        self._stored = Draft()

    def lay(self, task: Task | None) -> None:
        """Put another task on the desk, with the answer or the half-made one it has."""
        self.task = task
        self.pending = 0
        found: Answer | Draft = Draft() if task is None else task.answer or task.draft
        self.keep, self.situation, self.rationale = found.keep, found.situation, found.rationale
        self._stored = Draft() if task is None else task.draft

    @property
    def decided(self) -> bool:
        """The task in front has this person's answer already."""
        return self.task is not None and self.task.answer is not None

    def save(self) -> bool:
        """Keep the answer as far as it is made. Returns whether there was something new to keep."""
        draft = Draft(self.keep, self.situation, self.rationale)
        if self.task is None or self.decided or draft == self._stored:
            return False
        self.project.screening.save_draft(self.person, self.task.stored.uid, draft)
        self._stored = draft
        return True

    def choose(self, situation: str) -> None:
        """Name the situation. Who names one and said nothing yet keeps the dialogue."""
        self.situation = situation
        self.pending = 0
        if self.keep is None:
            self.keep = True

    def missing(self) -> str:
        """What the answer lacks: `keep`, `situation`, or nothing."""
        if self.keep is None:
            return "keep"
        return "situation" if self.keep and not self.situation else ""

    def commit(self) -> None:
        """Give the answer, and lay the next task that is not decided."""
        assert self.task is not None
        assert self.keep is not None
        answer = Answer(self.keep, self.situation if self.keep else "", self.rationale)
        self.project.screening.decide(self.person, self.task.stored.uid, answer, move_on=True)
        self.lay(self.project.screening.next(self.person, self.task.place))

    def words(self) -> str:
        """The answer in words, as it stands."""
        if self.task is None:
            return ""
        if self.keep is None:
            answer = _("not answered yet")
        elif not self.keep:
            answer = _("drop")
        elif self.situation:
            answer = f"{_('keep')} · {self.situation_name()}"
        else:
            answer = f"{_('keep')} · {_('situation missing')}"
        if self.keep is False and self.situation:
            answer += " · " + _("({situation} is not kept on a dropped one)").format(situation=self.situation_name())
        return _("Answer: {answer}").format(answer=answer)

    def situation_name(self) -> str:
        """The chosen situation in the language in use."""
        return name_of(self.situation)

    def _both_words(self) -> str:
        other = self.task.other if self.task is not None else None
        if other is None:
            return _("decided by both: closed")
        words = f"{_('keep')} · {name_of(other.situation)}" if other.keep else _("drop")
        return _("closed; the other: {answer}").format(answer=words)

    def both(self) -> str:
        """Both answers with their reasons, once both have committed; empty before."""
        if self.task is None or self.task.other is None or self.task.answer is None:
            return ""
        lines = []
        for who, answer in ((_("you"), self.task.answer), (_("the other"), self.task.other)):
            words = f"{_('keep')} · {name_of(answer.situation)}" if answer.keep else _("drop")
            lines += [f"{who}: {words}", f"  {answer.rationale or _('(no reason given)')}", ""]
        return "\n".join(lines).rstrip()

    def state_words(self) -> str:
        """How the task stands: decided, put off, closed by both."""
        if self.task is None:
            return ""
        if self.task.answer is not None:
            return _("decided by you") if self.task.open else self._both_words()
        return _("put off") if self.task.skipped else ""
