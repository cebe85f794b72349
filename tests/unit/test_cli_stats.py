"""`workbench stats`: what is printed, where, and with which exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import main

ROOT = Path(__file__).resolve().parents[2]
STATISTIC = {"value", "status", "low", "high", "n_items", "n_ratings"}


class Shell:
    """Runs the command in this process."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capture = capture

    def file(self, text: str, name: str = "t.csv") -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def __call__(self, *argv: str) -> tuple[int, str, str]:
        status = main(["stats", *argv, "--lang", "en"])
        said = self.capture.readouterr()
        return status, said.out, said.err

    def json(self, *argv: str) -> tuple[int, dict[str, Any]]:
        status, out, _ = self(*argv, "--json")
        answer: dict[str, Any] = json.loads(out)
        return status, answer


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, capsys)


SCORES = "ann,bo,cy\n0,0,5\n5,5,5\n10,5,\n10,10,10\n0,0,0\n"


def test_the_figures_of_a_table(shell: Shell) -> None:
    status, found = shell.json("agreement", shell.file(SCORES), "--level", "ordinal", "--domain", "0,5,10")
    assert status == 0
    names = ["krippendorff_alpha", "gwet_ac1", "gwet_ac2", "fleiss_kappa", "conger_kappa", "brennan_prediger"]
    for name in [*names, "percent_agreement"]:
        assert set(found[name]) == STATISTIC
        assert found[name]["status"] == "ok"
        assert found[name]["low"] <= found[name]["value"] <= found[name]["high"]
    for name in ("full", "majority", "none"):
        assert set(found["patterns"][name]) == STATISTIC
    assert "cohen_kappa" not in found
    assert found["percent_agreement"]["value"] == pytest.approx((1 / 3 + 1 + 0 + 1 + 1) / 5)
    assert found["engine"].startswith("krippendorff ")
    assert (found["domain"], found["refused"]) == (["0", "5", "10"], [])
    again = shell.json("agreement", shell.file(SCORES), "--level", "ordinal", "--domain", "0,5,10")[1]
    assert again == found


def test_two_raters_have_kappa_and_pi_and_weights_reach_them(shell: Shell) -> None:
    file = shell.file("ann,bo\n0,0\n5,10\n10,10\n0,5\n10,0\n0,0\n5,10\n")
    plain = shell.json("agreement", file, "--level", "ordinal")[1]
    weighted = shell.json("agreement", file, "--level", "ordinal", "--weights", "quadratic")[1]
    for name in ("cohen_kappa", "scott_pi", "fleiss_kappa", "conger_kappa", "brennan_prediger"):
        assert plain[name]["value"] != pytest.approx(weighted[name]["value"])
    for name in ("krippendorff_alpha", "gwet_ac1", "gwet_ac2", "percent_agreement"):
        assert plain[name]["value"] == weighted[name]["value"]  # AC2 is quadratic already


def test_a_header_alone_has_no_pairs_and_is_no_failure(shell: Shell) -> None:
    status, found = shell.json("agreement", shell.file("ann,bo\n"), "--level", "nominal")
    assert status == 0
    nothing = {"value": None, "status": "no_pairs", "low": None, "high": None, "n_items": 0, "n_ratings": 0}
    statistics = [v for v in [*found.values(), *found["patterns"].values()] if isinstance(v, dict) and "value" in v]
    assert len(statistics) == 12
    assert all(one == nothing for one in statistics)


def test_what_is_undefined_is_said_in_words(shell: Shell) -> None:
    status, out, _ = shell("agreement", shell.file("a,b\n5,5\n5,5\n"), "--level", "ordinal", "--domain", "0,5,10")
    assert status == 0
    alpha = next(line for line in out.splitlines() if line.startswith("krippendorff_alpha"))
    assert "no variation" in alpha
    assert "1.000" not in alpha
    assert " nan" not in out


def test_bad_cells_are_told_by_line_and_the_rest_counts(shell: Shell) -> None:
    file = shell.file("ann,bo\n0,5\nx,5\n5,7\n10,10\n")
    status, out, err = shell("agreement", file, "--level", "ordinal", "--domain", "0,5,10", "--json")
    found = json.loads(out)
    assert status == 1
    assert found["krippendorff_alpha"]["n_items"] == 2
    assert [(one["line"], one["column"]) for one in found["refused"]] == [(3, "ann"), (4, "bo")]
    assert "t.csv:3:ann: x is not a number" in err
    assert "t.csv:4:bo: 7 is none of the labels 0, 5, 10" in err


def test_many_bad_cells_do_not_flood_the_screen(shell: Shell) -> None:
    file = shell.file("ann,bo\n1,2\n" + "x,1\n" * 500)
    status, out, err = shell("agreement", file, "--level", "interval", "--json")
    assert status == 1
    assert len(err.splitlines()) < 30
    assert len(json.loads(out)["refused"]) == 500


def test_what_is_foreign_cannot_act_on_a_terminal(shell: Shell) -> None:
    file = shell.file("ann,\x1b[31mbo\n1,\x1b[2J\n1,2\n")
    _, out, err = shell("agreement", file, "--level", "ordinal", "--explain")
    assert "\x1b" not in out + err
    _, out, err = shell("agreement", file, "--level", "nominal", "--explain")
    assert "\x1b" not in out + err


def test_explain_shows_the_coincidences_and_what_was_left_out(shell: Shell) -> None:
    file = shell.file("ann,bo,cy\n0,0,5\n5,5,5\n10,,\n,,\n")
    _, out, _ = shell("agreement", file, "--level", "ordinal", "--explain")
    assert "coincidences" in out
    assert "alpha without" in out
    assert "single rating" in out
    detail = shell.json("agreement", file, "--level", "ordinal", "--explain")[1]["explain"]
    assert detail["coincidences"] == [[1.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 0.0]]
    assert (detail["paired"], detail["single"], detail["empty"]) == (2, 1, 1)
    assert set(detail["without"]) == {"ann", "bo", "cy"}


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["--level", "Nominal"],
        ["--level", "ordinal", "--domain", "a,,b"],
        ["--level", "ordinal", "--domain", "a,a"],
        ["--level", "interval", "--domain", "a,b"],
        ["--level", "ordinal"],
        ["--level", "nominal", "--weights", "linear"],
        ["--level", "nominal", "--items", "nobody"],
    ],
)
def test_calls_that_cannot_be_meant(shell: Shell, argv: list[str]) -> None:
    status, out, err = shell("agreement", shell.file("ann,bo\nlow,high\nhigh,high\n"), *argv)
    assert (status, out) == (2, "")
    assert err


def test_json_lines_say_the_same_as_csv(shell: Shell) -> None:
    rows = [dict(zip(("ann", "bo", "cy"), line.split(","), strict=True)) for line in SCORES.splitlines()[1:]]
    text = "".join(json.dumps({k: int(v) if v else None for k, v in row.items()}) + "\n" for row in rows)
    one = shell.json("agreement", shell.file(SCORES), "--level", "ordinal")[1]
    assert shell.json("agreement", shell.file(text, "t.jsonl"), "--level", "ordinal")[1] == one


def test_items_that_belong_together_widen_the_interval(shell: Shell) -> None:
    rows = [f"d{n % 6},{(n % 6) % 3},{(n % 6) // 2}" for n in range(48)]
    file = shell.file("item,ann,bo\n" + "\n".join(rows) + "\n")
    found = shell.json("agreement", file, "--level", "ordinal", "--items", "item")[1]
    apart = shell.file("ann,bo\n" + "\n".join(row.partition(",")[2] for row in rows) + "\n")
    alone = shell.json("agreement", apart, "--level", "ordinal")[1]
    wide, narrow = (one["krippendorff_alpha"] for one in (found, alone))
    assert wide["value"] == narrow["value"]
    assert wide["high"] - wide["low"] > narrow["high"] - narrow["low"]


VOTES = "left,right,label\n" + "x,y,A\ny,x,A\nx,z,T\nz,y,G\nz,x,A\ny,z,A\n" * 5


@pytest.mark.parametrize("method", ["bt", "elo"])
def test_ratings_of_votes(shell: Shell, method: str) -> None:
    status, found = shell.json("ratings", shell.file(VOTES), "--method", method)
    assert (status, found["status"]) == (0, "ok")
    assert "components" not in found
    assert [one["rating"] for one in found["ratings"]] == sorted((o["rating"] for o in found["ratings"]), reverse=True)
    for one in found["ratings"]:
        assert {"name", "rating", "low", "high", "n"} <= set(one)
        assert one["low"] <= one["rating"] <= one["high"]
        assert one["n"] == 20
    assert found == shell.json("ratings", shell.file(VOTES), "--method", method)[1]
    _, out, _ = shell("ratings", shell.file(VOTES), "--method", method)
    assert "half a win" in out


def test_what_is_not_connected_has_no_ratings(shell: Shell) -> None:
    file = shell.file("left,right,label\nx,y,A\ny,z,A\nz,y,A\n")
    status, found = shell.json("ratings", file, "--method", "bt")
    assert status == 1
    assert found["status"] == "not_connected"
    assert found["ratings"] == []
    assert found["components"] == [["x"], ["y", "z"]]
    _, _, err = shell("ratings", file)
    assert "x | y, z" in err
    status, found = shell.json("ratings", file, "--method", "elo")
    assert (status, found["status"], len(found["ratings"])) == (0, "ok", 3)


def test_a_header_alone_has_no_ratings(shell: Shell) -> None:
    status, found = shell.json("ratings", shell.file("left,right,label\n"), "--method", "bt")
    assert (status, found["status"], found["ratings"]) == (0, "no_pairs", [])
    assert shell("ratings", shell.file("left,right,label\n"))[0] == 0


def test_an_unknown_label_is_refused_and_no_tie(shell: Shell) -> None:
    status, out, err = shell("ratings", shell.file("left,right,label\nx,y,A\ny,x,A\nx,y,tie\n"), "--json")
    assert status == 1
    assert json.loads(out)["n_battles"] == 2
    assert "t.csv:4: tie is none of A, B, T, G" in err


@pytest.mark.parametrize("argv", [["agreement", "--help"], ["ratings", "--help"]])
def test_help_loads_no_numpy(argv: list[str], tmp_path: Path) -> None:
    code = "import sys; from workbench.cli import main; main(sys.argv[1:]); sys.exit('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, "stats", *argv], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0
