"""Signs of how scores were given, for the lead: straight lines, haste, leaning to a side, own consistency, gold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean, median

from curation.scoring.judgements import CALIBRATION, COT, PAIR, PLAN, REPEAT, Judgement
from curation.statistics.figures import Statistic, Status
from curation.statistics.tests import sign_test, wilson
from curation.work.scoring import PROCESS, SCORES

# Below this an item cannot have been read.
HASTY_SECONDS = 5.0
# From this share, or this run, of one and the same answer on, the lead should look.
STRAIGHT_SHARE, STRAIGHT_RUN = 0.9, 15
_FEW = 20


@dataclass(frozen=True)
class Signs:
    """One annotator's scoring, looked at from outside.

    `straight` is the share of items whose five process scores are all the same, `run` the longest run of items scored
    alike throughout, `favourite` the score given most and its share. `seconds` is the median for an item, `hasty` the
    share below five seconds; both None without timed items. `bias` is the mean difference from the others on the same
    items, by dimension. `first` is the share of preferences for Reply 1, with its exact test against even. `repeated` is
    the share of scores given again the same on hidden repeats; `gold` the share of scores that are those of the lead;
    `guessed` how often the reply with a process was guessed. `late` counts scores changed after closing. `warnings` name
    what stands out: straight, run, favourite, hasty, side.
    """

    person: str
    items: int
    straight: float | None
    run: int
    favourite: tuple[int, float] | None
    seconds: float | None
    hasty: float | None
    bias: Mapping[str, float]
    first: Statistic
    first_p: float | None
    repeated: Statistic
    gold: Statistic
    guessed: Statistic
    late: int
    warnings: tuple[str, ...]


def signs(
    judgements: Iterable[Judgement], gold: Mapping[tuple[str, str, str], Mapping[str, int]] | None = None
) -> list[Signs]:
    """The signs of everyone who scored, by name. `gold` are the lead's scores by (dialogue, system, mode)."""
    held = sorted(judgements, key=lambda one: (one.by, one.place))
    of_item: dict[tuple[str, str, str], list[Judgement]] = {}
    for one in held:
        if one.role in (PLAN, CALIBRATION):
            of_item.setdefault((one.dialogue, one.system, one.mode), []).append(one)
    return [_signs(person, list(mine), of_item, gold or {}) for person, mine in groupby(held, lambda one: one.by)]


def _signs(
    person: str,
    mine: Sequence[Judgement],
    of_item: Mapping[tuple[str, str, str], Sequence[Judgement]],
    gold: Mapping[tuple[str, str, str], Mapping[str, int]],
) -> Signs:
    pairs = [one for one in mine if one.mode == PAIR]
    given = [value for one in mine for value in one.scores.values()]
    same = [len({one.scores[name] for name in PROCESS}) == 1 for one in pairs]
    runs = [len(list(group)) for _, group in groupby(pairs, lambda one: tuple(sorted(one.scores.items())))]
    timed = [one.seconds for one in mine if one.seconds is not None]
    favourite = max(SCORES, key=lambda score: (given.count(score), -score)) if given else 0
    share = given.count(favourite) / len(given) if given else 0.0
    preferred = [(one.prefers == one.first) for one in pairs if one.prefers and one.first]
    guesses = [one.guess == COT for one in pairs if one.guess]
    straight = fmean(same) if same else None
    hasty = fmean(s < HASTY_SECONDS for s in timed) if timed else None
    side_p = sign_test(sum(preferred), len(preferred)) if preferred else None
    warnings = {
        "straight": straight is not None and len(same) >= _FEW and straight >= STRAIGHT_SHARE,
        "run": max(runs, default=0) >= STRAIGHT_RUN,
        "favourite": len(given) >= _FEW and share >= STRAIGHT_SHARE,
        "hasty": hasty is not None and len(timed) >= _FEW and hasty >= 0.25,
        "side": side_p is not None and side_p < 0.001,
    }
    return Signs(
        person=person,
        items=len(mine),
        straight=straight,
        run=max(runs, default=0),
        favourite=(favourite, share) if given else None,
        seconds=median(timed) if timed else None,
        hasty=hasty,
        bias=_bias(person, of_item),
        first=_share(sum(preferred), len(preferred)),
        first_p=side_p,
        repeated=_repeated(mine),
        gold=_against(mine, gold),
        guessed=_share(sum(guesses), len(guesses)),
        late=sum(one.late for one in mine),
        warnings=tuple(name for name, there in warnings.items() if there),
    )


def _share(successes: int, trials: int) -> Statistic:
    if not trials:
        return Statistic(None, Status.NO_PAIRS)
    low, high = wilson(successes, trials)
    return Statistic(successes / trials, Status.OK, low, high, trials, trials)


def _bias(person: str, of_item: Mapping[tuple[str, str, str], Sequence[Judgement]]) -> dict[str, float]:
    apart: dict[str, list[float]] = {}
    for given in of_item.values():
        mine = next((one for one in given if one.by == person), None)
        others = [one for one in given if one.by != person]
        if mine is None or not others:
            continue
        for name, value in mine.scores.items():
            theirs = [one.scores[name] for one in others if name in one.scores]
            if theirs:
                apart.setdefault(name, []).append(value - fmean(theirs))
    return {name: fmean(values) for name, values in sorted(apart.items())}


def _repeated(mine: Sequence[Judgement]) -> Statistic:
    before = {one.code: one for one in mine if one.role != REPEAT}
    alike = [
        one.scores[name] == before[one.of].scores[name]
        for one in mine
        if one.role == REPEAT and one.of in before
        for name in one.scores
        if name in before[one.of].scores
    ]
    return _share(sum(alike), len(alike))


def _against(mine: Sequence[Judgement], gold: Mapping[tuple[str, str, str], Mapping[str, int]]) -> Statistic:
    right = [
        one.scores[name] == value
        for one in mine
        for name, value in gold.get((one.dialogue, one.system, one.mode), {}).items()
        if name in one.scores
    ]
    return _share(sum(right), len(right))


def all_guesses(judgements: Iterable[Judgement]) -> Statistic:
    """How often the reply with a process was guessed, over everyone: one half is chance (Wilson's interval)."""
    guesses = [one.guess == COT for one in judgements if one.guess and one.mode == PAIR]
    return _share(sum(guesses), len(guesses))
