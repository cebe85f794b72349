"""Figures in words: a statistic in a few cells, the course of one as a line of blocks, and why one is undefined."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from curation.errors import N_
from curation.rubric import rubric
from curation.statistics import Statistic, Status
from curation.work.scoring import ALONE, DIMENSIONS, Advice, Panel, PanelRow
from screens.display import visible
from screens.lines import fitted
from screens.locale import _, language, told

# What figures are of: for the lead both kinds of reply apart, for an annotator as one.
EVERY_DIMENSION = (*DIMENSIONS, ALONE)
_BLOCKS = "▁▂▃▄▅▆▇█"
UNDEFINED = {
    Status.NO_PAIRS: N_("nothing closed by two people yet"),
    Status.NO_VARIATION: N_("all scores are the same: agreement beyond chance cannot be told"),
}
FEW = 5  # items; of fewer no coefficient is shown, since one score more would turn it round
HIDDEN = {
    "project": N_("This project shows agreement to its lead only."),
}
MOST_LABEL = 15


def number(value: float | None) -> str:
    """A coefficient in five cells."""
    return "    –" if value is None else f"{value:5.2f}"


def interval(figure: Statistic) -> str:
    """An interval in eleven cells, blank where there is none."""
    if figure.low is None or figure.high is None:
        return " " * 11
    low, high = (f"{bound:.2f}".replace("0.", ".") for bound in (figure.low, figure.high))
    return f"({low} {high})".ljust(11)


def percent(figure: Statistic) -> str:
    """A share in four cells."""
    return "   –" if figure.value is None else f"{round(figure.value * 100):>3}%"


def why_not(figure: Statistic) -> str:
    """Why a figure is not shown; empty when it is."""
    if figure.status in UNDEFINED:
        return told(UNDEFINED[figure.status])
    return _("fewer than {n} to compare: too few for a figure").format(n=FEW) if figure.n_items < FEW else ""


def shown(figure: Statistic) -> Statistic:
    """The figure as it may be shown: of too few items it has no value."""
    if figure.value is None or figure.n_items >= FEW:
        return figure
    return Statistic(None, Status.NO_PAIRS, None, None, figure.n_items, figure.n_ratings)


def sparkline(values: Sequence[float | None], room: int) -> str:
    """The course of a coefficient, the newest at the right; 0 and less is the lowest block, 1 the highest.

    The scale is the same for every line, so that two lines can be compared. A gap is where there was no value.
    """
    shown = list(values)[-room:] if room > 0 else []
    top = len(_BLOCKS) - 1
    return "".join(" " if v is None else _BLOCKS[min(max(int(v * len(_BLOCKS)), 0), top)] for v in shown)


def dimension_name(dimension: str) -> str:
    """A dimension of the figures in words."""
    name = rubric().of(dimension).name[language()]
    if dimension == "reply_cot":
        return _("{reply} (thought)").format(reply=name)
    return _("{reply} (direct)").format(reply=name) if dimension == "reply_direct" else name


def row_words(row: PanelRow, room: int, width: int) -> str:
    """A row of the panel in `width` cells: alpha with interval, its course, percent, AC1 with interval, n."""
    alpha, ac1 = shown(row.alpha), shown(row.ac1)
    rest = f"{percent(shown(row.percent))}  AC1 {number(ac1.value)} {interval(ac1)} n {alpha.n_items}"
    head = f"{fitted(dimension_name(row.dimension), room)} α {number(alpha.value)} {interval(alpha)}"
    between = min(width - cell_len(head) - cell_len(rest) - 2, 20)
    course = sparkline(row.course, between) if alpha.value is not None else ""
    return f"{head} {course.rjust(max(between, 0))} {rest}"


def panel_lines(panel: Panel, dimensions: Sequence[str], width: int, *, advice: bool) -> list[str]:
    """The panel: a line of counts, the rows of `dimensions`, why some are undefined, and what would raise agreement."""
    if panel.hidden:
        return [told(HIDDEN.get(panel.hidden, HIDDEN["project"]))]
    counts = _(
        "Agreement of {compared} {compared:reply|replies} closed by two or more; closed {closed} of {assigned}"
    ).format(compared=panel.compared, closed=panel.closed, assigned=panel.assigned)
    rows = [row for row in panel.rows if row.dimension in dimensions]
    room = min(max((cell_len(dimension_name(row.dimension)) for row in rows), default=0), MOST_LABEL)
    lines = [counts, *(row_words(row, room, width) for row in rows)]
    reasons = dict.fromkeys(why for row in rows if (why := why_not(row.alpha)))
    lines += [f"–  {why}" for why in reasons]
    if advice and panel.advice is not None:
        lines += advice_lines(panel.advice)
    return lines


def advice_lines(found: Advice) -> list[str]:
    """What would raise agreement: which dimension, which line of the rubric, whose scores, what to talk over."""
    lines = [
        _("Would raise it: {dimension} – {low} and {high} stand against each other {times} {times:time|times}").format(
            dimension=dimension_name(found.dimension), low=found.low, high=found.high, times=found.times
        ),
        f"   {rubric().of(found.dimension).doubt[language()]}",
    ]
    if found.person and found.without is not None:
        lines.append(
            _("   Without {person} it would be {value}").format(
                person=visible(found.person, one_line=True), value=number(found.without).strip()
            )
        )
    if found.talk_over:
        names = ", ".join(visible(name, one_line=True) for name, _spread in found.talk_over[:5])
        lines.append(_("   Talk over (calibration only): {names}").format(names=names))
    return lines


def panel_page(panel: Panel) -> str:
    """The panel explained: every figure with its n, why some have none, what they mean, what does not count."""
    if panel.hidden:
        return told(HIDDEN.get(panel.hidden, HIDDEN["project"]))
    blocks = [panel_lines(panel, (), 0, advice=False)[0]]
    for row in panel.rows:
        lines = [dimension_name(row.dimension)]
        names = ((_("alpha (ordinal)"), row.alpha), (_("AC1"), row.ac1), (_("percent"), row.percent))
        for name, figure in names:
            value = number(figure.value).strip()
            between = interval(figure).strip() or _("no interval yet")
            why = why_not(figure)
            words = why or f"{value} {between}"
            n = _("n = {items} {items:reply|replies}, {ratings} {ratings:score|scores}").format(
                items=figure.n_items, ratings=figure.n_ratings
            )
            lines.append(f"  {name}: {words}; {n}")
        blocks.append("\n".join(lines))
    if panel.advice is not None:
        blocks.append("\n".join(advice_lines(panel.advice)))
    blocks.append(
        _(
            "Alpha (Krippendorff, ordinal) is 1 where all agree, 0 where they agree as by chance. Where nearly all scores "
            "are the same alpha falls even if few differ; AC1 (Gwet) does not, and percent is plain agreement.\n"
            "Scores count as they stood when the item was closed; later changes are kept and not counted. Intervals are "
            "95 %, by drawing whole dialogues anew; they are of {n} closed {n:item|items}."
        ).format(n=panel.intervals_of)
    )
    return "\n\n".join(blocks)
