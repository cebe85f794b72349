"""The published two-rater cases through a real project: imported as decisions, read from `workbench agreement`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curation.taxonomy import taxonomy
from tests.conftest import fresh, staff
from workbench.cli import main

pytestmark = pytest.mark.real
NAMES = ("krippendorff_alpha", "cohen_kappa", "gwet_ac1", "percent_agreement")


def cases(shared: Path) -> list[dict[str, Any]]:
    with (shared / "data" / "statistics" / "agreement_cases.json").open(encoding="utf-8") as file:
        every: list[dict[str, Any]] = json.load(file)["cases"]
    found = [
        one
        for one in every
        if len(one["ratings"]) == 2
        and one["level"] == "nominal"
        and not one["weights"]
        and one["coefficient"] in NAMES
        and len(labels_of(one)) <= len(taxonomy().ids)
        # AC1 depends on how many labels are declared: here it is two, keep and drop.
        and (one["coefficient"] != "gwet_ac1" or len(labels_of(one)) == 2)
    ]
    assert len(found) >= 18
    return found


def labels_of(case: dict[str, Any]) -> list[Any]:
    return sorted({label for row in case["ratings"] for label in row if label is not None}, key=str)


def lines_of(case: dict[str, Any], *, keeping: bool) -> list[dict[str, Any]]:
    """The ratings as decision lines: on keeping or dropping, or as situations of kept ones."""
    labels = labels_of(case)
    lines = []
    for person, row in zip(("ann", "bo"), case["ratings"], strict=True):
        for n, label in enumerate(row, 1):
            if label is None:
                continue
            line = {"kind": "screening", "dialogue": f"d{n}", "by": person, "keep": True, "situation": "irony"}
            if keeping:
                line["keep"] = label == labels[0]
            else:
                line["situation"] = taxonomy().ids[labels.index(label)]
            lines.append(line)
    return lines


def test_every_case_of_two_raters_holds_from_decisions_to_the_printed_figure(
    shared: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    wrong = []
    for case in cases(shared):
        for keeping in (len(labels_of(case)) == 2,):
            with fresh() as study:
                staff(study, len(case["ratings"][0]))
                report = study.decisions.take(enumerate(lines_of(case, keeping=keeping), 1), "case.jsonl")
                assert not report.refused
                assert main(["agreement", str(study.path), "--json"]) == 0
            printed = json.loads(capfdbinary.readouterr().out)["screening"]["ann+bo"]
            one = printed["keep" if keeping else "situation"][case["coefficient"]]
            same = one["status"] == case["status"] and (
                one["value"] is None
                if case["expected"] is None
                else abs(one["value"] - case["expected"]) <= case["tolerance"]
                and abs(one["value"] - case["value"]) <= 1e-9
            )
            if not same:
                wrong.append((case["id"], keeping, one, case["expected"]))
    assert wrong == []
