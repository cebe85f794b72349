"""Dialect tags: words first, no tag without them, and an ordinary word is no evidence."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from importlib.resources import files
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation import segment
from curation.dialects import DIALECTS, LIMITS, Evidence, gloss, identify, limits
from curation.dialects.lexicon import WITH_LEXICON, lexicon
from curation.dialects.opinion import second_opinion

WORDS = sorted(lexicon().words)
TEXTS = st.lists(
    st.sampled_from(WORDS)
    | st.sampled_from(["我", "們", "[/", "]", "，", "\ud800", "\u200b", "👩\u200d"])
    | st.text(max_size=3),
    max_size=8,
).map("".join) | st.text(st.characters(codec=None), max_size=20)


def tag(*texts: str) -> str:
    return identify(texts).tag


def words(text: str) -> list[str]:
    return [e.word for e in identify([text]).messages[0].evidence]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("你在爪子嘛", "southwestern"),
        ("咋个会没得", "southwestern"),
        ("等哈儿来耍", "southwestern"),
        ("给是要克耍", "southwestern"),
        ("哎妈呀，这可咋整", "northeastern"),
        ("别扯犊子", "northeastern"),
        ("恁弄啥嘞，中不中", "central"),
        ("俺那儿可得劲", "central"),
        ("额滴神，弄啥咧", "shaanxi"),
        ("咥碗面，嫽咋咧", "shaanxi"),
        ("侬今朝辰光有伐？", "wu"),
        ("伊垃拉屋里向", "wu"),
        ("阮欲去佗位𨑨迌", "minnan"),
        ("伊講袂使按呢", "minnan"),
        ("𠊎毋知佢去哪位", "hakka"),
        ("今晡日摎佢共下食朝", "hakka"),
        ("么子事咯，莫霸蛮", "xiang"),
        ("细伢子冒得恰饭", "xiang"),
        ("箇只崽里子做什哩", "gan"),
        ("我系你嘅仆人", "cantonese"),
        ("剛剛剝咗智慧齒", "cantonese"),
        ("边个话都一样", "cantonese"),
        ("佢係我嘅朋友", "cantonese"),
    ],
)
def test_each_dialect_is_known_by_its_words(text: str, expected: str) -> None:
    answer = identify([text])
    assert answer.tag == answer.messages[0].tag == expected
    assert answer.confidence > 0.5
    assert any(e.dialect == expected for e in answer.messages[0].evidence)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "我们明天去上班",
        "我們明天要去上班，你來嗎？",
        "翻譯成日語",
        "断绝了外交关系",
        "觉得行吗",
        "收到伊妹儿了",
        "冻得瑟瑟发抖",
        "昨天熬夜到那么晚",
        "还按呢",
        "阿拉伯 伊拉克 阿拉善",
        "这渠道不错",
        "而家里人不同意",
        "关系 系统",
        "生涯 天涯",
        "联袂演出 伫立",
        "汉中啊 看中不中意",
        "饼干哈 哈尔滨 一哈哈",
        "什么事 怎么个意思 这么子弹",
        "没得选 没得说",
        "只要得到你",
        "我先走哈，你慢慢玩哈",
        "会当凌绝顶",
        "个个都像你",
        "晓得",
        "磨磨唧唧",
        "哪能这样",
        "也乜斜着眼",
        "吃吧唧吧唧",
        "返工重做",
        "哈哈哈哈 嗯嗯",
        "[/干哈] [啥子]",
        "污水",
    ],
)
def test_ordinary_words_are_no_dialect(text: str) -> None:
    assert tag(text) == "mandarin"


def test_mandarin_in_traditional_characters_is_mandarin() -> None:
    assert tag("這個問題我覺得不難，後來大家都說沒關係。") == "mandarin"


def test_evidence_says_where_and_what() -> None:
    (message,) = identify(["你在爪子嘛"]).messages
    assert message.evidence == (Evidence(1, 4, "在爪子", "southwestern", "在干什么"),)


def test_weak_words_alone_never_decide() -> None:
    assert words("晓得，硬是老火哦") == ["晓得", "硬是", "老火"]
    assert tag("晓得，硬是老火哦") == "mandarin"


def test_words_add_up_over_a_dialogue() -> None:
    answer = identify(["娃儿睡了没", "我脑壳疼", "铲铲", "婆娘凶得很"])
    assert answer.tag == "southwestern"
    assert len(answer.messages) == 4


def test_the_same_word_again_is_no_more_evidence() -> None:
    assert tag("婆娘来了") == "mandarin"
    assert tag(*["婆娘来了"] * 9) == "mandarin"


def test_no_dialect_is_named_where_two_are_equal() -> None:
    # 佢 is Cantonese and Hakka alike.
    assert tag("佢來了") == "mandarin"
    assert {e.dialect for e in identify(["佢來了"]).messages[0].evidence} <= {"cantonese", "hakka"}


def test_the_second_opinion_needs_a_word_to_stand_on() -> None:
    assert second_opinion("唔知佢哋喺邊度", "cantonese") > 4 > second_opinion("我不知道他们在哪里", "cantonese")
    assert second_opinion("唔知佢哋喺邊度", "minnan") == 0
    text = "迪眼物什勒海葛搭"  # much like Wu, without a word of the tables
    if not words(text):
        assert tag(text) == "mandarin"


def test_nothing_in_a_sticker_or_a_face_is_evidence() -> None:
    assert words("[/啥子][咋个](啥子)") == ["啥子"]


def test_gloss_helps_the_reader() -> None:
    assert gloss("你在爪子嘛，啷个不来耍") == "你在干什么嘛，怎么不玩"
    assert gloss("我们明天见") == "我们明天见"


@given(st.lists(TEXTS, max_size=4))
@settings(deadline=None)
def test_any_texts_get_tags_with_words_to_show(texts: list[str]) -> None:
    answer = identify(texts)
    assert len(answer.messages) == len(texts)
    assert answer.tag in DIALECTS
    assert 0 < answer.confidence <= 1
    for text, message in zip(texts, answer.messages, strict=True):
        assert message.tag in DIALECTS
        assert 0 < message.confidence <= 1
        assert all(text[e.start : e.end] == e.word and e.gloss for e in message.evidence)
        assert all(a.end <= b.start for a, b in pairwise(message.evidence))
        assert message.tag == "mandarin" or any(e.dialect == message.tag for e in message.evidence)
    if answer.tag != "mandarin":
        assert any(e.dialect == answer.tag for m in answer.messages for e in m.evidence) or len(texts) > 1
    for text in texts:
        assert isinstance(gloss(text), str)


@given(TEXTS)
@settings(deadline=None)
def test_a_message_alone_is_its_dialogue(text: str) -> None:
    answer = identify([text])
    assert (answer.tag, answer.confidence) == (answer.messages[0].tag, answer.messages[0].confidence)


def test_no_messages_are_mandarin() -> None:
    assert identify([]).tag == "mandarin"


def test_without_jieba_it_works_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert limits() == []
    monkeypatch.setitem(sys.modules, "jieba", None)
    segment.available.cache_clear()
    segment._built.cache_clear()
    try:
        (code,) = limits()
        assert "jieba" in LIMITS[code]
        assert tag("你在爪子嘛") == "southwestern"
        assert tag("断绝了外交关系") in DIALECTS
    finally:
        segment.available.cache_clear()
        segment._built.cache_clear()


@pytest.mark.parametrize("dialect", WITH_LEXICON)
def test_every_row_of_a_table_can_be_found(dialect: str) -> None:
    """The tables are checked as one checks a program: no row that can never match, no guard that cannot be read."""
    rows = []
    text = (files("curation") / "data" / "dialects" / f"{dialect}.tsv").read_text(encoding="utf-8")
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        assert line.count("\t") == 5, f"{dialect}.tsv:{number}"
        word, variants, said, strength, guard, script = line.split("\t")
        for form in (word, *filter(None, variants.split("/"))):
            assert re.fullmatch(r"\S+", form), f"{dialect}.tsv:{number}"
            rows.append((form, guard, script))
            if guard:
                assert "_" in guard, f"{dialect}.tsv:{number}"
                re.compile(guard.replace("_", re.escape(form)))
        assert said.strip("_"), f"{dialect}.tsv:{number}"
        assert strength in ("1", "2", "3"), f"{dialect}.tsv:{number}"
        assert script in ("", "traditional", "simplified"), f"{dialect}.tsv:{number}"
    assert len(rows) > 40
    twice = [row for row, times in Counter(rows).items() if times > 1]
    assert not twice


def test_strong_words_without_a_guard_are_found_alone() -> None:
    for word, entries in lexicon().words.items():
        for entry in entries:
            if entry.strength == 3 and entry.guard is None and not entry.script:
                assert any(h.word == word and entry in h.entries for h in lexicon().candidates(word)), word


@pytest.mark.parametrize("piece", ["伊", "啥子[/笑]", "佢", "个", "勿", "[", "（啥子", "𠊎👩\u200d👧"])
def test_time_grows_with_the_text_and_no_faster(piece: str) -> None:
    def seconds(times: int) -> float:
        start = time.process_time()
        identify([piece * times])
        return time.process_time() - start

    seconds(1)
    assert seconds(40_000) < 40 * max(seconds(4_000), 0.01)


def test_a_dialogue_shows_words_for_its_tag() -> None:
    answer = identify(["晓得", "婆娘", "铲铲", "晓得"])
    assert answer.tag == "southwestern"
    assert {e.dialect for m in answer.messages for e in m.evidence} == {"southwestern"}
