"""Near duplicates: windows, copies and the other side's export are found; what only resembles is not."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation import duplicates as module
from curation.duplicates import (
    Duplicate,
    bare,
    candidate_pairs,
    fingerprints,
    near_duplicates,
    similarity,
)

LETTERS = [chr(c) for c in range(0x4E00, 0x4E00 + 3_000)]


def sentence(rng: random.Random, length: int = 9) -> str:
    return "".join(rng.choices(LETTERS, k=length))


def conversation(seed: int, lines: int = 20) -> list[str]:
    rng = random.Random(seed)
    return [sentence(rng) for _ in range(lines)]


def reference_fingerprints(text: str) -> int:
    """How many different 8-grams are least in some window of six, by the definition and not by the arrays."""
    grams = [text[i : i + 8] for i in range(len(text) - 7)]
    value = {g: fingerprints(g)[0] for g in grams}
    hashes = [value[g] for g in grams]
    windows = [hashes[i : i + 6] for i in range(max(1, len(hashes) - 5))] if hashes else []
    assert set(map(min, windows)) == set(fingerprints(text))
    return len(windows)


def test_speaker_stickers_signs_width_case_and_script_are_not_compared() -> None:
    assert bare(["你好，[/偷笑]ＡＢ c!", " ~關係_１"]) == "你好abc关系1"
    assert bare(["[/偷笑]", "？？", ""]) == ""


@given(st.text("甲乙丙丁戊己庚辛", max_size=60))
def test_fingerprints_are_the_least_of_each_window(text: str) -> None:
    assert (reference_fingerprints(text) > 0) == bool(fingerprints(text))


def test_fingerprints_are_the_same_in_every_process() -> None:
    text = "今天天气不错我们出去走走吧好不好呀"
    code = f"from curation.duplicates import fingerprints; print(fingerprints({text!r}))"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path), "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert runs == {str(fingerprints(text))}


@given(st.lists(st.text("甲乙丙丁", min_size=0, max_size=40), max_size=12))
@settings(max_examples=60)
def test_fingerprints_do_not_depend_on_the_neighbours(texts: list[str]) -> None:
    hashes, owners = module._batch(texts)
    for index, text in enumerate(texts):
        assert tuple(int(h) for h in hashes[owners == index]) == fingerprints(text)


def test_a_window_goes_and_the_longer_stays() -> None:
    whole = conversation(1)
    found = near_duplicates([(10, whole[5:]), (11, conversation(2)), (12, whole)], 0.69)
    assert found == [Duplicate(10, 12, 1.0)]


def test_the_earliest_of_equals_stays() -> None:
    same = conversation(3)
    found = near_duplicates([(7, same), (8, [f"{t}！" for t in same]), (9, same)], 0.69)
    assert found == [Duplicate(8, 7, 1.0), Duplicate(9, 7, 1.0)]


def test_one_changed_turn_is_still_the_same_dialogue() -> None:
    one = conversation(4)
    other = [*one[:7], sentence(random.Random(99)), *one[8:]]
    (found,) = near_duplicates([(1, one), (2, other)], 0.69)
    assert (found.loser, found.keeper) == (2, 1)
    assert 0.69 <= found.similarity < 1


def test_a_shared_head_is_not_enough() -> None:
    head = conversation(5, 6)
    assert near_duplicates([(1, head + conversation(6)), (2, head + conversation(7))], 0.69) == []


def test_little_said_is_only_like_its_equal() -> None:
    short = ["哈喽", "嗨", "在干嘛", "没干嘛", "哦", "嗯"]
    assert near_duplicates([(1, short), (2, [*short, *conversation(8)])], 0.69) == []
    assert near_duplicates([(1, short), (2, short)], 0.69) == [Duplicate(2, 1, 1.0)]


def test_nothing_to_compare_is_nobodys_duplicate() -> None:
    assert near_duplicates([(1, ["[/偷笑]"]), (2, ["[/偷笑]"]), (3, [])], 0.69) == []


def test_what_resembles_the_keeper_only_by_way_of_another_stays() -> None:
    long = conversation(9, 40)
    items = [(1, long[:20]), (2, long[8:32]), (3, long[20:40])]
    found = near_duplicates(items, 0.5)
    kept = {1, 2, 3} - {d.loser for d in found}
    texts = {key: bare(messages) for key, messages in items}
    for one in found:
        assert one.keeper in kept
        assert similarity(texts[one.loser], texts[one.keeper]) == pytest.approx(one.similarity)
    assert all(similarity(texts[a], texts[b]) < 0.5 for a, b in combinations(sorted(kept), 2))


def test_many_near_copies_are_found_though_all_they_share_is_common() -> None:
    base = conversation(10)
    items = [(n, [*base, sentence(random.Random(1_000 + n), 6)]) for n in range(60)]
    found = near_duplicates(items, 0.69)
    assert len(found) == 59
    assert {d.keeper for d in found} == {0}


def test_common_phrases_do_not_pair_everything() -> None:
    common = conversation(11, 2)
    texts = [bare([*common, *conversation(100 + n)]) for n in range(80)]
    assert len(list(candidate_pairs(texts))) < 80
    assert near_duplicates([(n, [t]) for n, t in enumerate(texts)], 0.69) == []


def test_pairs_do_not_depend_on_how_many_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [bare(conversation(n // 3, 12)[n % 3 :]) for n in range(60)]
    whole = list(candidate_pairs(texts))
    monkeypatch.setattr(module, "_PAIRS_AT_ONCE", 50)
    monkeypatch.setattr(module, "_BATCH", 7)
    assert list(candidate_pairs(texts)) == whole == sorted(set(whole))
    assert len(whole) == 60


def test_lone_surrogates_are_compared_like_anything() -> None:
    odd = ["\ud800" + t for t in conversation(12)]
    assert near_duplicates([(1, odd), (2, odd[3:])], 0.69) == [Duplicate(2, 1, 1.0)]


@given(st.text("甲乙丙", max_size=40), st.text("甲乙丙", max_size=40), st.floats(0.01, 1))
def test_a_threshold_only_saves_work(one: str, other: str, threshold: float) -> None:
    exact = similarity(one, other)
    assert 0 <= exact <= 1
    assert exact == pytest.approx(similarity(other, one))
    if exact >= threshold:
        assert similarity(one, other, threshold) == exact
    else:
        assert similarity(one, other, threshold) < threshold


def test_long_texts_are_compared_in_a_time_that_grows_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """The partial ratio of two long and repetitive texts takes minutes; it is not asked then."""
    import rapidfuzz.fuzz

    def asked(*_: object) -> float:
        raise AssertionError("the partial ratio was asked")

    monkeypatch.setattr(rapidfuzz.fuzz, "partial_ratio", asked)
    long = "老王来了又走了" * 2000
    assert similarity(long, long + "又来了", 0.5) > 0.6
    with pytest.raises(AssertionError):
        similarity("今天天气好我们出去走走吧好不好" * 3, "今天天气好我们出去走走吧好不好" * 3 + "呀", 0.1)
