"""The page of the review: one dialogue with its findings and how it will read, as rows for a width. Knows no widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len

from curation.model import Party
from curation.work.review import Hit, Reviewed, ReviewMessage, ReviewPage
from screens.display import visible
from screens.lines import fitted
from screens.locale import _
from screens.marked import Row, Run, folded, hung
from screens.reviewwords import WAIVE_REASONS, reason_words, sign, type_name


@dataclass
class Caret:
    """Where a person marks: a place in a message, and where the mark began (None: not yet)."""

    message: int
    at: int
    anchor: int | None = None

    @property
    def span(self) -> tuple[int, int]:
        """What is marked."""
        other = self.at if self.anchor is None else self.anchor
        return min(self.at, other), max(self.at, other)


@dataclass
class Look:
    """How the page is looked at. `here` is the finding in front (from 1, 0: none), hits of the output's scan counted
    after the findings. `masked`: the viewer does not see what findings cover, but for what is revealed. `rows` says, once
    it is laid out, which rows a turn takes: (first, last)."""

    here: int = 0
    masked: bool = False
    read: set[int] = field(default_factory=set)
    hits: tuple[Hit, ...] = ()
    caret: Caret | None = None
    rows: dict[int, tuple[int, int]] = field(default_factory=dict)


CARET = -1  # the number under which the caret's rows are found


def laid_out(page: ReviewPage, look: Look, width: int, plain_emoji: bool) -> list[Row]:
    """The rows of a page, none longer than `width` cells (without the scroll bar's)."""
    rows: list[Row] = []
    look.rows = {}
    turn = 0
    gutter = _gutter()
    for message in page.messages:
        spans = [(n, one) for n, one in enumerate(page.findings, 1) if one.span.message == message.index]
        begins = message.turn != turn
        turn = message.turn or turn
        first = len(rows)
        head = _head(message, begins=begins, read=turn in look.read)
        rows += hung(head, folded(_text(page, message, spans, look, plain_emoji), width - gutter))
        rows += _notes(page, message, spans, look, width - gutter)
        if turn:
            look.rows[turn] = (look.rows.get(turn, (first, 0))[0], len(rows) - 1)
    return rows


def _labels() -> dict[Party, str]:
    return {Party.SELF: f"{_('me')} >", Party.OTHER: f"< {_('other')}"}


def _gutter() -> int:
    return 5 + max(cell_len(label) for label in _labels().values()) + 1


def _head(message: ReviewMessage, *, begins: bool, read: bool) -> str:
    """Number of the turn, with a full stop once it was read, and whose it is."""
    label = _labels().get(message.party) or f"? {visible(message.speaker, one_line=True)}"
    room = _gutter() - 6
    if message.party is Party.SELF:
        label = " " * max(room - cell_len(label), 0) + label
    number = f"{message.turn:>3}{'.' if read else ' '} " if begins and message.turn else "     "
    return number + fitted(label, room) + " "


def _text(
    page: ReviewPage, message: ReviewMessage, spans: Sequence[tuple[int, Reviewed]], look: Look, plain_emoji: bool
) -> Row:
    """The raw text, its findings between signs; the caret and what it marks."""
    text = message.text
    if not text.strip() and look.caret is None:
        return [Run(f"({_('empty message')})", "note")]
    caret = look.caret if look.caret is not None and look.caret.message == message.index else None
    cuts = {0, len(text), *(at for _n, one in spans for at in (one.span.start, one.span.end))}
    marked = caret.span if caret else (0, 0)
    cuts |= set(marked) if caret else set()
    places = sorted(cuts)
    row: Row = []
    for at, end in zip(places, [*places[1:], len(text)], strict=True):
        for n, one in spans:
            if one.span.end == at:
                row.append(Run("}", _look(n, one, look), n))
        if caret and at in marked:
            row.append(Run("|", "here", CARET))
            if marked[0] == marked[1] == at and caret.anchor is not None:
                row.append(Run("|", "here", CARET))
        for n, one in spans:
            if one.span.start == at:
                row.append(Run(sign(n, one.span, here=n == look.here), _look(n, one, look), n))
        over = next(((n, one) for n, one in spans if one.span.start <= at < one.span.end), None)
        shown = visible(text[at:end], plain_emoji=plain_emoji)
        if over is not None and look.masked and not _revealed(page, over[1]):
            shown = f"〔{type_name(over[1].span.type)}〕" if at == over[1].span.start else ""
        if shown:
            in_mark = caret is not None and marked[0] <= at < marked[1]
            row.append(Run(shown, "here" if in_mark else _look(*over, look) if over else "", over[0] if over else 0))
    return row


def _revealed(page: ReviewPage, one: Reviewed) -> bool:
    place = (one.span.message, one.span.start, one.span.end)
    return one.span.state == "rejected" or place in page.revealed


def _look(number: int, one: Reviewed, look: Look) -> str:
    if number == look.here:
        return "here"
    return {"open": "edit", "accepted": "word", "rejected": "gone"}[one.span.state]


def _notes(
    page: ReviewPage, message: ReviewMessage, spans: Sequence[tuple[int, Reviewed]], look: Look, width: int
) -> list[Row]:
    """How the message will read, what the output still shows of it, and what else is to be said."""
    lines: list[Row] = []
    if message.preview != message.text and not look.masked:
        lines.append([Run("> " + (visible(message.preview, one_line=True) or _("(nothing)")), "note")])
    for n, hit in enumerate(look.hits, len(page.findings) + 1):
        if hit.message == message.index:
            words = f"! {n} {type_name(hit.type)}: {visible(hit.text, one_line=True)} "
            words += f"({_('still in the output')})"
            here = n == look.here
            lines.append([Run(f"*{words}*" if here else words, "here" if here else "edit", n)])
    for waiver in page.waivers:
        if waiver.place[0] == message.index:
            words = _("let stand by {by}: {type}, {why}").format(
                by=visible(waiver.person, one_line=True),
                type=type_name(waiver.type),
                why=reason_words(waiver.reason, WAIVE_REASONS),
            )
            lines.append([Run(f"({words})", "note")])
    if not message.kept:
        lines.append([Run(f"({_('cut away by trimming')})", "note")])
    room = " " * _gutter()
    return [[Run(room), *row] for line in lines for row in folded(line, width)]
