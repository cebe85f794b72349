"""Measures of texts: what they are on texts small enough to count by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from curation.errors import BadInput
from curation.measures import (
    Embeddings,
    TfIdf,
    entropy,
    mattr,
    measured,
    process_text,
    similarity,
    words_of,
)


def test_mattr_is_the_mean_share_of_types_in_every_window() -> None:
    assert mattr([]) is None
    assert mattr(["a"]) == 1
    assert mattr(["a", "a", "b", "b"]) == 0.5
    words = ["a", "b", "a", "a", "c"]
    expected = [len(set(words[i : i + 3])) / 3 for i in range(3)]
    assert mattr(words, 3) == pytest.approx(sum(expected) / 3)


def test_mattr_hardly_moves_with_length() -> None:
    words = [f"w{n % 7}{n % 5}" for n in range(400)]
    assert mattr(words) == pytest.approx(mattr(words[:200]), abs=0.01)


def test_entropy_is_in_bits() -> None:
    assert entropy([]) is None
    assert entropy(["a"] * 4) == 0
    assert entropy(["a", "b", "c", "d"]) == 2


def test_words_are_words_alone() -> None:
    assert words_of("我去看电影[/白眼]，OK？😂") == ["我", "去", "看", "电影", "ok"]


def test_a_system_is_measured_over_all_its_texts() -> None:
    one = measured("m", "cot", ["好呀", "走吧"])
    assert (one.n, one.characters, one.short) == (2, 2, True)
    assert one.types == len({"好", "呀", "走", "吧"})
    assert one.richness == pytest.approx((one.mattr or 0) / 2 + (one.evenness or 0) / 2)
    none = measured("m", "cot", [])
    assert (none.characters, none.mattr, none.richness) == (None, None, None)


def test_texts_alike_have_cosine_one_and_strangers_nought() -> None:
    method = TfIdf(["今天见面", "明天加班", "见面吃饭"])
    assert method.alike("今天见面", "今天见面") == pytest.approx(1)
    assert method.alike("今天", "明朝再说") == 0
    assert method.alike("", "今天") is None
    rare, common = method.alike("加班", "加班见"), method.alike("见面", "见面加")
    assert rare is not None
    assert common is not None
    assert rare > common, "what few texts have weighs more"


def test_similarity_is_a_distribution_with_its_method_named() -> None:
    found = similarity(
        "m", "cot", TfIdf(["甲乙", "丙丁"]), {"a": ("甲乙", "甲乙"), "b": ("甲乙", "丙丁"), "c": ("", "甲")}
    )
    assert found.n == 2
    assert found.mean == pytest.approx(0.5)
    assert found.sd == pytest.approx(math.sqrt(0.5))
    assert found.quartiles == pytest.approx((0.25, 0.5, 0.75))
    assert found.histogram == (1, 0, 0, 0, 0, 0, 0, 0, 0, 1)
    assert found.method == "tfidf-char-1-2"
    nothing = similarity("m", "cot", TfIdf([]), {})
    assert (nothing.n, nothing.mean, nothing.sd, nothing.quartiles) == (0, None, None, None)


def test_vectors_from_elsewhere_are_used_and_named(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    rows = [
        {"text": "甲", "vector": [1, 0], "model": "e5"},
        {"text": "乙", "vector": [1, 1]},
        {"text": "丙", "vector": [0, 0]},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    method = Embeddings(path)
    assert method.method == "embeddings: e5"
    assert method.alike("甲", "乙") == pytest.approx(math.sqrt(0.5))
    assert method.alike("甲", "没有") is None
    assert method.alike("甲", "丙") is None


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"text": "a"}',
        '{"text": 1, "vector": [1]}',
        '{"text": "a", "vector": []}',
        '{"text": "a", "vector": ["x"]}',
    ],
)
def test_a_file_that_holds_no_vectors_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "v.jsonl"
    path.write_text('{"text": "a", "vector": [1]}\n' + line + "\n", "utf-8")
    with pytest.raises(BadInput) as refused:
        Embeddings(path)
    assert refused.value.params["line"] == 2
    path.write_text('{"text": "a", "vector": [1]}\n{"text": "b", "vector": [1, 2]}\n', "utf-8")
    with pytest.raises(BadInput):
        Embeddings(path)


def test_a_process_is_one_text_without_its_empty_fields() -> None:
    assert process_text({"motivation": "甲", "cause": "", "emotion": "乙"}) == "甲\n乙"
