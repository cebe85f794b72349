"""One person's desk: the dialogue in front of them and the answer as far as it is made. Knows no widgets."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from curation.model import Dialogue
from curation.taxonomy import taxonomy
from curation.work import Answer, Draft, Task
from curation.work.screening import ASIDE_WORDS, DROP_REASONS, Spent
from screens.locale import _, language, told
from screens.widgets.dialogue import Said

if TYPE_CHECKING:
    from db.project import Project

Span = tuple[int, int, int, str]


def said(dialogue: Dialogue, spans: Collection[Span]) -> list[Said]:
    """The messages of a dialogue as its reader may see them: what may identify someone (`spans`) is covered."""
    texts = covered(dialogue, spans) if spans else [message.text for message in dialogue.messages]
    turns = dialogue.turns
    turn_of = {index: turn.number for turn in turns for index in turn.messages}
    rows: list[Said] = []
    for index, message in enumerate(dialogue.messages):
        number = turn_of.get(index, len(turns) or 1)
        last = bool(turns) and number == len(turns)
        rows.append(Said(number, dialogue.party(message), message.speaker, texts[index], last))
    return rows


def covered(dialogue: Dialogue, spans: Collection[Span]) -> list[str]:
    """The texts of a dialogue's messages with these spans covered."""
    from curation.identifiers import Finding
    from curation.identifiers.masks import mask

    texts = [message.text for message in dialogue.messages]
    found: dict[int, list[Finding]] = {}
    for at, start, end, kind in spans:
        found.setdefault(at, []).append(Finding(at, start, end, kind, texts[at][start:end], 0.0, ""))
    return [mask(text, found[n]) if n in found else text for n, text in enumerate(texts)]


def name_of(situation: str) -> str:
    """A situation in the language in use."""
    return next((s.name(language()) for s in taxonomy().situations if s.id == situation), situation)


def answer_words(answer: Answer | Draft) -> str:
    """What an answer says, without its rationale."""
    if not answer.keep:
        return _("drop") + (f" · {told(DROP_REASONS[answer.reason])}" if answer.reason in DROP_REASONS else "")
    words = f"{_('keep')} · {name_of(answer.situation)}"
    return words + (" / " + name_of(answer.second) if answer.second else "")


class Answering:
    """An answer being made. `pending` is the family whose digit was pressed, 0 for none; `seconding` that the next
    situation named is the second choice."""

    def __init__(self, project: Project, person: str) -> None:
        self.project = project
        self.person = person
        self.put(Draft())

    def put(self, found: Answer | Draft, stored: Draft | None = None) -> None:
        """Begin with an answer, or a half-made one, of which `stored` is kept already."""
        self.keep, self.situation, self.rationale = found.keep, found.situation, found.rationale
        self.second, self.reason = found.second, found.reason
        self.pending = 0
        self.seconding = False
        self._stored = stored or Draft()

    @property
    def uid(self) -> str:
        """The dialogue in front; "" for none."""
        return ""

    @property
    def locked(self) -> bool:
        """No answer can be made here."""
        return True

    @property
    def draft(self) -> Draft:
        """The answer as far as it is made."""
        return Draft(self.keep, self.situation, self.rationale, self.second, self.reason)

    def save(self) -> bool:
        """Keep the answer as far as it is made. Returns whether there was something new to keep."""
        draft = self.draft
        if self.locked or draft == self._stored:
            return False
        self.project.screening.save_draft(self.person, self.uid, draft)
        self._stored = draft
        return True

    def choose(self, situation: str) -> None:
        """Name the situation, or the second choice. Who names one and said nothing yet keeps the dialogue."""
        if self.seconding:
            self.second = "" if situation in (self.second, self.situation) else situation
        else:
            self.situation = situation
            if self.second == situation:
                self.second = ""
        self.pending = 0
        self.seconding = False
        if self.keep is None:
            self.keep = True
        if self.keep:
            self.reason = ""

    def drop(self, reason: str = "") -> None:
        """Drop it, for a reason that has a name where one is given."""
        self.keep, self.reason = False, reason

    def clear(self) -> None:
        """Take the last part of the answer back: a half-made choice, the second one, the situation."""
        if self.pending or self.seconding:
            self.pending, self.seconding = 0, False
        elif self.second:
            self.second = ""
        elif self.situation:
            self.situation = ""
        else:
            self.reason = ""

    def missing(self) -> str:
        """What the answer lacks: `keep`, `situation`, or nothing."""
        if self.keep is None:
            return "keep"
        return "situation" if self.keep and not self.situation else ""

    def answer(self) -> Answer:
        """The answer, made."""
        keep = bool(self.keep)
        second = self.second if keep else ""
        return Answer(keep, self.situation if keep else "", self.rationale, second, "" if keep else self.reason)

    def words(self) -> str:
        """The answer in words, as it stands."""
        if not self.uid:
            return ""
        if self.keep is None:
            answer = _("not answered yet")
        elif self.keep and not self.situation:
            answer = f"{_('keep')} · {_('situation missing')}"
        else:
            answer = answer_words(self.draft)
        if self.keep is False and self.situation:
            answer += " · " + _("({situation} is not kept on a dropped one)").format(situation=name_of(self.situation))
        return _("Answer: {answer}").format(answer=answer)

    def state_words(self) -> str:
        """How the matter stands."""
        return ""


class Desk(Answering):
    """The state of one person's screening."""

    def __init__(self, project: Project, person: str) -> None:
        self.task: Task | None = None
        self.left_out = False  # the words in the box are not those of the answer that was given
        super().__init__(project, person)

    def lay(self, task: Task | None) -> None:
        """Put another task on the desk, with the answer or the half-made one it has."""
        self.task = task
        self.left_out = False
        if task is None:
            self.put(Draft())
        else:
            self.put(task.answer or task.draft, task.draft)
            # Of a closed one the draft is that of the second word.
            if task.answer is not None and task.open:
                self.leave_out(task.draft.rationale)

    def leave_out(self, words: str) -> None:
        """Keep words in sight that were typed while the answer was given in another place."""
        if words not in ("", self.rationale):
            self.rationale, self.left_out = words, True

    def overtaken(self) -> bool:
        """Whether the task in front was answered in another place, under this name, while it lay here. If so it is laid
        anew, and the words typed here are kept as a draft and stay in sight."""
        if self.task is None or self.locked:
            return False
        given = self.project.screening.given(self.person, self.uid)
        if given is None:
            return False
        words = self.rationale
        # Deciding forgets the draft, also the words that had been kept from here.
        self.project.screening.save_draft(
            self.person, self.uid, self.draft if words not in ("", given.rationale) else Draft()
        )
        now = self.project.screening.task(self.person, self.task.place)
        if now is None or now.stored.uid != self.uid:
            return False
        self.lay(now)
        if self.decided:
            self.leave_out(words)
        return True

    @property
    def uid(self) -> str:
        return "" if self.task is None else self.task.stored.uid

    @property
    def locked(self) -> bool:
        return self.task is None or self.decided or bool(self.task.aside)

    @property
    def decided(self) -> bool:
        """The task in front has this person's answer already."""
        return self.task is not None and self.task.answer is not None

    def commit(self, spent: Spent | None = None) -> None:
        """Give the answer, and lay the next task that is not decided."""
        assert self.task is not None
        self.project.screening.decide(self.person, self.uid, self.answer(), move_on=True, spent=spent)
        self.lay(self.project.screening.next(self.person, self.task.place))

    def _both_words(self) -> str:
        other = self.task.other if self.task is not None else None
        if other is None:
            return _("decided by both: closed")
        return _("closed; the other: {answer}").format(answer=answer_words(other))

    def both(self) -> str:
        """Both answers with their reasons, once both have committed; empty before."""
        if self.task is None or self.task.other is None or self.task.answer is None:
            return ""
        lines = []
        for who, answer in ((_("you"), self.task.answer), (_("the other"), self.task.other)):
            lines += [f"{who}: {answer_words(answer)}", f"  {answer.rationale or _('(no reason given)')}", ""]
        return "\n".join(lines).rstrip()

    def state_words(self) -> str:
        """How the task stands: aside, decided, put off, closed by both."""
        if self.task is None:
            return ""
        if self.task.aside:
            return told(ASIDE_WORDS[self.task.aside])
        if self.left_out:
            return _("decided, without the words in the box")
        if self.task.answer is not None:
            return _("decided by you") if self.task.open else self._both_words()
        return _("put off") if self.task.skipped else ""
