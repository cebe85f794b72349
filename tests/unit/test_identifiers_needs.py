"""What patterns cannot match without, and the marks by which a message says that it has it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.folding import digits_read, fold, lower_ascii
from curation.identifiers import patterns, scan
from curation.identifiers.lexicon import Vocabulary, listed
from curation.identifiers.needs import begins_with, needs
from curation.identifiers.page import prepare
from curation.identifiers.patterns import Pattern, either, lazy

assert scan.FAMILIES  # all of them are loaded
GATED = patterns.gates()


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("微信|加v", [{"v", "信"}]),
        ("(?:微信)?号", [{"号"}]),
        ("住(?=东)", [{"东"}, {"住"}]),
        ("(?<=去)x", [{"x"}, {"去"}]),
        ("[a-c]{2,3}门?", [{"a", "b", "c"}]),
        ("(?<!的)(?:店){0,3}", []),
        ("[^a]", []),
        ("a|", []),
        (r"\d\Z", []),
        ("[\u3400-\u9fff]", []),
        ("(?>店)", [{"店"}]),
    ],
)
def test_needs_are_read_from_the_pattern(pattern: str, expected: list[set[str]]) -> None:
    assert sorted(map(sorted, needs(pattern))) == sorted(map(sorted, expected))


@pytest.mark.parametrize(
    ("pattern", "heads"),
    [("(?<!x)(?:a|b?c)d", "abc"), ("[ab]?", ""), ("(?:x|.)y", ""), ("(?=z)a{0,2}(?:b|c)", "abc"), ("a|", "")],
)
def test_what_a_match_begins_with_is_read_too(pattern: str, heads: str) -> None:
    assert begins_with(pattern) == set(heads)


def test_a_headed_pattern_finds_the_same() -> None:
    plain = r"(?P<a>(?<!c)ab|b)c?|(?P<d>d)"
    for text in ("abc", "cabd", "bcd", "", "xxd"):
        found = [(m.span(), m.lastgroup) for m in patterns.headed(plain).finditer(text)]
        assert found == [(m.span(), m.lastgroup) for m in re.finditer(plain, text)]


@given(st.lists(st.sampled_from(["市", "市一", "一中", "中", "中心"]), min_size=1), st.text("市一中心 ", max_size=8))
def test_a_vocabulary_finds_the_longest_word(words: list[str], text: str) -> None:
    vocabulary = Vocabulary(words)
    for at in range(len(text) + 1):
        ends = [at + len(word) for word in {*words} if text.startswith(word, at)]
        assert list(vocabulary.ends(text, at)) == sorted(ends, reverse=True)
        assert vocabulary.end(text, at) == max(ends, default=at)
        assert not ends or re.match(vocabulary.heads, text[at])
    longest = "|".join(sorted({*words}, key=len, reverse=True))
    assert list(vocabulary.places(text)) == [match.span() for match in re.finditer(longest, text)]


def test_needs_without_case_are_of_both_cases() -> None:
    (need,) = needs("sk", re.IGNORECASE)[:1]
    assert need in ({"s", "S", "\u017f"}, {"k", "K", "\u212a"})
    assert all(re.match("sk", a + b, re.IGNORECASE) for a in "sS\u017f" for b in "kK\u212a")


def test_a_pattern_made_later_is_tried_always() -> None:
    prepare("a", "你好")
    late = patterns.gated("从来没有的")
    assert prepare("a", "你好").may(late)
    assert prepare("a", "你好").may(lazy("从来没有的"))


def test_either_is_open_where_one_of_its_patterns_is() -> None:
    both = either(Pattern("店|厂", 0), Pattern("路口", 0))
    assert needs(*both.source)[0] <= set("店厂路口")


FRAGMENTS = listed(
    """
我叫王小明 电话13800001234 加v abc_12345 住中山路1号3栋402室 清华大学毕业 在腾讯上班 市一中 王老师 阿强
老王 高铁站B出口 邮局对面
1990年5月6日生 农历八月十五 生日 初中在县二中 美丽田园龙泉店 仁济东院看病 姓名 收件人 免贵姓 网名叫 可欣妈妈
Tony English WANG XIAOMING
朝阳区 老家白沙坪那边 绕城服务区 门诊楼4层12诊室 238 Swanston St 停车场B2-101 密码 抖音 地铁2号线 3教401 房间号多少 0571-88886666
ＱＱ１２３４５６７８ 一三八零零零零一二三四 转账 *明 叫我小李 前台小张 哪个公司 面试 尾号1234
京A12345 东经120.1
    """
)


@settings(deadline=None)
@given(st.lists(st.sampled_from([*FRAGMENTS, " ", "，", "的", "1", "一", "K", "k", "ſ"]), max_size=8), st.booleans())
def test_no_pattern_matches_where_its_marks_are_not(parts: list[str], upper: bool) -> None:
    text = "".join(parts).upper() if upper else "".join(parts)
    line = prepare("a", text)
    plain = fold(text).text
    for pattern in GATED:
        if not line.may(pattern):
            for form in (plain, lower_ascii(plain), digits_read(plain), digits_read(lower_ascii(plain))):
                assert pattern.search(form) is None, pattern.source
            assert not list(line.each(pattern))
            assert line.finds(pattern) is None


def test_most_patterns_are_not_tried_on_an_ordinary_message() -> None:
    line = prepare("a", "我今天不想吃饭了 你呢")
    assert len(GATED) > 60
    assert sum(line.may(pattern) for pattern in GATED) < len(GATED) / 4
