"""Codes, sides and orders: functions of the secret, the person and the texts, and of nothing else."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from curation.blinding import PAIR, Item, code, keyed, listed, shared, sides, tokens

SECRET = b"s" * 32


def items(dialogues: int = 6, systems: int = 5, *, named: str = "s") -> list[Item]:
    """Pairs of replies with texts of their own."""
    return [
        Item(d, f"u{d}", f"{named}{s}", PAIR, (f"先想{d}/{s}", f"直接{d}/{s}", *(f"{n}{d}{s}" for n in "动因情意策")))
        for d in range(dialogues)
        for s in range(systems)
    ]


def seen(made: list[Item], person: str = "ann", repeats: float = 0.0) -> list[tuple[tuple[str, ...], bool, int | None]]:
    """What a person would see: texts, sides and repeats in order."""
    return [(one.item.texts, one.first, one.of) for one in listed(SECRET, person, made, tokens(SECRET, made), repeats)]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.floats(0, 0.4))
def test_other_names_and_another_order_change_nothing_that_is_seen(seed: int, repeats: float) -> None:
    chance = random.Random(seed)
    plain = items()
    names = [f"{chance.random()}" for _ in range(5)]
    other = [Item(one.dialogue, one.uid, names[int(one.system[1:])], one.mode, one.texts) for one in plain]
    chance.shuffle(other)
    assert seen(plain, repeats=repeats) == seen(other, repeats=repeats)


def test_items_with_the_same_texts_are_told_apart_and_show_no_name() -> None:
    same = [Item(1, "u1", name, PAIR, ("一样", "一样")) for name in ("b", "a")]
    first, second = tokens(SECRET, same)
    assert first != second
    assert {first, second} == set(tokens(SECRET, [Item(1, "u1", name, PAIR, ("一样", "一样")) for name in ("z", "y")]))


def test_people_get_other_orders_and_sides() -> None:
    made = items(12, 9)
    assert seen(made, "ann") != seen(made, "bo")
    assert [one[1] for one in seen(made, "ann")] != [one[1] for one in seen(made, "bo")]


def test_one_reading_serves_all_systems_and_dialogues_are_shuffled() -> None:
    made = items(12, 9)
    order = [one.item.dialogue for one in listed(SECRET, "ann", made, tokens(SECRET, made))]
    blocks = [order[n] for n in range(len(order)) if n == 0 or order[n] != order[n - 1]]
    assert len(blocks) == 12
    assert blocks != sorted(blocks)
    within = {
        tuple(one.item.system for one in listed(SECRET, "ann", made, tokens(SECRET, made))[n : n + 9])
        for n in range(0, 108, 9)
    }
    assert len(within) > 1, "the systems come in another order in each dialogue"


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 30), st.integers(1, 9), st.text(max_size=5))
def test_the_sides_are_balanced_in_every_system_and_over_all(dialogues: int, systems: int, person: str) -> None:
    made = items(dialogues, systems)
    placed = listed(SECRET, person, made, tokens(SECRET, made))
    for system in {one.system for one in made}:
        first = sum(one.first for one in placed if one.item.system == system)
        assert abs(2 * first - dialogues) <= 1
    assert abs(2 * sum(one.first for one in placed) - len(placed)) <= 1


def test_what_stood_before_is_made_up_for() -> None:
    groups = {("a", PAIR): [keyed(SECRET, str(n)) for n in range(10)]}
    drawn = sides(SECRET, "ann", groups, {("a", PAIR): (6, 0)})
    assert sum(drawn.values()) == 2


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 20), st.floats(0, 1))
def test_repeats_come_far_behind_with_the_sides_changed(dialogues: int, share: float) -> None:
    made = items(dialogues, 3)
    placed = listed(SECRET, "ann", made, tokens(SECRET, made), share)
    again = [(n, one) for n, one in enumerate(placed) if one.of is not None]
    room = (dialogues - max(1, dialogues // 3)) * 3
    assert len(again) == min(round(share * len(made)), room)
    for place, one in again:
        assert one.of is not None
        before = placed[one.of]
        assert (before.item, before.first) == (one.item, not one.first)
        between = {x.item.dialogue for x in placed[one.of : place]} - {one.item.dialogue}
        assert len(between) >= max(1, dialogues // 3) - 1


def test_a_code_is_never_given_twice() -> None:
    taken: set[str] = set()
    for n in range(500):
        made = code(SECRET, "ann", keyed(SECRET, str(n % 3)), taken)
        assert made not in taken
        assert len(made) == 9
        taken.add(made)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 8))
def test_every_item_gets_its_people_and_the_load_is_even(overlap: int, people: int, dialogues: int) -> None:
    made = items(dialogues, 3)
    names = [f"p{n}" for n in range(people)]
    plan = shared(SECRET, made, {}, names, overlap, {})
    for one in made:
        assert sum(one in plan[name] for name in names) == min(overlap, people)
    loads = [len(plan[name]) for name in names]
    assert max(loads) - min(loads) <= 3
