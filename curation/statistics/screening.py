"""Agreement in screening, defined twice: on keeping or dropping, and on the situation of what both kept.

Everything is a function of how often which two labels met: a label is a situation's id, or "" where the dialogue was
dropped. A's stands first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from curation.statistics.figures import RESAMPLES, Statistic
from curation.statistics.two_raters import TwoRaters, counted
from curation.taxonomy import taxonomy

KEEP, DROP = "keep", "drop"
Counts = Mapping[tuple[str, str], int]


@dataclass(frozen=True)
class Compared:
    """Two people over what both decided. `keep` is on keeping or dropping, `situation` on those that both kept."""

    keep: TwoRaters
    situation: TwoRaters


@dataclass(frozen=True)
class Specific:
    """One label against all others, on what both kept. `first` and `second` count how often A and B gave it.

    `agreement` is the specific agreement (Cicchetti and Feinstein 1990): of the times that either gave the label, the
    share in which the other did too; None where nobody gave it.
    """

    first: int
    second: int
    both: int
    agreement: float | None
    against_rest: TwoRaters


@dataclass(frozen=True)
class Matrix:
    """Who said what: `table[i][j]` counts where A said `labels[i]` and B `labels[j]`; the last label is "", dropped."""

    labels: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]


def compared(counts: Counts, *, resamples: int = RESAMPLES) -> Compared:
    """Both definitions, with all labels of the taxonomy declared, used or not."""
    keeping: Counter[tuple[str, str]] = Counter()
    for (one, other), count in counts.items():
        keeping[KEEP if one else DROP, KEEP if other else DROP] += count
    return Compared(
        counted(keeping.items(), domain=(KEEP, DROP), resamples=resamples),
        counted(_kept(counts).items(), domain=_domain(counts), resamples=resamples),
    )


def _kept(counts: Counts) -> dict[tuple[str, str], int]:
    return {pair: count for pair, count in counts.items() if all(pair)}


def _domain(counts: Counts) -> tuple[str, ...]:
    """The situations of the taxonomy in its order, then those of another version that were used."""
    known = taxonomy().ids
    return (*known, *sorted({label for pair in counts for label in pair if label and label not in known}))


def matrix(counts: Counts) -> Matrix:
    """The confusion matrix, dropped ones among it."""
    labels = (*_domain(counts), "")
    return Matrix(labels, tuple(tuple(counts.get((one, other), 0) for other in labels) for one in labels))


def by_situation(counts: Counts, *, resamples: int = RESAMPLES) -> dict[str, Specific]:
    """Each situation against the others."""
    return {label: _specific(_kept(counts), label, resamples) for label in _domain(counts)}


def by_family(counts: Counts, *, resamples: int = RESAMPLES) -> dict[str, Specific]:
    """Each family against the others."""
    merged = grouped(counts, "family")
    return {family.id: _specific(merged, family.id, resamples) for family in taxonomy().families}


def over(counts: Counts, kind: str, *, resamples: int = RESAMPLES) -> TwoRaters:
    """Agreement on the `family` or the `tension` of what both kept: coarser than the situation, so easier to reach."""
    table = taxonomy().families if kind == "family" else taxonomy().tensions
    return counted(grouped(counts, kind).items(), domain=[one.id for one in table], resamples=resamples)


def grouped(counts: Counts, kind: str) -> Counter[tuple[str, str]]:
    """The counts of what both kept, by `family` or `tension`; situations of another version are left out."""
    family: dict[str, str] = {s.id: s.family.id for s in taxonomy().situations}
    tension: dict[str, str] = {s.id: s.family.tension.id for s in taxonomy().situations}
    group = family if kind == "family" else tension
    found: Counter[tuple[str, str]] = Counter()
    for (one, other), count in counts.items():
        if one in group and other in group:
            found[group[one], group[other]] += count
    return found


def _specific(counts: Counts, label: str, resamples: int) -> Specific:
    binary: Counter[tuple[str, str]] = Counter()
    for (one, other), count in counts.items():
        binary["yes" if one == label else "no", "yes" if other == label else "no"] += count
    both, first, second = binary["yes", "yes"], binary["yes", "no"], binary["no", "yes"]
    either = 2 * both + first + second
    return Specific(
        both + first,
        both + second,
        both,
        2 * both / either if either else None,
        counted(binary.items(), domain=("yes", "no"), resamples=resamples),
    )


@dataclass(frozen=True)
class Block:
    """A stretch of work in the order in which it was finished: items `first` to `last` (from 1), and their figures."""

    first: int
    last: int
    since: str
    until: str
    keep: TwoRaters
    situation: TwoRaters


def drift(
    pairs: Sequence[tuple[str, str]],
    at: Callable[[int], str],
    *,
    most: int = 10,
    least: int = 20,
    resamples: int = RESAMPLES,
) -> tuple[Block, ...]:
    """The figures block by block: at most `most` blocks of at least `least` items (one, where there are fewer).

    `pairs` are the labels in the order in which both had answered, `at(n)` when the n-th (from 0) was.
    """
    total = len(pairs)
    count = max(min(most, total // least), 1) if total else 0
    edges = [total * n // count for n in range(count + 1)] if count else []
    blocks = []
    for start, end in pairwise(edges):
        one = compared(Counter(pairs[start:end]), resamples=resamples)
        blocks.append(Block(start + 1, end, at(start), at(end - 1), one.keep, one.situation))
    return tuple(blocks)


def figures(one: TwoRaters) -> dict[str, Statistic]:
    """The coefficients by the names that all reports use."""
    return {
        "percent_agreement": one.percent_agreement,
        "cohen_kappa": one.cohen_kappa,
        "krippendorff_alpha": one.alpha_nominal,
        "alpha_nominal": one.alpha_nominal,
        "gwet_ac1": one.gwet_ac1,
    }
