"""Values said aloud in writing: counted digits, halves that are named, signs in words; and findings that never overlap."""

from __future__ import annotations

from itertools import pairwise

import pytest

from curation.identifiers import detect


def found(*texts: str) -> list[tuple[str, str]]:
    return [(one.type, one.text) for one in detect([("a", text) for text in texts])]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("手机号139两个7四个6 20", "PHONE", "139两个7四个6 20"),
        ("电话一三五三个零 25186", "PHONE", "一三五三个零 25186"),
        ("我号是一三五后面六六七八再加二三四零", "PHONE", "一三五后面六六七八再加二三四零"),
        ("薇❤ mm点tutu77", "WECHAT", "mm点tutu77"),
        ("我微信是a三个m横杠dog", "WECHAT", "a三个m横杠dog"),
        ("网址 www 点 lanlan 点 top", "URL", "www 点 lanlan 点 top"),
        ("打开hxxps://pan.example.com/s/1aB2", "URL", "hxxps://pan.example.com/s/1aB2"),
        ("我生日是十月十三号", "BIRTHDATE", "十月十三号"),
    ],
)
def test_what_is_said_aloud_is_read(text: str, kind: str, value: str) -> None:
    assert (kind, value) in found(text)


@pytest.mark.parametrize("text", ["买3个5号电池2个7号的", "来2个5寸的 3个8寸的", "我有两个3 三个9的牌", "要三个2块的"])
def test_things_that_are_counted_are_no_numbers(text: str) -> None:
    assert found(text) == []


def test_halves_that_are_named_belong_together() -> None:
    assert found("微信号前半 kiki_", "后半 0528z") == [("WECHAT", "kiki_"), ("WECHAT", "0528z")]


@pytest.mark.parametrize(
    "text", ["在市一医院住院", "住市一医院旁边", "张伟在成都七中高三三班住校", "搬到人民路8号的省二医院住"]
)
def test_findings_never_overlap(text: str) -> None:
    spans = sorted((one.start, one.end) for one in detect([("a", text)]))
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
