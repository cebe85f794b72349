"""What the expert's desk says: which answer, what is to be pressed, how long a field is, what was written. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from curation.replies import visible_length
from curation.rubric import rubric
from curation.work.asking import COT
from curation.work.expert import REPLY, ExpertProgress, ExpertTask, boxes_of
from screens.display import visible
from screens.locale import _, language
from screens.scoredesk import label_of
from screens.scoresheet import Scored, box_of


def mode_words(mode: str) -> str:
    """An answer's mode."""
    return _("thought reply") if mode == COT else _("direct reply")


def lines(task: ExpertTask, texts: Mapping[str, str], pasted: set[str], field: str) -> list[Scored]:
    """The fields of the answer that is written now, each with its length; with none to write, what was closed, whole."""
    if not task.now:
        return [
            Scored(f"{mode_words(part.mode)} · {label_of(name)}", part.texts.get(name, ""), "    ")
            for part in task.parts
            if part.closed
            for name in boxes_of(part.mode)
        ]
    rows = []
    for name in boxes_of(task.now):
        text = texts.get(name, "")
        length = visible_length(text) if text.strip() else None
        mark = _("(pasted)") if name in pasted else ""
        rows.append(Scored(label_of(name), text.replace("\n", " "), box_of(length), field == name, mark))
    return rows


def length_words(task: ExpertTask | None, text: str, field: str) -> str:
    """How long a field is, and how long it may be."""
    if task is None or not task.now or not field:
        return ""
    length = visible_length(text)
    if field != REPLY:
        return _("{n} {n:character|characters}").format(n=length)
    words = _("{n} of {limit} characters").format(n=length, limit=task.limit)
    return words if length <= task.limit else f"{words} – {_('TOO LONG')}"


def state_words(task: ExpertTask | None, field: str, key: Callable[[str], str], *, writing: bool, full: bool) -> str:
    """What is to be pressed now. `key` gives the first key of an action; `full`: every field has something in it."""
    if task is None:
        return ""
    if not task.now:
        return _state_closed(task, key)
    which = _("answer {n} of 2").format(n=[part.mode for part in task.parts].index(task.now) + 1)
    if writing:
        return _("{which}: {field} – Enter next field, Esc leaves").format(which=which, field=label_of(field))
    if full:
        return _("{which}: complete – {key} closes it, {edit} changes it").format(
            which=which, key=key("expert_write"), edit=key("expert_edit")
        )
    return _("{which}: {field}, {key} writes").format(which=which, field=label_of(field), key=key("expert_write"))


def _state_closed(task: ExpertTask, key: Callable[[str], str]) -> str:
    if task.waits == "day":
        return _("The second answer is written on another day; {key} goes on").format(key=key("expert_next"))
    if task.waits == "text":
        return _("Not to be written yet; {key} goes on").format(key=key("expert_next"))
    if task.used:
        return _("Both closed, and in scoring: they stay as they are")
    return _("Both closed; {again} opens one again, {key} goes on").format(
        again=key("expert_reopen"), key=key("expert_next")
    )


def progress_words(progress: ExpertProgress | None) -> str:
    """How far the expert is."""
    if progress is None:
        return ""
    words = _("{done} of {assigned} done, {begun} with one answer").format(
        done=progress.done, assigned=progress.assigned, begun=progress.begun
    )
    if progress.waiting:
        words += ", " + _("{n} {n:waits|wait} for another day").format(n=progress.waiting)
    return words


def empty_words(progress: ExpertProgress | None, project: str) -> str:
    """Why there is nothing on the desk."""
    if progress is None or not progress.assigned:
        return _(
            "There is no sample to answer yet. The curator draws one with\n"
            "    workbench sample {project} --n 312\n"
            "q goes back to the overview."
        ).format(project=project)
    if progress.waiting:
        return _(
            "Nothing more to write today: the second answers are written on another day.\n"
            "p looks back, q goes back to the overview."
        )
    if progress.left:
        return _(
            "Nothing to write now: the {n:text|texts} of {n} {n:dialogue is|dialogues are} not approved yet.\n"
            "p looks back, q goes back to the overview."
        ).format(n=progress.left)
    return _(
        "All {n} {n:dialogue has|dialogues have} both answers. Thank you!\np looks back, q goes back to the overview."
    ).format(n=progress.assigned)


def written_words(task: ExpertTask, texts: Mapping[str, str]) -> str:
    """What was written so far, whole; `texts` are those of the answer that is open."""
    blocks = []
    for part in task.parts:
        given = texts if part.mode == task.now else part.texts
        if not any(given.values()):
            continue
        rows = [mode_words(part.mode), *(f"  {label_of(name)}: {given.get(name, '')}" for name in boxes_of(part.mode))]
        if part.closed:
            at = datetime.fromisoformat(part.closed.replace("Z", "+00:00")).astimezone()
            words = _("closed {time}, {n} s of work")
            rows.append("  " + words.format(time=f"{at:%Y-%m-%d %H:%M}", n=round(part.seconds)))
        blocks.append("\n".join(rows))
    return visible("\n\n".join(blocks) or _("Nothing yet."))


def asked_words(limit: int) -> str:
    """What each field asks for."""
    blocks = [f"{d.name[language()]}\n  {d.asks[language()]}" for d in rubric().dimensions[:-1]]
    blocks.append(
        _(
            "{reply}\n  One line as you would send it, at most {limit} characters. A Chinese character, a letter, a "
            "digit, a mark, an emoji and a sticker are one each; spaces are none."
        ).format(reply=label_of(REPLY), limit=limit)
    )
    return "\n\n".join(blocks)
