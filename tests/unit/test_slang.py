"""Notes on slang stand beside the text, and an ordinary word is not slang."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.slang import KINDS, Note, annotate

PIECES = [
    "xswl",
    "yyds",
    "加V",
    "🈶",
    "🐧",
    "666",
    "木有",
    "在见",
    "[/笑]",
    "a",
    "1",
    "，",
    "\ufe0f",
    "\ud800",
    "sb",
    "他妈",
]


def found(text: str) -> list[tuple[str, str, str]]:
    return [(n.word, n.kind, n.gloss) for n in annotate(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("xswl，蚌埠住了", [("xswl", "abbreviation", "笑死我了"), ("蚌埠住了", "homophone", "绷不住了")]),
        ("YYDS", [("YYDS", "abbreviation", "永远的神")]),
        ("加V聊", [("加V", "evasion", "加微信")]),
        ("🈶💰吗🐧", [("🈶", "emoji", "有"), ("💰", "emoji", "钱"), ("🐧", "evasion", "QQ")]),
        ("🈶\ufe0f闪电", [("🈶", "emoji", "有")]),
        ("布吉岛啊", [("布吉岛", "homophone", "不知道")]),
        ("明天在聊", [("在聊", "typo", "再聊")]),
        ("我靠，牛逼", [("我靠", "abuse", "(惊叹,粗)"), ("牛逼", "abuse", "厉害")]),
        ("你造吗 666", [("造", "homophone", "知道"), ("666", "digits", "厉害")]),
        ("稀饭你", [("稀饭", "homophone", "喜欢")]),
    ],
)
def test_what_is_noted(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "让我靠近你",
        "吃虾米",
        "一次饭",
        "喝稀饭",
        "酱紫色的",
        "神马股份",
        "我在聊天",
        "抠抠嗦嗦",
        "去布吉岛的路上",
        "他妈妈 跟他妈说",
        "自己经常",
        "境界的以经济",
        "1666元 13145 1520",
        "sbs dds yydsx",
        "[/666] [yyds]",
        "水滴 油滴",
        "妹妹几点睡",
        "吹牛逼",
    ],
)
def test_what_is_not(text: str) -> None:
    assert found(text) == []


@given(st.lists(st.sampled_from(PIECES) | st.text(st.characters(codec=None), max_size=3)).map("".join))
def test_notes_lie_in_the_text_and_apart(text: str) -> None:
    notes = annotate(text)
    assert all(text[n.start : n.end] == n.word and n.gloss and n.kind in KINDS for n in notes)
    assert all(a.end <= b.start for a, b in pairwise(notes))


def test_a_note_says_where() -> None:
    assert annotate("嗯dbq") == (Note(1, 4, "dbq", "abbreviation", "对不起"),)
