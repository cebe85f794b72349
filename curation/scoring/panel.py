"""The live figures of scoring, kept up closing by closing: for the lead of everything, for an annotator of what they may see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from curation.scoring.agreeing import HEADLINE
from curation.statistics.agreement import leave_one_out, statistics_of
from curation.statistics.figures import RESAMPLES, SEED, Level, Statistic
from curation.statistics.histogram import of_items
from curation.statistics.pulse import Pulse
from curation.statistics.scales import scale_of
from curation.work.scoring import ALONE, DIMENSIONS, PROCESS, SCORES, Advice, PanelRow

COURSE = 40
# Alpha of fewer compared items says nothing: no advice rests on it.
_FEW = 10
# What an annotator is shown: both kinds of reply as one, which says nothing of which was which.
OWN_DIMENSIONS = (*PROCESS, ALONE)
Item = tuple[str, str]  # dialogue, system


@dataclass(frozen=True)
class Closing:
    """One closed task: the item, whose it is, and its scores by dimension (`reply_cot`, `reply_direct` opened)."""

    code: str
    item: Item
    by: str
    scores: Mapping[str, int]


@dataclass
class Board:
    """The live figures of `people`. With `viewer` only items count that this person closed more than `reach` closings ago,
    and so cannot take back any more: nobody can try scores until a figure is fine.
    """

    people: Sequence[str]
    viewer: str = ""
    reach: int = 0
    pulses: dict[str, Pulse] = field(default_factory=dict)
    courses: dict[str, list[float | None]] = field(default_factory=dict)
    intervals: dict[str, tuple[Statistic, ...]] = field(default_factory=dict)
    intervals_of: int = 0
    closed: int = 0
    _held: dict[Item, dict[str, Closing]] = field(default_factory=dict)
    _own: list[Item] = field(default_factory=list)
    _settled: set[Item] = field(default_factory=set)
    _every: int = 1
    _since: int = 0

    def __post_init__(self) -> None:
        scale = scale_of((), Level.ORDINAL, SCORES)
        self.pulses = {name: Pulse(self.people, scale) for name in self.dimensions}
        self.courses = {name: [] for name in self.dimensions}

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The dimensions that this board shows."""
        return OWN_DIMENSIONS if self.viewer else DIMENSIONS

    def close(self, one: Closing) -> None:
        """A task was closed."""
        self._held.setdefault(one.item, {})[one.by] = one
        self.closed += 1
        if not self.viewer:
            self._enter(one)
        elif one.by == self.viewer:
            self._own.append(one.item)
            if len(self._own) > self.reach:
                item = self._own[-self.reach - 1]
                self._settled.add(item)
                for given in self._held[item].values():
                    self._enter(given)
        elif one.item in self._settled:
            self._enter(one)
        self._mark()

    def take_back(self, code: str, item: Item, by: str) -> None:
        """A closing was taken back."""
        given = self._held.get(item, {})
        if by not in given or given[by].code != code:
            return
        one = given.pop(by)
        self.closed -= 1
        if by == self.viewer and item in self._own:
            self._own.remove(item)
        if not self.viewer or item in self._settled:
            for name, unit, _ in self._parts(one):
                self.pulses[name].remove(unit, by)

    def _enter(self, one: Closing) -> None:
        for name, unit, value in self._parts(one):
            self.pulses[name].rate(unit, one.by, value)

    def _parts(self, one: Closing) -> Iterable[tuple[str, tuple[str, ...], int]]:
        """Which board a score goes to, and as a rating of what."""
        for name, value in one.scores.items():
            if name in PROCESS or (name in DIMENSIONS and not self.viewer):
                yield name, one.item, value
            elif name in DIMENSIONS:
                yield ALONE, (*one.item, name), value

    def _mark(self) -> None:
        """Note where alpha stands, every so many closings, so that its course has a few dozen points however long it is."""
        self._since += 1
        if self._since < self._every:
            return
        self._since = 0
        for name, pulse in self.pulses.items():
            self.courses[name].append(pulse.values()[0])
        if len(next(iter(self.courses.values()))) >= 2 * COURSE:
            self._every *= 2
            self.courses = {name: points[1::2] for name, points in self.courses.items()}

    def pace(self, closings: int) -> None:
        """Say how many closings will be entered at once, so that noting the course costs no more than it must."""
        self._every = max(1, -(-closings // COURSE))

    @property
    def compared(self) -> int:
        """Items closed by two or more that the board counts."""
        return max((pulse.read().alpha.n_items for pulse in self.pulses.values()), default=0)

    def rows(self) -> tuple[PanelRow, ...]:
        """The rows as they stand, with the intervals last computed."""
        return tuple(self._row(name) for name in self.dimensions)

    def _row(self, name: str) -> PanelRow:
        beat = self.pulses[name].read()
        bounds = self.intervals.get(name, (None, None, None))
        figures = [
            one if known is None or one.value is None else replace(one, low=known.low, high=known.high)
            for one, known in zip(beat, bounds, strict=True)
        ]
        return PanelRow(name, figures[0], figures[1], figures[2], tuple(self.courses[name][-COURSE:]))

    def draw_intervals(self, *, resamples: int = RESAMPLES, seed: int = SEED) -> None:
        """Compute the intervals of all rows anew, by drawing dialogues again."""
        for name, pulse in self.pulses.items():
            rows = pulse.rows()
            held = of_items(
                [[None if place < 0 else SCORES[place] for place in row] for row in rows.values()],
                level=Level.ORDINAL,
                domain=SCORES,
                raters=self.people,
                clusters=[unit[0] for unit in rows if isinstance(unit, tuple)],
            )
            found, _ = statistics_of(held, HEADLINE, resamples=resamples, seed=seed)
            self.intervals[name] = tuple(found[key] for key in HEADLINE)
        self.intervals_of = self.closed

    def advice(self, talk_over: Callable[[str], tuple[tuple[str, int], ...]]) -> Advice | None:
        """What would raise agreement most; None while too little is compared, or nothing is amiss.

        `talk_over` gives the calibration tasks in which people differ most in a dimension.
        """
        known = [(value, name) for name, pulse in self.pulses.items() if (value := _enough(pulse)) is not None]
        if not known or min(known)[0] >= 1.0:
            return None
        name = min(known)[1]
        pulse = self.pulses[name]
        mixed = pulse.mixed_up()
        pair = max(mixed, key=lambda two: (mixed[two], -two[0]))
        rows = [[None if place < 0 else SCORES[place] for place in row] for row in pulse.rows().values()]
        held = of_items(rows, level=Level.ORDINAL, domain=SCORES, raters=self.people)
        without = leave_one_out(held, level=Level.ORDINAL) if len(held.present) > 2 else {}
        better = {who: one.value for who, one in without.items() if one.value is not None and one.value > min(known)[0]}
        who = max(better, key=lambda person: better[person], default="")
        return Advice(
            dimension=name,
            low=SCORES[pair[0]],
            high=SCORES[pair[1]],
            times=round(mixed[pair]),
            person=who,
            without=better.get(who),
            talk_over=talk_over(name),
        )


def _enough(pulse: Pulse) -> float | None:
    beat = pulse.read()
    return beat.alpha.value if beat.alpha.n_items >= _FEW else None
