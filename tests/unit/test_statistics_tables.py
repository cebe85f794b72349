"""Tables of ratings and votes: what is read, what is refused and where, and what is only odd."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.errors import BadInput, UsageError
from curation.statistics.figures import Level
from curation.statistics.tables import RatingsTable, ratings_of, read, votes_of


def ratings(folder: Path, text: str, level: str = "ordinal", name: str = "t.csv", **terms: object) -> RatingsTable:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return ratings_of(read(path), Level(level), **terms)  # type: ignore[arg-type]


def places(found: RatingsTable) -> list[tuple[int, str, str]]:
    return [(one.line, one.column, one.error.code) for one in found.refused]


def test_rows_are_items_and_columns_raters(tmp_path: Path) -> None:
    found = ratings(tmp_path, "ann,bo,cy\n0,5,\n 10 ,10,10\n\n,,5\n,,\n")
    held = found.histogram
    assert held.raters == ("ann", "bo", "cy")
    assert held.scale.labels == ("0", "5", "10")
    assert held.rows == ((-1, -1, 1), (0, 1, -1), (2, 2, 2))
    assert held.empty == 1
    assert found.refused == ()


def test_bad_cells_are_refused_by_line_and_the_rest_kept(tmp_path: Path) -> None:
    text = 'ann,bo\n0,"5\n"\nfive,5\n7,5\n1,2,3\n4\n10,10\n'
    found = ratings(tmp_path, text, domain=("0", "5", "10"))
    # The quoted cell holds a line break, so the lines after it are counted in the file.
    assert places(found) == [
        (4, "ann", "not_a_number"),
        (5, "ann", "not_in_domain"),
        (6, "", "csv_columns"),
        (7, "", "csv_columns"),
    ]
    assert found.histogram.rows == ((-1, 1), (0, 1), (2, 2))
    assert found.histogram.counts == (2, 1, 1)


@pytest.mark.parametrize("text", ["a,b\n1,2\n3,nan\n", "a,b\n1,2\n3,NA\n", "a,b\n1,2\n3,1_0\n"])
def test_words_for_missing_are_refused_among_numbers(tmp_path: Path, text: str) -> None:
    assert places(ratings(tmp_path, text)) == [(3, "b", "not_a_number")]


def test_a_ratio_has_nothing_below_nought(tmp_path: Path) -> None:
    assert places(ratings(tmp_path, "a,b\n1,-2\n2,1\n", "ratio")) == [(2, "b", "below_nought")]


def test_a_header_alone_is_an_empty_table(tmp_path: Path) -> None:
    for text in ("ann,bo\n", "ann,bo", "\ufeffann,bo\r\n"):
        found = ratings(tmp_path, text)
        assert found.histogram.raters == ("ann", "bo")
        assert found.histogram.n_items == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ann,ann\n1,2\n", "csv_header"),
        (",ann,bo\n0,1,2\n", "csv_header"),
        ("ann;bo\n1;2\n", "csv_header"),
        ('ann,bo\n1,"2\n', "csv_quote"),
        ('ann,bo\n1,"2"x\n', "csv_quote"),
        ("", "empty_file"),
    ],
)
def test_a_file_refused_whole(tmp_path: Path, text: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        ratings(tmp_path, text)
    assert caught.value.code == code


def test_tabs_and_other_encodings(tmp_path: Path) -> None:
    assert ratings(tmp_path, "ann\tbo\n1\t2\n").histogram.raters == ("ann", "bo")
    path = tmp_path / "utf16.csv"
    path.write_bytes("小林,阿哲\n好,坏\n".encode("utf-16"))
    table = read(path)
    assert table.columns == ("小林", "阿哲")
    assert table.warnings


def test_json_lines(tmp_path: Path) -> None:
    text = '{"ann": 5, "bo": "5"}\n{"bo": 10, "cy": null}\n{"ann": 5.0, "cy": 10}\n[1]\n\n{"ann": true, "bo": 5}\n{"ann": 1\n'
    found = ratings(tmp_path, text, name="t.jsonl")
    assert found.histogram.raters == ("ann", "bo", "cy")
    assert found.histogram.rows == ((-1, 0, -1), (-1, 1, -1), (0, -1, 1), (0, 0, -1))
    assert places(found) == [(4, "", "bad_json"), (6, "ann", "bad_cell"), (7, "", "bad_json")]
    assert ratings(tmp_path, text, name="any.name").histogram == found.histogram


def test_a_column_of_names_is_told_and_can_be_named(tmp_path: Path) -> None:
    text = "item,ann,bo\nd1,x,y\nd2,x,x\nd2,y,y\nd3,y,y\n".replace("d2,y", "d4,y")
    found = ratings(tmp_path, text, "nominal")
    assert [one.code for one in found.odd] == ["not_a_rater"]
    named = ratings(tmp_path, text, "nominal", items="item")
    assert named.odd == ()
    assert named.histogram.raters == ("ann", "bo")
    with pytest.raises(UsageError, match="item, ann, bo"):
        ratings(tmp_path, text, "nominal", items="cy")


def test_rows_of_one_item_belong_together(tmp_path: Path) -> None:
    found = ratings(tmp_path, "item,ann,bo\nd1,0,5\nd1,5,5\nd2,0,5\n,0,0\n,0,0\n", items="item")
    assert found.histogram.clusters is not None
    assert sum(times for _, times in found.histogram.clusters) == 4  # rows without a name stand alone


def test_odd_things_are_told_and_taken(tmp_path: Path) -> None:
    found = ratings(tmp_path, "ann,bo\nx,NA\nx,x\n", "nominal")
    assert "NA" in str(found.odd[0])
    assert found.histogram.scale.labels == ("NA", "x")
    assert [one.code for one in ratings(tmp_path, "0,5,10\n0,5,5\n").odd] == ["header"]
    assert ratings(tmp_path, "ann,bo\nx,NA\nx,x\n", "nominal", domain=("x", "NA")).odd == ()


def test_votes(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text("battle,LEFT,right,label,by\n1,x,y,A,k\n1,y,x,A,l\n,x,z,T,k\n,x,z,T,k\n", encoding="utf-8")
    found = votes_of(read(path), "v.csv")
    assert [(b.left, b.right, b.score) for b in found.battles] == [("x", "y", 0.5), ("x", "z", 0.5), ("x", "z", 0.5)]
    assert found.votes[0] == ("x", "y", "A")


def test_bad_votes_are_refused_by_line(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    rows = ["x,y,A,1", "x,y,C,", "x,x,A,", ",y,A,", "x,z,A,1", "y,x,B,1", "x,y,,"]
    path.write_text("left,right,label,battle\n" + "\n".join(rows) + "\n", encoding="utf-8")
    found = votes_of(read(path), "v.csv")
    assert [(one.line, one.error.code) for one in found.refused] == [
        (3, "bad_label"),
        (4, "self_match"),
        (5, "no_name"),
        (6, "other_battle"),
        (8, "bad_label"),
    ]
    assert [b.score for b in found.battles] == [1.0]
    path.write_text("left,right,winner\nx,y,left\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no column label"):
        votes_of(read(path), "v.csv")
