"""Labels on a scale: reading them, putting them in order, and how far apart they are.

Everything that is known to go wrong with labels is settled here, once: numbers are sorted as numbers and never as text,
a declared label counts even when nobody used it, text that looks like a missing value is a label, and text has an order
only when somebody declared one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from curation.errors import N_, BadInput, UsageError
from curation.statistics.figures import Level, Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Label = str | int | float

MOST_LABELS = 4_000
"""Distinct labels beyond which a table is not ratings on a scale, and the tables of distances would fill the memory."""
LARGEST = 1e100
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_PLAIN = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d+)?", re.ASCII)


def label_text(label: Label | None) -> str:
    """The text of a label as it is compared, "" where there is none. Raises BadInput for a float that is no number."""
    if isinstance(label, float) and label != label:
        raise BadInput(N_("{label} is not a label; leave out what is missing"), "not_a_number", label="nan")
    return "" if label is None else str(label).strip()


def as_number(text: str) -> float | None:
    """The number that `text` writes in full, in ASCII digits; None for anything else (nan, 1_000 and １ among it)."""
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if abs(value) <= LARGEST else None


@dataclass(frozen=True)
class Scale:
    """The labels that a rating may have, in order.

    `values` are the labels' numbers: their own where they are numbers, else their places 0, 1, 2 … `ordered` says
    whether the order means anything.
    """

    labels: tuple[str, ...]
    values: tuple[float, ...]
    level: Level
    numeric: bool
    ordered: bool
    declared: bool
    _places: dict[str | float, int] = field(repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.labels)

    def place(self, label: Label) -> int:
        """The place of `label` on the scale. Raises BadInput with the reason when it has none."""
        text = str(label).strip()
        if self.numeric:
            number = as_number(text)
            if number is None:
                raise BadInput(N_("{label} is not a number"), "not_a_number", label=text)
            if self.level is Level.RATIO and number < 0:
                raise BadInput(N_("{label} is below nought, where a ratio scale ends"), "below_nought", label=text)
            found = self._places.get(number)
        else:
            found = self._places.get(text)
        if found is None:
            raise BadInput(
                N_("{label} is none of the labels {domain}"),
                "not_in_domain",
                label=text,
                domain=", ".join(self.labels[:20]),
            )
        return found

    def positions(self) -> tuple[float, ...]:
        """The labels' values brought to 0 … 1, which no coefficient notices and no square can overflow."""
        low, high = min(self.values, default=0.0), max(self.values, default=0.0)
        return tuple((value - low) / (high - low) if high > low else 0.0 for value in self.values)

    def distances(self, level: Level, one: NDArray[np.intp], other: NDArray[np.intp]) -> NDArray[np.float64]:
        """Krippendorff's squared differences between the places `one` and `other`, elementwise (arrays that broadcast).

        Krippendorff 2011, section 3: nominal 1, interval (c - k)², ratio ((c - k) / (c + k))² with 0/0 as 0. The ordinal
        difference depends on how often labels are used and is not here.
        """
        import numpy as np

        apart: NDArray[np.float64]
        if level is Level.NOMINAL:
            apart = (one != other).astype(np.float64)
        elif level is Level.INTERVAL:
            at = np.asarray(self.positions(), dtype=np.float64)
            apart = np.square(at[one] - at[other])
        elif level is Level.RATIO:
            at = np.asarray(self.values, dtype=np.float64)
            total = at[one] + at[other]
            apart = np.square(np.divide(at[one] - at[other], total, out=np.zeros(total.shape), where=total != 0))
        else:
            raise ValueError("the ordinal difference is a function of the ratings")
        return apart

    def disagreement(self, weights: Weights, one: NDArray[np.intp], other: NDArray[np.intp]) -> NDArray[np.float64]:
        """One minus the weight of the places `one` and `other`, elementwise: 0 on the same label, at most 1.

        Cohen 1968, Gwet 2014 chapter 3: with i and j places of q labels, linear |i - j| / (q - 1), quadratic the square
        of that, ordinal C(|i - j| + 1, 2) / C(q, 2). Places, not values, as irr, scikit-learn and statsmodels have it
        (irrCAC takes the values, which is the same for evenly spaced labels): a label that nobody used has a place only
        when it is declared.
        """
        import numpy as np

        last = max(len(self) - 1, 1)
        steps: NDArray[np.float64] = np.abs(one - other).astype(np.float64)
        if weights is Weights.IDENTITY:
            steps = np.minimum(steps, 1.0)
        elif weights is Weights.LINEAR:
            steps = steps / last
        elif weights is Weights.QUADRATIC:
            steps = np.square(steps / last)
        else:
            steps = steps * (steps + 1) / (last * (last + 1))
        return steps

    def default_ac2(self) -> Weights:
        """The weights of AC2 when none are given: quadratic where the labels have an order, else none to speak of."""
        return Weights.QUADRATIC if self.ordered else Weights.IDENTITY


def scale_of(labels: Iterable[Label], level: Level, domain: Sequence[Label] | None = None) -> Scale:
    """The scale of `labels` at `level`; with `domain`, the declared labels and no others.

    Labels that are all plain numbers are numbers, so that 5 and 5.0 are one label; from the ordinal level on, what is no
    number among numbers is passed over (`Scale.place` refuses it). Declared text keeps the order it was declared in,
    numbers are sorted as numbers.

    Raises UsageError when `domain` cannot be meant, or when ordinal text has no declared order; BadInput for more than
    MOST_LABELS labels.
    """
    wanted = domain if domain is not None else labels
    texts = list(dict.fromkeys(text for text in (str(label).strip() for label in wanted) if text))
    numbers = {text: number for text in texts if (number := as_number(text)) is not None}
    if level is Level.NOMINAL and not all(map(_PLAIN.fullmatch, texts)):
        numbers = {}  # codes such as 01 and 1, or 1e1 and 10, are different labels
    if domain is not None:
        return _declared(texts, numbers, level, len(domain))
    if level is Level.NOMINAL:
        if len(numbers) < len(texts):
            return _made(sorted(texts), None, level, ordered=False, declared=False)
    elif level is Level.ORDINAL and texts and not numbers:
        raise UsageError(N_("text labels have no order of their own: give it with --domain, lowest first"), "no_order")
    if level is Level.RATIO:
        numbers = {text: number for text, number in numbers.items() if number >= 0}
    return _made(list(numbers), numbers, level, ordered=True, declared=False)


def _declared(texts: list[str], numbers: dict[str, float], level: Level, given: int) -> Scale:
    if not texts:
        raise UsageError(N_("the domain names no label"), "bad_domain")
    if len(texts) < given or len(set(numbers.values())) < len(numbers):
        raise UsageError(N_("the domain names a label twice, or none between two commas"), "bad_domain")
    if len(numbers) == len(texts):
        if level is Level.RATIO and min(numbers.values()) < 0:
            raise UsageError(N_("a ratio scale has no numbers below nought"), "bad_domain")
        return _made(texts, numbers, level, ordered=True, declared=True)
    if level in (Level.INTERVAL, Level.RATIO):
        raise UsageError(N_("the level {level} needs numbers in the domain"), "bad_domain", level=str(level))
    return _made(texts, None, level, ordered=level is Level.ORDINAL, declared=True)


def _made(texts: list[str], numbers: dict[str, float] | None, level: Level, *, ordered: bool, declared: bool) -> Scale:
    places: dict[str | float, int] = {}
    if numbers is None:
        labels = tuple(texts)
        values = tuple(float(place) for place in range(len(labels)))
        places.update((label, place) for place, label in enumerate(labels))
    else:
        names: dict[float, str] = {}
        for text, number in numbers.items():
            names[number] = min(names.get(number, text), text, key=lambda name: (len(name), name))
        values = tuple(sorted(names))
        labels = tuple(names[value] for value in values)
        places.update((value, place) for place, value in enumerate(values))
    if len(labels) > MOST_LABELS:
        raise BadInput(
            N_("{count} different labels are no scale of ratings (at most {most}); round them"),
            "too_many_labels",
            count=len(labels),
            most=MOST_LABELS,
        )
    return Scale(labels, values, level, numbers is not None, ordered, declared, places)
