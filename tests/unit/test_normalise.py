"""Normalising tidies characters and flattens nothing: no word, particle, dialect form or face is touched."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation import normalise as module
from curation.errors import MissingExtra
from curation.layers import Edit, apply_edits, check_edits, reverse_edits
from curation.normalise import RULES, normalise
from curation.settings import Script

# What the rules look at, so that chance finds their meetings: odd spaces, joiners, selectors, wide letters,
# radicals, faces, brackets, characters of both scripts, lone surrogates.
ODD = (
    "\u200b\u200d\ufe0f\ufe0e\xad\x00\x07\xa0\u3000\u2028\r\n\t １Ａａ⻢⼈⾞⺬[/]()（）｡･ω´*TＴO_＿Ｏ❤👩👧🏽🈶1\u20e3"
    "\u3164㇏~、，。！么後乾净淨隻係關数嗰喎餸麼麽於沈徵藉裏里髮发台臺面麵著坏不打只后\ud800\udfff"
)
TEXTS = st.text(st.one_of(st.sampled_from(ODD), st.characters())) | st.text(ODD, max_size=12)
SCRIPTS = st.sampled_from(["simplified", "traditional", "keep"])


def after(text: str, script: Script = "simplified", protected: Sequence[tuple[int, int]] = ()) -> str:
    return apply_edits(text, normalise(text, script, protected))


@given(TEXTS, SCRIPTS)
def test_normalising_twice_is_normalising_once(text: str, script: Script) -> None:
    once = after(text, script)
    assert normalise(once, script) == ()


@given(TEXTS, SCRIPTS)
def test_every_change_can_be_taken_back(text: str, script: Script) -> None:
    edits = normalise(text, script)
    check_edits(text, edits)
    assert all(e.rule in RULES and text[e.start : e.end] != e.replacement for e in edits)
    assert apply_edits(apply_edits(text, edits), reverse_edits(text, edits)) == text


@given(TEXTS, SCRIPTS, st.lists(st.tuples(st.integers(-3, 30), st.integers(-3, 30)), max_size=3))
def test_protected_spans_stay(text: str, script: Script, spans: list[tuple[int, int]]) -> None:
    for edit in normalise(text, script, spans):
        assert all(edit.end <= start or end <= edit.start for start, end in spans if start < end)


@given(TEXTS)
def test_nothing_rare_comes_in(text: str) -> None:
    for edit in normalise(text):
        assert all(c in "\n " or c.isascii() or "\u4e00" <= c <= "\u9fa5" for c in edit.replacement)
        assert "幺" not in edit.replacement or "⼳" in text


@given(TEXTS, st.sets(st.sampled_from(sorted(RULES))))
def test_each_rule_can_be_switched_off(text: str, rules: set[str]) -> None:
    assert {e.rule for e in normalise(text, rules=rules)} <= rules


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("你\u200b好\ufeff", "你好"),
        ("a\u202eb\x00\x1b", "ab"),
        ("你好\xa0呀\u3000嗯", "你好 呀 嗯"),
        ("一\u2028二\x85三\r\n四\r五\n六", "一\n二\n三\n四\n五\n六"),
        ("加我ｖｘ１２３４５，Ｏｋ！", "加我vx12345，Ok！"),
        ("（２０：３０～２１：００）", "（20：30～21：00）"),
        ("⻢上⻅⼈⺬", "马上见人示"),
        ("⾞⾧⿓⻋", "车长龙车"),
    ],
)
def test_characters_are_tidied(text: str, expected: str) -> None:
    assert after(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "哈哈哈哈  嗯嗯嗯。。。？？~~ 好嘞,走?",
        " 前后的空格 ",
        "你出来么 么么哒 么事 什么 干么",
        "晓得咯 莫得事 咋整 嘎哈 啥子 在爪子",
        "在/再 的/得 肿么 木有 盆友",
        "[/委屈巴巴][偷笑][电话1][/臉紅]",
        "[/ＯＫ]",
        "❤\ufe0f👩\u200d👩\u200d👧1\ufe0f\u20e32\u20e3\ufe0f🏴\U000e0067\U000e0062\U000e007f👍🏽🈶",
        "(｡･ω･｡)Ｏ (╯°□°)╯ （Ｔ＿Ｔ） Ｔ＿Ｔ ＾_＾ ヾ(´∀｀\u3000)ﾉ",
        "①②℃½™…￥Ⅳ㇏",
        "嘅 喺 咗 㗎 嘢 哋 冇 噉 咁 佢 嚟 畀 睇 啲 瞓 攞 乜 嗰 喎 餸 𨋢",
        "唔係 佢係邊",
        "打坏了 一坏 毛坏",
        "沈阳 像你 俱乐部 彷徨",
        "乾坤 乾隆 李乾",
        "\ud800\udfff",
    ],
)
def test_what_people_type_stays(text: str) -> None:
    assert after(text.replace("邊", "")) == text.replace("邊", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我們關係好嗎", "我们关系好吗"),
        ("佢係我嘅朋友們", "佢係我嘅朋友们"),
        ("我哋係邊個", "我哋係边个"),
        ("嗰個餸喎", "嗰个餸喎"),
        ("然後呢", "然后呢"),
        ("皇后後面", "皇后后面"),
        ("乾淨餅乾", "干净饼干"),
        ("陳乾開車", "陈乾开车"),
        ("甚麼", "甚么"),
        ("覆雜的們", "覆杂的们"),
        ("打坏了們", "打坏了们"),
        ("\ud800們\udfff", "\ud800们\udfff"),
        ("看著[/臉紅]臉", "看著[/臉紅]脸"),
    ],
)
def test_traditional_becomes_simplified_with_care(text: str, expected: str) -> None:
    assert after(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("我们没关系", "我們沒關係"), ("頭髮里的发", "頭髮里的發"), ("皇后在后面", "皇后在後面")],
)
def test_simplified_becomes_traditional_with_care(text: str, expected: str) -> None:
    assert after(text, "traditional") == expected


def test_script_is_left_when_asked() -> None:
    assert after("我們\xa0後", "keep") == "我們 後"


def test_neighbouring_changes_are_one_edit() -> None:
    assert normalise("我們說１２\u200b\u200b") == (
        Edit(1, 3, "们说", "script"),
        Edit(3, 5, "12", "width"),
        Edit(5, 7, "", "invisible"),
    )


def test_evidence_is_looked_for_in_the_same_line() -> None:
    # 徵 is written in simplified text too (五音); beside a traditional character it is 征.
    assert after("特徵們") == "特征们"
    assert after("特徵\n們") == "特徵\n们"


def test_without_opencc_a_script_is_refused_and_hygiene_still_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opencc", None)
    module._converter.cache_clear()
    with pytest.raises(MissingExtra, match="curator"):
        normalise("我")
    assert after("我\xa0們", "keep") == "我 們"
    module._converter.cache_clear()
