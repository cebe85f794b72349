"""Proposed trims: they keep the rules whatever the messages, and keep what the last turn refers to."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.errors import UsageError
from curation.model import Message, turns_of
from curation.trim import REASONS, Proposal, kept_messages, problems, propose
from curation.trim.words import tokenizer, words

SMALL_TALK = (
    "今天下雨了",
    "我这边没下",
    "昨天那家店关门了",
    "新装修的吧",
    "路上堵车",
    "高峰期嘛",
    "猫又掉毛",
    "换季了",
)
TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["嗯", "[/偷笑]", "哈哈", "早上好", "出来玩吗", "不去", "在干嘛呢", "晚安", "为什么", "？", *SMALL_TALK]
    ),
)
TIMES = st.one_of(
    st.none(), st.sampled_from(["2024-05-01T10:00:00", "2024-05-02T10:00:00+08:00", "昨天", "2024-05-03"])
)
MESSAGES = st.lists(st.builds(Message, st.sampled_from(["我", "他", "她"]), TEXTS, TIMES), max_size=70)
LIMITS = st.integers(1, 12).flatmap(lambda few: st.tuples(st.just(few), st.integers(few, 45)))


def talk(turns: Sequence[str]) -> list[Message]:
    """Two speakers by turns, the last one by the other party."""
    return [Message("他" if (len(turns) - i) % 2 else "我", text) for i, text in enumerate(turns)]


def filled(told: dict[int, str], count: int = 30) -> list[Message]:
    """`count` turns of small talk, with `told` at their numbers from 1."""
    return talk([told.get(n, SMALL_TALK[n % len(SMALL_TALK)]) for n in range(1, count + 1)])


def trimmed(messages: Sequence[Message], most: int = 6) -> Proposal:
    return propose(messages, self_speaker="我", max_turns=most)


@pytest.fixture(params=["jieba", "pairs"])
def _word_list(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """With jieba, and as if it were not installed."""
    tokenizer.cache_clear()
    if request.param == "pairs":
        monkeypatch.setitem(sys.modules, "jieba", None)
        assert tokenizer() is None
    elif tokenizer() is None:
        pytest.skip("jieba is not installed")
    yield
    tokenizer.cache_clear()


def test_a_dialogue_within_the_limit_stays_whole() -> None:
    found = trimmed(talk(SMALL_TALK[:6]))
    assert (found.first_turn, found.kept_turns, found.changes) == (1, (1, 2, 3, 4, 5, 6), False)
    assert set(found.reasons.values()) == {"whole"}
    assert set(found.scores) == set(found.kept_turns)


def test_no_limit_takes_nothing_out() -> None:
    assert not trimmed(filled({}), 0).changes


def test_nothing_said_is_nothing_to_trim() -> None:
    found = trimmed([])
    assert (found.kept_turns, found.turns_before, found.turns_after) == ((), 0, 0)


def test_limits_that_exclude_each_other_are_wrong_usage() -> None:
    with pytest.raises(UsageError):
        propose(filled({}), self_speaker=None, max_turns=5, min_turns=6)


@pytest.mark.usefixtures("_word_list")
def test_the_request_that_the_end_declines_stays() -> None:
    messages = filled({19: "周六我来接你去看电影", 29: "那你到底来不来", 30: "不来"})
    assert messages[18].speaker == "我"
    found = trimmed(messages)
    assert found.reasons[19] == "request"
    assert found.turns_after == 6


@pytest.mark.usefixtures("_word_list")
def test_a_rare_word_that_the_end_takes_up_stays() -> None:
    messages = filled({19: "我在学竖琴", 29: "最近怎么没动静", 30: "竖琴太难了"})
    found = trimmed(messages)
    assert 19 in found.kept_turns
    assert found.reasons[19] == "word"


@pytest.mark.usefixtures("_word_list")
def test_the_matter_of_the_end_stays() -> None:
    told = {29: "一个人带孩子累吧", 30: "习惯了"}
    assert 18 not in trimmed(filled(told)).kept_turns
    assert trimmed(filled(told | {18: "我娃上小学了"})).reasons[18] == "matter"


def test_a_request_before_a_new_conversation_weighs_less() -> None:
    told = {21: "周六我来接你去看电影", 29: "那你到底来不来", 30: "不来"}
    before, after = trimmed(filled(told), 20), trimmed(filled(told | {24: "早上好"}), 20)
    assert after.scores[21] < before.scores[21]


def test_a_word_or_two_before_the_end_leans_on_what_came_before() -> None:
    leaning = trimmed(filled({29: "为啥", 30: "不想去"}))
    standing = trimmed(filled({29: "你为啥突然又不想和大家一起去了", 30: "不想去"}))
    assert leaning.scores[28] > standing.scores[28]
    assert trimmed(filled({30: "他不想去"})).scores[28] > trimmed(filled({30: "不想去"})).scores[28]


@pytest.mark.parametrize("nod", ["嗯", "[/微笑]", "哈哈哈", "好吧", "😒"])
def test_nods_give_way(nod: str) -> None:
    assert trimmed(filled({25: nod}), 12).scores[25] < 0.6 * trimmed(filled({}), 12).scores[25]


def test_a_long_pause_is_where_it_begins() -> None:
    messages = [replace(m, time=f"2024-05-0{1 + (i >= 16)}T10:{i:02}:00") for i, m in enumerate(filled({}))]
    found = trimmed(messages, 20)
    assert found.first_turn == 17
    assert found.reasons[17] == "opening"
    assert trimmed(filled({}), 20).first_turn < 17


def test_a_time_that_cannot_be_read_is_no_pause() -> None:
    messages = [replace(m, time="昨天" if i % 2 else "2024-05-01T10:00:00") for i, m in enumerate(filled({}))]
    assert trimmed(messages, 20) == trimmed(filled({}), 20)


def test_neighbours_that_become_one_turn_count_once() -> None:
    messages = filled(
        {21: "随便", 22: "出来玩啊", 23: "嗯", 24: "去看电影啊", 25: "嗯", 26: "我来接你", 29: "你出来嘛", 30: "不去"}
    )
    found = trimmed(messages)
    kept = kept_messages(messages, found.first_turn, found.removed_turns)
    assert {22, 24, 26} <= set(found.kept_turns)
    assert found.turns_after == 6 < len(found.kept_turns)
    assert len(turns_of(messages, kept)) == 6


def test_with_much_room_the_end_stays_in_one_piece() -> None:
    found = trimmed(filled({5: "周六我来接你去看电影"}, 200), 90)
    assert found.turns_after in (89, 90)
    assert found.kept_turns[-58:] == tuple(range(143, 201))


def test_the_answered_turn_always_stays() -> None:
    for most in range(6, 12):
        found = trimmed(filled({29: "嗯"}), most)
        assert found.reasons[29] == "answered"
        assert found.reasons[30] == "last"


def test_a_word_list_of_ours_leaves_the_shared_cache_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("jieba")
    folder = tmp_path_factory.mktemp("shared")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    tokenizer.cache_clear()
    assert words("竖琴太难了")["竖琴"] > words("电影太难了")["电影"] > 0
    assert list(folder.iterdir()) == []
    assert capfd.readouterr() == ("", "")


def test_stickers_and_empty_words_are_no_words() -> None:
    assert words("[/委屈巴巴]为什么，。") == {}


@given(MESSAGES, LIMITS, st.sampled_from(["我", "他", None]))
def test_every_proposal_keeps_the_rules(messages: list[Message], limits: tuple[int, int], mine: str | None) -> None:
    fewest, most = limits
    before = turns_of(messages)
    found = propose(messages, self_speaker=mine, max_turns=most, min_turns=fewest)
    assert found == propose(list(messages), self_speaker=mine, max_turns=most, min_turns=fewest)
    assert found.turns_before == len(before)
    assert found.last_turn_whole
    assert set(found.reasons) == set(found.scores) == set(found.kept_turns)
    assert set(found.reasons.values()) <= set(REASONS)
    assert all(0 <= score <= 1 for score in found.scores.values())
    if not before:
        return
    assert found.kept_turns == tuple(
        n for n in range(found.first_turn, len(before) + 1) if n not in found.removed_turns
    )
    assert set(found.removed_turns) <= set(range(found.first_turn, len(before)))
    kept = kept_messages(messages, found.first_turn, found.removed_turns)
    after = turns_of(messages, kept)
    assert min(fewest, len(before)) <= len(after) == found.turns_after <= most
    assert all(one.speaker != other.speaker for one, other in pairwise(after))
    assert set(before[-1].messages) <= set(kept)
    assert found.changes == (len(before) > most)
    wrong = problems(messages, kept, fewest)
    assert wrong == (["too_few_turns"] if len(before) < fewest else [])
