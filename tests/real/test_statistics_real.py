"""The statistics on published and real data: every reference case, by the library and by the command."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from curation.statistics import tests as significance
from curation.statistics.agreement import agreement
from curation.statistics.figures import Level, Weights
from curation.statistics.ratings import Battle, Ratings, RatingStatus, bradley_terry, elo
from workbench.cli import main

pytestmark = pytest.mark.real
CATEGORIES = {"nominal", "ordinal", "interval", "ratio"}


def cases(shared: Path, name: str) -> list[dict[str, Any]]:
    with (shared / "data" / "statistics" / name).open(encoding="utf-8") as file:
        found: list[dict[str, Any]] = json.load(file)["cases"]
    assert found
    return found


def level_of(case: dict[str, Any]) -> Level:
    """The level of an alpha; the other coefficients take weights, for which numbers are enough."""
    return Level(case["level"]) if case["coefficient"] == "krippendorff_alpha" else Level.NOMINAL


def holds(case: dict[str, Any], found: dict[str, Any]) -> bool:
    if found["status"] != case["status"] or (found["value"] is None) != (case["expected"] is None):
        return False
    return found["value"] is None or (
        abs(found["value"] - case["expected"]) <= case["tolerance"] and abs(found["value"] - case["value"]) <= 1e-9
    )


def test_every_agreement_case_holds_in_the_library(shared: Path) -> None:
    wrong = []
    for case in cases(shared, "agreement_cases.json"):
        report = agreement(
            list(zip(*case["ratings"], strict=True)),
            level=level_of(case),
            domain=case["categories"],
            weights=Weights(case["weights"]) if case["weights"] else None,
        )
        one = report.figures[case["coefficient"]]
        if not holds(case, {"value": one.value, "status": one.status}):
            wrong.append((case["id"], one))
    assert wrong == []


def test_every_agreement_case_holds_on_the_command_line(
    shared: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    wrong = []
    for case in cases(shared, "agreement_cases.json"):
        path = tmp_path / "case.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([f"rater{n}" for n in range(len(case["ratings"]))])
            writer.writerows(["" if r is None else r for r in item] for item in zip(*case["ratings"], strict=True))
        argv = ["stats", "agreement", str(path), "--level", level_of(case).value, "--json"]
        if case["categories"]:
            argv += ["--domain", ",".join(map(str, case["categories"]))]
        if case["weights"]:
            argv += ["--weights", case["weights"]]
        status = main(argv)
        said = capfdbinary.readouterr()
        assert said.out, (case["id"], said.err)
        found = json.loads(said.out)
        if status or not holds(case, found[case["coefficient"]]):
            wrong.append((case["id"], status, found[case["coefficient"]]))
    assert wrong == []


def flat(value: Any) -> list[float]:
    """The numbers in a nested answer, in the order of its keys."""
    if isinstance(value, dict):
        return [number for key in sorted(value) for number in flat(value[key])]
    if isinstance(value, list | tuple):
        return [number for one in value for number in flat(one)]
    return [float(value)]


def test_every_significance_case_holds(shared: Path) -> None:
    for case in cases(shared, "significance_cases.json"):
        given = case["input"]
        found: Any = None
        match case["test"]:
            case "wilson95":
                found = significance.wilson(given["x"], given["n"])
            case "exact_sign_two_sided":
                found = significance.sign_test(given["x"], given["n"])
            case "mcnemar_exact":
                found = significance.mcnemar(given["table"])
            case "holm_and_bh":
                found = {
                    "holm": significance.holm(given["p"]),
                    "bh": significance.benjamini_hochberg(given["p"]),
                }
            case "sign_flip_permutation_exact_two_sided":
                found = significance.sign_flip(given["differences"])
            case "wilcoxon_asymptotic":
                every = {z: significance.wilcoxon(given["differences"], z) for z in ("wilcox", "pratt", "zsplit")}
                found = {zeros: {"stat": stat, "p": p} for zeros, (stat, p) in every.items()}
        assert flat(found) == pytest.approx(flat(case["expected"]), rel=1e-9, abs=1e-12), case["id"]


def battles(shared: Path, case: dict[str, Any]) -> list[Battle]:
    if "matches_file" not in case:
        return [Battle(*match) for match in case["matches"]]
    score = {"left": 1.0, "right": 0.0, "tie": 0.5}
    with (shared / "data" / "statistics" / case["matches_file"]).open(encoding="utf-8", newline="") as file:
        return [Battle(row["left"], row["right"], score[row["winner"]]) for row in csv.DictReader(file)]


def near(made: Ratings, wanted: dict[str, float], tolerance: float) -> bool:
    found = {one.name: one.rating for one in made.ratings}
    return found.keys() == wanted.keys() and all(abs(found[name] - wanted[name]) <= tolerance for name in wanted)


def test_every_rating_case_holds(shared: Path) -> None:
    for case in cases(shared, "rating_cases.json"):
        held, wanted = battles(shared, case), case["ratings"]
        assert near(elo(held, resamples=0), wanted["elo_k4"], 1e-6), case["id"]
        if "elo_k32" in wanted:
            assert near(elo(held, k=32, resamples=0), wanted["elo_k32"], 1e-6), case["id"]
        made = bradley_terry(held, resamples=0)
        assert (made.status is RatingStatus.OK) == wanted["bt_identifiable"], case["id"]
        if wanted["bt_identifiable"]:
            assert near(made, wanted["bt"], 1e-4), case["id"]
        else:
            assert made.ratings == ()
            assert len(made.components) > 1


def test_labelled_cases_hold_on_the_command_line(
    shared: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    labelled = [
        c for c in cases(shared, "rating_cases.json") if "labels" in c and len(c["labels"]) == len(c["matches"])
    ]
    assert labelled
    for case in labelled:
        path = tmp_path / "case.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("left", "right", "label"), *case["labels"]])
        for method, key in (("bt", "bt"), ("elo", "elo_k4")):
            assert main(["stats", "ratings", str(path), "--method", method, "--json"]) == 0
            answer = json.loads(capfdbinary.readouterr().out)
            found = {one["name"]: one["rating"] for one in answer["ratings"]}
            assert found == pytest.approx(case["ratings"][key], abs=1e-4)
