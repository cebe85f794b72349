"""Scoring of real dialogues: figures against a computation of their own, and the blind on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

import krippendorff
import numpy as np
import pytest

from curation.model import Dialogue
from curation.readers import read
from curation.scoring.agreeing import agreed
from curation.scoring.table import table
from curation.work import Source
from curation.work.scoring import DIMENSIONS
from db.project import Project
from tests.conftest import fresh
from tests.scoring import SCORERS, SYSTEMS, lines

COUNT = 60


@pytest.fixture(scope="module")
def scored(shared: Path) -> Iterator[tuple[Project, list[dict[str, Any]]]]:
    """Real dialogues with the scores of three people, brought as lines."""
    with fresh() as study:
        held = list(
            islice(
                (one for one in read(shared / "data" / "si-bench" / "SI-Bench.json") if isinstance(one, Dialogue)),
                COUNT,
            )
        )
        study.dialogues.take(held, Source("real"), "curator")
        for name in SCORERS:
            study.people.add(name, "annotator", "curator")
        given = list(lines([one.external_id for one in held], SYSTEMS, SCORERS))
        report = study.decisions.take(enumerate(given, 1), "f")
        assert (report.taken, report.refused) == (COUNT * 9, ())
        yield study, given


def test_every_alpha_is_that_of_the_package(scored: tuple[Project, list[dict[str, Any]]]) -> None:
    study, given = scored
    found = agreed(study.judged.judgements(), study.judged.settings(), resamples=50, parts=False)
    for name in DIMENSIONS:
        matrix = np.array([[float(one[name]) for one in given if one["by"] == person] for person in SCORERS])
        for level in ("ordinal", "interval"):
            true = krippendorff.alpha(matrix, level_of_measurement=level, value_domain=[0.0, 5.0, 10.0])
            assert found[name].figures[f"alpha_{level}"].value == pytest.approx(true, abs=1e-12)
        same = fmean((len(set(column)) == 1) + (len(set(column)) == 2) / 3 for column in matrix.T)
        assert found[name].figures["percent_agreement"].value == pytest.approx(same, abs=1e-12)


def test_every_mean_and_win_rate_is_plain_arithmetic(scored: tuple[Project, list[dict[str, Any]]]) -> None:
    study, given = scored
    for row in table(study.judged.judgements(), study.judged.settings(), resamples=50).rows:
        mine = [one for one in given if one["system"] == row.system]
        for name in DIMENSIONS:
            assert row.means[name].plain.value == pytest.approx(fmean(one[name] for one in mine))
        won = fmean(one["reply_cot"] > one["reply_direct"] or one.get("better") == "cot" for one in mine)
        assert row.wins.by_judgement.value == pytest.approx(won)


def test_what_came_in_goes_out(scored: tuple[Project, list[dict[str, Any]]]) -> None:
    study, given = scored
    out = [one for one in study.decisions.give("curator") if one["kind"] == "score"]
    assert sorted(map(repr, map(sorted, (one.items() for one in out)))) == sorted(
        map(repr, map(sorted, (one.items() for one in given)))
    )
    assert study.check() == []
