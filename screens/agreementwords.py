"""The lead's view in words: figures, situations, blocks of time, yield, each as lines for a width. Knows no widgets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from curation.errors import N_
from curation.taxonomy import taxonomy
from screens.desk import name_of
from screens.display import visible
from screens.lines import fitted, fold, named
from screens.locale import _, language, told

if TYPE_CHECKING:
    from curation.statistics.figures import Statistic
    from curation.statistics.screening import Compared, Specific
    from curation.work.agreement import ScreeningAgreement, Spoken
    from curation.work.quotas import Board
    from curation.work.yields import Yield

COEFFICIENTS = {
    "percent_agreement": N_("percent agreement"),
    "cohen_kappa": N_("Cohen's kappa"),
    "alpha_nominal": N_("Krippendorff's alpha"),
    "gwet_ac1": N_("Gwet's AC1"),
}
REASONS = {
    "no_pairs": N_("undefined: nothing that both answered"),
    "no_variation": N_("undefined: all answers are the same; see percent and AC1"),
}
WHY_DROPPED = {
    "by_both": N_("both dropped it"),
    "by_both_anew": N_("both dropped it when they decided anew"),
    "by_the_lead": N_("the lead dropped it"),
}


def laid(heads: Sequence[str], rows: Iterable[Sequence[object]], width: int) -> list[str]:
    """A table as lines: the first column to the left, the others to the right; the first is cut where room is short."""
    cells = [[visible(str(value), one_line=True) for value in row] for row in (heads, *rows)]
    sizes = [max(cell_len(row[n]) for row in cells) for n in range(len(heads))]
    sizes[0] = max(min(sizes[0], width - sum(sizes[1:]) - 2 * (len(sizes) - 1)), 6)
    lines = []
    for n, row in enumerate(cells):
        rest = "".join(
            f"  {' ' * (size - cell_len(text))}{text}" for text, size in zip(row[1:], sizes[1:], strict=True)
        )
        lines.append(((named if n else fitted)(row[0], sizes[0]) + rest).rstrip())
    return lines


def _number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _interval(one: Statistic) -> str:
    return "" if one.low is None or one.high is None else f"[{one.low:.2f}, {one.high:.2f}]"


def figure_lines(found: ScreeningAgreement, width: int) -> list[str]:
    """Both definitions for each pair, for all together, and between pairs."""
    lines: list[str] = []
    groups = [(pair, one) for pair, one in found.pairs.items()]
    if len(groups) > 1:
        groups.append((_("all pairs together"), found.overall))
    groups += list(found.between.items())
    if found.relabel is not None:
        groups.append((_("approved texts (A) and their labels given again, blind (B)"), found.relabel))
    for name, one in groups:
        lines += [_("{pair}: {count} answered by both").format(pair=visible(name, one_line=True), count=one.keep.n)]
        lines += [*_compared(one, width), ""]
    if not groups:
        lines.append(_("There is no pair yet: workbench people PROJECT pair A B"))
    words = _(
        "By the first, blind answers, whatever was said later. {count} {count:dialogue has|dialogues have} one "
        "answer of two and {count:enters|enter} nothing. "
        "Brackets: 95 % interval, drawing dialogues again."
    ).format(count=found.open)
    return lines + fold(words, width)


def _compared(one: Compared, width: int) -> list[str]:
    heads = [_("coefficient"), _("keep or drop"), "", "n", _("situation"), "", "n"]
    rows = []
    for name, words in COEFFICIENTS.items():
        cells: list[object] = [told(words)]
        for part in (one.keep, one.situation):
            figure = part.figures[name]
            cells += [_number(figure.value), _interval(figure), figure.n_items]
        rows.append(cells)
    lines = laid(heads, rows, width)
    for part, what in ((one.keep, _("keep or drop")), (one.situation, _("situation"))):
        statuses = {f.status.value for f in part.figures.values() if f.value is None}
        lines += [f"  {what}: {told(REASONS[status])}" for status in sorted(statuses)]
    percent, kappa = one.keep.percent_agreement.value, one.keep.cohen_kappa.value
    ac1 = one.keep.gwet_ac1.value
    if percent is not None and kappa is not None and ac1 is not None and percent > 0.6 and ac1 - kappa > 0.3:
        words = _("One answer is nearly always given, so chance alone agrees often and kappa is low: see AC1.")
        lines += [f"  {line}" for line in fold(words, width - 2)]
    return lines


def situation_lines(found: ScreeningAgreement, width: int) -> list[str]:
    """Each situation and family against the rest, then agreement on family and tension."""
    heads = [_("situation"), "A", "B", _("both"), _("specific"), _("kappa"), ""]

    def rows(table: Iterable[tuple[str, Specific]]) -> list[Sequence[object]]:
        return [
            (name, one.first, one.second, one.both, _number(one.agreement), *_kappa(one.against_rest.cohen_kappa))
            for name, one in table
        ]

    families = {f.id: f.zh if language() == "zh" else f.en for f in taxonomy().families}
    lines = laid(heads, rows((name_of(k), one) for k, one in found.situations.items()), width)
    lines += [
        "",
        *laid([_("family"), *heads[1:]], rows((families[k], one) for k, one in found.families.items()), width),
    ]
    coarse = []
    for words, part in ((_("family"), found.family), (_("tension"), found.tension)):
        for name in COEFFICIENTS:
            one = part.figures[name]
            coarse.append((f"{words}: {told(COEFFICIENTS[name])}", _number(one.value), _interval(one), one.n_items))
    lines += ["", *laid([_("coarser"), _("value"), "", "n"], coarse, width), ""]
    words = _(
        "A, B: how often each said it, of what both kept. Specific: of the times either said it, how often both did."
    )
    return lines + fold(words, width)


def _kappa(one: Statistic) -> tuple[str, str]:
    return _number(one.value), _interval(one)


def drift_lines(found: ScreeningAgreement, width: int) -> list[str]:
    """Block by block, in the order in which dialogues were finished."""
    if not found.drift:
        return [_("Nothing is answered by both yet.")]
    heads = [_("dialogues"), _("finished"), _("keep"), _("kappa"), "", _("situation"), _("kappa"), ""]
    rows = []
    for block in found.drift:
        cells: list[object] = [f"{block.first}–{block.last}", block.until[5:10]]
        for part in (block.keep, block.situation):
            cells += [_number(part.percent_agreement.value), *_kappa(part.cohen_kappa)]
        rows.append(cells)
    return laid(heads, rows, width)


def yield_lines(found: Yield, width: int) -> list[str]:
    """By pair, person and situation; what was dropped and why."""
    from curation.work.screening import DROP_REASONS

    lines = laid(
        [_("pair"), _("both answered"), _("agreed"), _("settled"), _("dropped"), _("disputed")],
        [(p.pair, p.answered, p.agreed, p.settled, p.dropped, p.disputed) for p in found.pairs],
        width,
    )
    lines += [
        "",
        *laid(
            [_("name"), _("answered"), _("kept"), _("both"), _("agreed"), _("seconds")],
            [(p.person, p.answered, p.kept, p.both, p.agreed, _number(p.median_seconds, 0)) for p in found.people],
            width,
        ),
    ]
    lines += [
        "",
        *laid(
            [_("situation"), _("either"), _("both"), _("stands"), _("share")],
            [(name_of(s.situation), s.either, s.both, s.standing, _number(s.retention)) for s in found.situations],
            width,
        ),
    ]
    words = _(
        "Keeping complete agreement alone favours what is easy to tell: where the share that stands is low, the data set "
        "holds the plain cases of that situation."
    )
    lines += ["", *fold(words, width), ""]
    lines += [f"{n:>6}  {told(WHY_DROPPED[why])}" for why, n in found.dropped.items()]
    lines += [f"{n:>6}  {told(DROP_REASONS.get(code, code))}" for code, n in found.reasons.items()]
    return lines


def quota_lines(board: Board, width: int) -> list[str]:
    """Have and need of each situation, and what the rest will take."""
    heads = [
        _("situation"),
        _("have"),
        _("quota"),
        _("need"),
        _("disputed"),
        _("labelled"),
        _("yield %"),
        _("to screen"),
    ]
    rows: list[Sequence[object]] = []
    for line in board.lines:
        need: object = ""
        more = ""
        if line.target is not None:
            need = _("full") if line.full else line.need
            numbers = ["?" if n is None else str(n) for n in (line.candidates, line.least, line.most)]
            more = "" if line.full else f"{numbers[0]} ({numbers[1]}–{numbers[2]})"
        rate = "–" if line.rate is None else f"{line.rate * 100:.1f}"
        rows.append(
            (
                name_of(line.situation),
                line.have,
                "" if line.target is None else line.target,
                need,
                line.disputed or "",
                board.hinted.get(line.situation, ""),
                rate,
                more,
            )
        )
    lines = [*laid(heads, rows, width), ""]
    words = [
        _(
            "By {screened} {screened:dialogue|dialogues} answered by both; {waiting} {waiting:candidate waits|candidates wait}."
        ).format(screened=board.screened, waiting=board.waiting)
    ]
    if any(line.full for line in board.lines):
        words.append(
            _("What is full comes last on the lists once workbench assign PROJECT screening has been run again.")
        )
    if not any(line.target is not None for line in board.lines):
        words.append(_("No quotas are set: workbench quota PROJECT irony=30"))
    elif board.candidates is None:
        words.append(_("How much more it takes cannot be told: of some wanted situation none was found yet."))
    else:
        likely, most = board.candidates
        words.append(
            _("Candidates still to screen at this yield: {likely} (at most {most}).").format(
                likely=likely, most="?" if most is None else most
            )
        )
        if board.hours is not None:
            words.append(
                _("Hours of work, two people each: {likely} (at most {most}), at {seconds} s a decision.").format(
                    likely=f"{board.hours[0]:.1f}",
                    most="?" if board.hours[1] is None else f"{board.hours[1]:.1f}",
                    seconds=round(board.seconds or 0),
                )
            )
        else:
            words.append(_("How long a decision takes is not known: none was timed."))
        if likely > board.waiting:
            words.append(_("There are fewer candidates than that: more have to be imported."))
    return lines + [part for line in words for part in fold(line, width)]


def spoken_words(said: Sequence[Spoken]) -> str:
    """Both answers, what was said anew, and the ruling, each with its reason."""
    lines = []
    for one in said:
        answer = f"{_('keep')} · {name_of(one.situation)}" if one.keep else _("drop")
        who = visible(one.person, one_line=True)
        when = {1: one.slot, 2: f"{one.slot} {_('anew')}", 0: _("ruling")}[one.round]
        lines.append(f"{when} {who}: {answer}  {visible(one.rationale, one_line=True) or _('(no reason given)')}")
    return "\n".join(lines)
