"""Normalising tidies characters and flattens nothing: no word, particle, dialect form or face is touched."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.errors import MissingExtra, UsageError
from curation.layers import Edit, OffsetMap, apply_edits, check_edits, reverse_edits
from curation.normalise import CONFIGS, RULES, normalise, protected_spans, unguarded
from curation.normalise import script as conversion
from curation.settings import Script

# What the rules look at, so that chance finds their meetings: odd spaces, joiners, selectors, wide letters,
# radicals, faces, brackets, characters of both scripts, lone surrogates.
ODD = (
    "\u200b\u200d\ufe0f\ufe0e\xad\x00\x07\xa0\u3000\u2028\r\n\t １Ａａ⻢⼈⾞⺬[/]()（）｡･ω´*TＴO_＿Ｏ❤👩👧🏽🈶1\u20e3"
    "\u3164㇏~、，。！么後乾净淨隻係關数嗰喎餸麼麽於沈徵藉裏里髮发台臺面麵著坏不打只后\ud800\udfff哈嗚呜啊？！。…~.,"
)
TEXTS = st.text(st.one_of(st.sampled_from(ODD), st.characters())) | st.text(ODD, max_size=12)
TEXTS |= st.lists(st.tuples(st.sampled_from("哈嗚呜啊？。…~\u200b[]()（）們好"), st.integers(1, 6))).map(
    lambda parts: "".join(c * n for c, n in parts)
)
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


@given(TEXTS, SCRIPTS, st.data())
def test_spans_are_mapped_there_and_back(text: str, script: Script, data: st.DataObject) -> None:
    """A span that begins and ends with characters that stay is found again exactly, and holds what it held."""
    edits = normalise(text, script)
    changed = {i for e in edits for i in range(e.start, e.end)}
    stays = [i for i in range(len(text)) if i not in changed]
    if not stays:
        return
    first, last = sorted(data.draw(st.tuples(st.sampled_from(stays), st.sampled_from(stays))))
    both = OffsetMap(edits)
    up = both.up(first, last + 1)
    assert both.down(*up) == (first, last + 1)
    inside = [e for e in edits if first <= e.start and e.end <= last]
    moved = [Edit(e.start - first, e.end - first, e.replacement, e.rule) for e in inside]
    assert apply_edits(text, edits)[slice(*up)] == apply_edits(text[first : last + 1], moved)


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
        "哈哈哈  嗯嗯嗯。。。？？~~ 好嘞,走?",
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
    conversion.converter.cache_clear()
    conversion._opencc.cache_clear()
    with pytest.raises(MissingExtra, match="curator"):
        normalise("我")
    assert after("我\xa0們", "keep") == "我 們"
    with pytest.raises(MissingExtra, match="curator"):
        unguarded("我", "s2t")
    conversion.converter.cache_clear()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("哈哈哈哈哈哈哈", "哈哈哈"),
        ("嗚嗚嗚嗚嗚", "呜呜呜"),
        ("嗚呜嗚呜", "呜呜呜"),
        ("啊啊啊啊啊！！！！！！", "啊啊啊！！！"),
        ("？？？？!!!!~~~~。。。。", "？？？!!!~~~。。。"),
        ("哈\u200b哈哈\xad哈", "哈哈哈"),
        ("哈哈[/笑]哈哈", "哈哈[/笑]哈哈"),
        ("好好好好好 天天天天 666666 2333333 hhhhhh 咯咯咯咯", "好好好好好 天天天天 666666 2333333 hhhhhh 咯咯咯咯"),
        ("这几天天天下暴雨", "这几天天天下暴雨"),
        ("[哈哈哈哈哈] （～～～～～）", "[哈哈哈哈哈] （～～～～～）"),
    ],
)
def test_runs_are_bounded_and_only_of_what_is_listed(text: str, expected: str) -> None:
    assert after(text) == expected


def test_what_a_run_has_too_much_of_is_taken_out() -> None:
    assert normalise("哈哈哈哈哈？？？？", "keep") == (Edit(3, 5, "", "interjection"), Edit(8, 9, "", "marks"))


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_that_is_off_leaves_its_own_alone(rule: str) -> None:
    text = "\u200b\xa0１⼈！！！！哈哈哈哈們"
    assert {e.rule for e in normalise(text)} == set(RULES)
    assert {e.rule for e in normalise(text, rules=set(RULES) - {rule})} == set(RULES) - {rule}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("乾安縣 乾清宮 乾坤", "乾安县 乾清宫 乾坤"),
        ("乾了這杯 一乾二淨 風乾", "干了这杯 一干二净 风干"),
        ("他係關係戶，數係係數", "他係关系户，数係系数"),
        ("一隻雞後來只有一隻", "一只鸡后来只有一只"),
        ("唔該晒 瞓覺 諗嘢 搵食 唔識", "唔该晒 瞓觉 谂嘢 揾食 唔识"),
        ("東涌們", "东涌们"),
        ("物件 蚌埠 工友 李查德 智慧 行程 文件們", "物件 蚌埠 工友 李查德 智慧 行程 文件们"),
        ("看著我 甚麼 100年 一會兒", "看著我 甚么 100年 一会儿"),
        ("㎏ ½ ℃ ㈱ ① Ⅳ ﷺ", "㎏ ½ ℃ ㈱ ① Ⅳ ﷺ"),
        ("⺬⽰⻢⻅猛幺劈一-", "示示马见猛幺劈一-"),
    ],
)
def test_known_traps(text: str, expected: str) -> None:
    """What converters and normalisers are known to get wrong, from their own bug trackers."""
    assert after(text) == expected


@pytest.mark.parametrize(
    ("config", "text", "expected"),
    [("s2t", "头发\ud800发现", "頭髮\ud800發現"), ("tw2sp", "物件", "对象"), ("t2s", "嗰", "𠮶"), ("t2s", "", "")],
)
def test_unguarded_does_all_that_opencc_does(config: str, text: str, expected: str) -> None:
    assert unguarded(text, config) == expected


@given(st.text(st.characters(codec=None), max_size=12), st.sampled_from(CONFIGS))
def test_unguarded_takes_any_text(text: str, config: str) -> None:
    assert [c for c in unguarded(text, config) if "\ud800" <= c <= "\udfff"] == [
        c for c in text if "\ud800" <= c <= "\udfff"
    ]


def test_unguarded_knows_its_configurations() -> None:
    with pytest.raises(UsageError, match="s2twp"):
        unguarded("x", "../t2s")


@given(TEXTS)
def test_protected_spans_lie_in_the_text(text: str) -> None:
    assert all(0 <= start < end <= len(text) for start, end in protected_spans(text))
