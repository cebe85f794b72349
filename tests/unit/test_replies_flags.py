"""What is looked at first, to be quick, never hides what the whole look would find."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.graphemes import boundaries
from curation.replies import flags_of
from curation.replies.echo import Spoken, echoes
from curation.replies.flags import _CHINESE, _LATIN, _PLAIN, _USUAL, _other_language, _strays, language_of
from curation.replies.length import _SIMPLE, visible_length
from curation.replies.refusals import guarded, hinted, is_placeholder, may_be_placeholders, patterns
from curation.work.asking import Words

GROUPS = ("refusal", "self_identification", "instruction")
EACH = [(group, hints, pattern) for group in GROUPS for hints, pattern in guarded(group).all]
# What the patterns are made of, and what makes them fail by a little.
_PIECES = (
    "我|无法|不能|回答|抱歉，|不好意思|对不起|这个问题|违反|政策|内容|包含|敏感|请求|作为|一个|AI|人工智能|助手|我是"
    "|通义千问|由|阿里云|开发|GPT-4|元宝|，| |\n|I'm |I |cannot |can’t |Sorry, |help |as an |language model|by |trained |OpenAI"
    "|my |training data|不超过|15|个字|以下是|JSON|格式|社交互动|专家|within | words|K|ſ"
)
PIECES = _PIECES.split("|")
mixed = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)


@pytest.mark.parametrize(("group", "hints", "pattern"), EACH, ids=[f"{g}-{p.pattern[:20]}" for g, _, p in EACH])
def test_whatever_a_pattern_matches_holds_one_of_its_hints(
    group: str, hints: tuple[str, ...], pattern: re.Pattern[str]
) -> None:
    assert all(hint == hint.casefold() and hint for hint in hints)

    @settings(max_examples=40)
    @given(st.from_regex(pattern))
    def holds(text: str) -> None:
        match = pattern.search(text)
        assert match is not None
        assert any(hint in match[0].casefold() for hint in hints)
        assert guarded(group).found_in(text)

    holds()


@given(mixed)
def test_behind_its_hints_a_group_finds_what_its_patterns_find(text: str) -> None:
    for group in GROUPS:
        assert guarded(group).found_in(text) == (patterns(group).search(text) is not None), group


def test_what_has_no_word_to_look_into_is_none_of_them() -> None:
    plain = [chr(n) for n in range(0x110000) if _PLAIN.fullmatch(chr(n))]
    assert set(plain) == {chr(n) for n in range(0x110000) if _USUAL.fullmatch(chr(n)) and not _LATIN.search(chr(n))}

    @given(mixed)
    def same(text: str) -> None:
        if _PLAIN.fullmatch(text) and not hinted(text):
            assert not any(patterns(group).search(text) for group in GROUPS)

    same()


spoken = st.text(st.sampled_from("好吧呀Aa ß，_1"), max_size=16)


@given(spoken, st.lists(spoken, max_size=4))
def test_an_echo_is_a_message_again_or_a_long_part_of_one(reply: str, messages: list[str]) -> None:
    bare, *others = ["".join(c for c in text if c.isalnum()).casefold() for text in (reply, *messages)]
    again = len(bare) >= 5 and any(
        bare == one or (len(bare) >= 12 and bare in one) or (len(one) >= 12 and one in bare) for one in others
    )
    assert echoes(reply, Spoken(messages)) == again
    assert echoes("，".join([reply, *messages]), Spoken(messages)) >= any(len(one) >= 12 for one in others)


@given(
    st.from_regex(patterns("placeholder"), fullmatch=True),
    st.sampled_from(["", " ", "\n", "\u3000"]),
    st.lists(st.sampled_from(["好", "好\n呀", "", "……", "你"]), max_size=3),
)
def test_every_blank_is_known_by_how_it_begins(text: str, before: str, others: list[str]) -> None:
    blank = len(text.strip()) <= 40 and bool(text.strip())
    assert is_placeholder(before + text) == blank
    assert may_be_placeholders("\n".join(("", *others, before + text))) or not blank


@given(st.lists(st.text(st.sampled_from("无略。… \nNnulA好你的回复<>15字最多"), max_size=7), min_size=1, max_size=4))
def test_where_nothing_begins_as_a_blank_nothing_is_one(texts: list[str]) -> None:
    assert may_be_placeholders("\n".join(("", *texts))) or not any(map(is_placeholder, texts))


_BLANKS = (
    "无|暂无|待定|略|同上|无。|你的回复|回复内容|最多15个字|【你的回复】|（填写内容）|「回复」|N/A|na|none|NULL|undefined|TBD"
    "|todo|string|value|XXXX|Your Reply|your response|……|---|_|<回复>|＜待填写＞|[Insert here]|(text)|{response}|《your reply》"
)


@pytest.mark.parametrize("blank", _BLANKS.split("|"))
def test_a_blank_is_found_wherever_it_stands(blank: str) -> None:
    assert flags_of(Words(blank), limit=40)[0] == "empty_reply"
    assert "empty_field" in flags_of(Words("好呀", {"cause": "累了", "emotion": f"\u3000{blank} "}), limit=40)


def counted(text: str) -> int:
    """The signs of a text without stickers, one by one."""
    cuts = boundaries(text)
    return sum(any(c.isprintable() and not c.isspace() for c in text[a:b]) for a, b in pairwise(cuts))


def test_a_simple_sign_is_one_whatever_stands_beside_it() -> None:
    simple = [chr(n) for n in range(0x110000) if _SIMPLE.fullmatch(chr(n))]
    assert len(simple) > 29_000
    assert [hex(ord(c)) for c in simple if counted(f"a{c}a{c}{c}") != (2 if c in " \u3000" else 5)] == []


@given(st.text(st.sampled_from("好a 😂❤🧑👍☕\ufe0f\u200d🏽🇨🇳1\u20e3e\u0301\u3000\n\u200b"), max_size=12))
def test_the_length_is_that_of_the_signs_one_by_one(text: str) -> None:
    assert visible_length(text) == counted(text)


words = st.text(st.sampled_from("好吧呀们abcdefgXÉ，. \n"), max_size=30)


@given(words, st.lists(words, max_size=3), st.sampled_from(["zh", "en"]), st.sampled_from(["zh", "en", ""]))
def test_another_language_is_found_as_part_by_part(reply: str, fields: list[str], spoken: str, asked: str) -> None:
    apart = _other_language(reply, spoken) or any(asked and _other_language(field, asked) for field in fields)
    plain = _PLAIN.fullmatch("\n".join((reply, *fields))) is not None
    assert _strays(reply, fields, plain, spoken, asked) == bool(apart)


@given(st.lists(words, max_size=5))
def test_the_language_of_many_texts_is_what_most_is_written_in(texts: list[str]) -> None:
    latin = sum(len(_LATIN.findall(text)) for text in texts)
    chinese = sum(len(_CHINESE.findall(text)) for text in texts)
    assert language_of(texts) == ("en" if latin > 3 * chinese else "zh")
