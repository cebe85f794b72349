"""Statistics as rows of a table: value, interval, what it rests on, and the reason where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.errors import N_

if TYPE_CHECKING:
    from curation.statistics.figures import Statistic

_REASONS = {
    "no_pairs": N_("undefined: no item has two ratings"),
    "no_variation": N_("undefined: no variation, every rating that counts is the same"),
}


def number(value: float | None, digits: int = 3) -> str:
    """A figure, or a dash."""
    return "-" if value is None else f"{value:.{digits}f}"


def figure_row(name: str, one: Statistic) -> tuple[object, ...]:
    """A statistic in seven cells."""
    from workbench.words import gettext

    reason = "" if one.value is not None else gettext(_REASONS[one.status])
    return name, number(one.value), number(one.low), number(one.high), one.n_items, one.n_ratings, reason


def figure_heads(first: str) -> list[str]:
    """The heads of those cells; `first` is the English word for what stands in the first."""
    from workbench.words import gettext

    words = (first, N_("value"), N_("low"), N_("high"), N_("items"), N_("ratings"))
    return [*map(gettext, words), ""]
