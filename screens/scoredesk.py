"""One scorer's desk: the task in front of them and which line of its sheet is next. Knows no widgets and no systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.errors import N_
from curation.model import Party
from curation.rubric import rubric
from curation.work.scoring import (
    ABLATION,
    ALONE,
    BETTER,
    CLOSED,
    GUESS,
    PROCESS,
    SIDES,
    PastScore,
    ScoreTask,
)
from screens.figurewords import EVERY_DIMENSION
from screens.keynames import shown
from screens.locale import _, language
from screens.scoresheet import Scored, box_of
from screens.widgets.dialogue import Said
from screens.widgets.words import Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from curation.work import FinalMessage

# Score -> the key that gives it. The key belongs to the value, wherever one is.
KEY_OF = {0: "1", 5: "2", 10: "3"}
SIDE_KEYS = {"1": "4", "2": "6"}
SKIP_WORDS = {
    "unclear": N_("the dialogue is not clear"),
    "unreadable": N_("cannot be read"),
    "identity": N_("a reply says who wrote it"),
    "later": N_("later"),
    "other": N_("another reason"),
}


def said(messages: Sequence[FinalMessage], spans: Sequence[tuple[int, int, int, str]] = ()) -> list[Said]:
    """The messages of a task as they may be seen: what may identify someone is covered."""
    texts = {message.index: message.text for message in messages}
    if spans:
        from curation.identifiers import Finding
        from curation.identifiers.masks import mask

        found: dict[int, list[Finding]] = {}
        for at, start, end, kind in spans:
            if at in texts:
                found.setdefault(at, []).append(Finding(at, start, end, kind, texts[at][start:end], 0.0, ""))
        texts |= {at: mask(texts[at], these) for at, these in found.items()}
    last = max((message.turn for message in messages), default=0)
    return [Said(m.turn, Party(m.party), "", texts[m.index], m.turn == last) for m in messages]


def label_of(line: str) -> str:
    """A line of the sheet in words."""
    if line in SIDES:
        return _("Reply {n}").format(n=SIDES.index(line) + 1)
    if line == BETTER:
        return _("Better one")
    if line == GUESS:
        return _("Thought first?")
    return rubric().of(line).name[language()]


class ScoreDesk:
    """The state of one person's scoring. `chosen` is the line that the person went to, `last` the one given last, or ""."""

    def __init__(self) -> None:
        self.task: ScoreTask | None = None
        self.chosen = self.last = ""

    def lay(self, task: ScoreTask | None) -> None:
        """Put a task on the desk; the same one again after a key."""
        before = self.task
        self.task = task
        if before is None or task is None or (before.code, before.step) != (task.code, task.step):
            self.chosen = self.last = ""

    def given(self, line: str) -> None:
        """A line was given: the next one missing has its turn."""
        self.chosen, self.last = "", line

    @property
    def lines(self) -> tuple[str, ...]:
        """What can be given in this step, in order."""
        task = self.task
        if task is None:
            return ()
        asked = [name for name, on in ((BETTER, task.ask_better), (GUESS, task.ask_guess)) if on]
        return (*task.dimensions, *asked)

    @property
    def current(self) -> str:
        """The line whose turn it is: the one gone to, else the first one missing; "" when nothing is."""
        if self.task is None:
            return ""
        return self.chosen or next(iter(self.task.marks.missing), "")

    def go(self, direction: int) -> None:
        """To the line below or above, round the ends."""
        lines = self.lines
        if lines:
            at = lines.index(self.current) + direction if self.current in lines else (0 if direction > 0 else -1)
            self.chosen = lines[at % len(lines)]

    # -- words

    def sheet(self) -> list[Scored]:
        """The lines as they are shown."""
        task = self.task
        if task is None:
            return []
        rows = []
        for name in PROCESS if task.process else ():
            text = task.process.get(name, "") if task.process else ""
            given = box_of(task.marks.scores.get(name)) if name in task.dimensions else "    "
            rows.append(Scored(label_of(name), text, given, self.current == name, self._changed(name)))
        names = SIDES if len(task.replies) > 1 else (ALONE,)
        for side, (name, text) in enumerate(zip(names, task.replies, strict=True), 1):
            marks = [self._changed(name)] if self._changed(name) else []
            if task.same_text and side == len(names):
                marks.append(_("same text as the other"))
            if task.marks.better == str(side):
                marks.append(_("better"))
            if task.marks.guess == str(side):
                marks.append(_("thought first"))
            score = task.marks.scores.get(name)
            box = box_of(score) if name in task.dimensions or score is not None else "    "
            mark = f"({', '.join(marks)})" if marks else ""
            rows.append(Scored(label_of(name), text, box, self.current == name, mark, beside=len(names) > 1))
        for name in self.lines:
            if name in (BETTER, GUESS):
                given = task.marks.better if name == BETTER else task.marks.guess
                rows.append(Scored(label_of(name), self._asked(name), box_of(given), self.current == name))
        return rows

    def _changed(self, name: str) -> str:
        marks = self.task.marks if self.task is not None else None
        if marks is None or marks.counted.get(name, marks.scores.get(name)) == marks.scores.get(name):
            return ""
        return _("was {score}").format(score=marks.counted[name])

    def _asked(self, name: str) -> str:
        assert self.task is not None
        scores = [self.task.marks.scores.get(side) for side in SIDES]
        sides = "   ".join(f"{key} {_('Reply {n}').format(n=side)}" for side, key in SIDE_KEYS.items())
        if name == GUESS or (None not in scores and scores[0] == scores[1]):
            return sides
        return _("asked only where both have the same score") if None in scores else _("the scores say it")

    def rubric(self, name: str = "", *, roomy: bool = False) -> list[Piece]:
        """The lines of the rubric for the line `name`, or that whose turn it is; the score that was given is marked.

        Where there is room, what decides between two scores is said too.
        """
        task, name = self.task, name or self.current or self.last
        lang = language()
        if task is None or not name:
            return []
        if name in (BETTER, GUESS):
            asks = (
                _("Same score: which would you rather send?")
                if name == BETTER
                else _("Which was written after thinking?")
            )
            return [
                ("", f"{label_of(name)}  {asks}", "bold"),
                *((f"  {k} = ", _("Reply {n}").format(n=n), "") for n, k in SIDE_KEYS.items()),
            ]
        dimension = rubric().of(name)
        pieces: list[Piece] = [("", f"{label_of(name)}  {dimension.asks[lang]}", "bold")]
        given = task.marks.scores.get(name)
        for score, texts in dimension.lines.items():
            mark = ">" if given == score else " "
            pieces.append((f"{mark} {KEY_OF[score]} = {score:>2}  ", texts[lang], "bold" if given == score else ""))
        if roomy:
            pieces.append((f"  {_('In doubt:')} ", dimension.doubt[lang], ""))
        return pieces

    def state(self, key: Callable[[str], str]) -> str:
        """What is to be pressed now. `key` gives the first key of an action."""
        task = self.task
        if task is None:
            return ""
        name = self.current
        if name in (BETTER, GUESS):
            return _("{line}: {one} Reply 1, {two} Reply 2").format(
                line=label_of(name), one=shown(SIDE_KEYS["1"]), two=shown(SIDE_KEYS["2"])
            )
        if name:
            return _("{line}: 1 = 0   2 = 5   3 = 10").format(line=label_of(name))
        if task.step == CLOSED:
            return _("Closed. {line} chooses a line to change; {next} goes on").format(
                line=key("score_line"), next=key("score_next")
            )
        return _("Complete – {enter} closes it, {line} chooses a line to change").format(
            enter=key("score_close"), line=key("score_line")
        )

    def missing(self) -> str:
        """What the step still needs, in words."""
        return _(", ").join(label_of(name) for name in (self.task.marks.missing if self.task else ()))

    def step_words(self) -> str:
        """Which step this is."""
        task = self.task
        if task is None:
            return ""
        words = {
            "replies": _("the two replies"),
            "process": _("the thinking"),
            "sheet": _("thinking and replies"),
            ABLATION: _("one reply"),
            CLOSED: _("closed"),
        }
        return words.get(task.step, task.step)


def whole_rubric(first: str) -> str:
    """All of the rubric to read, the dimension `first` on top."""
    lang = language()
    known = rubric().dimensions
    name = rubric().of(first).id if first and first not in (BETTER, GUESS) else ""
    blocks = []
    for d in sorted(known, key=lambda d: d.id != name):
        lines = [f"{'> ' if d.id == name else ''}{d.name[lang]}  {d.asks[lang]}"]
        lines += [f"  {KEY_OF[score]} = {score:>2}  {texts[lang]}" for score, texts in d.lines.items()]
        lines.append(f"  {_('In doubt:')} {d.doubt[lang]}")
        blocks.append("\n".join(lines))
    return "\n\n".join([*blocks, _("Rubric {version}").format(version=rubric().version)])


def past_words(row: PastScore) -> str:
    """One of a person's own tasks in a line: number, scores, what else was given."""
    replies = " ".join(str(row.scores[name]) for name in (*SIDES, ALONE) if name in row.scores)
    process = " ".join(str(row.scores.get(name, "–")) for name in PROCESS)
    parts = [_("no. {place}").format(place=row.place)]
    parts += [_("replies {scores}").format(scores=replies)] if replies else []
    parts += [_("thinking {scores}").format(scores=process)] if set(PROCESS) & set(row.scores) else []
    parts += [_("better: {side}").format(side=label_of(SIDES[int(row.better) - 1]))] if row.better else []
    parts += [w for on, w in ((row.flag, _("flagged")), (row.note, _("note")), (row.changed, _("changed"))) if on]
    parts += [] if row.closed else [_("put off") if row.skipped else _("not closed")]
    return " · ".join(part for part in parts if part)


def shown_dimensions(task: ScoreTask | None) -> tuple[str, ...]:
    """The dimensions whose figures matter in a task's step, where there is no room for all."""
    if task is None or task.step in (CLOSED, "sheet"):
        return EVERY_DIMENSION
    return PROCESS if task.step == "process" else EVERY_DIMENSION[len(PROCESS) :]
