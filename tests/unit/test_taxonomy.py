"""The taxonomy file: complete, unambiguous, and refused with a clear word when it is not."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

import pytest

from curation.errors import BadInput, NotFound
from curation.taxonomy import RESERVED_KEYS, load, taxonomy

TEXT = (files("curation") / "data" / "taxonomy.toml").read_text(encoding="utf-8")

IDS_AND_NAMES = [
    ("euphemism", "委婉"),
    ("irony", "讽刺"),
    ("humor", "幽默"),
    ("hint", "暗示"),
    ("ambiguity", "模棱两可"),
    ("vagueness", "含糊其辞"),
    ("rejection", "拒绝"),
    ("push_pull", "关系推拉"),
    ("value_test", "价值测试"),
    ("authenticity_test", "真实性测试"),
    ("commitment_test", "诚意测试"),
    ("counter_test", "反制主导"),
]


def test_twelve_situations_stand_in_the_order_of_the_release() -> None:
    assert [(s.id, s.zh) for s in taxonomy().situations] == IDS_AND_NAMES
    assert list(taxonomy().ids) == [one for one, _ in IDS_AND_NAMES]
    assert [s.number for s in taxonomy().situations] == list(range(1, 13))


def test_families_hold_four_two_two_and_four() -> None:
    sizes = Counter(s.family.zh for s in taxonomy().situations)
    assert sizes == {"言外之意": 4, "模糊含蓄": 2, "拒绝疏远": 2, "测试挑战": 4}
    assert [f.number for f in taxonomy().families] == [1, 2, 3, 4]
    assert [f.tension.id for f in taxonomy().families] == ["semantic", "semantic", "power", "power"]


def test_one_stroke_chooses_one_situation_and_clashes_with_nothing() -> None:
    keys = [s.key for s in taxonomy().situations]
    assert len(set(keys)) == 12
    assert all(re.fullmatch("[a-z]", k) for k in keys)
    assert not set(keys) & RESERVED_KEYS
    assert all(taxonomy().by_key(s.key) == s for s in taxonomy().situations)
    assert taxonomy().by_key("k") is None


def test_two_digits_choose_family_and_place() -> None:
    assert [taxonomy().by_digits(s.family.number, s.place) for s in taxonomy().situations] == list(
        taxonomy().situations
    )
    chosen = taxonomy().by_digits(2, 2)
    assert chosen is not None
    assert chosen.id == "vagueness"
    assert taxonomy().by_digits(2, 3) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("irony", "irony"),
        (" Irony/SARCASM ", "irony"),
        ("讽刺", "irony"),
        ("Push-Pull", "push_pull"),
        ("push pull", "push_pull"),
        ("PUSH_PULL", "push_pull"),
        ("真实性测试", "authenticity_test"),
        ("counter test", "counter_test"),
        ("Counter ", "counter_test"),
        ("value", "value_test"),
    ],
)
def test_a_person_may_name_a_situation_in_either_language(name: str, expected: str) -> None:
    assert taxonomy().parse(name).id == expected


@pytest.mark.parametrize("name", ["", "sarcasm2", "言外之意", "测试"])
def test_an_unknown_name_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(NotFound, match="euphemism, irony"):
        taxonomy().parse(name)


def test_by_id_takes_ids_alone() -> None:
    assert taxonomy().by_id("hint").zh == "暗示"
    for name in ("Hint", "暗示", "nothing"):
        with pytest.raises(NotFound):
            taxonomy().by_id(name)


def test_each_definition_has_two_sentences_in_both_languages() -> None:
    for one in taxonomy().situations:
        assert one.definition_zh.count("。") + one.definition_zh.count("？") == 2, one.id
        assert len(re.findall(r"[.?](?:\s|$)", one.definition_en)) == 2, one.id
        assert one.definition("zh") == one.definition_zh
        assert one.definition("en") == one.definition_en
        assert one.name("zh") == one.zh
        assert one.name("en") == one.en


def test_each_precedence_line_names_another_situation() -> None:
    for one in taxonomy().situations:
        others = [s for s in taxonomy().situations if s is not one]
        assert any(s.en in one.not_this_en for s in others) or "three tests" in one.not_this_en, one.id
        assert any(s.zh in one.not_this_zh for s in others) or "三种测试" in one.not_this_zh, one.id
        assert one.en not in one.not_this_en
        assert one.example_zh
        assert one.example_en


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('id = "irony"', 'id = "euphemism"', "twice"),
        ('key = "f"', 'key = "w"', "the key w of euphemism"),
        ('key = "f"', 'key = "k"', "no free small letter"),
        ('key = "f"', 'key = "9"', "no free small letter"),
        ('key = "f"\n', "", "no key"),
        ('zh = "讽刺"', 'zh = "委婉"', "the same name"),
        ('tension = "power"', 'tension = "none"', "names the tension none"),
        ('family = "equivocation"', 'family = "other"', "names the family other"),
        ('also = ["Value"]', 'also = ["Hint"]', "hint and value_test|value_test and hint"),
        ('also = ["Value"]', 'also = "Value"', "under also"),
        ('version = "2025.1"', "", "no version"),
        ("[[situation]]", "[situation", "taxonomy file is not usable"),
        ('[[tension]]\nid = "power"\nzh', '[[tensions]]\nid = "power"\nzh', "1 of tension, where 2"),
    ],
)
def test_a_broken_file_is_refused_by_its_fault(old: str, new: str, problem: str) -> None:
    assert old in TEXT
    with pytest.raises(BadInput, match=problem):
        load(TEXT.replace(old, new, 1))


def test_a_missing_situation_is_counted() -> None:
    with pytest.raises(BadInput, match="11 of situation, where 12"):
        load(TEXT[: TEXT.rindex("[[situation]]")])
