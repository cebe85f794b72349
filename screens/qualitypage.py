"""The page of quality control: one dialogue with what a cut takes out and what rewriting changed, as rows for a width."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.cells import cell_len

from curation.model import Party, turns_of
from curation.rewriting import REASONS, changes
from curation.work import TextEdit, TextMessage
from curation.work.quality import Counted, Cut, QualityMessage, QualityPage
from screens.display import visible
from screens.lines import fitted
from screens.locale import _, told
from screens.marked import Marks, Row, Run, folded, hung, now, was

GONE = "×"  # a turn that the cut takes out


@dataclass
class Look:
    """How the page is looked at. `cursor` is the message in front, `chosen` the turn from which several are chosen (0:
    none), `raw` shows the raw text, `scores` what a proposal says of each turn, `writing` the text in the box."""

    cursor: int = 0
    chosen: int = 0
    raw: bool = False
    scores: Mapping[int, float] = field(default_factory=dict)
    writing: str | None = None


def laid_out(page: QualityPage, cut: Cut, look: Look, width: int, plain_emoji: bool) -> list[Row]:
    """The rows of a page, none longer than `width` cells. The first of each message is numbered from 1 for scrolling."""
    rows: list[Row] = []
    turn = 0
    at = page.messages[look.cursor].turn if page.messages else 0
    low, high = sorted((look.chosen, at)) if look.chosen else (0, -1)
    for message in page.messages:
        head = _head(message, cut, look, begins=message.turn != turn, among=low <= message.turn <= high)
        turn = message.turn or turn
        gone = not cut.keeps(message.turn)
        body = [*_texts(message, look, width - cell_len(head), plain_emoji, gone=gone)]
        hanging = hung(head, body)
        here = message.index == look.cursor
        hanging[0][0] = Run(head, "here" if here else "gutter", message.index + 1)
        rows += hanging
        room = " " * cell_len(head)
        for note in _notes(message):
            rows += [[Run(room), *row] for row in folded([Run(note, "note")], width - len(room))]
    return rows


def _head(message: QualityMessage, cut: Cut, look: Look, *, begins: bool, among: bool) -> str:
    number = f"{message.turn:>3}" if begins and message.turn else "   "
    cursor = ">" if message.index == look.cursor else "|" if among else " "
    sign = " " if cut.keeps(message.turn) else GONE
    score = ""
    if look.scores:
        score = f"{look.scores[message.turn] * 100:>3.0f}" if begins and message.turn in look.scores else "   "
    labels = {Party.SELF: f"{_('me')} >", Party.OTHER: f"< {_('other')}"}
    room = max(cell_len(label) for label in labels.values())
    label = labels.get(message.party) or f"? {visible(message.speaker, one_line=True)}"
    if message.party is Party.SELF:
        label = " " * max(room - cell_len(label), 0) + label
    return f"{cursor}{number}{sign}{score} {fitted(label, room)} "


def _texts(message: QualityMessage, look: Look, width: int, plain_emoji: bool, *, gone: bool) -> list[Row]:
    if look.raw:
        return _plain(message.raw, width, plain_emoji, "cut" if gone else "")
    text = look.writing if look.writing is not None and message.index == look.cursor else message.now
    if text == message.below:
        return _plain(text, width, plain_emoji, "cut" if gone else "")
    marks = _marks(message.below, text)
    name_was, name_now = _("was"), _("now")
    room = max(cell_len(name_was), cell_len(name_now)) + 1
    rows: list[Row] = []
    shown = _as_text(message, text)
    for name, row in (
        (name_was, was(shown, marks, plain_emoji=plain_emoji)),
        (name_now, now(shown, marks, plain_emoji=plain_emoji)),
    ):
        loose = [run._replace(edit=0) for run in row]
        rows += hung(fitted(name, room), folded(loose, width - room))
    return rows


def _plain(text: str, width: int, plain_emoji: bool, look: str) -> list[Row]:
    shown = visible(text, plain_emoji=plain_emoji)
    return folded([Run(shown, look) if shown else Run(f"({_('empty message')})", "note")], width)


def _marks(below: str, text: str) -> Marks:
    edits = [
        (n, TextEdit(0, e.start, e.end, below[e.start : e.end], e.replacement, e.rule, (e.start, e.end)))
        for n, e in enumerate(changes(below, text), 1)
    ]
    return Marks(edits, ())


def _as_text(message: QualityMessage, text: str) -> TextMessage:
    return TextMessage(message.turn, message.party, message.speaker, message.below, text, (), True)


def _notes(message: QualityMessage) -> list[str]:
    """What is to be said of a message, below it."""
    lines = []
    for one in message.rewritings:
        words = _("rewritten by {name}: {reason}").format(
            name=visible(one.person, one_line=True),
            reason=told(REASONS[one.reason]) if one.reason in REASONS else one.reason,
        )
        lines.append(words + (" ! " + _("no longer fits") if one.ref in message.misfits else ""))
    if message.rewritings:
        words = _("{share} changed").format(share=f"{message.share:.0%}")
        if message.signed_by:
            words += " · " + _("signed by {name}").format(name=visible(message.signed_by, one_line=True))
        elif message.unsigned:
            words += " · ! " + _("a second person has to sign it")
        lines[-1] += " · " + words
    if message.draft is not None:
        lines.append(_("half written: {text}").format(text=visible(message.draft, one_line=True)))
    return lines


def counted(page: QualityPage, cut: Cut) -> Counted:
    """Turns and characters that a cut leaves, of the text as it stands."""
    kept = [m.index for m in page.messages if m.turn and cut.keeps(m.turn)]
    return Counted(
        len(turns_of(page.stored.dialogue.messages, kept)) if not page.stored.purged else _turns(page),
        sum(len(page.messages[i].now) for i in kept),
    )


def _turns(page: QualityPage) -> int:
    return len({m.turn for m in page.messages})
