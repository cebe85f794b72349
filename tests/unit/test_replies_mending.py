"""Broken outputs are mended to exactly what they say, or refused; none is mended into something it does not say."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.readers.limits import RecordError
from curation.replies import MENDED, read_words
from curation.work.asking import PROCESS, Words
from tests.brokenoutputs import MENDS, REFUSED, Broken, broken, dumped, fields, words

ALL = list(broken())
KINDS = list(dict.fromkeys(one.kind for one in ALL))
SIGNS = "{}[]\",:，：“”‘’'\\`「」; \n"


def read(text: str, mode: str = "cot") -> Words | str:
    """The words, or the code of the refusal."""
    try:
        return read_words(text, mode).words
    except RecordError as error:
        return error.code


def test_there_are_over_400_outputs_of_over_40_kinds() -> None:
    assert len(ALL) > 400
    assert len(KINDS) > 40
    assert len({one.text for one in ALL}) > 400


@pytest.mark.parametrize("text", ["<你的回复>好呀</你的回复>", "<reply>好呀</reply>", "我的回复是：好呀"])
def test_bare_words_with_marks_or_talk_around_the_reply_are_not_taken_for_it(text: str) -> None:
    assert read(text, "direct") == "unsure"
    assert read("好呀", "direct") == Words("好呀", {})


def test_an_object_whose_every_key_stands_twice_is_refused() -> None:
    one, other = dumped(fields(1)), dumped(fields(2))
    assert read('{"你的回复": "去吧", "你的回复": "别去"}', "direct") == "duplicate_key"
    assert read(f"{one[:-1]}, {other[1:]}") == "duplicate_key"


@pytest.mark.parametrize("kind", KINDS)
def test_an_output_is_mended_to_what_it_says_or_refused(kind: str) -> None:
    for one in ALL:
        if one.kind == kind:
            assert read(one.text, one.mode) == (one.says if one.says is not None else one.code), one.text


def test_valid_output_is_no_mending_and_everything_else_is_recorded() -> None:
    for one in ALL:
        if one.says is None:
            continue
        notes = read_words(one.text, one.mode).mended
        assert set(notes) <= set(MENDED)
        untouched = one.kind in (
            "valid",
            "valid, English keys",
            "keys of the program",
            "indented",
            "mark and blanks around",
        )
        untouched = untouched or one.kind == "the reply alone in JSON"
        assert bool(notes) != untouched, (one.kind, notes)


@pytest.mark.parametrize("kind", [kind for kind in MENDS if "lines" not in kind and kind != "lines with headings"])
def test_an_output_that_is_cut_anywhere_is_never_read_as_something_else(kind: str) -> None:
    """(Lines with headings have no end that could be missed; there the service's word counts: see `cut` of Written.)"""
    whole = MENDS[kind](fields(3))
    says = words(fields(3))
    for end in range(len(whole)):
        found = read(whole[:end])
        assert isinstance(found, str) or found == says, whole[:end]


def valid(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[Broken, str]:
    """An output of which up to three signs outside the words were dropped or replaced by others."""
    one = draw(
        st.sampled_from(
            [b for b in ALL if b.says is not None and b.mode == "cot" and '"' in b.text and "&" not in b.text]
        )
    )
    assert one.says is not None
    inside: set[int] = set()
    for said in (one.says.reply, *one.says.process.values()):
        at = one.text.find(said) if said else -1
        while at >= 0:
            inside.update(range(at, at + len(said)))
            at = one.text.find(said, at + 1)
    places = [n for n, sign in enumerate(one.text) if sign in SIGNS and n not in inside]
    text = list(one.text)
    for place in draw(st.lists(st.sampled_from(places), min_size=1, max_size=3, unique=True)):
        text[place] = draw(st.sampled_from(["", *SIGNS]))
    return one, "".join(text)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(spoilt())
def test_signs_lost_or_mistaken_never_change_the_words(pair: tuple[Broken, str]) -> None:
    one, text = pair
    found = read(text)
    if isinstance(found, str) or valid(text):  # what is JSON still says just that
        return
    assert one.says is not None
    # A sign put where a quote was may have become a part of the value: then the text says it. No word moves, though.
    for said, was in ((found.reply, one.says.reply), *((found.process[n], one.says.process[n]) for n in PROCESS)):
        assert said.strip(SIGNS) in (was.strip(SIGNS), ""), text


@pytest.mark.parametrize(
    "text",
    [
        '{"对方的动机": "想见面", 原因,: "上次没去成", "你的回复": "好"}',
        '{"对方的动机": "想见面",：:社交意图": \\再等等", "你的回复": "好"}',
        '{"对方的动机": \'null, "你的回复": "好"}',
        '{"对方的动机": "想见面], "social_intention[: "再等等", "你的回复": "好"}',
        '{"对方的动机": "想见面：, "strategy，: "再等等", "你的回复": "好"}',
        '{"你的沟通技巧":”["幽默", ]反问"], "你的回复": "好"}',
        '{"你的回复": "好‘, "置信度：: "高"}',
        '{"你的回复": "好", ，置信度": :高"}',
        '{"对方的动机": "想见面，, /* 下一项 */""你的社交意图": "再等等", "你的回复": "好"}',
    ],
)
def test_two_members_never_become_one_value(text: str) -> None:
    assert isinstance(read(text), str)


@pytest.mark.parametrize(("kind", "code"), [(kind, code) for kind, (_, code) in REFUSED.items()], ids=list(REFUSED))
def test_a_refusal_says_why(kind: str, code: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_words(REFUSED[kind][0](fields(1)), "cot")
    assert refused.value.code == code
    assert refused.value.template
    assert refused.value.reason == refused.value.template.format(**refused.value.params)


def test_what_a_mode_does_not_ask_for_is_left_aside_and_told() -> None:
    found = read_words(dumped(fields(1)), "direct")
    assert found.words == Words(fields(1)["reply"])
    assert set(found.uncalled) == set(PROCESS)
    left = read_words(dumped(fields(1)), "cot-emotion")
    assert left.uncalled == ("emotion",)
    assert set(left.words.process) == set(PROCESS) - {"emotion"}


def test_an_object_that_was_parsed_already_is_read_as_it_is() -> None:
    made = fields(2)
    assert read_words(json.loads(dumped(made)), "cot").words == words(made)
    assert read_words({"reply": "好"}, "direct").words == Words("好")
    with pytest.raises(RecordError):
        read_words({"reply": 7}, "direct")


def test_what_was_put_right_is_named() -> None:
    counts = Counter(code for one in ALL if one.says for code in read_words(one.text, one.mode).mended)
    assert set(MENDED) - set(counts) <= {"null"} | {"nested"} | set(), sorted(set(MENDED) - set(counts))
