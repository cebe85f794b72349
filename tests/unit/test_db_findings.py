"""Identifiers: what is proposed waits for a decision, a person's decision stands, and search finds what is there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.errors import WorkbenchError
from curation.identifiers import Finding, detect
from curation.layers import Layer
from curation.stages import Stage
from db.project import Project
from tests.conftest import Make, agree, bring, dialogue, fresh, refusal, staff

TEXTS = ["在吗", "你说", "电话13812345678和13987654321", "好的呀", "我的QQ是12345678", "行"]


@pytest.fixture
def study(project: Make) -> Project:
    made = project()
    agree(made, staff(made, 1, TEXTS))
    return made


def _uid(study: Project) -> str:
    return study.dialogues.find("d1").uid


def _key(study: Project) -> int:
    return study.dialogues.key(_uid(study))


def test_what_is_surer_is_accepted_and_the_rest_waits(study: Project) -> None:
    found = study.findings.scan(_key(study))
    assert len(found) >= 3
    limit = max(f.score for f in found)
    report = study.findings.scrub([_key(study)], "curator", limit)
    sure = sum(f.score >= limit for f in found)
    assert (report.counts["accepted"], report.waiting) == (sure, len(found) - sure)
    assert study.findings.scrub([_key(study)], "curator", 0.0).counts["accepted"] == len(found) - sure
    assert study.findings.undecided(_key(study)) == ()
    assert "13812345678" not in repr(study.quality.final(_uid(study)))


def test_without_a_limit_nothing_is_decided(study: Project) -> None:
    before = len(list(study.history.lines("curator")))
    report = study.findings.scrub([_key(study)], "curator", None)
    assert report.waiting == report.counts["found"] > 0
    assert len(list(study.history.lines("curator"))) == before
    with pytest.raises(WorkbenchError):
        study.findings.scrub([_key(study)], "curator", 1.5)


def test_a_rejected_finding_is_not_accepted_by_a_later_run(study: Project) -> None:
    first = study.findings.scan(_key(study))[0]
    study.findings.decide(_uid(study), "curator", first.message, first.start, first.end, first.type, False)
    study.findings.scrub([_key(study)], "curator", 0.0)
    assert first.text in study.quality.final(_uid(study))[first.message].text
    assert first not in study.findings.undecided(_key(study))


def test_a_decision_made_in_another_window_while_the_detector_runs_stands(study: Project) -> None:
    first = study.findings.scan(_key(study))[0]
    bring(study, [dialogue("d2")])
    other_key = study.dialogues.key(study.dialogues.find("d2").uid)

    def slow(messages: Sequence[tuple[str, str]]) -> tuple[Finding, ...]:
        with Project.open(study.path) as other:
            span = (first.message, first.start, first.end, first.type, False)
            other.findings.decide(_uid(study), "curator", *span)
        return detect(messages)

    study.findings.scrub([_key(study), other_key], "curator", 0.0, slow)
    decided = {(d.message, d.start, d.end): d.accepted for d in study.findings.decided(_key(study))}
    assert decided[first.message, first.start, first.end] is False
    assert study.check() == []


def test_a_detector_that_fails_keeps_a_dialogue_from_approval(study: Project) -> None:
    def broken(messages: Sequence[tuple[str, str]]) -> tuple[Finding, ...]:
        raise WorkbenchError("no", code="too_long")

    with study.findings._db as db:
        db.execute("DELETE FROM scan")
    report = study.findings.scrub([_key(study)], "curator", 0.0, broken)
    assert report.counts["not_scanned"] == 1
    assert study.findings.failure(_key(study)) == "too_long"


@pytest.mark.parametrize(
    "span", [(-1, 0, 1), (99, 0, 1), (0, -1, 1), (0, 1, 1), (0, 2, 1), (0, 0, 99), (10**30, 0, 1), (0, 0, 10**30)]
)
def test_a_span_that_is_not_there_is_refused(study: Project, span: tuple[int, int, int]) -> None:
    assert refusal(lambda: study.findings.decide(_uid(study), "curator", *span, "PERSON", True)) == "no_span"
    with pytest.raises(WorkbenchError):
        study.findings.decide(_uid(study), "curator", 0, 0, 1, "NAME", True)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 5), st.integers(0, 12), st.integers(1, 12), st.sampled_from(["PERSON", "QQ"]), st.booleans()
        ),
        max_size=8,
    )
)
def test_decisions_over_each_other_leave_disjoint_spans_and_the_last_one_stands(
    spans: list[tuple[int, int, int, str, bool]],
) -> None:
    with fresh() as study:
        agree(study, staff(study, 1, TEXTS))
        last = None
        for message, start, length, kind, accept in spans:
            end = min(start + length, len(TEXTS[message]))
            if start < end:
                study.findings.decide(_uid(study), "curator", message, start, end, kind, accept)
                last = (message, start, end, kind, accept)
        decided = study.findings.decided(_key(study))
        for one, two in pairwise(decided):
            assert one.message < two.message or one.end <= two.start
        if last is not None:
            assert last in [(d.message, d.start, d.end, d.type, d.accepted) for d in decided]
        masked = study.findings.spans(_key(study))
        for one_span, next_span in pairwise(masked):
            assert one_span[0] < next_span[0] or one_span[2] <= next_span[1]
        assert study.check() == []


def test_an_accepted_identifier_is_masked_and_a_rejected_one_is_not(study: Project) -> None:
    found = study.findings.scan(_key(study))
    everything = {(f.message, f.start, f.end) for f in found}
    assert {span[:3] for span in study.findings.spans(_key(study))} == everything
    study.findings.decide(_uid(study), "curator", found[0].message, found[0].start, found[0].end, "PHONE", False)
    study.findings.decide(_uid(study), "curator", found[1].message, found[1].start, found[1].end, "PHONE", True)
    assert {span[:3] for span in study.findings.spans(_key(study))} == everything - {
        (found[0].message, found[0].start, found[0].end)
    }


def test_taking_back_an_accepted_identifier_leaves_no_wrong_text_above_it(study: Project) -> None:
    study.findings.scrub([_key(study)], "curator", 0.0)
    scrubbed = list(study.history.lines("curator"))[-1].ref
    study.quality.normalise("curator")
    study.history.undo(scrubbed, "curator")
    raw = [one.texts[Layer.RAW] for one in study.quality.layers(_uid(study))]
    assert raw == TEXTS
    assert [m.text for m in study.quality.final(_uid(study))] == TEXTS
    assert study.dialogues.find("d1").stage is Stage.AGREED
    assert "undecided_findings" in study.quality.open_matters(_uid(study))


# -- search


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text('ab"\\\n%_é中\u2028', max_size=8), min_size=6, max_size=6), st.text('ab"\\\n%_é中', max_size=3))
def test_search_finds_every_place_where_the_text_stands(texts: list[str], wanted: str) -> None:
    with fresh() as study:
        bring(study, [dialogue("d1", texts)])
        found = [(h.message, h.start, h.end) for h in study.search.find(wanted)]
        expected = []
        for number, text in enumerate(texts):
            at = text.find(wanted) if wanted else -1
            while at >= 0:
                expected.append((number, at, at + len(wanted)))
                at = text.find(wanted, at + len(wanted))
        assert found == expected
        assert len(list(study.search.find(wanted, limit=1))) == min(1, len(expected))


def test_search_looks_at_the_layer_asked_for(study: Project) -> None:
    study.findings.scrub([_key(study)], "curator", 0.0)
    assert list(study.search.find("13812345678"))
    assert not list(study.search.find("13812345678", layer=Layer.SCRUBBED))
    assert list(study.search.find("[电话1]", layer=Layer.SCRUBBED))
    assert not list(study.search.find("\ud800"))
