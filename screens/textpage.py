"""The page of the text screen: one dialogue with its marks and notes, as rows for a width. Knows no widgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.cells import cell_len

from curation.model import Party
from curation.slang import annotate
from curation.work import DialectTag, DialectWord, TextMessage, TextPage
from screens.display import visible
from screens.lines import fitted
from screens.locale import _, told
from screens.marked import Marks, Row, Run, beside, folded, hung, now, was
from screens.names import SLANG_NAMES, dialect, rule
from screens.textwords import why

WIDE = 110  # on a screen of this many cells and more the two texts stand side by side
_TWO = WIDE - 1  # the same without the cell of the scroll bar, which the texts never have
VIEWS = ("both", "was", "now")


@dataclass
class Look:
    """How the page is looked at: which of the texts, with which notes, and which edit is in front (from 1, 0: none)."""

    view: str = "both"
    slang: bool = False
    here: int = 0
    gloss: Mapping[int, str] = field(default_factory=dict)
    glossed: bool = False


def column(width: int) -> int:
    """The width of one of two columns, for a view of `width` cells."""
    return (width - _gutter() - 3) // 2


def titles(width: int, view: str) -> str:
    """What stands above the texts, for a view of `width` cells (without the scroll bar's)."""
    old, new = _("as it was (identifiers out)"), _("as it is (normalised)")
    if view == "both" and width >= _TWO:
        return " " * _gutter() + fitted(old, column(width)) + " | " + new
    return " " * _gutter() + {"was": old, "now": new}.get(view, f"{old} / {new}")


def laid_out(page: TextPage, tag: DialectTag | None, look: Look, width: int, plain_emoji: bool) -> list[Row]:
    """The rows of a page, none longer than `width` cells (without the scroll bar's)."""
    rows: list[Row] = []
    number = turn = 0
    for index, message in enumerate(page.messages):
        edits = [(number + n, edit) for n, edit in enumerate(message.edits, 1)]
        number += len(edits)
        words = [w for w in tag.evidence if w.message == index] if tag else []
        marks = Marks(edits, words, look.here)
        head = _head(message, begins=message.turn != turn)
        turn = message.turn or turn
        rows += hung(head, _texts(message, marks, look, width, plain_emoji))
        rows += _notes(index, message, marks, look, width - _gutter())
    return rows


def _labels() -> dict[Party, str]:
    return {Party.SELF: f"{_('me')} >", Party.OTHER: f"< {_('other')}"}


def _gutter() -> int:
    return 4 + max(cell_len(label) for label in _labels().values()) + 1


def _head(message: TextMessage, *, begins: bool) -> str:
    label = _labels().get(message.party) or f"? {visible(message.speaker, one_line=True)}"
    room = _gutter() - 5
    if message.party is Party.SELF:
        label = " " * max(room - cell_len(label), 0) + label
    number = f"{message.turn:>3} " if begins and message.turn else "    "
    return number + fitted(label, room) + " "


def _texts(message: TextMessage, marks: Marks, look: Look, width: int, plain_emoji: bool) -> list[Row]:
    empty = [Run(f"({_('empty message')})", "note")]
    before = was(message, marks, plain_emoji=plain_emoji) or empty
    after = now(message, marks, plain_emoji=plain_emoji) or empty
    if look.view != "both":
        return folded(before if look.view == "was" else after, width - _gutter())
    if width >= _TWO:
        return beside(before, after, column(width), " | " if marks.edits else " = ")
    if not marks.edits:
        return folded(before, width - _gutter())
    names = (_("was"), _("now"))
    room = max(cell_len(name) for name in names)
    rows: list[Row] = []
    for name, row in zip(names, (before, after), strict=True):
        rows += hung(fitted(name, room) + " ", folded(row, width - _gutter() - room - 1))
    return rows


def _notes(index: int, message: TextMessage, marks: Marks, look: Look, width: int) -> list[Row]:
    """What is to be said of a message, below it."""
    lines: list[Row] = []
    if marks.edits:
        lines.append(_rules(marks))
    if marks.words:
        lines.append([Run("; ".join(dict.fromkeys(_word(word) for word in marks.words)), "note")])
    if look.slang:
        found = dict.fromkeys(
            f"{visible(n.word, one_line=True)} = {n.gloss} ({told(SLANG_NAMES.get(n.kind, n.kind))})"
            for n in annotate(message.now)
        )
        if found:
            lines.append([Run(_("slang: {notes}").format(notes="; ".join(found)), "note")])
    if look.glossed and look.gloss.get(index):
        words = _("[view, not kept] in Mandarin: {text}").format(text=visible(look.gloss[index], one_line=True))
        lines.append([Run(words, "note")])
    if message.misfits:
        words = _(
            "! {n} {n:edit no longer fits|edits no longer fit} this text; workbench normalize makes {n:it|them} anew"
        ).format(n=message.misfits)
        lines.append([Run(words, "note")])
    if not message.kept:
        lines.append([Run(f"({_('cut away by trimming')})", "note")])
    room = " " * _gutter()
    return [[Run(room), *row] for line in lines for row in folded(line, width)]


def _rules(marks: Marks) -> Row:
    row: Row = []
    for number, edit in marks.edits:
        words = f"{number} {rule(edit.rule)}"
        if edit.why_not:
            words += f" ({why(edit, short=True)})"
        here = number == marks.here
        row += [Run("  ")] if row else []
        row.append(Run(f"*{words}*" if here else words, "here" if here else "note"))
    return row


def _word(word: DialectWord) -> str:
    return f"<{visible(word.word, one_line=True)}> = {word.gloss} ({dialect(word.dialect)})"
