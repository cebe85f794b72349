"""A project's own lists."""

from __future__ import annotations

import time

import pytest

from curation.errors import BadInput
from curation.identifiers import Lists, detect, detector_version, namefinder
from curation.identifiers.lists import NO_LISTS

TOML = """
allow = ["一号基地", "13800001234"]

[deny]
PERSON = ["山楂", "Zed"]
ORG = ["蓝鲸计划"]

[[recogniser]]
name = "staff"
type = "ID_NUMBER"
pattern = "YG[0-9]{6}"
score = 0.9
"""


def look(text: str, lists: Lists) -> list[tuple[str, str, str]]:
    with namefinder.using(namefinder.RULES_ALONE):
        return [(f.type, f.text, f.rule) for f in detect([("a", text)], lists=lists)]


def test_lists_are_honoured() -> None:
    lists = Lists.parse(TOML)
    assert look("电话13800001234 或13900001234", lists) == [("PHONE", "13900001234", "phone:mobile")]
    assert look("山楂说蓝鲸计划停了", lists) == [("PERSON", "山楂", "lists:deny"), ("ORG", "蓝鲸计划", "lists:deny")]
    assert look("ｚｅｄ和Zedd", lists) == [("PERSON", "ｚｅｄ", "lists:deny")]
    assert look("我工号YG771204", lists) == [("ID_NUMBER", "YG771204", "lists:staff")]


def test_a_single_character_can_be_denied() -> None:
    lists = Lists.parse('[deny]\nPERSON = ["喵"]')
    assert look("喵", lists) == [("PERSON", "喵", "lists:deny")]


def test_lists_change_the_version() -> None:
    with namefinder.using(namefinder.RULES_ALONE):
        plain, own = detector_version(), detector_version(Lists.parse(TOML))
        other = detector_version(Lists.parse(TOML.replace("0.9", "0.8")))
        assert detector_version(Lists.parse("")) == plain
    assert len({plain, own, other}) == 3
    assert own.startswith(plain)
    assert Lists.parse(TOML).fingerprint == Lists.parse(TOML).fingerprint
    assert Lists.parse("") == NO_LISTS


@pytest.mark.parametrize(
    "toml",
    [
        "allow = 1", "allow = [1]", 'allow = [""]', 'allow = ["\\u200b"]', "x = 1", "[deny]\nAGE = ['x']",
        "deny = 1", "allow = [", "recogniser = 1", "[[recogniser]]\nname = 'a'",
        "[[recogniser]]\nname = 'A B'\ntype = 'QQ'\npattern = 'x'", "[[recogniser]]\nname = 'a'\ntype = 'QQ'\npattern = ''",
        "[[recogniser]]\nname = 'a'\ntype = 'QQ'\npattern = 'x'\nscore = 2",
        "[[recogniser]]\nname = 'a'\ntype = 'QQ'\npattern = '['",
        "[[recogniser]]\nname = 'a'\ntype = 'QQ'\npattern = 'x'\nscore = true",
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(toml: str) -> None:
    with pytest.raises(BadInput):
        Lists.parse(toml)


@pytest.mark.parametrize(
    "pattern",
    [r"(a+)+", r"(a{1,9}){2}", r"a*", r"a+", r"a{2,}", r"(a)\1", r"(?<=a)b", r"(?=a)", r"a{1,65}",
    "a{0,64}" * 3 + "x", "(?:a|b)*", r"(?i)a", "(a|a)?" * 13],
)  # fmt: skip
def test_patterns_that_may_take_long_are_refused(pattern: str) -> None:
    with pytest.raises(BadInput):
        Lists.parse(f"[[recogniser]]\nname = 'a'\ntype = 'QQ'\npattern = '''{pattern}'''")


@pytest.mark.parametrize(
    "pattern",
    [
        r"YG[0-9]{6}",
        r"(?:AB|CD)-[0-9]{1,8}",
        r"员工[A-Z]?[0-9]{3}",
        r"[^a]{2}x",
        r"(?P<n>ab)c",
        r"\d{4}\*",
        "a{0,60}" * 2 + "b",
    ],
)
def test_patterns_that_do_not_are_taken(pattern: str) -> None:
    lists = Lists.parse(f"[[recogniser]]\nname = 'a'\ntype = 'QQ'\npattern = '''{pattern}'''")
    begin = time.process_time()
    look("a" * 5000 + "0" * 5000, lists)
    assert time.process_time() - begin < 10
