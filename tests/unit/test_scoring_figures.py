"""Means, preferences, agreement, comparisons and signs, against what they must be by plain arithmetic."""

from __future__ import annotations

import random
from itertools import pairwise
from statistics import fmean

import krippendorff
import numpy as np
import pytest

from curation.scoring.agreeing import agreed
from curation.scoring.comparing import differences, flips, ranks
from curation.scoring.grid import grid
from curation.scoring.judgements import Judgement, Setting
from curation.scoring.means import cells, means
from curation.scoring.panel import Board, Closing
from curation.scoring.preference import wins
from curation.scoring.signs import signs
from curation.scoring.table import ablation_means, table
from curation.work.scoring import DIMENSIONS

PEOPLE = ("ann", "bo", "cy")
SETTINGS = {f"u{n}": Setting(f"u{n}", f"d{n}", "irony" if n % 3 else "hint", "semantic") for n in range(400)}


def judged(
    dialogues: int, systems: int, seed: int = 1, *, noise: float = 0.3, people: tuple[str, ...] = PEOPLE
) -> list[Judgement]:
    """Judgements of one truth by people of whom each sees something else now and then."""
    chance = random.Random(seed)
    found = []
    places = dict.fromkeys(people, 0)
    for d in range(dialogues):
        for s in range(systems):
            truth = {name: chance.choice((0, 5, 10)) for name in DIMENSIONS}
            for person in people:
                scores = {n: v if chance.random() > noise else chance.choice((0, 5, 10)) for n, v in truth.items()}
                better = chance.choice(("cot", "direct")) if scores["reply_cot"] == scores["reply_direct"] else ""
                places[person] += 1
                found.append(
                    Judgement(
                        f"{person}{d}.{s}",
                        f"u{d}",
                        f"s{s}",
                        "pair",
                        person,
                        scores,
                        better,
                        first=chance.choice(("cot", "direct")),
                        place=places[person],
                    )
                )
    return found


def test_means_are_over_annotators_and_then_over_items() -> None:
    held = judged(20, 2)
    found = means(grid(held), SETTINGS, {"irony": 0.9, "hint": 0.1}, resamples=200)
    for system in ("s0", "s1"):
        items = {
            u: fmean(j.scores["cause"] for j in held if (j.dialogue, j.system) == (u, system))
            for u in {j.dialogue for j in held}
        }
        one = found[system]["cause"]
        assert one.plain.value == pytest.approx(fmean(items.values()))
        assert (one.plain.n_items, one.plain.n_ratings) == (20, 60)
        assert (one.plain.low or 0) < (one.plain.value or 0) < (one.plain.high or 0)
        irony = fmean(v for u, v in items.items() if SETTINGS[u].situation == "irony")
        hint = fmean(v for u, v in items.items() if SETTINGS[u].situation == "hint")
        assert one.balanced == pytest.approx((irony + hint) / 2)
        assert one.prevalence == pytest.approx(0.9 * irony + 0.1 * hint)
        assert sum(one.shares.values()) == pytest.approx(1.0)
    assert means(grid(held), SETTINGS, {"humor": 1.0}, resamples=0)["s0"]["cause"].prevalence is None
    cell = cells(grid(held), SETTINGS, "process", resamples=100)["s0", "hint"]
    assert cell.n_items == 7


def test_scores_from_a_known_truth_give_back_the_known_means() -> None:
    chance = random.Random(4)
    shares = {"s0": (0.2, 0.5, 0.3), "s1": (0.6, 0.2, 0.2)}
    held = [
        Judgement(
            f"{p}{d}{s}",
            f"u{d}",
            s,
            "pair",
            p,
            {n: chance.choices((0, 5, 10), shares[s])[0] for n in DIMENSIONS},
            "cot",
        )
        for d in range(312)
        for s in shares
        for p in PEOPLE
    ]
    found = means(grid(held), SETTINGS, resamples=300)
    inside = total = 0
    for system, (_, half, full) in shares.items():
        for name in DIMENSIONS:
            one = found[system][name].plain
            assert one.low is not None
            inside += one.low <= 5 * half + 10 * full <= (one.high or 0)
            total += 1
    assert inside >= total - 3, "nearly all of the 95 % intervals hold the truth"


def test_wins_count_judgements_split_by_score_and_by_force() -> None:
    held = judged(30, 2, seed=5)
    same = Judgement(
        "x", "u399", "s0", "pair", "ann", {**held[0].scores, "reply_cot": 5, "reply_direct": 5}, same_text=True
    )
    found = wins(grid([*held, same]), SETTINGS, resamples=100)["s0"]
    mine = [j for j in held if j.system == "s0"]
    by_score = [j.prefers == "cot" for j in mine if not j.forced]
    by_force = [j.better == "cot" for j in mine if j.forced]
    assert found.by_score == (sum(by_score), len(by_score))
    assert found.by_force == (sum(by_force), len(by_force))
    assert found.by_judgement.value == pytest.approx(sum(by_score + by_force) / 90)
    assert found.same_text == 1
    majority = [sum(j.prefers == "cot" for j in mine if j.dialogue == f"u{d}") > 1 for d in range(30)]
    assert found.by_dialogue.value == pytest.approx(sum(majority) / 30)
    assert (found.even, found.unsaid) == (0, 0)


def test_agreement_is_that_of_the_package_in_every_dimension_and_part() -> None:
    held = judged(25, 3, seed=6)
    extra = [
        Judgement("c", "u300", "s0", "pair", "ann", held[0].scores, "cot", role="calibration"),
        Judgement("r", "u0", "s0", "pair", "ann", held[0].scores, "cot", role="repeat", of="ann0.0"),
    ]
    found = agreed([*held, *extra], SETTINGS, resamples=100)
    for name in DIMENSIONS:
        matrix = [[float(j.scores[name]) for j in held if j.by == person] for person in PEOPLE]
        for level in ("ordinal", "interval", "nominal"):
            true = krippendorff.alpha(np.array(matrix), level_of_measurement=level, value_domain=[0.0, 5.0, 10.0])
            assert found[name].figures[f"alpha_{level}"].value == pytest.approx(true, abs=1e-12)
        part = [[float(j.scores[name]) for j in held if j.by == p and j.system == "s1"] for p in PEOPLE]
        true = krippendorff.alpha(np.array(part), level_of_measurement="ordinal", value_domain=[0.0, 5.0, 10.0])
        assert found[name].parts["system"]["s1"]["alpha_ordinal"].value == pytest.approx(true, abs=1e-12)
        two = krippendorff.alpha(np.array(matrix[1:]), level_of_measurement="ordinal", value_domain=[0.0, 5.0, 10.0])
        assert found[name].without["ann"].value == pytest.approx(two, abs=1e-12)
    one = found["cause"]
    assert one.left_out == {"calibration": 1, "repeats": 1, "ablations": 0, "changed_after_closing": 0}
    assert sum(map(sum, one.coincidences)) == pytest.approx(225)
    assert set(one.parts["period"]) == {"1", "2", "3", "4"}
    assert found["pooled"].figures["alpha_ordinal"].n_items == 75 * 7


def test_speakers_are_drawn_together_where_they_are_known() -> None:
    held = judged(24, 2, seed=7)
    known = {u: Setting(u, s.external_id, s.situation, s.tension, f"p{int(u[1:]) % 4}") for u, s in SETTINGS.items()}
    found = agreed(held, known, resamples=200, parts=False)["cause"]
    assert found.clusters == "speakers"
    assert found.by_dialogue is not None
    assert found.by_dialogue.value == found.figures["alpha_ordinal"].value
    assert (found.by_dialogue.low, found.by_dialogue.high) != (
        found.figures["alpha_ordinal"].low,
        found.figures["alpha_ordinal"].high,
    )


def test_systems_are_compared_over_the_same_dialogues() -> None:
    held = [j for j in judged(40, 3, seed=8) if not (j.system == "s2" and j.dialogue > "u2")]
    found = {(d.one, d.other, d.dimension): d for d in differences(grid(held), SETTINGS, resamples=100)}
    both = {j.dialogue for j in held if j.system == "s2"}

    def mean(system: str, uid: str) -> float:
        given = [j for j in held if (j.dialogue, j.system) == (uid, system)]
        return fmean(fmean(j.scores[name] for j in given) for name in DIMENSIONS[:5])

    one = found["s0", "s2", "process"]
    assert one.n == len(both)
    assert one.difference == pytest.approx(fmean(mean("s0", u) - mean("s2", u) for u in both))
    assert all(a <= b for d in found.values() for a, b in pairwise((d.p, d.adjusted)))
    for flip in flips(grid(held)):
        assert sum(map(sum, flip.table)) <= 40
    order = ranks(grid(held))[0]
    assert set(order.order) == {"s0", "s1", "s2"}
    assert set(order.without) == set(PEOPLE)


def test_signs_tell_straight_lines_haste_sides_repeats_gold_and_guesses() -> None:
    scores = dict.fromkeys(DIMENSIONS, 5)
    lazy = [
        Judgement(f"l{n}", f"u{n}", "s", "pair", "lazy", scores, "cot", "cot", "cot", place=n, seconds=2.0)
        for n in range(25)
    ]
    keen = judged(25, 1, seed=9, people=("keen",))
    again = Judgement(
        "k", "u1", "s0", "pair", "keen", keen[1].scores, keen[1].better, role="repeat", of=keen[1].code, place=99
    )
    gold = {("u0", "s", "pair"): {"cause": 5, "emotion": 0}}
    found = {one.person: one for one in signs([*lazy, *keen, again], gold)}
    assert set(found["lazy"].warnings) == {"straight", "run", "favourite", "hasty", "side"}
    assert (found["lazy"].gold.value, found["lazy"].guessed.value, found["lazy"].first.value) == (0.5, 1.0, 1.0)
    assert found["lazy"].guessed.low == pytest.approx(0.8668, abs=1e-3)
    assert found["keen"].repeated.value == 1.0
    assert found["keen"].warnings == ()
    assert found["keen"].seconds is None


def test_ablations_are_set_against_the_full_set_up_of_the_same_dialogues() -> None:
    held = judged(10, 1, seed=10)
    alone = [Judgement(f"a{n}", f"u{n}", "s0", "cot-cause", "ann", {"reply": 10}) for n in range(4)]
    found = ablation_means([*held, *alone])["s0"]
    full = [j.scores["reply_cot"] for j in held if j.by == "ann" and int(j.dialogue[1:]) < 4]
    assert found == {"cot": (fmean(full), 4), "cot-cause": (10.0, 4)}


def test_the_table_has_a_row_a_system_experts_last_and_the_best_marked() -> None:
    found = table(judged(20, 3, seed=11), SETTINGS, {"irony": 1.0}, ["s0"], resamples=50)
    assert [row.system for row in found.rows] == ["s1", "s2", "s0"]
    for name in DIMENSIONS:
        best = max(row.means[name].plain.value or 0 for row in found.rows)
        assert [row.system for row in found.rows if name in row.best] == [
            r.system for r in found.rows if r.means[name].plain.value == best
        ]
    assert (found.people, found.dialogues, found.judgements) == (PEOPLE, 20, 180)


def test_an_annotators_board_leaves_out_what_they_could_still_take_back() -> None:
    board = Board(PEOPLE, "ann", reach=2)
    scores = dict.fromkeys(DIMENSIONS, 5)
    for n in range(5):
        for person in ("bo", "ann"):
            board.close(Closing(f"{person}{n}", (f"u{n}", "s"), person, scores))
        assert board.pulses["cause"].read().percent.n_items == max(0, n - 1)
    board.close(Closing("cy0", ("u0", "s"), "cy", scores))
    board.close(Closing("cy4", ("u4", "s"), "cy", scores))
    assert board.pulses["cause"].read().percent.n_ratings == 7
    board.take_back("ann4", ("u4", "s"), "ann")
    assert board.pulses["cause"].read().percent.n_ratings == 7
    assert board.rows()[-1].dimension == "reply"
